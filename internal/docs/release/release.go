// Package release reads labels of versions and ranges of them, as the ecosystems of packages
// write them, and picks the release that is meant.
//
// Whatever a label says, releases have one order; a range never picks a pre-release that it
// does not name.
package release

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// Latest is the label of what names no version.
const Latest = "latest"

// A release is a version label, read as far as it can be.
type release struct {
	label   string
	numbers []int  // none: not a version, as "latest" and "main"
	pre     string // "rc.1", "canary.87"; "" of a release
}

// readRelease reads "v5.6.3", "rel_2_0_52", "svelte@5.1.0", "5x", "16.0.0-canary.3".
func readRelease(label string) release {
	r := release{label: label}
	s := label[strings.LastIndexByte(label, '@')+1:]
	start := strings.IndexAny(s, "0123456789")
	if start < 0 {
		return r
	}
	s = s[start:]
	for len(r.numbers) < 6 {
		n, i := 0, 0
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			n = min(n*10+int(s[i]-'0'), 1<<30)
			i++
		}
		if i == 0 {
			break
		}
		r.numbers = append(r.numbers, n)
		s = s[i:]
		if len(s) < 2 || s[0] != '.' && s[0] != '_' || s[1] < '0' || s[1] > '9' {
			break
		}
		s = s[1:]
	}
	s, _, _ = strings.Cut(s, "+")
	s = strings.ToLower(strings.TrimLeft(s, "._-"))
	if s != "x" && s != "*" && s != "x.x" {
		r.pre = s
	}
	return r
}

// compare orders releases from old to new; pre-releases come before what they
// precede.
func (r release) compare(o release) int {
	for i := range max(len(r.numbers), len(o.numbers)) {
		if c := cmp.Compare(at(r.numbers, i), at(o.numbers, i)); c != 0 {
			return c
		}
	}
	switch {
	case r.pre == o.pre:
		return 0
	case r.pre == "":
		return 1
	case o.pre == "":
		return -1
	}
	return comparePre(r.pre, o.pre)
}

// comparePre compares the parts of two pre-releases, numbers as numbers.
func comparePre(a, b string) int {
	for a != "" && b != "" {
		x, y := leading(a), leading(b)
		if c := cmp.Compare(x, y); c != 0 && isDigit(x[0]) && isDigit(y[0]) {
			x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
		} else if c != 0 {
			return c
		}
		a, b = a[len(leading(a)):], b[len(leading(b)):]
	}
	return cmp.Compare(len(a), len(b))
}

// leading returns the digits, or what is none, that s begins with.
func leading(s string) string {
	for i := 1; i < len(s); i++ {
		if isDigit(s[i]) != isDigit(s[0]) {
			return s[:i]
		}
	}
	return s
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func at(n []int, i int) int {
	if i < len(n) {
		return n[i]
	}
	return 0
}

// NewestFirst sorts labels: those that name no version, since they are what is
// current; releases; pre-releases.
func NewestFirst(labels []string) {
	rank := func(r release) int {
		switch {
		case strings.EqualFold(r.label, Latest):
			return 0
		case len(r.numbers) == 0:
			return 1
		case r.pre == "":
			return 2
		}
		return 3
	}
	sorting.Stable(labels, func(a, b string) int {
		x, y := readRelease(a), readRelease(b)
		return cmp.Or(cmp.Compare(rank(x), rank(y)), y.compare(x), cmp.Compare(a, b))
	})
}

// A Match says how the release that was picked fits what was asked for.
type Match int

// The matches.
const (
	None  Match = iota
	Older       // what was asked for is not there; this is the nearest before it
	Line        // "15" asks for the newest of 15, "^15.1" for the newest that it allows
	Same
)

// Pick returns which of labels, newest first, a question for want means: a label, a version,
// the beginning of one, or a range. A range that allows none picks none.
func Pick(labels []string, want string) (label string, how Match) {
	if len(labels) == 0 {
		return "", None
	}
	if want == "" {
		return labels[0], Same
	}
	for _, l := range labels {
		if strings.EqualFold(l, want) {
			return l, Same
		}
	}
	if strings.EqualFold(want, Latest) {
		return labels[0], Same
	}
	if r, ok := parse(want); ok {
		var best release
		for _, l := range labels {
			if o := readRelease(l); r.allows(o) && better(o, best) {
				best = o
			}
		}
		if best.label == "" {
			return "", None
		}
		return best.label, Line
	}
	w := readRelease(want)
	if len(w.numbers) == 0 {
		return "", None
	}
	var line, older release
	for _, l := range labels {
		r := readRelease(l)
		if len(r.numbers) == 0 {
			continue
		}
		if r.compare(w) == 0 && len(r.numbers) == len(w.numbers) {
			return l, Same // "v5.1" and "5.1"
		}
		// "15" asks for the newest of 15.
		if w.pre == "" && len(r.numbers) > len(w.numbers) && slices.Equal(r.numbers[:len(w.numbers)], w.numbers) && better(r, line) {
			line = r
		}
		if r.compare(w) < 0 && better(r, older) {
			older = r
		}
	}
	if line.label != "" {
		return line.label, Line
	}
	if older.label != "" {
		return older.label, Older
	}
	return "", None
}

// better reports whether r is a better stand-in than than: newer, and a release
// before any pre-release.
func better(r, than release) bool {
	if than.label == "" || (r.pre == "") != (than.pre == "") {
		return than.label == "" || r.pre == ""
	}
	return r.compare(than) > 0
}
