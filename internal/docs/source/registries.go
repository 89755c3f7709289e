package source

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/release"
)

// Where packages of Cargo, Composer and Bundler are once they are installed: each keeps the source of the
// version that is locked on this machine.

var (
	cargoTable  = lazy.Regexp(`^(?:workspace\.|target\..*\.)?(?:dev-|build-)?dependencies$`)
	cargoKey    = lazy.Regexp(`(?m)^([A-Za-z0-9_-]+)(?:\.workspace)?\s*=\s*(?:\{[^}\n]*?\bversion\s*=\s*)?(?:"([^"\n]*)")?`)
	cargoOther  = lazy.Regexp(`\bpackage\s*=\s*"([A-Za-z0-9_-]+)"`)
	cargoOwn    = lazy.Regexp(`^(?:workspace\.|target\..*\.)?(?:dev-|build-)?dependencies\.([A-Za-z0-9_-]+)$`)
	cargoAsked  = lazy.Regexp(`(?m)^version\s*=\s*"([^"\n]*)"`)
	cargoLocked = lazy.Regexp(`(?m)^name = "([^"\n]+)"\r?\nversion = "([\w.+-]+)"(?:\r?\nsource = "([^"\n]+)")?`)
	gemName     = lazy.Regexp(`(?m)^\s*gem\s*\(?\s*["']([A-Za-z0-9_.-]+)["']((?:\s*,\s*\[?\s*["'][^"'\n]*["'])*)`)
	gemLocked   = lazy.Regexp(`(?m)^    ([A-Za-z0-9_.-]+) \(([\w.]+)(?:-[\w.-]+)?\)\r?$`)
)

// find adds a package that lies at the first of some folders, or files, that is there: patterns, each below a folder that
// the way may not leave. lacks names the place that it is missing from, where it is nowhere.
func (p *project) find(pkg Package, lacks string, at ...place) {
	if p.full() {
		return
	}
	if pkg.Version == "" {
		pkg.Missing = "no lock file has its version"
		p.add(pkg, "", "")
		return
	}
	for _, of := range at {
		if of.root == "" {
			continue
		}
		if at := of.first(&p.names); at != "" {
			pkg.Missing = ""
			p.add(pkg, at, of.root)
			return
		}
	}
	pkg.Missing = lacks
	p.add(pkg, "", "")
}

// A place is a pattern of folders below a folder.
type place struct{ root, pattern string }

// cargo reads the crates that a project asks for: from where cargo vendor puts them, or the registry's cache.
func (p *project) cargo() {
	names := map[string]string{} // and the versions that they are asked for in
	for _, file := range p.members("Cargo.toml", "*/Cargo.toml", "crates/*/Cargo.toml") {
		for header, body := range tables(string(p.small(file))) {
			if m := cargoOwn.FindStringSubmatch(header); m != nil {
				names[m[1]] = ""
				if v := cargoAsked.FindStringSubmatch(body); v != nil {
					names[m[1]] = v[1]
				}
			} else if cargoTable.MatchString(header) {
				for line := range strings.SplitSeq(body, "\n") {
					m := cargoKey.FindStringSubmatch(line)
					if m == nil {
						continue
					}
					name := m[1]
					if other := cargoOther.FindStringSubmatch(line); other != nil {
						name = other[1] // it is renamed here
					}
					if names[name] == "" {
						names[name] = m[2]
					}
				}
			}
		}
	}
	if len(names) == 0 {
		return
	}
	locked, from := map[string][]string{}, map[string]string{}
	for _, m := range cargoLocked.FindAllStringSubmatch(string(p.read("Cargo.lock")), -1) {
		locked[m[1]] = append(locked[m[1]], m[2])
		from[m[1]] = m[3]
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if p.full() {
			return
		}
		version := cargoVersion(locked[name], names[name])
		pkg := called("crates", name, version, "Cargo.lock")
		pkg.asks(cargoRange(names[name]), "Cargo.toml")
		version = pkg.Version
		switch {
		case version != "" && from[name] == "":
			pkg.Missing = "it is a part of this project"
			p.add(pkg, "", "")
		case version != "" && !strings.HasPrefix(from[name], "registry+") && !strings.HasPrefix(from[name], "sparse+"):
			pkg.Missing = "it is of " + from[name]
			p.add(pkg, "", "")
		default:
			p.find(pkg, "it is not in Cargo's registry: cargo fetch puts it there",
				place{p.dir, "vendor/" + name + "-" + version}, p.vendored(name, version), place{p.places.Crates, "registry/src/*/" + name + "-" + version})
		}
	}
}

// cargoVersion returns which of the versions that are locked a requirement means: "0.8" allows 0.8.5 and not 0.9.0.
func cargoVersion(locked []string, asked string) string {
	if len(locked) == 0 {
		return ""
	}
	release.NewestFirst(locked)
	asked = cargoRange(asked)
	if v, how := release.Pick(locked, asked); asked != "" && how != release.None {
		return v
	}
	return locked[0]
}

// cargoRange returns a requirement of Cargo's as a range: "0.8" is "^0.8".
func cargoRange(asked string) string {
	if asked = strings.TrimSpace(asked); asked != "" && isDigit(asked[0]) {
		return "^" + asked
	}
	return asked
}

// vendored returns where cargo vendor puts a crate, if that version is there.
func (p *project) vendored(name, version string) place {
	if v := cargoAsked.FindStringSubmatch(string(p.about("vendor/" + name + "/Cargo.toml"))); v != nil && v[1] == version {
		return place{p.dir, "vendor/" + name}
	}
	return place{}
}

// A locker has the packages of Composer, in composer.lock and in vendor/composer/installed.json.
type locker struct {
	Packages []struct{ Name, Version string }
	Dev      []struct{ Name, Version string } `json:"packages-dev"`
}

// versions returns the versions that a file has, by name.
func (p *project) versions(file string) map[string]string {
	data := p.read(file)
	var l locker
	if json.Unmarshal(data, &l) != nil {
		_ = json.Unmarshal(data, &l.Packages) // as Composer 1 wrote it; a broken one locks nothing
	}
	out := map[string]string{}
	for _, x := range append(l.Packages, l.Dev...) {
		out[x.Name] = strings.TrimPrefix(x.Version, "v")
	}
	return out
}

func (p *project) composer() {
	var m struct {
		Require map[string]string `json:"require"`
		Dev     map[string]string `json:"require-dev"`
	}
	if json.Unmarshal(p.small("composer.json"), &m) != nil {
		return
	}
	locked, have := p.versions("composer.lock"), p.versions("vendor/composer/installed.json")
	for _, of := range []map[string]string{m.Require, m.Dev} {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if p.full() {
				return
			}
			owner, repo, ok := strings.Cut(name, "/")
			if !ok || slug(owner) != owner || slug(repo) != repo {
				continue
			}
			pkg := called("packagist", name, locked[name], "composer.lock")
			if pkg.Version == "" && have[name] != "" {
				pkg.Version, pkg.From = have[name], "vendor"
			}
			pkg.asks(composerRange(of[name]), "composer.json")
			if have[name] != "" && have[name] != pkg.Version {
				pkg.Missing = "vendor has " + have[name] + ", and composer.lock " + pkg.Version
				p.add(pkg, "", "")
				continue
			}
			at := place{p.dir, "vendor/" + name}
			if have[name] == "" {
				at = place{}
			}
			p.find(pkg, "it is not in vendor: composer install puts it there", at)
		}
	}
}

// composerRange returns a constraint of Composer's as a range: "~1.2" goes to 2, and "|" is "||".
func composerRange(asked string) string {
	if strings.Contains(asked, "dev-") {
		return "" // a branch
	}
	var parts []string
	for part := range strings.SplitSeq(asked, "|") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, strings.ReplaceAll(part, "~", "~>"))
		}
	}
	return strings.Join(parts, " || ")
}

func (p *project) gems() {
	asked := gemName.FindAllStringSubmatch(string(p.small("Gemfile")), -1)
	if len(asked) == 0 {
		return
	}
	locked := map[string]string{}
	for _, m := range gemLocked.FindAllStringSubmatch(string(p.read("Gemfile.lock")), -1) {
		locked[m[1]] = m[2]
	}
	for _, m := range asked {
		if p.full() {
			return
		}
		name := m[1] + "-" + locked[m[1]]
		at := []place{{p.dir, "vendor/bundle/ruby/*/gems/" + name}, {p.dir, "vendor/bundle/ruby/*/gems/" + name + "-*-*"}}
		for _, home := range p.places.Gems {
			at = append(at, place{home, "gems/" + name}, place{home, "gems/" + name + "-*-*"})
		}
		pkg := called("gems", m[1], locked[m[1]], "Gemfile.lock")
		pkg.asks(strings.Trim(strings.NewReplacer(`"`, "", "'", "", "[", "").Replace(m[2]), ", "), "Gemfile")
		p.find(pkg, "it is not among the gems here: bundle install puts it there", at...)
	}
}
