package git

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	maxSettings = 1 << 20 // bytes of .git/config
	maxIncluded = 10      // files that include one another, as git has it
)

// sound reports whether git can be asked about the work tree top: whether the repository is this tree's
// own, and git meets nothing in it that never ends. git itself opens whatever lies at these names, and what its settings include.
func sound(top string) bool {
	own, common, ok := repository(top)
	if !ok {
		return false
	}
	for _, dir := range []string{own, common} {
		head := "HEAD"
		if text, err := read(dir, "HEAD", maxLink); err == nil {
			if ref, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: "); ok && filepath.IsLocal(filepath.FromSlash(ref)) {
				head = ref
			}
		}
		for _, name := range []string{"HEAD", head, "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/sparse-checkout", "objects/info/alternates"} {
			// git follows links of its own, and some tools make them.
			if st, err := os.Stat(filepath.Join(dir, name)); err == nil && !st.Mode().IsRegular() {
				return false
			}
		}
		for _, name := range []string{"config", "config.worktree"} {
			if !settled(filepath.Join(dir, name), []string{real(top), real(own), real(common)}, 0) {
				return false
			}
		}
	}
	return true
}

// repository returns where the repository of the work tree top is, and where it keeps what all its work trees
// share; ok says that both are below top or know of it. A file named .git, or commondir in a folder of
// that name, may name any repository of whoever reads the tree.
func repository(top string) (own, common string, ok bool) {
	own, ok = gitDir(top)
	if !ok {
		return "", "", false
	}
	common, _ = CommonDir(top)
	if inside(top, own) && inside(top, common) {
		return own, common, true
	}
	if inside(common, own) { // another work tree of it
		text, err := read(own, "gitdir", maxLink)
		if err == nil && real(filepath.Dir(resolve(own, strings.TrimSpace(string(text))))) == real(top) {
			return own, common, true
		}
	}
	if up, found := TopLevel(filepath.Dir(top)); found { // a part of the one around it
		own2, common2, ok := repository(up)
		if ok && slices.ContainsFunc([]string{own2, common2}, func(dir string) bool { return inside(dir, own) && inside(dir, common) }) {
			return own, common, true
		}
	}
	// One that is kept elsewhere says of what.
	text, err := read(own, "config", maxSettings)
	for line := range bytes.Lines(text) {
		key, value, _ := strings.Cut(string(line), "=")
		if err == nil && strings.EqualFold(strings.TrimSpace(key), "worktree") && real(resolve(own, strings.TrimSpace(value))) == real(top) {
			return own, common, inside(own, common)
		}
	}
	return own, common, false
}

// inside reports whether a path is dir or below it, behind links.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(real(dir), real(path))
	return err == nil && filepath.IsLocal(rel)
}

// settled reports whether git may read the settings in a file: what they include must be a file in one of some
// folders, and be written so that there is no doubt of what git takes it for.
func settled(path string, within []string, deep int) bool {
	path = real(path)
	text, err := read(filepath.Dir(path), filepath.Base(path), maxSettings)
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
		if includes = includes && !begins; !includes || line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		value = strings.TrimSpace(value)
		if !strings.EqualFold(strings.TrimSpace(key), "path") || value == "" || strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") != "" {
			return false
		}
		to := real(resolve(filepath.Dir(path), value))
		if _, err := os.Stat(to); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if !slices.ContainsFunc(within, func(dir string) bool { return inside(dir, to) }) || !settled(to, within, deep+1) {
			return false
		}
	}
	return true
}
