package code

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/index"
)

// Damage is what a check found wrong with an index: how much, and the first examples.
type Damage struct {
	Problems int             `json:"problems,omitempty"`
	Damaged  []index.Problem `json:"damaged,omitempty"`

	Compared    int                 `json:"compared,omitempty"` // files, with what would be built of them now
	Differences int                 `json:"differences,omitempty"`
	Differing   map[string]int      `json:"differing,omitempty"` // files, by what differs
	Examples    []engine.Difference `json:"examples,omitempty"`

	root string
	done string // where a damaged index was put before the check, which is over
}

// examples is how many problems are told one by one.
const examples = 20

func (d *Damage) damaged(problems []index.Problem) {
	d.Problems += len(problems)
	d.Damaged = append(d.Damaged, problems[:min(len(problems), examples)]...)
}

// Verdict returns an error where the index is not what it ought to be.
func (d *Damage) Verdict() error {
	path := fault.Arg{Name: "path", Value: d.root}
	switch {
	case d.done != "":
		return fault.New(fault.Negative, "the index was damaged and has been rebuilt").Or("nothing is left to do; the old one is %s", d.done)
	case d.Problems > 0:
		return fault.New(fault.Negative, "the index is damaged: %s", text.Count(d.Problems, "problem", "problems")).Try("index", path)
	case d.Differences > 0:
		return fault.New(fault.Negative, "the index differs from the tree in %d of %d files", d.Differences, d.Compared).
			Try("index", fault.Arg{Name: "full", Value: true}, path)
	}
	return nil
}

func (d *Damage) write(w io.Writer) {
	for _, p := range d.Damaged {
		fmt.Fprintf(w, "damaged: %s\n", text.Line(p.String()))
	}
	if more := d.Problems - len(d.Damaged); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	if d.Compared == 0 {
		return
	}
	if d.Differences == 0 {
		fmt.Fprint(w, text.Counted("compared with the tree: %d file{s}, no difference\n", d.Compared))
		return
	}
	var by []string
	for _, what := range engine.Differences() {
		if n := d.Differing[what]; n > 0 {
			by = append(by, fmt.Sprintf("%s %d", what, n))
		}
	}
	fmt.Fprint(w, text.Counted("compared with the tree: %d file{s}, %d differ{s|} (%s)\n", d.Compared, d.Differences, strings.Join(by, ", ")))
	for _, x := range d.Examples {
		fmt.Fprintf(w, "%s: %s\n", x.What, text.Line(x.Path))
	}
}

// before checks the index as it is found: a check reports what is damaged, since to
// repair it first would hide it; else it is repaired.
func (r *IndexReport) before(ctx context.Context, e *engine.Engine, check bool) error {
	r.root = e.Root()
	if moved := e.Moved(); check && moved != "" && !e.Other() {
		r.done = moved
	}
	if check {
		problems, err := e.Problems(ctx)
		r.damaged(problems)
		return err
	}
	problems, err := e.Mend(ctx)
	if len(problems) > 0 && err == nil {
		r.Repaired = len(problems)
		r.Notes = append(r.Notes, text.Counted("the index was damaged and has been repaired: %d problem{s}, the first: %s", len(problems), problems[0].String()))
	}
	return err
}

// checkAsIs checks an index that cannot be brought up to date: reading it needs no
// writing. What changed since it was written is counted.
func (r *IndexReport) checkAsIs(ctx context.Context, e *engine.Engine, tree bool, why string) error {
	r.asIs, r.root = true, e.Root()
	problems, err := e.Problems(ctx)
	if r.damaged(problems); err != nil || len(problems) > 0 {
		return err
	}
	if err := r.after(ctx, e, tree); err != nil {
		return err
	}
	st, err := e.Status(ctx)
	if err != nil {
		return err
	}
	r.Files, r.Docs, r.Chunks = st.Files, st.Documents, st.Chunks
	r.Notes = append(r.Notes, text.Counted("checked as it is: it cannot be written (%s); %d file{s} changed or removed since", why, st.Changed+st.Removed))
	return nil
}

// after checks what was indexed, and compares it with the tree if that is wanted.
func (r *IndexReport) after(ctx context.Context, e *engine.Engine, tree bool) error {
	problems, err := e.Check(ctx)
	if err != nil {
		return err
	}
	r.damaged(problems)
	if tree {
		diffs, files, err := e.AgainstTree(ctx, engine.Options{Progress: work.FromContext(ctx).Progress})
		if err != nil {
			return err
		}
		r.Compared, r.Differences = files, len(diffs)
		r.Examples = diffs[:min(len(diffs), examples)]
		if len(diffs) > 0 {
			r.Differing = map[string]int{}
		}
		for _, d := range diffs {
			r.Differing[d.What]++
		}
	}
	r.Checked = r.Verdict() == nil
	return nil
}
