package lua

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/codec"
)

const redactedMark = "[redacted]"

// redactMembers replaces the values of members of JSON that have one of the names: of a document or of several, as in lines.
// In another text a name is an error: its value could stand anywhere.
func redactMembers(b []byte, names []string) ([]byte, error) {
	var out bytes.Buffer
	in, enc := json.NewDecoder(bytes.NewReader(b)), json.NewEncoder(&out)
	in.UseNumber()
	enc.SetEscapeHTML(false)
	for {
		var v any
		err := in.Decode(&v)
		if errors.Is(err, io.EOF) {
			return out.Bytes(), nil
		}
		if err != nil {
			lower := strings.ToLower(strings.ReplaceAll(string(b), "\x00", "")) // in UTF-16 too
			if i := slices.IndexFunc(names, func(n string) bool { return strings.Contains(lower, strings.ToLower(n)) }); i >= 0 {
				return nil, &finalError{fmt.Errorf("the response is no JSON and has the word %s, which the policy redacts", names[i])}
			}
			return b, nil
		}
		v, _ = redactValue(v, names)
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
	}
}

// redactValue returns a value without those of members that have one of the names, and whether it has any. A text that is
// JSON itself, as Kubernetes keeps the last configuration in an annotation, is searched too.
func redactValue(v any, names []string) (out any, changed bool) {
	within := func(e any) any {
		e, c := redactValue(e, names)
		changed = changed || c
		return e
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = within(v[i])
		}
	case map[string]any:
		for name, e := range v {
			if isNamed(name, names) {
				v[name], changed = redactedMark, true
			} else {
				v[name] = within(e)
			}
		}
	case string:
		if s := strings.TrimSpace(v); !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
			return v, false
		}
		return redactText(v, names)
	}
	return v, changed
}

// redactText redacts the documents of JSON with which a text begins. The text between and behind them stays as it is,
// unless it has one of the names as a member: JSON that is cut or has an error, of which nobody knows where the value ends.
func redactText(s string, names []string) (text string, changed bool) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var out strings.Builder
	end := int64(0)
	for inner := any(nil); d.Decode(&inner) == nil; inner = nil {
		part := s[end:d.InputOffset()]
		end = d.InputOffset()
		if redacted, isHit := redactValue(inner, names); isHit {
			b, err := codec.MarshalPlain(redacted)
			if err != nil {
				return redactedMark, true
			}
			blank := len(part) - len(strings.TrimLeft(part, " \t\r\n"))
			part, changed = part[:blank]+string(b), true
		}
		out.WriteString(part)
	}
	if hasMember(s[end:], names) {
		return out.String() + redactedMark, true
	}
	return out.String() + s[end:], changed
}

// hasMember reports whether a text has one of the names in quotation marks before a colon.
func hasMember(text string, names []string) bool {
	text = strings.ToLower(strings.ReplaceAll(text, `\`, "")) // of JSON in JSON too
	return slices.ContainsFunc(names, func(name string) bool {
		behind := strings.Split(text, `"`+strings.ToLower(name)+`"`)[1:]
		return slices.ContainsFunc(behind, func(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), ":") })
	})
}

func isNamed(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}
