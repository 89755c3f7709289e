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
)

// A correction is a commit that corrected a name, a link, a path or a flag in a document. Where a reader found that
// it was presented as the project's own, it should be reported at the commit before.
type correction struct {
	split, project, commit, document, old, new, verdict string
	line                                                int // at the parent
}

// historyFigures are the sums of all repositories.
type historyFigures struct{ tried, errors, warnings, unsure, missed int }

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
	found := sum.errors + sum.warnings
	_, err = fmt.Fprintf(w, "%d corrections: %d reported as errors, %d as warnings, %d unsure, %d not at all: recall %.2f\n", sum.tried, sum.errors, sum.warnings, sum.unsure, sum.missed, part(found, sum.tried-found))
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
	var ci *audit.CI
	err = asked(o.modes, func(feature *audit.Feature) (err error) {
		ci, err = feature.CI(ctx, audit.CIInput{FailOn: "none", All: true, Scope: audit.Scope{Project: audit.Project{Root: root}}})
		return err
	})
	if err != nil {
		return err
	}
	f.tried++
	verdict, best := "not reported", -1
	for i := range ci.Findings {
		x := &ci.Findings[i]
		same := strings.Contains(x.Name, c.old) || strings.Contains(c.old, x.Name) || lastOf(x.Name) == lastOf(c.old)
		if level := slices.Index([]string{"low", "medium", "high"}, x.Severity); x.Path == c.document && same && level > best {
			best, verdict = level, x.Severity+": "+x.Message
		}
	}
	switch best {
	case 2:
		f.errors++
	case 1:
		f.warnings++
	case 0:
		f.unsure++
	default:
		f.missed++
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
