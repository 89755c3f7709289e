package subword

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// A table finds the words that a text begins with.
type table struct {
	words []string // sorted
	ids   []uint32
	first [257]int // where the words of a first byte begin
}

func newTable(words map[string]uint32) *table {
	t := &table{words: make([]string, 0, len(words)), ids: make([]uint32, len(words))}
	for w := range words {
		if w != "" {
			t.words = append(t.words, w)
		}
	}
	slices.Sort(t.words)
	for i, w := range t.words {
		t.ids[i] = words[w]
	}
	at := 0
	for b := range 256 {
		t.first[b] = at
		for at < len(t.words) && t.words[at][0] == byte(b) {
			at++
		}
	}
	t.first[256] = at
	return t
}

// prefixes calls yield with the length and the number of each word that s begins
// with, shortest first.
func (t *table) prefixes(s string, yield func(n int, id uint32)) {
	if s == "" {
		return
	}
	low, high := t.first[s[0]], t.first[int(s[0])+1]
	for n := 1; low < high; n++ {
		// Here words[low:high] are those that begin with s[:n].
		if len(t.words[low]) == n {
			yield(n, t.ids[low])
			low++
		}
		if n == len(s) {
			return
		}
		c, part := s[n], t.words[low:high]
		from := sort.Search(len(part), func(i int) bool { return part[i][n] >= c })
		if c < 255 {
			part = part[from:]
			high = low + from + sort.Search(len(part), func(i int) bool { return part[i][n] > c })
		}
		low += from
	}
}

// longest returns the longest word that s begins with; 0 where there is none.
func (t *table) longest(s string) (n int, id uint32) {
	t.prefixes(s, func(k int, i uint32) { n, id = k, i })
	return n, id
}

// An added is a set of words that are found before anything else is done.
type added struct {
	table  *table
	tokens map[uint32]addedToken
}

type addedToken struct {
	ID         uint32 `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
}

// add makes the tables of added tokens, and returns those that are not among the
// model's words.
func (t *Tokenizer) add(tokens []addedToken, words map[string]uint32) (extra map[string]uint32) {
	raw, clean := map[string]uint32{}, map[string]uint32{}
	extra = map[string]uint32{}
	byID := map[uint32]addedToken{}
	for _, a := range tokens {
		if a.Content == "" {
			continue
		}
		// A word of the model keeps the number it has there.
		if id, ok := words[a.Content]; ok {
			a.ID = id
		} else {
			extra[a.Content] = a.ID
		}
		byID[a.ID] = a
		if !a.Normalized {
			raw[a.Content] = a.ID
			continue
		}
		s := a.Content
		for _, f := range t.normal {
			s = cut(f(s))
		}
		clean[s] = a.ID
	}
	t.raw, t.clean = added{newTable(raw), byID}, added{newTable(clean), byID}
	return extra
}

// extract appends p to out, with the words of a removed from it.
func (a added) extract(out []piece, p piece) []piece {
	if a.table == nil || len(a.table.words) == 0 {
		return append(out, p)
	}
	s, done := p.text, 0
	rest := func(to int) {
		if done < to {
			out = append(out, piece{text: s[done:to], first: p.first && done == 0})
		}
	}
	for at := 0; at < len(s); {
		n, id := a.table.longest(s[at:])
		if n == 0 {
			at++
			continue
		}
		from, to, token := at, at+n, a.tokens[id]
		at = to
		if token.SingleWord && (endsWord(s[:from]) || beginsWord(s[to:])) {
			continue
		}
		if token.LStrip {
			from = max(done, len(strings.TrimRightFunc(s[:from], unicode.IsSpace)))
		}
		if token.RStrip {
			to = len(s) - len(strings.TrimLeftFunc(s[to:], unicode.IsSpace))
			at = to
		}
		rest(from)
		out = append(out, piece{id: id, known: true})
		done = to
	}
	rest(len(s))
	return out
}
