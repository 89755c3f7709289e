package engine

import (
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
)

// Check reads all of the index, and the files whose texts it says it has.
func (e *Engine) Check(ctx context.Context) ([]index.Problem, error) {
	problems, err := e.Problems(ctx)
	if err != nil || len(problems) > 0 {
		return problems, err
	}
	return e.wrongTexts(ctx)
}

// Problems reads all of the index, and nothing of the tree.
func (e *Engine) Problems(ctx context.Context) ([]index.Problem, error) {
	if !e.ix.ReadOnly() {
		switch w, err := e.lock(ctx, true); {
		case err == nil:
			defer w.Close()
		case ctx.Err() != nil:
			return nil, err
			// Else no lock can be had, on a full disk for example, and nobody can write.
		}
	}
	return e.ix.Problems(ctx)
}

func (e *Engine) wrongTexts(ctx context.Context) (problems []index.Problem, err error) {
	snap, err := e.ix.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	err = snap.Docs(func(d index.DocInfo) bool {
		// In another encoding a text may have twice the bytes, and a mark.
		text, _, err := readText(e.root, d.Path, 2*int64(d.Size)+2)
		if err != nil {
			return true // gone or changed since: the next sync sees it
		}
		if len(text) == d.Size && hashOf(text) != d.Hash {
			if st, err := os.Stat(e.Abs(d.Path)); err == nil && st.ModTime().Before(e.cfg.Now().Add(-10e9)) {
				problems = append(problems, index.Problem{Where: d.Path, What: "it is not the text that was indexed"})
			}
		}
		return ctx.Err() == nil
	})
	return problems, cmp.Or(err, ctx.Err())
}

// A Difference is a file for which the index is not what one built from the tree now
// would be.
type Difference struct {
	Path string `json:"path"`
	What string `json:"what"` // see Differences
}

// Differences says what differs, in the order in which a Difference is told.
func Differences() []string {
	return []string{"missing", "extra", "document", "chunks", "facts", "words", "trigrams", "keys", "vectors"}
}

// AgainstTree compares the index with what would be built from the tree now, file by
// file, and returns how many files were compared. It writes nothing and holds little
// more than a segment in memory.
func (e *Engine) AgainstTree(ctx context.Context, opt Options) (diffs []Difference, files int, err error) {
	snap, err := e.ix.Snapshot(ctx)
	if err != nil {
		return nil, 0, err
	}
	embedder := ""
	if _, local := e.cfg.Embedder.(embed.Local); local { // others have to be paid for
		embedder = e.cfg.Embedder.Name()
	}
	have := map[string]index.Print{}
	if err := snap.Prints(embedder, func(p index.Print) bool { have[p.Path] = p; return ctx.Err() == nil }); err != nil {
		return nil, 0, err
	}
	tree, err := e.walk(ctx)
	if err != nil {
		return nil, 0, err
	}
	// An engine without an index, so that nothing kept says how a text is read.
	fresh := &Engine{cfg: e.cfg, root: e.root, ix: index.Memory(e.ix.ID())}
	empty, err := fresh.ix.Snapshot(ctx)
	if err != nil {
		return nil, 0, err
	}
	err = fresh.run(ctx, compare(tree, nil), empty, opt, inTurn(func(b *index.Builder, _ []loaded) error {
		one, err := empty.With(b, nil)
		if err != nil {
			return err
		}
		return one.Prints(embedder, func(want index.Print) bool {
			files++
			got, ok := have[want.Path]
			delete(have, want.Path)
			if what := differs(got, want, ok); what != "" {
				diffs = append(diffs, Difference{want.Path, what})
			}
			return true
		})
	}))
	for path := range have {
		diffs = append(diffs, Difference{path, "extra"})
	}
	order := Differences()
	sorting.Stable(diffs, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.What), slices.Index(order, b.What)), cmp.Compare(a.Path, b.Path))
	})
	return diffs, files, cmp.Or(err, ctx.Err())
}

// differs says what of a document is not as it ought to be, or "".
func differs(got, want index.Print, ok bool) string {
	if !ok {
		return "missing"
	}
	got.ID, got.First = want.ID, want.First // where it is in the index is no difference
	for _, part := range []struct {
		what string
		same bool
	}{
		{"document", got.DocInfo == want.DocInfo},
		{"chunks", got.Spans == want.Spans},
		{"facts", got.Facts == want.Facts},
		{"words", got.Words == want.Words},
		{"trigrams", got.Trigrams == want.Trigrams},
		{"keys", got.Keys == want.Keys},
		{"vectors", got.Vectors == want.Vectors},
	} {
		if !part.same {
			return part.what
		}
	}
	return ""
}
