package setup

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
)

// A target is a file of a client and assay's part of it.
type target struct {
	path  string
	what  string // server, hooks or plugin
	part  part
	fresh string      // the text that a new file starts from
	perm  os.FileMode // of a new file
	lent  bool        // if somebody else's file is at path, leave it and go on
}

// targets returns the files that a job changes, the server's first. Hooks are removed with the server of the usual name, or
// on request.
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
	selected := out[:0]
	for _, t := range out {
		t.perm = perm
		forBrief := j.Brief && t.what == "hooks" && j.Client != "cursor"
		forUninstall := j.Uninstall && j.Name == usualName
		if t.what == "server" || j.Memory || forBrief || forUninstall {
			selected = append(selected, t)
		}
	}
	return selected, nil
}

// folder returns the folder of a client's configuration.
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

// claudeFiles returns the files of Claude Code's servers and hooks.
func (f *Feature) claudeFiles(project bool) (server, settings string) {
	if project {
		return filepath.Join(f.cfg.WorkDir, ".mcp.json"), filepath.Join(f.cfg.WorkDir, ".claude", "settings.json")
	}
	if dir, _ := f.cfg.Lookup("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, ".claude.json"), filepath.Join(dir, "settings.json")
	}
	return filepath.Join(f.cfg.Home, ".claude.json"), filepath.Join(f.cfg.Home, ".claude", "settings.json")
}

// openCodeFiles returns the files of OpenCode that a job changes: those with an entry of our name, otherwise the first that
// exists, otherwise the usual one. OpenCode merges all its files; later ones override earlier ones.
func (f *Feature) openCodeFiles(j job, s jsonServer) ([]target, error) {
	dir := f.folder("opencode", j.Project)
	names := []string{filepath.Join(dir, "opencode.jsonc"), filepath.Join(dir, "opencode.json")}
	if j.Project {
		names = append(names, filepath.Join(dir, ".opencode", "opencode.jsonc"), filepath.Join(dir, ".opencode", "opencode.json"))
	}
	return f.choose(j, names, target{path: names[1], what: "server", part: s, fresh: "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n"})
}

// listedFiles returns the files of a client of the catalogue that a job changes.
func (f *Feature) listedFiles(j job, exe string) ([]target, error) {
	c, _ := catalogued(j.Client)
	paths := f.paths(c, j) // not empty, because the job was validated
	return f.choose(j, paths, target{path: paths[0], what: "server", part: c.part(j, exe)})
}

// scopeError returns the error for a client that is only configured for the user, or only for projects.
func scopeError(c client, project bool) error {
	if project {
		return fault.New(fault.Usage, "%s can only be configured for the user", c.title).Or("omit --project")
	}
	return fault.New(fault.Usage, "%s can only be configured in each project", c.title).Or("use --project")
}

// choose returns the files to change among those that a client reads.
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

// limits returns the requests that a client does not support.
func limits(j job) (out []string) {
	if j.Uninstall {
		return nil
	}
	if _, other := catalogued(j.Client); other && j.Memory {
		out = append(out, title(j.Client)+" gets memory only as tools: setup has no hooks for it")
	}
	if j.Brief && j.Client != "claude" && j.Client != "codex" && j.Client != loa {
		out = append(out, title(j.Client)+" gets briefs only as a tool: setup has no hook for it")
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
	_, other := catalogued(j.Client)
	restart := "restart " + title(j.Client)
	if j.Uninstall {
		return []string{restart}
	}
	switch {
	case j.Client == "claude-desktop":
		restart = "quit Claude Desktop and open it again: Settings, Developer lists " + j.Name + ", which answers from " +
			strings.Join(j.Roots, ", ")
	case j.Client == "cursor" || other:
		restart += ", and check that " + j.Name + " is on in its MCP settings"
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
