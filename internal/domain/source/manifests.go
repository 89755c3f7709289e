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
	"build.gradle", "build.gradle.kts", "mix.exs", "Directory.Packages.props"}

var (
	cargoTable  = lazy.Regexp(`^(?:workspace\.|target\..*\.)?(?:dev-|build-)?dependencies$`)
	cargoKey    = lazy.Regexp(`(?m)^([A-Za-z0-9_-]+)(?:\.workspace)?\s*=`)
	cargoOwn    = lazy.Regexp(`^(?:workspace\.|target\..*\.)?(?:dev-|build-)?dependencies\.([A-Za-z0-9_-]+)$`)
	tomlTable   = lazy.Regexp(`(?m)^\[([^\[\]\n]+)\]\s*(?:#.*)?$`)
	pyExtra     = lazy.Regexp(`^(?:project\.optional-dependencies|dependency-groups)$`)
	gemName     = lazy.Regexp(`(?m)^\s*gem\s*\(?\s*["']([A-Za-z0-9_.-]+)["']`)
	gemLocked   = lazy.Regexp(`(?m)^    ([A-Za-z0-9_.-]+) \(([\w.]+)\)$`)
	nugetName   = lazy.Regexp(`<Package(?:Reference|Version)\s+Include="([A-Za-z0-9_.-]+)"(?:\s+Version="([^"$]*)")?`)
	mavenName   = lazy.Regexp(`<dependency>\s*<groupId>([\w.-]+)</groupId>\s*<artifactId>([\w.-]+)</artifactId>(?:\s*<version>([\w.-]+)</version>)?`)
	gradleName  = lazy.Regexp(`["']([\w.-]+):([\w.-]+)(?::([\w.-]+))?["']`)
	gradleGroup = lazy.Regexp(`group\s*=\s*"([\w.-]+)"\s*,\s*name\s*=\s*"([\w.-]+)"`)
	mixName     = lazy.Regexp(`\{\s*:([a-z][a-z0-9_]*)\s*,\s*["'\w]`)
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
	id := "/" + registry + "/" + slug(strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-"))
	if owner, repo, ok := strings.Cut(name, "/"); ok && registry == "packagist" {
		id = "/" + slug(owner) + "/" + slug(repo)
	}
	p.add(Package{Name: name, ID: id, Version: version, Missing: unread}, "", "")
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

func (p *project) cargo() {
	names := map[string]bool{}
	for _, file := range p.members("Cargo.toml", "*/Cargo.toml", "crates/*/Cargo.toml") {
		for header, body := range tables(string(p.read(file))) {
			if m := cargoOwn.FindStringSubmatch(header); m != nil {
				names[m[1]] = true
			} else if cargoTable.MatchString(header) {
				for _, m := range cargoKey.FindAllStringSubmatch(body, -1) {
					names[m[1]] = true
				}
			}
		}
	}
	locked := map[string]string{}
	for _, m := range pyLocked.FindAllStringSubmatch(string(p.read("Cargo.lock")), -1) {
		locked[m[1]] = m[2]
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		p.known("crates", name, locked[name])
	}
}

func (p *project) composer() {
	var m struct {
		Require map[string]string `json:"require"`
		Dev     map[string]string `json:"require-dev"`
	}
	if json.Unmarshal(p.read("composer.json"), &m) != nil {
		return
	}
	var lock struct {
		Packages, Dev []struct{ Name, Version string }
	}
	_ = json.Unmarshal(p.read("composer.lock"), &lock) // a broken one locks nothing
	locked := map[string]string{}
	for _, l := range lock.Packages {
		locked[l.Name] = strings.TrimPrefix(l.Version, "v")
	}
	for _, of := range []map[string]string{m.Require, m.Dev} {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if owner, repo, ok := strings.Cut(name, "/"); ok && slug(owner) != "" && slug(repo) != "" {
				p.known("packagist", name, locked[name])
			}
		}
	}
}

func (p *project) gems() {
	locked := map[string]string{}
	for _, m := range gemLocked.FindAllStringSubmatch(string(p.read("Gemfile.lock")), -1) {
		locked[m[1]] = m[2]
	}
	for _, m := range gemName.FindAllStringSubmatch(string(p.read("Gemfile")), -1) {
		p.known("gems", m[1], locked[m[1]])
	}
}

// nuget reads the projects of the folder and of folders below it, and the versions that they share.
func (p *project) nuget() {
	for _, file := range p.members("Directory.Packages.props", "*.csproj", "*/*.csproj", "src/*/*.csproj") {
		for _, m := range nugetName.FindAllStringSubmatch(string(p.read(file)), -1) {
			p.known("nuget", m[1], m[2])
		}
	}
}

func (p *project) maven() {
	for _, m := range mavenName.FindAllStringSubmatch(string(p.read("pom.xml")), -1) {
		p.known("maven", m[1]+":"+m[2], m[3])
	}
	for _, file := range []string{"build.gradle", "build.gradle.kts", "gradle/libs.versions.toml"} {
		text := string(p.read(file))
		for _, m := range gradleName.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], ".") {
				p.known("maven", m[1]+":"+m[2], m[3])
			}
		}
		for _, m := range gradleGroup.FindAllStringSubmatch(text, -1) {
			p.known("maven", m[1]+":"+m[2], "")
		}
	}
}
