package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/timed"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/engine"
)

// replay checks out the last commits of a history one after the other, refreshes
// after each, and measures how much was known before.
func (b *bench) replay(ctx context.Context) error {
	from, err := filepath.Abs(b.o.history)
	if err != nil {
		return err
	}
	dir := filepath.Join(b.work, "history")
	if _, err := git(ctx, b.work, "clone", "--quiet", "--no-checkout", "--shared", from, dir); err != nil {
		return err
	}
	list, err := git(ctx, dir, "rev-list", "--first-parent", "--reverse", fmt.Sprintf("--max-count=%d", b.o.commits+1), "HEAD")
	if err != nil {
		return err
	}
	commits := strings.Fields(list)
	if len(commits) < 2 {
		return errors.New("the history has less than two commits")
	}
	if err := checkout(ctx, dir, commits[0]); err != nil {
		return err
	}
	e, err := b.synced(ctx, dir, "history.index")
	if err != nil {
		return err
	}
	defer e.Close()
	past := past{docs: map[string]corpus.Hash{}, texts: map[corpus.Hash]bool{}}
	if _, _, _, err := past.take(ctx, e); err != nil {
		return err
	}
	var changed, known, all, files, fresh, texts int
	var took, share []float64
	for _, c := range commits[1:] {
		if err := checkout(ctx, dir, c); err != nil {
			return err
		}
		start := time.Now()
		rep, err := e.Sync(ctx, engine.Options{})
		if err != nil {
			return fmt.Errorf("at %.10s: %w", c, err)
		}
		took = append(took, ms(time.Since(start)))
		n, now, before, err := past.take(ctx, e)
		if err != nil {
			return err
		}
		texts, fresh = texts+now, fresh+now-before
		files += rep.Docs
		changed += rep.Chunks
		known += rep.Reused
		all += n
		if rep.Chunks > 0 {
			share = append(share, 100*float64(rep.Reused)/float64(rep.Chunks))
		}
	}
	if changed == 0 || all == 0 || texts == 0 {
		return errors.New("no commit changed a document")
	}
	b.table.note("history: %d commits made %d documents of %d chunks; the index had %d chunks at the end of a commit on average",
		len(commits)-1, files, changed, all/(len(commits)-1))
	b.table.add("chunks known before, of changed files", "%", 100*float64(known)/float64(changed))
	b.table.add("  by commit", "%", share...)
	b.table.add("chunks known before, of all", "%", 100-100*float64(changed-known)/float64(all))
	b.table.add("chunks of changed files whose text an earlier commit had", "%", 100-100*float64(fresh)/float64(texts))
	b.table.add("refresh after a commit, in this process", "ms", took...)
	return os.RemoveAll(dir)
}

// A past is the texts that an index had so far. It is kept beside the index and
// knows nothing of what that remembers.
type past struct {
	docs  map[string]corpus.Hash // by path
	texts map[corpus.Hash]bool   // of chunks
}

// take looks at an index and returns how many chunks it has, how many of them lie
// in documents that are new or changed, and how many of those had a text that the
// past has already.
func (p *past) take(ctx context.Context, e *engine.Engine) (all, changed, before int, err error) {
	v, err := e.Frozen(ctx)
	if err != nil {
		return 0, 0, 0, err
	}
	docs, err := documents(v)
	if err != nil {
		return 0, 0, 0, err
	}
	var now []corpus.Hash
	for _, d := range docs {
		all += int(d.Chunks)
		if p.docs[d.Path] == d.Hash {
			continue
		}
		p.docs[d.Path] = d.Hash
		chunks, err := v.Snap.Chunks(d.Path)
		if err != nil {
			return 0, 0, 0, err
		}
		for _, c := range chunks {
			now = append(now, c.Hash)
			if p.texts[c.Hash] {
				before++
			}
		}
	}
	for _, h := range now {
		p.texts[h] = true
	}
	return all, len(now), before, nil
}

func checkout(ctx context.Context, dir, commit string) error {
	_, err := git(ctx, dir, "checkout", "--quiet", "--force", "--detach", commit)
	return err
}

// git runs git without the hooks and the file system monitor that a repository
// may name.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	var out bytes.Buffer
	args = append([]string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "advice.detachedHead=false"}, args...)
	_, err := timed.Program{Dir: dir, Out: &out}.Run(ctx, "git", args...)
	return out.String(), err
}
