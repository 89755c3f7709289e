package main

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var documents = flag.String("documents", "", "compare what the modules send with the vendors' documents in this folder: NAME.json or NAME-PART.json of the module NAME, also .gz")

// A vendorMethod is one method of a path of an API, as its vendor describes it.
type vendorMethod struct {
	verb       string
	path       *regexp.Regexp
	parameters map[string]bool // of the query: is it required
	body       map[string]bool // members of the body; nil: any
}

// A vendorDocument is what is read of OpenAPI, Swagger, a discovery document of Google or a model of botocore.
type vendorDocument struct {
	root   map[string]any
	global []string // parameters of every method
	list   []vendorMethod
}

// TestVendorDocuments compares the requests of the modules' fixtures with documents that are not here: they come from packages
// (@octokit/openapi, google-api-python-client, botocore …).
func TestVendorDocuments(t *testing.T) {
	if *documents == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(*documents, "*.json*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no documents in "+*documents, err)
	}
	of := map[string]*vendorDocument{}
	for _, file := range files {
		name := regexp.MustCompile(`^\w+`).FindString(filepath.Base(file))
		d := readVendorDocument(t, file)
		if have := of[name]; have != nil {
			d.list, d.global = append(have.list, d.list...), append(have.global, d.global...)
		}
		of[name] = d
	}
	for name, d := range of {
		t.Run(name, func(t *testing.T) {
			for _, r := range fixtureRequests(t, name) {
				if fault := d.fault(r); fault != "" {
					t.Errorf("%s: %s", r.Send, fault)
				}
			}
		})
	}
}

// The check itself finds each kind of fault, and none in a request that is as described.
func TestVendorFaults(t *testing.T) {
	const openAPI = `{"servers": [{"url": "https://h/v1"}], "paths": {"/a/{id}": {"parameters": [{"name": "id", "in": "path", "required": true}],
		"post": {"parameters": [{"$ref": "#/components/parameters/q"}, {"name": "r", "in": "query", "required": true}],
		"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/b"}}}}}}},
		"components": {"parameters": {"q": {"name": "q", "in": "query"}}, "schemas": {"b": {"required": ["x"], "properties": {"x": {}, "y": {}}}}}}`
	const discovery = `{"servicePath": "v1/", "parameters": {"alt": {}}, "resources": {"a": {"methods": {"get": {"httpMethod": "GET", "path": "a/{+id}",
		"parameters": {"id": {"location": "path"}, "q": {"location": "query", "required": true}}}}}}}`
	const model = `{"operations": {"Get": {"http": {"method": "GET", "requestUri": "/v1/a/{id}"}, "input": {"shape": "I"}}},
		"shapes": {"I": {"members": {"id": {"location": "uri"}, "Q": {"location": "querystring", "locationName": "q"}}}}}`
	tests := []struct{ name, document, send, body, want string }{
		{"as described", openAPI, "POST /v1/a/7?q=1&r=2", `{"x": 1, "y": 2}`, ""},
		{"another path", openAPI, "POST /v1/b/7", "", "there is no such path and method"},
		{"another method", openAPI, "PUT /v1/a/7", "", "there is no such path and method"},
		{"another parameter", openAPI, "POST /v1/a/7?s=1&r=2", `{"x": 1}`, "there is no parameter s"},
		{"a parameter that is missing", openAPI, "POST /v1/a/7", `{"x": 1}`, "the parameter r is required"},
		{"another member", openAPI, "POST /v1/a/7?r=2", `{"x": 1, "z": 1}`, "the body has no member z"},
		{"a member that is missing", openAPI, "POST /v1/a/7?r=2", `{"y": 1}`, "the member x is required"},
		{"Google, as described", discovery, "GET /v1/a/b/c?q=1&alt=json", "", ""},
		{"Google, a parameter that is missing", discovery, "GET /v1/a/7", "", "the parameter q is required"},
		{"AWS, as described", model, "GET /v1/a/7?q=1", "", ""},
		{"AWS, another parameter", model, "GET /v1/a/7?r=1", "", "there is no parameter r"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parseVendorDocument(t, strings.NewReader(tt.document))
			if got := d.fault(fixtureRequest{Send: tt.send, Body: json.RawMessage(tt.body)}); got != tt.want {
				t.Errorf("fault = %q, want %q", got, tt.want)
			}
		})
	}
}

// A fixtureRequest is a request that a module sends in its tests, and the status of the answer.
type fixtureRequest struct {
	Send   string
	Body   json.RawMessage
	Status int
}

func fixtureRequests(t *testing.T, module string) (out []fixtureRequest) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "script", "stdlib", "testdata", module+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Tests []struct {
			fixtureRequest
			Requests []fixtureRequest
		}
	}
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Tests {
		for _, r := range append(c.Requests, c.fixtureRequest) {
			if r.Send != "" {
				r.Send = strings.ReplaceAll(r.Send, "{nasty}", "x")
				out = append(out, r)
			}
			if r.Status/100 == 3 { // what a redirect leads to is elsewhere
				break
			}
		}
	}
	return out
}

// fault says in what a request is not as the document describes one; the first path that fits without a fault decides.
func (d *vendorDocument) fault(r fixtureRequest) string {
	verb, address, _ := strings.Cut(r.Send, " ")
	path, raw, _ := strings.Cut(address, "?")
	query, _ := url.ParseQuery(raw)
	var body map[string]any
	_ = json.Unmarshal(r.Body, &body) // what is no object has no members
	first := "there is no such path and method"
	for i, m := range d.list {
		if m.verb != verb || !m.path.MatchString(path) {
			continue
		}
		fault := d.list[i].faultOf(query, body, d.global)
		if fault == "" {
			return ""
		}
		first = fault
	}
	return first
}

func (m *vendorMethod) faultOf(query url.Values, body map[string]any, global []string) string {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if _, ok := m.parameters[name]; !ok && !slices.Contains(global, name) {
			return "there is no parameter " + name
		}
	}
	for name, required := range m.parameters {
		if required && !query.Has(name) {
			return "the parameter " + name + " is required"
		}
	}
	if m.body == nil || body == nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if _, ok := m.body[name]; !ok {
			return "the body has no member " + name
		}
	}
	for name, required := range m.body {
		if _, ok := body[name]; required && !ok {
			return "the member " + name + " is required"
		}
	}
	return ""
}

func readVendorDocument(t *testing.T, file string) *vendorDocument {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	return parseVendorDocument(t, r)
}

func parseVendorDocument(t *testing.T, r io.Reader) *vendorDocument {
	t.Helper()
	d := &vendorDocument{}
	if err := json.NewDecoder(r).Decode(&d.root); err != nil {
		t.Fatal(err)
	}
	switch {
	case d.root["paths"] != nil:
		d.readOpenAPI()
	case d.root["operations"] != nil:
		d.readModel()
	default:
		d.readDiscovery(d.root, "/"+text(d.root["servicePath"]))
		d.global = slices.Collect(maps.Keys(object(d.root["parameters"])))
	}
	return d
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }
func list(v any) []any            { l, _ := v.([]any); return l }
func text(v any) string           { s, _ := v.(string); return s }

// at follows a reference.
func (d *vendorDocument) at(v any) map[string]any {
	m := object(v)
	for text(m["$ref"]) != "" {
		next := d.root
		for part := range strings.SplitSeq(strings.TrimPrefix(text(m["$ref"]), "#/"), "/") {
			next = object(next[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)])
		}
		m = next
	}
	return m
}

var hole = regexp.MustCompile(`\\\{(\\\+)?[^}]*\\\}`)

// pathOf is an expression for the paths of a pattern; {+name} and {path} have slashes too.
func pathOf(pattern string) *regexp.Regexp {
	quoted := hole.ReplaceAllStringFunc(regexp.QuoteMeta(pattern), func(h string) string {
		if strings.HasPrefix(h, `\{\+`) || h == `\{path\}` {
			return ".+"
		}
		return "[^/]+"
	})
	return regexp.MustCompile("^" + quoted + "$")
}

func (d *vendorDocument) readOpenAPI() {
	base := text(d.root["basePath"])
	for _, s := range list(d.root["servers"])[:min(1, len(list(d.root["servers"])))] {
		if u, err := url.Parse(text(object(s)["url"])); err == nil {
			base = strings.TrimSuffix(u.Path, "/")
		}
	}
	for pattern, item := range object(d.root["paths"]) {
		for verb, operation := range object(item) {
			m := vendorMethod{verb: strings.ToUpper(verb), path: pathOf(base + pattern), parameters: map[string]bool{}}
			o := object(operation)
			for _, p := range append(list(object(item)["parameters"]), list(o["parameters"])...) {
				if p := d.at(p); text(p["in"]) == "query" {
					m.parameters[text(p["name"])] = p["required"] == true
				}
			}
			content := object(d.at(o["requestBody"])["content"])
			m.body = d.members(d.at(object(content["application/json"])["schema"]))
			d.list = append(d.list, m)
		}
	}
}

// members are those of a schema, nil where it is not one plain object.
func (d *vendorDocument) members(schema map[string]any) map[string]bool {
	if schema["oneOf"] != nil || schema["anyOf"] != nil || schema["allOf"] != nil || schema["properties"] == nil {
		return nil
	}
	out := map[string]bool{}
	for name := range object(schema["properties"]) {
		out[name] = false
	}
	for _, name := range list(schema["required"]) {
		out[text(name)] = true
	}
	return out
}

func (d *vendorDocument) readDiscovery(node map[string]any, base string) {
	for _, v := range object(node["methods"]) {
		o := object(v)
		m := vendorMethod{verb: text(o["httpMethod"]), path: pathOf(base + text(o["path"])), parameters: map[string]bool{}}
		for name, p := range object(o["parameters"]) {
			if text(object(p)["location"]) == "query" {
				m.parameters[name] = object(p)["required"] == true
			}
		}
		m.body = d.members(object(object(d.root["schemas"])[text(object(o["request"])["$ref"])]))
		d.list = append(d.list, m)
	}
	for _, v := range object(node["resources"]) {
		d.readDiscovery(object(v), base)
	}
}

// readModel reads a model of botocore, of which it knows the kind that has paths (rest-json).
func (d *vendorDocument) readModel() {
	for _, v := range object(d.root["operations"]) {
		o := object(v)
		call, input := object(o["http"]), object(object(d.root["shapes"])[text(object(o["input"])["shape"])])
		m := vendorMethod{verb: text(call["method"]), path: pathOf(text(call["requestUri"])), parameters: map[string]bool{}, body: map[string]bool{}}
		for name, member := range object(input["members"]) {
			required := slices.Contains(list(input["required"]), any(name))
			named := fmt.Sprint(object(member)["locationName"])
			switch text(object(member)["location"]) {
			case "querystring":
				m.parameters[named] = required
			case "":
				m.body[name] = required
			}
		}
		d.list = append(d.list, m)
	}
}
