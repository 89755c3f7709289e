package setup

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/redact"
)

const (
	diffContext = 1    // lines around a change
	maxChanges  = 2000 // lines; past them everything between the first and the last is shown as changed
	maxLine     = 240  // bytes of a line; past them its middle is omitted
)

// show makes the diff of a step. Values that are not ours are not in it.
func (s *step) show() error {
	if s.action == "unchanged" {
		return nil
	}
	old, err := masked(s.part, s.old.text)
	if err != nil {
		return err
	}
	now, err := masked(s.part, s.text)
	if err != nil {
		return err
	}
	from, to := s.path, s.path
	if !s.old.exists {
		from, now = "/dev/null", lines(s.text) // nothing in it is anybody's
	}
	if s.action == "removed" {
		to = "/dev/null"
	}
	text := fmt.Sprintf("--- %s\n+++ %s\n%s", from, to, unified(lines(s.old.text), lines(s.text), old, now))
	safe, _ := redact.Text([]byte(text))
	s.diff = string(safe)
	return nil
}

// masked returns the lines of a text with what is private omitted: as many lines.
func masked(p part, text []byte) ([]string, error) {
	hidden, err := p.private(text)
	if err != nil {
		return nil, err
	}
	var edits []edit
	for _, h := range hidden {
		with := "…"
		if h.end-h.start > 1 && text[h.start] == '"' {
			with = `"…"`
		}
		breaks := bytes.Count(text[h.start:h.end], []byte("\n"))
		if with += strings.Repeat("\n", breaks); breaks > 0 && h.end == len(text) && text[h.end-1] != '\n' {
			with += "…" // the line that does not end
		}
		edits = append(edits, edit{h, with})
	}
	return lines(apply(text, edits...)), nil
}

// lines splits a text; the last line may lack its end.
func lines(text []byte) []string {
	out := strings.SplitAfter(string(text), "\n")
	if out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// A run is lines a[a0:a1] that became b[b0:b1].
type run struct{ a0, a1, b0, b1 int }

// unified writes the difference of a and b, of which it shows x and y.
func unified(a, b, x, y []string) string {
	runs := changes(a, b)
	var out strings.Builder
	for i := 0; i < len(runs); {
		n := i + 1
		for n < len(runs) && runs[n].a0-runs[n-1].a1 <= 2*diffContext {
			n++
		}
		first, last := runs[i], runs[n-1]
		lead, tail := min(diffContext, first.a0), min(diffContext, len(a)-last.a1)
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", bounds(first.a0-lead, last.a1+tail), bounds(first.b0-lead, last.b1+tail))
		for k := first.a0 - lead; k < first.a0; k++ {
			line(&out, ' ', x[k], "")
		}
		for k, r := range runs[i:n] {
			for l := r.a0; l < r.a1; l++ {
				other := ""
				if r.a1-r.a0 == r.b1-r.b0 {
					other = y[l-r.a0+r.b0]
				}
				line(&out, '-', x[l], other)
			}
			for l := r.b0; l < r.b1; l++ {
				other := ""
				if r.a1-r.a0 == r.b1-r.b0 {
					other = x[l-r.b0+r.a0]
				}
				line(&out, '+', y[l], other)
			}
			end := last.a1 + tail
			if i+k+1 < n {
				end = runs[i+k+1].a0
			}
			for l := r.a1; l < end; l++ {
				line(&out, ' ', x[l], "")
			}
		}
		i = n
	}
	return out.String()
}

// bounds writes a range of lines as diffs do: from 1, and 0 before the first.
func bounds(from, to int) string {
	n := to - from
	if n > 0 {
		from++
	}
	return fmt.Sprintf("%d,%d", from, n)
}

// line writes one line. Of a long one, what it shares with the line it stands
// against is omitted, and so is what is then too much.
func line(out *strings.Builder, sign byte, text, other string) {
	text = strings.TrimRight(text, "\r\n")
	if len(text) > maxLine && other != "" {
		const near = 40
		k := 0
		for k < min(len(text), len(other)) && text[k] == other[k] {
			k++
		}
		text, other = clip(text, k-near), clip(other, k-near)
		other = strings.TrimRight(other, "\r\n")
		k = 0
		for k < min(len(text), len(other)) && text[len(text)-1-k] == other[len(other)-1-k] {
			k++
		}
		if k > near {
			text = whole(text[:len(text)-k+near]) + "…"
		}
	}
	if len(text) > 2*maxLine {
		text = whole(text[:2*maxLine]) + "…"
	}
	fmt.Fprintf(out, "%c%s\n", sign, text)
}

// clip omits the first n bytes.
func clip(s string, n int) string {
	if n <= 0 || n > len(s) {
		return s
	}
	for n < len(s) && !utf8.RuneStart(s[n]) {
		n++
	}
	return "…" + s[n:]
}

// whole omits a character that was cut through at the end.
func whole(s string) string {
	for n := 1; n <= min(utf8.UTFMax, len(s)); n++ {
		if utf8.RuneStart(s[len(s)-n]) {
			if !utf8.FullRuneInString(s[len(s)-n:]) {
				return s[:len(s)-n]
			}
			break
		}
	}
	return s
}

// changes returns the runs of lines by which a differs from b, with the least
// number of lines (Myers, An O(ND) Difference Algorithm, 1986).
func changes(a, b []string) []run {
	lead := 0
	for lead < min(len(a), len(b)) && a[lead] == b[lead] {
		lead++
	}
	tail := 0
	for tail < min(len(a), len(b))-lead && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	a, b = a[lead:len(a)-tail], b[lead:len(b)-tail]
	if len(a)+len(b) == 0 {
		return nil
	}
	var runs []run
	for _, p := range path(a, b) {
		r := run{p.x, p.x, p.y, p.y}
		if p.down {
			r.b1++
		} else {
			r.a1++
		}
		if n := len(runs); n > 0 && runs[n-1].a1 == r.a0 && runs[n-1].b1 == r.b0 {
			runs[n-1].a1, runs[n-1].b1 = r.a1, r.b1
			continue
		}
		runs = append(runs, r)
	}
	if runs == nil {
		runs = []run{{0, len(a), 0, len(b)}}
	}
	for i := range runs {
		runs[i] = run{runs[i].a0 + lead, runs[i].a1 + lead, runs[i].b0 + lead, runs[i].b1 + lead}
	}
	return runs
}

// A move takes a line of a away (right) or puts one of b in (down) at (x, y).
type move struct {
	x, y int
	down bool
}

// path returns the moves of a shortest way from a to b, or nil if it is too long.
func path(a, b []string) []move {
	var trace [][]int
	size := min(len(a)+len(b), maxChanges)
	v := make([]int, 2*size+3)
	for d := 0; d <= size; d++ {
		trace = append(trace, slices.Clone(v[size+1-d-1:size+1+d+2]))
		for k := -d; k <= d; k += 2 {
			var x int
			if k == -d || k != d && v[size+k] < v[size+k+2] {
				x = v[size+k+2]
			} else {
				x = v[size+k] + 1
			}
			y := x - k
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			if v[size+1+k] = x; x >= len(a) && y >= len(b) {
				return back(trace, len(a), len(b))
			}
		}
	}
	return nil
}

// back walks the trace from the end. The row of distance d holds the diagonals
// -d-1 to d+1 as they were before that distance was tried.
func back(trace [][]int, x, y int) []move {
	var out []move
	for d := len(trace) - 1; d > 0; d-- {
		v, k := trace[d], x-y
		down := k == -d || k != d && v[k-1+d+1] < v[k+1+d+1]
		if down {
			x = v[k+1+d+1]
			y = x - k - 1
		} else {
			x = v[k-1+d+1]
			y = x - k + 1
		}
		out = append(out, move{x, y, down})
	}
	slices.Reverse(out)
	return out
}
