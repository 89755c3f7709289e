package claims

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/render/pagetest"
)

// Whatever names and texts have in them, the page has no markup but its own, links places
// to the editor and the forge, and shows a module's declarations together.
func TestPage(t *testing.T) {
	for _, evil := range pagetest.Payloads() {
		if err := pagetest.Inert(hostile(evil).HTML()); err != nil {
			t.Errorf("%q: %v", evil, err)
		}
	}
	evil := `x"><script>alert(1)</script>`
	got := hostile(evil).HTML()
	if !pagetest.Shown(got, evil) || strings.Contains(got, "javascript:") {
		t.Errorf("%s is not shown, or a forge is a script:\n%s", evil, got)
	}
	for _, want := range []string{
		`href="vscode://file/home/a%20b/`, `/mail/a.go:3"`, `href="https://forge.example/r/mail/a.go#L3"`,
		`<summary><b>mail</b> <span>1 orphaned, 1 partial, none documented</span></summary>`, `script-src 'sha256-`, `<b>1</b><span>documented otherwise</span>`, `<b>1</b><span>broken links</span>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

func hostile(evil string) *Report {
	return &Report{Generated: day, Target: "/home/a b/" + evil, Features: 2, Declared: 3,
		Ghosts: []GhostRow{{Feature: evil + "\u202e", Source: evil + `.md:3`, Class: evil, Ticket: evil}},
		Shadows: []ShadowRow{
			{Module: "mail", Location: "mail/a.go:3", Class: "Orphaned (HIGH)", Shade: Orphaned, Untold: true, Members: []Member{
				{Name: "Send", Location: "mail/a.go:3", Shade: Orphaned}, {Name: "Keep" + evil, Location: "mail/b.go:4", Shade: Partial, Doc: "README.md:7"},
			}},
			{Module: evil, Location: evil + ".js:1", Class: "Drifted (MEDIUM)", Doc: "README.md:8", Difference: evil},
		},
		Links:    []Link{{Place{"README.md", 9}, evil, evil, ""}},
		Verified: []VerifiedRow{{Feature: evil, Source: "README.md:2", Code: "mail/a.go:3", Confidence: .5}},
		Graph:    Graph{Nodes: []string{evil, "b/" + evil}, Edges: [][2]int{{0, 1}}},
		Forge: func(path string) string {
			if path == "README.md" {
				return "javascript:alert(3)"
			}
			return "https://forge.example/r/" + path
		},
	}
}
