package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/code/history"
	"github.com/assay-dev/assay/internal/code/index"
)

// pastChanges is the log of the commits that lead to the one that is checked out.
type pastChanges struct {
	mu  sync.Mutex // held while it is read
	log *history.Log
}

const (
	// historyPatience is how long an answer waits for git. It does without a history that takes longer, until
	// Sync, which may take syncHistoryPatience, has read it.
	historyPatience     = 2 * time.Second
	syncHistoryPatience = time.Minute
)

// pastLog returns the log of past changes, brought up to date; nil where there is no repository. Others who
// ask while it is read wait for it.
func (e *Engine) pastLog(ctx context.Context, patience time.Duration) *history.Log {
	if e.shared != nil {
		return nil // of a shared index there need not be a repository here
	}
	e.past.mu.Lock()
	defer e.past.mu.Unlock()
	commit := git.CheckedOut(ctx, e.cfg.Root)
	if commit == "" {
		return nil
	}
	if e.past.log == nil {
		e.past.log, _ = history.Unpack(e.ix.History())
	}
	known := e.past.log
	complete := known != nil && (known.Whole || patience < syncHistoryPatience)
	if complete && known.Commit == commit {
		return known
	}
	within, stop := context.WithTimeout(ctx, patience)
	defer stop()
	log, err := history.Read(within, e.cfg.Root, commit, known)
	if ctx.Err() != nil {
		return known
	}
	if err != nil {
		log = &history.Log{Commit: commit, Whole: true} // git cannot read it: another try would be as vain
	}
	e.past.log = log
	e.ix.KeepHistory(log.Pack())
	return log
}

// addHistory says of candidates how much past commits that changed their file are like the query.
func (v *View) addHistory(ctx context.Context, q Query, cands []corpus.Candidate) error {
	log := v.e.pastLog(ctx, historyPatience)
	if log == nil {
		return ctx.Err()
	}
	terms := q.Terms
	if q.Guesses != nil {
		terms = append(slices.Clip(terms), q.Guesses.Terms...)
	}
	files := log.Files(terms)
	if len(files) == 0 {
		return nil
	}
	of := map[index.DocRef]float32{}
	err := v.Snap.Paths(func(ref index.DocRef, path []byte) bool {
		if s, ok := files[string(path)]; ok {
			of[ref] = float32(s)
		}
		return true
	})
	for i := range cands {
		c := &cands[i]
		c.History = of[index.DocRef{Segment: c.Segment, Doc: c.Doc}]
	}
	return err
}
