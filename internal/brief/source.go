package brief

import (
	"bytes"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/redact"
)

// innermost returns the declaration around an offset that is shown on its own, -1 for none.
func (s *session) innermost(doc, at int) int32 {
	decls := s.p.File(doc).Decls
	in := s.p.Around(doc, at)
	for in >= 0 && decls[in].Traits&corpus.Local != 0 {
		in = decls[in].Parent
	}
	return in
}

// load reads the text of a file, once.
func (s *session) load(f *file) bool {
	if !f.read {
		f.read = true
		// What was changed since it was indexed has its declarations elsewhere.
		if text, ok := s.v.Text(f.path); ok && len(text) == s.p.Docs[f.doc].Bytes {
			f.text, f.shown = text, text
			if s.f.trees.Config().Server && len(text) <= mostRedacted {
				if clean, n := redact.Files.Text(text); n > 0 {
					f.shown = clean
				}
			}
			f.starts = append(f.starts, 0)
			for at := 0; ; {
				n := bytes.IndexByte(text[at:], '\n')
				if n < 0 || at+n+1 == len(text) {
					break
				}
				at += n + 1
				f.starts = append(f.starts, at)
			}
		}
	}
	return f.text != nil
}

// line returns the one-based line of an offset, 0 where the file cannot be read.
func (s *session) line(f *file, at int) int {
	if !s.load(f) {
		return 0
	}
	return sort.SearchInts(f.starts, at+1)
}

// offset returns where a line begins, but for its blanks.
func (s *session) offset(f *file, line int) (int, bool) {
	if !s.load(f) || line < 1 || line > len(f.starts) {
		return 0, false
	}
	text := f.lineText(line)
	return f.starts[line-1] + len(text) - len(strings.TrimLeft(text, " \t")), true
}

// lineText is a line of a file that was read, as it is shown.
func (f *file) lineText(line int) string {
	if f.lines == nil {
		f.lines = strings.SplitAfter(string(f.shown), "\n")
	}
	if line < 1 || line > len(f.lines) {
		return ""
	}
	return strings.TrimRight(f.lines[line-1], "\r\n")
}

// slice returns lines of a file that was read, as they are shown.
func (f *file) slice(first, last int) string {
	var t strings.Builder
	for n := max(first, 1); n <= last && n <= len(f.starts); n++ {
		t.WriteString(f.lineText(n) + "\n")
	}
	return strings.TrimRight(strings.ToValidUTF8(t.String(), "\uFFFD"), "\n")
}
