package index

import "hash/maphash"

// Names numbers strings in the order in which they come first. All of them lie in one
// piece of memory and none has a pointer of its own, so half a million of them are nothing
// for the garbage collector to trace.
type names struct {
	slots []nameSlot // a power of two of them, more than half of them free
	ends  []uint32   // where each ends in text
	text  []byte
	seed  maphash.Seed // so that no tree can be made whose words all meet
}

// A nameSlot is free where its number is 0.
type nameSlot struct {
	hash   uint32
	number uint32 // plus one
}

const leastSlots = 1 << 12

func newNames() names {
	return names{slots: make([]nameSlot, leastSlots), seed: maphash.MakeSeed()}
}

// of returns the number of a name, and whether it is new.
func (n *names) of(w []byte) (number uint32, fresh bool) {
	hash := uint32(maphash.Bytes(n.seed, w))
	mask := uint32(len(n.slots) - 1)
	at := hash & mask
	for ; n.slots[at].number != 0; at = (at + 1) & mask {
		if s := n.slots[at]; s.hash == hash && string(n.name(s.number-1)) == string(w) {
			return s.number - 1, false
		}
	}
	n.text = append(n.text, w...)
	n.ends = append(n.ends, uint32(len(n.text)))
	n.slots[at] = nameSlot{hash, uint32(len(n.ends))}
	if 2*len(n.ends) >= len(n.slots) {
		n.grow()
	}
	return uint32(len(n.ends)) - 1, true
}

func (n *names) grow() {
	old := n.slots
	n.slots = make([]nameSlot, 2*len(old))
	mask := uint32(len(n.slots) - 1)
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := s.hash & mask
		for n.slots[at].number != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = s
	}
}

// name returns a name by its number. It is good until the next one is added.
func (n *names) name(number uint32) []byte {
	from := uint32(0)
	if number > 0 {
		from = n.ends[number-1]
	}
	return n.text[from:n.ends[number]]
}

// bytes returns how much memory n holds.
func (n *names) bytes() int { return 8*len(n.slots) + 4*len(n.ends) + len(n.text) }

// reset forgets all names and keeps the memory.
func (n *names) reset() {
	clear(n.slots)
	n.ends, n.text = n.ends[:0], n.text[:0]
}
