package calls

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
)

// A SavedInput asks for the cost of the answers to agents, beside that of the files that they name.
type SavedInput struct {
	Root string `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the working directory)"`
	All  bool   `json:"all,omitempty" flag:"all" help:"the calls of all projects"`
	Line bool   `json:"line,omitempty" flag:"line" help:"one short line, for the status line of an agent"`
}

// A Saved sums the calls that are still recorded. Tokens are estimates.
type Saved struct {
	Root   string     `json:"root,omitempty"` // of the calls; absent: of all projects
	Since  *time.Time `json:"since,omitempty"`
	Calls  int        `json:"calls"`
	Failed int        `json:"failed"`
	Tokens int        `json:"tokens"` // of all answers
	Naming int        `json:"naming"` // calls whose answers name files
	Read   int        `json:"read"`   // tokens of those answers
	Whole  int        `json:"whole"`  // tokens of those files, read whole
	Tools  []ToolSum  `json:"tools,omitempty"`

	line bool
}

// A ToolSum is the part of one tool.
type ToolSum struct {
	Tool   string `json:"tool"`
	Calls  int    `json:"calls"`
	Tokens int    `json:"tokens"`
	Whole  int    `json:"whole"`
}

// Summing returns the operation that sums the calls recorded in a folder. project finds the project of a folder that was given,
// or of the working directory.
func Summing(dir string, project func(given string) (string, error)) func(context.Context, SavedInput) (*Saved, error) {
	return func(_ context.Context, in SavedInput) (*Saved, error) {
		root := ""
		if !in.All {
			var err error
			if root, err = project(in.Root); err != nil {
				return nil, err
			}
		}
		list, err := readAll(dir)
		if err != nil {
			return nil, fault.New(fault.Unavailable, "cannot read the record of calls").Because(err).Or("check the folder %s", filepath.ToSlash(dir))
		}
		out := sum(list, root)
		out.line = in.Line
		return out, nil
	}
}

// sum adds up the calls of a project, or of all.
func sum(list []Call, root string) *Saved {
	out := &Saved{Root: root}
	tools := map[string]*ToolSum{}
	for i := range list {
		c := &list[i]
		if root != "" && c.Root != root {
			continue
		}
		if out.Since == nil || c.Time.Before(*out.Since) {
			out.Since = &c.Time
		}
		out.Calls++
		out.Tokens += c.Tokens
		if c.Failed {
			out.Failed++
		}
		if c.Whole > 0 {
			out.Naming++
			out.Read += c.Tokens
			out.Whole += c.Whole
		}
		t := tools[c.Tool]
		if t == nil {
			t = &ToolSum{Tool: c.Tool}
			tools[c.Tool] = t
		}
		t.Calls++
		t.Tokens += c.Tokens
		t.Whole += c.Whole
	}
	for _, t := range tools {
		out.Tools = append(out.Tools, *t)
	}
	sorting.Stable(out.Tools, func(a, b ToolSum) int { return cmp.Or(b.Calls-a.Calls, cmp.Compare(a.Tool, b.Tool)) })
	return out
}

// less says how much less the answers are than the files that they name; "" if they are not.
func (a *Saved) less() string {
	if a.Whole <= a.Read {
		return ""
	}
	return fmt.Sprintf("%d %% less", 100*(a.Whole-a.Read)/a.Whole)
}

// WriteText writes the sums as sentences, or as one line.
func (a *Saved) WriteText(w io.Writer, _ bool) error {
	if a.Calls == 0 {
		if a.line {
			return fault.Only(io.WriteString(w, "assay: no calls\n"))
		}
		_, err := io.WriteString(w, render.Note(render.Columns(w), "no server has answered a call lately; assay setup connects an agent, and serve.calls: off keeps no record"))
		return err
	}
	calls := text.Count(a.Calls, "call", "calls")
	if a.line {
		line := "assay: " + calls
		if less := a.less(); less != "" {
			line += ", " + less + " read"
		}
		return fault.Only(fmt.Fprintln(w, line))
	}
	_, err := fmt.Fprintf(w, "%s since %s, %d failed: %s tokens answered\n", calls, a.Since.Format(time.DateOnly), a.Failed, corpus.Thousands(a.Tokens))
	if less := a.less(); less != "" {
		_, more := fmt.Fprintf(w, "%d of them named files: %s tokens in place of %s for those files read whole, %s (both are estimates)\n",
			a.Naming, corpus.Thousands(a.Read), corpus.Thousands(a.Whole), less)
		err = errors.Join(err, more)
	}
	for _, t := range a.Tools {
		_, more := io.WriteString(w, text.Counted("  %-22s %6d call{ |s} %12s tokens\n", text.Line(t.Tool), t.Calls, corpus.Thousands(t.Tokens)))
		err = errors.Join(err, more)
	}
	return err
}
