package lua

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A jar answers as the standard library's does where each host is a public suffix.
func TestHostJar(t *testing.T) {
	const a = "https://a.example"
	tests := []struct {
		name, set, to, from, want string
	}{
		{"back to its host", "x=1; Path=/", a + "/p", a + "/q", "x=1"},
		{"to no other host", "x=1; Path=/", a, "https://b.example/", ""},
		{"to no host below", "x=1; Path=/; Domain=a.example", a, "https://b.a.example/", ""},
		{"its own domain", "x=1; Path=/; Domain=.a.example", a, a, "x=1"},
		{"another domain", "x=1; Path=/; Domain=example", a, a, ""},
		{"the folder of the page", "x=1", a + "/p/q", a + "/p/r", "x=1"},
		{"not above it", "x=1", a + "/p/q", a + "/r", ""},
		{"below its path", "x=1; Path=/p", a, a + "/p/q", "x=1"},
		{"not beside its path", "x=1; Path=/p", a, a + "/pq", ""},
		{"secure", "x=1; Path=/; Secure", a, a, "x=1"},
		{"secure, not in clear text", "x=1; Path=/; Secure", a, "http://a.example/", ""},
		{"expired", "x=1; Path=/; Max-Age=0", a, a, ""},
		{"replaced", "x=1; Path=/\nx=2; Path=/", a, a, "x=2"},
		{"removed", "x=1; Path=/\nx=; Path=/; Expires=Thu, 01 Jan 1970 00:00:01 GMT", a, a, ""},
		{"longer paths first", "x=1; Path=/\ny=2; Path=/p\nz=3; Path=/", a, a + "/p/q", "y=2 x=1 z=3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			jar := &hostJar{}
			to, _ := url.Parse(tt.to)
			from, _ := url.Parse(tt.from)
			for line := range strings.SplitSeq(tt.set, "\n") {
				c, err := http.ParseSetCookie(line)
				if err != nil {
					t.Fatal(err)
				}
				jar.SetCookies(to, []*http.Cookie{c})
			}
			var got []string
			for _, c := range jar.Cookies(from) {
				got = append(got, c.Name+"="+c.Value)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("%q, want %q", s, tt.want)
			}
		})
	}
}
