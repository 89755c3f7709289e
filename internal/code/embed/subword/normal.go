package subword

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

type normalPart struct {
	Normalizers []json.RawMessage `json:"normalizers"`
	Clean       *bool             `json:"clean_text"`
	Chinese     *bool             `json:"handle_chinese_chars"`
	Accents     *bool             `json:"strip_accents"`
	Lowercase   *bool             `json:"lowercase"`
	Pattern     *pattern          `json:"pattern"`
	Content     string            `json:"content"`
	Prepend     string            `json:"prepend"`
	Left        bool              `json:"strip_left"`
	Right       bool              `json:"strip_right"`
	Map         string            `json:"precompiled_charsmap"`
}

// normalizers returns the steps of a normalizer.
func normalizers(raw json.RawMessage) ([]func(string) string, error) {
	parts := func(p *normalPart) []json.RawMessage { return p.Normalizers }
	return appendSteps(raw, nil, parts, func(p *normalPart, name string) ([]func(string) string, error) {
		step, err := p.step(name)
		return []func(string) string{step}, err
	})
}

// appendSteps appends the steps of a part of the pipeline: own returns them, unless it is a sequence of parts.
func appendSteps[P, S any](raw json.RawMessage, steps []S, parts func(*P) []json.RawMessage, own func(*P, string) ([]S, error)) ([]S, error) {
	name, err := kind(raw)
	if err != nil || name == "" {
		return steps, err
	}
	if len(steps) > maxSteps {
		return nil, fmt.Errorf("more than %d steps", maxSteps)
	}
	var p P
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	if name == "Sequence" {
		for _, s := range parts(&p) {
			if steps, err = appendSteps(s, steps, parts, own); err != nil {
				return nil, err
			}
		}
		return steps, nil
	}
	more, err := own(&p, name)
	return append(steps, more...), err
}

// step returns that of a normalizer that is no sequence.
func (p *normalPart) step(name string) (func(string) string, error) {
	switch name {
	case "BertNormalizer":
		return p.bert()
	case "Lowercase":
		return lower, nil
	case "StripAccents":
		return func(s string) string { return without(s, unicode.IsMark) }, nil
	case "NFD", "NFC", "NFKD", "NFKC":
		f, err := readForms()
		if err != nil {
			return nil, err
		}
		return func(s string) string { return f.normal(s, name[len(name)-1] == 'C', len(name) == 4) }, nil
	case "Nmt":
		return nmt, nil
	case "Strip":
		return func(s string) string {
			if p.Left {
				s = strings.TrimLeftFunc(s, unicode.IsSpace)
			}
			if p.Right {
				s = strings.TrimRightFunc(s, unicode.IsSpace)
			}
			return s
		}, nil
	case "Prepend":
		if len(p.Prepend) > 64 {
			return nil, fmt.Errorf("a text of %d bytes is to be put before others", len(p.Prepend))
		}
		return func(s string) string {
			if s == "" {
				return s
			}
			return p.Prepend + s
		}, nil
	case "Replace":
		return p.replace()
	case "ByteLevel":
		return byteRunes().text, nil
	case "Precompiled":
		m, err := readCharsMap(p.Map)
		if err != nil {
			return nil, err
		}
		return m.normal, nil
	}
	return nil, fmt.Errorf("the type %q is not supported", name)
}

func (p *normalPart) replace() (func(string) string, error) {
	find, err := p.Pattern.finder()
	if err != nil {
		return nil, err
	}
	if len(p.Content) > 64 {
		return nil, fmt.Errorf("a text of %d bytes is to replace others", len(p.Content))
	}
	return func(s string) string {
		var b strings.Builder
		at := 0
		find(s, func(from, to int) {
			b.WriteString(s[at:from])
			b.WriteString(p.Content)
			at = to
		})
		if at == 0 {
			return s
		}
		b.WriteString(s[at:])
		return b.String()
	}, nil
}

func (p *normalPart) bert() (func(string) string, error) {
	set := func(b *bool, preset bool) bool {
		if b == nil {
			return preset
		}
		return *b
	}
	clean, chinese, lowercase := set(p.Clean, true), set(p.Chinese, true), set(p.Lowercase, true)
	accents := set(p.Accents, lowercase)
	f, err := readForms()
	if err != nil {
		return nil, err
	}
	return func(s string) string {
		if clean || chinese {
			s = tidy(s, clean, chinese)
		}
		if accents {
			s = without(f.normal(s, false, false), func(r rune) bool { return unicode.Is(unicode.Mn, r) })
		}
		if lowercase {
			s = lower(s)
		}
		return s
	}, nil
}

// tidy drops control characters, makes every white space a space, and puts
// spaces around Chinese characters.
func tidy(s string, clean, chinese bool) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case clean && (r == 0 || r == 0xfffd || isControl(r)):
		case clean && unicode.IsSpace(r):
			b.WriteByte(' ')
		case chinese && isChinese(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func lower(s string) string {
	// The one character whose lower case is two; unicode.ToLower gives one.
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307"))
}

func without(s string, drop func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if drop(r) {
			return -1
		}
		return r
	}, s)
}

// nmt drops control characters and makes spaces of others.
func nmt(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x01 && r <= 0x08, r == 0x0b, r >= 0x0e && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
			return -1
		case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029,
			r == 0x2581, r == 0xfeff, r == 0xfffd:
			return ' '
		}
		return r
	}, s)
}
