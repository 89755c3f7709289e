//go:build !slim

package main

import (
	"context"
	"path"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// maxFileCommits is how many commits of a file, and how many branches, the page lists.
const maxFileCommits = 50

// listFiles returns the paths of the project's files by language, "" where it is not known by the name.
func listFiles(ctx context.Context, root string) (map[string][]string, error) {
	tree, err := discover.Walk(ctx, root, discover.Options{})
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, d := range tree.Dirs {
		for _, f := range d.Files {
			at := path.Join(d.Path, f.Name)
			language := syntax.Language(at, nil)
			out[language] = append(out[language], at)
		}
	}
	return out, nil
}

// fileCommits returns the last commits of a file, or of the project if file is empty; none without a repository.
func fileCommits(ctx context.Context, root, file string) ([]git.Entry, error) {
	head, ok := git.Head(ctx, root)
	if !ok {
		return []git.Entry{}, nil
	}
	return git.Log(ctx, root, head, file, maxFileCommits)
}

// fileBlame returns which commit wrote each line of a file.
func fileBlame(ctx context.Context, root, file string) (*git.Blame, error) {
	head, ok := git.Head(ctx, root)
	if !ok {
		return nil, fault.New(fault.Unavailable, "there is no commit yet, or no git repository")
	}
	blame, err := git.BlameFile(ctx, root, head, file)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "git cannot say who wrote %s: it is new, or its history is too long", file).Because(err)
	}
	return blame, nil
}

// branches returns the branches, the one that changed last first; none without a repository.
func branches(ctx context.Context, root string) (any, error) {
	names, current, err := git.Branches(ctx, root, maxFileCommits)
	if err != nil {
		names = []string{}
	}
	return map[string]any{"names": names, "current": current}, nil
}
