package cli

import (
	"context"
	_ "embed" // doctorhelp.txt
	"fmt"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
)

// A State is how a part of the program or of its surroundings is.
type State string

// The states. What is absent is optional: nothing fails for it.
const (
	Fine   State = "ok"
	Absent State = "absent"
	Wrong  State = "wrong"
)

// A Finding is what the doctor says of a part.
type Finding struct {
	Part  string `json:"part"`
	State State  `json:"state"`
	Says  string `json:"says"`
	Fix   string `json:"fix,omitempty"` // what to do, where something is wrong or could be had
}

// A Part is something that the doctor checks. It changes nothing.
type Part struct {
	Name string
	Look func(ctx context.Context) []Finding
}

// Diagnosis is all of it.
type Diagnosis struct {
	Version  string    `json:"version"`
	Findings []Finding `json:"findings"`
	Wrong    int       `json:"wrong"`
}

//go:embed doctorhelp.txt
var doctorHelp string

// Doctor checks the parts, one after the other. It ends with status 1 where one is wrong, and with 0 where parts are only absent.
func Doctor(ctx context.Context, parts []Part, args []string, env Env) error {
	asJSON := false
	for _, a := range args {
		switch a {
		case "--json":
			asJSON = true
		case "-h", "--help":
			_, err := io.WriteString(env.Stdout, doctorHelp+statuses)
			return err
		default:
			return fault.New(fault.Usage, "doctor: %q is not known", a).Or("assay doctor [--json]")
		}
	}
	d := &Diagnosis{Version: env.Version, Findings: []Finding{}}
	for _, p := range parts {
		for _, f := range p.Look(ctx) {
			if err := ctx.Err(); err != nil {
				return err
			}
			f.Part = p.Name
			if f.State == Wrong {
				d.Wrong++
			}
			d.Findings = append(d.Findings, f)
		}
	}
	if err := Write(d, asJSON, env); err != nil {
		return err
	}
	if d.Wrong > 0 {
		return fault.New(fault.Negative, "%s found", text.Count(d.Wrong, "problem", "problems")).Or("each line with ✗ says what to do")
	}
	return nil
}

// WriteText writes a line for each finding.
func (d *Diagnosis) WriteText(w io.Writer, colour bool) error {
	marks := map[State][2]string{Fine: {"✓", "32"}, Absent: {"○", "2"}, Wrong: {"✗", "31"}}
	var b strings.Builder
	fmt.Fprintf(&b, "assay %s\n", d.Version)
	for _, f := range d.Findings {
		mark, code := marks[f.State][0], marks[f.State][1]
		if colour {
			mark = "\x1b[" + code + "m" + mark + plain
		}
		fmt.Fprintf(&b, "%s %s: %s%s\n", mark, f.Part, text.Log(f.Says), map[State]string{Absent: " (optional)"}[f.State])
		if f.Fix != "" {
			fmt.Fprintf(&b, "    %s\n", text.Log(f.Fix))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
