package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// An IndexReport says what indexing did.
type IndexReport struct {
	Root     string         `json:"root"`
	Index    string         `json:"index"`
	Files    int            `json:"files"`   // in the tree
	Changed  int            `json:"changed"` // read
	Removed  int            `json:"removed"` // documents taken away
	Docs     int            `json:"documents"`
	Chunks   int            `json:"chunks"`        // of those documents
	Reused   int            `json:"chunks_reused"` // of those chunks
	Embedded int            `json:"chunks_embedded,omitempty"`
	Bytes    int64          `json:"bytes"`
	Seconds  float64        `json:"seconds"`
	Skipped  map[string]int `json:"skipped,omitempty"`
	Checked  bool           `json:"checked,omitempty"`  // and found sound
	Repaired int            `json:"repaired,omitempty"` // problems
	Notes    []string       `json:"notes,omitempty"`

	Damage
	quiet bool
	asIs  bool // it could only be checked, not brought up to date
}

// WriteText writes the report in a line or two.
func (r *IndexReport) WriteText(w io.Writer, _ bool) error {
	if r.quiet {
		return nil
	}
	b := render.Answer{To: w}
	switch {
	case r.asIs, r.Problems > 0 && r.Files == 0: // nothing was indexed over it
	case r.Changed == 0 && r.Removed == 0:
		fmt.Fprint(&b, text.Counted("%d file{s}, nothing changed (%.2f s)\n", r.Files, r.Seconds))
	default:
		fmt.Fprint(&b, text.Counted("%d file{s}, %d read, %d removed; %d chunk{s}", r.Files, r.Changed, r.Removed, r.Chunks))
		if r.Reused > 0 {
			fmt.Fprintf(&b, ", %d of them known (%.0f %%)", r.Reused, 100*float64(r.Reused)/float64(r.Chunks))
		}
		fmt.Fprintf(&b, "; %s in %.2f s\n", size(r.Bytes), r.Seconds)
	}
	if r.Embedded > 0 {
		fmt.Fprint(&b, text.Counted("%d chunk{s} embedded\n", r.Embedded))
	}
	if r.Checked {
		b.WriteString("checked: sound\n")
	}
	r.write(&b.Builder)
	b.Notes(r.Notes)
	return b.End()
}

func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

// paths returns the argument of a command that takes one folder or none.
func paths(p string) []string {
	if p == "" {
		return nil
	}
	return []string{p}
}

// folderOf refuses to index the folder of a file that was named, unless it is a project
// already: nobody asked for an index of it.
func (f *Feature) folderOf(path string, t workspace.Target) error {
	if path == "" {
		return nil
	}
	real, err := f.trees.Existing(path)
	if err != nil {
		return err
	}
	st, err := os.Lstat(real)
	if err != nil { // it existed a moment ago
		return fault.New(fault.Unavailable, "%s cannot be read", path).Because(err).Or("try again")
	}
	if st.IsDir() || t.Root != filepath.Dir(real) {
		return nil
	}
	if st, err := os.Lstat(filepath.Join(t.Root, ".assay")); err == nil && st.IsDir() {
		return nil
	}
	if _, ok := git.TopLevel(t.Root); ok {
		return nil
	}
	return fault.New(fault.Usage, "%s is a file, and the folder that holds it is not a project", path).
		Try("index", fault.Arg{Name: "path", Value: t.Root})
}

// Index builds or refreshes an index.
func (f *Feature) Index(ctx context.Context, in IndexInput) (*IndexReport, error) {
	t, err := f.resolve(in.Place, paths(in.Path))
	if err == nil {
		err = f.folderOf(in.Path, t)
	}
	if err != nil {
		return nil, err
	}
	e, err := f.trees.Open(ctx, t)
	if err != nil {
		return nil, err
	}
	in.Check = in.Check || in.Tree
	if in.Check && e.Shared() {
		return nil, fault.New(fault.Usage, "the index is in a database, whose own tools check it").Or("assay index without --check sends what it lacks")
	}
	out := &IndexReport{Root: e.Root(), Index: e.IndexDir(), quiet: in.Quiet, Skipped: map[string]int{}}
	if why := e.Unusable(); why != "" && in.Check && e.Stored() {
		return out, f.explain(e, out.checkAsIs(ctx, e, in.Tree, why))
	} else if why != "" {
		return nil, fault.New(fault.Unavailable, "cannot write an index in %s: %s", e.IndexDir(), why).
			Or("free some space, delete that folder if it holds an old index, or name another with --index-dir")
	}
	if err := out.before(ctx, e, in.Check); err != nil || out.Problems > 0 {
		return out, f.explain(e, err)
	}
	if !in.Full && !in.Check {
		f.trees.Take(ctx, t, e)
	}
	rep, err := e.Sync(ctx, engine.Options{Full: in.Full, Wait: true, Progress: work.FromContext(ctx).Progress})
	out.Files, out.Changed, out.Removed, out.Docs, out.Chunks, out.Reused = rep.Files, rep.Changed, rep.Removed, rep.Docs, rep.Chunks, rep.Reused
	out.Bytes, out.Seconds = rep.Bytes, rep.Took.Round(time.Millisecond).Seconds()
	for k, n := range rep.Skipped {
		out.Skipped[string(k)] = n
	}
	if err != nil && in.Check && ctx.Err() == nil {
		return out, f.explain(e, out.checkAsIs(ctx, e, in.Tree, err.Error()))
	}
	if err != nil {
		return nil, f.explain(e, err)
	}
	out.Notes = append(out.Notes, thin(rep.Tree)...)
	n, err := e.Embed(ctx, work.FromContext(ctx).Progress)
	out.Embedded = n
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		out.Notes = append(out.Notes, "degraded: no vectors: "+err.Error())
	}
	if in.Check {
		if err := out.after(ctx, e, in.Tree); err != nil {
			return nil, f.explain(e, err)
		}
	}
	return out, nil
}

// explain makes an error of indexing one that says what to do.
func (f *Feature) explain(e *engine.Engine, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if e.Shared() {
		return fault.New(fault.Unavailable, "index %s", e.Root()).Because(err).Or("what the database has acknowledged is kept; see that it runs, and run it again")
	}
	return fault.New(fault.Unavailable, "index %s", e.Root()).Because(err).Or("the files indexed so far are kept; free some space or check the folder's permissions, and run it again")
}

// A StatusReport says what an index holds and how fresh it is.
type StatusReport struct {
	Root      string         `json:"root"`
	Index     string         `json:"index"`
	State     string         `json:"state"` // fresh, stale, empty, read-only
	Epoch     int64          `json:"epoch"`
	Files     int            `json:"files"`
	Documents int            `json:"documents"`
	Chunks    int            `json:"chunks"`
	Lines     int            `json:"lines"`
	Segments  int            `json:"segments"`
	Bytes     int64          `json:"index_bytes"`
	Source    int64          `json:"source_bytes"`
	Changed   int            `json:"changed"` // files that differ from the index
	Removed   int            `json:"removed"`
	Languages map[string]int `json:"languages"`          // documents
	Skipped   map[string]int `json:"skipped"`            // files that are not ranked, by reason
	Excluded  []Excluded     `json:"excluded,omitempty"` // where they are asked for, in order of paths
	Embedder  string         `json:"embedder"`
	Vectors   int            `json:"vectors"`
	Notes     []string       `json:"notes,omitempty"`
}

// An Excluded is a file that is not ranked, and why.
type Excluded struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// WriteText writes the status as a short table.
func (s *StatusReport) WriteText(w io.Writer, colour bool) error {
	b := render.Answer{To: w}
	row := func(name, format string, args ...any) {
		gap := strings.Repeat(" ", 11)
		value := render.Wrap(gap+text.Line(fmt.Sprintf(format, args...)), render.Columns(w), gap)
		fmt.Fprintf(&b, "%s%s\n", text.Painted(colour, bold, fmt.Sprintf("%-11s", name)), strings.TrimPrefix(value, gap))
	}
	row("root", "%s", s.Root)
	row("index", "%s", s.Index)
	switch s.State {
	case "stale":
		row("state", "stale: %s changed, %d removed; the next search updates it", text.Count(s.Changed, "file", "files"), s.Removed)
	case "empty":
		row("state", "empty: the first search, or assay index, fills it")
	default:
		row("state", "%s", s.State)
	}
	row("files", "%s", text.Counted("%d (%d indexed, %d chunk{s}, %d line{s})", s.Files, s.Documents, s.Chunks, s.Lines))
	if s.Source > 0 {
		row("size", "%s (%.2f times the sources); %s, epoch %d", size(s.Bytes), float64(s.Bytes)/float64(s.Source), text.Count(s.Segments, "segment", "segments"), s.Epoch)
	}
	row("languages", "%s", counts(s.Languages))
	if len(s.Skipped) > 0 {
		row("excluded", "%s", counts(s.Skipped))
	}
	for _, x := range s.Excluded {
		row("", "%s (%s)", x.File, x.Reason)
	}
	if s.Embedder != "" {
		row("meaning", "%s, %d of %d chunks", s.Embedder, s.Vectors, s.Chunks)
	} else {
		row("meaning", "no embedding provider: search by words")
	}
	b.Notes(s.Notes)
	return b.End()
}

// counts writes a table of counts, largest first.
func counts(m map[string]int) string {
	keys := slices.Collect(maps.Keys(m))
	sorting.Stable(keys, func(a, b string) int {
		if m[a] != m[b] {
			return m[b] - m[a]
		}
		return strings.Compare(a, b)
	})
	for i, k := range keys {
		name := cmp.Or(k, "other")
		keys[i] = fmt.Sprintf("%s %d", name, m[k])
	}
	if len(keys) == 0 {
		return "none"
	}
	return strings.Join(keys, ", ")
}

// Status says what the index of a tree holds. It changes nothing.
func (f *Feature) Status(ctx context.Context, in StatusInput) (*StatusReport, error) {
	t, err := f.resolve(in.Place, paths(in.Path))
	if err != nil {
		return nil, err
	}
	e, err := f.trees.Open(ctx, t)
	if err != nil {
		return nil, err
	}
	st, err := e.Status(ctx)
	if err != nil {
		return nil, err
	}
	out := &StatusReport{Root: e.Root(), Index: e.IndexDir(), Epoch: st.Epoch, Files: st.Files, Documents: st.Documents,
		Chunks: st.Chunks, Lines: st.Lines, Segments: st.Segments, Bytes: st.IndexBytes, Source: st.SourceBytes,
		Changed: st.Changed, Removed: st.Removed, Languages: st.Languages, Skipped: st.Skipped, Embedder: st.Embedder, Vectors: st.Vectors, State: "fresh"}
	switch {
	case e.Unusable() != "":
		out.State = "read-only: " + e.Unusable()
	case st.Documents == 0:
		out.State = "empty"
	case st.Changed+st.Removed > 0:
		out.State = "stale"
	}
	if in.Excluded {
		for _, p := range slices.Sorted(maps.Keys(st.Excluded)) {
			out.Excluded = append(out.Excluded, Excluded{p, st.Excluded[p]})
		}
	}
	if st.Damaged {
		out.Notes = append(out.Notes, "a part of the index is damaged; the next assay index repairs it")
	}
	return out, nil
}

// A WatchEvent is one refresh that a watch made.
type WatchEvent struct {
	Time    time.Time `json:"time"`
	Changed int       `json:"changed"`
	Removed int       `json:"removed"`
	Chunks  int       `json:"chunks"`
	Seconds float64   `json:"seconds"`
	Error   string    `json:"error,omitempty"`

	quiet bool
}

// WriteText writes the event in a line.
func (e *WatchEvent) WriteText(w io.Writer, _ bool) error {
	if e.quiet {
		return nil
	}
	s := e.Time.Format(time.TimeOnly) + text.Counted("  %d changed, %d removed, %d chunk{s}, %.3f s", e.Changed, e.Removed, e.Chunks, e.Seconds)
	if e.Error != "" {
		s = e.Time.Format(time.TimeOnly) + "  " + e.Error
	}
	_, err := fmt.Fprintln(w, s)
	return err
}

// WriteLines writes the event as a line of JSON.
func (e *WatchEvent) WriteLines(w io.Writer) error { return codec.WriteJSON(w, e) }

// Watch keeps an index fresh until ctx ends, and emits an event for each refresh
// that changed something.
func (f *Feature) Watch(ctx context.Context, in WatchInput, emit func(*WatchEvent) error) error {
	t, err := f.resolve(in.Place, paths(in.Path))
	if err != nil {
		return err
	}
	e, err := f.trees.Open(ctx, t)
	if err != nil {
		return err
	}
	if why := e.Unusable(); why != "" {
		return fault.New(fault.Unavailable, "cannot write an index in %s: %s", e.IndexDir(), why).Or("choose another folder with --index-dir")
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	refresh := func() {
		rep, err := e.Sync(ctx, engine.Options{Wait: true})
		if ctx.Err() != nil {
			return
		}
		ev := &WatchEvent{Time: f.around.Now(), Changed: rep.Changed, Removed: rep.Removed, Chunks: rep.Chunks, Seconds: rep.Took.Seconds(), quiet: in.Quiet}
		if err != nil {
			ev.Error = err.Error()
		}
		if gone := gone(e.Root()); gone != nil {
			stop(gone)
			return
		}
		if err != nil || rep.Docs > 0 || rep.Removed > 0 {
			if err := emit(ev); err != nil {
				stop(err)
			}
		}
	}
	refresh()
	err = discover.Watch(ctx, e.Root(), refresh)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	if ctx.Err() != nil {
		return nil // stopped as asked
	}
	return cmp.Or(gone(e.Root()), err)
}

// gone is the error of a folder that is not there any more.
func gone(root string) error {
	if _, err := os.Stat(root); errors.Is(err, os.ErrNotExist) {
		return fault.New(fault.NotFound, "%s is gone", root).Or("watch the folder where the project is now")
	}
	return nil
}

// Delete removes an index and nothing else that may lie in its folder.
func Delete(dir string) error {
	if err := index.Delete(dir); err != nil {
		return fault.New(fault.Unavailable, "the index in %s cannot be deleted", dir).Because(err).Or("check what else is in it, and delete it by hand")
	}
	return nil
}
