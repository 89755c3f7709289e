package docs

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/docs/library"
)

// What a library that is imported says of its source is not obeyed: its file may name a folder of this machine.
func TestImportedNamesNoFolder(t *testing.T) {
	ctx := t.Context()
	private := tree(t, map[string]string{"a.md": "# A\n\nsome words\n"})
	theirs, ours := feature(t, private), feature(t, t.TempDir())
	if _, err := theirs.Ingest(ctx, IngestInput{Where: Where{Source: private, ID: "/org/lib", Version: "v1"}}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lib.db")
	if _, err := theirs.Export(ctx, ExportInput{ID: "/org/lib", Out: file}); err != nil {
		t.Fatal(err)
	}
	if _, err := ours.Import(ctx, ImportInput{Path: file}); err != nil {
		t.Fatal(err)
	}
	write(t, private, map[string]string{"diary.md": "# Diary\n\nthe recovery phrase of the wallet\n"})
	for _, full := range []bool{false, true} {
		_, err := ours.Refresh(ctx, RefreshInput{ID: "/org/lib", Full: full})
		if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "imported") || !strings.Contains(fault.HintOf(err), "docs ingest SOURCE --id /org/lib") {
			t.Errorf("refresh: %v, hint %q", err, fault.HintOf(err))
		}
		all, err := ours.Refresh(ctx, RefreshInput{All: true, Full: full})
		if err != nil || len(all.Failed) > 0 || len(all.Libraries) > 0 || len(all.Skipped) != 1 || all.Skipped[0].Library != "/org/lib/v1" {
			t.Errorf("refresh of all says that one was looked at: %+v, %v", all, err)
		}
		if got := ask(t, ours, "/org/lib", "recovery phrase wallet"); strings.Contains(got, "phrase") {
			t.Fatalf("the folder was read: %q", got)
		}
	}
	// Given on, it still names nothing; read by the person here, it is his.
	if _, err := ours.Export(ctx, ExportInput{ID: "/org/lib", Out: file}); err != nil {
		t.Fatal(err)
	}
	if _, err := feature(t, t.TempDir()).Import(ctx, ImportInput{Path: file}); err != nil {
		t.Fatal(err)
	}
	if _, err := ours.Ingest(ctx, IngestInput{Where: Where{Source: private, ID: "/org/lib", Version: "v1"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := ours.Refresh(ctx, RefreshInput{ID: "/org/lib"}); err != nil {
		t.Error(err)
	}
}

// An older program took what an imported file says of its source as it was, and did not keep that it was imported.
func TestImportedByOlder(t *testing.T) {
	ctx := t.Context()
	private := tree(t, map[string]string{"a.md": "# A\n\nsome words\n"})
	theirs, ours := feature(t, private), feature(t, t.TempDir())
	if _, err := theirs.Ingest(ctx, IngestInput{Where: Where{Source: private, ID: "/org/lib", Version: "v1"}}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lib.db")
	if _, err := theirs.Export(ctx, ExportInput{ID: "/org/lib", Out: file}); err != nil {
		t.Fatal(err)
	}
	err := ours.writing(ctx, "", true, func(db *library.DB) error {
		_, err := db.Import(ctx, file, func(by string) string { return strings.Replace(by, `,"here":true`, "", 1) })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, private, map[string]string{"diary.md": "# Diary\n\nthe recovery phrase of the wallet\n"})
	if all, err := ours.Refresh(ctx, RefreshInput{All: true}); err != nil || len(all.Libraries) > 0 || len(all.Skipped) != 1 {
		t.Errorf("refresh of all: %+v, %v", all, err)
	}
	if _, err := ours.Refresh(ctx, RefreshInput{ID: "/org/lib"}); fault.KindOf(err) != fault.Usage || !strings.Contains(fault.HintOf(err), "docs ingest SOURCE --id /org/lib") {
		t.Errorf("refresh: %v, hint %q", err, fault.HintOf(err))
	}
	if got := ask(t, ours, "/org/lib", "recovery phrase wallet"); strings.Contains(got, "phrase") {
		t.Fatalf("the folder was read: %q", got)
	}
}

func TestCarried(t *testing.T) {
	for address, want := range map[string]string{
		"npm:left-pad":                              "npm:left-pad",
		"npm:@scope/x@1.2":                          "npm:@scope/x@1.2",
		"https://x.org/a/b":                         "https://x.org/a/b",
		"https://documents.devdocs.io/go/db.json":   "https://documents.devdocs.io/go/db.json",
		"https://docs.example.com:8443/llms.txt":    "https://docs.example.com:8443/llms.txt",
		"http://x.org/llms.txt":                     "",
		"https://169.254.169.254/llms.txt":          "",
		"https://[::1]/llms.txt":                    "",
		"https://127.1/llms.txt":                    "",
		"https://localhost/llms.txt":                "",
		"https://a.localhost./llms.txt":             "",
		"https://metadata.google.internal/llms.txt": "",
		"https://printer.local/llms.txt":            "",
		"https://wiki/llms.txt":                     "",
		"https://user:word@x.org/a":                 "",
		"https://x.org/a;rm":                        "",
		"https://x.org/$(id)":                       "",
		"https://x.org/a\n::error":                  "",
		"git@github.com:o/r":                        "",
		"ssh://git@github.com/o/r":                  "",
		"git://x.org/o/r":                           "",
		"file:///etc":                               "",
		"ext::sh -c id":                             "",
		"/home/alice/private":                       "",
		"C:\\Users\\alice":                          "",
		"../x":                                      "",
		"":                                          "",
	} {
		b, err := json.Marshal(recipe{Address: address, Packed: true, Here: true, Version: "v1"})
		if err != nil {
			t.Fatal(err)
		}
		var got recipe
		if err := json.Unmarshal([]byte(carried(string(b))), &got); err != nil || got.Address != want || got.Here || got.Packed || (got.Version == "v1") != (want != "") {
			t.Errorf("%q: %+v, %v; want %q", address, got, err, want)
		}
	}
	if got := carried("no JSON"); got != carried("") {
		t.Errorf("%q", got)
	}
	for address, want := range map[string]bool{"npm:a": true, "https://documents.devdocs.io/go/db.json": true, "https://documents.devdocs.io/a/b/db.json": false, "https://documents.devdocs.io.evil.org/a/db.json": false, "https://x.org/a": false} {
		if got := registered(address); got != want {
			t.Errorf("registered(%q) = %v", address, got)
		}
	}
}

// What is shown of pages has each name in its line.
func TestPreviewInLines(t *testing.T) {
	var b strings.Builder
	r := &Previewed{Shown: []Snippet{{Path: "a\n::error ::b.md", Breadcrumb: "A\n::error ::c", Line: 1}}, texts: []string{"text"}, Excluded: []Excluded{{Pages: 1, Reason: "r", Examples: []string{"x\n::error ::d"}}}}
	if err := r.WriteText(&b, false); err != nil || strings.Contains(b.String(), "\n::") {
		t.Errorf("%q, %v", b.String(), err)
	}
}
