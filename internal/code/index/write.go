package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
)

// A segWriter writes the frame of a segment: sections in any order, then the
// tables that find and check them.
type segWriter struct {
	w    *bufio.Writer
	off  uint64
	toc  [sections][2]uint64
	crcs []uint32
	crc  uint32
	err  error
}

func newSegWriter(w io.Writer, id [16]byte) *segWriter {
	s := &segWriter{w: bufio.NewWriterSize(w, 1<<18)}
	var h [headerSize]byte
	copy(h[:], magic)
	le.PutUint32(h[8:], Format)
	copy(h[16:], id[:])
	s.write(h[:])
	return s
}

// write appends p and keeps the CRC of each block.
func (s *segWriter) write(p []byte) {
	if s.err != nil {
		return
	}
	if _, s.err = s.w.Write(p); s.err != nil {
		return
	}
	for len(p) > 0 {
		room := 1<<blockBits - int(s.off&(1<<blockBits-1))
		n := min(room, len(p))
		s.crc = crc32.Update(s.crc, castagnoli, p[:n])
		s.off += uint64(n)
		p = p[n:]
		if n == room {
			s.crcs = append(s.crcs, s.crc)
			s.crc = 0
		}
	}
}

func (s *segWriter) begin(sec int) { s.toc[sec][0] = s.off }
func (s *segWriter) end(sec int)   { s.toc[sec][1] = s.off - s.toc[sec][0] }

// align writes zeros until what follows is at a multiple of 8.
func (s *segWriter) align() { s.write(make([]byte, -s.off&7)) }

func (s *segWriter) section(sec int, p []byte) {
	s.begin(sec)
	s.write(p)
	s.end(sec)
}

// close writes the tables and returns the length of the file and the CRC that
// is in its footer.
func (s *segWriter) close() (size int64, sum uint32, err error) {
	var tail []byte
	for _, t := range s.toc {
		if t[1] > math.MaxUint32 && s.err == nil {
			s.err = errors.New("a section is larger than its offsets reach")
		}
		tail = le.AppendUint64(tail, t[0])
		tail = le.AppendUint64(tail, t[1])
	}
	s.write(tail)
	if s.off&(1<<blockBits-1) != 0 {
		s.crcs = append(s.crcs, s.crc)
	}
	blocks := len(s.crcs)
	for _, c := range s.crcs {
		tail = le.AppendUint32(tail, c)
	}
	sum = crc32.Checksum(tail, castagnoli)
	foot := tail[16*sections:]
	size = int64(s.off) + int64(len(foot)) + footerSize
	foot = le.AppendUint32(foot, sum)
	foot = le.AppendUint32(foot, uint32(blocks))
	foot = le.AppendUint64(foot, uint64(size))
	foot = append(foot, magic...)
	if s.err == nil {
		_, s.err = s.w.Write(foot)
	}
	if s.err == nil {
		s.err = s.w.Flush()
	}
	return size, sum, s.err
}

// A dict gathers the front-coded dictionary while the postings are written.
type dict struct {
	terms, idx []byte
	prev       []byte
	n          int
}

func (d *dict) add(t []byte, df, size int, at uint64) {
	shared := 0
	if d.n%termBlock == 0 {
		d.idx = le.AppendUint32(d.idx, uint32(len(d.terms)))
		d.idx = le.AppendUint32(d.idx, uint32(at))
	} else {
		for shared < len(t) && shared < len(d.prev) && t[shared] == d.prev[shared] {
			shared++
		}
	}
	d.terms = append(d.terms, byte(shared), byte(len(t)-shared))
	d.terms = append(d.terms, t[shared:]...)
	d.terms = binary.AppendUvarint(d.terms, uint64(df))
	d.terms = binary.AppendUvarint(d.terms, uint64(size))
	d.prev = append(d.prev[:0], t...)
	d.n++
}

// A posting is one chunk of a term: its number in the segment and its byte.
type posting struct {
	chunk uint32
	bits  uint8
}

// headSize is the head of a block of postings: its last chunk (4 bytes) and its length (2).
// It has no bound on what a chunk of the block can score. What a document is worth is the
// sum over all of its chunks that match, so a query reads every block of its terms; the
// heads serve to count what is live.
const headSize = 6

// appendPostings appends the postings of one term: where there is more than one block of
// postBlock, the heads of all blocks; then the blocks, each its chunks as varint gaps and
// then their bytes.
func appendPostings(dst []byte, ps []posting) []byte {
	blocks := (len(ps) + postBlock - 1) / postBlock
	head := len(dst)
	if blocks > 1 {
		dst = append(dst, make([]byte, headSize*blocks)...)
	}
	prev := uint32(0)
	for b := range blocks {
		block := ps[b*postBlock : min(len(ps), (b+1)*postBlock)]
		at := len(dst)
		for _, p := range block {
			dst = binary.AppendUvarint(dst, uint64(p.chunk-prev))
			prev = p.chunk
		}
		for _, p := range block {
			dst = append(dst, p.bits)
		}
		if blocks > 1 {
			h := dst[head+headSize*b:]
			le.PutUint32(h, prev)
			le.PutUint16(h[4:], uint16(len(dst)-at))
		}
	}
	return dst
}

// appendGrams appends the documents of one trigram: as a bitmap of all documents
// where that is shorter, else as varint gaps. It reports which.
func appendGrams(dst []byte, docs []uint32, n uint32) (out []byte, bitmap bool) {
	at := len(dst)
	prev := uint32(0)
	for _, d := range docs {
		dst = binary.AppendUvarint(dst, uint64(d-prev))
		prev = d
	}
	size := int(n+7) / 8
	if len(dst)-at <= size {
		return dst, false
	}
	dst = append(dst[:at], make([]byte, size)...)
	for _, d := range docs {
		dst[at+int(d/8)] |= 1 << (d % 8)
	}
	return dst, true
}

// A gramDict gathers the trigrams while their documents are written.
type gramDict struct {
	keys, dict []byte
	prev       uint32
	n          int
}

// add adds a trigram whose documents are size bytes at an offset of their section.
func (g *gramDict) add(key uint32, df int, bitmap bool, at uint64, size int) {
	if g.n%gramBlock == 0 {
		g.keys = le.AppendUint32(g.keys, key)
		g.keys = le.AppendUint32(g.keys, uint32(len(g.dict)))
		g.keys = le.AppendUint32(g.keys, uint32(at))
	}
	n := uint64(df) << 1
	if bitmap {
		n |= 1
	}
	g.dict = binary.AppendUvarint(g.dict, uint64(key-g.prev))
	g.dict = binary.AppendUvarint(g.dict, n)
	g.dict = binary.AppendUvarint(g.dict, uint64(size))
	g.prev = key
	g.n++
}

// WriteTo writes the segment of index id and returns its length and the sum that
// its row names.
func (b *Builder) WriteTo(w io.Writer, id [16]byte) (size int64, sum uint32, err error) {
	s := newSegWriter(w, id)
	b.writeFacts(s)
	b.vecs.write(s, int(b.nChunks))
	s.section(secDocs, b.docs)
	s.section(secChunks, b.chunks)
	s.section(secWords, b.lens)
	s.section(secStrings, b.text)
	b.writePostings(s)
	b.writeGrams(s)
	return s.close()
}

func (b *Builder) writePostings(s *segWriter) {
	var d dict
	var raw, out []byte
	var ps []posting
	s.begin(secPostings)
	start := s.off
	for _, id := range b.order() {
		t := &b.terms[id]
		if t.df == 0 {
			continue // a word of a path whose document has no chunks
		}
		raw = b.pool.appendTo(raw[:0], t.list)
		ps = decodePairs(ps[:0], raw)
		out = appendPostings(out[:0], ps)
		d.add(b.ids.name(id), len(ps), len(out), s.off-start)
		s.write(out)
	}
	s.end(secPostings)
	s.section(secTermIdx, d.idx)
	s.section(secTerms, d.terms)
}

// decodePairs reads what addChunk pushed.
func decodePairs(dst []posting, raw []byte) []posting {
	chunk := uint32(0)
	for len(raw) > 0 {
		gap, n := binary.Uvarint(raw)
		chunk += uint32(gap)
		dst = append(dst, posting{chunk, raw[n]})
		raw = raw[n+1:]
	}
	return dst
}

func (b *Builder) writeGrams(s *segWriter) {
	var g gramDict
	var out []byte
	s.begin(secGrams)
	start := s.off
	b.trigrams.each(func(key uint32, docs []uint32) {
		var bitmap bool
		out, bitmap = appendGrams(out[:0], docs, b.nDocs)
		g.add(key, len(docs), bitmap, s.off-start, len(out))
		s.write(out)
	})
	s.end(secGrams)
	s.section(secGramKeys, g.keys)
	s.section(secGramDict, g.dict)
}
