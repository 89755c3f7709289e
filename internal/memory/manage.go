package memory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// A ListResult is the notes, newest first.
type ListResult struct {
	Items []vault.Item `json:"items"`
	Total int          `json:"total"`
	Notes remarks      `json:"notes,omitempty"`
}

// List returns the notes.
func (f *Feature) List(ctx context.Context, in ListInput) (*ListResult, error) {
	m, r, err := f.current(ctx, vault.SyncOptions{})
	if err != nil {
		return nil, err
	}
	all, err := m.List(ctx, vault.Listing{Source: in.Source, Category: in.Category, Project: in.Project, Tag: in.Tag})
	if err != nil {
		return nil, err
	}
	out := listed(all, in.Max)
	out.Notes = f.lacks(r)
	return out, nil
}

// listed returns the first of all items, and how many there are; most 0: all of them.
func listed(all []vault.Item, most int) *ListResult {
	out := &ListResult{Items: append([]vault.Item{}, all...), Total: len(all)}
	if most > 0 && len(all) > most {
		out.Items = out.Items[:most]
	}
	return out
}

// lacks says what a sync did not reach.
func (f *Feature) lacks(r vault.SyncReport) (notes remarks) {
	why := f.absent(r.Missing)
	notes.add(why != "", "stale: %s", why)
	notes.add(r.Frozen != "", "%s", frozen(r.Frozen))
	notes.add(r.Stale > 0, "stale: %d notes or sessions changed and are not indexed yet", r.Stale)
	notes.add(r.Busy, "another process is indexing")
	notes.add(r.Degraded != "", "degraded: %d chunks have no vectors: %s", r.Pending, r.Degraded)
	for _, why := range slices.Sorted(maps.Keys(r.Skipped)) {
		notes.add(true, "left out: %d, %s", r.Skipped[why], why)
	}
	return notes
}

// WriteText writes an item a line.
func (r *ListResult) WriteText(w io.Writer, colour bool) error {
	b := render.Answer{To: w}
	for _, i := range r.Items {
		fmt.Fprintf(&b, "%10s  %s  %s", i.Date, text.Painted(colour, cyan, text.Line(i.Path)), text.Line(oneLine(i.Title)))
		if i.Pinned {
			b.WriteString(text.Painted(colour, faint, "  pinned"))
		}
		if i.Superseded != "" {
			b.WriteString(text.Painted(colour, faint, "  "+superseded(i.Superseded, "")))
		}
		if i.Validity != "" {
			b.WriteString(text.Painted(colour, faint, "  "+i.Validity))
		}
		b.WriteByte('\n')
	}
	if n := r.Total - len(r.Items); n > 0 {
		b.Note("%d more", n)
	}
	if r.Total == 0 {
		b.Note("none")
	}
	b.Notes(r.Notes)
	return b.End()
}

// WriteLines writes one item a line.
func (r *ListResult) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Items) }

// A SyncResult says what indexing did.
type SyncResult struct {
	Vault    string  `json:"vault"`
	Index    string  `json:"index"`
	InVault  int     `json:"vault_notes"`
	Sessions int     `json:"sessions"`
	Changed  int     `json:"changed"`
	Removed  int     `json:"removed"`
	Chunks   int     `json:"chunks"` // of what changed
	Embedded int     `json:"embedded"`
	Seconds  float64 `json:"seconds"`
	Moved    string  `json:"moved,omitempty"` // where a damaged index was put
	Notes    remarks `json:"notes,omitempty"`
	// From another program, where that was asked for.
	Import *ImportReport `json:"import,omitempty"`
	// With a remote, where that was asked for.
	Exchange *ExchangeReport `json:"exchange,omitempty"`
}

// Rebuild rebuilds the index from the notes and the sessions. A damaged one is
// moved aside first.
func (f *Feature) Rebuild(ctx context.Context, _ RebuildInput) (*SyncResult, error) {
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	h, err := m.Check(ctx)
	if err != nil {
		return nil, err
	}
	if h.IndexError != "" {
		return nil, fault.New(fault.Unavailable, "%s", h.IndexError).Or("delete %s and run it again", f.cfg.DB)
	}
	out, err := f.sync(ctx, vault.SyncOptions{Full: true})
	if err == nil && out.Moved == "" {
		out.Moved = h.Moved
	}
	return out, err
}

func (f *Feature) sync(ctx context.Context, opt vault.SyncOptions) (*SyncResult, error) {
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	r, err := m.Sync(ctx, opt)
	if err != nil {
		return nil, err
	}
	if r.Frozen != "" { // not what was asked for, unlike where an old index answers a question
		return nil, fault.New(fault.Unavailable, "the index %s cannot be brought up to date: %s", f.cfg.DB, r.Frozen).Or("free some space on its disk, or set memory.db to a file elsewhere")
	}
	return &SyncResult{Vault: f.cfg.Vault, Index: f.cfg.DB, InVault: r.Notes, Sessions: r.Sessions, Changed: r.Changed, Removed: r.Removed, Chunks: r.Chunks,
		Embedded: r.Embedded, Seconds: time.Since(start).Round(time.Millisecond).Seconds(), Moved: r.Moved, Notes: f.lacks(r)}, nil
}

// WriteText writes the result in a line or two.
func (r *SyncResult) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	if r.Import != nil {
		r.Import.write(&b)
		if r.Import.DryRun {
			return b.End()
		}
	}
	if r.Exchange != nil {
		r.Exchange.write(&b)
	}
	fmt.Fprintf(&b, "%d notes, %d sessions; %d read, %d removed, %d chunks, %d vectors in %.2f s\n", r.InVault, r.Sessions, r.Changed, r.Removed, r.Chunks, r.Embedded, r.Seconds)
	if r.Moved != "" {
		fmt.Fprintf(&b, "# %s: it was moved to %s\n", wrong(r.Moved), text.Line(r.Moved))
	}
	b.Notes(r.Notes)
	return b.End()
}

// An AuditResult is what is wrong with the notes.
type AuditResult struct {
	Findings []vault.Finding `json:"findings"`
	Checked  int             `json:"notes_checked"`
	Unasked  []string        `json:"without_questions,omitempty"` // notes that are found by their own words alone: memory enrich
}

// Audit reads every note and says what is wrong with it.
func (f *Feature) Audit(ctx context.Context, _ AuditInput) (*AuditResult, error) {
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	found, n, err := m.Audit(ctx)
	if err != nil {
		return nil, err
	}
	out := &AuditResult{Findings: append([]vault.Finding{}, found...), Checked: n}
	unasked, _, err := m.Unasked(ctx, n)
	if err != nil {
		return nil, err
	}
	for _, u := range unasked {
		out.Unasked = append(out.Unasked, u.Path)
	}
	return out, nil
}

// WriteText writes a finding a line.
func (r *AuditResult) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for _, x := range r.Findings {
		b.WriteString(text.Line(x.Path))
		if x.Line > 0 {
			fmt.Fprintf(&b, ":%d", x.Line)
		}
		fmt.Fprintf(&b, ": %s: %s\n", x.Kind, text.Line(x.What))
	}
	if n := len(r.Unasked); n > 0 {
		fmt.Fprintf(&b, "# %s no questions to be found by (%s): assay memory enrich shows them to an agent, ten at a time\n",
			text.Count(n, "note has", "notes have"), text.Line(someOf(r.Unasked)))
	}
	fmt.Fprintf(&b, "%d notes, %d findings\n", r.Checked, len(r.Findings))
	return b.End()
}

// WriteLines writes one finding a line.
func (r *AuditResult) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Findings) }

// A DoctorResult says what state memory is in.
type DoctorResult struct {
	Vault     string         `json:"vault"`
	Index     string         `json:"index"`
	Bytes     int64          `json:"index_bytes"`
	Notes     int            `json:"notes"`
	Indexed   int            `json:"notes_indexed"`
	Sessions  int            `json:"sessions_indexed"`
	Agents    map[string]int `json:"agents"` // sessions that each has
	Chunks    int            `json:"chunks"`
	Embedder  string         `json:"embedder"`
	Vectors   int            `json:"vectors"`
	Forgotten int            `json:"sessions_forgotten"`
	Problems  []Problem      `json:"problems"`
}

// A Problem is something that is wrong with memory. Its JSON is the sentence.
type Problem struct {
	Says   string
	Repair string // the operation that repairs it; empty: by hand
}

// MarshalText returns the sentence.
func (p Problem) MarshalText() ([]byte, error) { return []byte(p.Says), nil }

// Doctor checks everything that memory relies on.
func (f *Feature) Doctor(ctx context.Context, _ DoctorInput) (*DoctorResult, error) {
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	h, err := m.Check(ctx)
	if err != nil {
		return nil, err
	}
	out := &DoctorResult{Vault: h.Vault, Index: h.Index, Bytes: h.Bytes, Notes: h.Notes, Indexed: h.Indexed, Sessions: h.Sessions, Agents: h.Agents,
		Chunks: h.Chunks, Embedder: h.Embedder, Vectors: h.Vectors, Forgotten: h.Forgotten, Problems: []Problem{}}
	problem := func(applies bool, repair, format string, args ...any) {
		if applies {
			out.Problems = append(out.Problems, Problem{fmt.Sprintf(format, args...), repair})
		}
	}
	problem(h.VaultError != "", "", "the vault: %s", h.VaultError)
	problem(h.ReadOnly, "", "the vault cannot be written: nothing can be stored")
	problem(h.IndexError != "", "memory rebuild", "the index: %s; assay memory rebuild rebuilds it", h.IndexError)
	problem(h.Moved != "", "memory rebuild", "%s: it was moved to %s; the next search rebuilds it", wrong(h.Moved), h.Moved)
	problem(h.Trouble != "", "", "no search by meaning: %s", h.Trouble)
	problem(len(h.Large) > 0, "", "notes larger than 32 MB are not indexed: %s; divide each into smaller ones", someOf(h.Large))
	problem(len(h.Front) > 0, "", "front matter that is not YAML, read line by line: %s; assay memory audit names the lines", someOf(h.Front))
	problem(len(h.Unreadable) > 0, "", "notes that cannot be read are not indexed: %s; check their permissions", someOf(h.Unreadable))
	problem(h.Stale > 0, "memory import", "%d notes or sessions are not indexed yet: the next search, or assay memory import, sees to it", h.Stale)
	problem(h.Embedder != "" && h.Vectors < h.Chunks, "memory import", "%d of %d chunks have no vectors: assay memory import makes them", h.Chunks-h.Vectors, h.Chunks)
	return out, nil
}

// someOf names the first of some paths, and says how many more there are.
func someOf(paths []string) string {
	const most = 3
	s := strings.Join(paths[:min(most, len(paths))], ", ")
	if more := len(paths) - most; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// WriteText writes the state as a short table.
func (r *DoctorResult) WriteText(w io.Writer, colour bool) error {
	b := render.Answer{To: w}
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%s %s\n", text.Painted(colour, bold, fmt.Sprintf("%-9s", name)), text.Line(fmt.Sprintf(format, args...)))
	}
	row("vault", "%s: %d notes, %d indexed", r.Vault, r.Notes, r.Indexed)
	row("index", "%s: %d chunks, %.1f MB", r.Index, r.Chunks, float64(r.Bytes)/(1<<20))
	agents := slices.Sorted(maps.Keys(r.Agents))
	for i, a := range agents {
		agents[i] = fmt.Sprintf("%s %d", a, r.Agents[a])
	}
	if len(agents) == 0 {
		agents = []string{"no agents"}
	}
	row("sessions", "%s; %d indexed, %d forgotten", strings.Join(agents, ", "), r.Sessions, r.Forgotten)
	if r.Embedder != "" {
		row("meaning", "%s, %d of %d chunks", r.Embedder, r.Vectors, r.Chunks)
	} else {
		row("meaning", "no embedding provider: search by words")
	}
	for _, p := range r.Problems {
		row("problem", "%s", p.Says)
	}
	if len(r.Problems) == 0 {
		row("state", "sound")
	}
	return b.End()
}

// A WatchEvent is one refresh that a watch made.
type WatchEvent struct {
	Time    time.Time `json:"time"`
	Changed int       `json:"changed"`
	Removed int       `json:"removed"`
	Chunks  int       `json:"chunks"`
	Error   string    `json:"error,omitempty"`

	quiet bool
}

// WriteText writes the event in a line.
func (e *WatchEvent) WriteText(w io.Writer, _ bool) error {
	if e.quiet {
		return nil
	}
	s := fmt.Sprintf("%s  %d changed, %d removed, %d chunks", e.Time.Format(time.TimeOnly), e.Changed, e.Removed, e.Chunks)
	if e.Error != "" {
		s = e.Time.Format(time.TimeOnly) + "  " + text.Line(e.Error)
	}
	return fault.Only(fmt.Fprintln(w, s))
}

// WriteLines writes the event as a line of JSON.
func (e *WatchEvent) WriteLines(w io.Writer) error { return codec.WriteJSON(w, e) }

// Watch keeps the index up to date until ctx ends, and emits an event for each
// refresh that changed something.
func (f *Feature) Watch(ctx context.Context, in WatchInput, emit func(*WatchEvent) error) error {
	m, err := f.open()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m.Watch(ctx, func(r vault.SyncReport, err error) {
		e := &WatchEvent{Time: f.cfg.Now(), Changed: r.Changed, Removed: r.Removed, Chunks: r.Chunks, quiet: in.Quiet}
		if err != nil {
			e.Error = err.Error()
		}
		if err := emit(e); err != nil {
			stop(err)
		}
	})
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil // stopped as asked
}
