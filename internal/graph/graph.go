// Package graph is the feature that answers "what is it connected to?": inventory, imports, importers,
// functions, calls and the paths along them, definitions, types, dead code, a map, and what a change reaches.
//
// No answer is silently empty: it counts what was looked at and what could not be
// told, names what is not covered, and an unknown name is an error with the names
// that are near it.
package graph

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Feature answers questions about structure. It is safe for concurrent use.
type Feature struct{ trees *workspace.Workspace }

// New returns a feature over the trees of a workspace.
func New(trees *workspace.Workspace) *Feature { return &Feature{trees} }

// A session is one question while it is answered.
type session struct {
	e      *engine.Engine
	v      *engine.View
	p      *facts.Project
	ctx    context.Context
	op     string // the operation that asks
	tool   bool   // a tool was asked, not a command
	server bool   // what is read is handed to a model: without secrets
	offset int    // of the page
	within string // the path that was asked about; "." for all; "" where it is none
	filter filter
	limit  int
	// narrowed says that the question asks for a part of what is known, besides its filters.
	narrowed bool
	// scanned counts the files that were read for functions that stand as values.
	scanned int
	notes   []string
	// lacking says that there is nothing to show and the tree is not known whole.
	lacking bool
}

// A known is what every answer says of itself.
type known struct {
	corpus.Extent
	Notes []string `json:"notes,omitempty"`

	lacking bool // it has nothing to show, and does not know the whole tree
}

// Verdict is the error of an answer that is no answer yet.
func (k *known) Verdict() error {
	if !k.lacking {
		return nil
	}
	return fault.New(fault.Stale, "%s", k.Lack())
}

// sums writes the line of an answer that counts, but not the zeros of one that is
// none yet.
func (k *known) sums(t *table, format string, args ...any) {
	if !k.lacking {
		t.note(format, args...)
	}
}

// ask opens the tree that a question is about. path may be a path, or empty. What
// the tree does not have is an error only where all of it is known.
func (f *Feature) ask(ctx context.Context, r resumed, in Filter, path string, out *known, nc *corpus.NotCovered, do func(s *session) error) error {
	if _, err := newFilter(in); err != nil { // before anything is indexed
		return err
	}
	if len(in.Repos) > 0 || in.Workspace != "" { // what of them is asked about, also on a later page
		if _, err := f.trees.Repos(in.Trees, ""); err != nil {
			return err
		}
	}
	return f.trees.Ask(ctx, in.Root, in.IndexDir, path, !in.NoRefresh, func(e *engine.Engine, v *engine.View, within string) error {
		var err error
		if in.Paths, err = f.trees.Filters(e.Root(), in.Paths); err != nil {
			return err
		}
		keep, err := newFilter(in)
		if err != nil {
			return err
		}
		s := &session{e: e, v: v, ctx: ctx, op: r.op, tool: in.tool, server: f.trees.Config().Server, offset: r.offset,
			within: within, filter: keep, limit: in.Limit}
		var release func()
		if s.p, release, err = v.Project(ctx); err != nil {
			return err
		}
		defer release()
		s.p.Under(facts.Host())
		if r.offset > 0 && s.state() != r.sum {
			return r.stale(in.tool)
		}
		out.Extent = v.Extent()
		if r.op != "inventory" { // which counts lines of all files
			if err := s.excluded(path); err != nil {
				return err
			}
		}
		err = do(s)
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Kind == fault.NotFound && !out.Complete {
			s.notes, s.lacking = nil, true
			*nc, err = s.notCovered(s.filtered(), everything, syntax.Everything)
		}
		if e, ok := errors.AsType[*fault.Error](err); ok && e.Kind == fault.NotFound && v.Tree == nil {
			e.Msg += "; " + unlooked
		}
		out.Notes, out.lacking = s.remarks(), s.lacking
		return err
	})
}

// state is a number that changes with the tree.
func (s *session) state() uint64 {
	h := fnv.New64a()
	var b []byte
	for i := range s.p.Docs {
		d := &s.p.Docs[i]
		b = append(append(b[:0], d.Path...), 0)
		b = append(strconv.AppendInt(b, int64(d.Bytes), 10), 0)
		b = append(strconv.AppendInt(b, int64(d.Lines), 10), 0)
		h.Write(append(b, d.Head...))
	}
	return h.Sum64()
}

func (s *session) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

// text says how to look for the text that a pattern matches, where the caller can.
func (s *session) text(pattern string) string {
	return work.FromContext(s.ctx).Try(". For the text: ", "search", fault.Arg{Name: "query", Value: pattern}, fault.Arg{Name: "regex", Value: true})
}

// pattern is that of the texts that a name is in: \b is only beside a letter, and an operator has none.
func pattern(name string) string {
	if sign := syntax.OperatorSign(name); sign != "" {
		return `\boperator[ \t]*` + regexp.QuoteMeta(sign)
	}
	out := regexp.QuoteMeta(name)
	if part := func(c byte) bool { return c != '$' && c < 0x80 && letter(c) }; name != "" {
		if part(name[0]) {
			out = `\b` + out
		}
		if part(name[len(name)-1]) {
			out += `\b`
		}
	}
	return out
}

// spoken returns the name by which code speaks of what was asked about: of a declaration, or of a file or a module.
func (s *session) spoken(docs []int, of []facts.Ref, target string) string {
	if len(docs) == 1 && s.within != "" {
		name := path.Base(s.p.Docs[docs[0]].Path)
		return strings.TrimSuffix(name, path.Ext(name))
	}
	if len(docs) == 0 && len(of) > 0 {
		return s.p.Decl(of[0]).Name
	}
	return stem(target)
}

// none says that there is nothing, which only an answer that knows the whole tree
// can.
func (s *session) none(format string, args ...any) {
	if s.lacking = !s.v.Extent().Complete; !s.lacking {
		s.note(format, args...)
		if s.v.Tree == nil {
			s.note(unlooked)
		}
	}
}

// passed says, where some of what an answer is about is known, that none passes the filters.
func (s *session) passed(known int, one, many string) bool {
	if known == 0 || !s.narrowed && !s.filter.narrows() {
		return false
	}
	s.none("%s found, but none passes; omit a filter", text.Count(known, one, many))
	return true
}

// unlooked is what an answer from the index as it is does not know.
const unlooked = "the tree was not checked: changes since it was indexed are unknown"

// draws reports whether a drawing is asked for. It has no place for what it lacks.
func (s *session) draws(as Picture) bool {
	if lack := s.v.Extent().Lack(); lack != "" && as.asked() {
		work.FromContext(s.ctx).Note("%s", lack)
	}
	return as.asked()
}

// remarks returns the notes of an answer, and what the tree lacks.
func (s *session) remarks() []string {
	out := s.notes
	if lack := s.v.Extent().Lack(); lack != "" {
		out = append(out, lack)
	}
	if n := s.v.Unreadable; n > 0 {
		out = append(out, fmt.Sprintf("unreadable: %d of the files and folders; their contents are unknown (check their permissions)", n))
	}
	if s.v.Written != "" && (s.v.Written != engine.Busy || s.v.Extent().Complete) {
		out = append(out, "index not written: "+s.v.Written)
	}
	return out
}

// notCovered counts the files that an answer does not know of: those of some
// documents whose language is not read, and those below about that have no facts at
// all. least is what has to be known of a language.
func (s *session) notCovered(docs []int, about func(path string) bool, least syntax.Cover) (corpus.NotCovered, error) {
	bare := map[string]bool{}
	nc, err := s.v.NotCovered(s.ctx, func(path, why string) bool {
		if !s.without(path, why) || path != "" && !about(path) {
			return false
		}
		bare[path] = true
		return true
	})
	for _, i := range docs {
		d := &s.p.Docs[i]
		if syntax.Covers(d.Language) < least && !syntax.Inert(d.Language) && !bare[d.Path] {
			nc.AddLanguage(d.Language)
		}
	}
	return nc, err
}

// without reports whether a file without facts may be a program's: data and texts
// call nothing.
func (s *session) without(path, why string) bool {
	if path == "" {
		return why != "secret"
	}
	lang := syntax.Language(path, nil)
	switch why {
	case "data", "lock", "vendored", "generated":
		return false
	case "oversize", "minified", "secret":
		if lang != "" && !syntax.Source(lang) {
			return false
		}
	}
	return s.filter.doc(&facts.Doc{Path: path, Language: lang, Flags: discover.PathFlags(path)})
}

func test(d *facts.Doc) bool { return d.Flags&corpus.Test != 0 }
