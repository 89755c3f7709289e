package slice_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/assay-dev/assay/internal/base/slice"
)

func TestMap(t *testing.T) {
	tests := []struct {
		name  string
		items []int
		want  []string
	}{
		{"none", nil, nil},
		{"empty", []int{}, nil},
		{"some", []int{3, 1, 3}, []string{"3", "1", "3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := slice.Map(tt.items, strconv.Itoa); !slices.Equal(got, tt.want) || (got == nil) != (tt.want == nil) {
				t.Errorf("Map(%v) = %q, want %q", tt.items, got, tt.want)
			}
		})
	}
}
