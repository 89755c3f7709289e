package codec_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/assay-dev/assay/internal/base/codec"
)

func TestReader(t *testing.T) {
	b := binary.AppendUvarint([]byte{7, 1, 2}, 1<<40)
	b = codec.AppendPacked(codec.AppendPacked(binary.AppendUvarint(b, math.MaxInt32), "name"), []byte{9})
	b = append(binary.AppendUvarint(b, 2), 3, 3)
	r := codec.PackedReader{Rest: b}
	if r.Byte() != 7 || string(r.Take(2)) != "\x01\x02" || r.Uint() != 1<<40 || r.Int() != math.MaxInt32 {
		t.Errorf("numbers were read wrong, and %v is left", r.Rest)
	}
	if s, one, n := r.Str(), r.Bytes(), r.Count(1); s != "name" || string(one) != "\x09" || n != 2 || len(r.Rest) != 2 || r.Bad {
		t.Errorf("%q, %v, %d and %+v are left", s, one, n, r)
	}
}

// What is not there is zero, and so is all that is read behind it.
func TestBad(t *testing.T) {
	for name, read := range map[string]func(*codec.PackedReader) bool{
		"bytes":    func(r *codec.PackedReader) bool { return r.Take(4) == nil },
		"negative": func(r *codec.PackedReader) bool { return r.Take(-1) == nil },
		"varint":   func(r *codec.PackedReader) bool { r.Take(2); return r.Uint() == 0 },
		"large": func(r *codec.PackedReader) bool {
			r.Rest = binary.AppendUvarint(nil, math.MaxInt32+1)
			return r.Int() == 0
		},
		"length": func(r *codec.PackedReader) bool { return r.Str() == "" },
		"count":  func(r *codec.PackedReader) bool { r.Rest[0] = 1; return r.Count(3) == 0 },
	} {
		r := codec.PackedReader{Rest: []byte{5, 1, 0x80}}
		if !read(&r) || !r.Bad {
			t.Errorf("%s: not zero, or not bad: %+v", name, r)
		}
		r.Rest = []byte{1, 1, 1}
		if r.Byte() != 0 || r.Uint() != 0 || r.Int() != 0 || r.Bytes() != nil || !r.Bad {
			t.Errorf("%s: something was read behind it", name)
		}
	}
	r := codec.PackedReader{Rest: []byte{2, 1, 1, 1, 1}}
	if n := r.Count(2); n != 2 || r.Bad {
		t.Errorf("two records of two bytes: %d, %v", n, r.Bad)
	}
}
