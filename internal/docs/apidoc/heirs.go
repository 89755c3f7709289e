package apidoc

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	protectedWord = lazy.Regexp(`\bprotected\b`)
	closedWord    = lazy.Regexp(`\b(?:private|final|sealed)\b`)
)

// forHeirs reports whether a method is protected and a comment describes it: it is meant for those who extend its class or
// include its module, as the methods of Pundit::Authorization are. Without a comment it is an affair of the class.
func (r *reader) forHeirs(d *corpus.Decl) bool {
	if d.Exported || d.Parent < 0 || d.Kind != corpus.Method {
		return false
	}
	of := &r.facts.Decls[d.Parent]
	from := lineStart(r.text, d.NameAt)
	switch head := r.text[from:d.NameAt]; r.lang {
	case "ruby":
		if !protectedWord.MatchString(head) && r.section(d.Parent, from) != "protected" {
			return false
		}
	case "java", "kotlin", "csharp", "php", "typescript":
		// A class that nobody extends has no heirs.
		if !protectedWord.MatchString(head) || closedWord.MatchString(head) || closedWord.MatchString(r.text[lineStart(r.text, of.NameAt):of.NameAt]) {
			return false
		}
	default:
		return false
	}
	said := r.doc(d)
	return !said.empty()
}

// section returns the word of Ruby that stands alone on a line of a class or module last before a line of a method, and
// says who may call what follows: "private" where none does. Those of what is within are indented more.
func (r *reader) section(of int32, at int) (word string) {
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	s := r.sections[of]
	if s == nil || s.to > at {
		s = &sections{to: r.facts.Decls[of].NameAt}
		if r.sections == nil {
			r.sections = map[int32]*sections{}
		}
		r.sections[of] = s
	}
	for line := range strings.SplitSeq(r.text[s.to:at], "\n") {
		switch said := strings.TrimSpace(line); said {
		case "private", "protected", "public":
			// Of those that are indented as much or more none is the last for any line.
			for len(s.words) > 0 && s.words[len(s.words)-1].indent >= indent(line) {
				s.words = s.words[:len(s.words)-1]
			}
			s.words = append(s.words, sectionWord{indent(line), said})
		}
	}
	s.to = at
	for _, w := range s.words {
		if w.indent <= indent(r.text[at:]) {
			word = w.word
		}
	}
	return word
}

// The sections of a class that were read up to a line; its methods are asked for in their order.
type sections struct {
	to    int
	words []sectionWord // the last of each indentation
}

type sectionWord struct {
	indent int
	word   string
}
