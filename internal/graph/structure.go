package graph

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A StructureAnswer is the answer to any of the questions.
type StructureAnswer interface {
	WriteText(w io.Writer, colour bool) error
}

// Structure answers the question that its input names.
func (f *Feature) Structure(ctx context.Context, in StructureInput) (StructureAnswer, error) {
	op := in.QueryType
	if in.Cursor != "" {
		p, err := open(in.Cursor)
		if err != nil {
			return nil, err
		}
		op = p.Op
	}
	rest := Filter{Limit: in.Limit, Cursor: in.Cursor, Paths: in.Paths, Languages: in.Languages, Tests: in.Tests == "only", NoTests: in.Tests == "exclude", Root: in.Root, tool: true}
	if err := in.unfit(op); err != nil {
		return nil, err
	}
	if in.Pattern == "" && in.Cursor == "" && op != "inventory" && op != "functions" && op != "dead" && op != "diff" && op != "map" && op != "" {
		return nil, fault.New(fault.Usage, "%s needs a pattern: what to ask about", op).Try("structure", fault.Arg{Name: "query_type", Value: "functions"})
	}
	switch op {
	case "imports":
		return f.Imports(ctx, ImportsInput{Module: in.Pattern, Filter: rest})
	case "importers":
		return f.Importers(ctx, ImportsInput{Module: in.Pattern, Filter: rest})
	case "functions":
		return f.Functions(ctx, FunctionsInput{Pattern: in.Pattern, Kind: in.Kind, Filter: rest})
	case "callers":
		return f.Callers(ctx, CallsInput{Function: in.Pattern, Depth: in.Depth, Least: in.Least, Tokens: in.Tokens, Filter: rest})
	case "callees":
		return f.Callees(ctx, CallsInput{Function: in.Pattern, Depth: in.Depth, Least: in.Least, Filter: rest})
	case "refs":
		r := RefsInput{Symbol: in.Pattern, Least: in.Least, Tokens: in.Tokens, Filter: rest}
		if in.Kind != "" {
			r.Kinds = []string{in.Kind}
		}
		return f.Refs(ctx, r)
	case "def":
		return f.Define(ctx, DefineInput{Name: in.Pattern, Filter: rest})
	case "show":
		return f.Show(ctx, ShowInput{Places: f.placesOf(in.Pattern), Root: in.Root, Around: in.Around, Tokens: in.Tokens, filter: rest, Trees: in.Trees})
	case "implementers":
		return f.Implementers(ctx, TypeInput{Type: in.Pattern, Tokens: in.Tokens, Filter: rest})
	case "hierarchy":
		return f.Hierarchy(ctx, TypeInput{Type: in.Pattern, Filter: rest})
	case "path":
		from, to, ok := strings.Cut(strings.TrimSpace(in.Pattern), " ")
		if to = strings.TrimSpace(to); !ok && in.Cursor == "" {
			return nil, fault.New(fault.Usage, "path needs two functions in its pattern: FROM TO").Try("structure", fault.Arg{Name: "query_type", Value: "functions"})
		}
		return f.Path(ctx, PathInput{From: from, To: to, Least: in.Least, Filter: rest})
	case "dead":
		return f.Dead(ctx, DeadInput{Pattern: in.Pattern, All: in.Least == "name-only", Filter: rest})
	case "map":
		m := MapInput{Root: in.Root, tool: true}
		if in.Pattern != "" {
			m.Focus = []string{in.Pattern}
		}
		return f.Map(ctx, m)
	case "diff":
		return f.Review(ctx, ImpactInput{Diff: true, Target: in.Pattern, Depth: in.Depth, Least: in.Least, Filter: rest})
	case "impact":
		return f.Impact(ctx, ImpactInput{Target: in.Pattern, Depth: in.Depth, Least: in.Least, Tokens: in.Tokens, Filter: rest})
	case "", "inventory":
		return f.Inventory(ctx, InventoryInput{Pattern: in.Pattern, View: "modules", Filter: rest})
	}
	return nil, badCursor()
}

// unfit is the error of a filter that a question has no use for.
func (in *StructureInput) unfit(op string) error {
	switch {
	case in.Cursor != "":
		return nil // the question is the one before
	case in.Kind != "" && op != "functions" && op != "refs":
		return fault.New(fault.Usage, "kind applies to functions and refs").Or("omit it")
	case in.Kind != "" && op == "functions" && !slices.Contains(declarationKinds(), in.Kind):
		return fault.New(fault.Usage, "kind: %q is not one of %s", in.Kind, strings.Join(declarationKinds(), ", ")).Or("omit it for functions")
	case in.Around && op != "show":
		return fault.New(fault.Usage, "around applies to show").Or("omit it")
	case in.Tokens > 0 && !slices.Contains([]string{"show", "refs", "callers", "impact", "implementers"}, op):
		return fault.New(fault.Usage, "tokens applies to show, refs, callers, impact and implementers").Or("omit it")
	case in.Depth > 0 && op != "callers" && op != "callees" && op != "impact" && op != "diff":
		return fault.New(fault.Usage, "depth applies to callers, callees, impact and diff").Or("omit it")
	}
	return nil
}
