package check

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/text"
)

// headerSource begins a capture from a header of the answer.
const headerSource = "header "

// captures are what checks took from their answers for checks after them.
type captures struct {
	by   map[string]string // the check that captures a name
	done map[string]chan struct{}

	mu     sync.Mutex
	values map[string]string
}

func newCaptures(s *Suite) *captures {
	c := &captures{by: s.captured, done: map[string]chan struct{}{}, values: map[string]string{}}
	for i := range s.Checks {
		for name := range s.Checks[i].Capture {
			c.done[name] = make(chan struct{})
		}
	}
	return c
}

// lookup returns the value of a name; known says that some check captures it.
func (c *captures) lookup(name string) (value string, known bool, err error) {
	if c == nil {
		return "", false, nil
	}
	by, known := c.by[name]
	if !known {
		return "", false, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.values[name]; ok {
		return v, true, nil
	}
	if c.done[name] == nil {
		return "", true, fmt.Errorf("${%s} comes from check %q, which is not among those that run", name, by)
	}
	return "", true, fmt.Errorf("${%s} was not captured: check %q did not pass", name, by)
}

// take keeps what a check captures of an answer that is as it should be.
func (c *captures) take(from map[string]string, header http.Header, body string) (failed string, err error) {
	if len(from) == 0 {
		return "", nil
	}
	taken := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if h, ok := strings.CutPrefix(from[name], headerSource); ok {
			v := header.Get(strings.TrimSpace(h))
			if v == "" {
				return fmt.Sprintf("nothing to capture as %s: there is no header %s", name, strings.TrimSpace(h)), nil
			}
			taken[name] = v
			continue
		}
		v, err := value(from[name], body)
		if err != nil {
			return "", err
		}
		if s, ok := v.(string); ok {
			taken[name] = s
		} else if taken[name], err = encode(v); err != nil {
			return "", err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.values, taken)
	return "", nil
}

// texts are the parts of a check that can hold ${NAME}.
func (c *Check) texts() []string {
	return slices.Concat([]string{c.URL, c.Query, c.Body}, slices.Collect(maps.Values(c.Headers)), slices.Collect(maps.Values(c.Env)))
}

// uses returns those of some names that the check has as ${NAME}.
func (c *Check) uses(names map[string]string) (out []string) {
	for name := range names {
		if slices.ContainsFunc(c.texts(), func(s string) bool { return strings.Contains(s, "${"+name+"}") }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// capture notes what the checks capture, and refuses what could not come about.
func (s *Suite) capture() error {
	s.captured = map[string]string{}
	later := map[string]string{}
	for i := range s.Checks {
		for name := range s.Checks[i].Capture {
			later[name] = s.Checks[i].Name
		}
	}
	for i := range s.Checks {
		c := &s.Checks[i]
		for _, name := range c.uses(later) {
			return fmt.Errorf("checks[%d]: ${%s} is captured by check %q, which does not come before", i, name, later[name])
		}
		if len(c.Capture) > 0 && c.Type != HTTP {
			return fmt.Errorf("checks[%d]: only an http check can capture", i)
		}
		for _, name := range slices.Sorted(maps.Keys(c.Capture)) {
			from := c.Capture[name]
			switch {
			case !text.Identifier(name):
				return fmt.Errorf("checks[%d]: capture: %q is not a valid name: use letters, digits and _ only", i, name)
			case s.captured[name] != "":
				return fmt.Errorf("checks[%d]: capture: check %q captures %s already", i, s.captured[name], name)
			case !strings.HasPrefix(from, ".") && !strings.HasPrefix(from, headerSource):
				return fmt.Errorf("checks[%d]: capture: %q is neither a path in the body, as .token, nor a header, as header Location", i, from)
			}
			s.captured[name] = c.Name
			delete(later, name)
		}
	}
	return nil
}

// value returns what a path leads to in a body: names of members, and places of
// elements from 0 as [n].
func value(path, body string) (any, error) {
	v, err := decode(body)
	if err != nil {
		return nil, errors.New("response body is not valid JSON")
	}
	for seg := range strings.SplitSeq(strings.TrimLeft(strings.TrimSpace(path), "."), ".") {
		if seg == "" {
			continue
		}
		if v, err = member(v, seg); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// member returns the value at one part of a path: name, name[n], or [n].
func member(v any, seg string) (any, error) {
	lost := fmt.Errorf("JSON path '.%s' not found in response", seg)
	if object, ok := v.(map[string]any); ok {
		if v, ok := object[seg]; ok {
			return v, nil
		}
	}
	name, places, ok := strings.Cut(seg, "[")
	if !ok {
		return nil, lost
	}
	if name != "" {
		object, _ := v.(map[string]any)
		if v, ok = object[name]; !ok {
			return nil, lost
		}
	}
	for place := range strings.SplitSeq(places, "[") {
		var n int
		digits, closed := strings.CutSuffix(place, "]")
		if _, err := fmt.Sscanf(digits+"|", "%d|", &n); !closed || err != nil {
			return nil, lost
		}
		list, _ := v.([]any)
		if n < 0 || n >= len(list) {
			return nil, lost
		}
		v = list[n]
	}
	return v, nil
}
