package git

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// maxWorktrees bounds the work trees of a repository that are read.
const maxWorktrees = 100

// Worktrees returns the other work trees of the repository whose work tree is top, the main
// one first. The repository and the work tree must refer to each other, because a hostile folder
// could otherwise claim to belong to any repository.
func Worktrees(top string) []string {
	common, ok := CommonDir(top)
	if !ok {
		return nil
	}
	common = realPath(common)
	at, err := safe.OpenRoot(common)
	if err != nil {
		return nil
	}
	defer at.Close()
	var all []string
	if main := filepath.Dir(common); filepath.Base(common) == ".git" {
		all = append(all, main)
	}
	list, err := at.ReadDir("worktrees")
	if err != nil {
		return nil // it has no linked work trees
	}
	for _, e := range list[:min(len(list), maxWorktrees)] {
		text, err := at.ReadFile("worktrees/"+e.Name()+"/gitdir", maxLink)
		if err != nil {
			continue
		}
		link := file.From(filepath.Join(common, "worktrees", e.Name()), strings.TrimSpace(string(text)))
		if filepath.Base(link) == ".git" {
			all = append(all, filepath.Dir(link))
		}
	}
	self := realPath(top)
	own := false
	all = slices.DeleteFunc(all, func(tree string) bool {
		back, ok := CommonDir(tree)
		mutual := ok && realPath(back) == common
		own = own || mutual && realPath(tree) == self
		return !mutual || realPath(tree) == self
	})
	if !own {
		return nil
	}
	return all
}

// realPath returns a path with all symbolic links resolved, or the path itself if it does not exist.
func realPath(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return path
}
