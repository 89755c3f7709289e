// Package claims compares what documents promise with what code does: features
// that no code has (ghosts), declarations that no document names (shadows), and
// the report that keeps both from one run to the next.
//
// A ghost was looked for by two different queries and found by neither. The same
// tree gives the same report, whatever proposed the candidates: the verdict on a
// place in code is made here, from its words. Writing a report again changes its
// own tables and keeps every line that a person wrote between them.
package claims

import (
	"cmp"
	"context"
	"fmt"

	"github.com/assay-dev/assay/internal/code/rank"
)

// Ghost thresholds: a place is evidence of a feature from Enough on; a ghost of a
// former report is resolved only by more than Resolved.
const (
	Enough   = 0.4
	Resolved = 0.6
)

// A Place is a line of a file of the project.
type Place struct {
	Path string `json:"path"` // slash-separated, relative
	Line int    `json:"line"` // one-based
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.Path, p.Line) }

func byPlace(a, b Place) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
}

// A Kind says what form a document gives a feature.
type Kind string

// The kinds of feature.
const (
	Requirement Kind = "requirement" // it has an id
	Story       Kind = "story"       // "As a …, I want …"
	Checklist   Kind = "checklist"
	Heading     Kind = "heading"
	Bullet      Kind = "bullet"
	Row         Kind = "table"
	Prose       Kind = "prose"
	Name        Kind = "name" // a name that is written anywhere
)

// A Feature is something that documents promise.
type Feature struct {
	ID      string  `json:"id,omitempty"` // "FR-3.1"
	Kind    Kind    `json:"kind"`
	Text    string  `json:"text"`              // in the document's own words, on one line
	Section string  `json:"section,omitempty"` // the headings above it, outermost first
	Name    string  `json:"name,omitempty"`    // of a name: the name itself
	Sort    string  `json:"sort,omitempty"`    // of a name: "flag", "environment", …
	Place           // where it is promised first
	Also    []Place `json:"also,omitempty"` // where the same is promised again
	// Meant is the name of the code that was probably meant by Name.
	Meant string `json:"meant,omitempty"`

	words []word // of Text, once they were asked for
}

// A Match is a place in code that may be where a feature is.
type Match struct {
	Place
	Last  int     `json:"last,omitempty"`
	Name  string  `json:"name,omitempty"` // what is declared there
	Score float64 `json:"score"`          // 0..1
	// Similarity is how alike query and code are in meaning, 0..1; 0 where that
	// is not known. It goes into Score: what is shown does not tell what answered.
	Similarity float64 `json:"-"`
	// Explain is what the score is made of, where that was asked for; as a whole it is
	// scaled, and bounded.
	Explain []rank.Signal `json:"explain,omitempty"`

	values measures
}

// A Declaration is something that code offers to others.
type Declaration struct {
	Place
	Kind     string   `json:"kind"` // "function", "struct", …
	Name     string   `json:"name"`
	Scope    string   `json:"scope,omitempty"` // of the declarations around it, joined by "."
	Language string   `json:"language"`
	Params   []string `json:"params,omitempty"` // as written
	Result   string   `json:"result,omitempty"`
	Members  int      `json:"members,omitempty"` // exported ones that are declared in it
	Comment  bool     `json:"comment,omitempty"` // a comment in the code documents it

	doubt string // why it may be no orphan, though nothing describes it
}

// Qualified returns the name with its scope.
func (d *Declaration) Qualified() string {
	if d.Scope == "" {
		return d.Name
	}
	return d.Scope + "." + d.Name
}

// Code answers questions about the code of a project, tests and documents left
// out. Scan is one; a feature makes another of an index.
type Code interface {
	// Search returns at most limit places that score at least threshold, best first.
	Search(ctx context.Context, query string, limit int, threshold float64) ([]Match, error)
	// Declarations returns what is exported, by place.
	Declarations(ctx context.Context) ([]Declaration, error)
	// Imports returns which files import which.
	Imports(ctx context.Context) (Graph, error)
}
