package docs

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

const (
	// sure are codes of languages that are nothing else in a tree of files; the others are
	// words and abbreviations too: "ml" is machine learning, "id" an identifier. Those that
	// hardly ever are a language (is, go, or, as) are in neither.
	sure  = `zh|ja|ko|kr|ru|fr|es|de|pt|uk|pl|vi|fa|tr`
	other = `ar|az|be|bg|bn|bs|ca|cs|cy|da|el|eo|et|eu|fi|gl|he|hi|hr|hu|hy|id|it|jp|ka|kk|km|kn|lt|lv|mk|ml|mn|mr|ms|my|nb|ne|nl|nn|ro|si|sk|sl|sq|sr|sv|ta|te|th|ur|uz|em`
	place = `[-_](?:[a-z]{2}|hans|hant|latn|cyrl|[a-z]{4}[-_][a-z]{2}|\d{3})`
)

var (
	language     = lazy.Regexp(`(?i)^(?:` + sure + `|` + other + `)(?:` + place + `)?$|^(?:chinese|japanese|korean|spanish|french|german|russian|portuguese)$`)
	sureLanguage = lazy.Regexp(`(?i)^(?:` + sure + `)(?:` + place + `)?$|^(?:` + other + `)` + place + `$|^[a-z]{5,}$`)
	besideDir    = lazy.Regexp(`(?i)^(.+)[-_.](?:` + sure + `|cn|tw|jp)(?:[-_][a-z]{2,4})?$`) // docs_CN
	ofManual     = lazy.Regexp(`^/man[1-9][a-z]*/`)
	translated   = lazy.Regexp(`(?i)^(.+)[._](` + sure + `|id|it|ar|cn|tw|jp)(?:[-_][a-z]{2,4})?(\.(?:md|mdx|rst))$|^(readme)[-_.](` + sure + `|id|it|ar|cn|tw|jp|中文|日本語|한국어|русский)(?:[-_][a-z]{2,4})?(\.(?:md|markdown|rst))$`)
)

// Folders whose subfolders are translations, and those that hold nothing else.
var (
	homes   = []string{"docs", "doc", "documentation", "content", "contents", "website", "site", "pages", "copy"}
	locales = []string{"i18n", "locale", "locales", "translation", "translations", "l10n", "lang"}
)

// translates reports whether a folder is the translation of others: by a code that is
// nothing else, or by what is beside it, other languages or the same pages.
func (s *survey) translates(dir string) bool {
	if is, ok := s.langs[dir]; ok {
		return is
	}
	is := s.isTranslation(dir)
	s.langs[dir] = is
	return is
}

// amongDocs reports whether a folder is one of documents or below one. Elsewhere x-es is
// more often of Elasticsearch, or x-pt of PyTorch, than x in another language.
func amongDocs(dir string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(dir), "/"), func(e string) bool { return slices.Contains(homes, e) })
}

func (s *survey) isTranslation(dir string) bool {
	name, up := path.Base(dir), path.Dir(dir)
	if !language.MatchString(name) {
		m := besideDir.FindStringSubmatch(name)
		return m != nil && amongDocs(path.Join(up, m[1])) && s.mirrors(dir, path.Join(up, m[1]))
	}
	home := strings.ToLower(path.Base(up))
	switch {
	case slices.ContainsFunc(s.below[dir], func(p string) bool { return ofManual.MatchString(p[len(dir):]) }): // de/man1/ls.1
		return true
	case slices.Contains(locales, home):
		return true
	case !slices.Contains(homes, home):
		return s.mirrors(dir, path.Join(up, "en"))
	case sureLanguage.MatchString(name):
		return true
	}
	for _, kid := range s.kids[up] {
		if kid != name && sureLanguage.MatchString(kid) {
			return true
		}
	}
	return len(s.kids[up]) > 2 || s.mirrors(dir, up, path.Join(up, "en"))
}

// mirrors reports whether half of the pages below a folder or more are below others too.
func (s *survey) mirrors(dir string, others ...string) bool {
	same := 0
	for _, p := range s.below[dir] {
		rest := strings.TrimPrefix(p, dir+"/")
		if slices.ContainsFunc(others, func(o string) bool { return s.pages[path.Join(o, rest)] }) {
			same++
		}
	}
	return same > 0 && same*2 >= len(s.below[dir])
}

// translatedFile reports whether a page is beside the one that it translates, or is called
// by a code that is nothing else.
func (s *survey) translatedFile(p string) bool {
	dir, name := path.Split(p)
	m := translated.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	stem, code, ext := m[1]+m[4], m[2]+m[5], m[3]+m[6]
	return sureLanguage.MatchString(code) && (m[4] != "" || name[len(stem)] == '.') || s.pages[dir+stem+ext] || s.pages[dir+stem+name[len(stem):len(stem)+1]+"en"+ext]
}
