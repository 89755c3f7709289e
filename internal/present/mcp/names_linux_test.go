//go:build !slim

package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/present/mcp"
)

// What a program is given names the file, and a model sees which bytes are none of UTF-8.
func TestNamesInAnswers(t *testing.T) {
	root, ops, _ := project(t)
	name := filepath.Join(root, "caf\xe9.go")
	if err := os.WriteFile(name, []byte("package cafe\n\nfunc latinOnly() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := connect(t, ops, mcp.Options{}, nil)
	for tool, args := range map[string]map[string]any{
		"regex_search":  {"query": "latinOnly"},
		"hybrid_search": {"query": "latinOnly"},
	} {
		res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil || res.IsError {
			t.Fatal(tool, err, res.Content)
		}
		data, err := json.Marshal(res.StructuredContent)
		if want := `"path_bytes":"` + base64.StdEncoding.EncodeToString([]byte(name)) + `"`; err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: structured content %s, %v; want %s", tool, data, err, want)
		}
		if said := res.Content[0].(*sdk.TextContent).Text; !strings.Contains(said, "caf<0xE9>.go") {
			t.Errorf("%s says %q", tool, said)
		}
	}
}
