package main

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

// code is the languages whose sources are kept.
var code = []string{
	"go", "python", "javascript", "typescript", "java", "kotlin", "scala", "c", "cpp", "csharp", "rust", "ruby", "php", "swift", "objc",
	"lua", "bash", "elixir", "erlang", "haskell", "zig", "perl", "ocaml", "sql", "vue", "svelte", "r", "julia", "groovy", "dart", "clojure",
}

// elsewhere is the folders that hold copies of other projects, or no sources.
var elsewhere = []string{
	"node_modules", "bower_components", "jspm_packages", "_vendor", "vendor", "vendored", "third_party", "third-party", "thirdparty", "3rdparty",
	"3rd-party", "3rd_party", "external", "externals", "extern", "site-packages", "pods", "carthage", "locale", "locales", "i18n",
	"__snapshots__", "snapshots", "fixtures", ".git", "po", "cldr-data", "prebuilt", "changelogs",
}

// keepName reports whether a file may be source or documentation by its path.
func keepName(name string) bool {
	if excludedPath(name) {
		return false
	}
	dirs := strings.Split(strings.ToLower(path.Dir(name)), "/")
	if slices.ContainsFunc(dirs, func(d string) bool { return slices.Contains(elsewhere, d) }) && !legal(name) {
		return false
	}
	base := strings.ToLower(path.Base(name))
	if strings.HasPrefix(base, ".") || strings.Contains(base, ".min.") || strings.HasPrefix(base, "changelog") || strings.HasPrefix(base, "changes") {
		return false
	}
	if legal(name) || book(name) || manual(name) {
		return true
	}
	language := syntax.Language(strings.TrimSuffix(base, ".gz"), nil)
	switch {
	case slices.Contains(code, language), syntax.Prose(language):
		return true
	case path.Ext(base) == "" || path.Ext(base) == ".h" || path.Ext(base) == ".m":
		return true // the text will tell
	}
	return false
}

// legal reports whether a file says under which licence a package comes.
func legal(name string) bool {
	base := strings.ToLower(path.Base(name))
	return base == "copyright" || base == "package.json" && strings.Count(name, "/") < 2 ||
		strings.HasPrefix(base, "license") || strings.HasPrefix(base, "licence") || strings.HasPrefix(base, "copying")
}

// book reports whether a file belongs to a dictionary.
func book(name string) bool {
	return strings.Contains(name, "usr/share/dictd") || strings.Contains(name, "usr/share/wordnet")
}

var manualPage = regexp.MustCompile(`/man/man[1-9]\w*/[^/]+\.[1-9]\w*(\.gz)?$|\.[1-9](\.gz)?$`)

// manual reports whether a file is a page of the manual, in English.
func manual(name string) bool { return manualPage.MatchString(name) }

// keepText reports whether a file is source or documentation by its text: not
// binary, not packed by a machine.
func keepText(name string, text []byte) bool {
	if book(name) {
		return true
	}
	if len(text) < 80 || legal(name) || bytes.IndexByte(text[:min(len(text), 4000)], 0) >= 0 {
		return false
	}
	if manual(name) {
		return true
	}
	language := syntax.Language(path.Base(name), text[:min(len(text), 4000)])
	if path.Ext(name) == "" && language == "" {
		return strings.Contains(name, "completion") || strings.HasPrefix(strings.ToUpper(path.Base(name)), "README")
	}
	if syntax.Prose(language) {
		return true
	}
	lines := bytes.Count(text, []byte("\n")) + 1
	return slices.Contains(code, language) && len(text)/lines < 200
}
