package discover

import (
	"path/filepath"
	"strings"
)

// Owners say who owns the files of a project, as CODEOWNERS of GitHub, GitLab and Gitea does: the last pattern that matches a path decides.
type Owners struct {
	set *patterns
	of  map[int]string // by the line of the pattern
}

// ReadOwners reads the CODEOWNERS of a project where the forges look for it; nil: it has none.
func ReadOwners(root string) *Owners {
	for _, dir := range []string{".github", ".gitlab", "", "docs", ".gitea"} {
		text, err := readRules(filepath.Join(root, dir, "CODEOWNERS"))
		if err != nil {
			continue
		}
		o := &Owners{set: &patterns{}, of: map[int]string{}}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
			if line == "" || strings.ContainsRune("#[^", rune(line[0])) { // a comment, or a section of GitLab
				continue
			}
			pattern, owners := cutPattern(line)
			o.set.add(n, pattern)
			o.of[n] = strings.Join(strings.Fields(owners), " ")
		}
		return o
	}
	return nil
}

// cutPattern cuts a line at the first space that no backslash protects.
func cutPattern(line string) (pattern, owners string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case ' ', '\t':
			return line[:i], line[i:]
		}
	}
	return line, ""
}

// Find returns the owners of a path, slash-separated and below the root; "": nobody.
func (o *Owners) Find(path string) string {
	last := 0
	full := []byte(path)
	for name, end := 0, 0; end < len(full); name = end + 1 {
		if end = len(full); strings.Contains(path[name:], "/") {
			end = name + strings.IndexByte(path[name:], '/')
		}
		if p := o.set.match(full[:end], full[name:end], end < len(full)); p != nil {
			last = max(last, p.line)
		}
	}
	return o.of[last]
}
