package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A folder is a Backend that is an index in a folder: what a database is to the engine.
type folder struct{ *index.Index }

func (f folder) Current(ctx context.Context) (*index.Snapshot, error) { return f.Snapshot(ctx) }
func (f folder) Tidy(context.Context) error                           { return nil }
func (f folder) Close()                                               {}

func (f folder) Change(ctx context.Context, c index.Change) error {
	w, err := f.Lock(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	snap, err := f.Snapshot(ctx)
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, p := range c.Delete {
		gone[p] = true
	}
	batch, b := index.Batch{NextDoc: snap.NextDoc + uint32(len(c.Put))}, index.NewBuilder()
	for i, d := range c.Put {
		gone[d.Path] = true
		n := *d
		n.ID = snap.NextDoc + uint32(i)
		b.Add(&n)
	}
	if err := snap.Docs(func(d index.DocInfo) bool {
		if gone[d.Path] {
			batch.Dead = append(batch.Dead, d.ID)
		}
		return true
	}); err != nil {
		return err
	}
	if b.Len() > 0 {
		built, err := f.Build(b)
		if err != nil {
			return err
		}
		batch.Segments = append(batch.Segments, built)
	}
	return w.Publish(ctx, batch)
}

// backends are those that the engine is held to with; builds with the tag team have a
// database too.
func backends(t *testing.T) map[string]func() (index.Backend, error) {
	dir := t.TempDir()
	out := map[string]func() (index.Backend, error){"folder": func() (index.Backend, error) {
		ix, err := index.Open(t.Context(), dir, false)
		if err == nil {
			t.Cleanup(func() { ix.Close() })
		}
		return folder{ix}, err
	}}
	if name, open := database(t); open != nil {
		out[name] = open
	}
	return out
}

func answers(t *testing.T, e *engine.Engine, queries ...string) (out []string) {
	t.Helper()
	v, err := e.View(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Stale != 0 {
		t.Errorf("%d files are stale", v.Stale)
	}
	for _, q := range queries {
		a, err := v.Search(t.Context(), engine.Query{Plan: rank.Parse(q, rank.Hybrid), Most: 10})
		if err != nil {
			t.Fatal(err)
		}
		if a.Degraded != "" {
			t.Errorf("%q: degraded: %s", q, a.Degraded)
		}
		for _, h := range a.Hits {
			out = append(out, fmt.Sprintf("%s: %s:%d %.5f", q, h.Doc.Path, h.Start, h.Score))
		}
	}
	if err := v.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out
}

// A machine that reads a shared index answers from its own tree, with the very answers of an
// index of its own, and changes nothing for others.
func TestSharedIndex(t *testing.T) {
	for name, open := range backends(t) {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for i := range 40 {
				files[fmt.Sprintf("p%d/f%d.go", i%5, i)] = fmt.Sprintf("package p%d\n\n// Renew%d renews the token of session %d.\nfunc Renew%d(s *Session) error {\n\treturn s.renew(%d)\n}\n", i%5, i, i, i, i)
			}
			files["vendor/x/x.go"] = "package x\n\nfunc Renew() {}\n"
			provider, err := embed.Open(embed.Config{Provider: "static"})
			if err != nil {
				t.Fatal(err)
			}
			at := func(tr *tree, with bool) *engine.Engine {
				cfg := engine.Config{Root: tr.root, IndexDir: tr.dir, Embedder: provider, Now: func() time.Time { return tr.now }}
				if with {
					cfg.Backend = func(context.Context) (index.Backend, error) { return open() }
				} else {
					cfg.IndexDir = t.TempDir()
				}
				e, err := engine.Open(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { e.Close() })
				return e
			}
			queries := []string{"renew the token of session 7", "Renew12", "session"}
			same := func(step string, tr *tree) {
				t.Helper()
				want := answers(t, at(tr, false), queries...)
				for _, again := range []string{"", ", once more"} {
					got := answers(t, at(tr, true), queries...)
					if fmt.Sprint(got) != fmt.Sprint(want) || len(got) == 0 {
						t.Fatalf("%s%s: answers\n%v, want those of an index of its own\n%v", step, again, got, want)
					}
				}
			}
			writer, reader := newTree(t, files), newTree(t, files)
			w := at(writer, true)
			if rep, err := w.Sync(t.Context(), engine.Options{}); err != nil || rep.Docs != len(files) {
				t.Fatalf("%d documents of %d were sent, and %v", rep.Docs, len(files), err)
			}
			if rep, err := w.Sync(t.Context(), engine.Options{}); err != nil || rep.Docs != 0 {
				t.Fatalf("%d documents were sent again, and %v", rep.Docs, err)
			}
			same("alike", reader)
			reader.write("p1/f1.go", "package p1\n\n// Other does not renew the session.\nfunc Other() {}\n")
			reader.write("p9/new.go", "package p9\n\n// Renew12 of a session that is new.\nfunc Renew12() {}\n")
			reader.remove("p2/f7.go")
			same("changed here", reader)
			same("changed elsewhere", writer)
			writer.write("p0/f0.go", "package p0\n\n// Gone was the token of session 7.\nfunc Gone() {}\n")
			writer.remove("p3/f3.go")
			if rep, err := w.Sync(t.Context(), engine.Options{}); err != nil || rep.Docs != 1 || rep.Removed != 1 {
				t.Fatalf("%d documents sent, %d removed, want 1 and 1, and %v", rep.Docs, rep.Removed, err)
			}
			same("changed in the index", reader)
			if err := os.WriteFile(filepath.Join(reader.dir, "seen"), []byte("assay seen"), 0o600); err != nil {
				t.Fatal(err)
			}
			same("with a damaged cache", reader)
		})
	}
}

// Where the shared index is away, nothing is answered from what is left on the disk.
func TestSharedIndexAway(t *testing.T) {
	away := errors.New("away")
	tr := newTree(t, map[string]string{"a.go": "package a\n"})
	sync(t, tr.open())
	_, err := engine.Open(t.Context(), engine.Config{Root: tr.root, IndexDir: tr.dir, Backend: func(context.Context) (index.Backend, error) { return nil, away }})
	if !errors.Is(err, away) {
		t.Errorf("Open = %v, want %v", err, away)
	}
}
