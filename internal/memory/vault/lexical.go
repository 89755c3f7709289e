package vault

import (
	"cmp"
	"context"
	"database/sql"
	"unicode/utf8"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
)

// The fields of a chunk.
const (
	inBody    = iota
	inTitle   // and the tags of a note
	inHeading // the place of a note and the day of a chunk too
)

// layout is how chunks are found. Stems are package text's, which questions have too.
func layout() index.Layout {
	profile := rank.Memory()
	weight := func(name string) float32 { return float32(profile.Constant(name)) }
	return index.Layout{
		Params: bm25.Params{K1: profile.Constant("k1"), B: profile.Constant("b")},
		Fields: []index.Field{
			inBody:    {Unit: 0x01, Mask: 0x0f, Weight: weight("body")},
			inTitle:   {Unit: 0x10, Mask: 0x30, Weight: weight("title")},
			inHeading: {Unit: 0x40, Mask: 0xc0, Weight: weight("heading")},
		},
		Terms: func(word string) []string {
			out := text.Forms().Terms(nil, []byte(word))
			for i, f := range out {
				out[i] = text.English(f)
			}
			return out
		},
	}
}

// firstSession is the number of the first chunk of a session in table chunks: before it
// are those of notes. An index numbers the chunks of each part by themselves.
const firstSession = int64(1) << 40

// chunkID returns the number that a chunk of a kind has in table chunks.
func chunkID(kind int, number uint32) int64 { return int64(kind)*firstSession + int64(number) }

// partOf is the inverse of chunkID.
func partOf(id int64) (kind int, number uint32) {
	return int(id / firstSession), uint32(id % firstSession)
}

// An indexed is the index in one transaction: a reader of each kind.
type indexed [2]*index.PartReader

func (h *handle) indexed(ctx context.Context, tx *sql.Tx) (x indexed, err error) {
	for kind := range x {
		if x[kind], err = h.index.Open(ctx, tx, int64(kind)); err != nil {
			x.close()
			return x, err
		}
	}
	return x, nil
}

func (x *indexed) close() {
	for _, r := range x {
		if r != nil {
			r.Close()
		}
	}
}

func (x *indexed) chunks() int { return x[notes].Chunks() + x[sessions].Chunks() }

// df returns how many chunks have a term.
func (x *indexed) df(t corpus.Term) (n int, err error) {
	for _, r := range x {
		df, _, err := r.DF([]corpus.Term{t})
		if err != nil {
			return 0, err
		}
		n += df[0]
	}
	return n, nil
}

// affordable is how many chunks may match the terms that candidates are sought by:
// the commonest are left to the ranking of those that others find.
const affordable = 2000

// lexical returns the n best chunks of a kind by BM25, of the documents that a filter passes.
func (q *question) lexical(ctx context.Context, x *indexed, kind, n int, f index.Filter) ([]int64, error) {
	var there []*term
	for i := range q.terms {
		if q.terms[i].df > 0 {
			there = append(there, &q.terms[i])
		}
	}
	sorting.Stable(there, func(a, b *term) int { return a.df - b.df })
	spent := 0
	var asked []corpus.Term
	for k, t := range there {
		if spent += t.df; k > 0 && spent > affordable {
			break
		}
		asked = append(asked, t.asked())
	}
	found, err := x[kind].Lexical(ctx, asked, n, n, f)
	out := slice.Map(found, func(c corpus.Candidate) int64 { return chunkID(kind, c.Chunk) })
	return out, err
}

// asked is what the index is asked for a term.
func (t *term) asked() corpus.Term {
	switch {
	case t.within != "":
		return corpus.Term{Text: t.within, Weight: 1, Match: corpus.Inside}
	case t.prefix != "":
		return corpus.Term{Text: t.prefix, Weight: 1, Match: corpus.Begins}
	}
	return corpus.Term{Text: t.stem, Weight: 1}
}

// weigh asks the index how common the terms are. A word that nothing has is looked
// for inside words: in compounds, in other endings.
func (q *question) weigh(x *indexed) (err error) {
	var worth []float64
	for i := range q.terms {
		t := &q.terms[i]
		if t.df, err = x.df(t.asked()); err != nil {
			return err
		}
		if t.df == 0 && utf8.RuneCountInString(t.form) >= 4 {
			if err := q.inside(x, t); err != nil {
				return err
			}
		}
		t.idf = t.weight * bm25.IDF(max(x.chunks(), t.df), t.df)
		worth = append(worth, t.idf)
	}
	// No text has all words of a long question: those with the highest IDF are enough.
	sorting.Stable(worth, func(a, b float64) int { return cmp.Compare(b, a) })
	q.ideal = 0
	for _, w := range worth[:min(len(worth), fullTerms)] {
		q.ideal += w
	}
	return nil
}

// fullTerms is how many terms of a question are enough for a full match.
const fullTerms = 8

// inside looks for a term in other words: for the whole inside them, as compounds
// have it, then for what is left without its ending where they begin. Of the paraphrases of eval/memory that words alone find
// among ten .009 and .013 come from these.
func (q *question) inside(x *indexed, t *term) (err error) {
	lesser := rank.Memory().Constant("inside words")
	if t.df, err = x.df(corpus.Term{Text: t.form, Match: corpus.Inside}); err != nil {
		return err
	}
	if t.df > 0 {
		t.within = t.form
		t.weight *= lesser
		return nil
	}
	runes := []rune(t.form)
	n := len(runes) - max(2, len(runes)/4)
	if n < 4 {
		return nil
	}
	part := string(runes[:n])
	if t.df, err = x.df(corpus.Term{Text: part, Match: corpus.Begins}); err != nil {
		return err
	}
	if t.df > 0 {
		t.prefix = part
		t.weight *= lesser
		if part[0] < utf8.RuneSelf {
			q.first[part[0]] = true
		}
	}
	return nil
}
