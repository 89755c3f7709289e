package redact

import (
	"bytes"
	"hash/maphash"
	"sync"
)

// mostKnown is how many parts of each generation are remembered: 16 bytes each, or so.
const mostKnown = 1 << 16

// Known is Text for texts that are made of parts, most of which were looked at before: answers that show
// the same passages again. It remembers the parts that had no secret, by a hash of 64 bits under a seed
// that nobody knows. It is safe for concurrent use.
type Known struct {
	apart []byte
	seed  maphash.Seed

	mu         sync.Mutex
	young, old map[uint64]struct{} // as in recent.Map
}

// Files is Known for whole files, which answers quote again and again.
var Files = &Known{seed: maphash.MakeSeed(), young: map[uint64]struct{}{}}

// NewKnown returns a Known for parts with apart between them, which must be a line of many dashes with an
// empty line before and after it: no secret goes across that, and but for those of tells no rule looks across.
func NewKnown(apart string) *Known {
	return &Known{apart: []byte(apart), seed: maphash.MakeSeed(), young: map[uint64]struct{}{}}
}

// Text is the function Text with a cache.
func (k *Known) Text(s []byte) (out []byte, n int) {
	for rest := s; ; {
		part, after, more := rest, []byte(nil), false
		if len(k.apart) > 0 {
			part, after, more = bytes.Cut(rest, k.apart)
		}
		if h := maphash.Bytes(k.seed, part); !k.clean(h) {
			if out, n := Text(part); n > 0 && len(k.apart) == 0 {
				return out, n
			} else if n > 0 || len(k.apart) > 0 && namesSecret(part) {
				return Text(s)
			}
			k.learn(h)
		}
		if !more {
			return s, 0
		}
		rest = after
	}
}

// namesSecret reports whether a part has a name that makes a value some lines later a secret: see called.
func namesSecret(part []byte) bool {
	return bytes.Contains(part, []byte(variable)) || bytes.Contains(part, []byte(keyType))
}

func (k *Known) clean(h uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.young[h]; ok {
		return true
	}
	_, ok := k.old[h]
	if ok {
		k.add(h)
	}
	return ok
}

func (k *Known) learn(h uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.add(h)
}

func (k *Known) add(h uint64) {
	if len(k.young) >= mostKnown {
		k.old, k.young = k.young, map[uint64]struct{}{}
	}
	k.young[h] = struct{}{}
}
