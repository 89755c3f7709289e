package stdlib_test

import (
	"encoding/json"
	"fmt"
	"github.com/assay-dev/assay/internal/base/testaid"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/script/stdlib"
)

// A module must make the same of a member of an answer that is null as of one that is
// absent: it sends the same requests, and gives the same result or error.
func TestNullIsAbsent(t *testing.T) {
	for _, name := range testaid.Sample(stdlib.Names(), 1, 3) {
		t.Run(name, func(t *testing.T) {
			f := readFixture(t, name)
			s := newServer(t)
			s.lenient = true
			for _, c := range f.Tests {
				if c.Want == nil && c.Wants == nil && len(c.Requests) < 2 {
					continue // the answer as it is
				}
				t.Run(c.Lua, func(t *testing.T) { f.compareNulls(t, s, name, c) })
			}
		})
	}
}

var address = regexp.MustCompile(`0x[0-9a-f]+`)

func (f *fixture) compareNulls(t *testing.T, s *server, name string, c test) {
	requests := c.Requests
	if c.Send != "" {
		requests = []request{c.request}
	}
	outcome := func(at int, reply any) string {
		sent := slices.Clone(requests)
		b, err := json.Marshal(reply)
		if err != nil {
			t.Fatal(err)
		}
		sent[at].Reply = b
		s.expect(t, "", sent, false)
		s.noted = nil
		got := f.call(t, s, name, c)
		out := got.err + "\n"
		for _, sent := range s.noted {
			line, body, _ := strings.Cut(sent, "\n")
			if json.Valid([]byte(body)) {
				body = fmt.Sprint(value(t, body))
			}
			out += line + " " + body + "\n"
		}
		for line := range strings.Lines(got.json) {
			out += fmt.Sprintln(value(t, line))
		}
		return address.ReplaceAllString(strings.ReplaceAll(out, "null", "nil"), "")
	}
	for i, r := range requests {
		var reply any
		if r.Reply == nil || json.Unmarshal(r.Reply, &reply) != nil {
			continue
		}
		eachMember(reply, 3, func(object map[string]any, member string) {
			was := object[member]
			delete(object, member)
			absent := outcome(i, reply)
			object[member] = nil
			null := outcome(i, reply)
			object[member] = was
			if d := cmp.Diff(absent, null); d != "" {
				t.Errorf("reply %d, member %s (-absent +null):\n%s", i+1, member, d)
			}
		})
	}
}

// eachMember calls f with the members of objects down to a depth, of a list those of its
// first element.
func eachMember(v any, depth int, f func(object map[string]any, member string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			f(v, name)
			if depth > 0 {
				eachMember(v[name], depth-1, f)
			}
		}
	case []any:
		if len(v) > 0 {
			eachMember(v[0], depth, f)
		}
	}
}
