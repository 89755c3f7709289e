package discover

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
)

// maxRules is the most that is read of one ignore file.
const maxRules = 1 << 20

// ruleFiles is how many kinds of ignore file there are; where two in one folder
// disagree, the later kind wins.
const ruleFiles = 4

// ruleFile returns which ignore file a name is, or -1.
func ruleFile(name []byte) int {
	switch string(name) {
	case ".gitignore":
		return 0
	case ".ignore": // of ripgrep, fd and their like
		return 1
	case ".ckignore":
		return 2
	case ".assayignore":
		return 3
	}
	return -1
}

func ruleName(i int) string {
	return [ruleFiles]string{".gitignore", ".ignore", ".ckignore", ".assayignore"}[i]
}

// rules are the ignore files that govern a folder, the nearest first. All paths
// they see are relative to the folder of the outermost one.
type rules struct {
	up   *rules
	base int    // length of the path of the file's folder, with its slash
	file string // where they were read, for messages
	git  bool   // git's own: they end where another repository begins
	set  *patterns
	text []byte // what set was parsed from
}

// with returns r and below it the ignore file of that text.
func (r *rules) with(text []byte, base int, file string, git bool) *rules {
	set := parsePatterns(text)
	if set == nil {
		return r
	}
	return &rules{up: r, base: base, file: file, git: git, set: set, text: text}
}

// foreign returns what of r still holds inside another repository.
func (r *rules) foreign() *rules {
	if r == nil {
		return nil
	}
	up := r.up.foreign()
	if r.git {
		return up
	}
	if up == r.up {
		return r
	}
	c := *r
	c.up = up
	return &c
}

// match returns the file and the pattern that decide about the path full, whose
// last part starts at name. Without one the path is not ignored.
func (r *rules) match(full []byte, name int, isDir bool) (*rules, *pattern) {
	for ; r != nil; r = r.up {
		if p := r.set.match(full[r.base:], full[name:], isDir); p != nil {
			return r, p
		}
	}
	return nil, nil
}

// governs returns all that decides about a root and is not below it, to be compared.
func (r *rules) governs(prefix string, repo bool) []byte {
	out := fmt.Appendf(nil, "%q %v\n", prefix, repo)
	for ; r != nil; r = r.up {
		out = fmt.Appendf(out, "%q %d %v\n%s\n", r.file, r.base, r.git, r.text)
	}
	return out
}

func (r *rules) ignored(full []byte, name int, isDir bool) bool {
	_, p := r.match(full, name, isDir)
	return p != nil && !p.negated
}

// outer returns the rules that govern root from above it, from the top of its
// git work tree down to its parent, and the path of root below that top, with a
// slash at its end if it is not empty.
func outer(root string) (*rules, string) {
	top, ok := git.TopLevel(root)
	if !ok {
		return nil, ""
	}
	var r *rules
	if dir, ok := git.CommonDir(top); ok {
		text, _ := readRules(filepath.Join(dir, "info", "exclude"))
		r = r.with(text, 0, ".git/info/exclude", true)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return r, ""
	}
	rel, err := filepath.Rel(top, abs)
	if err != nil || rel == "." {
		return r, ""
	}
	below := ""
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		r = r.folder(filepath.Join(top, filepath.FromSlash(below)), below, true)
		path := below + part
		if r.ignored([]byte(path), len(below), true) {
			// Who asks for an ignored folder wants what is in it.
			return nil, filepath.ToSlash(rel) + "/"
		}
		below = path + "/"
	}
	return r, below
}

// folder returns r and the ignore files of the folder at path, known as below; git's
// own only in a work tree.
func (r *rules) folder(path, below string, repo bool) *rules {
	for i := range ruleFiles {
		if i == 0 && !repo {
			continue
		}
		if text, err := readRules(filepath.Join(path, ruleName(i))); err == nil {
			r = r.with(text, len(below), below+ruleName(i), i == 0)
		}
	}
	return r
}

// readRules reads an ignore file. Like git it does not follow a link; nor does
// it open a pipe, which would wait for its writer.
func readRules(path string) ([]byte, error) {
	dir, err := safe.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := dir.Open(filepath.Base(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxRules))
}
