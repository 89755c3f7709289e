package team

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/sorting"
)

// buckets are the upper ends of a histogram of seconds.
var buckets = [...]float64{.005, .01, .025, .05, .1, .15, .25, .5, 1, 2.5, 5, 10, 30}

// A meter has the counters of the server and writes them in the text format of Prometheus. Its labels are only names of
// teams, tools and outcomes, because a client must not be able to make it grow.
type meter struct {
	started time.Time

	mu        sync.Mutex
	calls     map[[3]string]uint64 // team, tool, outcome
	refused   map[string]uint64    // by reason
	durations map[string]*histogram
	running   map[string]int // by team
}

type histogram struct {
	counts [len(buckets) + 1]uint64
	sum    float64
}

func newMeter(now time.Time) *meter {
	return &meter{started: now, calls: map[[3]string]uint64{}, refused: map[string]uint64{}, durations: map[string]*histogram{}, running: map[string]int{}}
}

func (m *meter) countCall(team, tool, outcome string, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[[3]string{team, tool, outcome}]++
	h := m.durations[tool]
	if h == nil {
		h = &histogram{}
		m.durations[tool] = h
	}
	s := took.Seconds()
	i := 0
	for i < len(buckets) && s > buckets[i] {
		i++
	}
	h.counts[i]++
	h.sum += s
}

func (m *meter) countRefusal(why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused[why]++
}

func (m *meter) addRunning(team string, by int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running[team] += by
}

// write writes all counters and the number of waiting calls.
func (m *meter) write(w io.Writer, waiting int) error {
	var b strings.Builder
	head := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	m.mu.Lock()
	head("assay_calls_total", "counter", "Tool calls, by team, tool and outcome.")
	calls := slices.Collect(maps.Keys(m.calls))
	sorting.Stable(calls, func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	for _, k := range calls {
		fmt.Fprintf(&b, "assay_calls_total{team=%q,tool=%q,outcome=%q} %d\n", k[0], k[1], k[2], m.calls[k])
	}
	head("assay_call_seconds", "histogram", "Duration of calls in seconds, by tool.")
	for _, tool := range slices.Sorted(maps.Keys(m.durations)) {
		h, n := m.durations[tool], uint64(0)
		for i, le := range buckets {
			n += h.counts[i]
			fmt.Fprintf(&b, "assay_call_seconds_bucket{tool=%q,le=\"%g\"} %d\n", tool, le, n)
		}
		n += h.counts[len(buckets)]
		fmt.Fprintf(&b, "assay_call_seconds_bucket{tool=%q,le=\"+Inf\"} %d\nassay_call_seconds_sum{tool=%q} %g\nassay_call_seconds_count{tool=%q} %d\n", tool, n, tool, h.sum, tool, n)
	}
	head("assay_refused_total", "counter", "Refused requests, by reason.")
	for _, why := range slices.Sorted(maps.Keys(m.refused)) {
		fmt.Fprintf(&b, "assay_refused_total{reason=%q} %d\n", why, m.refused[why])
	}
	head("assay_running", "gauge", "Running requests, by team.")
	for _, team := range slices.Sorted(maps.Keys(m.running)) {
		fmt.Fprintf(&b, "assay_running{team=%q} %d\n", team, m.running[team])
	}
	m.mu.Unlock()
	head("assay_waiting", "gauge", "Calls waiting to run.")
	fmt.Fprintf(&b, "assay_waiting %d\n", waiting)
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	head("assay_heap_bytes", "gauge", "Heap memory in use, in bytes.")
	fmt.Fprintf(&b, "assay_heap_bytes %d\n", mem.HeapAlloc)
	head("assay_goroutines", "gauge", "Goroutines.")
	fmt.Fprintf(&b, "assay_goroutines %d\n", runtime.NumGoroutine())
	head("process_start_time_seconds", "gauge", "Start time of the server, in Unix seconds.")
	fmt.Fprintf(&b, "process_start_time_seconds %d\n", m.started.Unix())
	_, err := io.WriteString(w, b.String())
	return err
}
