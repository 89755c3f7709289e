package library

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

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
