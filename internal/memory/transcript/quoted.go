package transcript

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"strings"
	"unicode"
)

// What a tool returned is not the agent's word: anybody may have written it, and it may say that
// it is an instruction. It is not kept, but where an answer repeats it, that part of the answer
// is a turn of Tool.

const (
	quoteRun  = 8       // words in a row that are no accident
	maxHeard  = 1 << 20 // bytes of what one tool returned
	heardBits = 23      // of the filter's size in bits: 1 MiB, with a hundred thousand lines a third full
)

// A returned knows which runs of words tools have returned. It is a Bloom filter: it may take a run
// for one, in three of a hundred where it is a third full, but not most runs of a line.
type returned []uint64

var quoteSeed = maphash.MakeSeed()

// runs calls yield with each run of words of a text and the number of its first word, and
// returns how many words there are.
func runs(s string, yield func(run uint64, first int)) (words int) {
	var last [quoteRun]uint64
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		last[words%quoteRun] = maphash.String(quoteSeed, strings.ToLower(word))
		if words++; words < quoteRun {
			continue
		}
		var run uint64
		for i := range quoteRun {
			run = run*0x9e3779b97f4a7c15 + last[(words+i)%quoteRun]
		}
		yield(run^run>>29, words-quoteRun)
	}
	return words
}

// places are the bits of a run.
func places(run uint64) [3]uint64 {
	const mask = 1<<heardBits - 1
	return [3]uint64{run & mask, run >> 20 & mask, run >> 40 & mask}
}

// hear notes what a tool returned.
func (b *builder) hear(s string) {
	if b.heard == nil {
		b.heard = make(returned, 1<<heardBits/64)
	}
	runs(s[:min(len(s), maxHeard)], func(run uint64, _ int) {
		for _, p := range places(run) {
			b.heard[p/64] |= 1 << (p % 64)
		}
	})
}

func (h returned) has(run uint64) bool {
	for _, p := range places(run) {
		if h[p/64]>>(p%64)&1 == 0 {
			return false
		}
	}
	return true
}

// quotes reports whether three in five words of a text are in runs that tools returned.
func (h returned) quotes(s string) bool {
	covered, to := 0, 0 // to: the first word that no run reaches yet
	words := runs(s, func(run uint64, first int) {
		if h.has(run) {
			covered += first + quoteRun - max(first, to)
			to = first + quoteRun
		}
	})
	return words >= quoteRun && 5*covered >= 3*words
}

// A piece is lines of an answer that are the agent's own or repeat a tool's.
type piece struct {
	role string
	text string
}

// pieces takes an answer apart. Fenced code is one line here: half of it would be none.
func (h returned) pieces(text string) (out []piece) {
	var unit []string
	flush := func() {
		if len(unit) == 0 {
			return
		}
		p := piece{Assistant, strings.Join(unit, "\n")}
		if h.quotes(p.text) {
			p.role = Tool
		}
		unit = nil
		if n := len(out); n > 0 && (out[n-1].role == p.role || strings.TrimSpace(p.text) == "") {
			out[n-1].text += "\n" + p.text
			return
		}
		out = append(out, p)
	}
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		unit = append(unit, line)
		mark := strings.TrimLeft(line, " >\t")
		switch {
		case fence == "" && (strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~")):
			unit = unit[:len(unit)-1]
			flush()
			fence, unit = mark[:3], append(unit, line)
			continue
		case fence != "" && strings.HasPrefix(mark, fence):
			fence = ""
		}
		if fence == "" {
			flush()
		}
	}
	flush()
	return out
}

// hearPieces notes what the results of tools among the pieces of a message say.
func (b *builder) hearPieces(content json.RawMessage) {
	var pieces []struct {
		Type    string          `json:"type"`
		Content json.RawMessage `json:"content"`    // of a tool_result
		Result  json.RawMessage `json:"toolResult"` // of a toolResponse
	}
	if len(content) == 0 || content[0] != '[' || json.Unmarshal(content, &pieces) != nil {
		return
	}
	for _, p := range pieces {
		switch p.Type {
		case "tool_result":
			b.hearValue(p.Content)
		case "toolResponse":
			b.hearValue(p.Result)
		}
	}
}

// hearValue notes all strings of a JSON value, and of JSON in them.
func (b *builder) hearValue(raw []byte) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.Token()
		if err != nil {
			return
		}
		switch s, _ := token.(string); {
		case len(s) > 1 && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s)):
			b.hearValue([]byte(s))
		case s != "":
			b.hear(s)
		}
	}
}
