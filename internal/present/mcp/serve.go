package mcp

import (
	"context"
	_ "embed" // usage.txt
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/present/guard"
	"github.com/assay-dev/assay/internal/present/op"
)

// Usage is what assay serve --help prints.
//
//go:embed usage.txt
var Usage string

const (
	minToken     = 16
	maxTokenFile = 4 << 10
)

// Sources are what a server answers from.
type Sources struct {
	Roots []string // folders, absolute, that exist; none: the project around the working directory
	// Workspace is a file that lists repositories, absolute; instead of Roots.
	Workspace string
	DBs       []string // files of library documentation, absolute, that exist; none: the user's own
	Exec      *Exec    // nil: code that a client sends is not run
}

// Exec says what code that a client sends may reach: with none of them, nothing.
type Exec struct {
	Hosts, Methods, Env []string // no method: GET and HEAD
	Policy              string   // a policy file, absolute, that has to permit it too; with one, flags that are absent narrow nothing
	ReadOnly            bool     // whatever else is named
	Write               []string // WriteDatabases, WriteSockets: what is written to besides by HTTP
}

func (e *Exec) isZero() bool {
	return len(e.Hosts)+len(e.Methods)+len(e.Env)+len(e.Write)+len(e.Policy) == 0 && !e.ReadOnly
}

// The values of Exec.Write.
const (
	WriteDatabases = "db"
	WriteSockets   = "ws"
)

// An Opener returns the operations over sources. They refuse what lies outside. It is called again,
// before any of them runs, where the client says which folders it works in.
type Opener func(Sources) ([]op.Op, error)

// A Service is what the command serve needs to know of the program.
type Service struct {
	Open    Opener
	Version string
	// Name is what the server calls itself. When empty, it is the name that clients
	// of Context7 look for where it serves documentation alone, else "assay".
	Name string
	// Instructions are a line or two for each set of tools: a server tells a model
	// those of the sets that it serves.
	Instructions map[string]string
	Done         func(context.Context, Done) // as in Options
	// Team serves teams as a file says, with the address of opt; nil: this build has none.
	Team func(ctx context.Context, file string, opt HTTPOptions, errOut io.Writer) error
}

// A request is a parsed command line of serve.
type request struct {
	transport, host, tokenFile string
	port, perAddress           int
	roots, dbs, tools          []string
	workspace, team            string
	reach                      Exec
	hosts, origins             []string
	timeout                    time.Duration
	help, exec                 bool
}

// Run is the command serve: it serves what svc opens until in or ctx ends.
// Nothing but the protocol is written to out, unless help is asked for.
func Run(ctx context.Context, svc Service, args []string, in io.Reader, out, errOut io.Writer) error {
	req, err := parseArgs(args)
	if err != nil {
		return err
	}
	if req.help {
		return fault.Only(io.WriteString(out, Usage))
	}
	if req.team != "" {
		return svc.team(ctx, req, errOut)
	}
	from, err := req.sources()
	if err != nil {
		return err
	}
	token, err := req.token(errOut)
	if err != nil {
		return err
	}
	all, err := svc.Open(from)
	if err != nil {
		return err
	}
	ops, sets, err := choose(all, req.tools)
	if err != nil {
		return err
	}
	opt := Options{Name: svc.name(sets), Instructions: svc.instructions(sets), Timeout: req.timeout, Log: errOut, Done: svc.Done}
	if req.transport == "stdio" && len(from.Roots) == 0 && from.Workspace == "" {
		opt.Roots = func(folders []string) ([]op.Op, error) {
			own := from
			own.Roots = folders
			all, err := svc.Open(own)
			if err != nil {
				return nil, err
			}
			ops, _, err := choose(all, req.tools)
			return ops, err
		}
	}
	s, err := Server(ops, svc.Version, opt)
	if err != nil {
		return err
	}
	if req.transport == "stdio" {
		return Stdio(ctx, s, in, out)
	}
	web := req.http(errOut, token != "")
	web.Token = token
	return HTTP(ctx, s, web)
}

// http is how a request is served over HTTP.
func (r request) http(errOut io.Writer, token bool) HTTPOptions {
	return HTTPOptions{
		Addr:       net.JoinHostPort(strings.Trim(r.host, "[]"), strconv.Itoa(r.port)),
		AllowHosts: r.hosts, AllowOrigins: r.origins, PerAddress: r.perAddress,
		Ready: func(at net.Addr) {
			for _, line := range listening(at, token) {
				fmt.Fprintf(errOut, "assay: %s\n", line)
			}
		},
	}
}

// team serves teams.
func (svc Service) team(ctx context.Context, req request, errOut io.Writer) error {
	if svc.Team == nil {
		return fault.New(fault.Usage, "serve: this build serves no teams").Or("use the full one")
	}
	return svc.Team(ctx, req.team, req.http(errOut, true), errOut)
}

// name is what a server of sets calls itself.
func (svc Service) name(sets []string) string {
	if svc.Name == "" && slices.Equal(sets, []string{"docs"}) {
		return Context7Name
	}
	return svc.Name
}

func (svc Service) instructions(sets []string) string {
	var lines []string
	for _, set := range sets {
		if s := strings.TrimSpace(svc.Instructions[set]); s != "" {
			lines = append(lines, s)
		}
	}
	return strings.Join(lines, "\n")
}

// listening says where a server is to be found, and who may use it.
func listening(at net.Addr, token bool) []string {
	s := fmt.Sprintf("listening on %s", at)
	host, _, err := net.SplitHostPort(at.String())
	switch {
	case err == nil && guard.IsLoopback(host):
		return []string{s + ", this machine only; for others --host 0.0.0.0 --allow-host NAME"}
	case token:
		return []string{s + ", for clients that present the token"}
	}
	return []string{s, "warning: anyone who reaches this machine can ask what it serves; --token-file FILE requires a token"}
}

// flags are those of the command.
func (r *request) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&r.transport, "transport", "stdio", "")
	fs.BoolVar(&r.exec, "allow-exec", false, "")
	fs.StringVar(&r.host, "host", "127.0.0.1", "")
	fs.IntVar(&r.port, "port", 3000, "")
	fs.IntVar(&r.perAddress, "limit-per-address", 0, "")
	fs.StringVar(&r.workspace, "workspace", "", "")
	fs.StringVar(&r.team, "team", "", "")
	fs.StringVar(&r.tokenFile, "token-file", "", "")
	fs.DurationVar(&r.timeout, "timeout", callTimeout, "")
	list := func(name string, to *[]string) {
		fs.Func(name, "", func(s string) error {
			if s == "" {
				return errors.New("it is empty")
			}
			*to = append(*to, s)
			return nil
		})
	}
	list("root", &r.roots)
	list("db", &r.dbs)
	list("exec-host", &r.reach.Hosts)
	list("exec-method", &r.reach.Methods)
	list("exec-env", &r.reach.Env)
	list("exec-write", &r.reach.Write)
	fs.StringVar(&r.reach.Policy, "policy", "", "")
	fs.BoolVar(&r.reach.ReadOnly, "readonly", false, "")
	list("allow-host", &r.hosts)
	list("allow-origin", &r.origins)
	fs.Func("tools", "", func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			r.tools = append(r.tools, strings.TrimSpace(name))
		}
		return nil
	})
	return fs
}

// ofHTTP are the flags that mean nothing over stdio.
var ofHTTP = []string{"host", "port", "token-file", "allow-host", "allow-origin", "limit-per-address"}

func parseArgs(args []string) (request, error) {
	var r request
	fs := r.flags()
	wrong := func(format string, args ...any) (request, error) {
		return r, fault.New(fault.Usage, format, args...).Or("assay serve --help lists the flags")
	}
	if err := fs.Parse(args); err != nil {
		r.help = errors.Is(err, flag.ErrHelp)
		if r.help {
			return r, nil
		}
		return wrong("serve: %v", err)
	}
	switch {
	case fs.NArg() > 0:
		return wrong("serve: unexpected argument %q", fs.Arg(0))
	case r.transport != "stdio" && r.transport != "http":
		return wrong("serve: --transport %q is neither stdio nor http", r.transport)
	case r.port < 0 || r.port > 65535:
		return wrong("serve: --port %d is not in 0..65535", r.port)
	case r.perAddress < 0:
		return wrong("serve: --limit-per-address %d is below 0", r.perAddress)
	case r.timeout <= 0:
		return wrong("serve: --timeout %v is not positive", r.timeout)
	case r.workspace != "" && len(r.roots) > 0:
		return wrong("serve: --root and --workspace both say what is served; list the folders in the file")
	case !r.exec && !r.reach.isZero():
		return wrong("serve: --policy, --readonly, --exec-host, --exec-method, --exec-env and --exec-write mean nothing without --allow-exec")
	case slices.ContainsFunc(r.reach.Write, func(w string) bool { return w != WriteDatabases && w != WriteSockets }):
		return wrong("serve: --exec-write %s is neither db nor ws", strings.Join(r.reach.Write, " "))
	case r.exec && !slices.Contains(r.tools, "module") && !slices.Contains(r.tools, "+module"):
		return wrong("serve: --allow-exec needs module among the sets of --tools: +module adds it")
	}
	var misplaced, theirs string
	fs.Visit(func(f *flag.Flag) {
		http := slices.Contains(ofHTTP, f.Name)
		if http {
			misplaced = f.Name
		}
		// Who a token is of, the file of a team says.
		if !(http && f.Name != "token-file" || f.Name == "team" || f.Name == "transport") {
			theirs = f.Name
		}
	})
	if r.team != "" && theirs != "" {
		return wrong("serve: --%s means nothing with --team: its file says what each team is served", theirs)
	}
	if r.team != "" {
		r.transport = "http"
	}
	if misplaced != "" && r.transport != "http" {
		return wrong("serve: --%s means nothing over stdio; add --transport http", misplaced)
	}
	return r, nil
}

// sources makes the folders and files of a request absolute and sees that they
// are there.
func (r request) sources() (Sources, error) {
	roots, err := existing("root", r.roots, true, "give --root a folder that exists")
	if err != nil {
		return Sources{}, err
	}
	dbs, err := existing("database", r.dbs, false, "give --db a file that assay docs ingest made")
	from := Sources{Roots: roots, DBs: dbs}
	if r.workspace != "" {
		file, err := existing("workspace file", []string{r.workspace}, false, "give --workspace a file that lists repositories")
		if err != nil {
			return Sources{}, err
		}
		from.Workspace = file[0]
	}
	if r.exec {
		from.Exec = &r.reach
		if r.reach.Policy != "" {
			file, err := existing("policy", []string{r.reach.Policy}, false, "give --policy a file as assay policy schema says")
			if err != nil {
				return Sources{}, err
			}
			r.reach.Policy = file[0]
		}
	}
	return from, err
}

// existing makes paths to folders, or to files, absolute and sees that they are
// there. Each is kept once.
func existing(what string, paths []string, folder bool, hint string) ([]string, error) {
	var out []string
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", what, path, err)
		}
		info, err := os.Stat(abs)
		if err != nil {
			return nil, fault.New(fault.NotFound, "%s", what).Because(err).Or("%s", hint)
		}
		switch {
		case folder && !info.IsDir():
			return nil, fault.New(fault.NotFound, "%s %s is not a folder", what, abs).Or("give --root the folder that contains it")
		case !folder && !info.Mode().IsRegular():
			return nil, fault.New(fault.NotFound, "%s %s is not a file", what, abs).Or("%s", hint)
		}
		if !slices.Contains(out, abs) {
			out = append(out, abs)
		}
	}
	return out, nil
}

// token reads the token clients must bear, or returns "".
func (r request) token(errOut io.Writer) (string, error) {
	if r.tokenFile == "" {
		return "", nil
	}
	f, err := safe.OpenNamed(r.tokenFile)
	if err != nil {
		return "", fault.New(fault.NotFound, "token file").Because(err).
			Or("make one: head -c 32 /dev/urandom | base64 > FILE && chmod 600 FILE")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	if err != nil {
		return "", fault.New(fault.Unavailable, "token file").Because(err)
	}
	token := strings.TrimSpace(string(data))
	if len(data) > maxTokenFile || len(token) < minToken || strings.ContainsAny(token, " \t\r\n") {
		return "", fault.New(fault.Usage, "token file %s does not hold one token of %d characters or more", r.tokenFile, minToken).
			Or("make one: head -c 32 /dev/urandom | base64 > FILE && chmod 600 FILE")
	}
	if info, err := f.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		fmt.Fprintf(errOut, "assay: %s can be read by others; chmod 600 %s\n", r.tokenFile, r.tokenFile)
	}
	return token, nil
}

// choose keeps the operations of the named sets, and returns their names sorted: all but
// module and doctor when none is named, and those with each that a + stands before. An operation
// belongs to the feature that its input comes from.
func choose(ops []op.Op, names []string) (chosen []op.Op, sets []string, err error) {
	has := map[string]bool{}
	for _, o := range ops {
		if len(o.Tools) > 0 {
			has[o.Set()] = true
		}
	}
	all := slices.Sorted(maps.Keys(has))
	added := func(s string) bool { return strings.HasPrefix(s, "+") }
	if !slices.ContainsFunc(names, func(s string) bool { return !added(s) }) {
		sets = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "module" || s == "doctor" })
	}
	for _, name := range names {
		sets = append(sets, strings.TrimPrefix(name, "+"))
	}
	slices.Sort(sets)
	sets = slices.Compact(sets)
	for _, name := range sets {
		if !has[name] {
			return nil, nil, fault.New(fault.Usage, "serve: no tools called %q", name).
				Or("--tools takes: %s", strings.Join(all, ", "))
		}
	}
	for _, o := range ops {
		if len(o.Tools) > 0 && slices.Contains(sets, o.Set()) {
			chosen = append(chosen, o)
		}
	}
	return chosen, sets, nil
}
