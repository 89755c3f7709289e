package discover

import (
	"bytes"
	"strings"
)

// patterns are the lines of one ignore file, filed by how they are looked up: a
// walk asks them about every name it meets, and most are a name or an extension.
type patterns struct {
	all   []pattern
	names map[string][]int // build
	exts  map[string][]int // *.o: by the last extension
	paths map[string][]int // /dist, docs/build
	rest  []int
}

// A pattern is one line.
type pattern struct {
	line    int // one-based
	negated bool
	dirOnly bool
	path    bool   // matched against the path below the ignore file, not the name
	prefix  string // what the subject starts with; globs match what is left of it
	suffix  string // what it ends with
	glob    []token
}

// parsePatterns reads an ignore file as git does (gitignore(5); the details that
// are nowhere written down are held by TestAgreesWithGit).
func parsePatterns(text []byte) *patterns {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	p := &patterns{}
	for n := 1; len(text) > 0; n++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		line, _, _ = bytes.Cut(line, []byte{0})
		p.add(n, trimSpaces(string(line)))
	}
	if len(p.all) == 0 {
		return nil
	}
	return p
}

// trimSpaces removes the spaces at the end that no backslash protects.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i == len(s) {
				return s
			}
		}
		end = i + 1
	}
	return s[:end]
}

func (p *patterns) add(line int, s string) {
	pat := pattern{line: line}
	s, pat.negated = strings.CutPrefix(s, "!")
	s, pat.dirOnly = strings.CutSuffix(s, "/")
	pat.path = strings.Contains(s, "/")
	s = strings.TrimPrefix(s, "/")
	if s == "" {
		return
	}
	special := strings.IndexAny(s, `*?[\`)
	if special < 0 {
		special = len(s)
	}
	glob, ok := parseGlob(s[special:], pat.path)
	if !ok {
		return
	}
	// Escapes alone leave a text; then there is nothing to match but that.
	if len(glob) == 1 && glob[0].kind == literal {
		s, special, glob = s[:special]+glob[0].text, special+len(glob[0].text), nil
	}
	pat.prefix, pat.glob = s[:special], glob
	i := len(p.all)
	if n := len(glob); n > 0 && glob[n-1].kind == literal {
		pat.suffix = glob[n-1].text
	}
	switch {
	case len(glob) == 0 && pat.path:
		list(&p.paths, s, i)
	case len(glob) == 0:
		list(&p.names, s, i)
	case !pat.path && pat.prefix == "" && len(glob) == 2 && glob[0].kind == star && strings.Contains(pat.suffix, "."):
		list(&p.exts, pat.suffix[strings.LastIndexByte(pat.suffix, '.'):], i)
	default:
		p.rest = append(p.rest, i)
	}
	p.all = append(p.all, pat)
}

func list(m *map[string][]int, key string, i int) {
	if *m == nil {
		*m = map[string][]int{}
	}
	(*m)[key] = append((*m)[key], i)
}

// match returns the last pattern that matches the path rel, relative to the
// ignore file's folder, whose last part is name; or nil.
func (p *patterns) match(rel, name []byte, isDir bool) *pattern {
	best := -1
	consider := func(in []int) {
		for k := len(in) - 1; k >= 0 && in[k] > best; k-- {
			if p.all[in[k]].match(rel, name, isDir) {
				best = in[k]
				return
			}
		}
	}
	if p.names != nil {
		consider(p.names[string(name)])
	}
	if p.exts != nil {
		if dot := bytes.LastIndexByte(name, '.'); dot >= 0 {
			consider(p.exts[string(name[dot:])])
		}
	}
	if p.paths != nil {
		consider(p.paths[string(rel)])
	}
	consider(p.rest)
	if best < 0 {
		return nil
	}
	return &p.all[best]
}

func (p *pattern) match(rel, name []byte, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	s := name
	if p.path {
		s = rel
	}
	if len(s) < len(p.prefix)+len(p.suffix) || string(s[:len(p.prefix)]) != p.prefix || string(s[len(s)-len(p.suffix):]) != p.suffix {
		return false
	}
	if len(p.glob) == 0 {
		return len(s) == len(p.prefix)
	}
	return matchGlob(p.glob, s[len(p.prefix):])
}
