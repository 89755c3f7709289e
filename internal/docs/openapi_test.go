package docs

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/work"
)

// Each operation of an OpenAPI file is found, of a tree and of a file that is named; one that
// cannot be read is told.
func TestOpenAPI(t *testing.T) {
	spec := "openapi: 3.0.0\npaths:\n  /orders:\n    post: {summary: Create an order, responses: {}}\n"
	dir := tree(t, map[string]string{
		"README.md": "# Shop\n\nOrders are made over HTTP, and paid later.\n", "api/openapi.yaml": spec, "v1.yml": spec, "deploy.yaml": "kind: Deployment\n",
		"swagger.json": `{"swagger": "2.0", "paths": `,
	})
	f := feature(t, dir)
	told := ""
	ctx := work.With(t.Context(), work.Report{Note: func(format string, args ...any) { told += fmt.Sprintf(format, args...) + "\n" }})
	got, err := f.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "/a/shop"}})
	if err != nil || got.Libraries[0].Sources != 1 || got.Libraries[0].Snippets != 2 || !strings.Contains(told, "swagger.json: read OpenAPI") {
		t.Errorf("%+v, %v, %s", got, err, told)
	}
	if s := ask(t, f, "/a/shop", "create an order"); !strings.HasPrefix(s, "### Create an order (POST /orders)\n\nSource: api/openapi.yaml#L4\n") || !strings.Contains(s, "curl -X POST 'https://HOST/orders'") {
		t.Errorf("it says %s", s)
	}
	for _, in := range []Where{{Source: filepath.Join(dir, "v1.yml"), ID: "/a/one"}, {Source: dir, ID: "/a/two", Include: []string{"v1.yml"}}} {
		if got, err := f.Ingest(t.Context(), IngestInput{Where: in}); err != nil || got.Libraries[0].Snippets != 1 {
			t.Errorf("%+v: %+v, %v", in, got, err)
		}
	}
	if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "/a/none", NoAPI: true}}); err != nil || strings.Contains(ask(t, f, "/a/none", "create an order"), "curl") {
		t.Errorf("without the API: %v", err)
	}
}

// TestAsyncAPI holds that the messages of each channel are found, and that a file which cannot be read is named.
func TestAsyncAPI(t *testing.T) {
	dir := tree(t, map[string]string{
		"README.md":       "# Lights\n\nLights tell how bright they are, over a broker.\n",
		"asyncapi.yaml":   "asyncapi: 3.0.0\nchannels:\n  m: {address: 'light/{id}', messages: {lumens: {payload: {type: object, properties: {lumens: {type: integer}}}}}}\noperations:\n  tell: {action: send, summary: Tell the brightness, channel: {$ref: '#/channels/m'}}\n",
		"b/asyncapi.json": `{"asyncapi": "2.0.0", "channels": []}`,
		"c/asyncapi.json": `{"asyncapi": "1.2.0", "topics": {}}`,
	})
	f := feature(t, dir)
	told := ""
	ctx := work.With(t.Context(), work.Report{Note: func(format string, args ...any) { told += fmt.Sprintf(format, args...) + "\n" }})
	got, err := f.Ingest(ctx, IngestInput{Where: Where{Source: dir, ID: "/a/lights"}})
	if err != nil || got.Libraries[0].Snippets != 2 || !strings.Contains(told, "b/asyncapi.json: read AsyncAPI: its channels") || !strings.Contains(told, `c/asyncapi.json: the file says version "1.2.0" of AsyncAPI`) {
		t.Errorf("%+v, %v, %s", got, err, told)
	}
	if s := ask(t, f, "/a/lights", "tell the brightness"); !strings.Contains(s, "### Tell the brightness (send light/{id})\n\nSource: asyncapi.yaml#L5\n") || !strings.Contains(s, "- `lumens` (integer)") {
		t.Errorf("it says %s", s)
	}
	only := tree(t, map[string]string{"asyncapi.yaml": "asyncapi: 1.2.0\n"})
	if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: only, ID: "/a/old"}}); err == nil || !strings.Contains(err.Error(), `can be read: asyncapi.yaml: the file says version "1.2.0"`) {
		t.Errorf("of a file alone it says %v", err)
	}
}
