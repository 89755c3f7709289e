package regex

import "slices"

// An Op says how the parts of a Query combine.
type Op uint8

// The zero Query is All.
const (
	All  Op = iota // every text: nothing is known
	None           // no text
	And            // every trigram and every sub-query
	Or             // a trigram or a sub-query
)

// A Query is a condition on the trigrams of a text. Only And and Or have Trigrams, which
// are sorted, and Sub, in which there is neither All nor None.
type Query struct {
	Op       Op
	Trigrams []Gram
	Sub      []Query
}

// Match reports whether a text with the trigrams that has knows satisfies q.
func (q Query) Match(has func(Gram) bool) bool {
	lacks := func(g Gram) bool { return !has(g) }
	match := func(sub Query) bool { return sub.Match(has) }
	fails := func(sub Query) bool { return !sub.Match(has) }
	switch q.Op {
	case None:
		return false
	case And:
		return !slices.ContainsFunc(q.Trigrams, lacks) && !slices.ContainsFunc(q.Sub, fails)
	case Or:
		return slices.ContainsFunc(q.Trigrams, has) || slices.ContainsFunc(q.Sub, match)
	}
	return true
}

// size returns the number of trigrams in q.
func (q Query) size() int {
	n := len(q.Trigrams)
	for _, sub := range q.Sub {
		n += sub.size()
	}
	return n
}

// and returns the query for a text that satisfies every part.
func and(parts ...Query) Query {
	out := Query{Op: And}
	for _, q := range parts {
		switch q.Op {
		case None:
			return q
		case And:
			out.Trigrams = merge(out.Trigrams, q.Trigrams)
			out.Sub = append(out.Sub, q.Sub...)
		case Or:
			out.Sub = append(out.Sub, q)
		}
	}
	switch {
	case len(out.Trigrams) == 0 && len(out.Sub) == 0:
		return Query{Op: All}
	case len(out.Trigrams) == 0 && len(out.Sub) == 1:
		return out.Sub[0]
	}
	return out
}

// or returns the query for a text that satisfies one part. What every part asks
// for it asks for once.
func or(parts ...Query) Query {
	parts = weakest(parts)
	if len(parts) == 0 {
		return Query{Op: None}
	}
	var common []Gram
	for i, q := range parts {
		switch {
		case q.Op == All:
			return q
		case q.Op == Or:
			common = nil
		case i == 0:
			common = q.Trigrams
		default:
			common = intersect(common, q.Trigrams)
		}
	}
	shared := Query{Op: And, Trigrams: common}
	out := Query{Op: Or}
	for _, q := range parts {
		if q.Op == And {
			q = and(Query{Op: And, Trigrams: subtract(q.Trigrams, common), Sub: q.Sub})
		}
		switch {
		case q.Op == All:
			return and(shared)
		case q.Op == Or || len(q.Trigrams) == 1 && len(q.Sub) == 0:
			out.Trigrams = merge(out.Trigrams, q.Trigrams)
			out.Sub = append(out.Sub, q.Sub...)
		default:
			out.Sub = append(out.Sub, q)
		}
	}
	if len(out.Sub) == 0 && len(out.Trigrams) == 1 {
		out.Op = And
	}
	if len(out.Trigrams) == 0 && len(out.Sub) == 1 {
		out = out.Sub[0]
	}
	return and(shared, out)
}

// weakest returns the parts that are not None and, unless that takes long, not
// more than another part asks for.
func weakest(parts []Query) []Query {
	var out []Query
	for i, q := range parts {
		redundant := func(j int) bool {
			p := parts[j]
			return j != i && p.Op == And && q.Op == And && len(p.Sub) == 0 &&
				(len(p.Trigrams) < len(q.Trigrams) || j < i) && len(subtract(p.Trigrams, q.Trigrams)) == 0
		}
		drop := q.Op == None
		for j := 0; j < len(parts) && len(parts) <= 4*maxExact && !drop; j++ {
			drop = redundant(j)
		}
		if !drop {
			out = append(out, q)
		}
	}
	return out
}

// gramsOf returns the query for a text that contains folded, a folded text.
func gramsOf(folded string) Query {
	q := Query{Op: And}
	for i := 0; i+3 <= len(folded); i++ {
		q.Trigrams = append(q.Trigrams, Gram(folded[i])<<12|Gram(folded[i+1])<<6|Gram(folded[i+2]))
	}
	slices.Sort(q.Trigrams)
	q.Trigrams = slices.Compact(q.Trigrams)
	return and(q)
}

// The lists below are sorted sets.

func merge(a, b []Gram) []Gram {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

func intersect(a, b []Gram) []Gram {
	var out []Gram
	for _, g := range a {
		if _, ok := slices.BinarySearch(b, g); ok {
			out = append(out, g)
		}
	}
	return out
}

func subtract(a, b []Gram) []Gram {
	var out []Gram
	for _, g := range a {
		if _, ok := slices.BinarySearch(b, g); !ok {
			out = append(out, g)
		}
	}
	return out
}
