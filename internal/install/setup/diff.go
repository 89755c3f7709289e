package setup

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff/lcs"

	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/base/slice"
)

const (
	diffContext = 1   // lines around a change
	maxLine     = 240 // bytes of a line; past them its middle is omitted
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

// changes returns the runs of lines by which a differs from b.
func changes(a, b []string) []run {
	return slice.Map(lcs.DiffLines(a, b), func(d lcs.Diff) run { return run{d.Start, d.End, d.ReplStart, d.ReplEnd} })
}
