package graph

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/excerpt"
	"github.com/assay-dev/assay/internal/code/facts"
)

// fileRanges is FILE:LINE, FILE:LINE:COLUMN, FILE:A-B and several of the last.
var fileRanges = lazy.Regexp(`^(.+?):([1-9][0-9]{0,8}(?:-[1-9][0-9]{0,8})?(?:,[1-9][0-9]{0,8}(?:-[1-9][0-9]{0,8})?)*)(?::[0-9]+)?$`)

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// maxAround is how many callers and how many tests of one declaration are listed.
const maxAround = 20

// showAround adds the lines of the callers and the tests of what is shown.
func (s *session) showAround(x *Shown) {
	if x.ref.Doc < 0 {
		return
	}
	noted := len(s.notes)
	edges, _ := s.callers([]facts.Ref{x.ref})
	s.notes = s.notes[:noted] // how far it was looked for is no matter of a list of examples
	seen := map[string]bool{}
	for _, e := range edges {
		d := &s.p.Docs[e.From.Doc]
		if e.Sure < facts.Likely || !s.passes(e.From) {
			continue
		}
		n := s.v.Lines(d.Path, []int{e.At})[0]
		if key := d.Path + ":" + itoa(n); seen[key] || d.Path == x.File && x.First <= n && n <= x.Last {
			continue
		} else {
			seen[key] = true
		}
		to := &x.Callers
		if s.p.InTest(e.From) {
			to = &x.Tests
		}
		if len(*to) == maxAround {
			x.More++
			continue
		}
		src, _ := s.v.Text(d.Path)
		line := strings.TrimSpace(excerpt.New(d.Path, src, nil).Shown(n, nil))
		*to = append(*to, Line{d.Path, n, s.name(e.From), line})
	}
}

// fit chooses which lines of each place are shown within so many bytes, to which come those for the places that were given by
// numbers of lines. Who needs less than an equal share leaves the rest to the others.
func (a *Texts) fit(budget, ranges int) {
	budget -= a.frame()
	need, own := make([]int, len(a.Shown)), make([]int, len(a.Shown))
	for i := range a.Shown {
		if need[i] = a.Shown[i].cost(); a.Shown[i].ranged && need[i] <= ranges {
			ranges -= need[i]
			own[i], need[i] = need[i], 0
		}
	}
	for i, share := range shareOut(need, budget) {
		x := &a.Shown[i]
		room := own[i] + share - len(x.heading()) - 2
		if share < need[i] {
			x.trimAround(room / 2)
		}
		for _, l := range slices.Concat(x.Callers, x.Tests) {
			room -= len(l.String())
		}
		x.keep(room)
	}
}

// cost is what a place needs to be shown whole, in bytes.
func (x *Shown) cost() int {
	r := corpus.Range{First: x.First, Last: x.Last}
	n := x.file.Cost(r, []corpus.Range{r}) + len(x.heading()) + 2
	for _, l := range slices.Concat(x.Callers, x.Tests) {
		n += len(l.String())
	}
	return n
}

// frame is what the text has besides places, in bytes.
func (a *Texts) frame() (n int) {
	for _, o := range a.Others {
		n += len(o.String())
	}
	for _, m := range a.Missing {
		n += len(m.Message) + 3
	}
	return n
}

// shareOut divides a budget among needs: none has more than it needs, and those that need more than
// they get have as much as each other.
func shareOut(need []int, budget int) []int {
	out := make([]int, len(need))
	left := 0
	for _, n := range need {
		left += min(n, 1)
	}
	for left > 0 {
		each, satisfied := max(0, budget)/left, 0
		for i, n := range need {
			if out[i] == 0 && n > 0 && n <= each {
				out[i] = n
				budget -= n
				satisfied++
			}
		}
		if left -= satisfied; satisfied == 0 {
			for i := range out {
				if out[i] == 0 && need[i] > 0 {
					out[i] = each
				}
			}
			break
		}
	}
	return out
}

// trimAround drops the last callers and tests that do not fit.
func (x *Shown) trimAround(budget int) {
	for _, list := range []*[]Line{&x.Callers, &x.Tests} {
		for i, l := range *list {
			if budget -= len(l.String()); budget < 0 {
				x.More += len(*list) - i
				*list = (*list)[:i]
				break
			}
		}
	}
}

// keep sets the lines that are shown.
func (x *Shown) keep(budget int) {
	whole := corpus.Range{First: x.First, Last: x.Last}
	x.kept = x.file.Fold(whole, x.of, budget)
	x.Text = []Segment{}
	for _, r := range x.kept {
		var b strings.Builder
		for n := r.First; n <= r.Last; n++ {
			b.WriteString(strings.ToValidUTF8(string(x.file.Line(n)), "\uFFFD") + "\n")
		}
		x.Text = append(x.Text, Segment{r.First, r.Last, b.String()})
	}
	for _, g := range excerpt.Gaps(whole, x.kept) {
		x.LeftOut = append(x.LeftOut, Lines{g.First, g.Last})
	}
}

func (x *Shown) heading() string {
	s := fmt.Sprintf("%s:%s", text.Line(x.File), excerpt.SayRange(corpus.Range{First: x.First, Last: x.Last}))
	if x.Name != "" {
		s += "  " + text.Line(x.Name)
	}
	return s
}

func (l Line) String() string {
	in := ""
	if l.Function != "" && l.Function != topLevel {
		in = "  " + l.Function
	}
	return fmt.Sprintf("  %s:%d%s: %s\n", text.Line(l.File), l.Line, text.Line(in), l.Text)
}

func (o Elsewhere) String() string {
	return fmt.Sprintf("# also %s:%s  %s\n", text.Line(o.File), excerpt.SayRange(corpus.Range{First: o.First, Last: o.Last}), text.Line(o.Name))
}

// WriteText writes the lines with their numbers.
func (a *Texts) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	cut := false
	for i := range a.Shown {
		x := &a.Shown[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(x.heading() + "\n")
		x.file.Write(&b.Builder, corpus.Range{First: x.First, Last: x.Last}, x.kept, nil, nil)
		cut = cut || len(x.LeftOut) > 0
		x.writeAround(&b.Builder)
	}
	for _, o := range a.Others {
		b.WriteString(o.String())
	}
	for _, m := range a.Missing {
		b.Note("%s", m.Message)
	}
	if cut {
		b.Note("… lines are left out for the budget of %d tokens: ask for FILE:A-B, or for more tokens", a.Budget)
	}
	b.Notes(a.Notes)
	return b.End()
}

// writeAround writes the callers and the tests.
func (x *Shown) writeAround(b *strings.Builder) {
	for _, list := range []struct {
		name string
		of   []Line
	}{{"called by", x.Callers}, {"tested by", x.Tests}} {
		if len(list.of) > 0 {
			b.WriteString(list.name + "\n")
		}
		file := ""
		for _, l := range list.of {
			line := l.String()
			if l.File == file { // which is long, and read once
				line = "  " + strings.TrimPrefix(line, "  "+text.Line(file))
			}
			b.WriteString(line)
			file = l.File
		}
	}
	if x.More > 0 {
		fmt.Fprintf(b, "  and %d more: callers %s\n", x.More, text.Line(x.Name))
	}
}

// IsText reports that the answer is text to read, also for a program.
func (a *Texts) IsText() bool { return true }
