package openapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/testaid"
)

const pets = `openapi: 3.1.0
info: {title: Pets}
servers: [{url: 'https://{region}.example.com/v1', variables: {region: {default: eu}}}]
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
      - {name: trace, in: header, schema: {type: string}}
    get:
      operationId: getPet
      summary: Get a pet
      tags: [pets]
      security: []
      parameters: [{$ref: '#/components/parameters/Trace'}, {$ref: 'other.yaml#/Gone'}]
      responses:
        default: {description: an error}
        '200':
          description: the pet
          headers: {Link: {}}
          content: {text/plain: {}, application/hal+json: {schema: {$ref: '#/components/schemas/Dog'}}}
  /pets:
    post:
      deprecated: true
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Dog'}}}}
components:
  parameters: {Trace: {name: trace, in: header, description: of the operation}}
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: [string, 'null'], example: Rex}, born: {type: string, format: date}}}
    Dog:
      allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {puppies: {type: array, items: {$ref: '#/components/schemas/Dog'}}}}]
      required: [born]
  securitySchemes: {token: {type: http, scheme: Bearer}}
`

func TestRead(t *testing.T) {
	d, err := Read([]byte(pets))
	if err != nil || len(d.Operations) != 2 {
		t.Fatal(d, err)
	}
	if d.Title != "Pets" || d.Server != "https://eu.example.com/v1" || d.Absent != 1 || len(d.Schemes) != 1 || d.Schemes[0].Scheme != "bearer" {
		t.Errorf("%+v", d)
	}
	get, post := d.Operations[0], d.Operations[1]
	if get.Method != Get || get.ID != "getPet" || !get.Open || get.Line != 9 || fmt.Sprint(get.Tags) != "[pets]" || post.Open || !post.Deprecated {
		t.Errorf("%+v\n%+v", get, post)
	}
	// That of the operation comes before that of the path, and the reference that leads nowhere is none.
	if len(get.Params) != 2 || get.Params[0].Description != "of the operation" || get.Params[1].Name != "id" || get.Params[1].Schema.Type() != "integer" || !get.Params[1].Required {
		t.Errorf("%+v", get.Params)
	}
	r := get.Success()
	if r == nil || r.Type != "application/hal+json" || !r.Link || r.Schema.Name() != "Dog" {
		t.Fatalf("%+v", r)
	}
	var got []string
	for _, f := range post.Body.Schema.Fields() {
		got = append(got, fmt.Sprintf("%s%v%s", f.Name, f.Required, f.Schema.Type()))
	}
	if strings.Join(got, " ") != "nametruestring borntruestring puppiesfalsearray" {
		t.Errorf("%q", got)
	}
	var value map[string]any
	if err := json.Unmarshal([]byte(post.Body.Example()), &value); err != nil || value["name"] != "Rex" || value["born"] != "2026-01-31" {
		t.Errorf("%s: %v", post.Body.Example(), err)
	}
}

func TestReadSwagger(t *testing.T) {
	d, err := Read([]byte("\ufeff{\n\t\"swagger\": \"2.0\", \"host\": \"api.example.com\", \"basePath\": \"/v2\", \"schemes\": [\"http\"], \"produces\": [\"application/json\"],\n" +
		"\t\"securityDefinitions\": {\"b\": {\"type\": \"basic\"}},\n\t\"paths\": {\n\t\t\"/a~b\": {\n\t\t\t\"post\": {\"parameters\": [{\"in\": \"body\", \"name\": \"x\", \"required\": true, \"schema\": {\"$ref\": \"#/definitions/a~1b\"}},\n" +
		"{\"name\": \"n\", \"in\": \"query\", \"type\": \"integer\"}], \"responses\": {\"201\": {\"schema\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}}}},\n" +
		"\"put\": {\"parameters\": [{\"name\": \"file\", \"in\": \"formData\", \"type\": \"file\", \"required\": true}]}}},\n\t\"definitions\": {\"a/b\": {\"properties\": {\"k\": {\"enum\": [\"v\", \"w\"]}}}}}"))
	if err != nil || len(d.Operations) != 2 {
		t.Fatal(d, err)
	}
	post, put := d.Operations[0], d.Operations[1]
	if d.Server != "http://api.example.com/v2" || d.Schemes[0] != (Scheme{Type: "http", Scheme: "basic"}) || post.Line != 6 {
		t.Errorf("%+v", d)
	}
	if !post.Body.Required || post.Body.Type != "application/json" || post.Body.Example() != `{"k": "v"}` || post.Params[0].Schema.Type() != "integer" || post.Success().Schema.Items().Type() != "string" {
		t.Errorf("%+v %s", post, post.Body.Example())
	}
	if put.Body == nil || put.Body.Type != "application/x-www-form-urlencoded" || len(put.Params) != 0 || put.Body.Schema.Fields()[0].Name != "file" {
		t.Errorf("%+v", put)
	}
}

func TestReadYAML(t *testing.T) {
	d, err := Read([]byte("openapi: 3.0.0\nx: &common\n  summary: shared\npaths:\n  /a:\n    get: {<<: *common, operationId: a}\n    put: *common\n"))
	if err != nil || len(d.Operations) != 2 || d.Operations[0].Summary != "shared" || d.Operations[0].ID != "a" || d.Operations[1].Summary != "shared" {
		t.Errorf("%+v, %v", d, err)
	}
	for text, want := range map[string]string{
		"":                                  "neither openapi",
		"openapi: 4.0.0":                    `version "4.0.0"`,
		"{":                                 "read OpenAPI: line 1",
		"a: [":                              "read OpenAPI",
		"a: &x {b: *x}":                     "within what it stands for",
		"openapi: 3.0.0\npaths: []":         "its paths are not an object",
		`{"openapi": "3.0.0"} x`:            "more after the end",
		strings.Repeat(`{"a":`, maxDepth+2): "nested more than",
	} {
		if d, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%.30q): %+v, %v, want %q", text, d, err, want)
		}
	}
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		pets: true, `{"info":{},"swagger":"2.0"}`: true, "# a\nswagger: '2.0'": true, "openapi: 3.0.1": true,
		"name: openapi: no": false, "a: b\n": false, `{"openapi": {}}`: false,
	} {
		if Is([]byte(text)) != want {
			t.Errorf("Is(%.30q) = %v", text, !want)
		}
	}
	for name, want := range map[string]bool{"openapi.yaml": true, "api.swagger.json": true, "swagger-ui.js": false, "pets.yaml": false, "OpenAPI.YML": true} {
		if Named(name) != want {
			t.Errorf("Named(%s) = %v", name, !want)
		}
	}
}

// A schema that is composed of itself twice over, and aliases that multiply, end in time.
func TestHostile(t *testing.T) {
	all := func(n int) string {
		self := strings.Repeat("{$ref: '#/components/schemas/S'},", n)
		return "openapi: 3.0.0\npaths:\n  /a:\n    post:\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}\ncomponents: {schemas: {S: {allOf: [" + self + "], anyOf: [" + self + "]}}}"
	}
	if err := testaid.Linear(500, func(n int) {
		d, err := Read([]byte(all(n)))
		if err != nil || d.Operations[0].Body.Example() != "{}" {
			t.Error(d, err)
		}
	}); err != nil {
		t.Error(err)
	}
	bomb := "openapi: 3.0.0\nx0: &x0 [a]\n"
	for i := range 30 {
		bomb += fmt.Sprintf("x%d: &x%d [*x%d, *x%d]\n", i+1, i+1, i, i)
	}
	if d, err := Read([]byte(bomb + "paths: {/a: {post: {requestBody: {content: {application/json: {example: *x30}}}}}}")); err != nil || d.Operations[0].Body.Example() != "" {
		t.Error(d, err)
	}
}

// Whatever the file, reading it ends, and an example is JSON.
func FuzzRead(f *testing.F) {
	f.Add(pets)
	f.Add(lightsOf2)
	f.Add(lightsOf3)
	f.Add(`{"swagger":"2.0","paths":{"/a":{"get":{"parameters":[{"in":"body","name":"b","schema":{"type":"array"}}]}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Read([]byte(text))
		if err != nil {
			return
		}
		for _, x := range d.Exchanges {
			for j := range x.Messages {
				if e := x.Messages[j].Example(); e != "" && !json.Valid([]byte(e)) {
					t.Errorf("%s %s: %s", x.Action, x.Channel, e)
				}
			}
		}
		for i := range d.Operations {
			o := &d.Operations[i]
			if o.Body != nil {
				if e := o.Body.Example(); e != "" && !json.Valid([]byte(e)) {
					t.Errorf("%s %s: %s", o.Method, o.Path, e)
				}
			}
			for j := range o.Responses {
				if e := o.Responses[j].Example(); e != "" && !json.Valid([]byte(e)) {
					t.Errorf("%s %s: %s", o.Method, o.Path, e)
				}
			}
		}
	})
}
