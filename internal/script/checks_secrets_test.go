package script

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// everywhere runs a file of checks and returns all that is shown of it: the report in each of
// its forms, what scripts print, the notes, and the error.
func everywhere(t *testing.T, b *bench, in RunInput) string {
	t.Helper()
	in.JUnit, in.HTML = "r.xml", "r.html"
	r, err := b.Run(b.ctx, in)
	out := fmt.Sprint(b.stdout.String(), b.stderr.String(), strings.Join(b.notes, "\n"), err)
	if err != nil {
		return out
	}
	out += written(t, r)
	for _, name := range []string{in.JUnit, in.HTML} {
		text, err := os.ReadFile(filepath.Join(b.dir, "work", name))
		if err != nil {
			t.Fatal(err)
		}
		out += string(text)
	}
	r.tap = true
	return out + written(t, r)
}

// A secret is shown nowhere: not cut, not in an address, not as a script prints it.
func TestChecksHideSecrets(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		user, pw, _ := r.BasicAuth()
		fmt.Fprintf(w, `{"got": %q, "user": %q, "pw": %q}`, b, user, pw)
	}))
	defer srv.Close()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the request went to another host") }))
	defer other.Close()
	host, elsewhere := strings.TrimPrefix(srv.URL, "http://"), strings.TrimPrefix(other.URL, "http://")
	long := strings.Repeat("0123456789abcdef", 30)
	for _, c := range []struct {
		name, secret, check, want string
		hidden                    []string // what none of it may show
	}{
		{"long", long, `{name: a, type: http, method: post, url: "SRV", body: "${pw}", expect: {json: $.got == "x"}}`, "it is \\\"[redacted]", []string{"0123456789"}},
		{"quoted", `qz7"wk9\jx5`, `{name: a, type: http, method: post, url: "SRV", body: "${pw}", expect: {json: $.got == "x"}}`, "[redacted]", []string{"qz7", "wk9", "jx5"}},
		{"in the password", "qz7/wk9jx5", `{name: a, type: http, url: "http://u:${pw}@HOST/basic", expect: {json: ['$.user == "u"', '$.pw matches "^qz7/wk9jx5$"']}}`, `"passed": true`, []string{"qz7", "wk9jx5"}},
		{"in the user", elsewhere + "/x?", `{name: a, type: http, url: "http://${pw}@HOST/", expect: {status: 200}}`, `"passed": true`, []string{elsewhere}},
		{"in the host", "qz7/wk9jx5", `{name: a, type: http, url: "http://HOST.${pw}/x"}`, "the value of ${pw} cannot be in a host", []string{"qz7", "wk9jx5"}},
		{"as the port", "qz7wk9:jx5vv", `{name: a, type: http, url: "http://localhost:${pw|raw}/x"}`, "invalid port … after host", []string{"qz7wk9", "jx5vv"}},
		{"an expression", "qz7wk9[jx5vv", `{name: a, type: http, url: "SRV", expect: {json: '$.user matches ${pw}'}}`, "JSON expression $.user matches ${pw}: it is not valid", []string{"qz7wk9", "jx5vv"}},
		{"printed", "qx7kv-hunter2", `{name: a, type: script, file: print.lua, env: {PW: "${pw}"}}`, "log [redacted]", []string{"hunter2", "qx7kv"}},
		{"requested", "qx7kv-hunter2", `{name: a, type: script, file: get.lua, env: {PW: "${pw}", URL: "SRV"}}`, `"passed": true`, []string{"hunter2", "qx7kv"}},
		{"short", "abc", `{name: a, type: http, url: "SRV", expect: {body: abc}}`, "the secret pw has fewer than 4 bytes", []string{`"abc"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, map[string]string{
				"work/c.yaml":    "retries: 0\nsecrets: {pw: pw}\nchecks: [" + strings.NewReplacer("SRV", srv.URL, "HOST", host).Replace(c.check) + "]",
				"work/pw":        c.secret + "\n",
				"work/print.lua": "local pw = env.get('PW') print('a', pw) log.warn('log ' .. pw) error(pw)",
				"work/get.lua":   "http.get(env.get('URL') .. '/' .. env.get('PW') .. '?q=' .. env.get('PW'))",
			}, nil, nil)
			got := everywhere(t, b, RunInput{File: "c.yaml", Requests: Requests{Verbose: true}})
			if !strings.Contains(got, c.want) {
				t.Errorf("no %q in\n%s", c.want, got)
			}
			for _, part := range c.hidden {
				if strings.Contains(got, part) {
					i := strings.Index(got, part)
					t.Errorf("it shows %q: %s", part, got[max(0, i-200):min(len(got), i+200)])
				}
			}
		})
	}
}

// A secret that cannot be hidden is refused, also from the command line.
func TestShortSecret(t *testing.T) {
	b := newBench(t, map[string]string{"work/c.yaml": "checks: []", "work/s": "TOKEN=x1\n"}, nil, nil)
	_, err := b.Run(b.ctx, RunInput{File: "c.yaml", Load: Load{Secrets: "s"}})
	wrong(t, "a short secret", err, fault.Usage, "the secret TOKEN has fewer than 4 bytes")
}
