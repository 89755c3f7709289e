package claims

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A drawing of as many files as there are at most is as wide as a window, names every file
// in full, and lets no two boxes lie on each other.
func TestSVG(t *testing.T) {
	var g Graph
	for i := range mostNodes {
		g.Nodes = append(g.Nodes, fmt.Sprintf("internal/part%02d/a_file_of_a_long_name_%d.go", i/7, i))
		g.Edges = append(g.Edges, [2]int{i, (i*i + 11) % mostNodes}, [2]int{i, i / 2})
	}
	g.Nodes[7] = "internal/a<b/x.go"
	got := g.SVG()
	for _, n := range g.Nodes[8:] {
		if !strings.Contains(got, ">"+n[strings.LastIndexByte(n, '/')+1:]+"<title>") {
			t.Errorf("%s is not drawn in full", n)
		}
	}
	if strings.Contains(got, "a<b") {
		t.Error("a name is markup")
	}
	size := regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`).FindStringSubmatch(got)
	if wide, _ := strconv.Atoi(size[1]); wide > 1400 {
		t.Errorf("%d wide", wide)
	}
	if high, _ := strconv.Atoi(size[2]); high > 8000 {
		t.Errorf("%d high", high)
	}
	var boxes [][]int
	for _, m := range regexp.MustCompile(`<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"`).FindAllStringSubmatch(got, -1) {
		var b []int
		for _, s := range m[1:] {
			n, _ := strconv.Atoi(s)
			b = append(b, n)
		}
		for _, o := range boxes {
			if b[0] < o[0]+o[2] && o[0] < b[0]+b[2] && b[1] < o[1]+o[3] && o[1] < b[1]+b[3] {
				t.Errorf("boxes %v and %v overlap", b, o)
			}
		}
		boxes = append(boxes, b)
	}
	if len(boxes) != 44 {
		t.Errorf("%d boxes, want one for each folder: 44", len(boxes))
	}
}

// Whatever names and texts have in them, the page has no markup but its own, links places
// to the editor and the forge, and shows a module's declarations together.
func TestPage(t *testing.T) {
	const evil = `x"><script>alert(1)</script><img src=x onerror=alert(2)>`
	r := &Report{Generated: day, Target: "/home/a b/" + evil, Features: 2, Declared: 3,
		Ghosts: []GhostRow{{Feature: evil + "\u202e", Source: evil + `.md:3`, Class: evil, Ticket: evil}},
		Shadows: []ShadowRow{
			{Module: "Send", Location: "mail/a.go:3", Class: "Orphaned (HIGH)", Shade: Orphaned},
			{Module: "Keep", Location: "mail/b.go:4", Class: "Partial (LOW)", Doc: "README.md:7"},
			{Module: evil, Location: evil + ".js:1", Class: "Drifted (MEDIUM)", Doc: "README.md:8", Difference: evil},
		},
		Links:    []Link{{Place{"README.md", 9}, evil, evil}},
		Verified: []VerifiedRow{{Feature: evil, Source: "README.md:2", Code: "mail/a.go:3", Confidence: .5}},
		Graph:    Graph{Nodes: []string{evil, "b/" + evil}, Edges: [][2]int{{0, 1}}},
		Forge: func(path string) string {
			if path == "README.md" {
				return "javascript:alert(3)"
			}
			return "https://forge.example/r/" + path
		},
	}
	got := r.HTML()
	if n := strings.Count(got, "<script"); n != 1 || strings.Contains(got, "<img") || strings.Contains(got, "javascript:") || strings.Contains(got, "\u202e") {
		t.Errorf("%d scripts in %s", n, got)
	}
	for _, want := range []string{
		`href="vscode://file/home/a%20b/`, `/mail/a.go:3"`, `href="https://forge.example/r/mail/a.go#L3"`,
		`<summary><b>mail</b> <span>1 orphaned, 1 partial</span></summary>`, `script-src 'sha256-`, `<b>1</b><span>documented otherwise</span>`, `<b>1</b><span>broken links</span>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
