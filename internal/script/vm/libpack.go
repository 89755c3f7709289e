package vm

import (
	"encoding/binary"
	"math"
	"strings"
)

// A packing reads a format of string.pack.
type packing struct {
	c     Call
	f     string
	at    int
	big   bool
	align int
}

// A packField is one value, or the padding for one, in a packed string.
type packField struct {
	kind byte // i u f d s z c x X, or 0 at the end
	size int
	pad  int // bytes before it, if the fields before it have the length that next was told
}

const maxIntSize = 16

func newPacking(c Call) *packing { return &packing{c: c, f: c.Str(1), align: 1} }

// digits reads a number, or returns def.
func (p *packing) digits(def int) int {
	if p.at == len(p.f) || p.f[p.at] < '0' || p.f[p.at] > '9' {
		return def
	}
	n := 0
	for ; p.at < len(p.f) && '0' <= p.f[p.at] && p.f[p.at] <= '9'; p.at++ {
		if n > (math.MaxInt32-9)/10 {
			break // the next digit is no option, which is said then
		}
		n = n*10 + int(p.f[p.at]-'0')
	}
	return n
}

func (p *packing) intSize(def int) int {
	n := p.digits(def)
	if n < 1 || n > maxIntSize {
		p.c.Fail("integral size (%d) out of limits [1,%d]", n, maxIntSize)
	}
	return n
}

// option reads the next one; ok is false for one that only sets something.
func (p *packing) option() (f packField, ok bool) {
	ch := p.f[p.at]
	p.at++
	switch ch {
	case 'b', 'B':
		return packField{kind: intKind(ch), size: 1}, true
	case 'h', 'H':
		return packField{kind: intKind(ch), size: 2}, true
	case 'l', 'L', 'j', 'J', 'T':
		return packField{kind: intKind(ch), size: 8}, true
	case 'i', 'I':
		return packField{kind: intKind(ch), size: p.intSize(4)}, true
	case 'f':
		return packField{kind: 'f', size: 4}, true
	case 'd', 'n':
		return packField{kind: 'd', size: 8}, true
	case 's':
		return packField{kind: 's', size: p.intSize(8)}, true
	case 'c':
		n := p.digits(-1)
		p.c.FailIf(n < 0, "missing size for format option 'c'")
		return packField{kind: 'c', size: n}, true
	case 'z', 'x', 'X':
		return packField{kind: ch, size: 1}, true
	case '<', '=':
		p.big = false
	case '>':
		p.big = true
	case '!':
		p.align = p.intSize(8)
	case ' ':
	default:
		p.c.Fail("invalid format option '%c'", ch)
	}
	return packField{}, false
}

// intKind is u for the options in upper case, else i.
func intKind(ch byte) byte {
	if ch < 'a' {
		return 'u'
	}
	return 'i'
}

// next returns the packField at offset total; kind 0 is the end.
func (p *packing) next(total int) packField {
	for p.at < len(p.f) {
		f, ok := p.option()
		if !ok {
			continue
		}
		align := f.size
		switch f.kind {
		case 'X':
			if p.at == len(p.f) {
				p.c.Bad(1, "invalid next option for option 'X'")
			}
			g, ok := p.option()
			if align = g.size; !ok || strings.IndexByte("cxzX", g.kind) >= 0 || align == 0 {
				p.c.Bad(1, "invalid next option for option 'X'")
			}
			f.size = 0
		case 'i', 'u', 'f', 'd', 's':
		default:
			align = 1
		}
		if align = min(align, p.align); align > 1 {
			if align&(align-1) != 0 {
				p.c.Bad(1, "format asks for alignment not power of 2")
			}
			f.pad = (align - total&(align-1)) & (align - 1)
		}
		return f
	}
	return packField{}
}

// putInt appends the low size bytes of n, which it extends by its sign.
func (p *packing) putInt(b []byte, n int64, size int, signed bool) []byte {
	fill := byte(0)
	if signed && n < 0 {
		fill = 0xff
	}
	start := len(b)
	for i := range size {
		if i < 8 {
			b = append(b, byte(n>>(8*i)))
		} else {
			b = append(b, fill)
		}
	}
	if p.big {
		for i, j := start, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
	return b
}

func (p *packing) getInt(s string, signed bool) int64 {
	at := func(i int) byte {
		if p.big {
			return s[len(s)-1-i]
		}
		return s[i]
	}
	var n uint64
	for i := min(len(s), 8) - 1; i >= 0; i-- {
		n = n<<8 | uint64(at(i))
	}
	if len(s) < 8 && signed {
		shift := 64 - 8*len(s)
		return int64(n<<shift) >> shift
	}
	for i := 8; i < len(s); i++ {
		if b := at(i); b != 0 && (!signed || b != 0xff || int64(n) >= 0) {
			p.c.Fail("%d-byte integer does not fit into Lua Integer", len(s))
		}
	}
	return int64(n)
}

func (p *packing) order() binary.AppendByteOrder {
	if p.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func strPack(c Call) int {
	p := newPacking(c)
	var b []byte
	arg := 1
	for {
		f := p.next(len(b))
		if f.kind == 0 {
			return c.Return(c.Bytes(b))
		}
		b = append(b, make([]byte, f.pad)...)
		if f.kind != 'x' && f.kind != 'X' {
			arg++
		}
		b = p.put(b, f, arg)
		c.Room(int64(len(b)))
	}
}

// put appends argument arg as f.
func (p *packing) put(b []byte, f packField, arg int) []byte {
	c := p.c
	switch f.kind {
	case 'i', 'u':
		n := c.Int(arg)
		if f.size < 8 {
			if lim := int64(1) << (8*f.size - 1); f.kind == 'i' && (n < -lim || n >= lim) {
				c.Bad(arg, "integer overflow")
			} else if f.kind == 'u' && uint64(n) >= uint64(lim)*2 {
				c.Bad(arg, "unsigned overflow")
			}
		}
		return p.putInt(b, n, f.size, f.kind == 'i')
	case 'f':
		return p.order().AppendUint32(b, math.Float32bits(float32(c.Float(arg))))
	case 'd':
		return p.order().AppendUint64(b, math.Float64bits(c.Float(arg)))
	case 'c':
		s := c.Str(arg)
		if len(s) > f.size {
			c.Bad(arg, "string longer than given size")
		}
		c.Room(int64(f.size))
		return append(append(b, s...), make([]byte, f.size-len(s))...)
	case 's':
		s := c.Str(arg)
		if f.size < 8 && uint64(len(s)) >= 1<<(8*f.size) {
			c.Bad(arg, "string length does not fit in given size")
		}
		return append(p.putInt(b, int64(len(s)), f.size, false), s...)
	case 'z':
		s := c.Str(arg)
		if strings.IndexByte(s, 0) >= 0 {
			c.Bad(arg, "string contains zeros")
		}
		return append(append(b, s...), 0)
	case 'x':
		return append(b, 0)
	}
	return b
}

func strPackSize(c Call) int {
	p := newPacking(c)
	total := 0
	for {
		f := p.next(total)
		if f.kind == 0 {
			return c.Return(Int(int64(total)))
		}
		if f.kind == 's' || f.kind == 'z' {
			c.Bad(1, "variable-length format")
		}
		if total += f.pad + f.size; total > math.MaxInt32 {
			c.Bad(1, "format result too large")
		}
	}
}

func strUnpack(c Call) int {
	p := newPacking(c)
	s := c.Str(2)
	at := c.OptInt(3, 1)
	if at < 0 {
		at = max(int64(len(s))+at+1, 1)
	}
	pos := int(at - 1)
	if at < 1 || pos > len(s) {
		c.Bad(3, "initial position out of string")
	}
	n := 0
	for {
		f := p.next(pos)
		if f.kind == 0 {
			return n + c.Return(Int(int64(pos+1)))
		}
		if f.pad+f.size > len(s)-pos && f.kind != 'z' {
			c.Bad(2, "data string too short")
		}
		if n++; n > maxResults {
			c.Bad(2, "too many results")
		}
		pos = p.get(s, pos+f.pad, f, &n)
	}
}

// get pushes the value of f at pos of s and returns where it ends; of padding it
// takes the result back.
func (p *packing) get(s string, pos int, f packField, n *int) int {
	c := p.c
	switch f.kind {
	case 'i', 'u':
		c.Return(Int(p.getInt(s[pos:pos+f.size], f.kind == 'i')))
	case 'f':
		u := uint32(p.getInt(s[pos:pos+4], false))
		c.Return(Float(float64(math.Float32frombits(u))))
	case 'd':
		c.Return(Float(math.Float64frombits(uint64(p.getInt(s[pos:pos+8], false)))))
	case 'c':
		c.Return(c.Copy(s[pos : pos+f.size]))
	case 's':
		size := p.getInt(s[pos:pos+f.size], false)
		if size < 0 || size > int64(len(s)-pos-f.size) {
			c.Bad(2, "data string too short")
		}
		c.Return(c.Copy(s[pos+f.size : pos+f.size+int(size)]))
		return pos + f.size + int(size)
	case 'z':
		end := strings.IndexByte(s[pos:], 0)
		if end < 0 {
			c.Bad(2, "unfinished string for format 'z'")
		}
		c.Return(c.Copy(s[pos : pos+end]))
		return pos + end + 1
	default:
		*n--
	}
	return pos + f.size
}
