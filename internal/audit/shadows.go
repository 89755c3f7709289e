package audit

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
)

// A ShadowsInput asks for declarations that documents do not know.
type ShadowsInput struct {
	Explain bool `json:"explain,omitempty" flag:"explain" help:"also show what is documented, and where"`
	Tracking
	Scope
}

// Shadows is what documents know of what the code exports.
type Shadows struct {
	Modules    []claims.ModuleShadow `json:"modules"` // with explain also what is documented
	Total      int                   `json:"total"`   // of declarations
	Orphaned   int                   `json:"orphaned"`
	Drifted    int                   `json:"drifted"`
	Partial    int                   `json:"partial"`
	Unsure     int                   `json:"unsure"` // partial ones that nothing describes, but that may be no orphans
	Documented int                   `json:"documented"`
	Tracked
	covering
}

// Shadows compares every exported declaration with the documents.
func (f *Feature) Shadows(ctx context.Context, in ShadowsInput) (*Shadows, error) {
	out := &Shadows{}
	err := f.audited(ctx, in.Scope, "shadows", func(a *claims.Auditor) (int, error) {
		work.FromContext(ctx).Progress("Cross-referencing documentation with implementation…", 0, 0)
		all, err := a.Shadows(ctx)
		if err != nil {
			return 0, err
		}
		out.Total = len(all)
		out.NotCovered, out.Lacks = undeclared(a.Tree), lacks(a.Tree)
		count := map[claims.Shade]int{}
		for i := range all {
			count[all[i].Shade]++
			if all[i].Doubt != "" {
				out.Unsure++
			}
		}
		out.Orphaned, out.Drifted, out.Partial, out.Documented = count[claims.Orphaned], count[claims.Drifted], count[claims.Partial], count[claims.Documented]
		out.Modules = claims.Modules(all, in.Explain)
		if k := f.tracker(ctx, a.Tree.Root, in.Tracking, &out.Tracked); k != nil {
			for i := range out.Modules {
				if m := &out.Modules[i]; m.Shade == claims.Orphaned && m.Unread == 0 {
					k.shadow(ctx, m.Module, m.Shade)
				}
			}
			k.done(ctx)
		}
		return out.Total - out.Documented, nil
	})
	return out, err
}

// WriteText writes a row for each module, what matters most first, with its members below.
func (r *Shadows) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	for i := range r.Modules {
		m := &r.Modules[i]
		b.WriteString(string(m.Shade))
		if m.Risk != "" {
			fmt.Fprintf(&b, " (%s)", m.Risk)
		}
		writeLine(&b, ": %s, %s", m.Module, m.Extent())
		for k := range m.Members {
			writeMember(&b, &m.Members[k])
		}
		if m.Unread > 0 {
			fmt.Fprint(&b, text.Counted("    %d document{s} could not be read: {it|one of them} may name it\n", m.Unread))
		}
		if id := r.Tickets[m.Module]; id != "" {
			fmt.Fprintf(&b, "    ticket: %s\n", id)
		}
	}
	unsure := ""
	if r.Unsure > 0 {
		unsure = fmt.Sprintf(" (%d unsure)", r.Unsure)
	}
	fmt.Fprintf(&b, "%s: %d orphaned, %d drifted, %d partial%s, %d documented\n",
		text.Count(r.Total, "declaration", "declarations"), r.Orphaned, r.Drifted, r.Partial, unsure, r.Documented)
	r.Tracked.write(&b)
	r.covering.write(&b, render.Columns(w))
	_, err := io.WriteString(w, b.String())
	return err
}

func writeMember(b *strings.Builder, s *claims.Shadow) {
	fmt.Fprintf(b, "    %s: %s %s [%s]", s.Shade, s.Kind, s.Qualified(), text.Line(s.Place.String()))
	if s.Members > 0 {
		fmt.Fprint(b, text.Counted(" and %d member{s}", s.Members))
	}
	if s.Doc != nil {
		fmt.Fprintf(b, " ~ %s (%.2f)", text.Line(s.Doc.String()), s.Similarity)
	}
	if s.Difference != "" {
		fmt.Fprintf(b, ": %s", text.Line(s.Difference))
	}
	if s.Doubt != "" {
		fmt.Fprintf(b, ": unsure, %s", s.Doubt)
	}
	b.WriteByte('\n')
	if s.Shade == claims.Orphaned && s.Uses > 0 {
		fmt.Fprintf(b, "        used by %s", text.Line(strings.Join(s.Dependents, ", ")))
		if s.Uses > len(s.Dependents) {
			fmt.Fprintf(b, " and %d more", s.Uses-len(s.Dependents))
		}
		b.WriteByte('\n')
	}
}

// WriteLines writes a module a line.
func (r *Shadows) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Modules) }
