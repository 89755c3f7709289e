package audit

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/domain/trajectory"
)

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
	if strings.Join(rules, " ") != "line intent" || fault.KindOf(checked.Verdict()) != fault.Negative {
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
