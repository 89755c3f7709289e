package judged

import (
	"compress/gzip"
	"encoding/gob"
	"errors"
	"io"

	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A Pool is a question to a source tree and all that the index proposes for it, before
// any ranking: a ranking that does not exist yet can be tried on it.
type Pool struct {
	Project string
	Set     string // where the question is from: changes, comments, questions
	Query   string
	Terms   []corpus.Term // as the query was understood: whoever ranks must agree
	Stats   rank.Stats
	Docs    []Doc
	Chunks  []Chunk // in the order of Cands
	Cands   []corpus.Candidate
	Lost    int // right answers that the index did not propose
}

// A Doc is a file of a Pool.
type Doc struct {
	Path   string
	Chunks int
	Lines  int
	Right  bool // it answers
}

// A Chunk describes a candidate of a Pool.
type Chunk struct {
	Doc         int // of Pool.Docs
	First, Last int // lines
	Right       bool
	Scope       string
	Symbols     []corpus.Symbol
	Called      uint16 // as rank.Seen has it
}

// WritePools writes pools.
func WritePools(w io.Writer, pools []Pool) error {
	z := gzip.NewWriter(w)
	e := gob.NewEncoder(z)
	for i := range pools {
		if err := e.Encode(&pools[i]); err != nil {
			return err
		}
	}
	return z.Close()
}

// ReadPools reads pools. It refuses those of projects that are kept aside.
func ReadPools(r io.Reader) (all []Pool, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	d := gob.NewDecoder(z)
	for {
		var p Pool
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		if err := keptaside.Check(p.Project); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}
