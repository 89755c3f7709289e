package named

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// manifests are the names of packages, programs and scripts in the manifests of a project.
type manifests struct {
	packages   map[string]bool // names by which examples import it
	programs   map[string]bool // names by which its programs are called
	modules    []string        // Go modules, as they are imported
	scripts    map[string]bool // of the package.json at the root; nil where there is none
	others     map[string]bool // scripts of packages below the root
	targets    map[string]bool // of the Makefile at the root; nil where not all are known
	repository string          // "github.com/owner/name"
}

var (
	ownName    = lazy.Regexp(`(?m)^\s*(?:s\.|spec\.)?name\s*=\s*(?:["']([\w@/.-]+)["']|([\w.-]+)\s*$)`)
	entryPoint = lazy.Regexp(`(?m)^\s*["']?([\w-]+)["']?\s*=\s*["']?[\w.]+:\w+`)
	repository = lazy.Regexp(`(?i)github\.com[/:]([\w.-]+/[\w-]+(?:\.[\w-]+)*)`)
	ofGit      = lazy.Regexp(`(?im)^.*\b(?:repository|repo|source|homepage|url|scm)\b.*$`)
	toolName   = lazy.Regexp(`<(?:ToolCommandName|AssemblyName)>([\w.-]+)<`)
	// majorVersion ends the path of a module.
	majorVersion = lazy.Regexp(`/v\d+$`)
	goal         = lazy.Regexp(`(?m)^([\w][\w./ -]*?)\s*::?(?:[^=]|$)`)
)

func readManifests(p *Project) *manifests {
	m := &manifests{packages: map[string]bool{}, programs: map[string]bool{}, others: map[string]bool{}}
	m.repository = repositoryOf(p.Repository)
	for _, list := range [][]File{p.Code, p.Aside} {
		for i := range list {
			if f := &list[i]; f.Flags&(corpus.Test|corpus.Example|corpus.Vendored) == 0 {
				m.read(f)
			}
		}
	}
	return m
}

func repositoryOf(s string) string {
	if found := repository.FindStringSubmatch(s); found != nil {
		return "github.com/" + strings.TrimSuffix(found[1], ".git")
	}
	return ""
}

func (m *manifests) read(f *File) {
	text := string(f.Text)
	root := !strings.Contains(f.Path, "/")
	switch base := path.Base(f.Path); {
	case base == "package.json":
		m.packageJSON(f.Text, root)
	case base == "go.mod":
		m.goMod(f, root)
	case slices.Contains(packageManifests, base), strings.HasSuffix(base, ".gemspec"):
		m.packageManifest(text, root)
	case root && slices.Contains([]string{"Makefile", "makefile", "GNUmakefile"}, base):
		m.makefile(text)
	}
	for _, found := range toolName.FindAllStringSubmatch(text, 8) {
		m.programs[found[1]] = true
	}
	set.Add(m.programs, syntax.Programs(f.Path, f.Language, text)...)
}

func (m *manifests) goMod(f *File, root bool) {
	facts, ok := syntax.Manifest(f.Path, f.Text)
	if !ok || facts.Module == "" {
		return
	}
	m.modules = append(m.modules, facts.Module)
	if root {
		m.programs[path.Base(majorVersion.ReplaceAllString(facts.Module, ""))] = true
		m.repository = cmp.Or(m.repository, repositoryOf(facts.Module))
	}
}

// packageManifests are files that name a package and its programs by lines with an equals sign.
var packageManifests = []string{"Cargo.toml", "pyproject.toml", "setup.py", "setup.cfg"}

func (m *manifests) packageManifest(text string, root bool) {
	for _, found := range ownName.FindAllStringSubmatch(text, 8) {
		name := cmp.Or(found[1], found[2])
		m.packages[strings.ReplaceAll(name, "-", "_")] = true
		m.programs[name] = true
	}
	for _, found := range entryPoint.FindAllStringSubmatch(text, 32) {
		m.programs[found[1]] = true
	}
	if !root || m.repository != "" {
		return
	}
	for _, line := range ofGit.FindAllString(text, 8) {
		m.repository = cmp.Or(m.repository, repositoryOf(line))
	}
}

func (m *manifests) packageJSON(raw []byte, root bool) {
	var p struct {
		Name       string
		Bin        any
		Scripts    map[string]any
		Repository any
		Workspaces any
	}
	if json.Unmarshal(raw, &p) != nil {
		return
	}
	if p.Name != "" {
		m.packages[p.Name] = true
	}
	switch bin := p.Bin.(type) {
	case string:
		m.programs[path.Base(p.Name)] = true
	case map[string]any:
		for name := range bin {
			m.programs[name] = true
		}
	}
	scripts := m.others
	if root {
		m.scripts = map[string]bool{}
		scripts = m.scripts
	}
	for name := range p.Scripts {
		scripts[name] = true
	}
	if !root {
		return
	}
	at, _ := p.Repository.(string)
	if of, ok := p.Repository.(map[string]any); ok {
		at, _ = of["url"].(string)
	}
	if at != "" && !strings.Contains(at, ":") && strings.Count(at, "/") == 1 {
		at = "github.com/" + at
	}
	m.repository = cmp.Or(m.repository, repositoryOf(strings.Replace(at, "github:", "github.com/", 1)))
}

// makefile takes the targets, unless some are made by patterns or taken from other files.
func (m *manifests) makefile(text string) {
	for _, sign := range []string{"include ", "%:", "$(eval", "\n$("} {
		if strings.Contains(text, sign) {
			return
		}
	}
	m.targets = map[string]bool{}
	for _, found := range goal.FindAllStringSubmatch(text, -1) {
		set.Add(m.targets, strings.Fields(found[1])...)
	}
}
