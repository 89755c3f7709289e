package cli

import (
	"strings"
	"testing"
	"time"
)

// A bar says how fast it is and how long it takes, once half a second tells; a new stage
// starts again.
func TestBar(t *testing.T) {
	var out strings.Builder
	now := time.Unix(1000, 0)
	b := newBar(Env{Stderr: &out, ErrTerminal: true, Now: func() time.Time { return now }})
	b.show("indexing", 0, 1000) // too early to be wondered about
	for _, step := range []struct {
		after       time.Duration
		stage       string
		done, total int64
		want        string
	}{
		{200 * time.Millisecond, "indexing", 100, 1000, "indexing [==                      ] 100/1000\x1b[K"},
		{800 * time.Millisecond, "indexing", 500, 1000, "indexing [============            ] 500/1000  500/s  1s left\x1b[K"},
		{time.Second, "indexing", 504, 1000, "504/1000  252/s  1s left\x1b[K"},
		{time.Second, "vectors", 2, 9, "vectors [=====                   ] 2/9\x1b[K"},
		{time.Second, "vectors", 5, 9, "5/9  3.0/s  1s left\x1b[K"},
		{time.Minute, "vectors", 6, 9, "6/9  0.1/s  45s left\x1b[K"},
		{time.Second, "writing", 0, 0, "\r  writing…\x1b[K"},
	} {
		now = now.Add(step.after)
		out.Reset()
		b.show(step.stage, step.done, step.total)
		if !strings.HasSuffix(out.String(), step.want) {
			t.Errorf("%s %d/%d: %q, want %q", step.stage, step.done, step.total, out.String(), step.want)
		}
	}
	b.close()
	out.Reset()
	b.show("late", 1, 2)
	if out.Len() > 0 {
		t.Errorf("after its end it shows %q", out.String())
	}
}
