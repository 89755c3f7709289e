package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Visible returns a text without hidden effects: a character that would control a terminal, change the direction of text or
// be invisible becomes <U+202E>, and an invalid byte <0xE9>. Line ends, tabs and the joiners of emoji and scripts stay. All
// text for people and models must pass through it; data for programs must not.
func Visible(s string) string {
	at := strings.IndexFunc(s, hidden)
	if at < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i, r := range s {
		switch {
		case r == '\r' && (i+1 == len(s) || s[i+1] == '\n'): // a line that ends as on Windows
		case hidden(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, "<0x%02X>", s[i])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Line is Visible for text that must stay in one line, such as a name.
func Line(s string) string {
	return strings.ReplaceAll(Visible(s), "\n", "<U+000A>")
}

// IsLine reports whether a text is one line without hidden effects. A value that is offered to be typed must be one, because a
// rewritten value would name nothing.
func IsLine(s string) bool { return Line(s) == s }

// Log is Visible for messages, which may be in the log of a CI runner. It marks lines after the first, because a runner
// executes a line that begins with ::, even after blanks, and it breaks commands that a runner recognizes inside a line.
func Log(s string) string { return commands.Replace(strings.TrimSuffix(Visible(s), "\n")) }

var commands = strings.NewReplacer("\n", "\n  | ", "##[", "##<U+005B>", "##vso[", "##vso<U+005B>")

// Unmarked returns the line of a file with that number, from 1, without the mark of the order
// of bytes that a file may begin with: it is no part of the text.
func Unmarked(s string, number int) string {
	if number == 1 {
		return strings.TrimPrefix(s, "\ufeff")
	}
	return s
}

// VisiblePainted is Visible for a text with colours, which stay.
func VisiblePainted(s string) string {
	if !strings.Contains(s, "\x1b") {
		return Visible(s)
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(s); i++ {
		if n := colour(s[i:]); n > 0 {
			b.WriteString(Visible(s[at:i]))
			b.WriteString(s[i : i+n])
			at = i + n
			i = at - 1
		}
	}
	b.WriteString(Visible(s[at:]))
	return b.String()
}

// colour returns how long the sequence is that s begins with, if it is one that sets a
// colour as ours do: an attribute or two, of one digit or two.
func colour(s string) int {
	rest, ok := strings.CutPrefix(s, "\x1b[")
	if !ok {
		return 0
	}
	const most = len("00;00")
	end := strings.IndexByte(rest[:min(len(rest), most+1)], 'm')
	if end < 0 {
		return 0
	}
	for i, part := range strings.SplitN(rest[:end], ";", 3) {
		if i == 2 || len(part) > 2 || part == "" && end > 0 || strings.Trim(part, "0123456789") != "" {
			return 0
		}
	}
	return len("\x1b[") + end + 1
}

// hidden reports whether a character shows nothing of itself and changes how others
// are shown (UTS #55 and the Trojan Source attacks; the tags, in which whole sentences
// can be written that only a model reads).
func hidden(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r < 0x7f:
		return false
	case r < 0xa0, // DEL and C1
		r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // direction
		r == 0x2028, r == 0x2029, // ends of lines that are none elsewhere
		r == 0x180e, r == 0x200b, r >= 0x2060 && r <= 0x2064, r >= 0x206a && r <= 0x206f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// Short returns the first n bytes of a text, and an ellipsis after them where it is longer. A
// character that would be cut through is omitted.
func Short(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// OneLine returns a text with one space for each run of white space, of n characters and an
// ellipsis after them where it is longer.
func OneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// Clip cuts a text to n characters, the last of them an ellipsis where it is longer.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n--; n == 0 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// ShellWord writes s as one word of a shell such as sh, in quotes where it has to be.
func ShellWord(s string) string {
	unsafe := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r))
	}
	if s != "" && s[0] != '=' && !strings.ContainsFunc(s, unsafe) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Painted returns a text that a terminal shows in a colour, if it is to.
func Painted(colour bool, code, s string) string {
	if !colour || s == "" {
		return s
	}
	return code + s + "\x1b[0m"
}
