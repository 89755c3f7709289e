// Package doctor checks everything that the program depends on, and repairs what an operation of the program repairs.
//
// A check only reads. A repair is an operation with its arguments, which runs as the command of that name does. Nothing is repaired
// before its change was shown, and without a confirmation nothing is repaired.
package doctor

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
)

// A State is how a part of the program or of its surroundings is.
type State string

// The states. What is absent is optional: nothing fails for it, and it is not repaired.
const (
	Fine   State = "ok"
	Absent State = "absent"
	Wrong  State = "wrong"
)

// A Finding is the result of a check.
type Finding struct {
	Part  string `json:"part"`
	State State  `json:"state"`
	Says  string `json:"says"`
	// Fix is what to do: by hand, or by the command of Repair, which it ends with.
	Fix    string     `json:"fix,omitempty"`
	Repair *fault.Fix `json:"repair,omitempty"`
	Writes string     `json:"writes,omitempty"` // the file or folder that Repair writes; empty: its preview says so
}

// A Part is something to check. Look changes nothing.
type Part struct {
	Name string
	Look func(ctx context.Context) []Finding
}

// The outcomes of a repair.
const (
	Done     = "done"
	Failed   = "failed"
	Declined = "declined"
	Planned  = "planned" // nobody could be asked
)

// A Repair is an operation that repairs a finding, and its outcome.
type Repair struct {
	Part    string    `json:"part"`
	Says    string    `json:"says"` // of the finding
	Command string    `json:"command"`
	Fix     fault.Fix `json:"repair"`
	Writes  string    `json:"writes,omitempty"`
	Outcome string    `json:"outcome"`
	Change  string    `json:"change,omitempty"` // what the operation answers, beforehand if it did not run
	Error   string    `json:"error,omitempty"`
}

// A Diagnosis is all findings, after the repairs if there were some.
type Diagnosis struct {
	Version  string    `json:"version"`
	Findings []Finding `json:"findings"`
	Wrong    int       `json:"wrong"`
	Repairs  []Repair  `json:"repairs,omitempty"`

	fix bool // repairs were requested
}

// Operations are those of the program.
type Operations interface {
	// Command returns the command line of an operation, "" if it has none.
	Command(fix fault.Fix) string
	// Run runs an operation and returns the text of its answer. With preview it only returns the text of a run that changes nothing.
	Run(ctx context.Context, fix fault.Fix, preview bool) (string, error)
}

// Config connects the feature to the program.
type Config struct {
	Version string
	Parts   []Part
	// Confirm shows the user a text and asks a yes-or-no question; nil: there is no terminal.
	Confirm func(ctx context.Context, text, question string) (bool, error)
}

// A Feature checks the parts.
type Feature struct{ cfg Config }

func New(cfg Config) *Feature { return &Feature{cfg} }

// An Input requests a diagnosis.
type Input struct {
	Fix bool `json:"fix,omitempty" flag:"fix" help:"repair what is wrong: show each change, ask, repair, and check again"`
	Yes bool `json:"yes,omitempty" flag:"yes" help:"with --fix: repair without asking"`
}

// ToolArgs are the arguments of the tool, which only checks.
type ToolArgs struct{}

// Input returns the operation's input.
func (ToolArgs) Input() Input { return Input{} }

// Diagnose checks the parts in their order. With Fix it then repairs what is wrong and has a repair, and checks again.
func (f *Feature) Diagnose(ctx context.Context, in Input, ops Operations) (*Diagnosis, error) {
	if in.Yes && !in.Fix {
		return nil, fault.New(fault.Usage, "doctor: --yes means nothing without --fix").Try("doctor", fault.Arg{Name: "fix", Value: true}, fault.Arg{Name: "yes", Value: true})
	}
	d, err := f.check(ctx, ops)
	if err != nil || !in.Fix {
		return d, err
	}
	var repairs []Repair
	tried := map[string]bool{}
	ran := false
	for _, x := range d.Findings {
		if x.State != Wrong || x.Repair == nil || tried[ops.Command(*x.Repair)] {
			continue
		}
		r := Repair{Part: x.Part, Says: x.Says, Command: ops.Command(*x.Repair), Fix: *x.Repair, Writes: x.Writes}
		tried[r.Command] = true
		if err := f.repair(ctx, &r, in.Yes, ops); err != nil {
			return nil, err
		}
		ran = ran || r.Outcome == Done || r.Outcome == Failed
		repairs = append(repairs, r)
	}
	if ran {
		if d, err = f.check(ctx, ops); err != nil {
			return nil, err
		}
	}
	d.Repairs, d.fix = repairs, true
	return d, nil
}

// check checks the parts.
func (f *Feature) check(ctx context.Context, ops Operations) (*Diagnosis, error) {
	d := &Diagnosis{Version: f.cfg.Version, Findings: []Finding{}}
	caller := work.FromContext(ctx)
	for _, p := range f.cfg.Parts {
		for _, x := range p.Look(ctx) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			x.Part = p.Name
			if x.State == Wrong {
				d.Wrong++
			}
			if x.Repair != nil {
				x.Fix += cmp.Or(caller.Command(*x.Repair), ops.Command(*x.Repair))
			}
			d.Findings = append(d.Findings, x)
		}
	}
	return d, nil
}

// repair shows what a repair changes, asks for a confirmation, and runs it. An error means that the whole request has to end.
func (f *Feature) repair(ctx context.Context, r *Repair, yes bool, ops Operations) error {
	var err error
	if r.Writes == "" {
		if r.Change, err = ops.Run(ctx, r.Fix, true); err != nil {
			return r.failed(ctx, err)
		}
	}
	switch {
	case !yes && f.cfg.Confirm == nil:
		r.Outcome = Planned
		return nil
	case !yes:
		ok, err := f.cfg.Confirm(ctx, r.text(), "Run it?")
		if err != nil {
			return err
		}
		if !ok {
			r.Outcome, r.Change = Declined, ""
			return nil
		}
	}
	r.Outcome = Done
	if r.Change, err = ops.Run(ctx, r.Fix, false); err != nil {
		return r.failed(ctx, err)
	}
	return nil
}

// failed records the error of a repair; the others still run, unless the user has interrupted.
func (r *Repair) failed(ctx context.Context, err error) error {
	r.Outcome, r.Error = Failed, err.Error()
	if hint := fault.HintOf(err); hint != "" {
		r.Error += "; " + hint
	}
	return ctx.Err()
}

// text returns what is wrong, the command that repairs it, and what that changes.
func (r *Repair) text() string {
	before := map[string]string{Done: "ran: ", Failed: "failed: ", Declined: "not run: ", Planned: "would run: "}[r.Outcome]
	s := fmt.Sprintf("%s: %s\n%s%s\n", r.Part, text.Log(r.Says), before, text.Log(r.Command))
	if r.Writes != "" {
		s += "writes " + text.Log(r.Writes) + "\n"
	}
	if r.Error != "" {
		s += text.Log(r.Error) + "\n"
	}
	if change := strings.TrimRight(r.Change, "\n"); change != "" {
		s += change + "\n"
	}
	return s
}

// Verdict returns an error if something is wrong.
func (d *Diagnosis) Verdict() error {
	if d.Wrong == 0 {
		return nil
	}
	err := fault.New(fault.Negative, "%s found", text.Count(d.Wrong, "problem", "problems"))
	if d.fix {
		err = fault.New(fault.Negative, "%s left", text.Count(d.Wrong, "problem", "problems"))
	}
	canRepair := false
	for _, x := range d.Findings {
		canRepair = canRepair || x.State == Wrong && x.Repair != nil
	}
	switch {
	case canRepair && !d.fix:
		err = err.Try("doctor", fault.Arg{Name: "fix", Value: true})
	case len(d.Repairs) > 0 && d.Repairs[0].Outcome == Planned:
		return err.Or("nothing was changed: add --yes to make these repairs")
	}
	return err.Or("each line with ✗ says what to do")
}

// WriteText writes the repairs, then a line for each finding.
func (d *Diagnosis) WriteText(w io.Writer, colour bool) error {
	marks := map[State][2]string{Fine: {"✓", "32"}, Absent: {"○", "2"}, Wrong: {"✗", "31"}}
	var b strings.Builder
	for i := range d.Repairs {
		b.WriteString(d.Repairs[i].text() + "\n")
	}
	fmt.Fprintf(&b, "assay %s\n", d.Version)
	for _, x := range d.Findings {
		mark, code := marks[x.State][0], marks[x.State][1]
		if colour {
			mark = "\x1b[" + code + "m" + mark + "\x1b[0m"
		}
		fmt.Fprintf(&b, "%s %s: %s%s\n", mark, x.Part, text.Log(x.Says), map[State]string{Absent: " (optional)"}[x.State])
		if x.Fix != "" {
			fmt.Fprintf(&b, "    %s\n", text.Log(x.Fix))
		}
	}
	return fault.Only(io.WriteString(w, b.String()))
}
