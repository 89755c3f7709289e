package brief

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/paste"
	"github.com/assay-dev/assay/internal/code/rank"
)

// The parts of a brief, in their order.
const (
	where = iota
	hangs
	breaks
	done
	told
	decisions
	unknown
	parts
)

// titles are the headings of the parts.
var titles = [parts]string{"where", "how it hangs together", "what would break", "how it is done here", "what the libraries say", "what was decided", "what is not known"}

// stages are what a person is told that is being done, by the part that it is for.
var stages = [parts]string{where: "Looking for the places", hangs: "Following calls and tests", told: "Asking the documentation of libraries", decisions: "Asking what was noted", unknown: "Choosing what to show"}

func (s *session) unsure() float64 { return rank.Places().Constant("unsure") }

// A choice is what a rank.Choice shows.
type choice struct {
	item  *item
	frame *Frame
	what  string
	score float64
	of    []rank.Signal
}

// fixed is how many bytes the headings take at most.
const fixed = 240

// choose fills the brief within a budget: callers, tests, pages and notes take a small part of it, those
// that tell most for their size, and the declarations to read take the rest.
func (s *session) choose(tokens int) {
	m := &menu{}
	s.offer(m)
	s.out.Unknown = s.gapped
	budget := text.Bytes(tokens)
	room := budget - fixed - len(s.out.text(0))
	beside := rank.Select(m.needs, m.choices, room/besideShare)
	for {
		s.fill(m, beside)
		s.chooseBodies(budget - fixed - len(s.out.text(0)))
		s.out.Tokens = text.Tokens(len(s.out.text(0)))
		if s.out.Tokens <= tokens || len(beside) == 0 {
			return
		}
		beside = beside[:len(beside)-1]
	}
}

// A menu is what may be chosen from.
type menu struct {
	needs   []rank.Need
	choices []rank.Choice
	of      []choice // of each of the choices
}

// need adds something that has to be known as likely as score says.
func (m *menu) need(score float64) int {
	m.needs = append(m.needs, rank.Need(score))
	return len(m.needs) - 1
}

// choice adds a choice that tells a share of a need.
func (m *menu) choice(c choice, tokens, after, need int, share float64) int {
	m.choices = append(m.choices, rank.Choice{Cost: tokens, After: after, Covers: []rank.Cover{{Need: need, Share: share}}})
	m.of = append(m.of, c)
	return len(m.choices) - 1
}

// offer puts everything that was found on the menu.
func (s *session) offer(m *menu) {
	profile := rank.Places()
	for i := range s.out.Frames {
		if f := &s.out.Frames[i]; f.File != "" {
			m.choice(choice{frame: f, what: f.Was, score: profile.Constant("worth of a frame")}, len(frameText(f)), -1, m.need(profile.Constant("worth of a frame")), 1)
		}
	}
	sorting.Stable(s.items, byNeed)
	for i := range s.items {
		x := &s.items[i]
		x.cost = len(lineText(&x.line))
		m.choice(choice{item: x, what: strings.TrimSpace(x.line.File + ":" + itoa(x.line.Line)), score: x.need, of: x.of}, x.cost, -1, m.need(x.need), 1)
	}
}

// fill makes the parts of a brief of what was picked.
func (s *session) fill(m *menu, picks []rank.Pick) {
	b := s.out
	b.Where, b.Explain = []File{}, nil
	b.Hangs, b.Breaks, b.Done, b.Libraries, b.Decided = nil, nil, nil, nil, nil
	lists := [parts]*[]Line{hangs: &b.Hangs, breaks: &b.Breaks, done: &b.Done, told: &b.Libraries, decisions: &b.Decided}
	var items []*item
	shown := map[*Frame]bool{}
	for _, p := range picks {
		c := &m.of[p.At]
		switch {
		case c.frame != nil:
			shown[c.frame] = true
		case c.item != nil:
			items = append(items, c.item)
		}
		if s.explain {
			b.Explain = append(b.Explain, Reason{c.what, rank.Round(p.Gain), text.Tokens(m.choices[p.At].Cost), rank.Round(c.score), c.of})
		}
	}
	for i := range b.Frames {
		b.Frames[i].hidden = !shown[&b.Frames[i]]
	}
	for _, x := range items {
		*lists[x.section] = append(*lists[x.section], x.line)
	}
	for _, list := range lists {
		if list != nil {
			sorting.Stable(*list, func(x, y Line) int {
				return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
			})
		}
	}
}

// why says in a few words what a file is shown for.
func (s *session) why(f *file) string {
	if f.reason != "" {
		return f.reason
	}
	for i := range f.where {
		switch f.where[i].Sort {
		case paste.Traced:
			f.reason = "in the trace"
		case paste.Changed:
			f.reason = "in the diff"
		case paste.Mention, paste.Module:
			f.reason = cmp.Or(f.reason, "named in the task")
		}
	}
	if f.reason == "" {
		f.reason = s.words(f)
	}
	return f.reason
}

const mostWords = 3

// words names the terms of the task that the hits of a file have, those with the highest
// IDF first.
func (s *session) words(f *file) string {
	var mask uint32
	for _, h := range f.hits {
		mask |= h.Terms
	}
	type word struct {
		text string
		tell float64
	}
	var all []word
	for i, t := range s.plan.Terms {
		if mask>>i&1 == 1 && !strings.HasPrefix(t.Text, "=") {
			all = append(all, word{t.Text, s.tell.Of(1 << i)})
		}
	}
	sorting.Stable(all, func(a, b word) int { return cmp.Compare(b.tell, a.tell) })
	var out []string
	for _, w := range all {
		if as := text.Line(s.spelling()[w.text]); as != "" && len(out) < mostWords && !slices.Contains(out, as) {
			out = append(out, as)
		}
	}
	if len(out) == 0 && len(s.guesses) > 0 {
		return "by guessed words or meaning"
	}
	return cmp.Or(strings.Join(out, ", "), "by meaning")
}

// spelt returns the words of the task by their terms, as the task has them.
func (s *session) spelling() map[string]string {
	if s.spelled == nil {
		s.spelled = map[string]string{}
		text.EachWord(s.task[:min(len(s.task), paste.MaxRead)], func(w []byte) {
			for _, term := range text.Code().Terms(nil, w) {
				if _, ok := s.spelled[term]; !ok {
					s.spelled[term] = string(w)
				}
			}
		})
	}
	return s.spelled
}

const longestHead = 160

// head is the head of a declaration on one line, from the line of its name.
func (s *session) head(x *place) string {
	f := x.file
	first := s.line(f, x.decl.NameAt)
	if first == 0 {
		return x.decl.Kind.String() + " " + x.decl.Qualified()
	}
	if x.decl.Body >= x.decl.Span.End { // it has no body: its line
		return short(f.lineText(first))
	}
	last := s.line(f, max(x.decl.Body, x.decl.NameAt+len(x.decl.Name))-1)
	if quote := f.slice(first, last); last > first && len(f.shown) != len(f.text) {
		return short(quote)
	}
	to := min(max(x.decl.Body, x.decl.NameAt+len(x.decl.Name)), len(f.text))
	if len(f.shown) != len(f.text) {
		return short(f.lineText(first))
	}
	return short(string(f.shown[f.starts[first-1]:to]))
}

// short is a piece of source on one line, of bounded length.
func short(s string) string {
	s = strings.TrimRight(strings.Join(strings.Fields(s), " "), " {:=")
	return text.Short(text.Line(strings.ToValidUTF8(s, "\uFFFD")), longestHead)
}
