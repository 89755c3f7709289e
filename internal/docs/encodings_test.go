package docs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/assay-dev/assay/internal/base/work"
)

// Pages in older encodings are read as they were written, and a guess is told.
func TestOlderEncodings(t *testing.T) {
	russian, err := charmap.Windows1251.NewEncoder().String("# Файлы\n\nФункция открывает файл и возвращает строки документа.\n")
	if err != nil {
		t.Fatal(err)
	}
	kana, err := japanese.ShiftJIS.NewEncoder().String("<!-- -*- coding: shift_jis -*- -->\n\n# ファイル\n\nこの関数はファイルを開きます。\n")
	if err != nil {
		t.Fatal(err)
	}
	dir := tree(t, map[string]string{"docs/ru.md": russian, "docs/ja.md": kana, "docs/b.md": "# B\n\nWords.\n"})
	f := feature(t, dir)
	var notes []string
	ctx := work.With(context.Background(), work.Report{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
	if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "/a/b"}}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"открывает": "Функция открывает файл", "ファイル": "この関数はファイルを開きます"} {
		if got := ask(t, f, "/a/b", query); !strings.Contains(got, want) {
			t.Errorf("%s: %.300q", query, got)
		}
	}
	const want = "1 page read as windows-1251, a guess, since nothing declares the encoding: docs/ru.md"
	if got := strings.Join(notes, "\n"); !strings.Contains(got, want) || strings.Contains(got, "shift_jis") {
		t.Errorf("notes %q lack %q", got, want)
	}
}
