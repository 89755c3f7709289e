package claims

import (
	"bytes"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// How languages keep a declaration inside, and where they say what it is, where that is not as in most.

var (
	oneLine = lazy.Regexp(`;\s*(?://.*|/\*.*\*/)?\s*$`)
)

// ofTongue reports whether a language keeps a declaration inside, or fixes what it is, by rules of its own.
func (s *surface) ofTongue(d *Declaration, lines [][]byte) bool {
	line := lines[d.Line-1]
	if aliased(d, line) {
		return true
	}
	if !syntax.Has(d.Language, "inner-packages") {
		return false
	}
	inner, known := s.types[d.Path]
	if !known {
		inner = inInnerPackage(s.lines(d.Path))
		s.types[d.Path] = inner
	}
	return inner
}

// aliased reports whether a line gives a member of something its own name again: it is documented there.
func aliased(d *Declaration, line []byte) bool {
	_, value, ok := strings.Cut(string(line), "=")
	value = strings.TrimRight(strings.TrimSpace(value), ";,")
	return ok && syntax.Has(d.Language, "aliases-by-assignment") && strings.HasSuffix(value, "."+d.Name) && dottedName.MatchString(value)
}

// inGroup reports whether a declaration of one line is in a run of such lines, without an empty line,
// that begins with a comment: it is of all of them.
func inGroup(lines [][]byte, at int, language string) bool {
	if !syntax.Has(language, "comments-of-runs") || !oneLine.Match(lines[at]) {
		return false
	}
	indent := func(i int) int { return len(lines[i]) - len(bytes.TrimLeft(lines[i], " \t")) }
	for i := at - 1; i >= 0 && i > at-40; i-- {
		text := bytes.TrimSpace(lines[i])
		switch {
		case len(text) == 0:
			return false
		case remarked.Match(text) || bytes.HasSuffix(text, []byte("*/")) && !oneLine.Match(text):
			return i < at-1 && told([]string{string(text)}).says
		case indent(i) != indent(at), !oneLine.Match(text):
			return false
		}
	}
	return false
}

// inInnerPackage reports whether a file says that its package is one of internals.
func inInnerPackage(lines [][]byte) bool {
	for _, line := range lines {
		if name, ok := bytes.CutPrefix(line, []byte("package ")); ok {
			said := "." + strings.TrimRight(string(name), "; \r") + "."
			return strings.Contains(said, ".internal.") || strings.Contains(said, ".impl.")
		}
	}
	return false
}
