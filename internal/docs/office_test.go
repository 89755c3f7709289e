package docs

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/work"
)

// TestOffice reads documents of a word processor, of a folder and alone, and says which cannot be read.
func TestOffice(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("content.xml")
	if err == nil {
		_, err = f.Write([]byte(`<o><text:h xmlns:text="t" text:outline-level="1">Retries</text:h><text:p xmlns:text="t">Set max_retries to try a request again — at most 5 times.</text:p></o>`))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	dir := tree(t, map[string]string{"docs/Guide.ODT": b.String(), "docs/broken.docx": "PK\x03\x04\x00", "old.docx": "\xd0\xcf\x11\xe0\xa1\x00"})
	for _, source := range []string{".", "docs/Guide.ODT"} {
		f := feature(t, dir)
		var notes []string
		ctx := work.With(t.Context(), work.Report{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
		if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: source, ID: "/o/guide"}}); err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(notes, "\n"); source == "." && (!strings.Contains(said, "2 pages that cannot be read") || !strings.Contains(said, "broken.docx: it is empty, damaged")) {
			t.Errorf("%s: it notes %q", source, notes)
		}
		answer, err := f.Query(context.Background(), QueryInput{ID: "/o/guide", Query: "try a request again"})
		if err != nil || !strings.Contains(answer.text, "Set max_retries to try a request again — at most 5 times.") {
			t.Errorf("%s: %+v, %v", source, answer, err)
		}
	}
	if _, err := feature(t, dir).Ingest(t.Context(), IngestInput{Where: Where{Source: "old.docx"}}); err == nil || !strings.Contains(err.Error(), "old format of Office") {
		t.Errorf("a document of an old format: %v", err)
	}
}
