package main

import "strings"

// A section is a heading with the lines below it, up to the next heading of any
// level.
type section struct {
	Heading    string
	Start, End int // 1-based and inclusive; Start is the line of the heading
}

// sections returns the sections of a Markdown or, where rst is set, a
// reStructuredText document. Lines above the first heading are in none.
func sections(text string, rst bool) []section {
	lines := strings.Split(text, "\n")
	var out []section
	fence := ""
	for i, line := range lines {
		var heading string
		var ok bool
		if rst {
			heading, ok = underlined(lines, i)
		} else if fence, ok = fenced(fence, line); !ok {
			heading, ok = hashed(line)
		} else {
			ok = false
		}
		if !ok {
			continue
		}
		if n := len(out); n > 0 {
			out[n-1].End = i
		}
		out = append(out, section{Heading: heading, Start: i + 1})
	}
	if n := len(out); n > 0 {
		out[n-1].End = len(lines)
	}
	return out
}

// fenced follows fenced code blocks: open is the fence that the line stands
// behind, empty outside of blocks. It returns the fence for the next line, and
// whether this one belongs to a block.
func fenced(open, line string) (string, bool) {
	line = strings.TrimSpace(line)
	mark := ""
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			mark = line[:n]
		}
	}
	switch {
	case open == "":
		return mark, mark != ""
	case strings.HasPrefix(mark, open) && mark == line:
		return "", true
	}
	return open, true
}

func hashed(line string) (string, bool) {
	rest := strings.TrimLeft(line, "#")
	level := len(line) - len(rest)
	if level < 1 || level > 6 || !strings.HasPrefix(rest, " ") {
		return "", false
	}
	return strings.Trim(rest, "# \r"), true
}

func underlined(lines []string, i int) (string, bool) {
	title := strings.TrimRight(lines[i], " \r")
	if title == "" || title[0] == ' ' || title[0] == '\t' || i+1 == len(lines) || ruler(title) {
		return "", false
	}
	below := strings.TrimRight(lines[i+1], " \r")
	return title, ruler(below) && len(below) >= len([]rune(title))
}

// ruler reports whether a line is three or more of one mark that underlines.
func ruler(line string) bool {
	return len(line) >= 3 && strings.ContainsRune("=-~^\"'*+#.`", rune(line[0])) && strings.Trim(line, line[:1]) == ""
}
