package source

import (
	"encoding/json"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/set"
)

var (
	pyDepends  = lazy.Regexp(`(?ms)^dependencies\s*=\s*\[(.*?)^?\s*\]\s*$`)
	pySetup    = lazy.Regexp(`(?s)\b(?:install_requires|tests_require)\s*=\s*\[(.*?)\]`)
	pySetupCfg = lazy.Regexp(`(?m)^(?:install_requires|tests_require)\s*=[ \t]*((?:.*\n?)(?:^(?:[ \t]+.*)?\n?)*)`)
	pyQuoted   = lazy.Regexp(`["']\s*([A-Za-z0-9][A-Za-z0-9._-]*)([^"'\n]*)["']`)
	pyGroup    = lazy.Regexp(`\{\s*include-group[^}]*\}`)
	pyExtra    = lazy.Regexp(`^(?:project\.optional-dependencies|dependency-groups|tool\.pdm\.dev-dependencies|tool\.uv)$`)
	pyPoetry   = lazy.Regexp(`^tool\.poetry\.(?:dev-|group\.[\w-]+\.)?dependencies$`)
	pyKey      = lazy.Regexp(`(?m)^["']?([A-Za-z0-9][A-Za-z0-9._-]*)["']?\s*=(?:\s*\{[^}\n]*?\bversion\s*=)?(?:\s*["']([^"'\n]*)["'])?`)
	pyLine     = lazy.Regexp(`(?m)^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)([^#\n]*)`)
	pySpecs    = lazy.Regexp(`^\s*(?:\[[^\]]*\])?\s*\(?\s*((?:(?:[<>=!~]=?=?|\^)\s*[\w.!+*-]+[,\s]*)+|\d[\w.*]*)`)
	pyPin      = lazy.Regexp(`^===?\s*([\w.!+-]+)$`)
	pyOther    = lazy.Regexp(`(?m)^\s*(?:-r|--requirement)[ =]\s*([\w./-]+)`)
	pyLocked   = lazy.Regexp(`(?m)^name\s*=\s*"([^"\n]+)"\s*\nversion\s*=\s*"([^"\n]+)"`)
	pyMeta     = lazy.Regexp(`(?m)^(Name|Version|Home-page|Project-URL):\s*(.+?)\s*$`)
	pySamename = lazy.Regexp(`[-_.]+`)
)

// pyNormal returns a name as PEP 503 compares it.
func pyNormal(name string) string {
	return strings.ToLower(pySamename.ReplaceAllString(name, "-"))
}

// A pyAsk is the answer of a project for a package of Python: the version that is locked or pinned, or the range that is asked for.
type pyAsk struct{ version, asked, from string }

// A pyProject has the answers of the manifests and lock files of a project of Python, by the name of the package.
type pyProject map[string]pyAsk

// ask adds a package with the text after its name in a requirement: "[extra] >= 2, < 3; python_version > '3'".
func (py pyProject) ask(name, rest, manifest string) {
	name = pyNormal(name)
	rest, _, _ = strings.Cut(rest, ";")
	had := py[name]
	if m := pySpecs.FindStringSubmatch(rest); m != nil && had.version == "" {
		specs := strings.Trim(m[1], ", \t")
		if pin := pyPin.FindStringSubmatch(specs); pin != nil && !strings.Contains(pin[1], "*") {
			had = pyAsk{version: pin[1], from: manifest}
		} else if had.asked == "" {
			had = pyAsk{asked: specs, from: manifest}
		}
	}
	py[name] = had
}

// lock sets the version of a package that is asked for.
func (py pyProject) lock(name, version, file string) {
	if name = pyNormal(name); version != "" {
		if _, ok := py[name]; ok {
			py[name] = pyAsk{version: version, from: file}
		}
	}
}

// python reads the packages that a project asks for, and the versions that uv, Poetry, PDM, Pipenv or a pin locks.
func (p *project) python() {
	py := p.pythonAsks()
	if len(py) == 0 {
		return
	}
	for _, file := range []string{"pylock.toml", "uv.lock", "poetry.lock", "pdm.lock"} {
		for _, l := range pyLocked.FindAllStringSubmatch(string(p.read(file)), -1) {
			py.lock(l[1], l[2], file)
		}
	}
	var pipenv map[string]map[string]struct{ Version string }
	var lock map[string]json.RawMessage
	_ = json.Unmarshal(p.read("Pipfile.lock"), &lock) // a broken one locks nothing
	delete(lock, "_meta")
	if data, err := json.Marshal(lock); err == nil {
		_ = json.Unmarshal(data, &pipenv)
	}
	for _, of := range pipenv {
		for name, at := range of {
			if v, ok := strings.CutPrefix(at.Version, "=="); ok {
				py.lock(name, v, "Pipfile.lock")
			}
		}
	}
	have := p.distributions(py)
	for _, name := range slices.Sorted(maps.Keys(py)) {
		if p.full() {
			return
		}
		pkg := Package{Name: name, ID: registryID("pypi", name), Version: py[name].version}
		if pkg.Version != "" {
			pkg.From = py[name].from
		}
		d, ok := have[name]
		switch {
		case !ok:
			pkg.Missing = "it is not in an environment of this project"
		case pkg.Version != "" && d.version != pkg.Version:
			pkg.Missing = "the environment has " + d.version + ", and the lock file " + pkg.Version
		default:
			if pkg.Version == "" {
				pkg.From = "the environment"
			}
			pkg.Version, pkg.Include = d.version, d.top
			if id := idOf(d.repo); d.repo != "" && namesake(name, id) {
				pkg.ID = id
			}
			p.add(pkg, d.dir, d.dir)
			continue
		}
		if pkg.Version == "" {
			pkg.asks(py[name].asked, py[name].from)
		}
		p.add(pkg, "", "")
	}
}

// pythonAsks returns the packages that the manifests ask for, and in which versions.
func (p *project) pythonAsks() pyProject {
	py := pyProject{}
	quoted := func(list, manifest string) {
		for _, q := range pyQuoted.FindAllStringSubmatch(pyGroup.ReplaceAllString(list, ""), -1) {
			py.ask(q[1], q[2], manifest)
		}
	}
	keys := func(table, manifest string) {
		for _, k := range pyKey.FindAllStringSubmatch(table, -1) {
			py.ask(k[1], k[2], manifest)
		}
	}
	project := string(p.small("pyproject.toml"))
	if m := pyDepends.FindStringSubmatch(project); m != nil {
		quoted(m[1], "pyproject.toml")
	}
	for header, body := range tables(project) {
		switch {
		case header == "tool.uv":
			if _, list, ok := strings.Cut(body, "dev-dependencies"); ok {
				list, _, _ = strings.Cut(list, "\n]")
				quoted(list, "pyproject.toml")
			}
		case pyExtra.MatchString(header):
			quoted(body, "pyproject.toml")
		case pyPoetry.MatchString(header):
			keys(body, "pyproject.toml")
		}
	}
	for header, body := range tables(string(p.small("Pipfile"))) {
		if header == "packages" || header == "dev-packages" {
			keys(body, "Pipfile")
		}
	}
	for _, m := range pySetup.FindAllStringSubmatch(string(p.small("setup.py")), -1) {
		quoted(m[1], "setup.py")
	}
	lists := []pyList{}
	for _, m := range pySetupCfg.FindAllStringSubmatch(string(p.small("setup.cfg")), -1) {
		lists = append(lists, pyList{"setup.cfg", m[1]})
	}
	for _, list := range append(lists, p.requirements()...) {
		for _, l := range pyLine.FindAllStringSubmatch(list.text, -1) {
			py.ask(l[1], l[2], list.file)
		}
	}
	delete(py, "python")
	return py
}

// A pyList is a list of requirements, one a line.
type pyList struct{ file, text string }

// maxLines bounds the lines of lists of requirements together.
const maxLines = 100_000

// requirements returns the lists of requirements, and those that they name.
func (p *project) requirements() (lists []pyList) {
	files := p.members("requirements*.txt", "*-requirements.txt", "requirements/*.txt")
	seen := set.Of(files)
	for i, lines := 0, 0; i < len(files); i++ {
		list := string(p.small(files[i]))
		n := strings.Count(list, "\n")
		if lines+n > maxLines {
			p.omit(files[i], "with it lists of requirements have more than %d lines", maxLines)
			continue
		}
		lines += n
		lists = append(lists, pyList{files[i], list})
		more := 0
		for _, m := range pyOther.FindAllStringSubmatch(list, -1) {
			switch at := path.Join(path.Dir(files[i]), m[1]); {
			case seen[at]:
			case len(files) >= maxMembers:
				more++
			default:
				seen[at] = true
				files = append(files, at)
			}
		}
		if more > 0 {
			p.omit(files[i], "%d lists that it names are not read: of a kind of manifest only %d are", more, maxMembers)
		}
	}
	return lists
}

// A distribution is a package of Python as it is installed.
type distribution struct {
	version, repo, dir string
	top                []string // its folders and files in dir, maxTop at most
}

const maxTop = 1000

// distributions returns the packages of some names that the environments of a project have, by name.
func (p *project) distributions(names pyProject) map[string]distribution {
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
				p.siteOf(dir, home, names, out)
			}
		}
	}
	return out
}

// siteOf reads a folder of packages that is in an environment, and not elsewhere by a link.
func (p *project) siteOf(dir, home string, names pyProject, out map[string]distribution) {
	home, err := filepath.EvalSymlinks(home)
	real, rerr := filepath.EvalSymlinks(dir)
	if err != nil || rerr != nil || !strings.HasPrefix(real, home+string(filepath.Separator)) {
		p.omitAt(dir, "it is a link to "+real)
		return
	}
	root, err := safe.Linked(real)
	if err != nil {
		return
	}
	defer root.Close()
	dir = real
	site := &project{dir: dir, root: root, reading: p.reading}
	for _, info := range site.matching([]string{"*.dist-info"}) {
		called := strings.TrimSuffix(info, ".dist-info")
		if _, asked := names[pyNormal(called[:max(0, strings.LastIndexByte(called, '-'))])]; !asked {
			continue
		}
		d := distribution{dir: dir}
		name := ""
		for _, m := range pyMeta.FindAllStringSubmatch(string(site.about(info+"/METADATA")), -1) {
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
			if d.top = append(d.top, top); len(d.top) == maxTop {
				break
			}
		}
		if _, twice := out[name]; !twice && name != "" && len(d.top) > 0 {
			out[name] = d
		}
	}
}
