package named

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// manifests are what a project's manifests say of it.
type manifests struct {
	packages   map[string]bool // names by which examples import it
	programs   map[string]bool // names by which its programs are called
	modules    []string        // Go modules, as they are imported
	scripts    map[string]bool // of the package.json at the root; nil where there is none
	targets    map[string]bool // of the Makefile at the root; nil where not all are known
	repository string          // "github.com/owner/name"
}

var (
	named_     = lazy.Regexp(`(?m)^\s*(?:s\.|spec\.)?name\s*=\s*["']([\w@/.-]+)["']`)
	entryPoint = lazy.Regexp(`(?m)^\s*["']?([\w-]+)["']?\s*=\s*["'][\w.]+:\w+`)
	repository = lazy.Regexp(`(?i)github\.com[/:]([\w.-]+/[\w-]+(?:\.[\w-]+)*)`)
	ofGit      = lazy.Regexp(`(?im)^.*\b(?:repository|repo|source|homepage|url|scm)\b.*$`)
	goal       = lazy.Regexp(`(?m)^([\w][\w./ -]*?)\s*::?(?:[^=]|$)`)
	cobraUse   = lazy.Regexp(`\bUse:\s*"([\w-]+)`)
)

func readManifests(p *Project) *manifests {
	m := &manifests{packages: map[string]bool{}, programs: map[string]bool{}}
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
		if facts, ok := syntax.Manifest(f.Path, f.Text); ok && facts.Module != "" {
			m.modules = append(m.modules, facts.Module)
			if root {
				m.repository = cmpOr(m.repository, repositoryOf(facts.Module))
			}
		}
	case base == "Cargo.toml", base == "pyproject.toml", base == "setup.py", base == "setup.cfg", strings.HasSuffix(base, ".gemspec"):
		for _, found := range named_.FindAllStringSubmatch(text, 8) {
			m.packages[strings.ReplaceAll(found[1], "-", "_")] = true
			m.programs[found[1]] = true
		}
		for _, found := range entryPoint.FindAllStringSubmatch(text, 32) {
			m.programs[found[1]] = true
		}
		if root && m.repository == "" {
			for _, line := range ofGit.FindAllString(text, 8) {
				m.repository = cmpOr(m.repository, repositoryOf(line))
			}
		}
	case root && (base == "Makefile" || base == "makefile" || base == "GNUmakefile"):
		m.makefile(text)
	case f.Language == "go" && strings.Contains(text, "Use:"):
		for _, found := range cobraUse.FindAllStringSubmatch(text, 8) {
			if root || strings.HasSuffix(base, "root.go") || strings.HasPrefix(f.Path, "cmd/") {
				m.programs[found[1]] = true
			}
		}
	}
	if parts := strings.Split(f.Path, "/"); len(parts) == 3 && parts[0] == "cmd" && f.Language == "go" {
		m.programs[parts[1]] = true
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
	if !root {
		return
	}
	m.scripts = map[string]bool{}
	for name := range p.Scripts {
		m.scripts[name] = true
	}
	at, _ := p.Repository.(string)
	if of, ok := p.Repository.(map[string]any); ok {
		at, _ = of["url"].(string)
	}
	if at != "" && !strings.Contains(at, ":") && strings.Count(at, "/") == 1 {
		at = "github.com/" + at
	}
	m.repository = cmpOr(m.repository, repositoryOf(strings.Replace(at, "github:", "github.com/", 1)))
}

// makefile takes the targets, unless some are made by patterns or taken from other files.
func (m *manifests) makefile(text string) {
	if strings.Contains(text, "include ") || strings.Contains(text, "%:") || strings.Contains(text, "$(eval") || strings.Contains(text, "\n$(") {
		return
	}
	m.targets = map[string]bool{}
	for _, found := range goal.FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Fields(found[1]) {
			m.targets[name] = true
		}
	}
}
