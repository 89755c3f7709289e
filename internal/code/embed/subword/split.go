package subword

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A finder calls yield with the ends of each part of s that is looked for, in
// order and without overlap.
type finder func(s string, yield func(from, to int))

// chars finds single characters.
func chars(is func(rune) bool) finder {
	return func(s string, yield func(from, to int)) {
		for i, r := range s {
			if is(r) {
				yield(i, i+max(1, utf8.RuneLen(r)))
			}
		}
	}
}

// invert finds what f omits.
func (f finder) invert() finder {
	return func(s string, yield func(from, to int)) {
		at := 0
		f(s, func(from, to int) {
			if at < from {
				yield(at, from)
			}
			at = to
		})
		if at < len(s) {
			yield(at, len(s))
		}
	}
}

type part struct {
	from, to int
	found    bool
}

// parts returns s whole: what f finds, and what lies between.
func (f finder) parts(s string) []part {
	var all []part
	at := 0
	f(s, func(from, to int) {
		if from >= to {
			return
		}
		if at < from {
			all = append(all, part{at, from, false})
		}
		all = append(all, part{from, to, true})
		at = to
	})
	if at < len(s) {
		all = append(all, part{at, len(s), false})
	}
	return all
}

// splitter returns the step that splits at what f finds.
func splitter(f finder, behavior string) (func(piece, []piece) []piece, error) {
	join := func(a, b part) bool { return false } // whether a and b, its follower, are one
	drop := false
	switch behavior {
	case "Removed":
		drop = true
	case "Isolated":
	case "Contiguous":
		join = func(a, b part) bool { return a.found == b.found }
	case "MergedWithPrevious":
		join = func(a, b part) bool { return b.found && !a.found }
	case "MergedWithNext":
		join = func(a, b part) bool { return a.found && !b.found }
	default:
		return nil, fmt.Errorf("the behavior %q is not supported", behavior)
	}
	return func(p piece, out []piece) []piece {
		all := f.parts(p.text)
		for i := 0; i < len(all); i++ {
			if drop && all[i].found {
				continue
			}
			from := all[i].from
			for i+1 < len(all) && join(all[i], all[i+1]) {
				i++
			}
			out = append(out, piece{text: p.text[from:all[i].to], first: p.first && from == 0})
		}
		return out
	}, nil
}

type splitPart struct {
	PreTokenizers []json.RawMessage `json:"pretokenizers"`
	Behavior      string            `json:"behavior"`
	Pattern       *pattern          `json:"pattern"`
	Invert        bool              `json:"invert"`
	Delimiter     string            `json:"delimiter"`
	Individual    bool              `json:"individual_digits"`
	Replacement   string            `json:"replacement"`
	Prepend       string            `json:"prepend_scheme"`
	Prefix        *bool             `json:"add_prefix_space"`
	Split         *bool             `json:"split"`
	UseRegex      *bool             `json:"use_regex"`
}

// splitters returns the steps of a pre-tokenizer.
func splitters(raw json.RawMessage) ([]func(piece, []piece) []piece, error) {
	return appendSteps(raw, nil, func(p *splitPart) []json.RawMessage { return p.PreTokenizers }, (*splitPart).steps)
}

// steps returns those of a pre-tokenizer that is no sequence.
func (p *splitPart) steps(name string) ([]func(piece, []piece) []piece, error) {
	behavior := p.Behavior
	var find finder
	switch name {
	case "BertPreTokenizer":
		words, err := splitter(chars(unicode.IsSpace), "Removed")
		if err != nil {
			return nil, err
		}
		marks, err := splitter(chars(isPunct), "Isolated")
		return []func(piece, []piece) []piece{words, marks}, err
	case "WhitespaceSplit":
		find, behavior = chars(unicode.IsSpace), "Removed"
	case "Whitespace":
		find, behavior = chars(isWord).runs(), "Isolated"
		words, err := splitter(find, behavior)
		if err != nil {
			return nil, err
		}
		spaces, err := splitter(chars(unicode.IsSpace), "Removed")
		return []func(piece, []piece) []piece{words, spaces}, err
	case "Punctuation":
		find = chars(isPunct)
		behavior = cmp.Or(behavior, "Isolated")
	case "Digits":
		find, behavior = chars(unicode.IsNumber), "Contiguous"
		if p.Individual {
			behavior = "Isolated"
		}
	case "CharDelimiterSplit":
		r, n := utf8.DecodeRuneInString(p.Delimiter)
		if n == 0 || n != len(p.Delimiter) {
			return nil, fmt.Errorf("the delimiter %.20q is not one character", p.Delimiter)
		}
		find, behavior = chars(func(c rune) bool { return c == r }), "Removed"
	case "Split":
		var err error
		if find, err = p.Pattern.finder(); err != nil {
			return nil, err
		}
		if p.Invert {
			find = find.invert()
		}
	case "Metaspace":
		return p.metaspace()
	case "ByteLevel":
		return p.byteLevel()
	default:
		return nil, fmt.Errorf("the type %q is not supported", name)
	}
	s, err := splitter(find, behavior)
	return []func(piece, []piece) []piece{s}, err
}

// runs joins neighbours that f finds.
func (f finder) runs() finder {
	return func(s string, yield func(from, to int)) {
		begin, end := 0, 0
		f(s, func(from, to int) {
			if from != end && begin < end {
				yield(begin, end)
			}
			if from != end || begin == end {
				begin = from
			}
			end = to
		})
		if begin < end {
			yield(begin, end)
		}
	}
}

func (p *splitPart) metaspace() ([]func(piece, []piece) []piece, error) {
	mark, n := utf8.DecodeRuneInString(p.Replacement)
	if n == 0 || n != len(p.Replacement) {
		return nil, fmt.Errorf("the replacement %.20q is not one character", p.Replacement)
	}
	scheme := cmp.Or(p.Prepend, "always")
	if p.Prefix != nil && !*p.Prefix {
		scheme = "never"
	}
	steps := []func(piece, []piece) []piece{func(in piece, out []piece) []piece {
		in.text = strings.ReplaceAll(in.text, " ", p.Replacement)
		if (scheme == "always" || scheme == "first" && in.first) && !strings.HasPrefix(in.text, p.Replacement) {
			in.text = p.Replacement + in.text
		}
		return append(out, in)
	}}
	if p.Split != nil && !*p.Split {
		return steps, nil
	}
	s, err := splitter(chars(func(r rune) bool { return r == mark }), "MergedWithNext")
	return append(steps, s), err
}

// gpt2 is how GPT-2 splits a text into words
// (github.com/openai/gpt-2/blob/master/src/encoder.py).
const gpt2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`

func (p *splitPart) byteLevel() ([]func(piece, []piece) []piece, error) {
	var steps []func(piece, []piece) []piece
	if p.Prefix == nil || *p.Prefix {
		steps = append(steps, func(in piece, out []piece) []piece {
			if !strings.HasPrefix(in.text, " ") {
				in.text = " " + in.text
			}
			return append(out, in)
		})
	}
	if p.UseRegex == nil || *p.UseRegex {
		words := gpt2
		find, err := (&pattern{Regex: &words}).finder()
		if err != nil {
			return nil, err
		}
		s, err := splitter(find, "Isolated")
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	visible := byteRunes()
	return append(steps, func(in piece, out []piece) []piece {
		in.text = visible.text(in.text)
		return append(out, in)
	}), nil
}

// visibleBytes gives each byte a character that can be seen, as GPT-2 does.
type visibleBytes [256]rune

func byteRunes() *visibleBytes {
	var v visibleBytes
	next := rune(256)
	for b := range v {
		if b > ' ' && b < 0x7f || b >= 0xa1 && b != 0xad {
			v[b] = rune(b)
		} else {
			v[b] = next
			next++
		}
	}
	return &v
}

func (v *visibleBytes) text(s string) string {
	out := make([]rune, len(s))
	for i := range len(s) {
		out[i] = v[s[i]]
	}
	return string(out)
}
