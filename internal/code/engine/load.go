package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"path"

	"github.com/klauspost/compress/s2"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/chunk"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// errTooLarge says that a file has more bytes than were to be read.
var errTooLarge = errors.New("too large")

// readText returns what a file of the tree says, and its encoding as text.Decode has it.
// The limit is that of the file; what it says may be half as much again.
func readText(root *safe.Root, rel string, limit int64) ([]byte, string, error) {
	raw, err := readFile(root, rel, limit, nil)
	if err != nil {
		return nil, "", err
	}
	said, encoding := text.Decode(raw)
	return said, encoding, nil
}

// readFile reads a file of at most limit bytes, into room where that is large enough.
func readFile(root *safe.Root, rel string, limit int64, room []byte) ([]byte, error) {
	f, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	buf := room[:0]
	if need := min(st.Size(), limit) + 1; int64(cap(buf)) < need {
		buf = make([]byte, 0, max(need, int64(2*cap(room)))) // who has room asks for more
	}
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, errTooLarge
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

func hashOf(text []byte) corpus.Hash {
	sum := sha256.Sum256(text)
	return corpus.Hash(sum[:16])
}

// A loaded is what became of one change.
type loaded struct {
	c       *change
	entry   index.Entry
	doc     *index.Doc     // nil where the file has nothing to be found by
	same    bool           // only its times had changed
	content *index.Content // what to keep of it; nil where that is kept already
	chunks  int            // of the document
	reused  int            // of them, known before
}

// load reads a changed file and makes its document, with the given id. first says that
// the index keeps nothing of any text.
func (e *Engine) load(ctx context.Context, root *safe.Root, dir string, c *change, id uint32, first bool) loaded {
	f := c.file
	l := loaded{c: c, entry: index.Entry{Name: f.Name, Size: f.Size, Mtime: f.Mtime, Ctime: f.Ctime, Inode: f.Inode}}
	if f.Size > discover.MaxFile {
		l.entry.Why = index.Oversize
		return l
	}
	said, _, err := readText(root, f.Name, discover.MaxFile)
	if err != nil {
		if l.entry.Why = index.Unreadable; errors.Is(err, errTooLarge) {
			l.entry.Why = index.Oversize
		}
		return l
	}
	l.entry.Hash = hashOf(said)
	if c.old.Name != "" && c.old.Hash == l.entry.Hash && c.old.Why != index.Oversize && c.old.Why != index.Unreadable {
		l.entry.Doc, l.entry.Why, l.same = c.old.Doc, c.old.Why, true
		if e.shared != nil && c.old.Inode == 0 {
			l.entry.Why = wellKnown(path.Join(dir, f.Name), said)
		}
		return l
	}
	rel := path.Join(dir, f.Name)
	v := discover.Classify(rel, said)
	if !v.Index {
		l.entry.Why = index.ParseWhy(v.Why)
	}
	if !v.Text {
		return l
	}
	if len(said) == 0 {
		l.entry.Why = index.Empty
		return l
	}
	l.entry.Doc = id
	l.doc = &index.Doc{ID: id, Hash: l.entry.Hash, Lines: countLines(said),
		Document: corpus.Document{Path: rel, Language: v.Language, Flags: v.Flags, Text: said}}
	if v.Index {
		found, ok := syntax.Manifest(rel, said)
		if !ok {
			found = syntax.Facts(rel, v.Language, said)
		}
		packFacts(l.doc, &found)
		e.chunks(ctx, &l, found.Decls, first)
		e.vectors(l.doc)
	}
	return l
}

// vectors gives a document's chunks their vectors, where the provider makes them
// itself.
func (e *Engine) vectors(d *index.Doc) {
	p, ok := e.cfg.Embedder.(embed.Local)
	if !ok || len(d.Chunks) == 0 {
		return
	}
	n := p.Dims()
	d.Embedder, d.Vectors = p.Name(), make([]float32, len(d.Chunks)*n)
	var text []byte
	for i, c := range d.Chunks {
		text = append(embedded(text[:0], d.Path, c.Scope), d.Text[c.Start:c.End]...)
		p.Vector(d.Vectors[i*n:(i+1)*n], text)
	}
}

// embedded appends what a chunk's text is embedded with: where it is.
func embedded(dst []byte, path, scope string) []byte {
	return append(append(append(append(dst, path...), ' '), scope...), '\n')
}

// chunks cuts a document, or takes the cuts that were made of the same text, with the
// same declarations, before.
func (e *Engine) chunks(ctx context.Context, l *loaded, decls []corpus.Decl, first bool) {
	d := l.doc
	read := readAs{d.Language, digestOf(decls)}
	if first {
		l.cut(decls, read)
		return
	}
	if kept, err := e.ix.Content(ctx, d.Hash); err == nil && kept != nil {
		if chunks, as, ok := decodeChunks(kept, len(d.Text)); ok && as == read {
			d.Chunks, l.chunks, l.reused = chunks, len(chunks), len(chunks)
			return
		}
	}
	l.cut(decls, read)
	if l.c.old.Doc == 0 {
		return
	}
	kept, err := e.ix.Content(ctx, l.c.old.Hash)
	if err != nil || kept == nil {
		return
	}
	before, _, _ := decodeChunks(kept, discover.MaxFile)
	known := set.By(before, func(c *corpus.Chunk) corpus.Hash { return c.Hash })
	for _, c := range d.Chunks {
		if known[c.Hash] {
			l.reused++
		}
	}
}

// cut cuts the document, and keeps the cuts.
func (l *loaded) cut(decls []corpus.Decl, read readAs) {
	d := l.doc
	d.Chunks = chunk.Split(d.Document, decls, chunk.Size)
	l.content = &index.Content{Hash: d.Hash, Chunks: encodeChunks(d.Chunks, read)}
	l.chunks = len(d.Chunks)
}

func countLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// chunkFormat is the version of what encodeChunks writes and of the rules by
// which chunks are cut; a cached text of another version is cut again.
const chunkFormat = 5

// readAs is how a text was read when it was cut. It is part of what the cuts are valid
// for because it depends on the name too: of a .vue file only the script is code.
type readAs struct {
	language string
	decls    uint32
}

// digestOf is a checksum of what chunks are made of declarations.
func digestOf(decls []corpus.Decl) uint32 {
	var b []byte
	for i := range decls {
		d := &decls[i]
		for _, n := range []int{int(d.Kind), int(d.Traits), d.Span.Start, d.Span.End, d.NameAt, d.Body, len(d.Name), len(d.Scope)} {
			b = binary.AppendUvarint(b, uint64(n))
		}
		b = append(append(b, d.Name...), d.Scope...)
	}
	return crc32.ChecksumIEEE(b)
}

// mostChunks bounds what the cuts of a text may take unpacked, in bytes.
const mostChunks = 4 * discover.MaxFile

// encodeChunks writes its version and the rest packed: it is read where a text comes back,
// and else only takes room.
func encodeChunks(chunks []corpus.Chunk, read readAs) []byte {
	return append([]byte{chunkFormat}, s2.Encode(nil, listChunks(chunks, read))...)
}

func listChunks(chunks []corpus.Chunk, read readAs) []byte {
	b := codec.AppendPacked(nil, read.language)
	b = binary.LittleEndian.AppendUint32(b, read.decls)
	b = binary.AppendUvarint(b, uint64(len(chunks)))
	at, line := 0, 0
	for _, c := range chunks {
		for _, n := range []int{c.Start - at, c.End - c.Start, c.Lines.First - line, c.Lines.Last - c.Lines.First, len(c.Symbols)} {
			b = binary.AppendUvarint(b, uint64(n))
		}
		at, line = c.End, c.Lines.First
		b = codec.AppendPacked(b, c.Scope)
		for _, s := range c.Symbols {
			b = append(b, byte(s.Kind))
			b = codec.AppendPacked(b, s.Name)
		}
		b = append(b, c.Hash[:]...)
	}
	return b
}

// decodeChunks reads what encodeChunks wrote; not ok where it is corrupt, of another
// version, or reaches past size bytes.
func decodeChunks(b []byte, size int) (chunks []corpus.Chunk, read readAs, ok bool) {
	if len(b) == 0 || b[0] != chunkFormat {
		return nil, read, false
	}
	if n, err := s2.DecodedLen(b[1:]); err != nil || n > mostChunks {
		return nil, read, false
	}
	b, err := s2.Decode(nil, b[1:])
	if err != nil {
		return nil, read, false
	}
	r := codec.PackedReader{Rest: b}
	read.language = r.Str()
	if decls := r.Take(4); decls != nil {
		read.decls = binary.LittleEndian.Uint32(decls)
	}
	n := r.Int()
	if r.Bad || n > len(b) {
		return nil, read, false
	}
	chunks = make([]corpus.Chunk, n)
	at, line := 0, 0
	for i := range chunks {
		c := &chunks[i]
		c.Start = at + r.Int()
		c.End = c.Start + r.Int()
		c.Lines.First = line + r.Int()
		c.Lines.Last = c.Lines.First + r.Int()
		symbols := r.Int()
		c.Scope = r.Str()
		if r.Bad || symbols > len(r.Rest) || c.End > size {
			return nil, read, false
		}
		for range symbols {
			kind := corpus.Kind(r.Byte())
			c.Symbols = append(c.Symbols, corpus.Symbol{Kind: kind, Name: r.Str()})
		}
		copy(c.Hash[:], r.Take(len(c.Hash)))
		at, line = c.End, c.Lines.First
	}
	return chunks, read, !r.Bad && len(r.Rest) == 0
}
