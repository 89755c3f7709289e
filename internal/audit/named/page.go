package named

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/asciidoc"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
	"github.com/assay-dev/assay/internal/docs/markup/rst"
)

const (
	spanRef   = markup.Span
	codeBlock = markup.Code
)

// A page is a document as it was read.
type page struct {
	file    *File
	lines   []string
	blocks  []markup.Block
	refs    []markup.Ref
	anchors anchors
	whole   bool            // no tool adds headings to the page
	past    bool            // it speaks of earlier versions
	gone    [][2]int        // the lines of sections that do
	shown   map[string]bool // names that its examples declare
	spans   map[spanAt]bool
	runs    map[int][]string // the programs of commands in code spans, by their lines
	credits map[int]bool     // the lines of lists that a tool writes
	targets map[string]bool  // files that links lead to, as they are written
	byName  map[string]bool  // pages that shortcodes of Hugo find by their names
	listing bool             // it lists options of the program
	// Searched is where the last name that was looked for on a line begins, by lines.
	searched map[int]int
}

// A spanAt is a name in code, and the line where its span begins.
type spanAt struct {
	name string
	line int
}

var (
	pastPage    = lazy.Regexp(`(?i)(^|[/_.-])(change-?log|changes|history|news|releases?|release-?notes?|whats-?new|migrat\w*|upgrad\w*|deprecat\w*|breaking|_?posts|blog|rfcs?|adrs?|proposals?|roadmap)([/_.-]|$)`)
	pastSection = lazy.Regexp(`(?i)\b(change ?log|history|migrat\w*|upgrad\w*|release notes|what'?s new|removed|removals?|deprecat\w*|legacy|obsolete|breaking|renamed|former|roadmap|older versions?|future)\b`)
	added       = lazy.Regexp(`^\s*(?:import\s.*\sfrom\s|--8<--|!?\[\[|:::\s*[\w.]+\s*$|<!--\s*@?include|\{[%{!]|<[A-Z]\w*|!?\[!INCLUDE|m4_[a-z]+\b)|@include|\{\{[<%#]|==-\s|\+\+\+\s`)
)

// Read returns the blocks of a document and what they refer to, or nil if it is in no form that is read.
func Read(f *File) *markup.Page {
	opt := markup.Options{Path: f.Path, Refs: true}
	var read markup.Page
	switch {
	case f.Language == "markdown" && path.Ext(f.Path) == ".mdx":
		read = markdown.ParseMDX(f.Text, opt)
	case f.Language == "markdown":
		read = markdown.Parse(f.Text, opt)
	case f.Language == "rst":
		read = rst.Parse(f.Text, opt)
	case f.Language == "asciidoc":
		read = asciidoc.Parse(f.Text, opt)
	default:
		return nil
	}
	return &read
}

func readPage(f *File) *page {
	p := &page{
		file: f, lines: strings.Split(string(f.Text), "\n"),
		anchors: newAnchors(), shown: map[string]bool{}, spans: map[spanAt]bool{}, runs: map[int][]string{}, targets: map[string]bool{}, searched: map[int]int{},
	}
	p.credits, p.byName = creditLines(p.lines), pagesByName(string(f.Text))
	p.past = pastPage.MatchString(f.Path)
	read := Read(f)
	if read == nil {
		return p
	}
	p.blocks, p.refs = read.Blocks, read.Refs
	p.whole = f.Language == "markdown" && (isOnForge(f.Path) || !p.hasAdditions())
	var below [7]int // where the section of each level begins that speaks of the past
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.Kind == markup.Heading {
			level := min(max(b.Level, 1), 6)
			for l := level; l < len(below); l++ {
				if below[l] > 0 {
					p.gone = append(p.gone, [2]int{below[l], b.Line})
					below[l] = 0
				}
			}
			if pastSection.MatchString(b.Text) {
				below[level] = b.Line
			}
			p.anchors.heading(b, p.lineAt(b.Line))
		} else if f.Language != "markdown" && (b.Kind == markup.Prose || b.Kind == markup.Table) {
			p.refs = append(p.refs, spansOf(b)...)
		}
		if b.Kind == markup.Code {
			p.declares(b.Text)
		}
	}
	for _, from := range below {
		if from > 0 {
			p.gone = append(p.gone, [2]int{from, len(p.lines) + 1})
		}
	}
	for _, r := range p.refs {
		switch r.Kind {
		case markup.Mark:
			p.anchors.mark(r.Target)
		case markup.Span:
			p.spans[spanAt{lastPart(headOf(strings.TrimLeft(r.Target, "-"))), r.Line}] = true
			if program, rest, ok := strings.Cut(r.Target, " "); ok && commandName.MatchString(program) && commandName.MatchString(rest) {
				p.runs[r.Line] = append(p.runs[r.Line], program)
			}
		case markup.Link:
			file, _, _ := strings.Cut(strings.TrimSpace(r.Target), "#")
			p.targets[file] = true
		}
	}
	return p
}

// hasAdditions reports whether a tool adds text to the page that its source does not have.
func (p *page) hasAdditions() bool {
	inCode := p.codeLines()
	for n, line := range p.lines {
		if !inCode[n+1] && added.MatchString(line) && !strings.Contains(line, "raw %}") {
			return true
		}
	}
	return false
}

// lineAt returns a line of the page, or "".
func (p *page) lineAt(n int) string {
	if n < 1 || n > len(p.lines) {
		return ""
	}
	return p.lines[n-1]
}

// isPast reports whether a line is of a section on earlier versions.
func (p *page) isPast(line int) bool {
	return slices.ContainsFunc(p.gone, func(s [2]int) bool { return s[0] <= line && line < s[1] })
}

// nearLines is how many lines below its block a name is looked for.
const nearLines = 40

// lineWith returns the first line from one on that has a name as it is written, or 0.
func (p *page) lineWith(name string, from int) int {
	for n := max(from, 1); n <= min(len(p.lines), from+nearLines); n++ {
		line := p.lines[n-1]
		// Names are asked for in the order of the text: a line with many of them is not searched from its start for each.
		if at := strings.Index(line[p.searched[n]:], name); at >= 0 {
			p.searched[n] += at
			return n
		}
		if at := strings.Index(line, name); at >= 0 {
			p.searched[n] = at
			return n
		}
	}
	return 0
}

// spansOf returns the code spans of a block that was no Markdown: its text has them in backticks.
func spansOf(b *markup.Block) (out []markup.Ref) {
	for n, line := range strings.Split(b.Text, "\n") {
		parts := strings.Split(line, "`")
		if len(parts)%2 == 0 {
			continue
		}
		for i := 1; i < len(parts); i += 2 {
			opens := i == 1 && (b.Kind == markup.Table && parts[0] == "" || strings.TrimSpace(parts[0]) == "-")
			if parts[i] != "" {
				out = append(out, markup.Ref{Kind: markup.Span, Target: parts[i], Line: b.Line + n/4, First: opens})
			}
		}
	}
	return out
}

var declaring = lazy.Regexp(`\b(?:defp?|class|func?|function|fn|const|let|var|struct|enum|type|interface|trait|module|record|val|my|export|alias|set)\s+\*?(?:\([^)]*\)\s*)?(?:[A-Za-z_]\w*[.:])?([A-Za-z_$][\w$]*)|(?m:^\s*(?:[\w<>\[\].:]+\s+)?[$@]?([A-Za-z_][\w]*)\s*(?::[^=\n]{1,40})?:?=[^=])|"([\w.-]+)"|'([\w.-]+)'`)

// declares notes the names that an example declares, sets or writes as values: they are its own.
func (p *page) declares(code string) {
	for _, m := range declaring.FindAllStringSubmatch(code, -1) {
		for _, name := range m[1:] {
			if name != "" {
				p.shown[name] = true
			}
		}
	}
}

// Declares reports whether a line of code declares or sets a name, or has it in quotes.
func Declares(line, name string) bool {
	for _, m := range declaring.FindAllStringSubmatch(line, -1) {
		for _, declared := range m[1:] {
			if declared == name || strings.TrimLeft(declared, "-") == name {
				return true
			}
		}
	}
	return strings.Contains(line, "--"+name)
}
