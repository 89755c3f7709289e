package facts

import (
	"path"
	"strings"
)

// TestStem is the name of a file without its extension and without what says that it
// is a test.
func TestStem(p string) string {
	base, _, _ := strings.Cut(path.Base(p), ".")
	for _, mark := range []string{"Test", "Tests", "Spec", "Specs"} { // UserTest is one, and latest is none
		if s := strings.TrimSuffix(base, mark); s != base && s != "" {
			return strings.ToLower(s)
		}
	}
	base = strings.ToLower(base)
	for _, mark := range []string{"test", "tests", "spec", "specs"} {
		for _, sep := range []string{"_", "-"} {
			if s := strings.TrimSuffix(base, sep+mark); s != base && s != "" {
				return s
			}
			if s := strings.TrimPrefix(base, mark+sep); s != base && s != "" {
				return s
			}
		}
	}
	return base
}
