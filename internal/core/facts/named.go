package facts

import (
	"path"
	"strings"
)

// TestStem is the name of a file without its extension and without what says that it
// is a test.
func TestStem(p string) string {
	base := strings.ToLower(path.Base(p))
	base, _, _ = strings.Cut(base, ".")
	for _, mark := range []string{"test", "tests", "spec"} {
		for _, sep := range []string{"_", "-", ""} {
			if s := strings.TrimSuffix(base, sep+mark); s != base && s != "" && (sep != "" || mark == "test") {
				return s
			}
			if s := strings.TrimPrefix(base, mark+sep); s != base && s != "" && sep != "" {
				return s
			}
		}
	}
	return base
}
