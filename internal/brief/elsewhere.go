package brief

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// Docs answers questions from the documentation of the libraries that a project has locked.
type Docs interface {
	Told(ctx context.Context, root, question string, tokens int, wanted func(name string) bool) ([]library.Passage, error)
}

// Memory answers what was noted of a project.
type Memory interface {
	Noted(ctx context.Context, root, question string, most int) (vault.MemoryAnswer, error)
}

const (
	mostAsked    = 2000 // bytes of the task that others are asked with
	mostSnippets = 3
	mostNotes    = 6
	snippetSize  = 1000 // bytes of one that are quoted
	noteSize     = 500
)

// question is the task as others are asked with it: its beginning, which says most.
func (s *session) question() string {
	return strings.ToValidUTF8(s.task[:min(len(s.task), mostAsked)], "")
}

// libraries adds what the documentation of the libraries says that the likely files import.
func (s *session) libraries() {
	if s.f.docs == nil {
		return
	}
	used := s.imported()
	if s.p != nil && len(used) == 0 {
		return
	}
	found, err := s.f.docs.Told(s.ctx, s.e.Root(), s.question(), mostSnippets*snippetSize, func(name string) bool {
		return s.p == nil || slices.ContainsFunc(used, func(path string) bool { return imports(path, name) })
	})
	if err != nil {
		s.failed("what the libraries say", err)
		return
	}
	p := rank.Places()
	worth, least := p.Constant("worth of a snippet"), p.Constant("least score of a snippet")
	for i := range found[:min(len(found), mostSnippets)] {
		x := &found[i]
		if x.Score < least {
			break
		}
		where := cmp.Or(x.URL, x.Path)
		quote, cut := clipped(x.Content, snippetSize)
		s.add(item{section: told, need: worth * x.Score, line: Line{File: x.Library, Quote: quote, Why: strings.TrimSpace(where + " " + x.Title + cut)}, of: x.Breakdown})
	}
}

// failed notes that a part is missing, and why; the others are shown.
func (s *session) failed(part string, err error) {
	if s.ctx.Err() == nil {
		s.gap(part+" is not known: "+err.Error(), "")
	}
}

// imported returns the paths that the likeliest files import and the project does not have.
func (s *session) imported() (out []string) {
	if s.p == nil {
		return nil
	}
	for _, f := range s.files[:min(len(s.files), mostCalled)] {
		h := s.p.Head(f.doc)
		for k := range h.Imports {
			m := &h.Imports[k]
			if s.p.Import(f.doc, m).Origin == facts.External && !slices.Contains(out, m.Path) {
				out = append(out, m.Path)
			}
		}
	}
	return out
}

// imports reports whether an import may be of a library of that name: a package's, as its registry calls it, or
// OWNER/NAME of a repository. Separators and case differ by language.
func imports(path, name string) bool {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("::", "/", `\`, "/", ".", "/", ":", "/", "-", "_").Replace(strings.TrimPrefix(s, "@")))
	}
	p, n := plain(path), plain(name)
	switch {
	case n == "" || p == "":
		return false
	case p == n || strings.HasPrefix(p, n+"/"):
		return true
	case strings.Contains(n, "/"):
		return strings.Contains("/"+p+"/", "/"+n+"/") // github.com/OWNER/NAME/v2
	}
	// com.square.NAME.Type: the name of a library is one of the first parts of its packages.
	parts := strings.Split(p, "/")
	return len(n) > 3 && len(parts) > 2 && strings.Contains(path, ".") && !strings.Contains(path, "/") && slices.Contains(parts[1:min(4, len(parts)-1)], n)
}

// clipped is the beginning of a text, up to the end of a line.
func clipped(s string, size int) (quote, cut string) {
	s = strings.Trim(s, "\n")
	if len(s) <= size {
		return s, ""
	}
	s = strings.ToValidUTF8(s[:size], "")
	if n := strings.LastIndexByte(s, '\n'); n > size/2 {
		s = s[:n]
	}
	return s, ", its beginning"
}

// decided adds what was noted about the task, newest first.
func (s *session) decided() {
	if s.f.memory == nil {
		return
	}
	a, err := s.f.memory.Noted(s.ctx, s.e.Root(), s.question(), mostNotes)
	if err != nil {
		s.failed("what was decided", err)
		return
	}
	p := rank.Places()
	worth, least := p.Constant("worth of a note"), p.Constant("least score of a note")
	for i := range a.Hits {
		h := &a.Hits[i]
		if h.Score < least || h.Superseded != "" || h.Validity != "" {
			continue
		}
		quote, cut := clipped(h.Text, noteSize)
		l := Line{File: h.Path, Line: h.First, Last: h.Last, Quote: quote, Why: h.About() + cut}
		if !h.Day.IsZero() {
			l.Date = h.Day.Format(time.DateOnly)
		}
		s.add(item{section: decisions, need: worth * h.Score, line: l, of: h.Explain})
	}
	if a.Stale > 0 {
		s.gap(itoa(a.Stale)+" notes or sessions changed and are not indexed yet", "memory import")
	}
}
