package source

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	nugetName  = lazy.Regexp(`<Package(?:Reference|Version)\s+(?:Include|Update)="([A-Za-z0-9_.-]+)"(?:\s+Version="([^"$]*)")?`)
	nugetExact = lazy.Regexp(`^[0-9][0-9A-Za-z.+-]*$`)
)

// nuget reads the projects of the folder and of folders below it, the versions that they share, and what restoring them
// locked. What a package says of its members is in the folder of NuGet's packages, which has every name in small letters.
func (p *project) nuget() {
	asked := map[string]string{} // versions, by the name
	for _, file := range p.members("Directory.Packages.props", "*.csproj", "*/*.csproj", "src/*/*.csproj") {
		for _, m := range nugetName.FindAllStringSubmatch(string(p.small(file)), -1) {
			asked[m[1]] = cmp.Or(asked[m[1]], m[2])
		}
	}
	if len(asked) == 0 {
		return
	}
	locked := p.restored()
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		version, from := locked[strings.ToLower(name)], "the lock file of NuGet"
		if v := asked[name]; version == "" && nugetExact.MatchString(v) {
			version, from = v, "the project file" // the least that will do, which NuGet takes where nothing else asks for more
		}
		pkg := called("nuget", name, version, from)
		pkg.asks(asked[name], "the project file")
		p.find(pkg, "it is not among NuGet's packages: dotnet restore puts it there",
			place{p.places.NuGet, strings.ToLower(name) + "/" + strings.ToLower(version)})
	}
}

// restored returns the versions that dotnet restore chose, by the name in small letters.
func (p *project) restored() map[string]string {
	out := map[string]string{}
	for _, file := range p.members("obj/project.assets.json", "*/obj/project.assets.json", "src/*/obj/project.assets.json") {
		var assets struct {
			Libraries map[string]struct{ Type string }
		}
		if json.Unmarshal(p.read(file), &assets) != nil {
			continue
		}
		for key, of := range assets.Libraries {
			if name, version, ok := strings.Cut(key, "/"); ok && of.Type == "package" && nugetExact.MatchString(version) {
				out[strings.ToLower(name)] = version
			}
		}
	}
	for _, file := range p.members("packages.lock.json", "*/packages.lock.json", "src/*/packages.lock.json") {
		var lock struct {
			Dependencies map[string]map[string]struct{ Resolved string }
		}
		if json.Unmarshal(p.read(file), &lock) != nil {
			continue
		}
		for _, of := range lock.Dependencies {
			for name, at := range of {
				if low := strings.ToLower(name); out[low] == "" && nugetExact.MatchString(at.Resolved) {
					out[low] = at.Resolved
				}
			}
		}
	}
	return out
}
