package library

import "strings"

// A ref is what "/org/project", "/org/project/VERSION" and "/org/project@VERSION"
// say.
type ref struct{ id, version string }

// HasVersion reports whether a reference to a library names a version.
func HasVersion(s string) bool {
	r, ok := parseRef(s)
	return ok && r.version != ""
}

func parseRef(s string) (ref, bool) {
	s = strings.Trim(strings.TrimSpace(s), "/")
	org, rest, ok := strings.Cut(s, "/")
	if !ok || org == "" {
		return ref{}, false
	}
	project, version, _ := strings.Cut(rest, "/")
	if i := strings.IndexByte(project, '@'); i > 0 && version == "" {
		project, version = project[:i], project[i+1:]
	}
	return ref{"/" + org + "/" + project, version}, project != ""
}
