package library

import (
	"encoding/binary"
	"sync"
	"unsafe"
)

// slabBytes is how much memory is taken at a time for what is kept of snippets.
const slabBytes = 256 << 10

// pieces keeps a string for each of many snippets, up to a number of bytes; the oldest make room. The
// strings lie one after the other in slabs, and the map that finds them has no pointers: there are tens of
// thousands of them, and each piece of memory would cost the collector of garbage time. It is safe for
// concurrent use, and what it returned stays as it is.
type pieces struct {
	most int // slabs

	mu       sync.Mutex
	versions map[string]uint64 // numbers, by the checksum, as in an answerKey
	known    map[uint64]spot   // by the number of the version and the place there
	slabs    [][]byte          // oldest first
	gone     uint32            // slabs that were dropped
}

// A spot is where a piece begins: a slab, counted from the first that there ever was, and a place in it.
type spot struct{ slab, at uint32 }

// before is what precedes a piece in its slab: its key and its length.
const before = 8 + 4

func newPieces(bytes int) *pieces {
	return &pieces{most: max(1, bytes/slabBytes), versions: map[string]uint64{}, known: map[uint64]spot{}}
}

// key returns what a snippet of a version is known by.
func (p *pieces) key(checksum string, at int) uint64 {
	n, ok := p.versions[checksum]
	if !ok {
		n = uint64(len(p.versions))
		p.versions[checksum] = n
	}
	return n<<32 | uint64(at)
}

// get calls yield with what is kept of hits.
func (p *pieces) get(checksum string, hits []hit, yield func(i int, piece string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := p.key(checksum, 0)
	for i := range hits {
		if s, ok := p.known[first|uint64(hits[i].at)]; ok {
			b := p.slabs[s.slab-p.gone][s.at:]
			n := binary.LittleEndian.Uint32(b[8:])
			yield(i, unsafe.String(&b[before], n))
		}
	}
}

// put keeps a piece; an empty one and one that would take much of a slab are not kept.
func (p *pieces) put(checksum string, at int, piece string) {
	if len(piece) == 0 || len(piece) > slabBytes/4 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	key := p.key(checksum, at)
	if _, ok := p.known[key]; ok {
		return
	}
	last := len(p.slabs) - 1
	if last < 0 || len(p.slabs[last])+before+len(piece) > slabBytes {
		if len(p.slabs) == p.most {
			p.drop()
		}
		p.slabs = append(p.slabs, make([]byte, 0, slabBytes))
		last = len(p.slabs) - 1
	}
	// It is appended within the slab's capacity: what was returned before does not move.
	b := p.slabs[last]
	p.known[key] = spot{p.gone + uint32(last), uint32(len(b))}
	b = binary.LittleEndian.AppendUint64(b, key)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(piece)))
	p.slabs[last] = append(b, piece...)
}

// drop forgets the oldest slab.
func (p *pieces) drop() {
	for b := p.slabs[0]; len(b) > 0; {
		delete(p.known, binary.LittleEndian.Uint64(b))
		b = b[before+binary.LittleEndian.Uint32(b[8:]):]
	}
	p.slabs[0] = nil
	p.slabs = p.slabs[1:]
	p.gone++
}
