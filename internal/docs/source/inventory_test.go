package source_test

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/source"
)

// The pages that an inventory of Sphinx names are fetched, each once, and those of no other site.
func TestInventory(t *testing.T) {
	for _, c := range []struct{ name, head, lines, want, version, fault string }{
		{"pages", "# Sphinx inventory version 2", "shop.Cart py:class 1 api.html#$ -\nshop.add py:function 1 api.html#$ -\nstart std:doc -1 start.html Start\nfar std:doc -1 http://192.0.2.1/far.html Far\n", "en/api.html en/start.html", "1.2", ""},
		{"a version that is no label", "# Sphinx inventory version 2", "start std:doc -1 start.html Start\n", "en/start.html", "", ""},
		{"no page", "# Sphinx inventory version 2", "", "", "", "names no page"},
		{"another file", "<html>", "", "", "", "is not an inventory of Sphinx"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var inv bytes.Buffer
			fmt.Fprintf(&inv, "%s\n# Project: Shop\n# Version: %s\n# zlib\n", c.head, cmp.Or(c.version, "of/now"))
			z := zlib.NewWriter(&inv)
			_, _ = z.Write([]byte(c.lines))
			_ = z.Close()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/en/objects.inv":
					_, _ = w.Write(inv.Bytes())
				case strings.HasSuffix(r.URL.Path, ".html"):
					fmt.Fprintf(w, "<!doctype html><h1>%s</h1>", r.URL.Path)
				default:
					http.NotFound(w, r)
				}
			}))
			defer srv.Close()
			tree, err := source.Open(t.Context(), srv.URL+"/en/objects.inv", source.Options{Temp: t.TempDir()})
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) {
					t.Errorf("%v, want %q", err, c.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			got, _ := fs.Glob(tree.FS(), "*/*")
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want || tree.Version != c.version || tree.Title != "Shop" {
				t.Errorf("%s of %q %q, want %s of %q", s, tree.Title, tree.Version, c.want, c.version)
			}
		})
	}
}
