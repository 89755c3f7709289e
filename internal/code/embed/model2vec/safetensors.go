package model2vec

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// maxHeader bounds the part of a file that is parsed: these models have three
// tensors.
const maxHeader = 1 << 20

// A tensor is an array of numbers in a file. Its data holds them all.
type tensor struct {
	dtype string
	shape []int
	data  []byte // little-endian, row by row
}

// width returns the bytes of a number; 0 for a type that is not read.
func width(dtype string) int {
	switch dtype {
	case "F64", "I64", "U64":
		return 8
	case "F32", "I32", "U32":
		return 4
	case "F16", "BF16", "I16", "U16":
		return 2
	case "I8", "U8":
		return 1
	}
	return 0
}

// readTensors returns the tensors of a safetensors file, those of types that are
// not read omitted (github.com/huggingface/safetensors, "Format"): the length of a
// header in eight bytes, the header in JSON, and what it describes.
func readTensors(file []byte) (map[string]tensor, error) {
	if len(file) < 8 {
		return nil, fmt.Errorf("it has %d bytes: it is cut, or no safetensors file", len(file))
	}
	size := binary.LittleEndian.Uint64(file)
	if size > maxHeader || size > uint64(len(file)-8) {
		return nil, fmt.Errorf("its header of %d bytes does not fit: it is cut, or no safetensors file", size)
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+size], &header); err != nil {
		return nil, fmt.Errorf("its header is not valid JSON: %v", err)
	}
	data := file[8+size:]
	all := map[string]tensor{}
	for name, raw := range header {
		if name == "__metadata__" {
			continue
		}
		var h struct {
			Dtype   string   `json:"dtype"`
			Shape   []uint64 `json:"shape"`
			Offsets []uint64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(raw, &h); err != nil {
			return nil, fmt.Errorf("its tensor %.40q: %v", name, err)
		}
		w := width(h.Dtype)
		if w == 0 {
			continue
		}
		if len(h.Offsets) != 2 || h.Offsets[0] > h.Offsets[1] || h.Offsets[1] > uint64(len(data)) {
			return nil, fmt.Errorf("its tensor %.40q is out of bounds: the file is truncated or damaged", name)
		}
		t := tensor{dtype: h.Dtype, data: data[h.Offsets[0]:h.Offsets[1]]}
		n := uint64(w) // bytes
		for _, d := range h.Shape {
			if d > math.MaxInt32 || d > 0 && n > math.MaxInt64/d {
				return nil, fmt.Errorf("its tensor %.40q is too large", name)
			}
			n *= d
			t.shape = append(t.shape, int(d))
		}
		if n != uint64(len(t.data)) {
			return nil, fmt.Errorf("its tensor %.40q of %v %s needs %d bytes and has %d", name, t.shape, t.dtype, n, len(t.data))
		}
		all[name] = t
	}
	return all, nil
}

// add adds w times the numbers of t from the i-th to sum.
func (t tensor) add(sum []float64, i int, w float64) {
	size := width(t.dtype)
	b := t.data[i*size:][:len(sum)*size]
	le := binary.LittleEndian
	switch t.dtype {
	case "F32":
		for k := range sum {
			sum[k] += w * float64(math.Float32frombits(le.Uint32(b[4*k:])))
		}
	case "F16":
		for k := range sum {
			sum[k] += w * half(le.Uint16(b[2*k:]))
		}
	case "BF16":
		for k := range sum {
			sum[k] += w * float64(math.Float32frombits(uint32(le.Uint16(b[2*k:]))<<16))
		}
	case "I8":
		for k := range sum {
			sum[k] += w * float64(int8(b[k]))
		}
	case "F64":
		for k := range sum {
			sum[k] += w * math.Float64frombits(le.Uint64(b[8*k:]))
		}
	}
}

// at returns the i-th number of t as a float.
func (t tensor) at(i int) float64 {
	var one [1]float64
	t.add(one[:], i, 1)
	return one[0]
}

// index returns the i-th number of t, which holds whole numbers; -1 for one that
// is too large.
func (t tensor) index(i int) int {
	size := width(t.dtype)
	b := t.data[i*size:][:size]
	n := int64(-1)
	switch le := binary.LittleEndian; t.dtype {
	case "I64", "U64":
		n = int64(le.Uint64(b))
	case "I32":
		n = int64(int32(le.Uint32(b)))
	case "U32":
		n = int64(le.Uint32(b))
	case "I16":
		n = int64(int16(le.Uint16(b)))
	case "U16":
		n = int64(le.Uint16(b))
	case "I8":
		n = int64(int8(b[0]))
	case "U8":
		n = int64(b[0])
	}
	if n < 0 || n > math.MaxInt32 {
		return -1
	}
	return int(n)
}

func (t tensor) isFloat() bool {
	switch t.dtype {
	case "F64", "F32", "F16", "BF16":
		return true
	}
	return false
}

// half returns the value of a number of 16 bits (IEEE 754, binary16).
func half(h uint16) float64 {
	fraction, exponent := float64(h&0x3ff), int(h>>10&0x1f)
	v := math.Ldexp(1+fraction/1024, exponent-15)
	switch {
	case exponent == 0:
		v = math.Ldexp(fraction, -24)
	case exponent == 31 && fraction == 0:
		v = math.Inf(1)
	case exponent == 31:
		v = math.NaN()
	}
	if h>>15 == 1 {
		v = -v
	}
	return v
}
