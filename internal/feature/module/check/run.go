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
)

// A Runner runs checks. Its fields are all needed.
type Runner struct {
	Client *http.Client
	// Script runs a file of Lua with variables that come before the environment's. Its
	// error is what the check's message is.
	Script func(ctx context.Context, file string, env map[string]string) error
	// File reads a file that a check names.
	File func(name string) ([]byte, error)
	Env  func(name string) (string, bool)
	Note func(format string, args ...any) // a line for the person
	Now  func() time.Time

	captures *captures // of the suite that runs
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
	DurationMS int64   `json:"duration_ms"` // of the last attempt
	Message    *string `json:"message"`     // why it failed, or what it got

	kind string
}

// mostAtOnce bounds the checks that run at the same time.
const mostAtOnce = 64

// errTime ends what runs when a suite's time is up.
var errTime = errors.New("out of time")

// Run runs a suite. The error is that of ctx.
func (r *Runner) Run(ctx context.Context, s *Suite) (*Report, error) {
	began := r.Now()
	r = r.orderly()
	r.captures = newCaptures(s)
	limited, cancel := context.WithTimeoutCause(ctx, s.Timeout, errTime)
	defer cancel()
	report := &Report{Passed: true, Checks: make([]Outcome, len(s.Checks))}
	slots := make(chan struct{}, 1)
	if s.Parallel {
		slots = make(chan struct{}, mostAtOnce)
	}
	var wg sync.WaitGroup
	for i := range s.Checks {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			report.Checks[i] = r.check(limited, s, &s.Checks[i])
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, o := range report.Checks {
		report.Passed = report.Passed && o.Passed
	}
	report.DurationMS = r.since(began)
	return report, nil
}

// orderly returns a runner that tells one thing at a time.
func (r *Runner) orderly() *Runner {
	var mu sync.Mutex
	one := *r
	one.Note = func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		r.Note(format, args...)
	}
	return &one
}

func (r *Runner) since(t time.Time) int64 { return r.Now().Sub(t).Milliseconds() }

// check runs a check until it passes or no attempt is left.
func (r *Runner) check(ctx context.Context, s *Suite, c *Check) Outcome {
	attempts, backoff := s.Retries+1, s.Backoff
	if c.Retries != nil {
		attempts = *c.Retries + 1
	}
	if c.Backoff != nil {
		backoff = *c.Backoff
	}
	for _, name := range c.uses(r.captures.by) {
		if done := r.captures.done[name]; done != nil {
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
	for n := 1; ctx.Err() == nil; n++ {
		began := r.Now()
		message, ok := r.attempt(ctx, c)
		if ctx.Err() != nil && !ok {
			break
		}
		o := Outcome{Name: c.Name, Passed: ok, DurationMS: r.since(began), Message: message, kind: c.Type}
		if ok || n >= attempts {
			r.Note("check completed: %s %s in %d ms", c.Name, verdict(ok), o.DurationMS)
			return o
		}
		r.Note("check %s failed (attempt %d of %d): %s; again in %v", c.Name, n, attempts, first(message), backoff*time.Duration(n))
		pause(ctx, backoff*time.Duration(n))
	}
	text := fmt.Sprintf("global timeout of %s exceeded", seconds(s.Timeout))
	r.Note("check %s: %s", c.Name, text)
	return Outcome{Name: c.Name, Message: &text, kind: c.Type}
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

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// attempt runs a check once.
func (r *Runner) attempt(ctx context.Context, c *Check) (message *string, ok bool) {
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("timeout of %s exceeded", seconds(c.Timeout)))
		defer cancel()
	}
	failed, told, err := r.run(ctx, c)
	switch {
	case err != nil && ctx.Err() != nil:
		failed = context.Cause(ctx).Error()
	case err != nil:
		failed = err.Error()
	case failed == "" && told == "":
		return nil, true
	case failed == "":
		return &told, true
	}
	return &failed, false
}

func (r *Runner) run(ctx context.Context, c *Check) (failed, told string, err error) {
	switch c.Type {
	case HTTP:
		failed, err = r.http(ctx, c)
		return failed, "", err
	case Prometheus:
		return r.prometheus(ctx, c)
	case Script:
		if c.File == "" {
			return "", "", errors.New("script check requires a 'file' field")
		}
		env := map[string]string{}
		for name, value := range c.Env {
			if env[name], err = r.expand(value, false); err != nil {
				return "", "", err
			}
		}
		return "", "", r.Script(ctx, c.File, env)
	}
	return "", "", fmt.Errorf("unknown check type: %q", c.Type)
}

// expand puts into text what checks have captured where it has ${NAME}, and, where
// it is meant for variables too, those of ${NAME} and ${NAME:-default}.
func (r *Runner) expand(s string, variables bool) (string, error) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "${")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		name, otherwise, has := strings.Cut(inside, ":-")
		if closed && !has {
			v, known, err := r.captures.lookup(name)
			if err != nil {
				return "", err
			}
			if known {
				b.WriteString(v)
				s = after
				continue
			}
		}
		if !closed || !variables || !variable(name) {
			b.WriteString("${")
			s = rest
			continue
		}
		v, set := r.Env(name)
		switch {
		case set && (v != "" || !has):
			b.WriteString(v)
		case has:
			b.WriteString(otherwise)
		default:
			return "", fmt.Errorf("the environment variable %s is not set", name)
		}
		s = after
	}
}

// variable reports whether a name is one of an environment variable, in capitals:
// ${1} is a group of a regular expression.
func variable(name string) bool {
	for i := range len(name) {
		c := name[i]
		if (c < 'A' || c > 'Z') && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
