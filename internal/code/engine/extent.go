package engine

import (
	"context"
	"path"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
)

// Extent says whether the view has all of the tree. A frozen one is of the index,
// and has all of that.
func (v *View) Extent() corpus.Extent {
	if v.Stale == 0 && !v.Snap.Damaged() {
		return corpus.Extent{Complete: true}
	}
	total := max(v.Files(), v.Stale)
	return corpus.Extent{Frozen: v.frozen, Indexing: &corpus.Indexing{Done: total - v.Stale + v.onTheirWay, Total: total, Words: v.readAll}}
}

// NotCovered counts the files that the view neither ranks nor has facts of. pass
// says which count, by their path and the reason; the path is empty for what was left
// out by its name or could not be listed.
func (v *View) NotCovered(ctx context.Context, pass func(path, why string) bool) (corpus.NotCovered, error) {
	nc := corpus.NotCovered{Stale: v.Stale}
	left, err := v.left(ctx)
	if err != nil {
		return nc, err
	}
	if v.Tree != nil {
		nc.Ignored = v.Tree.Skipped["ignored"]
		for _, why := range []discover.Reason{"secret", discover.Unreadable} {
			if pass("", string(why)) {
				nc.Add(string(why), v.Tree.Skipped[why])
			}
		}
	}
	for _, w := range left {
		if why := w.why.String(); pass(path.Join(w.dir, w.name), why) {
			nc.Add(why, 1)
		}
	}
	return nc, nil
}

// Excluded returns the files that the view neither ranks nor has facts of, with the reasons.
func (v *View) Excluded(ctx context.Context) (map[string]string, error) {
	left, err := v.left(ctx)
	out := make(map[string]string, len(left))
	for _, w := range left {
		out[path.Join(w.dir, w.name)] = w.why.String()
	}
	return out, err
}

// left returns the files that the index knows and has no facts of: those of the tree or,
// where that was not looked at, of the index.
func (v *View) left(ctx context.Context) ([]without, error) {
	if v.Tree != nil {
		return v.without, nil
	}
	if v.e.keepsLooks() {
		if kept, same := v.e.ix.Sight(v.Snap.State); same {
			if p, _ := unpackPlan(kept); p != nil {
				return p.without, nil
			}
		}
	}
	manifest, err := v.e.ix.Manifest(ctx)
	if err != nil {
		return nil, err
	}
	var p plan
	for dir, d := range manifest {
		r := d.Read()
		for e := (index.Entry{}); r.Next(&e); {
			p.note(dir, &e)
		}
	}
	return p.without, nil
}
