// Package library keeps the documentation of libraries in one file and finds in it
// what answers a question.
//
// A version of a library is replaced whole or not at all: whatever stops a Put, and
// wherever, readers in this process and in others go on seeing the snippets that
// were there before, all of them and no others.
package library

import (
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/docs/release"
)

// A Library is one version of a library, with where it came from.
type Library struct {
	ID      string // "/vercel/next.js"
	Version string // a label: "v16.0.0"; Latest where the source has none
	Ref     string // the tag or branch that was read, which need not be the label
	Title   string
	// Description is a sentence or two; Rules are what its authors ask of those who
	// write code with it.
	Description string
	Rules       []string
	Aliases     []string // other names: of its package, of its repository
	Source      string   // the address or folder that was read
	Recipe      string   // how, as the caller writes it: of it only packed is read here
	Commit      string
	Date        time.Time // of Commit; zero where it is unknown
	Ingested    time.Time
	Trust       float64 // 0 < Trust ≤ 10 where somebody stated it, else 0
	Benchmark   float64 // 0 < Benchmark ≤ 100 where it was measured, else 0

	// What follows is filled by reading.
	Snippets int // negative where it is unknown
	Pages    int
	Tokens   int
	Checksum string   // SHA-256 of all of the above but Ingested, and of the snippets, in hexadecimal
	Versions []string // all labels of the ID, newest first; from Resolve alone
	Respelt  bool     // its name is spelled otherwise than the one that was asked for; from Resolve alone
	ByWords  bool     // its vectors are of another embedding model, so that words alone find it; from List alone
}

// packed is in the Recipe of what was read from a package that is installed. Inside of a string its quotes would be escaped.
const packed = `"packed":true`

// Packed reports whether a version was read from a package that a project had installed, and not from an address that somebody named.
// It is not the newest of a library of which there are others: anybody may publish a package of any version.
func (l *Library) Packed() bool { return strings.Contains(l.Recipe, packed) }

// Latest is the version of documentation that names none.
const Latest = release.Latest

// A Snippet is a piece of a page that can be read alone.
type Snippet struct {
	Title      string // the heading of its section
	Breadcrumb string // the headings around it: "Docs > Routing > Middleware"
	Path       string // of its page, below the root of the source
	URL        string // of its section
	Content    string // Markdown: paragraphs and fenced code, in the order of the page
	Language   string // of the first code that names one
	Line       int    // one-based, where it begins in its page
	Tokens     int    // of Content: an estimate, see text.Tokens; for prose it is on the high side

	Score     float64       // of an answer: 0..1; 0 where it was not read to be ranked
	Breakdown []rank.Signal // of Score, where it was to be explained
	Named     bool          // it is a declaration that the question names
	Near      bool          // it is the first, and the question is near in meaning to it and the next
	Cut       bool          // of an answer: Content is a part, since all of it is over the budget
}

// A Passage is a snippet and the version of the library that it is of: "/org/project@v1".
type Passage struct {
	Library string
	Snippet
}

// fenceOf returns the ticks with which a line opens a block of code, or "".
func fenceOf(line string) string {
	n := len(line) - len(strings.TrimLeft(line, "`"))
	if n < 3 || strings.Contains(line[n:], "`") {
		return ""
	}
	return line[:n]
}

// fenced returns code between fences that no line of it closes.
func fenced(lang, code string) string {
	code = strings.Trim(code, "\n")
	ticks := "```"
	for strings.Contains(code, ticks) {
		ticks += "`"
	}
	lang = strings.Map(func(r rune) rune {
		if r == '`' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, lang)
	return ticks + lang + "\n" + code + "\n" + ticks
}

// A Page is one file of a version of a library, and what it was cut into.
type Page struct {
	Path     string
	Hash     string // of the file, as the caller computes it: compared by him, never interpreted
	Snippets []Snippet
	Unfilled int // sections that were left out, since they said nothing but which files are not there
	// Keep says that the file is as it was: its snippets are those that the version
	// has under Path already, and Snippets is not looked at.
	Keep bool
}

func tokensOf(content string) int { return text.Tokens(len(content)) }
