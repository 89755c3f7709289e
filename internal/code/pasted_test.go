package code_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// report is an issue about retry.py, of more terms than a short query has room for.
func report() string {
	var b strings.Builder
	b.WriteString("Pause never ends\n\n### Steps to reproduce\n")
	for i := range 40 {
		fmt.Fprintf(&b, "Step %d of the walk through chapter%c%c of the manual.\n", i, 'a'+i/8, 'a'+i%8)
	}
	b.WriteString("```\n  File \"/home/u/src/retry.py\", line 9, in retry\n    time.sleep(delay)\nOverflowError: pause doubles\n```\n")
	return b.String()
}

// An issue finds what it is about; its text is neither sent back nor put into a cursor,
// and a page after the first wants it again.
func TestIssue(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("other%d.py", i)] = fmt.Sprintf("def pause_%d():\n    \"\"\"Pause of chapter%c.\"\"\"\n", i, 'a'+i%8)
	}
	files["src/retry.py"] = "import time\n\n\n\n\n\n\ndef retry(delay):\n    time.sleep(delay)\n"
	f := feature(t, workspace.New(workspace.Config{WorkDir: folder(t, files)}), code.Config{})
	ctx := context.Background()
	in := code.SearchInput{Query: report(), TopK: 20, PageSize: 5, Explain: true}
	a, err := f.Search(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Hits) != 5 || !strings.HasSuffix(a.Hits[0].Path, "src/retry.py") {
		t.Fatalf("%+v", a.Hits)
	}
	if len(a.Query) > 400 || !strings.HasSuffix(a.Query, fmt.Sprintf("… (%d bytes)", len(in.Query))) {
		t.Errorf("the answer repeats %q", a.Query)
	}
	if a.Asked == nil || len(a.Asked.Terms) == 0 || len(a.Asked.Places) != 1 || !strings.HasSuffix(a.Asked.Places[0].File, "src/retry.py") || a.Asked.Places[0].Line != 9 || a.Asked.Places[0].Name != "retry" {
		t.Errorf("%+v", a.Asked)
	}
	var text bytes.Buffer
	if err := a.WriteText(&text, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# from the title: ", "# from the paths: ", "# names src/retry.py:9 retry\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	// The usual threshold is for questions.
	if b, err := f.Search(ctx, code.SearchInput{Query: in.Query, TopK: 20, Least: .99}); err != nil || len(b.Hits) != a.Pagination.Available {
		t.Errorf("%v, %d hits above the usual threshold", err, len(b.Hits))
	}
	cursor := a.Pagination.Cursor
	if cursor == "" || len(cursor) > 400 {
		t.Fatalf("a cursor of %d bytes", len(cursor))
	}
	for _, query := range []string{"", "Pause never ends", report() + "x"} {
		if _, err := f.Search(ctx, code.SearchInput{Query: query, Cursor: cursor}); fault.KindOf(err) != fault.Usage {
			t.Errorf("%.20q: %v", query, err)
		}
	}
	next, err := f.Search(ctx, code.SearchInput{Query: in.Query, Cursor: cursor})
	if err != nil || len(next.Hits) == 0 || next.Hits[0].Path == a.Hits[0].Path || next.Pagination.Available != a.Pagination.Available {
		t.Errorf("%v, %+v", err, next)
	}
}

// Megabytes are read in part, which is said; more is refused. What is not UTF-8 in a log
// is no reason to refuse it.
func TestLargeQuery(t *testing.T) {
	f := feature(t, workspace.New(workspace.Config{WorkDir: small(t)}), code.Config{})
	ctx := context.Background()
	a, err := f.Search(ctx, code.SearchInput{Query: "Settings\n" + strings.Repeat("\xffsome log line of nothing\n", 1<<16) + "load_settings\n"})
	if err != nil || len(a.Hits) == 0 || !strings.HasSuffix(a.Hits[0].Path, "config.py") {
		t.Fatalf("%v, %+v", err, a)
	}
	if notes := strings.Join(a.Notes, "\n"); !strings.Contains(notes, "bytes the first and the last 65536 were read") {
		t.Errorf("%s", notes)
	}
	if _, err := f.Search(ctx, code.SearchInput{Query: strings.Repeat("long ", 13<<20+1<<19)}); fault.KindOf(err) != fault.Usage {
		t.Errorf("of 65 megabytes: %v", err)
	}
	if _, err := f.Search(ctx, code.SearchInput{Regex: true, Query: strings.Repeat("a", 1<<20+1)}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a pattern of a megabyte: %v", err)
	}
	if _, err := f.Search(ctx, code.SearchInput{Query: "\xff"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a short query that is not UTF-8: %v", err)
	}
}

// A short query says nothing of how it was read.
func TestShortIsNotExplained(t *testing.T) {
	f := feature(t, workspace.New(workspace.Config{WorkDir: small(t)}), code.Config{})
	a, err := f.Search(context.Background(), code.SearchInput{Query: "load settings", Explain: true})
	if err != nil || a.Asked != nil || a.Query != "load settings" {
		t.Errorf("%v, %+v", err, a)
	}
}

// TestFewLinesAreShown holds that up to three lines at a side of a hit are shown, because the notice would cost as much, and that four are
// counted.
func TestFewLinesAreShown(t *testing.T) {
	tests := []struct {
		name         string
		before, rest int // lines around the one that the query is about
		notice       string
	}{
		{"three below", 0, 14, ""},
		{"four below", 0, 15, "… 4 lines below"},
		{"three above", 14, 0, ""},
		{"four above", 15, 0, "… 4 lines above"},
		{"nothing to leave out", 0, 11, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := strings.Repeat("other\n", tt.before) + "zebra" + "\n" + strings.Repeat("other\n", tt.rest)
			f := feature(t, workspace.New(workspace.Config{WorkDir: folder(t, map[string]string{"a.txt": file})}), code.Config{})
			a, err := f.Search(t.Context(), code.SearchInput{Query: "zebra"})
			if err != nil || len(a.Hits) != 1 {
				t.Fatalf("%v, %+v", err, a)
			}
			said, _ := printed(t, a)
			notices := strings.Count(said, "…")
			if (notices > 0) != (tt.notice != "") || notices > 1 || !strings.Contains(said, tt.notice) {
				t.Errorf("%d notices, want %q:\n%s", notices, tt.notice, said)
			}
		})
	}
}

// What a hit quotes is in one of the two forms of an answer alone: in the text or, for a
// client whose model sees the data alone, in the data, as much of it as a text would show.
func TestQuotedOnce(t *testing.T) {
	body := "\tretry(retry, again, again)\n" + strings.Repeat("\tx()\n", 20)
	files := map[string]string{"a.go": "package d\n\nfunc Retry1() {\n" + body + "}\n", "b.go": "package d\n\nfunc Retry2() {\n" + body + "}\n"}
	f := feature(t, workspace.New(workspace.Config{WorkDir: folder(t, files)}), code.Config{})
	for _, in := range []code.SearchInput{
		code.ToolArgs{Query: "retry again", TopK: 20, PageSize: 10, Budget: 2000}.Input(0),
		code.RegexArgs{Query: "func Retry", TopK: 20, PageSize: 10, Budget: 2000}.Input(),
	} {
		for client, data := range map[string]bool{"": false, "opencode": false, "claude-code": true, "Visual Studio Code - Insiders": true} {
			a, err := f.Search(work.With(context.Background(), work.Report{Client: client}), in)
			if err != nil || len(a.Hits) != 2 {
				t.Fatalf("%v, %+v", err, a)
			}
			said, _ := printed(t, a)
			raw, err := json.Marshal(a.Hits)
			if err != nil {
				t.Fatal(err)
			}
			quote := "retry, again, again"
			if in.Regex {
				quote = "func Retry"
			}
			if strings.Contains(said, quote) == data || strings.Contains(string(raw), quote) != data || strings.Contains(string(raw), `"snippet"`) != data {
				t.Errorf("client %q, regex %v: the text\n%s\nthe data\n%s", client, in.Regex, said, raw)
			}
			for _, h := range a.Hits {
				if !strings.Contains(said, fmt.Sprintf("%s:%d", h.Shown(), h.Span.LineStart)) && !data {
					t.Errorf("the text does not name %s:%d:\n%s", h.Path, h.Span.LineStart, said)
				}
				if !data || in.Regex {
					continue
				}
				file := files[h.Path[len(h.Path)-4:]]
				if h.Snippet != file[h.Span.ByteStart:h.Span.ByteEnd] || strings.Count(h.Snippet, "\n") != 12 || h.Span.LineEnd-h.Span.LineStart != 11 ||
					strings.Count(file[:h.Span.ByteStart], "\n") != h.Span.LineStart-1 {
					t.Errorf("%+v does not quote its span", h)
				}
			}
		}
	}
	// Who does not ask for references has both, as ever.
	a, err := f.Search(work.With(context.Background(), work.Report{Client: "claude-code"}), code.SearchInput{Query: "request again"})
	if said, _ := printed(t, a); err != nil || a.Hits[0].Snippet == "" || !strings.Contains(said, "again") {
		t.Errorf("%v, %+v", err, a)
	}
}
