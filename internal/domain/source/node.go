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
)

// A nodeProject is a folder with a package.json, and those of the packages of its workspace.
type nodeProject struct {
	*project
	lock  map[string]string // the versions of package-lock.json, by the folder
	parts map[string]bool   // the names of the packages of the workspace
	seen  map[string]bool
}

// npm reads package.json and the package-lock.json beside it, those of the packages of a workspace too. Where there is
// another lock file, what is installed is taken at its word. As Node does, a package that is not in the folder is
// looked for in those above it, up to the next that is a project of npm's.
func (p *project) npm() {
	own := p.read("package.json")
	if own == nil {
		return
	}
	n := &nodeProject{project: p, parts: map[string]bool{}, seen: map[string]bool{}}
	n.lock = map[string]string{}
	above := p.above()
	if above != nil {
		defer above.root.Close()
		below, _ := filepath.Rel(above.dir, p.dir) // it is below
		for name, at := range locksOf(above) {
			if own, ok := strings.CutPrefix(name, filepath.ToSlash(below)+"/"); ok {
				n.lock[own] = at.Version
			} else {
				n.lock["../"+name] = at.Version
			}
		}
	}
	for name, at := range locksOf(p) {
		n.lock[name] = at.Version
	}
	files := append([]string{"package.json"}, p.members(n.patterns(own)...)...)
	read := make([]nodeManifest, len(files))
	for i, file := range files {
		if json.Unmarshal(p.read(file), &read[i]) == nil && i > 0 {
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

var pnpmPackage = lazy.Regexp(`(?m)^\s*-\s*["']?([\w*@./-]+)["']?\s*(?:#.*)?$`)

// patterns returns where the packages of a workspace have their package.json.
func (n *nodeProject) patterns(own []byte) []string {
	out := []string{"packages/*/package.json", "apps/*/package.json"}
	var m struct{ Workspaces json.RawMessage }
	_ = json.Unmarshal(own, &m) // a broken one has no packages
	var list []string
	var long struct{ Packages []string }
	if json.Unmarshal(m.Workspaces, &list) != nil {
		_ = json.Unmarshal(m.Workspaces, &long) // it is one or the other, or nothing
		list = long.Packages
	}
	_, pnpm, _ := strings.Cut(string(n.read("pnpm-workspace.yaml")), "packages:")
	for _, m := range pnpmPackage.FindAllStringSubmatch(pnpm, -1) {
		list = append(list, m[1])
	}
	for _, l := range list {
		at := path.Clean(strings.ReplaceAll(l, "**", "*")) + "/package.json"
		if !strings.HasPrefix(at, "../") && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// repositoryOf returns the folder of the repository that a folder is in, or the folder where it is in none.
func repositoryOf(dir string) string {
	for at, n := dir, 0; n < 12; at, n = filepath.Dir(at), n+1 {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
	}
	return dir
}

// above returns the nearest folder above this one that is a project of npm's with what is installed, or nil. It is in the same
// repository: what others put into a folder that is not the user's alone is not read.
func (p *project) above() *project {
	top := repositoryOf(p.dir)
	for dir := p.dir; dir != top; {
		dir = filepath.Dir(dir)
		if st, err := os.Lstat(filepath.Join(dir, "node_modules")); err != nil || !st.IsDir() {
			continue
		}
		if st, err := os.Lstat(filepath.Join(dir, "package.json")); err != nil || !st.Mode().IsRegular() {
			continue
		}
		root, err := safe.Linked(dir)
		if err != nil {
			return nil
		}
		return &project{dir: dir, root: root}
	}
	return nil
}

// manifest adds what one package.json asks for.
func (n *nodeProject) manifest(folder string, m *nodeManifest, above *project) {
	for _, deps := range []map[string]string{m.Dependencies, m.DevDependencies, m.PeerDependencies} {
		for _, name := range slices.Sorted(maps.Keys(deps)) {
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
	own := registryID("npm", name)
	pkg := Package{Name: name, ID: own, own: own}
	type where struct {
		p          *project
		at, locked string
	}
	var places []where
	for _, at := range []string{path.Join(folder, "node_modules", name), "node_modules/" + name} {
		places = append(places, where{n.project, at, n.lock[at]})
	}
	if at := "node_modules/" + name; above != nil {
		places = append(places, where{above, at, n.lock["../"+at]})
	}
	var is struct {
		manifest
		Version string
	}
	found := slices.IndexFunc(places, func(w where) bool {
		return json.Unmarshal(w.p.read(w.at+"/package.json"), &is) == nil
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
		if id := idOf(repo); !is.within() || strings.EqualFold(path.Base(id), name) {
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
