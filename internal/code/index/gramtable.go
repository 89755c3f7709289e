package index

import "github.com/assay-dev/assay/internal/code/regex"

// A gramTable gathers which documents have which trigrams: a pair of both in two bytes, mostly,
// in one of gramRuns runs by the upper bits of the trigram. To add to a run writes where its
// end was written a moment ago; a list for each of 262,144 trigrams would be out of the
// processor's reach every time. A run is put in order when it is written, and is small enough
// to be in reach then. Runs consist of pages, which any run takes when they are free: which
// runs are long differs from language to language, and each would keep the most it ever had.
type gramTable struct {
	runs    [gramRuns]gramRun
	free    []*gramPage
	used    int      // units in all runs
	ordered []uint32 // documents of a run, by trigrams
}

// A gramPage has pairs. The first unit of one is the lower bits of its trigram and, above them,
// how far its document is from that of the pair before. Where that is farGap, two more units
// are the document.
type gramPage [1024]uint16

type gramRun struct {
	pages []*gramPage
	last  *gramPage // of them
	units int
	doc   uint32 // of the last pair
}

const (
	gramLow  = 10 // bits of a trigram that tell it from others in its run
	gramRuns = regex.Trigrams >> gramLow
	farGap   = 1<<(16-gramLow) - 1
	// maxDocs is how many documents a Builder takes, far more than one is given.
	maxDocs = 1 << 22
)

// add adds the trigrams of a document, each once. Documents ascend.
func (t *gramTable) add(doc uint32, trigrams []regex.Gram) {
	if doc >= maxDocs {
		panic("more documents than a builder takes")
	}
	for _, g := range trigrams {
		run := &t.runs[g>>gramLow%gramRuns]
		low, gap := uint16(g)%(1<<gramLow), doc-run.doc
		if gap < farGap {
			t.push(run, low|uint16(gap)<<gramLow)
		} else {
			t.push(run, low|farGap<<gramLow)
			t.push(run, uint16(doc))
			t.push(run, uint16(doc>>16))
		}
		run.doc = doc
	}
}

func (t *gramTable) push(run *gramRun, unit uint16) {
	at := run.units % len(gramPage{})
	if at == 0 {
		t.extend(run)
	}
	run.last[at] = unit
	run.units++
	t.used++
}

func (t *gramTable) extend(run *gramRun) {
	if n := len(t.free); n > 0 {
		run.last, t.free = t.free[n-1], t.free[:n-1]
	} else {
		run.last = new(gramPage)
	}
	run.pages = append(run.pages, run.last)
}

// each calls f with the pairs of the run in the order in which they came.
func (r *gramRun) each(f func(low uint16, doc uint32)) {
	doc, far := uint32(0), 0 // units that are still to come of a document
	var low uint16
	for i, p := range r.pages {
		for _, unit := range p[:min(len(p), r.units-i*len(p))] {
			switch {
			case far == 2:
				doc, far = uint32(unit), 1
				continue
			case far == 1:
				doc, far = doc|uint32(unit)<<16, 0
			case unit>>gramLow == farGap:
				low, far = unit%(1<<gramLow), 2
				continue
			default:
				low, doc = unit%(1<<gramLow), doc+uint32(unit>>gramLow)
			}
			f(low, doc)
		}
	}
}

// each calls f with every trigram in ascending order and its documents, which ascend and are
// good during the call.
func (t *gramTable) each(f func(gram uint32, docs []uint32)) {
	var ends [1 << gramLow]uint32 // of each trigram's documents
	for i := range t.runs {
		run := &t.runs[i]
		clear(ends[:])
		run.each(func(low uint16, _ uint32) { ends[low]++ })
		sum := uint32(0)
		for k, n := range ends {
			ends[k], sum = sum, sum+n
		}
		if cap(t.ordered) < int(sum) {
			t.ordered = make([]uint32, sum)
		}
		docs := t.ordered[:sum]
		run.each(func(low uint16, doc uint32) {
			docs[ends[low]] = doc
			ends[low]++
		})
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
func (t *gramTable) bytes() int { return 2 * t.used }

// reset forgets all pairs and keeps the memory.
func (t *gramTable) reset() {
	for i := range t.runs {
		r := &t.runs[i]
		t.free = append(t.free, r.pages...)
		*r = gramRun{pages: r.pages[:0]}
	}
	t.used = 0
}
