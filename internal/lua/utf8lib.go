package lua

import (
	"github.com/assay-dev/assay/internal/lua/parse"
)

func (vm *VM) openUTF8() {
	t := lib("", map[string]builtin{
		"char": utf8Char, "codepoint": utf8Codepoint, "codes": utf8Codes, "len": utf8Len, "offset": utf8Offset,
	})
	t.RawSetString("charpattern", str("[\x00-\x7F\xC2-\xFD][\x80-\xBF]*"))
	vm.setGlobal("utf8", t)
}

func utf8Char(c call) int {
	var b []byte
	for i := 1; i <= c.n(); i++ {
		x := c.int(i)
		if x < 0 || x > 0x7fffffff {
			c.bad(i, "value out of range")
		}
		b = parse.AppendUTF8(b, uint32(x))
	}
	return c.ret(str(string(b)))
}

// decode reads the character at the start of s and how long it is; 0 is none.
// strict admits what Unicode has and no more.
func decode(s string, strict bool) (r uint32, n int) {
	if s == "" {
		return 0, 0
	}
	f := uint32(s[0])
	if f < 0x80 {
		return f, 1
	}
	var x uint32
	count := 0
	for ; f&0x40 != 0; f <<= 1 {
		count++
		if count > 5 || count >= len(s) || s[count]&0xC0 != 0x80 {
			return 0, 0
		}
		x = x<<6 | uint32(s[count]&0x3F)
	}
	x |= (f & 0x7F) << (count * 5)
	least := [...]uint32{1<<32 - 1, 0x80, 0x800, 0x10000, 0x200000, 0x4000000}
	if x < least[count] || x > 0x7fffffff {
		return 0, 0
	}
	if strict && (x > 0x10FFFF || 0xD800 <= x && x <= 0xDFFF) {
		return 0, 0
	}
	return x, count + 1
}

// position makes a place in a string of n bytes of one that may count from the end.
func position(i int64, n int) int64 {
	switch {
	case i >= 0:
		return i
	case -i > int64(n):
		return 0
	}
	return int64(n) + i + 1
}

func utf8Len(c call) int {
	s := c.str(1)
	i, j := position(c.optInt(2, 1), len(s)), position(c.optInt(3, -1), len(s))
	if i < 1 || i-1 > int64(len(s)) {
		c.bad(2, "initial position out of bounds")
	}
	if j > int64(len(s)) {
		c.bad(3, "final position out of bounds")
	}
	strict := !truth(c.arg(4))
	n := 0
	for at := i - 1; at < j; n++ {
		c.at(int64(n))
		_, size := decode(s[at:], strict)
		if size == 0 {
			return c.rets(none, whole(at+1))
		}
		at += int64(size)
	}
	return c.ret(count(n))
}

func utf8Codepoint(c call) int {
	s := c.str(1)
	i := position(c.optInt(2, 1), len(s))
	j := position(c.optInt(3, i), len(s))
	if i < 1 {
		c.bad(2, "out of bounds")
	}
	if j > int64(len(s)) {
		c.bad(3, "out of bounds")
	}
	if j-i >= maxResults {
		c.fail("string slice too long")
	}
	n := 0
	for at := i - 1; at < j; n++ {
		r, size := decode(s[at:], !truth(c.arg(4)))
		if size == 0 {
			c.fail("invalid UTF-8 code")
		}
		c.ret(whole(int64(r)))
		at += int64(size)
	}
	return n
}

func continues(s string, i int64) bool {
	return i < int64(len(s)) && s[i]&0xC0 == 0x80
}

func utf8Offset(c call) int {
	s := c.str(1)
	n := c.int(2)
	def := int64(1)
	if n <= 0 {
		def = int64(len(s)) + 1
	}
	at := position(c.optInt(3, def), len(s)) - 1
	if at < 0 || at > int64(len(s)) {
		c.bad(3, "position out of bounds")
	}
	if n == 0 {
		for at > 0 && continues(s, at) {
			at--
		}
		return c.ret(whole(at + 1))
	}
	if continues(s, at) {
		c.fail("initial position is a continuation byte")
	}
	for ; n < 0 && at > 0; n++ {
		for at--; at > 0 && continues(s, at); at-- {
		}
	}
	if n > 0 {
		for n--; n > 0 && at < int64(len(s)); n-- {
			for at++; continues(s, at); at++ {
			}
		}
	}
	if n != 0 {
		return c.ret(none)
	}
	return c.ret(whole(at + 1))
}

func utf8Codes(c call) int {
	s := c.str(1)
	strict := !truth(c.arg(2))
	if continues(s, 0) {
		c.bad(1, "invalid UTF-8 code")
	}
	return c.rets(fn("codes", func(c call) int {
		s, at := c.str(1), c.int(2)
		if at < 0 {
			return 0 // as an index that is no place of the string
		}
		for continues(s, at) {
			at++
		}
		if at >= int64(len(s)) {
			return 0
		}
		r, size := decode(s[at:], strict)
		if size == 0 || continues(s, at+int64(size)) {
			c.fail("invalid UTF-8 code")
		}
		return c.rets(whole(at+1), whole(int64(r)))
	}), c.arg(1), count(0))
}
