package source

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Package is what a project depends on directly, as its manifests and lock files say, and
// where that very version is on this machine.
type Package struct {
	Name    string // as its registry calls it
	Version string // of the lock file, without "v"
	ID      string // what its documentation is called: of its repository, where that is known
	Dir     string // "" where that version is not installed
	Include []string
	Missing string // why Dir is empty
}

// Places are where packages are that are not inside of a project.
type Places struct {
	GoModules   string // the module cache; "" for none
	Environment string // the environment of Python that is active; "" for none
	// Crates is the home of Cargo, Maven the repository on this machine and Gradle its home; "" for none.
	Crates, Maven, Gradle string
	NuGet                 string   // the folder of NuGet's packages; "" for none
	Gems                  []string // homes of gems
}

// maxLock bounds a lock file.
const maxLock = 64 << 20

// A project is a folder with manifests.
type project struct {
	dir    string
	root   *os.Root
	places Places
	out    []Package
}

// Project returns the folder with a manifest that a folder is in, "" where there is none.
func Project(dir string) string {
	for range 12 {
		for _, name := range manifests {
			if st, err := os.Lstat(filepath.Join(dir, name)); err == nil && st.Mode().IsRegular() {
				return dir
			}
		}
		if (place{dir, "*.csproj"}).first() != "" {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// Installed returns the direct dependencies of a project in the order of their names, by
// reading go.mod, package.json, pyproject.toml, requirements.txt, Cargo.toml, composer.json, Gemfile, pom.xml,
// build.gradle and projects of C#, and what locks them; by name alone what Mix is told.
func Installed(ctx context.Context, dir string, places Places) ([]Package, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fault.New(fault.NotFound, "no folder %s", dir).Because(err)
	}
	root, err := safe.Linked(real)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "open %s", dir).Because(err)
	}
	defer root.Close()
	p := &project{dir: real, root: root, places: places}
	for _, read := range []func(){p.golang, p.npm, p.python, p.named} {
		if ctx.Err() != nil {
			return nil, fault.New(fault.Interrupted, "stopped while the dependencies were looked for")
		}
		read()
	}
	sorting.Stable(p.out, func(a, b Package) int { return strings.Compare(a.Name, b.Name) })
	return p.out, nil
}

func (p *project) read(name string) []byte {
	f, err := safe.OpenIn(p.root, name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() || st.Size() > maxLock {
		return nil
	}
	data := make([]byte, 0, 4096)
	buf := make([]byte, 64<<10)
	for len(data) <= maxLock {
		n, err := f.Read(buf)
		data = append(data, buf[:n]...)
		if err != nil {
			break
		}
	}
	return data
}

// add keeps a dependency whose folder is inside of one that may be read: a link of a
// project that somebody else prepared leads nowhere else.
func (p *project) add(pkg Package, dir, within string) {
	if dir != "" {
		real, err := filepath.EvalSymlinks(dir)
		around, aerr := filepath.EvalSymlinks(within)
		switch {
		case err != nil || aerr != nil:
			pkg.Missing = "it is not in " + filepath.Dir(dir)
		case real != around && !strings.HasPrefix(real, around+string(filepath.Separator)):
			pkg.Missing = "its folder is a link to " + real
		default:
			pkg.Dir = real
		}
	}
	if !slices.ContainsFunc(p.out, func(o Package) bool { return o.ID == pkg.ID && o.Version == pkg.Version }) {
		p.out = append(p.out, pkg)
	}
}

var (
	goRequire = lazy.Regexp(`^(?:require\s+)?([\w.~/-]+\.[\w.~/-]+|[\w.~-]+/[\w.~/-]+)\s+(v[\w.+-]+)\s*(//.*)?$`)
	goReplace = lazy.Regexp(`^(?:replace\s+)?([\w.~/-]+)(?:\s+v[\w.+-]+)?\s+=>\s+([\w.~/-]+)(?:\s+(v[\w.+-]+))?\s*(?://.*)?$`)
)

// golang reads go.mod, which is its own lock file.
func (p *project) golang() {
	mod := string(p.read("go.mod"))
	type target struct{ path, version string }
	replaced := map[string]target{}
	block := ""
	var found []Package
	for line := range strings.SplitSeq(mod, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasSuffix(line, "("):
			block = strings.TrimSpace(strings.TrimSuffix(line, "("))
			continue
		case line == ")":
			block = ""
			continue
		}
		kind := block
		if kind == "" {
			kind, _, _ = strings.Cut(line, " ")
		}
		switch kind {
		case "require":
			if m := goRequire.FindStringSubmatch(line); m != nil && !strings.Contains(m[3], "indirect") {
				found = append(found, Package{Name: m[1], Version: m[2]})
			}
		case "replace":
			if m := goReplace.FindStringSubmatch(line); m != nil {
				replaced[m[1]] = target{m[2], m[3]}
			}
		}
	}
	_, err := p.root.Stat("vendor/modules.txt")
	vendored := err == nil
	for _, f := range found {
		from := target{f.Name, f.Version}
		if to, ok := replaced[f.Name]; ok {
			from = to
		}
		pkg := Package{Name: f.Name, Version: strings.TrimPrefix(f.Version, "v"), ID: goID(f.Name)}
		switch {
		case vendored:
			dir := filepath.Join(p.dir, "vendor", filepath.FromSlash(f.Name))
			p.add(pkg, dir, filepath.Join(p.dir, "vendor"))
		case from.version == "": // a folder beside this one, which its author develops too
			pkg.Missing = "go.mod replaces it by the folder " + from.path
			p.add(pkg, "", "")
		case p.places.GoModules == "":
			pkg.Missing = "there is no module cache"
			p.add(pkg, "", "")
		default:
			p.add(pkg, filepath.Join(p.places.GoModules, filepath.FromSlash(escaped(from.path))+"@"+escaped(from.version)), p.places.GoModules)
		}
	}
}

// escaped writes a path as the module cache does, for disks that know no case.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

var goMajor = lazy.Regexp(`^v\d+$`)

// goID returns the ID of a module: of its repository where its path has it.
func goID(module string) string {
	parts := strings.Split(module, "/")
	if n := len(parts); n > 2 && goMajor.MatchString(parts[n-1]) {
		parts = parts[:n-1]
	}
	switch parts[0] {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org":
		if len(parts) > 3 {
			return "/" + slug(parts[1]) + "/" + slug(strings.Join(parts[2:], "-")) // a module of several in a repository
		}
		if len(parts) < 3 {
			break
		}
		return "/" + slug(parts[1]) + "/" + slug(parts[2])
	}
	return "/go/" + slug(strings.Join(parts, "-"))
}

// npm reads package.json and the package-lock.json beside it. Where there is another lock
// file, what is installed is taken at its word.
func (p *project) npm() {
	var m struct {
		Dependencies, DevDependencies, PeerDependencies map[string]string
	}
	if json.Unmarshal(p.read("package.json"), &m) != nil {
		return
	}
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	_ = json.Unmarshal(p.read("package-lock.json"), &lock) // a broken one locks nothing
	seen := map[string]bool{}
	for _, deps := range []map[string]string{m.Dependencies, m.DevDependencies, m.PeerDependencies} {
		for name, asked := range deps {
			if seen[name] || !npmName.MatchString(name) {
				continue
			}
			seen[name] = true
			at := "node_modules/" + name
			pkg := Package{Name: name, ID: "/npm/" + slug(strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-")), Version: lock.Packages[at].Version}
			var is struct {
				manifest
				Version string
			}
			if json.Unmarshal(p.read(at+"/package.json"), &is) != nil {
				pkg.Missing = "it is not in node_modules"
			} else if pkg.Version != "" && is.Version != pkg.Version {
				pkg.Missing = "node_modules has " + is.Version + ", and package-lock.json " + pkg.Version
			}
			if repo := is.repository(); repo != "" {
				pkg.ID = idOf(repo)
			}
			if pkg.Version == "" {
				pkg.Version = is.Version
			}
			if pkg.Version == "" {
				pkg.Version = strings.TrimLeft(asked, "^~>=v ")
			}
			if pkg.Missing != "" {
				p.add(pkg, "", "")
				continue
			}
			p.add(pkg, filepath.Join(p.dir, filepath.FromSlash(at)), p.dir)
		}
	}
}

var (
	pyDepends  = lazy.Regexp(`(?ms)^dependencies\s*=\s*\[(.*?)^?\s*\]\s*$`)
	pyQuoted   = lazy.Regexp(`["']\s*([A-Za-z0-9][A-Za-z0-9._-]*)[^"'\n]*["']`)
	pyPoetry   = lazy.Regexp(`(?ms)^\[tool\.poetry\.dependencies\]\s*$(.*?)(?:^\[|\z)`)
	pyKey      = lazy.Regexp(`(?m)^([A-Za-z0-9][A-Za-z0-9._-]*)\s*=`)
	pyLine     = lazy.Regexp(`(?m)^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]\n]*\])?\s*(?:==\s*([\w.!+-]+))?`)
	pyLocked   = lazy.Regexp(`(?m)^name\s*=\s*"([^"\n]+)"\s*\nversion\s*=\s*"([^"\n]+)"`)
	pyMeta     = lazy.Regexp(`(?m)^(Name|Version|Home-page|Project-URL):\s*(.+?)\s*$`)
	pySamename = lazy.Regexp(`[-_.]+`)
)

// pyNormal returns a name as PEP 503 compares it.
func pyNormal(name string) string {
	return strings.ToLower(pySamename.ReplaceAllString(name, "-"))
}

// python reads pyproject.toml and requirements.txt, and what uv, Poetry or a pin locks.
func (p *project) python() {
	project := string(p.read("pyproject.toml"))
	requirements := string(p.read("requirements.txt"))
	names, pinned := map[string]bool{}, map[string]string{}
	if m := pyDepends.FindStringSubmatch(project); m != nil {
		for _, q := range pyQuoted.FindAllStringSubmatch(m[1], -1) {
			names[pyNormal(q[1])] = true
		}
	}
	if m := pyPoetry.FindStringSubmatch(project); m != nil {
		for _, k := range pyKey.FindAllStringSubmatch(m[1], -1) {
			names[pyNormal(k[1])] = k[1] != "python"
		}
	}
	for _, l := range pyLine.FindAllStringSubmatch(requirements, -1) {
		names[pyNormal(l[1])] = true
		if l[2] != "" {
			pinned[pyNormal(l[1])] = l[2]
		}
	}
	for _, lock := range []string{"uv.lock", "poetry.lock", "pdm.lock"} {
		for _, l := range pyLocked.FindAllStringSubmatch(string(p.read(lock)), -1) {
			pinned[pyNormal(l[1])] = l[2]
		}
	}
	have := p.distributions()
	for name, wanted := range names {
		if !wanted {
			continue
		}
		pkg := Package{Name: name, ID: "/pypi/" + slug(name), Version: pinned[name]}
		d, ok := have[name]
		switch {
		case !ok:
			pkg.Missing = "it is not in an environment of this project"
		case pkg.Version != "" && d.version != pkg.Version:
			pkg.Missing = "the environment has " + d.version + ", and the lock file " + pkg.Version
		default:
			pkg.Version, pkg.Include = d.version, d.top
			if d.repo != "" {
				pkg.ID = idOf(d.repo)
			}
			p.add(pkg, d.dir, d.dir)
			continue
		}
		if pkg.Version == "" {
			pkg.Version = d.version
		}
		p.add(pkg, "", "")
	}
}

// A distribution is a package of Python as it is installed.
type distribution struct {
	version, repo, dir string
	top                []string // its folders and files in dir
}

// distributions returns what the environments of a project have, by name.
func (p *project) distributions() map[string]distribution {
	out := map[string]distribution{}
	var homes []string
	for _, env := range []string{".venv", "venv", "env"} {
		if real, err := filepath.EvalSymlinks(filepath.Join(p.dir, env)); err == nil && strings.HasPrefix(real, p.dir+string(filepath.Separator)) {
			homes = append(homes, real)
		}
	}
	if p.places.Environment != "" {
		homes = append(homes, p.places.Environment)
	}
	for _, home := range homes {
		for _, pattern := range []string{"lib/python3*/site-packages", "Lib/site-packages"} {
			found, _ := filepath.Glob(filepath.Join(home, filepath.FromSlash(pattern))) // the pattern is well-formed
			for _, dir := range found {
				p.siteOf(dir, out)
			}
		}
	}
	return out
}

func (p *project) siteOf(dir string, out map[string]distribution) {
	root, err := safe.Linked(dir)
	if err != nil {
		return
	}
	defer root.Close()
	site := &project{dir: dir, root: root}
	infos, err := fs.Glob(safe.LinkedFS(root), "*.dist-info")
	if err != nil {
		return
	}
	for _, info := range infos {
		d := distribution{dir: dir}
		name := ""
		for _, m := range pyMeta.FindAllStringSubmatch(string(site.read(info+"/METADATA")), -1) {
			switch {
			case m[1] == "Name" && name == "":
				name = pyNormal(m[2])
			case m[1] == "Version" && d.version == "":
				d.version = m[2]
			case d.repo == "":
				_, address, labelled := strings.Cut(m[2], ",")
				if !labelled {
					address = m[2]
				}
				address = strings.TrimSpace(address)
				if base, host := webOf(address); host == "github.com" && strings.Count(strings.TrimPrefix(base, "https://github.com/"), "/") == 1 {
					d.repo = address
				}
			}
		}
		for line := range strings.SplitSeq(string(site.read(info+"/RECORD")), "\n") {
			top, _, _ := strings.Cut(strings.TrimPrefix(line, `"`), ",")
			top, _, _ = strings.Cut(top, "/")
			if top == "" || strings.HasPrefix(top, ".") || top == "__pycache__" || strings.ContainsAny(top, `*?[]{}\`) || path.Ext(top) == ".pth" || slices.Contains(d.top, top) {
				continue
			}
			d.top = append(d.top, top)
		}
		if _, twice := out[name]; !twice && name != "" && len(d.top) > 0 {
			out[name] = d
		}
	}
}
