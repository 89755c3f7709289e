package audit

import (
	"fmt"
	"io"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/domain/claims"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A covering is what every answer says that concludes from what is not in the code.
type covering struct {
	NotCovered corpus.NotCovered `json:"not_covered"`
	// Uncompared is how many words of the documents were not compared with those of the code:
	// where very many are nearly words of it, not each is.
	Uncompared int `json:"not_compared,omitempty"`
}

// write ends a text with it.
func (c *covering) write(w io.Writer) error {
	if c.Uncompared > 0 {
		if _, err := fmt.Fprintf(w, "not compared with the words of the code, for misspellings: %s of the documents, as too many are nearly words of it\n", text.Count(c.Uncompared, "word", "words")); err != nil {
			return err
		}
	}
	if c.NotCovered.Files == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "not covered: %d files (%s)\n", c.NotCovered.Files, c.NotCovered.String())
	return err
}

// undeclared is what is not covered where declarations count: the words of any
// language can be looked at, but not what they declare.
func undeclared(t *claims.Tree) corpus.NotCovered {
	nc := t.NotCovered.Clone()
	for i := range t.Code {
		if l := t.Code[i].Language; syntax.Source(l) && !syntax.Inert(l) && syntax.Covers(l) == syntax.Nothing {
			nc.AddLanguage(l)
		}
	}
	return nc
}
