package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/index"
)

// A Cursor is where a page ended: a state of an index and how many hits were shown, with
// the question that they answer. Its form is nobody's business:
//
//	check(4) index id(3) state(4) offset(uvarint) question in JSON, squeezed
//
// The check covers the whole id, of which the form has a part, so that only who has the
// index can make one. It is short because a model reads it and writes it again.
type Cursor struct {
	ID     [16]byte
	State  index.State // its Epoch and Nonce
	Offset int

	raw []byte
}

// Offsets of the parts of a cursor in its bytes, and the most bytes of its text.
const (
	cursorID     = 4
	cursorState  = cursorID + 3
	cursorOffset = cursorState + 4
	maxCursor    = 1 << 16
)

// Encode returns the text of a cursor for a question.
func (c Cursor) Encode(question any) (string, error) {
	asked, err := codec.Marshal(question)
	if err != nil {
		return "", err
	}
	b := append(make([]byte, cursorID, 64), c.ID[:cursorState-cursorID]...)
	b = append(b, stateSum(c.State)...)
	b = binary.AppendUvarint(b, uint64(c.Offset))
	b = append(b, Squeeze(asked)...)
	copy(b, c.sum(b, c.ID))
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// stateSum stands for a state of an index.
func stateSum(st index.State) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(st.Epoch))
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(b, uint64(st.Nonce)))
	return sum[:cursorOffset-cursorState]
}

// sum is the check of a cursor of an index.
func (Cursor) sum(raw []byte, id [16]byte) []byte {
	sum := sha256.Sum256(append(bytes.Clone(raw[cursorID:]), id[:]...))
	return sum[:cursorID]
}

// OpenCursor reads a cursor and its question; Check compares it with an index.
func OpenCursor(s string, question any) (c Cursor, err error) {
	raw, e := base64.RawURLEncoding.DecodeString(s)
	if e != nil || len(raw) <= cursorOffset || len(s) > maxCursor {
		return c, notOurs()
	}
	offset, n := binary.Uvarint(raw[cursorOffset:])
	if n <= 0 || offset > 1<<31 {
		return c, notOurs()
	}
	asked, ok := Unsqueeze(raw[cursorOffset+n:])
	if !ok || codec.Unmarshal(asked, question) != nil {
		return c, notOurs()
	}
	copy(c.ID[:cursorState-cursorID], raw[cursorID:])
	c.Offset, c.raw = int(offset), raw
	return c, nil
}

// IsCursor reports whether a text has the form of a cursor, of a search or of a question about structure.
func IsCursor(s string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(s) > maxCursor {
		return false
	}
	if asked, ok := Unsqueeze(raw); ok && json.Valid(asked) {
		return true
	}
	var any json.RawMessage
	_, err = OpenCursor(s, &any)
	return err == nil
}

func notOurs() error {
	return fault.New(fault.Usage, "the cursor does not come from a search").Or("omit it to start at the first page")
}

// Check returns an error unless the cursor was given by the index with that id and is of
// its present state; newer says that the tree has changed since that. restart is the
// operation that starts at the first page.
func (c Cursor) Check(id [16]byte, st index.State, newer bool, restart string, args ...fault.Arg) error {
	if !bytes.Equal(c.raw[cursorID:cursorState], id[:cursorState-cursorID]) {
		return fault.New(fault.Stale, "the cursor belongs to another index").Try(restart, args...)
	}
	if !bytes.Equal(c.sum(c.raw, id), c.raw[:cursorID]) {
		return notOurs()
	}
	if newer || !bytes.Equal(c.raw[cursorState:cursorOffset], stateSum(st)) {
		return fault.New(fault.Stale, "the tree has changed since the page before").Try(restart, args...)
	}
	return nil
}
