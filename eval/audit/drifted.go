package main

import (
	"context"
	"fmt"
	"io"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/audit/claims"
)

// drifted judges the drift of a project as it is by its labels, where it has any: what
// signatures, links and anchors of documents have otherwise than the tree.
func (f *naturalFigures) drifted(ctx context.Context, o options, name, root string, labelled [][]string, w io.Writer) error {
	labels := map[string]label{}
	for _, l := range labelled {
		if l[0] == name {
			labels[l[1]+"\x00"+l[3]] = label{l[4], l[5]}
		}
	}
	if len(labels) == 0 {
		return nil
	}
	var got *audit.CI
	err := asked(o.modes, func(feature *audit.Feature) (err error) {
		got, err = feature.CI(ctx, audit.CIInput{FailOn: "none", Scope: audit.Scope{Project: audit.Project{Root: root}}})
		return err
	})
	if err != nil {
		return err
	}
	met := map[string]bool{}
	for i := range got.Findings {
		d := &got.Findings[i]
		if d.Rule != claims.DriftRule {
			continue
		}
		key := d.Path + "\x00" + d.Name
		l, ok := labels[key]
		met[key] = true
		if !ok {
			f.driftUnlabelled++
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t?\t%s\n", name, d.Path, d.Line, d.Name, d.Message)
			continue
		}
		f.drift.count(l.verdict == "true", true)
		if o.verbose && l.verdict == "false" {
			fmt.Fprintf(w, "false drift %s %s %s: %s\n", name, d.Place, d.Name, l.reason)
		}
	}
	for key, l := range labels {
		if !met[key] && l.verdict == "true" {
			f.drift.count(true, false)
		}
	}
	return nil
}
