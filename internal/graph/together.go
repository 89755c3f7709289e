package graph

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Files that change together with others although nothing there uses them.

// named notes the tests that are named after a changed file, and the files that
// changed tests are named after.
func (r *reviewed) named() {
	type kind struct {
		stem string
		test bool
	}
	stems := map[kind][]string{}
	for d := range r.touched {
		p := r.s.p.Docs[d].Path
		k := kind{facts.TestStem(p), test(&r.s.p.Docs[d])}
		stems[k] = append(stems[k], path.Dir(p))
	}
	for i := range r.s.p.Docs {
		d := &r.s.p.Docs[i]
		if r.touched[i] || !syntax.Source(d.Language) {
			continue
		}
		for _, dir := range stems[kind{facts.TestStem(d.Path), !test(d)}] {
			r.add(i, "name", 0, rank.ReachName, r.by.Nearness(dir, path.Dir(d.Path)))
		}
	}
}

// How much of the history is read, and which commits of it say something: those that
// touch nearly everything join what does not belong together.
const (
	mostCommits  = 1000
	mostTogether = 30
)

// history notes the files that were changed together with the changed ones before.
func (r *reviewed) history(ctx context.Context) {
	if r.c.commit == "" || len(r.c.edits) == 0 {
		return
	}
	commits, err := git.History(ctx, r.s.e.Root(), r.c.commit, mostCommits)
	if err != nil {
		r.s.note("the history was not read: files that change together are not known")
		return
	}
	ours := set.By(r.c.edits, func(e *edit) string { return cmp.Or(e.was, e.path) })
	halfLife, many := r.by.Constant("half-life in commits"), r.by.Constant("commit of many files")
	alone := map[string]float64{} // how often a changed file was changed, lately counting more
	both := map[string]map[string]float64{}
	for age, past := range commits {
		files := past.Files
		if len(files) > mostTogether {
			continue
		}
		late := math.Exp2(-float64(age) / halfLife)
		weight := 1 / float64(max(len(files)-1, 1)) // two alone say more than two of thirty
		for _, f := range files {
			if !ours[f] {
				continue
			}
			alone[f] += late
			for _, g := range files {
				if !ours[g] {
					if both[g] == nil {
						both[g] = map[string]float64{}
					}
					both[g][f] += late * (many + (1-many)*weight)
				}
			}
		}
	}
	for g, with := range both {
		d, ok := r.s.doc(g)
		if !ok {
			continue
		}
		best := 0.0
		for f, n := range with {
			best = max(best, n/(alone[f]+1)) // one more: one commit is no habit
		}
		r.add(d, "history", 0, rank.ReachHistory, best)
	}
}

// imported notes the files that the changed ones import.
func (r *reviewed) imported(tops []int) {
	for _, d := range tops {
		h := r.s.p.Head(d)
		for i := range h.Imports {
			docs := r.s.leads(d, &h.Imports[i]).Docs
			for _, to := range docs {
				if !r.touched[to] {
					r.add(to, "imported", 1, rank.ReachImported, 1/math.Sqrt(float64(len(docs)))) // of a package each file a part
				}
			}
		}
	}
}

// How much of a change is looked for elsewhere, and how many files have its words.
const (
	mostWords   = 4000
	mostSimilar = 40
)

// similar notes the files that speak of the same as the lines that changed.
func (r *reviewed) similar(ctx context.Context) {
	var b strings.Builder
	for _, x := range r.all {
		_, name, _ := strings.Cut("."+x.Name, ".")
		b.WriteString(name + "\n")
	}
	for _, e := range r.c.edits {
		had := set.By(strings.Split(string(e.old), "\n"), func(line *string) string { return strings.TrimSpace(*line) })
		for line := range bytes.Lines(e.text) {
			if s := string(bytes.TrimSpace(line)); s != "" && !had[s] && b.Len() < mostWords {
				b.WriteString(s + "\n")
			}
		}
	}
	if b.Len() == 0 {
		return
	}
	plan, err := r.s.v.Plan(b.String(), rank.Hybrid)
	if err != nil {
		return
	}
	best := map[int]float64{}
	onlyTests := func(d index.DocInfo) bool {
		return d.Flags&corpus.Test != 0 && slices.ContainsFunc(r.c.edits, func(e edit) bool { return sameLanguage(e.path, d.Path) })
	}
	alone := r.by.Constant("words alone")
	for _, filter := range []index.Filter{nil, onlyTests} { // among all files few tests are found
		ans, err := r.s.v.Search(ctx, engine.Query{Plan: plan, Most: mostSimilar, Filter: filter})
		if err != nil {
			r.s.note("files with the words of the change were not looked for: %v", err)
			return
		}
		for i := range ans.Hits {
			score := ans.Hits[i].Score
			if d, ok := r.s.doc(ans.Hits[i].Doc.Path); ok && !r.touched[d] && (filter != nil || score >= alone || r.reached[d] != nil) {
				best[d] = max(best[d], score)
			}
		}
	}
	for d, score := range best {
		r.add(d, "words", 0, rank.ReachWords, score)
	}
}

// folders says how near files are that something else leads to.
func (r *reviewed) folders() {
	for d, a := range r.reached {
		for t := range r.touched {
			a.values[rank.ReachFolder] = max(a.values[rank.ReachFolder], r.by.Nearness(path.Dir(r.s.p.Docs[t].Path), path.Dir(r.s.p.Docs[d].Path)))
		}
	}
}
