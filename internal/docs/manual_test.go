package docs

import (
	"bytes"
	"compress/gzip"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/library"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestManualPages reads the manual as a system keeps it: packed or not, in this language, and
// nothing that is only called like a page of it or is larger than a page may be.
func TestManualPages(t *testing.T) {
	const page = ".TH WAIT 1\n.SH OPTIONS\n.TP\n.B \\-\\-retry\nTry again after a failure.\n"
	all := map[string]string{
		"man1/wait.1": page, "man3/open.3pm.gz": packed(t, ".TH OPEN 3pm\n.SH NAME\nopen \\- tries again to open a file\n"), "de/man1/wait.1": page,
		"lib/libx.so.1": "\x7fELF\x00", "notes.2": "Just notes.\n", "alias.1": ".so man1/wait.1\n", "broken.1.gz": "\x1f\x8bno", "data.1.gz": packed(t, "x"),
		"bomb.1.gz": packed(t, page+strings.Repeat("x\n", maxPage)),
	}
	f := feature(t, tree(t, all))
	got, err := f.Ingest(t.Context(), IngestInput{Where: Where{Source: ".", ID: "/sys/man"}})
	if err != nil {
		t.Fatal(err)
	}
	if l := got.Libraries[0]; l.Pages != 2 || l.Snippets < 2 {
		t.Errorf("%+v, want 2 pages", l)
	}
	answer, err := f.Query(t.Context(), QueryInput{ID: "/sys/man", Query: "try again after a failure"})
	if err != nil {
		t.Fatal(err)
	}
	if s := answer.text; !strings.Contains(s, "--retry: Try again after a failure.") || !strings.Contains(s, "open(3pm)") {
		t.Errorf("it answers\n%s", s)
	}

	// Beside documentation a manual is counted, and read where it is named.
	docs := map[string]string{"man/wait.1": page}
	for _, name := range []string{"a", "b", "c"} {
		docs["docs/"+name+".md"] = aPage
	}
	dir := tree(t, docs)
	f = feature(t, dir)
	seen, err := f.Preview(t.Context(), PreviewInput{Where: Where{Source: dir}})
	if err != nil || seen.Library.Pages != 3 || len(seen.Excluded) != 1 || seen.Excluded[0].Reason != manuals {
		t.Errorf("beside documentation: %+v, %v", seen, err)
	}
	seen, err = f.Preview(t.Context(), PreviewInput{Where: Where{Source: dir, Include: []string{"man"}}})
	if err != nil || seen.Library.Pages != 1 {
		t.Errorf("where it is named: %+v, %v", seen, err)
	}
}

func TestManualNames(t *testing.T) {
	names := map[string]bool{"ls.1": true, "a/open.3pm.gz": true, "x.8ssl": true, "b.7z": false, "c.gz": false, "d.tar.gz": false, "e.1.gz": true, "f.10": false, "g.md.gz": false, "v1.2-rc": false, ".1": true}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if got := library.FormatOf(name, nil) == library.Man; got != names[name] {
			t.Errorf("FormatOf(%q) is a manual page: %v", name, got)
		}
	}
}
