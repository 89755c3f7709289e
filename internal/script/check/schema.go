package check

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"
)

// schemas keeps what has been read, because a run under load validates often.
type schemas map[string]*jsonschema.Resolved

// schema validates the body by JSON Schema, draft 2020-12 or draft-07.
func (r *Runner) schema(e *Expect, a *answer) (string, error) {
	if e.Schema == "" && e.SchemaFile == "" {
		return "", nil
	}
	v, err := decode(a.body)
	if err != nil {
		return "", errNotJSON
	}
	s, err := r.resolved(e)
	if err != nil {
		return "", Lasting(err)
	}
	if err := s.Validate(plainNumbers(v)); err != nil {
		return "schema: " + strings.TrimPrefix(err.Error(), "validating root: "), nil
	}
	return "", nil
}

// plainNumbers returns a value with its numbers as integers, where they are, and floats,
// because the library takes a json.Number for text.
func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, err := v.Float64()
		if err != nil {
			return v
		}
		return f
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = plainNumbers(v[name])
		}
	}
	return v
}

func (r *Runner) resolved(e *Expect) (*jsonschema.Resolved, error) {
	r.shared.Lock()
	defer r.shared.Unlock()
	key := e.SchemaFile + "\x00" + e.Schema
	if s := r.shared.schemas[key]; s != nil {
		return s, nil
	}
	base := "file:///inline"
	read := func() (*jsonschema.Schema, error) { return readSchema([]byte(e.Schema)) }
	relative := !filepath.IsAbs(e.SchemaFile)
	if e.SchemaFile != "" {
		base = "file://" + path.Join("/", filepath.ToSlash(e.SchemaFile))
		read = func() (*jsonschema.Schema, error) { return r.schemaFile(e.SchemaFile) }
	}
	s, err := read()
	if err != nil {
		return nil, err
	}
	// A reference leads to a file beside the one that has it; nothing is fetched, because a
	// schema is somebody else's text more often than a check is.
	load := func(u *url.URL) (*jsonschema.Schema, error) {
		if u.Scheme != "file" {
			return nil, fmt.Errorf("the schema refers to %s: only files are read", u)
		}
		name := u.Path
		if relative {
			name = strings.TrimPrefix(name, "/")
		}
		return r.schemaFile(filepath.FromSlash(name))
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{BaseURI: base, Loader: load})
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	r.shared.schemas[key] = resolved
	return resolved, nil
}

func (r *Runner) schemaFile(name string) (*jsonschema.Schema, error) {
	text, err := r.File(name)
	if err != nil {
		return nil, fmt.Errorf("failed to read the schema %q: %w", name, err)
	}
	s, err := readSchema(text)
	if err != nil {
		return nil, fmt.Errorf("the schema %q: %w", name, err)
	}
	return s, nil
}

// readSchema reads JSON or YAML.
func readSchema(text []byte) (*jsonschema.Schema, error) {
	if !json.Valid(text) {
		var v any
		if err := yaml.Unmarshal(text, &v); err != nil {
			return nil, err
		}
		asJSON, err := encode(v)
		if err != nil {
			return nil, err
		}
		text = []byte(asJSON)
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	switch s.Schema {
	case "", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema":
		return s, nil
	}
	return nil, fmt.Errorf("it is written in %s: draft-07 and draft 2020-12 are read", s.Schema)
}
