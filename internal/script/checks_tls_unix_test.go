//go:build !slim && unix

package script

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Checks show a certificate of their own or of their suite: to the server that they name, and from files below the project.
func TestChecksClientCertificate(t *testing.T) {
	b := newBench(t, map[string]string{"work/checks/x": ""}, nil, nil)
	dir := filepath.Join(b.dir, "work", "checks")
	server, outside := certified(t, dir), filepath.Join(b.dir, "outside.key")
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for name, from := range map[string]string{filepath.Join(b.dir, "work", "own.pem"): "client.pem", outside: "client.key"} {
		text, err := os.ReadFile(filepath.Join(dir, from))
		if err == nil {
			err = os.WriteFile(name, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.key")); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, suite, check, want string }{
		{"of the check", "", "ca: ca.pem, cert: client.pem, key: client.key", ""},
		{"of the suite", "ca: ca.pem\ncert: client.pem\nkey: client.key", "", ""},
		{"as seen from the working directory", "ca: ca.pem", "cert: own.pem, key: checks/client.key", ""},
		{"none", "ca: ca.pem", "", "certificate required"},
		{"none of the suite's for a check that has its own", "ca: ca.pem\ncert: client.pem\nkey: client.key", "cert: ca.pem", `"ca.pem" and its key "ca.pem"`},
		{"another key", "ca: ca.pem", "cert: client.pem, key: ca.pem", `the certificate "client.pem" and its key "ca.pem"`},
		{"no file", "ca: ca.pem", "cert: gone.pem", `the certificate "gone.pem"`},
		{"outside", "ca: ca.pem", "cert: client.pem, key: " + outside, "outside the folder of the checks"},
		{"above", "ca: ca.pem", "cert: client.pem, key: ../../outside.key", "outside the folder of the checks"},
		{"through a link", "ca: ca.pem", "cert: client.pem, key: link.key", `its key "link.key"`},
		{"a key alone", "ca: ca.pem", "key: client.key", "a key needs a certificate"},
		{"a redirect", "ca: ca.pem\ncert: client.pem\nkey: client.key", "url: '" + server + "?to=/'", ""},
		{"a redirect to another server", "ca: ca.pem\ncert: client.pem\nkey: client.key", "url: '" + server + "?to=" + other.URL + "'", "which the client certificate is not for"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(tt.check, "url:") {
				tt.check += ", url: " + server
			}
			suite := "retries: 0\n" + tt.suite + "\nchecks:\n  - {name: tls, type: http, " + strings.TrimPrefix(tt.check, ", ") + ", expect: {body: client}}\n"
			if err := os.WriteFile(filepath.Join(dir, "tls.yaml"), []byte(suite), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := b.Run(b.ctx, RunInput{File: "checks/tls.yaml", Strict: true})
			got := ""
			switch {
			case err != nil:
				got = err.Error()
			case r.Report.Checks[0].Message != nil:
				got = *r.Report.Checks[0].Message
			}
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
