package check

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/script/jsonpath"
)

// What a capture begins with that is not a path in a body of JSON.
const (
	headerSource = "header "
	regexSource  = "regex "
	xpathSource  = "xpath "
	cookieSource = "cookie "
)

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
func (c *captures) take(from map[string]string, a *answer) (failed string, err error) {
	if len(from) == 0 {
		return "", nil
	}
	taken := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		v, found, err := captured(from[name], a)
		switch {
		case err != nil:
			return "", err
		case !found && (strings.HasPrefix(from[name], headerSource) || strings.HasPrefix(from[name], cookieSource)):
			return fmt.Sprintf("nothing to capture as %s: there is no %s", name, from[name]), nil
		case !found:
			return fmt.Sprintf("nothing to capture as %s: %s finds nothing", name, from[name]), nil
		}
		taken[name] = v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.values, taken)
	return "", nil
}

// captured returns the part of an answer that a source names.
func captured(source string, a *answer) (v string, found bool, err error) {
	if name, ok := strings.CutPrefix(source, headerSource); ok {
		v = a.header.Get(strings.TrimSpace(name))
		return v, v != "", nil
	}
	if name, ok := strings.CutPrefix(source, cookieSource); ok {
		if c := a.cookie(strings.TrimSpace(name)); c != nil {
			return c.Value, true, nil
		}
		return "", false, nil
	}
	if pattern, ok := strings.CutPrefix(source, regexSource); ok {
		re, err := regexp.Compile(strings.TrimSpace(pattern))
		if err != nil {
			return "", false, err
		}
		groups := re.FindStringSubmatch(a.body)
		if groups == nil {
			return "", false, nil
		}
		return groups[min(1, len(groups)-1)], true, nil
	}
	if expr, ok := strings.CutPrefix(source, xpathSource); ok {
		doc, err := readMarkup(a)
		if err != nil {
			return "", false, err
		}
		return doc.first(expr)
	}
	found = true
	var got any
	if isPath(source) {
		got, found, err = selected(source, a.body)
	} else {
		got, err = value(source, a.body)
	}
	if err != nil || !found {
		return "", false, err
	}
	if s, ok := got.(string); ok {
		return s, true, nil
	}
	v, err = encode(got)
	return v, true, err
}

// checkSource returns why a text is no source of a capture.
func checkSource(source string) error {
	switch {
	case strings.HasPrefix(source, "."), strings.HasPrefix(source, headerSource), strings.HasPrefix(source, cookieSource):
		return nil
	case strings.HasPrefix(source, regexSource):
		_, err := regexp.Compile(strings.TrimSpace(source[len(regexSource):]))
		return err
	case strings.HasPrefix(source, xpathSource):
		return checkXPath(source[len(xpathSource):])
	case isPath(source):
		_, rest, err := jsonpath.Parse(source)
		if err == nil && strings.TrimSpace(rest) != "" {
			err = fmt.Errorf("JSONPath %q: unexpected %q", source, strings.TrimSpace(rest))
		}
		return err
	}
	return fmt.Errorf("%q is neither a path in the body, as .token or $.items[0].id, nor a header, as header Location, nor begins with cookie, regex or xpath", source)
}

// texts are the parts of a check that can hold ${NAME}.
func (c *Check) texts() []string {
	out := slices.Concat([]string{c.URL, c.Query, c.Body}, slices.Collect(maps.Values(c.Headers)), slices.Collect(maps.Values(c.Env)))
	if c.Expect != nil {
		out = slices.Concat(out, c.Expect.Body, c.Expect.JSON)
		for _, cookie := range c.Expect.Cookies {
			out = slices.AppendSeq(out, maps.Values(cookie))
		}
	}
	return out
}

// uses returns those of some names that the check has as ${NAME}.
func (c *Check) uses(names map[string]string) (out []string) {
	for name := range names {
		if slices.ContainsFunc(c.texts(), func(s string) bool {
			return strings.Contains(s, "${"+name+"}") || strings.Contains(s, "${"+name+raw+"}")
		}) {
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
			return fmt.Errorf("line %d: checks[%d]: ${%s} is captured by check %q, which does not come before", c.Line, i, name, later[name])
		}
		if len(c.Capture) > 0 && c.Type != HTTP && c.Type != GraphQL {
			return fmt.Errorf("line %d: checks[%d]: only http and graphql checks can capture", c.Line, i)
		}
		for _, name := range slices.Sorted(maps.Keys(c.Capture)) {
			from := c.Capture[name]
			switch {
			case !text.Identifier(name):
				return fmt.Errorf("line %d: checks[%d]: capture: %q is not a valid name: use letters, digits and _ only", c.Line, i, name)
			case s.captured[name] != "":
				return fmt.Errorf("line %d: checks[%d]: capture: check %q captures %s already", c.Line, i, s.captured[name], name)
			}
			if err := checkSource(from); err != nil {
				return fmt.Errorf("line %d: checks[%d]: capture: %w", c.Line, i, err)
			}
			s.captured[name] = c.Name
			delete(later, name)
		}
	}
	return nil
}

// value returns what a path leads to in a body: names of members, and places of elements from 0 as [n].
func value(path, body string) (any, error) {
	v, err := decode(body)
	if err != nil {
		return nil, errNotJSON
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
