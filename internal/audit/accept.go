package audit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
)

// An AcceptInput asks for findings to be accepted.
type AcceptInput struct {
	Findings []string `json:"findings" arg:"rest" help:"PATH:LINE of a finding, or its fingerprint as audit ci --json shows it"`
	Reason   string   `json:"reason,omitempty" flag:"reason" max:"500" help:"the reason for accepting it, in one line"`
	Baseline string   `json:"baseline,omitempty" flag:"baseline" default:".assay-baseline.json" out:"file" help:"the baseline file to write (default: .assay-baseline.json in the project)"`
	Since    string   `json:"since,omitempty" flag:"since" help:"accept what audit ci --since REV reports too: what the change since a revision broke"`
	Scope
}

// An Acceptance is what was accepted, and where that is written.
type Acceptance struct {
	Accepted []claims.Finding `json:"accepted"`
	Reason   string           `json:"reason"`
	Baseline string           `json:"baseline"`
	Known    int              `json:"known"` // findings that the file has now
}

// usualBaseline is the file of a project whose name nobody has to say.
const usualBaseline = ".assay-baseline.json"

// Accept adds findings of today to a baseline, with the reason. What is not found is accepted by
// nobody: then nothing is written.
func (f *Feature) Accept(ctx context.Context, in AcceptInput) (*Acceptance, error) {
	out := &Acceptance{Reason: strings.Join(strings.Fields(in.Reason), " ")}
	switch {
	case len(in.Findings) == 0:
		return nil, fault.New(fault.Usage, "audit accept needs a finding").Or("audit ci lists them: assay audit accept README.md:5 --reason \"planned for 3.0\"")
	case out.Reason == "":
		return nil, fault.New(fault.Usage, "audit accept needs a reason").Or("say why the finding may stay: --reason \"planned for 3.0\"")
	}
	err := f.audited(ctx, in.Scope, "accept", func(a *claims.Auditor) (int, error) {
		b, file, err := f.accepted(a.Tree.Root, in.Baseline)
		if err != nil {
			return 0, err
		}
		all, _, err := f.reported(ctx, a, in.Since, true, &CI{})
		if err != nil {
			return 0, err
		}
		for _, name := range in.Findings {
			n := len(out.Accepted)
			for i := range all {
				x := &all[i]
				if x.Fingerprint != name && x.Place.String() != name {
					continue
				}
				if out.Accepted = append(out.Accepted, *x); b.Reasons == nil {
					b.Reasons = map[string]string{}
				}
				b.Findings[x.Fingerprint], b.Reasons[x.Fingerprint] = baselined(x), out.Reason
			}
			if len(out.Accepted) == n {
				return len(all), fault.New(fault.NotFound, "no finding %s", text.Line(name)).Try("audit ci")
			}
		}
		sorting.Stable(out.Accepted, func(a, b claims.Finding) int { return strings.Compare(a.Fingerprint, b.Fingerprint) })
		out.Accepted = slices.CompactFunc(out.Accepted, func(a, b claims.Finding) bool { return a.Fingerprint == b.Fingerprint })
		out.Baseline, out.Known = file, len(b.Findings)
		return len(all), f.replaceBaseline(file, b)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// accepted reads the baseline that findings are added to: an empty one where there is none yet.
func (f *Feature) accepted(root, file string) (*baseline, string, error) {
	file = cmp.Or(file, usualBaseline)
	if file == usualBaseline {
		file = filepath.Join(root, file)
	} else {
		file = f.abs(file)
	}
	b, err := f.readBaseline(file, true)
	if err != nil {
		return nil, "", err
	}
	return b, file, nil
}

// WriteText writes a line for each.
func (r *Acceptance) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for i := range r.Accepted {
		x := &r.Accepted[i]
		writeLine(&b.Builder, "accepted: %s: %s: %s", x.Place, x.Rule, x.Message)
	}
	again := "--accepted"
	if filepath.Base(r.Baseline) != usualBaseline {
		again = "--baseline " + r.Baseline
	}
	fmt.Fprintf(&b, "written to %s, which has %s; assay audit ci %s passes over them\n", text.Line(r.Baseline), text.Count(r.Known, "finding", "findings"), text.Line(again))
	return b.End()
}
