package subword

import (
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// What Unicode 14 says of decompositions (forms.txt, packed as forms.pack, written by testdata/forms.py
// from the Unicode Character Database): a line for a character, what it is made of
// after = or, where that is only like it, after ~; and lines "class from-to" of
// combining marks.
//
//go:embed forms.pack
var formsPack string

var formsText = lazy.Deflated(formsPack)

// forms are the normalization forms of Unicode Standard Annex 15.
type forms struct {
	canonical map[rune][]rune // one step
	like      map[rune][]rune
	pairs     map[[2]rune]rune
	class     map[rune]uint8
}

// readForms reads the table when a tokenizer first needs it: most do not.
var readForms = sync.OnceValues(func() (*forms, error) { return parseForms(formsText()) })

func parseForms(text string) (*forms, error) {
	f := &forms{map[rune][]rune{}, map[rune][]rune{}, map[[2]rune]rune{}, map[rune]uint8{}}
	bad := errors.New("the table of normalization forms is damaged")
	number := func(s string) rune {
		n, err := strconv.ParseUint(s, 16, 21)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if at := strings.IndexAny(line, "=~!"); at > 0 {
			c := number(line[:at])
			to := slice.Map(strings.Fields(line[at+1:]), number)
			if c < 0 || len(to) == 0 || slices.Contains(to, -1) {
				return nil, bad
			}
			if line[at] == '~' {
				f.like[c] = to
				continue
			}
			f.canonical[c] = to
			if line[at] == '=' && len(to) == 2 {
				f.pairs[[2]rune(to)] = c
			}
			continue
		}
		class, span, ok := strings.Cut(line, " ")
		n, err := strconv.ParseUint(class, 10, 8)
		from, to, _ := strings.Cut(span, "-")
		a, b := number(from), number(to)
		if !ok || err != nil || a < 0 || b < a || b-a > 256 {
			return nil, bad
		}
		for c := a; c <= b; c++ {
			f.class[c] = uint8(n)
		}
	}
	return f, nil
}

// The syllables of Hangul are computed (The Unicode Standard, section 3.12).
const (
	hangul, hangulL, hangulV, hangulT = 0xac00, 0x1100, 0x1161, 0x11a7
	countL, countV, countT            = 19, 21, 28
)

// normal returns s decomposed, with what is only like it too if so asked, and
// composed again if so asked.
func (f *forms) normal(s string, compose, like bool) string {
	plain := true // every form leaves ASCII alone
	for i := range len(s) {
		plain = plain && s[i] < 0x80
	}
	if plain {
		return s
	}
	out := make([]rune, 0, len(s))
	for _, r := range s {
		out = f.decompose(out, r, like, 0)
	}
	for from := 0; from < len(out); {
		if f.class[out[from]] == 0 {
			from++
			continue
		}
		to := from
		for to < len(out) && f.class[out[to]] != 0 {
			to++
		}
		sorting.Stable(out[from:to], func(a, b rune) int { return int(f.class[a]) - int(f.class[b]) })
		from = to
	}
	if compose {
		out = f.compose(out)
	}
	return string(out)
}

func (f *forms) decompose(out []rune, r rune, like bool, depth int) []rune {
	if r < 0x80 || depth > 20 {
		return append(out, r)
	}
	if n := r - hangul; n >= 0 && n < countL*countV*countT {
		out = append(out, hangulL+n/(countV*countT), hangulV+n%(countV*countT)/countT)
		if t := n % countT; t > 0 {
			out = append(out, hangulT+t)
		}
		return out
	}
	to, ok := f.canonical[r]
	if !ok && like {
		to, ok = f.like[r]
	}
	if !ok {
		return append(out, r)
	}
	for _, c := range to {
		out = f.decompose(out, c, like, depth+1)
	}
	return out
}

// compose joins marks with what they stand on, in place.
func (f *forms) compose(in []rune) []rune {
	out := in[:0]
	starter := -1
	last := -1 // the class before r, of what has not been joined
	for _, r := range in {
		class := int(f.class[r])
		if starter >= 0 && (last < class || last == -1) {
			if c, ok := f.join(out[starter], r); ok {
				out[starter] = c
				continue
			}
		}
		if class == 0 {
			starter, last = len(out), -1
		} else {
			last = class
		}
		out = append(out, r)
	}
	return out
}

func (f *forms) join(a, b rune) (rune, bool) {
	if l, v := a-hangulL, b-hangulV; l >= 0 && l < countL && v >= 0 && v < countV {
		return hangul + (l*countV+v)*countT, true
	}
	if n, t := a-hangul, b-hangulT; n >= 0 && n < countL*countV*countT && n%countT == 0 && t > 0 && t < countT {
		return a + t, true
	}
	c, ok := f.pairs[[2]rune{a, b}]
	return c, ok
}
