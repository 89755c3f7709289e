package audit

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/progress"
	"github.com/assay-dev/assay/internal/base/record"
	"github.com/assay-dev/assay/internal/domain/claims"
)

// A ShadowsInput asks for declarations that documents do not know.
type ShadowsInput struct {
	Explain bool `json:"explain,omitempty" flag:"explain" help:"show what is documented too, and where"`
	Tracking
	Scope
}

// Shadows is what documents know of what the code exports.
type Shadows struct {
	Shadows    []claims.Shadow `json:"shadows"` // with explain also those that are documented
	Total      int             `json:"total"`
	Documented int             `json:"documented"`
	Tracked
	covering
}

// Shadows compares every exported declaration with the documents.
func (f *Feature) Shadows(ctx context.Context, in ShadowsInput) (*Shadows, error) {
	out := &Shadows{Shadows: []claims.Shadow{}}
	err := f.audited(ctx, in.Scope, "shadows", func(a *claims.Auditor) (int, error) {
		progress.Of(ctx).Progress("Cross-referencing documentation with implementation…", 0, 0)
		all, err := a.Shadows(ctx)
		if err != nil {
			return 0, err
		}
		out.Total = len(all)
		out.NotCovered = undeclared(a.Tree)
		for i := range all {
			if all[i].Shade == claims.Documented {
				out.Documented++
				if !in.Explain {
					continue
				}
			}
			out.Shadows = append(out.Shadows, all[i])
		}
		if k := f.tracker(ctx, a.Tree.Root, in.Tracking, &out.Tracked); k != nil {
			for i := range out.Shadows {
				if s := &out.Shadows[i]; s.Shade == claims.Orphaned && s.Unread == 0 {
					k.shadow(ctx, claims.Module(s.Path), s.Shade)
				}
			}
			k.done(ctx)
		}
		return out.Total - out.Documented, nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// WriteText writes the shadows, what matters most first.
func (r *Shadows) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	counts := map[claims.Shade]int{}
	for _, shade := range []claims.Shade{claims.Orphaned, claims.Drifted, claims.Partial, claims.Documented} {
		for i := range r.Shadows {
			s := &r.Shadows[i]
			if s.Shade != shade {
				continue
			}
			counts[shade]++
			fmt.Fprintf(&b, "%s", shade)
			if s.Risk != "" {
				fmt.Fprintf(&b, " (%s)", s.Risk)
			}
			fmt.Fprintf(&b, ": %s %s [%s]", s.Kind, s.Qualified(), s.Place)
			if s.Members > 0 {
				fmt.Fprintf(&b, " and %d members", s.Members)
			}
			if s.Doc != nil {
				fmt.Fprintf(&b, " ~ %s (%.2f)", s.Doc, s.Similarity)
			}
			if s.Difference != "" {
				fmt.Fprintf(&b, ": %s", s.Difference)
			}
			b.WriteByte('\n')
			if s.Shade == claims.Orphaned && s.Uses > 0 {
				fmt.Fprintf(&b, "    used by %s", strings.Join(s.Dependents, ", "))
				if s.Uses > len(s.Dependents) {
					fmt.Fprintf(&b, " and %d more", s.Uses-len(s.Dependents))
				}
				b.WriteByte('\n')
			}
			if s.Unread > 0 {
				fmt.Fprintf(&b, "    %d documents could not be read: one of them may name it\n", s.Unread)
			}
			if id := r.Tickets[claims.Module(s.Path)]; id != "" {
				fmt.Fprintf(&b, "    ticket: %s\n", id)
			}
		}
	}
	fmt.Fprintf(&b, "%d declarations: %d orphaned, %d drifted, %d partial, %d documented\n", r.Total, counts[claims.Orphaned], counts[claims.Drifted], counts[claims.Partial], r.Documented)
	r.Tracked.write(&b)
	if err := r.covering.write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteLines writes a shadow a line.
func (r *Shadows) WriteLines(w io.Writer) error { return record.Lines(w, r.Shadows) }
