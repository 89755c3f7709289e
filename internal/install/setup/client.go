package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
)

// A target is a file of a client and our part of it.
type target struct {
	path  string
	what  string // server, hooks or plugin
	part  part
	fresh string      // what a new file starts from
	perm  os.FileMode // of a new file
	lent  bool        // where somebody else's file has its place, that stays and the rest is done
}

// targets returns the files that a job is about, the server's first. Hooks are
// removed with the server of the usual name, or where they are asked for.
func (f *Feature) targets(j job) ([]target, error) {
	exe := filepath.Base(f.cfg.Exe)
	perm := os.FileMode(0o600)
	if j.Project {
		perm = 0o644
	}
	stdio := jsonServer{key: mcpServers, name: j.Name, exe: exe, form: typed, strict: true}
	hooks := jsonHooks{client: j.Client, exe: exe, shell: shellWord, memory: j.Memory, brief: j.Brief}
	at := func(client string, names ...string) string {
		return filepath.Join(append([]string{f.folder(client, j.Project)}, names...)...)
	}
	var out []target
	switch j.Client {
	case loa:
		return f.packFiles()
	case "opencode":
		files, err := f.openCodeFiles(j, jsonServer{key: "mcp", name: j.Name, exe: exe, form: local})
		if err != nil {
			return nil, err
		}
		out = files
		dir := at("opencode")
		if j.Project {
			dir = at("opencode", ".opencode")
		}
		out = append(out, target{path: filepath.Join(dir, "plugin", "assay-memory.js"), what: "plugin", part: plugin{}})
	case "claude":
		server, settings := f.claudeFiles(j.Project)
		out = []target{{path: server, what: "server", part: stdio}, {path: settings, what: "hooks", part: hooks}}
	case "codex":
		out = []target{
			{path: at("codex", "config.toml"), what: "server", part: tomlServer{j.Name, exe}},
			{path: at("codex", "hooks.json"), what: "hooks", part: hooks},
		}
	case "cursor":
		stdio.strict = false
		out = []target{
			{path: at("cursor", "mcp.json"), what: "server", part: stdio},
			{path: at("cursor", "hooks.json"), what: "hooks", part: hooks, fresh: "{\n  \"version\": 1\n}\n"},
		}
	default:
		files, err := f.listedFiles(j, exe)
		if err != nil {
			return nil, err
		}
		out = files
	}
	kept := out[:0]
	for _, t := range out {
		t.perm = perm
		if t.what == "server" || j.Memory || j.Brief && t.what == "hooks" && j.Client != "cursor" || j.Uninstall && j.Name == usualName {
			kept = append(kept, t)
		}
	}
	return kept, nil
}

// folder returns where a client keeps its configuration.
func (f *Feature) folder(client string, project bool) string {
	switch {
	case client == "opencode" && project:
		return f.cfg.WorkDir
	case client == "opencode":
		return filepath.Join(f.cfg.ConfigHome, "opencode")
	case project:
		return filepath.Join(f.cfg.WorkDir, "."+client)
	case client == "codex":
		if dir, _ := f.cfg.Lookup("CODEX_HOME"); filepath.IsAbs(dir) {
			return dir
		}
	}
	return filepath.Join(f.cfg.Home, "."+client)
}

// claudeFiles returns where Claude Code keeps its servers and its hooks.
func (f *Feature) claudeFiles(project bool) (server, settings string) {
	if project {
		return filepath.Join(f.cfg.WorkDir, ".mcp.json"), filepath.Join(f.cfg.WorkDir, ".claude", "settings.json")
	}
	if dir, _ := f.cfg.Lookup("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, ".claude.json"), filepath.Join(dir, "settings.json")
	}
	return filepath.Join(f.cfg.Home, ".claude.json"), filepath.Join(f.cfg.Home, ".claude", "settings.json")
}

// openCodeFiles returns the files of OpenCode that a job is about. It merges all
// that there are, later ones over earlier: those that have our name, else the
// first that exists, else the usual one.
func (f *Feature) openCodeFiles(j job, s jsonServer) ([]target, error) {
	dir := f.folder("opencode", j.Project)
	names := []string{filepath.Join(dir, "opencode.jsonc"), filepath.Join(dir, "opencode.json")}
	if j.Project {
		names = append(names, filepath.Join(dir, ".opencode", "opencode.jsonc"), filepath.Join(dir, ".opencode", "opencode.json"))
	}
	return f.choose(j, names, target{path: names[1], what: "server", part: s, fresh: "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n"})
}

// listedFiles returns the files of a client of the catalogue that a job is about.
func (f *Feature) listedFiles(j job, exe string) ([]target, error) {
	c, _ := listed(j.Client)
	paths := f.paths(c, j) // some: the job makes sense
	return f.choose(j, paths, target{path: paths[0], what: "server", part: c.part(j, exe)})
}

// noScope is the error of a client that has no configuration of projects, or only those.
func noScope(c client, project bool) error {
	if project {
		return fault.New(fault.Usage, "%s has no configuration of a project", c.title).Or("omit --project")
	}
	return fault.New(fault.Usage, "%s has its configuration in each project", c.title).Or("use --project")
}

// choose returns the targets among the files that a client reads.
func (f *Feature) choose(j job, names []string, usual target) ([]target, error) {
	s := usual.part
	var named []target
	exists := false
	for _, name := range names {
		t := usual
		t.path = name
		old, err := f.read(t, j.Project)
		if err != nil {
			return nil, err
		}
		if !old.exists {
			continue
		}
		if !exists {
			usual, exists = t, true
		}
		if was, err := s.look(old.text); err != nil || was.state != none {
			named = append(named, t)
		}
	}
	switch {
	case len(named) == 0:
		return []target{usual}, nil
	case j.Uninstall:
		return named, nil
	}
	return named[:1], nil
}

// shellWord makes a program one word of the shell that runs hooks.
func shellWord(program string) string {
	if runtime.GOOS == "windows" {
		// Forward slashes mean the same to bash and to cmd.
		program = filepath.ToSlash(program)
		if strings.Contains(program, " ") {
			return `"` + program + `"`
		}
		return program
	}
	return text.ShellWord(program)
}

// limits returns what was asked for and a client has no place for.
func limits(j job) (out []string) {
	if j.Uninstall {
		return nil
	}
	if _, other := listed(j.Client); other && j.Memory {
		out = append(out, title(j.Client)+" gets memory as tools alone: setup has no hooks for it")
	}
	if j.Brief && j.Client != "claude" && j.Client != "codex" && j.Client != loa {
		out = append(out, title(j.Client)+" gets briefs as a tool alone: setup has no hook for it")
	}
	return out
}

// next returns what a person has to do now.
func (f *Feature) next(j job, r *Result) []string {
	if r.DryRun || !r.changed() {
		return []string{}
	}
	if j.Client == loa {
		return f.nextLoa(j)
	}
	_, other := listed(j.Client)
	restart := "restart " + title(j.Client)
	if j.Uninstall {
		return []string{restart}
	}
	switch {
	case j.Client == "cursor" || other:
		restart += ", and see that " + j.Name + " is on in its MCP settings"
	case j.Client == "claude" && j.Project:
		restart += ": it asks whether to use the project's server " + j.Name
	case j.Client == "codex" && j.Project:
		restart += ": it reads .codex only in a project that you have told it to trust"
	default:
		restart += "; " + j.Client + " mcp list shows " + j.Name
	}
	out := []string{restart}
	if j.Client == "codex" && (j.Memory || j.Brief) {
		out = append(out, "in Codex, type /hooks and trust those of assay: until then it does not run them")
	}
	if j.Project && !filepath.IsAbs(j.program) {
		out = append(out, "whoever else works on this project needs assay in PATH")
	}
	if j.Project && filepath.IsAbs(j.program) {
		out = append(out, "the project's configuration names "+j.program+": for other machines put assay into PATH and run this again")
	}
	for _, db := range j.DBs {
		if _, err := os.Stat(f.abs(db)); err != nil {
			out = append(out, db+" is not there yet: assay docs ingest SOURCE --db "+db+" makes it")
		}
	}
	return out
}
