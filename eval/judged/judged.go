// Package judged is what the weights of a ranking are fitted from: the candidates of
// questions, with the score breakdown of each and whether it answers. The measuring
// programs write them, a question a line; eval/fit reads them.
package judged

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A Question is what was asked, and what was found.
type Question struct {
	Project    string      `json:"project"` // questions of one are fitted on, or held out, together
	Query      string      `json:"query"`
	Kind       rank.Kind   `json:"kind"`
	Mode       rank.Mode   `json:"mode"`
	Meaning    bool        `json:"meaning"`           // that candidates are measured by meaning too
	Foreign    bool        `json:"foreign,omitempty"` // nothing in the corpus answers it
	Candidates []Candidate `json:"candidates"`
}

// Variant returns which weights of a profile apply.
func (q *Question) Variant() rank.Variant {
	return rank.Variant{Kind: q.Kind, Mode: q.Mode, Meaning: q.Meaning}
}

// A Candidate is one hit.
type Candidate struct {
	Groups   []string      `json:"groups,omitempty"` // that it is damped with, as the profile has them
	Relevant bool          `json:"relevant,omitempty"`
	Explain  []rank.Signal `json:"explain"`
}

// Write writes a question.
func Write(w io.Writer, q *Question) error { return json.NewEncoder(w).Encode(q) }

// Read reads questions. It refuses those of projects that are kept aside.
func Read(r io.Reader) (all []Question, err error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var q Question
		if err := json.Unmarshal(s.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("question %d: %w", len(all)+1, err)
		}
		if err := keptaside.Check(q.Project); err != nil {
			return nil, fmt.Errorf("question %d: %w", len(all)+1, err)
		}
		all = append(all, q)
	}
	return all, s.Err()
}
