package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
)

// A ShowInput asks for the log of searches.
type ShowInput struct {
	Agent string `json:"agent,omitempty" flag:"agent" help:"only records of this agent"`
	Phase string `json:"phase,omitempty" flag:"phase" help:"only records of this phase: intent, execute, cite, pivot"`
	Limit int    `json:"limit,omitempty" flag:"limit" min:"1" max:"100000" default:"50" help:"only this many of the newest"`
	Project
}

// A Step is one record of the log.
type Step struct {
	Time   string          `json:"ts,omitempty"`
	Agent  string          `json:"agent"`
	Phase  string          `json:"phase"`
	Query  string          `json:"query,omitempty"`
	Count  *int            `json:"result_count,omitempty"`
	File   string          `json:"file"`
	Line   int             `json:"line"`
	Record json.RawMessage `json:"record"` // as it is in the log
}

// Shown is the log of searches.
type Shown struct {
	Dir   string   `json:"dir"`
	Steps []Step   `json:"steps"`
	Total int      `json:"total"` // of which the newest are shown
	Bad   []BadRow `json:"bad"`
	Loss  float64  `json:"data_loss_ratio"`
}

// A BadRow is a line of a log that could not be read.
type BadRow struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Error string `json:"error"`
}

func (f *Feature) read(in Project, agent string) (trajectory.Log, *trajectory.Reading, error) {
	root, err := f.folder(in)
	if err != nil {
		return trajectory.Log{}, nil, err
	}
	l, _ := trajectory.Open(root, "")
	r, err := l.Read(agent)
	if err != nil {
		return l, nil, fault.New(fault.Unavailable, "read the log in %s", l.Dir()).Because(err)
	}
	return l, r, nil
}

// Show returns the newest records of the log.
func (f *Feature) Show(_ context.Context, in ShowInput) (*Shown, error) {
	l, r, err := f.read(in.Project, in.Agent)
	if err != nil {
		return nil, err
	}
	out := &Shown{Dir: l.Dir(), Steps: []Step{}, Bad: bad(r), Loss: r.Loss()}
	for i := range r.Entries {
		e := &r.Entries[i]
		if in.Phase != "" && e.Phase != in.Phase {
			continue
		}
		raw, err := json.Marshal(e.Fields)
		if err != nil {
			return nil, fmt.Errorf("write a record: %w", err)
		}
		s := Step{Agent: e.Agent, Phase: e.Phase, Query: e.Query, File: e.File, Line: e.Line, Record: raw}
		if !e.Time.IsZero() {
			s.Time = e.Time.UTC().Format(time.RFC3339)
		}
		if e.Count >= 0 {
			s.Count = &e.Count
		}
		out.Steps = append(out.Steps, s)
	}
	out.Total = len(out.Steps)
	if limit := cmp.Or(in.Limit, 50); out.Total > limit {
		out.Steps = out.Steps[out.Total-limit:]
	}
	return out, nil
}

func bad(r *trajectory.Reading) []BadRow {
	out := make([]BadRow, len(r.Bad))
	for i, b := range r.Bad {
		out[i] = BadRow{b.File, b.Line, b.Err.Error()}
	}
	return out
}

// WriteText writes a line for each record.
func (r *Shown) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for i := range r.Steps {
		s := &r.Steps[i]
		line := fmt.Sprintf("%s  %-8s %-8s", cmp.Or(s.Time, "-"), s.Agent, s.Phase)
		if s.Query != "" {
			line += fmt.Sprintf(" %q", short(s.Query))
		}
		if s.Count != nil {
			line += text.Counted(" %d result{s}", *s.Count)
		}
		writeLine(&b.Builder, "%s", line)
	}
	said := text.Counted("%d of %d record{s} in %s", len(r.Steps), r.Total, r.Dir)
	if len(r.Bad) > 0 {
		said += text.Counted("; %d line{s} cannot be read (data_loss_ratio %.4f)", len(r.Bad), r.Loss)
	}
	b.Note("%s", said)
	return b.End()
}

// WriteLines writes the records as they stand.
func (r *Shown) WriteLines(w io.Writer) error {
	for i := range r.Steps {
		if _, err := fmt.Fprintf(w, "%s\n", r.Steps[i].Record); err != nil {
			return err
		}
	}
	return nil
}

// A LogCheckInput asks whether the log is sound.
type LogCheckInput struct {
	Agent string `json:"agent,omitempty" flag:"agent" help:"only records of this agent"`
	Project
}

// LogChecked is what a log lacks.
type LogChecked struct {
	Dir     string   `json:"dir"`
	Records int      `json:"records"`
	Bad     []BadRow `json:"bad"`
	Loss    float64  `json:"data_loss_ratio"`
	Faults  []Fault  `json:"faults"`
}

// CheckLog looks for lines that cannot be read, searches without an intent before
// them, and searches with too many results that no pivot followed.
func (f *Feature) CheckLog(_ context.Context, in LogCheckInput) (*LogChecked, error) {
	l, r, err := f.read(in.Project, in.Agent)
	if err != nil {
		return nil, err
	}
	out := &LogChecked{Dir: l.Dir(), Records: len(r.Entries), Bad: bad(r), Loss: r.Loss(), Faults: []Fault{}}
	for _, b := range r.Bad {
		out.Faults = append(out.Faults, Fault{b.File, b.Line, "line", b.Err.Error()})
	}
	type state struct {
		intents map[string]bool // of queries that were announced
		wide    *trajectory.Entry
	}
	agents := map[string]*state{}
	for i := range r.Entries {
		e := &r.Entries[i]
		s := agents[e.Agent]
		if s == nil {
			s = &state{intents: map[string]bool{}}
			agents[e.Agent] = s
		}
		switch e.Phase {
		case "intent":
			if s.wide != nil {
				out.Faults = append(out.Faults, Fault{s.wide.File, s.wide.Line, "pivot", fmt.Sprintf("%q had %d results, and no pivot follows", short(s.wide.Query), s.wide.Count)})
				s.wide = nil
			}
			s.intents[e.Query] = true
			if !e.Reasoned() {
				out.Faults = append(out.Faults, Fault{e.File, e.Line, "reason", fmt.Sprintf("%q was searched without saying why: --intent, --rationale and --expect do", short(e.Query))})
			}
		case "execute":
			if !s.intents[e.Query] && e.Query != "" {
				out.Faults = append(out.Faults, Fault{e.File, e.Line, "intent", fmt.Sprintf("%q was searched without an intent before it", short(e.Query))})
			}
			if e.TooWide() {
				s.wide = e
			}
		case "pivot":
			s.wide = nil
		}
	}
	return out, nil
}

// WriteText writes the faults.
func (r *LogChecked) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for _, f := range r.Faults {
		writeLine(&b.Builder, "%s:%d: %s", f.File, f.Line, f.Msg)
	}
	fmt.Fprint(&b, text.Counted("%d record{s} in %s, %d fault{s}, data_loss_ratio %.4f\n", r.Records, r.Dir, len(r.Faults), r.Loss))
	return b.End()
}

// Verdict returns an error where the log has faults.
func (r *LogChecked) Verdict() error {
	if len(r.Faults) == 0 {
		return nil
	}
	return fault.New(fault.Negative, "the log has %s", text.Count(len(r.Faults), "fault", "faults")).Or("each line above says which")
}

// A PruneInput asks for old files of the log to be removed.
type PruneInput struct {
	Days int `json:"days,omitempty" flag:"days" min:"1" max:"36500" default:"30" help:"how many days to keep"`
	Project
}

// Pruned is what was removed.
type Pruned struct {
	Dir     string   `json:"dir"`
	Removed []string `json:"removed"`
}

// Prune removes the files of the log that are older than so many days.
func (f *Feature) Prune(_ context.Context, in PruneInput) (*Pruned, error) {
	root, err := f.folder(in.Project)
	if err != nil {
		return nil, err
	}
	l, _ := trajectory.Open(root, "")
	gone, err := l.Prune(f.cfg.Now().Add(-time.Duration(cmp.Or(in.Days, 30)) * 24 * time.Hour))
	if err != nil {
		return nil, fault.New(fault.Unavailable, "prune the log in %s", l.Dir()).Because(err)
	}
	return &Pruned{l.Dir(), append([]string{}, gone...)}, nil
}

// WriteText writes the names of the files.
func (r *Pruned) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for _, name := range r.Removed {
		writeLine(&b.Builder, "removed %s", name)
	}
	b.Note("%s", text.Counted("%d file{s} removed from %s", len(r.Removed), r.Dir))
	return b.End()
}

// A PivotInput records why a search is followed by a narrower one.
type PivotInput struct {
	Failure string `json:"hypothesis_failure" flag:"hypothesis-failure" min:"1" help:"what was wrong with the previous search"`
	Refined string `json:"refined_hypothesis" flag:"refined-hypothesis" min:"1" help:"the result expected now"`
	Query   string `json:"new_query" flag:"new-query" min:"1" help:"the next query"`
	Agent   string `json:"agent,omitempty" flag:"agent" help:"the agent that searches"`
	Project
}

// Pivoted is the record that was written.
type Pivoted struct {
	Dir    string            `json:"dir"`
	Record trajectory.Record `json:"record"`
}

// Pivot writes a pivot into the log.
func (f *Feature) Pivot(_ context.Context, in PivotInput) (*Pivoted, error) {
	root, err := f.folder(in.Project)
	if err != nil {
		return nil, err
	}
	l, _ := trajectory.Open(root, "")
	rec := trajectory.Record{
		Time: f.cfg.Now().UTC(), Agent: cmp.Or(in.Agent, f.cfg.Agent, "unknown"), Phase: "pivot", Action: "pivot", Path: root,
		Failure: in.Failure, Refined: in.Refined, NewQuery: in.Query, Reason: "too many results",
	}
	if query, n, pending := l.Pending(rec.Agent, rec.Time); pending {
		rec.Original, rec.Results = query, &n
	} else {
		rec.Reason = "another hypothesis"
	}
	if err := l.Append(rec); err != nil {
		return nil, fault.New(fault.Unavailable, "write the log in %s", l.Dir()).Because(err)
	}
	return &Pivoted{l.Dir(), rec}, nil
}

// WriteText says that it is written.
func (r *Pivoted) WriteText(w io.Writer, _ bool) error {
	_, err := fmt.Fprintf(w, "recorded for %s: next %q\n", r.Record.Agent, short(r.Record.NewQuery))
	return err
}
