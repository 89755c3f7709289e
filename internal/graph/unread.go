package graph

import (
	"slices"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// unread is the error of a question about declarations in languages of which no more is read than what they declare: an
// answer would say that there is nothing.
func (s *session) unread(of []facts.Ref, what string) error {
	docs := slice.Map(of, func(r facts.Ref) int { return r.Doc })
	if len(of) == 0 {
		return nil
	}
	return s.unreadIn(docs, what, s.p.Decl(of[0]).Name)
}

// unreadIn is unread about files; name is what a text search can look for.
func (s *session) unreadIn(docs []int, what, name string) error {
	unknown := func(doc int) bool { return syntax.Covers(s.p.Docs[doc].Language) == syntax.Declarations }
	if len(docs) == 0 || !s.v.Extent().Complete || slices.ContainsFunc(docs, func(d int) bool { return !unknown(d) }) {
		return nil
	}
	language := s.p.Docs[docs[0]].Language
	if !syntax.Source(language) || syntax.Inert(language) {
		return nil
	}
	n := 0
	for i := range s.p.Docs {
		if s.p.Docs[i].Language == language {
			n++
		}
	}
	return fault.New(fault.Usage, "%s are not read in %s: of its %s only the declarations are known", what, language, count(n, "file")).
		Try("search", fault.Arg{Name: "query", Value: pattern(name)}, fault.Arg{Name: "regex", Value: true})
}

// importing counts the files that pass the filter and whose imports are read.
func (s *session) importing() (n int) {
	for _, d := range s.filtered() {
		if l := s.p.Docs[d].Language; syntax.Covers(l) == syntax.Everything || syntax.Inert(l) {
			n++
		}
	}
	return n
}
