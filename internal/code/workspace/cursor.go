package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/index"
)

// A Cursor is where a page ended: a state of an index and how many hits were shown, with
// the question that they answer. Its form is nobody's business:
//
//	check(4) index id(8) epoch(8) nonce(8) offset(4) question in JSON
//
// The check covers the whole id, of which the form has the half, so that only who has the
// index can make one.
type Cursor struct {
	ID     [16]byte
	State  index.State // its Epoch and Nonce
	Offset int

	raw []byte
}

// Encode returns the text of a cursor for a question.
func (c Cursor) Encode(question any) (string, error) {
	asked, err := codec.Marshal(question)
	if err != nil {
		return "", err
	}
	b := make([]byte, 4, 64)
	b = append(b, c.ID[:8]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(c.State.Epoch))
	b = binary.LittleEndian.AppendUint64(b, uint64(c.State.Nonce))
	b = binary.LittleEndian.AppendUint32(b, uint32(c.Offset))
	b = append(b, asked...)
	sum := sha256.Sum256(append(b[4:len(b):len(b)], c.ID[:]...))
	copy(b, sum[:4])
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// OpenCursor reads a cursor and its question; Check compares it with an index.
func OpenCursor(s string, question any) (c Cursor, err error) {
	raw, e := base64.RawURLEncoding.DecodeString(s)
	if e != nil || len(raw) < 32 || len(s) > 1<<16 || codec.Unmarshal(raw[32:], question) != nil {
		return c, notOurs()
	}
	copy(c.ID[:8], raw[4:])
	c.State.Epoch = int64(binary.LittleEndian.Uint64(raw[12:]))
	c.State.Nonce = int64(binary.LittleEndian.Uint64(raw[20:]))
	c.Offset = int(binary.LittleEndian.Uint32(raw[28:]))
	c.raw = raw
	return c, nil
}

func notOurs() error {
	return fault.New(fault.Usage, "the cursor does not come from a search").Or("omit it to start at the first page")
}

// Check returns an error unless the cursor was given by the index with that id and is of
// its present state; newer says that the tree has changed since that. restart is the
// operation that starts at the first page.
func (c Cursor) Check(id [16]byte, st index.State, newer bool, restart string, args ...fault.Arg) error {
	if !bytes.Equal(c.ID[:8], id[:8]) {
		return fault.New(fault.Stale, "the cursor belongs to another index").Try(restart, args...)
	}
	sum := sha256.Sum256(append(c.raw[4:len(c.raw):len(c.raw)], id[:]...))
	if !bytes.Equal(sum[:4], c.raw[:4]) {
		return notOurs()
	}
	if newer || c.State.Epoch != st.Epoch || c.State.Nonce != st.Nonce {
		return fault.New(fault.Stale, "the tree has changed since the page before").Try(restart, args...)
	}
	return nil
}
