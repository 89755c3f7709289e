//go:build !slim

package op

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/install/doctor"
)

// doctored is the operation of feature doctor, which runs the others: all returns them.
func doctored(f *doctor.Feature, all func() []Op) Op {
	t := tool("doctor", "doctor", "Check the index, the settings, the notes and the clients' configuration: what is wrong, and what repairs it.", doctor.ToolArgs.Input)
	t.Reads = true
	o := writes("doctor", "Diagnose the installation: show problems, and repair them with --fix", "assay doctor --fix",
		func(ctx context.Context, in doctor.Input) (*doctor.Diagnosis, error) {
			return f.Diagnose(ctx, in, catalogue(all()))
		}).with(t)
	o.Always = true
	return o
}

// A catalogue runs its operations for the doctor.
type catalogue []Op

func (c catalogue) Command(fix fault.Fix) string { return CommandLine(c, fix) }

func (c catalogue) Run(ctx context.Context, fix fault.Fix, preview bool) (string, error) {
	i := slices.IndexFunc(c, func(o Op) bool { return o.Name == fix.Op })
	if i < 0 {
		return "", fault.New(fault.Unavailable, "this program has no operation %s", fix.Op)
	}
	given := fix.Values()
	if preview {
		given["dry_run"] = true
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return "", err
	}
	in, err := Decode(c[i], raw)
	if err != nil {
		return "", err
	}
	report := work.FromContext(ctx)
	res, err := c[i].Run(ctx, in, Out{Progress: report.Progress, Note: report.Note, Client: report.Client, Command: report.Command, Emit: func(any) error { return nil }})
	if err != nil || res == nil {
		return "", err
	}
	var b strings.Builder
	if err := res.WriteText(&b, false); err != nil {
		return "", err
	}
	if j, ok := res.(Judged); ok {
		err = j.Verdict()
	}
	return b.String(), err
}
