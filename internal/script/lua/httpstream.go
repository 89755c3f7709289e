package lua

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
)

// A sink is where a body goes as it comes. The zero value keeps it for the script.
type sink struct {
	file                 string // written whole or not at all
	chunk, line, message value  // functions that are called, message with an event of a server
}

// maxLine bounds a line, and an event, of a stream.
const maxLine = 4 << 20

func (s *sink) streams() bool { return !s.chunk.IsNil() || !s.line.IsNil() || !s.message.IsNil() }

// readSink reads the options to_file, on_chunk, on_line and on_event.
func (c call) readSink(name string, t *table) (s sink) {
	given := 0
	for option, to := range map[string]*value{"on_chunk": &s.chunk, "on_line": &s.line, "on_event": &s.message} {
		if *to = t.GetField(option); to.IsNil() {
			continue
		}
		given++
		if !to.IsFunction() {
			c.Fail("%s: %s must be a function", name, option)
		}
	}
	if v := t.GetField("to_file"); !v.IsNil() {
		given++
		p, ok := v.AsString()
		if !ok || p == "" {
			c.Fail("%s: to_file must be a path", name)
		}
		s.file = p
	}
	if given > 1 {
		c.Fail("%s: to_file, on_chunk, on_line and on_event exclude each other", name)
	}
	return s
}

// stream calls the script's function with what comes, until the end or until it returns false.
func (c call) stream(r *request, body io.Reader, h *holding, resp *response) (err error) {
	in := bufio.NewReaderSize(body, 64<<10)
	if !r.sink.chunk.IsNil() {
		buf := make([]byte, 64<<10)
		for {
			n := 0
			c.wait(func(context.Context) { n, err = in.Read(buf) })
			resp.bytes += int64(n)
			if n > 0 && c.stopped(r.sink.chunk, c.Bytes(buf[:n])) || errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	var ev event
	lines := lineReader{in: in, events: !r.sink.message.IsNil()}
	for {
		var line []byte
		c.wait(func(context.Context) { line, err = lines.next() })
		resp.bytes += int64(len(line))
		over := errors.Is(err, io.EOF)
		if err != nil && !over {
			return err
		}
		if over && len(line) == 0 {
			return nil // an event that did not end is none
		}
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		if resp.bytes == int64(len(line)) && lines.events {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		switch {
		case !r.sink.line.IsNil():
			if c.stopped(r.sink.line, c.NewString(text)) {
				return nil
			}
		case text != "":
			if err := ev.add(text); err != nil {
				return err
			}
		case ev.has:
			t := c.newRecord(3)
			t.SetField("event", c.NewString(ev.kind()))
			t.SetField("data", c.NewString(strings.Join(ev.data, "\n")))
			if ev.id != "" {
				t.SetField("id", c.NewString(ev.id))
			}
			ev = event{id: ev.id}
			if c.stopped(r.sink.message, t.Of()) {
				return nil
			}
		default:
			ev = event{id: ev.id} // one without data is none
		}
	}
}

// stopped calls a function of the script and reports whether it returned false.
func (c call) stopped(f, arg value) bool {
	v := c.Call1(f, arg)
	return v.TypeName() == "boolean" && !v.Truth()
}

// A lineReader reads lines, each with its end where it has one. In events a CR alone is an end too.
type lineReader struct {
	in     *bufio.Reader
	events bool
	cr     bool // the last end was a CR: an LF that comes next belongs to it
}

func (l *lineReader) next() ([]byte, error) {
	ends := "\n"
	if l.events {
		ends = "\r\n"
	}
	var out []byte
	for {
		if _, err := l.in.Peek(1); err != nil {
			return out, err
		}
		part, _ := l.in.Peek(l.in.Buffered())
		if l.cr && part[0] == '\n' {
			part = part[:1]
		} else if at := bytes.IndexAny(part, ends); at >= 0 {
			part = part[:at+1]
		}
		if len(out)+len(part) > maxLine {
			return nil, errors.New("a line of the stream is longer than 4 MiB")
		}
		end, rest := part[len(part)-1], l.cr && part[0] == '\n'
		if !rest {
			out = append(out, part...)
		}
		_, _ = l.in.Discard(len(part))
		l.cr = l.events && end == '\r'
		if !rest && strings.IndexByte(ends, end) >= 0 {
			return out, nil
		}
	}
}

// An event is one of those that a server sends (html.spec.whatwg.org, 9.2.6).
type event struct {
	name, id string
	data     []string
	size     int
	has      bool
}

func (e *event) kind() string {
	return cmp.Or(e.name, "message")
}

// add takes a line of an event.
func (e *event) add(line string) error {
	field, v, _ := strings.Cut(line, ":")
	v = strings.TrimPrefix(v, " ")
	switch field {
	case "event":
		e.name = v
	case "id":
		e.id = v
	case "data":
		if e.size += len(v); e.size > maxLine {
			return errors.New("an event of the stream is longer than 4 MiB")
		}
		e.data, e.has = append(e.data, v), true
	}
	return nil
}
