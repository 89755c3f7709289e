package discover

import (
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
		pattern, owners := cutPattern(line)
		if owners == "" {
			owners = ofSection
		}
		o.of[n] = strings.Join(strings.Fields(owners), " ")
		if strings.HasSuffix(pattern, "/*") {
			o.files.add(n, pattern)
		} else {
			o.all.add(n, pattern)
		}
	}
}

// cutPattern cuts a line at the first space that no backslash protects.
func cutPattern(line string) (pattern, owners string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case ' ':
			return line[:i], strings.TrimSpace(line[i:])
		}
	}
	return line, ""
}

// Find returns the owners of a path, slash-separated and below the root; "": nobody.
func (o *Owners) Find(path string) string {
	last := 0
	full := []byte(o.below + path)
	for name, end := 0, 0; end < len(full); name = end + 1 {
		if end = strings.IndexByte(string(full[name:]), '/') + name; end < name {
			end = len(full)
			if p := o.files.match(full, full[name:], false); p != nil {
				last = max(last, p.line)
			}
		}
		if p := o.all.match(full[:end], full[name:end], end < len(full)); p != nil {
			last = max(last, p.line)
		}
	}
	return o.of[last]
}
