package code

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/record"
	"github.com/assay-dev/assay/internal/core/index"
)

// A cursor is where a page ended: a state of an index and how many hits were
// shown, with the question they answer. Its form is nobody's business:
//
//	check(4) index id(8) epoch(8) nonce(8) offset(4) question in JSON
type cursor struct {
	id     [16]byte
	epoch  int64
	nonce  int64
	offset int
	in     SearchInput
}

func (c cursor) encode() (string, error) {
	question, err := record.Marshal(c.in)
	if err != nil {
		return "", err
	}
	b := make([]byte, 4, 64)
	b = append(b, c.id[:8]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(c.epoch))
	b = binary.LittleEndian.AppendUint64(b, uint64(c.nonce))
	b = binary.LittleEndian.AppendUint32(b, uint32(c.offset))
	b = append(b, question...)
	sum := sha256.Sum256(append(b[4:len(b):len(b)], c.id[:]...))
	copy(b, sum[:4])
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// openCursor reads a cursor for its question; sound checks it against an index.
func openCursor(s string) (c cursor, raw []byte, err error) {
	bad := fault.New(fault.Usage, "the cursor is not one that a search gave").Or("omit it to start at the first page")
	raw, e := base64.RawURLEncoding.DecodeString(s)
	if e != nil || len(raw) < 32 || len(s) > 1<<16 {
		return c, nil, bad
	}
	copy(c.id[:8], raw[4:])
	c.epoch = int64(binary.LittleEndian.Uint64(raw[12:]))
	c.nonce = int64(binary.LittleEndian.Uint64(raw[20:]))
	c.offset = int(binary.LittleEndian.Uint32(raw[28:]))
	if record.Unmarshal(raw[32:], &c.in) != nil {
		return c, nil, bad
	}
	return c, raw, nil
}

// sound reports whether the cursor was given by the index with that id, and is
// of its present state; newer says that the tree has changed since that.
func (c cursor) sound(raw []byte, id [16]byte, st index.State, newer bool) error {
	if !bytes.Equal(c.id[:8], id[:8]) {
		return fault.New(fault.Stale, "the cursor is of another index").Try("search", fault.Arg{Name: "query", Value: c.in.Query})
	}
	sum := sha256.Sum256(append(raw[4:len(raw):len(raw)], id[:]...))
	if !bytes.Equal(sum[:4], raw[:4]) {
		return fault.New(fault.Usage, "the cursor is not one that a search gave").Or("omit it to start at the first page")
	}
	if newer || c.epoch != st.Epoch || c.nonce != st.Nonce {
		return fault.New(fault.Stale, "the tree has changed since the page before").Try("search", fault.Arg{Name: "query", Value: c.in.Query})
	}
	return nil
}
