package code

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/work"
)

// logged returns the log that a search belongs into, if it is to be logged: where
// a log is kept for every search, or where this one says why it is made.
func (f *Feature) logged(r *request) (trajectory.Log, bool) {
	if f.cfg.Trajectory == NoTrajectory {
		return trajectory.Log{}, false
	}
	l, kept := trajectory.Open(r.target.Root, f.cfg.Trajectory)
	in := &r.in
	return l, kept || in.Intent+in.Rationale+in.Expect != ""
}

// LogsSearches reports whether the searches of a served tree are logged, because a setting or the state of an agent framework
// in the tree says so.
func (f *Feature) LogsSearches() bool {
	if f.cfg.Trajectory == NoTrajectory {
		return false
	}
	roots := f.around.Roots
	if len(roots) == 0 {
		if root, err := f.trees.Project(f.around.WorkDir); err == nil {
			roots = []string{root}
		}
	}
	return slices.ContainsFunc(roots, func(root string) bool {
		_, kept := trajectory.Open(root, f.cfg.Trajectory)
		return kept
	})
}

func (f *Feature) record(ctx context.Context, r *request, phase string) trajectory.Record {
	path, more := r.searched()
	return trajectory.Record{Time: f.around.Now().UTC(), Agent: cmp.Or(r.in.Agent, f.cfg.Agent, work.FromContext(ctx).Client, "unknown"), Phase: phase, Action: "search",
		Mode: r.mode, Query: echo(r.in.Query), Path: path, Paths: more}
}

// searched returns what a search is of: the tree, or the folders and files of it that were
// named, the first of them and, where there are several, all.
func (r *request) searched() (path string, all []string) {
	for _, w := range r.target.Within {
		all = append(all, filepath.Join(r.target.Root, filepath.FromSlash(w)))
	}
	switch len(all) {
	case 0:
		return r.target.Root, nil
	case 1:
		return all[0], nil
	}
	return all[0], all
}

// intend logs why a search is made, before it is made.
func (f *Feature) intend(ctx context.Context, r *request) error {
	if f.cfg.Gate != nil {
		if err := f.cfg.Gate(r.target.Root); err != nil {
			return err
		}
	}
	if f.cfg.Trajectory == "strict" && r.in.Expect == "" && r.cursor == nil {
		return fault.New(fault.Usage, "a search has to say what it expects to find: the trajectory is kept strictly here").
			Or("give --expect, --intent and --rationale")
	}
	l, ok := f.logged(r)
	if !ok {
		return nil
	}
	rec := f.record(ctx, r, "intent")
	if query, n, pending := l.Pending(rec.Agent, rec.Time); pending && r.cursor == nil {
		if f.cfg.Trajectory == "strict" {
			return fault.New(fault.Usage, "the last search, %q, had %d results, which is too many to reason from: say first why, and what the next one looks for instead", query, n).
				Or("assay trajectory pivot --hypothesis-failure … --refined-hypothesis … --new-query …")
		}
		work.FromContext(ctx).Note("the last search, %q, had %d results; trajectory pivot records why the next one is narrower", query, n)
	}
	rec.Intent, rec.Rationale, rec.Expected = r.in.Intent, r.in.Rationale, r.in.Expect
	if err := l.Append(rec); err != nil {
		if f.cfg.Trajectory == "strict" {
			return fault.New(fault.Unavailable, "the trajectory cannot be written").Because(err).Or("check the permissions of %s", l.Dir())
		}
		work.FromContext(ctx).Note("trajectory not written: %v", err)
	}
	return nil
}

// executed logs what a search gave.
func (f *Feature) executed(ctx context.Context, r *request, a *SearchAnswer) {
	l, ok := f.logged(r)
	if !ok {
		return
	}
	rec := f.record(ctx, r, "execute")
	rec.TopK, rec.Threshold, rec.Engine = r.in.TopK, r.in.Threshold, a.Degraded
	rec.Quality = trajectory.Indexed(a.Complete && a.Degraded == "", a.fresh)
	n := a.Pagination.Available
	rec.Results = &n
	if rec.Reason = a.Lack(); rec.Reason == "" || n > 0 {
		rec.Discrepancy = discrepancy(r.in.Expect, n)
	}
	for _, h := range a.Hits {
		rec.Scores = append(rec.Scores, h.Score)
	}
	if err := l.Append(rec); err != nil {
		work.FromContext(ctx).Note("trajectory not written: %v", err)
	}
}

var one = lazy.Regexp(`(?i)\b(?:one|single|only|exactly|the)\b`)

// discrepancy says how a number of results differs from what was expected, or "".
func discrepancy(expected string, n int) string {
	switch {
	case expected == "":
		return ""
	case n == 0 && !strings.Contains(strings.ToLower(expected), "no"):
		return "something was expected and nothing found"
	case n > trajectory.Crowded && one.MatchString(expected):
		return fmt.Sprintf("one thing was expected and %d found", n)
	}
	return ""
}
