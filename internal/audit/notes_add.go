package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/audit/notes"
	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
)

// An AddInput asks for findings to be written down.
type AddInput struct {
	Findings []string `json:"findings,omitempty" arg:"rest" help:"PATH:LINE and what it shows in at most 20 words; at most 10 files"`
	Hits     string   `json:"hits,omitempty" flag:"hits" stdin:"true" help:"the output of a search with --jsonl; the first hit in each of 10 files is stored"`
	Summary  string   `json:"summary,omitempty" flag:"summary" max:"200" help:"the summary line that remains when the findings are archived"`
	Context  bool     `json:"context,omitempty" flag:"context" help:"write a Context Load block: what was read before starting a task"`
	Task     string   `json:"task,omitempty" flag:"task" max:"200" help:"--context: the task"`
	Patterns string   `json:"patterns,omitempty" flag:"patterns" max:"400" help:"--context: the patterns that were found"`
	Ready    bool     `json:"ready,omitempty" flag:"ready" help:"--context: the task is ready to start"`
	Agent    string   `json:"agent,omitempty" flag:"agent" help:"who found it"`
	Project
}

// Added is what was written.
type Added struct {
	File     string               `json:"file"`
	Agent    string               `json:"agent"`
	Findings []notes.Finding      `json:"findings"`
	Left     int                  `json:"left_out,omitempty"` // hits of files that are noted already, or past the tenth
	Dropped  []trajectory.Dropped `json:"dropped_lines,omitempty"`
	Loss     float64              `json:"data_loss_ratio,omitempty"`
}

// Add writes findings into NOTES.md, each with the code that stands there now.
func (f *Feature) Add(ctx context.Context, in AddInput) (*Added, error) {
	root, err := f.folder(in.Project)
	if err != nil {
		return nil, err
	}
	s := f.notes(root)
	out := &Added{File: s.Path(), Agent: f.agent(in.Agent), Findings: []notes.Finding{}}
	var places []spot
	switch {
	case in.Hits != "" && len(in.Findings) > 0:
		return nil, fault.New(fault.Usage, "findings come as arguments or with --hits, not both").Or("omit one of them")
	case in.Hits != "":
		places, err = f.hits(root, in.Hits, out)
	default:
		places, err = f.findings(root, in.Findings, out)
	}
	if err != nil {
		return nil, err
	}
	if !in.Context && in.Task+in.Patterns != "" || !in.Context && in.Ready {
		return nil, fault.New(fault.Usage, "--task, --patterns and --ready belong to --context").Or("add --context")
	}
	if len(out.Findings) == 0 && len(out.Dropped) == 0 {
		return nil, fault.New(fault.Usage, "nothing to add").Or("for example: assay notes add 'auth/jwt.go:45 checks the signature'")
	}
	now := f.cfg.Now().UTC()
	if len(out.Findings) > 0 {
		err = s.Update(ctx, func(n *notes.File) error {
			if in.Context {
				c := notes.Context{Time: now, Task: in.Task, Patterns: in.Patterns, Ready: in.Ready}
				for i, x := range out.Findings {
					c.Files = append(c.Files, keyFile(root, places[i], x.Claim))
				}
				n.AddContext(c)
				return nil
			}
			n.Add(notes.Block{Time: now, Agent: out.Agent, Summary: in.Summary, Findings: out.Findings})
			return nil
		})
		if err != nil {
			return nil, noteFault(s, "write", err)
		}
	}
	f.synthesised(ctx, root, in, out)
	return out, nil
}

func keyFile(root string, at spot, words string) string {
	shown := at.path
	if rel, err := filepath.Rel(root, at.path); err == nil {
		shown = filepath.ToSlash(rel)
	}
	line := fmt.Sprintf("`%s:%d`", shown, at.first)
	if at.last > at.first {
		line = fmt.Sprintf("`%s:%d-%d`", shown, at.first, at.last)
	}
	if words != "" {
		line += " - " + words
	}
	return line
}

// synthesised writes into the log that what was read is written down, and which lines
// were lost on the way.
func (f *Feature) synthesised(ctx context.Context, root string, in AddInput, out *Added) {
	l, kept := f.logged(root)
	if !kept && f.ledger(root, out.Agent).Searches == 0 {
		return
	}
	now, n := f.cfg.Now().UTC(), len(out.Findings)
	var records []trajectory.Record
	if len(out.Dropped) > 0 {
		records = append(records, trajectory.Record{Time: now, Agent: out.Agent, Phase: "jsonl_parse", Action: "notes", ParseErrors: len(out.Dropped),
			Dropped: out.Dropped[:min(len(out.Dropped), 100)], Loss: out.Loss})
	}
	if n > 0 {
		records = append(records, trajectory.Record{Time: now, Agent: out.Agent, Phase: "synthesis", Action: "notes", Path: out.File, Results: &n, HighSignal: n, Summary: in.Summary})
	}
	for _, r := range records {
		if err := l.Append(r); err != nil {
			work.FromContext(ctx).Note("trajectory not written: %v", err)
			return
		}
	}
}

// findings reads those that were given as arguments.
func (f *Feature) findings(root string, given []string, out *Added) ([]spot, error) {
	files := map[string]bool{}
	var places []spot
	for i, s := range given {
		at, words, err := f.place(root, s)
		if err != nil {
			return nil, err
		}
		if n := len(strings.Fields(words)); n > notes.MaxWords {
			return nil, fault.New(fault.Usage, "finding %d has %d words, and the maximum is %d", i+1, n, notes.MaxWords).Or("say it shorter; the code is quoted anyway")
		}
		if files[at.path] = true; len(files) > notes.MaxFiles {
			return nil, fault.New(fault.Usage, "these are findings of more than %d files", notes.MaxFiles).Or("keep those that matter to the task")
		}
		code, err := f.codeAt(root, at)
		if err != nil {
			return nil, err
		}
		out.Findings = append(out.Findings, notes.Finding{Claim: words, Code: code, Path: at.path, Line: at.first})
		places = append(places, at)
	}
	return places, nil
}

// codeAt returns the line at a place.
func (f *Feature) codeAt(root string, at spot) (string, error) {
	lines, total, err := f.lines(root, at.path, at.first, at.first)
	switch {
	case err != nil:
		return "", err
	case len(lines) == 0:
		return "", fault.New(fault.NotFound, "%s has %d lines, not %d", at.path, total, at.first).Or("assay search finds where it is")
	case strings.TrimSpace(lines[0]) == "":
		return "", fault.New(fault.Usage, "%s:%d is an empty line", at.path, at.first).Or("name the line that shows it")
	}
	return notes.Code(lines[0]), nil
}

// A hitLine is what two kinds of JSONL say of a hit.
type hitLine struct {
	Path string `json:"path"`
	File string `json:"file"`
	Span struct {
		First int `json:"line_start"`
		Last  int `json:"line_end"`
	} `json:"span"`
	Symbol string `json:"symbol"`
}

// hits reads what a search printed: the first hit of each file, ten at most. A line that
// is none is dropped and counted.
func (f *Feature) hits(root, jsonl string, out *Added) ([]spot, error) {
	files := map[string]bool{}
	var places []spot
	n, lines := 0, 0
	for line := range strings.SplitSeq(jsonl, "\n") {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		lines++
		drop := func(why string) { out.Dropped = append(out.Dropped, trajectory.Dropped{Line: n, Error: why}) }
		var h hitLine
		if err := json.Unmarshal([]byte(line), &h); err != nil {
			drop("the line is not the JSON object of a hit")
			continue
		}
		path := cmp.Or(h.Path, h.File)
		if path == "" || h.Span.First < 1 {
			drop("the hit has no path or no line")
			continue
		}
		at, _, err := f.place(root, fmt.Sprintf("%s:%d-%d", path, h.Span.First, max(h.Span.First, h.Span.Last)))
		if err != nil {
			drop(err.Error())
			continue
		}
		if files[at.path] || len(files) == notes.MaxFiles {
			out.Left++
			continue
		}
		// A hit may begin with an empty line or a comment's first; its first line that
		// says something is quoted.
		code := ""
		for l := at.first; l <= min(at.last, at.first+5) && code == ""; l++ {
			if code, err = f.codeAt(root, spot{at.path, l, l}); err == nil {
				at.first = l
			}
		}
		if err != nil {
			drop(err.Error())
			continue
		}
		files[at.path] = true
		out.Findings = append(out.Findings, notes.Finding{Claim: words(h.Symbol), Code: code, Path: at.path, Line: at.first})
		places = append(places, at)
	}
	if lines > 0 {
		out.Loss = float64(len(out.Dropped)) / float64(lines)
	}
	return places, nil
}

// words cuts a text to those that a finding may have.
func words(s string) string {
	w := strings.Fields(s)
	return strings.Join(w[:min(len(w), notes.MaxWords)], " ")
}

// WriteText says what was written.
func (r *Added) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for _, x := range r.Findings {
		writeLine(&b.Builder, "%s", strings.TrimPrefix(x.Item(), "- "))
	}
	for _, d := range r.Dropped {
		writeLine(&b.Builder, "line %d dropped: %s", d.Line, d.Error)
	}
	said := text.Counted("%d finding{s} by %s in %s", len(r.Findings), r.Agent, r.File)
	if r.Left > 0 {
		said += text.Counted("; %d hit{s} omitted", r.Left)
	}
	if len(r.Dropped) > 0 {
		said += fmt.Sprintf("; data_loss_ratio %.4f", r.Loss)
	}
	b.Note("%s", said)
	return b.End()
}
