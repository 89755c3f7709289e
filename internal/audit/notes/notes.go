// Package notes keeps NOTES.md: what was found in the code, aged until a line is left
// of it, beside what a person wrote.
//
// Every byte that is not a finding stays as it was. A line that should be a finding and
// is none is reported with its number, and stays too.
package notes

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
)

// How long a finding is kept whole, and how long its place is.
const (
	ActiveFor  = 5 * time.Minute
	DecayedFor = 30 * time.Minute
)

// What one synthesis may hold.
const (
	MaxFiles = 10
	MaxWords = 20 // of a claim
	maxCode  = 160
)

// A Stage is how much of a finding is left.
type Stage string

// The stages, by age.
const (
	Active   Stage = "active"   // the claim, the code and the place
	Decayed  Stage = "decayed"  // the place
	Archived Stage = "archived" // a line in the log
)

// StageAt returns the stage of what was found at a time.
func StageAt(found, now time.Time) Stage {
	switch age := now.Sub(found); {
	case age < ActiveFor:
		return Active
	case age < DecayedFor:
		return Decayed
	}
	return Archived
}

// A Finding is a place in the code and what it shows.
type Finding struct {
	Claim string `json:"claim,omitempty"`
	Code  string `json:"code,omitempty"`
	Path  string `json:"path"` // absolute
	Line  int    `json:"line"` // one-based
	at    int    // the line of the file that holds it, from 0
}

// A Block is the findings of one synthesis.
type Block struct {
	Time     time.Time `json:"ts"`
	Agent    string    `json:"agent"`
	Summary  string    `json:"summary,omitempty"`
	Findings []Finding `json:"findings"`
	head     int       // the line of its heading, from 0
	end      int       // the line after its last
}

// A Bad is a line that could not be read.
type Bad struct {
	Line  int    `json:"line"` // one-based
	Error string `json:"error"`
}

// A File is NOTES.md as it was read.
type File struct {
	Blocks []Block
	Bad    []Bad
	lines  []string // with their ends
}

const headingMark = "## Findings:"

var (
	heading = lazy.Regexp(`^## Findings: (\S+) by ([^:]+?)(?:: (.*))?$`)
	level   = lazy.Regexp(`^#{1,2}(?:\s|$)`)
	place   = lazy.Regexp(`^(.+):([0-9]{1,9})$`)
)

// Parse reads a file. Whatever the text, Bytes of the result are the text.
func Parse(text []byte) *File {
	f := &File{}
	if len(text) > 0 {
		f.lines = strings.SplitAfter(string(text), "\n")
		if f.lines[len(f.lines)-1] == "" {
			f.lines = f.lines[:len(f.lines)-1]
		}
	}
	fence := ""
	open := -1 // the block that the line is in
	closed := func(i int) {
		if open >= 0 {
			f.Blocks[open].end = i
		}
		open = -1
	}
	for i, raw := range f.lines {
		line := strings.TrimRight(raw, "\r\n")
		if mark := fenceOf(line); mark != "" && (fence == "" || strings.HasPrefix(mark, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		switch {
		case fence != "":
		case level.MatchString(line):
			closed(i)
			if b, ok, err := block(line); err != nil {
				f.bad(i, err.Error())
			} else if ok {
				b.head = i
				f.Blocks = append(f.Blocks, b)
				open = len(f.Blocks) - 1
			}
		case open >= 0 && strings.HasPrefix(line, "- "):
			x, err := finding(line)
			if err != nil {
				f.bad(i, err.Error())
				continue
			}
			x.at = i
			f.Blocks[open].Findings = append(f.Blocks[open].Findings, x)
		}
	}
	closed(len(f.lines))
	return f
}

func (f *File) bad(i int, why string) { f.Bad = append(f.Bad, Bad{i + 1, why}) }

// fenceOf returns the mark with which a line begins or ends a code block.
func fenceOf(line string) string {
	s := strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 && !strings.Contains(s[n:], c) {
			return s[:n]
		}
	}
	return ""
}

// block reads the heading of one.
func block(line string) (b Block, ok bool, err error) {
	if !strings.HasPrefix(line, headingMark) {
		return b, false, nil
	}
	m := heading.FindStringSubmatch(line)
	if m == nil {
		return b, false, fmt.Errorf("the heading is not %q", headingMark+" TIME by AGENT: SUMMARY")
	}
	if b.Time, err = time.Parse(time.RFC3339, m[1]); err != nil {
		return b, false, fmt.Errorf("%q is not a time such as 2006-01-02T15:04:05Z", m[1])
	}
	b.Agent, b.Summary, b.Findings = m[2], m[3], []Finding{}
	return b, true, nil
}

// finding reads an item: "- CLAIM: `CODE` [PATH:LINE]", or of a decayed one
// "- PATH:LINE".
func finding(line string) (x Finding, err error) {
	s := strings.TrimSpace(strings.TrimPrefix(line, "- "))
	at, whole := s, false
	if strings.HasSuffix(s, "]") {
		if i := strings.LastIndex(s, " ["); i >= 0 {
			at, s, whole = s[i+2:len(s)-1], s[:i], true
		}
	}
	m := place.FindStringSubmatch(at)
	if m == nil {
		return x, fmt.Errorf("the item has no place like [%s:45]", filepath.FromSlash("/folder/file.go"))
	}
	if !filepath.IsAbs(m[1]) {
		return x, fmt.Errorf("the path %s is not absolute", m[1])
	}
	if x.Line, err = strconv.Atoi(m[2]); err != nil || x.Line < 1 {
		return x, fmt.Errorf("lines are counted from 1, not from %s", m[2])
	}
	x.Path = m[1]
	if !whole {
		return x, nil
	}
	x.Claim, x.Code = quoted(s)
	return x, nil
}

// quoted cuts the code in backquotes from the end of an item.
func quoted(s string) (claim, code string) {
	n := len(s) - len(strings.TrimRight(s, "`"))
	if n == 0 {
		return s, ""
	}
	mark := s[len(s)-n:]
	body := s[:len(s)-n]
	i := strings.Index(body, mark)
	if i < 0 {
		return s, ""
	}
	code = body[i+n:]
	if n > 1 { // the blanks that keep backquotes apart
		code = strings.TrimSuffix(strings.TrimPrefix(code, " "), " ")
	}
	return strings.TrimSuffix(strings.TrimSpace(body[:i]), ":"), code
}

// Bytes returns the text.
func (f *File) Bytes() []byte {
	var b bytes.Buffer
	for _, l := range f.lines {
		b.WriteString(l)
	}
	return b.Bytes()
}

// end is how the file ends its lines.
func (f *File) end() string {
	if len(f.lines) > 0 && strings.HasSuffix(f.lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// text appends lines to the end of the file, after a blank one.
func (f *File) text(lines ...string) {
	eol := f.end()
	if n := len(f.lines); n > 0 {
		if last := f.lines[n-1]; !strings.HasSuffix(last, "\n") {
			f.lines[n-1] = last + eol
		}
		if strings.TrimSpace(f.lines[n-1]) != "" {
			f.lines = append(f.lines, eol)
		}
	}
	for _, l := range lines {
		f.lines = append(f.lines, l+eol)
	}
}

// oneLine keeps a text from being more than its place in the file.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Add appends a block.
func (f *File) Add(b Block) {
	head := fmt.Sprintf("%s %s by %s", headingMark, b.Time.UTC().Format(time.RFC3339), agent(b.Agent))
	if s := oneLine(b.Summary); s != "" {
		head += ": " + s
	}
	lines := []string{head}
	for _, x := range b.Findings {
		lines = append(lines, x.Item())
	}
	f.text(lines...)
	*f = *Parse(f.Bytes())
}

// agent makes a name into one that the heading can hold.
func agent(s string) string { return cmp.Or(oneLine(strings.ReplaceAll(s, ":", "-")), "unknown") }

// Item writes a finding as the file has it.
func (x Finding) Item() string {
	at := fmt.Sprintf("%s:%d", x.Path, x.Line)
	code := Code(x.Code)
	claim := strings.TrimSuffix(oneLine(x.Claim), ":")
	if code == "" && claim == "" {
		return "- " + at
	}
	if code != "" {
		mark, pad := "`", ""
		for strings.Contains(code, mark) {
			mark, pad = mark+"`", " "
		}
		code = mark + pad + code + pad + mark
		if claim != "" {
			claim += ": "
		}
	}
	return "- " + claim + code + " [" + at + "]"
}

// Code returns a line of code as a finding quotes it: a part of the line, word for
// word.
func Code(line string) string {
	line = strings.TrimSpace(line)
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	if len(line) > maxCode {
		line = strings.TrimSpace(strings.ToValidUTF8(line[:maxCode], ""))
	}
	return line
}

// A Context is what was read before work on a task.
type Context struct {
	Time     time.Time
	Task     string
	Files    []string // "PATH:FIRST-LAST", then " - " and what it is
	Patterns string
	Ready    bool
}

// AddContext appends what was read.
func (f *File) AddContext(c Context) {
	lines := []string{"## Context Load: " + c.Time.UTC().Format(time.RFC3339), "**Task**: " + cmp.Or(oneLine(c.Task), "-"), "**Key Files**:"}
	for _, x := range c.Files {
		lines = append(lines, "- "+oneLine(x))
	}
	ready := "No"
	if c.Ready {
		ready = "Yes"
	}
	f.text(append(lines, "**Patterns Found**: "+cmp.Or(oneLine(c.Patterns), "-"), "**Ready to implement**: "+ready)...)
	*f = *Parse(f.Bytes())
}

// Line returns what is left of an archived block: one line.
func (b *Block) Line() string {
	files := set.By(b.Findings, func(x *Finding) string { return x.Path })
	return fmt.Sprintf("%s: %d findings in %d files", cmp.Or(b.Summary, "findings of "+b.Time.UTC().Format(time.RFC3339)), len(b.Findings), len(files))
}

// Decay ages the findings: of those that are decayed the places stay, and those that
// are archived are removed and returned. It returns how many it has changed.
func (f *File) Decay(now time.Time) (decayed int, archived []Block) {
	gone := make([]bool, len(f.lines))
	for i := range f.Blocks {
		b := &f.Blocks[i]
		switch StageAt(b.Time, now) {
		case Decayed:
			for _, x := range b.Findings {
				if x.Claim == "" && x.Code == "" {
					continue
				}
				raw := f.lines[x.at]
				f.lines[x.at] = Finding{Path: x.Path, Line: x.Line}.Item() + raw[len(strings.TrimRight(raw, "\r\n")):]
				decayed++
			}
		case Archived:
			if len(b.Findings) == 0 {
				continue // what is left there is a person's
			}
			archived = append(archived, *b)
			f.take(b, gone)
		}
	}
	if decayed == 0 && len(archived) == 0 {
		return 0, nil
	}
	kept := f.lines[:0]
	for i, l := range f.lines {
		if !gone[i] {
			kept = append(kept, l)
		}
	}
	f.lines = kept
	*f = *Parse(f.Bytes())
	return decayed, archived
}

// take marks the lines of an archived block; where a person wrote below its heading,
// the heading stays with that.
func (f *File) take(b *Block, gone []bool) {
	for _, x := range b.Findings {
		gone[x.at] = true
	}
	for i := b.head + 1; i < b.end; i++ {
		if !gone[i] && strings.TrimSpace(f.lines[i]) != "" {
			return
		}
	}
	for i := b.head; i < b.end; i++ {
		gone[i] = true
	}
}

// Find returns the newest finding at a place.
func (f *File) Find(path string, line int) (Finding, bool) {
	for _, b := range slices.Backward(f.Blocks) {
		for _, x := range b.Findings {
			if x.Path == path && x.Line == line {
				return x, true
			}
		}
	}
	return Finding{}, false
}
