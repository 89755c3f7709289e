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

// historyFile is beside the database too, and has the log of past commits.
const (
	historyFile = "history"
	maxHistory  = 64 << 20
)

// Sight returns what was kept of a look at the tree by KeepSight, and whether the index was
// in the same state then; nil where nothing was kept.
func (x *Index) Sight(now State) (sight []byte, same bool) {
	if x.db == nil || x.root == nil {
		return nil, false
	}
	r := codec.PackedReader{Rest: x.readBeside(sightFile, maxSight)}
	state := r.Take(stateSize)
	if r.Bad {
		return nil, false
	}
	return r.Rest, bytes.Equal(state, x.stateKey(now))
}

// readBeside returns the bytes that writeBeside has put into a file beside the database; nil where they are not there whole.
func (x *Index) readBeside(name string, most int64) []byte {
	data, err := x.root.ReadFile(name, most)
	r := codec.PackedReader{Rest: data}
	sum := r.Take(4)
	if err != nil || r.Bad || le.Uint32(sum) != crc32.Checksum(r.Rest, castagnoli) {
		return nil
	}
	return r.Rest
}

func (x *Index) writeBeside(name string, parts ...[]byte) {
	data := slices.Concat(append([][]byte{make([]byte, 4)}, parts...)...)
	le.PutUint32(data, crc32.Checksum(data[4:], castagnoli))
	_ = x.root.WriteLazily(name, data, 0o600)
}

// History returns the log of past commits that was kept last, or nil.
func (x *Index) History() []byte {
	if x.db == nil || x.root == nil {
		return nil
	}
	return x.readBeside(historyFile, maxHistory)
}

// KeepHistory keeps a log of past commits. If that cannot be written, it is read from git again.
func (x *Index) KeepHistory(log []byte) {
	if !x.ReadOnly() && x.root != nil && len(log) < maxHistory {
		x.writeBeside(historyFile, log)
	}
}

// KeepSight keeps what was seen of the tree while the index was in a state. Where that
// cannot be written the next look is a longer one, no more.
func (x *Index) KeepSight(seen State, sight []byte) {
	if x.ReadOnly() || x.root == nil {
		return
	}
	x.writeBeside(sightFile, x.stateKey(seen), sight)
}

const stateSize = 16 + 8 + 8

func (x *Index) stateKey(s State) []byte {
	return le.AppendUint64(le.AppendUint64(bytes.Clone(x.id[:]), uint64(s.Epoch)), uint64(s.Nonce))
}
