package check

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const shop = `{"store":{"name":"s","open":true,"items":[{"id":1,"price":8.5,"tags":["a"]},{"id":2,"price":12,"tags":[]}],"none":null}}`

func TestJSONPath(t *testing.T) {
	for expr, want := range map[string]string{
		`$.store.name == "s"`:                                    "true",
		`$.store.name == 's'`:                                    "true",
		`$.store.name == s`:                                      "true",
		`$.store.items[-1].id == 2.0`:                            "true",
		`$.store.items[*].id == [1, 2]`:                          "true",
		`$.store.items[?@.price < 10 && @.id == 1].id == [1]`:    "true",
		`$.store.items[?@.price == 9]`:                           "nothing",
		`$.store.items[?@.price > 9]`:                            "true",
		`$.store.items[*].id contains 2`:                         "true",
		`$.store.items[*].id contains 3`:                         "[1,2]",
		`$.store.name contains "t"`:                              `"s"`,
		`$.store.name matches "^[a-s]$"`:                         "true",
		`$.store.name matches t`:                                 `"s"`,
		`$.store.none == null`:                                   "true",
		`$.store.none`:                                           "true",
		`$.store.open`:                                           "true",
		`$.gone != 1`:                                            "nothing",
		`length($.store.items) >= 2`:                             "true",
		`count($..id) == 3`:                                      "2",
		`match($.store.name, "x")`:                               "false",
		`$.store.items[0] == {"tags":["a"],"price":8.50,"id":1}`: "true",
		`$.store.name ~ 3`:                                       `JSON expression "$.store.name ~ 3": no operator in "~ 3"`,
		`$.store.[`:                                              `JSONPath "$.store.[", at character 9: a name, * or [ must follow the dot`,
		`$.store.name matches (`:                                 "error parsing regexp",
	} {
		got, ok, err := holds(expr, shop)
		switch {
		case err != nil:
			got = err.Error()
		case ok:
			got = "true"
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("holds(%s) = %s, want %s", expr, got, want)
		}
		if parsed := checkJSON(expr); (parsed != nil) != (err != nil) {
			t.Errorf("%s: when the file is read: %v, when it runs: %v", expr, parsed, err)
		}
	}
	if _, _, err := holds("$.a", "{"); err == nil || err.Error() != "response body is not valid JSON" {
		t.Errorf("%v", err)
	}
}

func expects(t *testing.T, dir string, a *answer, text string) string {
	t.Helper()
	s, err := Parse([]byte("checks: [{name: a, type: http, url: x, expect: "+text+"}]"), true)
	if err != nil {
		return err.Error()
	}
	r := runner(t)
	r.File = func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }
	failed, err := r.orderly().failed(s.Checks[0].Expect, a, 0)
	if err != nil {
		return err.Error()
	}
	return failed
}

func TestSchema(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"shop.json": `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"store":{"properties":{"items":{"items":{"$ref":"item.yaml"}}}}}}`,
		"item.yaml": "type: object\nrequired: [id, price]\nproperties: {price: {type: number, exclusiveMinimum: 0}}\n",
		"old.json":  `{"$schema":"http://json-schema.org/draft-04/schema#"}`,
		"far.json":  `{"$ref":"https://example.org/schema.json"}`,
		"bad.json":  `{"type": 3}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ schema, body, want string }{
		{"shop.json", shop, ""},
		{"shop.json", `{"store":{"items":[{"id":1,"price":0}]}}`, "schema: validating /properties/store: "},
		{"shop.json", `[]`, "schema: type: "},
		{"shop.json", `<`, "response body is not valid JSON"},
		{"{type: object, required: [store]}", shop, ""},
		{"{type: object, required: [shop]}", shop, `schema: required: missing properties: ["shop"]`},
		{"{type: object, properties: {n: {type: integer, maximum: 9007199254740993}}}", `{"n":9007199254740994}`, "schema: "},
		{"gone.json", shop, `failed to read the schema "gone.json": `},
		{"old.json", shop, `the schema "old.json": it is written in http://json-schema.org/draft-04/schema#: draft-07 and draft 2020-12 are read`},
		{"far.json", shop, `schema: `},
		{"bad.json", shop, `the schema "bad.json": `},
	} {
		got := expects(t, dir, &answer{status: 200, body: c.body}, "{schema: "+c.schema+"}")
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s of %s: %q, want %q", c.schema, c.body, got, c.want)
		}
	}
	if got := expects(t, dir, &answer{body: shop}, "{schema: far.json}"); !strings.Contains(got, "only files are read") {
		t.Errorf("a schema elsewhere: %q", got)
	}
}

func TestXPath(t *testing.T) {
	const feed = `<?xml version="1.0"?><!-- c --><feed xmlns="urn:x" xmlns:m="urn:m"><entry id="1"><title>One &amp; all</title><m:n>3</m:n></entry><entry id="2"><title><![CDATA[Two]]></title></entry></feed>`
	const site = `<!DOCTYPE html><title>Home</title><p class=a>x<br>y<script>if (a < b) c()</script><a href="/next?p=2">more</a>`
	for _, c := range []struct{ body, expr, want string }{
		{feed, "//entry", ""},
		{feed, "count(//entry) = 2", ""},
		{feed, "//entry[@id='2']/title = 'Two'", ""},
		{feed, "string(//title) = 'One & all'", ""},
		{feed, "//m:n > 2", ""},
		{feed, "//entry[last()]/preceding-sibling::entry/@id = '1'", ""},
		{feed, "normalize-space(/feed/entry[1]) = 'One & all3'", ""},
		{feed, "//nothing", "XPath expression failed: //nothing: it is nothing"},
		{feed, "count(//entry) = 3", "XPath expression failed: count(//entry) = 3: it is false"},
		{feed, "//entry[", `XPath "//entry["`},
		{feed, "nofunction(1)", `XPath "nofunction(1)"`},
		{site, "//title = 'Home'", ""},
		{site, "//p[@class='a']//a/@href = '/next?p=2'", ""},
		{"<a><b></a>", "//a", "response body is not valid XML: line 1: </a> ends nothing"},
		{"<a>", "//a", "response body is not valid XML: it ends too early"},
		{"", "//a", "response body is not valid XML: it ends too early"},
		{strings.Repeat("<a>", 3000), "//a", "response body nests elements more than 2000 deep"},
	} {
		got := expects(t, "", &answer{body: c.body}, fmt.Sprintf("{xpath: %q}", c.expr))
		if strings.HasPrefix(c.want, "XPath") && strings.Contains(got, c.want) {
			continue
		}
		if got != c.want {
			t.Errorf("%s of %.30s: %q, want %q", c.expr, c.body, got, c.want)
		}
	}
	a := &answer{body: feed, header: http.Header{}}
	for source, want := range map[string]string{"xpath //entry[2]/@id": "2", "xpath count(//entry)": "2", "xpath //none": "", "regex id=\"(.)\"": "1", "regex <title>": "<title>", "regex none": ""} {
		if got, found, err := captured(source, a); err != nil || got != want || found != (want != "") {
			t.Errorf("%s: %q, %v, %v", source, got, found, err)
		}
	}
}

func TestMatches(t *testing.T) {
	a := &answer{body: "version 1.42"}
	for text, want := range map[string]string{
		`{matches: '\d+\.\d+'}`:         "",
		`{matches: ['^version', 'x$']}`: "body does not match x$",
		`{matches: '('}`:                "line 1: checks[0]: matches: error parsing regexp: missing closing ): `(`",
		`{body: [version, '2.42']}`:     `body does not contain "2.42"`,
	} {
		if got := expects(t, "", a, text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestGraphQL(t *testing.T) {
	url := service(t)
	for text, want := range map[string]string{
		`{query: "query($id: ID!) { user(id: $id) { name } }", variables: {id: "${who}"}, operation: Q, expect: {body: '"variables":{"id":"a\"b"}'}}`: "the answer is not GraphQL (status 200): ",
		`{expect: {status: 200}}`: "graphql check requires a 'query' field",
	} {
		text = strings.Replace(text, "{", `{name: a, type: graphql, url: "`+url+`/echo", retries: 0, `, 1)
		s, err := Parse([]byte(`vars: {who: 'a"b'}`+"\nchecks: ["+text+"]"), false)
		if err != nil {
			t.Fatal(err)
		}
		report, err := runner(t).Run(t.Context(), s)
		if err != nil || report.Passed || !strings.HasPrefix(*report.Checks[0].Message, want) {
			t.Errorf("%s: %s, %v", text, *report.Checks[0].Message, err)
		}
	}
	const bad = `{"data":null,"errors":[{"message":"no such user"},{"message":"x"}]}`
	for _, c := range []struct {
		body string
		e    *Expect
		want string
	}{
		{`{"data":{}}`, nil, ""},
		{`{"data":{},"errors":[]}`, &Expect{}, ""},
		{bad, nil, "2 GraphQL errors: no such user"},
		{bad, &Expect{Errors: true}, ""},
		{`{"data":{}}`, &Expect{Errors: true}, "expected GraphQL errors, got none"},
	} {
		if got, err := graphQL(c.e, &answer{body: c.body}); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.body, got, err, c.want)
		}
	}
}
