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
	Track   bool `json:"track,omitempty" flag:"track" help:"make a ticket for each orphaned one, where br or bd is installed"`
	Scope
}

// Shadows is what documents know of what the code exports.
type Shadows struct {
	Shadows    []claims.Shadow   `json:"shadows"` // with explain also those that are documented
	Total      int               `json:"total"`
	Documented int               `json:"documented"`
	Tickets    map[string]string `json:"tickets,omitempty"` // by module
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
		if in.Track {
			f.trackShadows(ctx, a.Tree.Root, out)
		}
		return out.Total - out.Documented, nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// trackShadows makes a ticket for each orphan.
func (f *Feature) trackShadows(ctx context.Context, root string, out *Shadows) {
	t, ok := f.cfg.Tracker(root)
	if !ok {
		progress.Of(ctx).Note("no ticket was made: neither br nor bd is installed")
		return
	}
	out.Tickets = map[string]string{}
	for i := range out.Shadows {
		s := &out.Shadows[i]
		if s.Shade != claims.Orphaned || s.Unread > 0 {
			continue
		}
		id, err := t.Shadow(ctx, s.Qualified(), s.Shade)
		if err != nil {
			progress.Of(ctx).Note("no ticket for %s: %v", s.Qualified(), err)
			return
		}
		out.Tickets[s.Qualified()] = id
	}
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
			if id := r.Tickets[s.Qualified()]; id != "" {
				fmt.Fprintf(&b, "    ticket: %s\n", id)
			}
		}
	}
	fmt.Fprintf(&b, "%d declarations: %d orphaned, %d drifted, %d partial, %d documented\n", r.Total, counts[claims.Orphaned], counts[claims.Drifted], counts[claims.Partial], r.Documented)
	if err := r.covering.write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteLines writes a shadow a line.
func (r *Shadows) WriteLines(w io.Writer) error { return record.Lines(w, r.Shadows) }
