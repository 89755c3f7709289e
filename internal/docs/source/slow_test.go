package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/docs/source"
)

// A server that sends a byte now and then is given up on when the time of the request is over, and
// when that of the source is; one that answers within its time is read.
func TestSlowServer(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/drip/llms.txt" {
			fmt.Fprint(w, "# Lib\n\n> A library.\n\nSome text of the library, which is long enough to be a page of documentation.\n")
			return
		}
		drip := time.NewTicker(20 * time.Millisecond)
		defer drip.Stop()
		for {
			if _, err := w.Write([]byte("#")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-drip.C:
			case <-r.Context().Done():
				return
			}
		}
	}))
	defer srv.Close()
	for _, tt := range []struct {
		name, path     string
		request, total time.Duration
		want, hint     string // "": it is read
	}{
		{"request", "/drip/llms.txt", 300 * time.Millisecond, time.Minute, "did not answer in whole within 300ms (--request-timeout, or the setting docs.request_timeout", ""},
		{"source", "/drip/llms.txt", time.Minute, 300 * time.Millisecond, "was not read in whole within 300ms", "--timeout 600ms, or set docs.timeout"},
		{"in time", "/good/llms.txt", 20 * time.Second, time.Minute, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The server never ends, so that to come back at all is to have given up.
			tree, err := source.Open(t.Context(), srv.URL+tt.path, source.Options{Temp: t.TempDir(), Request: tt.request, Total: tt.total})
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if err := tree.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), tt.want) || !strings.Contains(fault.HintOf(err), tt.hint) {
				t.Errorf("%v (%s), want %s", err, fault.HintOf(err), tt.want)
			}
		})
	}
}
