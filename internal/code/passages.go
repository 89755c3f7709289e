package code

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/passage"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A hitPassage is what the text of an answer shows of one file, with the first hit in it.
type hitPassage struct {
	*passage.Passage
	hit *SearchHit
}

// heading names the declaration that tells most of those that are shown, because a reader takes the lines
// below it for that.
func (p *hitPassage) heading(colour bool) string {
	h := *p.hit
	if u := p.Lead; u != nil && u.Decl >= 0 {
		h.Symbol, h.Span.LineStart, h.Span.LineEnd = p.File.Decls[u.Decl].Qualified(), u.Whole.First, u.Whole.Last
	}
	return h.heading(colour)
}

// fitLines drops the hits of one line that do not fit into what is left of the budget, and says how many.
func fitLines(files []*hitPassage, budget int) (kept []*hitPassage, cut int) {
	for _, p := range files {
		if p.File != nil && len(p.Kept) > 0 {
			budget -= len(p.heading(false)) + 2 + p.File.Cost(p.Within(), p.Kept)
		}
	}
	for _, p := range files {
		if len(p.Kept) == 0 {
			if budget -= len(p.hit.heading(false)) + 1; budget < 0 && len(kept) > 0 {
				cut++
				continue
			}
		}
		kept = append(kept, p)
	}
	return kept, cut
}

// writePassages writes the files of which lines are shown, and then the hits of one line each.
func (a *SearchAnswer) writePassages(b *render.Answer, colour bool) {
	for _, p := range a.passages {
		if len(p.Kept) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.heading(colour) + "\n")
		p.File.Write(b, p.Within(), p.Kept, p.Names, a.focus)
	}
	first := true
	for _, p := range a.passages {
		if len(p.Kept) > 0 {
			continue
		}
		if first && b.Len() > 0 {
			b.WriteByte('\n')
		}
		first = false
		b.WriteString(p.hit.heading(colour) + "\n")
	}
}

// A HitText is some lines of the file of a hit, byte for byte but for what is withheld.
type HitText struct {
	LineStart int    `json:"line_start"`
	LineEnd   int    `json:"line_end"`
	Text      string `json:"text"`
}

// texts returns the lines of a passage as data.
func (p *hitPassage) texts(focus func([]byte) int) (out []HitText) {
	for _, r := range p.Kept {
		var b strings.Builder
		for n := r.First; n <= r.Last; n++ {
			b.WriteString(p.File.Shown(n, focus) + "\n")
		}
		out = append(out, HitText{r.First, r.Last, b.String()})
	}
	return out
}

// showPassages chooses the text of an answer whose hits are found.
func (f *Feature) showPassages(v *engine.View, r *request, a *SearchAnswer, plan rank.Plan, stats rank.Stats, found []engine.Hit) {
	read := passage.NewReader(v, plan, stats, f.around.Server)
	if r.in.NoTests {
		read.LeaveOutTests()
	}
	files, units := read.Units(found)
	budget := text.Bytes(r.budget)
	read.Choose(files, units, budget, func(p *passage.Passage) int {
		return len((&hitPassage{p, &a.Hits[p.Hit]}).heading(false)) + 2
	})
	passages := slice.Map(files, func(p *passage.Passage) *hitPassage { return &hitPassage{p, &a.Hits[p.Hit]} })
	a.passages, a.Cut = fitLines(passages, budget)
	a.focus = read.Focus
}

// readsText reports whether an answer is text that a program reads: then a hit is what one would open
// its file for. Who says how a hit is to be shown is shown that.
func (f *Feature) readsText(p work.Report, r *request) bool {
	in := &r.in
	read := f.cfg.Piped || f.around.Server
	if !read || p.Data || r.budget == 0 {
		return false
	}
	if r.mode == "regex" || len(r.parts) > 0 {
		return false
	}
	return !in.Files && !in.FullSection && !in.Explain && max(in.Context, in.Before, in.After) == 0
}
