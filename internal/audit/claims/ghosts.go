package claims

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A Class is what became of a feature that was looked for.
type Class string

// The classes of features.
const (
	Confirmed Class = "CONFIRMED GHOST" // no code, and hardly a document speaks of it
	Ambiguous Class = "HIGH AMBIGUITY"  // no code, but the documents insist, or not all code was read: a person must look
	Unsure    Class = "UNSURE"          // no code, and the form of the statement does not show that it promises behaviour
	Found     Class = "NOT GHOST"
)

// Insisting is from how many mentions on a feature without code is ambiguous.
const Insisting = 3

// A Query is one of the two that a feature is looked for by, and what it found.
type Query struct {
	Text    string  `json:"query"`
	Results int     `json:"results"`
	Best    float64 `json:"best"` // the score of the best place, also where it is too low
}

// A Verdict is what is known of a feature.
type Verdict struct {
	Feature
	Class    Class    `json:"class"`
	Queries  [2]Query `json:"queries"`
	Mentions int      `json:"mentions"` // in documents
	Evidence []Match  `json:"evidence"` // in code, best first
	Missing  []string `json:"missing,omitempty"`
	// Single says that no second query could be derived: nothing is confirmed by one.
	Single bool `json:"single_query,omitempty"`
	// Unread is how many files of source could not be read, where no evidence was found
	// in the others: nothing is confirmed without them.
	Unread int `json:"unread,omitempty"`
}

// Score returns how sure it is that there is code, 0..1.
func (v *Verdict) Score() float64 { return max(v.Queries[0].Best, v.Queries[1].Best) }

// An Auditor compares the documents of a tree with its code. It is used by one
// goroutine at a time.
type Auditor struct {
	Tree    *Tree
	code    Code
	ev      func() *Evidence // of the code, gathered when it is first asked for
	says    func() *Evidence // of the documents
	decls   []Declaration
	writing map[string][]int32 // names that were asked for: the files of code that write them
	names   *named.Report
	// Removed returns which of some names commits took out of the code, true if documents had them then; nil: nobody knows.
	Removed func(names map[string]bool) map[string]bool
	former  map[string][]byte // files of an earlier revision, whose names are looked for too
}

// New returns an auditor of a tree. Code may be nil: then only the tree is asked.
func New(t *Tree, code Code) *Auditor {
	a := &Auditor{Tree: t, code: code}
	a.says = sync.OnceValue(func() *Evidence { return Gather(t.Docs, true) })
	a.ev = sync.OnceValue(func() *Evidence { return Gather(t.Code, false) })
	if code == nil {
		a.code = &Scan{Tree: t, ev: a.ev}
	}
	return a
}

// Imports returns which files of the tree import which.
func (a *Auditor) Imports(ctx context.Context) (Graph, error) { return a.code.Imports(ctx) }

// Judge looks for a feature. Synonym, where it is not empty, is the second query.
func (a *Auditor) Judge(ctx context.Context, f Feature, synonym string) (Verdict, error) {
	v := Verdict{Feature: f, Evidence: []Match{}}
	words := f.said()
	first := a.terms(words, false)
	second := a.terms(words, true)
	v.Queries[0].Text = plain(f.Text)
	v.Queries[1].Text = a.synonymous(words, f.Section)
	if synonym != "" {
		second = a.terms(wordsOf(synonym), true)
		v.Queries[1].Text = synonym
	}
	for i, terms := range [][]term{first, second} {
		hits, err := a.places(ctx, &v, terms, v.Queries[i].Text)
		if err != nil {
			return v, err
		}
		v.take(i, hits, rank.Variant{Kind: rank.Question}, a.unnamed(words, terms))
	}
	sorting.Stable(v.Evidence, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	if len(v.Evidence) > 5 {
		v.Evidence = v.Evidence[:5]
	}
	for _, w := range words {
		if a.ev().has(w.term) == 0 {
			v.Missing = append(v.Missing, strings.TrimPrefix(w.term, "="))
		}
	}
	v.Mentions = max(1+len(f.Also), a.mentions(first))
	v.Single = !diverse(v.Queries[0].Text, v.Queries[1].Text)
	if len(v.Evidence) == 0 {
		v.Unread = a.Tree.Unknown()
	}
	v.classify()
	return v, nil
}

// places returns where a feature may be, best first: where its terms stand, and
// what the index proposes for a query.
func (a *Auditor) places(ctx context.Context, v *Verdict, terms []term, query string) ([]Match, error) {
	hits := a.ev().find(terms, 5, 0)
	if len(hits) == 0 || hits[0].Score < Enough {
		// What the words do not show, the index may: each place that it proposes
		// is judged by what stands there.
		more, err := a.code.Search(ctx, query, 10, Enough)
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", short(v.Text), err)
		}
		hits = append(hits, a.weigh(terms, more)...)
		sorting.Stable(hits, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	}
	return hits, nil
}

// take takes the places of a query as evidence that score enough, none more than most.
func (v *Verdict) take(query int, hits []Match, by rank.Variant, most float64) {
	q := &v.Queries[query]
	for _, h := range hits {
		h.Score = min(rank.Claims().Score(by, h.Score), most)
		q.Best = max(q.Best, h.Score)
		if h.Score >= Enough {
			q.Results++
			v.Evidence = appendPlace(v.Evidence, h)
		}
	}
}

// Explain sets what the scores of the evidence are made of.
func (v *Verdict) Explain() {
	for i := range v.Evidence {
		v.Evidence[i].Explain = weigh().scorer.Explain(v.Evidence[i].values[:])
	}
}

// classify sets the class by the evidence and the mentions.
func (v *Verdict) classify() {
	switch {
	case len(v.Evidence) > 0:
		v.Class = Found
	case v.Mentions >= Insisting, v.Single, v.Unread > 0:
		v.Class = Ambiguous
	default:
		v.Class = Confirmed
	}
}

// diverse reports whether a second query asks for anything that the first does not.
func diverse(first, second string) bool {
	plain := func(w *string) string { return fold(strings.TrimPrefix(*w, "=")) }
	asked := set.By(contentOf(first), plain)
	return slices.ContainsFunc(contentOf(second), func(w string) bool { return !asked[plain(&w)] })
}

// JudgeAsked looks for a feature in the words of a person. Where a document promises
// it, it is looked for as that promise is, so that both get the same answer; where
// none does, only what the documents say of it counts.
func (a *Auditor) JudgeAsked(ctx context.Context, text, synonym string) (Verdict, error) {
	f := Feature{Kind: Bullet, Text: text}
	asked := contentOf(text)
	features := a.Features()
	best := -1
	for i := range features {
		has := termsOf(features[i].said())
		if len(asked) == 0 || slices.ContainsFunc(asked, func(w string) bool { return !slices.Contains(has, w) }) {
			continue
		}
		if best < 0 || len(has) < best {
			best, f.Kind, f.Section = len(has), features[i].Kind, features[i].Section
		}
	}
	v, err := a.Judge(ctx, f, synonym)
	if err != nil {
		return v, err
	}
	v.Mentions = a.mentions(a.terms(wordsOf(text), false))
	v.classify()
	return v, nil
}

// Askable reports whether a text has a word to look for that not every text has.
func Askable(text string) bool { return len(contentOf(text)) > 0 }

// appendPlace adds a hit unless its place is there.
func appendPlace(hits []Match, h Match) []Match {
	for i := range hits {
		if hits[i].Place == h.Place {
			hits[i].Score = max(hits[i].Score, h.Score)
			return hits
		}
	}
	return append(hits, h)
}

// mentions counts the places in documents that say most of some terms.
func (a *Auditor) mentions(terms []term) int { return a.says().count(terms, weigh().mention) }

// unnamed bounds the score of a feature whose own name, written as code, stands
// nowhere in the code: other words of it are in any code of its kind.
func (a *Auditor) unnamed(words []word, terms []term) float64 {
	named, there := 0, 0
	for i, w := range words {
		if !w.code || w.weight < weigh().name {
			continue
		}
		named++
		for _, alt := range terms[min(i, len(terms)-1)].alts {
			if strings.HasPrefix(w.term, "=") && a.ev().has(alt.term) > 0 {
				there++
				break
			}
		}
	}
	if named > 0 && there == 0 {
		return weigh().never
	}
	return 1
}

// terms returns what to look for, also by other words where wide is set.
func (a *Auditor) terms(words []word, wide bool) []term {
	out := make([]term, len(words))
	taken := set.By(words, func(w *word) string { return w.term })
	for i, w := range words {
		out[i] = term{w.weight, []alt{{w.term, 1}}}
		name, isName := strings.CutPrefix(w.term, "=")
		if isName {
			if whole := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)); len(whole) >= 6 {
				out[i].alts = append(out[i].alts, alt{whole, weigh().whole})
			}
			continue
		}
		if !wide {
			continue
		}
		// What stands for one word cannot stand for another too.
		for _, o := range synonymsOf(w.term) {
			if !taken[o.term] {
				taken[o.term] = true
				out[i].alts = append(out[i].alts, o)
			}
		}
	}
	return out
}

// synonymous is the second query: a feature in other words, with those that its
// section is headed by.
func (a *Auditor) synonymous(words []word, section string) string {
	var out []string
	for _, t := range a.terms(words, true) {
		pick := t.alts[0].term
		name, isName := strings.CutPrefix(pick, "=")
		parts := text.Code().Terms(nil, []byte(name))
		switch {
		case isName && len(parts) > 2: // what a name is made of says what it does
			pick = strings.Join(parts[1:], " ")
		case len(t.alts) > 1:
			pick = t.alts[1].term
		default:
			pick = name
		}
		out = append(out, pick)
	}
	for _, w := range contentPlain(section) {
		if !slices.Contains(out, w) && len(out) < 16 {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// weigh judges places that were proposed: by the words of their lines, and where
// it is known by how alike they are in meaning.
func (a *Auditor) weigh(terms []term, hits []Match) []Match {
	if len(hits) == 0 {
		return nil
	}
	s := a.ev().score(terms)
	var out []Match
	for _, h := range hits {
		// The piece of it that speaks most for the feature is shown.
		from, to := a.ev().at(h.Path, h.Line, max(h.Last, h.Line))
		if from == to {
			continue // it is no code of the tree
		}
		at, best, values := from, float64(-1), measures{}
		for i := from; i < to; i++ {
			if score, m := s.of(i); score > best {
				at, best, values = i, score, m
			}
		}
		h.stand(a.ev(), at)
		h.values = values
		h.measure(rank.ClaimsAlike, max(0, h.Similarity-weigh().alike))
		out = append(out, h)
	}
	return out
}

func synonymsOf(word string) []alt {
	return slice.Map(synonyms()[word], func(s string) alt { return alt{s, weigh().synonym} })
}

// plain takes the marks of code out of a text.
func plain(s string) string { return strings.ReplaceAll(s, "`", "") }
