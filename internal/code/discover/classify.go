package discover

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// MaxFile is the size in bytes above which a file is read for patterns alone. The
// whole interface of a library may be in one file of some megabytes.
const MaxFile = 4 << 20

// A Verdict says what may be done with a text.
type Verdict struct {
	Text     bool // false: it is counted and nothing more
	Index    bool // worth chunking and ranking
	Flags    corpus.Flags
	Language string // as package syntax names it
	// Why is what speaks against reading more than its characters: "binary",
	// "secret", "oversize", "lock", "vendored", "generated", "minified" or "data";
	// empty if Index is true. Source that is vendored or generated is read, for the
	// program calls it and is called by it; texts of that sort are not.
	Why string
}

// Classify judges a document by its path and its content, as text.Decode returns it. It
// is a function of the two alone.
func Classify(p string, text []byte) Verdict {
	v := Verdict{Flags: PathFlags(p)}
	head := text[:min(len(text), 8<<10)]
	if Binary(head) {
		v.Why = "binary"
		return v
	}
	v.Language = syntax.Language(p, head)
	prose := syntax.Prose(v.Language)
	if prose {
		v.Flags |= corpus.Prose
	}
	if holdsKey(text, v.Language != "" && !prose) {
		v.Why = "secret"
		return v
	}
	v.Text = true
	name := lower(path.Base(p))
	if v.Flags&corpus.Generated == 0 && saysGenerated(head, prose) {
		v.Flags |= corpus.Generated
	}
	if v.Flags&corpus.Minified == 0 && minified(name, text, v.Language) {
		v.Flags |= corpus.Minified
	}
	switch {
	case len(text) > MaxFile:
		v.Why = "oversize"
	case lockName(name):
		v.Why = "lock"
	case v.Flags&corpus.Minified != 0:
		v.Why = "minified"
	case v.Flags&corpus.Vendored != 0 && !syntax.Source(v.Language):
		v.Why = "vendored"
	case v.Flags&corpus.Generated != 0 && !syntax.Source(v.Language):
		v.Why = "generated"
	case dataName(name, len(text)), v.Language == "xml" && path.Ext(name) == ".ts":
		v.Flags |= corpus.Lock
		v.Why = "data"
	default:
		v.Index = true
	}
	return v
}

// Binary reports whether a text that starts so is none: it holds zeros, a mark of
// UTF-16 that could not be decoded, or mostly bytes that are neither UTF-8 nor typed by anybody.
func Binary(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 || bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return true
	}
	odd := 0
	for i := 0; i < len(head); {
		c := head[i]
		if c < utf8.RuneSelf {
			if c < ' ' && (c < '\b' || c > '\r') && c != 0x1b || c == 0x7f {
				odd++
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 && utf8.FullRune(head[i:]) {
			odd++
		}
		i += n
	}
	return odd*10 > len(head)*3
}

// maxKey is the size of a file up to which a private key in it makes it one.
const maxKey = 32 << 10

// holdsKey reports whether a text is kept for a private key in it. A program with
// a key among much else is not: most are tests.
func holdsKey(text []byte, program bool) bool {
	if len(text) > maxKey {
		return false
	}
	const begin, end = "-----BEGIN ", "PRIVATE KEY"
	keys := 0
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(begin))
		if i < 0 {
			break
		}
		i += at
		at = i + len(begin)
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		if i > 0 && text[i-1] != '\n' || !bytes.Contains(line, []byte(end)) {
			continue
		}
		if !program {
			return true
		}
		stop := bytes.Index(text[at:], []byte("-----END "))
		if stop < 0 {
			stop = len(text) - at
		}
		keys += stop
	}
	return keys*2 > len(text)
}

// saysGenerated reports whether a comment among the first lines says that a
// program wrote the text. In prose an item or a heading is none: "* Auto-generated help".
func saysGenerated(head []byte, prose bool) bool {
	end := "" // of the comment that the line is inside
	for n := 0; n < 40 && len(head) > 0; n++ {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		inside := end != ""
		if !prose {
			end = commentEnd(line, end)
		}
		if at := bytes.Index(line, []byte("enerated")); at < 1 && !bytes.Contains(line, []byte("ENERATED")) {
			continue
		}
		text := strings.ToLower(string(bytes.TrimSpace(line)))
		if prose && !strings.HasPrefix(text, "<!--") && !strings.HasPrefix(text, "..") && !strings.Contains(text, "do not edit") {
			continue
		}
		if (prose || inside || comment(bytes.TrimSpace(line))) && claims(text) {
			return true
		}
	}
	return false
}

// claims reports whether a lower-cased comment says that its file is generated,
// rather than that something else is.
func claims(line string) bool {
	_, after, _ := strings.Cut(line, "generated")
	before := line[:len(line)-len(after)]
	if strings.Contains(line, "do not edit") || strings.Contains(line, "do not modify") || strings.Contains(line, "don't edit") {
		return true
	}
	if strings.HasSuffix(before, "@generated") || strings.HasSuffix(before, "<auto-generated") {
		return after == "" || !lowerOrDigit(after[0])
	}
	said := strings.TrimLeft(before, "/#*-;<!%\"'({ \t")
	for _, how := range [...]string{"autogenerated", "auto-generated", "auto generated", "automatically generated", "machine generated", "machine-generated"} {
		if said == how {
			return true
		}
	}
	for _, what := range [...]string{"this file ", "this code ", "this module ", "this source ", "this class ", "the following code "} {
		if rest, ok := strings.CutPrefix(said, what); ok {
			return len(rest) <= len("has been automatically generated") && !strings.Contains(rest, "not ")
		}
	}
	return false
}

func comment(line []byte) bool {
	for _, mark := range [...]string{"//", "#", "/*", "*", "--", ";", "<!--", "%", `"`, "'", "(*", "{-", "REM "} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

// blockComments are the marks between which a comment, or the text that documents a module, has several lines.
var blockComments = [...]struct{ start, end string }{
	{"/*", "*/"}, {"<!--", "-->"}, {"(*", "*)"}, {"{-", "-}"}, {"--[[", "]]"}, {`"""`, `"""`}, {"'''", "'''"},
}

// commentEnd returns the mark that ends the comment in which a line ends, "" if it ends in none; end is that
// of the line before.
func commentEnd(line []byte, end string) string {
	line = bytes.TrimSpace(line)
	if end != "" {
		if bytes.Contains(line, []byte(end)) {
			return ""
		}
		return end
	}
	for _, c := range blockComments {
		if rest, ok := bytes.CutPrefix(line, []byte(c.start)); ok && !bytes.Contains(rest, []byte(c.end)) {
			return c.end
		}
	}
	return ""
}

// long is the length of a line that nobody wrote by hand.
const long = 5000

// written is how many short lines of code say that somebody wrote a text, whatever
// long ones it holds; of scripts and styles, which packers write, more must be there. most is how many
// bytes of long lines are not worth cutting up.
const (
	written    = 5
	writtenWeb = 100
	most       = 40 * long
)

// minified reports whether a text was packed by a program: one line of it is most
// of it, or its lines are long throughout where people keep them short. A program
// leaves few lines beside; where many are left, a picture or a table is held in code.
func minified(name string, text []byte, language string) bool {
	if len(text) < 1<<10 {
		return false
	}
	prose, least := syntax.Prose(language), writtenWeb
	switch language {
	case "javascript", "typescript", "css":
	default:
		if syntax.Source(language) {
			least = written
		}
	}
	lines, longest, packed, code, inCode := 0, 0, 0, 0, 0
	for rest := text; len(rest) > 0; lines++ {
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest) - 1
		}
		longest = max(longest, n)
		if n > long {
			packed += n
		} else if line := bytes.TrimSpace(rest[:n]); len(line) > 0 && !comment(line) {
			code++
			inCode += n
		}
		rest = rest[n+1:]
	}
	isReadable := code >= least && inCode/code <= 100
	if !prose && isReadable && packed > 0 && packed <= most {
		return false
	}
	switch path.Ext(name) {
	case ".ipynb": // pictures
		return false
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".css":
		if len(text)/lines > 250 {
			return true
		}
	}
	if prose {
		return longest > 20*long
	}
	return longest > long && longest*2 > len(text)
}
