package index

// keptLists is how many bytes of postings are kept of parts that are written once.
const keptLists = 6 << 20

// A listKey names a term of one state of a part.
type listKey struct {
	keptKey
	term string
}

// A keptList is the postings of a term of a part that is written once: in how many chunks it is, and
// each block's. It never changes.
type keptList struct {
	df     int
	data   []byte
	blocks []stretch // in data
}

func (l *keptList) bytes(term string) int { return 160 + len(term) + len(l.data) + 32*len(l.blocks) }

// known takes the postings of a term that were read for an earlier question.
func (r *PartReader) known(term string, k *sought) bool {
	if r.stamp == "" {
		return false
	}
	l, ok := r.f.lists.Get(listKey{keptKey{r.part, r.stamp}, term})
	if !ok {
		return false
	}
	k.df, k.read = l.df, true
	start := len(r.scan.arena)
	r.scan.arena = append(r.scan.arena, l.data...)
	for _, b := range l.blocks {
		k.at = append(k.at, stretch{b.seg, b.block, start + b.start, start + b.end})
	}
	return true
}

// keep keeps the postings that were read of a term.
func (r *PartReader) keep(term string, k *sought) {
	if r.stamp == "" {
		return
	}
	l := &keptList{df: k.df}
	for _, x := range k.at {
		start := len(l.data)
		l.data = append(l.data, r.scan.arena[x.start:x.end]...)
		l.blocks = append(l.blocks, stretch{x.seg, x.block, start, len(l.data)})
	}
	r.f.lists.Put(listKey{keptKey{r.part, r.stamp}, term}, l, l.bytes(term))
}
