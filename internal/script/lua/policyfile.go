package lua

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// policySchema describes policy files: PolicySchema prints it.
//
//go:embed policy.schema.json
var policySchema []byte

// PolicySchema returns the JSON Schema of policy files.
func PolicySchema() []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, policySchema, "", "  ") // it is read with the first policy, and by a test
	return b.Bytes()
}

// A PolicyFile is a policy that an operator wrote. It permits the things that it names, as its schema says.
type PolicyFile struct {
	Path string `json:"-"` // where it was read
	Sum  string `json:"-"` // SHA-256 of its text

	Modules     []string              `json:"modules"` // nil: all but those of a project
	Functions   map[string]string     `json:"functions"`
	Env         []string              `json:"env"`
	HTTP        []Rule                `json:"http"`
	Databases   Databases             `json:"databases"`
	WebSockets  []string              `json:"websockets"`
	Files       Files                 `json:"files"`
	Credentials map[string]Credential `json:"credentials"`
	Limits      Limits                `json:"limits"`
	Redact      []string              `json:"redact"`
	ReadOnly    bool                  `json:"readonly"`
	Local       bool                  `json:"local"`
	Log         string                `json:"log"`
}

// A Rule permits requests.
type Rule struct {
	Hosts   []string `json:"hosts"`
	Methods []string `json:"methods"` // none: GET and HEAD
	Paths   []string `json:"paths"`   // none: every path
	Class   string   `json:"class"`   // classRead or classWrite; "": by the method
	Approve bool     `json:"approve"`
}

// Databases says which servers scripts may connect to.
type Databases struct {
	Hosts []string `json:"hosts"`
	Write bool     `json:"write"`
}

// Files says which folder scripts reach.
type Files struct {
	Folder string `json:"folder"`
	Write  bool   `json:"write"`
}

// Limits bound a run. A limit that is absent is the one that every script has.
type Limits struct {
	Time     string `json:"time"`
	Memory   string `json:"memory"`
	Response string `json:"response"`
	Requests int    `json:"requests"`

	time             time.Duration
	memory, response int64
}

// The classes of functions.
const (
	classRead    = "read"
	classWrite   = "write"
	classDeny    = "deny"
	classApprove = "approve"
)

// approvable are the functions of which each call that writes can be approved.
var approvable = []string{"db.execute", "fs.write", "redis.call", "ws.send"}

// ReadPolicy reads a policy. A key that the schema does not have is an error: a rule that was mistyped would
// permit the requests that its author refused.
func ReadPolicy(src []byte) (*PolicyFile, error) {
	var v any
	d := yaml.NewDecoder(bytes.NewReader(src))
	if err := d.Decode(&v); err != nil {
		return nil, errors.New(strings.Replace(strings.TrimPrefix(err.Error(), "yaml: "), "EOF", "it is empty", 1))
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("it has more than one document")
	}
	schema := &jsonschema.Schema{}
	if err := json.Unmarshal(policySchema, schema); err != nil {
		return nil, err
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, err
	}
	if err := resolved.Validate(v); err != nil {
		return nil, errors.New(strings.ReplaceAll(schemaPath.Get().ReplaceAllString(err.Error(), "$1: "), "/properties", ""))
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	f := &PolicyFile{}
	if err := json.Unmarshal(b, f); err != nil {
		return nil, err
	}
	return f, f.check()
}

// schemaPath begins the messages about a schema. Only its last place says something.
var schemaPath = lazy.Regexp(`^(?:validating \S+: )*validating (\S+): `)

// check finds faults that a schema has no words for.
func (f *PolicyFile) check() error {
	for name, c := range f.Credentials {
		for part, s := range c.sources() {
			if s.Env != "" && isNamed(s.Env, f.Env) { // names differ by case, and not on every system
				return fmt.Errorf("credentials: %s: %s: env lets scripts read %s", name, part, s.Env)
			}
		}
	}
	for name, class := range f.Functions {
		if class == classApprove && !slices.Contains(approvable, name) {
			return fmt.Errorf("functions: %s cannot be approved, only %s (and requests, by approve in a rule of http)", name, strings.Join(approvable, ", "))
		}
	}
	return f.Limits.read()
}

func (l *Limits) read() (err error) {
	if l.Time != "" {
		if l.time, err = time.ParseDuration(l.Time); err != nil || l.time <= 0 {
			return fmt.Errorf("limits: time: %q is no time, such as 20s", l.Time)
		}
	}
	size := func(asked string, to *int64) {
		if asked != "" && err == nil {
			*to, err = text.ParseSize(asked)
		}
	}
	size(l.Memory, &l.memory)
	size(l.Response, &l.response)
	return err
}

// Locate makes the files of credentials relative to dir, the folder of the policy. None may lie in the folder that
// scripts read, and neither the policy nor its log where they write.
func (f *PolicyFile) Locate(dir, reached string) error {
	if f.Files.Write {
		for name, path := range map[string]string{"policy": f.Path, "log": f.Log} {
			if path != "" && isBelow(reached, path) {
				return fmt.Errorf("the %s lies in the folder that scripts write", name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Credentials)) {
		c := f.Credentials[name]
		for _, s := range c.sources() {
			if s.File == "" {
				continue
			}
			s.File = file.From(dir, s.File)
			if reached != "" && isBelow(reached, s.File) {
				return fmt.Errorf("credentials: %s: its file lies in the folder that scripts read", name)
			}
		}
	}
	return nil
}

// isBelow reports whether a file, which need not be there yet, is in a folder.
func isBelow(folder, path string) bool {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	} else if to, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(to, filepath.Base(path))
	}
	if to, err := filepath.EvalSymlinks(folder); err == nil {
		folder = to
	}
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// Bounds returns the limits of the time and the memory of a run; 0: none.
func (l *Limits) Bounds() (time.Duration, int64) { return l.time, l.memory }

// Approves reports whether anything needs an approval.
func (f *PolicyFile) Approves() bool {
	marked := slices.ContainsFunc(f.HTTP, func(r Rule) bool { return r.Approve })
	return marked || slices.Contains(slices.Collect(maps.Values(f.Functions)), classApprove)
}

// approves reports whether each call of a function that writes is approved.
func (p *Policy) approves(name string) bool {
	f := p.file()
	return f != nil && f.Functions[name] == classApprove
}

// A Decision is about a request that is permitted.
type Decision struct {
	Write   bool  `json:"write"`
	Approve bool  `json:"approve,omitempty"`
	Rules   []int `json:"rules,omitempty"` // that decide, from 1
}

// Decide returns why a request may not be sent, or how it is to be treated. A server may take the path
// for another one: each form of it has to be permitted, and the strictest decides.
func (f *PolicyFile) Decide(method string, u *url.URL, socket string) (d Decision, err error) {
	forms, err := pathForms(u)
	for _, form := range forms {
		i := slices.IndexFunc(f.HTTP, func(r Rule) bool { return r.matches(method, u, socket, f.Local) && anyWithin(form, r.Paths) })
		if i < 0 {
			at := u.Host
			if socket != "" {
				at = "unix:" + socket
			}
			return d, fmt.Errorf("the policy permits no %s of %s%s", method, at, form)
		}
		r := f.HTTP[i]
		d.Approve = d.Approve || r.Approve
		d.Write = d.Write || r.Class == classWrite || r.Class == "" && !reads(method)
		if !slices.Contains(d.Rules, i+1) {
			d.Rules = append(d.Rules, i+1)
		}
	}
	return d, err
}

// matches reports whether a rule is about a request, but for its path.
func (r *Rule) matches(method string, u *url.URL, socket string, local bool) bool {
	methods := r.Methods
	if len(methods) == 0 {
		methods = []string{http.MethodGet, http.MethodHead}
	}
	if !slices.ContainsFunc(methods, func(m string) bool { return m == "*" || strings.EqualFold(m, method) }) {
		return false
	}
	if socket != "" {
		return slices.Contains(r.Hosts, "unix:"+socket)
	}
	anyHost := slices.Contains(r.Hosts, "*") && isPlain(u.Hostname())
	return hostAmong(u, r.Hosts) || anyHost && (local || !namesLocal(u.Hostname()))
}

// gated returns a builtin that fails if the policy forbids its class.
func (vm *VM) gated(name string, b builtin) builtin {
	f := vm.o.Policy.file()
	if f == nil || f.Functions[name] == "" || f.Functions[name] == classRead {
		return b
	}
	return func(c call) int {
		if f.Functions[name] == classDeny || c.vm.o.Policy.ReadOnly {
			c.Fail("%s: the policy does not permit this function", name)
		}
		return b(c)
	}
}

// permitModule returns why a module may not be loaded, or nil.
func (p *Policy) permitModule(name string) error {
	f := p.file()
	if f == nil || f.Modules == nil || slices.Contains(f.Modules, strings.TrimPrefix(name, "assay.")) {
		return nil
	}
	return errors.New("the policy does not permit it")
}

// dialer returns a function that connects to a server. A policy names hosts, and whoever answers for a name may
// give the address of this machine, or that of the metadata of a cloud: a name leads to no such address.
func (p *Policy) dialer(timeout time.Duration) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := &net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second}
	if p != nil {
		d.Resolver = p.Resolver
	}
	if f := p.file(); f == nil || f.Local {
		return d.DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, _ := net.SplitHostPort(address)
		own := *d
		if !namesLocal(host) {
			own.Control = func(_, resolved string, _ syscall.RawConn) error {
				if at, err := netip.ParseAddrPort(resolved); err != nil || isLocal(at.Addr()) {
					return &finalError{fmt.Errorf("the policy does not permit %s to be this machine or a link-local address (local: true does)", host)}
				}
				return nil
			}
		}
		return own.DialContext(ctx, network, address)
	}
}

// namesLocal reports whether a host is written as one of this machine, so that a policy which names it means it.
func namesLocal(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if at, err := netip.ParseAddr(host); err == nil {
		return isLocal(at)
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// metadata are the addresses, beside the link-local one, at which clouds answer with the keys of a machine.
var metadata = [...]netip.Addr{
	netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("100.100.100.200"),
	netip.MustParseAddr("168.63.129.16"), netip.MustParseAddr("192.0.0.192"),
}

// embedded are the bytes of addresses of IPv6 that are one of IPv4 (RFC 6052, 2.2). In 64:ff9b:1::/48 (RFC 8215) a network chooses
// where they are, so that each place there is must count.
var embedded = [...]struct {
	prefix netip.Prefix
	bytes  [4]int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), [...]int{12, 13, 14, 15}}, {netip.MustParsePrefix("::/96"), [...]int{12, 13, 14, 15}},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), [...]int{12, 13, 14, 15}}, {netip.MustParsePrefix("2002::/16"), [...]int{2, 3, 4, 5}},
	{localTranslation, [...]int{12, 13, 14, 15}}, {localTranslation, [...]int{6, 7, 9, 10}},
	{localTranslation, [...]int{7, 9, 10, 11}}, {localTranslation, [...]int{9, 10, 11, 12}},
}

var localTranslation = netip.MustParsePrefix("64:ff9b:1::/48")

// isLocal reports whether an address leads to this machine or to a cloud's keys, also where one of IPv6 has one of IPv4 in it.
func isLocal(at netip.Addr) bool {
	at = at.WithZone("").Unmap()
	if slices.Contains(metadata[:], at) || at.IsLoopback() || at.IsLinkLocalUnicast() {
		return true
	}
	for _, e := range embedded {
		b, i := at.As16(), e.bytes
		inner := netip.AddrFrom4([...]byte{b[i[0]], b[i[1]], b[i[2]], b[i[3]]})
		isEmpty := e.prefix == localTranslation && inner.IsUnspecified() // the address is at another place
		if e.prefix.Contains(at) && !isEmpty && isLocal(inner) {
			return true
		}
	}
	return at.IsUnspecified() || at.IsMulticast()
}
