package graph

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
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
			s.note("%s not called, and may be reached by something else: an export, a test, an interface, a mention; %s them",
				text.Count(n, "more is", "more are"), how)
		}
		if found == 0 {
			s.none("each of %s is called or may be reached; main, init, tests and constructors are taken to be called", count(looked, "function"))
		} else if n := tally.Unresolved - tally.External; n > 0 {
			s.note("%s could not be resolved, and may mean one of these", count(n, "call"))
		}
		return nil
	})
	return out, err
}

// A word is a name in files of one family of languages.
type word struct{ lang, name string }

// uses is how a function is used, as far as calls tell.
type uses struct {
	program, tests, names int // calls in the program, in tests, and of the name that may mean another
}

// counts are how the functions of a project are called.
type counts struct {
	used   map[facts.Ref]*uses
	lost   map[word]int           // calls of a name that lead nowhere
	called map[int]map[string]int // by document: how often a name is called
	tally  facts.Tally
}

// reckon counts the calls of all documents; false: it was given up.
func (s *session) reckon() (c counts, ok bool) {
	c = counts{used: map[facts.Ref]*uses{}, lost: map[word]int{}, called: map[int]map[string]int{}}
	for doc := range s.p.Docs {
		if s.ctx.Err() != nil {
			return c, false
		}
		if !syntax.Source(s.p.Docs[doc].Language) {
			continue
		}
		c.called[doc] = map[string]int{}
		t := s.p.EdgesByWords(doc, func(call *corpus.Call, from facts.Ref, edges []facts.Edge, nowhere bool) {
			c.called[doc][mention(call.Callee)]++
			if nowhere || len(edges) == 0 && extensible(s.p.Docs[doc].Language) {
				c.lost[word{s.p.File(doc).Lang, call.Callee}]++
			}
			for _, e := range edges {
				to := s.p.FirstClause(e.To)
				if to == s.p.FirstClause(from) {
					continue // by itself
				}
				u := c.used[to]
				if u == nil {
					u = &uses{}
					c.used[to] = u
				}
				if e.Sure > facts.NameOnly && s.p.Docs[to.Doc].Language == "kotlin" {
					c.lost[word{s.p.File(doc).Lang, call.Callee}]++ // the platforms provide what is meant
				}
				if test(&s.p.Docs[to.Doc]) && !test(&s.p.Docs[doc]) {
					c.lost[word{s.p.File(doc).Lang, call.Callee}]++ // what a test has in the place of another
				}
				switch {
				case e.Sure == facts.NameOnly:
					u.names++
				case test(&s.p.Docs[doc]):
					u.tests++
				default:
					u.program++
				}
			}
		})
		c.tally.Add(t)
	}
	return c, true
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
	c, ok := s.reckon()
	if !ok {
		return nil, c.tally, 0
	}
	used, lost := c.used, c.lost
	found, names, looked := s.uncalled(docs, used)
	twins := map[word]bool{} // qualified names of what the program calls
	for r, u := range used {
		if u.program > 0 {
			twins[word{s.p.File(r.Doc).Lang, s.p.Decl(r).Qualified()}] = true
		}
	}
	s.mentioned(names, c.called)
	found = s.kept(found, names)
	begun := s.composed(names)
	beside := map[string]corpus.Flags{} // examples and benchmarks come last
	for _, r := range found {
		x := s.symbol(r)
		beside[x.File] = s.p.Docs[r.Doc].Flags & corpus.Example
		name := mention(s.p.Decl(r).Name)
		for n := len(name) - 1; n > 0; n-- { // the longest beginning says most
			if in, ok := begun[name[:n]]; ok {
				x.Reached = append(x.Reached, name[:n]+"… in "+in)
				break
			}
		}
		x.Reached = append(s.reach(r, used[r], lost, names), x.Reached...)
		if twins[word{s.p.File(r.Doc).Lang, s.p.Decl(r).Qualified()}] {
			x.Reached = append(x.Reached, "calls of another "+x.Name) // an overload, or what another platform has in its place
		}
		if x.Confidence = facts.Likely.String(); len(x.Reached) > 0 {
			x.Confidence = facts.NameOnly.String()
		}
		out = append(out, x)
	}
	sorting.Stable(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(min(len(a.Reached), 1), min(len(b.Reached), 1)), cmp.Compare(beside[a.File], beside[b.File]), strings.Compare(a.File, b.File), cmp.Compare(a.at, b.at))
	})
	return out, c.tally, looked
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

// extensible reports whether a project may add functions to types that are not its own, so
// that a call of what a library seems to have may mean one of them.
func extensible(language string) bool {
	switch language {
	case "go", "java", "python", "javascript", "typescript", "c", "php":
		return false
	}
	return true
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
func (s *session) reach(r facts.Ref, u *uses, lost map[word]int, mentions map[string]string) (out []string) {
	d := s.p.Decl(r)
	called := lost[word{s.p.File(r.Doc).Lang, d.Name}]
	if u != nil {
		called += u.names
	}
	if u != nil && u.tests > 0 {
		out = append(out, "tests ("+count(u.tests, "call")+")")
	}
	if called > 0 {
		out = append(out, count(called, "call")+" of that name")
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
	if len(d.Marks) > 0 {
		out = append(out, "mark "+d.Marks[0]) // a route, a handler, a fixture
	}
	if by := s.promised(r); by != "" {
		out = append(out, by)
	}
	if at := mentions[mention(d.Name)]; at != "" {
		out = append(out, "name in "+at) // a value that is passed, reflection, a route's string
	}
	return out
}

// promised says what the words before a function's name let others do with it.
func (s *session) promised(r facts.Ref) string {
	d, doc := s.p.Decl(r), &s.p.Docs[r.Doc]
	text, _ := s.v.Text(doc.Path)
	from := max(d.Span.Start, d.Doc.End)
	if from > d.NameAt || d.NameAt > len(text) {
		return ""
	}
	before := bytes.Fields(text[from:d.NameAt])
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

// mentioned notes for each name the first file that has it beside declarations and
// calls: what is passed as a value, named in a string, a template or a configuration.
func (s *session) mentioned(names map[string]string, called map[int]map[string]int) {
	if len(names) == 0 {
		return
	}
	var odd []string // of more than letters: set'Snd of Haskell, what other alphabets and none write
	for n := range names {
		if strings.ContainsFunc(n, func(r rune) bool { return r >= 0x80 || !letter(byte(r)) }) {
			odd = append(odd, n)
		}
	}
	for _, tests := range []bool{false, true} {
		for doc := range s.p.Docs {
			if s.ctx.Err() != nil {
				return
			}
			if d := &s.p.Docs[doc]; (!syntax.Prose(d.Language) || d.Language == "html") && test(d) == tests {
				s.mentionedIn(doc, names, odd, called[doc])
			}
		}
	}
}

// mentionedIn notes the names that a document has beside its declarations and calls.
func (s *session) mentionedIn(doc int, names map[string]string, odd []string, called map[string]int) {
	d := &s.p.Docs[doc]
	text, _ := s.v.Text(d.Path)
	seen := map[string]int{}
	odd = slices.DeleteFunc(slices.Clone(odd), func(n string) bool { return names[n] != "" || !bytes.Contains(text, []byte(n)) })
	for line := range bytes.Lines(text) {
		if comment(line) {
			continue
		}
		for _, n := range odd {
			if k := bytes.Count(line, []byte(n)); k > 0 {
				seen[n] += k
			}
		}
		for w := range bytes.FieldsFuncSeq(line, func(r rune) bool { return r >= 0x80 || !letter(byte(r)) }) {
			if at, ok := names[string(w)]; ok && at == "" {
				seen[string(w)]++
			}
		}
	}
	if len(seen) == 0 {
		return
	}
	f := s.p.File(doc)
	for i := range f.Decls {
		if n := mention(f.Decls[i].Name); seen[n] > 0 {
			seen[n]--
		}
	}
	for n, times := range seen {
		if times > called[n] {
			names[n] = d.Path
		}
	}
}

// joined finds the beginnings of names that are put together when the program runs:
// "matches_#{x}", `on${x}`, "visit_%s", "visit_" + x, visit_##x.
var joined = lazy.Regexp("[\"'`:]([A-Za-z_]\\w{3,})(?:#\\{|\\$\\{|\\{|%s|[\"'] ?[+.] ?\\w)|([A-Za-z_]\\w{3,}) ?##")

// composed returns the beginnings of names that files put together, with the first file of each, of
// those that one of some names begins with.
func (s *session) composed(names map[string]string) map[string]string {
	out := map[string]string{}
	none := map[string]bool{} // no name begins with it
	sorted := slices.Sorted(maps.Keys(names))
	for doc := range s.p.Docs {
		d := &s.p.Docs[doc]
		if s.ctx.Err() != nil || len(names) == 0 {
			return out
		}
		if syntax.Prose(d.Language) || d.Language == "go" || !syntax.Source(d.Language) {
			continue
		}
		text, _ := s.v.Text(d.Path)
		for _, m := range joined.FindAllSubmatch(text, -1) {
			prefix := string(m[1]) + string(m[2])
			if _, has := out[prefix]; has || none[prefix] {
				continue
			}
			if i, _ := slices.BinarySearch(sorted, prefix); i < len(sorted) && strings.HasPrefix(sorted[i], prefix) {
				out[prefix] = d.Path
			} else {
				none[prefix] = true
			}
		}
	}
	return out
}

// comment reports whether a line is one, in most languages.
func comment(line []byte) bool {
	line = bytes.TrimSpace(line)
	for _, mark := range []string{"//", "# ", "/*", "* ", "-- ", ";;"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}
