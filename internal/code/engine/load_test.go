package engine

import (
	"reflect"
	"testing"

	"github.com/klauspost/compress/s2"

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
	bomb := append([]byte{chunkFormat}, s2.Encode(nil, append(listChunks(chunks, read), make([]byte, 64<<20)...))...)
	if _, _, ok := decodeChunks(bomb, 90); ok {
		t.Error("64 MiB of zeros are cuts")
	}
}
