package lazy_test

import (
	"bytes"
	"compress/flate"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/lazy"
)

func TestDeflated(t *testing.T) {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	want := strings.Repeat("a table of words\n", 1000)
	_, _ = w.Write([]byte(want))
	_ = w.Close()
	text := lazy.Deflated(b.String())
	for range 2 {
		if got := text(); got != want {
			t.Errorf("%d bytes, want %d", len(got), len(want))
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("half of a table is read")
		}
	}()
	lazy.Deflated(b.String()[:b.Len()/2])()
}
