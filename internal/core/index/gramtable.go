package index

import "github.com/assay-dev/assay/internal/base/regex"

// A gramTable gathers which documents have which trigrams: a pair of both in four bytes,
// in one of gramRuns runs by the upper bits of the trigram. To add to a run writes where its
// end was written a moment ago; a list for each of 262,144 trigrams would be out of the
// processor's reach every time. A run is put in order when it is written, and is small enough
// to be in reach then.
type gramTable struct {
	runs    [gramRuns][]uint32 // the lower bits of a trigram, and above them its document
	pairs   int
	ordered []uint32 // documents of a run, by trigrams
}

const (
	gramLow  = 10 // bits of a trigram that tell it from others in its run
	gramRuns = regex.Trigrams >> gramLow
	// maxDocs is how many documents a Builder takes: those that a pair has bits for.
	maxDocs = 1 << (32 - gramLow)
)

// add adds the trigrams of a document, each once. Documents ascend.
func (t *gramTable) add(doc uint32, trigrams []regex.Gram) {
	if doc >= maxDocs {
		panic("more documents than a builder takes")
	}
	for _, g := range trigrams {
		run := &t.runs[g>>gramLow%gramRuns]
		*run = append(*run, uint32(g)%(1<<gramLow)|doc<<gramLow)
	}
	t.pairs += len(trigrams)
}

// each calls f with every trigram in ascending order and its documents, which ascend and are
// good during the call.
func (t *gramTable) each(f func(gram uint32, docs []uint32)) {
	var ends [1 << gramLow]uint32 // of each trigram's documents
	for i, run := range t.runs {
		clear(ends[:])
		for _, p := range run {
			ends[p%(1<<gramLow)]++
		}
		sum := uint32(0)
		for k, n := range ends {
			ends[k], sum = sum, sum+n
		}
		if cap(t.ordered) < len(run) {
			t.ordered = make([]uint32, len(run))
		}
		docs := t.ordered[:len(run)]
		for _, p := range run {
			at := &ends[p%(1<<gramLow)]
			docs[*at] = p >> gramLow
			*at++
		}
		from := uint32(0)
		for k, end := range ends {
			if from < end {
				f(uint32(i<<gramLow|k), docs[from:end])
			}
			from = end
		}
	}
}

// bytes returns how much memory the pairs take.
func (t *gramTable) bytes() int { return 4 * t.pairs }

// reset forgets all pairs and keeps the memory.
func (t *gramTable) reset() {
	for i := range t.runs {
		t.runs[i] = t.runs[i][:0]
	}
	t.pairs = 0
}
