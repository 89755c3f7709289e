package guard

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

func made(t *testing.T, hosts, origins []string, token string) *Guard {
	t.Helper()
	g, err := New(hosts, origins, token)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A name that leads here is of this machine, the address that was called, or one that was allowed; any other may have been
// pointed here by a page.
func TestHost(t *testing.T) {
	at := net.TCPAddrFromAddrPort(netip.MustParseAddrPort("[::ffff:192.0.2.7]:3000"))
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:3000": true, "localhost.": true, "127.0.0.1": true, "127.9.9.9:80": true, "[::1]:3000": true, "[::1]": true, "[::ffff:127.0.0.1]:80": true,
		"192.0.2.7:3000": true, "192.0.2.7": true, "[::ffff:192.0.2.7]:3000": true, "192.0.2.8": false, "[fe80::1%25eth0]:80": false,
		"assay.example": true, "Assay.Example:8443": true, "assay.example.": true, "other.example:9": true, "other.example": false, "other.example:8": false,
		"evil.example": false, "localhost.evil.example": false, "assay.example.evil.example": false, "127.0.0.1.evil.example": false, "127.0.0.1:3000.evil.example": false, "localhost:3000.evil.example": false, "[::1]:3000.evil.example": false, "assay.example:1.evil.example": false, "localhost:": true, "": false, "0.0.0.0": false,
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Host = host
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, at))
		if got := made(t, []string{"ASSAY.example", "other.example:9"}, nil, "").AllowsHost(r); got != want {
			t.Errorf("Host of %q = %v", host, got)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Host = "192.0.2.7"
	if made(t, nil, nil, "").AllowsHost(r) {
		t.Error("an address is taken without the one that was called")
	}
}

// A page of another site may not call, whatever it says of itself; programs say nothing.
func TestOrigin(t *testing.T) {
	g := made(t, nil, []string{"https://allowed.example"}, "")
	for _, tt := range []struct {
		origin, site string
		want         bool
	}{
		{"", "", true}, {"", "same-origin", true}, {"", "none", true}, {"http://here.example", "", true}, {"https://allowed.example", "cross-site", true},
		{"https://evil.example", "", false}, {"https://evil.example", "cross-site", false}, {"", "cross-site", false}, {"null", "", false}, {"https://allowed.example:444", "", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "http://here.example/", nil)
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		if tt.site != "" {
			r.Header.Set("Sec-Fetch-Site", tt.site)
		}
		if err := g.CheckOrigin(r); (err == nil) != tt.want {
			t.Errorf("from %q, %q: %v", tt.origin, tt.site, err)
		}
	}
	if _, err := New(nil, []string{"allowed.example"}, ""); fault.KindOf(err) != fault.Usage || fault.HintOf(err) == "" {
		t.Errorf("an origin without a scheme: %v", err)
	}
}

// A token is asked for where there is one, as a bearer's and as a whole.
func TestBearer(t *testing.T) {
	g := made(t, nil, nil, "0123456789abcdef")
	for header, want := range map[string]bool{
		"Bearer 0123456789abcdef": true, "bearer  0123456789abcdef ": true,
		"": false, "Bearer": false, "Bearer ": false, "Basic 0123456789abcdef": false, "0123456789abcdef": false, "Bearer 0123456789abcde": false, "Bearer 0123456789abcdef0": false, "Bearer 0123456789ABCDEF": false,
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		if header != "" {
			r.Header.Set("Authorization", header)
		}
		if got := g.HasToken(r); got != want {
			t.Errorf("%q: %v", header, got)
		}
		if !made(t, nil, nil, "").HasToken(r) {
			t.Errorf("%q: a token is asked for that there is not", header)
		}
	}
}
