//go:build !slim

package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/present/mcp"
)

// A secret in an ordinary file does not reach a model, neither as text nor as data, and
// the answer says that something is missing; nor does what would hide from its reader.
func TestSecretsAreWithheld(t *testing.T) {
	root, ops, _ := project(t)
	token, body := "ghp_"+"abcdefghijklmnopqrstuvwxyz0123456789", strings.Repeat("MIIEpAIBAAKCAQEA7Yn", 3)
	pem := "const key = `-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(body+"\n", 6) + "-----END RSA PRIVATE KEY-----`\n"
	source := "package zebra\n\n// Zebra logs in.\nfunc Zebra(token = \"" + token + "\") {}\n\n" + pem + strings.Repeat("\n// zebra \u202e stripes\nfunc stripes() {}\n", 40)
	if err := os.WriteFile(filepath.Join(root, "zebra.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{
		callLine(1, "hybrid_search", `{"query":"zebra token","threshold":0}`),
		callLine(1, "hybrid_search", `{"query":"zebra key","threshold":0,"full_section":true}`),
		callLine(1, "regex_search", `{"query":"Zebra|MIIE|ghp_"}`),
		callLine(1, "assay", `{"query_type":"functions","pattern":"Zebra"}`),
	} {
		got := string(talk(t, ops, mcp.Options{}, hello, ready, call)["1"])
		if strings.Contains(got, token) || strings.Contains(got, body) {
			t.Errorf("%s shows a secret:\n%s", call, got)
		}
		if !strings.Contains(got, "zebra") {
			t.Errorf("%s answers\n%s", call, got)
		}
		if !strings.Contains(call, `"assay"`) && (!strings.Contains(got, "[redacted:") || !strings.Contains(got, "the command line shows them")) {
			t.Errorf("%s does not say what it withholds:\n%s", call, got)
		}
	}
	got := string(talk(t, ops, mcp.Options{}, hello, ready, callLine(1, "regex_search", `{"query":"stripes"}`))["1"])
	if text, _, _ := strings.Cut(got, "structuredContent"); !strings.Contains(text, "U+202E") || strings.Contains(text, "\u202e") {
		t.Errorf("the direction of the text is turned:\n%.600s", got)
	}
}
