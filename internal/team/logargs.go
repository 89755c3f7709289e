package team

import (
	"bytes"
	"encoding/json"

	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// loggedArguments returns the arguments of a call without secrets, for a log. It returns nil for a call that writes or runs
// something, because the text of a note or the code of a script must not be logged.
func loggedArguments(c mcp.Done) json.RawMessage {
	if c.Effect != op.Reads {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(c.Arguments))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	// Redact each string first, because escapes of JSON hide where a value begins; then the JSON, because the name beside a
	// value may show that it is a secret.
	b, err := json.Marshal(redactValue(v))
	if err != nil {
		return nil
	}
	b, _ = redact.Text(b)
	if !json.Valid(b) {
		return nil
	}
	return b
}

// redactValue returns a JSON value with the secrets removed from all its strings and names.
func redactValue(v any) any {
	switch v := v.(type) {
	case string:
		out, _ := redact.Text([]byte(v))
		return string(out)
	case []any:
		for i := range v {
			v[i] = redactValue(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, of := range v {
			name, _ := redact.Text([]byte(name))
			out[string(name)] = redactValue(of)
		}
		return out
	}
	return v
}
