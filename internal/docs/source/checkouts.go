package source

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// Mix and Swift's package manager put the source of what a project depends on into the project itself.

var (
	mixName    = lazy.Regexp(`\{\s*:([a-z][a-z0-9_]*)\s*,\s*["'\w~]`)
	mixLocked  = lazy.Regexp(`(?m)^[ \t]*"([a-z][a-z0-9_]*)":\s*\{:hex,\s*:[a-z0-9_]+,\s*"([\w.+-]+)"`)
	mixIs      = lazy.Regexp(`\{<<"version">>,<<"([\w.+-]+)">>\}`)
	mixDepends = lazy.Regexp(`(?m)^\s*#.*$`)
	swiftAsks  = lazy.Regexp(`(?s)\.package\s*\([^()]*?\burl:\s*"([^"]+)"`)
)

// mix reads mix.exs and mix.lock, and what mix deps.get put into deps.
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
		pkg := called("hex", m[1], locked[m[1]])
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
		pkg := Package{Name: name, ID: idOf(m[1]), Version: locked[swiftKey(m[1])]}
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
