package brief

import (
	"io"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

func itoa(n int) string { return strconv.Itoa(n) }

// WriteText writes the brief as people and models read it.
func (b *Brief) WriteText(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, b.text(render.Columns(w))+b.explained())
	return err
}

// text breaks the notes to fit a number of columns.
func (b *Brief) text(columns int) string {
	var t strings.Builder
	head := func(part int) { t.WriteString("# " + titles[part] + "\n") }
	headed := false
	for i := range b.Frames {
		if f := &b.Frames[i]; !f.hidden && f.File != "" {
			if !headed {
				head(where)
				headed = true
			}
			t.WriteString(frameText(f))
		}
	}
	for i := range b.Where {
		if !headed {
			head(where)
			headed = true
		}
		b.Where[i].text(b, &t)
	}
	for part, list := range [parts][]Line{hangs: b.Hangs, breaks: b.Breaks, done: b.Done, told: b.Libraries, decisions: b.Decided} {
		if len(list) > 0 {
			head(part)
			for i := range list {
				t.WriteString(lineText(&list[i]))
			}
		}
	}
	if len(b.Unknown) > 0 {
		head(unknown)
		for i := range b.Unknown {
			t.WriteString(gapText(&b.Unknown[i]))
		}
	}
	for _, n := range b.Notes {
		t.WriteString(render.Note(columns, "%s", n))
	}
	return t.String()
}

// text writes of a file the lines to read, with their numbers.
func (f *File) text(b *Brief, t *strings.Builder) {
	if f.passage == nil {
		t.WriteString(f.line())
		return
	}
	t.WriteString(text.Line(f.File) + " (" + f.Why + ")\n")
	f.passage.File.Write(t, f.passage.Within(), f.passage.Kept, f.passage.Names, b.focus)
}

// line names a file of which no body is shown, with its likeliest declaration.
func (f *File) line() string {
	d := &f.Declarations[0]
	return text.Line(f.File) + ":" + itoa(d.Line) + " " + d.Signature + "\n"
}

// indented is a quotation of several lines.
func indented(quote string) string {
	var t strings.Builder
	for line := range strings.SplitSeq(quote, "\n") {
		t.WriteString("\t" + text.Visible(line) + "\n")
	}
	return t.String()
}

// lineText writes a place with what it is there for, and its quotation.
func lineText(l *Line) string {
	out := text.Line(l.File)
	if l.Line > 0 {
		out += ":" + itoa(l.Line)
		if l.Last > l.Line {
			out += "-" + itoa(l.Last)
		}
	}
	if l.Date != "" {
		out += " " + l.Date
	}
	if l.Why != "" {
		out += " (" + text.Line(l.Why) + ")"
	}
	switch {
	case l.Quote == "":
		return out + "\n"
	case strings.Contains(l.Quote, "\n"):
		return out + "\n" + indented(l.Quote)
	}
	return out + " " + text.Line(l.Quote) + "\n"
}

func frameText(f *Frame) string {
	out := text.Line(f.File)
	if f.How == gone {
		return out + " (gone since: " + text.Line(f.Was) + ")\n"
	}
	if f.Line > 0 {
		out += ":" + itoa(f.Line)
	}
	if f.Name != "" {
		out += " " + text.Line(f.Name)
	}
	out += " (" + f.How + "; was " + text.Line(f.Was) + ")"
	if f.Text != "" {
		out += " " + short(f.Text)
	}
	return out + "\n"
}

func gapText(g *Gap) string {
	if g.Ask == "" {
		return text.Line(g.What) + "\n"
	}
	return text.Line(g.What) + ": " + text.Line(g.Ask) + "\n"
}

// explained writes what each part added, and the signals of its score.
func (b *Brief) explained() string {
	if len(b.Explain) == 0 {
		return ""
	}
	var t strings.Builder
	t.WriteString("# why: gain, tokens, score\n")
	for i := range b.Explain {
		r := &b.Explain[i]
		t.WriteString(strconv.FormatFloat(r.Gain, 'f', 4, 64) + " " + itoa(r.Tokens) + " " + strconv.FormatFloat(r.Score, 'f', 3, 64) + " " + text.Line(r.What) + "\n")
		t.WriteString(rank.Explanation(r.Of))
	}
	return t.String()
}
