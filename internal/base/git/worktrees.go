package git

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/safe"
)

// mostWorktrees bounds how many work trees of a repository are looked at.
const mostWorktrees = 100

// Worktrees returns the other work trees of the repository whose work tree is top, the main
// one first. One counts where the repository and it name each other: what a folder says of
// itself alone would let it claim to be of any repository.
func Worktrees(top string) []string {
	common, ok := CommonDir(top)
	if !ok {
		return nil
	}
	common = real(common)
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
		return nil // it has one work tree
	}
	for _, e := range list[:min(len(list), mostWorktrees)] {
		text, err := at.ReadFile("worktrees/"+e.Name()+"/gitdir", maxLink)
		if err != nil {
			continue
		}
		link := resolve(filepath.Join(common, "worktrees", e.Name()), strings.TrimSpace(string(text)))
		if filepath.Base(link) == ".git" {
			all = append(all, filepath.Dir(link))
		}
	}
	self := real(top)
	own := false
	all = slices.DeleteFunc(all, func(tree string) bool {
		back, ok := CommonDir(tree)
		mutual := ok && real(back) == common
		own = own || mutual && real(tree) == self
		return !mutual || real(tree) == self
	})
	if !own {
		return nil
	}
	return all
}

// real returns a path behind all symbolic links, the path itself where there is none.
func real(path string) string {
	if at, err := filepath.EvalSymlinks(path); err == nil {
		return at
	}
	return path
}
