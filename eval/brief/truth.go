package main

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A decl is a declaration that a change touched, in the tree before it.
type decl struct {
	file        string
	name        string
	line        int // of its name
	first, last int
}

// A truth is what a change touched.
type truth struct {
	files []string // source files that are neither tests nor documents
	decls []decl   // of those files
	tests []string
}

var hunk = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+`)

// truthOf reads what a change touched of the tree before it.
func truthOf(ctx context.Context, repo string, c *judged.Change) (t truth, err error) {
	t.files = c.Files
	status, err := judged.Git(ctx, repo, "diff-tree", "--no-commit-id", "--name-status", "--no-renames", "-r", c.Parent, c.Commit)
	if err != nil {
		return t, err
	}
	for line := range strings.Lines(status) {
		kind, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if kind != "M" && kind != "D" {
			continue
		}
		if discover.PathFlags(name)&corpus.Test != 0 && syntax.Source(syntax.Language(name, nil)) && !slices.Contains(c.Files, name) {
			t.tests = append(t.tests, name)
		}
	}
	for _, name := range c.Files {
		old, err := judged.Git(ctx, repo, "show", c.Parent+":"+name)
		if err != nil {
			return t, err
		}
		patch, err := judged.Git(ctx, repo, "diff", "-U0", "--no-ext-diff", "--no-textconv", "--no-renames", c.Parent, c.Commit, "--", name)
		if err != nil {
			return t, err
		}
		t.decls = append(t.decls, touched(filepath.ToSlash(name), old, patch)...)
	}
	return t, nil
}

// touched returns the innermost declarations that the hunks of a patch are in.
func touched(name, old, patch string) (out []decl) {
	text := []byte(old)
	facts := syntax.Facts(name, syntax.Language(name, text[:min(len(text), 4096)]), text)
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	line := func(at int) int { i, _ := slices.BinarySearch(starts, at+1); return i }
	around := func(n int) int { // the declaration that a line is in
		if n < 1 || n > len(starts) {
			return -1
		}
		from, to := starts[n-1], len(text)
		if n < len(starts) {
			to = starts[n]
		}
		at := to - len(strings.TrimLeft(old[from:to], " \t"))
		in := -1
		for i := range facts.Decls {
			d := &facts.Decls[i]
			if d.Span.Start <= at && at < d.Span.End && d.Kind != corpus.Section && d.Traits&corpus.Local == 0 {
				in = i
			}
		}
		return in
	}
	seen := map[int]bool{}
	add := func(i int) {
		if i >= 0 && !seen[i] {
			seen[i] = true
			d := &facts.Decls[i]
			out = append(out, decl{name, d.Qualified(), line(d.NameAt), line(d.Span.Start), line(max(d.Span.End-1, 0))})
		}
	}
	for l := range strings.Lines(patch) {
		m := hunk.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		first, _ := strconv.Atoi(m[1])
		n := 1
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		if n == 0 { // only added: in what is around both neighbours
			a, b := around(first), around(first+1)
			for a >= 0 && a != b && !(facts.Decls[a].Span.Start <= starts[min(first, len(starts)-1)] && starts[min(first, len(starts)-1)] < facts.Decls[a].Span.End) {
				a = int(facts.Decls[a].Parent)
			}
			add(a)
			continue
		}
		for k := first; k < first+n; k++ {
			if k <= len(starts) && strings.TrimSpace(lineAt(old, starts, k)) != "" {
				add(around(k))
			}
		}
	}
	return out
}

func lineAt(s string, starts []int, n int) string {
	end := len(s)
	if n < len(starts) {
		end = starts[n]
	}
	return s[starts[n-1]:end]
}
