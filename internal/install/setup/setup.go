// Package setup configures the clients of agents: it writes an entry that starts assay serve into a client's configuration,
// and removes it again.
//
// Every byte outside that entry stays unchanged. A file that cannot be parsed is not touched, nor is an entry of the same
// name that setup did not write. A copy of the former file is kept beside it, and uninstalling restores the same bytes. A
// diff shows nothing of a file except assay's own entry.
package setup

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/work"
)

// Config connects the feature to the program. Paths are absolute.
type Config struct {
	Home       string                           // the user's home folder
	ConfigHome string                           // the folder for configurations; empty: XDG_CONFIG_HOME, or .config in Home
	WorkDir    string                           // the project of --project
	Exe        string                           // the running program
	Lookup     func(name string) (string, bool) // as os.LookupEnv; nil: an empty environment
	System     string                           // as runtime.GOOS; empty: this one
	Now        func() time.Time
	Tools      []string // the sets of tools that serve knows; empty: any

	// Confirm shows the user a text and asks a yes-or-no question; nil: nobody can be asked.
	Confirm func(ctx context.Context, text, question string) (bool, error)

	// Delete removes an index but no other file of its folder; nil: indexes are not removed.
	Delete func(dir string) error
}

// A Feature writes the configuration of clients.
type Feature struct{ cfg Config }

func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Lookup == nil {
		cfg.Lookup = func(string) (string, bool) { return "", false }
	}
	cfg.System = system(cfg.System)
	if cfg.ConfigHome == "" {
		cfg.ConfigHome = filepath.Join(cfg.Home, ".config")
		if dir, _ := cfg.Lookup("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
			cfg.ConfigHome = dir
		}
	}
	return &Feature{cfg}
}

// An Input names a client to set up, or to uninstall.
type Input struct {
	Client    string   `json:"client,omitempty" arg:"1" enum:"opencode|claude|codex|cursor|amazonq|amp|antigravity|claude-desktop|cline|continue|copilot|crush|factory|gemini|goose|jetbrains|junie|kilo|kiro|lmstudio|qwen|roo|vscode|windsurf|zed|loa" help:"opencode, claude, codex, cursor, amazonq, amp, antigravity, claude-desktop, cline, continue, copilot, crush, factory, gemini, goose, jetbrains, junie, kilo, kiro, lmstudio, qwen, roo, vscode, windsurf, zed; or loa, a framework's protocols, always of the project; without one, the clients that are on this machine, or with --uninstall those that have been set up"`
	Project   bool     `json:"project,omitempty" flag:"project" help:"configure the project in the working directory, not the user"`
	Memory    bool     `json:"memory,omitempty" flag:"memory" help:"also install the hooks that recall and store notes"`
	Brief     bool     `json:"brief,omitempty" flag:"brief" help:"also install the hook that offers a brief at the first prompt (claude, codex)"`
	Tools     []string `json:"tools,omitempty" flag:"tools" help:"serve only these sets of tools, or with +module that one too; comma-separated or repeated"`
	Roots     []string `json:"root,omitempty" flag:"root" help:"serve this folder and nothing outside it; repeat for more"`
	DBs       []string `json:"db,omitempty" flag:"db" help:"a database of documentation to serve; repeat for more"`
	Name      string   `json:"name,omitempty" flag:"name" default:"assay" help:"name of the server in the client's configuration"`
	Force     bool     `json:"force,omitempty" flag:"force" help:"replace an entry of that name that setup did not write"`
	DryRun    bool     `json:"dry_run,omitempty" flag:"dry-run" help:"show what would change and write nothing"`
	Yes       bool     `json:"yes,omitempty" flag:"yes" help:"without a client: write without asking"`
	Uninstall bool     `json:"uninstall,omitempty" flag:"uninstall" help:"remove everything that setup wrote; without a client, for this user and in this project"`
}

// A job is a validated request.
type job struct {
	Input
	program string   // the program that the client starts
	command []string // program, serve and its flags
}

// Setup writes the configuration of a client, or removes assay's part of it, and reports the change of each file. It reads
// all files before it writes the first. Without a client it does so for all detected clients, after showing the changes.
func (f *Feature) Setup(ctx context.Context, in Input) (*Result, error) {
	if in.Client == "" {
		return f.setupAll(ctx, in)
	}
	return f.setupOne(ctx, in)
}

func (f *Feature) setupOne(ctx context.Context, in Input) (*Result, error) {
	j, err := f.job(in)
	if err != nil {
		return nil, err
	}
	targets, err := f.targets(j)
	if err != nil {
		return nil, err
	}
	r := &Result{Client: in.Client, Name: j.Name, Project: j.Project, Command: j.command, DryRun: in.DryRun, Uninstall: in.Uninstall, Files: []File{}, Next: []string{}}
	var steps []*step
	plugin, byAll := "", false
	if in.Client == "claude" && !in.Uninstall && !in.Force {
		plugin, byAll = f.enabledPlugin(j.Project)
	}
	forOthers := plugin != "" && !byAll
	for _, t := range targets {
		if forOthers && t.what == "server" {
			continue // the plugin of one user says nothing of the others who share the file
		}
		as := j
		as.Uninstall = j.Uninstall || plugin != "" && t.what == "server" // one server is enough
		s, err := f.plan(t, as)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !in.DryRun {
		if err := f.write(steps); err != nil {
			return nil, err
		}
	}
	for _, s := range steps {
		r.Files = append(r.Files, File{Path: s.path, What: s.what, Action: s.action, Diff: s.diff, Backup: s.backup})
		if s.note != "" {
			work.FromContext(ctx).Note("%s", s.note)
		}
	}
	r.Limits, r.Next = limits(j), f.next(j, r)
	if plugin != "" {
		if forOthers {
			r.Limits = append(r.Limits, "The project's .mcp.json is not changed for the plugin of one user: with --force it gets an entry for others of the project without the plugin")
		}
		r.Limits = append(r.Limits, "Claude Code has assay's plugin (enabled in "+plugin+"), which starts the server: "+
			"a second one beside it would only cost tokens. For an entry of its own, disable the plugin with /plugin, or use --force")
	}
	if in.Client == loa {
		r.Status, r.Message = f.enhancements(j)
	}
	return r, nil
}

const (
	usualName = "assay" // of a server
	maxName   = 64      // characters
)

// job validates an input.
func (f *Feature) job(in Input) (job, error) {
	if in.Client == loa {
		in.Project = true
		hasServerFlags := in.Memory || in.Brief || len(in.Tools)+len(in.Roots)+len(in.DBs) > 0
		if hasServerFlags || in.Name != "" && in.Name != usualName {
			return job{}, fault.New(fault.Usage, "setup loa configures no server, so it does not accept --memory, --brief, --tools, --root, --db or --name").
				Or("configure a server with assay setup claude --project")
		}
	}
	j := job{Input: in, program: f.program(in.Project)}
	j.Name = cmp.Or(j.Name, usualName)
	if clients := append(clientNames(), loa); !slices.Contains(clients, in.Client) {
		return j, fault.New(fault.Usage, "setup: unknown client %q", in.Client).Or("use one of %s", strings.Join(clients, ", "))
	}
	if c, ok := catalogued(in.Client); ok && len(f.paths(c, j)) == 0 {
		return j, scopeError(c, in.Project)
	}
	if len(j.Name) > maxName || !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`).MatchString(j.Name) {
		return j, fault.New(fault.Usage, "--name %q: a name must be at most %d letters, digits, - and _", j.Name, maxName).Or("omit --name to use the name assay")
	}
	if !in.Project && !filepath.IsAbs(f.cfg.Home) {
		return j, fault.New(fault.Unavailable, "setup: your home folder is unknown").Or("set HOME, or use --project")
	}
	if in.Uninstall && len(in.Tools)+len(in.Roots)+len(in.DBs) > 0 {
		return j, fault.New(fault.Usage, "setup: --uninstall does not accept --tools, --root or --db").Or("omit them")
	}
	if in.Uninstall || in.Client == loa {
		return j, nil
	}
	if c, ok := catalogued(in.Client); ok && c.outside && len(in.Roots) == 0 {
		return j, fault.New(fault.Usage, "%s needs --root: it starts servers in a folder of its own, which has no project", c.title).
			Or("assay setup %s --root FOLDER; repeat --root for more", c.name)
	}
	err := f.command(&j)
	return j, err
}

// workspaceFolder is replaced by some clients, which start a server in an undefined folder.
const workspaceFolder = "${workspaceFolder}"

// command sets the command that starts the server.
func (f *Feature) command(j *job) error {
	in := &j.Input
	if strings.ContainsFunc(j.program, isControl) {
		return fault.New(fault.Usage, "the path of this program contains a control character").Or("move the program to another folder")
	}
	j.command = []string{j.program, "serve"}
	tools, err := f.tools(in.Tools)
	if err != nil {
		return err
	}
	if len(tools) > 0 {
		j.command = append(j.command, "--tools", strings.Join(tools, ","))
	}
	for _, dir := range in.Roots {
		path, err := f.path(dir, in.Project)
		if err != nil {
			return err
		}
		if info, err := os.Stat(f.abs(dir)); err != nil || !info.IsDir() {
			return fault.New(fault.NotFound, "--root: folder %s not found", dir).Or("name an existing folder")
		}
		j.command = append(j.command, "--root", path)
	}
	for _, db := range in.DBs {
		path, err := f.path(db, in.Project)
		if err != nil {
			return err
		}
		j.command = append(j.command, "--db", path)
	}
	if c, _ := catalogued(in.Client); (c.rooted || in.Client == "cursor") && in.Project && len(in.Roots) == 0 {
		j.command = append(j.command, "--root", workspaceFolder)
	}
	return nil
}

// tools returns the named sets of tools without duplicates.
func (f *Feature) tools(given []string) ([]string, error) {
	var out []string
	for _, words := range given {
		for name := range strings.SplitSeq(words, ",") {
			name = strings.TrimSpace(name)
			set := strings.TrimPrefix(name, "+") // with it, beside the default sets
			switch {
			case slices.Contains(out, name):
			case len(f.cfg.Tools) > 0 && !slices.Contains(f.cfg.Tools, set), strings.Trim(set, "abcdefghijklmnopqrstuvwxyz") != "", set == "":
				err := fault.New(fault.Usage, "--tools: unknown set of tools %q", name)
				if len(f.cfg.Tools) > 0 {
					return nil, err.Or("use one of %s", strings.Join(f.cfg.Tools, ", "))
				}
				return nil, err.Or("for example --tools code,docs")
			default:
				out = append(out, name)
			}
		}
	}
	return out, nil
}

// path returns a path in the form for a configuration. A relative path stays relative in a project's configuration, because
// other machines read that too.
func (f *Feature) path(p string, project bool) (string, error) {
	switch {
	case p == "":
		return "", fault.New(fault.Usage, "setup: a path is empty").Or("omit the flag, or name a path")
	case strings.ContainsFunc(p, isControl):
		return "", fault.New(fault.Usage, "setup: a path contains a control character").Or("use another path")
	case !project || filepath.IsAbs(p):
		return f.abs(p), nil
	}
	p = filepath.ToSlash(filepath.Clean(p))
	if strings.HasPrefix(p, "-") {
		p = "./" + p
	}
	return p, nil
}

func (f *Feature) abs(p string) string { return file.From(f.cfg.WorkDir, p) }

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// program returns what a client starts: what PATH finds under our name if that is
// this program, since it stays when a new version comes; else this program. The
// project's configuration, which other machines read, has the name alone.
func (f *Feature) program(project bool) string {
	name := filepath.Base(f.cfg.Exe)
	self, err := os.Stat(f.cfg.Exe)
	path, _ := f.cfg.Lookup("PATH")
	for _, dir := range filepath.SplitList(path) {
		at := filepath.Join(dir, name)
		info, e := os.Stat(at)
		if !filepath.IsAbs(dir) || e != nil || info.IsDir() {
			continue
		}
		// The first is the one that a client finds.
		if err != nil || !os.SameFile(info, self) {
			break
		}
		if project {
			return strings.TrimSuffix(name, ".exe")
		}
		return at
	}
	return f.cfg.Exe
}

// isAssay reports whether a program is assay by its name: exe is that of the
// running one.
func isAssay(program, exe string) bool {
	name := program[strings.LastIndexAny(program, `/\`)+1:]
	return slices.Contains([]string{"assay", "assay.exe", exe}, name)
}
