package scaffold

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/openapi"
)

const (
	mostOperations = 1000
	mostParams     = 50
)

// verbs are the methods that a module has functions for, in the order in which they come for a path.
var verbs = []string{"get", "post", "put", "patch", "delete"}

// FromOpenAPI returns a module with a function for each operation of a file of OpenAPI 3 or Swagger 2,
// in YAML or JSON, how many those are, and what of the file it does not have, which is told with an error too.
func FromOpenAPI(name string, file []byte) (src string, functions int, left []string, err error) {
	d, err := openapi.Read(file)
	if err != nil {
		return "", 0, nil, err
	}
	m := module{name: name, description: name + ": " + cmp.Or(sentence(d.Title, 118-len(name)), "an API."), keywords: []string{name}, auth: schemes(d.Schemes)}
	if strings.Contains(d.Server, "://") && !strings.ContainsAny(d.Server, "{}") {
		m.url = d.Server
	}
	taken := newNames(words, fields...)
	slices.SortStableFunc(d.Operations, func(a, b openapi.Operation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), slices.Index(verbs, strings.ToLower(a.Method))-slices.Index(verbs, strings.ToLower(b.Method)))
	})
	for i := range d.Operations {
		op := &d.Operations[i]
		verb := strings.ToLower(op.Method)
		switch {
		case !slices.Contains(verbs, verb):
			left = append(left, op.Method+" "+op.Path)
			continue
		case len(m.functions) == mostOperations:
			return "", 0, nil, fmt.Errorf("more than %d operations: cut the file into several", mostOperations)
		}
		m.functions = append(m.functions, operation(verb, op, taken))
		m.keywords = append(m.keywords, op.Tags...)
	}
	switch {
	case len(m.functions) == 0 && len(d.Exchanges) > 0:
		return "", 0, nil, errors.New("the file is AsyncAPI and describes messages: a module is made of OpenAPI")
	case len(m.functions) == 0:
		return "", 0, left, errors.New("the file has no operations")
	}
	m.keywords = tidy(m.keywords)
	return m.lua(), len(m.functions), left, nil
}

// fields are the names of a client's fields, which no function of a module has.
var fields = []string{"url", "token", "api_key", "username", "password", "client"}

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

// schemes returns what the schemes of a document come to.
func schemes(all []openapi.Scheme) (a auth) {
	for _, s := range all {
		switch {
		case s.Type == "http" && s.Scheme == "basic":
			a.basic = true
		case s.Type == "http" && s.Scheme == "bearer", s.Type == "oauth2", s.Type == "openIdConnect":
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

func operation(verb string, op *openapi.Operation, taken names) function {
	f := function{verb: verb, name: taken.take(snake(op.ID), snake(verb+" "+op.Path)), returns: "result"}
	options := newNames(words)
	for _, p := range op.Params {
		if len(f.query)+len(f.headers) >= mostParams {
			break
		}
		switch {
		case p.In == "query":
			f.query = append(f.query, param{options.take(snake(p.Name), "value"), p.Name})
		case p.In == "header" && headerName(p.Name) && !strings.EqualFold(p.Name, "Authorization"):
			f.headers = append(f.headers, param{options.take(snake(p.Name), "value"), p.Name})
		}
	}
	path := "/" + strings.TrimPrefix(op.Path, "/")
	f.splitPath(path)
	if op.Body != nil && verb != "get" && verb != "delete" { // which http sends without a body
		f.body = true
		if op.Body.Type != "" && !openapi.JSON(op.Body.Type) {
			f.content = op.Body.Type
		}
	}
	if r := op.Success(); r != nil {
		f.returns = "string"
		switch {
		case r.Type == "":
			f.returns = "nil"
		case openapi.JSON(r.Type):
			f.returns = shape(r.Schema, 0)
		}
	}
	first, _, _ := strings.Cut(op.Description, "\n")
	f.describe(cmp.Or(sentence(op.Summary, 100), sentence(first, 100), sentence(op.Method+" "+path, 100)))
	return f
}

// splitPath takes a path with {name} for each parameter apart.
func (f *function) splitPath(path string) {
	locals := newNames(used)
	lua := map[string]string{}
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
}

// describe sets the text of a quickref.
func (f *function) describe(text string) {
	options := slice.Map(slices.Concat(f.query, f.headers), func(p param) string { return p.lua })
	if f.text = text; len(options) > 0 {
		f.text += "; opts: " + strings.Join(options, ", ")
	}
}

// mostDepth bounds how far lists of lists are read.
const mostDepth = 8

// shape returns a schema in a few letters: [pet], {id, name}.
func shape(s openapi.Schema, depth int) string {
	kind, name := s.Type(), snake(s.Name())
	switch {
	case depth > mostDepth:
	case kind == "array" && s.Items().Known():
		return "[" + shape(s.Items(), depth+1) + "]"
	case kind == "array":
		return "[value]"
	case name != "":
		return name
	case len(s.Fields()) > 0:
		keys := slice.Map(s.Fields(), func(f openapi.Field) string { return f.Name })
		return members(keys)
	case kind == "string":
		return kind
	case kind == "integer", kind == "number":
		return "number"
	case kind == "boolean":
		return "bool"
	case kind == "object":
		return "table"
	}
	return "value"
}

// members returns the shape of an object with some names.
func members(names []string) string {
	const most = 6
	var keys []string
	slices.Sort(names)
	for _, k := range names {
		if k = snake(k); k != "" && len(keys) < most {
			keys = append(keys, k)
		}
	}
	if len(names) > most {
		keys = append(keys, "...")
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
