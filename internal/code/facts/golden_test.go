package facts_test

import (
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/langtest"
)

var update = flag.Bool("update", false, "rewrite the answers of testdata")

// TestProjects asks everything of some small projects: what imports are, what calls mean, how
// types are related, where names are declared and used. The answers are in each archive.
func TestProjects(t *testing.T) { langtest.Archives(t, *update, answers) }

var identifier = regexp.MustCompile(`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*`)

// answers writes what is known of a project, one a line.
func answers(tree map[string]string) string {
	p := project(tree)
	p.Under(facts.For("linux", "amd64", nil))
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	at := func(doc, at int) string {
		text := tree[p.Docs[doc].Path]
		return fmt.Sprintf("%s:%d:%d", p.Docs[doc].Path, 1+strings.Count(text[:at], "\n"), at-strings.LastIndexByte(text[:at], '\n'))
	}
	name := func(r facts.Ref) string {
		if d := p.Decl(r); d != nil {
			return p.Docs[r.Doc].Path + ":" + d.Qualified()
		}
		return p.Docs[r.Doc].Path
	}
	asked := map[string]bool{}
	for doc := range p.Docs {
		f := p.File(doc)
		if p.Excluded(doc) {
			say("excluded %s", p.Docs[doc].Path)
		}
		for i := range p.Head(doc).Imports {
			m := &p.Head(doc).Imports[i]
			got := p.Import(doc, m)
			var to []string
			for _, d := range got.Docs {
				to = append(to, p.Docs[d].Path)
			}
			say("import %s %s %s %q %q", p.Docs[doc].Path, m.Path, got.Origin, to, got.Rest)
		}
		tally := p.Edges(doc, func(c *corpus.Call, from facts.Ref, to []facts.Edge, _ bool) {
			for _, e := range to {
				to := 0
				if d := p.Decl(e.To); d != nil {
					to = 1 + strings.Count(tree[p.Docs[e.To.Doc].Path][:d.NameAt], "\n")
				}
				say("call %s %s → %s:%d %s %s", at(doc, c.At), name(from), name(e.To), to, e.Sure, e.How)
			}
		})
		say("calls %s %+v", p.Docs[doc].Path, tally)
		for i := range f.Decls {
			d, r := &f.Decls[i], facts.Ref{Doc: doc, Decl: int32(i)}
			asked[d.Qualified()] = true
			if got := p.Answers(r); got != "" {
				say("answers %s %s", name(r), got)
			}
			above, outside := p.Above(r)
			for _, x := range above {
				say("above %s %s %s %s", name(r), name(x.Type), x.Sure, x.How)
			}
			if outside > 0 {
				say("above %s outside %d", name(r), outside)
			}
			for _, x := range p.Below(r) {
				say("below %s %s %s %s", name(r), name(x.Type), x.Sure, x.How)
			}
			if d.Traits&corpus.Abstract != 0 && d.Parent >= 0 && p.Docs[doc].Language == "go" {
				for _, x := range p.Nearly(facts.Ref{Doc: doc, Decl: d.Parent}, d.Name) {
					say("nearly %s %s", name(r), name(x.Type))
				}
			}
		}
		for _, x := range p.FieldsIn(doc) {
			say("field %s %s %v", at(doc, x.At), x.Name, x.Exported)
		}
		text := tree[p.Docs[doc].Path]
		for _, m := range identifier.FindAllStringIndex(text, -1) {
			chain := text[m[0]:m[1]]
			last := m[0] + strings.LastIndexByte(chain, '.') + 1
			places, _ := p.Meant(doc, last, chain)
			for _, x := range places {
				if x.Doc != doc || x.At != last {
					say("meant %s %s → %s %s %s", at(doc, last), chain, at(x.Doc, x.At), x.Sure, x.How)
				}
			}
		}
	}
	for _, symbol := range slices.Sorted(maps.Keys(asked)) {
		of := p.Targets(symbol)
		got, tally := p.Uses(of, func(int) bool { return true })
		for _, u := range got {
			say("use %s %s %s %s", symbol, at(u.From.Doc, u.At), u.Kind, u.Sure)
		}
		say("uses %s %+v", symbol, tally)
		refs := p.Lookup(symbol)
		calls, _ := p.Callers(refs)
		for _, e := range calls {
			say("caller %s %s %s %s", symbol, at(e.From.Doc, e.At), name(e.From), e.Sure)
		}
		passes, files := p.Passes(refs, func(int) bool { return true })
		for _, e := range passes {
			say("passed %s %s %s %d", symbol, at(e.From.Doc, e.At), e.Sure, files)
		}
	}
	return strings.Join(out, "\n") + "\n"
}
