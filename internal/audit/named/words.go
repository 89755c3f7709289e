package named

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A use says how a word is written anywhere.
type use uint8

const (
	optional use = 1 << iota // in quotes, or behind two dashes, as options are
	coded                    // called, set, or given a type
	member                   // taken from something
	program                  // in a file that is no test, no example and not aside
	dashed                   // behind two dashes
	defining                 // so in the program, in quotes: as options are defined
)

// inCode is how a name is used that is no word of a comment.
const inCode = optional | coded | member

type word struct {
	file, offset int32
	uses         use
}

// words are those of all texts but documents.
type words struct {
	files    []File
	at       map[string]*word
	fold     map[string]string // a word for each form without case and separators
	size     map[int][]string  // by length, for the search of near ones
	parts    map[string]bool   // the parts of all names; nil before they are asked for
	families map[string]int    // how many names in capitals begin with a word
}

// maxWord is how many bytes a name has at most.
const maxWord = 64

func readWords(files []File, code int) *words {
	w := &words{files: files, at: map[string]*word{}, fold: map[string]string{}, size: map[int][]string{}, families: map[string]int{}}
	for i := range files {
		var of use
		if i < code && files[i].Flags&(corpus.Test|corpus.Example|corpus.Vendored|corpus.Generated) == 0 {
			of = program
		}
		w.read(int32(i), of)
	}
	for name := range w.at {
		if f := foldName(name); f != "" {
			w.fold[f] = min(name, cmp.Or(w.fold[f], name))
		}
		if len(name) >= minNear && w.at[name].uses&program != 0 {
			w.size[len(name)] = append(w.size[len(name)], name)
			if prefix, _, ok := strings.Cut(name, "_"); ok && name == strings.ToUpper(name) {
				w.families[prefix]++
			}
		}
	}
	for _, list := range w.size {
		sort.Strings(list)
	}
	return w
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isWordByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '_'
}

// read takes the words of a file: those between hyphens, and those with them.
func (w *words) read(file int32, of use) {
	b := w.files[file].Text
	for i := 0; i < len(b); {
		if !isWordByte(b[i]) {
			i++
			continue
		}
		from, hyphens := i, 0
		part := i
		for i < len(b) && (isWordByte(b[i]) || isHyphenAt(b, i)) {
			if b[i] == '-' {
				hyphens++
				w.add(b, part, i, file, of)
				part = i + 1
			}
			i++
		}
		w.add(b, part, i, file, of)
		if hyphens > 0 {
			w.add(b, from, i, file, of)
		}
	}
}

// isHyphenAt reports whether a hyphen joins the word before it to one behind it.
func isHyphenAt(b []byte, i int) bool { return b[i] == '-' && i+1 < len(b) && isWordByte(b[i+1]) }

func (w *words) add(b []byte, from, to int, file int32, of use) {
	if to-from < 2 || to-from > maxWord || b[from] >= '0' && b[from] <= '9' {
		return
	}
	uses := of | usesAround(b, from, to)
	if language := w.files[file].Language; uses&program == 0 || !syntax.Source(language) || syntax.Inert(language) || syntax.Has(language, "data") {
		uses &^= defining
	}
	if have := w.at[string(b[from:to])]; have != nil {
		if of&program != 0 && have.uses&program == 0 {
			have.file, have.offset = file, int32(from)
		}
		have.uses |= uses
		return
	}
	w.at[string(b[from:to])] = &word{file, int32(from), uses}
}

// usesAround tells by the characters beside a word how it is used.
func usesAround(b []byte, from, to int) (uses use) {
	before, after := byte(0), byte(0)
	if from > 0 {
		before = b[from-1]
	}
	for k := to; k < len(b) && k < to+3; k++ {
		if after = b[k]; after != ' ' {
			break
		}
	}
	if from > 1 && before == '-' && b[from-2] == '-' {
		uses |= optional | dashed
		if opensOption(b[:from-2], b[to:]) {
			uses |= defining
		}
	} else if isQuotedOption(b, from, to) {
		uses |= optional
	}
	if strings.IndexByte(":=([?", after) >= 0 && after != 0 {
		uses |= coded
	}
	if strings.IndexByte(".$@>#:", before) >= 0 && before != 0 {
		uses |= member
	}
	return uses
}

// opensOption reports whether the dashes of an option are where its definition has them: behind a quotation mark, behind its short form,
// or before the bracket of a case.
func opensOption(before, after []byte) bool {
	trimmed := bytes.TrimRight(before, " ")
	switch {
	case len(trimmed) == 0:
		return false
	case len(trimmed) == len(before) && strings.IndexByte("\"'`|/", trimmed[len(trimmed)-1]) >= 0:
		return true
	}
	return trimmed[len(trimmed)-1] == ',' || len(after) > 0 && after[0] == ')'
}

// isQuotedOption reports whether a word stands behind a quotation mark, as an option does that is defined: alone, with its short form,
// or with its value.
func isQuotedOption(b []byte, from, to int) bool {
	if from == 0 || to == len(b) || strings.IndexByte("\"'`", b[from-1]) < 0 {
		return false
	}
	return b[to] == b[from-1] || strings.IndexByte("=,|: ", b[to]) >= 0
}

// foldName is a name without case and separators.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}

// has reports whether a name is written anywhere, in any case and with any separators.
func (w *words) has(name string) bool {
	if w.at[name] != nil {
		return true
	}
	f := foldName(name)
	if f == "" {
		return true
	}
	_, ok := w.fold[f]
	return ok
}

// uses returns how a name is used, in any case and with any separators.
func (w *words) uses(name string) use {
	uses := use(0)
	for _, form := range []string{name, w.fold[foldName(name)], strings.ReplaceAll(name, "-", "_"), strings.ReplaceAll(name, "_", "-")} {
		if have := w.at[form]; have != nil {
			uses |= have.uses
		}
	}
	return uses
}

// composes reports whether the code may put a name together of a prefix and the rest.
func (w *words) composes(name string) bool {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	for i := 1; i < len(parts); i++ {
		if i > 1 && w.at[strings.Join(parts[:i], "_")+"_"] != nil {
			return true // the prefix is there, with its last separator
		}
		rest := strings.Join(parts[i:], "_")
		if len(rest) > 2 && w.uses(rest)&inCode != 0 && (len(parts)-i > 1 || w.hasPrefixes(parts[0])) {
			return true
		}
	}
	return false
}

// hasPrefixes reports whether the code puts a prefix before names of one word.
func (w *words) hasPrefixes(prefix string) bool {
	return w.at[prefix+"_"] != nil || w.at["prefix"] != nil || w.at["env_prefix"] != nil
}

// minNear is how many letters a name has at least that is compared with others.
const minNear = 5

// near returns the words that a name misspells, best first, at most eight.
func (w *words) near(name string, wanted use) (out []string) {
	if len(name) >= 10 {
		return w.within(name, 2, wanted)
	}
	return w.within(name, 1, wanted)
}

// within returns the words that are at most so many letters from a name.
func (w *words) within(name string, limit int, wanted use) (out []string) {
	if len(name) < minNear || len(name) > maxWord {
		return nil
	}
	mask, best := letters(name), limit
	for n := len(name) - limit; n <= len(name)+limit; n++ {
		for _, other := range w.size[n] {
			if other[0]|0x20 != name[0]|0x20 && other[len(other)-1] != name[len(name)-1] || differ(mask, letters(other)) > 2*limit {
				continue
			}
			d := text.DistanceWithin(name, other, best)
			if d == 0 || d > best || w.at[other].uses&wanted == 0 {
				continue
			}
			if isAnother := d > 1 && isAddition(name, other); isAnother || differsInNumber(name, other) {
				continue
			}
			if d < best {
				best, out = d, nil
			}
			out = append(out, other)
		}
	}
	if len(out) > 8 {
		return nil // a name that is like many is a form of its own
	}
	return out
}

// isAddition reports whether a name has two letters more than another, or begins otherwise: such names are more often others than
// misspelled.
func isAddition(name, other string) bool {
	return max(len(name), len(other))-min(len(name), len(other)) > 1 || name[0] != other[0]
}

// nearest returns the first of the words that a name misspells, or "".
func (w *words) nearest(name string, wanted use) string {
	if all := w.near(name, wanted); len(all) > 0 {
		return all[0]
	}
	return ""
}

func letters(s string) (mask uint32) {
	for i := range len(s) {
		if c := s[i] | 0x20; c >= 'a' && c <= 'z' {
			mask |= 1 << (c - 'a')
		}
	}
	return mask
}

func differ(a, b uint32) (n int) {
	for x := a ^ b; x != 0; x &= x - 1 {
		n++
	}
	return n
}

// differsInNumber reports whether two names differ in digits: these are names of a series.
func differsInNumber(a, b string) bool {
	digits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, s)
	}
	return digits(a) != digits(b)
}

// place returns where a word is.
func (w *words) place(name string) *Place {
	have := w.at[name]
	if have == nil {
		return nil
	}
	f := &w.files[have.file]
	return &Place{f.Path, 1 + bytes.Count(f.Text[:have.offset], []byte("\n"))}
}

// declaration returns where the program declares a name, or nil. Files are read once for all names.
func (c *checker) declaration(name string) *Place {
	if at, asked := c.declared[name]; asked {
		return at
	}
	c.declared[name] = nil
	for i := range c.Code {
		f := &c.Code[i]
		if f.Flags&(corpus.Test|corpus.Example|corpus.Vendored|corpus.Generated) != 0 || !syntax.Source(f.Language) || !bytes.Contains(f.Text, []byte(name)) {
			continue
		}
		facts := syntax.Facts(f.Path, f.Language, f.Text)
		k := slices.IndexFunc(facts.Decls, func(d corpus.Decl) bool { return d.Name == name })
		if k < 0 {
			continue
		}
		c.declared[name] = &Place{f.Path, 1 + bytes.Count(f.Text[:facts.Decls[k].NameAt], []byte("\n"))}
		break
	}
	return c.declared[name]
}
