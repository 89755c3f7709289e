package release

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A span is the releases from one on and before another; with last that one too.
type span struct {
	from, to          release
	after, last, open bool // not from itself; to itself too; no end
	excludes          bool // the releases of the span are those that are not allowed
}

// ranges are alternatives, each of which has to hold in all its spans.
type ranges [][]span

var (
	bounded  = lazy.Regexp(`(~>|~=|===?|!=|>=|<=|\^|~|>|<)?\s*v?(\d+(?:\.(?:\d+|[xX*]))*(?:\.[xX*])?(?:[-+.]?[A-Za-z][\w.+-]*)?|[xX*])`)
	hyphen   = lazy.Regexp(`^\s*v?(\d[\w.+-]*)\s+-\s+v?(\d[\w.+-]*)\s*$`)
	interval = lazy.Regexp(`^\s*([\[(])\s*(\d[\w.+-]*)?\s*(,)?\s*(\d[\w.+-]*)?\s*([\])])\s*$`)
)

// parse reads a range: "^18.0.0" and "~1.2" as npm and Cargo mean them, "~=1.4" as Python
// does, "~> 1.4" as Ruby, "[1.0,2.0)" as Maven and NuGet, "1.x", ">=1 <2", ">=1,<2",
// "1.2 - 1.4" and alternatives with "||". It is not ok where nothing but a version is there.
func parse(s string) (out ranges, ok bool) {
	if !strings.ContainsAny(s, "^~<>=|*![(, ") && !strings.HasSuffix(strings.ToLower(s), ".x") || len(s) > 200 {
		return nil, false
	}
	for alternative := range strings.SplitSeq(s, "||") {
		all, ok := spans(alternative)
		if !ok {
			return nil, false
		}
		out = append(out, all)
	}
	return out, true
}

func spans(s string) (all []span, ok bool) {
	if m := hyphen.FindStringSubmatch(s); m != nil {
		to := readRelease(m[2])
		if len(to.numbers) < 3 { // "1.2 - 2" ends before 3
			return []span{{from: readRelease(m[1]), to: next(to, len(to.numbers)-1)}}, true
		}
		return []span{{from: readRelease(m[1]), to: to, last: true}}, true
	}
	if m := interval.FindStringSubmatch(s); m != nil {
		one := span{from: readRelease(m[2]), to: readRelease(m[4]), after: m[1] == "(", last: m[5] == "]", open: m[4] == ""}
		if m[3] == "" { // "[1.0]" is that one
			one.to, one.last, one.open = one.from, true, false
		}
		return []span{one}, true
	}
	rest := bounded.ReplaceAllString(s, "")
	found := bounded.FindAllStringSubmatch(s, -1)
	if len(found) == 0 || strings.Trim(rest, ", \t") != "" {
		return nil, false
	}
	for _, m := range found {
		one, ok := bound(m[1], m[2])
		if !ok {
			return nil, false
		}
		all = append(all, one)
	}
	return all, slices.ContainsFunc(all, func(s span) bool { return !s.excludes })
}

// bound returns what an operator and a version allow.
func bound(op, version string) (span, bool) {
	if op == "!=" {
		one, ok := bound("==", version)
		one.excludes = true
		return one, ok
	}
	wild := strings.ContainsAny(version, "xX*") && !strings.ContainsAny(strings.TrimRight(strings.ToLower(version), "x*."), "abcdefghijklmnopqrstuvwyz")
	if wild {
		version = strings.TrimRight(strings.ToLower(version), "x*.")
	}
	r := readRelease(version)
	n := len(r.numbers)
	if wild && n == 0 {
		return span{open: true}, true // "*"
	}
	switch op {
	case "", "=", "==", "===":
		if wild || op == "" && n < 3 {
			return span{from: r, to: next(r, n-1)}, true
		}
		return span{from: r, to: r, last: true}, true
	case ">=":
		return span{from: r, open: true}, true
	case ">":
		return span{from: r, after: true, open: true}, true
	case "<=":
		return span{to: r, last: true}, true
	case "<":
		return span{to: r}, true
	case "^": // the first number that is not 0 stays
		at := slices.IndexFunc(r.numbers, func(x int) bool { return x != 0 })
		if at < 0 {
			at = n - 1
		}
		return span{from: r, to: next(r, at)}, true
	case "~":
		return span{from: r, to: next(r, min(1, n-1))}, true
	case "~>", "~=": // all but the last number stay
		return span{from: r, to: next(r, max(0, n-2))}, true
	}
	return span{}, false
}

// next returns the first release after all that begin as r does up to a number.
func next(r release, at int) release {
	out := release{label: r.label, numbers: slices.Clone(r.numbers[:min(at+1, len(r.numbers))])}
	if len(out.numbers) > 0 {
		out.numbers[len(out.numbers)-1]++
	}
	return out
}

// allows reports whether a range holds of a release.
func (all ranges) allows(r release) bool {
	return len(r.numbers) > 0 && slices.ContainsFunc(all, func(spans []span) bool {
		named := r.pre == ""
		for _, s := range spans {
			if s.holds(r) == s.excludes {
				return false
			}
			for _, end := range []release{s.from, s.to} {
				named = named || end.pre != "" && slices.Equal(end.numbers, r.numbers)
			}
		}
		return named
	})
}

// holds reports whether a release is in a span.
func (s *span) holds(r release) bool {
	c, d := r.compare(s.from), r.compare(s.to)
	if c < 0 || c == 0 && s.after {
		return false
	}
	return s.open || d < 0 || d == 0 && s.last
}

// Nearest returns which of labels, newest first, stands in best for a version or a range that none of them is: of the same
// first number, then the nearest before it, then the nearest after it. Without a version among them it is the first.
func Nearest(labels []string, want string) string {
	w := readRelease(want)
	if r, ok := parse(want); ok && len(r) > 0 && len(r[len(r)-1]) > 0 {
		first := r[len(r)-1][0]
		if w = first.from; len(w.numbers) == 0 {
			w = first.to
		}
	}
	if len(labels) == 0 || len(w.numbers) == 0 {
		return strings.Join(labels[:min(1, len(labels))], "")
	}
	best := release{label: labels[0]}
	for _, l := range labels {
		if r := readRelease(l); len(r.numbers) > 0 && (len(best.numbers) == 0 || w.nearer(r, best)) {
			best = r
		}
	}
	return best.label
}

// nearer reports whether a is nearer to a release than b is.
func (r release) nearer(a, b release) bool {
	if inA, inB := a.numbers[0] == r.numbers[0], b.numbers[0] == r.numbers[0]; inA != inB {
		return inA
	}
	beforeA, beforeB := a.compare(r) <= 0, b.compare(r) <= 0
	if beforeA != beforeB {
		return beforeA
	}
	return beforeA == (a.compare(b) > 0)
}

// Meant returns the label of those in any order that want means, for a source that has them
// as tags: "" where none but an older one would do.
func Meant(labels []string, want string) string {
	sorted := slices.Clone(labels)
	NewestFirst(sorted)
	label, how := Pick(sorted, want)
	if how < Line {
		return ""
	}
	return label
}
