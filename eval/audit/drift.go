package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	audit "github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/audit/claims"
)

// A mending is a project with plants, and the same with every second of them mended.
type mending struct {
	ghosts        *plant
	shades        *shade
	before, after *project
	back          map[string]bool // names that are implemented again
	withdrawn     map[string]bool // features that are promised no more
	described     map[string]bool // names that documents have now, or have right
}

// mended plants ghosts, shadows and what has drifted in a project, and mends every
// second of each sort.
func mended(p *project, r *rand.Rand) *mending {
	m := &mending{shades: p.shadows(r, planted), back: map[string]bool{}, withdrawn: map[string]bool{}, described: map[string]bool{}}
	m.ghosts = m.shades.ghosts(r, planted, planted)
	m.before, m.after = m.ghosts.project, m.shades.clone()
	half := func(in map[string]bool, do func(name string, k int, mend bool)) {
		for k, name := range slices.Sorted(maps.Keys(in)) {
			do(name, k, k%2 == 0)
		}
	}
	half(m.ghosts.removed, func(name string, k int, mend bool) {
		if mend {
			m.back[name] = true
			return
		}
		m.after.remove(name, k)
	})
	// The inventions stand in the documents of before alone.
	text := m.before.docs[m.before.first]
	for k, line := range m.ghosts.invented {
		if k%2 == 0 {
			text = without(text, func(l string) bool { return strings.Contains(l, line) })
			m.withdrawn[strings.ReplaceAll(line, "**", "")] = true
		}
	}
	half(m.shades.drifted, func(name string, _ int, mend bool) {
		if line := m.shades.lines[name]; mend && m.shades.drifted[name] {
			text = strings.Replace(text, line[0], line[1], 1)
			m.described[name] = true
		}
	})
	text += "\n\n## Also there\n\n"
	half(m.shades.gone, func(name string, _ int, mend bool) {
		if mend && !m.ghosts.removed[name] {
			text += "- `" + name + "` is there too\n"
			m.described[name] = true
		}
	})
	m.after.docs[m.after.first] = text
	return m
}

// wanted returns what is to be resolved of a report, by what it says of it.
func (m *mending) wanted(r *audit.Drift) map[string]bool {
	want := map[string]bool{}
	for _, g := range r.Ghosts {
		head, _ := about(g.Feature)
		in := func(names map[string]bool) bool {
			return slices.ContainsFunc(head, func(n string) bool { return names[n] })
		}
		out := maps.Clone(m.ghosts.removed)
		maps.DeleteFunc(out, func(n string, _ bool) bool { return m.back[n] })
		if in(m.back) && !in(out) || in(m.described) || m.withdrawn[strings.TrimSuffix(g.Feature, ".")] {
			want[g.Feature] = true
		}
	}
	for _, s := range r.Shadows {
		names := []string{s.Module}
		for _, member := range s.Members {
			names = append(names, member.Name)
		}
		for _, name := range names {
			if m.described[name[strings.LastIndexByte(name, '.')+1:]] {
				want[name] = true
			}
		}
	}
	return want
}

// byHand writes lines into a report where a person might, and returns them.
func byHand(report string) (string, []string, error) {
	text, err := os.ReadFile(report)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	var notes []string
	note := func(format string) {
		notes = append(notes, fmt.Sprintf(format, len(notes)))
		b.WriteString(notes[len(notes)-1] + "\n")
	}
	for _, line := range strings.SplitAfter(string(text), "\n") {
		if strings.HasPrefix(line, "## ") {
			note("By hand %d: this belongs to Anna.\n")
			b.WriteString(line)
			note("\nBy hand %d, under the heading.\n")
			continue
		}
		b.WriteString(line)
	}
	note("\n## Decisions %d\n\n| Owner | Due |\n|---|---|\n| Anna \\| Ben | May |\n")
	return b.String(), notes, os.WriteFile(report, []byte(b.String()), 0o600)
}

// mend writes a report on a project with plants, mends every second of them, and
// looks whether the next report resolves those and nothing else, and has every line
// that was written by hand.
func mend(ctx context.Context, mode, tmp string, m *mending, w io.Writer) error {
	root := filepath.Join(tmp, "mend-"+mode)
	if err := m.before.write(root); err != nil {
		return err
	}
	feature, done, err := featureOf(mode, tmp)
	if err != nil {
		return err
	}
	defer done()
	drift := func() (*audit.Drift, error) {
		return feature.Drift(ctx, audit.DriftInput{HTML: true, Scope: audit.Scope{Project: audit.Project{Root: root}}})
	}
	before, err := drift()
	if err != nil {
		return err
	}
	same, err := drift()
	if err != nil {
		return err
	}
	_, notes, err := byHand(same.File)
	if err != nil {
		return err
	}
	if err := m.after.write(root); err != nil {
		return err
	}
	after, err := drift()
	if err != nil {
		return err
	}
	want := m.wanted(before)
	right, wrong := 0, 0
	for _, x := range after.Resolved {
		switch {
		case want[x.Item]:
			right++
			delete(want, x.Item)
		case placeholder.MatchString(x.Item): // what stood for a name that is back
		default:
			wrong++
			fmt.Fprintf(w, "    resolved and not mended: %s (%s) %s\n", x.Item, x.Type, x.Evidence)
		}
	}
	for item := range want {
		fmt.Fprintf(w, "    mended and not resolved: %s\n", item)
	}
	text, err := os.ReadFile(after.File)
	if err != nil {
		return err
	}
	kept, rest := 0, string(text)
	for _, n := range notes {
		if _, r, ok := strings.Cut(rest, n); ok { // in the same order, too
			kept, rest = kept+1, r
		}
	}
	_, err = fmt.Fprintf(w, "%-28s %-6s resolved %d of %d mended, %d wrongly, %d when nothing changed; %d of %d notes kept\n",
		filepath.Base(tmp), mode, right, right+len(want), wrong, same.New, kept, len(notes))
	return err
}

var placeholder = regexp.MustCompile(`(^|\.)x\d+(\.|$)`)

// fixAll does so for a project in each mode.
func fixAll(ctx context.Context, o options, modes []string, root string, w io.Writer) error {
	p, r, err := open(ctx, o, root)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", filepath.Base(root)+"-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
	m := mended(p, r)
	for _, mode := range modes {
		if err := mend(ctx, mode, tmp, m, w); err != nil {
			return err
		}
	}
	return nil
}

// timeAll writes how long reports on a project take, the first and another when
// nothing has changed.
func timeAll(ctx context.Context, modes []string, root string, w io.Writer) error {
	tree, err := claims.Read(ctx, root, nil)
	if err != nil {
		return err
	}
	lines := 0
	for i := range tree.Code {
		lines += strings.Count(string(tree.Code[i].Text), "\n")
	}
	for _, mode := range modes {
		tmp, err := os.MkdirTemp("", "audit")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
		feature, done, err := featureOf(mode, tmp)
		if err != nil {
			return err
		}
		var took [2]time.Duration
		var r *audit.Drift
		for i := range took {
			begun := time.Now()
			if r, err = feature.Drift(ctx, audit.DriftInput{Out: filepath.Join(tmp, "out"), Scope: audit.Scope{Project: audit.Project{Root: root}}}); err != nil {
				done()
				return err
			}
			took[i] = time.Since(begun)
		}
		done()
		fmt.Fprintf(w, "%-28s %-6s %d lines, %d features, %d declarations: first %.1f s, unchanged %.1f s\n", filepath.Base(root), mode, lines, r.Features, r.Declared, took[0].Seconds(), took[1].Seconds())
	}
	return nil
}
