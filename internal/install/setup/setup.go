// Package setup is the feature that wires an agent to assay: it writes the client's
// configuration so that the client starts assay serve, and takes it out again.
//
// Every byte outside what it writes stays as it was. A file that does not parse
// is not touched, nor is an entry of our name that is not ours. What was there
// before is kept beside it; to set up and remove again leaves the very same
// bytes. What it shows of a file holds nothing but what is ours.
package setup

import (
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

// Config is what the feature needs to know of its surroundings. Paths are absolute.
type Config struct {
	Home       string                           // the user's folder
	ConfigHome string                           // where programs keep their configuration; empty: XDG_CONFIG_HOME, else .config in Home
	WorkDir    string                           // where the project is that --project means
	Exe        string                           // the program that runs now
	Lookup     func(name string) (string, bool) // the environment, as os.LookupEnv; nil: an empty one
	System     string                           // as runtime.GOOS; empty: this one
	Now        func() time.Time
	Tools      []string // the sets of tools that serve knows; empty: any

	// Confirm shows a person a text and asks a question that is answered with yes or no;
	// nil: there is nobody to ask.
	Confirm func(ctx context.Context, text, question string) (bool, error)

	// Delete removes an index, and nothing else that is in its folder; nil: none is removed.
	Delete func(dir string) error
}

// A Feature writes the configuration of clients.
type Feature struct{ cfg Config }

// New returns a feature.
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

// An Input asks for a client to be set up, or for that to be undone.
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

// A job is a request that makes sense.
type job struct {
	Input
	program string   // what the client starts
	command []string // program, serve and its flags
}

// Setup writes the configuration of a client, or takes ours out of it, and says
// what it did to each file. It reads all of them before it writes the first. Without a
// client it does so for all that are there, after it has shown what it will do.
func (f *Feature) Setup(ctx context.Context, in Input) (*Result, error) {
	if in.Client == "" {
		return f.every(ctx, in)
	}
	return f.one(ctx, in)
}

func (f *Feature) one(ctx context.Context, in Input) (*Result, error) {
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
	for _, t := range targets {
		s, err := f.plan(t, j)
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
		r.Files = append(r.Files, s.file())
		if s.note != "" {
			work.Of(ctx).Note("%s", s.note)
		}
	}
	r.Limits, r.Next = limits(j), f.next(j, r)
	if in.Client == loa {
		r.Status, r.Message = f.enhancements(j)
	}
	return r, nil
}

const (
	usualName = "assay" // of a server
	maxName   = 64      // characters
)

// job returns what is to be done for an input.
func (f *Feature) job(in Input) (job, error) {
	if in.Client == loa {
		in.Project = true
		if in.Memory || in.Brief || len(in.Tools)+len(in.Roots)+len(in.DBs) > 0 || in.Name != "" && in.Name != usualName {
			return job{}, fault.New(fault.Usage, "setup loa writes no server: --memory, --brief, --tools, --root, --db and --name mean nothing with it").
				Or("assay setup claude --project writes one")
		}
	}
	j := job{Input: in, program: f.program(in.Project)}
	if j.Name == "" {
		j.Name = usualName
	}
	if clients := append(names(), loa); !slices.Contains(clients, in.Client) {
		return j, fault.New(fault.Usage, "setup: no client is called %q", in.Client).Or("it is one of %s", strings.Join(clients, ", "))
	}
	if c, ok := listed(in.Client); ok && len(f.paths(c, j)) == 0 {
		return j, noScope(c, in.Project)
	}
	if len(j.Name) > maxName || !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`).MatchString(j.Name) {
		return j, fault.New(fault.Usage, "--name %q: clients take letters, digits, - and _, %d of them at most", j.Name, maxName).Or("omit it for assay")
	}
	if !in.Project && !filepath.IsAbs(f.cfg.Home) {
		return j, fault.New(fault.Unavailable, "setup: your home folder is not known").Or("set HOME, or use --project")
	}
	if in.Uninstall && len(in.Tools)+len(in.Roots)+len(in.DBs) > 0 {
		return j, fault.New(fault.Usage, "setup: --tools, --root and --db mean nothing with --uninstall").Or("omit them")
	}
	if in.Uninstall || in.Client == loa {
		return j, nil
	}
	err := f.command(&j)
	return j, err
}

// command sets the command that starts the server.
func (f *Feature) command(j *job) error {
	in := &j.Input
	if strings.ContainsFunc(j.program, control) {
		return fault.New(fault.Usage, "the path of this program has a control character").Or("move the program")
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
			return fault.New(fault.NotFound, "--root %s: no such folder", dir).Or("give a folder that exists")
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
	if c, _ := listed(in.Client); (c.rooted || in.Client == "cursor") && in.Project && len(in.Roots) == 0 {
		// They do not say in which folder they start a server, but fill this in.
		j.command = append(j.command, "--root", "${workspaceFolder}")
	}
	return nil
}

// tools returns the sets of tools that were named, each once.
func (f *Feature) tools(given []string) ([]string, error) {
	var out []string
	for _, words := range given {
		for name := range strings.SplitSeq(words, ",") {
			name = strings.TrimSpace(name)
			set := strings.TrimPrefix(name, "+") // with it, beside the default sets
			switch {
			case slices.Contains(out, name):
			case len(f.cfg.Tools) > 0 && !slices.Contains(f.cfg.Tools, set), strings.Trim(set, "abcdefghijklmnopqrstuvwxyz") != "", set == "":
				err := fault.New(fault.Usage, "--tools: no tools called %q", name)
				if len(f.cfg.Tools) > 0 {
					return nil, err.Or("it takes: %s", strings.Join(f.cfg.Tools, ", "))
				}
				return nil, err.Or("for example --tools code,docs")
			default:
				out = append(out, name)
			}
		}
	}
	return out, nil
}

// path is how a path is written into a configuration. One that was given relative
// stays so in the project's, which other machines read.
func (f *Feature) path(p string, project bool) (string, error) {
	switch {
	case p == "":
		return "", fault.New(fault.Usage, "setup: a path is empty").Or("omit it, or name one")
	case strings.ContainsFunc(p, control):
		return "", fault.New(fault.Usage, "setup: a path has a control character").Or("name another")
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

func control(r rune) bool { return r < ' ' || r == 0x7f }

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
