// Package guard decides who may talk to a server of this program over HTTP.
package guard

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A Guard checks the Host, Origin and Authorization headers of a request. A web page in the user's browser
// can reach loopback too, but it cannot choose its Host and Origin headers.
type Guard struct {
	hosts  []string
	token  []byte // the SHA-256 of the token; nil when none is asked for
	origin func(*http.Request) error
}

// New returns a guard: hosts are the names that the server is reached by beside those of
// loopback, origins the web origins that may call it; without a token none is asked for.
func New(hosts, origins []string, token string) (*Guard, error) {
	g := &Guard{}
	for _, h := range hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	cross := http.NewCrossOriginProtection()
	for _, o := range origins {
		if err := cross.AddTrustedOrigin(o); err != nil {
			return g, fault.New(fault.Usage, "--allow-origin %s", o).Because(err).Or("give it as https://HOST or https://HOST:PORT")
		}
	}
	g.origin = cross.Check
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		g.token = sum[:]
	}
	return g, nil
}

// AllowsHost reports whether the Host header of r names this server: a name or address of loopback, a name that
// was allowed, or the address that the request came in on. A hostile page may have pointed any other name here
// (DNS rebinding).
func (g *Guard) AllowsHost(r *http.Request) bool {
	name := strings.ToLower(r.Host)
	if h, port, err := net.SplitHostPort(name); err == nil {
		// SplitHostPort takes any text for a port: 127.0.0.1:80.example.com must not pass.
		if strings.Trim(port, "0123456789") != "" {
			return false
		}
		name = h
	}
	name = strings.TrimSuffix(strings.Trim(name, "[]"), ".")
	if slices.Contains(g.hosts, name) || slices.Contains(g.hosts, strings.ToLower(r.Host)) || IsLoopback(name) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	return err == nil && at.Addr().Unmap().WithZone("") == addr.Unmap().WithZone("")
}

// CheckOrigin returns an error if a page of another site sent r.
func (g *Guard) CheckOrigin(r *http.Request) error {
	if g.origin(r) != nil { // the text of its error is about browsers, not pages
		return errors.New("a page of another site may not call this server")
	}
	return nil
}

// HasToken reports whether r carries the bearer token, if one is asked for. It compares in constant time.
func (g *Guard) HasToken(r *http.Request) bool {
	if g.token == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(sum[:], g.token) == 1 && strings.EqualFold(scheme, "Bearer")
}

// IsLoopback reports whether host, a name or an address without a port, is one that only this machine can reach.
func IsLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.Unmap().IsLoopback()
}
