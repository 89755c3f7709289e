//go:build !slim

package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// What is begun can be used, and has no faults.
func TestNewModule(t *testing.T) {
	b := newBench(t, map[string]string{"work/api.yaml": `
openapi: 3.0.0
info: {title: Pets}
paths:
  /pets/{id}:
    get: {operationId: getPet, summary: Get a pet, parameters: [{name: fields, in: query}]}
  /pets:
    post: {operationId: addPet, requestBody: {content: {application/json: {}}}}
components: {securitySchemes: {b: {type: http, scheme: bearer}}}
`}, map[string]string{"PETS_TOKEN": "t0ken"}, nil)
	r, err := b.NewModule(b.ctx, NewInput{Name: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if got := written(t, r); !strings.Contains(got, "with 1 function\n") || !strings.Contains(got, `require("assay.shop")`) {
		t.Errorf("%s", got)
	}
	if _, err := b.NewModule(b.ctx, NewInput{Name: "pets", OpenAPI: "api.yaml", Global: true}); err != nil {
		t.Fatal(err)
	}
	if l, err := b.Lint(b.ctx, LintInput{Modules: []string{"shop", "pets"}}); err != nil || l.Verdict() != nil {
		t.Errorf("%v, %s", err, written(t, l))
	}
	url, requests := serve(t, `{"routes": [
		{"method": "GET", "path": "/pets/{id}", "query": {"fields": "a b"}, "headers": {"Authorization": "Bearer t0ken"}, "reply": {"json": {"name": "Rex"}}},
		{"method": "POST", "path": "/pets", "body": {"name": "Tom"}, "reply": {"status": 201, "json": {"id": 7}}},
		{"path": "/*", "reply": {"status": 500, "body": "down"}}]}`)
	x, err := b.Exec(b.ctx, ExecInput{Args: []string{url}, Eval: `
		local c = require("assay.pets").client(... .. "/")
		local ok, err = pcall(c.get_pet, c, 1)
		return c:get_pet("a/b", { fields = "a b" }).name, c:add_pet({ name = "Tom" }).id, err`})
	if err != nil || written(t, x) != "Rex\n7\npets: GET /pets/1 HTTP 500: down\n" || requests()[0].Path != "/pets/1" || requests()[1].Path != "/pets/a%2Fb" {
		t.Errorf("%+v, %v, %+v", x, err, requests())
	}
	for name, c := range map[string]struct {
		in   NewInput
		kind fault.Kind
		want string
	}{
		"there already": {NewInput{Name: "shop"}, fault.Usage, "already exists"},
		"no name":       {NewInput{Name: "../x"}, fault.Usage, "is not a valid module name"},
		"no file":       {NewInput{Name: "x", OpenAPI: "gone.yaml"}, fault.NotFound, "reading gone.yaml"},
		"no OpenAPI":    {NewInput{Name: "x", OpenAPI: "modules/shop.lua"}, fault.Usage, "modules/shop.lua: "},
	} {
		_, err := b.NewModule(b.ctx, c.in)
		wrong(t, name, err, c.kind, c.want)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "work/modules/x.lua")); err == nil {
		t.Error("an error left a file")
	}
}

// The module of the examples is the one that the command writes.
func TestExampleModule(t *testing.T) {
	spec, err := os.ReadFile(filepath.Join(examplesDir, "openapi/tickets.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, map[string]string{"work/openapi/tickets.yaml": string(spec)}, nil, nil)
	r, err := b.NewModule(b.ctx, NewInput{Name: "tickets", OpenAPI: "openapi/tickets.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join(examplesDir, "modules/tickets.lua"), string(src))
	l, err := b.Lint(b.ctx, LintInput{})
	if err != nil || l.Verdict() != nil {
		t.Errorf("%v, %s", err, written(t, l))
	}
}
