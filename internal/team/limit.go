package team

import (
	"sync"
	"time"
)

// A limiter bounds the calls of each token per minute and of each team per day. Unused calls of a token add up to those of
// one minute, no more.
type limiter struct {
	now func() time.Time

	mu     sync.Mutex
	tokens map[string]*bucket // by ID
	day    string
	teams  map[string]int
}

type bucket struct {
	left float64
	at   time.Time
}

func newLimiter(now func() time.Time) *limiter {
	return &limiter{now: now, tokens: map[string]*bucket{}, teams: map[string]int{}}
}

// allow counts a request, or returns how long to wait and the name of the limit that it has reached.
func (l *limiter) allow(h Holder, t *Team) (wait time.Duration, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if day := now.UTC().Format(time.DateOnly); day != l.day {
		l.day, l.teams = day, map[string]int{}
	}
	if t.Daily > 0 && l.teams[h.Team] >= t.Daily {
		tomorrow := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		return tomorrow.Sub(now), "quota"
	}
	if t.Rate > 0 {
		b := l.tokens[h.ID]
		if b == nil {
			b = &bucket{left: float64(t.Rate), at: now}
			l.tokens[h.ID] = b
		}
		perSecond := float64(t.Rate) / 60
		b.left = min(float64(t.Rate), b.left+now.Sub(b.at).Seconds()*perSecond)
		b.at = now
		if b.left < 1 {
			return time.Duration((1 - b.left) / perSecond * float64(time.Second)), "rate"
		}
		b.left--
	}
	l.teams[h.Team]++
	return 0, ""
}
