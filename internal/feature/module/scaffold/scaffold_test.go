package scaffold

import (
	"errors"
	"flag"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/domain/catalog"
	"github.com/assay-dev/assay/internal/feature/module/mock"
	"github.com/assay-dev/assay/internal/lua"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sound reports what is wrong with a module.
func sound(t *testing.T, name, src string) {
	t.Helper()
	var c catalog.Catalog
	for _, f := range c.Lint(&catalog.Module{Name: "assay." + name, Path: name + ".lua"}, src, lua.Check) {
		t.Errorf("%v\n%s", f, src)
	}
}

func TestNew(t *testing.T) {
	for _, name := range []string{"thing", "x", "a_long_name_of_forty_characters_12345678", "http"} {
		sound(t, name, New(name))
	}
}

func TestFromOpenAPI(t *testing.T) {
	spec, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	w, err := FromOpenAPI("shop", spec)
	if err != nil || w.Functions != 6 || w.Absent != 0 {
		t.Fatal(w, err)
	}
	sound(t, "shop", w.Module)
	for file, got := range map[string]string{"shop.lua": w.Module, "shop_test.lua": w.Test, "shop.json": w.Fixture} {
		if *update {
			if err := os.WriteFile("testdata/"+file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile("testdata/" + file); err != nil || got != string(want) {
			t.Errorf("%v: not testdata/%s (go test -update, then read the diff):\n%s", err, file, got)
		}
	}
}

// What is written answers to its own test, whatever the authentication, the body, and the way
// in which listings go on.
func TestWrittenTests(t *testing.T) {
	shop, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	list := func(query, schema string) string {
		return "openapi: 3.1.0\npaths: {'/a/{b.c}/x': {get: {operationId: list, parameters: [" + query + "], responses: {'200': {content: {application/json: {schema: " + schema + "}}}}}}}"
	}
	for name, c := range map[string]struct{ spec, want string }{
		"shop":    {string(shop), "c:each_list_orders("},
		"pages":   {list("{name: page, in: query, schema: {type: integer, default: 0}}", "{type: array, items: {type: string}}"), "o.page = (tonumber(o.page) or 0) + 1"},
		"offset":  {list("{name: offset, in: query, schema: {type: integer}}", "{properties: {total: {type: integer}, rows: {type: array, items: {}}}}"), `answer["rows"]`},
		"cursor":  {list("{name: pageToken, in: query, schema: {type: string}}", "{properties: {items: {type: array}, nextPageToken: {type: string}}}"), `answer["nextPageToken"]`},
		"swagger": {`{"swagger": "2.0", "securityDefinitions": {"k": {"type": "apiKey", "in": "query", "name": "api key"}}, "paths": {"/f": {"post": {"parameters": [{"name": "a", "in": "formData", "type": "string", "required": true}, {"name": "q", "in": "query", "type": "string", "required": true}]}}}}`, `"form")`},
		"upload":  {`{"openapi": "3.0.0", "components": {"securitySchemes": {"k": {"type": "apiKey", "in": "query", "name": "key"}}}, "paths": {"/f": {"post": {"requestBody": {"required": true, "content": {"multipart/form-data": {}}}}, "patch": {"requestBody": {"content": {"text/csv": {}}}}, "head": {}}}}`, `"multipart")`},
	} {
		w, err := FromOpenAPI(name, []byte(c.spec))
		if err != nil || !strings.Contains(w.Module, c.want) {
			t.Errorf("%s: %v, not %q in %+v", name, err, c.want, w)
			continue
		}
		sound(t, name, w.Module)
		runs(t, name, w)
	}
}

// runs runs what tests a module.
func runs(t *testing.T, name string, w *Written) {
	t.Helper()
	server, err := mock.New([]byte(w.Fixture))
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, w.Fixture)
		return
	}
	srv := httptest.NewServer(server)
	defer srv.Close()
	var out strings.Builder
	vm := lua.New(lua.Options{
		Stdout: &out, Env: func(key string) (string, bool) { return srv.URL, key == strings.ToUpper(name)+"_URL" },
		Require: func(module string) ([]byte, string, error) { return []byte(w.Module), module, nil },
	})
	_, err = vm.Run(t.Context(), "test", []byte(w.Test))
	if err = errors.Join(err, vm.Close()); err != nil || !strings.Contains(out.String(), "ask as they should") {
		t.Errorf("%s: %v\n%s\n%s\n%s", name, err, w.Module, w.Test, w.Fixture)
	}
}

// A call that lacks something, or whose element of a path would be another path, is refused.
func TestRefused(t *testing.T) {
	w, err := FromOpenAPI("x", []byte("openapi: 3.0.0\npaths: {'/a/{id}': {put: {operationId: put, requestBody: {required: true, content: {application/json: {schema: {type: object}}}}}}}"))
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range map[string]string{
		"c:put()": "x.put: id is required", `c:put("..", {})`: "x.put: id is required", "c:put(1)": "x.put: body is required", `c:put(1, "a")`: "x.put: body must be a table, not string",
	} {
		vm := lua.New(lua.Options{Stdout: io.Discard, Require: func(string) ([]byte, string, error) { return []byte(w.Module), "x", nil }})
		_, err := vm.Run(t.Context(), "test", []byte(`local c = require("assay.x").client("http://127.0.0.1:1") `+call))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", call, err, want)
		}
		if err := vm.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFromOpenAPIErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "neither openapi",
		"{":                         "read OpenAPI",
		"openapi: 3.0.0":            "no operations",
		"openapi: 3.0.0\npaths: []": "not an object",
	} {
		if _, err := FromOpenAPI("x", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("FromOpenAPI(%q): %v, want %q", text, err, want)
		}
	}
}

func TestSnake(t *testing.T) {
	for in, want := range map[string]string{
		"listPets": "list_pets", "ListPets": "list_pets", "list-pets": "list_pets", "GET /a/{petId}/x": "get_a_pet_id_x", "HTTPServer": "http_server", "getV2Items": "get_v2_items",
		"": "", "…": "", "3d": "n3d", "__a__": "a", "users.list": "users_list", "ÄpfelListe": "pfel_liste", strings.Repeat("ab_", 40): strings.TrimRight(strings.Repeat("ab_", 20), "_"),
	} {
		if got := snake(in); got != want {
			t.Errorf("snake(%q) = %q, want %q", in, got, want)
		}
	}
}

// Whatever the file, it is an error or a sound module.
func FuzzFromOpenAPI(f *testing.F) {
	spec, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(spec))
	f.Add(`{"openapi":"3.0.0","paths":{"/{a}/{a}{b}":{"get":{"operationId":"end","summary":"a -> b | c\n--- @env X","parameters":[{"name":"]]","in":"query"},{"name":"end","in":"query"}]}}},"components":{"parameters":{"x":{"$ref":"#/components/parameters/x"}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		w, err := FromOpenAPI("thing", []byte(text))
		if err != nil {
			return
		}
		sound(t, "thing", w.Module)
		if got := strings.Count(w.Module, "\n--- @quickref "); got != w.Functions {
			t.Errorf("%d functions, %d quickrefs", w.Functions, got)
		}
		if err := lua.Check("test", []byte(w.Test)); err != nil {
			t.Errorf("%v\n%s", err, w.Test)
		}
		if _, err := mock.New([]byte(w.Fixture)); err != nil {
			t.Errorf("%v\n%s", err, w.Fixture)
		}
	})
}
