// Package paste reads texts that are given as a query without being written as one: an
// issue, a log, a stack trace, a diff, an error. It tells the fields of such a text from
// each other, drops what says nothing of the program it is about, and finds the places in
// files that it names. It knows no tree: what of it is there, and what is rare there, is
// for others to say.
package paste

import (
	"cmp"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A Field is a kind of text in a paste, which says how much its words tell.
type Field uint8

// The fields.
const (
	Title      Field = iota // the first line, where more follow
	Prose                   // sentences
	Identifier              // names in prose: between backquotes, of several parts, dotted
	Code                    // blocks of code, commands and output; lines of a diff
	Path                    // paths of files
	Frame                   // names of functions in a stack trace
	Message                 // what an error says of itself
	Fields                  // how many there are
)

func (f Field) String() string {
	return [...]string{"title", "prose", "identifiers", "code", "paths", "trace frames", "messages"}[f]
}

// A Piece is a part of the text that belongs to one field.
type Piece struct {
	Field Field
	Text  string
}

// A Place is a place in a file that the text names.
type Place struct {
	Path  string // as written, with forward slashes; of a module the name, with slashes for dots
	Line  int    // 0: none
	Name  string // of the function around it; may be empty
	Owner string // the innermost type that the function is of; may be empty
	Quote string // the line itself, where the text has it
	Sort  Sort
	Deep  int // of a frame: how many frames of its trace are nearer to what failed
}

// A Sort of place says how surely the text is about it.
type Sort uint8

// The sorts of place.
const (
	Mention Sort = iota // a path in prose or code
	Module              // a dotted name, which may be that of a file
	Traced              // a frame of a stack trace, a line of a file, a permanent link
	Changed             // a file of a diff
)

// A Paste is a text taken apart.
type Paste struct {
	Pieces  []Piece
	Places  []Place // distinct, in the order of the text
	Omitted int     // bytes in the middle that were not read
}

const (
	// MaxRead is how much of a text is read, in bytes: the first and the last half. What a
	// log is about is where it begins or where it ends.
	MaxRead   = 128 << 10
	maxPlaces = 256
	maxLine   = 2000 // bytes; longer lines are read in parts
	maxTitle  = 300
)

// Read takes a text apart.
func Read(text string) Paste {
	r := reader{seen: map[Place]bool{}}
	if len(text) > MaxRead {
		r.Omitted = len(text) - MaxRead
		text = strings.ToValidUTF8(text[:MaxRead/2], "") + "\n" + strings.ToValidUTF8(text[len(text)-MaxRead/2:], "")
	}
	r.several = strings.Contains(strings.TrimSpace(text), "\n")
	for line := range strings.Lines(text) {
		for len(line) > maxLine { // a paragraph, or data
			cut := cmp.Or(strings.LastIndexByte(line[:maxLine], ' ')+1, maxLine)
			r.line(strings.ToValidUTF8(line[:cut], ""))
			line = line[cut:]
		}
		r.line(strings.TrimRight(line, " \t\r\n"))
	}
	r.endTrace()
	return r.Paste
}

// HasTrace reports whether a text names a line of a file as traces do.
func HasTrace(text string) bool {
	return strings.ContainsAny(text, ":(\"") && frames.MatchString(text)
}

// A reader reads a text line by line.
type reader struct {
	Paste
	seen    map[Place]bool
	several bool   // lines
	titled  bool   // the title was there
	fence   string // the fence that ends the block, empty outside one
	comment bool   // in a comment of HTML
	skip    bool   // in a section of a template that describes the reporter's machine
	before  string // the line before: in traces of Go and Rust it names the function
	diff    string // the file whose changes follow
	trace   int    // where the trace begins among the places
	inward  bool   // the frames nearest to the failure are the last
	quoting int    // the place, from 1, whose line of source may follow; 0 for none
}

var (
	frames    = lazy.Regexp(`File "[^"\n]+", line \d+|[\w./\\@+-]+\.[A-Za-z]\w{0,5}(:\d+|\(\d+\)|:line \d+)|\w:\d+:in [\x60']`)
	fenceLine = lazy.Regexp("^\\s*(```+|~~~+)")
	heading   = lazy.Regexp(`^\s{0,3}(#{1,6}\s+\S|\*\*[^*]+\*\*:?\s*$|__[^_]+__:?\s*$)`)
	hunk      = lazy.Regexp(`^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@\s*(.*)$`)
	failure   = lazy.Regexp(`^\s*(E\s+)?(Caused by: |Uncaught |thread '[^']*' |Unhandled )?([\w.:$]*(Error|Exception|Warning|Failure|Panic)\b|panic|panicked|fatal|FATAL|ERROR|error|E:)(\[\w+\])?\b`)
	prompt    = lazy.Regexp(`^\s*(>>>|\.\.\.|\$|>|In \[\d+\]:|irb.*>)\s`)
	stamp     = lazy.Regexp(`^\s*\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[^\s\]]*\]?\s*|^\s*\w{3} +\d+ \d\d:\d\d:\d\d\S*\s*|^\s*\[?\d\d:\d\d:\d\d[^\s\]]*\]?\s*`)
	noise     = lazy.Regexp(`\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{12,64}\b|\bv?\d+(\.\d+)+[\w.+-]*|https?://\S+|\b\d+(ms|s|MB|KB|kB|GB|%)?\b|#\d+\b`)
	permanent = lazy.Regexp(`/blob/[^/\s]+/([^\s#?)\]]+)(?:#L(\d+))?`)
	ticked    = lazy.Regexp("`([^`\n]+)`")
)

// line reads one line.
func (r *reader) line(s string) {
	if strings.Contains(s, "/blob/") {
		for _, m := range permanent.FindAllStringSubmatch(s, -1) {
			r.add(Place{Path: m[1], Line: number(m[2]), Sort: Traced})
		}
	}
	if s = r.uncommented(s); strings.TrimSpace(s) == "" {
		r.endTrace()
		r.before = ""
		return
	}
	defer func() { r.before = s }()
	if f := fenceLine.FindStringSubmatch(s); f != nil {
		r.endTrace()
		switch {
		case r.fence == "":
			r.fence = f[1][:3]
		case strings.HasPrefix(f[1], r.fence):
			r.fence = ""
		}
		return
	}
	if strings.Count(s, ":") > 1 {
		s = stamp.ReplaceAllString(s, "")
	}
	quoting := r.quoting
	r.quoting = 0
	source := quoting > 0 && r.inward && strings.HasPrefix(s, "    ")
	switch {
	case r.changed(s), !source && r.frame(s):
		return
	}
	if quoting > 0 && strings.HasPrefix(s, "  ") {
		r.Places[quoting-1].Quote = strings.TrimSpace(s)
	}
	r.paths(s)
	switch {
	case r.fence == "" && heading.MatchString(s):
		s = strings.Trim(strings.TrimLeft(strings.TrimSpace(s), "#"), " *_:")
		if boilerplate(s) {
			r.skip = machine(s)
			return
		}
		r.skip = false
		r.sentence(s)
	case r.skip && r.fence == "" || boilerplate(s):
	case failure.MatchString(s):
		r.piece(Message, s)
	case r.skip:
	case r.fence != "" || strings.HasPrefix(s, "    ") || strings.HasPrefix(s, "\t") || prompt.MatchString(s):
		r.piece(Code, s)
	default:
		r.sentence(s)
	}
}

// uncommented drops comments of HTML, with which templates speak to reporters.
func (r *reader) uncommented(s string) string {
	for {
		if r.comment {
			_, rest, ok := strings.Cut(s, "-->")
			if !ok {
				return ""
			}
			s, r.comment = rest, false
		}
		head, rest, ok := strings.Cut(s, "<!--")
		if !ok || r.fence != "" {
			return s
		}
		if _, after, ok := strings.Cut(rest, "-->"); ok {
			s = head + " " + after
			continue
		}
		r.comment = true
		return head
	}
}

// sentence reads a line of prose, the first of which is the title.
func (r *reader) sentence(s string) {
	field := Prose
	if !r.titled && r.several && len(s) <= maxTitle {
		field = Title
	}
	r.titled = true
	if strings.Contains(s, "`") {
		for _, m := range ticked.FindAllStringSubmatch(s, -1) {
			r.piece(Identifier, m[1])
		}
	}
	r.piece(field, s)
}

// piece adds a text without what is different in every report of the same thing.
func (r *reader) piece(f Field, s string) {
	if strings.ContainsAny(s, "0123456789") || strings.Contains(s, "://") {
		s = noise.ReplaceAllString(s, " ")
	}
	if strings.TrimSpace(s) != "" {
		r.Pieces = append(r.Pieces, Piece{f, s})
	}
}

// changed reads a line of a diff.
func (r *reader) changed(s string) bool {
	switch {
	case strings.HasPrefix(s, "diff --git "):
		r.diff = ""
		return true
	case strings.HasPrefix(s, "+++ ") || strings.HasPrefix(s, "--- ") && strings.HasPrefix(s[4:], "a/"):
		name, _, _ := strings.Cut(s[4:], "\t")
		if name = strings.TrimSpace(name); name == "/dev/null" {
			return true
		}
		if len(name) > 2 && (name[:2] == "a/" || name[:2] == "b/") {
			name = name[2:]
		}
		r.diff = name
		r.add(Place{Path: name, Sort: Changed})
		r.piece(Path, name)
		return true
	case r.diff == "":
		return false
	case strings.HasPrefix(s, "@@"):
		if m := hunk.FindStringSubmatch(s); m != nil {
			r.add(Place{Path: r.diff, Line: number(m[1]) + 3, Sort: Changed})
			r.piece(Frame, m[2])
		}
		return true
	case strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") || strings.HasPrefix(s, " "):
		r.piece(Code, s[1:])
		return true
	}
	r.diff = ""
	return false
}

func number(s string) (n int) {
	for _, c := range s {
		if n = 10*n + int(c-'0'); n > 1<<30 {
			return 0
		}
	}
	return n
}

// add adds a place, and reports whether it was not named before.
func (r *reader) add(p Place) bool {
	p.Path = strings.ReplaceAll(p.Path, `\`, "/")
	if p.Path == "" || len(r.Places) == maxPlaces || r.seen[p] {
		return false
	}
	r.seen[p] = true
	r.Places = append(r.Places, p)
	return true
}
