package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/internal/audit"
)

// called looks at the calls in examples of the documents of each project in a folder: how many were compared with what
// they call, by what that is, and which of them are reported, for a reader to judge.
func called(ctx context.Context, o options, folders []string, w io.Writer) error {
	compared, reported, projects := map[string]int{}, 0, 0
	for _, folder := range folders {
		list, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range list {
			if !e.IsDir() {
				continue
			}
			root, err := filepath.Abs(filepath.Join(folder, e.Name()))
			if err != nil {
				return err
			}
			var got *audit.Shadows
			err = asked(o.modes, func(feature *audit.Feature) (err error) {
				got, err = feature.Shadows(ctx, audit.ShadowsInput{Explain: true, Scope: audit.Scope{Project: audit.Project{Root: root}}})
				return err
			})
			if err != nil {
				return fmt.Errorf("%s: %w", e.Name(), err)
			}
			projects++
			calls := 0
			for i := range got.Modules {
				for k := range got.Modules[i].Members {
					s := &got.Modules[i].Members[k]
					compared[s.Kind] += s.Calls
					calls += s.Calls
					if s.Called {
						reported++
						fmt.Fprintf(w, "%s\t%s\t%d\t%s %s\t%s\n", e.Name(), s.Doc.Path, s.Doc.Line, s.Kind, s.Qualified(), s.Difference)
					}
				}
			}
			if o.verbose {
				fmt.Fprintf(w, "%s: %d calls\n", e.Name(), calls)
			}
		}
	}
	_, err := fmt.Fprintf(w, "%d projects: calls of functions %d, methods %d, constructors %d; %d declarations reported\n", projects, compared["function"], compared["method"], compared["class"], reported)
	return err
}
