package audit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"

	"github.com/assay-dev/assay/internal/audit/cite"
	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/work"
)

// A CiteInput asks for citations to be verified.
type CiteInput struct {
	Files []string `json:"files" arg:"rest" out:"edit,if=fix" help:"documents"`
	Fix   bool     `json:"fix,omitempty" flag:"fix" help:"correct the line numbers of quotes that moved within their file"`
	Agent string   `json:"agent,omitempty" flag:"agent" help:"trajectory: the agent that cites"`
	Project
}

// A Cited is one citation and what became of it.
type Cited struct {
	File  string     `json:"file"`
	Line  int        `json:"line"`
	Quote string     `json:"quote"`
	Path  string     `json:"path"`
	At    int        `json:"path_line"`
	State cite.State `json:"state"`
	Found int        `json:"found_line,omitempty"`
	Near  string     `json:"near,omitempty"`
	Claim string     `json:"claim"`
	Fixed bool       `json:"fixed,omitempty"`
	// Of one that is at another line of its file: the line of the document as it is read,
	// and as Fix writes it.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Cites is what became of the citations of some documents.
type Cites struct {
	Citations []Cited `json:"citations"`
	True      int     `json:"true"`
	Total     int     `json:"total"`
	Fixed     int     `json:"fixed"`
}

// Cite verifies the citations of documents, word for word.
func (f *Feature) Cite(ctx context.Context, in CiteInput) (*Cites, error) {
	root, err := f.root(in.Project)
	if err != nil {
		return nil, err
	}
	checker, err := cite.NewChecker(root)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "open %s", root).Because(err)
	}
	defer func() { _ = checker.Close() }() // it was only read
	if len(in.Files) == 0 {
		return nil, fault.New(fault.Usage, "no documents are named").Or("assay audit cite FILE...")
	}
	out := &Cites{Citations: []Cited{}}
	for _, name := range in.Files {
		if err := f.cite(ctx, out, checker, root, name, in); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// cite verifies one document.
func (f *Feature) cite(ctx context.Context, out *Cites, checker *cite.Checker, root, name string, in CiteInput) error {
	d, err := f.document(name)
	if err != nil {
		return err
	}
	var cites []cite.Citation
	var verdicts []cite.Verdict
	var good []trajectory.Citation
	first := len(out.Citations)
	for _, claim := range cite.Parse(d.text) {
		for _, c := range claim.Citations {
			v := checker.Verify(c)
			cites, verdicts = append(cites, c), append(verdicts, v)
			out.Citations = append(out.Citations, Cited{File: name, Line: c.At, Quote: c.Quote, Path: c.Path, At: c.Line, State: v.State, Found: v.Found, Near: v.Near, Claim: claim.Text})
			if out.Total++; v.State == cite.True {
				out.True++
				good = append(good, trajectory.Citation{Claim: claim.Text, Code: c.Quote, Path: c.Path, Line: c.Line})
			}
		}
	}
	if len(cites) == 0 {
		work.FromContext(ctx).Note("%s has nothing that is read as a citation: one is `CODE` [/PATH/TO/FILE:LINE] or `CODE` [${PROJECT_ROOT}/FILE:LINE]", name)
	}
	moved, n := cite.Moved(d.text, cites, verdicts)
	if n > 0 {
		before, after := strings.Split(d.text, "\n"), strings.Split(moved, "\n")
		for i := first; i < len(out.Citations); i++ {
			if c := &out.Citations[i]; c.State == cite.Shifted && c.Line <= len(before) {
				c.Before, c.After = strings.TrimSuffix(before[c.Line-1], "\r"), strings.TrimSuffix(after[c.Line-1], "\r")
			}
		}
	}
	if in.Fix {
		if n > 0 && d.encoding != "" {
			return fault.New(fault.Usage, "%s is in %s, and --fix writes only UTF-8", name, d.encoding).Or("convert it first: iconv -f utf-16 -t utf-8")
		}
		if n > 0 {
			at, err := f.behind(root, name)
			if err != nil {
				return err
			}
			if err := safe.Replace(at, []byte(moved), d.mode); err != nil {
				return fault.New(fault.Unavailable, "write %s", name).Because(err)
			}
			for i := first; i < len(out.Citations); i++ {
				if out.Citations[i].State == cite.Shifted {
					out.Citations[i].Fixed = true
					out.Fixed++
				}
			}
		}
	}
	if l, ok := f.logged(root); ok && len(good) > 0 {
		rec := trajectory.Record{Time: f.cfg.Now().UTC(), Agent: cmp.Or(in.Agent, f.cfg.Agent, "unknown"), Phase: "cite", Action: "cite", Path: root, Grounding: "citation", Citations: good}
		if err := l.Append(rec); err != nil {
			work.FromContext(ctx).Note("trajectory not written: %v", err)
		}
	}
	return nil
}

// behind returns the file that a document is: a link stays one. One that leads out of the folder that it is
// named in is refused, as whoever wrote the tree says where it leads.
func (f *Feature) behind(root, name string) (string, error) {
	at := f.abs(name)
	real, err := filepath.EvalSymlinks(at)
	if err != nil {
		return "", fault.New(fault.Unavailable, "write %s", name).Because(err)
	}
	here, err := filepath.EvalSymlinks(f.cfg.WorkDir)
	if err != nil {
		return "", fault.New(fault.Unavailable, "open %s", f.cfg.WorkDir).Because(err)
	}
	// The folder may be named through a link of its own (/tmp, on some systems), whichever way the document is.
	if below, err := filepath.Rel(f.cfg.WorkDir, at); err == nil && filepath.IsLocal(below) {
		at = filepath.Join(here, below)
	}
	for _, dir := range []string{root, here} {
		if inside(dir, at) {
			if !inside(dir, real) {
				return "", fault.New(fault.Usage, "%s is a link that leads out of %s, and --fix does not write through it", name, dir).Or("name the file that it leads to: %s", real)
			}
			break
		}
	}
	return real, nil
}

// WriteText writes a line for each citation that does not hold, and the sum.
func (r *Cites) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for i := range r.Citations {
		if c := &r.Citations[i]; c.State != cite.True {
			writeLine(&b.Builder, "%s:%d: %s", c.File, c.Line, c.fault())
		}
	}
	fmt.Fprint(&b, text.Counted("%d of %d citation{s} {matches|match} word for word", r.True, r.Total))
	if r.Fixed > 0 {
		fmt.Fprintf(&b, "; %d more had their line number corrected", r.Fixed)
	}
	b.WriteByte('\n')
	return b.End()
}

// WriteLines writes a citation a line.
func (r *Cites) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Citations) }

// Verdict returns an error where a citation does not hold.
func (r *Cites) Verdict() error {
	if bad := r.Total - r.True - r.Fixed; bad > 0 {
		return fault.New(fault.Negative, "%s", text.Counted("%d of %d citation{s} {does|do} not match the lines cited", bad, r.Total)).
			Or("fix each line above; --fix moves quotes that are elsewhere in their file")
	}
	return nil
}

// fault says what is wrong with a citation and how to fix it.
func (c *Cited) fault() string {
	quote := short(c.Quote)
	switch c.State {
	case cite.Shifted:
		if c.Fixed {
			return fmt.Sprintf("`%s` was moved from line %d to %d of %s", quote, c.At, c.Found, c.Path)
		}
		return fmt.Sprintf("`%s` is at line %d of %s, not %d", quote, c.Found, c.Path, c.At)
	case cite.Altered:
		return fmt.Sprintf("`%s` is not what %s says; line %d has `%s`", quote, c.Path, c.Found, short(c.Near))
	case cite.Invented:
		return fmt.Sprintf("`%s` is not in %s", quote, c.Path)
	case cite.NoFile:
		return fmt.Sprintf("there is no file %s", c.Path)
	case cite.Relative:
		return fmt.Sprintf("the path %s is not absolute: write it from / or as ${PROJECT_ROOT}/%s", c.Path, strings.TrimPrefix(c.Path, "./"))
	case cite.Outside:
		return fmt.Sprintf("%s is outside the project", c.Path)
	case cite.Short:
		return fmt.Sprintf("`%s` is too short to be told apart: quote a word or more", quote)
	}
	return string(c.State)
}

// short returns a quote on one line, of a length that a line can hold.
func short(s string) string { return text.OneLine(s, 80) }
