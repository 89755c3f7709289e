package docs

import (
	"slices"
	"testing"
)

// A comma within a range of versions ends no name.
func TestListed(t *testing.T) {
	for list, want := range map[string][]string{
		"/a/b":                       {"/a/b"},
		"/a/b, /c/d":                 {"/a/b", "/c/d"},
		"/a/b@>=1,<2":                {"/a/b@>=1,<2"},
		"/a/b@>=1, <2, !=1.5, react": {"/a/b@>=1,<2,!=1.5", "react"},
		"/a/b@[1.0,2.0),flask@3.0":   {"/a/b@[1.0,2.0)", "flask@3.0"},
		"@prisma/client,zod":         {"@prisma/client", "zod"},
		"react,18":                   {"react", "18"},
	} {
		if got := listed(list); !slices.Equal(got, want) {
			t.Errorf("listed(%q) = %q, want %q", list, got, want)
		}
	}
}
