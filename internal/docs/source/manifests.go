package source

import (
	"iter"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// manifests are the files by which a folder is known to be a project's.
var manifests = []string{"go.mod", "package.json", "pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "Pipfile", "Cargo.toml", "composer.json", "Gemfile", "pom.xml",
	"build.gradle", "build.gradle.kts", "mix.exs", "Package.swift", "pubspec.yaml", "Directory.Packages.props", "packages.lock.json"}

var tomlTable = lazy.Regexp(`(?m)^\[([^\[\]\n]+)\]\s*(?:#.*)?$`)

// named adds what a project depends on by the manifests of other registries: their names and, where they are locked, their
// versions.
func (p *project) named() {
	p.cargo()
	p.composer()
	p.gems()
	p.nuget()
	p.maven()
	p.gradle()
	p.mix()
	p.swift()
	p.pub()
}

// called returns a package of a registry that is called so, in the version that a file has.
func called(registry, name, version, from string) Package {
	id := registryID(registry, name)
	if owner, repo, ok := strings.Cut(name, "/"); ok && registry == "packagist" {
		id = "/" + slug(owner) + "/" + slug(repo)
	}
	if version == "" {
		from = ""
	}
	return Package{Name: name, ID: id, Version: version, From: from}
}

// registryID returns what the documentation of a package is called where its repository is not known.
func registryID(registry, name string) string {
	return "/" + registry + "/" + slug(strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-"))
}

// tables yields the tables of a TOML file with their headers.
func tables(text string) iter.Seq2[string, string] {
	return func(yield func(header, body string) bool) {
		at := tomlTable.FindAllStringSubmatchIndex(text, -1)
		for i, m := range at {
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			if !yield(strings.TrimSpace(text[m[2]:m[3]]), text[m[1]:end]) {
				return
			}
		}
	}
}
