package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// must returns what an operation answered, unless it failed.
func must[R any](r R, err error) func(testing.TB) R {
	return func(t testing.TB) R {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// says checks that a text has parts.
func says(t testing.TB, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("no %q in\n%s", p, got)
		}
	}
}

// recorded returns the lines that an answer writes for a program.
func recorded(t testing.TB, r interface{ WriteLines(io.Writer) error }) int {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteLines(&b); err != nil {
		t.Fatal(err)
	}
	return bytes.Count(b.Bytes(), []byte("\n"))
}

func TestConnected(t *testing.T) {
	f := fresh(t, nil)
	ctx := t.Context()
	old := keep(t, f, StoreInput{Title: "Queue", Content: "Jobs go through RabbitMQ. #jobs", Category: "decisions"})
	now := keep(t, f, StoreInput{Title: "Queue again", Content: "Jobs go through PostgreSQL; see [[Nowhere]] and [the old one](" + filepath.Base(old) + ").", Category: "decisions", Supersedes: old})

	line := must(f.Timeline(ctx, TimelineInput{Max: 1}))(t)
	if line.Total != 2 || len(line.Items) != 1 || recorded(t, line) != 1 {
		t.Errorf("%+v", line)
	}
	says(t, shown(t, line), "# 1 more\n")
	all := shown(t, must(f.Timeline(ctx, TimelineInput{}))(t))
	says(t, all, old+"  Queue  superseded by "+now, now+"  Queue again\n")
	if none := must(f.Timeline(ctx, TimelineInput{Before: "2001-01-01"}))(t); none.Total != 0 || shown(t, none) != "# none\n" {
		t.Errorf("before everything: %+v", none)
	}

	to := must(f.Links(ctx, LinksInput{Path: now}))(t)
	says(t, shown(t, to), now+"  Queue again\n", "supersedes "+old, "Nowhere  (line ", "  there is no such note\n")
	from := shown(t, must(f.Links(ctx, LinksInput{Path: old}))(t))
	says(t, from, "tags: #jobs\n", "linked from "+now, now+" supersedes "+old)
	web := must(f.Links(ctx, LinksInput{}))(t)
	if web.Titles[old] != "Queue" || web.Titles[now] != "Queue again" || len(web.Links) < 3 {
		t.Errorf("%+v", web)
	}
	lone := keep(t, f, StoreInput{Title: "Lone", Content: "Nothing points here."})
	says(t, shown(t, must(f.Links(ctx, LinksInput{Path: lone}))(t)), "# no links\n")
	if _, err := f.Links(ctx, LinksInput{Path: "none.md"}); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	says(t, shown(t, must(f.Search(ctx, SearchInput{Query: "which queue do jobs go through"}))(t)), "superseded by "+now)
}

func TestImportFolder(t *testing.T) {
	f := fresh(t, nil)
	ctx := t.Context()
	from := filepath.Join(f.cfg.WorkDir, "other")
	if err := os.Mkdir(from, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range most + 2 {
		note := fmt.Sprintf("# Matter %d\n\nThe matter with number %d was settled by committee %d.\n", i, i, i*7)
		if i == 0 {
			note += "\npassword: Zk3xQ9v2TmLr8w\n"
		}
		if err := os.WriteFile(filepath.Join(from, fmt.Sprintf("m%02d.md", i)), []byte(note), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(from, "empty.md"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dry := shown(t, must(f.Import(ctx, ImportInput{Path: "other", DryRun: true}))(t))
	says(t, dry, "# 2 more\n", fmt.Sprintf("would be imported: %d notes from folder; 0 were there already", most+2), "; 1 secret was removed")
	if list := must(f.List(ctx, ListInput{}))(t); list.Total != 0 {
		t.Errorf("a dry run stored %+v", list.Items)
	}
	done := must(f.Import(ctx, ImportInput{Path: "other"}))(t)
	says(t, shown(t, done), fmt.Sprintf("imported: %d notes from folder", most+2), fmt.Sprintf("\n%d notes, 0 sessions; %d read", most+2, most+2))
	again := must(f.Import(ctx, ImportInput{Path: "other"}))(t)
	says(t, shown(t, again), fmt.Sprintf("imported: 0 notes from folder; %d were there already", most+2))
	raw := must(os.ReadFile(filepath.Join(f.cfg.Vault, filepath.FromSlash(done.Import.Notes[0].Path))))(t)
	if bytes.Contains(raw, []byte("Zk3xQ9v2")) {
		t.Errorf("the secret is in the vault: %s", raw)
	}
	says(t, shown(t, must(f.Import(ctx, ImportInput{}))(t)), fmt.Sprintf("%d notes, 0 sessions; 0 read", most+2))
	for _, in := range []ImportInput{{DryRun: true}, {Path: "vault"}, {Path: "vault/facts"}} {
		if _, err := f.Import(ctx, in); fault.KindOf(err) != fault.Usage {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

func TestShared(t *testing.T) {
	remote := filepath.Join(t.TempDir(), "notes.git")
	if out, err := exec.Command("git", "init", "-q", "--bare", remote).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a, b := fresh(t, nil), fresh(t, nil)
	ctx := t.Context()
	path := keep(t, a, StoreInput{Title: "Region", Content: "The servers stand in Frankfurt."})
	says(t, shown(t, must(a.Share(ctx, ShareInput{Remote: remote}))(t)), ": 0 notes received, 1 sent, 0 removed here, 0 removed there\n")
	says(t, shown(t, must(b.Share(ctx, ShareInput{Remote: remote}))(t)), ": 1 notes received, 0 sent", "\n1 notes, 0 sessions; 1 read")
	for f, city := range map[*Feature]string{a: "Paris", b: "Dublin"} {
		if e := must(f.Edit(ctx, EditInput{Path: path, Text: "# Region\n\nThe servers stand in " + city + ".\n"}))(t); !e.Changed {
			t.Errorf("%+v", e)
		}
	}
	must(a.Share(ctx, ShareInput{}))(t)
	both := must(b.Share(ctx, ShareInput{}))(t)
	if c := both.Exchange.Conflicts; len(c) != 1 || c[0].Path != path {
		t.Fatalf("%+v", both.Exchange)
	}
	says(t, shown(t, both), "# "+path+" was edited on two machines: what was here is in "+both.Exchange.Conflicts[0].Copy)
	text := must(b.Get(ctx, GetInput{Path: both.Exchange.Conflicts[0].Copy}))(t).Text
	says(t, text, "Dublin")
	if _, err := a.Share(ctx, ShareInput{Remote: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a remote that is not there is no error")
	}
}

func TestEdited(t *testing.T) {
	f := fresh(t, nil)
	ctx := t.Context()
	path := keep(t, f, StoreInput{Title: "Port", Content: "The API listens on port 8085."})
	for _, in := range []EditInput{{Path: path}, {Path: path, Text: "-"}} {
		if _, err := f.Edit(ctx, in); fault.KindOf(err) != fault.Usage {
			t.Errorf("%+v: %v", in, err)
		}
	}
	if got := shown(t, must(f.Edit(ctx, EditInput{Path: path, Pin: true}))(t)); got != "changed: "+path+"\n" {
		t.Errorf("%s", got)
	}
	says(t, shown(t, must(f.List(ctx, ListInput{}))(t)), path+"  Port  pinned\n")
	says(t, shown(t, must(f.Edit(ctx, EditInput{Path: path, Pin: true}))(t)), "as it was: ")
	e := must(f.Edit(ctx, EditInput{Path: path, Text: "# Port\n\nThe API listens on port 9085.\n\npassword: Zk3xQ9v2TmLr8w\n"}))(t)
	if e.Redacted != 1 || e.Pinned {
		t.Errorf("%+v", e)
	}
	says(t, shown(t, e), "changed: "+path+"\n# 1 secret was removed: memory stores none\n")
	says(t, shown(t, must(f.Search(ctx, SearchInput{Query: "which port does the API listen on"}))(t)), "9085")
	if _, err := f.Edit(ctx, EditInput{Path: path, Text: "# Port\n\n1\n", Was: "# Port\n\nThe API listens on port 8085.\n"}); fault.KindOf(err) != fault.Stale {
		t.Errorf("of an edit of what it was before: %v", err)
	}
}

func TestAudited(t *testing.T) {
	f := fresh(t, nil)
	ctx := t.Context()
	const path = "new-queue.md"
	if err := os.MkdirAll(f.cfg.Vault, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.cfg.Vault, path), []byte("---\nsupersedes: gone.md\n---\n# Queue\n\nWhat replaced it.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := must(f.Audit(ctx, AuditInput{}))(t)
	if len(r.Findings) != 1 || recorded(t, r) != 1 {
		t.Fatalf("%+v", r)
	}
	if got := shown(t, r); !regexp.MustCompile(`^` + regexp.QuoteMeta(path) + `(:\d+)?: missing: its supersedes names gone\.md, .*\n# 1 note has no questions to be found by .*\n1 notes, 1 findings\n$`).MatchString(got) {
		t.Errorf("%s", got)
	}
	must(f.Import(ctx, ImportInput{}))(t)
	d := must(f.Doctor(ctx, DoctorInput{}))(t)
	says(t, shown(t, d), "1 notes, 1 indexed", "no agents; 0 indexed, 0 forgotten", "state     sound\n")
	if err := os.WriteFile(filepath.Join(f.cfg.Vault, "new.md"), []byte("# New\n\nSomething else.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says(t, shown(t, must(f.Doctor(ctx, DoctorInput{}))(t)), "problem   1 notes or sessions are not indexed yet")
	says(t, shown(t, must(f.Rebuild(ctx, RebuildInput{}))(t)), "2 notes, 0 sessions; 2 read")
}

// A watch ends where what takes its events fails, with that error, and without one where it
// is asked to end.
func TestWatchEnds(t *testing.T) {
	f := fresh(t, nil)
	if err := os.MkdirAll(f.cfg.Vault, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.cfg.Vault, "a.md"), []byte("# A\n\nSome text of a note.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the pipe is closed")
	var got []*WatchEvent
	err := f.Watch(t.Context(), WatchInput{}, func(e *WatchEvent) error { got = append(got, e); return full })
	if !errors.Is(err, full) || len(got) == 0 || got[0].Changed != 1 || recorded(t, got[0]) != 1 {
		t.Fatalf("%v, %+v", err, got)
	}
	says(t, shown(t, got[0]), "1 changed, 0 removed, ")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := f.Watch(ctx, WatchInput{Quiet: true}, func(*WatchEvent) error { return nil }); err != nil {
		t.Errorf("asked to end: %v", err)
	}
	if quiet := shown(t, &WatchEvent{quiet: true, Changed: 1}); quiet != "" {
		t.Errorf("%q", quiet)
	}
	says(t, shown(t, &WatchEvent{Error: "no disk"}), "no disk\n")
}
