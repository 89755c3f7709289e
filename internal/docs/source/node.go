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

	locks, locksAbove []nodeLock // of other package managers, beside it and in the project above
}

// npm reads package.json and the lock file beside it, those of the packages of a workspace too. As Node does, a package that
// is not in the folder is looked for in those above it, up to the next that is a project of npm's.
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
		for name, version := range above.npmLock() {
			if own, ok := strings.CutPrefix(name, n.below+"/"); ok {
				n.lock[own] = version
			} else {
				n.lock["../"+name] = version
			}
		}
		n.locksAbove = above.nodeLocks()
	}
	maps.Copy(n.lock, p.npmLock())
	n.locks = p.nodeLocks()
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

var pnpmPackage = lazy.Regexp(`(?m)^\s*-\s*["']?(!?[\w*@./-]+)["']?\s*(?:#.*)?$`)

// Bounds of the patterns that name the packages of a workspace.
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

// above returns the nearest folder above this one that is a project of npm's with a node_modules or a lock file, or nil. It
// is in the same repository.
func (p *project) above() *project {
	of := newBelonging(p.dir)
	if of == nil || of.top == "" {
		return nil
	}
	for dir := range of.above {
		isFile := func(name string) bool { return of.kind(dir, name) == 0 }
		if !isFile("package.json") || of.kind(dir, "node_modules") != os.ModeDir && !slices.ContainsFunc(nodeLockFiles, isFile) {
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

// manifest adds the packages that one package.json asks for.
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
			n.dependency(nodeAsk{folder, m.Name, name, deps[name]}, above)
		}
	}
}

// A nodePlace is where a package may be installed, and the version that npm's lock file has for that place.
type nodePlace struct {
	p          *project
	at, locked string
}

// places returns where a package may be installed, nearest first.
func (n *nodeProject) places(folder, name string, above *project) []nodePlace {
	var out []nodePlace
	for _, at := range []string{path.Join(folder, "node_modules", name), "node_modules/" + name} {
		out = append(out, nodePlace{n.project, at, n.lock[at]})
	}
	if at := "node_modules/" + name; above != nil {
		// pnpm's links in the folder lead to the one above.
		out = append(out, nodePlace{above, path.Join(n.below, folder, at), n.lock[path.Join(folder, at)]},
			nodePlace{above, path.Join(n.below, at), n.lock[at]}, nodePlace{above, at, n.lock["../"+at]})
	}
	return out
}

// lockedVersion returns the version that a lock file has for a package, and the name of the file. found is the place where the
// package is installed, -1 for none.
func (n *nodeProject) lockedVersion(a nodeAsk, places []nodePlace, found int) (version, file string) {
	at := found
	if at < 0 {
		at = slices.IndexFunc(places, func(w nodePlace) bool { return w.locked != "" })
	}
	if at >= 0 && places[at].locked != "" {
		return places[at].locked, "package-lock.json"
	}
	inRoot := a
	inRoot.folder = path.Join(n.below, a.folder)
	for _, of := range []struct {
		locks []nodeLock
		ask   nodeAsk
	}{{n.locks, a}, {n.locksAbove, inRoot}} {
		for _, l := range of.locks {
			if v := l.version(of.ask); v != "" {
				return v, l.file
			}
		}
	}
	return "", ""
}

// nodeRange returns a range of versions as it is compared with them: "" for a tag, an address or a folder.
func nodeRange(asked string) string {
	if of, ok := strings.CutPrefix(asked, "npm:"); ok {
		asked = of[strings.LastIndexByte(of, '@')+1:]
	}
	asked = strings.TrimPrefix(asked, "workspace:")
	if asked == "*" || strings.ContainsAny(asked, ":/") || strings.Trim(asked[:min(len(asked), 1)], "abcdefghijklmnopqrstuwxyz") == "" {
		return ""
	}
	return asked
}

// dependency adds a package from where it is installed.
func (n *nodeProject) dependency(a nodeAsk, above *project) {
	pkg := Package{Name: a.name, ID: registryID("npm", a.name)}
	places := n.places(a.folder, a.name, above)
	var is struct {
		manifest
		Version string
	}
	found := slices.IndexFunc(places, func(w nodePlace) bool {
		return json.Unmarshal(w.p.about(w.at+"/package.json"), &is) == nil
	})
	pkg.Version, pkg.From = n.lockedVersion(a, places, found)
	if found < 0 {
		pkg.Missing = "it is not in node_modules"
	} else if pkg.Version != "" && is.Version != pkg.Version {
		pkg.Missing = "node_modules has " + is.Version + ", and " + pkg.From + " " + pkg.Version
	}
	if repo := is.repository(); repo != "" {
		// Of a repository of many packages the one that is called so has its ID.
		if id := idOf(repo); namesake(a.name, id) && (!is.within() || strings.EqualFold(path.Base(id), a.name)) {
			pkg.ID = id
		}
	}
	if pkg.Version == "" && is.Version != "" {
		pkg.Version, pkg.From = is.Version, "node_modules"
	}
	if pkg.Version == "" {
		pkg.asks(nodeRange(a.asked), "package.json")
	}
	if pkg.Missing != "" {
		n.add(pkg, "", "")
		return
	}
	of := places[found].p
	n.add(pkg, filepath.Join(of.dir, filepath.FromSlash(places[found].at)), of.dir)
}
