package source

import (
	"encoding/json"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
)

// unread says why the documentation of a package is not read from this machine.
const unread = "packages of its registry are not read: assay docs ingest REPOSITORY reads their documentation"

// manifests are the files by which a folder is known to be a project's.
var manifests = []string{"go.mod", "package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "composer.json", "Gemfile", "pom.xml",
	"build.gradle", "build.gradle.kts", "mix.exs", "Directory.Packages.props", "packages.lock.json"}

var (
	tomlTable = lazy.Regexp(`(?m)^\[([^\[\]\n]+)\]\s*(?:#.*)?$`)
	pyExtra   = lazy.Regexp(`^(?:project\.optional-dependencies|dependency-groups)$`)
	mixName   = lazy.Regexp(`\{\s*:([a-z][a-z0-9_]*)\s*,\s*["'\w]`)
)

// named adds what a project depends on by the manifests of other registries: their names and, where they are locked, their
// versions.
func (p *project) named() {
	p.parts()
	p.cargo()
	p.composer()
	p.gems()
	p.nuget()
	p.maven()
	for _, m := range mixName.FindAllStringSubmatch(string(p.read("mix.exs")), -1) {
		p.known("hex", m[1], "")
	}
}

// known adds a package that is known by its name alone.
func (p *project) known(registry, name, version string) {
	p.add(called(registry, name, version), "", "")
}

// called returns a package of a registry that is called so.
func called(registry, name, version string) Package {
	id := "/" + registry + "/" + slug(strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-"))
	if owner, repo, ok := strings.Cut(name, "/"); ok && registry == "packagist" {
		id = "/" + slug(owner) + "/" + slug(repo)
	}
	return Package{Name: name, ID: id, Version: version, Missing: unread}
}

// maxMembers bounds how many manifests of parts of a project are read.
const maxMembers = 100

// members returns a manifest and those of the parts of a project, if it has them.
func (p *project) members(patterns ...string) (out []string) {
	for _, pattern := range patterns {
		files, err := fs.Glob(safe.LinkedFS(p.root), pattern)
		if err != nil {
			return out
		}
		out = append(out, files...)
	}
	return out[:min(len(out), maxMembers)]
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

// parts adds what parts of a project depend on, by name: the packages of a workspace of npm, and extras of Python.
func (p *project) parts() {
	for _, file := range p.members("packages/*/package.json", "apps/*/package.json") {
		var m struct{ Dependencies, DevDependencies, PeerDependencies map[string]string }
		if json.Unmarshal(p.read(file), &m) != nil {
			continue
		}
		for _, of := range []map[string]string{m.Dependencies, m.DevDependencies, m.PeerDependencies} {
			for _, name := range slices.Sorted(maps.Keys(of)) {
				if npmName.MatchString(name) && !p.has(name) {
					p.known("npm", name, strings.TrimLeft(of[name], "^~>=v "))
				}
			}
		}
	}
	for header, body := range tables(string(p.read("pyproject.toml"))) {
		if !pyExtra.MatchString(header) {
			continue
		}
		for _, m := range pyQuoted.FindAllStringSubmatch(body, -1) {
			if name := pyNormal(m[1]); !p.has(name) {
				p.known("pypi", name, "")
			}
		}
	}
}

// has reports whether a package is known already.
func (p *project) has(name string) bool {
	return slices.ContainsFunc(p.out, func(o Package) bool { return o.Name == name })
}
