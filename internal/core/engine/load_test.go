package engine

import (
	"bytes"
	"compress/flate"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// What is kept of a text's cuts says them again; what is damaged, of another version, or
// unpacks to more than any text's cuts take says nothing.
func TestKeptChunks(t *testing.T) {
	read := readAs{"go", 7}
	chunks := []corpus.Chunk{
		{Span: corpus.Span{Start: 0, End: 40}, Lines: corpus.Range{First: 1, Last: 4}, Hash: corpus.Hash{1, 2}},
		{Span: corpus.Span{Start: 40, End: 90}, Lines: corpus.Range{First: 5, Last: 9}, Scope: "Reader", Hash: corpus.Hash{3},
			Symbols: []corpus.Symbol{{Kind: corpus.Function, Name: "Read"}, {Kind: corpus.Method, Name: "Close"}}},
	}
	kept := encodeChunks(chunks, read)
	for range 2 { // with what another text left behind
		got, as, ok := decodeChunks(kept, 90)
		if !ok || as != read || !reflect.DeepEqual(got, chunks) {
			t.Fatalf("%+v, %+v, %v", got, as, ok)
		}
		if _, _, ok := decodeChunks(kept, 89); ok {
			t.Error("the cuts reach past the text")
		}
		for n := range kept {
			if _, _, ok := decodeChunks(kept[:n], 90); ok {
				t.Errorf("%d of %d bytes are taken for all", n, len(kept))
			}
		}
	}
	if _, _, ok := decodeChunks(append([]byte{chunkFormat - 1}, kept[1:]...), 90); ok {
		t.Error("another version is read")
	}
	var bomb bytes.Buffer
	bomb.WriteByte(chunkFormat)
	w, err := flate.NewWriter(&bomb, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(listChunks(chunks, read)); err != nil {
		t.Fatal(err)
	}
	for range 64 {
		if _, err := w.Write([]byte(strings.Repeat("\x00", 1<<20))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := decodeChunks(bomb.Bytes(), 90); ok {
		t.Error("64 MiB of zeros are cuts")
	}
}
