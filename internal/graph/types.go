package graph

import (
	"cmp"
	"context"
	"slices"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A TypeInput asks what a type is related to.
type TypeInput struct {
	Type   string `json:"type" arg:"1" help:"a class, a struct, an interface, or a method of one: Name, Scope.Name, path/to/file:Name or FILE:LINE[:COLUMN]"`
	Tokens int    `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" help:"maximum tokens of lines (default 4000)"`
	Picture
	Build
	Filter
}

func typeFilter(in *TypeInput) *Filter { return &in.Filter }

// Implementers says which types implement, extend or embed one, directly or not; of a method, which methods override it.
func (f *Feature) Implementers(ctx context.Context, in TypeInput) (*Symbols, error) {
	return f.related(ctx, "implementers", in, false)
}

// Hierarchy says what a type extends and what extends it, directly or not.
func (f *Feature) Hierarchy(ctx context.Context, in TypeInput) (*Symbols, error) {
	return f.related(ctx, "hierarchy", in, true)
}

func (f *Feature) related(ctx context.Context, op string, in TypeInput, both bool) (*Symbols, error) {
	in, r, err := resume(op, in, typeFilter)
	if err != nil {
		return nil, err
	}
	out := &Symbols{Subject: in.Type, Symbols: []Symbol{}, of: "type"}
	out.Summary.bases = true
	err = f.ask(ctx, r, in.Filter, placeFile(in.Type), &out.known, &out.Summary.NotCovered, func(s *session) error {
		if err := in.Build.set(s); err != nil {
			return err
		}
		of, err := s.types(in.Type)
		if members := s.membersNamed(in.Type); err != nil && !both && len(members) > 0 {
			return s.overriders(in, out, members)
		}
		if err != nil {
			return err
		}
		if err := s.unread(of, "the bases of types"); err != nil {
			return err
		}
		var a answer
		s.define(&a, of)
		s.constrained(of)
		out.Definitions = a.Definitions
		below := s.lineage(of, false, s.p.Below)
		var above []relation
		if both {
			outside := 0
			above = s.lineage(of, true, func(r facts.Ref) []facts.Relation {
				got, n := s.p.Above(r)
				outside += n
				return got
			})
			out.Summary.Unresolved, out.Summary.External = outside, outside
		}
		below = append(below, s.anonymous(of, below)...)
		out.Summary.Resolved = len(above) + len(below)
		out.Summary.Total = out.Summary.Resolved + out.Summary.Unresolved
		if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
			return err
		}
		all := append(above, below...)
		related := len(all)
		all = slices.DeleteFunc(all, func(r relation) bool { return !s.passes(r.Type) })
		if s.draws(in.Picture) {
			var arrows [][2]string
			for _, r := range all {
				from, to := s.name(r.Type), s.name(r.Of)
				if r.up {
					from, to = to, from
				}
				arrows = append(arrows, [2]string{from, to})
			}
			out.drawing = newDrawing(arrows, in.Picture)
			return nil
		}
		from, to, p, err := paged(s, len(all), in, typeFilter)
		if err != nil {
			return err
		}
		out.Page = p
		for _, r := range all[from:to] {
			out.Symbols = append(out.Symbols, s.relative(r, of))
		}
		s.symbolLines(out.Symbols)
		if !both {
			look := s.going
			if len(all) > 0 {
				may := s.p.MayExtend(of)
				look = func(doc int) bool { _, ok := slices.BinarySearch(may, doc); return ok && s.going(doc) }
				s.note("lines that only name it are left out: refs %s has them", in.Type)
			}
			if out.Mentions, err = s.mentionsBeside(of, nil, in.Tokens, look); err != nil {
				return err
			}
			out.Complete = out.Complete && out.LeftOut == 0
			defer s.remarkOnMentions(&out.Mentions)
		}
		if len(all) == 0 && !s.passed(related, "relation", "relations") {
			s.noneOf(&out.Mentions, "no type of the project is known to be related to it; bases in libraries: %d%s", out.Summary.External,
				s.text(pattern(s.p.Decl(of[0]).Name)))
		}
		return nil
	})
	return out, err
}

// types returns the types that a name means.
func (s *session) types(name string) (out []facts.Ref, err error) {
	found := s.p.Lookup(name)
	if placeFile(name) != "" {
		places, err := s.targets(name)
		if err != nil {
			return nil, err
		}
		found = nil
		for _, t := range places {
			if t.Decl >= 0 {
				found = append(found, t.Ref)
			}
		}
	}
	for _, r := range found {
		switch s.p.Decl(r).Kind {
		case corpus.Module:
			if l := s.p.Docs[r.Doc].Language; l != "elixir" && l != "ruby" { // where one may be a behaviour, or included
				continue
			}
			fallthrough
		case corpus.Class, corpus.Struct, corpus.Interface, corpus.Trait, corpus.Enum, corpus.Type:
			out = append(out, r)
		}
	}
	whole := slices.DeleteFunc(slices.Clone(out), func(r facts.Ref) bool { return s.p.Docs[r.Doc].Language == "haskell" && s.p.Extends(r) })
	switch {
	case len(whole) > 0: // an instance is what implements it
		return whole, nil
	case len(out) > 0:
		return out, nil
	case len(found) > 0:
		return nil, again(fault.New(fault.Usage, "%s is a %s, not a type", name, s.p.Decl(found[0]).Kind), "def", s.tool, name)
	}
	return nil, s.unknown("type", name)
}

// A relation is a step of a lineage, so many steps away from where it began.
type relation struct {
	facts.Relation
	depth int
	up    bool
}

// anonymous returns the anonymous classes below some types and those below them.
func (s *session) anonymous(of []facts.Ref, below []relation) (out []relation) {
	depth := map[facts.Ref]int{}
	for _, r := range below {
		of, depth[r.Type] = append(of[:len(of):len(of)], r.Type), r.depth
	}
	for _, a := range s.p.Anonymous(of, s.going) {
		out = append(out, relation{a, depth[a.Of] + 1, false})
	}
	return out
}

// lineage follows relations to the end. It is as sure as the least sure of its steps.
func (s *session) lineage(of []facts.Ref, up bool, next func(facts.Ref) []facts.Relation) (out []relation) {
	sure := map[facts.Ref]facts.Sure{}
	for _, r := range of {
		sure[r] = facts.Exact
	}
	for depth, level := 1, of; len(level) > 0 && depth <= toTheEnd; depth++ {
		var below []facts.Ref
		for _, r := range level {
			if s.ctx.Err() != nil || len(out) > mostHops {
				return out
			}
			for _, n := range next(r) {
				_, seen := sure[n.Type]
				if seen && (depth > 1 || !slices.Contains(of, n.Type)) {
					continue
				}
				n.Sure = min(n.Sure, sure[r])
				if out = append(out, relation{n, depth, up}); !seen { // else it is one of several that were asked about
					sure[n.Type] = n.Sure
					below = append(below, n.Type)
				}
			}
		}
		level = below
	}
	return out
}

// relative describes a related type.
func (s *session) relative(r relation, of []facts.Ref) Symbol {
	x := Symbol{Name: "anonymous class in " + s.name(r.Type), Kind: corpus.Class.String(), File: s.p.Docs[r.Type.Doc].Path, at: r.At}
	if r.How != facts.Unnamed {
		x = s.symbol(r.Type)
	}
	x.Confidence, x.Depth = r.Sure.String(), r.depth
	if !slices.Contains(of, r.Of) || len(of) > 1 {
		x.Of = s.name(r.Of)
	}
	switch {
	case r.How == overrides:
		x.Relation = overrides
	case r.up && r.How == "has":
		x.Relation = "implemented"
	case r.up:
		x.Relation = "base"
	case r.How == "has":
		x.Relation = "implements"
	case s.p.Docs[r.Type.Doc].Language == "go":
		x.Relation = "embeds"
	default:
		x.Relation = s.wordFor(r)
	}
	return x
}

// overrides is how a method is related to one that a base of its type has.
const overrides = "overrides"

// membersNamed returns the meanings of a name that are members of a type.
func (s *session) membersNamed(name string) (out []facts.Place) {
	places, err := s.targets(name)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(places, func(t facts.Place) bool {
		_, ok := s.p.ClassOf(t)
		return !ok
	})
}

// overriders answers with the methods that override some, which types below theirs declare.
func (s *session) overriders(in TypeInput, out *Symbols, of []facts.Place) error {
	out.Definitions, out.of = s.declaredAt(of), "method"
	var all []relation
	for _, m := range of {
		class, _ := s.p.ClassOf(m)
		below := s.lineage([]facts.Ref{class}, false, s.p.Below)
		for _, r := range append(below, s.anonymous([]facts.Ref{class}, below)...) {
			for _, o := range s.p.MethodsOf(r.Relation, m.Name) {
				if s.passes(o) && s.p.MayOverride(o, m.Ref) {
					all = append(all, relation{facts.Relation{Type: o, Of: class, How: overrides, Sure: r.Sure}, r.depth, false})
				}
			}
		}
	}
	from, to, p, err := paged(s, len(all), in, typeFilter)
	if err != nil {
		return err
	}
	out.Page = p
	for _, r := range all[from:to] {
		out.Symbols = append(out.Symbols, s.relative(r, []facts.Ref{r.Of}))
	}
	s.symbolLines(out.Symbols)
	if len(all) == 0 {
		s.note("no method is known to override it")
	}
	s.note("refs %s has every other line with the name", in.Type)
	return nil
}

// wordFor is how a type is related to one that it names as a base: who extends an interface is one, too.
func (s *session) wordFor(r relation) string {
	kind, language := s.p.Decl(r.Of).Kind, s.p.Docs[r.Type.Doc].Language
	if kind == corpus.Interface && (r.How == facts.Unnamed || s.p.Decl(r.Type).Kind != corpus.Interface) {
		return "implements"
	}
	word := map[corpus.Kind]map[string]string{
		corpus.Trait:  {"rust": "implements", "php": "uses"},
		corpus.Module: {"elixir": "implements", "ruby": "includes"},
	}[kind][language]
	return cmp.Or(word, "extends")
}
