// Package subword cuts texts into numbered pieces as a tokenizer.json says, the
// file of Hugging Face's tokenizers (github.com/huggingface/tokenizers): WordPiece,
// Unigram, BPE and whole words. What follows the pieces there, special tokens and
// padding, is omitted.
//
// Whatever the file and the text, there is an error or pieces with numbers below
// Size, and the time is bounded by the lengths of both. A file that asks for
// something this package does not do is refused: it would give other pieces. Where
// the reference is older than Unicode 15, a newer character may be another kind of
// character there.
package subword

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxFile  = 256 << 20
	maxID    = 1 << 24
	maxText  = 256 << 10 // of a text, also when a file's rules make it longer
	maxSteps = 256
)

// A Tokenizer cuts texts. It may be used by several goroutines at once.
type Tokenizer struct {
	normal  []func(string) string
	split   []func(piece, []piece) []piece
	model   model
	raw     added // looked for in the text as it is
	clean   added // looked for in the normalised text
	unknown int
	size    int
	median  int
	keep    *truncation
}

// A piece is a part of a text, or its number where that is known already.
type piece struct {
	text  string
	id    uint32
	known bool
	first bool // it begins where the text begins
}

// A model cuts a word into the numbers of its pieces.
type model interface {
	cut(dst []uint32, word string) []uint32
}

type truncation struct {
	Direction string `json:"direction"`
	MaxLength int    `json:"max_length"`
}

type file struct {
	Truncation   *truncation     `json:"truncation"`
	Added        []addedToken    `json:"added_tokens"`
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer json.RawMessage `json:"pre_tokenizer"`
	Model        json.RawMessage `json:"model"`
}

// Read returns the tokenizer that the content of a tokenizer.json describes.
func Read(data []byte) (*Tokenizer, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("a tokenizer of %d bytes: at most %d are read", len(data), maxFile)
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("not a tokenizer.json: %v", err)
	}
	t := &Tokenizer{unknown: -1}
	var err error
	if t.normal, err = normalizers(f.Normalizer); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	if t.split, err = splitters(f.PreTokenizer); err != nil {
		return nil, fmt.Errorf("pre_tokenizer: %w", err)
	}
	words, err := t.readModel(f.Model)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	var lengths []int
	for _, some := range []map[string]uint32{words, t.add(f.Added, words)} {
		for w, id := range some {
			if id >= maxID {
				return nil, fmt.Errorf("a token has the number %d, and %d is the largest", id, maxID-1)
			}
			t.size = max(t.size, int(id)+1)
			lengths = append(lengths, utf8.RuneCountInString(w))
		}
	}
	if len(lengths) == 0 {
		return nil, errors.New("model: it has no vocabulary")
	}
	slices.Sort(lengths)
	// As int(numpy.median(…)): the mean of the middle two, without its fraction.
	t.median = (lengths[(len(lengths)-1)/2] + lengths[len(lengths)/2]) / 2
	if f.Truncation != nil && f.Truncation.MaxLength >= 0 {
		t.keep = f.Truncation
	}
	return t, nil
}

// Size returns one more than the largest number of a piece.
func (t *Tokenizer) Size() int { return t.size }

// Unknown returns the number that stands for what is in no vocabulary; false where
// the model names none.
func (t *Tokenizer) Unknown() (uint32, bool) { return uint32(max(0, t.unknown)), t.unknown >= 0 }

// Median returns the median length of the vocabulary's tokens, in characters.
func (t *Tokenizer) Median() int { return t.median }

// IDs appends the numbers of a text's pieces to dst.
func (t *Tokenizer) IDs(dst []uint32, text string) []uint32 {
	text = cut(strings.ToValidUTF8(text, "\ufffd"))
	from := len(dst)
	for _, p := range t.raw.extract(nil, piece{text: text, first: true}) {
		if p.known {
			dst = append(dst, p.id)
			continue
		}
		for _, f := range t.normal {
			p.text = cut(f(p.text))
		}
		pieces := t.clean.extract(nil, p)
		for _, f := range t.split {
			var next []piece
			for _, p := range pieces {
				switch {
				case p.known:
					next = append(next, p)
				case p.text != "": // a step may put something before a word, but not before nothing
					next = f(p, next)
				}
			}
			pieces = next
		}
		for _, p := range pieces {
			switch {
			case p.known:
				dst = append(dst, p.id)
			case p.text != "":
				dst = t.model.cut(dst, p.text)
			}
		}
	}
	if t.keep != nil && len(dst)-from > t.keep.MaxLength {
		if t.keep.Direction == "Left" {
			return append(dst[:from], dst[len(dst)-t.keep.MaxLength:]...)
		}
		dst = dst[:from+t.keep.MaxLength]
	}
	return dst
}

// cut returns what of s is looked at.
func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// kind returns the type of a part of the file; empty for null.
func kind(part json.RawMessage) (string, error) {
	if len(part) == 0 || string(part) == "null" {
		return "", nil
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(part, &head); err != nil {
		return "", err
	}
	return head.Type, nil
}
