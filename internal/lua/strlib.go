package lua

import (
	"strings"
)

func (vm *VM) openString() {
	t := lib("", map[string]builtin{
		"byte": strByte, "char": strChar, "find": strFind, "format": strFormat, "gmatch": strGmatch, "gsub": strGsub,
		"len": strLen, "lower": strLower, "match": strMatch, "pack": strPack, "packsize": strPackSize, "rep": strRep,
		"reverse": strReverse, "sub": strSub, "unpack": strUnpack, "upper": strUpper,
	})
	vm.setGlobal("string", t)
	mt := newRecord(4)
	mt.RawSetString("__index", t)
	numberMethods(mt)
	vm.setTypeMetatable(str(""), mt)
	boxed := newRecord(4)
	numberMethods(boxed)
	vm.setTypeMetatable(integer(0), boxed)
	call := newRecord(4)
	call.RawSetString("__call", fn("call", callOther))
	numberMethods(call)
	for _, v := range []value{none, yes, count(0)} {
		vm.setTypeMetatable(v, call)
	}
	mt.RawSetString("__call", fn("call", callOther))
}

// callOther raises what a call of something that is no function does.
func callOther(c call) int {
	c.fail("attempt to call a %s value%s", typeName(c.arg(1)), c.called())
	return 0
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

func strLen(c call) int { return c.ret(count(len(c.str(1)))) }

func strSub(c call) int {
	s := c.str(1)
	from, to := span(c.int(2), c.optInt(3, -1), len(s))
	return c.ret(str(s[from:to]))
}

func strUpper(c call) int { return c.ret(str(ascii(c.copied(1), 'a', 'z'))) }
func strLower(c call) int { return c.ret(str(ascii(c.copied(1), 'A', 'Z'))) }

// copied returns a string of which bytes and then a string are made.
func (c call) copied(i int) string {
	s := c.str(i)
	c.room(2 * int64(len(s)))
	return s
}

// ascii changes the case of the letters between from and to, and of no others.
func ascii(s string, from, to byte) string {
	for i := range len(s) {
		if from <= s[i] && s[i] <= to {
			b := []byte(s)
			for ; i < len(b); i++ {
				if from <= b[i] && b[i] <= to {
					b[i] ^= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

func strReverse(c call) int {
	b := []byte(c.copied(1))
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return c.ret(str(string(b)))
}

func strRep(c call) int {
	s, n, sep := c.str(1), c.int(2), c.optStr(3, "")
	unit := int64(len(s) + len(sep))
	if n <= 0 || unit == 0 {
		return c.ret(str(""))
	}
	if n > (1<<40)/unit {
		c.fail("resulting string too large")
	}
	c.room(n * unit)
	if sep == "" || n == 1 {
		return c.ret(str(strings.Repeat(s, int(n))))
	}
	var b strings.Builder // and not a string that is copied to append the last
	b.Grow(int(n * unit))
	for i := range n - 1 {
		c.at(i)
		b.WriteString(s)
		b.WriteString(sep)
	}
	b.WriteString(s)
	return c.ret(str(b.String()))
}

func strByte(c call) int {
	s := c.str(1)
	i := c.optInt(2, 1)
	from, to := span(i, c.optInt(3, i), len(s))
	if to-from > maxResults {
		c.fail("string slice too long")
	}
	for _, b := range []byte(s[from:to]) {
		c.ret(count(int(b)))
	}
	return to - from
}

// maxResults is how many values one call returns at most.
const maxResults = 250_000

func strChar(c call) int {
	b := make([]byte, c.n())
	for i := range b {
		v := c.int(i + 1)
		if v < 0 || v > 255 {
			c.bad(i+1, "value out of range")
		}
		b[i] = byte(v)
	}
	return c.ret(str(string(b)))
}
