package main

import (
	"fmt"
	"slices"
	"strings"
)

// Figures are one group of lines of the golden file: what was measured of a
// package. In the file the head begins its line, and the lines are indented.
type figures struct {
	head   string // "mobx: 6.13.7 from npm, truth by typescript 5.9.3"
	remark string // what ran, of what has no fixed version; not compared
	lines  []string
}

// key names the group, whatever its versions are.
func (f figures) key() string {
	key, _, _ := strings.Cut(f.head, ":")
	return key
}

func (f figures) String() string {
	var s strings.Builder
	fmt.Fprintln(&s, f.head)
	if f.remark != "" {
		fmt.Fprintf(&s, "  # %s\n", f.remark)
	}
	for _, l := range f.lines {
		fmt.Fprintf(&s, "  %s\n", l)
	}
	return s.String()
}

// parseFigures reads a golden file. Lines that begin with # are remarks.
func parseFigures(text string) (all []figures) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			all = append(all, figures{head: line})
		case len(all) > 0:
			last := &all[len(all)-1]
			if line = strings.TrimSpace(line); line[0] == '#' {
				last.remark = strings.TrimSpace(line[1:])
				continue
			}
			last.lines = append(last.lines, line)
		}
	}
	return all
}

// renderFigures is the inverse of parseFigures.
func renderFigures(all []figures) string {
	var s strings.Builder
	s.WriteString("# go run ./eval/structure golden -update\n")
	for _, f := range all {
		fmt.Fprintf(&s, "\n%s", f)
	}
	return s.String()
}

func find(all []figures, key string) (figures, bool) {
	i := slices.IndexFunc(all, func(f figures) bool { return f.key() == key })
	if i < 0 {
		return figures{}, false
	}
	return all[i], true
}

// compareFigures returns what differs in the groups that were measured, as lines of
// a diff with the group before them. What was not measured does not differ.
func compareFigures(old, got []figures) (differ []string) {
	for _, g := range got {
		o, ok := find(old, g.key())
		if ok && o.head == g.head && slices.Equal(o.lines, g.lines) {
			continue
		}
		differ = append(differ, g.key())
		if ok {
			for _, l := range slices.Concat([]string{o.head}, o.lines) {
				if l != g.head && !slices.Contains(g.lines, l) {
					differ = append(differ, "  - "+l)
				}
			}
		}
		for _, l := range slices.Concat([]string{g.head}, g.lines) {
			if l != o.head && !slices.Contains(o.lines, l) {
				differ = append(differ, "  + "+l)
			}
		}
	}
	return differ
}

// mergeFigures returns what was measured and, of what was not, the old figures, in
// the order of the packages.
func mergeFigures(old, got []figures) (all []figures) {
	for _, k := range names() {
		f, ok := find(got, k)
		if !ok {
			f, ok = find(old, k)
		}
		if ok {
			all = append(all, f)
		}
	}
	return all
}

// stray returns the groups of a golden file that belong to no package.
func stray(old []figures) []figures {
	return slices.DeleteFunc(slices.Clone(old), func(f figures) bool { return slices.Contains(names(), f.key()) })
}
