// Package model2vec makes vectors with a Model2Vec model on the disk
// (github.com/MinishLab/model2vec, version 0.8): a table of token vectors, whose
// mean over the tokens of a text is the text's vector.
//
// The vectors are those of the reference to within 1e-5, brought to unit length
// whatever the model's own setting is: the first 512 tokens count, without unknown
// ones. Whatever the files hold, there is an error or a vector.
package model2vec

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/embed/subword"
)

const (
	maxTokens = 512 // of a text, as the reference has it
	maxDims   = 8192
	maxConfig = 1 << 20
	maxPieces = 256 << 20
)

// A Model makes vectors. It may be used by several goroutines at once.
type Model struct {
	dir     string
	dims    int
	sum     uint32
	pieces  *subword.Tokenizer
	rows    tensor // rows × columns
	columns int
	weights *tensor
	mapping *tensor
	memory  *memory
}

// memory is the mapped file. It goes when the last that may read it has gone.
type memory struct{ data []byte }

// Open returns the model in the folder dir. Dims, if not 0, keeps that many of its
// dimensions, the first ones.
func Open(dir string, dims int) (*Model, error) {
	m := &Model{dir: dir}
	config, err := m.read("config.json", maxConfig)
	if err != nil {
		return nil, err
	}
	if !json.Valid(config) {
		return nil, fmt.Errorf("%s is not valid JSON", filepath.Join(dir, "config.json"))
	}
	pieces, err := m.read("tokenizer.json", maxPieces)
	if err != nil {
		return nil, err
	}
	if m.pieces, err = subword.Read(pieces); err != nil {
		return nil, fmt.Errorf("%s: %v", filepath.Join(dir, "tokenizer.json"), err)
	}
	path := filepath.Join(dir, "model.safetensors")
	data, unmap, err := file.Map(path)
	if err != nil {
		return nil, m.missing(path, err)
	}
	m.memory = &memory{data}
	runtime.AddCleanup(m.memory, func(unmap func()) { unmap() }, unmap)
	err = m.safely(func() error {
		m.sum = crc32.Update(crc32.ChecksumIEEE(config), crc32.IEEETable, pieces)
		m.sum = sample(m.sum, data)
		return m.lay(data, dims)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// read returns a file of the model's folder.
func (m *Model) read(name string, most int64) ([]byte, error) {
	path := filepath.Join(m.dir, name)
	// A pipe of that name must not hold the program up.
	st, err := os.Stat(path)
	if err != nil {
		return nil, m.missing(path, err)
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	f, err := safe.OpenNamed(path)
	if err != nil {
		return nil, m.missing(path, err)
	}
	defer f.Close()
	data, err := file.ReadUpTo(f, most)
	if err != nil {
		return nil, m.missing(path, err)
	}
	return data, nil
}

func (m *Model) missing(path string, err error) error {
	return fmt.Errorf("read %s: %v; a Model2Vec folder has model.safetensors, tokenizer.json and config.json", path, file.Bare(err))
}

// sample adds to a checksum what tells one file from another: its length, its
// beginning and parts from all over it. The whole of it would have to be read.
func sample(sum uint32, data []byte) uint32 {
	const part, parts = 4096, 64
	sum = crc32.Update(sum, crc32.IEEETable, fmt.Append(nil, len(data)))
	if len(data) <= part*parts {
		return crc32.Update(sum, crc32.IEEETable, data)
	}
	for i := range parts {
		at := (len(data) - part) * i / (parts - 1)
		sum = crc32.Update(sum, crc32.IEEETable, data[at:at+part])
	}
	return sum
}

// lay checks what the file holds against what the tokenizer asks for.
func (m *Model) lay(data []byte, dims int) error {
	all, err := readTensors(data)
	if err != nil {
		return err
	}
	rows, ok := all["embeddings"]
	if !ok {
		return errors.New("it has no tensor called embeddings: this is not a Model2Vec model, or it holds numbers of an unknown type")
	}
	if len(rows.shape) != 2 || rows.shape[1] < 1 || rows.shape[1] > maxDims || !rows.isFloat() && rows.dtype != "I8" {
		return fmt.Errorf("embeddings is a tensor of %v %s: a table of F32, F16, BF16 or I8 with 1 to %d columns is wanted", rows.shape, rows.dtype, maxDims)
	}
	m.rows, m.columns, m.dims = rows, rows.shape[1], rows.shape[1]
	if dims > m.dims {
		return fmt.Errorf("the model has %d dimensions, and %d are asked for: set embed.dims to 0 or less than that", m.dims, dims)
	}
	if dims > 0 {
		m.dims = dims
	}
	if w, ok := all["weights"]; ok {
		if len(w.shape) != 1 || w.shape[0] < m.pieces.Size() || !w.isFloat() {
			return fmt.Errorf("weights is a tensor of %v %s, and the tokenizer has %d tokens", w.shape, w.dtype, m.pieces.Size())
		}
		m.weights = &w
	}
	table := rows.shape[0]
	if p, ok := all["mapping"]; ok {
		if len(p.shape) != 1 || p.shape[0] < m.pieces.Size() || p.isFloat() {
			return fmt.Errorf("mapping is a tensor of %v %s, and the tokenizer has %d tokens", p.shape, p.dtype, m.pieces.Size())
		}
		for i := range p.shape[0] {
			if n := p.index(i); n < 0 || n >= table {
				return fmt.Errorf("mapping leads token %d to a row that embeddings has not", i)
			}
		}
		m.mapping = &p
	} else if table < m.pieces.Size() {
		return fmt.Errorf("embeddings has %d rows, and the tokenizer has %d tokens: they are not of one model", table, m.pieces.Size())
	}
	return nil
}

// Dims returns the length of the vectors.
func (m *Model) Dims() int { return m.dims }

// Name tells one model from another: its folder's name and a checksum.
func (m *Model) Name() string { return fmt.Sprintf("%s/%08x", filepath.Base(m.dir), m.sum) }

// Embed writes the vector of a text into dst, which has Dims elements: of unit
// length, or zeros where the text has no token that the model knows.
func (m *Model) Embed(dst []float32, text string) error {
	err := m.safely(func() error { return m.embed(dst, text) })
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(m.dir, "model.safetensors"), err)
	}
	return nil
}

func (m *Model) embed(dst []float32, text string) error {
	sum := make([]float64, m.dims)
	unknown, drop := m.pieces.Unknown()
	n := 0
	for _, id := range m.pieces.IDs(nil, head(text, maxTokens*m.pieces.Median())) {
		if drop && id == unknown {
			continue
		}
		if n++; n > maxTokens {
			break
		}
		row, weight := int(id), 1.0
		if m.mapping != nil {
			row = m.mapping.index(row)
		}
		if m.weights != nil {
			weight = m.weights.at(int(id))
		}
		// The file may have been written to since it was checked.
		if row < 0 || row >= m.rows.shape[0] {
			return errors.New("it has changed while it is in use: run the command again")
		}
		m.rows.add(sum, row*m.columns, weight)
	}
	// The sum need not be divided by the number of tokens: the vector is brought to unit length.
	length := 0.0
	for _, x := range sum {
		length += x * x
	}
	length = math.Sqrt(length)
	if math.IsNaN(length) || math.IsInf(length, 0) {
		return errors.New("it holds numbers that are none (NaN or infinite): get the model again")
	}
	for i, x := range sum {
		if length > 0 {
			x /= length
		}
		dst[i] = float32(x)
	}
	return nil
}

// head returns the first n characters of a text.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	// An invalid text would be counted differently from how it is cut.
	text = strings.ToValidUTF8(text[:min(len(text), utf8.UTFMax*n)], "\ufffd")
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}

// safely runs f, which reads the mapped file, and returns an error where the file
// has been cut short meanwhile.
func (m *Model) safely(f func() error) (err error) {
	defer runtime.KeepAlive(m.memory)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // of this goroutine
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = errors.New("it was cut short while it is in use: run the command again")
		default:
			panic(r)
		}
	}()
	return f()
}
