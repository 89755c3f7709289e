package audit

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/engine"
)

// A record says in one line what it says, whatever the words of its log are.
func TestTrajectoryInLines(t *testing.T) {
	_, f := project(t, map[string]string{"loa-grimoire/a2a/trajectory/a-2001-09-09.jsonl": `{"ts":"x\n::error ::t","agent":"a\n::error ::a","phase":"p\n##vso[task.x]p","query":"q"}` + "\n"})
	got, err := f.Show(t.Context(), ShowInput{})
	if err != nil || len(got.Steps) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	var b strings.Builder
	if err := got.WriteText(&b, false); err != nil || strings.Count(b.String(), "\n") != 2 || strings.Contains(b.String(), "##vso[") {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestTrajectory(t *testing.T) {
	ctx := context.Background()
	root, f := project(t, map[string]string{
		"loa-grimoire/a2a/trajectory/a-2001-09-09.jsonl": strings.Join([]string{
			`{"ts":"2001-09-09T01:00:00Z","agent":"a","phase":"intent","query":"x"}`,
			`{"ts":"2001-09-09T01:00:01Z","agent":"a","phase":"execute","query":"x","result_count":70}`,
			`{"ts":"2001-09-09T01:0`,
			``,
			`{"ts":"2001-09-09T01:00:03Z","agent":"a","phase":"execute","query":"y","result_count":3}`,
		}, "\n"),
		"loa-grimoire/a2a/trajectory/2001-08-01.jsonl": `{"timestamp":"2001-08-01T00:00:00Z","action":"search","type":"semantic","query":"old","results":2}` + "\n",
		"loa-grimoire/a2a/trajectory/note.txt":         "no log",
	})
	got, err := f.Show(ctx, ShowInput{})
	if err != nil || got.Total != 4 || len(got.Bad) != 1 || got.Bad[0].Line != 3 || got.Loss != .2 || got.Steps[0].Query != "old" {
		t.Fatalf("%+v, %v", got, err)
	}
	checked, err := f.CheckLog(ctx, LogCheckInput{Agent: "a"})
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, x := range checked.Faults {
		rules = append(rules, x.Rule)
	}
	if strings.Join(rules, " ") != "line reason intent" || fault.KindOf(checked.Verdict()) != fault.Negative {
		t.Errorf("faults %+v", checked.Faults)
	}
	if p, err := f.Pivot(ctx, PivotInput{Failure: "wide", Refined: "narrow", Query: "z", Agent: "a"}); err != nil || p.Record.Reason != "another hypothesis" {
		t.Errorf("%+v, %v", p, err)
	}
	pruned, err := f.Prune(ctx, PruneInput{Days: 30})
	if err != nil || len(pruned.Removed) != 1 || pruned.Removed[0] != "2001-08-01.jsonl" {
		t.Errorf("%+v, %v", pruned, err)
	}
	left, _ := filepath.Glob(filepath.Join(root, "loa-grimoire", "a2a", "trajectory", "*"))
	if len(left) != 2 {
		t.Errorf("left %v", left)
	}
	if _, err := os.Stat(filepath.Join(root, "loa-grimoire", "a2a", "trajectory", "note.txt")); err != nil {
		t.Error(err)
	}
}

func TestPending(t *testing.T) {
	root, f := project(t, map[string]string{"loa-grimoire/x": ""})
	l, _ := trajectory.Open(root, "")
	at := time.Unix(1e9, 0)
	seventy := 70
	add := func(r trajectory.Record) {
		t.Helper()
		r.Time, r.Agent = at, "a"
		if err := l.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	add(trajectory.Record{Phase: "intent", Query: "x"})
	add(trajectory.Record{Phase: "execute", Query: "x", Results: &seventy})
	if q, n, ok := l.Pending("a", at); !ok || q != "x" || n != 70 {
		t.Errorf("pending %q %d %v", q, n, ok)
	}
	if _, _, ok := l.Pending("b", at); ok {
		t.Error("another agent's search is pending")
	}
	if p, err := f.Pivot(context.Background(), PivotInput{Failure: "wide", Refined: "narrow", Query: "z", Agent: "a"}); err != nil || p.Record.Original != "x" || *p.Record.Results != 70 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, _, ok := l.Pending("a", at); ok {
		t.Error("it is pending after a pivot")
	}
}

// Audits leave a log that passes its own check: each says why before it runs, what answered
// how well, and what it finds is no search that was too wide.
func TestAuditsLogged(t *testing.T) {
	files := maps.Clone(mail)
	files["loa-grimoire/x"] = ""
	for i := range 60 {
		files[fmt.Sprintf("gen/f%d.go", i)] = fmt.Sprintf("package gen\n\nfunc Orphan%d() {}\n", i)
	}
	root, f := project(t, files)
	f.cfg.Ask = asked(t, false)
	ctx := t.Context()
	why := Why{Intent: "find promises", Rationale: "a release", Expect: "none", Agent: "rider"}
	if _, err := f.Ghosts(ctx, GhostsInput{Scope: Scope{Why: why}}); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Shadows(ctx, ShadowsInput{}); err != nil || got.Orphaned < 60 || len(got.Modules) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := f.Ghost(ctx, GhostInput{Feature: "telepathic penguins"}); err != nil {
		t.Fatal(err)
	}
	f.cfg.Ask = nil
	if _, err := f.Ride(ctx, RideInput{}); err != nil {
		t.Fatal(err)
	}
	checked, err := f.CheckLog(ctx, LogCheckInput{})
	if err != nil || len(checked.Faults) > 0 || checked.Records < 9 {
		t.Errorf("%+v, %v", checked, err)
	}
	log, err := os.ReadFile(filepath.Join(root, "loa-grimoire", "a2a", "trajectory", "rider-2001-09-09.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"phase":"intent"`) || !strings.Contains(lines[0], `"intent":"find promises","rationale":"a release","expected_outcome":"none"`) ||
		!strings.Contains(lines[1], `"phase":"execute"`) || !strings.Contains(lines[1], `"search_mode":"ck","precision":"high","cache_hit":`) {
		t.Errorf("the log is\n%s", log)
	}
	log, _ = os.ReadFile(filepath.Join(root, "loa-grimoire", "a2a", "trajectory", "unknown-2001-09-09.jsonl"))
	if !strings.Contains(string(log), `"search_mode":"grep","precision":"medium"`) || !strings.Contains(string(log), `"expected_outcome":"a document for every declaration"`) {
		t.Errorf("the log is\n%s", log)
	}
	l, _ := trajectory.Open(root, "")
	if q, n, ok := l.Pending("unknown", time.Unix(1e9, 0)); ok {
		t.Errorf("the findings of %q, %d, call for a pivot", q, n)
	}
}

// Preflight leaves an index that has all of the tree, and none where the project's
// integrity is lost.
func TestPreflightIndexes(t *testing.T) {
	_, f := project(t, mail)
	if got, err := f.Preflight(t.Context(), PreflightInput{}); err != nil || got.Index.Ready || got.Index.Lack == "" {
		t.Errorf("without an index to ask: %+v, %v", got, err)
	}
	n := 0
	ask := asked(t, false)
	f.cfg.Ask = func(ctx context.Context, root, dir, path string, refresh bool, do func(*engine.Engine, *engine.View, string) error) error {
		n++
		return ask(ctx, root, dir, path, refresh, do)
	}
	if got, err := f.Preflight(t.Context(), PreflightInput{}); err != nil || !got.Index.Ready || n != 1 {
		t.Errorf("%+v, %v, asked %d times", got, err, n)
	}
	_, f = project(t, map[string]string{".loa.config.yaml": "integrity_enforcement: strict\n", ".claude/checksums.json": `{"algorithm":"sha256","files":{"gone":"00"}}`})
	f.cfg.Ask = func(context.Context, string, string, string, bool, func(*engine.Engine, *engine.View, string) error) error {
		t.Error("a project that is not trusted was indexed")
		return nil
	}
	if got, err := f.Preflight(t.Context(), PreflightInput{}); err != nil || got.Verdict() == nil {
		t.Errorf("%+v, %v", got, err)
	}
}
