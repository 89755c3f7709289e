package lua

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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
			lower := strings.ToLower(string(b))
			if i := slices.IndexFunc(names, func(n string) bool { return strings.Contains(lower, strings.ToLower(n)) }); i >= 0 {
				return nil, &finalError{fmt.Errorf("the response is no JSON and has the word %s, which the policy redacts", names[i])}
			}
			return b, nil
		}
		redactValues(v, names)
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
	}
}

func redactValues(v any, names []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			redactValues(e, names)
		}
	case map[string]any:
		for name, e := range v {
			if isNamed(name, names) {
				v[name] = redactedMark
			} else {
				redactValues(e, names)
			}
		}
	}
}

func isNamed(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}
