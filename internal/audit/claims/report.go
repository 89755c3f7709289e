package claims

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
)

// A Former is what a report of an earlier run says.
type Former struct {
	Ghosts   []GhostRow
	Shadows  []ShadowRow
	Resolved []Resolution
}

// A table is a part of a report that belongs to the program.
type table struct {
	title  string
	header []string
	rows   [][]string
}

// The tables of both formats, by what their headers say.
var (
	ghostHeader    = []string{"Feature", "Doc Source", "Search Evidence", "Ambiguity", "Beads ID"}
	shadowHeader   = []string{"Module", "Location", "Classification", "Dependents", "Beads ID"}
	verifiedHeader = []string{"Feature", "Documentation", "Code Location", "Confidence"}
	resolvedHeader = []string{"Item", "Type", "Resolution Date", "Evidence"}
	summaryHeader  = []string{"Category", "Count"}

	loaGhostHeader    = []string{"Item", "Claimed By", "Evidence Searched", "Verdict"}
	loaShadowHeader   = []string{"Item", "Location", "Needs Documentation"}
	loaStaleHeader    = []string{"Doc Claim", "Source", "Code Reality", "Drift Type"}
	linkHeader        = []string{"Link", "Document", "Broken"}
	loaConflictHeader = []string{"Item", "Code", "Documents", "Resolution"}
)

// tables returns the tables of a report in a format: "assay" or "loa".
func (r *Report) tables(format string) []table {
	summary := table{"Summary", summaryHeader, [][]string{
		{"Features documented", fmt.Sprint(r.Features)}, {"Ghost features", fmt.Sprint(len(r.Ghosts))},
		{"Declarations exported", fmt.Sprint(r.Declared)}, {"Shadow systems", fmt.Sprint(len(r.Shadows))},
		{"Verified features", fmt.Sprint(len(r.Verified))}, {"Resolved", fmt.Sprint(len(r.Resolved))},
	}}
	resolved := table{"Resolved (Auto-Updated)", resolvedHeader, nil}
	for _, x := range r.Resolved {
		resolved.rows = append(resolved.rows, []string{x.Item, x.Type, x.Date, x.Evidence})
	}
	verified := table{"Verified Features", verifiedHeader, nil}
	for _, v := range r.Verified {
		verified.rows = append(verified.rows, []string{v.Feature, v.Source, v.Code, fmt.Sprintf("%.0f%%", 100*v.Confidence)})
	}
	links := table{"Broken Links", linkHeader, nil}
	for _, l := range r.Links {
		links.rows = append(links.rows, []string{l.Target, l.Place.String(), l.Why})
	}
	if format != "loa" {
		ghosts, shadows := table{"Strategic Liabilities (Ghost Features)", ghostHeader, nil}, table{"Technical Debt (Shadow Systems)", shadowHeader, nil}
		for _, g := range r.Ghosts {
			ghosts.rows = append(ghosts.rows, []string{g.Feature, g.Source, g.Searched, g.Class, g.Ticket})
		}
		for _, s := range r.Shadows {
			shadows.rows = append(shadows.rows, []string{s.Module, s.Location, s.Class, s.Dependents, s.Ticket})
		}
		return []table{summary, ghosts, shadows, links, verified, resolved}
	}
	ghosts, shadows := table{"Ghosts (Documented, Not Implemented)", loaGhostHeader, nil}, table{"Shadows (Implemented, Not Documented)", loaShadowHeader, nil}
	stale := table{"Stale (Documented Otherwise)", loaStaleHeader, nil}
	for _, g := range r.Ghosts {
		ghosts.rows = append(ghosts.rows, []string{g.Feature, g.Source, g.Searched, g.Class})
	}
	for _, s := range r.Shadows {
		if s.Shade == Drifted {
			stale.rows = append(stale.rows, []string{s.Module, s.Doc, s.Location + ": " + s.Difference, "signature"})
			continue
		}
		shadows.rows = append(shadows.rows, []string{s.Module, s.Location, s.Class})
	}
	return []table{summary, ghosts, shadows, stale, {"Conflicts", loaConflictHeader, nil}, links, verified, resolved}
}

// Markdown writes a report. Of an old one every line stays that is not of the
// program: its first lines, its score and its tables are rewritten where they
// stand, and what is missing is added at the end.
func (r *Report) Markdown(old, format string) string {
	tables := r.tables(format)
	stamp := r.Generated.UTC().Format(time.RFC3339)
	fixed := []struct{ prefix, line string }{
		{"> Generated:", "> Generated: " + stamp},
		{"> Target:", "> Target: " + cell(r.Target)},
		{"Last Updated:", "Last Updated: " + stamp},
		{"## Drift Score:", "## Drift Score: " + r.Scored()},
	}
	var b strings.Builder
	if strings.TrimSpace(old) == "" {
		for i, f := range fixed {
			if i == 2 {
				b.WriteString("\n# Drift Report\n\n")
			}
			b.WriteString(f.line + "\n")
		}
		for i := range tables {
			tables[i].section(&b)
		}
		return b.String()
	}
	done := map[string]bool{}
	lines := strings.Split(strings.TrimSuffix(old, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, "\r") // however many, or what is written would be read otherwise
	}
	for i := 0; i < len(lines); i++ {
		if k := slices.IndexFunc(fixed, func(f struct{ prefix, line string }) bool { return strings.HasPrefix(lines[i], f.prefix) }); k >= 0 && !done[fixed[k].prefix] {
			done[fixed[k].prefix] = true
			b.WriteString(fixed[k].line + "\n")
			continue
		}
		k := slices.IndexFunc(tables, func(t table) bool { return t.is(lines, i) })
		if k < 0 || done[tables[k].title] {
			b.WriteString(lines[i] + "\n")
			continue
		}
		done[tables[k].title] = true
		tables[k].body(&b)
		for i += 1; i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|"); i++ {
		}
	}
	for i := range tables {
		if !done[tables[i].title] {
			tables[i].section(&b)
		}
	}
	return b.String()
}

// is reports whether a table begins at a line.
func (t *table) is(lines []string, i int) bool {
	return strings.HasPrefix(lines[i], "|") && i+1 < len(lines) && isDivider(lines[i+1]) && slices.Equal(split(lines[i]), t.header)
}

func (t *table) section(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", t.title)
	t.body(b)
}

func (t *table) body(b *strings.Builder) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(t.header, " | "), strings.Repeat("---|", len(t.header)))
	for _, row := range t.rows {
		b.WriteByte('|')
		for _, c := range row {
			b.WriteString(" " + cell(c) + " |")
		}
		b.WriteByte('\n')
	}
}

// cell is a text on one line that cannot leave its cell, and outside of code no markup: a
// file may be named as anything.
func cell(s string) string {
	s = text.Line(strings.Join(strings.Fields(spaced(s)), " ")) // what hides, or turns what follows, is seen
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '`':
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
			mark := s[i : i+n]
			end := strings.Index(s[i+n:], mark)
			if end <= 0 || strings.HasPrefix(s[i+n+end+n:], "`") {
				b.WriteString(strings.Repeat("\\`", n))
				i += n - 1
				continue
			}
			b.WriteString(mark + inCell.Replace(s[i+n:i+n+end]) + mark)
			i += n + end + n - 1
		case '_':
			if i == 0 || i+1 == len(s) || s[i-1] == '_' || s[i+1] == '_' || !wordByte(s[i-1]) || !wordByte(s[i+1]) {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		default:
			if strings.IndexByte(escapable, c) >= 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escapable are the characters that cell escapes, but for the underscore between words.
const escapable = "\\|<[]*`"

var inCell = strings.NewReplacer("\\", "\\\\", "|", "\\|")

// split returns the cells of a row as they were given to cell.
func split(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	var out []string
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && (line[i+1] == '_' || strings.IndexByte(escapable, line[i+1]) >= 0):
			i++
			b.WriteByte(line[i])
		case c == '|':
			out = append(out, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(c)
		}
	}
	if last := strings.TrimSpace(b.String()); last != "" {
		out = append(out, last)
	}
	return out
}

// ParseReport reads what a report says, in either format. Rows that are none of
// its tables, and corrupt ones, say nothing.
func ParseReport(text string) *Former {
	f := &Former{}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i+1 < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "|") || !isDivider(lines[i+1]) {
			continue
		}
		header := split(lines[i])
		for i += 2; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
			f.row(header, split(lines[i]))
		}
	}
	return f
}

func (f *Former) row(header, c []string) {
	for len(c) < 5 {
		c = append(c, "")
	}
	if c[0] == "" {
		return
	}
	switch {
	case slices.Equal(header, ghostHeader), slices.Equal(header, loaGhostHeader):
		f.Ghosts = append(f.Ghosts, GhostRow{c[0], c[1], c[2], c[3], c[4]})
	case slices.Equal(header, shadowHeader):
		f.Shadows = append(f.Shadows, ShadowRow{Module: c[0], Location: c[1], Class: c[2], Dependents: c[3], Ticket: c[4]})
	case slices.Equal(header, loaShadowHeader):
		f.Shadows = append(f.Shadows, ShadowRow{Module: c[0], Location: c[1], Class: c[2]})
	case slices.Equal(header, loaStaleHeader):
		at, _, _ := strings.Cut(c[2], ": ")
		f.Shadows = append(f.Shadows, ShadowRow{Module: c[0], Location: at, Doc: c[1]})
	case slices.Equal(header, resolvedHeader):
		f.Resolved = append(f.Resolved, Resolution{Item: c[0], Type: c[1], Date: c[2], Evidence: c[3]})
	}
}
