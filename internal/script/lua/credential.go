package lua

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sigv4"
	"github.com/assay-dev/assay/internal/base/slice"
)

// A Credential is sent for a script, which cannot read it: to its hosts, over TLS unless a host is this machine
// or is written as http://host. It is of one kind.
type Credential struct {
	Hosts    []string           `json:"hosts"`
	Username string             `json:"username"`
	Password *Source            `json:"password"` // Basic or, by Scheme, Digest
	Scheme   string             `json:"scheme"`
	Bearer   *Source            `json:"bearer"`
	Headers  map[string]*Source `json:"headers"`
	SigV4    *SigV4Source       `json:"sigv4"`
}

// A Source is where a secret is: in the environment of the process or in a file.
type Source struct {
	Env    string `json:"env"`
	File   string `json:"file"`
	Prefix string `json:"prefix"` // stands before it in a header
}

// A SigV4Source is where the keys of AWS are.
type SigV4Source struct {
	AccessKey    Source  `json:"access_key"`
	SecretKey    Source  `json:"secret_key"`
	SessionToken *Source `json:"session_token"`
	Region       string  `json:"region"`
	Service      string  `json:"service"`
}

// minCredential is how many bytes a secret has at least: a shorter one cannot be hidden in a response, because any word may contain it.
const minCredential = 8

// sources returns where the secrets of a credential are, by name.
func (cr *Credential) sources() map[string]*Source {
	out := map[string]*Source{}
	set := func(name string, s *Source) {
		if s != nil {
			out[name] = s
		}
	}
	set("password", cr.Password)
	set("bearer", cr.Bearer)
	for name := range cr.Headers {
		out["headers: "+name] = cr.Headers[name]
	}
	if s := cr.SigV4; s != nil {
		set("sigv4: access_key", &s.AccessKey)
		set("sigv4: secret_key", &s.SecretKey)
		set("sigv4: session_token", s.SessionToken)
	}
	return out
}

// Sources returns the variables and files that a credential comes from.
func (cr *Credential) Sources() []Source {
	return slice.Map(slices.Sorted(maps.Keys(cr.sources())), func(name string) Source { return *cr.sources()[name] })
}

// Kind returns how a credential authenticates.
func (cr *Credential) Kind() string {
	switch {
	case cr.Bearer != nil:
		return "bearer"
	case cr.SigV4 != nil:
		return "sigv4"
	case cr.Password != nil:
		return cmp.Or(cr.Scheme, "basic")
	}
	return "headers " + strings.Join(slices.Sorted(maps.Keys(cr.Headers)), ", ")
}

// sends reports whether the secret itself is sent, so that a server may send it back.
func (cr *Credential) sends() bool {
	if cr.SigV4 != nil {
		return cr.SigV4.SessionToken != nil
	}
	return cr.Scheme != "digest"
}

// Permits reports whether a credential may be sent to where a URL leads.
func (cr *Credential) Permits(u *url.URL) bool { return cr.permits(u, "") }

// permits reports whether a credential may be sent to where a URL leads.
func (cr *Credential) permits(u *url.URL, socket string) bool {
	if socket != "" {
		return slices.Contains(cr.Hosts, "unix:"+socket)
	}
	safe := u.Scheme != "http" && u.Scheme != "ws" || namesLocal(u.Hostname())
	for _, h := range cr.Hosts {
		name, plain := strings.CutPrefix(h, "http://")
		if (safe || plain) && hostAmong(u, []string{name}) {
			return true
		}
	}
	return false
}

const credentialKind = "credential"

// openCredentials sets cred(name), which returns a handle: a value that says nothing.
func (vm *VM) openCredentials() {
	vm.setGlobal("cred", vm.fn("cred", func(c call) int {
		name := c.Str(1)
		a, err := c.vm.credential(name)
		c.Check("cred", err)
		c.handle(credentialKind, a)
		return 1
	}))
}

// credential reads one that the policy names. Its values are hidden from then on.
func (vm *VM) credential(name string) (*auth, error) {
	f := vm.o.Policy.file()
	if f == nil {
		return nil, errors.New("there is no policy file that names credentials (exec --policy FILE)")
	}
	cr, ok := f.Credentials[name]
	if !ok {
		all := slices.Sorted(maps.Keys(f.Credentials))
		return nil, fmt.Errorf("the policy names no credential %q%s", name, suggestion(name, all))
	}
	a := &auth{cred: &cr, name: name, username: cr.Username, digest: cr.Scheme == "digest", header: http.Header{}}
	values := map[string]string{}
	for part, s := range cr.sources() {
		v, err := vm.secret(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[part] = v
		if header, ok := strings.CutPrefix(part, "headers: "); ok {
			a.header.Set(header, s.Prefix+v)
		}
		for _, list := range []*secrets{&vm.secrets, &vm.handles} {
			list.note(v)
			list.note(base64.StdEncoding.EncodeToString([]byte(v)))
			list.note(base64.StdEncoding.EncodeToString([]byte(cr.Username + ":" + v)))
		}
	}
	a.password, a.bearer = values["password"], values["bearer"]
	if s := cr.SigV4; s != nil {
		a.sigV4 = &sigv4.Signer{AccessKey: values["sigv4: access_key"], SecretKey: values["sigv4: secret_key"], SessionToken: values["sigv4: session_token"], Region: s.Region, Service: s.Service}
	}
	return a, nil
}

// secret reads one from where it is.
func (vm *VM) secret(s *Source) (string, error) {
	v, _ := vm.o.Env(s.Env)
	from := s.Env
	if s.File != "" {
		b, err := safe.ReadNamed(s.File, 64<<10)
		if err != nil {
			return "", fmt.Errorf("its file cannot be read: %w", file.Bare(err))
		}
		v, from = strings.TrimRight(string(b), "\r\n"), s.File
	}
	switch {
	case v == "":
		return "", fmt.Errorf("%s is not set", from)
	case len(v) < minCredential:
		return "", fmt.Errorf("%s has fewer than %d bytes: it could not be hidden", from, minCredential)
	case strings.ContainsFunc(v, control):
		return "", fmt.Errorf("%s has control characters", from)
	}
	return v, nil
}

// handleOf returns the credential that a value is a handle of, or nil.
func handleOf(v value) *auth {
	if u := v.AsUserdata(); u != nil {
		a, _ := u.Value.(*auth)
		return a
	}
	return nil
}

// bound returns why a credential may not go with a request to a URL, or nil. Through a proxy or a certificate
// of the script's own choice another server could read it.
func (a *auth) bound(u *url.URL, r *request) error {
	if !ReadsPolicies || a == nil || a.cred == nil {
		return nil
	}
	if !a.cred.permits(u, r.socket) {
		return fmt.Errorf("the credential %s is not for %s://%s (a host without TLS has to be named as http://%s)", a.name, u.Scheme, u.Host, u.Host)
	}
	if r.own {
		return fmt.Errorf("the credential %s does not go with proxy, ca_cert or ca_cert_file", a.name)
	}
	return nil
}

// noteCredentials has the values of all credentials hidden: a server may send back a secret that an earlier run sent it. One
// that cannot be read now is not sent either.
func (vm *VM) noteCredentials() {
	vm.allNoted.Do(func() {
		for name := range vm.o.Policy.file().Credentials {
			_, _ = vm.credential(name)
		}
	})
}

// sets reports whether a credential is sent in a header of that name.
func (a *auth) sets(name string) bool {
	if a == nil || a.cred == nil {
		return false
	}
	return len(a.header[name]) > 0 || a.sigV4 != nil && strings.HasPrefix(name, "X-Amz-")
}

// login puts the name and the password of a credential into the URL of a database.
func (c call) login(i int, dsn string) string {
	v := c.options(i).GetField("auth")
	if v.IsNil() {
		return dsn
	}
	a := handleOf(v)
	c.refuse(!ReadsPolicies || a == nil || a.password == "", "auth must be a credential with a password: cred(NAME)")
	u, err := url.Parse(dsn)
	if err != nil || u.User != nil && u.User.String() != "" || strings.Contains(u.Host, ",") { // a list of hosts would share the password
		c.Fail("%s: with auth the URL must have one host and no user", c.name)
	}
	at := &url.URL{Scheme: "https", Host: net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), defaultPort(u.Scheme)))}
	if !a.cred.permits(at, "") {
		c.Fail("%s: the credential %s is not for %s", c.name, a.name, u.Host)
	}
	if at.Scheme = "http"; !isVerified(u) && !a.cred.permits(at, "") {
		c.Fail("%s: the credential %s does not go to %s without TLS: use rediss://, sslmode=verify-full or ssl-mode=verify_identity, "+
			"or name the host as http://%[3]s in the policy", c.name, a.name, at.Host)
	}
	u.User = url.UserPassword(a.username, a.password)
	return u.String()
}

// isVerified reports whether a connection to a database is encrypted and its server known by a certificate. Each kind of server has
// an option of its own for that: in the URL of another kind, which does not read it, it must count for nothing.
func isVerified(u *url.URL) bool {
	switch u.Scheme {
	case "postgres", "postgresql":
		return u.Query().Get("sslmode") == "verify-full"
	case "mysql", "mariadb":
		return strings.EqualFold(u.Query().Get("ssl-mode"), "verify_identity")
	}
	return u.Scheme == "rediss"
}
