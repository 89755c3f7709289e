package subword

import (
	"container/heap"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// bpe joins neighbours, those of the earliest rule first (Sennrich et al. 2016).
type bpe struct {
	words   map[string]uint32
	merges  map[[2]uint32]merged
	unknown int
	prefix  string
	suffix  string
	fuse    bool
	whole   bool // a word of the vocabulary is taken as it is
	bytes   *[256]uint32
}

type merged struct {
	rank int
	id   uint32
}

// A pair is "a b" in older files and ["a","b"] in newer ones.
type pair [2]string

func (p *pair) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		var ok bool
		if p[0], p[1], ok = strings.Cut(s, " "); !ok {
			return fmt.Errorf("a merge of one: %.40q", s)
		}
		return nil
	}
	var two []string
	if err := json.Unmarshal(b, &two); err != nil {
		return err
	}
	if len(two) != 2 {
		return fmt.Errorf("a merge of %d", len(two))
	}
	*p = pair(two)
	return nil
}

func (t *Tokenizer) readBPE(part json.RawMessage) (map[string]uint32, error) {
	var f struct {
		Vocab    map[string]uint32 `json:"vocab"`
		Merges   []pair            `json:"merges"`
		Unknown  *string           `json:"unk_token"`
		Prefix   string            `json:"continuing_subword_prefix"`
		Suffix   string            `json:"end_of_word_suffix"`
		Fuse     bool              `json:"fuse_unk"`
		Fallback bool              `json:"byte_fallback"`
		Whole    bool              `json:"ignore_merges"`
	}
	if err := json.Unmarshal(part, &f); err != nil {
		return nil, err
	}
	if len(f.Prefix)+len(f.Suffix) > 128 {
		return nil, fmt.Errorf("the prefix %.20q or the suffix %.20q is too long", f.Prefix, f.Suffix)
	}
	m := &bpe{words: f.Vocab, merges: make(map[[2]uint32]merged, len(f.Merges)), unknown: -1, prefix: f.Prefix, suffix: f.Suffix,
		fuse: f.Fuse, whole: f.Whole}
	if f.Unknown != nil {
		id, ok := f.Vocab[*f.Unknown]
		if !ok {
			return nil, fmt.Errorf("the unknown token %.40q is not in the vocabulary", *f.Unknown)
		}
		m.unknown = int(id)
	}
	for i, p := range f.Merges {
		a, okA := f.Vocab[p[0]]
		b, okB := f.Vocab[p[1]]
		ab, ok := f.Vocab[p[0]+p[1][min(len(f.Prefix), len(p[1])):]]
		if !okA || !okB || !ok {
			return nil, fmt.Errorf("merge %d, of %.40q and %.40q, is not in the vocabulary", i, p[0], p[1])
		}
		m.merges[[2]uint32{a, b}] = merged{i, ab}
	}
	if f.Fallback {
		m.bytes = byteTokens(f.Vocab)
	}
	t.model, t.unknown = m, m.unknown
	return f.Vocab, nil
}

// A symbol is a part of a word, in a list of those that are left.
type symbol struct {
	id         uint32
	prev, next int // -1: none
	gone       bool
}

// A join is a merge that may be made, if both sides are still there.
type join struct {
	merged
	at int
}

type joins []join

func (q joins) Len() int { return len(q) }
func (q joins) Less(i, j int) bool {
	return q[i].rank < q[j].rank || q[i].rank == q[j].rank && q[i].at < q[j].at
}
func (q joins) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *joins) Push(x any)   { *q = append(*q, x.(join)) }
func (q *joins) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (m *bpe) cut(dst []uint32, word string) []uint32 {
	if m.whole {
		if id, ok := m.words[word]; ok {
			return append(dst, id)
		}
	}
	list := m.symbols(word)
	q := joins{}
	look := func(at int) {
		if at < 0 || list[at].next < 0 {
			return
		}
		if j, ok := m.merges[[2]uint32{list[at].id, list[list[at].next].id}]; ok {
			heap.Push(&q, join{j, at})
		}
	}
	for i := range list {
		look(i)
	}
	for len(q) > 0 {
		j := heap.Pop(&q).(join)
		s := &list[j.at]
		if s.gone || s.next < 0 {
			continue
		}
		right := &list[s.next]
		if now, ok := m.merges[[2]uint32{s.id, right.id}]; !ok || now.id != j.id {
			continue // one side has become something else meanwhile
		}
		s.id, s.next, right.gone = j.id, right.next, true
		if s.next >= 0 {
			list[s.next].prev = j.at
		}
		look(s.prev)
		look(j.at)
	}
	for _, s := range list {
		if !s.gone {
			dst = append(dst, s.id)
		}
	}
	return dst
}

// symbols returns the characters of a word as symbols.
func (m *bpe) symbols(word string) []symbol {
	list := make([]symbol, 0, len(word))
	push := func(id uint32) {
		list = append(list, symbol{id: id, prev: len(list) - 1, next: len(list) + 1})
	}
	waiting := false // an unknown character, to be fused with more
	for i := 0; i < len(word); {
		_, n := utf8.DecodeRuneInString(word[i:])
		s := word[i : i+n]
		if i > 0 {
			s = m.prefix + s
		}
		i += n
		if i == len(word) {
			s += m.suffix
		}
		id, ok := m.words[s]
		switch {
		case ok:
			if waiting {
				push(uint32(m.unknown))
				waiting = false
			}
			push(id)
		case m.bytes != nil:
			for _, b := range []byte(s) {
				push(m.bytes[b])
			}
		case m.unknown >= 0:
			if waiting && !m.fuse {
				push(uint32(m.unknown))
			}
			waiting = true
		}
	}
	if waiting {
		push(uint32(m.unknown))
	}
	if len(list) > 0 {
		list[len(list)-1].next = -1
	}
	return list
}
