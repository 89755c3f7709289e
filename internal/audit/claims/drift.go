package claims

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
)

// A Resolution is a finding of a former report that is fixed.
type Resolution struct {
	Item     string `json:"item"`
	Type     string `json:"type"` // "Ghost→Implemented", "Shadow→Documented", …
	Date     string `json:"date"` // 2026-01-02
	Evidence string `json:"evidence"`
	Ticket   string `json:"-"` // that is still open
}

// How things are resolved.
const (
	Implemented = "Ghost→Implemented"
	Withdrawn   = "Ghost→Withdrawn" // no document promises it any more
	Described   = "Shadow→Documented"
	Gone        = "Shadow→Removed" // it is not in the code any more
)

// A GhostRow is a ghost as a report has it.
type GhostRow struct {
	Feature  string `json:"feature"`
	Source   string `json:"doc_source"` // path:line
	Searched string `json:"search_evidence"`
	Class    string `json:"ambiguity"`
	Ticket   string `json:"beads_id,omitempty"`
}

// A ShadowRow is a module with what no document knows of it, or a declaration that one
// has otherwise, as a report has it.
type ShadowRow struct {
	Module     string `json:"module"`
	Location   string `json:"location"` // path:line, of a module the first that matters most
	Class      string `json:"classification"`
	Dependents string `json:"dependents"`
	Ticket     string `json:"beads_id,omitempty"`
	Shade      Shade  `json:"class,omitempty"`
	Unread     int    `json:"unread_documents,omitempty"` // as in Shadow
	Difference string `json:"difference,omitempty"`
	Doc        string `json:"doc,omitempty"`
	// Members are those of a module; of a declaration there are none.
	Members []Member `json:"members,omitempty"`
	Untold  bool     `json:"untold,omitempty"` // no document names anything of the module
}

// Path returns the file that a row is of.
func (r *ShadowRow) Path() string { return pathOf(r.Location) }

// A VerifiedRow is a feature that was found.
type VerifiedRow struct {
	Feature    string  `json:"feature"`
	Source     string  `json:"documentation"`
	Code       string  `json:"code_location"`
	Confidence float64 `json:"confidence"`
}

// A Report is the state of a project's documents beside its code.
type Report struct {
	Generated time.Time `json:"generated"`
	Target    string    `json:"target"`
	Documents int       `json:"documents"` // that were read
	Features  int       `json:"features"`
	Declared  int       `json:"declarations"`
	Named     int       `json:"named"` // links and names of documents that were compared
	// Score is per cent: the ghosts, broken links and drifted signatures of the features, links and names
	// that were compared. It is null where there was none.
	Score    *float64      `json:"drift_score"`
	Ghosts   []GhostRow    `json:"ghosts"`
	Shadows  []ShadowRow   `json:"shadows"`
	Links    []Link        `json:"broken_links"`
	Verified []VerifiedRow `json:"verified"`
	Resolved []Resolution  `json:"resolved"` // those of former runs first
	New      int           `json:"newly_resolved"`
	Graph    Graph         `json:"-"`
	// Forge returns the address at which a file is shown, or "". Nil: none is known.
	Forge func(path string) string `json:"-"`
}

// Scored says the drift score in words.
func (r *Report) Scored() string {
	switch {
	case r.Score != nil && *r.Score > 0 && *r.Score < 1:
		return fmt.Sprintf("%.1f%%", *r.Score)
	case r.Score != nil:
		return fmt.Sprintf("%.0f%%", *r.Score)
	case r.Documents == 0:
		return "none: there is no document to compare the code with"
	}
	return "none: there is nothing to compare"
}

// Drift compares everything and carries over what a former report has. Progress is
// told what is being done.
func (a *Auditor) Drift(ctx context.Context, former *Former, now time.Time, progress func(stage string)) (*Report, error) {
	progress("Cross-referencing documentation with implementation…")
	features := a.Features()
	r := &Report{Generated: now, Target: a.Tree.Root, Features: len(features), Ghosts: []GhostRow{}, Shadows: []ShadowRow{}, Verified: []VerifiedRow{}, Resolved: former.Resolved}
	verdicts := make([]Verdict, len(features))
	for i, f := range features {
		var err error
		if verdicts[i], err = a.Judge(ctx, f, ""); err != nil {
			return nil, err
		}
	}
	byName, compared, err := a.NamedVerdicts(ctx)
	if err != nil {
		return nil, err
	}
	verdicts, r.Named = slices.Concat(verdicts, byName), compared
	shadows, err := a.Shadows(ctx)
	if err != nil {
		return nil, err
	}
	r.Declared = len(a.decls)
	a.ghosts(r, former, verdicts, now.Format(time.DateOnly))
	a.shadows(r, former, shadows, now.Format(time.DateOnly))
	r.Documents = len(a.Tree.Docs)
	if r.Links, err = a.Links(ctx); err != nil {
		return nil, err
	}
	if n := r.Features + r.Named; n > 0 && r.Documents > 0 {
		found := len(r.Ghosts) + len(r.Links)
		for i := range r.Shadows {
			if r.Shadows[i].Shade == Drifted {
				found++
			}
		}
		score := min(100, 100*float64(found)/float64(n))
		r.Score = &score
	}
	return r, nil
}

// ghostKey is what a ghost is known by from one run to the next: lines move.
func ghostKey(feature, source string) string { return cell(feature) + "\x00" + pathOf(source) }

func pathOf(place string) string {
	if i := strings.LastIndexByte(place, ':'); i > 0 {
		return place[:i]
	}
	return place
}

// ghosts fills the rows of features.
func (a *Auditor) ghosts(r *Report, former *Former, verdicts []Verdict, day string) {
	was := map[string]GhostRow{}
	for _, g := range former.Ghosts {
		was[ghostKey(g.Feature, g.Source)] = g
	}
	seen := map[string]bool{}
	for i := range verdicts {
		v := &verdicts[i]
		key := ghostKey(v.Text, v.Path)
		old, before := was[key]
		seen[key] = true
		row := GhostRow{Feature: v.Text, Source: v.Place.String(), Ticket: old.Ticket,
			Class: text.Counted("%s (%d mention{s})", v.Class, v.Mentions), Searched: fmt.Sprintf("“%s”: %d; “%s”: %d; best %.2f", short(v.Queries[0].Text), v.Queries[0].Results, short(v.Queries[1].Text), v.Queries[1].Results, v.Score())}
		if v.Unread > 0 {
			row.Class = text.Counted("%s (%d mention{s}; %d source file{s} not read)", v.Class, v.Mentions, v.Unread)
		}
		switch {
		case v.Class == Unsure && !before:
			// It may be none of the project's: a person who wants to read it asks for ghosts.
		case v.Class != Found:
			r.Ghosts = append(r.Ghosts, row)
		case before && v.Score() <= Resolved:
			// What was a ghost is one until the evidence is better than for a new feature.
			row.Class = fmt.Sprintf("%s (weak evidence: %s)", Ambiguous, v.Evidence[0].Place)
			r.Ghosts = append(r.Ghosts, row)
		default:
			if before {
				r.resolve(Resolution{v.Text, Implemented, day, fmt.Sprintf("%s (%.2f)", v.Evidence[0].Place, v.Score()), old.Ticket})
			}
			r.Verified = append(r.Verified, VerifiedRow{v.Text, v.Place.String(), v.Evidence[0].Place.String(), v.Score()})
		}
	}
	for _, g := range former.Ghosts {
		switch key := ghostKey(g.Feature, g.Source); {
		case seen[key]:
		case a.knows(pathOf(g.Source)):
			r.resolve(Resolution{g.Feature, Withdrawn, day, pathOf(g.Source) + " does not promise it any more", g.Ticket})
		default:
			r.Ghosts = append(r.Ghosts, g) // its document was not asked about this time
		}
	}
}

// knows reports whether a document was read, or is not there to be read.
func (a *Auditor) knows(path string) bool {
	for i := range a.Tree.Docs {
		if a.Tree.Docs[i].Path == path {
			return true
		}
	}
	return !a.Tree.exists(path)
}

func (r *Report) resolve(n Resolution) {
	for _, o := range r.Resolved {
		if o.Item == n.Item && o.Type == n.Type && o.Date == n.Date {
			return
		}
	}
	r.Resolved = append(r.Resolved, n)
	r.New++
}
