package index

import "encoding/binary"

// A pool holds many growing byte lists in few large pages: each list is a chain
// of slices, every slice twice the size of the one before up to maxSlice. Half a
// million lists cost no more than their bytes and a little slack, and nothing
// for the garbage collector to trace.
type pool struct {
	pages [][]byte
	free  uint32 // position of the first unused byte
}

const (
	pageBits  = 16
	pageSize  = 1 << pageBits
	minSlice  = 12
	maxSlice  = 1024
	linkBytes = 4
)

// A list is one chain in a pool. The zero list is empty.
type list struct {
	head, pos, end uint32 // first byte; next byte to write; where the link lies
	size           uint16 // of the last slice
}

func (p *pool) alloc(n uint32) uint32 {
	if p.free&(pageSize-1)+n > pageSize {
		p.free = (p.free | (pageSize - 1)) + 1
	}
	at := p.free
	p.free += n
	for int(at>>pageBits) >= len(p.pages) {
		p.pages = append(p.pages, make([]byte, pageSize))
	}
	return at
}

// bytes returns how much memory the lists of p have.
func (p *pool) bytes() int { return int(p.free) }

func (p *pool) push(l *list, b byte) {
	if l.pos == l.end {
		size := uint32(minSlice)
		if l.size > 0 {
			size = min(uint32(l.size)*2, maxSlice)
		}
		at := p.alloc(size)
		if l.size == 0 {
			l.head = at
		} else {
			binary.LittleEndian.PutUint32(p.pages[l.end>>pageBits][l.end&(pageSize-1):], at)
		}
		l.pos, l.end, l.size = at, at+size-linkBytes, uint16(size)
	}
	p.pages[l.pos>>pageBits][l.pos&(pageSize-1)] = b
	l.pos++
}

func (p *pool) pushUvarint(l *list, v uint32) {
	if v < 0x80 && l.pos < l.end { // mostly
		p.pages[l.pos>>pageBits][l.pos&(pageSize-1)] = byte(v)
		l.pos++
		return
	}
	for v >= 0x80 {
		p.push(l, byte(v)|0x80)
		v >>= 7
	}
	p.push(l, byte(v))
}

// pushPair pushes a varint and a byte. Mostly both have room where the list ends.
func (p *pool) pushPair(l *list, v uint32, b byte) {
	if v < 0x80 && l.end-l.pos >= 2 {
		at := p.pages[l.pos>>pageBits][l.pos&(pageSize-1):]
		at[0], at[1] = byte(v), b
		l.pos += 2
		return
	}
	p.pushUvarint(l, v)
	p.push(l, b)
}

// appendTo appends the bytes of l to dst.
func (p *pool) appendTo(dst []byte, l list) []byte {
	at, size := l.head, uint32(minSlice)
	if l.size == 0 {
		return dst
	}
	for {
		end := at + size - linkBytes
		page := p.pages[at>>pageBits]
		off := at & (pageSize - 1)
		if end == l.end {
			return append(dst, page[off:off+l.pos-at]...)
		}
		dst = append(dst, page[off:off+end-at]...)
		at = binary.LittleEndian.Uint32(page[off+end-at:])
		size = min(size*2, maxSlice)
	}
}
