package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/regex"
)

// A pool gives back each list as it was written, however the writing was mixed.
func TestPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "lists")
		var p pool
		lists, want := make([]list, n), make([][]byte, n)
		for range rapid.IntRange(0, 60).Draw(t, "writes") {
			i := rapid.IntRange(0, n-1).Draw(t, "list")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				b := rapid.Byte().Draw(t, "byte")
				p.push(&lists[i], b)
				want[i] = append(want[i], b)
			case 1:
				v := rapid.Uint32().Draw(t, "number")
				p.pushUvarint(&lists[i], v)
				want[i] = binary.AppendUvarint(want[i], uint64(v))
			default: // many, to pass from page to page
				for range rapid.IntRange(0, 40_000).Draw(t, "many") {
					p.push(&lists[i], byte(len(want[i])))
					want[i] = append(want[i], byte(len(want[i])))
				}
			}
		}
		for i := range lists {
			if got := p.appendTo([]byte("before"), lists[i]); !bytes.Equal(got, append([]byte("before"), want[i]...)) {
				t.Fatalf("list %d has %d bytes, want %d, or others", i, len(got)-6, len(want[i]))
			}
		}
	})
}

// ascending draws a rising list of numbers below n.
func ascending(t *rapid.T, n, most int) (out []uint32) {
	at := 0
	for range rapid.IntRange(1, most).Draw(t, "count") {
		at += rapid.IntRange(1, max(1, n/most)).Draw(t, "gap")
		if at > n {
			break
		}
		out = append(out, uint32(at-1))
	}
	return out
}

// bare returns a segment of empty records and the given sections.
func bare(docs, chunks int, sections map[int][]byte) *Segment {
	s := &Segment{Name: "test", Docs: uint32(docs), Chunks: uint32(chunks)}
	s.sec[secDocs] = make([]byte, docSize*docs)
	for sec, p := range sections {
		s.sec[sec] = p
	}
	s.ok = make([]atomic.Uint32, 1<<12) // every block is known to be sound
	for i := range s.ok {
		s.ok[i].Store(math.MaxUint32)
	}
	return s
}

func TestPostings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunks := rapid.IntRange(1, 100_000).Draw(t, "chunks")
		var ps []posting
		for _, c := range ascending(t, chunks, rapid.SampledFrom([]int{1, 5, 700}).Draw(t, "most")) {
			ps = append(ps, posting{c, rapid.Byte().Draw(t, "bits")})
		}
		if len(ps) == 0 {
			return
		}
		data := appendPostings([]byte("x"), ps)[1:]
		var got []posting
		postings{len(ps), data}.each(bare(0, chunks, nil), func(c uint32, b uint8) { got = append(got, posting{c, b}) })
		if !slices.Equal(got, ps) {
			t.Fatalf("%d postings come back as %d, or others", len(ps), len(got))
		}
		checkHeads(t, ps, data)
	})
}

// checkHeads makes sure that the heads of the blocks say where these end.
func checkHeads(t *rapid.T, ps []posting, data []byte) {
	blocks := (len(ps) + postBlock - 1) / postBlock
	if blocks < 2 {
		return
	}
	at := headSize * blocks
	for b := range blocks {
		block := ps[b*postBlock : min(len(ps), (b+1)*postBlock)]
		head := data[headSize*b:]
		if last := le.Uint32(head); last != block[len(block)-1].chunk {
			t.Fatalf("block %d ends with chunk %d, says %d", b, block[len(block)-1].chunk, last)
		}
		at += int(le.Uint16(head[4:]))
	}
	if at != len(data) {
		t.Fatalf("blocks end at %d of %d", at, len(data))
	}
}

func TestDictionary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c]{1,6}|[a-z]{1,3}|ß{1,40}|[日本語]{1,3}`), 0, 120, rapid.ID[string]).Draw(t, "terms")
		slices.Sort(terms)
		var d dict
		var data []byte
		for i, term := range terms {
			p := appendPostings(nil, []posting{{uint32(i), 1}})
			d.add([]byte(term), 1, len(p), uint64(len(data)))
			data = append(data, p...)
		}
		s := bare(0, len(terms)+1, map[int][]byte{secTerms: d.terms, secTermIdx: d.idx, secPostings: data})
		for i, term := range terms {
			ps, ok := s.lookup(term)
			if !ok {
				t.Fatalf("%q is not found among %q", term, terms)
			}
			ps.each(s, func(c uint32, _ uint8) {
				if c != uint32(i) {
					t.Fatalf("%q has the postings of %q", term, terms[c])
				}
			})
			for _, near := range []string{term + "a", term[:len(term)-1], term + "\xff", "A" + term} {
				if _, ok := s.lookup(near); ok != slices.Contains(terms, near) {
					t.Fatalf("lookup(%q) = %v among %q", near, ok, terms)
				}
			}
		}
		var all []string
		for c := s.termsFrom(0, true); c.next(); {
			all = append(all, string(c.term))
		}
		if !slices.Equal(all, terms) {
			t.Fatalf("the dictionary has %q, want %q", all, terms)
		}
	})
}

func TestGrams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.IntRange(1, 2000).Draw(t, "docs")
		keys := rapid.SliceOfNDistinct(rapid.Uint32Range(0, regex.Trigrams-1), 0, 60, rapid.ID[uint32]).Draw(t, "trigrams")
		slices.Sort(keys)
		var g gramDict
		var data []byte
		want := map[uint32][]uint32{}
		for _, key := range keys {
			list := ascending(t, docs, rapid.SampledFrom([]int{1, 10, 2000}).Draw(t, "most"))
			if len(list) == 0 {
				continue
			}
			want[key] = list
			out, bitmap := appendGrams(nil, list, uint32(docs))
			g.add(key, len(list), bitmap, uint64(len(data)), len(out))
			data = append(data, out...)
		}
		s := bare(docs, 0, map[int][]byte{secGramKeys: g.keys, secGramDict: g.dict, secGrams: data})
		for _, key := range append(keys, 0, 77, regex.Trigrams-1) {
			var got []uint32
			set := s.gramSet(regex.Gram(key))
			for d := range uint32(docs) {
				if set.has(d) {
					got = append(got, d)
				}
			}
			if !slices.Equal(got, want[key]) {
				t.Fatalf("gram %d has documents %v, want %v", key, got, want[key])
			}
		}
		n := 0
		for c := s.gramsFrom(0); c.next(); n++ {
			var got []uint32
			c.docs(func(d uint32) { got = append(got, d) })
			if !slices.Equal(got, want[c.key]) || c.df != len(got) {
				t.Fatalf("gram %d of the list has documents %v, want %v", c.key, got, want[c.key])
			}
		}
		if n != len(want) {
			t.Fatalf("%d trigrams, want %d", n, len(want))
		}
	})
}

func genEntry(t *rapid.T) Entry {
	return Entry{
		Name: rapid.StringN(0, 20, 40).Draw(t, "name"), Size: rapid.Int64Min(0).Draw(t, "size"),
		Mtime: rapid.Int64().Draw(t, "mtime"), Ctime: rapid.Int64().Draw(t, "ctime"), Inode: rapid.Uint64().Draw(t, "inode"),
		Doc: rapid.Uint32().Draw(t, "doc"), Why: Why(rapid.Byte().Draw(t, "why")), Hash: corpus.Hash{rapid.Byte().Draw(t, "hash"), 15: 7},
	}
}

func readEntries(b []byte) (out []Entry) {
	r := Dir{Entries: b}.Read()
	for e := (Entry{}); r.Next(&e); {
		out = append(out, e)
	}
	return out
}

func TestEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Custom(genEntry), 0, 10).Draw(t, "entries")
		var b []byte
		var ends []int
		for i := range want {
			b = AppendEntry(b, &want[i])
			ends = append(ends, len(b))
		}
		if got := readEntries(b); !slices.Equal(got, want) {
			t.Fatalf("%v come back as %v", want, got)
		}
		// Corrupt, they are what is whole of them.
		cut := rapid.IntRange(0, len(b)).Draw(t, "cut")
		whole, _ := slices.BinarySearch(ends, cut+1)
		if got := readEntries(b[:cut]); !slices.Equal(got, want[:whole]) {
			t.Fatalf("cut to %d of %d bytes, %d entries come back, want %d", cut, len(b), len(got), whole)
		}
		r := Dir{Entries: b[:cut]}.Read()
		for r.Next(&Entry{}) {
		}
		if within := cut > 0 && !slices.Contains(ends, cut); r.Corrupt() != within {
			t.Fatalf("cut to %d of %d bytes: corrupt %v", cut, len(b), r.Corrupt())
		}
	})
}

func FuzzEntries(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(AppendEntry(AppendEntry(nil, &Entry{Name: "a"}), &Entry{Name: "b", Size: 1 << 40, Why: Secret}))
	f.Add(bytes.Repeat([]byte{0xff}, 100))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		for i, e := range readEntries(b) {
			if len(e.Name) > len(b) || i > len(b) {
				t.Fatalf("entry %d of %d bytes: %+v", i, len(b), e)
			}
			if got := readEntries(AppendEntry(nil, &e)); len(got) != 1 || got[0] != e {
				t.Fatalf("%+v comes back as %+v", e, got)
			}
		}
		if !bytes.Equal(b, before) {
			t.Fatal("reading changed the entries")
		}
	})
}

func TestWhyNames(t *testing.T) {
	for w := Indexed; w < whys; w++ {
		if got := ParseWhy(w.String()); got != w {
			t.Errorf("ParseWhy(%q) = %d, want %d", w, got, w)
		}
	}
	if ParseWhy("no such") != Data || whys.String() != "unknown" {
		t.Errorf("an unknown reason is %v, and %q", ParseWhy("no such"), whys)
	}
}

func TestBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bitmap
		want := map[uint32]bool{}
		for _, i := range rapid.SliceOf(rapid.Uint32Range(0, 1000)).Draw(t, "bits") {
			b.set(i)
			want[i] = true
		}
		b = decodeBits(encodeBits(b))
		if b.count() != len(want) {
			t.Fatalf("%d bits, want %d", b.count(), len(want))
		}
		for i := range uint32(1100) {
			if b.has(i) != want[i] {
				t.Fatalf("bit %d is %v", i, b.has(i))
			}
		}
	})
}

func TestSymbols(t *testing.T) {
	for _, want := range [][]corpus.Symbol{nil, {{Kind: corpus.Function, Name: "f"}}, {{Kind: corpus.Section, Name: "größe"}, {Kind: corpus.Class, Name: ""}, {Kind: 255, Name: "x y"}}} {
		if got := unpackSymbols(string(packSymbols(want))); !slices.Equal(got, want) {
			t.Errorf("%v come back as %v", want, got)
		}
	}
	if got := packSymbols([]corpus.Symbol{{Name: "nothing"}}); len(got) != 0 {
		t.Errorf("a symbol without a kind is packed as %q", got)
	}
}

func TestRowOfAnotherWidth(t *testing.T) {
	for _, v := range [][]float32{nil, {1}, {0, 0}} {
		table := vecTable{embedder: "x", dims: 2}
		table.put(v)
		made := openVectors(bare(0, 1, map[int][]byte{secVecs: table.rows, secSigns: table.signs, secVecName: []byte("x")}), 1)
		if row, scale := made.row(0); scale != 0 || len(row) != 2 || row[0] != 0 || row[1] != 0 {
			t.Errorf("the row of %v is %v, %v; want no vector", v, row, scale)
		}
	}
}

func TestStemOfPath(t *testing.T) {
	for path, want := range map[string]string{"": "", "a": "a", "a.go": "a", "x/y/a.test.ts": "a", ".env": ".env", "x/.env.local": ".env", "x/": ""} {
		if got := Stem(path); got != want {
			t.Errorf("Stem(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestSecondName(t *testing.T) {
	for path, want := range map[string]bool{
		"Serializer.NonGeneric.cs": true, "A.B.C.kt": true, "Serializer.cs": false, "user.service.ts": false, "a.Test": false, ".Env.local": false, "": false,
	} {
		if got := hasSecondName(path); got != want {
			t.Errorf("hasSecondName(%q) = %v, want %v", path, got, want)
		}
	}
}

// A name as long as a file is no reason to stop.
func TestHugeSymbols(t *testing.T) {
	long := string(bytes.Repeat([]byte("x"), 70_000))
	for _, names := range [][]string{{long}, {"a", long}, {long, "b"}} {
		d := text1("a.go", "text")
		for _, n := range names {
			d.Chunks[0].Symbols = append(d.Chunks[0].Symbols, corpus.Symbol{Kind: corpus.Function, Name: n})
		}
		d.Chunks[0].Scope = long
		b := NewBuilder()
		b.Add(d)
		s, err := b.segment([16]byte{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Errorf("%d symbols: %v", len(names), err)
		}
		got := s.chunk(0)
		if want := names[0]; len(want) < 10 && (len(got.Symbols) != 1 || got.Symbols[0].Name != want) {
			t.Errorf("symbols %.50v, want what fits: %q", fmt.Sprint(got.Symbols), want)
		}
	}
}
