package mcp

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/redact"
)

// withheld is what a model is told in place of secrets: it would keep and repeat them.
const withheld = "note: secrets are withheld here as [redacted:KIND]; the command line shows them\n"

// Cursors are those of an answer. They look like keys, and a client that does not get
// them whole cannot ask for the next page.
type cursors []string

// cursorsOf returns the cursors that a JSON document has as members of that name.
func cursorsOf(data []byte) (found cursors) {
	if !bytes.Contains(data, []byte(`"cursor"`)) {
		return nil
	}
	eachString(data, func(_, _ int, name, s string) {
		if name == "cursor" && isCursor(s) && !slices.Contains(found, s) {
			found = append(found, s)
		}
	})
	return found
}

// text takes the secrets out of a text, in which the cursors stay.
func (c cursors) text(s []byte) (out []byte, n int) {
	if len(c) == 0 {
		return redact.Text(s)
	}
	for len(s) > 0 {
		at, end := len(s), len(s)
		for _, cursor := range c {
			if i := bytes.Index(s, []byte(cursor)); i >= 0 && i < at {
				at, end = i, i+len(cursor)
			}
		}
		clean, k := redact.Text(s[:at])
		out, n = append(append(out, clean...), s[at:end]...), n+k
		s = s[end:]
	}
	return out, n
}

// json takes the secrets out of the strings of a JSON document and leaves every other
// byte as it is, the names of members and the cursors too.
func (c cursors) json(data []byte) (out []byte, n int) {
	at := 0
	eachString(data, func(begin, end int, _, s string) {
		clean, k := c.text([]byte(s))
		if k == 0 {
			return
		}
		text, err := codec.Marshal(string(clean))
		if err != nil {
			return
		}
		n += k
		out = append(append(out, data[at:begin]...), text...)
		at = end
	})
	if n == 0 {
		return data, 0
	}
	return append(out, data[at:]...), n
}

// eachString calls f with every string of a JSON document that is not the name of a member:
// where its literal is, the name of the member that it is the value of, or "", and what it says.
func eachString(data []byte, f func(begin, end int, name, s string)) {
	after := "" // the name of the member whose value comes next
	for i := 0; i < len(data); {
		if data[i] != '"' {
			i++
			continue
		}
		begin, end := i, i+1
		for end < len(data) && data[end] != '"' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(data))
		i = end
		var s string
		if json.Unmarshal(data[begin:end], &s) != nil {
			continue
		}
		if rest := bytes.TrimLeft(data[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			after = s
			continue
		}
		f(begin, end, after, s)
		after = ""
	}
}
