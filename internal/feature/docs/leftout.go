package docs

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// page ends the names of files that have nothing but a page in them.
const page = `(?:[-_.][\w.-]*)?\.(?:md|mdx|rst|txt|adoc|html)$`

// What is omitted from a source that does not ask for it: what is no documentation of
// the library as it is today, in English.
var (
	dullFile = lazy.Regexp(`(?i)^(?:changelog|changes|release[-_]?notes?|licen[cs]es?|copying|code[-_]of[-_]conduct|pull_request_template|issue_template|third[-_]?party[-_]?(?:notices|licenses)?)` + page)
	dullTop  = lazy.Regexp(`(?i)^(?:history|news|releases?|notice|contributing|contributors|authors|maintainers|security|governance|support|credits|agents|claude|copilot-instructions)` + page)
	staleDir = lazy.Regexp(`(?i)^(?:archived?|deprecated|legacy|outdated|superseded|obsolete|old|previous(?:[-_]versions?)?|versioned_docs|changelogs?|release[-_]?notes)$`)
	toolDir  = lazy.Regexp(`^(?:node_modules|bower_components|vendor|third_party|__pycache__|__tests__|__snapshots__|testdata|fixtures|site-packages|_static|_templates|_theme|_build|_layouts|_includes)$`)
	// Codes of languages that documentation is translated into. Those that are words of
	// file trees too (is, go, or, as) are not among them.
	language = lazy.Regexp(`(?i)^(?:ar|az|be|bg|bn|bs|ca|cs|cy|da|de|el|eo|es|et|eu|fa|fi|fr|gl|he|hi|hr|hu|hy|id|it|ja|jp|ka|kk|km|kn|ko|kr|lt|lv|mk|ml|mn|mr|ms|my|nb|ne|nl|nn|pl|pt|ro|ru|si|sk|sl|sq|sr|sv|ta|te|th|tr|uk|ur|uz|vi|zh|em)` +
		`(?:[-_](?:[a-z]{2}|hans|hant|latn|cyrl|[a-z]{4}[-_][a-z]{2}|\d{3}))?$|^(?:chinese|japanese|korean|spanish|french|german|russian|portuguese)$`)
	translated = lazy.Regexp(`(?i)\.(?:zh|ja|ko|es|fr|de|ru|pt|it|tr|pl|uk|vi|id|ar|fa)(?:[-_][a-z]{2,4})?\.(?:md|mdx|rst)$|^readme[-_.](?:zh|ja|ko|es|fr|de|ru|pt|it|tr|pl|uk|vi|id|ar|fa)(?:[-_][a-z]{2,4})?\.md$`)
)

// Folders whose subfolders are translations.
var homes = []string{"docs", "doc", "documentation", "i18n", "content", "contents", "locale", "locales", "translations", "l10n", "lang", "website", "site", "pages", "copy"}

// leftOut reports whether a file is no page by default; what base, a folder that was
// named outright, is called does not count.
func leftOut(p, base string) bool {
	name := path.Base(p)
	if dullFile.MatchString(name) || !strings.Contains(p, "/") && dullTop.MatchString(name) || translated.MatchString(name) || strings.HasPrefix(name, ".") {
		return true
	}
	dir := path.Dir(p)
	return dir != "." && leftOutDir(dir, base)
}

// leftOutDir does the same for a folder and those around it.
func leftOutDir(dir, base string) bool {
	if base != "" && base != "." {
		rest, ok := strings.CutPrefix(dir+"/", base+"/")
		if !ok {
			return false
		}
		dir = strings.TrimSuffix(rest, "/")
	}
	above := path.Base(base)
	for part := range strings.SplitSeq(dir, "/") {
		switch {
		case part == "":
			continue
		case strings.HasPrefix(part, ".") && part != ".", staleDir.MatchString(part), toolDir.MatchString(part):
			return true
		case language.MatchString(part) && slices.Contains(homes, strings.ToLower(above)):
			return true
		}
		above = part
	}
	return false
}

// inDocs reports whether a path is in a folder for documentation.
func inDocs(lower string) bool {
	for part := range strings.SplitSeq(path.Dir(lower), "/") {
		switch part {
		case "doc", "docs", "documentation", "_sources", "manual", "guide", "guides":
			return true
		}
	}
	return strings.HasSuffix(lower, ".rst.txt") || strings.HasSuffix(lower, ".md.txt")
}

// plainText tells the .txt files that programs read.
func plainText(name string) bool {
	return name == "cmakelists.txt" || name == "robots.txt" || name == "humans.txt" || strings.HasPrefix(name, "requirements") || strings.Contains(name, "wordlist") || strings.Contains(name, "spelling")
}

// generated tells the HTML pages that are indexes of the others.
func generated(lower string) bool {
	switch strings.TrimSuffix(path.Base(lower), path.Ext(lower)) {
	case "genindex", "search", "py-modindex", "modindex", "404", "genindex-all", "np-modindex", "toc", "print", "contents":
		return true
	}
	return strings.HasPrefix(path.Base(lower), "genindex") || strings.Contains("/"+lower, "/_modules/")
}
