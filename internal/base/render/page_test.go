package render

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/render/pagetest"
)

// everywhere is a page that has a text in each place where a page takes one.
func everywhere(evil string) string {
	p := New(evil, evil, evil)
	p.Root, p.Forge = "/home/"+evil, func(string) string { return evil }
	p.Card(evil, evil, evil)
	end := p.Section(evil, evil, evil, 0, evil)
	row := []any{evil, Place(evil + ":7"), Place(evil), Code(evil), Number(evil), Verdict{true, evil}, fmt.Errorf("%s", evil)}
	p.Table([]string{evil, evil, evil, evil, evil, evil, evil}, [][]any{row})
	p.Folded(evil, evil, []string{evil}, [][]any{{evil}})
	p.F("<p>%s</p>", evil)
	g := hostile(evil)
	p.Graph(&g)
	end()
	return p.String()
}

func hostile(evil string) Graph {
	return Graph{Label: evil, Nodes: []Node{{evil, evil, evil, Changed}, {"b", "", evil, Reached}}, Edges: [][2]int{{0, 1}}, Rows: []Kind{Kind(evil)}}
}

// Whatever a page or a picture is given as text is shown and does nothing.
func TestInert(t *testing.T) {
	payloads := pagetest.Payloads()
	if len(payloads) < 30 {
		t.Fatalf("%d payloads", len(payloads))
	}
	for _, evil := range payloads {
		for what, got := range map[string]string{"page": everywhere(evil), "picture": func() string { g := hostile(evil); return g.SVG() }()} {
			if err := pagetest.Inert(got); err != nil {
				t.Errorf("%s of %q: %v", what, evil, err)
			}
			if !pagetest.Shown(got, evil) {
				t.Errorf("the %s does not show %q", what, evil)
			}
		}
	}
}

// The check finds what a page that forgets to escape would do.
func TestInertFinds(t *testing.T) {
	missed := 0
	for _, evil := range pagetest.Payloads() {
		raw := strings.Replace(New("x").String(), "<main>", "<main><p title=\""+evil+"\">"+evil+"</p><a href=\""+evil+"\">x</a>", 1)
		if pagetest.Inert(raw) == nil {
			missed++
			t.Errorf("%q is not found", evil)
		}
	}
}

// A place leads to the editor, and to the forge only by https.
func TestPlace(t *testing.T) {
	p := New("x")
	p.Root = "/home/a b"
	p.Forge = func(path string) string {
		if path == "README.md" {
			return "javascript:alert(3)"
		}
		return "https://forge.example/r/" + path
	}
	p.Table([]string{"a", "b", "c"}, [][]any{{Place("mail/a.go:3"), Place("README.md:4"), Place("x:y")}})
	got := p.String()
	for _, want := range []string{`href="vscode://file/home/a%20b/mail/a.go:3"`, `href="https://forge.example/r/mail/a.go#L3"`, `README.md:4</a></td>`, `<td data-of="c">x:y</td>`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "javascript:") {
		t.Error("a forge is a script")
	}
}

// A picture has both themes by what shows it, a key, and nothing that moves or asks.
func TestPicture(t *testing.T) {
	g := Graph{Label: "l", Nodes: []Node{{Box: "a", Text: "x", Kind: Changed}, {Box: "b", Kind: Reached}}, Edges: [][2]int{{0, 1}}, Rows: []Kind{Changed, Reached}}
	got := g.SVG()
	for _, want := range []string{"prefers-color-scheme:dark", `class="node changed"`, `class="box reached"`, "■ changed", `aria-label="l"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, bad := range []string{"<script", "tabindex", "http:", "https:", "@import"} {
		if strings.Contains(strings.ReplaceAll(got, "http://www.w3.org/2000/svg", ""), bad) {
			t.Errorf("the picture has %s", bad)
		}
	}
}

// A drawing of as many lines as there are at most is as wide as a window, names every one
// in full, and lets no two boxes lie on each other.
func TestSVG(t *testing.T) {
	const most = 300
	var g Graph
	for i := range most {
		g.Nodes = append(g.Nodes, Node{Box: fmt.Sprintf("internal/part%02d", i/7), Text: fmt.Sprintf("a_file_of_a_long_name_%d.go", i), Title: "t"})
		g.Edges = append(g.Edges, [2]int{i, (i*i + 11) % most}, [2]int{i, i / 2})
	}
	got := g.SVG()
	for _, n := range g.Nodes {
		if !strings.Contains(got, ">"+n.Text+"<title>") {
			t.Errorf("%s is not drawn in full", n.Text)
		}
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
	if len(boxes) != 43 {
		t.Errorf("%d boxes, want one for each name: 43", len(boxes))
	}
}
