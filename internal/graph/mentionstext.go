package graph

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

// size is how many bytes of text a mention takes, with the line of its file where it is the first there.
func (x *Mention) size(first bool) int {
	if x.bulk && first {
		return len(x.File) + 5
	}
	if x.bulk || x.Text == "" {
		return 5 // its number
	}
	n := len(x.Text) + 10
	if x.In != "" {
		n += len(x.In) + 8
	}
	if x.Of != "" {
		n += len(x.Of) + 8
	}
	if x.Over != "" {
		n += len(x.Over) + 16
	}
	if first {
		n += len(x.File) + 1
	}
	return n
}

// relatedHead is the head of the lines of code that are known to be related.
const relatedHead = "OVERRIDES, AND USES THAT MAY MEAN IT"

// mentionHeads are the heads of the lines of each kind.
var mentionHeads = map[syntax.TextKind]string{
	syntax.InCode:    "SAME NAME, NOT RESOLVED",
	syntax.InString:  "SAME NAME IN STRINGS",
	syntax.InComment: "SAME NAME IN COMMENTS",
	syntax.InText:    "SAME NAME IN TEMPLATES, CONFIGURATION AND OTHER TEXT",
	syntax.InProse:   "SAME NAME IN DOCUMENTS",
}

// write writes the lines with the name, by kinds and files, and its other owners.
func (m *Mentions) write(t *table) {
	if len(m.OtherUses) > 0 {
		t.note("%s", kindCounts(m.OtherUses, "other use"))
	}
	last := ""
	code := codeLines{t: t}
	for i := range m.source() {
		x := &m.Mentions[i]
		head := mentionHeads[x.Kind]
		if x.Of != "" && x.Kind == syntax.InCode {
			head = relatedHead
		}
		if head != last {
			code.end()
			last, code.file = head, ""
			t.line("%s:", head)
		}
		if x.Text == "" {
			code.also(x.Line)
			continue
		}
		code.add(x.File, x.Line, x.Text, x.about())
	}
	code.end()
	m.writeBulk(t)
	isPart := false
	for i, o := range m.Elsewhere {
		if i == 0 {
			t.line("SAME NAME, SOMETHING ELSE:")
		}
		where, more := ": ", ""
		if n := len(o.At) - maxOwnerFiles; n > 0 {
			more, isPart = " and "+count(n, "more file"), true
		}
		if len(o.At) == 0 {
			where = ""
		}
		t.line("  %s: %d in %s%s%s%s", o.Owner, o.Mentions, count(o.Files, "file"), where, strings.Join(o.At[:min(len(o.At), maxOwnerFiles)], "; "), more)
	}
	if isPart && m.search != "" {
		t.line("  %s", m.search)
	}
}

// source is how many of the mentions are in files that are source: they are the first.
func (m *Mentions) source() int {
	if i := slices.IndexFunc(m.Mentions, func(x Mention) bool { return x.bulk }); i >= 0 {
		return i
	}
	return len(m.Mentions)
}

// The files that are named of many: of one kind that is no source, and of a namesake.
const (
	maxBulkFiles  = 8
	leastBulk     = 3 // of more than maxBulkFiles
	maxOwnerFiles = 2
)

// writeBulk writes the numbers of the lines in files that are no source, one line a file; of many files of one kind the first.
func (m *Mentions) writeBulk(t *table) {
	list := m.Mentions[m.source():]
	if len(list) > 0 {
		t.line("SAME NAME IN DOCUMENTS, DATA AND GENERATED FILES, BY LINES:")
	}
	for len(list) > 0 {
		ext, n := path.Ext(list[0].File), 0
		var files []string
		for ; n < len(list) && path.Ext(list[n].File) == ext; n++ {
			if n == 0 || list[n-1].File != list[n].File {
				files = append(files, "  "+list[n].File+":"+itoa(list[n].Line))
			} else {
				files[len(files)-1] += "," + itoa(list[n].Line)
			}
		}
		shown := len(files)
		if shown > maxBulkFiles {
			shown = leastBulk
			m.counted = true
		}
		for _, f := range files[:shown] {
			t.line("%s", f)
		}
		if more := len(files) - shown; more > 0 {
			t.line("  and %s, in all %s: path *%s shows them", count(more, "more file"), count(n, "line"), ext)
		}
		list = list[n:]
	}
}

// about tells where a line is and which declaration it may mean.
func (x *Mention) about() string {
	var parts []string
	if x.In != "" && x.In != topLevel && x.In != x.Of { // a declaration is in itself
		parts = append(parts, "in "+x.In)
	}
	if x.Of != "" {
		parts = append(parts, "of "+x.Of)
	}
	if x.Over != "" {
		parts = append(parts, "overrides "+x.Over+" too")
	}
	return strings.Join(parts, ", ")
}

// codeLines writes lines of code below the paths of their files.
type codeLines struct {
	t          *table
	file, line string // the last that were written
	more       []int  // lines of the file whose numbers are left to write
}

// also adds a line of which only the number is written.
func (c *codeLines) also(line int) { c.more = append(c.more, line) }

// end writes the numbers that are left to write.
func (c *codeLines) end() {
	if len(c.more) > 0 {
		c.t.line("  also lines %s", joinLines(c.more))
	}
	c.more = nil
}

// add writes a line, and its file where that is another one than before.
func (c *codeLines) add(file string, line int, code, about string) {
	if c.file != file {
		c.end()
		c.file, c.line = file, ""
		c.t.line("%s", file)
	}
	if about != "" {
		about = "  [" + about + "]"
	}
	if code = fmt.Sprintf("%6d: %s", line, code); code+about != c.line {
		c.line = code + about
		c.t.code(code, about)
	}
}
