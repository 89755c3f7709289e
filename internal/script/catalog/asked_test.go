package catalog

import (
	"testing"
)

// The questions of a header are found by words that its other lines have not, and every
// table that scripts have without require has some.
func TestAsked(t *testing.T) {
	var d digester
	tests := []struct {
		name, src string
		found     bool
	}{
		{"in the header", "--- @module assay.x\n--- @description X.\n--- @keywords x\n--- @asked walk through a listing\n", true},
		{"in a comment below it", "--- @module assay.x\n--- @description X.\n--- @keywords x\n\n-- @asked walk through a listing\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := NewBM25()
			m := Module{Name: "assay.x"}
			if err := e.Add(m.Name, d.digest(&m, tt.src)); err != nil {
				t.Fatal(err)
			}
			got, err := e.Search(t.Context(), "listings", 1)
			if err != nil || len(got) == 1 != tt.found {
				t.Errorf("%v, %v, want found %v", got, err, tt.found)
			}
		})
	}
	for _, b := range Builtins() {
		if b.asked == "" {
			t.Errorf("stdlib/_builtins.lua has no questions for %s", b.Name)
		}
	}
}
