//go:build team

package engine_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/core/index"
)

// database is the PostgreSQL that the tests of package index ask.
func database(t *testing.T) (string, func() (index.Backend, error)) {
	url := os.Getenv("ASSAY_TEST_POSTGRES")
	if url == "" {
		return "", nil
	}
	at := index.RemotePlace{URL: url, Corpus: fmt.Sprint(t.Name(), time.Now().UnixNano()), Whole: true}
	t.Cleanup(func() {
		x, err := index.OpenRemote(context.Background(), at)
		if err == nil {
			err = x.Drop(context.Background())
			x.Close()
		}
		if err != nil {
			t.Error(err)
		}
	})
	return "postgres", func() (index.Backend, error) { return index.OpenRemote(context.Background(), at) }
}
