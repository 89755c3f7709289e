package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/graph"
)

// many is a project of n files. The last of them declares target, which the first
// calls, so that neither is known for long without the other.
func many(t *testing.T, n int) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.com/many\n\ngo 1.26\n")
	for i := range n - 3 {
		put(fmt.Sprintf("f%04d.go", i), fmt.Sprintf("package many\n\nfunc part%03d() int { return %d }\n", i, i))
	}
	put("a.go", "package many\n\nfunc use() int { return target() }\n")
	put("z.go", "package many\n\nfunc target() int { return 1 }\n")
	return root
}

// An outcome is what every answer says of itself.
type outcome struct {
	Complete bool
	Indexing *struct{ Done, Total int }
	Notes    []string

	text, json string
}

// told reads what it says.
func told(t *testing.T, a graph.StructureAnswer, err error) outcome {
	t.Helper()
	if err != nil {
		t.Fatalf("an error where the tree is not known: %v", err)
	}
	var text bytes.Buffer
	if err := a.WriteText(&text, false); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{text: text.String(), json: string(b)}
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// questions are all that conclude from what is not there.
var questions = map[string]string{
	"callers": "target", "callees": "target", "functions": "target", "impact": "target", "imports": "z.go", "importers": "z", "inventory": "z.go",
}

// negative is what no answer says that does not know the whole tree.
var negative = []string{"no function", "no source file", "no file", "no call", "calls nothing", "nothing imports", "nothing is known", "no imports", "none of the", "near it", "# 0 ", "looked at"}

// TestNothingFromPartialKnowledge asks each question while only a part of the tree
// is indexed, and again until all of it is.
func TestNothingFromPartialKnowledge(t *testing.T) {
	const files, step = 12, 5
	for op, about := range questions {
		t.Run(op, func(t *testing.T) {
			root := many(t, files)
			c := code.New(workspace.New(workspace.Config{WorkDir: root, Most: step, Now: later}), code.Config{})
			t.Cleanup(func() { c.Close() })
			f := graph.New(c.Workspace())
			ask := func() (graph.StructureAnswer, error) {
				return f.Structure(t.Context(), graph.StructureInput{QueryType: op, Pattern: about})
			}
			for done := step; done < files; done += step {
				a, err := ask()
				o := told(t, a, err)
				if o.Complete || o.Indexing == nil || o.Indexing.Done != done || o.Indexing.Total != files {
					t.Fatalf("after %d of %d files it says %s", done, files, o.json)
				}
				said := fmt.Sprintf("still indexing: %d of %d files read; ask again", done, files)
				if !strings.Contains(o.text, said) || !strings.Contains(o.json, said) {
					t.Errorf("it does not say %q:\n%s\n%s", said, o.text, o.json)
				}
				for _, n := range negative {
					if strings.Contains(o.text+o.json, n) {
						t.Errorf("it says %q after %d of %d files:\n%s", n, done, files, o.text)
					}
				}
			}
			a, err := ask()
			if o := told(t, a, err); !o.Complete || o.Indexing != nil || strings.Contains(o.text, "still indexing") {
				t.Errorf("all is indexed, and it says %s", o.json)
			}
		})
	}
}

// TestStatusOfPartialKnowledge holds that a command which found nothing ends with the
// status of what is stale, and one which found something as ever.
func TestStatusOfPartialKnowledge(t *testing.T) {
	c := code.New(workspace.New(workspace.Config{WorkDir: many(t, 12), Most: 5, Now: later}), code.Config{})
	t.Cleanup(func() { c.Close() })
	f := graph.New(c.Workspace())
	for _, name := range []string{"target", "nothing"} {
		a, err := f.Callers(t.Context(), graph.CallsInput{Function: name})
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := errors.AsType[*fault.Error](a.Verdict()); !ok || v.Kind != fault.Stale {
			t.Errorf("callers %s: the verdict is %v", name, a.Verdict())
		}
	}
	a, err := f.Callers(t.Context(), graph.CallsInput{Function: "target"})
	if err != nil || !a.Complete || len(a.Callers) != 1 || a.Verdict() != nil {
		t.Errorf("callers target: %+v, %v, %v", a, err, a.Verdict())
	}
}

// TestFrozenIsSaid holds that a question which is not to refresh the index says how much
// of the tree it knows: of an index that was never built, of one whose building was
// interrupted, and of one that has all.
func TestFrozenIsSaid(t *testing.T) {
	root := many(t, 12)
	ask := func(wantDone, total int) {
		t.Helper()
		c := code.New(workspace.New(workspace.Config{WorkDir: root, Now: later}), code.Config{})
		defer c.Close()
		f := graph.New(c.Workspace())
		whole := wantDone == total
		said := fmt.Sprintf("not refreshed: the index has %d of %d files as they are now; ask without --no-refresh", wantDone, total)
		a, err := f.Inventory(t.Context(), graph.InventoryInput{Filter: graph.Filter{NoRefresh: true}})
		if o := told(t, a, err); strings.Contains(o.text, said) == whole || a.Complete != whole || (a.Indexing == nil) != whole {
			t.Errorf("inventory, %d of %d: %+v\n%s", wantDone, total, a.Extent, o.text)
		}
		b, err := f.Callers(t.Context(), graph.CallsInput{Function: "nowhere", Filter: graph.Filter{NoRefresh: true}})
		if whole != (fault.KindOf(err) == fault.NotFound) || !whole && (err != nil || fault.KindOf(b.Verdict()) != fault.Stale || b.Verdict().Error() != said) {
			t.Errorf("callers, %d of %d: %+v, %v", wantDone, total, b, err)
		}
		s, err := c.Search(t.Context(), code.SearchInput{Query: "zygomatic", NoRefresh: true})
		if err != nil || len(s.Notes) == 0 || (s.Notes[0] == said) == whole || s.Complete != whole {
			t.Errorf("search, %d of %d: %+v, %v", wantDone, total, s, err)
		}
		// A pattern is looked for in the files.
		r, err := c.Search(t.Context(), code.SearchInput{Query: "func target", Regex: true, NoRefresh: true})
		if err != nil || len(r.Hits) == 0 || !r.Complete {
			t.Errorf("pattern, %d of %d: %+v, %v", wantDone, total, r, err)
		}
	}
	tree, err := discover.Walk(t.Context(), root, discover.Options{})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, d := range tree.Dirs {
		total += len(d.Files)
	}
	ask(0, total)
	e, err := engine.Open(t.Context(), engine.Config{Root: root, IndexDir: filepath.Join(root, ".assay", "index"), Now: later, Most: 5})
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.View(t.Context(), engine.Options{})
	if err == nil {
		err = errors.Join(v.Publish(t.Context()), e.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	ask(5, total)
	all := code.New(workspace.New(workspace.Config{WorkDir: root, Now: later}), code.Config{})
	if _, err := all.Index(t.Context(), code.IndexInput{}); err != nil {
		t.Fatal(err)
	}
	all.Close()
	ask(total, total)
}

// later is a time at which no file was written a moment ago.
func later() time.Time { return time.Now().Add(time.Hour) }

// TestUnknownWhenWhole holds that the error about a name that is not there comes as
// soon as all of the tree is known, and with what is near.
func TestUnknownWhenWhole(t *testing.T) {
	c := code.New(workspace.New(workspace.Config{WorkDir: many(t, 12), Now: later}), code.Config{})
	t.Cleanup(func() { c.Close() })
	_, err := graph.New(c.Workspace()).Callers(t.Context(), graph.CallsInput{Function: "targett"})
	if f, ok := errors.AsType[*fault.Error](err); !ok || f.Kind != fault.NotFound || !strings.Contains(f.Msg, "near it: target") {
		t.Errorf("the error is %v", err)
	}
}

// TestWaitsForTheWriter has another process write the index when a question comes,
// and goes on writing until a search that came later has given up waiting.
func TestWaitsForTheWriter(t *testing.T) {
	root := many(t, 1100) // more than is laid over the index in memory while another writes it
	other, err := engine.Open(t.Context(), engine.Config{Root: root, IndexDir: filepath.Join(root, ".assay", "index"), Now: later})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	writing, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := other.Sync(context.Background(), engine.Options{Progress: func(stage string, _, _ int64) {
			if stage == "looking at files" {
				close(writing)
				<-goOn
			}
		}})
		ended <- err
	}()
	<-writing
	c := code.New(workspace.New(workspace.Config{WorkDir: root, Refresh: time.Nanosecond, Wait: time.Hour, Now: later}), code.Config{})
	t.Cleanup(func() { c.Close() })
	waiting := make(chan struct{})
	ctx := work.With(t.Context(), work.Report{Progress: func(stage string, _, _ int64) {
		if stage == "waiting for the index" {
			close(waiting)
		}
	}})
	type answer struct {
		*graph.Callers
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		a, err := graph.New(c.Workspace()).Callers(ctx, graph.CallsInput{Function: "target"})
		answered <- answer{a, err}
	}()
	<-waiting
	if a, err := c.Search(t.Context(), code.SearchInput{Query: "target", Regex: true}); err != nil || len(a.Hits) != 2 {
		t.Errorf("a pattern meanwhile: %+v, %v", a, err)
	}
	close(goOn)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	got := <-answered
	if got.err != nil || !got.Complete || len(got.Callers.Callers) != 1 || got.Callers.Callers[0].Function != "use" {
		t.Errorf("callers of target: %+v, %v", got.Callers, got.err)
	}
}
