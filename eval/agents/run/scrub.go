package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// maxString is the longest string that a fixture keeps: what is said in the
// scenario is shorter, the instructions of the agents are longer.
const maxString = 260

// A scrubber rewrites what is of this machine.
type scrubber struct {
	replace *strings.Replacer
	gone    []string // what must not be left
}

var dashed = regexp.MustCompile(`[^A-Za-z0-9]`)

func newScrubber(work, agent string) *scrubber {
	home, project := homeOf(work, agent), projectOf(work, agent)
	var pairs []string
	for _, p := range [][2]string{{project, "/home/user/project"}, {home, "/home/user"}} {
		// Claude Code names folders after paths.
		pairs = append(pairs, p[0], p[1], dashed.ReplaceAllString(p[0], "-"), dashed.ReplaceAllString(p[1], "-"))
	}
	s := &scrubber{replace: strings.NewReplacer(pairs...), gone: []string{work, dashed.ReplaceAllString(work, "-"), os.TempDir() + "/", "/root"}}
	if host, err := os.Hostname(); err == nil && len(host) > 3 {
		s.gone = append(s.gone, host)
	}
	return s
}

var (
	temporary = regexp.MustCompile(`/tmp/[\w./-]*`)
	system    = regexp.MustCompile(`Linux \d[\w.-]*`)
)

// text scrubs a string.
func (s *scrubber) text(v string) string {
	v = s.replace.Replace(v)
	v = temporary.ReplaceAllString(v, "/home/user/tmp")
	v = system.ReplaceAllString(v, "Linux")
	if len(v) > maxString {
		v = strings.ToValidUTF8(v[:60], "") + " (left out)"
	}
	return v
}

// leak returns what of this machine a text still holds, or "".
func (s *scrubber) leak(text []byte) string {
	for _, g := range s.gone {
		if bytes.Contains(text, []byte(g)) {
			return g
		}
	}
	return ""
}

// json scrubs the strings of a JSON value and keeps its members in their order.
func (s *scrubber) json(body []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var out bytes.Buffer
	if err := s.copy(&out, d); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return out.Bytes(), nil
}

func (s *scrubber) copy(out *bytes.Buffer, d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		out.WriteString(t.String())
		for i := 0; d.More(); i++ {
			if i > 0 {
				out.WriteByte(',')
			}
			if t == '{' {
				if err := s.copy(out, d); err != nil { // the key
					return err
				}
				out.WriteByte(':')
			}
			if err := s.copy(out, d); err != nil {
				return err
			}
		}
		end, err := d.Token()
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(out, end)
		return err
	case string:
		return encode(out, s.text(t))
	}
	return encode(out, t)
}

// encode writes a value as the agents do: without escapes for HTML.
func encode(out *bytes.Buffer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	out.Write(bytes.TrimSpace(b.Bytes()))
	return nil
}
