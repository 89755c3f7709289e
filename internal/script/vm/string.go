package vm

import (
	"hash/maphash"
	"unsafe"
)

// A String is a string of Lua: bytes, with the hash that tables find them by. Strings
// are not interned, since Go offers no cheap table of weak references; two are equal if
// their pointers are, or else their hashes and bytes. Constants of one chunk are one
// object, so that most look-ups end with the pointers.
type String struct {
	header
	s string
}

// The bytes of short strings are allocated together with their header.
type (
	string8 struct {
		String
		b [8]byte
	}
	string24 struct {
		String
		b [24]byte
	}
	string40 struct {
		String
		b [40]byte
	}
)

const stringSize = 24 // of the header

// seed keeps keys from being chosen so that they collide.
var seed = maphash.MakeSeed()

func newString(s string) *String {
	return &String{header: header{kind: KindString}, s: s}
}

// newStringBytes returns a string with a copy of b.
func newStringBytes(b []byte) *String {
	switch n := len(b); {
	case n == 0:
		return &String{header: header{kind: KindString}}
	case n <= 8:
		x := &string8{}
		x.kind = KindString
		x.s = unsafe.String(&x.b[0], copy(x.b[:], b))
		return &x.String
	case n <= 24:
		x := &string24{}
		x.kind = KindString
		x.s = unsafe.String(&x.b[0], copy(x.b[:], b))
		return &x.String
	case n <= 40:
		x := &string40{}
		x.kind = KindString
		x.s = unsafe.String(&x.b[0], copy(x.b[:], b))
		return &x.String
	}
	return newString(string(b))
}

// constant returns a string that several states may share: all that is ever computed of
// it is computed now.
func constant(s string) *String {
	c := &String{header: header{kind: KindString, flags: flagShared}, s: s}
	c.hashed()
	return c
}

// hashed returns the hash of s, which is never 0.
func (s *String) hashed() uint32 {
	if s.hash == 0 {
		s.hash = uint32(maphash.String(seed, s.s)) | 1
	}
	return s.hash
}

func (s *String) equal(t *String) bool {
	if s == t {
		return true
	}
	if len(s.s) != len(t.s) || s.hash != 0 && t.hash != 0 && s.hash != t.hash {
		return false
	}
	return s.s == t.s
}

// bytes returns the memory that s takes.
func (s *String) bytes() int64 { return stringSize + int64(len(s.s)) }

// Str returns s as a value. It is not counted in any state's memory: see Call.Str.
func Str(s string) Value { return newString(s).Of() }
