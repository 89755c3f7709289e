package library

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestRecent holds that no more is kept than was said, and that what is asked for stays.
func TestRecent(t *testing.T) {
	const most = 1000
	r := newRecent[int, string](most)
	r.put(0, "asked", 100)
	r.put(1, "too large", most)
	for i := 2; i < 100; i++ {
		if v, ok := r.get(0); !ok || v != "asked" {
			t.Fatalf("what is asked for each time is gone after %d others: %q", i-2, v)
		}
		r.put(i, "other", 100)
		total := 0
		for _, of := range []map[int]sized[string]{r.young, r.old} {
			for _, v := range of {
				total += v.bytes
			}
		}
		if total > most {
			t.Fatalf("%d bytes are kept of %d", total, most)
		}
	}
	if _, ok := r.get(1); ok {
		t.Error("what is larger than half of all is kept")
	}
	if _, ok := r.get(2); ok {
		t.Error("what nobody asked for is kept")
	}
}

// TestAnsweredAgain holds that a question that is asked again has the answer of the file as it
// is now, in each of its forms.
func TestAnsweredAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	reader := mustRead(t, path)
	for i := range 3 {
		said := fmt.Sprintf("A route maps a path to handler %d.", i)
		mustPut(t, db, Library{ID: "/web/app", Version: "v1", Description: said}, some("routing.md: Routing: "+said))
		for _, from := range []*DB{db, reader} {
			for range 2 {
				plain, err := from.Query(t.Context(), "/web/app", "route handler", 0)
				if err != nil || len(plain.Snippets) != 1 || !strings.Contains(plain.Snippets[0].Content, said) || plain.Library.Description != said {
					t.Fatalf("after %d changes %+v, %v", i, plain, err)
				}
				again, err := from.Query(t.Context(), "/web/app", "route handler", 0)
				if err != nil || !reflect.DeepEqual(again, plain) {
					t.Errorf("again %+v, first %+v, %v", again, plain, err)
				}
				explained, err := from.QueryWith(t.Context(), "/web/app@v1", "route handler", Options{Explain: true})
				if err != nil || len(explained.Snippets) != 1 || explained.Snippets[0].Breakdown == nil {
					t.Errorf("explained %+v, %v", explained, err)
				}
			}
		}
	}
}
