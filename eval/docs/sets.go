package main

import (
	"path"
	"strings"
)

// A set is the documentation of one library, as a package ships it.
type set struct {
	name string
	held bool // it is not looked at while ranking is worked on
	// asked says that its questions are written by people, in other words
	// than the text.
	asked bool
	apt   bool
	// packages are names of one package, of which the first that can be had is taken:
	// Debian puts versions into them.
	packages []string
	version  string   // of npm's package; apt has one a release
	keep     []string // patterns of path.Match; "dir/**" is all below dir
	drop     []string // of what is kept: patterns of the path below root
	root     string   // a pattern of the folder that paths are below
}

func sets() []set {
	return []set{
		{name: "python", apt: true, packages: []string{"python3.11-doc", "python3.13-doc", "python3.12-doc"}, root: "usr/share/doc/python3*/html/_sources", keep: []string{"*.rst.txt"},
			drop: []string{"whatsnew/**", "distutils/**", "install/**"}},
		{name: "nodejs", apt: true, packages: []string{"nodejs-doc"}, root: "usr/share/doc/nodejs/api", keep: []string{"*.html"}, drop: []string{"all.html", "index.html", "documentation.html"}},
		{name: "next", packages: []string{"next"}, version: "16.4.6", root: "package/dist/docs", keep: []string{"*.md"}},
		{name: "postgresql", apt: true, packages: []string{"postgresql-doc-15", "postgresql-doc-17", "postgresql-doc-16"}, root: "usr/share/doc/postgresql-doc-*/html", keep: []string{"*.html"},
			drop: []string{"release*", "bookindex.html", "index.html", "legalnotice.html", "biblio.html"}},
		{name: "celery", apt: true, packages: []string{"python-celery-doc"}, root: "usr/share/doc/python-celery-doc/html/_sources", keep: []string{"*.rst.txt"}, drop: []string{"history/**", "changelog*", "internals/reference/**"}},
		{name: "npm", packages: []string{"npm"}, version: "11.21.2", root: "package/docs/content", keep: []string{"*.md"}},

		{name: "semantic-release", asked: true, packages: []string{"semantic-release"}, version: "24.2.9", root: "package", keep: []string{"docs/**", "README.md"}},
		{name: "node-gyp", asked: true, packages: []string{"node-gyp"}, version: "12.4.0", root: "package", keep: []string{"README.md", "gyp/docs/**"}},
		{name: "markdownlint", held: true, asked: true, packages: []string{"markdownlint"}, version: "0.40.0", root: "package", keep: []string{"doc/md*.md", "doc/CustomRules.md"}},
		{name: "knot-doc", held: true, asked: true, apt: true, packages: []string{"knot-doc"}, root: "usr/share/doc/knot-doc/_sources", keep: []string{"*.rst.txt"}, drop: []string{"reference.rst.txt"}},

		{name: "sqlalchemy", held: true, apt: true, packages: []string{"python-sqlalchemy-doc"}, root: "usr/share/doc/python-sqlalchemy-doc/rst", keep: []string{"*.rst"}, drop: []string{"changelog/**"}},
		{name: "git", held: true, apt: true, packages: []string{"git-doc"}, root: "usr/share/doc/git-doc", keep: []string{"*.txt"}, drop: []string{"RelNotes/**", "cmds-*"}},
		{name: "rust", held: true, apt: true, packages: []string{"rust-doc"}, root: "usr/share/doc/rust-doc/html", keep: []string{"book/*.html", "reference/**", "nomicon/**", "rustc/**", "rust-by-example/**", "edition-guide/**"},
			drop: []string{"*print.html", "*index.html", "*title-page.html"}},
		{name: "ai", held: true, packages: []string{"ai"}, version: "6.0.326", root: "package/docs", keep: []string{"*.mdx", "*.md"}},
		{name: "bun", held: true, packages: []string{"bun-types"}, version: "1.4.5", root: "package/docs", keep: []string{"*.mdx", "*.md"}, drop: []string{"lint/**"}},
		{name: "pandas", held: true, apt: true, packages: []string{"python-pandas-doc"}, root: "usr/share/doc/python-pandas-doc/html/_sources", keep: []string{"*.rst.txt", "*.ipynb.txt", "*.md.txt"},
			drop: []string{"whatsnew/**", "reference/api/**"}},
		{name: "undici", held: true, packages: []string{"undici"}, version: "7.30.2", root: "package/docs", keep: []string{"*.md"}},
	}
}

// path returns where a file of the package is kept below the set's folder.
func (s *set) path(name string) (string, bool) {
	name = strings.TrimPrefix(name, "./")
	n := strings.Count(s.root, "/") + 1
	parts := strings.SplitN(name, "/", n+1)
	if len(parts) <= n {
		return "", false
	}
	if ok, _ := path.Match(s.root, strings.Join(parts[:n], "/")); !ok {
		return "", false
	}
	rest := parts[n]
	return rest, anyOf(s.keep, rest) && !anyOf(s.drop, rest)
}

// anyOf reports whether a pattern fits a path: "dir/**" what is below dir, one
// without "/" the name alone.
func anyOf(patterns []string, name string) bool {
	for _, p := range patterns {
		if dir, all := strings.CutSuffix(p, "**"); all {
			if strings.HasPrefix(name, dir) {
				return true
			}
			continue
		}
		what := name
		if !strings.Contains(p, "/") {
			what = path.Base(name)
		}
		if ok, _ := path.Match(p, what); ok {
			return true
		}
	}
	return false
}
