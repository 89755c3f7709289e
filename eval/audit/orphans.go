package main

import (
	"context"
	"fmt"
	"io"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/audit/claims"
)

// shaded judges the orphans of a project as it is by their labels, where it has any.
func (f *naturalFigures) shaded(ctx context.Context, o options, name, root string, shades [][]string, w io.Writer) error {
	labels := map[string]string{}
	for _, l := range shades {
		if l[0] == name {
			labels[l[1]+"\x00"+l[3]] = l[4]
		}
	}
	if len(labels) == 0 {
		return nil
	}
	var got *audit.Shadows
	err := asked(o.modes, func(feature *audit.Feature) (err error) {
		got, err = feature.Shadows(ctx, audit.ShadowsInput{Scope: audit.Scope{Project: audit.Project{Root: root}}})
		return err
	})
	if err != nil {
		return err
	}
	for i := range got.Modules {
		m := &got.Modules[i]
		if m.Shade != claims.Orphaned {
			continue
		}
		right := true
		for k := range m.Members {
			s := &m.Members[k]
			if s.Shade != claims.Orphaned {
				continue
			}
			key := s.Path + "\x00" + s.Qualified()
			verdict := labels[key]
			delete(labels, key)
			if verdict == "" {
				f.orphansUnlabelled++
				fmt.Fprintf(w, "%s\t%s\t%d\t%s\t?\n", name, s.Path, s.Line, s.Qualified())
				continue
			}
			right = right && verdict == "true"
			f.orphans.count(verdict == "true", true)
			if o.verbose && verdict == "false" {
				fmt.Fprintf(w, "false orphan %s %s %s\n", name, s.Place, s.Qualified())
			}
		}
		f.orphanRows.count(right, true)
	}
	for _, verdict := range labels {
		if verdict == "true" {
			f.orphans.count(true, false)
		}
	}
	return nil
}
