package source_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/docs/source"
)

// TestSite crawls a site by its sitemaps: only its own pages, only those that robots.txt and the
// person allow, and no more than asked for.
func TestSite(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	mux := http.NewServeMux()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	defer srv.Close()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another site was asked") }))
	defer other.Close()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /private/\nAllow: /private/but-this\nDisallow: /*.pdf$\n\nUser-agent: other\nDisallow: /\n")
	})
	mux.HandleFunc("/sitemap.xml", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>%[1]s/a.xml.gz</loc></sitemap><sitemap><loc> %[1]s/b.xml </loc></sitemap><sitemap><loc>%[2]s/c.xml</loc></sitemap><sitemap><loc>%[1]s/sitemap.xml</loc></sitemap></sitemapindex>`, srv.URL, other.URL)
	})
	set := func(paths ...string) []byte {
		var b bytes.Buffer
		b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for _, p := range paths {
			if !strings.Contains(p, "://") {
				p = srv.URL + p
			}
			fmt.Fprintf(&b, "<url><loc>%s</loc><lastmod>2026-01-01</lastmod></url>", p)
		}
		b.WriteString("</urlset>")
		return b.Bytes()
	}
	mux.HandleFunc("/a.xml.gz", func(w http.ResponseWriter, _ *http.Request) {
		z := gzip.NewWriter(w)
		_, _ = z.Write(set("/en/guide", "/en/guide", "/private/secret", "/private/but-this", "/manual.pdf", other.URL+"/page", "/moved"))
		_ = z.Close()
	})
	mux.HandleFunc("/b.xml", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(set("/fr/guide", "/?page=2&amp;x=1")) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/moved", http.StatusFound)
	})
	for _, p := range []string{"/en/guide", "/fr/guide", "/private/secret", "/private/but-this", "/manual.pdf", "/{$}"} {
		mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "<!DOCTYPE html><h1>%s</h1>", r.URL.Path)
		})
	}
	tree, err := open(t, srv.URL+"/sitemap.xml", source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tree.Only(), []string{"en/guide.html", "private/but-this.html", "fr/guide.html", "page-2-x-1.html"}; !slices.Equal(got, want) {
		t.Errorf("pages %v, want %v", got, want)
	}
	if tree.URL("en/guide.html") != srv.URL+"/en/guide" || tree.Kind != source.Site || tree.ID != "/websites/127_0_0_1" {
		t.Errorf("address %q, kind %s, ID %s", tree.URL("en/guide.html"), tree.Kind, tree.ID)
	}
	notes := strings.Join(tree.Notes, "\n")
	for _, want := range []string{"2 pages omitted: robots.txt", "1 page omitted: links to other sites", "a sitemap could not be read", "/moved"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
	counted := map[string]int{}
	for _, o := range tree.Omitted {
		counted[o.Why] = o.Pages
	}
	if counted["robots.txt of the site forbids them"] != 2 || counted["links to other sites"] != 1 || counted["they could not be fetched"]+counted["they redirect to another site"] == 0 {
		t.Errorf("counted %v", counted)
	}
	mu.Lock()
	if asked["/private/secret"]+asked["/manual.pdf"] > 0 || asked["/en/guide"] != 1 || asked["/sitemap.xml"] != 1 {
		t.Errorf("asked for %v", asked)
	}
	mu.Unlock()
	tree, err = open(t, srv.URL+"/sitemap.xml", source.Options{Wanted: func(p string) bool { return p == "en/guide" || p == "fr/guide" }, MaxPages: 1})
	if err != nil || !slices.Equal(tree.Only(), []string{"en/guide.html"}) || !strings.Contains(strings.Join(tree.Notes, "\n"), "--max-pages") {
		t.Errorf("some: %v, %v", tree, err)
	}
	mux.HandleFunc("/page.xml", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!DOCTYPE html><html><p>no</html>") })
	mux.HandleFunc("/bomb.xml", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!DOCTYPE x [<!ENTITY a "b">]><urlset><url><loc>/&a;</loc></url></urlset>`)
	})
	for path, want := range map[string]string{"/none.xml": "is not there", "/page.xml": "is not a sitemap", "/bomb.xml": "is not a sitemap"} {
		if _, err := open(t, srv.URL+path, source.Options{}); err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestSiteRobotsUnknown holds that a site whose rules cannot be had is left alone.
func TestSiteRobotsUnknown(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			t.Errorf("%s was asked for", r.URL)
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer srv.Close()
	if _, err := open(t, srv.URL+"/sitemap.xml", source.Options{}); fault.KindOf(err) != fault.Unavailable {
		t.Error(err)
	}
}

// TestBook reads an EPUB: a zip file of pages.
func TestBook(t *testing.T) {
	dir := t.TempDir()
	book := zipped(t, entry{name: "mimetype", text: "application/epub+zip"}, entry{name: "META-INF/container.xml", text: "<container/>"},
		entry{name: "OEBPS/ch1.xhtml", text: `<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>One</h1></body></html>`})
	if err := os.WriteFile(filepath.Join(dir, "The Book.epub"), book, 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := open(t, "The Book.epub", source.Options{WorkDir: dir})
	if err != nil || tree.ID != "/local/The-Book" || !slices.Contains(files(t, tree), "OEBPS/ch1.xhtml") {
		t.Errorf("%+v, %v", tree, err)
	}
}

// TestDocset reads the pages of a docset of Dash, as a folder and as it is downloaded, and what is
// only called so as any folder.
func TestDocset(t *testing.T) {
	dir := t.TempDir()
	const pages = "Lib.docset/Contents/Resources/Documents/"
	in := []entry{{name: "Lib.docset/Contents/Info.plist", text: "<plist/>"}, {name: "Lib.docset/Contents/Resources/docSet.dsidx", text: "SQLite"},
		{name: pages + "api/index.html", text: "<h1>Lib</h1>"}}
	if err := os.WriteFile(filepath.Join(dir, "Lib.tgz"), tarball(t, in...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, e := range append(in, entry{name: "other.docset/a.html", text: "<p>a"}) {
		path := filepath.Join(dir, filepath.FromSlash(e.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(e.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for address, want := range map[string][]string{"Lib.docset": {"/local/Lib", "api/index.html"}, "Lib.tgz": {"/local/Lib", "api/index.html"}, "other.docset": {"/local/other", "a.html"}} {
		tree, err := open(t, address, source.Options{WorkDir: dir})
		if err != nil {
			t.Fatal(address, err)
		}
		if got := append([]string{tree.ID}, files(t, tree)...); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
}

// TestSiteResumed stops a crawl half-way: the next one fetches what is missing, and that alone;
// what an earlier run left is taken only whole, fresh and of the same site, and nothing stays.
func TestSiteResumed(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	const pages = 60
	srv := httptest.NewUnstartedServer(nil)
	srv.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			w.WriteHeader(http.StatusNotFound)
		case "/sitemap.xml":
			fmt.Fprint(w, "<urlset>")
			for i := range pages {
				fmt.Fprintf(w, "<url><loc>%s/p/%d</loc></url>", srv.URL, i)
			}
			fmt.Fprint(w, "</urlset>")
		default:
			mu.Lock()
			asked[r.URL.Path]++
			n := len(asked)
			mu.Unlock()
			if n > pages/2 && ctx.Err() == nil {
				stop()
				<-r.Context().Done() // an answer could arrive before the stop does
				return
			}
			fmt.Fprintf(w, "# Page %s\n", r.URL.Path)
		}
	})
	srv.Start()
	defer srv.Close()
	temp := t.TempDir()
	o := source.Options{Temp: temp, WorkDir: temp}
	if _, err := source.Open(ctx, srv.URL+"/sitemap.xml", o); fault.KindOf(err) != fault.Interrupted || !strings.Contains(err.Error(), "goes on") {
		t.Fatalf("a crawl that is stopped: %v", err)
	}
	kept, err := filepath.Glob(filepath.Join(temp, "crawl-*", "*"))
	if err != nil || len(kept) < pages/4 {
		t.Fatalf("%d pages are kept, %v", len(kept), err)
	}
	slices.Sort(kept)
	// One is cut short, one is old, one says it is another site's.
	if err := os.Truncate(kept[0], 70); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(kept[1], time.Unix(1e9, 0), time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept[2], []byte("http://other.example/p/1\nsum\n# Planted\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	clear(asked)
	mu.Unlock()
	tree, err := open(t, srv.URL+"/sitemap.xml", o)
	if err != nil {
		t.Fatal(err)
	}
	if want := pages - len(kept) + 3; len(asked) != want || len(tree.Only()) != pages {
		t.Errorf("%d pages fetched of %d, want %d of %d", len(asked), len(tree.Only()), want, pages)
	}
	for _, name := range tree.Only() {
		if b, err := fs.ReadFile(tree.FS(), name); err != nil || !strings.HasPrefix(string(b), "# Page /p/") {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if notes, want := strings.Join(tree.Notes, "\n"), fmt.Sprintf("%d pages are of a run that was stopped", len(kept)-3); !strings.Contains(notes, want) {
		t.Errorf("the notes do not say %q:\n%s", want, notes)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "crawl-*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
