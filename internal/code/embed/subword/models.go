package subword

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"
)

// readModel sets t.model and t.unknown, and returns the vocabulary.
func (t *Tokenizer) readModel(part json.RawMessage) (map[string]uint32, error) {
	name, err := kind(part)
	if err != nil {
		return nil, err
	}
	name = cmp.Or(name, untyped(part))
	switch name {
	case "WordPiece", "WordLevel":
		return t.readWords(part, name)
	case "Unigram":
		return t.readUnigram(part)
	case "BPE":
		return t.readBPE(part)
	}
	return nil, fmt.Errorf("the type %q is not supported; WordPiece, Unigram, BPE and WordLevel are", name)
}

// untyped guesses the type of a model in an old file that does not say it.
func untyped(part json.RawMessage) string {
	var m struct {
		Merges  json.RawMessage `json:"merges"`
		Prefix  *string         `json:"continuing_subword_prefix"`
		Longest *int            `json:"max_input_chars_per_word"`
		Vocab   json.RawMessage `json:"vocab"`
	}
	if json.Unmarshal(part, &m) != nil {
		return ""
	}
	switch {
	case m.Merges != nil:
		return "BPE"
	case m.Longest != nil:
		return "WordPiece"
	case len(m.Vocab) > 0 && m.Vocab[0] == '[':
		return "Unigram"
	}
	return ""
}

// wordPiece takes the longest piece each time (Schuster & Nakajima 2012, as in BERT).
type wordPiece struct {
	words   map[string]uint32
	unknown int
	prefix  string
	most    int // characters of a word
	longest int // bytes of a piece
	whole   bool
}

func (t *Tokenizer) readWords(part json.RawMessage, name string) (map[string]uint32, error) {
	var f struct {
		Vocab   map[string]uint32 `json:"vocab"`
		Unknown *string           `json:"unk_token"`
		Prefix  *string           `json:"continuing_subword_prefix"`
		Most    *int              `json:"max_input_chars_per_word"`
	}
	if err := json.Unmarshal(part, &f); err != nil {
		return nil, err
	}
	m := &wordPiece{words: f.Vocab, unknown: -1, prefix: "##", most: 100, whole: name == "WordLevel"}
	unknown := "[UNK]"
	if m.whole {
		unknown = "<unk>"
	}
	if f.Unknown != nil {
		unknown = *f.Unknown
	}
	if id, ok := f.Vocab[unknown]; ok {
		m.unknown = int(id)
	}
	if f.Prefix != nil {
		m.prefix = *f.Prefix
	}
	if f.Most != nil {
		m.most = *f.Most
	}
	if m.most > 10_000 || len(m.prefix) > 64 {
		return nil, fmt.Errorf("words of %d characters, or the prefix %.20q, are too long", m.most, m.prefix)
	}
	for w := range f.Vocab {
		m.longest = max(m.longest, len(w))
	}
	t.model, t.unknown = m, m.unknown
	if f.Vocab == nil {
		f.Vocab = map[string]uint32{}
	}
	return f.Vocab, nil
}

func (m *wordPiece) cut(dst []uint32, word string) []uint32 {
	from := len(dst)
	if m.whole {
		if id, ok := m.words[word]; ok {
			return append(dst, id)
		}
		return m.none(dst)
	}
	if utf8.RuneCountInString(word) > m.most {
		return m.none(dst)
	}
	key := make([]byte, 0, 64)
	for start := 0; start < len(word); {
		key = key[:0]
		if start > 0 {
			key = append(key, m.prefix...)
		}
		head := len(key)
		end := min(len(word), start+m.longest)
		key = append(key, word[start:end]...)
		n := 0
		for ; end > start; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if id, ok := m.words[string(key[:head+end-start])]; ok {
				dst, n = append(dst, id), end-start
				break
			}
		}
		if n == 0 {
			return m.none(dst[:from])
		}
		start += n
	}
	return dst
}

func (m *wordPiece) none(dst []uint32) []uint32 {
	if m.unknown < 0 {
		return dst
	}
	return append(dst, uint32(m.unknown))
}

// unigram takes the pieces whose scores have the largest sum (Kudo 2018), as
// SentencePiece does.
type unigram struct {
	table   *table
	score   []float64 // by number
	unknown int
	penalty float64
	bytes   *[256]uint32 // what stands for single bytes; nil where nothing does
}

type scored struct {
	word  string
	score float64
}

func (s *scored) UnmarshalJSON(b []byte) error {
	both := []any{&s.word, &s.score}
	if err := json.Unmarshal(b, &both); err != nil {
		return err
	}
	if len(both) != 2 {
		return fmt.Errorf("an entry of the vocabulary is not a word and its score: %.40q", b)
	}
	return nil
}

func (t *Tokenizer) readUnigram(part json.RawMessage) (map[string]uint32, error) {
	var f struct {
		Vocab    []scored `json:"vocab"`
		Unknown  *int     `json:"unk_id"`
		Fallback bool     `json:"byte_fallback"`
	}
	if err := json.Unmarshal(part, &f); err != nil {
		return nil, err
	}
	m := &unigram{unknown: -1, score: make([]float64, len(f.Vocab))}
	words := make(map[string]uint32, len(f.Vocab))
	least := math.Inf(1)
	for i, s := range f.Vocab {
		words[s.word] = uint32(i)
		m.score[i] = s.score
		least = min(least, s.score)
	}
	m.penalty = least - 10
	if f.Unknown != nil {
		if *f.Unknown < 0 || *f.Unknown >= len(f.Vocab) {
			return nil, fmt.Errorf("unk_id is %d, and there are %d words", *f.Unknown, len(f.Vocab))
		}
		// t.unknown stays: the reference knows no unknown token of such a model, and
		// lets it count.
		m.unknown = *f.Unknown
	}
	if f.Fallback {
		m.bytes = byteTokens(words)
	}
	m.table = newTable(words)
	t.model = m
	return words, nil
}

// byteTokens returns the numbers of "<0x00>" … "<0xFF>", or nil.
func byteTokens(words map[string]uint32) *[256]uint32 {
	var all [256]uint32
	for b := range all {
		id, ok := words[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			return nil
		}
		all[b] = id
	}
	return &all
}

func (m *unigram) cut(dst []uint32, word string) []uint32 {
	type node struct {
		score float64
		from  int // -1: nothing ends here
		id    int
	}
	best := make([]node, len(word)+1)
	for i := range best {
		best[i].from = -1
	}
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRuneInString(word[at:])
		till, single := best[at].score, false
		m.table.prefixes(word[at:], func(n int, id uint32) {
			to := &best[at+n]
			if s := till + m.score[id]; to.from < 0 || s > to.score {
				*to = node{s, at, int(id)}
			}
			single = single || n == size
		})
		if !single {
			to := &best[at+size]
			if s := till + m.penalty; to.from < 0 || s > to.score {
				*to = node{s, at, m.unknown}
			}
		}
		at += size
	}
	from := len(dst)
	end := len(word) // of the unknown characters that are one
	for at := len(word); at > 0; at = best[at].from {
		n := best[at]
		if n.id != m.unknown {
			dst = append(dst, uint32(n.id))
			end = n.from
			continue
		}
		if n.from > 0 && best[n.from].id == m.unknown {
			continue
		}
		dst = m.none(dst, word[n.from:end])
		end = n.from
	}
	for i, j := from, len(dst)-1; i < j; i, j = i+1, j-1 {
		dst[i], dst[j] = dst[j], dst[i]
	}
	return dst
}

// none appends what stands for unknown characters, last first.
func (m *unigram) none(dst []uint32, text string) []uint32 {
	// A word that is not cut as such may still be in the vocabulary.
	if n, id := m.table.longest(text); n == len(text) {
		return append(dst, id)
	}
	if m.bytes != nil {
		for i := len(text) - 1; i >= 0; i-- {
			dst = append(dst, m.bytes[text[i]])
		}
		return dst
	}
	if m.unknown < 0 {
		return dst
	}
	return append(dst, uint32(m.unknown))
}
