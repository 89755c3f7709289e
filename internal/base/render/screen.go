// Package render lays text out for the terminal that it is shown on: how many columns a
// text takes, tables that fit, and code in colours.
package render

import (
	"io"
	"strings"
	"unicode"
)

// A Writer is an io.Writer that knows the number of columns of its screen.
type Writer interface {
	io.Writer
	// Columns is 0 where lines may have any length: in a file and in a pipe.
	Columns() int
}

// Columns returns the number of columns of w, or 0 if lines may have any length.
func Columns(w io.Writer) int {
	if s, ok := w.(Writer); ok {
		return s.Columns()
	}
	return 0
}

// Width returns how many columns a line takes: two for an East Asian wide character or an
// emoji (UAX #11), none for a mark and for a sequence that sets a colour.
func Width(s string) (n int) {
	skip := false
	for _, r := range s {
		switch {
		case r == '\x1b':
			skip = true
		case skip:
			skip = r != 'm'
		default:
			n += columns(r)
		}
	}
	return n
}

func columns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

// Head cuts a text to a number of columns at its end, Tail at its beginning; an ellipsis marks the cut.
func Head(s string, most int) string {
	if Width(s) <= most {
		return s
	}
	n := 1
	for i, r := range s {
		if n += columns(r); n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// Wrap breaks a line at its spaces so that it fits a number of columns, if its words do; 0 means any number. Each further
// line begins with hang.
func Wrap(line string, most int, hang string) string {
	if most <= 0 || Width(line) <= most {
		return line
	}
	words := strings.Fields(line)
	var b strings.Builder
	indent := line[:strings.Index(line, words[0])]
	b.WriteString(indent + words[0])
	at := Width(indent + words[0])
	for _, word := range words[1:] {
		before := " "
		if at+1+Width(word) > most {
			before, at = "\n"+hang, Width(hang)-1
		}
		b.WriteString(before + word)
		at += 1 + Width(word)
	}
	return b.String()
}

// Tail is Head from the other side.
func Tail(s string, most int) string {
	if Width(s) <= most {
		return s
	}
	runes := []rune(s)
	n, at := 1, len(runes)
	for at > 0 && n+columns(runes[at-1]) <= most {
		at--
		n += columns(runes[at])
	}
	return "…" + string(runes[at:])
}
