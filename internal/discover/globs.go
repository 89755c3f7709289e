package discover

import "strings"

// Globs are patterns as an ignore file has them, for paths rather than for a
// walk: a pattern that matches a folder matches what is in it.
type Globs struct{ set *patterns }

// NewGlobs compiles patterns. One that an ignore file would take for a comment or
// a negation is taken literally.
func NewGlobs(globs []string) Globs {
	var b strings.Builder
	for _, g := range globs {
		if strings.HasPrefix(g, "#") || strings.HasPrefix(g, "!") {
			b.WriteByte('\\')
		}
		b.WriteString(strings.ReplaceAll(g, "\n", "?") + "\n")
	}
	return Globs{parsePatterns([]byte(b.String()))}
}

// Unmatchable returns the first pattern that no path can match, such as one with a
// class that does not end; an ignore file may have it, a question is mistaken.
func Unmatchable(globs []string) (glob string, ok bool) {
	for _, g := range globs {
		if _, sound := parseGlob(g, strings.Contains(g, "/")); !sound {
			return g, true
		}
	}
	return "", false
}

// Match reports whether a pattern matches a path, slash-separated and relative.
func (g Globs) Match(path string) bool {
	if g.set == nil {
		return false
	}
	full := []byte(path)
	for name := 0; ; {
		end := len(full)
		if i := strings.IndexByte(path[name:], '/'); i >= 0 {
			end = name + i
		}
		if g.set.match(full[:end], full[name:end], end < len(full)) != nil {
			return true
		}
		if end == len(full) {
			return false
		}
		name = end + 1
	}
}
