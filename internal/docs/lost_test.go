package docs

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// A site that answers in part, for it is asked too often or half of it is away, loses no page that is stored; one
// that says that a page is gone does.
func TestRefreshInPart(t *testing.T) {
	var state atomic.Int32 // 0: all is there; 1: most pages ask for patience; 2: an inner sitemap fails; 3: pages are gone; 4: one is refused; 5: pages are cut off; 6: an inner sitemap is; 7: it is a page of maintenance
	const pages = 20
	mux := http.NewServeMux()
	var srv *httptest.Server
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nAllow: /\n") })
	mux.HandleFunc("/sitemap.xml", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `<sitemapindex><sitemap><loc>%[1]s/a.xml</loc></sitemap><sitemap><loc>%[1]s/b.xml</loc></sitemap></sitemapindex>`, srv.URL)
	})
	for i, name := range []string{"/a.xml", "/b.xml"} {
		mux.HandleFunc(name, func(w http.ResponseWriter, _ *http.Request) {
			if i == 1 && state.Load() == 2 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			if i == 1 && state.Load() == 6 {
				w.Header().Set("Content-Length", "100000")
			}
			if i == 1 && state.Load() == 7 {
				fmt.Fprint(w, "<html><body>Back soon.</body></html>")
				return
			}
			fmt.Fprint(w, "<urlset>")
			for k := i * pages / 2; k < (i+1)*pages/2; k++ {
				fmt.Fprintf(w, "<url><loc>%s/docs/p%d</loc></url>", srv.URL, k)
			}
			fmt.Fprint(w, "</urlset>")
		})
	}
	mux.HandleFunc("/docs/{page}", func(w http.ResponseWriter, r *http.Request) {
		var k int
		_, err := fmt.Sscanf(r.PathValue("page"), "p%d", &k)
		switch {
		case err != nil, state.Load() == 3 && k > 4:
			http.NotFound(w, r)
		case state.Load() == 4 && k == 19:
			w.WriteHeader(http.StatusForbidden)
		case state.Load() == 4 && k > 9:
			http.NotFound(w, r)
		case state.Load() == 5 && k > 4:
			w.Header().Set("Content-Length", "100000")
			fmt.Fprintf(w, "# Page %d\n\nHalf of it", k)
		case state.Load() == 1 && k > 4:
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			w.Header().Set("Content-Type", "text/markdown")
			fmt.Fprintf(w, "# Page %d\n\nOf the state %d, with some words.\n", k, state.Load())
		}
	})
	srv = httptest.NewServer(mux)
	defer srv.Close()
	ctx := t.Context()
	f := feature(t, t.TempDir())
	if _, err := f.Ingest(ctx, IngestInput{Where: Where{Source: srv.URL + "/sitemap.xml", ID: "/org/site"}}); err != nil {
		t.Fatal(err)
	}
	for at, kept := range map[int32]int{1: pages - 5, 2: pages / 2, 5: pages - 5, 6: pages / 2, 7: pages / 2} {
		state.Store(at)
		done, err := f.Refresh(ctx, RefreshInput{ID: "/org/site"})
		if err != nil || len(done.Libraries) != 1 || done.Libraries[0].Pages != pages || done.Libraries[0].Kept != kept {
			t.Errorf("state %d: %+v, %v", at, done.Libraries, err)
		}
		state.Store(0)
		if _, err := f.Refresh(ctx, RefreshInput{ID: "/org/site"}); err != nil {
			t.Fatal(err)
		}
	}
	// With all read again, too.
	state.Store(1)
	if done, err := f.Refresh(ctx, RefreshInput{ID: "/org/site", Full: true}); err != nil || len(done.Libraries) != 1 || done.Libraries[0].Pages != pages {
		t.Errorf("all in part: %+v, %v", done.Libraries, err)
	}
	// What is refused is refused again, and holds no page that is gone.
	state.Store(4)
	if done, err := f.Refresh(ctx, RefreshInput{ID: "/org/site"}); err != nil || len(done.Libraries) != 1 || done.Libraries[0].Pages != 10 {
		t.Errorf("one that is refused: %+v, %v", done.Libraries, err)
	}
	state.Store(3)
	if done, err := f.Refresh(ctx, RefreshInput{ID: "/org/site"}); err != nil || len(done.Libraries) != 1 || done.Libraries[0].Pages != 5 {
		t.Errorf("pages that are gone: %+v, %v", done.Libraries, err)
	}
}
