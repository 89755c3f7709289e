package graph

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A RefsInput asks where something is used.
type RefsInput struct {
	Symbol string   `json:"symbol" arg:"1" join:"|" help:"a function, a type, a field, a constant or a variable: Name, Scope.Name, path/to/file:Name, name(Type), FILE:LINE[:COLUMN]; A|B for either"`
	Kinds  []string `json:"kind,omitempty" flag:"kind" help:"only these uses: read, write, call, pass, type, implement, embed, import; repeat or separate with commas"`
	Least  string   `json:"min_confidence,omitempty" flag:"min-confidence" enum:"exact|likely|name-only" default:"likely" help:"how sure a use must be: exact, likely (default) or name-only"`
	Tokens int      `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" help:"maximum tokens of lines (default 4000)"`
	Build
	Filter
}

func refsFilter(in *RefsInput) *Filter { return &in.Filter }

// A Reference is a place where something is used.
type Reference struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`   // bytes, from 1
	Function   string `json:"function"` // the declaration around it
	Kind       string `json:"kind"`
	Confidence string `json:"confidence"`
	Of         string `json:"of,omitempty"` // what is used, where several things were asked about
	Text       string `json:"text,omitempty"`

	at int
}

// Refs is where something is used, in order of files and lines, tests last. Mentions are the other lines that have its name.
type Refs struct {
	Symbol      string         `json:"symbol"`
	Definitions []Definition   `json:"definitions"`
	References  []Reference    `json:"references"`
	Kinds       map[string]int `json:"kinds"` // how many of each
	NameOnly    int            `json:"name_only"`
	Mentions
	Summary Summary `json:"summary"`
	Page    *Page   `json:"pagination,omitempty"`
	known

	all bool // lines with the name are told of, and none is left out
}

// useKinds are what --kind may name.
var useKinds = []string{string(facts.UseRead), string(facts.UseWrite), string(facts.UseCall), string(facts.UsePass), string(facts.UseType), string(facts.UseImplement), string(facts.UseEmbed), string(facts.UseImport)}

// Refs says where a declaration or a field is used, and how.
func (f *Feature) Refs(ctx context.Context, in RefsInput) (*Refs, error) {
	in, r, err := resume("refs", in, refsFilter)
	if err != nil {
		return nil, err
	}
	kinds, err := words("--kind", in.Kinds, useKinds)
	if err != nil {
		return nil, err
	}
	out := &Refs{Symbol: in.Symbol, References: []Reference{}, Kinds: map[string]int{}}
	err = f.ask(ctx, r, in.Filter, placeFile(in.Symbol), &out.known, &out.Summary.NotCovered, func(s *session) error {
		if err := in.Build.set(s); err != nil {
			return err
		}
		of, err := s.targets(in.Symbol)
		if err != nil {
			return s.linesOfUndeclared(in, out, err)
		}
		s.narrowed = len(kinds) > 0
		out.Definitions = s.declaredAt(of)
		all, tally := s.p.Uses(of, s.going)
		out.Summary = summary(tally)
		if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
			return err
		}
		known := 0
		others := map[spot]string{} // resolved, and of another kind than is asked for
		kept := slices.DeleteFunc(slices.Clone(all), func(u facts.Use) bool {
			isSure, isKind := u.Sure >= degree(in.Least), len(kinds) == 0 || kinds[string(u.Kind)]
			if isSure {
				known++
			}
			if !s.passes(u.From) {
				return true
			}
			if u.Sure == facts.NameOnly && isKind {
				out.NameOnly++
			}
			if isSure && !isKind {
				others[spot{u.From.Doc, u.At}] = string(u.Kind)
			}
			return !isSure || !isKind
		})
		for _, u := range kept {
			out.Kinds[string(u.Kind)]++
		}
		s.testsLast(kept)
		left, err := s.pageOfRefs(in, out, of, kept)
		if err != nil {
			return err
		}
		if s.offset == 0 {
			if out.Mentions, err = s.mentionsOf(of, spotsOf(kept), others, left); err != nil {
				return err
			}
		}
		out.Complete = out.Complete && out.LeftOut == 0
		s.remarksOnUses(in, out, of, kept, known)
		return nil
	})
	return out, err
}

// linesOfUndeclared answers with the lines that have a name that nothing declares: of a local variable, or of text alone. If no
// line has it, the error says that it is unknown.
func (s *session) linesOfUndeclared(in RefsInput, out *Refs, unknown error) error {
	e, ok := errors.AsType[*fault.Error](unknown)
	isName := s.within == "" && s.offset == 0 && s.v.Extent().Complete
	if !ok || e.Kind != fault.NotFound || !isName {
		return unknown
	}
	lines, err := s.mentionsOfNames(alternatives(in.Symbol), in.Tokens)
	if err != nil {
		return err
	}
	n := len(lines.Mentions) + lines.LeftOut
	if n == 0 {
		return unknown
	}
	s.note("%s", e.Msg)
	s.remarkOnMentions(&lines)
	out.Mentions, out.Definitions = lines, []Definition{}
	out.Complete = out.LeftOut == 0
	out.all = s.v.Tree != nil && out.Complete && !s.filter.narrows()
	return nil
}

// spotsOf returns where uses are.
func spotsOf(uses []facts.Use) (out []spot) {
	return slice.Map(uses, func(u facts.Use) spot { return spot{u.From.Doc, u.At} })
}

// references describes uses of some declarations.
func (s *session) references(of []facts.Place, uses []facts.Use) []Reference {
	all := make([]Reference, len(uses))
	for i, u := range uses {
		all[i] = Reference{File: s.p.Docs[u.From.Doc].Path, Function: s.name(u.From), Kind: string(u.Kind), Confidence: u.Sure.String(), at: u.At}
		if len(of) > 1 {
			all[i].Of = s.p.Docs[u.To.Doc].Path + ":" + s.placeName(u.To)
		}
	}
	return all
}

// siteIn returns the places of uses.
func siteIn(all []Reference) func(i int) site {
	return func(i int) site { return site{all[i].File, all[i].at, &all[i].Line, &all[i].Column, &all[i].Text} }
}

// testsLast puts uses in tests behind the others.
func (s *session) testsLast(uses []facts.Use) {
	sorting.Stable(uses, func(a, b facts.Use) int {
		return isLater(s.p.InTest(a.From), s.p.InTest(b.From))
	})
}

// pageOfRefs puts a page of uses into an answer, and returns how many tokens are left for other lines.
func (s *session) pageOfRefs(in RefsInput, out *Refs, of []facts.Place, kept []facts.Use) (left int, err error) {
	all := s.references(of, kept)
	to, left := s.setLines(s.offset, s.limit, len(all), in.Tokens, siteIn(all))
	from, to, p, err := pagedTo(s, len(all), to, in, refsFilter)
	out.References, out.Page = append(out.References, all[from:to]...), p
	return left, err
}

// remarksOnUses says what an answer about uses lacks.
func (s *session) remarksOnUses(in RefsInput, out *Refs, of []facts.Place, kept []facts.Use, known int) {
	n := 0
	for _, u := range kept {
		if u.How == facts.Variant {
			n++
		}
	}
	if n > 0 {
		s.note("%s not in the build for %s, but in others: likely at most%s", count(n, "use"), s.p.Build(), s.forCommand(choosesBuild))
	}
	if len(kept) == 0 && !s.passed(known, "use", "uses") {
		s.noneOf(&out.Mentions, "no use of it is known%s", s.text(pattern(of[0].Name)))
	}
	s.remarkOnMentions(&out.Mentions)
	isPart := s.offset > 0 || out.Page != nil || s.narrowed || s.filter.narrows() || len(out.OtherUses) > 0
	isChecked := s.v.Tree != nil && out.Complete
	out.all = isChecked && !isPart && len(out.References)+len(out.Mentions.Mentions)+len(out.Elsewhere) > 0
}

// placeName is the qualified name of what is declared at a place.
func (s *session) placeName(t facts.Place) string {
	if t.Decl >= 0 {
		return s.name(t.Ref)
	}
	if in := s.p.Class(t.Doc, t.At); in >= 0 {
		return s.name(facts.Ref{Doc: t.Doc, Decl: in}) + "." + t.Name
	}
	return t.Name
}

// declaredAt says where the things are declared that a question is about.
func (s *session) declaredAt(of []facts.Place) (out []Definition) {
	out = slice.Map(of, func(t facts.Place) Definition {
		return Definition{Name: s.placeName(t), File: s.p.Docs[t.Doc].Path, at: t.At}
	})
	s.completeDefinitions(&out)
	return out
}

// WriteText writes the uses and the other lines with the name, by files.
func (a *Refs) WriteText(w io.Writer, _ bool) error {
	var t table
	writeDefinitions(&t, a.Definitions)
	writeReferences(&t, a.Definitions, a.References)
	if len(a.Kinds) > 0 {
		t.note("%s", kindCounts(a.Kinds, "use"))
	}
	a.Mentions.write(&t)
	if a.all {
		t.note(a.everyLine(), a.name, count(len(a.References), "use"), count(len(a.Mentions.Mentions), "more line"), a.elsewhere())
		t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.References))
		return t.write(w)
	}
	a.sums(&t, "looked at %s of the name: %d resolved, %d ambiguous, %d unresolved (%d external)", count(a.Summary.Total, "mention"), a.Summary.Resolved,
		a.Summary.Ambiguous, a.Summary.Unresolved, a.Summary.External)
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.References))
	return t.write(w)
}

// everyLine is the format of the sentence that says that no line is left out, and in which files, or that some are only counted.
func (a *Refs) everyLine() string {
	const counts = " that has %s: %s, %s with the name, %d of something else"
	in := ""
	if a.unread {
		in = "in the files looked at, "
	}
	if slices.ContainsFunc(a.Elsewhere, func(o Owner) bool { return len(o.At) == 0 || len(o.At) > maxOwnerFiles }) || a.counted {
		return in + "every line is counted" + counts + ", not all of them listed"
	}
	return in + "this is every line" + counts
}

// writeReferences writes the lines of uses of some declarations, by files.
func writeReferences(t *table, of []Definition, all []Reference) {
	code := codeLines{t: t}
	for _, x := range all {
		about := x.Kind + ", " + x.Confidence + ", in " + x.Function
		if x.Of != "" {
			about += ", of " + spokenOf(of, x.Of)
		}
		code.add(x.File, x.Line, x.Text, about)
	}
}

// kindCounts writes how many uses there are, and how many of each kind.
func kindCounts(kinds map[string]int, of string) string {
	line, total := "", 0
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		line += ", " + itoa(kinds[k]) + " " + k
		total += kinds[k]
	}
	return count(total, of) + ": " + line[2:]
}
