package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	audit "github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/audit/claims"
)

// A correction is a commit that changed documents alone, and in a line of them one name into
// another: at its parent the code had the second and nowhere the first. Where a reader found that
// the first was presented as the project's own, the line should be reported there.
type correction struct {
	split, project, commit, document, old, new, verdict string
	line                                                int // at the parent
}

// historyFigures are the sums of all repositories.
type historyFigures struct{ tried, found, unsure, unclaimed, drift int }

// histories judges the corrections of a split that a reader took for the project's own. In dir is a
// git directory of each project, bare or not: OWNER/NAME.git.
func histories(ctx context.Context, o options, dir string, w io.Writer) error {
	listed, err := rows("corrections.tsv", 9)
	if err != nil {
		return err
	}
	var sum historyFigures
	for _, r := range listed {
		line, err := strconv.Atoi(r[4])
		if err != nil {
			return fmt.Errorf("corrections.tsv: %s %s: %w", r[1], r[2], err)
		}
		c := correction{split: r[0], project: r[1], commit: r[2], document: r[3], line: line, old: r[5], new: r[6], verdict: r[7]}
		if c.split != o.history || c.verdict != "own" || o.only != "" && !slices.Contains(strings.Split(o.only, ","), c.project) {
			continue
		}
		if err := sum.judge(ctx, o, filepath.Join(dir, filepath.FromSlash(c.project)+".git"), &c, w); err != nil {
			return fmt.Errorf("%s %s: %w", c.project, c.commit, err)
		}
	}
	_, err = fmt.Fprintf(w, "%d corrections: %d reported as ghosts, %d as drift, %d unsure, %d not claimed: recall %.2f\n", sum.tried, sum.found, sum.drift, sum.unsure, sum.unclaimed, part(sum.found+sum.drift, sum.tried-sum.found-sum.drift))
	return err
}

func git(ctx context.Context, repo string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "git", append([]string{"--git-dir", repo}, args...)...)
}

// judge looks whether a correction is reported at the parent of its commit.
func (f *historyFigures) judge(ctx context.Context, o options, repo string, c *correction, w io.Writer) error {
	dir, err := os.MkdirTemp("", "history")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it was only ours
	root := filepath.Join(dir, path.Base(c.project))
	if err := unpack(ctx, repo, c.commit+"^", root); err != nil {
		return err
	}
	var got *audit.Ghosts
	var ci *audit.CI
	err = asked(o.modes, func(feature *audit.Feature) (err error) {
		scope := audit.Scope{Project: audit.Project{Root: root}}
		if got, err = feature.Ghosts(ctx, audit.GhostsInput{Explain: true, Scope: scope}); err != nil {
			return err
		}
		ci, err = feature.CI(ctx, audit.CIInput{FailOn: "none", Scope: scope})
		return err
	})
	if err != nil {
		return err
	}
	f.tried++
	verdict := "not claimed"
	for i := range got.Features {
		v := &got.Features[i]
		if (v.Name == "" || lastOf(v.Name) != lastOf(c.old)) && !(strings.Contains(v.Text, c.old) && v.Path == c.document) {
			continue
		}
		switch {
		case v.Class != claims.Unsure && v.Class != claims.Found && v.Meant != "":
			verdict = "misspelt"
		case v.Class == claims.Unsure && verdict == "not claimed":
			verdict = "unsure: " + v.Doubt
		case v.Class != claims.Unsure && v.Class != claims.Found && verdict != "misspelt":
			verdict = "ghost"
		}
	}
	if verdict != "ghost" && verdict != "misspelt" && slices.ContainsFunc(ci.Findings, func(d claims.Finding) bool {
		return d.Rule == claims.DriftRule && d.Path == c.document && d.Line == c.line
	}) {
		verdict = "drift"
	}
	switch verdict {
	case "ghost", "misspelt":
		f.found++
	case "drift":
		f.drift++
	case "not claimed":
		f.unclaimed++
	default:
		f.unsure++
	}
	_, err = fmt.Fprintf(w, "%s\t%s\t%s:%d\t%s\t%s\t%s\n", c.project, c.commit, c.document, c.line, c.old, c.new, verdict)
	return err
}

// unpack writes the tree of a commit.
func unpack(ctx context.Context, repo, commit, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	index := to + ".index"
	if err := borrow(ctx, repo, commit, to); err != nil {
		return err
	}
	for _, args := range [][]string{{"read-tree", commit}, {"checkout-index", "-a", "-q", "-f"}} {
		cmd := git(ctx, repo, append([]string{"--work-tree", to}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+index)
		cmd.Dir = to
		// A file that a snapshot lacks is not checked out: it was too large to be source.
		if out, err := cmd.CombinedOutput(); err != nil && args[0] == "read-tree" {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
}

// borrow makes the folder a work tree at a commit, with the objects of another repository.
func borrow(ctx context.Context, repo, commit, to string) error {
	hash, err := git(ctx, repo, "rev-parse", commit).Output()
	if err != nil {
		return err
	}
	objects, err := filepath.Abs(filepath.Join(repo, "objects"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"HEAD": string(hash), "config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
		"objects/info/alternates": objects + "\n", "refs/heads/.keep": "",
	} {
		at := filepath.Join(to, ".git", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// lastOf is the end of a name, without the names that it belongs to.
func lastOf(name string) string {
	return name[strings.LastIndexAny(name, ".:#>")+1:]
}
