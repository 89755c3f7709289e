package lua

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
)

// Lines of events end in CR, LF or both, wherever a part of the stream ends.
func TestLinesOfEvents(t *testing.T) {
	for _, c := range []struct {
		in, want string
		events   bool
	}{
		{"a\rb\r\nc\n\rd", "a|b|c||d", true},
		{"\r\r\n\n", "||", true},
		{"a\rb\r\nc", "a\rb|c", false},
		{"", "", true},
	} {
		for name, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.in), "a byte at a time": iotest.OneByteReader(strings.NewReader(c.in)),
		} {
			l := lineReader{in: bufio.NewReader(r), events: c.events}
			var got []string
			for {
				line, err := l.next()
				if err == nil || len(line) > 0 {
					got = append(got, strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"))
				}
				if err != nil {
					break
				}
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("%q %s: %q, want %q", c.in, name, s, c.want)
			}
		}
	}
	l := lineReader{in: bufio.NewReader(strings.NewReader(strings.Repeat("x", maxLine+1)))}
	if _, err := l.next(); err == nil || !strings.Contains(err.Error(), "longer than 4 MiB") {
		t.Errorf("a line of more than 4 MiB: %v", err)
	}
}

// All values of a header are there, options that mean nothing are told, and a CR ends a
// line of an event at once, before the next byte has come.
func TestRepliesWhole(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/events" {
			fmt.Fprint(w, "\ufeffdata: one\r\r")
			w.(http.Flusher).Flush()
			<-release
			return
		}
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(release) })
	says(t, Options{}, s.URL, `local r = http.get(U) return r.headers["set-cookie"] .. " " .. table.concat(r.header_values["set-cookie"], ",")`, "b=2 a=1,b=2")
	says(t, Options{}, s.URL, `local d http.get(U .. "/events", {on_event = function(e) d = e.data return false end}) return d`, "one")
}
