package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/paste"
)

// A Pasted is a query that is an issue, a log or a trace. Which of its terms are asked for
// is decided by the statistics of the corpus: Plan.
type Pasted struct {
	paste.Paste
	Terms []corpus.Term // distinct, with the weights of their fields; none where those of the plan are enough

	places []told // of each term
	title  string
	rest   []string // sentences and messages
}

// A told is where in a text a term is.
type told struct {
	times [paste.Fields]float64 // by field, damped for subwords
	full  bool                  // it is a word, or a full identifier
}

const (
	// mostTold bounds what is looked for by meaning beside the title, in bytes: services
	// refuse long texts, and what comes first says most.
	mostTold = 4000
	// mostWeighed bounds the terms whose frequency in the corpus is looked up.
	mostWeighed = 2000
)

// fieldConstants are the constants of the profile that say what a word of a field counts.
var fieldConstants = [paste.Fields]string{"word of a title", "word of prose", "identifier in prose", "word of code", "word of a path",
	"function of a frame", "word of a message"}

// Pasted reads the query again where it has more terms than a plan, or names a line of a
// file as a stack trace does; nil of any other.
func (p Plan) Pasted() *Pasted {
	switch {
	case p.cut:
		return unpack(paste.Read(p.Query))
	case paste.HasTrace(p.Query):
		return &Pasted{Paste: paste.Read(p.Query)}
	}
	return nil
}

// unpack finds the terms of a text, and what each counts by the fields that it is in.
func unpack(read paste.Paste) *Pasted {
	p := &Pasted{Paste: read}
	at := map[string]int{}
	for _, piece := range p.Pieces {
		switch piece.Field {
		case paste.Title:
			p.title = piece.Text
		case paste.Prose, paste.Message:
			p.rest = append(p.rest, piece.Text)
		}
		p.count(piece, at)
	}
	profile := Code()
	for i, t := range p.places {
		var w float64
		for f, n := range t.times {
			// A word that comes often counts up to twice.
			w += profile.Constant(fieldConstants[f]) * n * 2 / (1 + max(1, n))
		}
		p.Terms[i].Weight = float32(w)
	}
	if len(p.Terms) > mostWeighed {
		p.keep(mostWeighed)
	}
	return p
}

// count adds the terms of a piece.
func (p *Pasted) count(piece paste.Piece, at map[string]int) {
	subword, exact := Code().Constant("subword"), Code().Constant("exact form")
	add := func(f paste.Field, t string, times float64, full bool) {
		i, ok := at[t]
		if !ok {
			i = len(p.Terms)
			at[t] = i
			p.Terms, p.places = append(p.Terms, corpus.Term{Text: t}), append(p.places, told{})
		}
		p.places[i].times[f] += times
		p.places[i].full = p.places[i].full || full
	}
	text.EachWord(piece.Text, func(w []byte) {
		if len(w) < 2 || w[0] >= '0' && w[0] <= '9' || text.Code().Stop(w) {
			return
		}
		f, terms := piece.Field, text.Code().Terms(nil, w)
		if f == paste.Prose && len(terms) > 1 {
			f = paste.Identifier
		}
		for i, t := range terms {
			switch {
			case i == 0:
				add(f, t, 1, true)
			case t[0] < '0' || t[0] > '9':
				add(f, t, subword, false)
			}
		}
		if len(terms) > 1 {
			add(f, text.Exact(string(w)), exact, false)
		}
	})
}

// keep keeps the n terms that count most.
func (p *Pasted) keep(n int) {
	order := make([]int, len(p.Terms))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(a, b int) int { return cmp.Compare(p.Terms[b].Weight, p.Terms[a].Weight) })
	terms, places := make([]corpus.Term, n), make([]told, n)
	for i, from := range order[:n] {
		terms[i], places[i] = p.Terms[from], p.places[from]
	}
	p.Terms, p.places = terms, places
}

// Plan returns the plan that asks for the terms with the most information: by how rare
// they are in the corpus, how often they are in the text, and in which of its fields. Of
// a query that is short enough it is the short plan, with the places that it names.
func (p *Pasted) Plan(short Plan, st Stats) Plan {
	out := short
	out.Places, out.Omitted = p.Places, p.Omitted
	if len(p.Terms) == 0 {
		return out
	}
	var all []int
	tell := make([]float64, len(p.Terms))
	for i, t := range p.Terms {
		if st.DF[i] > 0 {
			all = append(all, i)
			tell[i] = float64(t.Weight) * bm25.IDF(max(st.Chunks, st.DF[i]), st.DF[i])
		}
	}
	if len(all) == 0 {
		return out
	}
	sorting.Stable(all, func(a, b int) int { return cmp.Compare(tell[b], tell[a]) })
	out.Kind, out.Terms, out.From = Question, nil, nil
	out.full, out.extra, out.exact, out.cut = 0, 0, 0, false
	for _, i := range all[:min(len(all), corpus.MaxTerms)] {
		bit := uint32(1) << len(out.Terms)
		switch {
		case p.places[i].full:
			out.full |= bit
		case strings.HasPrefix(p.Terms[i].Text, text.Exact("")):
			out.exact |= bit
			fallthrough
		default:
			out.extra |= bit
		}
		out.Terms = append(out.Terms, p.Terms[i])
		out.From = append(out.From, p.places[i].fields())
	}
	out.Wants = wants(Read(p.title, Reading{Analyser: text.Code()}).Words) // a reporter mentions tests without asking for them
	out.Meanings = p.meanings(short.Query)
	return out
}

// fields returns the fields that a term is in, in their order.
func (t *told) fields() (in []paste.Field) {
	for f, n := range t.times {
		if n > 0 {
			in = append(in, paste.Field(f))
		}
	}
	return in
}

// meanings are what is looked for by meaning: the title, and what else people wrote.
func (p *Pasted) meanings(query string) (m []Meaning) {
	if p.title != "" {
		m = append(m, Meaning{p.title, float32(Code().Constant("meaning of a title"))})
	}
	if rest := strings.Join(p.rest, " "); rest != "" {
		m = append(m, Meaning{prefix(rest, mostTold), float32(Code().Constant("meaning of the rest"))})
	}
	if len(m) == 0 {
		m = append(m, Meaning{prefix(query, mostTold), 1})
	}
	return m
}

func prefix(s string, most int) string {
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}

// A Meaning is a part of a query that is looked for by meaning, and how much it counts.
type Meaning struct {
	Text   string
	Weight float32
}

// A Named is a place that a query names, in a document.
type Named struct {
	paste.Place
	Share float64 // 1 where it can be in this document alone, less where others match as well
}

// placeConstants are the constants of the profile that say how surely a sort of place is
// meant.
var placeConstants = [...]string{paste.Mention: "place mentioned", paste.Module: "place of a module", paste.Traced: "place of a frame", paste.Changed: "place of a diff"}

// Meant returns how surely places mean the file that they are in, and a chunk of it.
func Meant(places []Named, c corpus.Chunk) (file, chunk float32) {
	profile := Code()
	for _, p := range places {
		sure := profile.Constant(placeConstants[p.Sort]) * p.Share * math.Pow(profile.Constant("frame further out"), float64(p.Deep))
		file = max(file, float32(sure))
		named, lined := declares(c, p.Name), p.Line > 0 && c.Lines.First <= p.Line && p.Line <= c.Lines.Last
		switch {
		case lined && (named || p.Name == ""):
		case named: // the lines are those of another version
			sure *= profile.Constant("place by its function alone")
		case lined:
			sure *= profile.Constant("place by its line alone")
		default:
			continue
		}
		chunk = max(chunk, float32(sure))
	}
	return file, chunk
}

// declares reports whether a chunk is of a function.
func declares(c corpus.Chunk, name string) bool {
	if name == "" {
		return false
	}
	return c.Scope == name || strings.HasSuffix(c.Scope, "."+name) || slices.ContainsFunc(c.Symbols, func(s corpus.Symbol) bool { return s.Name == name })
}
