package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// ErrDamaged says that a segment is not what its row in the database says.
var ErrDamaged = errors.New("damaged segment")

// A Segment is an open segment. It is safe for concurrent use; what it returns
// never points into its memory.
type Segment struct {
	Name string // the file's name; empty for one in memory
	data []byte
	sec  [sections][]byte
	off  [sections]int
	crcs []byte
	ok   []atomic.Uint32 // one bit a block: its CRC was checked
	size int64
	sum  uint32

	broken atomic.Bool // a query met damage: see Snapshot.Damaged

	Docs, Chunks uint32
}

// openSegment reads the frame of a segment and checks it: of the right index,
// whole, every section inside the file.
func openSegment(name string, data []byte, id [16]byte) (*Segment, error) {
	bad := func(what string) (*Segment, error) {
		return nil, fmt.Errorf("%w %s: %s", ErrDamaged, name, what)
	}
	n := len(data)
	if n < headerSize+16*sections+footerSize || string(data[:8]) != magic || string(data[n-8:]) != magic {
		return bad("not a segment")
	}
	if le.Uint32(data[8:]) != Format || [16]byte(data[16:32]) != id {
		return bad("of another index or format")
	}
	foot := data[n-footerSize:]
	blocks := int(le.Uint32(foot[4:]))
	tail := n - footerSize - 4*blocks - 16*sections
	if le.Uint64(foot[8:]) != uint64(n) || blocks > n>>blockBits+1 || tail < headerSize {
		return bad("its length is wrong")
	}
	body := tail + 16*sections
	sum := le.Uint32(foot)
	if crc32.Checksum(data[tail:n-footerSize], castagnoli) != sum || (body+1<<blockBits-1)>>blockBits != blocks {
		return bad("its tables fail their checksum")
	}
	s := &Segment{Name: name, data: data[:body], crcs: data[body : body+4*blocks], size: int64(n), sum: sum,
		ok: make([]atomic.Uint32, (blocks+31)/32)}
	for i := range sections {
		at, size := le.Uint64(data[tail+16*i:]), le.Uint64(data[tail+16*i+8:])
		if at > uint64(tail) || size > uint64(tail)-at {
			return bad("a section leaves the file")
		}
		s.sec[i], s.off[i] = data[at:at+size:at+size], int(at)
	}
	if len(s.sec[secDocs])%docSize != 0 || len(s.sec[secChunks])%chunkSize != 0 ||
		len(s.sec[secWords])*chunkSize != len(s.sec[secChunks])*2 ||
		len(s.sec[secFactAt])*docSize != len(s.sec[secDocs])*factSize || len(s.sec[secKeys])%keySize != 0 {
		return bad("its tables do not fit")
	}
	s.Docs, s.Chunks = uint32(len(s.sec[secDocs])/docSize), uint32(len(s.sec[secChunks])/chunkSize)
	return s, nil
}

// damage is how the readers below leave deep inside a query; safely turns it into
// an error, which is ErrDamaged.
type damage struct{ what string }

func (d damage) Error() string { return ErrDamaged.Error() + ": " + d.what }
func (d damage) Unwrap() error { return ErrDamaged }

// corrupt marks s as damaged and returns what to panic with.
func (s *Segment) corrupt(what string) damage {
	s.broken.Store(true)
	return damage{s.Name + ": " + what}
}

// refuse panics where what was read cannot be.
func (s *Segment) refuse(wrong bool, what string) {
	if wrong {
		panic(s.corrupt(what))
	}
}

// A cutOff is a read of memory that its file no longer backs.
type cutOff struct {
	damage
	addr uintptr
}

// safely runs f, which reads segments, and returns ErrDamaged if it met a block
// that fails its checksum, an offset that leaves its section, or memory that the
// file no longer backs.
func safely(f func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // of this goroutine
	defer func() {
		switch r := recover().(type) {
		case nil:
		case damage:
			err = r
		case unreached:
			err = r.error
		case interface{ Addr() uintptr }:
			err = cutOff{damage{"a file was cut short while it was read"}, r.Addr()}
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// holds reports whether addr is in the segment's memory.
func (s *Segment) holds(addr uintptr) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(s.data)))
	return addr >= start && addr-start < uintptr(s.size)
}

// at returns n bytes of a section, checked against the section's bounds and the
// blocks' checksums.
func (s *Segment) at(sec, off, n int) []byte {
	p := s.sec[sec]
	if off < 0 || n < 0 || off > len(p) || n > len(p)-off {
		panic(s.corrupt("an offset leaves its section"))
	}
	s.touch(s.off[sec]+off, n)
	return p[off : off+n]
}

// touch checks the blocks that hold n bytes at off.
func (s *Segment) touch(off, n int) {
	if n == 0 {
		return
	}
	for b := off >> blockBits; b <= (off+n-1)>>blockBits; b++ {
		bit := uint32(1) << (b & 31)
		if s.ok[b>>5].Load()&bit != 0 {
			continue
		}
		s.verify(b)
		s.ok[b>>5].Or(bit)
	}
}

// verify compares block b with its checksum.
func (s *Segment) verify(b int) {
	block := s.data[b<<blockBits : min(len(s.data), (b+1)<<blockBits)]
	s.refuse(crc32.Checksum(block, castagnoli) != le.Uint32(s.crcs[4*b:]), "a block fails its checksum")
	runtime.KeepAlive(s) // the map goes when nobody needs s
}

// A DocInfo is what a segment knows of a document.
type DocInfo struct {
	ID            uint32
	Path          string
	Language      string
	Flags         corpus.Flags
	Size, Lines   int
	First, Chunks uint32 // its chunks, numbered in the segment
	Hash          corpus.Hash
}

func (s *Segment) docID(d uint32) uint32 { return le.Uint32(s.at(secDocs, int(d)*docSize, 4)) }

// docChunks returns the numbers of a document's first chunk and of the one after
// its last.
func (s *Segment) docChunks(d uint32) (lo, hi uint32) {
	r := s.at(secDocs, int(d)*docSize+16, 8)
	lo = le.Uint32(r)
	hi = lo + le.Uint32(r[4:])
	s.refuse(hi < lo || hi > s.Chunks, "a document's chunks leave the segment")
	return lo, hi
}

// docChunksFrom is docChunks for whoever walks all documents: the chunks of one
// begin where those of the one before end. Without that a small file could name
// each chunk a million times.
func (s *Segment) docChunksFrom(d, next uint32) (lo, hi uint32) {
	if lo, hi = s.docChunks(d); lo != next {
		panic(s.corrupt("documents share chunks"))
	}
	return lo, hi
}

func (s *Segment) path(d uint32) string { return string(s.pathBytes(d)) }

// pathBytes is path without a copy.
func (s *Segment) pathBytes(d uint32) []byte {
	r := s.at(secDocs, int(d)*docSize+4, 8)
	return s.at(secStrings, int(le.Uint32(r)), int(le.Uint32(r[4:])))
}

// doc returns document d of the segment.
func (s *Segment) doc(d uint32) DocInfo {
	r := s.at(secDocs, int(d)*docSize, docSize)
	lo, hi := s.docChunks(d)
	return DocInfo{
		ID: le.Uint32(r), Path: s.path(d),
		Language: string(s.at(secStrings, int(le.Uint32(r[32:])), int(le.Uint16(r[30:])))),
		Flags:    corpus.Flags(le.Uint16(r[28:])),
		Size:     int(le.Uint32(r[12:])), Lines: int(le.Uint32(r[24:])),
		First: lo, Chunks: hi - lo,
		Hash: corpus.Hash(r[36:52]),
	}
}

// chunkDoc returns the document of chunk c.
func (s *Segment) chunkDoc(c uint32) uint32 {
	d := le.Uint32(s.at(secChunks, int(c)*chunkSize, 4))
	s.refuse(d >= s.Docs, "a chunk without a document")
	return d
}

func (s *Segment) chunk(c uint32) corpus.Chunk {
	r := s.at(secChunks, int(c)*chunkSize, chunkSize)
	first := int(le.Uint32(r[12:]))
	out := corpus.Chunk{
		Span:   corpus.Span{Start: int(le.Uint32(r[4:])), End: int(le.Uint32(r[8:]))},
		Lines:  corpus.Range{First: first, Last: first + int(le.Uint32(r[16:])&^inTest)},
		Scope:  string(s.at(secStrings, int(le.Uint32(r[24:])), int(le.Uint16(r[22:])))),
		Hash:   corpus.Hash(r[32:48]),
		InTest: s.testFlag(c) != 0,
	}
	s.refuse(out.End < out.Start, "a chunk ends before it starts")
	out.Symbols = unpackSymbols(string(s.at(secStrings, int(le.Uint32(r[28:])), int(le.Uint16(r[20:])))))
	return out
}

// inTest is the bit of a chunk's number of lines that says that it is of a test beside the code.
const inTest = 1 << 31

// testFlag returns the flag of a test if chunk c is of one that stands beside the code.
func (s *Segment) testFlag(c uint32) corpus.Flags {
	if le.Uint32(s.at(secChunks, int(c)*chunkSize+16, 4))&inTest != 0 {
		return corpus.Test
	}
	return 0
}

// A postings is where the postings of one term lie.
type postings struct {
	df   int
	data []byte
}

// lookup finds a term.
func (s *Segment) lookup(term string) (postings, bool) {
	blocks := len(s.sec[secTermIdx]) / 8
	b := sort.Search(blocks, func(i int) bool { return s.termAt(i) > term }) - 1
	if b < 0 {
		return postings{}, false
	}
	c := s.termsFrom(b, false)
	for i := 0; i < termBlock && c.next(); i++ {
		switch strings.Compare(string(c.term), term) {
		case 0:
			return postings{c.df, s.at(secPostings, c.at, c.size)}, true
		case 1:
			return postings{}, false
		}
	}
	return postings{}, false
}

// termAt returns the first term of block b of the dictionary.
func (s *Segment) termAt(b int) string {
	off := int(le.Uint32(s.at(secTermIdx, 8*b, 4)))
	n := int(s.at(secTerms, off+1, 1)[0])
	return string(s.at(secTerms, off+2, n))
}

// A termCursor walks the dictionary in ascending order.
type termCursor struct {
	s    *Segment
	rest []byte
	term []byte
	df   int
	at   int // offset of its postings
	size int
}

func (s *Segment) termsFrom(block int, all bool) *termCursor {
	if 8*block >= len(s.sec[secTermIdx]) {
		return &termCursor{s: s}
	}
	r := s.at(secTermIdx, 8*block, 8)
	off := int(le.Uint32(r))
	// A term is at most 2+255+10 bytes; the whole rest is checked only when the
	// whole dictionary is walked.
	n := len(s.sec[secTerms]) - off
	if !all {
		n = min(n, termBlock*(2+255+10))
	}
	return &termCursor{s: s, rest: s.at(secTerms, off, n), at: int(le.Uint32(r[4:]))}
}

func (c *termCursor) next() bool {
	if len(c.rest) < 2 {
		return false
	}
	c.at += c.size
	shared, n := int(c.rest[0]), int(c.rest[1])
	c.s.refuse(shared > len(c.term) || 2+n > len(c.rest), "the dictionary is corrupt")
	c.term = append(c.term[:shared], c.rest[2:2+n]...)
	c.rest = c.rest[2+n:]
	c.df, c.size = c.uvarint(), c.uvarint()
	c.s.refuse(c.df <= 0 || c.df > int(c.s.Chunks), "the dictionary is corrupt")
	return true
}

func (c *termCursor) uvarint() int {
	v, n := binary.Uvarint(c.rest)
	c.s.refuse(n <= 0 || v > 1<<40, "the dictionary is corrupt")
	c.rest = c.rest[n:]
	return int(v)
}
