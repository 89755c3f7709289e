package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// goldenFile is where the figures lie in the module.
const goldenFile = "eval/structure/testdata/golden.txt"

// runGolden measures fixed versions of packages and compares the figures with the
// golden ones.
func runGolden(args []string, w io.Writer) error {
	flags := flag.NewFlagSet("golden", flag.ExitOnError)
	accept := flags.Bool("update", false, "write the figures instead of comparing them")
	dir := flags.String("dir", "", "keep what is fetched here, and use what is there (default: a temporary folder)")
	only := flags.String("only", "", "only this package: "+strings.Join(names(), ", "))
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("golden takes no arguments, but %q", flags.Args())
	}
	if *only != "" && !slices.Contains(names(), *only) {
		return fmt.Errorf("no package %q; there are %s", *only, strings.Join(names(), ", "))
	}
	l, done, err := newLab(*dir, w)
	if err != nil {
		return err
	}
	defer done()
	file := filepath.Join(l.module, filepath.FromSlash(goldenFile))
	text, err := os.ReadFile(file)
	if err != nil && !(*accept && errors.Is(err, os.ErrNotExist)) {
		return fmt.Errorf("%w; -update makes it", err)
	}
	got, left, failed := l.measure(*only)
	if len(got) == 0 {
		return errors.Join(failed, errors.New("nothing was measured"))
	}
	old := parseFigures(string(text))
	differ := compareFigures(old, got)
	for _, d := range differ {
		fmt.Fprintln(w, d)
	}
	if *only == "" {
		for _, b := range stray(old) {
			fmt.Fprintf(w, "%s is measured no more\n", b.key())
			differ = append(differ, b.key())
		}
	}
	fmt.Fprintf(w, "%d of %d groups of figures measured, %d left out\n", len(got), len(names()), left)
	if *accept {
		if err := os.WriteFile(file, []byte(renderFigures(mergeFigures(old, got))), 0o644); err != nil {
			return err
		}
		return failed
	}
	if len(differ) > 0 {
		failed = errors.Join(failed, fmt.Errorf("the figures are not those of %s; -update accepts them", goldenFile))
	}
	return failed
}

// measure returns the figures of the packages, or of one, and how many groups were
// left out because the machine lacks something. One that fails does not keep the
// others from being measured.
func (l *lab) measure(only string) (got []figures, left int, failed error) {
	for _, s := range subjects {
		if only != "" && s.name != only {
			continue
		}
		f, err := l.figures(s)
		var m missing
		switch {
		case errors.As(err, &m):
			left++
			fmt.Fprintf(l.w, "left out: %s: %v\n", s.name, err)
		case err != nil:
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.name, err))
			fmt.Fprintf(l.w, "failed: %s: %v\n", s.name, err)
		default:
			got = append(got, f)
			fmt.Fprint(l.w, f)
		}
	}
	return got, left, failed
}

// figures measures the calls of a package.
func (l *lab) figures(s subject) (figures, error) {
	root, err := l.fetch(s)
	if err != nil {
		return figures{}, err
	}
	file, by, ran, err := l.truth(s, root)
	if err != nil {
		return figures{}, err
	}
	f := figures{remark: ran, head: fmt.Sprintf("%s: %s from %s, truth by %s", s.name, s.version, s.from, by)}
	f.lines, err = callFigures(root, file)
	return f, err
}

// callFigures compares the likely and exact calls of a package with a truth: a line
// for each kind there is, and one for all where there are several.
func callFigures(root, file string) (lines []string, err error) {
	want, err := readEdges(file)
	if err != nil {
		return nil, err
	}
	if len(want) == 0 {
		return nil, errors.New("the truth has no calls")
	}
	src, err := readTree(root)
	if err != nil {
		return nil, err
	}
	found, _ := src.edges("likely", scopeOf(want))
	shown := []string{"static", "dynamic", ""}
	if !slices.ContainsFunc(want, func(e edge) bool { return e.Kind == "dynamic" }) {
		// Where the truth tells none apart, a call by dispatch is as good as any.
		shown = []string{""}
	}
	var out bytes.Buffer
	for _, kind := range shown {
		compareEdges(&out, src, kind, want, found, 0)
	}
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines, nil
}
