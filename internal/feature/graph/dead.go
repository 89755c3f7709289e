package graph

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/core/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A DeadInput asks for the functions that nothing calls.
type DeadInput struct {
	Pattern   string `json:"pattern,omitempty" arg:"1" help:"a folder, a file or a glob"`
	Unreached bool   `json:"unreached,omitempty" flag:"unreached" help:"only those that nothing known may reach in another way"`
	Build
	Filter
}

func deadFilter(in *DeadInput) *Filter { return &in.Filter }

// Dead lists the functions that no call is known to mean, first those that nothing
// else may reach. Functions that a program or a test begins with are not among them.
func (f *Feature) Dead(ctx context.Context, in DeadInput) (*Symbols, error) {
	in, r, err := resume("dead", in, deadFilter)
	if err != nil {
		return nil, err
	}
	out := &Symbols{Symbols: []Symbol{}, of: "unreferenced function"}
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
		if in.Unreached {
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
		if len(all) == 0 {
			s.none("each of %s is called or may be reached; main, init, tests and constructors are taken to be called", count(looked, "function"))
		} else if n := tally.Unresolved - tally.External; n > 0 {
			s.note("%s led nowhere that is known, and may mean one of these", count(n, "call"))
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

// dead returns the functions of some documents that no call in the program means.
func (s *session) dead(docs []int) (out []Symbol, tally facts.Tally, looked int) {
	used := map[facts.Ref]*uses{}
	lost := map[word]int{}             // calls of a name that lead nowhere
	called := map[int]map[string]int{} // by document: how often a name is called
	for doc := range s.p.Docs {
		if s.ctx.Err() != nil {
			return nil, tally, 0
		}
		if !syntax.Source(s.p.Docs[doc].Language) {
			continue
		}
		called[doc] = map[string]int{}
		t := s.p.EdgesByWords(doc, func(c *corpus.Call, from facts.Ref, edges []facts.Edge, nowhere bool) {
			called[doc][c.Callee]++
			if nowhere || len(edges) == 0 && extensible(s.p.Docs[doc].Language) {
				lost[word{s.p.File(doc).Lang, c.Callee}]++
			}
			for _, e := range edges {
				to := s.p.FirstClause(e.To)
				if to == s.p.FirstClause(from) {
					continue // by itself
				}
				u := used[to]
				if u == nil {
					u = &uses{}
					used[to] = u
				}
				if e.Sure > facts.NameOnly && s.p.Docs[to.Doc].Language == "kotlin" {
					lost[word{s.p.File(doc).Lang, c.Callee}]++ // the platforms provide what is meant
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
		tally.Total, tally.Resolved, tally.Ambiguous = tally.Total+t.Total, tally.Resolved+t.Resolved, tally.Ambiguous+t.Ambiguous
		tally.Unresolved, tally.External = tally.Unresolved+t.Unresolved, tally.External+t.External
	}
	var found []facts.Ref
	names := map[string]string{} // of candidates without marks, and where they are mentioned
	for _, doc := range docs {
		d := &s.p.Docs[doc]
		if test(d) || d.Flags&corpus.Generated != 0 || syntax.Covers(d.Language) != syntax.Everything {
			continue
		}
		f := s.p.File(doc)
		for i := range f.Decls {
			decl, r := &f.Decls[i], facts.Ref{Doc: doc, Decl: int32(i)}
			if !facts.Function(d.Language, decl) || decl.Traits&(corpus.Abstract|corpus.Constructor) != 0 || unasked(decl) || s.p.FirstClause(r) != r {
				continue
			}
			looked++
			if u := used[r]; u == nil || u.program == 0 {
				found = append(found, r)
				names[strings.TrimPrefix(decl.Name, "#")] = ""
			}
		}
	}
	s.mentioned(names, called)
	for _, r := range found {
		x := s.symbol(r)
		x.Reached = s.reach(r, used[r], lost, names)
		if x.Confidence = facts.Likely.String(); len(x.Reached) > 0 {
			x.Confidence = facts.NameOnly.String()
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(min(len(a.Reached), 1), min(len(b.Reached), 1)), strings.Compare(a.File, b.File), cmp.Compare(a.at, b.at))
	})
	return out, tally, looked
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

// unasked reports whether a function is one that a program, a test or the language calls.
func unasked(d *corpus.Decl) bool {
	switch d.Name {
	case "main", "init", "constructor", "initialize", "__construct":
		return true
	}
	return d.Kind == corpus.TestCase || strings.HasPrefix(d.Name, "~") || strings.HasPrefix(d.Name, "__") && strings.HasSuffix(d.Name, "__")
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
	if at := mentions[strings.TrimPrefix(d.Name, "#")]; at != "" {
		out = append(out, "name in "+at) // a value that is passed, reflection, a route's string
	}
	return out
}

// mentioned notes for each name the first file that has it beside declarations and
// calls: what is passed as a value, named in a string, a template or a configuration.
func (s *session) mentioned(names map[string]string, called map[int]map[string]int) {
	if len(names) == 0 {
		return
	}
	for doc := range s.p.Docs {
		d := &s.p.Docs[doc]
		if s.ctx.Err() != nil {
			return
		}
		if syntax.Prose(d.Language) || test(d) {
			continue
		}
		text, _ := s.v.Text(d.Path)
		seen := map[string]int{}
		for line := range bytes.Lines(text) {
			if comment(line) {
				continue
			}
			for w := range bytes.FieldsFuncSeq(line, func(r rune) bool { return r >= 0x80 || !letter(byte(r)) }) {
				if at, ok := names[string(w)]; ok && at == "" {
					seen[string(w)]++
				}
			}
		}
		if len(seen) == 0 {
			continue
		}
		f := s.p.File(doc)
		for i := range f.Decls {
			if n := strings.TrimPrefix(f.Decls[i].Name, "#"); seen[n] > 0 {
				seen[n]--
			}
		}
		for n, times := range seen {
			if times > called[doc][n]+called[doc]["#"+n] {
				names[n] = d.Path
			}
		}
	}
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
