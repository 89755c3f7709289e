package source

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Package is a direct dependency of a project, as its manifests and lock files say, and
// where that very version is on this machine.
type Package struct {
	Name    string // as its registry calls it
	Version string // of the lock file, or as it is installed, without "v"; "" where neither says
	Asked   string // the range that a manifest asks for, where Version is empty; see package release
	From    string // the name of the file that says Version or Asked, or of the folder where it is installed
	ID      string // of its documentation: that of its repository, where that is known
	Dir     string // "" where that version is not installed
	Include []string
	Missing string // why Dir is empty
}

// asks sets the version or the range that a manifest asks for, where nothing says which version is locked.
func (p *Package) asks(versions, manifest string) {
	versions = strings.TrimSpace(versions)
	switch {
	case p.Version != "" || versions == "":
	case strings.Count(versions, ".") > 1 && exactVersion(strings.TrimPrefix(versions, "v")) != "":
		p.Version, p.From = strings.TrimPrefix(versions, "v"), manifest
	default:
		p.Asked, p.From = versions, manifest
	}
}

// Places are where packages are that are not inside of a project.
type Places struct {
	GoModules   string // the module cache; "" for none
	Environment string // the environment of Python that is active; "" for none
	// Crates is the home of Cargo, Maven the repository on this machine and Gradle its home; "" for none.
	Crates, Maven, Gradle string
	Pub                   string   // the cache of Dart's pub; "" for none
	NuGet                 string   // the folder of NuGet's packages; "" for none
	Gems                  []string // homes of gems
}

// A project is a folder with manifests.
type project struct {
	dir    string
	root   *os.Root
	places Places
	*reading
	out []Package
	had map[string]bool // the names, IDs and versions of out
}

// Manifests returns the names of the manifests in a folder.
func Manifests(dir string) (names []string) {
	for _, name := range manifests {
		if kindOf(dir, name) == 0 {
			names = append(names, name)
		}
	}
	left := maxNames
	if at := (place{dir, "*.csproj"}).first(&left); at != "" {
		names = append(names, filepath.Base(at))
	}
	return names
}

func kindOf(names ...string) os.FileMode {
	st, err := os.Lstat(filepath.Join(names...))
	if err != nil {
		return os.ModeIrregular
	}
	return st.Mode().Type()
}

// Project returns the folder with a manifest that a folder is in, "" where there is none. A folder above it is the same person's.
func Project(dir string) string {
	names := maxNames
	has := func(dir string, kind func(...string) os.FileMode) bool {
		if slices.ContainsFunc(manifests, func(name string) bool { return kind(dir, name) == 0 }) {
			return true
		}
		csproj := (place{dir, "*.csproj"}).first(&names)
		return csproj != "" && kind(csproj) == 0
	}
	if has(dir, kindOf) {
		return dir
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	if of := newBelonging(real); of != nil {
		for dir := range of.above {
			if has(dir, of.kind) {
				return dir
			}
		}
	}
	return ""
}

// Installed returns the direct dependencies of a project in the order of their names, by
// reading go.mod, package.json, pyproject.toml, requirements.txt, Cargo.toml, composer.json, Gemfile, pom.xml,
// build.gradle, projects of C#, mix.exs and Package.swift, and their lock files. A file past a bound is unread.
func Installed(ctx context.Context, dir string, places Places) (all []Package, unread []Unread, err error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, nil, fault.New(fault.NotFound, "no folder %s", dir).Because(err)
	}
	root, err := safe.Linked(real)
	if err != nil {
		return nil, nil, fault.New(fault.Unavailable, "open %s", dir).Because(err)
	}
	defer root.Close()
	p := &project{dir: real, root: root, places: places, reading: newReading(ctx), had: map[string]bool{}}
	for _, read := range []func(){p.golang, p.npm, p.python, p.named} {
		read()
	}
	if ctx.Err() != nil {
		return nil, nil, fault.New(fault.Interrupted, "stopped while the dependencies were looked for")
	}
	sorting.Stable(p.out, func(a, b Package) int { return strings.Compare(a.Name, b.Name) })
	return p.out, p.unread, nil
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
	if key := pkg.Name + "\x00" + pkg.ID + "\x00" + pkg.Version; !p.had[key] && !p.full() {
		p.had[key] = true
		p.out = append(p.out, pkg)
	}
}

var pkgAffix = lazy.Regexp(`^(?:node|js|python|py)-|-(?:node|js|python|py)$`)

// namesake reports whether a package may have the ID of its repository, which several packages may be of: "react" and "react-dom" are
// of one, and so are all of "@types". It depends on the package alone, so that its documentation is called the same whatever
// else a project asks for.
func namesake(name, id string) bool {
	if scoped, ok := strings.CutPrefix(name, "@"); ok {
		return strings.EqualFold("/"+scoped, id)
	}
	name, repo := pyNormal(name), pyNormal(id[strings.LastIndexByte(id, '/')+1:])
	return name == repo || name == pkgAffix.ReplaceAllString(repo, "") // never of the name: anybody may publish "react-js"
}

var (
	goRequire = lazy.Regexp(`^(?:require\s+)?([\w.~/-]+\.[\w.~/-]+|[\w.~-]+/[\w.~/-]+)\s+(v[\w.+-]+)\s*(//.*)?$`)
	goReplace = lazy.Regexp(`^(?:replace\s+)?([\w.~/-]+)(?:\s+v[\w.+-]+)?\s+=>\s+([\w.~/-]+)(?:\s+(v[\w.+-]+))?\s*(?://.*)?$`)
)

// golang reads go.mod, which is its own lock file.
func (p *project) golang() {
	mod := string(p.small("go.mod"))
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
		if p.full() {
			return
		}
		from := target{f.Name, f.Version}
		if to, ok := replaced[f.Name]; ok {
			from = to
		}
		pkg := Package{Name: f.Name, Version: strings.TrimPrefix(f.Version, "v"), ID: goID(f.Name), From: "go.mod"}
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
