package docs

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/docs/library"
)

// A Library is one version of a library, with where it came from.
type Library struct {
	ID          string   `json:"id"`
	Version     string   `json:"version"`
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Aliases     []string `json:"aliases,omitempty"`
	Rules       []string `json:"rules,omitempty"`
	Versions    []string `json:"versions,omitempty"` // all of the ID, newest first; of resolve alone
	Source      string   `json:"source"`
	Ref         string   `json:"ref,omitempty"`
	Commit      string   `json:"commit,omitempty"`
	Date        string   `json:"date,omitempty"` // of the commit, RFC 3339
	Ingested    string   `json:"ingested,omitempty"`
	Snippets    int      `json:"snippets"`
	Pages       int      `json:"pages"`
	Tokens      int      `json:"tokens"`
	Trust       float64  `json:"trust,omitempty"`
	Checksum    string   `json:"checksum,omitempty"`
	ByWords     bool     `json:"by_words,omitempty"`          // words alone find it, see Listed.ByWords; of list alone
	Respelt     bool     `json:"spelled_otherwise,omitempty"` // its name is not the one that was asked for; of resolve alone
}

func libraryOf(l *library.Library) Library {
	return Library{
		ID: l.ID, Version: l.Version, Title: l.Title, Description: l.Description, Aliases: l.Aliases, Rules: l.Rules, Versions: l.Versions,
		Source: l.Source, Ref: l.Ref, Commit: l.Commit, Date: stamp(l.Date), Ingested: stamp(l.Ingested),
		Snippets: l.Snippets, Pages: l.Pages, Tokens: l.Tokens, Trust: l.Trust, Checksum: l.Checksum, ByWords: l.ByWords, Respelt: l.Respelt,
	}
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// A Snippet is a piece of a page.
type Snippet struct {
	Library    string `json:"library,omitempty"` // with its version, of an answer of several
	Title      string `json:"title"`
	Breadcrumb string `json:"breadcrumb,omitempty"`
	Path       string `json:"path"`
	Line       int    `json:"line,omitempty"`
	URL        string `json:"url"`
	Language   string `json:"language,omitempty"`
	Content    string `json:"content"` // Markdown
	Tokens     int    `json:"tokens"`
	Cut        bool   `json:"cut,omitempty"` // content is a part, and says which
	// Score is of an answer, 0..1; a large budget ends with snippets that have none.
	Score   float64       `json:"score,omitempty"`
	Explain []rank.Signal `json:"explain,omitempty"`
}

func snippetOf(s *library.Snippet) Snippet {
	return Snippet{"", s.Title, s.Breadcrumb, s.Path, s.Line, s.URL, s.Language, s.Content, s.Tokens, s.Cut, rank.Round(s.Score), s.Breakdown}
}

// Done is one library that was read.
type Done struct {
	Library
	Kept      int  `json:"pages_kept"` // of a refresh: those that were as they were
	Read      int  `json:"pages_read"`
	Unchanged bool `json:"unchanged,omitempty"`
	// Sources are the files of program text among the pages, read for what they declare.
	Sources int `json:"sources,omitempty"`
	// Excluded are the pages of the source that were not read, by reason.
	Excluded []Excluded `json:"excluded,omitempty"`
	MS       int64      `json:"ms"`
}

// from says what a library was read from.
func from(pages, sources int) string {
	s := text.Count(pages-sources, "page", "pages")
	if sources > 0 {
		s += " and " + text.Count(sources, "source file", "source files")
	}
	return s
}

func (d *Done) line() string {
	if d.Unchanged {
		return fmt.Sprintf("%s is unchanged: %s from %s", join(d.ID, d.Version), text.Count(d.Snippets, "snippet", "snippets"), text.Count(d.Pages, "page", "pages"))
	}
	s := fmt.Sprintf("Indexed %s from %s in %s: %s", text.Count(d.Snippets, "snippet", "snippets"), from(d.Pages, d.Sources),
		(time.Duration(d.MS) * time.Millisecond).Round(10*time.Millisecond), join(d.ID, d.Version))
	if d.Kept > 0 {
		s += fmt.Sprintf(" (%s unchanged)", text.Count(d.Kept, "page", "pages"))
	}
	return s
}

// Failed is a preset or a library that could not be read.
type Failed struct {
	Preset  string `json:"preset,omitempty"`
	Library string `json:"library,omitempty"`
	Error   string `json:"error"`
}

// Ingested is what an ingest did.
type Ingested struct {
	Libraries []Done   `json:"libraries"`
	Failed    []Failed `json:"failed,omitempty"`
	// Skipped are dependencies, and manifests, that were not read: of --installed.
	Skipped []Skipped `json:"skipped,omitempty"`
}

// Skipped is a dependency, or the path of a manifest, that was not read.
type Skipped struct {
	Package string `json:"package"`
	Version string `json:"version,omitempty"`
	Why     string `json:"why"`
}

// WriteText writes a line for each library.
func (r *Ingested) WriteText(w io.Writer, _ bool) error { return lines(w, r.Libraries) }

// Refreshed is what a refresh did.
type Refreshed struct {
	Libraries []Done `json:"libraries"`
	// Failed are those that could not be read again, of --all: what they held still answers.
	Failed []Failed `json:"failed,omitempty"`
	// Skipped are those that were not looked at, of --all, since nobody here named their sources.
	Skipped []Failed `json:"skipped,omitempty"`
}

// Verdict is the error with which a refresh of all ends where some failed.
func (r *Refreshed) Verdict() error {
	if len(r.Failed) == 0 {
		return nil
	}
	names := slice.Map(r.Failed, func(l Failed) string { return l.Library })
	return fault.New(fault.Negative, "%d of %d versions could not be read again: %s", len(names), len(names)+len(r.Libraries), strings.Join(names, ", ")).
		Or("what they held still answers; try each with assay docs refresh ID")
}

// WriteText writes a line for each version.
func (r *Refreshed) WriteText(w io.Writer, _ bool) error { return lines(w, r.Libraries) }

func lines(w io.Writer, done []Done) error {
	for i := range done {
		if _, err := fmt.Fprintln(w, done[i].line()); err != nil {
			return err
		}
	}
	return nil
}

// Listed is what there is.
type Listed struct {
	Libraries []Library `json:"libraries,omitempty"`
	Presets   []Preset  `json:"presets,omitempty"`

	html bool
}

// Drawing reports whether the list is a web page.
func (r *Listed) Drawing() bool { return r.html }

// Verbatim reports whether the answer is data for another program.
func (r *Listed) Verbatim(bool) bool { return r.html }

// MarshalJSON writes whichever list was asked for, empty or not.
func (r *Listed) MarshalJSON() ([]byte, error) {
	if r.Presets != nil {
		return json.Marshal(map[string]any{"presets": r.Presets})
	}
	return json.Marshal(map[string]any{"libraries": r.Libraries})
}

// WriteText writes a table.
func (r *Listed) WriteText(w io.Writer, _ bool) error {
	if r.html {
		_, err := io.WriteString(w, r.page())
		return err
	}
	if r.Presets == nil && len(r.Libraries) == 0 {
		_, err := io.WriteString(w, render.Note(render.Columns(w), "no libraries; assay docs ingest adds one"))
		return err
	}
	var t render.Table
	if r.Presets != nil {
		t.Row("PRESET", "LIBRARY", "REPOSITORY", "VERSIONS")
		for i := range r.Presets {
			p := &r.Presets[i]
			t.Row(p.Name, p.ID, p.Repo, p.versions())
		}
		return writeTable(w, &t)
	}
	t.Row("LIBRARY", "VERSION", ">SNIPPETS", ">PAGES", "INGESTED", "COMMIT", "OF", "SOURCE")
	for i := range r.Libraries {
		l := &r.Libraries[i]
		t.Row(l.ID, l.Version, l.Snippets, l.Pages, day(l.Ingested), l.Commit[:min(10, len(l.Commit))], day(l.Date), l.Source)
	}
	return writeTable(w, &t)
}

// versions says which versions the place of a preset has.
func (p *Preset) versions() string {
	switch {
	case len(p.Paths) > 0:
		return "folders; current " + p.Current
	case p.Tag != "":
		return p.Tag
	}
	return "today's only"
}

// page writes the list as a web page.
func (r *Listed) page() string {
	if r.Presets != nil {
		p := render.New("Libraries whose place is known")
		end := p.Section("presets", "Presets", "Presets", len(r.Presets), "There are none.")
		var rows [][]any
		for i := range r.Presets {
			x := &r.Presets[i]
			rows = append(rows, []any{x.Name, x.ID, x.Repo, x.versions()})
		}
		p.Table([]string{"Preset", "Library", "Repository", "Versions"}, rows)
		end()
		return p.String()
	}
	snippets, pages := 0, 0
	var rows [][]any
	for i := range r.Libraries {
		l := &r.Libraries[i]
		snippets, pages = snippets+max(0, l.Snippets), pages+l.Pages
		rows = append(rows, []any{l.ID, l.Version, render.Number(strconv.Itoa(l.Snippets)), render.Number(strconv.Itoa(l.Pages)), day(l.Ingested), l.Commit[:min(10, len(l.Commit))], day(l.Date), l.Source})
	}
	p := render.New("Stored documentation")
	p.Card(len(r.Libraries), "versions of libraries", "libraries")
	p.Card(pages, "pages", "libraries")
	p.Card(snippets, "snippets", "libraries")
	end := p.Section("libraries", "Libraries", "Libraries", len(r.Libraries), "No library is stored: assay docs ingest adds one.")
	p.Table([]string{"Library", "Version", "Snippets", "Pages", "Ingested", "Commit", "Of", "Source"}, rows)
	end()
	return p.String()
}

// writeTable writes a table as wide as the terminal, or as it is.
func writeTable(w io.Writer, t *render.Table) error {
	_, err := io.WriteString(w, t.Text(render.Columns(w)))
	return err
}

// WriteLines writes a record a line.
func (r *Listed) WriteLines(w io.Writer) error {
	if err := codec.WriteLines(w, r.Presets); err != nil {
		return err
	}
	return codec.WriteLines(w, r.Libraries)
}

func day(stamp string) string {
	if len(stamp) < 10 {
		return ""
	}
	return stamp[:10]
}

// Removed is what a removal did.
type Removed struct {
	ID       string `json:"id"`
	Version  string `json:"version,omitempty"`
	Versions int    `json:"versions_removed"`
}

// WriteText writes a line.
func (r *Removed) WriteText(w io.Writer, _ bool) error {
	_, err := fmt.Fprintf(w, "removed %s: %s\n", join(r.ID, r.Version), text.Count(r.Versions, "version", "versions"))
	return err
}

// Copied is what an export or an import did.
type Copied struct {
	Path      string    `json:"path"`
	Libraries []Library `json:"libraries"`
	SHA256    string    `json:"sha256,omitempty"` // of the file that was written, in hex
	Verb      string    `json:"-"`
}

// WriteText writes a line for each version, and one with the checksum of the file as other programs print it.
func (r *Copied) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for i := range r.Libraries {
		l := &r.Libraries[i]
		fmt.Fprintf(&b, "%s %s %s: %s, content %s\n", join(l.ID, l.Version), r.Verb, r.Path, text.Count(l.Snippets, "snippet", "snippets"), l.Checksum)
	}
	if r.SHA256 != "" {
		fmt.Fprintf(&b, "sha256 %s  %s\n", r.SHA256, r.Path)
	}
	return b.End()
}

// Previewed is what an ingest would keep.
type Previewed struct {
	Library Library   `json:"library"`
	Shown   []Snippet `json:"snippets"`
	Sources int       `json:"sources,omitempty"` // files of program text among the pages
	// Excluded are the pages of the source that would not be read, by reason.
	Excluded []Excluded `json:"excluded,omitempty"`

	texts []string
}

// WriteText writes the snippets as an answer would show them, then how many there are.
func (r *Previewed) WriteText(w io.Writer, _ bool) error {
	b := render.Answer{To: w}
	for i := range r.Shown {
		s := &r.Shown[i]
		fmt.Fprintf(&b, "%s:%d  %s\n%s\n\n%s\n\n", text.Line(s.Path), s.Line, text.Line(s.Breadcrumb), r.texts[i], divider)
	}
	said := fmt.Sprintf("%s: %s from %s", join(r.Library.ID, r.Library.Version), text.Count(r.Library.Snippets, "snippet", "snippets"), from(r.Library.Pages, r.Sources))
	if r.Library.Snippets > len(r.Shown) {
		said += fmt.Sprintf("; the first %d are shown", len(r.Shown))
	}
	b.Note("%s; nothing was kept", said)
	for _, e := range r.Excluded {
		n := text.Count(e.Pages, "page", "pages")
		if e.Folders > 0 {
			n = text.Count(e.Folders, "folder", "folders")
		} else if e.Sections > 0 {
			n = text.Count(e.Sections, "section", "sections")
		}
		examples := ""
		if len(e.Examples) > 0 {
			examples = ": " + text.Line(strings.Join(e.Examples, ", "))
		}
		if len(e.Examples) > 0 && e.Pages+e.Folders+e.Sections > len(e.Examples) {
			examples += ", …"
		}
		b.Note("excluded: %s, %s%s", n, e.Reason, examples)
	}
	return b.End()
}

// WriteLines writes a snippet a line.
func (r *Previewed) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Shown) }

const divider = "--------------------------------"

// Resolved is the libraries that a name may mean.
type Resolved struct {
	Libraries []Library `json:"libraries"`
	// Suggestions are IDs that have something of the name, where no library is called so.
	Suggestions []string `json:"suggestions,omitempty"`

	found []library.Library
	name  string // that was asked for
}

// WriteText writes what resolve-library-id answers.
func (r *Resolved) WriteText(w io.Writer, _ bool) error {
	said := library.LibrariesText(r.found) + "\n"
	if len(r.found) > 0 && r.found[0].Respelt {
		said += fmt.Sprintf("\nNo library is called %q: %s is spelled most like it.\n", text.Line(r.name), text.Line(r.found[0].Title))
	}
	_, err := io.WriteString(w, said)
	return err
}

// Answered is what a library says to a question.
type Answered struct {
	Library string `json:"library"`
	Version string `json:"version"`
	// Libraries are those that were asked, where no library was named: each snippet says which
	// it is of.
	Libraries []string  `json:"libraries,omitempty"`
	Note      string    `json:"note,omitempty"`   // that another version answers
	Rules     []string  `json:"rules,omitempty"`  // what the authors of the library ask of its users
	Unsure    bool      `json:"unsure,omitempty"` // no snippet surely answers
	Snippets  []Snippet `json:"snippets"`         // best first
	Tokens    int       `json:"tokens"`
	More      int       `json:"more"`    // that the budget omitted
	Ranking   string    `json:"ranking"` // which was used: hybrid or lexical

	text string
}

// WriteText writes what query-docs answers.
func (r *Answered) WriteText(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, r.text)
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}

// WriteLines writes a snippet a line.
func (r *Answered) WriteLines(w io.Writer) error { return codec.WriteLines(w, r.Snippets) }
