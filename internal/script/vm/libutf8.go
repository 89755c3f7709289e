package vm

func (st *State) openUTF8() {
	t := st.NewTable(0, 8)
	st.fill(t, "char codepoint codes len offset", utf8Char, utf8Codepoint, utf8Codes, utf8Len, utf8Offset)
	st.set(t, "charpattern", Str("[\x00-\x7F\xC2-\xFD][\x80-\xBF]*"))
	st.SetGlobal("utf8", t.Of())
}

func utf8Char(c Call) int {
	var b []byte
	for i := 1; i <= c.n; i++ {
		x := c.Int(i)
		if x < 0 || x > 0x7fffffff {
			c.Bad(i, "value out of range")
		}
		b = appendUTF8(b, uint32(x))
	}
	return c.Return(c.Bytes(b))
}

// decode reads the character at the start of s and how long it is; 0 is Nil.
// strict admits only the characters of Unicode.
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

func utf8Len(c Call) int {
	s := c.Str(1)
	i, j := position(c.OptInt(2, 1), len(s)), position(c.OptInt(3, -1), len(s))
	if i < 1 || i-1 > int64(len(s)) {
		c.Bad(2, "initial position out of bounds")
	}
	if j > int64(len(s)) {
		c.Bad(3, "final position out of bounds")
	}
	strict := !c.Arg(4).Truth()
	n := 0
	for at := i - 1; at < j; n++ {
		_, size := decode(s[at:], strict)
		if size == 0 {
			return c.Return(Nil, Int(at+1))
		}
		at += int64(size)
	}
	return c.Return(Int(int64(n)))
}

func utf8Codepoint(c Call) int {
	s := c.Str(1)
	i := position(c.OptInt(2, 1), len(s))
	j := position(c.OptInt(3, i), len(s))
	if i < 1 {
		c.Bad(2, "out of bounds")
	}
	if j > int64(len(s)) {
		c.Bad(3, "out of bounds")
	}
	c.FailIf(j-i >= maxResults, "string slice too long")
	n := 0
	for at := i - 1; at < j; n++ {
		r, size := decode(s[at:], !c.Arg(4).Truth())
		c.FailIf(size == 0, "invalid UTF-8 code")
		c.Return(Int(int64(r)))
		at += int64(size)
	}
	return n
}

func continues(s string, i int64) bool {
	return i < int64(len(s)) && s[i]&0xC0 == 0x80
}

func utf8Offset(c Call) int {
	s := c.Str(1)
	n := c.Int(2)
	def := int64(1)
	if n < 0 {
		def = int64(len(s)) + 1
	}
	at := position(c.OptInt(3, def), len(s)) - 1
	if at < 0 || at > int64(len(s)) {
		c.Bad(3, "position out of bounds")
	}
	if n == 0 {
		for at > 0 && continues(s, at) {
			at--
		}
		return c.Return(Int(at + 1))
	}
	c.FailIf(continues(s, at), "initial position is a continuation byte")
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
		return c.Return(Nil)
	}
	return c.Return(Int(at + 1))
}

func utf8Codes(c Call) int {
	s := c.Str(1)
	strict := !c.Arg(2).Truth()
	if continues(s, 0) {
		c.Bad(1, "invalid UTF-8 code")
	}
	return c.Return(c.th.st.NewFunction("codes", func(c Call) int {
		s, at := c.Str(1), c.Int(2)
		for at >= 0 && continues(s, at) {
			at++
		}
		if uint64(at) >= uint64(len(s)) {
			return 0
		}
		r, size := decode(s[at:], strict)
		c.FailIf(size == 0, "invalid UTF-8 code")
		return c.Return(Int(at+1), Int(int64(r)))
	}), c.Arg(1), Int(int64(0)))
}
