package vault

import (
	"strconv"
	"strings"
	"time"
)

// A standing is what a note says of its own worth: from when to when it holds, that
// it is to be kept in front, and how much it matters.
type standing struct {
	from       day // the first day on which it holds; 0: always
	until      day // the first day on which it holds no longer; 0: never
	pinned     bool
	importance int // -2..2; 0 is what most notes are
}

// standingOf reads valid_from, valid_to (the last day), expires (the first day on which
// it is over), pinned and importance: low, normal, high, critical, or 1 to 5.
func standingOf(m map[string]any, when func(keys ...string) time.Time) (s standing) {
	s.from = dayOf(when("valid_from", "validFrom"))
	if to := dayOf(when("valid_to", "validTo", "valid_until")); to != 0 {
		s.until = to + 1
	}
	if end := dayOf(when("expires", "expires_at", "expiry")); end != 0 && (s.until == 0 || end < s.until) {
		s.until = end
	}
	s.pinned, _ = m["pinned"].(bool)
	switch v := m["importance"].(type) {
	case int:
		s.importance = min(max(v-3, -2), 2)
	case float64:
		s.importance = min(max(int(v)-3, -2), 2)
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "low":
			s.importance = -1
		case "high":
			s.importance = 1
		case "critical":
			s.importance = 2
		default:
			if n, err := strconv.Atoi(strings.TrimSpace(v)); err == nil {
				s.importance = min(max(n-3, -2), 2)
			}
		}
	}
	return s
}

// holds reports whether a note holds on one of the days from up to, not including, to.
func (s standing) holds(from, to day) bool {
	return (s.from == 0 || s.from < to) && (s.until == 0 || s.until > from)
}

// says words why a note does not hold on a day; "" where it does.
func (s standing) says(today day) string {
	switch {
	case s.from != 0 && today < s.from:
		return "valid from " + timeOf(s.from).Format(time.DateOnly)
	case s.until != 0 && today >= s.until:
		return "expired on " + timeOf(s.until).Format(time.DateOnly)
	}
	return ""
}
