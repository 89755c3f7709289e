package check

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/work"
)

// A Runner runs checks. Its fields are all needed.
type Runner struct {
	Client *http.Client
	// Script runs a file of Lua with variables that come before the environment's. What it
	// prints goes through secrets. Its error is what the check's message is.
	Script func(ctx context.Context, file string, env map[string]string, secrets *Redactor) error
	// File reads a file that a check names, Own one of a client certificate or its key.
	File, Own func(name string) ([]byte, error)
	Env       func(name string) (string, bool)
	Note      func(format string, args ...any) // a line for the person
	Now       func() time.Time

	// Vars and Secrets are put in for ${NAME} before those of the file. What is secret is shown nowhere. Both may be nil.
	Vars, Secrets map[string]string

	vars     map[string]string // all of the suite that runs
	hidden   Redactor          // of all that runs: what nothing may show
	row      map[string]string // of the pass that runs
	captures *captures         // of the pass that runs
	once     bool              // nothing is tried again
	shared   *shared
}

// shared is what all passes of a run have in common.
type shared struct {
	sync.Mutex
	schemas schemas
}

// A Report is what came of a suite.
type Report struct {
	Passed     bool      `json:"passed"`
	Checks     []Outcome `json:"checks"`
	DurationMS int64     `json:"duration_ms"`
}

// An Outcome is what came of a check.
type Outcome struct {
	Name       string  `json:"name"`
	Passed     bool    `json:"passed"`
	DurationMS int64   `json:"duration_ms"`    // of the last attempt
	Message    *string `json:"message"`        // why it failed, or what it got
	Pass       int     `json:"pass,omitempty"` // from 1, where the checks ran more than once
	Load       *Load   `json:"load,omitempty"`
	Skipped    bool    `json:"skipped,omitempty"` // it never ran, because the run was interrupted

	kind        string
	took        time.Duration
	interrupted bool // while it ran
}

// title is what people know an outcome by.
func (o *Outcome) title() string {
	if o.Pass == 0 {
		return o.Name
	}
	return fmt.Sprintf("%s [%d]", o.Name, o.Pass)
}

// Line says how a check ended, in a line.
func (o *Outcome) Line() string {
	if o.Message == nil {
		return fmt.Sprintf("%s %s in %d ms", verdict(o.Passed), o.title(), o.DurationMS)
	}
	return fmt.Sprintf("%s %s in %d ms: %s", verdict(o.Passed), o.title(), o.DurationMS, first(o.Message))
}

// mostAtOnce bounds the checks that run at the same time.
const mostAtOnce = 64

// errTime ends what runs when a suite's time is up.
var errTime = errors.New("out of time")

// Run runs a suite. The error is that of a file that the suite needs before anything runs,
// or that of ctx: then the report, which comes with it, is of what ran until then.
func (r *Runner) Run(ctx context.Context, s *Suite) (*Report, error) {
	began := r.Now()
	r = r.orderly()
	rows, err := r.prepare(s)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, s.Timeout+s.Duration, errTime)
	defer cancel()
	report := &Report{Passed: true}
	if s.VUs > 0 {
		report.Checks = r.load(limited, s, rows)
	} else {
		report.Checks = r.passes(limited, s, rows)
	}
	for _, o := range report.Checks {
		report.Passed = report.Passed && o.Passed
	}
	report.DurationMS = r.Now().Sub(began).Milliseconds()
	return report, ctx.Err()
}

// passes runs the checks for each row, as often as they are to be repeated.
func (r *Runner) passes(ctx context.Context, s *Suite, rows []map[string]string) []Outcome {
	n := len(rows) * max(s.Repeat, 1)
	out := make([]Outcome, 0, n*len(s.Checks))
	for i := range n {
		for _, o := range r.pass(ctx, s, rows[i%len(rows)]) {
			if n > 1 {
				o.Pass = i + 1
			}
			out = append(out, o)
		}
	}
	return out
}

// pass runs each check once. What one captures is known to those of the same pass.
func (r *Runner) pass(ctx context.Context, s *Suite, row map[string]string) []Outcome {
	one := *r
	one.row, one.captures = row, newCaptures(s)
	out := make([]Outcome, len(s.Checks))
	slots := make(chan struct{}, 1)
	if s.Parallel {
		slots = make(chan struct{}, mostAtOnce)
	}
	var wg sync.WaitGroup
	for i := range s.Checks {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			out[i] = one.check(ctx, s, &s.Checks[i])
		})
	}
	wg.Wait()
	return out
}

// orderly returns a runner that tells one thing at a time.
func (r *Runner) orderly() *Runner {
	var mu sync.Mutex
	one := *r
	one.shared = &shared{schemas: schemas{}}
	one.Note = func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		r.Note(format, args...)
	}
	return &one
}

// check runs a check until it passes or no attempt is left.
func (r *Runner) check(ctx context.Context, s *Suite, c *Check) Outcome {
	attempts, backoff := s.Retries+1, s.Backoff
	if c.Retries != nil {
		attempts = *c.Retries + 1
	}
	if c.Backoff != nil {
		backoff = *c.Backoff
	}
	if r.once {
		attempts = 1
	}
	name := r.name(c)
	for _, used := range c.uses(r.captures.by) {
		if done := r.captures.done[used]; done != nil {
			select { // checks that run at the same time wait for one another
			case <-done:
			case <-ctx.Done():
			}
		}
	}
	defer func() {
		for name := range c.Capture {
			close(r.captures.done[name])
		}
	}()
	begun, last := false, ""
	for n := 1; ctx.Err() == nil; n++ {
		began := r.Now()
		begun = true
		message, ok, never := r.attempt(ctx, c)
		if ctx.Err() != nil && !ok {
			break
		}
		took := r.Now().Sub(began)
		o := Outcome{Name: name, Passed: ok, DurationMS: took.Milliseconds(), Message: message, kind: c.Type, took: took}
		if ok || never || n >= attempts {
			r.Note("check completed: %s %s in %d ms", name, verdict(ok), o.DurationMS)
			return o
		}
		r.Note("check %s failed (attempt %d of %d): %s; again in %v", name, n, attempts, first(message), backoff*time.Duration(n))
		last = first(message)
		_ = work.Sleep(ctx, backoff*time.Duration(n)) // the next attempt says so
	}
	o := Outcome{Name: name, kind: c.Type}
	var text string
	switch {
	case errors.Is(context.Cause(ctx), errTime):
		text = fmt.Sprintf("global timeout of %s exceeded", seconds(s.Timeout))
	case !begun:
		text, o.Skipped = "skipped: the run was interrupted before it", true
	case last != "":
		text, o.interrupted = "interrupted before another attempt; the last one: "+last, true
	default:
		text, o.interrupted = "interrupted", true
	}
	o.Message = &text
	if !o.Skipped { // of those, there may be as many as passes
		r.Note("check %s: %s", name, text)
	}
	return o
}

// name returns a check's name with the values of its row, which tell passes apart, and of variables; as it is written if it has others.
func (r *Runner) name(c *Check) string {
	one := Runner{row: r.row, vars: r.vars}
	name, err := one.expand(c.Name, plain)
	if err != nil {
		return c.Name
	}
	return r.hidden.text(name)
}

func verdict(ok bool) string {
	if ok {
		return "PASS"
	}
	return "FAIL"
}

func first(message *string) string {
	if message == nil {
		return ""
	}
	line, _, _ := strings.Cut(*message, "\n")
	return line
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s" }

// attempt runs a check once. never says that no further attempt can pass.
func (r *Runner) attempt(ctx context.Context, c *Check) (message *string, ok, never bool) {
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("timeout of %s exceeded", seconds(c.Timeout)))
		defer cancel()
	}
	failed, told, err := r.run(ctx, c)
	defer func() {
		if message != nil {
			shown := r.hidden.text(*message)
			message = &shown
		}
	}()
	switch {
	case err != nil && ctx.Err() != nil:
		failed = context.Cause(ctx).Error()
	case err != nil:
		failed = err.Error()
	case failed == "" && told == "":
		return nil, true, false
	case failed == "":
		return &told, true, false
	}
	_, never = errors.AsType[lasting](err)
	return &failed, false, never && ctx.Err() == nil
}

func (r *Runner) run(ctx context.Context, c *Check) (failed, told string, err error) {
	switch c.Type {
	case HTTP, GraphQL:
		failed, err = r.http(ctx, c)
		return failed, "", err
	case Prometheus:
		return r.prometheus(ctx, c)
	case Script:
		if err := c.incomplete(); err != nil {
			return "", "", Lasting(err)
		}
		env := map[string]string{}
		for name, value := range c.Env {
			if env[name], err = r.expand(value, plain); err != nil {
				return "", "", err
			}
		}
		return "", "", r.Script(ctx, c.File, env, &r.hidden)
	}
	return "", "", fmt.Errorf("unknown check type: %q", c.Type)
}
