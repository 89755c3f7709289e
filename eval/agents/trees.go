package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/eval/judged"
)

// treeDir returns the folder of a project's tree. Each arm has its own, because assay keeps its index in the tree.
func treeDir(dir, arm, repo string) string { return filepath.Join(dir, "trees", arm, repo) }

// runTrees gets the trees of the study.
func runTrees(ctx context.Context, args []string, w io.Writer) error {
	set := flag.NewFlagSet("trees", flag.ContinueOnError)
	dir := set.String("dir", "", "folder of the study (required)")
	from := set.String("from", "", "folder of bare repositories, OWNER+NAME/repo; default: fetch each commit from github.com")
	assay := set.String("assay", "", "assay binary that indexes its trees now; default: its first call does")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *dir == "" || set.NArg() > 0 {
		return fmt.Errorf("usage: agents trees -dir DIR [-from DIR] [-assay FILE]")
	}
	repos, err := embedded[repo]("repos.jsonl")
	if err != nil {
		return err
	}
	for _, r := range repos {
		git := filepath.Join(*from, strings.Replace(r.URL, "/", "+", 1), "repo")
		if *from == "" {
			git = filepath.Join(*dir, "git", r.Repo)
			if err := fetchCommit(ctx, git, r); err != nil {
				return err
			}
		}
		for _, arm := range arms() {
			tree := treeDir(*dir, arm, r.Repo)
			if err := exportTree(ctx, git, r.Base, tree); err != nil {
				return fmt.Errorf("%s: %w", r.Repo, err)
			}
			fmt.Fprintln(w, tree)
		}
		if *assay == "" {
			continue
		}
		if err := indexTree(ctx, *assay, *dir, r.Repo); err != nil {
			return err
		}
	}
	return nil
}

// fetchCommit gets one commit without its history into a bare repository.
func fetchCommit(ctx context.Context, git string, r repo) error {
	if err := os.MkdirAll(git, 0o755); err != nil {
		return err
	}
	if _, err := judged.Git(ctx, git, "init", "--quiet", "--bare"); err != nil {
		return err
	}
	if _, err := judged.Git(ctx, git, "cat-file", "-e", r.Base+"^{commit}"); err == nil {
		return nil
	}
	_, err := judged.Git(ctx, git, "fetch", "--quiet", "--depth", "1", "https://github.com/"+r.URL, r.Base)
	return err
}

// exportTree writes the files of a commit, without .git, into a folder, unless it is there.
// It is no git archive, because attributes of a project may leave files out of an archive.
func exportTree(ctx context.Context, git, commit, tree string) error {
	if _, err := os.Lstat(tree); err == nil {
		return nil
	}
	git, err := filepath.Abs(git)
	if err != nil {
		return err
	}
	if tree, err = filepath.Abs(tree); err != nil {
		return err
	}
	part := tree + ".part"
	if err := errors.Join(os.RemoveAll(part), os.MkdirAll(part, 0o755)); err != nil {
		return err
	}
	index := tree + ".git-index"
	cmd := exec.CommandContext(ctx, "git", "--git-dir="+git, "--work-tree="+part, "-c", "core.hooksPath=/dev/null",
		"-c", "core.fsmonitor=false", "-c", "core.autocrlf=false", "-c", "core.bare=false", "read-tree", "--reset", "-u", commit)
	cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+index, "GIT_LFS_SKIP_SMUDGE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("check out %s: %w: %s", commit, err, out)
	}
	return errors.Join(os.Remove(index), os.Rename(part, tree))
}

// indexTree makes assay's index, so that no counted call waits for it.
func indexTree(ctx context.Context, assay, dir, repo string) error {
	cmd := exec.CommandContext(ctx, assay, "index", "--quiet", treeDir(dir, assayArm, repo))
	env, err := cleanEnv(dir)
	if err != nil {
		return err
	}
	cmd.Env = env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("assay index %s: %w: %s", repo, err, out)
	}
	return nil
}
