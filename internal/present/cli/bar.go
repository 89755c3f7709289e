package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
)

// A bar shows how far an operation is, on a terminal only, and only when it takes
// long enough to be wondered about.
type bar struct {
	w        io.Writer // standard error
	terminal bool
	now      func() time.Time

	mu          sync.Mutex
	start, last time.Time
	shown, over bool
}

const (
	barDelay = 150 * time.Millisecond
	barEvery = 80 * time.Millisecond
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
	if !b.terminal || b.over || now.Sub(b.start) < barDelay || now.Sub(b.last) < barEvery {
		return
	}
	b.last, b.shown = now, true
	line := "  " + stage + "…"
	if total > 0 {
		full := int(barWidth * min(max(done, 0), total) / total)
		line = fmt.Sprintf("  %s [%s%s] %d/%d", stage, strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), done, total)
	}
	fmt.Fprintf(b.w, "\r%s\x1b[K", text.Visible(line))
}

// say writes a line for the person.
func (b *bar) say(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	fmt.Fprintf(b.w, "assay: %s\n", text.Visible(fmt.Sprintf(format, args...)))
}

// clear takes the bar off the terminal until it is shown again.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
}

// close takes the bar off the terminal for good: what still reports how far it is
// would write into the answer.
func (b *bar) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	b.over = true
}

func (b *bar) erase() {
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.shown = false
	}
}
