package static

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/assay-dev/assay/internal/base/cache"
)

var le = binary.LittleEndian

// A Vocabulary numbers words and, for those it does not have, groups of their
// letters. It reads its data in place.
type Vocabulary struct {
	Size    int // words
	Buckets int // groups of letters, numbered from Size
	slots   string
	offsets string
	blob    string
}

// gram is how many bytes of an unknown word are one group.
const gram = 4

// errMalformed says that data is not what Write wrote.
var errMalformed = errors.New("malformed embedding model")

func hash(word []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range word {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// NewVocabulary returns a vocabulary of words, fewer than 65,535, each once.
func NewVocabulary(words []string, buckets int) Vocabulary {
	n := 1 << bits.Len(uint(len(words)*2))
	slots, offsets := make([]byte, 2*n), make([]byte, 4)
	var blob []byte
	for i, w := range words {
		k := hash([]byte(w)) & uint32(n-1)
		for le.Uint16(slots[2*k:]) != 0 {
			k = (k + 1) & uint32(n-1)
		}
		le.PutUint16(slots[2*k:], uint16(i+1))
		blob = append(blob, w...)
		offsets = le.AppendUint32(offsets, uint32(len(blob)))
	}
	return Vocabulary{Size: len(words), Buckets: buckets, slots: string(slots), offsets: string(offsets), blob: string(blob)}
}

func u16(s string, i int) int { return int(s[2*i]) | int(s[2*i+1])<<8 }

func u32(s string, i int) int {
	return int(s[4*i]) | int(s[4*i+1])<<8 | int(s[4*i+2])<<16 | int(s[4*i+3])<<24
}

// word returns the number of a word, or -1.
func (v *Vocabulary) word(w []byte) int {
	mask := uint32(len(v.slots)/2 - 1)
	for k := hash(w) & mask; ; k = (k + 1) & mask {
		id := u16(v.slots, int(k)) - 1
		if id < 0 {
			return -1
		}
		if from, to := u32(v.offsets, id), u32(v.offsets, id+1); to-from == len(w) && v.blob[from:to] == string(w) {
			return id
		}
	}
}

// IDs calls yield with the numbers of a text's words in order, those of groups of
// letters for words that it does not have; false ends it.
func (v *Vocabulary) IDs(text []byte, yield func(id int) bool) { v.remembering(nil, text, yield) }

// remembering is IDs with what k, if there is one, knows of this vocabulary.
func (v *Vocabulary) remembering(k *known, text []byte, yield func(id int) bool) {
	var room [maxWord]byte
	pieces(text, func(run []byte) bool {
		if k == nil || len(run) > cache.WordSize {
			return parts(run, room[:0], func(w []byte) bool { return v.numbers(w, yield) })
		}
		r, has := k.at(run)
		if has {
			for _, id := range r.ids[:r.n] {
				if !yield(int(id)) {
					return false
				}
			}
			return true
		}
		n := 0
		more := parts(run, room[:0], func(w []byte) bool {
			return v.numbers(w, func(id int) bool {
				if n < knownIDs {
					r.ids[n] = uint32(id)
				}
				n++
				return yield(id)
			})
		})
		if r.n = uint8(n); !more || n > knownIDs {
			r.size = 0
		}
		return more
	}, func(w []byte) bool { return v.numbers(w, yield) })
}

// numbers calls yield with the number of a word, or with those of its groups of letters.
func (v *Vocabulary) numbers(w []byte, yield func(id int) bool) bool {
	if id := v.word(w); id >= 0 {
		return yield(id)
	}
	if len(w) <= 2 || w[0] <= '9' || v.Buckets == 0 {
		return true
	}
	var room [2*maxWord + 2]byte
	s := append(append(append(room[:0], '<'), w...), '>')
	for i := 0; i+gram <= len(s); i++ {
		if !yield(v.Size + int(hash(s[i:i+gram])%uint32(v.Buckets))) {
			return false
		}
	}
	return true
}

// check reports whether every offset of a vocabulary that was read is sound, and
// every search in it ends.
func (v *Vocabulary) check() bool {
	n := len(v.slots) / 2
	if n == 0 || n&(n-1) != 0 || v.Size >= n || len(v.offsets) != 4*(v.Size+1) {
		return false
	}
	free := false
	for k := range n {
		id := u16(v.slots, k)
		free = free || id == 0
		if id > v.Size {
			return false
		}
	}
	for i := range v.Size {
		if u32(v.offsets, i) > u32(v.offsets, i+1) {
			return false
		}
	}
	return free && u32(v.offsets, 0) == 0 && u32(v.offsets, v.Size) == len(v.blob)
}

// Has reports whether it is one of the words: those that texts and code often have, in small letters.
func (v *Vocabulary) Has(word string) bool { return v.word([]byte(word)) >= 0 }
