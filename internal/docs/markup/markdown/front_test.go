package markdown

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What is read without YAML is what YAML reads.
func TestFields(t *testing.T) {
	values := []string{"", "A page", "A page, and more (of it)", "it's here", "true", "True", "tRUE", "null", "yes", "no", "~", "3", "0123", "3.0", "1.2.3", "2024-01-02",
		"3 ways", `"quoted: text"`, `"a \"b\""`, `"open`, "'single'", "'it''s'", "a: b", "a # comment", "#all", "- item", "[a, b]", "{a: b}", "&anchor", "*alias", "|", ">", "!tag",
		"%x", "@x", "`x`", "größe", "a\tb", "a  b", "-", "?", "x?", ".inf", "Inf", "a,b", "end.", "http://x.y", "0x1F", "1e3", "_a", "a_b", "A's; B!"}
	keys := []string{"title", "a_b", "true", "null", "T", "with space", "a-b", "<<", "1"}
	seen := 0
	for _, k := range keys {
		for _, v := range values {
			for _, more := range [][]string{nil, {""}, {"other: text"}, {k + ": twice"}, {"  indented: 1"}, {"- item"}, {"# comment"}, {"word"}} {
				body := append([]string{k + ": " + v}, more...)
				got, ok := fields(body)
				if !ok {
					continue
				}
				seen++
				var tree map[string]any
				if err := yaml.Unmarshal([]byte(strings.Join(body, "\n")), &tree); err != nil {
					t.Errorf("%q: read, but YAML says %v", body, err)
					continue
				}
				for key, value := range tree {
					want, _ := value.(string)
					if got[key] != strings.Join(strings.Fields(want), " ") {
						t.Errorf("%q: %s is %q, want %q", body, key, got[key], value)
					}
				}
				if len(got) != len(tree) {
					t.Errorf("%q: %d fields, want %d", body, len(got), len(tree))
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d were read without YAML", seen)
	}
}
