package regex

import (
	"math"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Literals are texts of which every match contains one.
type literals struct {
	needles   []needle // empty: nothing is known
	first     bool     // a match begins with one
	whole     bool     // a match is one, the first of them that occurs at its place
	foldsWide bool     // a needle has a letter that is also a character beyond ASCII
	hollow    bool     // no match has any text
}

const (
	maxNeedles   = 8
	maxNeedleLen = 1 << 12 // in bytes, of all needles together
	// maxRate is how often, by a rough guess, the needles may occur in a byte of
	// code before looking for them is slower than running the program.
	maxRate = 1.0 / 64
)

// findLiterals returns the best literals of a simplified tree.
func findLiterals(re *syntax.Regexp) literals {
	f := literalFinder{folds: foldsASCII(re)}
	l := f.find(re)
	var out literals
	if l.exact != nil && !l.loose && !slices.Contains(l.exact, "") {
		l.best, out.first, out.whole = l.exact, true, true
	} else if l = l.offer(l.exact, true); f.rate(l.best) < maxRate {
		out.first = l.first
	} else {
		return literals{hollow: slices.Equal(l.exact, []string{""})}
	}
	for _, text := range l.best {
		out.needles = append(out.needles, newNeedle(text, f.folds))
		out.foldsWide = out.foldsWide || f.folds && strings.ContainsAny(text, "ks")
	}
	return out
}

// foldsASCII reports whether re has a letter that matches in either case.
func foldsASCII(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 {
		return slices.ContainsFunc(re.Rune, func(r rune) bool { return foldedASCII(r) != 0 })
	}
	return slices.ContainsFunc(re.Sub, foldsASCII)
}

// foldedASCII returns the lower-case ASCII letter that r is a case of, or 0.
func foldedASCII(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z':
		return r
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r == longS:
		return 's'
	case r == kelvin:
		return 'k'
	}
	return 0
}

// A literalFinder knows whether needles fold case: then all literals are in lower
// case, and where the pattern does not fold they are loose.
type literalFinder struct{ folds bool }

// found is what is known of the matches of a part of a pattern.
type found struct {
	exact []string // every text it matches, preferred ones first; nil: too many
	loose bool     // it matches these texts only in some case or surroundings
	best  []string // every match contains one of these
	first bool     // and begins with it
}

func (f literalFinder) find(re *syntax.Regexp) found {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return found{exact: []string{""}}
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return found{exact: []string{""}, loose: true}
	case syntax.OpLiteral:
		return f.literal(re)
	case syntax.OpCharClass:
		return f.class(re.Rune)
	case syntax.OpCapture:
		return f.find(re.Sub[0])
	case syntax.OpPlus:
		l := f.find(re.Sub[0])
		l = l.offer(l.exact, true)
		return found{best: l.best, first: l.first}
	case syntax.OpQuest:
		l := f.find(re.Sub[0])
		if l.exact == nil {
			return found{}
		}
		if re.Flags&syntax.NonGreedy != 0 {
			return found{exact: union([]string{""}, l.exact), loose: l.loose}
		}
		return found{exact: union(l.exact, []string{""}), loose: l.loose}
	case syntax.OpConcat:
		return f.concat(re.Sub)
	case syntax.OpAlternate:
		return f.alternate(re.Sub)
	}
	return found{}
}

func (f literalFinder) literal(re *syntax.Regexp) found {
	classes := make([]*syntax.Regexp, len(re.Rune))
	for i, r := range re.Rune {
		classes[i] = &syntax.Regexp{Op: syntax.OpCharClass, Rune: []rune{r, r}}
		if re.Flags&syntax.FoldCase != 0 {
			classes[i].Rune = foldedRanges(r)
		}
	}
	return f.concat(classes)
}

func (f literalFinder) class(ranges []rune) found {
	var out found
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > 2*maxNeedles || len(out.exact) > 2*maxNeedles {
			return found{}
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if r == utf8.RuneError || !utf8.ValidRune(r) {
				return found{} // invalid bytes match it too
			}
			text := string(r)
			if c := foldedASCII(r); c != 0 && f.folds {
				text = string(c)
				out.loose = out.loose || !hasRune(ranges, c) || !hasRune(ranges, unicode.ToUpper(c))
			}
			out.exact = union(out.exact, []string{text})
		}
	}
	if len(out.exact) > maxNeedles {
		return found{}
	}
	return out
}

func (f literalFinder) concat(subs []*syntax.Regexp) found {
	var out found
	run, all, start := []string{""}, true, true // start: nothing comes before run
	for _, sub := range subs {
		l := f.find(sub)
		out.loose = out.loose || l.loose
		if l.exact != nil {
			if longer := cross(run, l.exact); longer != nil {
				run = longer
				continue
			}
			out = f.better(out, run, start)
			run, all, start = l.exact, false, false
			continue
		}
		out = f.better(out, run, start)
		out = f.better(out, l.best, l.first && start && len(run) == 1 && run[0] == "")
		run, all, start = []string{""}, false, false
	}
	if all {
		out.exact = run
		return out
	}
	return f.better(out, run, start)
}

func (f literalFinder) alternate(subs []*syntax.Regexp) found {
	var exact, best []string
	loose, first := false, true
	for i, sub := range subs {
		l := f.find(sub)
		loose = loose || l.loose
		if l.exact == nil || i > 0 && exact == nil {
			exact = nil
		} else {
			exact = union(exact, l.exact)
		}
		l = l.offer(l.exact, true)
		first = first && l.first
		best = union(best, l.best)
		if len(l.best) == 0 || len(best) > maxNeedles {
			return found{}
		}
	}
	if exact != nil {
		return found{exact: exact, loose: loose}
	}
	return found{best: best, first: first}
}

// offer returns l with texts for its best if it knows them: exact beats best.
func (l found) offer(texts []string, first bool) found {
	if texts != nil {
		l.best, l.first = texts, first
	}
	return l
}

// better returns l with texts for its best if they are rarer.
func (f literalFinder) better(l found, texts []string, first bool) found {
	if f.rate(texts) < f.rate(l.best) {
		l.best, l.first = texts, first
	}
	return l
}

// rate guesses how often one of texts begins at a byte of code.
func (f literalFinder) rate(texts []string) float64 {
	if len(texts) == 0 {
		return math.Inf(1)
	}
	sum := 0.0
	for _, text := range texts {
		if text == "" {
			return math.Inf(1)
		}
		rarest := 0
		for i := range len(text) {
			rarest = max(rarest, rarity(text[i]))
		}
		// A quarter of the bytes that precede one of two is the byte one expects.
		sum += .15 * math.Pow(.93, float64(rarest)) * math.Pow(.25, float64(len(text)-1))
	}
	return sum
}

// union returns the texts of a, then those of b that are not among them.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// cross returns every text of a followed by every text of b, in order of
// preference, or nil if they are too many.
func cross(a, b []string) []string {
	if a == nil || b == nil || len(a)*len(b) > maxNeedles {
		return nil
	}
	out, size := []string{}, 0
	for _, s := range a {
		for _, t := range b {
			size += len(s) + len(t)
			out = union(out, []string{s + t})
		}
	}
	if size > maxNeedleLen {
		return nil
	}
	return out
}
