package trajectory

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

// The attention budgets, in tokens: what an agent should read of code before it writes
// down what it learned.
const (
	SearchLimit      = 2000  // one search
	FileLimit        = 3000  // a file read whole
	AccumulatedLimit = 5000  // since the last synthesis
	SessionLimit     = 15000 // in a session
)

// pause is how long an agent is silent when a session ends. Findings are archived after
// that long too.
const pause = 30 * time.Minute

// Spent is the ledger of an agent's session: what it has read, in tokens.
type Spent struct {
	Searches    int       `json:"searches"`
	Last        int       `json:"last_search"`
	Accumulated int       `json:"accumulated"` // since the last synthesis
	Session     int       `json:"session"`
	Since       time.Time `json:"since,omitzero"` // the session's begin; zero where there is none
}

// Spent returns the ledger of an agent at a time. Only the agent's file of that day is
// read; what it lacks costs nothing.
func (l Log) Spent(agent string, now time.Time) Spent {
	var s Spent
	root, err := safe.OpenRoot(l.root)
	if err != nil {
		return s
	}
	defer root.Close()
	r := &Reading{}
	if r.file(root, l.dir, fileName(agent)+"-"+now.UTC().Format(time.DateOnly)+".jsonl", "") != nil {
		return s
	}
	var last time.Time
	for i := range r.Entries {
		e := &r.Entries[i]
		if e.Time.IsZero() || e.Time.After(now) {
			continue
		}
		if !last.IsZero() && e.Time.Sub(last) > pause {
			s = Spent{}
		}
		if last = e.Time; s.Since.IsZero() {
			s.Since = e.Time
		}
		var tokens int
		switch {
		case e.Phase == "synthesis":
			s.Accumulated = 0
		case e.Phase != "result":
		case json.Unmarshal(e.Fields["tokens_estimated"], &tokens) == nil && tokens > 0:
			s.Searches++
			s.Last = tokens
			s.Accumulated += tokens
			s.Session += tokens
		}
	}
	if !last.IsZero() && now.Sub(last) > pause {
		return Spent{}
	}
	return s
}

// Warnings say which budgets are passed, the most urgent first.
func (s Spent) Warnings() []string {
	var out []string
	if s.Session > SessionLimit {
		out = append(out, fmt.Sprintf("this session has read %d tokens of code, more than %d: stop searching, and write down what is known (notes add)", s.Session, SessionLimit))
	}
	if s.Accumulated > AccumulatedLimit {
		out = append(out, fmt.Sprintf("%d tokens were read since the last synthesis, more than %d: write down what is known (notes add)", s.Accumulated, AccumulatedLimit))
	}
	if s.Last > SearchLimit {
		out = append(out, fmt.Sprintf("the last search gave %d tokens, more than %d: ask for less with --budget or --top-k", s.Last, SearchLimit))
	}
	return out
}
