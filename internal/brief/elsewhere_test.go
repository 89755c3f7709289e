package brief

import "testing"

// An import is of the library that a registry or a repository calls by a name.
func TestImports(t *testing.T) {
	for _, c := range []struct {
		path, name string
		want       bool
	}{
		{"click", "click", true},
		{"click.testing", "click", true},
		{"clicker", "click", false},
		{"my_lib.sub", "my-lib", true},
		{"axum::routing::get", "axum", true},
		{"tower_http::trace", "tower-http", true},
		{`Doctrine\DBAL\Connection`, "doctrine/dbal", true},
		{`Doctrine\ORM\Query`, "doctrine/dbal", false},
		{"github.com/gorilla/mux", "gorilla/mux", true},
		{"github.com/go-chi/chi/v5", "go-chi/chi", true},
		{"github.com/gorilla/muxer", "gorilla/mux", false},
		{"com.squareup.kotlinpoet.ClassName", "kotlinpoet", true},
		{"com.squareup.kotlinpoet.ClassName", "com.squareup.kotlinpoet", true},
		{"com.squareup.kotlinpoet.ClassName", "poet", false},
		{"java.util.List", "list", false},
		{"@playwright/test", "playwright", true},
		{"playwright-core", "playwright", false},
		{"Newtonsoft.Json.Linq", "Newtonsoft.Json", true},
		{"", "x", false},
		{"x", "", false},
	} {
		if got := imports(c.path, c.name); got != c.want {
			t.Errorf("imports(%q, %q) = %v", c.path, c.name, got)
		}
	}
}
