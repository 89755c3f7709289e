package source

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/discover"
)

// A nodeProject is a folder with a package.json, and those of the packages of its workspace.
type nodeProject struct {
	*project
	lock  map[string]string // the versions of package-lock.json, by the folder
	parts map[string]bool   // the names of the packages of the workspace
	seen  map[string]bool
	below string // where it is in the project above
}

// npm reads package.json and the package-lock.json beside it, those of the packages of a workspace too. Where there is
// another lock file, what is installed is taken at its word. As Node does, a package that is not in the folder is
// looked for in those above it, up to the next that is a project of npm's.
func (p *project) npm() {
	own := p.small("package.json")
	if own == nil {
		return
	}
	n := &nodeProject{project: p, parts: map[string]bool{}, seen: map[string]bool{}}
	n.lock = map[string]string{}
	above := p.above()
	if above != nil {
		defer above.root.Close()
		below, _ := filepath.Rel(above.dir, p.dir) // it is below
		n.below = filepath.ToSlash(below)
		for name, at := range locksOf(above) {
			if own, ok := strings.CutPrefix(name, n.below+"/"); ok {
				n.lock[own] = at.Version
			} else {
				n.lock["../"+name] = at.Version
			}
		}
	}
	for name, at := range locksOf(p) {
		n.lock[name] = at.Version
	}
	files := append([]string{"package.json"}, n.workspace(own)...)
	read := make([]nodeManifest, len(files))
	for i, file := range files {
		if json.Unmarshal(p.small(file), &read[i]) == nil && i > 0 {
			n.parts[read[i].Name] = true
		}
	}
	for i, file := range files {
		n.manifest(path.Dir(file), &read[i], above)
	}
}

type nodeManifest struct {
	Name                                            string
	Dependencies, DevDependencies, PeerDependencies map[string]string
}

// locksOf returns what the package-lock.json of a folder says.
func locksOf(p *project) map[string]struct{ Version string } {
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	_ = json.Unmarshal(p.read("package-lock.json"), &lock) // a broken one locks nothing
	return lock.Packages
}

var pnpmPackage = lazy.Regexp(`(?m)^\s*-\s*["']?(!?[\w*@./-]+)["']?\s*(?:#.*)?$`)

// Bounds of what names the packages of a workspace.
const (
	maxPatterns = 100
	maxPattern  = 200 // bytes
	maxDeep     = 8   // folders
)

// workspace returns the package.json of each package of a workspace. A pattern with an exclamation mark excludes.
func (n *nodeProject) workspace(own []byte) []string {
	patterns := []string{"packages/*/package.json", "apps/*/package.json"}
	list := n.packages(own)
	if more := len(list) - maxPatterns; more > 0 {
		n.omit("package.json", "%d of its %d patterns of workspaces are not followed", more, len(list))
		list = list[:maxPatterns]
	}
	var without []discover.Globs
	for _, l := range list {
		one, excludes := strings.CutPrefix(l, "!")
		at := strings.TrimPrefix(path.Clean(one), "/") + "/package.json"
		globs, bad := discover.NewGlobs([]string{"/" + at})
		if len(l) > maxPattern || strings.Count(at, "/") > maxDeep || bad != nil || strings.HasPrefix(at, "../") {
			n.omit("package.json", "its pattern %.80q names no folders of a workspace", l)
		} else if excludes {
			without = append(without, globs)
		} else {
			patterns = append(patterns, strings.ReplaceAll(at, "**", "*"))
		}
	}
	files := n.matching(patterns)
	return n.capped(slices.DeleteFunc(files, func(file string) bool {
		return slices.ContainsFunc(without, func(g discover.Globs) bool { return g.Match(file) })
	}))
}

// packages returns the patterns that name the packages of a workspace.
func (n *nodeProject) packages(own []byte) []string {
	var m struct{ Workspaces json.RawMessage }
	_ = json.Unmarshal(own, &m) // a broken one has no packages
	var list []string
	var long struct{ Packages []string }
	if json.Unmarshal(m.Workspaces, &list) != nil {
		_ = json.Unmarshal(m.Workspaces, &long) // it is one or the other, or nothing
		list = long.Packages
	}
	_, pnpm, _ := strings.Cut(string(n.small("pnpm-workspace.yaml")), "packages:")
	for _, m := range pnpmPackage.FindAllStringSubmatch(pnpm, -1) {
		list = append(list, m[1])
	}
	return list
}

// above returns the nearest folder above this one that is a project of npm's with what is installed, or nil. It is in the same
// repository.
func (p *project) above() *project {
	of := newBelonging(p.dir)
	if of == nil || of.top == "" {
		return nil
	}
	for dir := range of.above {
		if of.kind(dir, "node_modules") != os.ModeDir || of.kind(dir, "package.json") != 0 {
			continue
		}
		root, err := safe.Linked(dir)
		if err != nil {
			return nil
		}
		return &project{dir: dir, root: root, reading: p.reading}
	}
	return nil
}

// manifest adds what one package.json asks for.
func (n *nodeProject) manifest(folder string, m *nodeManifest, above *project) {
	for _, deps := range []map[string]string{m.Dependencies, m.DevDependencies, m.PeerDependencies} {
		for _, name := range slices.Sorted(maps.Keys(deps)) {
			if n.full() {
				return
			}
			if n.seen[name] || !npmName.MatchString(name) || n.parts[name] {
				continue
			}
			n.seen[name] = true
			n.dependency(folder, name, deps[name], above)
		}
	}
}

// dependency adds a package from where it is installed.
func (n *nodeProject) dependency(folder, name, asked string, above *project) {
	pkg := Package{Name: name, ID: registryID("npm", name)}
	type where struct {
		p          *project
		at, locked string
	}
	var places []where
	for _, at := range []string{path.Join(folder, "node_modules", name), "node_modules/" + name} {
		places = append(places, where{n.project, at, n.lock[at]})
	}
	if at := "node_modules/" + name; above != nil {
		// pnpm's links in the folder lead to what is above.
		places = append(places, where{above, path.Join(n.below, folder, at), n.lock[path.Join(folder, at)]}, where{above, path.Join(n.below, at), n.lock[at]}, where{above, at, n.lock["../"+at]})
	}
	var is struct {
		manifest
		Version string
	}
	found := slices.IndexFunc(places, func(w where) bool {
		return json.Unmarshal(w.p.about(w.at+"/package.json"), &is) == nil
	})
	if found >= 0 {
		pkg.Version = places[found].locked
	} else if at := slices.IndexFunc(places, func(w where) bool { return w.locked != "" }); at >= 0 {
		pkg.Version = places[at].locked
	}
	if found < 0 {
		pkg.Missing = "it is not in node_modules"
	} else if pkg.Version != "" && is.Version != pkg.Version {
		pkg.Missing = "node_modules has " + is.Version + ", and package-lock.json " + pkg.Version
	}
	if repo := is.repository(); repo != "" {
		// Of a repository of many packages the one that is called so has its ID.
		if id := idOf(repo); namesake(name, id) && (!is.within() || strings.EqualFold(path.Base(id), name)) {
			pkg.ID = id
		}
	}
	if pkg.Version == "" {
		pkg.Version = is.Version
	}
	if pkg.Version == "" {
		pkg.Version = strings.TrimLeft(asked, "^~>=v ")
	}
	if pkg.Missing != "" {
		n.add(pkg, "", "")
		return
	}
	of := places[found].p
	n.add(pkg, filepath.Join(of.dir, filepath.FromSlash(places[found].at)), of.dir)
}
