package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/memory/vault"
)

const (
	maxPointers = 10
	maxCode     = 8 << 20 // bytes of a file that a note points at
)

// A tree is the files of the working directory's project, as notes point at them.
type tree struct{ root *safe.Root }

// tree opens the project of the working directory, if it is one that has a name and a top.
func (f *Feature) tree(project string) tree {
	if project == "" || f.cfg.WorkDir == "" {
		return tree{}
	}
	top, ok := git.TopLevel(f.cfg.WorkDir)
	if !ok {
		return tree{}
	}
	root, err := safe.OpenRoot(top)
	if err != nil {
		return tree{}
	}
	return tree{root}
}

func (t tree) close() {
	if t.root != nil {
		t.root.Close()
	}
}

// pointers returns what a note points at: the files of the project that it names, and of
// lines what they say, so that it is seen when that is no longer so.
func (f *Feature) pointers(content string) (out []string) {
	t := f.tree("here")
	if t.root == nil {
		return nil
	}
	defer t.close()
	below, err := filepath.Rel(t.root.Name(), f.cfg.WorkDir)
	if err != nil {
		below = "."
	}
	for _, name := range vault.FilesIn(content) {
		file, line, _ := strings.Cut(name, ":")
		for _, rel := range []string{path.Clean(file), path.Join(filepath.ToSlash(below), file)} {
			text, err := t.root.ReadFile(rel, maxCode)
			if err != nil {
				continue
			}
			if n, err := strconv.Atoi(line); err == nil {
				lines := bytes.Split(text, []byte("\n"))
				if n > len(lines) || sumOfLine(lines[n-1]) == "" {
					break // it points at nothing
				}
				rel += ":" + line + "@" + sumOfLine(lines[n-1])
			}
			out = append(out, rel)
			break
		}
		if len(out) == maxPointers {
			break
		}
	}
	return out
}

// sumOfLine is the same for lines that differ in nothing but the blanks around them; "" for
// one that says nothing.
func sumOfLine(l []byte) string {
	if l = bytes.TrimSpace(l); len(l) < 2 {
		return ""
	}
	sum := sha256.Sum256(l)
	return hex.EncodeToString(sum[:5])
}

// changed says which of a note's pointers no longer lead where they did.
func (t tree) changed(pointers []string) (out []string) {
	if t.root == nil {
		return nil
	}
	for _, p := range pointers[:min(len(pointers), maxPointers)] {
		at, sum, hasLine := strings.Cut(p, "@")
		file, line, _ := strings.Cut(at, ":")
		text, err := t.root.ReadFile(file, maxCode)
		if gone := file + ", which is gone"; errors.Is(err, fs.ErrNotExist) && !slices.Contains(out, gone) {
			out = append(out, gone)
		}
		n, bad := strconv.Atoi(line)
		if err != nil || !hasLine || bad != nil || n < 1 {
			continue
		}
		now := 0
		lines := bytes.Split(text, []byte("\n"))
		for i, l := range lines {
			// Of equal lines the nearest.
			if sumOfLine(l) == sum && (now == 0 || abs(i+1-n) < abs(now-n)) {
				now = i + 1
			}
		}
		switch {
		case now == 0:
			out = append(out, at+", which has changed")
		case now != n:
			out = append(out, fmt.Sprintf("%s, which is line %d now", at, now))
		}
	}
	return out
}

func abs(n int) int { return max(n, -n) }
