// Package openapi reads descriptions of APIs, in JSON or YAML: of HTTP (OpenAPI 3.0 and 3.1 and
// Swagger 2) as operations with their parameters, bodies and responses, and of messages
// (AsyncAPI 2 and 3) as exchanges on channels.
//
// Whatever a file says, reading it ends, within memory of its size; nothing outside of the
// file is opened, and what a reference into another file stands for is counted as absent.
//
// The readers that others keep resolve and validate whole documents with their JSON Schema,
// for several megabytes of program; what documentation and clients are written from is a small
// part of that.
package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A Document is an API.
type Document struct {
	Version     string // of the format: "3.1.0", "2.0"
	Title       string
	Description string
	Server      string // the first address, which may be relative; "" where none is given
	Schemes     []Scheme
	Operations  []Operation // of HTTP, in the order of the file
	Exchanges   []Exchange  // of messages, the same
	Absent      int         // references that lead nowhere within the file

	root *node
}

// A Scheme is how requests are allowed.
type Scheme struct {
	Type   string // "http", "apiKey", "oauth2", "openIdConnect"
	Scheme string // of http: "basic", "bearer"
	In     string // of apiKey: "header", "query", "cookie"
	Name   string // and its name there
}

// Get is the method of an operation that only reads.
const Get = "GET"

// An Operation is one method of one path.
type Operation struct {
	Method      string // in capitals, such as Get
	Path        string // "/pets/{id}"
	ID          string
	Summary     string
	Description string
	Tags        []string
	Deprecated  bool
	Open        bool // it needs no authentication, though others do
	Params      []Param
	Body        *Body // nil: none
	Responses   []Response
	Line        int
}

// A Param is a parameter of the path, the query, a header or a cookie.
type Param struct {
	Name, In, Description string
	Required              bool
	Schema                Schema
}

// A Body is what a request carries.
type Body struct {
	Description string
	Required    bool
	Type        string // "application/json" where that is offered, otherwise the first
	Schema      Schema

	example *node
}

// A Response is what an operation may answer.
type Response struct {
	Status      string // "200", "4XX", "default"
	Description string
	Type        string // "" where it has no content
	Schema      Schema
	Link        bool // it has a header Link

	example *node
}

// JSON reports whether a media type is JSON.
func JSON(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "application/json" || strings.HasSuffix(media, "+json") || media == "*/*"
}

const (
	maxOperations = 20_000
	maxHops       = 8 // of references that lead to references
)

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// head tells a description by how it begins; the key may come after others.
var head = lazy.Regexp(`(?:^|[\n{,])[ \t]*["']?(?:openapi|swagger|asyncapi)["']?[ \t]*:[ \t]*["']?[0-9]+\.`)

// Is reports whether a file looks like a description of an API.
func Is(data []byte) bool { return head.Match(data[:min(len(data), 64<<10)]) }

// Named reports whether a file is called as descriptions of APIs are.
func Named(base string) bool {
	base = strings.ToLower(base)
	if !Written(base) {
		return false
	}
	return strings.Contains(base, "openapi") || strings.Contains(base, "swagger") || strings.Contains(base, "asyncapi")
}

// Written reports whether a file is written in what descriptions of APIs are.
func Written(name string) bool {
	return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// Read reads a description.
func Read(data []byte) (*Document, error) {
	root, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("read OpenAPI: %w", err)
	}
	d := &Document{root: root, Version: root.str("openapi"), Title: root.str("info", "title"), Description: root.str("info", "description")}
	if v := root.str("asyncapi"); v != "" {
		d.Version = v
		return d, d.exchanges()
	}
	d.Version = cmp.Or(d.Version, root.str("swagger"))
	if !strings.HasPrefix(d.Version, "3.") && !strings.HasPrefix(d.Version, "2.") {
		if d.Version == "" {
			return nil, errors.New("the file says neither openapi: 3.x nor swagger: 2.0 nor asyncapi: 3.x")
		}
		return nil, fmt.Errorf("the file says version %q; OpenAPI 3 and Swagger 2 can be read", d.Version)
	}
	if p := root.at("paths"); p.kind == list || p.kind == scalar {
		return nil, errors.New("read OpenAPI: its paths are not an object")
	}
	d.Server = d.server()
	d.schemes()
	return d, d.operations()
}

// old reports whether the file is of Swagger 2.
func (d *Document) old() bool { return strings.HasPrefix(d.Version, "2.") }

func (d *Document) server() string {
	if !d.old() {
		all := d.root.at("servers").items
		if len(all) == 0 {
			return ""
		}
		address := all[0].str("url")
		for _, name := range all[0].at("variables").keys {
			address = strings.ReplaceAll(address, "{"+name+"}", all[0].str("variables", name, "default"))
		}
		return address
	}
	host, base := d.root.str("host"), d.root.str("basePath")
	if host == "" {
		return base
	}
	scheme := "https"
	if all := d.root.at("schemes").items; len(all) > 0 && !slices.ContainsFunc(all, func(n *node) bool { return n.text == "https" }) {
		scheme = all[0].text
	}
	return scheme + "://" + host + base
}

func (d *Document) schemes() {
	from := d.root.at("components", "securitySchemes")
	if d.old() {
		from = d.root.at("securityDefinitions")
	}
	names := slices.Clone(from.keys)
	slices.Sort(names)
	for _, name := range names {
		n := d.resolve(from.at(name))
		s := Scheme{Type: n.str("type"), Scheme: strings.ToLower(n.str("scheme")), In: n.str("in"), Name: n.str("name")}
		if s.Type == "basic" { // as Swagger 2 says it
			s.Type, s.Scheme = "http", "basic"
		}
		d.Schemes = append(d.Schemes, s)
	}
}

// resolve follows references within the file.
func (d *Document) resolve(n *node) *node {
	for range maxHops {
		ref := n.str("$ref")
		if ref == "" {
			return n
		}
		to := d.pointer(ref)
		if !to.there() {
			d.Absent++
			return to
		}
		n = to
	}
	return &node{}
}

// pointer returns what a reference stands for: a JSON pointer (RFC 6901) into the file.
func (d *Document) pointer(ref string) *node {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return &node{}
	}
	n := d.root
	for part := range strings.SplitSeq(path, "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}").Replace(part)
		if n = n.at(part); !n.there() {
			return n
		}
	}
	return n
}

func (d *Document) operations() error {
	paths := d.root.at("paths")
	for _, path := range paths.keys {
		it := d.resolve(paths.at(path))
		for _, method := range it.keys {
			op := it.at(method)
			if !slices.Contains(methods, method) || op.kind != object {
				continue
			}
			if len(d.Operations) == maxOperations {
				return fmt.Errorf("more than %d operations: cut the file into several", maxOperations)
			}
			d.Operations = append(d.Operations, d.operation(strings.ToUpper(method), path, it, op))
		}
	}
	return nil
}

func (d *Document) operation(method, path string, it, op *node) Operation {
	o := Operation{Method: method, Path: path, ID: op.str("operationId"), Summary: op.str("summary"), Description: op.str("description"), Deprecated: op.truth("deprecated"), Line: op.line}
	o.Summary = cmp.Or(o.Summary, it.str("summary"))
	for _, t := range op.at("tags").items {
		o.Tags = append(o.Tags, t.text)
	}
	if s := op.at("security"); s.kind == list {
		o.Open = len(s.items) == 0
	}
	var form []*node
	for _, p := range append(slices.Clone(op.at("parameters").items), it.at("parameters").items...) {
		p = d.resolve(p)
		one := Param{Name: p.str("name"), In: p.str("in"), Description: p.str("description"), Required: p.truth("required"), Schema: d.schema(p.at("schema"))}
		switch {
		case one.Name == "" || slices.ContainsFunc(o.Params, func(q Param) bool { return q.Name == one.Name && q.In == one.In }):
			continue // that of the operation comes before that of its path
		case d.old() && one.In == "body":
			o.Body = &Body{Description: one.Description, Required: one.Required, Type: d.media(op, "consumes"), Schema: one.Schema}
			continue
		case d.old() && one.In == "formData":
			form = append(form, p)
			continue
		case !p.at("schema").there() && p.at("content").there():
			_, c := content(p.at("content"))
			one.Schema = d.schema(c.at("schema"))
		case !p.at("schema").there(): // Swagger 2 has the type in the parameter
			one.Schema = d.schema(p)
		}
		o.Params = append(o.Params, one)
	}
	if len(form) > 0 && o.Body == nil {
		o.Body = d.form(op, form)
	}
	if b := d.resolve(op.at("requestBody")); b.there() {
		media, c := content(b.at("content"))
		o.Body = &Body{Description: b.str("description"), Required: b.truth("required"), Type: media, Schema: d.schema(c.at("schema")), example: d.exampleOf(c)}
	}
	d.responses(&o, op)
	return o
}

// form makes a body of the fields that Swagger 2 lists as parameters.
func (d *Document) form(op *node, fields []*node) *Body {
	n, required := newObject(0), &node{kind: list}
	for _, f := range fields {
		n.put(f.str("name"), f)
		if f.truth("required") {
			required.items = append(required.items, (&node{}).set(f.str("name"), f.str("name")))
		}
	}
	all := newObject(0)
	all.put("properties", n)
	all.put("required", required)
	media := d.media(op, "consumes")
	if JSON(media) {
		media = "application/x-www-form-urlencoded"
	}
	return &Body{Required: len(required.items) > 0, Type: media, Schema: d.schema(all)}
}

// media returns the media type of Swagger 2, which an operation or the file lists.
func (d *Document) media(op *node, key string) string {
	all := op.at(key)
	if all.kind != list {
		all = d.root.at(key)
	}
	for _, m := range all.items {
		if JSON(m.text) {
			return m.text
		}
	}
	if len(all.items) > 0 {
		return all.items[0].text
	}
	return "application/json"
}

// content returns the media type that is worth showing: JSON, or the first.
func content(n *node) (string, *node) {
	for _, m := range n.keys {
		if JSON(m) {
			return m, n.at(m)
		}
	}
	if len(n.keys) > 0 {
		return n.keys[0], n.at(n.keys[0])
	}
	return "", &node{}
}

// exampleOf returns the example of a media type, which may be one of several.
func (d *Document) exampleOf(c *node) *node {
	if e := c.at("example"); e.there() {
		return e
	}
	all := c.at("examples")
	for _, name := range all.keys {
		if v := d.resolve(all.at(name)).at("value"); v.there() {
			return v
		}
	}
	return &node{}
}

func (d *Document) responses(o *Operation, op *node) {
	all := op.at("responses")
	for _, status := range all.keys {
		n := d.resolve(all.at(status))
		r := Response{Status: status, Description: n.str("description")}
		for _, h := range n.at("headers").keys {
			r.Link = r.Link || strings.EqualFold(h, "Link")
		}
		if d.old() {
			if s := n.at("schema"); s.there() {
				r.Type, r.Schema = d.media(op, "produces"), d.schema(s)
			}
			for _, media := range n.at("examples").keys {
				if JSON(media) {
					r.example = n.at("examples", media)
				}
			}
		} else {
			media, c := content(n.at("content"))
			r.Type, r.Schema, r.example = media, d.schema(c.at("schema")), d.exampleOf(c)
		}
		o.Responses = append(o.Responses, r)
	}
}

// Success returns the response to what went well, nil where the file has none.
func (o *Operation) Success() *Response {
	var best *Response
	for i := range o.Responses {
		if r := &o.Responses[i]; strings.HasPrefix(r.Status, "2") && (best == nil || r.Status < best.Status) {
			best = r
		}
	}
	return best
}
