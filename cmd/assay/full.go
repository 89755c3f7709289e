//go:build !slim

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/base/config"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/brief"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/bucket"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/docs/source"
	"github.com/assay-dev/assay/internal/install/doctor"
	"github.com/assay-dev/assay/internal/install/setup"
	"github.com/assay-dev/assay/internal/lang/syntax"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/memory/transcript"
	"github.com/assay-dev/assay/internal/present/calls"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
	"github.com/assay-dev/assay/internal/script"
)

// The limits of indexing before an answer. Refresh bounds every search; wait bounds answers that conclude from absence,
// because those need a complete index. Clients give up after a minute, people earlier.
const (
	refreshTerminal = 2 * time.Second
	refreshServer   = 300 * time.Millisecond
	firstServer     = 2 * time.Second
	waitTerminal    = 20 * time.Second
	waitServer      = 10 * time.Second
	// latelyTeams is the greatest age of a scan that a team server answers from, because hundreds of users query trees that
	// few change.
	latelyTeams = 2 * time.Second
)

func run() int {
	args := os.Args[1:]
	name := programName()
	other := name == "ck" || name == mcp.Context7Name
	switch {
	case isHook(args) && name == hookLogName:
		return writeNote(args)
	case isHook(args) && name == hookName:
		return answerHook(args, os.Stderr)
	case isHook(args) && !other:
		return superviseHook(args)
	}
	// The first interrupt ends the context, so that finished work is saved; the second kills the process.
	ctx, stop := interruptible()
	defer stop()
	env, ops, shut := prepare(standard())
	defer shut()
	switch name {
	case "ck":
		return cli.RunCK(ctx, ops, args, env)
	case mcp.Context7Name:
		var err error
		if args, err = mcp.Context7Args(args); err != nil {
			env.Broken = err
			args = []string{"docs", "list"}
		}
	}
	return cli.Run(ctx, ops, args, env)
}

// prepare reads the settings and builds all commands; shut releases what they open.
func prepare(env cli.Env) (_ cli.Env, ops []op.Op, shut func()) {
	setup, err := settings()
	env.Broken, env.Ignored = err, setup.cfg.Ignored()
	env.Colour, env.ErrColour = colour(setup.cfg.Color, env.Terminal), colour(setup.cfg.Color, env.ErrTerminal)
	setup.code.Piped = !env.Terminal && programName() != "ck" // scripts of ck expect all that they asked for
	search := setup.feature(env.Terminal)
	if env.Terminal {
		env.Show = screen(setup.trees.WorkDir, search.Workspace().Project)
	}
	features := op.Features{Code: search, Docs: docs.New(setup.docs), Audit: audit.New(setup.audit(search)), Setup: setup.agents(), Backup: setup.backups(), Bundle: setup.bundles(),
		Memory: memory.New(setup.memory()), Module: script.New(setup.modules(env.Stdout, nil)), Saved: calls.Summing(callsDir(), projectAt(search.Workspace()))}
	features.Doctor = setup.doctor(features, err)
	env.Commands = []cli.Command{
		{Name: "serve", Brief: "Serve the tools to a coding agent over MCP", Run: setup.serve},
		{Name: "team", Brief: "Administer a team server: its tokens and its configuration", Run: setup.team},
		{Name: "ui", Brief: "Browse the project in a web page", Run: setup.page},
		{Name: "config", Brief: "Show the settings and the origin of each, or change your own", Always: true, Complete: setup.configWords, Run: setup.config},
		{Name: "licenses", Brief: "Print the licence and third-party notices", Always: true, Run: licenses},
	}
	env.Values = values(features.Docs, search.Workspace())
	return env, op.All(features), func() { _ = errors.Join(features.Code.Close(), features.Docs.Close(), features.Memory.Close()) }
}

// projectAt returns a function that finds the project of a folder that was given, or of the working directory.
func projectAt(w *workspace.Workspace) func(given string) (string, error) {
	return func(given string) (string, error) {
		t, err := w.Resolve(workspace.Place{Root: given}, nil)
		return t.Root, err
	}
}

// values returns the completions for arguments, by the name of an argument, or of an operation and its argument. Those of the
// project are names and paths in its index, if it has one.
func values(d *docs.Feature, w *workspace.Workspace) map[string]func(context.Context, string) []string {
	files := func(ctx context.Context, begun string) (out []string) {
		root, _ := w.Project("") // an error offers nothing, here and below
		rel, _ := filepath.Rel(root, w.Config().WorkDir)
		below := strings.TrimPrefix(filepath.ToSlash(rel)+"/", "./")
		paths, _ := w.OfferPaths(ctx, below+begun)
		for _, path := range paths {
			if path, ok := strings.CutPrefix(path, below+begun); ok {
				folder, _, deeper := strings.Cut(path, "/")
				out = append(out, begun+folder+map[bool]string{true: "/"}[deeper])
			}
		}
		return out
	}
	names := func(ctx context.Context, begun string) []string {
		out := files(ctx, begun)
		if begun != "" && !strings.Contains(begun, "/") {
			found, _ := w.OfferNames(ctx, begun)
			out = append(out, found...)
		}
		return out
	}
	return map[string]func(context.Context, string) []string{
		"function": names, "path from": names, "path to": names, "functions pattern": names, "symbol": names, "type": names,
		"def name": names, "show places": names, "impact target": names, "module": files, "inventory pattern": files, "dead pattern": files,
		"lang":   func(context.Context, string) []string { return syntax.All() },
		"preset": func(ctx context.Context, _ string) []string { return libraries(ctx, d, true) },
		"id":     func(ctx context.Context, _ string) []string { return libraries(ctx, d, false) },
	}
}

// libraries returns the names of the presets, or the IDs of the stored libraries.
func libraries(ctx context.Context, d *docs.Feature, presets bool) (out []string) {
	out = []string{} // not nil: there are no others
	if l, err := d.List(ctx, docs.ListInput{Presets: presets}); err == nil {
		for i := range l.Presets {
			out = append(out, l.Presets[i].Name)
		}
		for i := range l.Libraries {
			out = append(out, l.Libraries[i].ID)
		}
	}
	return slices.Compact(out) // versions of a library follow each other
}

// surroundings hold the settings and the environment that the program read at start.
type surroundings struct {
	cfg   *config.Config
	trees workspace.Config
	code  code.Config
	docs  docs.Config
}

// settings reads the surroundings. Those returned with an error are only sufficient for help and for config show.
func settings() (*surroundings, error) {
	s := &surroundings{cfg: &config.Config{}}
	wd, err := os.Getwd()
	if err != nil {
		return s, fault.New(fault.Unavailable, "cannot find the working directory").Because(err).Or("change to a folder that exists")
	}
	home := homeFolder()
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	s.trees = workspace.Config{WorkDir: wd, Home: home, CacheDir: filepath.Join(cacheHome(), "assay")}
	s.code = code.Config{Agent: os.Getenv("ASSAY_AGENT"), Gate: audit.NewGate()}
	user := config.UserFile(os.LookupEnv, runtime.GOOS)
	s.trees.Owner = sync.OnceValues(func() (safe.Identity, error) { return safe.OpenIdentity(ownDirs(user)...) })
	root, err := workspace.New(s.trees).Project(wd)
	if err != nil {
		return s, err
	}
	cfg, err := config.Load(config.Sources{Env: os.LookupEnv, Root: root, User: user})
	s.cfg = cfg
	if err != nil {
		return s, err
	}
	s.trees.File = s.cfg.Workspace
	s.trees.IndexDir, s.code.TopK, s.code.Budget, s.code.Trajectory = s.cfg.IndexDir, s.cfg.Search.TopK, s.cfg.Search.Budget, s.cfg.Trajectory
	s.code.Shared = shared(s.cfg.Shared)
	if c := s.cfg.Shared; c.Backend != "" && c.Backend != "folder" {
		s.trees.Backend = func(ctx context.Context, name string) (index.Backend, error) {
			return openBackend(ctx, c.Backend, c.URL, os.Getenv("ASSAY_INDEX_KEY"), name)
		}
	} else if s.cfg.Shared.URL != "" {
		s.trees.Shared = func(name string) (index.Objects, string, error) {
			c := s.code.Shared
			c.URL = strings.TrimSuffix(c.URL, "/") + "/" + name
			b, err := bucket.Open(c)
			if err != nil {
				return nil, c.URL, err
			}
			return b, b.URL(), nil
		}
	}
	s.code.Semantic, s.code.Hybrid = &s.cfg.Loa.Semantic, &s.cfg.Loa.Hybrid
	s.docs = docs.Config{WorkDir: wd, DB: s.cfg.Docs.DB, Temp: filepath.Join(cacheHome(), "assay", "ingest"), Registry: s.cfg.Docs.Registry, Request: s.cfg.Docs.Request, Total: s.cfg.Docs.Total,
		Places: packages(s.trees.Home)}
	if s.docs.DB == "" {
		s.docs.DB = filepath.Join(dataHome(), "assay", "docs.db")
	}
	s.trees.Embedder = func(provider string) (embed.Provider, error) { return s.embedder(provider, false) }
	return s, nil
}

// embedder opens an embedding provider, for prose if text is set, otherwise for code; "" means the provider of the settings.
func (s *surroundings) embedder(provider string, text bool) (embed.Provider, error) {
	e := s.cfg.Embed
	provider = cmp.Or(provider, e.Provider)
	if provider == "model2vec" && e.Model != "" && !filepath.IsAbs(e.Model) {
		e.Model = filepath.Join(s.trees.WorkDir, e.Model)
	}
	p, err := embed.Open(embed.Config{Provider: provider, Model: e.Model, URL: e.URL, Key: os.Getenv(e.KeyVariable(provider)), Dims: e.Dims, Text: text})
	if err != nil {
		return nil, fault.New(fault.Usage, "cannot use the embedding provider").Because(err).Or("assay config show lists embed.provider, embed.url and embed.model")
	}
	return p, nil
}

// shared returns the place where indexes are shared, with the credentials from the usual variables of S3 programs.
func shared(c config.Shared) bucket.Config {
	return bucket.Config{URL: c.URL, Endpoint: cmp.Or(c.Endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")),
		Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		Keys:   bucket.Keys{Access: os.Getenv("AWS_ACCESS_KEY_ID"), Secret: os.Getenv("AWS_SECRET_ACCESS_KEY"), Session: os.Getenv("AWS_SESSION_TOKEN")}}
}

// ownDirs returns the folders for the identity that marks indexes: the settings folder, or the cache folder if that is not
// writable.
func ownDirs(settings string) []string {
	cache := filepath.Join(cacheHome(), "assay")
	if settings == "" {
		return []string{cache}
	}
	return []string{filepath.Dir(settings), cache}
}

// feature returns the feature for one command.
func (s *surroundings) feature(terminal bool) *code.Feature {
	t := s.trees
	if terminal {
		t.Refresh, t.Wait = refreshTerminal, waitTerminal
	}
	return code.New(workspace.New(t), s.code)
}

// memory returns the configuration of the feature for notes.
func (s *surroundings) memory() memory.Config {
	data := filepath.Join(dataHome(), "assay")
	set := s.cfg.Memory
	c := memory.Config{
		WorkDir: s.trees.WorkDir, Vault: set.Vault, Given: set.Vault != "", DB: set.DB, StateDir: hookLog().Dir,
		Sources:     transcript.Open(transcript.Defaults(s.trees.Home, "", os.LookupEnv)),
		Embedder:    func() (embed.Provider, error) { return s.embedder("", true) },
		ChunkTokens: set.ChunkTokens, OverlapTokens: set.OverlapTokens, VectorWeight: set.VectorWeight, TextWeight: set.TextWeight,
		MinScore: set.MinScore, HalfLifeDays: set.HalfLifeDays, MaxResults: set.MaxResults, RecallTokens: set.RecallTokens, Detach: detach,
	}
	if c.Vault == "" {
		c.Vault = memory.DefaultVault(s.trees.Home, dataHome())
	}
	if c.DB == "" {
		c.DB = filepath.Join(data, "memory.db")
	}
	c.Brief = s.offer
	return c
}

const (
	offeredTokens = 1500                   // of a brief at the first prompt, which nobody requested
	refreshOffer  = 200 * time.Millisecond // for indexing changed files
)

// offer returns a brief of a task for the project around a folder. It returns "" if the project has no index, because a
// prompt must not wait for one.
func (s *surroundings) offer(ctx context.Context, dir, task string) (_ string, err error) {
	t := s.trees
	t.WorkDir, t.Roots, t.Server, t.Refresh, t.Wait = dir, nil, true, refreshOffer, refreshOffer
	trees, library := workspace.New(t), docs.New(s.docs)
	defer func() { err = errors.Join(err, trees.Close(), library.Close()) }()
	if _, ok, err := trees.Indexed(ctx); !ok || err != nil {
		return "", err
	}
	b, err := brief.New(trees, library, nil).Brief(ctx, brief.Input{Task: task, Tokens: offeredTokens, Focus: []string{"code", "docs"}})
	if err != nil || len(b.Where) == 0 {
		return "", err
	}
	var text strings.Builder
	err = b.WriteText(&text, false)
	return text.String(), err
}

// agents returns the feature that configures coding agents.
func (s *surroundings) agents() *setup.Feature {
	exe, err := os.Executable()
	if err != nil {
		exe = "assay" // the agent finds it by its name, or reports that it is missing
	}
	c := setup.Config{Home: s.trees.Home, WorkDir: s.trees.WorkDir, Exe: exe, Lookup: os.LookupEnv, Now: time.Now, Delete: code.Delete}
	if canAsk() {
		c.Confirm = confirm
	}
	return setup.New(c)
}

// doctor returns the feature that checks what the features depend on. broken is why the settings cannot be read.
func (s *surroundings) doctor(features op.Features, broken error) *doctor.Feature {
	c := doctor.Config{Version: version(), Parts: s.parts(features, broken)}
	if canAsk() {
		c.Confirm = confirm
	}
	return doctor.New(c)
}

// scriptConfirm returns the function by which a script asks the user, or nil if nobody can answer.
func scriptConfirm() func(ctx context.Context, about, question string) (bool, error) {
	if canAsk() && !isServer() {
		return confirm
	}
	return nil
}

// canAsk reports whether somebody sees a question and can answer it.
func canAsk() bool { return isTerminal(os.Stdin) && isTerminal(os.Stderr) }

// confirm asks the user at the terminal. Every answer but y or yes means no.
func confirm(ctx context.Context, about, question string) (bool, error) {
	fmt.Fprintf(os.Stderr, "%s\n%s [y/N] ", text.VisiblePainted(about), text.Line(question))
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // the end of input means no
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case line := <-answer:
		return line == "y" || line == "yes", nil
	}
}

// audit returns the configuration of the feature for audits. It uses the index of search, or if that is nil reads the tree.
func (s *surroundings) audit(search *code.Feature) audit.Config {
	exe, err := os.Executable()
	if err != nil {
		exe = ""
	}
	c := audit.Config{Version: version(), CK: cli.CKRelease, Binary: exe, WorkDir: s.trees.WorkDir, Agent: s.code.Agent, Mode: s.cfg.Trajectory, Project: workspace.New(s.trees).Project,
		Locks: filepath.Join(s.trees.CacheDir, "locks"), Gate: s.code.Gate}
	c.Confirm = scriptConfirm()
	if s.cfg.Loa.Grounding > 0 { // 0: no framework sets it
		c.Ground = &s.cfg.Loa.Grounding
	}
	if search != nil {
		c.Ask = search.Workspace().Ask
		c.Has = func(root, path string) bool { return search.Workspace().Repo(root).Has(path) }
	}
	return c
}

func (s *surroundings) serve(ctx context.Context, args []string, env cli.Env) error {
	t, c := s.trees, s.code
	t.Refresh, t.First, t.Wait, t.Server, c.Budget = refreshServer, firstServer, waitServer, true, 0
	var features op.Features
	shut := func() {
		if features.Code != nil {
			_ = errors.Join(features.Code.Close(), features.Docs.Close(), features.Memory.Close())
			features = op.Features{}
		}
	}
	defer shut()
	open := func(from mcp.Sources) ([]op.Op, error) {
		roots := from.Roots
		if from.Workspace != "" {
			listed := workspace.New(t)
			repos, err := listed.Listed(from.Workspace)
			if err == nil {
				t.Repos, err = listed.Ready(repos)
			}
			if err != nil {
				return nil, err
			}
			for i := range t.Repos {
				roots = append(roots, t.Repos[i].Root)
			}
		}
		if len(roots) == 0 {
			root, err := workspace.New(t).Project(t.WorkDir)
			if err != nil {
				return nil, err
			}
			roots = []string{root}
		}
		for _, root := range roots {
			if err := c.Gate(root); err != nil {
				return nil, err
			}
		}
		t.Roots = roots
		d := s.docs
		d.DBs, d.Server = from.DBs, true
		policy, err := s.policy(from.Exec)
		if err != nil {
			return nil, err
		}
		m := s.memory()
		m.Server, m.Refresh = true, refreshServer
		shut() // close the features of another folder; none of their operations has run yet
		features = op.Features{Code: code.New(workspace.New(t), c), Docs: docs.New(d), Memory: memory.New(m), Module: script.New(s.modules(env.Stderr, policy)), AllowExec: from.Exec != nil, Setup: s.agents()}
		truth := s.audit(features.Code)
		truth.Confirm, truth.WorkDir = nil, roots[0]
		truth.Project = func(string) (string, error) { return roots[0], nil }
		features.Audit = audit.New(truth)
		features.Doctor = s.doctor(features, nil)
		features.Code.Workspace().Refresh(ctx, errorPrinter(env.Stderr))
		ops := op.All(features)
		return ops, errors.Join(op.Check(ops), features.Docs.Check(ctx))
	}
	noted, end := s.callRecorder(func() string { return t.Roots[0] }, env.Stderr)
	defer end()
	return mcp.Run(ctx, mcp.Service{Open: open, Version: env.Version, Instructions: instructions(), Team: s.teams(env.Version), Done: noted}, args, env.Stdin, env.Stdout, env.Stderr)
}

// packages returns the folders in which package managers install libraries.
func packages(home string) source.Places {
	gems := append(filepath.SplitList(os.Getenv("GEM_HOME")), filepath.SplitList(os.Getenv("GEM_PATH"))...)
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	for _, pattern := range []string{at(".local/share/gem/ruby/*"), at(".gem/ruby/*"), at(".rbenv/versions/*/lib/ruby/gems/*"), at(".rvm/gems/*"), "/var/lib/gems/*", "/usr/lib/ruby/gems/*", "/usr/local/bundle"} {
		if filepath.IsAbs(pattern) {
			found, _ := filepath.Glob(pattern) // an error means that the home folder has special characters
			gems = append(gems, found...)
		}
	}
	p := source.Places{GoModules: moduleCache(home), Environment: os.Getenv("VIRTUAL_ENV"), Gems: gems, Crates: os.Getenv("CARGO_HOME"), Gradle: os.Getenv("GRADLE_USER_HOME"), NuGet: os.Getenv("NUGET_PACKAGES"), Pub: os.Getenv("PUB_CACHE")}
	if home != "" {
		p.NuGet, p.Pub = cmp.Or(p.NuGet, at(".nuget/packages")), cmp.Or(p.Pub, at(".pub-cache"))
		p.Crates, p.Maven, p.Gradle = cmp.Or(p.Crates, at(".cargo")), at(".m2/repository"), cmp.Or(p.Gradle, at(".gradle"))
	}
	return p
}

// moduleCache returns the folder of Go's module cache.
func moduleCache(home string) string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	if first := filepath.SplitList(os.Getenv("GOPATH")); len(first) > 0 {
		return filepath.Join(first[0], "pkg", "mod")
	}
	return filepath.Join(home, "go", "pkg", "mod")
}
