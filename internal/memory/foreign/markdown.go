package foreign

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
)

// note reads a file as it is; binary is none.
func (e *Export) note(dir, rel string, data []byte, written time.Time) {
	data, ok := plain(data)
	if !ok {
		e.Skipped["binary"]++
		return
	}
	// Its place names it: another file of the same name is another note.
	e.add(Note{Key: Folder + ":" + filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(rel))), Text: string(data), Created: written.UTC(),
		File: strings.TrimSuffix(rel, path.Ext(rel)) + ".md"})
}

// plain returns a text as UTF-8, and whether it is one.
func plain(data []byte) ([]byte, bool) {
	decoded, _ := text.Decode(data)
	if bytes.IndexByte(decoded, 0) >= 0 {
		return nil, false
	}
	bad := 0
	for rest := decoded; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			bad++
		}
		rest = rest[size:]
	}
	return decoded, bad*20 <= len(decoded)
}

// instructions cuts a file of instructions into a note for each section of the first two
// levels: what is asked for is one rule of it, and not the file.
func (e *Export) instructions(name string, data []byte, written time.Time) {
	data, ok := plain(data)
	if !ok {
		e.Skipped["binary"]++
		return
	}
	dir := filepath.Dir(name)
	for _, hidden := range []string{".claude", ".github", ".codex", ".gemini"} {
		if filepath.Base(dir) == hidden {
			dir = filepath.Dir(dir)
			break
		}
	}
	seen := map[string]int{}
	for _, s := range sections(string(data)) {
		title := filepath.Base(name)
		if s.title != "" {
			title += ": " + s.title
		}
		key := Instructions + ":" + filepath.ToSlash(name) + "#" + s.title
		if seen[key]++; seen[key] > 1 {
			key += "#" + strconv.Itoa(seen[key])
		}
		e.add(Note{Key: key, Title: title, Text: s.text, Category: "preferences", Created: written.UTC(), Dir: dir})
	}
}

type section struct{ title, text string }

// sections divides Markdown at its headings of the first two levels, but not in code. A
// section of nothing but its heading is none.
func sections(s string) (out []section) {
	fence, title := "", ""
	var b strings.Builder
	flush := func() {
		if t := strings.TrimSpace(b.String()); t != "" {
			out = append(out, section{title, t})
		}
		b.Reset()
	}
	for l := range strings.Lines(s) {
		bare := strings.TrimSpace(l)
		if mark := bare[:min(len(bare), 3)]; mark == "```" || mark == "~~~" {
			switch fence {
			case "":
				fence = mark
			case mark:
				fence = ""
			}
		}
		if h := strings.TrimLeft(bare, "#"); fence == "" && len(bare)-len(h) > 0 && len(bare)-len(h) <= 2 && strings.HasPrefix(h, " ") {
			flush()
			title = strings.TrimSpace(strings.TrimRight(h, "# "))
			continue
		}
		b.WriteString(l)
	}
	flush()
	return out
}

// rooms reads a room of a palace: its drawers, each under a heading that is its name,
// quoted, and followed by a table that says from where and of when it is.
func (e *Export) rooms(rel string, data []byte, written time.Time) {
	data, ok := plain(data)
	if !ok {
		e.Skipped["binary"]++
		return
	}
	wing, room := path.Base(path.Dir(rel)), strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	var n *Note
	var lines []string
	found := false
	flush := func() {
		if n != nil {
			n.Text = strings.Join(lines, "\n")
			e.add(*n)
			found = true
		}
		n, lines = nil, nil
	}
	for l := range strings.Lines(string(data)) {
		l = strings.TrimRight(l, "\r\n")
		switch quoted, isQuote := strings.CutPrefix(l, ">"); {
		case strings.HasPrefix(l, "# ") && !found && n == nil:
			if w, r, ok := strings.Cut(strings.TrimPrefix(l, "# "), " / "); ok {
				wing, room = w, r
			}
		case strings.HasPrefix(l, "## "):
			flush()
			n = &Note{Key: MemPalace + ":" + strings.TrimSpace(l[3:]), Project: wing, Tags: tags(room), Category: category(room), Created: written.UTC()}
		case n == nil:
		case isQuote:
			lines = append(lines, strings.TrimPrefix(quoted, " "))
		case strings.HasPrefix(l, "| Filed |"):
			if at := moment(strings.TrimSpace(strings.Trim(strings.TrimPrefix(l, "| Filed |"), "| "))); !at.IsZero() {
				n.Created = at
			}
		}
	}
	flush()
	if !found {
		e.Skipped["no drawers in it"]++
	}
}

// category returns the category of a word by which another program says what a note is.
func category(kind string) string {
	kind = strings.ToLower(kind)
	for _, c := range []struct {
		is    string
		words []string
	}{
		{"decisions", []string{"decision", "decisions", "architecture", "adr", "choice"}},
		{"preferences", []string{"preference", "preferences", "user_preferences", "personal_preferences", "style", "convention", "conventions"}},
		{"entities", []string{"person", "people", "entity", "entities", "contact", "organization", "team"}},
		{"facts", []string{"fact", "facts", "bugfix", "discovery", "learning", "pattern", "config", "how-it-works", "gotcha", "technology", "constraint"}},
	} {
		if slices.Contains(c.words, kind) {
			return c.is
		}
	}
	return ""
}

// tags makes words that may be tags: without blanks and marks.
func tags(words ...string) (out []string) {
	for _, w := range words {
		w = strings.Map(func(r rune) rune {
			if r == ' ' || r == '_' {
				return '-'
			}
			return r
		}, strings.ToLower(strings.TrimSpace(strings.TrimPrefix(w, "#"))))
		w = strings.Trim(w, "-")
		if w != "" && len(w) <= 60 && !strings.ContainsAny(w, "\"'\n\r[]{}:,#") && !slices.Contains(out, w) && len(out) < 20 {
			out = append(out, w)
		}
	}
	return out
}
