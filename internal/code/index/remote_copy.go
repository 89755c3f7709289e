//go:build team

package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"

	"github.com/jackc/pgx/v5"
)

// A rowCopy is rows in the binary form of COPY, which is the fastest way into a table:
// PostgreSQL's manual, "COPY", "Binary Format".
type rowCopy struct {
	fields int
	rows   int
	buf    bytes.Buffer
}

func newCopy(fields int) *rowCopy {
	c := &rowCopy{fields: fields}
	c.buf.WriteString("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	return c
}

func (c *rowCopy) put16(x int) { c.buf.Write(binary.BigEndian.AppendUint16(nil, uint16(x))) }
func (c *rowCopy) put32(x int) { c.buf.Write(binary.BigEndian.AppendUint32(nil, uint32(x))) }

// row begins a row, to which as many fields are to be given as the copy has.
func (c *rowCopy) row() *rowCopy {
	c.rows++
	c.put16(c.fields)
	return c
}

func (c *rowCopy) bytes(b []byte) *rowCopy {
	c.put32(len(b))
	c.buf.Write(b)
	return c
}

func (c *rowCopy) int32(x int32) *rowCopy {
	c.put32(4)
	c.put32(int(x))
	return c
}

func (c *rowCopy) int64(x int64) *rowCopy {
	c.put32(8)
	c.buf.Write(binary.BigEndian.AppendUint64(nil, uint64(x)))
	return c
}

// halves writes a vector as pgvector's halfvec: how many, two bytes of zero, and a number
// in 16 bits (IEEE 754) each.
func (c *rowCopy) halves(v []float32) *rowCopy {
	c.put32(4 + 2*len(v))
	c.put16(len(v))
	c.put16(0)
	for _, x := range v {
		c.put16(int(half(x)))
	}
	return c
}

// half returns the number in 16 bits that is nearest to an element of a unit vector. What
// is none of one, as it is too large or no number, is 0.
func half(x float32) uint16 {
	b := math.Float32bits(x)
	sign, abs := uint16(b>>16&0x8000), math.Abs(float64(x))
	switch {
	case !(abs < 65504):
		return sign
	case abs < 1.0/(1<<14): // too small for an exponent of its own
		return sign | uint16(math.RoundToEven(abs*(1<<24)))
	}
	rounded := b&0x7fffffff + 0xfff + b>>13&1
	return sign | uint16((rounded-112<<23)>>13)
}

// send writes the rows into columns of a table.
func (c *rowCopy) send(ctx context.Context, tx pgx.Tx, to string) error {
	if c.rows == 0 {
		return nil
	}
	c.put16(-1)
	_, err := tx.Conn().PgConn().CopyFrom(ctx, &c.buf, "COPY "+to+" FROM STDIN BINARY")
	return err
}
