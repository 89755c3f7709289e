package vm

import (
	"math"
	"strings"
	"unsafe"

	"github.com/assay-dev/assay/internal/script/pattern"
)

func (st *State) openString() {
	t := st.NewTable(0, 20)
	st.fill(t, "byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper",
		strByte, strChar, strFind, strFormat, strGmatch, strGsub, strLen, strLower, strMatch, strPack, strPackSize, strRep,
		strReverse, strSub, strUnpack, strUpper)
	st.SetGlobal("string", t.Of())
	mt := st.NewTable(0, 1)
	mt.setStr(&st.names[evIndex], t.Of())
	st.setTypeMetatable(KindString, mt)
}

// span returns the bytes [i, j] of a string of n as a half-open range from 0:
// negative places count from the end.
func span(i, j int64, n int) (int, int) {
	size := int64(n)
	if i < 0 {
		i = max(size+i+1, 1)
	} else if i == 0 {
		i = 1
	}
	if j > size {
		j = size
	} else if j < 0 {
		j = max(size+j+1, 0)
	}
	if i > j {
		return 0, 0
	}
	return int(i - 1), int(j)
}

func strLen(c Call) int { return c.Return(Int(int64(len(c.Str(1))))) }

// slice returns a part of a string as a value.
func (c Call) slice(s string, from, to int) Value {
	switch to - from {
	case 0:
		return c.th.st.empty()
	case 1:
		return c.th.st.char(s[from])
	}
	return c.Copy(s[from:to])
}

// Copy returns a string that shares no memory with s: a part would keep the whole.
func (c Call) Copy(s string) Value {
	if len(s) > 1<<16 {
		c.Room(int64(len(s)))
	}
	return c.Bytes(unsafe.Slice(unsafe.StringData(s), len(s)))
}

func (st *State) empty() Value {
	if st.none == nil {
		st.none = constant("")
	}
	return st.none.Of()
}

// char returns the string of one byte.
func (st *State) char(b byte) Value {
	if st.chars[b] == nil {
		st.chars[b] = constant(string([]byte{b}))
	}
	return st.chars[b].Of()
}

func strSub(c Call) int {
	s := c.Str(1)
	from, to := span(c.Int(2), c.OptInt(3, -1), len(s))
	if from == 0 && to == len(s) && c.Arg(1).str() != nil {
		return c.Return(c.Arg(1))
	}
	return c.Return(c.slice(s, from, to))
}

func strUpper(c Call) int { return c.changed(ascii(c.Str(1), 'a', 'z')) }
func strLower(c Call) int { return c.changed(ascii(c.Str(1), 'A', 'Z')) }

// changed returns a string made of the first argument.
func (c Call) changed(b []byte) int {
	if b == nil {
		return c.Return(c.toString(c.Arg(1)).Of())
	}
	return c.Return(c.Bytes(b))
}

// ascii changes the case of the letters between from and to, and of no others; nil if
// there are none.
func ascii(s string, from, to byte) []byte {
	for i := range len(s) {
		if from <= s[i] && s[i] <= to {
			b := []byte(s)
			for ; i < len(b); i++ {
				if from <= b[i] && b[i] <= to {
					b[i] ^= 0x20
				}
			}
			return b
		}
	}
	return nil
}

func strReverse(c Call) int {
	s := c.Str(1)
	c.Room(int64(len(s)))
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return c.Return(c.Bytes(b))
}

func strRep(c Call) int {
	s, n, sep := c.Str(1), c.Int(2), c.OptStr(3, "")
	unit := int64(len(s)) + int64(len(sep))
	if n <= 0 || unit == 0 {
		return c.Return(c.th.st.empty())
	}
	c.FailIf(n > math.MaxInt32/unit, "resulting string too large")
	c.Room(n * unit)
	if sep == "" {
		return c.Return(c.NewString(strings.Repeat(s, int(n))))
	}
	var b strings.Builder
	b.Grow(int(n * unit))
	for i := range n {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(s)
	}
	return c.Return(c.NewString(b.String()))
}

// maxResults is how many values one call returns at most.
const maxResults = 250_000

func strByte(c Call) int {
	s := c.Str(1)
	i := c.OptInt(2, 1)
	from, to := span(i, c.OptInt(3, i), len(s))
	c.FailIf(to-from > maxResults, "string slice too long")
	for k := from; k < to; k++ {
		c.Push(Int(int64(s[k])))
	}
	return to - from
}

func strChar(c Call) int {
	if c.n == 1 {
		if n := c.Int(1); uint64(n) < 256 {
			return c.Return(c.th.st.char(byte(n)))
		}
	}
	b := make([]byte, c.n)
	for i := range b {
		v := c.Int(i + 1)
		if v < 0 || v > 255 {
			c.Bad(i+1, "value out of range")
		}
		b[i] = byte(v)
	}
	return c.Return(c.Bytes(b))
}

// maxSteps bounds a match that cannot be linear: seconds.
const maxSteps = 1 << 28

// maxPatterns is how many compiled patterns a State keeps.
const maxPatterns = 256

type patternKey struct {
	src     string
	anchors bool
}

type patternCache struct {
	m    map[patternKey]*pattern.Pattern
	last patternKey
	p    *pattern.Pattern
}

func (c Call) pattern(src string, anchors bool) *pattern.Pattern {
	pc := &c.th.st.pats
	k := patternKey{src, anchors}
	if pc.p != nil && pc.last == k {
		return pc.p
	}
	p := pc.m[k]
	if p == nil {
		var err error
		if p, err = pattern.Compile(src, anchors); err != nil {
			c.Fail("%v", err)
		}
		if len(pc.m) >= maxPatterns || pc.m == nil {
			pc.m = map[patternKey]*pattern.Pattern{}
		}
		pc.m[k] = p
	}
	pc.last, pc.p = k, p
	return p
}

func (c Call) matcher(p *pattern.Pattern, s string) *pattern.Matcher {
	st := c.th.st
	var m *pattern.Matcher
	m = p.Match(s, func() {
		if m.Steps() > maxSteps {
			panic(&Error{Value: Str("pattern too complex")})
		}
		st.step(256)
	})
	return m
}
