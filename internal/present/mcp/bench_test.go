package mcp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/present/mcp"
)

// BenchmarkHTTP is one call over a connection that stays open: what the server adds
// to an operation.
func BenchmarkHTTP(b *testing.B) {
	addr, _ := serve(b, fakes(), mcp.Options{}, mcp.HTTPOptions{})
	web := &http.Transport{}
	defer web.CloseIdleConnections()
	body := callLine(1, "find_words", `{"query":"alpha"}`)
	b.ReportAllocs()
	for b.Loop() {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Content-Type", json_)
		res, err := web.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}
