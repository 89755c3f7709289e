package brief

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/code/paste"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

func sameLanguage(a, b string) bool { return syntax.Language(a, nil) == syntax.Language(b, nil) }

func distance(a, b int) int { return max(a-b, b-a) }

// quoted returns the line that a trace quotes, in one of the declarations that it names
// where there are any: the one nearest to where it was; 0 where there is none.
func (s *session) quoted(f *file, p paste.Place, named []int32) (best int) {
	quote := strings.Join(strings.Fields(p.Quote), " ")
	if len(quote) < shortestQuote || !s.load(f) {
		return 0
	}
	decls := s.p.File(f.doc).Decls
	for n := range f.starts {
		line := f.lineText(n + 1)
		if strings.Join(strings.Fields(line), " ") != quote {
			continue
		}
		inside := len(named) == 0 || slices.ContainsFunc(named, func(i int32) bool {
			return decls[i].Span.Start <= f.starts[n] && f.starts[n] < decls[i].Span.End
		})
		if inside && (best == 0 || distance(n+1, p.Line) < distance(best, p.Line)) {
			best = n + 1
		}
	}
	return best
}

// mostRedacted is how large a file is of which lines are shown, in bytes, where secrets are
// taken out of them.
const mostRedacted = 4 << 20

// shortestQuote is the length of a line that says where it is.
const shortestQuote = 4

const mostFrames = 40

// was is a place as the task has it.
func was(p paste.Place) string {
	out := p.Path
	if p.Line > 0 {
		out += ":" + itoa(p.Line)
	}
	if p.Name != "" {
		out += " " + p.Name
	}
	return out
}
