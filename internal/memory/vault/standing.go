package vault

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/fault"
)

// byMemory are the keys of front matter that memory writes, whatever a note says.
var byMemory = []string{"type", "created_at", "source", "project", "id", "session", "digest", codeKey, importedKey, importedSum}

// stated takes the front matter off a note that is stored: tags, days of validity and whatever
// else it says of the note become the note's, and are no part of its text.
func (n *Note) stated() error {
	head, body, _ := cutFront([]byte(n.Content))
	m, _ := parseFront(head)
	if len(m) == 0 {
		return nil // a line of dashes in a text
	}
	f := readFront(head)
	n.Content = strings.TrimSpace(string(body))
	n.Title = cmp.Or(n.Title, f.title)
	if n.Category == "" || n.Category == "other" && slices.Contains(Categories(), f.category) {
		n.Category = f.category
	}
	if old, ok := m["supersedes"].(string); ok {
		n.Supersedes = cmp.Or(n.Supersedes, old)
		delete(m, "supersedes")
	}
	if topic, ok := m[linkTopic].(string); ok {
		n.Topic = cmp.Or(n.Topic, topic)
		delete(m, linkTopic)
	}
	n.Asked, n.Keywords = append(n.Asked, f.asked...), append(n.Keywords, listed(m[keywordsKey])...)
	delete(m, askedKey)
	delete(m, keywordsKey)
	for _, k := range append(byMemory, "title", "category") {
		delete(m, k)
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if err := understood(k, m[k]); err != nil {
			return err
		}
	}
	if len(m) == 0 {
		return nil
	}
	out, err := yaml.Marshal(m)
	n.front = string(out)
	return err
}

// understood refuses what a key of front matter says and nobody would act on.
func understood(key string, v any) error {
	switch _, yes := v.(bool); {
	case v == nil: // as good as not there
	case slices.Contains(dayKeys, key):
		said, _ := v.(string)
		if _, is := v.(time.Time); !is && dateIn(said) == 0 {
			return fault.New(fault.Usage, "%s: %q is not a date", key, fmt.Sprint(v)).Or("write it as 2025-03-14")
		}
	case key == "pinned" && !yes:
		return fault.New(fault.Usage, "pinned: %q is neither true nor false", fmt.Sprint(v)).Or("write it as pinned: true")
	case key == "importance":
		if _, known := importanceOf(v); !known {
			return fault.New(fault.Usage, "importance: %q is not known", fmt.Sprint(v)).Or("write low, normal, high, critical, or a number from 1 to 5")
		}
	}
	return nil
}

// dayKeys are the keys of front matter that have a day.
var dayKeys = []string{"date", "valid_from", "validFrom", "valid_to", "validTo", "valid_until", "expires", "expires_at", "expiry"}

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
	s.importance, _ = importanceOf(m["importance"])
	return s
}

// importanceOf reads how much a note matters, -2 to 2; false: it says nothing that is known.
func importanceOf(v any) (n int, known bool) {
	switch v := v.(type) {
	case int:
		n = v - 3
	case float64:
		n = int(v) - 3
	case string:
		words := map[string]int{"low": -1, "normal": 0, "high": 1, "critical": 2}
		word := strings.ToLower(strings.TrimSpace(v))
		if n, known = words[word]; known {
			return n, true
		}
		number, err := strconv.Atoi(word)
		if err != nil {
			return 0, false
		}
		n = number - 3
	default:
		return 0, false
	}
	return min(max(n, -2), 2), -2 <= n && n <= 2
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
