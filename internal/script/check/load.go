package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// Load is what a check did under load. Times are milliseconds.
type Load struct {
	Count  int     `json:"count"`
	Failed int     `json:"failed"`
	Rate   float64 `json:"rate"` // a second
	P50    float64 `json:"p50_ms"`
	P90    float64 `json:"p90_ms"`
	P95    float64 `json:"p95_ms"`
	P99    float64 `json:"p99_ms"`
	Max    float64 `json:"max_ms"`
}

// thresholds are limits of a load: p50, p90, p95, p99 and max, each a duration, and errors, the share that may fail.
type thresholds map[string]float64

// percentiles are the names of those limits, with how they are asked for.
var percentiles = []struct {
	name string
	per  float64 // of a hundred
	of   func(*Load) *float64
}{
	{"p50", 50, func(l *Load) *float64 { return &l.P50 }},
	{"p90", 90, func(l *Load) *float64 { return &l.P90 }},
	{"p95", 95, func(l *Load) *float64 { return &l.P95 }},
	{"p99", 99, func(l *Load) *float64 { return &l.P99 }},
	{"max", 100, func(l *Load) *float64 { return &l.Max }},
}

// limits reads thresholds over those of a whole file.
func limits(raw map[string]string, over thresholds) (thresholds, error) {
	t := thresholds{}
	maps.Copy(t, over)
	for name, text := range raw {
		switch name {
		case "p50", "p90", "p95", "p99", "max":
			d, err := Duration(text)
			if err != nil {
				return nil, fmt.Errorf("thresholds: %s: %w", name, err)
			}
			t[name] = millisOf(d)
		case "errors":
			number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
			v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if percent {
				v /= 100
			}
			if err != nil || !(v >= 0 && v <= 1) {
				return nil, fmt.Errorf("thresholds: errors: %q is not a share, as 1%% or 0.01", text)
			}
			t[name] = v
		default:
			return nil, fmt.Errorf("thresholds: unknown limit %q: p50, p90, p95, p99, max and errors are known", name)
		}
	}
	return t, nil
}

func millisOf(d time.Duration) float64 {
	return math.Round(float64(d)/float64(time.Microsecond)) / 1000
}

// A tally counts what came of one check.
type tally struct {
	mu     sync.Mutex
	took   []time.Duration
	failed int
	why    string // of the first that failed
}

func (t *tally) add(o Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.took = append(t.took, o.took)
	if !o.Passed {
		if t.failed == 0 && o.Message != nil {
			t.why = *o.Message
		}
		t.failed++
	}
}

// outcome is the verdict over all runs of a check.
func (t *tally) outcome(c *Check, ran time.Duration) Outcome {
	l := &Load{Count: len(t.took), Failed: t.failed}
	if ran > 0 {
		l.Rate = math.Round(float64(l.Count)/ran.Seconds()*100) / 100
	}
	o := Outcome{Name: c.Name, kind: c.Type, Load: l}
	if l.Count == 0 {
		text := "it never ran"
		o.Message = &text
		return o
	}
	sorting.Stable(t.took, cmp.Compare[time.Duration])
	var above []string
	for _, p := range percentiles {
		at := max(int(math.Ceil(p.per/100*float64(l.Count))), 1) - 1 // nearest rank
		*p.of(l) = millisOf(t.took[at])
		if most, ok := c.thresholds[p.name]; ok && *p.of(l) > most {
			above = append(above, fmt.Sprintf("%s is %s ms, above %s ms", p.name, number(*p.of(l)), number(most)))
		}
	}
	o.DurationMS = t.took[(l.Count-1)/2].Milliseconds()
	failures := ""
	if t.failed > 0 {
		failures = fmt.Sprintf("%d of %d failed (%s%%)", l.Failed, l.Count, percent(l.Failed, l.Count))
		if t.why != "" {
			failures += ": " + t.why
		}
	}
	if share := float64(l.Failed) / float64(l.Count); share > c.thresholds["errors"] {
		above = append(above, failures)
	} else if failures != "" {
		o.Message = &failures
	}
	if o.Passed = len(above) == 0; !o.Passed {
		text := strings.Join(above, "; ")
		o.Message = &text
	}
	return o
}

// cutShort makes an outcome that of a load which was interrupted: no verdict on a part is one on the whole.
func (o *Outcome) cutShort(ran time.Duration) {
	text := fmt.Sprintf("interrupted after %s", seconds(ran.Round(time.Millisecond)))
	if o.Load.Count == 0 {
		o.Skipped = true
	} else if o.Message != nil {
		text += ": " + *o.Message
	}
	o.Passed, o.Message = false, &text
}

func percent(n, of int) string {
	return strconv.FormatFloat(math.Round(float64(n)/float64(of)*10000)/100, 'f', -1, 64)
}

// load lets as many users as a suite says run its checks at once, pass after pass, until its duration is over, or as many passes were
// begun as it has rows and repetitions. Each attempt counts by itself: nothing is tried again.
func (r *Runner) load(ctx context.Context, s *Suite, rows []map[string]string) []Outcome {
	began := r.Now()
	passes := len(rows) * max(s.Repeat, 1)
	more := func(n int) bool { return n < passes }
	if s.Duration > 0 {
		more = func(int) bool { return r.Now().Sub(began) < s.Duration }
	}
	one := *r
	one.once, one.Note = true, func(string, ...any) {}
	tallies := make([]tally, len(s.Checks))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range s.VUs {
		wg.Go(func() {
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if !more(n) {
					return
				}
				for i, o := range one.pass(ctx, s, rows[n%len(rows)]) {
					if !o.Skipped && !o.interrupted {
						tallies[i].add(o)
					}
				}
			}
		})
	}
	wg.Wait()
	ran := r.Now().Sub(began)
	out := make([]Outcome, len(s.Checks))
	for i := range s.Checks {
		c := &s.Checks[i]
		out[i] = tallies[i].outcome(c, ran)
		out[i].Name = r.name(c)
		if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTime) {
			out[i].cutShort(ran)
		}
		l := out[i].Load
		r.Note("check completed: %s %s, %d times, %s%% failed, p95 %s ms", out[i].Name, verdict(out[i].Passed), l.Count, percent(l.Failed, max(l.Count, 1)), number(l.P95))
	}
	return out
}

// mostVUs bounds the users of a load.
const mostVUs = 10_000

// Under makes a suite run under load by so many users, for a duration if there is one, or else for its rows and repetitions.
func (s *Suite) Under(vus int, d time.Duration) error {
	switch {
	case vus == 0 && d > 0:
		vus = 1
	case vus > mostVUs:
		return fmt.Errorf("%d users, at most %d", vus, mostVUs)
	case vus > 0 && d == 0 && s.Repeat == 0 && s.Rows == nil && s.Data == "":
		return errors.New("a load needs a duration, as 30s, or a number of repetitions")
	}
	s.VUs, s.Duration = vus, d
	return nil
}
