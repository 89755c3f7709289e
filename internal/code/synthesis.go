package code

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/engine"
)

// What a search is told in when it has more hits than anybody reads.
const (
	manyHits   = 20 // above which it is
	mostFiles  = 10
	briefWords = 20  // of a hit
	mostBehind = 400 // hits that one synthesis stands for
)

// attentive reports whether a search keeps to the attention budgets: in a project with
// an agent framework. A budget of the asker is for lines: they are shown while it lasts.
func (f *Feature) attentive(r *request) bool {
	if r.in.Full || r.in.Files {
		return false
	}
	_, ok := trajectory.Grimoire(r.target.Root)
	return ok
}

// A brief is a file of a synthesis: its first hit in a few words.
type brief struct {
	at    string // path:line as people read it
	words string
	more  int // hits of the same file
}

// synthesise makes the short form of a page with many hits: one line a file. It ends
// before the hit of the eleventh file, and the cursor goes on there.
func (f *Feature) synthesise(ctx context.Context, v *engine.View, r *request, a *SearchAnswer, size, total int, get func(i int) (SearchHit, bool)) error {
	end := min(total, r.offset+size)
	if !f.attentive(r) || end-r.offset <= manyHits {
		return nil
	}
	at := map[string]int{}
	i := r.offset
	for ; i < min(end, r.offset+mostBehind); i++ {
		h, ok := get(i)
		if !ok {
			continue
		}
		if n, ok := at[h.Path]; ok {
			a.briefs[n].more++
			continue
		}
		if len(a.briefs) == mostFiles {
			break
		}
		at[h.Path] = len(a.briefs)
		a.briefs = append(a.briefs, newBrief(&h))
	}
	if i < total {
		var err error
		if a.goOn, err = f.cursorAt(ctx, v, r, i, cmp.Or(r.in.PageSize, total-i)); err != nil {
			return err
		}
		a.behind = total - i
	}
	return nil
}

func newBrief(h *SearchHit) brief {
	lines := strings.Split(h.Snippet, "\n")
	n := min(h.focus, len(lines)-1)
	for n > 0 && strings.TrimSpace(lines[n]) == "" {
		n--
	}
	w := strings.Fields(text.Line(text.Unmarked(lines[n], h.Span.LineStart+n)))
	words := text.Short(strings.Join(w[:min(len(w), briefWords)], " "), 200)
	return brief{at: fmt.Sprintf("%s:%d", text.Line(h.shown), h.Span.LineStart+n), words: words}
}

// writeBriefs writes the short form.
func (a *SearchAnswer) writeBriefs(b *render.Answer, colour bool) {
	for _, x := range a.briefs {
		fmt.Fprintf(b, "%s  %s", text.Painted(colour, bold+cyan, x.at), x.words)
		if x.more > 0 {
			fmt.Fprintf(b, "  (+%d)", x.more)
		}
		b.WriteByte('\n')
	}
	said := fmt.Sprintf("a synthesis of %d hits; --full shows them", a.Pagination.Available)
	if a.goOn != "" {
		said += fmt.Sprintf("; %d more with cursor %s", a.behind, a.goOn)
	}
	b.Note("%s", said)
}

// spend writes into the ledger, where there is one, what an answer costs whoever reads
// its text, and says which budgets are passed.
func (f *Feature) spend(ctx context.Context, r *request, a *SearchAnswer) {
	if !f.attentive(r) && !r.in.Full {
		return
	}
	l, ok := f.logged(r)
	if !ok {
		return
	}
	var b bytes.Buffer
	if a.WriteText(&b, false) != nil {
		return
	}
	rec := f.record(ctx, r, "result")
	n := a.Pagination.Available
	rec.Results, rec.Tokens, rec.HighSignal = &n, text.Tokens(b.Len()), cmp.Or(len(a.briefs), len(a.Hits))
	if err := l.Append(rec); err != nil {
		work.FromContext(ctx).Note("ledger not written: %v", err)
		return
	}
	for _, w := range l.Spent(rec.Agent, rec.Time).Warnings() {
		work.FromContext(ctx).Note("%s", w)
	}
}
