package scaffold

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/domain/openapi"
)

const (
	mostOperations = 1000
	mostParams     = 50
)

// A Written is a module and what tests it.
type Written struct {
	Module    string
	Fixture   string // of a mock server that answers as the file's examples and schemas say
	Test      string // a script that calls each function and looks at what the server was asked
	Functions int
	Absent    int // references that lead nowhere within the file
}

// FromOpenAPI returns a module with a function for each operation of an OpenAPI 3 or
// Swagger 2 file, in YAML or JSON, with its fixture and its test.
func FromOpenAPI(name string, file []byte) (*Written, error) {
	d, err := openapi.Read(file)
	if err != nil {
		return nil, err
	}
	m := module{name: name, description: name + ": " + sentence(d.Title, 118-len(name)), auth: authOf(d)}
	if m.description == name+": " {
		m.description = name + ": an API."
	}
	if strings.Contains(d.Server, "://") && !strings.ContainsAny(d.Server, "{}") {
		m.url = d.Server
	}
	keywords := []string{name}
	// A module has no function of its client's fields' names.
	taken := newNames(words, "url", "token", "api_key", "username", "password", "client")
	for i := range d.Operations {
		op := &d.Operations[i]
		switch op.Method {
		case "GET", "POST", "PUT", "PATCH", "DELETE":
		default:
			continue
		}
		if len(m.functions) >= mostOperations {
			return nil, fmt.Errorf("more than %d operations: cut the file into several", mostOperations)
		}
		f := functionOf(op, taken)
		m.functions = append(m.functions, f)
		keywords = append(keywords, op.Tags...)
	}
	if len(m.functions) == 0 {
		return nil, errors.New("the file has no operations")
	}
	for i := range m.functions { // once all others have their names
		if f := &m.functions[i]; f.paging != nil {
			f.paging.name = taken.take("each_"+f.name, "each")
		}
	}
	m.keywords = tidy(keywords)
	return &Written{Module: m.lua(), Fixture: m.fixture(), Test: m.test(), Functions: m.count(), Absent: d.Absent}, nil
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

// authOf returns what the schemes of a document come to.
func authOf(d *openapi.Document) (a auth) {
	for _, s := range d.Schemes {
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

func functionOf(op *openapi.Operation, taken names) function {
	verb := strings.ToLower(op.Method)
	f := function{verb: verb, name: taken.take(snake(op.ID), snake(verb+" "+op.Path)), said: sentence(op.Description, 300)}
	locals, options := newNames(used), newNames(words)
	samples := map[string]string{} // of the path's parameters
	for _, p := range op.Params {
		if p.In == "path" {
			samples[p.Name] = sample(p.Schema)
			continue
		}
		if len(f.query)+len(f.headers) >= mostParams {
			continue
		}
		one := param{name: p.Name, required: p.Required, said: sentence(p.Description, 120), sample: sample(p.Schema), first: p.Schema.Default(), number: p.Schema.Type() == "integer"}
		switch {
		case p.In == "query" && !has(f.query, p.Name):
			one.lua = options.take(snake(p.Name), "value")
			f.query = append(f.query, one)
		case p.In == "header" && !has(f.headers, p.Name) && headerName(p.Name) && !reserved[strings.ToLower(p.Name)]:
			one.lua = options.take(snake(p.Name), "value")
			f.headers = append(f.headers, one)
		}
	}
	f.setPath(op.Path, locals, samples)
	if op.Body != nil && verb != "get" && verb != "delete" { // which http sends without a body
		f.setBody(op.Body)
	}
	f.reply(op.Success())
	if op.Summary == "" { // its first line is the summary then
		f.said = ""
	}
	f.text = f.describe(op)
	f.paging = pagingOf(&f, op)
	return f
}

// reserved are the headers that the client itself sets.
var reserved = map[string]bool{"authorization": true, "content-type": true, "accept": true, "host": true, "content-length": true}

func has(params []param, name string) bool {
	return slices.ContainsFunc(params, func(p param) bool { return p.name == name })
}

// sample returns a value of a parameter as text.
func sample(s openapi.Schema) string {
	if e := strings.Trim(s.Example(), `"`); e != "" && len(e) < 60 && strings.Trim(e, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == "" {
		return e
	}
	return "text"
}

func (f *function) setPath(path string, locals names, samples map[string]string) {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	lua := map[string]string{}
	for rest := path; rest != ""; {
		before, after, ok := strings.Cut(rest, "{")
		name, tail, closed := strings.Cut(after, "}")
		if !ok || !closed {
			f.path = append(f.path, part{text: rest})
			return
		}
		if before != "" {
			f.path = append(f.path, part{text: before})
		}
		if lua[name] == "" {
			lua[name] = locals.take(snake(name), "id")
			f.params = append(f.params, lua[name])
		}
		value := samples[name]
		if value == "" {
			value = "text"
		}
		f.path = append(f.path, part{param: lua[name], sample: value})
		rest = tail
	}
}

func (f *function) setBody(b *openapi.Body) {
	f.body, f.bodyRequired = true, b.Required
	media, _, _ := strings.Cut(b.Type, ";")
	switch {
	case b.Type == "" || openapi.JSON(b.Type):
		f.bodySample = b.Example()
		if f.bodySample == "" {
			f.bodySample = "{}"
		}
		f.bodyTable = strings.HasPrefix(f.bodySample, "{") || strings.HasPrefix(f.bodySample, "[")
	case media == "application/x-www-form-urlencoded":
		f.as = "form"
	case media == "multipart/form-data":
		f.as = "multipart"
	default:
		f.content = b.Type
	}
}

// reply says what the answer to success is.
func (f *function) reply(r *openapi.Response) {
	f.returns, f.status = "result", 200
	if r == nil {
		return
	}
	if _, err := fmt.Sscanf(r.Status, "%d", &f.status); err != nil || f.status < 200 || f.status > 299 {
		f.status = 200
	}
	switch {
	case r.Type == "":
		f.returns = "nil"
	case openapi.JSON(r.Type):
		f.returns, f.answer = shape(r.Schema, 0), r.Example()
	default:
		f.returns = "string"
	}
}

// describe returns the text of a quickref.
func (f *function) describe(op *openapi.Operation) string {
	text := sentence(op.Summary, 100)
	if text == "" {
		first, _, _ := strings.Cut(op.Description, "\n")
		text = sentence(first, 100)
	}
	if text == "" {
		text = sentence(op.Method+" "+op.Path, 100)
	}
	f.summary = text
	var options []string
	for _, p := range append(slices.Clone(f.query), f.headers...) {
		options = append(options, p.lua)
	}
	if len(options) > 0 {
		text += "; opts: " + strings.Join(options, ", ")
	}
	return text
}

// shape returns a schema in a few letters: [pet], {id, name}.
func shape(s openapi.Schema, depth int) string {
	const deepest, most = 8, 6
	if depth > deepest {
		return "value"
	}
	switch kind := s.Type(); {
	case kind == "array" && s.Items().Known():
		return "[" + shape(s.Items(), depth+1) + "]"
	case kind == "array":
		return "[value]"
	case s.Name() != "" && snake(s.Name()) != "":
		return snake(s.Name())
	case len(s.Fields()) > 0:
		var keys []string
		fields := s.Fields()
		for _, f := range fields {
			if k := snake(f.Name); k != "" && len(keys) < most {
				keys = append(keys, k)
			}
		}
		if len(fields) > most {
			keys = append(keys, "...")
		}
		return "{" + strings.Join(keys, ", ") + "}"
	case kind == "string":
		return "string"
	case kind == "integer", kind == "number":
		return "number"
	case kind == "boolean":
		return "bool"
	case kind == "object":
		return "table"
	}
	return "value"
}

// A paging is how a listing goes on.
type paging struct {
	name  string // of the function that yields all of its items
	items string // the field of the answer that has them, "" where the answer is the list
	by    string // "page", "offset" or "cursor"
	param param  // the option that says where to go on
	next  string // of a cursor, the field of the answer that has it
}

var (
	cursors = []string{"cursor", "page_token", "next_token", "starting_after", "after", "marker", "continue", "page_cursor", "next_page_token"}
	nexts   = []string{"next_cursor", "next_page_token", "next_token", "next_marker", "next_page", "next", "continue", "cursor", "end_cursor"}
)

// pagingOf recognises how a listing comes in parts, by the names that most APIs use: a number
// of a page, an offset, or a cursor that the answer has.
func pagingOf(f *function, op *openapi.Operation) *paging {
	r := op.Success()
	if f.verb != "get" || r == nil || !openapi.JSON(r.Type) {
		return nil
	}
	p := &paging{}
	if r.Schema.Type() != "array" {
		lists := 0
		for _, field := range r.Schema.Fields() {
			if field.Schema.Type() == "array" {
				p.items = field.Name
				lists++
			}
		}
		if lists != 1 {
			return nil
		}
	}
	for _, q := range f.query {
		name := snake(q.name)
		p.param = q
		switch {
		case name == "page" || name == "page_number":
			p.by = "page"
		case (name == "offset" || name == "skip") && q.number:
			p.by = "offset"
		case slices.Contains(cursors, name):
			for _, n := range nexts {
				for _, field := range r.Schema.Fields() {
					if snake(field.Name) == n && field.Schema.Type() == "string" {
						p.by, p.next = "cursor", field.Name
						return p
					}
				}
			}
			continue
		default:
			continue
		}
		if p.by == "page" && !q.number {
			p.by = ""
			continue
		}
		return p
	}
	return nil
}
