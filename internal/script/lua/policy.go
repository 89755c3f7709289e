package lua

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// permit returns why a request may not be sent, or nil.
func (p *Policy) permit(method string, u *url.URL) error {
	if p == nil {
		return nil
	}
	if err := p.permitMethod(method); err != nil {
		return err
	}
	if err := p.permitHost(u); err != nil {
		return err
	}
	return p.permitPath(u)
}

func (p *Policy) permitMethod(method string) error {
	methods := p.Methods
	if len(methods) == 0 {
		methods = []string{"GET", "HEAD"}
	}
	reading := method == "GET" || method == "HEAD" || method == "OPTIONS"
	if p.ReadOnly && !reading {
		return fmt.Errorf("the policy permits no %s: it is read-only", method)
	}
	if !slices.ContainsFunc(methods, func(m string) bool { return strings.EqualFold(m, method) }) {
		return fmt.Errorf("the policy permits no %s", method)
	}
	return nil
}

// permitSocket returns why a socket of the machine may not be connected to, or nil: a policy
// names it among the hosts as unix:/var/run/docker.sock.
func (p *Policy) permitSocket(path string) error {
	if p == nil || slices.Contains(p.Hosts, "unix:"+path) {
		return nil
	}
	return fmt.Errorf("the policy does not permit the socket %s", path)
}

// permitSocketRequest is permit for a socket that is permitted.
func (p *Policy) permitSocketRequest(method string, u *url.URL) error {
	if p == nil {
		return nil
	}
	if err := p.permitMethod(method); err != nil {
		return err
	}
	return p.permitPath(u)
}

func (p *Policy) permitPath(u *url.URL) error {
	if len(p.Paths) == 0 {
		return nil
	}
	// What the server will make of dots and doubled slashes, encoded or not; and of
	// slashes that are encoded, which some take for a part of a name.
	forms := []string{u.Path, strings.ReplaceAll(u.Path, `\`, "/")}
	if raw := u.EscapedPath(); encodedSlash.MatchString(raw) {
		forms = append(forms, raw)
	}
	for _, form := range forms {
		clean := path.Clean("/" + form)
		if strings.HasSuffix(form, "/") && clean != "/" {
			clean += "/"
		}
		if !slices.ContainsFunc(p.Paths, func(pattern string) bool { return within(clean, pattern) }) {
			return fmt.Errorf("the policy does not permit the path %s", u.Path)
		}
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

func (p *Policy) permitHost(u *url.URL) error {
	if p == nil {
		return nil
	}
	host, port := strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}[u.Scheme]
	}
	for _, h := range p.Hosts {
		want, wantPort := strings.ToLower(h), ""
		if a, b, err := net.SplitHostPort(want); err == nil {
			want, wantPort = a, b
		}
		want = strings.Trim(want, "[]")
		if wantPort != "" && wantPort != port || wantPort == "" && port != "80" && port != "443" {
			continue
		}
		if host == want || strings.HasPrefix(want, "*.") && strings.HasSuffix(host, want[1:]) {
			return nil
		}
	}
	return fmt.Errorf("the policy does not permit the host %s", u.Host)
}
