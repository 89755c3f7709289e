package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
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

// Which corrections are tried.
const (
	mostCorrections = 12   // of a repository, the newest
	ofOneCommit     = 2    // of these
	mostCommits     = 8000 // that are looked at
)

var (
	docPath  = regexp.MustCompile(`(?i)\.(?:md|mdx|markdown|rst|adoc)$`)
	notDoc   = regexp.MustCompile(`(?i)(^|/)(?:changelog|changes|history|news\w*|releases?|upgrad\w*|migrat\w*|contribut\w*|\.github|blog|_posts|i18n|zh|zh-\w+|ja|ko|fr|de|es|ru|pt\w*|translations?|locales?)\b`)
	hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@`)
	anyName  = regexp.MustCompile(`--[a-z][\w-]+|[A-Za-z_$@][\w$]*(?:(?:\.|::|#|->|-)[A-Za-z_]\w*)*`)
	severalW = regexp.MustCompile(`[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|^--|[A-Z][A-Z][a-z]|[a-z]\.[a-z]|::`)
)

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

// mine writes the corrections of repositories for a reader to judge, as lines of corrections.tsv.
func mine(ctx context.Context, repos []string, w io.Writer) error {
	for _, repo := range repos {
		found, err := corrections(ctx, repo)
		if err != nil {
			return fmt.Errorf("%s: %w", repo, err)
		}
		for _, c := range found {
			if _, err := fmt.Fprintf(w, "\t%s\t%s\t%s\t%d\t%s\t%s\t\t\n", repo, c.commit, c.document, c.line, c.old, c.new); err != nil {
				return err
			}
		}
	}
	return nil
}

func git(ctx context.Context, repo string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "git", append([]string{"--git-dir", repo}, args...)...)
}

// corrections returns the newest corrections of a repository.
func corrections(ctx context.Context, repo string) ([]correction, error) {
	cmd := git(ctx, repo, "log", "--no-merges", "--no-renames", "-n", strconv.Itoa(mostCommits), "--format=%x00%H", "-p", "-U0", "HEAD", "--", "*.md", "*.mdx", "*.markdown", "*.rst", "*.adoc")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }() // what is not read is not needed
	var found []correction
	var at correction
	var was, is []string
	line := 0
	close := func() error {
		defer func() { was, is = nil, nil }()
		if len(was) != len(is) || at.document == "" {
			return nil
		}
		for i := range was {
			old, new, ok := renamed(was[i], is[i])
			ours := 0
			for _, c := range found {
				if c.commit == at.commit {
					ours++
				}
			}
			if !ok || ours == ofOneCommit || slices.ContainsFunc(found, func(c correction) bool { return c.old == old }) {
				continue
			}
			c := at
			c.old, c.new, c.line = old, new, line+i
			ok, err := real(ctx, repo, &c)
			if err != nil {
				return err
			}
			if ok {
				found = append(found, c)
			}
		}
		return nil
	}
	for s := bufio.NewReader(out); len(found) < mostCorrections; {
		text, err := s.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		text = strings.TrimRight(text, "\r\n")
		m := hunkHead.FindStringSubmatch(text)
		if m != nil || strings.HasPrefix(text, "\x00") || strings.HasPrefix(text, "diff ") {
			if err := close(); err != nil {
				return nil, err
			}
		}
		switch {
		case strings.HasPrefix(text, "\x00"):
			at = correction{commit: text[1:]}
		case strings.HasPrefix(text, "--- a/"):
			if at.document = text[len("--- a/"):]; !docPath.MatchString(at.document) || notDoc.MatchString(at.document) {
				at.document = ""
			}
		case strings.HasPrefix(text, "--- "), strings.HasPrefix(text, "+++ "), strings.HasPrefix(text, "diff "):
		case m != nil:
			line, _ = strconv.Atoi(m[1])
		case strings.HasPrefix(text, "-"):
			was = append(was, text[1:])
		case strings.HasPrefix(text, "+"):
			is = append(is, text[1:])
		}
	}
	return found, nil
}

// renamed returns the one name that a line has otherwise than another does, wherever it has it.
func renamed(was, is string) (old, new string, ok bool) {
	a, b := anyName.FindAllString(was, -1), anyName.FindAllString(is, -1)
	if len(a) != len(b) || anyName.ReplaceAllString(was, "@") != anyName.ReplaceAllString(is, "@") {
		return "", "", false
	}
	for i := range a {
		switch {
		case a[i] == b[i], a[i] == old && b[i] == new:
		case old != "":
			return "", "", false
		default:
			old, new = a[i], b[i]
		}
	}
	x, y := lastOf(old), lastOf(new)
	return old, new, x != y && len(x) > 2 && len(y) > 2 && severalW.MatchString(old) && (severalW.MatchString(new) || strings.Contains(is, "`"))
}

// lastOf is the end of a name with what it is of.
func lastOf(name string) string {
	return name[strings.LastIndexAny(name, ".:#>")+1:]
}

// real reports whether a commit changes documents alone, and the code of its parent has the new
// name and not the old one.
func real(ctx context.Context, repo string, c *correction) (bool, error) {
	files, err := git(ctx, repo, "show", "--format=", "--name-only", c.commit).Output()
	if err != nil {
		return false, err
	}
	for f := range strings.Lines(string(files)) {
		if f = strings.TrimSpace(f); f != "" && !docPath.MatchString(f) {
			return false, nil
		}
	}
	has := func(name string) bool {
		out, _ := git(ctx, repo, "grep", "-I", "-l", "-w", "-F", "-e", name, c.commit+"^", "--", ":!*.md", ":!*.mdx", ":!*.markdown", ":!*.rst", ":!*.adoc", ":!docs", ":!doc", ":!website", ":!*.txt", ":!*.html").Output()
		return len(bytes.TrimSpace(out)) > 0 // git says by its status that there is none
	}
	name := func(s string) string { return strings.TrimPrefix(lastOf(s), "--") }
	return has(name(c.new)) && !has(name(c.old)), nil
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
