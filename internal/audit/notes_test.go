package audit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
)

// noted is a project whose clock a test turns.
func noted(t *testing.T, files map[string]string) (root string, f *Feature, now *time.Time) {
	t.Helper()
	root, _ = project(t, files)
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	f = New(Config{WorkDir: root, Agent: "me", Locks: t.TempDir(), Project: func(string) (string, error) { return root, nil }, Now: func() time.Time { return at }})
	return root, f, &at
}

func TestNotes(t *testing.T) {
	root, f, now := noted(t, map[string]string{"auth.go": code, "loa-grimoire/NOTES.md": "# Mine\n\nremember the milk\n"})
	ctx := context.Background()
	if _, err := f.Add(ctx, AddInput{Findings: []string{"auth.go:3 checks  the signature", "auth.go:4-5"}, Summary: "Auth analysed"}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "loa-grimoire", "NOTES.md")
	read := func() string { b, _ := os.ReadFile(file); return string(b) }
	mine := "# Mine\n\nremember the milk\n\n"
	want := mine + "## Findings: 2026-11-21T12:00:00Z by me: Auth analysed\n- checks the signature: `func Validate(token string) error {` [" + root + "/auth.go:3]\n- `return nil` [" + root + "/auth.go:4]\n"
	if read() != want {
		t.Fatalf("added\n%s\nwant\n%s", read(), want)
	}
	// What is noted is a citation that stands.
	if c, err := f.Cite(ctx, CiteInput{Files: []string{file}}); err != nil || c.Verdict() != nil {
		t.Errorf("cite: %+v, %v", c, err)
	}
	show := func() string {
		n, err := f.Notes(ctx, NotesInput{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := n.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := show(); !strings.HasPrefix(got, "2026-11-21T12:00:00Z  active  me: Auth analysed\n  checks the signature: `func") {
		t.Errorf("shown %s", got)
	}
	*now = now.Add(6 * time.Minute)
	if a, err := f.Decay(ctx, DecayInput{}); err != nil || a.Decayed != 2 || a.Active != 0 || len(a.Archived) != 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	if want := mine + "## Findings: 2026-11-21T12:00:00Z by me: Auth analysed\n- " + root + "/auth.go:3\n- " + root + "/auth.go:4\n"; read() != want {
		t.Fatalf("decayed\n%s", read())
	}
	r, err := f.Rehydrate(ctx, RehydrateInput{At: root + "/auth.go:3", Context: 1})
	if err != nil || r.Snippet != "\nfunc Validate(token string) error {\n\treturn nil" || r.First != 2 || r.Last != 4 {
		t.Errorf("rehydrated %+v, %v", r, err)
	}
	*now = now.Add(25 * time.Minute)
	a, err := f.Decay(ctx, DecayInput{})
	if err != nil || len(a.Lines) != 1 || a.Lines[0] != "Auth analysed: 2 findings in 1 files" || read() != mine {
		t.Fatalf("%+v, %v\n%s", a, err, read())
	}
	shown, err := f.Show(ctx, ShowInput{Phase: "archive"})
	if err != nil || len(shown.Steps) != 1 || !strings.Contains(string(shown.Steps[0].Record), "Auth analysed: 2 findings in 1 files") {
		t.Errorf("the log has %+v, %v", shown, err)
	}
	if again, err := f.Decay(ctx, DecayInput{}); err != nil || len(again.Archived) != 0 || read() != mine {
		t.Errorf("a second time: %+v, %v", again, err)
	}
}

func TestNotesRefused(t *testing.T) {
	files := map[string]string{"auth.go": code}
	var eleven []string
	for i := range 11 {
		name := fmt.Sprintf("f%d.go", i)
		files[name] = code
		eleven = append(eleven, name+":3")
	}
	root, f, _ := noted(t, files)
	outside := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(outside, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		in   AddInput
		kind fault.Kind
		msg  string
	}{
		{AddInput{}, fault.Usage, "nothing to add"},
		{AddInput{Findings: []string{"auth.go"}}, fault.Usage, "does not begin with PATH:LINE"},
		{AddInput{Findings: []string{"auth.go:0 x"}}, fault.Usage, "lines are counted from 1"},
		{AddInput{Findings: []string{"auth.go:2 x"}}, fault.Usage, "empty line"},
		{AddInput{Findings: []string{"auth.go:99 x"}}, fault.NotFound, "has 5 lines"},
		{AddInput{Findings: []string{"none.go:1 x"}}, fault.NotFound, "no file"},
		{AddInput{Findings: []string{outside + ":3 x"}}, fault.Usage, "outside the project"},
		{AddInput{Findings: []string{"../x.go:3 x"}}, fault.Usage, "outside the project"},
		{AddInput{Findings: []string{"auth.go:3 " + strings.Repeat("w ", 21)}}, fault.Usage, "21 words"},
		{AddInput{Findings: eleven}, fault.Usage, "more than 10 files"},
		{AddInput{Findings: []string{"auth.go:3"}, Hits: "{}"}, fault.Usage, "not both"},
		{AddInput{Findings: []string{"auth.go:3"}, Task: "x"}, fault.Usage, "belong to --context"},
	} {
		if _, err := f.Add(context.Background(), tc.in); fault.KindOf(err) != tc.kind || !strings.Contains(err.Error(), tc.msg) {
			t.Errorf("%+v: %v, want %v %q", tc.in, err, tc.kind, tc.msg)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "NOTES.md")); err == nil {
		t.Error("something was written")
	}
	for at, kind := range map[string]fault.Kind{"auth.go:99": fault.NotFound, "auth.go:3 x": fault.Usage, "../x.go:1": fault.Usage, "no.go:1": fault.NotFound} {
		if _, err := f.Rehydrate(context.Background(), RehydrateInput{At: at}); fault.KindOf(err) != kind {
			t.Errorf("rehydrate %s: %v", at, err)
		}
	}
}

// What a search printed is noted line by line; a corrupt line is dropped and counted.
func TestNotesOfHits(t *testing.T) {
	root, f, _ := noted(t, map[string]string{"auth.go": code, "b.go": "\n\nfunc B() {}\n", ".assay/x": "", "loa-grimoire/x": ""})
	hits := fmt.Sprintf("{\"path\":%q,\"span\":{\"line_start\":3,\"line_end\":5},\"symbol\":\"Validate\"}\n{corrupt\n{\"path\":%[1]q,\"span\":{\"line_start\":4,\"line_end\":5}}\n{\"file\":%q,\"span\":{\"line_start\":1,\"line_end\":3}}\n{\"path\":\"/etc/passwd\",\"span\":{\"line_start\":1}}\n{}\n", root+"/auth.go", root+"/b.go")
	got, err := f.Add(context.Background(), AddInput{Hits: hits})
	if err != nil || len(got.Findings) != 2 || got.Left != 1 || len(got.Dropped) != 3 || got.Loss != .5 {
		t.Fatalf("%+v, %v", got, err)
	}
	if got.Findings[0].Claim != "Validate" || got.Findings[1].Line != 3 || got.Findings[1].Code != "func B() {}" || got.Dropped[0].Line != 2 {
		t.Errorf("%+v", got)
	}
	shown, err := f.Show(context.Background(), ShowInput{Phase: "jsonl_parse"})
	if err != nil || len(shown.Steps) != 1 || !strings.Contains(string(shown.Steps[0].Record), `"data_loss_ratio":0.5`) {
		t.Errorf("the log has %+v, %v", shown, err)
	}
}

func TestContextLoad(t *testing.T) {
	root, f, _ := noted(t, map[string]string{"pkg/auth.go": code})
	if _, err := f.Add(context.Background(), AddInput{Findings: []string{"pkg/auth.go:3-5 the entry"}, Context: true, Task: "T-1", Patterns: "errors are returned", Ready: true}); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(filepath.Join(root, "NOTES.md"))
	want := "## Context Load: 2026-11-21T12:00:00Z\n**Task**: T-1\n**Key Files**:\n- `pkg/auth.go:3-5` - the entry\n**Patterns Found**: errors are returned\n**Ready to implement**: Yes\n"
	if string(b) != want {
		t.Errorf("%s\nwant\n%s", b, want)
	}
}

// The ledger warns when a budget is passed, and a synthesis makes room.
func TestLedger(t *testing.T) {
	root, f, now := noted(t, map[string]string{"auth.go": code, "loa-grimoire/x": ""})
	l, _ := trajectory.Open(root, "")
	for range 4 {
		*now = now.Add(time.Second)
		if err := l.Append(trajectory.Record{Time: *now, Agent: "me", Phase: "result", Tokens: 1900}); err != nil {
			t.Fatal(err)
		}
	}
	n, err := f.Notes(context.Background(), NotesInput{})
	if err != nil || n.Ledger.Accumulated != 7600 || len(n.Warnings) != 1 || !strings.Contains(n.Warnings[0], "7600") {
		t.Fatalf("%+v, %v", n, err)
	}
	*now = now.Add(time.Second)
	if _, err := f.Add(context.Background(), AddInput{Findings: []string{"auth.go:3 x"}}); err != nil {
		t.Fatal(err)
	}
	if n, err = f.Notes(context.Background(), NotesInput{}); err != nil || n.Ledger.Accumulated != 0 || n.Ledger.Session != 7600 || len(n.Warnings) != 0 {
		t.Errorf("after a synthesis %+v, %v", n, err)
	}
}

// Agents that add and age at once lose nothing.
func TestNotesAtOnce(t *testing.T) {
	root, f, _ := noted(t, map[string]string{"auth.go": code, "NOTES.md": "mine\n"})
	var group sync.WaitGroup
	for w := range 6 {
		group.Go(func() {
			for range 5 {
				if _, err := f.Add(context.Background(), AddInput{Findings: []string{"auth.go:3 x"}, Agent: fmt.Sprintf("w%d", w)}); err != nil {
					t.Error(err)
				}
				if _, err := f.Decay(context.Background(), DecayInput{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	b, _ := os.ReadFile(filepath.Join(root, "NOTES.md"))
	if n := strings.Count(string(b), "- x: `func Validate"); n != 30 || !strings.HasPrefix(string(b), "mine\n\n## Findings") {
		t.Errorf("%d findings\n%s", n, b)
	}
}
