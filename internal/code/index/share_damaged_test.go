package index

import (
	"errors"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// What has a damaged row is not shared, whichever table it is in: others would take it over.
func TestShareDamagedRows(t *testing.T) {
	for table, harm := range map[string]string{
		"none":     "SELECT 1",
		"seg":      "UPDATE seg SET docs = docs + 1",
		"dirs":     "UPDATE dirs SET seen = seen + 1",
		"contents": "UPDATE contents SET chunks = x'00'",
		"vectors":  "UPDATE vectors SET vec = x'00000000'",
		"no dirs":  "DELETE FROM dirs",
	} {
		x, w := open(t)
		docs := newMaker(9).docs(1, 4, 2)
		b := batchOf(t, w, docs)
		b.Dirs = treeOf(1, docs)
		b.Contents = []Content{{Hash: docs[0].Hash, Chunks: []byte("cuts")}}
		must(t, w.Publish(t.Context(), b))
		must(t, w.CacheVectors(t.Context(), "model", map[corpus.Hash][]float32{{1}: {1, 2}}))
		w.Close()
		_, err := x.db.Exec(harm)
		must(t, err)
		if _, err = x.Push(t.Context(), &pail{objects: map[string][]byte{}, left: -1}, time.Unix(0, 0), quietly); (err == nil) != (table == "none") || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: Push = %v", table, err)
		}
	}
}
