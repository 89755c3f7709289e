package team

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/present/mcp"
)

// Where a log has what was asked, it has no secret, and nothing of what was to be kept.
func TestAskedWithoutSecrets(t *testing.T) {
	s := start(t, "log_queries: true", mcp.HTTPOptions{})
	red, _ := s.token("red", Write)
	call := func(tool string, arguments any) {
		t.Helper()
		given, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		if status, body := s.do("POST", "/mcp", red, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, given), nil); status != 200 {
			t.Fatalf("%s: %d %s", tool, status, body)
		}
	}
	secrets := []string{"AKIA3EXAMPLE7QWERTYZ", "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "xK9#mQ2vL8pR"}
	text := "plainly-asked\nwhere is " + secrets[0] + " and\n" + secrets[1] + "\nthe password is " + secrets[2]
	call("who", map[string]any{"word": text, "list": []any{text, 12345678901234567}, "password": secrets[2]})
	call("who", map[string]any{"word": "x", secrets[1]: map[string]any{"deep": text}})
	call("keep", map[string]any{"word": "a note to keep"})
	access := s.read("access.jsonl")
	for _, secret := range secrets {
		if strings.Contains(access, secret) {
			t.Errorf("the access log has %s:\n%s", secret, access)
		}
	}
	if strings.Contains(access, "a note to keep") {
		t.Errorf("the access log has what was to be kept:\n%s", access)
	}
	for _, want := range []string{"plainly-asked", "12345678901234567", "[redacted:"} {
		if !strings.Contains(access, want) {
			t.Errorf("the access log lacks %s:\n%s", want, access)
		}
	}
	for line := range strings.Lines(access) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not a line of JSON: %s", line)
		}
	}
}
