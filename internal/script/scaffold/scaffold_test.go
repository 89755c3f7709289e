package scaffold

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/script/catalog"
	"github.com/assay-dev/assay/internal/script/lua"
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
	src, n, _, err := FromOpenAPI("shop", spec)
	if err != nil || n != 5 {
		t.Fatal(n, err)
	}
	sound(t, "shop", src)
	if *update {
		if err := os.WriteFile("testdata/shop.lua", []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/shop.lua")
	if err != nil || src != string(want) {
		t.Errorf("%v: not testdata/shop.lua (go test -update, then read the diff):\n%s", err, src)
	}
}

func TestFromOpenAPIJSON(t *testing.T) {
	src, n, _, err := FromOpenAPI("j", []byte("\n{\"openapi\": \"3.1.0\", \"paths\": {\"x\": {\"get\": {\"responses\": {\"200\": {\"content\": {\"application/json\": {\"schema\": {\"type\": [\"null\", \"string\"]}}}}}}}},\n\t\"components\": {\"securitySchemes\": {\"k\": {\"type\": \"apiKey\", \"in\": \"query\", \"name\": \"key\"}}}}"))
	if err != nil || n != 1 || !strings.Contains(src, "c:get_x() -> string | GET /x\n") || !strings.Contains(src, `query("key", client.api_key)`) {
		t.Fatal(src, err)
	}
	sound(t, "j", src)
	for text, want := range map[string]string{
		"":               "neither openapi: 3.x nor swagger: 2.0",
		"swagger: '2.0'": "no operations",
		"swagger: '1.2'": "OpenAPI 3 and Swagger 2 can be read",
		"{":              "read OpenAPI",
		"a: [":           "read OpenAPI",
		"openapi: 3.0.0": "no operations",
		"asyncapi: 3.0.0\nchannels: {a: {address: a}}\noperations: {b: {action: send, channel: {$ref: '#/channels/a'}}}": "AsyncAPI and describes messages",
		"openapi: 3.0.0\npaths: []": "read OpenAPI",
	} {
		if _, _, _, err := FromOpenAPI("x", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("FromOpenAPI(%q): %v, want %q", text, err, want)
		}
	}
}

// A method without a function in modules, and a file of Swagger 2.
func TestFromSwagger(t *testing.T) {
	src, n, left, err := FromOpenAPI("s", []byte("swagger: '2.0'\nhost: api.example.com\nbasePath: /v2\npaths:\n  /a:\n    head: {}\n    get: {}\n    post: {parameters: [{name: b, in: body, schema: {type: object}}]}\n"))
	if err != nil || n != 2 || strings.Join(left, ", ") != "HEAD /a" {
		t.Fatal(n, left, err)
	}
	if !strings.Contains(src, `or "https://api.example.com/v2"`) || !strings.Contains(src, "c:post_a(body)") {
		t.Errorf("%s", src)
	}
	sound(t, "s", src)
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
		src, n, _, err := FromOpenAPI("thing", []byte(text))
		if err != nil {
			return
		}
		sound(t, "thing", src)
		if got := strings.Count(src, "\n--- @quickref "); got != n {
			t.Errorf("%d functions, %d quickrefs", n, got)
		}
	})
}
