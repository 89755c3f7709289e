package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A bar shows how far an operation is, on a terminal only, and only when it takes
// long enough to be wondered about.
type bar struct {
	w  io.Writer // nil: nowhere
	mu sync.Mutex

	start, last time.Time
	shown       bool
}

const (
	barDelay = 150 * time.Millisecond
	barEvery = 80 * time.Millisecond
	barWidth = 24
)

func newBar(env Env) *bar {
	b := &bar{start: time.Now()}
	if env.ErrTerminal {
		b.w = env.Stderr
	}
	return b
}

func (b *bar) show(stage string, done, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.w == nil || now.Sub(b.start) < barDelay || now.Sub(b.last) < barEvery {
		return
	}
	b.last, b.shown = now, true
	line := "  " + stage + "…"
	if total > 0 {
		full := int(barWidth * min(done, total) / total)
		line = fmt.Sprintf("  %s [%s%s] %d/%d", stage, strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), done, total)
	}
	fmt.Fprintf(b.w, "\r%s\x1b[K", line)
}

// clear takes the bar off the terminal.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.shown = false
	}
}
