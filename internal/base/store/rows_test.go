package store

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

func TestEach(t *testing.T) {
	ctx := context.Background()
	db := mustOpen(t, filepath.Join(t.TempDir(), "x.db"), latest())
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var n int
	var got []int
	three := func(yield func() error, query string, args ...any) error {
		got = nil
		return Each(ctx, conn, []any{&n}, yield, query, args...)
	}
	keep := func() error { got = append(got, n); return nil }
	if err := three(keep, "SELECT value FROM json_each(?) ORDER BY value DESC", "[1,2,3]"); err != nil || !slices.Equal(got, []int{3, 2, 1}) {
		t.Errorf("%v, %v", got, err)
	}
	// The error of yield is the answer, and ends it: the connection can be used again.
	enough := errors.New("enough")
	if err := three(func() error { got = append(got, n); return enough }, "SELECT value FROM json_each(?)", "[1,2,3]"); err != enough || len(got) != 1 {
		t.Errorf("%v, %v, want the first and the error of yield", got, err)
	}
	for name, query := range map[string]string{"no statement": "SELECT FROM", "no number": "SELECT 'x'", "an error in a later row": "SELECT json(value) FROM (SELECT '1' AS value UNION ALL SELECT '{')"} {
		if err := three(keep, query); err == nil {
			t.Errorf("%s: no error, and %v", name, got)
		}
	}
	if err := three(keep, "SELECT 7"); err != nil || !slices.Equal(got, []int{7}) {
		t.Errorf("%v, %v", got, err)
	}
}
