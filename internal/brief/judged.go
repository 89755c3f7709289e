package brief

import (
	"context"

	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
)

// A Judged is something that a task may change, with the values of its profile's signals.
type Judged struct {
	Path   string
	Name   string // of a declaration
	Line   int
	Values []float64
	Score  float64
}

// Judge returns what a brief is chosen from, for those who fit the weights: files,
// declarations and tests.
func (f *Feature) Judge(ctx context.Context, in Input) (files, places, tests []Judged, err error) {
	err = f.trees.Ask(ctx, in.Root, in.IndexDir, "", !in.NoRefresh, func(e *engine.Engine, v *engine.View, _ string) error {
		s := &session{ctx: ctx, e: e, v: v, f: f, task: in.Task, out: &Brief{}}
		p, release, err := v.Project(ctx)
		if err != nil {
			return err
		}
		defer release()
		p.Under(facts.Host())
		s.p = p
		if err := s.locate(); err != nil {
			return err
		}
		for _, f := range s.files {
			files = append(files, Judged{Path: f.path, Values: f.value[:], Score: f.score})
		}
		for _, x := range s.likely {
			places = append(places, Judged{x.file.path, x.decl.Qualified(), s.line(x.file, x.decl.NameAt), x.value[:], x.score})
		}
		s.around()
		for doc, v := range s.tested.value {
			tests = append(tests, Judged{Path: p.Docs[doc].Path, Values: v[:]})
		}
		return nil
	})
	return files, places, tests, err
}
