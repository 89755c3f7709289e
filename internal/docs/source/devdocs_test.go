package source_test

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/docs/source"
)

const devdocsPages = `{"index":"<h1>Lib</h1><p>Start.</p>","api/operator++":"<h1>More</h1>","api/operator--":"<h1>Less</h1>",` +
	`"../../out":"<h1>Out</h1>","index2/":"<p>x</p>"}`

// TestDevDocs reads a set of DevDocs from a server and from a folder: every page is there, none
// outside of the tree, and each says where a person reads it.
func TestDevDocs(t *testing.T) {
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	defer srv.Close()
	serve := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
	}
	serve("/lib~3.12/db.json", devdocsPages)
	serve("/lib~3.12/meta.json", `{"name":"Lib","slug":"lib~3.12","release":"3.12.4"}`)
	want := []string{"index.html", "api/operator.html", "api/operator-2.html", "docs/docs/out.html", "index2.html"}
	tree, err := open(t, srv.URL+"/lib~3.12/db.json", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(tree.Only(), want) || tree.ID != "/devdocs/lib" || tree.Version != "3.12.4" || tree.Title != "Lib" {
		t.Errorf("%s %s %q: %v, want %v", tree.ID, tree.Version, tree.Title, tree.Only(), want)
	}
	if b, err := fs.ReadFile(tree.FS(), "api/operator-2.html"); err != nil || string(b) != "<h1>Less</h1>" {
		t.Errorf("%q, %v", b, err)
	}
	if got, want := tree.URL("api/operator-2.html"), "https://devdocs.io/lib~3.12/api/operator--"; got != want {
		t.Errorf("it is at %s, want %s", got, want)
	}

	dir := filepath.Join(t.TempDir(), "other~1.0")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "db.json"), []byte(devdocsPages), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err = open(t, "db.json", source.Options{WorkDir: dir, Wanted: func(p string) bool { return strings.HasPrefix(p, "api/") }})
	if err != nil || tree.Version != "1.0" || !slices.Equal(tree.Only(), []string{"api/operator.html", "api/operator-2.html"}) {
		t.Errorf("of a folder: %+v, %v", tree, err)
	}

	for path, text := range map[string]string{"/list": `["a"]`, "/number": `{"a":1}`, "/short": `{"a":"<p>b</p>"`, "/none": `{}`, "/page": `<!doctype html>`} {
		serve(path+"/db.json", text)
		if _, err := open(t, srv.URL+path+"/db.json", source.Options{}); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "is not a db.json of DevDocs") {
			t.Errorf("%s: %v", path, err)
		}
	}
	for address, kind := range map[string]fault.Kind{srv.URL + "/gone/db.json": fault.NotFound, "devdocs:../x": fault.Usage, "devdocs:": fault.Usage} {
		if _, err := open(t, address, source.Options{}); fault.KindOf(err) != kind {
			t.Errorf("%s: %v", address, err)
		}
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := source.Open(stopped, "devdocs:python~3.12", source.Options{Temp: t.TempDir()}); err == nil || !strings.Contains(err.Error(), source.DevDocs+"/python~3.12/db.json") {
		t.Errorf("a set by its name: %v", err)
	}
}
