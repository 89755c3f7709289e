package index

import "fmt"

// markTerm returns the term whose postings say what a corpus counted of its chunks. No word has it, so that programs
// which know nothing of a mark never read it, and a part that has none is one of before.
func markTerm(name string) string { return string(gramMark) + name + string(gramMark) }

// Mark writes what was counted of the chunks of a part, by their number: nothing of those that have 0. All of them were
// flushed.
func (p *PartWriter) Mark(name string, counts []byte) error {
	if len(counts) != p.next || len(p.lengths) > 0 {
		return fmt.Errorf("mark %d of %d chunks", len(counts), p.next)
	}
	for b, start := range p.starts {
		end := p.next
		if b+1 < len(p.starts) {
			end = p.starts[b+1]
		}
		l := plist{last: start - 1}
		for at := start; at < end; at++ {
			if counts[at] > 0 {
				l.add(at, counts[at])
			}
		}
		if l.n == 0 {
			continue
		}
		if _, err := p.tx.ExecContext(p.ctx, "INSERT INTO postings VALUES (?, ?, ?, ?, ?)", p.part, markTerm(name), start, l.n, l.data); err != nil {
			return err
		}
	}
	return nil
}

// Marks calls yield with what Mark counted of chunks, in their order.
func (r *PartReader) Marks(name string, yield func(chunk int, count byte)) (err error) {
	term, k := markTerm(name), &sought{}
	if !r.known(term, k) {
		if k.at, _, err = r.readPostings(readTerm, r.part, term); err != nil {
			return err
		}
		r.keep(term, k)
	}
	for _, x := range k.at {
		v := r.segs[x.seg]
		if !eachPosting(r.scan.arena[x.start:x.end], len(v.block(x.block)), func(at int, count byte) { yield(v.first+v.starts[x.block]+at, count) }) {
			return r.damaged("marks")
		}
	}
	return nil
}
