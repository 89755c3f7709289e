package audit

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/audit/notes"
	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
)

// notes returns the notes of a project: those of its framework, else its own.
func (f *Feature) notes(root string) notes.Store {
	dir, _ := trajectory.Grimoire(root)
	return notes.Open(root, dir, f.cfg.Locks)
}

func noteFault(s notes.Store, verb string, err error) error {
	if _, ok := errors.AsType[*fault.Error](err); ok || errors.Is(err, context.Canceled) {
		return err
	}
	return fault.New(fault.Unavailable, "%s %s", verb, s.Path()).Because(err).Or("make it a plain file that can be read and written")
}

// ledger returns what an agent has read in its session.
func (f *Feature) ledger(root, agent string) trajectory.Spent {
	l, _ := trajectory.Open(root, "")
	return l.Spent(agent, f.cfg.Now())
}

func (f *Feature) agent(given string) string { return cmp.Or(given, f.cfg.Agent, "unknown") }

// A NotesInput asks for the findings and the ledger.
type NotesInput struct {
	Agent string `json:"agent,omitempty" flag:"agent" help:"the agent whose session the ledger records"`
	Project
}

// A NoteBlock is the findings of one synthesis and how old they are.
type NoteBlock struct {
	notes.Block
	Stage notes.Stage `json:"stage"`
}

// Notes are the findings of a project and what an agent's session has read.
type Notes struct {
	File     string           `json:"file"`
	Blocks   []NoteBlock      `json:"blocks"`
	Bad      []notes.Bad      `json:"bad"`
	Agent    string           `json:"agent"`
	Ledger   trajectory.Spent `json:"ledger"`
	Limits   Limits           `json:"limits"`
	Warnings []string         `json:"warnings"`
}

// Limits are the budgets, in tokens.
type Limits struct {
	Search      int `json:"search"`
	File        int `json:"file"`
	Accumulated int `json:"accumulated"`
	Session     int `json:"session"`
}

// Notes returns the findings, each with its stage, and the ledger.
func (f *Feature) Notes(_ context.Context, in NotesInput) (*Notes, error) {
	root, err := f.folder(in.Project)
	if err != nil {
		return nil, err
	}
	s := f.notes(root)
	n, err := s.Read()
	if err != nil {
		return nil, noteFault(s, "read", err)
	}
	out := &Notes{File: s.Path(), Blocks: []NoteBlock{}, Bad: append([]notes.Bad{}, n.Bad...), Agent: f.agent(in.Agent),
		Limits: Limits{trajectory.SearchLimit, trajectory.FileLimit, trajectory.AccumulatedLimit, trajectory.SessionLimit}}
	for _, b := range n.Blocks {
		out.Blocks = append(out.Blocks, NoteBlock{b, notes.StageAt(b.Time, f.cfg.Now())})
	}
	out.Ledger = f.ledger(root, out.Agent)
	out.Warnings = append([]string{}, out.Ledger.Warnings()...)
	return out, nil
}

// WriteText writes the findings, and below them the ledger.
func (r *Notes) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for _, x := range r.Blocks {
		head := fmt.Sprintf("%s  %s  %s", x.Time.UTC().Format(time.RFC3339), x.Stage, x.Agent)
		if x.Summary != "" {
			head += ": " + x.Summary
		}
		writeLine(&b.Builder, "%s", head)
		for _, y := range x.Findings {
			writeLine(&b.Builder, "  %s", strings.TrimPrefix(y.Item(), "- "))
		}
	}
	writeBad(&b.Builder, r.File, r.Bad)
	l := r.Ledger
	b.Note("%s has read about %d tokens in %d searches: the last %d of %d, since a synthesis %d of %d, in the session %d of %d", r.Agent, l.Session, l.Searches,
		l.Last, r.Limits.Search, l.Accumulated, r.Limits.Accumulated, l.Session, r.Limits.Session)
	b.Notes(append(r.Warnings, r.File))
	return b.End()
}

func writeBad(b *strings.Builder, file string, bad []notes.Bad) {
	for _, x := range bad {
		writeLine(b, "%s:%d: left as it is: %s", file, x.Line, x.Error)
	}
}

// A DecayInput asks for findings to be aged.
type DecayInput struct {
	Project
}

// Aged is what was done to findings.
type Aged struct {
	File     string        `json:"file"`
	Active   int           `json:"active"`   // findings that stay whole
	Decayed  int           `json:"decayed"`  // of which the place stays; just now or before
	Archived []notes.Block `json:"archived"` // just now
	Lines    []string      `json:"lines"`    // what the log has of those
	Bad      []notes.Bad   `json:"bad"`
}

// Decay ages the findings: of those five minutes old the place stays, and of those half
// an hour old a line in the log.
func (f *Feature) Decay(ctx context.Context, in DecayInput) (*Aged, error) {
	root, err := f.folder(in.Project)
	if err != nil {
		return nil, err
	}
	s, now := f.notes(root), f.cfg.Now()
	out := &Aged{File: s.Path(), Archived: []notes.Block{}, Lines: []string{}}
	logged := 0 // blocks whose line is in the log
	err = s.Update(ctx, func(n *notes.File) error {
		_, out.Archived = n.Decay(now)
		out.Active, out.Decayed, out.Lines = 0, 0, []string{}
		for i := range n.Blocks {
			if notes.StageAt(n.Blocks[i].Time, now) == notes.Active {
				out.Active += len(n.Blocks[i].Findings)
			} else {
				out.Decayed += len(n.Blocks[i].Findings)
			}
		}
		out.Bad = append([]notes.Bad{}, n.Bad...)
		// The line is in the log before the findings are gone: what ends in between
		// is told twice and not lost.
		l, _ := trajectory.Open(root, "")
		for i := range out.Archived {
			b := &out.Archived[i]
			out.Lines = append(out.Lines, b.Line())
			if i < logged {
				continue
			}
			if err := l.Append(trajectory.Record{Time: now.UTC(), Agent: b.Agent, Phase: "archive", Action: "notes", Path: s.Path(), Summary: b.Line()}); err != nil {
				return fault.New(fault.Unavailable, "write the log in %s", l.Dir()).Because(err).Or("nothing was removed from %s; make the folder writable", s.Path())
			}
			logged++
		}
		return nil
	})
	if err != nil {
		return nil, noteFault(s, "write", err)
	}
	if out.Archived == nil {
		out.Archived = []notes.Block{}
	}
	return out, nil
}

// WriteText says what is left.
func (r *Aged) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for _, l := range r.Lines {
		writeLine(&b.Builder, "archived: %s", l)
	}
	writeBad(&b.Builder, r.File, r.Bad)
	b.Note("%s%s", text.Counted("%d finding{s} active, %d decayed, %d synthes{i|e}s archived: ", r.Active, r.Decayed, len(r.Archived)), r.File)
	return b.End()
}

// A RehydrateInput asks for the code at a place as it is now.
type RehydrateInput struct {
	At      string `json:"at" arg:"1" min:"1" help:"PATH:LINE or PATH:FIRST-LAST"`
	Context int    `json:"context,omitempty" flag:"context,C" min:"0" max:"200" default:"3" help:"lines of context"`
	Agent   string `json:"agent,omitempty" flag:"agent" help:"the agent whose ledger is written"`
	Project
}

// Rehydrated is the code at a place.
type Rehydrated struct {
	Path    string `json:"path"` // absolute
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Snippet string `json:"snippet"`
	Claim   string `json:"claim,omitempty"` // of the finding there, if it is still known
	Tokens  int    `json:"tokens"`
}

// Rehydrate brings the code at a place back, from the file as it is now.
func (f *Feature) Rehydrate(ctx context.Context, in RehydrateInput) (*Rehydrated, error) {
	root, err := f.folder(in.Project)
	if err != nil {
		return nil, err
	}
	at, rest, err := f.place(root, in.At)
	if err != nil {
		return nil, err
	}
	if rest != "" {
		return nil, fault.New(fault.Usage, "%q is not FILE:LINE", in.At).Or("for example: assay notes rehydrate internal/http/retry.go:42")
	}
	out := &Rehydrated{Path: at.path, First: max(1, at.first-in.Context)}
	lines, total, err := f.lines(root, at.path, out.First, at.last+in.Context)
	if err != nil {
		return nil, err
	}
	if at.first > total {
		return nil, fault.New(fault.NotFound, "%s has %d lines now", at.path, total).Or("the code has moved: assay search finds it again")
	}
	out.Snippet, out.Last = strings.Join(lines, "\n"), out.First+len(lines)-1
	if out.Tokens = text.Tokens(len(out.Snippet)); out.Tokens > trajectory.FileLimit {
		return nil, fault.New(fault.Usage, "%s:%d-%d is about %d tokens, and more than %d are too many to read at once", at.path, out.First, out.Last, out.Tokens, trajectory.FileLimit).
			Or("ask for fewer lines")
	}
	if n, err := f.notes(root).Read(); err == nil {
		if x, ok := n.Find(at.path, at.first); ok {
			out.Claim = x.Claim
		}
	}
	l, kept := f.logged(root)
	agent := f.agent(in.Agent)
	if kept || f.ledger(root, agent).Searches > 0 {
		one := 1
		rec := trajectory.Record{Time: f.cfg.Now().UTC(), Agent: agent, Phase: "result", Action: "rehydrate", Path: at.path, Results: &one, HighSignal: 1, Tokens: out.Tokens}
		if err := l.Append(rec); err != nil {
			work.FromContext(ctx).Note("trajectory not written: %v", err)
		}
		for _, w := range f.ledger(root, agent).Warnings() {
			work.FromContext(ctx).Note("%s", w)
		}
	}
	return out, nil
}

// WriteText writes the lines with their numbers.
func (r *Rehydrated) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	place := fmt.Sprintf("%s:%d-%d", r.Path, r.First, r.Last)
	if r.Claim != "" {
		place += "  " + r.Claim
	}
	writeLine(&b.Builder, "%s", place)
	for i, line := range strings.Split(r.Snippet, "\n") {
		fmt.Fprintf(&b, "%6d  %s\n", r.First+i, line)
	}
	return b.End()
}

// A spot is lines of a file.
type spot struct {
	path        string // absolute, below the project
	first, last int    // one-based
}

var spotForm = lazy.Regexp(`^(.+?):([0-9]{1,9})(?:-([0-9]{1,9}))?(?:\s+(.*))?$`)

// place reads PATH:LINE or PATH:FIRST-LAST, and what follows it.
func (f *Feature) place(root, s string) (at spot, rest string, err error) {
	m := spotForm.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return at, "", fault.New(fault.Usage, "%q does not begin with PATH:LINE", short(s)).Or("for example: internal/http/retry.go:42")
	}
	at.first, _ = strconv.Atoi(m[2]) // at most nine digits
	at.last = at.first
	if m[3] != "" {
		at.last, _ = strconv.Atoi(m[3])
	}
	if at.first < 1 || at.last < at.first {
		return at, "", fault.New(fault.Usage, "%s: lines are counted from 1, the first before the last", short(s))
	}
	at.path = f.abs(m[1])
	if real, err := filepath.EvalSymlinks(filepath.Dir(at.path)); err == nil {
		at.path = filepath.Join(real, filepath.Base(at.path))
	}
	if !inside(root, at.path) {
		return at, "", fault.New(fault.Usage, "%s is outside the project %s", m[1], root).Or("name a file of the project, or the project with --root")
	}
	return at, m[4], nil
}

// lines returns lines of a file of the project, and how many it has.
func (f *Feature) lines(root, path string, first, last int) (out []string, total int, err error) {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return nil, 0, fault.New(fault.Usage, "%s is outside the project", path)
	}
	dir, err := safe.OpenRoot(root)
	if err != nil {
		return nil, 0, fault.New(fault.Unavailable, "open %s", root).Because(err)
	}
	defer dir.Close()
	in, err := dir.OpenLinked(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, fault.New(fault.NotFound, "no file %s", path).Or("it may have been renamed: assay search finds its code again")
	case err != nil:
		return nil, 0, fault.New(fault.Unavailable, "open %s", path).Because(err)
	}
	defer in.Close()
	if st, err := in.Stat(); err != nil || st.Size() > maxDocument {
		return nil, 0, fault.New(fault.Usage, "%s is larger than %d MB", path, maxDocument>>20)
	}
	sc := bufio.NewScanner(io.LimitReader(in, maxDocument))
	sc.Buffer(nil, maxDocument+1)
	for sc.Scan() {
		if total++; total >= first && total <= last {
			out = append(out, strings.ToValidUTF8(strings.TrimSuffix(sc.Text(), "\r"), "\uFFFD"))
		}
	}
	if err := sc.Err(); err != nil {
		return nil, 0, fault.New(fault.Unavailable, "read %s", path).Because(err)
	}
	return out, total, nil
}
