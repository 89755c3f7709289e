package regex

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/slice"
)

// This is the algebra of Russ Cox, "Regular Expression Matching with a Trigram
// Index" (2012): of every part of a pattern it is known which folded texts it
// matches, if they are few, and otherwise how they begin and end and which trigrams
// they must contain.

const (
	maxExact = 16   // texts a part may match before only their ends are kept
	maxEnds  = 16   // beginnings or ends of a part
	maxJoins = 64   // texts across the border between two parts
	maxText  = 1024 // bytes of all exact texts together
	maxQuery = 8192 // trigrams of a query
)

// A need is what is known of the folded texts that a part of a pattern matches.
// The lists are sorted. If exact is nil, every text begins with one of head, ends
// with one of tail, and a text around it satisfies query; head and tail are at
// most two bytes long, since longer ones are in the query.
type need struct {
	exact      []string
	head, tail []string
	query      Query
}

// queryOf returns what a text must contain for a match of the simplified tree re.
func queryOf(re *syntax.Regexp) Query {
	q := needOf(re).open().query
	if q.size() > maxQuery {
		return Query{}
	}
	return q
}

// anything is the need of a part of which nothing is known.
func anything() need { return need{head: []string{""}, tail: []string{""}} }

func needOf(re *syntax.Regexp) need {
	switch re.Op {
	case syntax.OpNoMatch:
		return need{query: Query{Op: None}}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return need{exact: []string{""}}
	case syntax.OpLiteral:
		return literalNeed(re)
	case syntax.OpCharClass:
		return classNeed(re.Rune)
	case syntax.OpCapture:
		return needOf(re.Sub[0])
	case syntax.OpQuest:
		return needOf(re.Sub[0]).or(need{exact: []string{""}})
	case syntax.OpPlus:
		return needOf(re.Sub[0]).open()
	case syntax.OpConcat:
		n := need{exact: []string{""}}
		for _, sub := range re.Sub {
			n = n.then(needOf(sub))
		}
		return n
	case syntax.OpAlternate:
		return alternateNeed(re.Sub)
	}
	return anything()
}

// alternateNeed halves subs, since a long alternation grows a long query.
func alternateNeed(subs []*syntax.Regexp) need {
	if len(subs) == 1 {
		return needOf(subs[0])
	}
	half := len(subs) / 2
	return alternateNeed(subs[:half]).or(alternateNeed(subs[half:]))
}

func literalNeed(re *syntax.Regexp) need {
	n := need{exact: []string{""}}
	for i := 0; i < len(re.Rune); {
		// Characters that are one folded text each go together.
		var plain []byte
		for ; i < len(re.Rune) && re.Rune[i] != utf8.RuneError && oneFolding(re.Rune[i], re.Flags); i++ {
			plain = foldRune(plain, re.Rune[i])
		}
		if len(plain) > 0 {
			n = n.then(need{exact: []string{string(plain)}})
			continue
		}
		n = n.then(classNeed(foldedRanges(re.Rune[i])))
		i++
	}
	return n
}

// oneFolding reports whether all that r matches is the same once folded.
func oneFolding(r rune, flags syntax.Flags) bool {
	return flags&syntax.FoldCase == 0 || foldedASCII(r) != 0 || unicode.SimpleFold(r) == r
}

func classNeed(ranges []rune) need {
	var exact []string
	for i := 0; i < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > 2*maxExact || len(exact) > 4*maxExact {
			return anything()
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if r == utf8.RuneError || !utf8.ValidRune(r) {
				return anything() // bytes that are not UTF-8 match it too
			}
			exact = append(exact, string(foldRune(nil, r)))
		}
	}
	if exact = sorted(exact); len(exact) > maxExact {
		return anything()
	}
	return need{exact: exact}
}

// open forgets which texts n matches, but for their ends and their trigrams.
func (n need) open() need {
	if n.exact == nil {
		return n
	}
	parts := slice.Map(n.exact, gramsOf)
	return need{head: ends(n.exact, false), tail: ends(n.exact, true), query: or(parts...)}
}

// ends returns the last two bytes of each text, or the first two; fewer if they
// are too many.
func ends(texts []string, last bool) []string {
	for keep := 2; keep > 0; keep-- {
		var out []string
		for _, s := range texts {
			if k := min(keep, len(s)); last {
				out = append(out, s[len(s)-k:])
			} else {
				out = append(out, s[:k])
			}
		}
		out = sorted(out)
		if len(out) <= maxEnds {
			return out
		}
	}
	return []string{""}
}

// or returns the need of a part that is n or m.
func (n need) or(m need) need {
	if n.exact != nil && m.exact != nil {
		if both := sorted(slices.Concat(n.exact, m.exact)); fits(both) {
			return need{exact: both}
		}
	}
	if n.query.Op == None {
		return m
	}
	if m.query.Op == None {
		return n
	}
	n, m = n.open(), m.open()
	return need{
		head:  ends(slices.Concat(n.head, m.head), false),
		tail:  ends(slices.Concat(n.tail, m.tail), true),
		query: or(n.query, m.query),
	}
}

// then returns the need of a part that is n followed by m.
func (n need) then(m need) need {
	if n.exact != nil && m.exact != nil && len(n.exact)*len(m.exact) <= maxExact {
		if all := joins(n.exact, m.exact); fits(all) {
			return need{exact: all}
		}
	}
	a, b := n.open(), m.open()
	if a.query.Op == None || b.query.Op == None {
		return need{query: Query{Op: None}}
	}
	out := need{head: a.head, tail: b.tail, query: and(a.query, b.query)}
	// A short text is no more than part of an end.
	if n.exact != nil && len(n.exact)*len(b.head) <= maxJoins {
		out.head = ends(joins(n.exact, b.head), false)
	}
	if m.exact != nil && len(a.tail)*len(m.exact) <= maxJoins {
		out.tail = ends(joins(a.tail, m.exact), true)
	}
	if len(a.tail)*len(b.head) <= maxJoins {
		parts := slice.Map(joins(a.tail, b.head), gramsOf)
		out.query = and(out.query, or(parts...))
	}
	return out
}

// joins returns every text of a followed by every text of b.
func joins(a, b []string) []string {
	var out []string
	for _, s := range a {
		for _, t := range b {
			out = append(out, s+t)
		}
	}
	return sorted(out)
}

func fits(texts []string) bool {
	return len(texts) <= maxExact && len(strings.Join(texts, "")) <= maxText
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}
