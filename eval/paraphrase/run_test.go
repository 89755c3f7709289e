package main

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestParse(t *testing.T) {
	tree := t.TempDir()
	abs := filepath.ToSlash(filepath.Join(tree, "docs", "a.md"))
	hits, degraded, err := parse([]byte(`{"degraded":"no vectors","hits":[{"path":"`+abs+`","span":{"line_start":2,"line_end":5}},{"path":"./b.md"}]}`), tree)
	if want := []hit{{"docs/a.md", 2, 5}, {"b.md", 0, 0}}; err != nil || !slices.Equal(hits, want) || degraded != "no vectors" {
		t.Errorf("parse = %v %q %v, want %v and what degraded it", hits, degraded, err, want)
	}
	if _, _, err := parse([]byte("no hits\n"), tree); err == nil {
		t.Error("an answer that is not JSON was accepted")
	}
}

func TestFind(t *testing.T) {
	tree := fstest.MapFS{
		"a.md":  {Data: []byte("# One\ntext\n# Two\n# Two\n")},
		"b.rst": {Data: []byte("One\n===\n\ntext")},
	}
	for _, c := range []struct {
		place      string
		start, end int
		bad        bool
	}{
		{"a.md", 1, 5, false},
		{"a.md#One", 1, 2, false},
		{"b.rst#One", 1, 4, false},
		{"a.md#Two", 0, 0, true},
		{"a.md#Three", 0, 0, true},
		{"c.md", 0, 0, true},
	} {
		got, err := find(tree, c.place)
		if got.Start != c.start || got.End != c.end || (err != nil) != c.bad {
			t.Errorf("find(%q) = %d-%d %v, want %d-%d", c.place, got.Start, got.End, err, c.start, c.end)
		}
	}
}

// Of a package what is wanted is kept, and nothing leaves its folder.
func TestUnpack(t *testing.T) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, name := range []string{"./p/docs/a.md", "p/docs/x/b.rst.txt", "p/docs/../../../c.md", "p/docs/d.png", "p/e.md"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 2, Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte("#\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteHeader(&tar.Header{Name: "p/docs/l.md", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "kept")
	n, err := pack{keep: []string{"p/docs/**"}, strip: "p/docs/"}.unpack(&archive, dir)
	if err != nil || n != 2 {
		t.Errorf("unpack kept %d files (%v), want 2", n, err)
	}
	for _, name := range []string{"a.md", "x/b.rst"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestReport(t *testing.T) {
	rows := []row{
		{item{question: question{Ask: "x", Kind: "gotcha", In: []string{"x.md"}}}, map[string]int{lexical: 0, hybrid: 1, semantic: 1}},
		{item{question: question{Ask: "y", Kind: "gotcha", In: []string{"y.md"}}, Shared: .25}, map[string]int{lexical: 1, hybrid: 2, semantic: 0}},
	}
	var out bytes.Buffer
	report(&out, "notes", rows)
	reportBad(&out, rows)
	for _, want := range []string{
		"notes: 2 questions", "none in 1 questions", "lexical              0.500   0.500   0.500   0.500",
		"hybrid - lexical    +0.000  +0.500  +0.500  +0.250   better 1, worse 1", "sharing no word       1", "worse  gotcha", `"y" -> y.md`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), `"x"`) {
		t.Errorf("what hybrid search makes better is listed as bad:\n%s", &out)
	}
}
