// Package config reads assay's settings once, at start, and records the origin of each. A flag overrides the environment,
// that the project's file, that the user's file, and that the default.
//
// A project's file comes with the repository and is not trusted: it may tune a search, but must not choose where data is
// sent, which files are written, which programs run or which ports listen. Errors in it are ignored and reported; errors in
// the user's own file are errors of the command. No setting is a secret: only the name of the variable that holds it is.
package config

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

// ProjectFile is the name of a project's file of settings, in its root.
const ProjectFile = ".assay.yaml"

// A Config is the settings in force.
type Config struct {
	Embed      Embed
	IndexDir   string // the folder of the index; empty: its place in the project
	Shared     Shared
	Workspace  string // the file that lists repositories; may be empty
	Search     Search
	Color      string // auto, always or never
	Calls      string // on or off: whether servers note their calls
	Trajectory string // off, lenient or strict; empty: not set
	Docs       Docs
	BundleKey  string // the public key of trusted bundles; may be empty
	Memory     Memory
	Lua        Lua
	Loa        Loa

	origins map[string]string // by key
	wrong   []error           // errors in the user's file, environment and flags
	ignored []error           // errors in the project's file
}

// Embed selects the embedding provider and its model.
type Embed struct {
	Provider string // one of Providers
	URL      string // of an openai-compatible API, without /embeddings
	Model    string // for model2vec its folder
	Dims     int    // dimensions of its vectors; 0: those of the model
	KeyEnv   string // the environment variable that holds the key; empty: none
}

// KeyVariable returns the environment variable that holds the key for a provider;
// empty for none.
func (e Embed) KeyVariable(provider string) string {
	if e.KeyEnv == "" && provider == "openai" {
		return "OPENAI_API_KEY"
	}
	return e.KeyEnv
}

// Shared selects the place where indexes are shared.
type Shared struct {
	Backend  string // folder: each machine has its index, which a bucket may share; or postgres
	URL      string // s3://BUCKET/PREFIX, or postgres://USER@HOST/DATABASE
	Endpoint string // of a server that is not Amazon's
}

// Search limits the size of an answer. 0 means the default of the operation.
type Search struct {
	TopK   int // hits
	Budget int // tokens
}

// Docs selects the database of library documentation, and the limits of fetching it.
type Docs struct {
	DB       string        // the file; empty: its place among the user's data
	Registry string        // of npm packages; empty: the public one
	Request  time.Duration // the time limit of one request; 0: the default of package source
	Total    time.Duration // the time limit of a whole source
}

// Memory selects the folder of notes, and tunes how they are found. A number that is 0 means the default of package memory.
type Memory struct {
	Vault                      string // the folder of the notes; empty: its place among the user's data
	DB                         string // the index; empty: its place among the user's data
	ChunkTokens, OverlapTokens int
	VectorWeight, TextWeight   float64
	MinScore                   float64
	HalfLifeDays               float64
	MaxResults                 int
	RecallTokens               int
}

// Lua limits scripts.
type Lua struct {
	Memory         int64  // bytes; 0: the default of package script
	ProjectModules string // always, ask or never: whether scripts load the modules of a project
}

// Loa holds the settings of a project's agent framework. They can only tune a search, because the files are untrusted like
// the project.
type Loa struct {
	Semantic, Hybrid float64 // thresholds of the search tools if a call has none
	Grounding        float64 // the share of grounded claims that audit check requires if a call has none

	settings []Setting // for config show; empty if there is no framework
	problems []string  // errors in the files, by file and line
}

// Sources are the places that settings are read from. Each may be empty.
type Sources struct {
	Flags map[string]string                // flags of the command line, by key
	Env   func(name string) (string, bool) // as os.LookupEnv
	Root  string                           // the project's folder
	User  string                           // the user's file: see UserFile
}

// Load returns the settings in force. It returns an error if the flags, the environment or the user's file are wrong; the
// settings returned with the error may only be shown, because the missing one may be the one that decides where data is
// sent. A wrong key in a project's file is never an error, because the user has not written that file: it is ignored, and
// Ignored reports it.
func Load(src Sources) (*Config, error) {
	c := &Config{origins: map[string]string{}}
	for _, k := range keys() {
		if k.preset != "" {
			if err := k.set(c, k.preset); err != nil {
				return c, err
			}
		}
		c.origins[k.name] = "default"
	}
	if src.User != "" {
		text, err := readUser(src.User)
		if err != nil {
			c.wrong = append(c.wrong, err)
		}
		c.wrong = append(c.wrong, c.apply(text, src.User, "")...)
	}
	c.Loa = loadLoa(src.Root)
	if src.Root != "" {
		text, err := readProject(src.Root)
		if err != nil {
			c.ignored = append(c.ignored, err)
		}
		c.ignored = append(c.ignored, c.apply(text, filepath.Join(src.Root, ProjectFile), src.userFile())...)
	}
	c.applyEnvironment(src.Env)
	for _, name := range slices.Sorted(maps.Keys(src.Flags)) {
		k, ok := findKey(name)
		if !ok {
			c.wrong = append(c.wrong, unknownSetting("flag", name))
			continue
		}
		if err := k.set(c, src.Flags[name]); err != nil {
			c.wrong = append(c.wrong, fault.New(fault.Usage, "%s", k.name).Because(err))
			continue
		}
		c.origins[k.name] = "flag"
	}
	if len(c.wrong) == 0 { // otherwise a missing setting may be one that could not be read
		if err := c.check(); err != nil {
			c.wrong = append(c.wrong, err)
		}
	}
	if len(c.wrong) > 0 {
		return c, c.wrong[0]
	}
	return c, nil
}

// applyEnvironment applies the ASSAY_ variables, and NO_COLOR (https://no-color.org).
func (c *Config) applyEnvironment(env func(string) (string, bool)) {
	if env == nil {
		return
	}
	if v, _ := env("NO_COLOR"); v != "" {
		c.Color, c.origins["color"] = "never", "NO_COLOR"
	}
	for _, k := range keys() {
		v, _ := env(k.variable())
		if v == "" {
			continue
		}
		if err := k.set(c, v); err != nil {
			c.wrong = append(c.wrong, fault.New(fault.Usage, "%s", k.variable()).Because(err).Or("correct or unset the variable %s", k.variable()))
			continue
		}
		c.origins[k.name] = k.variable()
	}
}

// apply sets the keys in the text of a file and returns the errors in the order of its lines. For a project's file elsewhere
// names the file that may set the keys that a project may not; otherwise it is empty.
func (c *Config) apply(text []byte, file, elsewhere string) (wrong []error) {
	entries, err := parse(text, file)
	if err != nil {
		return []error{err}
	}
	for _, e := range entries {
		if err := c.setEntry(e, elsewhere); err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}

// setEntry sets the key of one entry of a file.
func (c *Config) setEntry(e entry, elsewhere string) error {
	if e.err != nil {
		return e.err
	}
	k, ok := findKey(e.key)
	if !ok {
		return unknownSetting(e.at, e.key)
	}
	if elsewhere != "" && !k.project {
		return fault.New(fault.Usage, "%s: a project's file may not set %s, because a repository must not choose where your data goes or which programs run", e.at, k.name).
			Or("remove it; to use it, set it in %s or as %s", elsewhere, k.variable())
	}
	if k.absolute && e.value != "" && !filepath.IsAbs(e.value) {
		return fault.New(fault.Usage, "%s: %s must be an absolute path", e.at, k.name).Or("write the full path; ~ and variables are not expanded")
	}
	if err := k.set(c, e.value); err != nil {
		return fault.New(fault.Usage, "%s: %s", e.at, k.name).Because(err).Or("correct or remove the line")
	}
	c.origins[k.name] = e.at
	return nil
}

func (src Sources) userFile() string {
	return cmp.Or(src.User, "your own config.yaml")
}

// check validates settings that depend on each other.
func (c *Config) check() error {
	missing := ""
	switch e := c.Embed; {
	case e.Provider == "openai-compatible" && e.URL == "":
		missing = "embed.url"
	case (e.Provider == "openai-compatible" || e.Provider == "model2vec") && e.Model == "":
		missing = "embed.model"
	case e.Provider == "openai" && e.URL != "":
		return fault.New(fault.Usage, "embed.provider is openai (%s), which always uses its own address, but embed.url is set (%s)",
			c.origins["embed.provider"], c.origins["embed.url"]).
			Or("unset embed.url, or set embed.provider to openai-compatible")
	case e.Provider == "model2vec" && !filepath.IsAbs(e.Model) && strings.Contains(c.origins["embed.model"], ":"):
		return fault.New(fault.Usage, "%s: embed.model must be an absolute path when embed.provider is model2vec", c.origins["embed.model"]).
			Or("write the full path; ~ and variables are not expanded")
	}
	if missing == "" {
		return nil
	}
	k, _ := findKey(missing)
	return fault.New(fault.Usage, "embed.provider is %s (%s), but %s is not set", c.Embed.Provider, c.origins["embed.provider"], missing).
		Or("set %s, or embed.provider to static", k.variable())
}

func unknownSetting(at, name string) error {
	err := fault.New(fault.Usage, "%s: unknown setting %q", at, name)
	if near, ok := nearest(name); ok {
		return err.Or("did you mean %s?", near)
	}
	return err.Or("assay config show lists the settings")
}

func findKey(name string) (key, bool) {
	all := keys()
	i := slices.IndexFunc(all, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return all[i], true
}
