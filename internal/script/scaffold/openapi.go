package scaffold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

type document struct {
	OpenAPI string `json:"openapi" yaml:"openapi"`
	Info    struct {
		Title string `json:"title" yaml:"title"`
	} `json:"info" yaml:"info"`
	Servers []struct {
		URL string `json:"url" yaml:"url"`
	} `json:"servers" yaml:"servers"`
	Paths      map[string]item `json:"paths" yaml:"paths"`
	Components struct {
		Schemas         map[string]schema         `json:"schemas" yaml:"schemas"`
		Parameters      map[string]parameter      `json:"parameters" yaml:"parameters"`
		RequestBodies   map[string]request        `json:"requestBodies" yaml:"requestBodies"`
		Responses       map[string]response       `json:"responses" yaml:"responses"`
		SecuritySchemes map[string]securityScheme `json:"securitySchemes" yaml:"securitySchemes"`
	} `json:"components" yaml:"components"`
}

type item struct {
	Parameters []parameter `json:"parameters" yaml:"parameters"`
	Get        *operation  `json:"get" yaml:"get"`
	Post       *operation  `json:"post" yaml:"post"`
	Put        *operation  `json:"put" yaml:"put"`
	Patch      *operation  `json:"patch" yaml:"patch"`
	Delete     *operation  `json:"delete" yaml:"delete"`
}

type operation struct {
	ID          string              `json:"operationId" yaml:"operationId"`
	Summary     string              `json:"summary" yaml:"summary"`
	Description string              `json:"description" yaml:"description"`
	Tags        []string            `json:"tags" yaml:"tags"`
	Parameters  []parameter         `json:"parameters" yaml:"parameters"`
	Body        *request            `json:"requestBody" yaml:"requestBody"`
	Responses   map[string]response `json:"responses" yaml:"responses"`
}

type parameter struct {
	Ref  string `json:"$ref" yaml:"$ref"`
	Name string `json:"name" yaml:"name"`
	In   string `json:"in" yaml:"in"`
}

type request struct {
	Ref     string             `json:"$ref" yaml:"$ref"`
	Content map[string]content `json:"content" yaml:"content"`
}

type response struct {
	Ref     string             `json:"$ref" yaml:"$ref"`
	Content map[string]content `json:"content" yaml:"content"`
}

type content struct {
	Schema schema `json:"schema" yaml:"schema"`
}

type schema struct {
	Ref        string         `json:"$ref" yaml:"$ref"`
	Type       any            `json:"type" yaml:"type"` // a string, or a list of them
	Properties map[string]any `json:"properties" yaml:"properties"`
	Items      *schema        `json:"items" yaml:"items"`
}

type securityScheme struct {
	Type   string `json:"type" yaml:"type"`
	Scheme string `json:"scheme" yaml:"scheme"`
	In     string `json:"in" yaml:"in"`
	Name   string `json:"name" yaml:"name"`
}

const (
	mostOperations = 1000
	mostParams     = 50
	jsonType       = "application/json"
)

// FromOpenAPI returns a module with a function for each operation of an OpenAPI 3
// file, in YAML or JSON, and how many those are.
func FromOpenAPI(name string, file []byte) (src string, functions int, err error) {
	var d document
	if text := bytes.TrimSpace(file); len(text) > 0 && text[0] == '{' {
		err = json.Unmarshal(text, &d)
	} else {
		err = yaml.Unmarshal(file, &d)
	}
	switch {
	case err != nil:
		return "", 0, fmt.Errorf("read OpenAPI: %w", err)
	case !strings.HasPrefix(d.OpenAPI, "3."):
		return "", 0, fmt.Errorf("the file says openapi: %q; version 3 can be read", d.OpenAPI)
	}
	m := module{name: name, description: name + ": " + sentence(d.Info.Title, 118-len(name)), auth: d.auth()}
	if m.description == name+": " {
		m.description = name + ": an API."
	}
	if len(d.Servers) > 0 && strings.Contains(d.Servers[0].URL, "://") && !strings.ContainsAny(d.Servers[0].URL, "{}") {
		m.url = d.Servers[0].URL
	}
	keywords := []string{name}
	// A module has no function of its client's fields' names.
	taken := newNames(words, "url", "token", "api_key", "username", "password", "client")
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		it := d.Paths[path]
		for _, o := range []struct {
			verb string
			op   *operation
		}{{"get", it.Get}, {"post", it.Post}, {"put", it.Put}, {"patch", it.Patch}, {"delete", it.Delete}} {
			if o.op == nil {
				continue
			}
			if len(m.functions) == mostOperations {
				return "", 0, fmt.Errorf("more than %d operations: cut the file into several", mostOperations)
			}
			m.functions = append(m.functions, d.function(o.verb, path, &it, o.op, taken))
			keywords = append(keywords, o.op.Tags...)
		}
	}
	if len(m.functions) == 0 {
		return "", 0, errors.New("the file has no operations")
	}
	m.keywords = tidy(keywords)
	return m.lua(), len(m.functions), nil
}

// tidy returns keywords as a header has them.
func tidy(in []string) (out []string) {
	const most = 15
	for _, k := range in {
		k = strings.ToLower(strings.ReplaceAll(sentence(k, 40), ",", " "))
		if k = strings.TrimSpace(k); k != "" && !slices.Contains(out, k) && len(out) < most {
			out = append(out, k)
		}
	}
	return out
}

// auth returns what the schemes of a document come to.
func (d *document) auth() (a auth) {
	for _, name := range slices.Sorted(maps.Keys(d.Components.SecuritySchemes)) {
		s := d.Components.SecuritySchemes[name]
		switch {
		case s.Type == "http" && strings.EqualFold(s.Scheme, "basic"):
			a.basic = true
		case s.Type == "http" && strings.EqualFold(s.Scheme, "bearer"), s.Type == "oauth2", s.Type == "openIdConnect":
			a.bearer = true
		case s.Type == "apiKey" && a.key == "" && (s.In == "header" || s.In == "query") && headerName(s.Name):
			a.key, a.query = s.Name, s.In == "query"
		}
	}
	return a
}

func headerName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

func (d *document) function(verb, path string, it *item, op *operation, taken names) function {
	f := function{verb: verb, name: taken.take(snake(op.ID), snake(verb+" "+path))}
	locals, options := newNames(used), newNames(words)
	lua := map[string]string{} // of the path's parameters
	for _, p := range append(slices.Clone(op.Parameters), it.Parameters...) {
		p = d.parameter(p)
		if len(f.query)+len(f.headers) >= mostParams {
			break
		}
		switch {
		case p.In == "query" && !has(f.query, p.Name) && p.Name != "":
			f.query = append(f.query, param{options.take(snake(p.Name), "value"), p.Name})
		case p.In == "header" && !has(f.headers, p.Name) && headerName(p.Name) && !strings.EqualFold(p.Name, "Authorization"):
			f.headers = append(f.headers, param{options.take(snake(p.Name), "value"), p.Name})
		}
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	for rest := path; rest != ""; {
		before, after, ok := strings.Cut(rest, "{")
		name, tail, closed := strings.Cut(after, "}")
		if !ok || !closed {
			f.path = append(f.path, part{text: rest})
			break
		}
		if before != "" {
			f.path = append(f.path, part{text: before})
		}
		if lua[name] == "" {
			lua[name] = locals.take(snake(name), "id")
			f.params = append(f.params, lua[name])
		}
		f.path = append(f.path, part{param: lua[name]})
		rest = tail
	}
	if verb != "get" && verb != "delete" { // which http sends without a body
		f.body, f.content = d.body(op.Body)
	}
	f.returns = d.returns(op.Responses)
	f.text = f.describe(op, path)
	return f
}

func has(params []param, name string) bool {
	return slices.ContainsFunc(params, func(p param) bool { return p.name == name })
}

// describe returns the text of a quickref.
func (f *function) describe(op *operation, path string) string {
	text := sentence(op.Summary, 100)
	if text == "" {
		first, _, _ := strings.Cut(op.Description, "\n")
		text = sentence(first, 100)
	}
	if text == "" {
		text = sentence(strings.ToUpper(f.verb)+" "+path, 100)
	}
	var options []string
	for _, p := range append(slices.Clone(f.query), f.headers...) {
		options = append(options, p.lua)
	}
	if len(options) > 0 {
		text += "; opts: " + strings.Join(options, ", ")
	}
	return text
}

// named returns the last part of a reference into the components.
func named(ref, kind string) string {
	name, _ := strings.CutPrefix(ref, "#/components/"+kind+"/")
	return name
}

func (d *document) parameter(p parameter) parameter {
	for range mostHops {
		if p.Ref == "" {
			break
		}
		p = d.Components.Parameters[named(p.Ref, "parameters")]
	}
	return p
}

// mostHops bounds how far references lead.
const mostHops = 8

// body returns whether an operation takes a body, and of which type where that is not
// JSON.
func (d *document) body(r *request) (body bool, content string) {
	if r == nil {
		return false, ""
	}
	for hops := 0; r.Ref != "" && hops < mostHops; hops++ {
		next := d.Components.RequestBodies[named(r.Ref, "requestBodies")]
		r = &next
	}
	types := slices.Sorted(maps.Keys(r.Content))
	if len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return strings.HasPrefix(t, jsonType) || strings.HasSuffix(t, "+json") }) {
		return true, ""
	}
	return true, types[0]
}

// returns says what the answer to success is.
func (d *document) returns(all map[string]response) string {
	for _, code := range slices.Sorted(maps.Keys(all)) {
		if !strings.HasPrefix(code, "2") {
			continue
		}
		r := all[code]
		for hops := 0; r.Ref != "" && hops < mostHops; hops++ {
			r = d.Components.Responses[named(r.Ref, "responses")]
		}
		if len(r.Content) == 0 {
			return "nil"
		}
		for _, t := range slices.Sorted(maps.Keys(r.Content)) {
			if strings.HasPrefix(t, jsonType) || strings.HasSuffix(t, "+json") {
				return d.shape(r.Content[t].Schema, 0)
			}
		}
		return "string"
	}
	return "result"
}

// shape returns a schema in a few letters: [pet], {id, name}.
func (d *document) shape(s schema, depth int) string {
	if depth > mostHops {
		return "value"
	}
	if s.Ref != "" {
		name := named(s.Ref, "schemas")
		to, ok := d.Components.Schemas[name]
		if is(to, "array") {
			return d.shape(to, depth+1)
		}
		if name = snake(name); ok && name != "" {
			return name
		}
		return "value"
	}
	switch {
	case is(s, "array") && s.Items != nil:
		return "[" + d.shape(*s.Items, depth+1) + "]"
	case is(s, "array"):
		return "[value]"
	case len(s.Properties) > 0:
		const most = 6
		var keys []string
		for _, k := range slices.Sorted(maps.Keys(s.Properties)) {
			if k = snake(k); k != "" && len(keys) < most {
				keys = append(keys, k)
			}
		}
		if len(s.Properties) > most {
			keys = append(keys, "...")
		}
		return "{" + strings.Join(keys, ", ") + "}"
	case is(s, "string"):
		return "string"
	case is(s, "integer"), is(s, "number"):
		return "number"
	case is(s, "boolean"):
		return "bool"
	case is(s, "object"):
		return "table"
	}
	return "value"
}

// is reports whether a schema is of a type.
func is(s schema, kind string) bool {
	switch t := s.Type.(type) {
	case string:
		return t == kind
	case []any:
		return slices.ContainsFunc(t, func(v any) bool { return v == kind })
	}
	return false
}
