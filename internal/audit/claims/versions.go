package claims

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var versionName = lazy.Regexp(`^(?:version[-_])?v?(\d+(?:\.(?:\d+|x))*)$`)

// newest leaves out the documents of former versions: of folders that are named by versions
// the last one counts, and of those that a generator of sites keeps none.
func newest(docs []Source) []Source {
	last := map[string]string{} // the folder with versions: the newest
	count := map[string]map[string]bool{}
	at := func(p string) (dir, version string) {
		parts := strings.Split(path.Dir(p), "/")
		for i, part := range parts {
			if m := versionName.FindStringSubmatch(part); m != nil {
				return strings.Join(parts[:i], "/"), m[1]
			}
		}
		return "", ""
	}
	for i := range docs {
		dir, v := at(docs[i].Path)
		if v == "" {
			continue
		}
		if count[dir] == nil {
			count[dir] = map[string]bool{}
		}
		count[dir][v] = true
		if last[dir] == "" || padded(v) > padded(last[dir]) {
			last[dir] = v
		}
	}
	return slices.DeleteFunc(docs, func(s Source) bool {
		dir, v := at(s.Path)
		return v != "" && (strings.Contains("/"+dir+"/", "/versioned_docs/") || len(count[dir]) > 1 && v != last[dir])
	})
}

// padded writes the numbers of a version with as many digits each.
func padded(version string) string {
	parts := strings.Split(version, ".")
	for i, n := range parts {
		parts[i] = strings.Repeat("0", max(0, 8-len(n))) + n
	}
	return strings.Join(parts, ".")
}
