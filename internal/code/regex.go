package code

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/regex"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// regex answers with every line that matches a pattern, in the order of paths.
func (f *Feature) regex(ctx context.Context, e *engine.Engine, v *engine.View, r *request, a *SearchAnswer) error {
	a.regex = true
	hits, total, scan, err := f.match(ctx, e, v, r, r.in.Query)
	if other := beforeCR(&r.in); err == nil && total == 0 && other != "" {
		// Like ripgrep, $ is behind the CR of a line that ends with CR LF, but the asker means the end of the line.
		if hits, total, scan, err = f.match(ctx, e, v, r, other); total > 0 {
			a.Notes = append(a.Notes, fmt.Sprintf("no line ends so before LF alone; these end with CR LF, as the pattern %#q finds them", other))
		}
	}
	if err != nil {
		return err
	}
	a.Pagination.Available = total
	err = f.page(ctx, v, r, a, total, func(i int) (SearchHit, bool) {
		return hits[i-r.offset], true
	})
	if left := scan.LeftOut(v); left != "" {
		a.Notes = append(a.Notes, "left out: "+left)
	}
	return err
}

// match returns the hits of a page, and how many there are.
func (f *Feature) match(
	ctx context.Context, e *engine.Engine, v *engine.View, r *request, pattern string,
) (hits []SearchHit, total int, scan engine.Scan, err error) {
	p, err := regex.Compile(pattern, regex.Options{IgnoreCase: r.in.IgnoreCase, SmartCase: r.in.SmartCase,
		Fixed: r.in.Fixed, Word: r.in.Word, Multiline: r.in.Multiline})
	if err != nil {
		return nil, 0, scan, err
	}
	// Only the page is kept; hits before and after it are counted.
	kept := cmp.Or(r.in.PageSize, int(^uint(0)>>1))
	scan, err = v.Match(ctx, p, r.filter.doc, func(m engine.FileMatch) bool {
		if r.in.NoTests {
			leaveOutTests(&m)
		}
		for _, s := range f.stretches(&m, max(r.in.Before, r.in.Context), max(r.in.After, r.in.Context)) {
			if r.in.TopK > 0 && total >= r.in.TopK {
				return false
			}
			if total >= r.offset && len(hits) < kept {
				hits = append(hits, f.lineHit(e, v, &m, s, r))
			}
			total++
		}
		return ctx.Err() == nil
	})
	return hits, total, scan, err
}

// leaveOutTests drops the matches in tests that stand beside the code.
func leaveOutTests(m *engine.FileMatch) {
	var tests []corpus.Span
	for _, d := range syntax.Facts(m.Path, m.Language, m.Text).Decls {
		if d.IsTest() {
			tests = append(tests, d.Span)
		}
	}
	m.Matches = slices.DeleteFunc(m.Matches, func(x regex.Match) bool {
		return slices.ContainsFunc(tests, func(s corpus.Span) bool { return s.Start <= x.Start && x.Start < s.End })
	})
}

// beforeCR returns a pattern that ends with $ as one whose matches may end before a CR, or "".
func beforeCR(in *SearchInput) string {
	head, ok := strings.CutSuffix(in.Query, "$")
	if !ok || head == "" || in.Fixed {
		return ""
	}
	escapes := len(head) - len(strings.TrimRight(head, `\`))
	if escapes%2 == 1 || strings.HasSuffix(head, `\r`) {
		return ""
	}
	return head + `\r?$`
}

// A stretch is matching lines that are shown as one, with those around them.
type stretch struct {
	match corpus.Span // the matching lines
	shown corpus.Span
	line  int // of shown's start
	focus int // the first matching line, counted from line
	found []corpus.Span
}

// stretches returns the matching lines of a file, each line once, with so many
// lines before and after.
func (f *Feature) stretches(m *engine.FileMatch, before, after int) []stretch {
	var out []stretch
	for _, one := range m.Matches {
		if n := len(out); n > 0 && one.LineSpan.Start < out[n-1].match.End {
			out[n-1].match.End = max(out[n-1].match.End, one.LineSpan.End)
			out[n-1].found = append(out[n-1].found, one.Span)
			continue
		}
		out = append(out, stretch{match: one.LineSpan, shown: one.LineSpan, line: one.Line, found: []corpus.Span{one.Span}})
	}
	for i := range out {
		s := &out[i]
		s.shown = s.match
		for range before {
			if s.shown.Start == 0 {
				break
			}
			s.shown.Start = 1 + bytes.LastIndexByte(m.Text[:s.shown.Start-1], '\n')
			s.line--
			s.focus++
		}
		for range after {
			if s.shown.End >= len(m.Text)-1 {
				break
			}
			n := bytes.IndexByte(m.Text[s.shown.End+1:], '\n')
			if n < 0 {
				n = len(m.Text) - s.shown.End - 1
			}
			s.shown.End += 1 + n
		}
	}
	return out
}

func (f *Feature) lineHit(e *engine.Engine, v *engine.View, m *engine.FileMatch, s stretch, r *request) SearchHit {
	first := s.line + s.focus
	quote := m.Text[s.shown.Start:s.shown.End]
	found := within(s.found, s.shown)
	if f.around.Server {
		if clean := withoutSecrets(m.Text, quote, s.line, r); !bytes.Equal(clean, quote) {
			quote, found = clean, []corpus.Span{}
		}
	}
	if !utf8.Valid(quote) {
		found = []corpus.Span{}
	}
	abs := e.Abs(m.Path)
	return SearchHit{
		Path: abs,
		Span: Span{s.match.Start, s.match.End, first,
			first + bytes.Count(m.Text[s.match.Start:s.match.End], []byte("\n"))},
		Encoding: m.Encoding,
		Language: m.Language,
		Snippet:  strings.ToValidUTF8(string(quote), "\uFFFD"),
		Score:    1,
		Epoch:    v.Snap.Epoch,
		shown:    f.trees.Display(abs),
		focus:    s.focus,
		found:    found,
	}
}
