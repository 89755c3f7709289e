package discover

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/git"
)

// Owners say who owns the files of a project: the last pattern of its CODEOWNERS that matches a path decides, as on GitHub. Sections with
// their owners, as GitLab has them, are read as one list.
type Owners struct {
	below string    // the path of the root in its repository, with a slash at its end, or ""
	all   *patterns // of files and folders
	files *patterns // docs/*: of what is in a folder, and not of what is below that
	of    map[int]string
}

// ReadOwners reads the CODEOWNERS of the repository around a root where the forges look for it; nil: it has none.
func ReadOwners(root string) *Owners {
	o := &Owners{all: &patterns{}, files: &patterns{}, of: map[int]string{}}
	if top, ok := git.TopLevel(root); ok {
		if rel, err := filepath.Rel(top, root); err == nil && rel != "." {
			root, o.below = top, filepath.ToSlash(rel)+"/"
		}
	}
	for _, dir := range []string{".github", "", "docs", ".gitlab"} {
		if text, err := readRules(filepath.Join(root, dir, "CODEOWNERS")); err == nil {
			o.read(string(text))
			return o
		}
	}
	return nil
}

// read reads the lines of a CODEOWNERS.
func (o *Owners) read(text string) {
	n, ofSection := 0, ""
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(line), "\t", " "), " #")
		if section := strings.TrimPrefix(line, "^"); strings.HasPrefix(section, "[") {
			if _, after, ok := strings.Cut(section, "]"); ok && (after == "" || after[0] == ' ' || after[0] == '[') {
				_, ofSection, _ = strings.Cut(section, " ")
				continue
			}
		}
		if line == "" || line[0] == '#' || line[0] == '!' { // GitHub takes no negation
			continue
		}
		pattern, owners, _ := strings.Cut(strings.ReplaceAll(line, `\ `, "\x00"), " ") // a space that a backslash protects ends no pattern
		pattern = strings.ReplaceAll(pattern, "\x00", `\ `)
		owners = cmp.Or(owners, ofSection)
		o.of[n] = strings.Join(strings.Fields(owners), " ")
		if strings.HasSuffix(pattern, "/*") {
			o.files.add(n, pattern)
		} else {
			o.all.add(n, pattern)
		}
	}
}

// Find returns the owners of a path, slash-separated and below the root; "": nobody.
func (o *Owners) Find(path string) string {
	last, full := 0, []byte(o.below+path)
	if p := o.files.match(full, full[1+bytes.LastIndexByte(full, '/'):], false); p != nil {
		last = p.line
	}
	for end := 0; end <= len(full); end++ { // of the file, and of each folder around it
		if end < len(full) && full[end] != '/' {
			continue
		}
		if p := o.all.match(full[:end], full[1+bytes.LastIndexByte(full[:end], '/'):end], end < len(full)); p != nil {
			last = max(last, p.line)
		}
	}
	return o.of[last]
}
