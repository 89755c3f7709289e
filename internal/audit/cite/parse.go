// Package cite reads what documents claim about code, and sees whether the code
// says so.
//
// A quote is accepted only if it is in the file that is named, word for word, at
// the line that is named; of one that does not, Verify says where it stands, or what
// stands nearest to it. No file outside the project is read.
package cite

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A Class is what a claim rests on.
type Class string

// The classes of claim.
const (
	Grounded   Class = "grounded"   // a quote and where it stands
	Assumption Class = "assumption" // flagged as one
	Ghost      Class = "ghost"      // documented, not implemented
	Shadow     Class = "shadow"     // implemented, not documented
	Reference  Class = "reference"  // a place without a quote
	Unflagged  Class = "unflagged"  // a guess by its words, without a flag
	Bare       Class = "bare"       // a decision that names no evidence
)

// A Citation is a quote of code and the place where it is said to stand.
type Citation struct {
	Quote string
	Path  string // as written
	Line  int    // one-based
	Last  int    // of a range; Line where there is none
	At    int    // the line of the document that names the place, one-based
	from  int    // where the number of the line begins in that line, in bytes
	upTo  int
}

// A Claim is a piece of a document that says something about code: a sentence, an item
// of a list, a row of a table.
type Claim struct {
	Text      string // without its mark, on one line
	Line      int    // where it begins, one-based
	Class     Class
	Flag      string // the flag as written, of those that have one
	Section   string // the heading above it
	Title     string // the heading of the decision that it is in
	Decision  bool   // it is in a section about decisions
	Citations []Citation
}

// Sourced reports whether a flag says more than its kind: where a ghost is promised or
// a shadow is.
func (c *Claim) Sourced() bool { return strings.Contains(c.Flag, ":") && telltale(c.Flag) > 1 }

var (
	place     = lazy.Regexp(`\[((?:[A-Za-z]:[\\/]|/|\$\{PROJECT_ROOT\}/|\.{0,2}[\w.-]+[\\/]|[\w-]+\.)(?:[^\[\]\n]|\[[^\[\]\n]*\])*?):(-?\d+)(?:-(\d+))?\]`)
	flag      = lazy.Regexp(`\[(ASSUMPTION|GHOST|SHADOW)\b[^\]\n]*\]`)
	tickRun   = lazy.Regexp("`+")
	itemMark  = lazy.Regexp(`^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?`)
	headMark  = lazy.Regexp(`^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$`)
	fenceMark = lazy.Regexp("^\\s*(```+|~~~+)") // in an item it is indented
	quotation = lazy.Regexp(`^\s*(?:>\s?)+`)
	hedge     = lazy.Regexp(`(?i)\b(?:likely|probably|presumably|apparently|supposedly|i (?:assume|think|believe|guess)|we (?:assume|believe)|(?:seems?|appears?) to|might be|may be using|must be using)\b`)
	decisive  = lazy.Regexp(`(?i)\b(?:decisions?|claims?|findings?|conclusions?|architecture)\b`)
	// What belongs to a decision's evidence and scenarios is no claim of its own.
	aside = lazy.Regexp(`(?i)^\**(?:search|result|citation|input|expected|verified|evidence|scenario|date|status|author|source|query|score)\b[^:]*:`)
)

// maxDocument bounds what Parse reads, in bytes.
const maxDocument = 8 << 20

// Parse returns the claims of a document in Markdown, in order. Of one longer than 8
// MiB the rest is not read.
func Parse(doc string) []Claim {
	p := &parser{lines: strings.Split(strings.ReplaceAll(doc[:min(len(doc), maxDocument)], "\r\n", "\n"), "\n")}
	for p.at < len(p.lines) {
		p.block()
	}
	return p.claims
}

type parser struct {
	lines   []string
	at      int
	section string
	title   string // the heading that made the section decisive
	depth   int    // of that; 0: it is not
	exempt  int    // of the heading of a section that claims nothing; 0: it may
	claims  []Claim
	fenced  string // the code of the block just read, and where it ended
	after   int
}

// block reads one heading, block of code, item, row or paragraph.
func (p *parser) block() {
	line := p.lines[p.at]
	switch {
	case strings.TrimSpace(line) == "":
		p.at++
	case fenceMark.MatchString(line):
		p.fence()
	case headMark.MatchString(line):
		m := headMark.FindStringSubmatch(line)
		p.section = m[2]
		switch {
		case p.depth == 0 && decisive.MatchString(m[2]):
			p.depth, p.title = len(m[1]), m[2]
		case p.depth > 0 && len(m[1]) <= p.depth && !decisive.MatchString(m[2]):
			p.depth, p.title = 0, ""
		}
		if p.exempt == 0 || len(m[1]) <= p.exempt {
			p.exempt = 0
			if unclaiming.MatchString(m[2]) {
				p.exempt = len(m[1])
			}
		}
		p.at++
	case strings.HasPrefix(strings.TrimSpace(line), "<!--"):
		for p.at < len(p.lines) && !strings.Contains(p.lines[p.at], "-->") {
			p.at++
		}
		p.at++
	case p.at == 0 && strings.TrimSpace(line) == "---":
		for p.at++; p.at < len(p.lines) && strings.TrimSpace(p.lines[p.at]) != "---"; p.at++ {
		}
		p.at++
	default:
		start := p.at
		p.at++
		row := strings.HasPrefix(strings.TrimSpace(line), "|")
		for !row && p.at < len(p.lines) && !p.starts(p.lines[p.at]) {
			p.at++
		}
		p.claim(start, p.at)
	}
}

// starts reports whether a line begins a block of its own.
func (p *parser) starts(line string) bool {
	t := strings.TrimSpace(line)
	return t == "" || itemMark.MatchString(line) || headMark.MatchString(line) || fenceMark.MatchString(line) || strings.HasPrefix(t, "|")
}

func (p *parser) fence() {
	mark := fenceMark.FindStringSubmatch(p.lines[p.at])[1]
	start := p.at + 1
	for p.at++; p.at < len(p.lines); p.at++ {
		if t := strings.TrimSpace(p.lines[p.at]); strings.HasPrefix(t, mark) && strings.Trim(t, mark[:1]) == "" {
			break
		}
	}
	p.fenced = strings.Join(p.lines[start:p.at], "\n")
	p.at = min(p.at+1, len(p.lines))
	p.after = p.at
}

// claim reads lines start to end as claims: a row of a table is one, and of what else
// there is each sentence.
func (p *parser) claim(start, end int) {
	lines := make([]string, end-start)
	for i := range lines {
		// The mark of a quotation is in the way of what breaks there.
		lines[i] = quotation.ReplaceAllStringFunc(p.lines[start+i], func(m string) string { return strings.Repeat(" ", len(m)) })
	}
	row, item := strings.HasPrefix(strings.TrimSpace(lines[0]), "|"), itemMark.MatchString(p.lines[start])
	if row && (divider.MatchString(lines[0]) || end < len(p.lines) && divider.MatchString(p.lines[end])) {
		return // what the columns are called
	}
	text := strings.Join(lines, "\n")
	ticks := spans(text)
	parts := [][2]int{{0, len(text)}}
	if !row {
		parts = sentences(text, ticks)
	}
	for i, part := range parts {
		said := text[part[0]:part[1]]
		lead := len(said) - len(strings.TrimLeft(said, " \t\n"))
		c := Claim{Line: start + 1 + strings.Count(text[:part[0]+lead], "\n"), Section: p.section, Title: p.title, Decision: p.depth > 0}
		c.Text = strings.Join(strings.Fields(itemMark.ReplaceAllString(said, "")), " ")
		var references int
		c.Citations, references = p.cited(text, ticks, part, start, i == 0)
		prose := tickRun.ReplaceAllString(c.Text, "`")
		c.Flag = flag.FindString(prose)
		switch kind := flag.FindStringSubmatch(prose); {
		case kind != nil:
			c.Class = Class(strings.ToLower(kind[1]))
		case references > 0:
			c.Class = Reference
		case len(c.Citations) > 0:
			c.Class = Grounded
		case hedge.MatchString(outsideCode(prose)) && !aside.MatchString(c.Text):
			c.Class = Unflagged
		case p.depth > 0 && item && i == 0 && !aside.MatchString(c.Text) && !strings.HasSuffix(c.Text, ":"), p.exempt == 0 && statement(c.Text, row):
			c.Class = Bare
		default:
			continue
		}
		p.claims = append(p.claims, c)
	}
}

// lineNumber reads the number of a line; one that no file has is such a number still.
func lineNumber(s string) int {
	n, _ := strconv.Atoi(s) // what does not fit is the nearest that does
	return max(-1, min(n, 1<<30))
}

// cited returns the citations of a part of a block that begins at line start, and how
// many places have no quote. A quote stands before its place in the same part, which
// may break in the middle of either, or is the block of code right above the first.
func (p *parser) cited(text string, ticks []span, part [2]int, start int, first bool) (out []Citation, bare int) {
	row := strings.HasPrefix(strings.TrimSpace(text), "|")
	used := 0
	for used < len(ticks) && ticks[used].start < part[0] {
		used++
	}
	for k, m := range place.FindAllStringSubmatchIndex(text[part[0]:part[1]], -1) {
		for i := range m {
			if m[i] >= 0 {
				m[i] += part[0]
			}
		}
		if inside(ticks, m[0]) {
			continue
		}
		above := strings.LastIndexByte(text[:m[0]], '\n') + 1
		c := Citation{Path: text[m[2]:m[3]], At: start + 1 + strings.Count(text[:m[0]], "\n"), from: m[4] - above, upTo: m[5] - above}
		c.Line = lineNumber(text[m[4]:m[5]])
		c.Last = c.Line
		if m[6] >= 0 {
			c.Last = lineNumber(text[m[6]:m[7]])
			c.upTo = m[7] - above
		}
		for used < len(ticks) && ticks[used].end <= m[0] {
			c.Quote = text[ticks[used].from:ticks[used].to]
			used++
		}
		if row {
			c.Quote = strings.ReplaceAll(c.Quote, `\|`, "|") // how a cell has it
		}
		if c.Quote == "" && first && k == 0 && p.after > 0 && strings.TrimSpace(strings.Join(p.lines[p.after:start], "")) == "" {
			c.Quote = p.fenced
		}
		if strings.TrimSpace(c.Quote) == "" {
			bare++
			continue
		}
		out = append(out, c)
	}
	return out, bare
}

// A span is code between backticks: from and to without them.
type span struct{ start, from, to, end int }

func spans(line string) (out []span) {
	runs := tickRun.FindAllStringIndex(line, -1)
	for i := 0; i < len(runs); i++ {
		n := runs[i][1] - runs[i][0]
		for j := i + 1; j < len(runs); j++ {
			if runs[j][1]-runs[j][0] == n {
				s := span{runs[i][0], runs[i][1], runs[j][0], runs[j][1]}
				// Of a quote that begins or ends with a backtick a blank is omitted.
				if n > 1 && s.to-s.from > 2 && line[s.from] == ' ' && line[s.to-1] == ' ' {
					s.from, s.to = s.from+1, s.to-1
				}
				out = append(out, s)
				i = j
				break
			}
		}
	}
	return out
}

func inside(ticks []span, at int) bool {
	return slices.ContainsFunc(ticks, func(s span) bool { return at > s.start && at < s.end })
}

// outsideCode returns prose without what stands between backticks.
func outsideCode(s string) string {
	var b strings.Builder
	last := 0
	for _, sp := range spans(s) {
		b.WriteString(s[last:sp.start])
		last = sp.end
	}
	b.WriteString(s[last:])
	return b.String()
}
