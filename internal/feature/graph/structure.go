package graph

import (
	"context"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A StructureAnswer is the answer to any of the questions.
type StructureAnswer interface {
	WriteText(w io.Writer, colour bool) error
}

// Structure answers the question that its input names. The inventory without a
// pattern is the overview: a program that asks about everything wants to know
// where to look.
func (f *Feature) Structure(ctx context.Context, in StructureInput) (StructureAnswer, error) {
	op := in.QueryType
	if in.Cursor != "" {
		p, err := open(in.Cursor)
		if err != nil {
			return nil, err
		}
		op = p.Op
	}
	rest := Filter{Limit: in.Limit, Cursor: in.Cursor, tool: true}
	if in.Pattern == "" && in.Cursor == "" && op != "inventory" && op != "functions" && op != "dead" && op != "diff" && op != "map" && op != "" {
		return nil, fault.New(fault.Usage, "%s needs a pattern: what to ask about", op).Try("structure", fault.Arg{Name: "query_type", Value: "functions"})
	}
	switch op {
	case "imports":
		return f.Imports(ctx, ImportsInput{Module: in.Pattern, Filter: rest})
	case "importers":
		return f.Importers(ctx, ImportsInput{Module: in.Pattern, Filter: rest})
	case "functions":
		return f.Functions(ctx, FunctionsInput{Pattern: in.Pattern, Filter: rest})
	case "callers":
		return f.Callers(ctx, CallsInput{Function: in.Pattern, Filter: rest})
	case "callees":
		return f.Callees(ctx, CallsInput{Function: in.Pattern, Filter: rest})
	case "def":
		return f.Define(ctx, DefineInput{Name: in.Pattern, Filter: rest})
	case "implementers":
		return f.Implementers(ctx, TypeInput{Type: in.Pattern, Filter: rest})
	case "hierarchy":
		return f.Hierarchy(ctx, TypeInput{Type: in.Pattern, Filter: rest})
	case "path":
		from, to, ok := strings.Cut(strings.TrimSpace(in.Pattern), " ")
		if to = strings.TrimSpace(to); !ok && in.Cursor == "" {
			return nil, fault.New(fault.Usage, "path needs two functions in its pattern: FROM TO").Try("structure", fault.Arg{Name: "query_type", Value: "functions"})
		}
		return f.Path(ctx, PathInput{From: from, To: to, Filter: rest})
	case "dead":
		return f.Dead(ctx, DeadInput{Pattern: in.Pattern, Filter: rest})
	case "map":
		m := MapInput{tool: true}
		if in.Pattern != "" {
			m.Focus = []string{in.Pattern}
		}
		return f.Map(ctx, m)
	case "diff":
		return f.Review(ctx, ImpactInput{Diff: true, Target: in.Pattern, Filter: rest})
	case "impact":
		return f.Impact(ctx, ImpactInput{Target: in.Pattern, Filter: rest})
	case "", "inventory":
		view := "modules"
		if in.Pattern == "" && in.Cursor == "" {
			view = "summary"
		}
		return f.Inventory(ctx, InventoryInput{Pattern: in.Pattern, View: view, Filter: rest})
	}
	return nil, badCursor()
}
