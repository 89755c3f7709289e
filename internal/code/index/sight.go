package index

import (
	"bytes"
	"hash/crc32"
	"slices"

	"github.com/assay-dev/assay/internal/base/codec"
)

// sightFile is beside the database. Nothing is lost with it, and nothing is answered from
// it that its owner does not compare with the tree first.
const (
	sightFile = "sight"
	maxSight  = 80 << 20
)

// Sight returns what was kept of a look at the tree by KeepSight, and whether the index was
// in the same state then; nil where nothing was kept.
func (x *Index) Sight(now State) (sight []byte, same bool) {
	if x.db == nil || x.root == nil {
		return nil, false
	}
	data, err := x.root.ReadFile(sightFile, maxSight)
	r := codec.PackedReader{Rest: data}
	sum, state := r.Take(4), r.Take(stateSize)
	if err != nil || r.Bad || le.Uint32(sum) != crc32.Checksum(data[4:], castagnoli) {
		return nil, false
	}
	return r.Rest, bytes.Equal(state, x.stateKey(now))
}

// KeepSight keeps what was seen of the tree while the index was in a state. Where that
// cannot be written the next look is a longer one, no more.
func (x *Index) KeepSight(seen State, sight []byte) {
	if x.ReadOnly() || x.root == nil {
		return
	}
	data := slices.Concat(make([]byte, 4), x.stateKey(seen), sight)
	le.PutUint32(data, crc32.Checksum(data[4:], castagnoli))
	_ = x.root.WriteLazily(sightFile, data, 0o600)
}

const stateSize = 16 + 8 + 8

func (x *Index) stateKey(s State) []byte {
	return le.AppendUint64(le.AppendUint64(bytes.Clone(x.id[:]), uint64(s.Epoch)), uint64(s.Nonce))
}
