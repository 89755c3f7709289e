package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/regex"
)

// sealedDims is how long the vectors in sealed are.
const sealedDims = 24

// sealed returns a segment of an index without an id, as bytes.
func sealed(t testing.TB) []byte {
	t.Helper()
	b := NewBuilder()
	m := newMaker(31)
	for _, d := range embed(m.Rand, m.docs(1, 40, 4), sealedDims, map[string][]float32{}) {
		b.Add(d)
	}
	// Postings of more than one block, and lists of trigrams in both forms.
	for i := range 300 {
		d := text1(fmt.Sprintf("many/%d.txt", i), "common words again")
		d.ID = uint32(100 + i)
		b.Add(d)
	}
	var buf bytes.Buffer
	if _, _, err := b.WriteTo(&buf, [16]byte{}); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// snapshotOf opens a segment that may be anything.
func snapshotOf(data []byte) (*Snapshot, error) {
	var s *Segment
	var openErr error
	if err := safely(func() { s, openErr = openSegment("test", data, [16]byte{}) }); err != nil {
		return nil, err
	}
	if openErr != nil {
		return nil, openErr
	}
	p := &Snapshot{segs: []*segment{{Segment: s}}, own: []*vectors{nil}, vecs: []*vectors{nil}, chunks: int64(s.Chunks), words: 10 * int64(s.Chunks)}
	_ = safely(func() { p.own[0] = openVectors(s, int(s.Chunks)) })
	return p, nil
}

// interrogate asks a snapshot everything that can be asked, and returns the
// first error.
func interrogate(p *Snapshot) error {
	ctx := context.Background()
	var errs []error
	note := func(err error) { errs = append(errs, err) }
	s := p.segs[0]
	query := terms("valu", "error", "common", "word", "index", "検索", "zzz")
	for range 2 { // what was cached must be as good as what was read
		cands, err := p.Lexical(ctx, query, 50, 3, nil)
		note(err)
		var refs []corpus.Ref
		for _, c := range cands {
			refs = append(refs, c.Ref)
		}
		_, err = p.Describe(refs)
		note(err)
	}
	_, err := p.Lexical(ctx, query, 5, 1, func(d DocInfo) bool { return strings.HasPrefix(d.Path, "many") })
	note(err)
	_, _, err = p.DF(query)
	note(err)
	for _, c := range []uint32{0, 1, s.Chunks / 2, s.Chunks - 1, s.Chunks} {
		if _, err = p.Describe([]corpus.Ref{{Chunk: c}}); c < s.Chunks {
			note(err)
		} else if err == nil || errors.Is(err, ErrDamaged) {
			note(fmt.Errorf("a chunk that is not there: %v", err))
		}
	}
	note(p.Docs(func(DocInfo) bool { return true }))
	_, err = p.Chunks("many/7.txt")
	note(err)
	for _, pattern := range []string{"common", "words|again", "value.*error", "x"} {
		re, err := regex.Compile(pattern, regex.Options{})
		if err != nil {
			panic(err)
		}
		note(p.Matching(ctx, re.Query(), func(DocInfo) bool { return true }))
	}
	_, err = p.LiveChunks(0)
	note(err)
	note(p.Facts(0, func(DocRef, DocInfo, []byte) bool { return true }))
	for _, d := range []uint32{0, s.Docs / 2, s.Docs - 1, s.Docs} {
		if err = p.FactsOf(DocRef{Doc: d}, func(_, _ []byte) {}); d < s.Docs {
			note(err)
		} else if err == nil || errors.Is(err, ErrDamaged) {
			note(fmt.Errorf("the facts of a document that is not there: %v", err))
		}
	}
	keys := []uint32{0, 1000, 2000, 5000, 10_000, 10_001}
	note(p.Keyed(keys, func(DocRef) {}))
	for _, k := range keys {
		_, err = p.CountKeyed(k)
		note(err)
	}
	note(p.Prints("own", func(Print) bool { return true }))
	near := unit(newMaker(32).Rand, sealedDims)
	found, err := p.Nearest(ctx, "own", near, 5, nil)
	note(err)
	note(p.FillCosine("own", near, found))
	_, err = p.Nearest(ctx, "own", near, 20, func(d DocInfo) bool { return d.Chunks%2 == 0 })
	note(err)
	_, err = p.With(nil, []uint32{1, 2, 3, 1 << 30})
	note(err)
	note(p.safely(func() {
		m := &merger{segs: []*segment{s, s}}
		m.plan()
		if _, _, err := m.writeTo(io.Discard, [16]byte{}); err != nil {
			note(err)
		}
	}))
	return errors.Join(errs...)
}

// onlyDamage reports whether err is nil or made of ErrDamaged alone.
func onlyDamage(err error) bool {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range all.Unwrap() {
			if !errors.Is(e, ErrDamaged) {
				return false
			}
		}
		return true
	}
	return err == nil || errors.Is(err, ErrDamaged)
}

// examine makes sure that a segment costs an answer or ErrDamaged, and little memory;
// and that what Check passes is answered from.
func examine(t testing.TB, what string, data []byte) (damaged bool) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := snapshotOf(data)
	var checked error
	if err == nil {
		err = interrogate(p)
		if p.Damaged() != (err != nil) {
			t.Errorf("%s: Damaged() = %v after %v", what, p.Damaged(), err)
		}
		checked = p.segs[0].Check()
	}
	if !onlyDamage(err) || !onlyDamage(checked) {
		t.Errorf("%s: %v; Check: %v; want ErrDamaged", what, err, checked)
	}
	if err != nil && checked == nil && p != nil {
		t.Errorf("%s: Check passes what a query finds damaged: %v", what, err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("%s: took %d MiB for a segment of %d KiB", what, grown>>20, len(data)>>10)
	}
	return err != nil || checked != nil
}

func TestSound(t *testing.T) {
	data := sealed(t)
	if examine(t, "untouched", data) {
		t.Error("an untouched segment is damaged")
	}
}

// No byte of a segment can change, and none be lost, without being found out.
func TestFlippedBytes(t *testing.T) {
	data := sealed(t)
	step := 211
	if testing.Short() {
		step = 2011
	}
	flip := func(i int) {
		corrupt := bytes.Clone(data)
		corrupt[i] ^= byte(1 + i%255)
		if !examine(t, fmt.Sprintf("byte %d flipped", i), corrupt) {
			t.Errorf("byte %d flipped: nobody notices", i)
		}
	}
	for i := 0; i < len(data); i += step {
		flip(i)
	}
	for i := range headerSize {
		flip(i)
	}
	for i := range footerSize + 40 {
		flip(len(data) - 1 - i)
	}
}

func TestCutSegments(t *testing.T) {
	data := sealed(t)
	for n := 0; n < len(data); n += 1 + n/7 {
		for name, corrupt := range map[string][]byte{"cut": data[:n], "its end": data[len(data)-n:], "grown": append(bytes.Clone(data), data[:n+1]...)} {
			if _, err := snapshotOf(corrupt); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s, %d bytes: %v, want ErrDamaged", name, n, err)
			}
		}
	}
}

// Check reads what a query has found sound before.
func TestCheckReadsAgain(t *testing.T) {
	data := sealed(t)
	p, err := snapshotOf(data)
	must(t, err)
	must(t, interrogate(p))
	must(t, p.segs[0].Check())
	// In the text of a path, where only a checksum notices.
	i := bytes.Index(data, []byte("many/123.txt"))
	data[i] ^= 1
	if err := p.segs[0].Check(); !errors.Is(err, ErrDamaged) {
		t.Errorf("Check = %v after a byte changed, want ErrDamaged", err)
	}
}

// reseal makes the checksums of a segment right again after its content changed.
func reseal(data []byte) {
	n := len(data)
	blocks := int(le.Uint32(data[n-footerSize+4:]))
	body := n - footerSize - 4*blocks
	for b := range blocks {
		block := data[b<<blockBits : min(body, (b+1)<<blockBits)]
		le.PutUint32(data[body+4*b:], crc32.Checksum(block, castagnoli))
	}
	le.PutUint32(data[n-footerSize:], crc32.Checksum(data[body-16*sections:n-footerSize], castagnoli))
}

// spoil changes some numbers of a segment, in any section and in the table of
// sections, and puts the checksums right.
func spoil(data []byte, r *rand.Rand) (what string) {
	n := len(data)
	blocks := int(le.Uint32(data[n-footerSize+4:]))
	toc := n - footerSize - 4*blocks - 16*sections
	edits := 1 + r.Intn(3)
	for range edits {
		sec := r.Intn(sections + 1)
		at, size := toc, 16*sections
		if sec < sections {
			at, size = int(le.Uint64(data[toc+16*sec:])), int(le.Uint64(data[toc+16*sec+8:]))
		}
		if at < 0 || at > n || size < 4 || size > n-at {
			continue
		}
		off := at + r.Intn(size-3)
		if r.Intn(2) == 0 {
			off = at + (off-at)/4*4
		}
		switch r.Intn(5) {
		case 0:
			data[off] = byte(r.Intn(256))
		case 1:
			le.PutUint16(data[off:], uint16(r.Intn(1<<16)))
		case 2:
			le.PutUint32(data[off:], r.Uint32())
		case 3:
			le.PutUint32(data[off:], []uint32{0, 1, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 - 1, uint32(size), uint32(size) - 1}[r.Intn(8)])
		default:
			r.Read(data[off:min(at+size, off+1+r.Intn(200))])
		}
		what += fmt.Sprintf("section %d at %d; ", sec, off-at)
	}
	reseal(data)
	return what
}

// A segment made to mislead, with every checksum right, costs no more than a corrupt
// one.
func TestHostileSegments(t *testing.T) {
	data := sealed(t)
	rounds := 1500
	if testing.Short() {
		rounds = 150
	}
	found := 0
	for seed := range rounds {
		hostile := bytes.Clone(data)
		what := spoil(hostile, rand.New(rand.NewSource(int64(seed))))
		if examine(t, fmt.Sprintf("seed %d: %s", seed, what), hostile) {
			found++
		}
	}
	if found*4 < rounds {
		t.Errorf("only %d of %d were found out: the test spoils too little", found, rounds)
	}
}

func FuzzHostile(f *testing.F) {
	data := sealed(f)
	f.Add(int64(1), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, seed int64, edits []byte) {
		hostile := bytes.Clone(data)
		r := rand.New(rand.NewSource(seed))
		for ; len(edits) > 4; edits = edits[5:] {
			hostile[int(le.Uint32(edits))%(len(hostile)-footerSize)] = edits[4]
		}
		if len(hostile) > 0 && seed%2 == 0 {
			spoil(hostile, r)
		}
		reseal(hostile)
		examine(t, "hostile", hostile)
	})
}

// Documents that all claim all chunks would make a query take the square of a
// segment's size.
func TestSharedChunks(t *testing.T) {
	var b Builder
	const n = 60_000
	for i := range uint32(n) {
		b.putChunk(&corpus.Chunk{}, 1)
		b.nChunks++
		d := Doc{ID: i + 1}
		b.putDoc(&d, 0, i)
	}
	for i := range n { // the count of chunks in each record
		le.PutUint32(b.docs[docSize*i+16:], 0)
		le.PutUint32(b.docs[docSize*i+20:], n)
	}
	var d dict
	ps := appendPostings(nil, []posting{{0, 1}})
	d.add([]byte("valu"), 1, len(ps), 0)
	var buf bytes.Buffer
	w := newSegWriter(&buf, [16]byte{})
	w.section(secDocs, b.docs)
	w.section(secChunks, b.chunks)
	w.section(secWords, b.lens)
	w.section(secStrings, b.text)
	w.section(secPostings, ps)
	w.section(secTermIdx, d.idx)
	w.section(secTerms, d.terms)
	if _, _, err := w.close(); err != nil {
		t.Fatal(err)
	}
	if !examine(t, "all chunks are everybody's", buf.Bytes()) {
		t.Error("nobody notices that documents share chunks")
	}
}

// A query that meets damage makes the snapshot damaged, and Repair gives up what
// cannot be read, whole segments and vectors alike.
func TestRepair(t *testing.T) {
	ctx := context.Background()
	for name, harm := range map[string]func(t *testing.T, path string){
		"deleted": func(t *testing.T, path string) { must(t, os.Remove(path)) },
		"cut":     func(t *testing.T, path string) { must(t, os.Truncate(path, 1000)) },
		"emptied": func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) },
		"flipped": func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			must(t, err)
			b[len(b)/3] ^= 1
			must(t, os.WriteFile(path, b, 0o600))
		},
		"hostile": func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			must(t, err)
			// The first document's chunks are beyond the last.
			le.PutUint32(b[headerSize+20:], 1<<30)
			reseal(b)
			must(t, os.WriteFile(path, b, 0o600))
		},
		"a folder": func(t *testing.T, path string) {
			must(t, os.Remove(path))
			must(t, os.Mkdir(path, 0o700))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			m := newMaker(41)
			first, second := m.docs(1, 20, 3), m.docs(21, 20, 3)
			x, err := Open(ctx, dir, false)
			must(t, err)
			w, err := x.TryLock()
			must(t, err)
			publishTree(t, w, first)
			publishTree(t, w, second)
			corrupt := snapshot(t, x).segs[0].Name
			w.Close()
			must(t, x.Close())

			harm(t, filepath.Join(dir, "seg", corrupt))
			x, err = Open(ctx, dir, false)
			must(t, err)
			defer x.Close()
			p := snapshot(t, x)
			// What the frame does not show, the first query does.
			err = p.Docs(func(DocInfo) bool { return true })
			_, qErr := p.Lexical(ctx, terms("valu", "error"), 100, 3, nil)
			if err = errors.Join(err, qErr); !p.Damaged() || !onlyDamage(err) {
				t.Fatalf("Damaged() = %v after a query said %v", p.Damaged(), err)
			}
			w, err = x.TryLock()
			must(t, err)
			defer w.Close()
			must(t, w.Repair(ctx))
			p = snapshot(t, x)
			if p.Damaged() || p.Segments() != 1 {
				t.Errorf("after Repair: damaged %v, %d segments; want the sound one", p.Damaged(), p.Segments())
			}
			wantTree(t, x, second)
			// The lost come back as anything new does.
			publishTree(t, w, first)
			wantTree(t, x, append(second, first...))
			if err := p.segs[0].Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// treeOf returns the folders of documents, as they are seen at a time.
func treeOf(seen int64, docs []*Doc) map[string]Dir {
	out := map[string]Dir{}
	for _, d := range slices.SortedFunc(slices.Values(docs), func(a, b *Doc) int { return strings.Compare(a.Path, b.Path) }) {
		dir, name := "", d.Path
		if i := lastSlash(d.Path); i >= 0 {
			dir, name = d.Path[:i], d.Path[i+1:]
		}
		e := Entry{Name: name, Size: int64(len(d.Text)), Doc: d.ID, Hash: d.Hash}
		out[dir] = Dir{Seen: seen, Entries: AppendEntry(out[dir].Entries, &e)}
	}
	return out
}

// publishTree publishes documents with their folders, each of which has another file
// too; what the folders have already stays.
func publishTree(t testing.TB, w *Writer, docs []*Doc) {
	t.Helper()
	b := batchOf(t, w, docs)
	have, err := w.x.Manifest(context.Background())
	must(t, err)
	b.Dirs = map[string]Dir{}
	for path, d := range treeOf(1, docs) {
		entries := append(readEntries(d.Entries), readEntries(have[path].Entries)...)
		if len(have[path].Entries) == 0 {
			entries = append(entries, Entry{Name: "~none", Why: Binary})
		}
		slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
		d.Entries = nil
		for i := range entries {
			d.Entries = AppendEntry(d.Entries, &entries[i])
		}
		b.Dirs[path] = d
	}
	must(t, w.Publish(context.Background(), b))
}

// wantTree makes sure that the live documents and the files of the manifest are
// those of docs.
func wantTree(t testing.TB, x *Index, docs []*Doc) {
	t.Helper()
	want := map[uint32]bool{}
	for _, d := range docs {
		want[d.ID] = true
	}
	live := map[uint32]bool{}
	must(t, snapshot(t, x).Docs(func(d DocInfo) bool { live[d.ID] = true; return true }))
	dirs, err := x.Manifest(context.Background())
	must(t, err)
	files := map[uint32]bool{}
	for path, d := range dirs {
		entries := readEntries(d.Entries)
		if len(entries) == 0 || entries[len(entries)-1].Name != "~none" {
			t.Errorf("folder %s lost a file that has no document: %v", path, entries)
		}
		for _, e := range entries {
			if e.Doc != 0 {
				files[e.Doc] = true
			}
		}
	}
	for name, got := range map[string]map[uint32]bool{"documents": live, "files": files} {
		for id := range want {
			if !got[id] {
				t.Errorf("%s lack %d", name, id)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d %s, want %d", len(got), name, len(want))
		}
	}
}
