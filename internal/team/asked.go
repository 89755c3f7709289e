package team

import (
	"bytes"
	"encoding/json"

	"github.com/assay-dev/assay/internal/base/redact"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// asked returns what a call asked, as a log may have it: without secrets. Of a call that writes or runs
// something it is nothing: the text of a note and the code of a script are no question.
func asked(c mcp.Done) json.RawMessage {
	if c.Effect != op.Reads {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(c.Arguments))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	// By itself, since in JSON its escapes hide where a value begins; then beside its name, which may say what it is.
	b, err := json.Marshal(clean(v))
	if err != nil {
		return nil
	}
	b, _ = redact.Text(b)
	if !json.Valid(b) {
		return nil
	}
	return b
}

// clean returns a value of JSON with each text of it, names too, without secrets.
func clean(v any) any {
	switch v := v.(type) {
	case string:
		out, _ := redact.Text([]byte(v))
		return string(out)
	case []any:
		for i := range v {
			v[i] = clean(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, of := range v {
			name, _ := redact.Text([]byte(name))
			out[string(name)] = clean(of)
		}
		return out
	}
	return v
}
