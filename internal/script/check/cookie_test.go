//go:build !slim

package check

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Parts of cookies are compared one by one, and a value can be captured for the requests after it.
func TestCookies(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, c := range []string{
			"session=first", "session=abc; Path=/; Domain=.Example.com; Secure; HttpOnly; SameSite=Lax; Max-Age=3600; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
			"plain=a b", "old=; Max-Age=0", "older=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "long=x; Expires=" + now.Add(48*time.Hour).Format(http.TimeFormat),
		} {
			w.Header().Add("Set-Cookie", c)
		}
		if got := r.Header.Get("Cookie"); got != "" && got != "s=abc" {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	defer server.Close()
	tests := []struct{ cookies, want string }{
		{"session: abc", ""},
		{"session: first", `cookie session has another value than "first"`},
		{"session: '${VALUE}'", ""},
		{"session: ~", ""},
		{"session: true", ""},
		{"session: false", "cookie session is set"},
		{"gone: false", ""},
		{"gone: true", "cookie gone is not set"},
		{"gone: ~", "cookie gone is not set"},
		{"session: {value: abc, path: /, domain: example.com, secure: true, http_only: true, same_site: Lax, max_age: 3600, expires: 59m}", ""},
		{"session: {path: /a}", `cookie session: expected path "/a", got "/"`},
		{"session: {domain: example.org}", `cookie session: expected domain "example.org", got "example.com"`},
		{"session: {secure: false}", `cookie session: expected secure "false", got "true"`},
		{"plain: {secure: true}", `cookie plain: expected secure "true", got "false"`},
		{"plain: {http_only: true}", `cookie plain: expected http_only "true", got "false"`},
		{"session: {same_site: strict}", `cookie session: expected same_site "strict", got "lax"`},
		{"plain: {same_site: lax}", `cookie plain: expected same_site "lax", got ""`},
		{"session: {max_age: 60}", `cookie session: expected max_age "60", got "3600"`},
		{"plain: {max_age: 0}", `cookie plain: expected max_age "0", got ""`},
		{"old: {max_age: 0, expires: past}", ""},
		{"older: {expires: past}", ""},
		{"plain: {value: a b, expires: session}", ""},
		{"session: {expires: past}", "cookie session does not end"},
		{"session: {expires: session}", "cookie session is not of the session: it lasts 1h0m0s"},
		{"session: {expires: 61m}", "cookie session lasts 1h0m0s, expected at least 1h1m0s"},
		{"plain: {expires: past}", "cookie plain does not end"},
		{"long: {expires: 2000m}", ""},
		{"long: {expires: 3000m}", "cookie long lasts 48h0m0s"},
		{"older: {expires: 1s}", "cookie older lasts 0s"},
	}
	run := func(t *testing.T, suite string) (string, bool) {
		s, err := Parse([]byte("retries: 0\nvars: {VALUE: abc}\nchecks:\n"+suite), true)
		if err != nil {
			t.Fatal(err)
		}
		r := runner(t)
		r.Now = func() time.Time { return now }
		report, err := r.Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		last := report.Checks[len(report.Checks)-1]
		if last.Message == nil {
			return "", last.Passed
		}
		return *last.Message, last.Passed
	}
	for _, tt := range tests {
		t.Run(tt.cookies, func(t *testing.T) {
			got, ok := run(t, "  - {name: a, type: http, url: '"+server.URL+"', expect: {cookies: {"+tt.cookies+"}}}\n")
			if ok != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("passed %v, %q, want %q", ok, got, tt.want)
			}
		})
	}
	login := "  - {name: a, type: http, url: '" + server.URL + "', capture: {s: cookie %}}\n"
	got, ok := run(t, strings.Replace(login, "%", "session", 1)+"  - {name: b, type: http, url: '"+server.URL+"', headers: {Cookie: 's=${s}'}, expect: {status: 200, cookies: {session: '${s}'}}}\n")
	if !ok {
		t.Error(got)
	}
	if got, ok := run(t, strings.Replace(login, "%", "gone", 1)); ok || got != "nothing to capture as s: there is no cookie gone" {
		t.Errorf("%q", got)
	}
	for cookies, want := range map[string]string{
		"{a: {secure: maybe}}":   `secure cannot be "maybe"`,
		"{a: {max_age: -1}}":     `max_age cannot be "-1"`,
		"{a: {expires: soon}}":   `expires cannot be "soon"`,
		"{a: {same_site: some}}": `same_site cannot be "some"`,
		"{a: {htp_only: true}}":  `a cookie has no "htp_only": is it "http_only"?`,
		"{a: [b]}":               "cannot unmarshal",
	} {
		if _, err := Parse([]byte("checks: [{name: a, type: http, url: 'http://a', expect: {cookies: "+cookies+"}}]"), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", cookies, err, want)
		}
	}
}
