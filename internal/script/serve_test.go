package script

import (
	"net/http/httptest"
	"testing"

	"github.com/assay-dev/assay/internal/script/mock"
)

// serve serves a fixture and returns its address and what it was asked.
func serve(t *testing.T, fixture string) (url string, requests func() []mock.Request) {
	t.Helper()
	s, err := mock.New([]byte(fixture))
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return srv.URL, s.Requests
}
