package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/audit"
	faceaudit "github.com/assay-dev/assay/internal/face/audit"
)

// mend writes a report on a project with plants, mends every second of them, and
// looks whether the next report resolves those and nothing else.
func mend(ctx context.Context, mode, tmp string, base *project, p *plant, w io.Writer) error {
	root := filepath.Join(tmp, "mend-"+mode)
	if err := p.write(root); err != nil {
		return err
	}
	face, done, err := faceOf(mode, tmp)
	if err != nil {
		return err
	}
	defer done()
	drift := func() (*faceaudit.Drift, time.Duration, error) {
		begun := time.Now()
		r, err := face.Drift(ctx, faceaudit.DriftInput{HTML: true, Scope: faceaudit.Scope{Project: faceaudit.Project{Root: root}}})
		return r, time.Since(begun), err
	}
	before, cold, err := drift()
	if err != nil {
		return err
	}
	same, warm, err := drift()
	if err != nil {
		return err
	}
	// Every second removed name is there again, every second invention no more.
	var names []string
	for n := range p.removed {
		names = append(names, n)
	}
	slices.Sort(names)
	mended := &plant{project: base.clone(), removed: map[string]bool{}, invented: p.invented}
	for k, n := range names {
		if k%2 == 1 {
			mended.removed[n] = true
			mended.remove(n, k)
		}
	}
	withdrawn := map[string]bool{}
	for path, text := range p.docs {
		for k, line := range p.invented {
			if k%2 == 0 {
				text = without(text, func(l string) bool { return strings.Contains(l, line) })
				withdrawn[strings.ReplaceAll(line, "**", "")] = true
			}
		}
		mended.docs[path] = text
	}
	if err := mended.write(root); err != nil {
		return err
	}
	after, _, err := drift()
	if err != nil {
		return err
	}
	want := map[string]bool{}
	for _, g := range before.Ghosts {
		head, _ := about(g.Feature)
		back := slices.ContainsFunc(head, func(n string) bool { return p.removed[n] }) && !slices.ContainsFunc(head, func(n string) bool { return mended.removed[n] })
		if back || withdrawn[strings.TrimSuffix(g.Feature, ".")] {
			want[g.Feature] = true
		}
	}
	right, wrong := 0, 0
	for _, x := range after.Resolved {
		if x.Type != audit.Implemented && x.Type != audit.Withdrawn {
			continue
		}
		if want[x.Item] {
			right++
			delete(want, x.Item)
			continue
		}
		wrong++
		fmt.Fprintf(w, "    resolved and not mended: %s (%s) %s\n", x.Item, x.Type, x.Evidence)
	}
	for item := range want {
		fmt.Fprintf(w, "    mended and not resolved: %s\n", item)
	}
	lines := 0
	for _, text := range p.code {
		lines += strings.Count(text, "\n")
	}
	_, err = fmt.Fprintf(w, "%-28s %-6s resolved %d of %d mended, %d wrongly, %d when nothing changed; %d lines: cold %.1f s, unchanged %.1f s\n",
		filepath.Base(tmp), mode, right, right+len(want), wrong, same.New, lines, cold.Seconds(), warm.Seconds())
	return err
}

// mendAll does so for a project in each mode.
func mendAll(ctx context.Context, o options, modes []string, root string, w io.Writer) error {
	p, r, err := open(ctx, o, root)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", filepath.Base(root)+"-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }() // it was only ours
	ghosts := p.ghosts(r, planted, planted)
	for _, mode := range modes {
		if err := mend(ctx, mode, tmp, p, ghosts, w); err != nil {
			return err
		}
	}
	return nil
}

// timeAll writes how long reports on a project take, the first and another when
// nothing has changed.
func timeAll(ctx context.Context, modes []string, root string, w io.Writer) error {
	tree, err := audit.Read(ctx, root, nil)
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
		face, done, err := faceOf(mode, tmp)
		if err != nil {
			return err
		}
		var took [2]time.Duration
		var r *faceaudit.Drift
		for i := range took {
			begun := time.Now()
			if r, err = face.Drift(ctx, faceaudit.DriftInput{Out: filepath.Join(tmp, "out"), Scope: faceaudit.Scope{Project: faceaudit.Project{Root: root}}}); err != nil {
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
