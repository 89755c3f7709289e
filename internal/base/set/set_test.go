package set_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/set"
)

func TestSets(t *testing.T) {
	tests := []struct {
		name  string
		items []string
		want  map[string]bool
		lower map[string]bool
	}{
		{"none", nil, map[string]bool{}, map[string]bool{}},
		{"some", []string{"A", "b"}, map[string]bool{"A": true, "b": true}, map[string]bool{"a": true, "b": true}},
		{"twice", []string{"A", "a", "A"}, map[string]bool{"A": true, "a": true}, map[string]bool{"a": true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, added := set.Of(tt.items), map[string]bool{}
			if set.Add(added, tt.items...); !maps.Equal(added, tt.want) {
				t.Errorf("Add(%q) = %v, want %v", tt.items, added, tt.want)
			}
			if !maps.Equal(got, tt.want) || got == nil {
				t.Errorf("Of(%q) = %v, want %v", tt.items, got, tt.want)
			}
			if by := set.By(tt.items, func(s *string) string { return strings.ToLower(*s) }); !maps.Equal(by, tt.lower) {
				t.Errorf("By(%q, lower) = %v, want %v", tt.items, by, tt.lower)
			}
		})
	}
}
