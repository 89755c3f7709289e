package audit

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A GhostsInput asks for features that documents promise and code has not.
type GhostsInput struct {
	Explain bool `json:"explain,omitempty" flag:"explain" help:"show uncertain findings and why, the features found with their score breakdowns, and what was excluded from the documents"`
	Tracking
	Scope
	workspace.Trees
}

// Across says which repositories are asked.
func (in *GhostsInput) Across() workspace.Across {
	return workspace.Across{Trees: &in.Trees, Root: &in.Root}
}

// A GhostInput asks for one feature.
type GhostInput struct {
	Feature string `json:"feature" arg:"1" help:"what the feature does"`
	Synonym string `json:"synonym,omitempty" flag:"synonym" help:"a rephrasing to use as the second query (default: derived)"`
	Scope
	workspace.Trees
}

// Across says which repositories are asked.
func (in *GhostInput) Across() workspace.Across {
	return workspace.Across{Trees: &in.Trees, Root: &in.Root}
}

// Ghosts is the verdicts on the features that documents promise.
type Ghosts struct {
	Features []claims.Verdict `json:"features"` // with explain all, else the ghosts
	Total    int              `json:"total"`    // features looked for
	Found    int              `json:"found"`
	Unsure   int              `json:"unsure"` // without code, but the document may speak of something else
	Named    int              `json:"named"`  // links and names that were compared
	Tracked
	covering
	explain bool
}

// Ghosts looks for every feature that the documents of a project promise.
func (f *Feature) Ghosts(ctx context.Context, in GhostsInput) (*Ghosts, error) {
	out := &Ghosts{Features: []claims.Verdict{}, explain: in.Explain}
	err := f.audited(ctx, in.Scope, "ghosts", func(a *claims.Auditor) (n int, err error) {
		if out.covering, _, err = namedBy(ctx, a); err != nil {
			return 0, err
		}
		out.NotCovered = a.Tree.NotCovered
		features := a.Features()
		byName, compared, err := a.NamedVerdicts(ctx)
		if err != nil {
			return 0, err
		}
		out.Total, out.Named = len(features), compared
		for i := range features {
			work.FromContext(ctx).Progress("Cross-referencing documentation with implementation…", int64(i), int64(len(features)))
			v, err := a.Judge(ctx, features[i], "")
			if err != nil {
				return 0, err
			}
			out.take(v)
		}
		for i := range byName {
			out.take(byName[i])
		}
		if k := f.tracker(ctx, a.Tree.Root, in.Tracking, &out.Tracked); k != nil {
			for i := range out.Features {
				if v := &out.Features[i]; v.Class == claims.Confirmed {
					k.ghost(ctx, v.Text)
				}
			}
			k.done(ctx)
		}
		return len(out.Features), nil
	})
	return out, err
}

// take counts a verdict, and keeps it if it is a ghost or everything is to be explained.
func (r *Ghosts) take(v claims.Verdict) {
	r.doubted(&v)
	switch v.Class {
	case claims.Found:
		r.Found++
	case claims.Unsure:
		r.Unsure++
	}
	if r.explain {
		v.Explain()
	} else if v.Class == claims.Found || v.Class == claims.Unsure {
		return
	}
	r.Features = append(r.Features, v)
}

// Ghost looks for one feature in the words of the caller.
func (f *Feature) Ghost(ctx context.Context, in GhostInput) (*Ghosts, error) {
	if strings.TrimSpace(in.Feature) == "" {
		return nil, fault.New(fault.Usage, "no feature is named").Or(`assay audit ghost "FEATURE" --synonym "OTHER WORDS"`)
	}
	if !claims.Askable(in.Feature) {
		return nil, fault.New(fault.Usage, "nothing to look for: any program has the words of %q", in.Feature).Or("say what the feature does in words of its own")
	}
	out := &Ghosts{Total: 1, explain: true}
	err := f.audited(ctx, in.Scope, "ghost: "+text.OneLine(in.Feature, mostAsked), func(a *claims.Auditor) (int, error) {
		out.NotCovered, out.Lacks = a.Tree.NotCovered, lacks(a.Tree)
		v, err := a.JudgeAsked(ctx, in.Feature, in.Synonym)
		if err != nil {
			return 0, err
		}
		out.doubted(&v)
		cut(&v)
		if v.Class == claims.Found {
			out.Found = 1
		}
		out.Features = []claims.Verdict{v}
		return len(v.Evidence), nil
	})
	return out, err
}

// mostAsked is how many characters of what a caller asks for are repeated, and mostMissing how many of its words.
const mostAsked, mostMissing = 500, 50

// cut keeps of a verdict no more of what was asked than tells it from others.
func cut(v *claims.Verdict) {
	v.Text = text.OneLine(v.Text, mostAsked)
	for i := range v.Queries {
		v.Queries[i].Text = text.OneLine(v.Queries[i].Text, mostAsked)
	}
	if len(v.Missing) > mostMissing {
		v.Missing = append(slices.Clone(v.Missing[:mostMissing]), "…")
	}
	for i := range v.Missing {
		v.Missing[i] = text.OneLine(v.Missing[i], mostAsked)
	}
}

// WriteText writes what has no code first by class; with explain also the rest.
func (r *Ghosts) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	counts := map[claims.Class]int{}
	for _, class := range []claims.Class{claims.Confirmed, claims.Ambiguous, claims.Unsure, claims.Found} {
		for i := range r.Features {
			v := &r.Features[i]
			if v.Class != class {
				continue
			}
			counts[class]++
			head := v.Text
			if v.Path != "" {
				head += " [" + v.Place.String() + "]"
			}
			writeLine(&b, "%s: %s", class, head)
			for _, q := range v.Queries {
				if q.Text == "" {
					continue
				}
				writeLine(&b, "    “%s”: %d results, best %.2f", short(q.Text), q.Results, q.Best)
			}
			for k, h := range v.Evidence {
				if k == 3 {
					break
				}
				writeLine(&b, "    %s %s (%.2f)", h.Place, h.Name, h.Score)
				if len(h.Explain) > 0 {
					b.WriteString(rank.Explanation(h.Explain))
				}
			}
			if class != claims.Found {
				known := fmt.Sprintf("mentions in documents: %d", v.Mentions)
				if len(v.Missing) > 0 {
					known += "; nowhere in code: " + strings.Join(v.Missing, ", ")
				}
				writeLine(&b, "    %s", known)
				if v.Meant != "" {
					writeLine(&b, "    the code has: %s", v.Meant)
				}
				if v.Unread > 0 {
					fmt.Fprint(&b, text.Counted("    %d source file{s} could not be read: what {it has|they have} is not known\n", v.Unread))
				}
				if v.Single {
					b.WriteString("    only one query could be asked: give the same in other words with assay audit ghost --synonym\n")
				}
			}
			if id := r.Tickets[v.Text]; id != "" {
				fmt.Fprintf(&b, "    ticket: %s\n", id)
			}
		}
	}
	b.WriteString(text.Counted("%d feature{s}, %d link{ or name|s and names}: ", r.Total, r.Named) +
		text.Counted("%d confirmed ghost{s}, %d of high ambiguity, %d unsure, %d feature{s} found in code\n", counts[claims.Confirmed], counts[claims.Ambiguous], r.Unsure, r.Found))
	r.Tracked.write(&b)
	if r.Unsure > 0 && !r.explain {
		b.WriteString("unsure are names and statements that no code has, but that may be of something else: assay audit ghosts --explain lists them\n")
	}
	r.covering.write(&b, render.Columns(w))
	return fault.Only(io.WriteString(w, b.String()))
}

// WriteLines writes a feature a line.
func (r *Ghosts) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Features) }
