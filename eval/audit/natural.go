package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	audit "github.com/assay-dev/assay/internal/audit"
)

// The natural set judges what is reported of public projects as they are. Of the projects only their names, their
// commits and the labels are kept here; the folder that is named has a checkout of each, under its name.
const naturalData = "natural"

// A label is what a reader of the code found out about a report.
type label struct {
	verdict, reason string
}

// rows reads a table of the natural set: fields between tabs, \n and \t written out.
func rows(name string, fields int) ([][]string, error) {
	text, err := os.ReadFile(filepath.Join(naturalData, name))
	if err != nil {
		return nil, err
	}
	var out [][]string
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != fields {
			return nil, fmt.Errorf("%s:%d: %d fields, want %d", name, n+1, len(f), fields)
		}
		for i := range f {
			f[i] = unescape.Replace(f[i])
		}
		out = append(out, f)
	}
	return out, nil
}

// naturalFigures are the sums of a split.
type naturalFigures struct {
	projects            int
	orphans, orphanRows tally // of declarations, and of modules, each with all its orphans
	orphansUnlabelled   int
	drift               tally // of signatures, links and anchors
	driftUnlabelled     int
}

func (f *naturalFigures) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d projects\n", f.projects)
	if f.orphans != (tally{}) || f.orphansUnlabelled > 0 {
		fmt.Fprintf(&b, "  orphans: %d true, %d false, %d unlabelled: precision %.2f; %d of those labelled true are not reported; rows of modules: %d true, %d false\n", f.orphans.hit, f.orphans.wrong, f.orphansUnlabelled, part(f.orphans.hit, f.orphans.wrong), f.orphans.missed, f.orphanRows.hit, f.orphanRows.wrong)
	}
	if f.drift != (tally{}) || f.driftUnlabelled > 0 {
		fmt.Fprintf(&b, "  drift: %d true, %d false, %d unlabelled: precision %.2f; %d of those labelled true are not reported\n", f.drift.hit, f.drift.wrong, f.driftUnlabelled, part(f.drift.hit, f.drift.wrong), f.drift.missed)
	}
	return b.String()
}

// natural judges the projects of a split, whose checkouts are in dir.
func natural(ctx context.Context, o options, dir string, w io.Writer) (*naturalFigures, error) {
	projects, err := rows("projects.tsv", 4)
	if err != nil {
		return nil, err
	}
	shades, err := rows("shadows.tsv", 6)
	if err != nil {
		return nil, err
	}
	drifts, err := rows("drift.tsv", 6)
	if err != nil {
		return nil, err
	}
	sum := &naturalFigures{}
	for _, p := range projects {
		if p[0] != o.split || o.only != "" && !slices.Contains(strings.Split(o.only, ","), p[1]) {
			continue
		}
		root := filepath.Join(dir, p[1])
		sum.projects++
		if err := sum.shaded(ctx, o, p[1], root, shades, w); err != nil {
			return nil, fmt.Errorf("%s: %w", p[1], err)
		}
		if err := sum.drifted(ctx, o, p[1], root, drifts, w); err != nil {
			return nil, fmt.Errorf("%s: %w", p[1], err)
		}
	}
	_, err = fmt.Fprintf(w, "%s: %s", o.split, sum)
	return sum, err
}

// asked lends a feature that answers in a mode.
func asked(mode string, ask func(*audit.Feature) error) error {
	tmp, err := os.MkdirTemp("", "natural")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
	feature, done, err := featureOf(mode, tmp)
	if err != nil {
		return err
	}
	defer done()
	return ask(feature)
}

// A tally counts what was judged.
type tally struct{ hit, missed, wrong int }

func (t *tally) count(is, said bool) {
	switch {
	case is && said:
		t.hit++
	case is:
		t.missed++
	case said:
		t.wrong++
	}
}

// part is the share of a among a and b.
func part(a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return float64(a) / float64(a+b)
}
