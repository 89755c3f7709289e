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
)

var (
	pyDepends  = lazy.Regexp(`(?ms)^dependencies\s*=\s*\[(.*?)^?\s*\]\s*$`)
	pySetup    = lazy.Regexp(`(?s)\b(?:install_requires|tests_require)\s*=\s*\[(.*?)\]`)
	pySetupCfg = lazy.Regexp(`(?m)^(?:install_requires|tests_require)\s*=[ \t]*((?:.*\n?)(?:^(?:[ \t]+.*)?\n?)*)`)
	pyQuoted   = lazy.Regexp(`["']\s*([A-Za-z0-9][A-Za-z0-9._-]*)[^"'\n]*["']`)
	pyGroup    = lazy.Regexp(`\{\s*include-group[^}]*\}`)
	pyExtra    = lazy.Regexp(`^(?:project\.optional-dependencies|dependency-groups|tool\.pdm\.dev-dependencies|tool\.uv)$`)
	pyPoetry   = lazy.Regexp(`^tool\.poetry\.(?:dev-|group\.[\w-]+\.)?dependencies$`)
	pyKey      = lazy.Regexp(`(?m)^["']?([A-Za-z0-9][A-Za-z0-9._-]*)["']?\s*=`)
	pyLine     = lazy.Regexp(`(?m)^[ \t]*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]\n]*\])?\s*(?:===?\s*([\w.!+-]+))?`)
	pyOther    = lazy.Regexp(`(?m)^\s*(?:-r|--requirement)[ =]\s*([\w./-]+)`)
	pyLocked   = lazy.Regexp(`(?m)^name\s*=\s*"([^"\n]+)"\s*\nversion\s*=\s*"([^"\n]+)"`)
	pyMeta     = lazy.Regexp(`(?m)^(Name|Version|Home-page|Project-URL):\s*(.+?)\s*$`)
	pySamename = lazy.Regexp(`[-_.]+`)
)

// pyNormal returns a name as PEP 503 compares it.
func pyNormal(name string) string {
	return strings.ToLower(pySamename.ReplaceAllString(name, "-"))
}

// python reads what a project asks for, and what uv, Poetry, PDM, Pipenv or a pin locks.
func (p *project) python() {
	names, pinned := p.pythonNames()
	if len(names) == 0 {
		return
	}
	for _, lock := range []string{"uv.lock", "poetry.lock", "pdm.lock"} {
		for _, l := range pyLocked.FindAllStringSubmatch(string(p.read(lock)), -1) {
			pinned[pyNormal(l[1])] = l[2]
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
				pinned[pyNormal(name)] = v
			}
		}
	}
	have := p.distributions(names)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if p.full() {
			return
		}
		pkg := Package{Name: name, ID: registryID("pypi", name), Version: pinned[name]}
		d, ok := have[name]
		switch {
		case !ok:
			pkg.Missing = "it is not in an environment of this project"
		case pkg.Version != "" && d.version != pkg.Version:
			pkg.Missing = "the environment has " + d.version + ", and the lock file " + pkg.Version
		default:
			pkg.Version, pkg.Include = d.version, d.top
			if id := idOf(d.repo); d.repo != "" && namesake(name, id) {
				pkg.ID = id
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

// pythonNames returns the packages that the manifests ask for, and the versions that lists of requirements pin.
func (p *project) pythonNames() (names map[string]bool, pinned map[string]string) {
	names, pinned = map[string]bool{}, map[string]string{}
	quoted := func(list string) {
		for _, q := range pyQuoted.FindAllStringSubmatch(pyGroup.ReplaceAllString(list, ""), -1) {
			names[pyNormal(q[1])] = true
		}
	}
	keys := func(table string) {
		for _, k := range pyKey.FindAllStringSubmatch(table, -1) {
			names[pyNormal(k[1])] = true
		}
	}
	project := string(p.small("pyproject.toml"))
	if m := pyDepends.FindStringSubmatch(project); m != nil {
		quoted(m[1])
	}
	for header, body := range tables(project) {
		switch {
		case header == "tool.uv":
			if _, list, ok := strings.Cut(body, "dev-dependencies"); ok {
				list, _, _ = strings.Cut(list, "\n]")
				quoted(list)
			}
		case pyExtra.MatchString(header):
			quoted(body)
		case pyPoetry.MatchString(header):
			keys(body)
		}
	}
	for header, body := range tables(string(p.small("Pipfile"))) {
		if header == "packages" || header == "dev-packages" {
			keys(body)
		}
	}
	for _, m := range pySetup.FindAllStringSubmatch(string(p.small("setup.py")), -1) {
		quoted(m[1])
	}
	lists := []string{}
	for _, m := range pySetupCfg.FindAllStringSubmatch(string(p.small("setup.cfg")), -1) {
		lists = append(lists, m[1])
	}
	for _, list := range append(lists, p.requirements()...) {
		for _, l := range pyLine.FindAllStringSubmatch(list, -1) {
			names[pyNormal(l[1])] = true
			if l[2] != "" {
				pinned[pyNormal(l[1])] = l[2]
			}
		}
	}
	delete(names, "python")
	return names, pinned
}

// maxLines bounds the lines of lists of requirements together.
const maxLines = 100_000

// requirements returns the lists of requirements, and those that they name.
func (p *project) requirements() (lists []string) {
	files := p.members("requirements*.txt", "*-requirements.txt", "requirements/*.txt")
	seen := map[string]bool{}
	for _, file := range files {
		seen[file] = true
	}
	for i, lines := 0, 0; i < len(files); i++ {
		list := string(p.small(files[i]))
		n := strings.Count(list, "\n")
		if lines+n > maxLines {
			p.omit(files[i], "with it lists of requirements have more than %d lines", maxLines)
			continue
		}
		lines += n
		lists = append(lists, list)
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

// distributions returns what the environments of a project have of some names, by name.
func (p *project) distributions(names map[string]bool) map[string]distribution {
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
func (p *project) siteOf(dir, home string, names map[string]bool, out map[string]distribution) {
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
		if !names[pyNormal(called[:max(0, strings.LastIndexByte(called, '-'))])] {
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
