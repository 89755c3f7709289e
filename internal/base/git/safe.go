package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
)

const (
	maxSettings = 1 << 20 // bytes of .git/config
	maxIncluded = 10      // nested includes, the limit of git itself
)

// isSafe reports whether git may be started in the work tree top: the repository must belong to this tree, and the files
// that git opens, with the settings that they include, must be regular files.
func isSafe(top string) bool {
	own, common, ok := findRepository(top)
	if !ok {
		return false
	}
	for _, dir := range []string{own, common} {
		head := "HEAD"
		if text, err := readFile(dir, "HEAD", maxLink); err == nil {
			if ref, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: "); ok && filepath.IsLocal(filepath.FromSlash(ref)) {
				head = ref
			}
		}
		for _, name := range []string{"HEAD", head, "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/sparse-checkout", "objects/info/alternates"} {
			// Links are allowed, because git follows them and some tools create them.
			if st, err := os.Stat(filepath.Join(dir, name)); err == nil && !st.Mode().IsRegular() {
				return false
			}
		}
		for _, name := range []string{"config", "config.worktree"} {
			if !hasSafeIncludes(filepath.Join(dir, name), []string{realPath(top), realPath(own), realPath(common)}, 0) {
				return false
			}
		}
	}
	return true
}

// findRepository returns the git folder of the work tree top and the folder that all its work trees share. ok reports
// whether both are below top or refer back to it. That must be checked, because a hostile .git file or commondir could name
// any other repository of the user.
func findRepository(top string) (own, common string, ok bool) {
	own, ok = gitDir(top)
	if !ok {
		return "", "", false
	}
	common, _ = CommonDir(top)
	if isInside(top, own) && isInside(top, common) {
		return own, common, true
	}
	if isInside(common, own) { // a linked work tree
		text, err := readFile(own, "gitdir", maxLink)
		if err == nil && realPath(filepath.Dir(file.From(own, strings.TrimSpace(string(text))))) == realPath(top) {
			return own, common, true
		}
	}
	if up, found := TopLevel(filepath.Dir(top)); found { // a submodule of the work tree around it
		own2, common2, ok := findRepository(up)
		if ok && slices.ContainsFunc([]string{own2, common2}, func(dir string) bool { return isInside(dir, own) && isInside(dir, common) }) {
			return own, common, true
		}
	}
	// A repository that is stored elsewhere must name its work tree.
	text, err := readFile(own, "config", maxSettings)
	for line := range bytes.Lines(text) {
		key, value, _ := strings.Cut(string(line), "=")
		if err == nil && strings.EqualFold(strings.TrimSpace(key), "worktree") && realPath(file.From(own, strings.TrimSpace(value))) == realPath(top) {
			return own, common, isInside(own, common)
		}
	}
	return own, common, false
}

// isInside reports whether a path is dir or below it, with all links resolved.
func isInside(dir, path string) bool {
	rel, err := filepath.Rel(realPath(dir), realPath(path))
	return err == nil && filepath.IsLocal(rel)
}

// hasSafeIncludes reports whether git may read the settings in a file: each included file must be in one of the folders
// within, and its path must be written in a form that has only one reading.
func hasSafeIncludes(path string, within []string, deep int) bool {
	path = realPath(path)
	text, err := readFile(filepath.Dir(path), filepath.Base(path), maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil || deep > maxIncluded {
		return false
	}
	includes := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		begins := strings.HasPrefix(line, "[")
		if strings.Contains(strings.ToLower(line), "[include") {
			if !begins || !strings.HasSuffix(line, "]") || strings.Count(line, "[") > 1 {
				return false
			}
			includes = true
			continue
		}
		comment := strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";")
		if includes = includes && !begins; !includes || line == "" || comment {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		value = strings.TrimSpace(value)
		plainValue := strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") == ""
		if !strings.EqualFold(strings.TrimSpace(key), "path") || value == "" || !plainValue {
			return false
		}
		to := realPath(file.From(filepath.Dir(path), value))
		if _, err := os.Stat(to); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if !slices.ContainsFunc(within, func(dir string) bool { return isInside(dir, to) }) || !hasSafeIncludes(to, within, deep+1) {
			return false
		}
	}
	return true
}
