package source

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// Mix and Swift's package manager put the source of dependencies into the project itself.

var (
	mixName    = lazy.Regexp(`\{\s*:([a-z][a-z0-9_]*)\s*,\s*(?:["']([^"'\n]*)["']|[\w~])`)
	mixLocked  = lazy.Regexp(`(?m)^[ \t]*"([a-z][a-z0-9_]*)":\s*\{:hex,\s*:[a-z0-9_]+,\s*"([\w.+-]+)"`)
	mixIs      = lazy.Regexp(`\{<<"version">>,<<"([\w.+-]+)">>\}`)
	mixDepends = lazy.Regexp(`(?m)^\s*#.*$`)
	swiftAsks  = lazy.Regexp(`(?s)\.package\s*\([^()]*?\burl:\s*"([^"]+)"([^()]*(?:\([^()]*\))?)`)
	swiftRange = lazy.Regexp(`"(\d[\w.+-]*)"(?:\s*(\.\.[.<])\s*"(\d[\w.+-]*)")?`)
)

// mix reads mix.exs and mix.lock, and the packages that mix deps.get put into deps.
func (p *project) mix() {
	asked := mixName.FindAllStringSubmatch(mixDepends.ReplaceAllString(string(p.small("mix.exs")), ""), -1)
	if len(asked) == 0 {
		return
	}
	locked := map[string]string{}
	for _, m := range mixLocked.FindAllStringSubmatch(string(p.read("mix.lock")), -1) {
		locked[m[1]] = m[2]
	}
	for _, m := range asked {
		if p.full() {
			return
		}
		pkg := called("hex", m[1], locked[m[1]], "mix.lock")
		pkg.asks(strings.NewReplacer(" and ", ", ", " or ", " || ").Replace(m[2]), "mix.exs")
		if is := mixIs.FindSubmatch(p.about("deps/" + m[1] + "/hex_metadata.config")); is != nil && pkg.Version != "" && string(is[1]) != pkg.Version {
			pkg.Missing = "deps has " + string(is[1]) + ", and mix.lock " + pkg.Version
			p.add(pkg, "", "")
			continue
		}
		p.find(pkg, "it is not in deps: mix deps.get puts it there", place{p.dir, "deps/" + m[1]})
	}
}

// swift reads Package.swift and Package.resolved, and the checkouts that swift package resolve makes.
func (p *project) swift() {
	type pin struct {
		Location, RepositoryURL string
		State                   struct{ Version string }
	}
	var lock struct {
		Pins   []pin
		Object struct{ Pins []pin } // as it was before
	}
	_ = json.Unmarshal(p.read("Package.resolved"), &lock) // a broken one locks nothing
	locked := map[string]string{}
	for _, x := range append(lock.Pins, lock.Object.Pins...) {
		locked[swiftKey(x.Location+x.RepositoryURL)] = x.State.Version
	}
	have := p.checkedOut()
	for _, m := range swiftAsks.FindAllStringSubmatch(string(p.small("Package.swift")), -1) {
		name := strings.TrimSuffix(path.Base(m[1]), ".git")
		if slug(name) != name {
			continue
		}
		pkg := called("swift", name, locked[swiftKey(m[1])], "Package.resolved")
		pkg.ID = idOf(m[1])
		pkg.asks(swiftVersions(m[2]), "Package.swift")
		lacks, at := "it is not in .build/checkouts", place{}
		switch is := have[swiftKey(m[1])]; {
		case is.version == "":
			lacks = "nothing says which version .build/checkouts has"
		case is.version != pkg.Version && pkg.Version != "":
			pkg.Missing = ".build/checkouts has " + is.version + ", and Package.resolved " + pkg.Version
			p.add(pkg, "", "")
			continue
		case slug(is.folder) == is.folder:
			at = place{p.dir, ".build/checkouts/" + is.folder}
		}
		p.find(pkg, lacks+": swift package resolve puts it there", at)
	}
}

// swiftVersions returns the range that a dependency of Package.swift asks for: `from: "1.2.0"`, `.upToNextMinor(from: "1.2.0")`,
// `exact: "1.2.0"` and `"1.0.0"..<"2.0.0"`.
func swiftVersions(asked string) string {
	m := swiftRange.FindStringSubmatch(asked)
	switch {
	case m == nil:
		return "" // a branch or a commit
	case m[2] == "..<":
		return ">=" + m[1] + " <" + m[3]
	case m[2] != "":
		return ">=" + m[1] + " <=" + m[3]
	case strings.Contains(asked, "exact"):
		return m[1]
	case strings.Contains(asked, "upToNextMinor"):
		return "~" + m[1]
	}
	return "^" + m[1]
}

// pub reads pubspec.yaml and pubspec.lock, and the cache of Dart's pub.
func (p *project) pub() {
	asked := map[string]string{}
	for f := range indented(string(p.small("pubspec.yaml"))) {
		if k := f.keys; len(k) > 1 && (k[0] == "dependencies" || k[0] == "dev_dependencies") {
			switch {
			case len(k) == 2 || k[2] == "version":
				asked[k[1]] = cmp.Or(asked[k[1]], f.value)
			case k[2] == "sdk": // it is a part of Flutter
				delete(asked, k[1])
			}
		}
	}
	locked := map[string]string{}
	for f := range indented(string(p.read("pubspec.lock"))) {
		if len(f.keys) == 3 && f.keys[0] == "packages" && f.keys[2] == "version" {
			locked[f.keys[1]] = exactVersion(f.value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if p.full() {
			return
		}
		pkg := called("pub", name, locked[name], "pubspec.lock")
		if asked[name] != "any" {
			pkg.asks(asked[name], "pubspec.yaml")
		}
		p.find(pkg, "it is not in the cache of pub: dart pub get puts it there",
			place{p.places.Pub, "hosted/*/" + name + "-" + pkg.Version})
	}
}

// A checkout is where the source of a package of Swift is below .build/checkouts, and in which version.
type checkout struct{ folder, version string }

// checkedOut returns what Swift's package manager says of its checkouts, by the address: whatever is in a folder, it may be of
// another version than the lock file's.
func (p *project) checkedOut() map[string]checkout {
	var state struct {
		Object struct {
			Dependencies []struct {
				PackageRef struct{ Location, Path string } // Path: as it was before
				State      struct{ CheckoutState struct{ Version string } }
				Subpath    string
			}
		}
	}
	_ = json.Unmarshal(p.read(".build/workspace-state.json"), &state) // a broken one says nothing
	out := map[string]checkout{}
	for _, d := range state.Object.Dependencies {
		out[swiftKey(d.PackageRef.Location+d.PackageRef.Path)] = checkout{d.Subpath, d.State.CheckoutState.Version}
	}
	return out
}

// swiftKey returns the address of a repository as it is compared.
func swiftKey(address string) string { return strings.ToLower(strings.TrimSuffix(address, ".git")) }
