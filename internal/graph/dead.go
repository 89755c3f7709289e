package graph

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A DeadInput asks for the functions that nothing calls.
type DeadInput struct {
	Pattern string `json:"pattern,omitempty" arg:"1" help:"a folder, a file or a glob"`
	All     bool   `json:"all,omitempty" flag:"all" help:"also those that something else may reach: an export, a test, an interface, a mention"`
	Build
	Filter
}

func deadFilter(in *DeadInput) *Filter { return &in.Filter }

// Dead lists the functions that no call is known to mean and that are handed to nobody: those
// that nothing else may reach, and with All the others behind them. Functions that a program or a test begins with are not among them.
func (f *Feature) Dead(ctx context.Context, in DeadInput) (*Symbols, error) {
	in, r, err := resume("dead", in, deadFilter)
	if err != nil {
		return nil, err
	}
	out := &Symbols{Symbols: []Symbol{}, of: "uncalled function"}
	err = f.ask(ctx, r, in.Filter, in.Pattern, &out.known, &out.Summary.NotCovered, func(s *session) error {
		if err := in.Build.set(s); err != nil {
			return err
		}
		docs, err := s.sources(in.Pattern)
		if err != nil {
			return err
		}
		if len(docs) == 0 && in.Pattern != "" {
			return s.nowhere(in.Pattern)
		}
		all, tally, looked := s.dead(docs)
		found := len(all)
		if !in.All {
			all = slices.DeleteFunc(all, func(x Symbol) bool { return len(x.Reached) > 0 })
		}
		out.Summary = summary(tally)
		if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
			return err
		}
		from, to, p, err := paged(s, len(all), in, deadFilter)
		if err != nil {
			return err
		}
		out.Symbols, out.Page = append(out.Symbols, all[from:to]...), p
		s.symbolLines(out.Symbols)
		if n := found - len(all); n > 0 {
			how := "--all lists"
			if s.tool {
				how = "min_confidence name-only lists"
			}
			s.note("%s not called, and may be reached by something else: an export, an interface, an annotation, another place with the name; %s them",
				text.Count(n, "more is", "more are"), how)
		}
		if found == 0 {
			s.none("each of %s is called or may be reached; main, init, tests and constructors are taken to be called", count(looked, "function"))
		}
		return nil
	})
	return out, err
}

// uses is how often a function is called in the program and in tests.
type uses struct{ program, tests int }

// reckon counts the calls of all documents; not ok if it was given up.
func (s *session) reckon() (used map[facts.Ref]*uses, tally facts.Tally, ok bool) {
	used = map[facts.Ref]*uses{}
	for doc := range s.p.Docs {
		if s.ctx.Err() != nil {
			return used, tally, false
		}
		if !syntax.Source(s.p.Docs[doc].Language) {
			continue
		}
		t := s.p.EdgesByWords(doc, func(_ *corpus.Call, from facts.Ref, edges []facts.Edge, _ bool) {
			for _, e := range edges {
				to := s.p.FirstClause(e.To)
				if to == s.p.FirstClause(from) || e.Sure == facts.NameOnly {
					continue // a call by itself, or of another function of the name
				}
				if used[to] == nil {
					used[to] = &uses{}
				}
				if test(&s.p.Docs[doc]) {
					used[to].tests++
				} else {
					used[to].program++
				}
			}
		})
		tally.Add(t)
	}
	return used, tally, true
}

// uncalled returns the functions of some documents that the program does not call, their names
// without marks, for where they are mentioned, and how many functions were looked at.
func (s *session) uncalled(docs []int, used map[facts.Ref]*uses) (found []facts.Ref, names map[string]string, looked int) {
	names = map[string]string{}
	for _, doc := range docs {
		d := &s.p.Docs[doc]
		if test(d) || d.Flags&(corpus.Generated|corpus.Vendored) != 0 || syntax.Covers(d.Language) != syntax.Everything {
			continue
		}
		f := s.p.File(doc)
		for i := range f.Decls {
			decl, r := &f.Decls[i], facts.Ref{Doc: doc, Decl: int32(i)}
			if !facts.Function(d.Language, decl) || decl.Traits&(corpus.Abstract|corpus.Constructor) != 0 || unasked(f.Lang, decl) || s.p.FirstClause(r) != r {
				continue
			}
			looked++
			if u := used[r]; u == nil || u.program == 0 {
				found = append(found, r)
				names[mention(decl.Name)] = ""
			}
		}
	}
	return found, names, looked
}

// dead returns the functions of some documents that no call in the program means.
func (s *session) dead(docs []int) (out []Symbol, tally facts.Tally, looked int) {
	used, tally, ok := s.reckon()
	if !ok {
		return nil, tally, 0
	}
	found, names, looked := s.uncalled(docs, used)
	s.findMentionsOutside(found, names)
	found = s.kept(found, names)
	var parts map[string]string
	beside := map[string]corpus.Flags{} // examples and benchmarks come last
	for _, r := range found {
		x := s.symbol(r)
		beside[x.File] = s.p.Docs[r.Doc].Flags & corpus.Example
		if x.Reached = s.reach(r, used[r], names); len(x.Reached) == 0 {
			if parts == nil {
				parts = s.composed()
			}
			x.Reached = s.composedFrom(parts, r)
		}
		if x.Confidence = facts.Likely.String(); len(x.Reached) > 0 {
			x.Confidence = facts.NameOnly.String()
		}
		out = append(out, x)
	}
	sorting.Stable(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(min(len(a.Reached), 1), min(len(b.Reached), 1)), cmp.Compare(beside[a.File], beside[b.File]), strings.Compare(a.File, b.File), cmp.Compare(a.at, b.at))
	})
	return out, tally, looked
}

// kept leaves out the functions that the program hands on as values, of those that it mentions.
func (s *session) kept(found []facts.Ref, names map[string]string) []facts.Ref {
	var may []facts.Ref
	for _, r := range found {
		if names[mention(s.p.Decl(r).Name)] != "" {
			may = append(may, r)
		}
	}
	edges, _ := s.p.Passes(may, s.going)
	passed := map[facts.Ref]bool{}
	for _, e := range edges {
		if to := s.p.FirstClause(e.To); to != s.p.FirstClause(e.From) && !test(&s.p.Docs[e.From.Doc]) {
			passed[to] = true
		}
	}
	return slices.DeleteFunc(found, func(r facts.Ref) bool { return passed[r] })
}

// asked are the functions, by family of languages, that the language itself calls.
var asked = map[string][]string{
	"":       {"main", "init", "constructor", "initialize", "__construct"},
	"csharp": {"Main", "Finalize"},
	"jvm":    {"finalize", "readObject", "readObjectNoData", "readResolve", "writeObject", "writeReplace"},
	"swift":  {"deinit", "subscript"},
	"ruby": {
		"initialize_copy", "initialize_clone", "initialize_dup", "method_missing", "respond_to_missing?", "const_missing",
		"inherited", "included", "extended", "prepended", "method_added", "singleton_method_added",
	},
}

// unasked reports whether a function is one that a program, a test or the language calls.
func unasked(lang string, d *corpus.Decl) bool {
	if slices.Contains(asked[""], d.Name) || slices.Contains(asked[lang], d.Name) || d.Kind == corpus.TestCase {
		return true
	}
	if first := d.Name[0]; first < 0x80 && !letter(first) && first != '#' {
		return true // an operator, a destructor
	}
	return syntax.IsSpecialMethod(lang, d.Name)
}

// mention returns what a function is called by where it is not called: without the mark
// of a private one of JavaScript, of a predicate or a setter of Ruby or Elixir.
func mention(name string) string {
	return strings.TrimRight(strings.TrimPrefix(name, "#"), "?!=")
}

// reach returns what may reach a function though no call in the program does.
func (s *session) reach(r facts.Ref, u *uses, mentions map[string]string) (out []string) {
	d := s.p.Decl(r)
	if u != nil && u.tests > 0 {
		out = append(out, "tests ("+count(u.tests, "call")+")")
	}
	if d.Exported {
		out = append(out, "export")
	}
	if of := s.p.Answers(r); of != "" {
		out = append(out, "dispatch of "+of)
	}
	if s.p.InObject(r) {
		out = append(out, "object that holds it")
	}
	if mark := s.markOn(r); mark != "" {
		out = append(out, "mark "+mark)
	}
	if by := s.promised(r); by != "" {
		out = append(out, by)
	}
	if at := mentions[mention(d.Name)]; at != "" {
		out = append(out, "name in "+at)
	}
	return out
}

// markOn returns a decorator, an annotation or an attribute of a function, or of a type around one that is not private: a route,
// a handler, a fixture.
func (s *session) markOn(r facts.Ref) string {
	f, d := s.p.File(r.Doc), s.p.Decl(r)
	text, _ := s.v.Text(s.p.Docs[r.Doc].Path)
	isPrivate := slices.ContainsFunc(wordsBefore(text, d), func(w []byte) bool { return string(w) == "private" })
	for len(d.Marks) == 0 {
		if isPrivate || d.Parent < 0 || facts.Function(s.p.Docs[r.Doc].Language, &f.Decls[d.Parent]) {
			return ""
		}
		d = &f.Decls[d.Parent]
	}
	return d.Marks[0]
}

// wordsBefore returns the words of a declaration before its name.
func wordsBefore(text []byte, d *corpus.Decl) [][]byte {
	from := max(d.Span.Start, d.Doc.End)
	if from > d.NameAt || d.NameAt > len(text) {
		return nil
	}
	return bytes.Fields(text[from:d.NameAt])
}

// promised says what the words before a function's name let others do with it.
func (s *session) promised(r facts.Ref) string {
	d, doc := s.p.Decl(r), &s.p.Docs[r.Doc]
	text, _ := s.v.Text(doc.Path)
	from := max(d.Span.Start, d.Doc.End)
	if from > d.NameAt || d.NameAt > len(text) {
		return ""
	}
	before := wordsBefore(text, d)
	if mark := syntax.MarkOfBlock(doc.Language, text[:d.NameAt]); mark != "" {
		return "mark " + mark
	}
	if d.Parent < 0 && d.Scope == "" && d.Traits&corpus.Local == 0 && syntax.OffersFunctions(doc.Language, text) {
		return "scripts that read its file"
	}
	if exports, _ := regexp.Match(`(?m)^//\w.* `+regexp.QuoteMeta(d.Name)+`(\s|$)`, text[min(d.Span.Start, from):d.NameAt]); exports {
		return "the directive before it"
	}
	switch doc.Language {
	case "csharp":
		if len(before) == 0 {
			return "assignment" // of a property that somebody else calls
		}
	case "swift":
		if d.NameAt > 0 && text[d.NameAt-1] == '.' {
			return "assignment"
		}
	case "javascript", "typescript":
		if around := uncommented(text[:from]); len(before) > 0 && len(around) > 0 && bytes.IndexByte([]byte("(,=:[?&|>"), around[len(around)-1]) >= 0 || bytes.HasSuffix(around, []byte("return")) {
			return "expression that it is" // its name is for traces
		}
	}
	for _, w := range before {
		switch string(w) {
		case "override":
			return "dispatch of a base"
		case "operator", "implicit", "extern", "friend":
			return "the word " + string(w)
		case "protected":
			return "subclasses elsewhere"
		}
	}
	return ""
}

// uncommented returns a text without the spaces and the comments that it ends with.
func uncommented(text []byte) []byte {
	for {
		text = bytes.TrimRight(text, " \t\r\n")
		line := text[1+bytes.LastIndexByte(text, '\n'):]
		switch {
		case bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("//")):
			text = text[:len(text)-len(line)]
		case bytes.HasSuffix(text, []byte("*/")):
			open := bytes.LastIndex(text, []byte("/*"))
			if open < 0 {
				return text
			}
			text = text[:open]
		default:
			return text
		}
	}
}

// findMentionsOutside is findMentions, but for the places of the functions' own declarations and the comments on them.
func (s *session) findMentionsOutside(found []facts.Ref, names map[string]string) {
	own, holders := map[spot]bool{}, map[string]string{}
	for _, r := range found {
		d, f := s.p.Decl(r), s.p.File(r.Doc)
		name, holder := mention(d.Name), f.Path+d.Qualified()
		if of := holders[name]; of != "" && of != holder {
			names[name] = f.Path
		}
		holders[name] = holder
		text, _ := s.v.Text(f.Path)
		for i := range f.Decls {
			x := &f.Decls[i]
			from, end := min(x.Span.Start, x.NameAt), min(x.NameAt+len(x.Name), len(text))
			if x.Doc.Len() > 0 {
				from = min(from, x.Doc.Start)
			}
			if mention(x.Name) == name && x.Qualified() == d.Qualified() && from < end {
				for at := range syntax.FindNames(text[from:end], []string{name}, false) {
					own[spot{r.Doc, from + at}] = true
				}
			}
		}
	}
	s.findMentions(names, own)
}

// findMentions notes for each name the first file that has it beside the function's own places, tests and documents last. The
// name of a file counts: shells read functions from files of their names.
func (s *session) findMentions(names map[string]string, own map[spot]bool) {
	var odd []string // of more than letters: set'Snd of Haskell, what other alphabets and none write
	for n := range names {
		if strings.ContainsFunc(n, func(r rune) bool { return r >= 0x80 || !isWordPart(byte(r)) }) {
			odd = append(odd, n)
		}
	}
	for _, later := range []bool{false, true} {
		for doc := range s.p.Docs {
			if s.ctx.Err() != nil {
				return
			}
			if d := &s.p.Docs[doc]; (test(d) || syntax.Prose(d.Language)) == later {
				s.findMentionsIn(doc, names, odd, own)
			}
		}
	}
}

// findMentionsIn notes the names that a document has beside the functions' own places.
func (s *session) findMentionsIn(doc int, names map[string]string, odd []string, own map[spot]bool) {
	d := &s.p.Docs[doc]
	add := func(name string, at int) {
		if in, asked := names[name]; asked && in == "" && !own[spot{doc, at}] {
			names[name] = d.Path
		}
	}
	add(strings.TrimSuffix(path.Base(d.Path), path.Ext(d.Path)), -1)
	text, _ := s.v.Text(d.Path)
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && isWordPart(text[i]) {
			i++
		}
		if _, asked := names[string(text[from:i])]; asked && i > from {
			add(string(text[from:i]), from)
		}
	}
	for _, name := range odd {
		for at := range syntax.FindNames(text, []string{name}, false) {
			add(name, at)
		}
	}
}

// isWordPart reports whether a byte is a part of names in every language.
func isWordPart(c byte) bool { return c < 0x80 && c != '$' && letter(c) }
