//go:build team

package engine_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/code/index"
)

// database is the server that the tests of package index ask.
func database(t *testing.T) (string, func() (index.Backend, error)) {
	if url := os.Getenv("ASSAY_TEST_WEAVIATE"); url != "" {
		return inWeaviate(t, url)
	}
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

func inWeaviate(t *testing.T, url string) (string, func() (index.Backend, error)) {
	at := index.RemotePlace{URL: url, Corpus: fmt.Sprint(t.Name(), time.Now().UnixNano()), Whole: true}
	t.Cleanup(func() {
		x, err := index.OpenWeaviate(context.Background(), at)
		if err == nil {
			err = x.Drop(context.Background())
			x.Close()
		}
		if err != nil {
			t.Error(err)
		}
	})
	return "weaviate", func() (index.Backend, error) { return index.OpenWeaviate(context.Background(), at) }
}
