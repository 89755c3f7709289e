package graph

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// An edit is one file before and after a change; nil where it is not there.
type edit struct {
	path, was string // was is its path before, where that is another
	old, text []byte
}

// A comparison is what is compared: two states of a tree.
type comparison struct {
	from, to string // as people read them
	commit   string // the one before, for what its history says; "" where none is known
	edits    []edit
}

// compare reads what a question about a change compares.
func (s *session) compare(ctx context.Context, in ImpactInput) (*comparison, error) {
	root := s.e.Root()
	if in.Patch != "" {
		return s.patched(in.Patch)
	}
	from, to, err := s.sides(ctx, root, in)
	if err != nil {
		return nil, err
	}
	changes, err := git.Changes(ctx, root, from.hash, to.hash)
	if err != nil {
		return nil, unread(err)
	}
	changes = slices.DeleteFunc(changes, func(ch git.Change) bool { return discover.OwnPath(ch.Path) })
	c := &comparison{from: from.name, to: to.name, commit: from.hash}
	var before, after []string
	for _, ch := range changes {
		e := edit{path: ch.Path, was: ch.Was}
		if ch.Kind != 'A' {
			before = append(before, cmp.Or(ch.Was, ch.Path))
		}
		if ch.Kind != 'D' {
			after = append(after, ch.Path)
		}
		c.edits = append(c.edits, e)
	}
	old, err := git.Contents(ctx, root, from.hash, before, discover.MaxFile)
	if err != nil {
		return nil, unread(err)
	}
	var text map[string][]byte
	if to.hash != "" {
		if text, err = git.Contents(ctx, root, to.hash, after, discover.MaxFile); err != nil {
			return nil, unread(err)
		}
	}
	for i, ch := range changes {
		e := &c.edits[i]
		if ch.Kind != 'A' {
			e.old = old[cmp.Or(ch.Was, ch.Path)]
		}
		switch {
		case ch.Kind == 'D':
		case to.hash == "":
			e.text, _ = s.v.Text(ch.Path)
		default:
			e.text = text[ch.Path]
		}
	}
	return c, nil
}

// A side is one state of a tree: a commit, the index or, with the hash "", the work tree.
type side struct{ name, hash string }

// sides returns what a change is between: BASE and the work tree, or A..B.
func (s *session) sides(ctx context.Context, root string, in ImpactInput) (from, to side, err error) {
	commit := func(name string) (side, error) {
		hash, err := git.Commit(ctx, root, name)
		switch {
		case err != nil:
			return side{}, unread(err)
		case hash == "":
			return side{}, fault.New(fault.NotFound, "there is no commit %q", name).
				Or("name a commit, a branch or a range A..B; without one the change since HEAD is meant")
		}
		return side{name, hash}, nil
	}
	base := cmp.Or(in.Target, "HEAD")
	a, b, ranged := strings.Cut(base, "..")
	if !ranged {
		if from, err = commit(base); err != nil {
			return from, to, err
		}
		head, err := commit("HEAD")
		if err != nil {
			return from, to, err
		}
		// What the base has had since is no change of this side.
		if fork, err := git.MergeBase(ctx, root, from.hash, head.hash); err == nil && fork != "" {
			from.hash = fork
		}
		if in.Staged {
			return from, side{"the index", git.Index}, nil
		}
		return from, side{"the work tree", ""}, nil
	}
	if in.Staged {
		return from, to, fault.New(fault.Usage, "--staged compares the index with one commit, not a range").
			Or("omit --staged, or name one commit")
	}
	b, forked := strings.CutPrefix(b, ".")
	if from, err = commit(cmp.Or(a, "HEAD")); err != nil {
		return from, to, err
	}
	if to, err = commit(cmp.Or(b, "HEAD")); err != nil {
		return from, to, err
	}
	if forked {
		if fork, err := git.MergeBase(ctx, root, from.hash, to.hash); err == nil && fork != "" {
			from.hash = fork
		}
	}
	if head, err := commit("HEAD"); err == nil && head.hash != to.hash {
		s.note("calls and imports are those of the work tree, which is at another commit than %s", to.name)
	}
	return from, to, nil
}

func unread(err error) error {
	if errors.Is(err, git.ErrNone) {
		return fault.New(fault.Unavailable, "the change cannot be read: %v", err).
			Or("without git, give the change itself: --diff --patch - reads it from standard input")
	}
	return err
}

// The changes of a declaration.
const (
	changed = "changed"
	added   = "added"
	deleted = "deleted"
	renamed = "renamed"
	moved   = "moved"
)

// A piece is a declaration of one side: its own text, without what is nested in it.
type piece struct {
	decl  *corpus.Decl // of no name where there is none
	words string
	line  int
}

// pieces cuts a text into its declarations, and what is at its top.
func pieces(name string, text []byte) (out []piece, top string) {
	if text == nil {
		return nil, ""
	}
	language := syntax.Language(name, text[:min(len(text), 4096)])
	if !syntax.Source(language) {
		return nil, strings.Join(strings.Fields(string(text)), " ")
	}
	decls := syntax.Facts(name, language, text).Decls
	within := map[int32][]*corpus.Decl{}
	for i := range decls {
		if d := &decls[i]; d.Kind != corpus.Section {
			within[d.Parent] = append(within[d.Parent], d)
		}
	}
	var ends []int // of lines
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	own := func(from, to int, of int32) string {
		var b bytes.Buffer
		at := from
		for _, d := range within[of] {
			if d.Span.Start < at || d.Span.End > to {
				continue
			}
			b.Write(text[at:d.Span.Start])
			b.WriteByte(' ')
			at = d.Span.End
		}
		b.Write(text[at:to])
		return strings.Join(strings.Fields(b.String()), " ")
	}
	for i := range decls {
		d := &decls[i]
		if d.Kind == corpus.Section || d.Traits&corpus.Local != 0 {
			continue
		}
		words := own(d.Span.Start, d.Span.End, int32(i))
		if d.Doc.Len() > 0 { // a comment changes nothing
			doc := strings.Join(strings.Fields(string(text[d.Doc.Start:d.Doc.End])), " ")
			words = strings.TrimSpace(strings.Replace(words, doc, "", 1))
		}
		out = append(out, piece{d, words, 1 + sort.SearchInts(ends, d.NameAt)})
	}
	return out, own(0, len(text), -1)
}

// A ChangedSymbol is a declaration that a change touches.
type ChangedSymbol struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Status string `json:"status"` // changed, added, deleted, renamed or moved
	Line   int    `json:"line"`   // now; before the change where it is deleted or renamed
	To     string `json:"to,omitempty"`

	file  string
	class string // of a field: the type that had it
	old   piece
	now   piece
}

// declarationsChanged compares the declarations of a file before and after. Top says
// that what is outside of them differs.
func declarationsChanged(e edit) (out []ChangedSymbol, top bool) {
	before, was := pieces(cmp.Or(e.was, e.path), e.old)
	after, is := pieces(e.path, e.text)
	key := func(p piece) string { return p.decl.Qualified() }
	rest := map[string][]piece{} // of before, by name
	for _, p := range before {
		rest[key(p)] = append(rest[key(p)], p)
	}
	var left []piece
	for _, p := range after { // what is as it was
		if i := slices.IndexFunc(rest[key(p)], func(o piece) bool { return o.words == p.words }); i >= 0 {
			rest[key(p)] = slices.Delete(rest[key(p)], i, i+1)
			continue
		}
		left = append(left, p)
	}
	add := func(status string, old, now piece, line int) *ChangedSymbol {
		p := now
		if status == deleted || status == renamed {
			p = old
		}
		out = append(out, ChangedSymbol{Name: key(p), Kind: p.decl.Kind.String(), Status: status, Line: line, file: e.path, old: old, now: now})
		return &out[len(out)-1]
	}
	var fresh []piece
	for _, p := range left {
		if olds := rest[key(p)]; len(olds) > 0 {
			add(changed, olds[0], p, p.line)
			rest[key(p)] = olds[1:]
			continue
		}
		fresh = append(fresh, p)
	}
	for _, p := range before {
		olds := rest[key(p)]
		if i := slices.IndexFunc(olds, func(o piece) bool { return o.line == p.line }); i < 0 {
			continue
		}
		if slices.ContainsFunc(after, func(a piece) bool { return key(a) == key(p) }) {
			continue // one of several of that name: what is left changed
		}
		if i := slices.IndexFunc(fresh, func(n piece) bool { return alike(p, n) }); i >= 0 {
			add(renamed, p, fresh[i], p.line).To = key(fresh[i])
			fresh = slices.Delete(fresh, i, i+1)
			continue
		}
		add(deleted, p, piece{decl: &corpus.Decl{}}, p.line)
	}
	for _, p := range fresh {
		add(added, piece{decl: &corpus.Decl{}}, p, p.line)
	}
	out = append(out, fieldsGone(e)...)
	sorting.Stable(out, func(a, b ChangedSymbol) int { return a.Line - b.Line })
	return out, was != is
}

// alike reports whether a declaration is another with a new name: of the same kind, and
// for the most part of the same words.
func alike(old, now piece) bool {
	if old.decl.Kind != now.decl.Kind || old.decl.Scope != now.decl.Scope {
		return false
	}
	a, b := strings.Fields(strings.ReplaceAll(old.words, old.decl.Name, now.decl.Name)), strings.Fields(now.words)
	if len(a)+len(b) < 8 {
		return slices.Equal(a, b)
	}
	count := map[string]int{}
	for _, w := range a {
		count[w]++
	}
	both := 0
	for _, w := range b {
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	const most = .8 // of the words of both
	return float64(2*both) >= most*float64(len(a)+len(b))
}

// relocated finds, among what several files lost and gained, what only moved to another
// file of the same folder or kept its whole name elsewhere.
func relocated(all []ChangedSymbol) []ChangedSymbol {
	for i := range all {
		d := &all[i]
		if d.Status != deleted || d.Kind == fieldKind { // none is added as a field
			continue
		}
		k := slices.IndexFunc(all, func(a ChangedSymbol) bool {
			return a.Status == added && a.Name == d.Name && a.Kind == d.Kind && (path.Dir(a.file) == path.Dir(d.file) || a.now.words == d.old.words)
		})
		if k < 0 {
			continue
		}
		a := &all[k]
		d.Status, d.To = moved, a.file
		if a.Status = changed; path.Dir(a.file) != path.Dir(d.file) {
			a.Status, d.Status, d.To = added, renamed, a.file
		}
	}
	return all
}
