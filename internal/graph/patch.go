package graph

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/discover"
)

// A hunk is one place of a patch: what was there, and what is to be there.
type hunk struct {
	at       int // the first line before the change, from 1; 0 where there is none
	old, new []string
}

// patched reads a patch. Where the tree is as the patch leaves it, what was before is
// found by taking the patch back, and otherwise what comes by applying it.
func (s *session) patched(patch string) (*comparison, error) {
	files, err := parsePatch(patch)
	if err != nil {
		return nil, err
	}
	c := &comparison{from: "before the patch", to: "after the patch"}
	for _, f := range files {
		if discover.OwnPath(cmp.Or(f.path, f.was)) {
			continue
		}
		e := edit{path: f.path, was: f.was}
		if f.was == f.path {
			e.was = ""
		}
		if f.path == "" { // deleted
			e.path, e.was = f.was, ""
			if e.old, _ = s.v.Text(e.path); e.old == nil {
				e.old, _ = apply(nil, f.hunks, true)
			}
			c.edits = append(c.edits, e)
			continue
		}
		text, there := s.v.Text(f.path)
		if there {
			if old, ok := apply(text, f.hunks, true); ok {
				if e.text = text; f.was != "" {
					e.old = old
				}
				c.edits = append(c.edits, e)
				continue
			}
		}
		if f.was != "" {
			text, there = s.v.Text(f.was)
		}
		now, ok := apply(text, f.hunks, false)
		if !ok {
			return nil, fault.New(fault.Stale, "the patch of %s fits neither the file as it is nor as it would be", cmp.Or(f.was, f.path)).Or("make the patch against the files that are there")
		}
		if e.text = now; there && f.was != "" {
			e.old = text
		}
		c.edits = append(c.edits, e)
	}
	return c, nil
}

// A patchedFile is one file of a patch; was is "" for one that is made, path for one
// that is deleted.
type patchedFile struct {
	path, was string
	hunks     []hunk
}

func parsePatch(patch string) (files []patchedFile, err error) {
	bad := func(line int, what string) error {
		return fault.New(fault.Usage, "line %d of the patch: %s", line, what).Or("a patch is what git diff or diff -u prints")
	}
	var f *patchedFile
	lines := strings.Split(strings.ReplaceAll(patch, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		rest, made := strings.CutPrefix(line, "--- ")
		switch {
		case strings.HasPrefix(line, "rename from "):
			files = append(files, patchedFile{was: unquote(line[len("rename from "):])})
			f = &files[len(files)-1]
		case strings.HasPrefix(line, "rename to ") && f != nil:
			f.path = unquote(line[len("rename to "):])
		case made && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "):
			was, now := name(rest), name(lines[i+1][len("+++ "):])
			if f == nil || f.path != now || f.was != was || len(f.hunks) > 0 {
				files = append(files, patchedFile{path: now, was: was})
				f = &files[len(files)-1]
			}
			i++
		case strings.HasPrefix(line, "@@ "):
			if f == nil {
				return nil, bad(i+1, "a change without the name of a file")
			}
			h, n, ok := parseHunk(lines[i:])
			if !ok {
				return nil, bad(i+1, "a change that is cut off")
			}
			f.hunks = append(f.hunks, h)
			i += n - 1
		}
	}
	for _, f := range files {
		for _, p := range []string{f.path, f.was} {
			if p != "" && !filepath.IsLocal(filepath.FromSlash(p)) {
				return nil, fault.New(fault.Usage, "the patch is of %q, which is not below the tree", p).Or("name files relative to the project's folder")
			}
		}
	}
	if len(files) == 0 {
		return nil, fault.New(fault.Usage, "the input has no change: no lines --- and +++").Or("for example: git diff | assay impact --diff --patch -")
	}
	return files, nil
}

// name returns the path that a line of a patch names, "" for no file.
func name(s string) string {
	s, _, _ = strings.Cut(s, "\t") // diff -u puts a time behind it
	if s = unquote(s); s == "/dev/null" {
		return ""
	}
	if _, rest, ok := strings.Cut(s, "/"); ok && (strings.HasPrefix(s, "a/") || strings.HasPrefix(s, "b/")) {
		return rest
	}
	return s
}

func unquote(s string) string {
	if strings.HasPrefix(s, `"`) {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
	}
	return s
}

// parseHunk reads a hunk at the beginning of some lines, and says how many it has.
func parseHunk(lines []string) (h hunk, n int, ok bool) {
	fields := strings.Fields(lines[0])
	if len(fields) < 3 {
		return h, 0, false
	}
	at, olds, ok1 := span(fields[1], '-')
	_, news, ok2 := span(fields[2], '+')
	if !ok1 || !ok2 {
		return h, 0, false
	}
	h.at = at
	for n = 1; n < len(lines) && (len(h.old) < olds || len(h.new) < news); n++ {
		line := cmp.Or(lines[n], " ")
		switch line[0] {
		case ' ':
			h.old, h.new = append(h.old, line[1:]), append(h.new, line[1:])
		case '-':
			h.old = append(h.old, line[1:])
		case '+':
			h.new = append(h.new, line[1:])
		case '\\':
		default:
			return h, n, false
		}
	}
	return h, n, len(h.old) == olds && len(h.new) == news
}

// span reads "-12,3": where a hunk begins and how many lines it has.
func span(s string, sign byte) (at, n int, ok bool) {
	if s == "" || s[0] != sign {
		return 0, 0, false
	}
	first, count, has := strings.Cut(s[1:], ",")
	at, err := strconv.Atoi(first)
	if n = 1; err == nil && has {
		n, err = strconv.Atoi(count)
	}
	return at, n, err == nil && at >= 0 && n >= 0 && n < 1<<24
}

// apply makes the text that hunks lead to, or with back the one that they come from.
// It reports whether they fit.
func apply(text []byte, hunks []hunk, back bool) ([]byte, bool) {
	was := strings.ReplaceAll(string(text), "\r\n", "\n")
	whole, ended := strings.CutSuffix(was, "\n")
	lines := strings.Split(whole, "\n")
	if was == "" {
		lines, ended = nil, true
	}
	var out []string
	next, shift := 0, 0
	for _, h := range hunks {
		from, to := h.old, h.new
		at := h.at - 1
		if len(h.old) == 0 {
			at++ // behind the line that is named
		}
		if back {
			from, to = to, from
			at += shift
		}
		shift += len(h.new) - len(h.old)
		if at < next || at+len(from) > len(lines) {
			return nil, false
		}
		for i, l := range from {
			if lines[at+i] != l {
				return nil, false
			}
		}
		out = append(append(out, lines[next:at]...), to...)
		next = at + len(from)
	}
	out = append(out, lines[min(next, len(lines)):]...)
	now := strings.Join(out, "\n")
	if ended && len(out) > 0 {
		now += "\n"
	}
	return []byte(now), true
}
