package graph

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A DefineInput asks where something is declared.
type DefineInput struct {
	Name   string `json:"name" arg:"1" help:"Name, Scope.Name, path/to/file:Name, or a place: FILE:LINE[:COLUMN]"`
	Body   bool   `json:"body,omitempty" flag:"body" help:"show the text of each declaration, as show does"`
	Tokens int    `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" help:"with --body: maximum tokens (default 4000)"`
	Build
	Filter
}

func defineFilter(in *DefineInput) *Filter { return &in.Filter }

// linePlace is FILE:LINE or FILE:LINE:COLUMN.
var linePlace = lazy.Regexp(`^(.+?):([1-9][0-9]{0,8})(?::([1-9][0-9]{0,8}))?$`)

// DefineOrShow says where the declarations that a name means are or, if that is asked for, what they say.
func (f *Feature) DefineOrShow(ctx context.Context, in DefineInput) (StructureAnswer, error) {
	if !in.Body {
		return f.Define(ctx, in)
	}
	return f.showDefinition(ctx, in)
}

// showDefinition shows the texts of the declarations that a name means, or of what is meant at a place.
func (f *Feature) showDefinition(ctx context.Context, in DefineInput) (*Texts, error) {
	show := ShowInput{Places: []string{in.Name}, Tokens: in.Tokens, Root: in.Root, IndexDir: in.IndexDir, NoRefresh: in.NoRefresh,
		Trees: in.Trees, filter: in.Filter, op: "def"}
	if linePlace.MatchString(in.Name) { // what is used there is meant, not what is declared around it
		found, err := f.Define(ctx, in)
		if err != nil {
			return nil, err
		}
		show.Places, show.Root = nil, in.Root
		for _, x := range found.Symbols {
			show.Places = append(show.Places, x.File+":"+itoa(x.Line))
		}
		if len(show.Places) == 0 {
			return &Texts{Shown: []Shown{}, Budget: in.Tokens, known: found.known}, nil
		}
	}
	return f.Show(ctx, show)
}

// Define says where the declarations that a name means are, or what is at a place.
func (f *Feature) Define(ctx context.Context, in DefineInput) (*Symbols, error) {
	in, r, err := resume("def", in, defineFilter)
	if err != nil {
		return nil, err
	}
	out := &Symbols{Subject: in.Name, Symbols: []Symbol{}, of: "definition"}
	file := ""
	at := linePlace.FindStringSubmatch(in.Name)
	if at != nil {
		file = at[1]
	}
	err = f.ask(ctx, r, in.Filter, file, &out.known, &out.Summary.NotCovered, func(s *session) error {
		if err := in.Build.set(s); err != nil {
			return err
		}
		var all []Symbol
		var tally facts.Tally
		if at != nil {
			line, _ := strconv.Atoi(at[2])
			column, _ := strconv.Atoi(at[3])
			all, tally, err = s.standing(in.Name, line, column)
		} else {
			all, err = s.declarationsOf(in.Name)
		}
		if err != nil {
			return err
		}
		found := len(all)
		all = slices.DeleteFunc(all, func(x Symbol) bool { d, ok := s.doc(x.File); return ok && !s.filter.doc(&s.p.Docs[d]) })
		out.Summary = summary(tally)
		if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Declarations); err != nil {
			return err
		}
		from, to, p, err := paged(s, len(all), in, defineFilter)
		if err != nil {
			return err
		}
		out.Symbols, out.Page = append(out.Symbols, all[from:to]...), p
		s.symbolLines(out.Symbols)
		if len(all) == 0 && !s.passed(found, "declaration", "declarations") {
			s.none("no declaration of the project is known there: the name belongs to a library or to the language, or its type is unknown")
		}
		return nil
	})
	return out, err
}

// declarationsOf returns every declaration that a name means, of all kinds.
func (s *session) declarationsOf(name string) (out []Symbol, err error) {
	refs := s.p.Lookup(name)
	if len(refs) == 0 {
		if out = s.fieldSymbols(s.p.Fields(name)); len(out) == 0 {
			return nil, s.unknown("declaration", name)
		}
		return out, nil
	}
	if whole := slices.DeleteFunc(slices.Clone(refs), s.p.Extends); len(whole) > 0 {
		refs = whole
	}
	sure := facts.Exact
	if len(refs) > 1 {
		sure = facts.Likely
	}
	for _, r := range refs {
		x := s.symbol(r)
		if x.Confidence = sure.String(); s.p.Excluded(r.Doc) {
			x.Confidence = facts.Likely.String()
		}
		out = append(out, x)
	}
	s.constrained(refs)
	return out, nil
}

// fieldSymbols returns fields of types as symbols: exact where there is one.
func (s *session) fieldSymbols(fields []facts.Place) (out []Symbol) {
	sure := facts.Exact
	if len(fields) > 1 {
		sure = facts.Likely
	}
	for _, p := range fields {
		x := Symbol{Name: p.Name, Kind: "field", File: s.p.Docs[p.Doc].Path, at: p.At, Confidence: min(sure, p.Sure).String()}
		if in := s.p.Class(p.Doc, p.At); in >= 0 { // it may be bound in a constructor
			x.Name = s.p.File(p.Doc).Decls[in].Qualified() + "." + p.Name
		}
		out = append(out, x)
	}
	return out
}

func (s *session) doc(path string) (int, bool) {
	return slices.BinarySearchFunc(s.p.Docs, path, func(d facts.Doc, p string) int { return strings.Compare(d.Path, p) })
}

// standing returns the declarations of what stands at a place: of the name at a
// column, or of all that is called and declared on a line.
func (s *session) standing(place string, line, column int) (out []Symbol, tally facts.Tally, err error) {
	places, tally, err := s.placesAt(place, line, column, true)
	if err != nil {
		return nil, tally, err
	}
	for _, p := range places {
		x := Symbol{Name: p.Name, Kind: corpus.Variable.String(), File: s.p.Docs[p.Doc].Path, at: p.At}
		if p.Decl >= 0 {
			x = s.symbol(p.Ref)
		}
		x.Confidence = p.Sure.String()
		if !slices.ContainsFunc(out, func(o Symbol) bool { return o.File == x.File && o.at == x.at }) {
			out = append(out, x)
		}
	}
	return out, tally, nil
}

// placesAt returns the declarations that the name at a column means, or those on a line. With calls, or if the line declares
// nothing, the functions that the line calls are meant too.
func (s *session) placesAt(place string, line, column int, calls bool) (places []facts.Place, tally facts.Tally, err error) {
	doc, ok := s.doc(s.within)
	if s.within == "" || !ok {
		return nil, tally, fault.New(fault.NotFound, "%s: no file with facts is at that path", place).Try("inventory")
	}
	text, _ := s.v.Text(s.within)
	from, to, ok := lineOf(text, line)
	if !ok {
		return nil, tally, fault.New(fault.Usage, "%s has no line %d", s.within, line).Or("its lines are counted from 1")
	}
	add := func(at int, chain string) {
		got, t := s.p.Meant(doc, at, chain)
		places = append(places, got...)
		tally.Add(t)
	}
	if column > 0 {
		at, chain, ok := wordAt(text[from:to], column)
		if !ok {
			return nil, tally, fault.New(fault.Usage, "%s: no name is at that column", place).
				Or("columns are counted in bytes from 1; without one, all names that are called on the line are meant")
		}
		add(from+at, chain)
		return places, tally, nil
	}
	f := s.p.File(doc)
	for i := range f.Decls {
		if at := f.Decls[i].NameAt; at >= from && at < to {
			add(at, f.Decls[i].Name)
		}
	}
	for i := range f.Calls {
		if at := f.Calls[i].At; at < from || at >= to || f.Calls[i].Callee == corpus.Unnamed {
			continue
		} else if calls || len(places) == 0 {
			add(at, strings.Trim(f.Calls[i].Receiver+"."+f.Calls[i].Callee, "."))
		}
	}
	return places, tally, nil
}

// placeFile is the file of a question about FILE:LINE[:COLUMN]; "" of one about a name.
func placeFile(name string) string {
	if at := linePlace.FindStringSubmatch(name); at != nil {
		return at[1]
	}
	return ""
}

// targets returns the declarations and fields that a question is about, by name or by FILE:LINE[:COLUMN]: for a line without
// declarations and calls the declaration around it.
func (s *session) targets(name string) (out []facts.Place, err error) {
	at := linePlace.FindStringSubmatch(name)
	if parts := alternatives(name); len(parts) > 1 && s.within == "" {
		return eitherOf(parts, s.targets, s.noteUnknown)
	}
	if at == nil {
		if out = s.p.Targets(name); len(out) == 0 {
			return nil, s.unknown("declaration", name)
		}
		return out, nil
	}
	line, _ := strconv.Atoi(at[2])
	column, _ := strconv.Atoi(at[3])
	if out, _, err = s.placesAt(name, line, column, false); err != nil || len(out) > 0 {
		return out, err
	}
	doc, _ := s.doc(s.within)
	text, _ := s.v.Text(s.within)
	from, to, _ := lineOf(text, line)
	for _, f := range s.p.FieldsIn(doc) {
		if f.At >= from && f.At < to && column == 0 {
			out = append(out, f.Place)
		}
	}
	if in := s.p.Around(doc, from); len(out) == 0 && in >= 0 && column == 0 {
		d := s.p.Decl(facts.Ref{Doc: doc, Decl: in})
		out = append(out, facts.Place{Ref: facts.Ref{Doc: doc, Decl: in}, Name: d.Name, At: d.NameAt, Sure: facts.Exact, How: "declaration"})
	}
	if len(out) == 0 {
		return nil, fault.New(fault.NotFound, "%s: the project declares nothing that is known to be meant there", name).Or("ask about a name")
	}
	return out, nil
}

// eitherOf returns all that each of some names means, and passes on which of them mean nothing; the error of the first where none
// does.
func eitherOf[T any](names []string, find func(string) ([]T, error), missing func(error)) (out []T, err error) {
	var errs []error
	for _, name := range names {
		some, wrong := find(name)
		if wrong != nil {
			errs = append(errs, wrong)
		}
		out = append(out, some...)
	}
	if len(out) == 0 && len(errs) > 0 {
		return nil, errs[0]
	}
	for _, e := range errs {
		missing(e)
	}
	return out, nil
}

// lineOf returns where a line of a text begins and ends.
func lineOf(text []byte, line int) (from, to int, ok bool) {
	for n := 1; from < len(text); n++ {
		to = len(text)
		if i := slices.Index(text[from:], '\n'); i >= 0 {
			to = from + i
		}
		if n == line {
			return from, to, true
		}
		from = to + 1
	}
	return 0, 0, false
}

// wordAt returns the name at a column of a line, with what it is a member of.
func wordAt(line []byte, column int) (at int, chain string, ok bool) {
	at = column - 1
	if at > len(line) || at == len(line) && (at == 0 || !letter(line[at-1])) {
		return 0, "", false
	}
	for at > 0 && letter(line[at-1]) && (at >= len(line) || letter(line[at])) {
		at--
	}
	end := at
	for end < len(line) && letter(line[end]) {
		end++
	}
	if end == at {
		return 0, "", false
	}
	start := at
	for start > 1 && line[start-1] == '.' && letter(line[start-2]) {
		for start--; start > 0 && letter(line[start-1]); start-- {
		}
	}
	return at, string(line[start:end]), true
}

func letter(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'z'
}
