package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A soak is a run under way.
type soak struct {
	o      options
	bin    string
	garden *garden
	index  string
	log    io.Writer

	mu    sync.Mutex
	count struct {
		kills, landed, searches, found, absent, hits, stale, checks, indexed, edits int
		slowest                                                                     time.Duration
	}
}

func (s *soak) tally(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *soak) report() {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.count
	fmt.Fprintf(s.log, "%d processes killed, %d of them before their end; %d checks of the index\n", c.kills, c.landed, c.checks)
	fmt.Fprintf(s.log, "%d searches, the slowest %s: %d words found that stood, %d not found that were gone, %d hits held against their files\n",
		c.searches, c.slowest.Round(time.Millisecond), c.found, c.absent, c.hits)
	fmt.Fprintf(s.log, "%d edits and %d runs of the indexer beside them; %d answers said that they were stale\n", c.edits, c.indexed, c.stale)
}

// A running is a process that was started.
type running struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
	args     []string
}

// start starts the program on the tree.
func (s *soak) start(ctx context.Context, args ...string) (*running, error) {
	r := &running{args: args}
	args = append([]string{args[0], "--root", s.garden.dir, "--index-dir", s.index}, args[1:]...)
	r.cmd = exec.CommandContext(ctx, s.bin, args...)
	r.cmd.Dir, r.cmd.Stdout, r.cmd.Stderr = s.garden.dir, &r.out, &r.err
	return r, r.cmd.Start()
}

// end waits for a process, which must neither fail nor find damage.
func (r *running) end() error {
	err := r.cmd.Wait()
	if err == nil && strings.Contains(r.err.String(), "damaged") {
		err = errors.New("it found damage")
	}
	if err != nil {
		return fmt.Errorf("assay %s: %w: %s", strings.Join(r.args, " "), err, strings.TrimSpace(r.err.String()))
	}
	return nil
}

func (s *soak) run(ctx context.Context, args ...string) (*running, error) {
	r, err := s.start(ctx, args...)
	if err != nil {
		return nil, err
	}
	return r, r.end()
}

// check has the program verify every block of its index.
func (s *soak) check(ctx context.Context) error {
	s.tally(func() { s.count.checks++ })
	_, err := s.run(ctx, "index", "--check", "--quiet")
	return err
}

// An answer is what assay search --json prints.
type answer struct {
	Stale int
	Hits  []hit
}

type hit struct {
	Path    string
	Snippet string
	Span    struct {
		Start int `json:"byte_start"`
		End   int `json:"byte_end"`
	}
}

// search asks for a word and judges the answer; p is nil where the words are
// ones that many files have.
func (s *soak) search(ctx context.Context, p *plant, words string) error {
	if p != nil {
		words = p.word
	}
	start := time.Now()
	r, err := s.run(ctx, "search", "--json", "--", words)
	if err != nil {
		return err
	}
	end := time.Now()
	var a answer
	if err := json.Unmarshal(r.out.Bytes(), &a); err != nil {
		return fmt.Errorf("assay search --json %s: %v: %s", words, err, r.out.String())
	}
	s.tally(func() {
		s.count.searches++
		s.count.slowest = max(s.count.slowest, end.Sub(start))
		s.count.hits += len(a.Hits)
		if a.Stale > 0 {
			s.count.stale++
		}
	})
	if a.Stale > 0 && !s.o.full {
		return fmt.Errorf("search %s: %d files were stale, and nobody builds the index anew", words, a.Stale)
	}
	return s.judge(a, p, words, start, end)
}

// judge holds an answer against the tree.
func (s *soak) judge(a answer, p *plant, words string, start, end time.Time) error {
	var at []string // files with the plant's word in their snippet
	for _, h := range a.Hits {
		rel, err := filepath.Rel(s.garden.dir, h.Path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		text, readErr := os.ReadFile(h.Path)
		quotes := readErr == nil && 0 <= h.Span.Start && h.Span.Start < h.Span.End && h.Span.End <= len(text) &&
			strings.ToValidUTF8(string(text[h.Span.Start:h.Span.End]), "\uFFFD") == h.Snippet
		if !quotes && s.garden.still(rel, start) {
			return fmt.Errorf("search %s: the snippet of %s does not stand there at %d-%d: %v", words, rel, h.Span.Start, h.Span.End, readErr)
		}
		if p != nil && strings.Contains(h.Snippet, p.word) {
			at = append(at, rel)
		}
	}
	if p == nil {
		if len(a.Hits) == 0 && a.Stale == 0 {
			return fmt.Errorf("search %s: nothing, and half the tree has these words", words)
		}
		return nil
	}
	switch {
	case s.garden.absent(p, start):
		if len(at) > 0 {
			return fmt.Errorf("search %s: found in %v, and it was gone from %s before", p.word, at, p.file)
		}
		s.tally(func() { s.count.absent++ })
	case s.garden.stood(p, start, end):
		for _, file := range at {
			if file == p.file {
				s.tally(func() { s.count.found++ })
				return nil
			}
		}
		if a.Stale == 0 {
			return fmt.Errorf("search %s: not found in %s, where it stood all the time; %d hits", p.word, p.file, len(a.Hits))
		}
	}
	return nil
}

// ask searches for a plant that stands, one that is gone, or common words.
func (s *soak) ask(ctx context.Context, rng *rand.Rand) error {
	switch n := rng.IntN(8); {
	case n == 0:
		return s.search(ctx, nil, soil[rng.IntN(len(soil))]+" "+soil[rng.IntN(len(soil))])
	case n < 3:
		if p := s.garden.gone(rng); p != nil {
			return s.search(ctx, p, "")
		}
	}
	if p := s.garden.standing(rng); p != nil {
		return s.search(ctx, p, "")
	}
	return nil
}
