package memory

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// A Remembered is a vault.Piece as answers show it.
type Remembered struct {
	Path         string        `json:"path"`
	Source       string        `json:"source"` // memory or sessions
	StartLine    int           `json:"start_line"`
	EndLine      int           `json:"end_line"`
	Score        float64       `json:"score"` // 0..1
	Title        string        `json:"title"`
	Heading      string        `json:"heading,omitempty"`
	Category     string        `json:"category,omitempty"`
	Project      string        `json:"project,omitempty"`
	Date         string        `json:"date,omitempty"`
	AgeDays      *int          `json:"age_days,omitempty"`
	Text         string        `json:"text"`
	Superseded   string        `json:"superseded_by,omitempty"`
	SupersededOn string        `json:"superseded_on,omitempty"`
	SeeAlso      string        `json:"see_also,omitempty"`       // a newer note that says of a part of it that it is over
	CopyOf       string        `json:"copy_of,omitempty"`        // the note that a synchronising service made it from
	Conflict     string        `json:"conflicts_with,omitempty"` // edited elsewhere at the same time
	Validity     string        `json:"validity,omitempty"`       // why it does not hold today
	Repeats      bool          `json:"repeats_tool,omitempty"`   // in part it is what a tool returned, which may be anybody's words
	Pinned       bool          `json:"pinned,omitempty"`
	Importance   int           `json:"importance,omitempty"` // -2..2
	Code         []string      `json:"code,omitempty"`       // what it points at in the code and is no longer so
	Also         []string      `json:"also,omitempty"`       // where the same text is
	Explain      []rank.Signal `json:"explain,omitempty"`

	about     string
	age       string
	elsewhere bool // it is of another project than the one that is asked in
}

// A SearchResult is what was found, best first.
type SearchResult struct {
	Query    string       `json:"query"`
	Hits     []Remembered `json:"hits"`
	Total    int          `json:"total,omitempty"`    // where everything was asked for: the notes and sessions that speak of it
	Unsure   bool         `json:"unsure,omitempty"`   // no hit surely answers
	Degraded string       `json:"degraded,omitempty"` // what evidence could not be had
	Stale    int          `json:"stale,omitempty"`    // notes and sessions that changed and are not indexed yet
	Notes    remarks      `json:"notes,omitempty"`
}

// Search finds what is remembered about something.
func (f *Feature) Search(ctx context.Context, in SearchInput) (*SearchResult, error) {
	if strings.TrimSpace(in.Query) == "" {
		return nil, fault.New(fault.Usage, "the query is empty").Or("ask for something")
	}
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	wait, budget := f.budget()
	q := vault.Query{Text: in.Query, Words: in.Words, Max: in.Max, Source: in.Source, Project: in.Project, Near: f.project(m), Explain: in.Explain, Wait: wait, Budget: budget,
		Since: in.Since, Before: in.Before, Between: in.Between, Newest: in.Newest, Tags: in.Tag, Speaker: in.Speaker}
	q.Max = cmp.Or(q.Max, f.cfg.MaxResults)
	a, err := m.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	moved(ctx, a.Moved)
	if a.Pending > 0 {
		f.embedBehind()
	}
	out := &SearchResult{Query: in.Query, Hits: []Remembered{}, Total: a.Total, Degraded: a.Degraded, Stale: a.Stale}
	code := f.tree(q.Near)
	defer code.close()
	out.Unsure = len(a.Hits) > 0
	for _, h := range a.Hits {
		hit := newHit(h)
		hit.elsewhere = h.Project != "" && h.Project != q.Near
		out.Unsure = out.Unsure && h.Score < rank.Sure
		if h.Source == "memory" && h.Project != "" && h.Project == q.Near {
			hit.Code = code.changed(m.Code(h.Path))
		}
		out.Hits = append(out.Hits, hit)
	}
	out.Notes.add(a.Total > 1, "%d notes and sessions speak of it, %d of them are shown", a.Total, len(a.Hits))
	out.Notes.add(a.Degraded != "", "degraded: found by words alone: %s", a.Degraded)
	out.Notes.add(a.Building, "stale: the index is being rebuilt and is not complete yet")
	out.Notes.add(a.Frozen != "", "%s", frozen(a.Frozen))
	out.Notes.add(a.Stale > 0, "stale: %d notes or sessions changed and are not indexed yet", a.Stale)
	why := f.absent(a.Missing)
	out.Notes.add(why != "", "stale: %s; this is what was indexed before", why)
	return out, nil
}

// Noted returns what was noted of the project at root, as the index has it. There is nothing
// where nothing was ever stored or imported: a question that is not about memory makes no vault.
func (f *Feature) Noted(ctx context.Context, root, question string, most int) (a vault.MemoryAnswer, err error) {
	if _, err := os.Stat(f.cfg.DB); err != nil {
		return a, nil //nolint:nilerr // there is no index
	}
	m, err := f.open()
	if err != nil {
		return a, err
	}
	project := m.Project(root)
	return m.Search(ctx, vault.Query{Text: question, Max: most, Near: project, Own: project})
}

func newHit(h vault.Piece) Remembered {
	out := Remembered{Path: h.Path, Source: h.Source, StartLine: h.First, EndLine: h.Last, Title: h.Title, Heading: h.Heading,
		Category: h.Category, Project: h.Project, Text: h.Text, Superseded: h.Superseded, SeeAlso: h.SeeAlso, CopyOf: h.CopyOf,
		Conflict: h.Conflict, Validity: h.Validity, Repeats: h.Repeats, Pinned: h.Pinned, Importance: h.Importance,
		Score: float64(int(h.Score*1000+.5)) / 1000, Also: h.Also, Explain: h.Explain, about: h.About()}
	if !h.SupersededOn.IsZero() {
		out.SupersededOn = h.SupersededOn.Format(time.DateOnly)
	}
	if !h.Day.IsZero() {
		out.Date, out.age = h.Day.Format(time.DateOnly), vault.AgeText(h.Age)
		out.AgeDays = &h.Age
	}
	return out
}

// WriteText writes the hits as people and models read them.
func (r *SearchResult) WriteText(w io.Writer, colour bool) error {
	b := render.Answer{To: w}
	switch n := len(r.Hits); {
	case n == 0:
		b.WriteString("Found no relevant memories.\n")
	case r.Unsure:
		b.WriteString("Found no memory that is surely relevant. The nearest:\n")
	case n == 1:
		b.WriteString("Found 1 relevant memory:\n")
	default:
		fmt.Fprintf(&b, "Found %d relevant memories:\n", n)
	}
	for i := range r.Hits {
		r.Hits[i].write(&b, i+1, colour)
	}
	if len(r.Hits) > 0 {
		b.WriteString("---\n")
	}
	b.Notes(r.Notes)
	return b.End()
}

// WriteLines writes one hit a line.
func (r *SearchResult) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Hits) }

const (
	bold, green, cyan, faint = "\x1b[1m", "\x1b[32m", "\x1b[36m", "\x1b[2m"
)

// write writes a hit: where it is, what it is called, and its text between fences
// longer than any in it, so that nothing in a note passes for more than a note.
func (h *Remembered) write(b *render.Answer, n int, colour bool) {
	b.WriteString("---\n")
	fmt.Fprintf(b, "[%d] %s:%d-%d (score: %.2f, source: %s)\n", n, text.Painted(colour, bold+cyan, text.Line(h.Path)), h.StartLine, h.EndLine, h.Score, h.Source)
	about := text.Line(oneLine(h.about))
	if h.Date != "" {
		if about != "" {
			about += ", "
		}
		about += h.Date + " (" + h.age + ")"
	}
	marks := h.marks()
	if about != "" {
		marks = append(remarks{about}, marks...)
	}
	if about = strings.Join(marks, "; "); about != "" {
		fmt.Fprintln(b, text.Painted(colour, green, about))
	}
	b.WriteString(rank.Explanation(h.Explain))
	fence := "```"
	for strings.Contains(h.Text, fence) {
		fence += "`"
	}
	b.WriteString(fence + "\n")
	for l := range strings.SplitSeq(strings.TrimRight(h.Text, "\n"), "\n") {
		fmt.Fprintln(b, text.Line(l))
	}
	b.WriteString(fence + "\n")
	if len(h.Also) > 0 {
		fmt.Fprintln(b, text.Painted(colour, faint, "the same text: "+text.Line(strings.Join(h.Also, ", "))))
	}
}

// marks says what a reader must know before he relies on a hit.
func (h *Remembered) marks() (out remarks) {
	out.add(h.elsewhere, "of the project %s", text.Line(h.Project))
	out.add(h.Superseded != "", "%s", superseded(h.Superseded, h.SupersededOn))
	out.add(h.SeeAlso != "", "see also, newer: %s", text.Line(h.SeeAlso))
	out.add(h.CopyOf != "", "a synchronising service's copy of %s", text.Line(h.CopyOf))
	out.add(h.Conflict != "", "conflicts with %s", text.Line(h.Conflict))
	out.add(h.Validity != "", "%s", h.Validity)
	for _, c := range h.Code {
		out.add(true, "points at %s", text.Line(c))
	}
	out.add(h.Repeats, "repeats what a tool returned")
	out.add(h.Pinned, "pinned")
	out.add(h.Importance > 1, "critical")
	out.add(h.Importance == 1, "important")
	out.add(h.Importance < 0, "of low importance")
	return out
}

func superseded(by, on string) string {
	if by = "superseded by " + text.Line(by); on != "" {
		by += " on " + on
	}
	return by
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// A GetResult is lines of a note or a session.
type GetResult struct{ vault.Lines }

// Get returns lines of a note or a session.
func (f *Feature) Get(ctx context.Context, in GetInput) (*GetResult, error) {
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	path, start, end := in.Path, in.Start, in.End
	if start == 0 && end == 0 {
		path, start, end = place(path)
	}
	if end > 0 && start > end {
		return nil, fault.New(fault.Usage, "line %d is after line %d", start, end).Or("give the lower number first")
	}
	t, err := m.Get(ctx, path, start, end)
	if err != nil {
		return nil, err
	}
	return &GetResult{t}, nil
}

// place takes PATH:START-END apart, and PATH#LSTART-END as recall cites it.
func place(s string) (path string, start, end int) {
	i := strings.LastIndex(s, "#L")
	skip := 2
	if i < 0 {
		if i = strings.LastIndexByte(s, ':'); i < 0 {
			return s, 0, 0
		}
		skip = 1
	}
	from, to, span := strings.Cut(s[i+skip:], "-")
	start, err := strconv.Atoi(from)
	if err != nil || start < 1 {
		return s, 0, 0 // a colon of the path: session:AGENT/ID, C:\x
	}
	if !span {
		return s[:i], start, start
	}
	if end, err = strconv.Atoi(to); err != nil || end < 1 {
		return s, 0, 0
	}
	return s[:i], start, end
}

// WriteText writes the lines as they are.
func (r *GetResult) WriteText(w io.Writer, colour bool) error {
	var b bytes.Buffer
	for l := range strings.SplitSeq(r.Text, "\n") {
		if colour {
			l = text.Line(l)
		}
		fmt.Fprintln(&b, l)
	}
	_, err := w.Write(b.Bytes())
	return err
}
