package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// A call is a tool with its arguments.
type call struct {
	tool string
	args map[string]any
}

// A habit is how often a user makes a call, of 100.
type habit struct {
	often int
	name  string
	code  bool // it is asked of repositories
	make  func(r *rand.Rand, p pool, library string) call
}

// habits are what agents ask for in a session of work: mostly where something is, now and then what
// calls it, and seldom what costs more.
func habits() []habit {
	return []habit{
		{38, "hybrid_search", true, func(r *rand.Rand, p pool, _ string) call {
			return call{"hybrid_search", map[string]any{"query": some(r, pick(r, p.words))}}
		}},
		{10, "semantic_search", true, func(r *rand.Rand, p pool, _ string) call {
			return call{"semantic_search", map[string]any{"query": some(r, pick(r, p.words))}}
		}},
		{12, "regex_search", true, func(r *rand.Rand, p pool, _ string) call {
			return call{"regex_search", map[string]any{"query": `\b` + pick(r, p.names) + `\b`}}
		}},
		{15, "assay", true, func(r *rand.Rand, p pool, _ string) call {
			return call{"assay", map[string]any{"query_type": pick(r, []string{"def", "callers", "callees", "refs", "functions"}), "pattern": pick(r, p.names)}}
		}},
		{5, "brief", true, func(r *rand.Rand, p pool, _ string) call {
			return call{"brief", map[string]any{"task": pick(r, p.words), "tokens": 2000}}
		}},
		{10, "query-docs", false, func(r *rand.Rand, p pool, library string) call {
			return call{"query-docs", map[string]any{"libraryId": library, "query": some(r, pick(r, p.words))}}
		}},
		{8, "memory_search", false, func(r *rand.Rand, p pool, _ string) call {
			return call{"memory_search", map[string]any{"query": some(r, pick(r, p.words))}}
		}},
		{2, "memory_store", false, func(r *rand.Rand, p pool, _ string) call {
			return call{"memory_store", map[string]any{"content": "We decided: " + pick(r, p.words)}}
		}},
	}
}

// A user has a token of a team, whose repositories have what they ask for.
type user struct {
	token   string
	places  []place
	library string
}

// aboutOne is how often a question about code names the repository that it is about, of 10, where there
// are several. The others are asked of all.
const aboutOne = 8

// A sample is what came of a call.
type sample struct {
	tool string
	at   time.Time
	took time.Duration
	none bool // there is no such name
	err  error
}

const (
	answerTime = 60 * time.Second
	maxAnswer  = 16 << 20
)

// crowd has users work until the time is over, and returns their calls.
func crowd(ctx context.Context, o options, client *http.Client, url string, users []user) []sample {
	ctx, stop := context.WithTimeout(ctx, o.time)
	defer stop()
	var mu sync.Mutex
	var all []sample
	var wg sync.WaitGroup
	for i, u := range users {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(i)))
			// They do not all come at the same moment.
			wait := time.Duration(r.Float64() * float64(o.think))
			for n := 1; ; n++ {
				t := time.NewTimer(wait)
				select {
				case <-ctx.Done():
					t.Stop()
					return
				case <-t.C:
				}
				c := choose(r, u)
				s := sample{tool: c.tool, at: time.Now()}
				s.none, s.err = ask(context.WithoutCancel(ctx), client, url, u.token, n, c) // what was begun is counted
				s.took = time.Since(s.at)
				mu.Lock()
				all = append(all, s)
				mu.Unlock()
				wait = time.Duration(r.ExpFloat64() * float64(o.think))
			}
		})
	}
	wg.Wait()
	return all
}

func choose(r *rand.Rand, u user) call {
	n, about := r.IntN(100), u.places[r.IntN(len(u.places))]
	for _, h := range habits() {
		if n -= h.often; n >= 0 {
			continue
		}
		c := h.make(r, about.pool, u.library)
		if h.code && len(u.places) > 1 && r.IntN(10) < aboutOne {
			c.args["repo"] = []string{about.name}
		}
		return c
	}
	return habits()[0].make(r, about.pool, u.library)
}

// ask makes a call. That there is no such name is an answer.
func ask(ctx context.Context, client *http.Client, url, token string, id int, c call) (none bool, err error) {
	ctx, stop := context.WithTimeout(ctx, answerTime)
	defer stop()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{"name": c.tool, "arguments": c.args}})
	if err != nil {
		return false, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	res, err := client.Do(req)
	if err != nil {
		return false, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return false, err
	}
	text := string(answer)
	switch {
	case res.StatusCode != http.StatusOK || !strings.Contains(text, `"result"`):
		return false, fmt.Errorf("%d to %s: %.300s", res.StatusCode, body, text)
	case strings.Contains(text, `"isError":true`) && !nothing(text):
		return false, fmt.Errorf("%s: %.300s", body, text)
	}
	return strings.Contains(text, `"isError":true`), nil
}

// nothing says whether an answer is that the tree has no such name.
func nothing(text string) bool { return strings.Contains(text, "; looked at ") }

// Figures of the calls of a tool, or of all.
type figures struct {
	calls  int
	none   int             // answers that there is no such name
	took   []time.Duration // sorted
	errors []error
}

func figuresOf(all []sample, tool string, from time.Time) figures {
	var f figures
	for _, s := range all {
		if tool != "" && s.tool != tool || s.at.Before(from) {
			continue
		}
		f.calls++
		if s.err != nil {
			f.errors = append(f.errors, s.err)
			continue
		}
		if s.none {
			f.none++
		}
		f.took = append(f.took, s.took)
	}
	slices.Sort(f.took)
	return f
}

// at returns the latency that a part of the answers did not pass.
func (f *figures) at(part float64) time.Duration {
	if len(f.took) == 0 {
		return 0
	}
	return f.took[min(int(part*float64(len(f.took))), len(f.took)-1)].Round(100 * time.Microsecond)
}
