package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
)

// A bar shows how far an operation is, on a terminal only, and only when it takes long enough to be wondered about.
type bar struct {
	w        io.Writer // standard error
	terminal bool
	now      func() time.Time

	mu          sync.Mutex
	start, last time.Time
	shown, over bool

	stage string // at hand, since when, and how much of it was done then
	since time.Time
	had   int64
}

const (
	barDelay = 150 * time.Millisecond
	barEvery = 80 * time.Millisecond
	barPace  = 500 * time.Millisecond
	barWidth = 24
)

func newBar(env Env) *bar {
	now := env.Now
	if now == nil {
		now = time.Now
	}
	return &bar{w: env.Stderr, terminal: env.ErrTerminal, now: now, start: now()}
}

func (b *bar) show(stage string, done, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if stage != b.stage || done < b.had {
		b.stage, b.since, b.had = stage, now, done
	}
	if !b.terminal || b.over || now.Sub(b.start) < barDelay || now.Sub(b.last) < barEvery {
		return
	}
	b.last, b.shown = now, true
	line := "  " + stage + "…"
	if total > 0 {
		full := int(barWidth * min(max(done, 0), total) / total)
		line = fmt.Sprintf("  %s [%s%s] %d/%d", stage, strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), done, total) + pace(done-b.had, total-done, now.Sub(b.since))
	}
	fmt.Fprintf(b.w, "\r%s\x1b[K", text.Line(line))
}

// pace says how many of something are done in a second, and how long the rest will take at
// that; nothing while that would be a guess.
func pace(done, left int64, in time.Duration) string {
	if in < barPace || done <= 0 || left < 0 {
		return ""
	}
	rate := float64(done) / in.Seconds()
	return fmt.Sprintf("  %.*f/s  ", map[bool]int{true: 1}[rate < 10], rate) +
		(time.Duration(float64(left)/rate) * time.Second).String() + " left"
}

// say writes a line for the person.
func (b *bar) say(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	fmt.Fprintf(b.w, "assay: %s\n", text.Log(fmt.Sprintf(format, args...)))
}

func (b *bar) close() { b.end(true) }

func (b *bar) end(over bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	b.over = b.over || over
}

func (b *bar) erase() {
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.shown = false
	}
}
