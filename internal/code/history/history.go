// Package history finds the files that past commits changed whose subjects have the words of a query: a
// subject says in the words of people why a file was changed.
//
// A log that was brought up to date commit by commit finds the same as one that was read at once.
package history

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/text"
)

const (
	// maxCommits is how many commits are read, the newest first.
	maxCommits = 20_000
	// maxFiles is how many files a commit may change: one that changes more joins files that have little to do with each other.
	maxFiles = 30
	// maxSubject is how many bytes of a subject are read.
	maxSubject = 512
	// maxWord is the longest word of a subject that is kept: longer ones are hashes and keys, and keys are secret.
	maxWord = 32
	// maxLike is how many commits count for a query: those with the best scores.
	maxLike = 40
	// version is of the format in which a log is kept.
	version = 1
)

// A Log is the subjects of past commits as terms, and the files that each changed.
type Log struct {
	Commit string // the newest that was read
	// Whole reports whether all were read: reading may have taken too long.
	Whole bool

	terms, paths []string
	commits      []change // newest first
}

// A change is a commit: its distinct terms and its files, by their places in the log.
type change struct{ terms, files []uint32 }

// An interner gives each string a number.
type interner struct {
	of  map[string]uint32
	all []string
}

func (n *interner) number(s string) uint32 {
	i, ok := n.of[s]
	if !ok {
		i = uint32(len(n.all))
		n.of[s], n.all = i, append(n.all, s)
	}
	return i
}

// A builder makes a log of commits, newest first.
type builder struct {
	terms, paths interner
	commits      []change
}

func newBuilder() *builder {
	return &builder{terms: interner{of: map[string]uint32{}}, paths: interner{of: map[string]uint32{}}}
}

func (b *builder) add(subject, files []string) {
	if len(b.commits) == maxCommits || len(subject) == 0 || len(files) > maxFiles {
		return
	}
	var c change
	for _, t := range subject {
		c.terms = append(c.terms, b.terms.number(t))
	}
	for _, p := range files {
		c.files = append(c.files, b.paths.number(p))
	}
	b.commits = append(b.commits, c)
}

// Read returns the log of the commits that lead to commit, in the repository around root. It continues from old, which may
// be nil. If ctx ends first, the log has the commits read so far and is not whole.
func Read(ctx context.Context, root, commit string, old *Log) (*Log, error) {
	return read(ctx, commit, old, func(since string, f func(git.PastChange)) error {
		return git.EachPastChange(ctx, root, commit, since, maxCommits, f)
	})
}

// read is Read of a source of commits, newest first and without those that lead to since.
func read(ctx context.Context, commit string, old *Log, each func(since string, f func(git.PastChange)) error) (*Log, error) {
	b, since := newBuilder(), ""
	if old != nil && old.Whole {
		since = old.Commit
	}
	err := each(since, func(c git.PastChange) { b.add(subjectTerms(c.Subject), c.Files) })
	switch {
	case ctx.Err() != nil:
		since = ""
	case err != nil && since != "": // the branch is another, or the commit is gone
		return read(ctx, commit, nil, each)
	case err != nil:
		return nil, err
	}
	if since != "" {
		for _, c := range old.commits {
			b.add(old.strings(c))
		}
	}
	return &Log{Commit: commit, Whole: ctx.Err() == nil, terms: b.terms.all, paths: b.paths.all, commits: b.commits}, nil
}

func (l *Log) strings(c change) (terms, files []string) {
	for _, t := range c.terms {
		terms = append(terms, l.terms[t])
	}
	for _, p := range c.files {
		files = append(files, l.paths[p])
	}
	return terms, files
}

// subjectTerms returns the distinct terms of a subject.
func subjectTerms(subject string) (out []string) {
	text.Words([]byte(subject[:min(len(subject), maxSubject)]), func(w []byte) {
		if len(w) <= maxWord {
			out = text.Code().Terms(out, w)
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// Files returns the paths of files that commits changed whose subjects have terms of a query, each with how much those
// commits are like the query: 0..1, 1 being a short subject that has all terms. A commit counts by the BM25 score of its
// subject as a share of the most that the query can have, to the third power so that one commit that is alike counts for more
// than many that are a little alike, and less where it changed many files.
func (l *Log) Files(terms []corpus.Term) map[string]float64 {
	weights, most := l.weigh(terms)
	if most == 0 {
		return nil
	}
	scores, least := l.score(weights, most)
	sums := map[uint32]float64{}
	for i, s := range scores {
		if s < least {
			continue
		}
		for _, f := range l.commits[i].files {
			sums[f] += s * s * s / math.Sqrt(float64(len(l.commits[i].files)))
		}
	}
	out := make(map[string]float64, len(sums))
	for f, sum := range sums {
		out[l.paths[f]] = math.Sqrt(min(1, sum))
	}
	return out
}

// weigh returns the weights of those terms of the log that are in a query, and the sum of those of the query.
func (l *Log) weigh(terms []corpus.Term) (of map[uint32]float64, most float64) {
	asked := set.By(terms, func(q *corpus.Term) string { return q.Text })
	number := map[string]uint32{}
	for i, t := range l.terms {
		if asked[t] {
			number[t] = uint32(i)
		}
	}
	with := map[uint32]int{}
	for _, n := range number {
		with[n] = 0
	}
	for _, c := range l.commits {
		for _, t := range c.terms {
			if n, ok := with[t]; ok {
				with[t] = n + 1
			}
		}
	}
	of = map[uint32]float64{}
	for _, q := range terms {
		n, known := number[q.Text]
		df := 0
		if known {
			df = with[n]
		}
		w := float64(q.Weight) * bm25.IDF(len(l.commits), df)
		most += w
		if known {
			of[n] = w
		}
	}
	return of, most
}

// score returns the score of each commit, and that of the last which counts.
func (l *Log) score(weights map[uint32]float64, most float64) (scores []float64, least float64) {
	words := 0
	for _, c := range l.commits {
		words += len(c.terms)
	}
	p, mean := bm25.Default(), float64(words)/float64(max(1, len(l.commits)))
	scores = make([]float64, len(l.commits))
	var found []float64
	for i, c := range l.commits {
		sum := 0.0
		for _, t := range c.terms {
			sum += weights[t]
		}
		if sum > 0 {
			scores[i] = min(1, sum/most*(p.K1+1)/(1+p.Norm(float64(len(c.terms)), mean)))
			found = append(found, scores[i])
		}
	}
	slices.Sort(found)
	least = math.SmallestNonzeroFloat64
	if n := len(found); n > maxLike {
		least = found[n-maxLike]
	}
	return scores, least
}

// Pack returns a log as bytes.
func (l *Log) Pack() []byte {
	b := []byte{version, 0}
	if l.Whole {
		b[1] = 1
	}
	b = codec.AppendPacked(b, l.Commit)
	for _, all := range [][]string{l.terms, l.paths} {
		b = binary.AppendUvarint(b, uint64(len(all)))
		for _, s := range all {
			b = codec.AppendPacked(b, s)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(l.commits)))
	for _, c := range l.commits {
		for _, numbers := range [][]uint32{c.terms, c.files} {
			b = binary.AppendUvarint(b, uint64(len(numbers)))
			for _, n := range numbers {
				b = binary.AppendUvarint(b, uint64(n))
			}
		}
	}
	return b
}

// ErrDamaged says that bytes are no log of this version.
var ErrDamaged = errors.New("the log of past commits is damaged")

// Unpack returns the log that was packed.
func Unpack(b []byte) (*Log, error) {
	r := &codec.PackedReader{Rest: b}
	if r.Byte() != version {
		return nil, ErrDamaged
	}
	l := &Log{Whole: r.Byte() == 1, Commit: r.Str()}
	whole := string(b) // that strings are parts of, because there are many
	l.terms, l.paths = unpackStrings(r, whole), unpackStrings(r, whole)
	l.commits = make([]change, r.Count(2))
	numbers := make([]uint32, 0, len(r.Rest)) // each takes a byte at least
	for i := range l.commits {
		c := &l.commits[i]
		c.terms, numbers = unpackNumbers(r, len(l.terms), numbers)
		c.files, numbers = unpackNumbers(r, len(l.paths), numbers)
	}
	if r.Bad || len(r.Rest) > 0 {
		return nil, ErrDamaged
	}
	return l, nil
}

// unpackStrings returns strings as parts of whole, the text that r reads.
func unpackStrings(r *codec.PackedReader, whole string) []string {
	out := make([]string, r.Count(1))
	for i := range out {
		n := len(r.Bytes())
		end := len(whole) - len(r.Rest)
		out[i] = whole[end-n : end]
	}
	return out
}

// unpackNumbers returns numbers that are below a bound, as the last of those in to, and these.
func unpackNumbers(r *codec.PackedReader, below int, to []uint32) (out, all []uint32) {
	from := len(to)
	for range r.Count(1) {
		n := r.Int()
		r.Bad = r.Bad || n >= below
		to = append(to, uint32(n))
	}
	return to[from:], to
}
