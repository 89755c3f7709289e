package lua

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// permit returns why a request may not be sent, or nil. socket is the path of the socket of this
// machine that it goes to, "" where it goes to the server that its URL names.
func (p *Policy) permit(method string, u *url.URL, socket string) error {
	if p == nil {
		return nil
	}
	write := !reads(method)
	if f := p.file(); f != nil {
		d, err := f.Decide(method, u, socket)
		if err != nil {
			return err
		}
		write = d.Write
	}
	switch {
	case p.ReadOnly && write:
		return fmt.Errorf("the policy permits no %s: it is read-only", method)
	case p.Own:
		return nil
	case socket == "":
		return cmp.Or(p.permitMethod(method), p.permitHost(u), p.permitPath(u))
	}
	return cmp.Or(p.permitMethod(method), p.permitSocket(socket), p.permitPath(u))
}

// file returns the policy file, nil where there is none.
func (p *Policy) file() *PolicyFile {
	if p == nil || !ReadsPolicies {
		return nil
	}
	return p.File
}

// reads reports whether a method changes nothing (RFC 9110, section 9.2.1).
func reads(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

func (p *Policy) permitMethod(method string) error {
	methods := p.Methods
	if len(methods) == 0 {
		if p.narrowsByFile(methods) {
			return nil
		}
		methods = []string{http.MethodGet, http.MethodHead}
	}
	if !slices.ContainsFunc(methods, func(m string) bool { return strings.EqualFold(m, method) }) {
		return fmt.Errorf("the policy permits no %s", method)
	}
	return nil
}

// permitSocket returns why a socket of the machine may not be connected to, or nil: a policy
// names it among the hosts as unix:/var/run/docker.sock.
func (p *Policy) permitSocket(path string) error {
	if !p.confines() || p.narrowsByFile(p.Hosts) || slices.Contains(p.Hosts, "unix:"+path) {
		return nil
	}
	return fmt.Errorf("the policy does not permit the socket %s", path)
}

func (p *Policy) permitPath(u *url.URL) error {
	forms, err := pathForms(u)
	if err == nil && !allWithin(forms, p.Paths) {
		err = fmt.Errorf("the policy does not permit the path %s", u.Path)
	}
	return err
}

func allWithin(forms, patterns []string) bool {
	return !slices.ContainsFunc(forms, func(form string) bool { return !anyWithin(form, patterns) })
}

// maxEncodings is how often a path may be encoded: each time is a form of it, which takes as much room as the path.
const maxEncodings = 8

// pathForms returns the paths that a server may take a URL's for: with dots and doubled slashes resolved, encoded or not, once
// or again; with slashes that are encoded, which some take for a part of a name; and with the parameters of
// elements (/a;v=1/b) or without, which a servlet container takes off before it resolves dots.
func pathForms(u *url.URL) ([]string, error) {
	forms := []string{u.Path}
	for next := u.Path; ; forms = append(forms, next) {
		next, _ = url.PathUnescape(escape(next, "")) // which leaves a stray % as it is, because servers do
		if next == forms[len(forms)-1] {
			break
		}
		if len(forms) > maxEncodings {
			return nil, fmt.Errorf("the policy permits no path that is encoded more than %d times", maxEncodings)
		}
	}
	if raw := u.EscapedPath(); encodedSlash.MatchString(raw) {
		forms = append(forms, raw)
	}
	for _, form := range forms {
		if strings.Contains(form, `\`) {
			forms = append(forms, strings.ReplaceAll(form, `\`, "/"))
		}
	}
	for _, form := range forms {
		if strings.Contains(form, ";") {
			forms = append(forms, parameters.Get().ReplaceAllString(form, ""))
		}
	}
	for i, form := range forms {
		if !utf8.ValidString(form) || strings.ContainsFunc(form, unicode.IsControl) {
			return nil, errors.New("the policy permits no control characters and no bytes beside UTF-8 in a path")
		}
		forms[i] = path.Clean("/" + form)
		if strings.HasSuffix(form, "/") && forms[i] != "/" {
			forms[i] += "/"
		}
	}
	return forms, nil
}

// parameters are those of an element of a path (RFC 3986, section 3.3).
var parameters = lazy.Regexp(`;[^/]*`)

// anyWithin reports whether a path is within one of the patterns, or there are none.
func anyWithin(p string, patterns []string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool { return within(p, pattern) })
}

// refusedHeaders are those by which a server would take a request for another one: with another method, path, host or protocol
// than the policy was asked about, or would let COPY and MOVE write to another path.
var refusedHeaders = strings.Fields(`x-http-method-override x-http-method x-method-override x-original-method x-original-url x-original-uri
	x-original-path x-original-host x-envoy-original-path x-envoy-original-host x-http-host-override x-http-path-override
	x-rewrite-url x-forwarded-uri x-forwarded-url x-forwarded-host x-forwarded-path x-forwarded-prefix x-forwarded-method x-host forwarded
	destination upgrade http2-settings sec-websocket-key`)

// permitHeader returns why a header may not be sent. Gateways to programs take _ for -.
func (p *Policy) permitHeader(name string) error {
	if p != nil && slices.Contains(refusedHeaders, strings.ReplaceAll(strings.ToLower(name), "_", "-")) {
		return fmt.Errorf("the policy permits no header %s: a server could take the request for another", name)
	}
	return nil
}

// permitsEnv reports whether env.get sees a variable.
func (p *Policy) permitsEnv(name string) bool {
	f := p.file()
	if !p.confines() || p.narrowsByFile(p.Env) {
		return f == nil || slices.Contains(f.Env, name)
	}
	return slices.Contains(p.Env, name) && (f == nil || slices.Contains(f.Env, name))
}

// Visible returns the variables of an environment that scripts see.
func (p *Policy) Visible(env func(name string) (string, bool)) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		if !p.permitsEnv(name) {
			return "", false
		}
		return env(name)
	}
}

// limits reports whether there is anything that a policy refuses.
func (p *Policy) limits() bool { return p != nil && (p.ReadOnly || !p.Own) }

// narrowsByFile reports whether only the policy file narrows a list of the flags that is empty.
func (p *Policy) narrowsByFile(list []string) bool { return p.file() != nil && len(list) == 0 }

// confines reports whether a policy bounds which files, servers and databases a script reaches.
func (p *Policy) confines() bool { return p != nil && !p.Own }

// permitFileWrite returns why a script may not write a file that it can reach, or nil.
func (p *Policy) permitFileWrite() error {
	f := p.file()
	refused := p != nil && p.ReadOnly
	if f != nil {
		class := f.Functions["fs.write"]
		refused = !f.Files.Write || class == classDeny || refused && class != classRead
	}
	if refused {
		return errors.New("the policy permits no file to be written")
	}
	return nil
}

var encodedSlash = lazy.Regexp(`(?i)%2f|%5c`)

// within reports whether a path is pattern, lies below it, or is what pattern
// makes of it: * stands for any characters of one element, ** for any at all.
func within(p, pattern string) bool {
	if !strings.Contains(pattern, "*") {
		pattern = strings.TrimSuffix(pattern, "/")
		return p == pattern || strings.HasPrefix(p, pattern+"/")
	}
	head, tail, ok := strings.Cut(pattern, "**")
	if ok && tail == "" {
		return matchPrefix(p, head)
	}
	match, err := path.Match(pattern, p)
	return err == nil && match
}

// matchPrefix reports whether pattern matches the beginning of p.
func matchPrefix(p, pattern string) bool {
	if !strings.Contains(pattern, "*") {
		return strings.HasPrefix(p, pattern)
	}
	n := strings.Count(pattern, "/")
	parts := strings.SplitAfterN(p, "/", n+1)
	if len(parts) <= n {
		return false
	}
	match, err := path.Match(pattern, strings.Join(parts[:n], ""))
	return err == nil && match
}

// permitHost returns why a server may not be connected to, or nil. Without hosts beside a policy file, the file decides.
func (p *Policy) permitHost(u *url.URL) error {
	if !p.confines() || p.narrowsByFile(p.Hosts) || hostAmong(u, p.Hosts) {
		return nil
	}
	return fmt.Errorf("the policy does not permit the host %s", u.Host)
}

// isPlain reports whether a host is written in ASCII. Another one is connected to under the name that IDNA makes of it, and
// that of full-width digits is an address.
func isPlain(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

func defaultPort(scheme string) string {
	switch scheme {
	case "http", "ws":
		return "80"
	case "https", "wss":
		return "443"
	case "postgres", "postgresql":
		return "5432"
	case "mysql", "mariadb":
		return "3306"
	case "redis", "rediss":
		return "6379"
	}
	return ""
}

// hostAmong reports whether a URL's host, with its port, is one of those that a policy names.
func hostAmong(u *url.URL, hosts []string) bool {
	if !isPlain(u.Hostname()) {
		return false
	}
	host, port := strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), cmp.Or(u.Port(), defaultPort(u.Scheme))
	for _, h := range hosts {
		want, wantPort := strings.ToLower(h), ""
		if a, b, err := net.SplitHostPort(want); err == nil {
			want, wantPort = a, b
		}
		want = strings.TrimSuffix(strings.Trim(want, "[]"), ".")
		if wantPort != "" && wantPort != port || wantPort == "" && port != "80" && port != "443" {
			continue
		}
		if host == want || strings.HasPrefix(want, "*.") && strings.HasSuffix(host, want[1:]) {
			return true
		}
	}
	return false
}
