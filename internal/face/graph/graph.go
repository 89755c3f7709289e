// Package graph is the face that answers "what is it connected to?": inventory,
// imports, importers, functions, callers, callees and impact over source trees.
//
// No answer is silently empty: it counts what was looked at and what could not be
// told, names what is not covered, and an unknown name is an error with the names
// that are near it.
package graph

import (
	"context"
	"fmt"
	"hash/fnv"

	"github.com/assay-dev/assay/internal/corpus"
	"github.com/assay-dev/assay/internal/engine"
	"github.com/assay-dev/assay/internal/facts"
	"github.com/assay-dev/assay/internal/syntax"
)

// A trees lends trees as they are now. face/code is the real one: both faces ask
// the same indexes.
type trees interface {
	Ask(ctx context.Context, root, indexDir, path string, refresh bool, ask func(e *engine.Engine, v *engine.View, within string) error) error
}

// A Face answers questions about structure. It is safe for concurrent use.
type Face struct{ trees trees }

// New returns a face over the trees of another.
func New(t trees) *Face { return &Face{t} }

// A session is one question while it is answered.
type session struct {
	e      *engine.Engine
	v      *engine.View
	p      *facts.Project
	ctx    context.Context
	op     string // the operation that asks
	tool   bool   // a tool was asked, not a command
	offset int    // of the page
	within string // the path that was asked about; "." for all; "" where it is none
	filter filter
	limit  int
	notes  []string
}

// ask opens the tree that a question is about. path may be a path, or empty.
func (f *Face) ask(ctx context.Context, r resumed, in Filter, path string, do func(s *session) error) error {
	keep, err := newFilter(in)
	if err != nil {
		return err
	}
	return f.trees.Ask(ctx, in.Root, in.IndexDir, path, !in.NoRefresh, func(e *engine.Engine, v *engine.View, within string) error {
		s := &session{e: e, v: v, ctx: ctx, op: r.op, tool: in.tool, offset: r.offset, within: within, filter: keep, limit: in.Limit}
		var release func()
		if s.p, release, err = v.Project(ctx); err != nil {
			return err
		}
		defer release()
		if r.offset > 0 && s.state() != r.sum {
			return r.stale(in.tool)
		}
		return do(s)
	})
}

// state is a number that changes with the tree.
func (s *session) state() uint64 {
	h := fnv.New64a()
	for i := range s.p.Docs {
		d := &s.p.Docs[i]
		fmt.Fprintf(h, "%s\x00%d\x00%d\x00", d.Path, d.Bytes, d.Lines)
		h.Write(d.Head)
	}
	return h.Sum64()
}

func (s *session) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// remarks returns the notes of an answer, and what the tree lacks.
func (s *session) remarks(nc NotCovered) []string {
	out := s.notes
	if nc.Stale > 0 {
		out = append(out, fmt.Sprintf("stale: %d files not yet indexed; the next question goes on with them", nc.Stale))
	}
	if n := s.v.Unreadable; n > 0 {
		out = append(out, fmt.Sprintf("unreadable: %d of the files and folders; what is in them is not known (look at their permissions)", n))
	}
	if s.v.Written != "" {
		out = append(out, "index not written: "+s.v.Written)
	}
	return out
}

// A NotCovered says what an answer does not know of.
type NotCovered struct {
	Files     int            `json:"files"`               // whose calls and imports are not read
	Languages map[string]int `json:"languages,omitempty"` // those files
	Stale     int            `json:"stale,omitempty"`     // changed files that are not yet indexed
}

// notCovered says what of some files is not known.
func (s *session) notCovered(docs []int) NotCovered {
	nc := NotCovered{Stale: s.v.Stale}
	for _, i := range docs {
		d := &s.p.Docs[i]
		if syntax.Covers(d.Language) == syntax.Everything || quiet(d.Language) {
			continue
		}
		if nc.Languages == nil {
			nc.Languages = map[string]int{}
		}
		nc.Languages[d.Language]++
		nc.Files++
	}
	return nc
}

// source reports whether files of a language are program text.
func source(language string) bool {
	switch language {
	case "", "json", "yaml", "toml", "xml", "ini", "csv", "gomod":
		return false
	}
	return !syntax.Prose(language)
}

// quiet reports whether a language has neither functions nor imports to speak of.
func quiet(language string) bool {
	switch language {
	case "css", "make", "cmake", "dockerfile", "protobuf", "graphql", "hcl", "nix":
		return true
	}
	return false
}

func test(d *facts.Doc) bool { return d.Flags&corpus.Test != 0 }
