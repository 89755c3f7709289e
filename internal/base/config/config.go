// Package config holds assay's settings: read once, at start, each with where
// it came from. A flag wins over the environment, that over the project's file,
// that over the user's file, that over the default.
//
// A project's file comes with the project, so it may tune a search but never say
// where data goes, where files are written, what is run or what listens. What is
// wrong in it is ignored and told; what is wrong in the user's own is an error. No
// secret is a setting: only the name of the variable that holds it is.
package config

import (
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
	IndexDir   string // where the index lies; empty for its place in the project
	Shared     Shared
	Workspace  string // the file that lists repositories; may be empty
	Search     Search
	Color      string // auto, always or never
	Calls      string // on or off: whether servers note their calls
	Trajectory string // off, lenient or strict; empty where nothing is set
	Docs       Docs
	BundleKey  string // the public key whose bundles are applied; may be empty
	Memory     Memory
	Lua        Lua
	Loa        Loa

	origins map[string]string // by key
	wrong   []error           // what is wrong with what the user gave
	ignored []error           // what is wrong with the project's file
}

// Embed says what turns text into vectors.
type Embed struct {
	Provider string // one of Providers
	URL      string // of an openai-compatible API, without /embeddings
	Model    string // for model2vec its folder
	Dims     int    // of its vectors; 0 takes what the model gives
	KeyEnv   string // the environment variable that holds the key; empty for none
}

// KeyVariable returns the environment variable that holds the key for a provider;
// empty for none.
func (e Embed) KeyVariable(provider string) string {
	if e.KeyEnv == "" && provider == "openai" {
		return "OPENAI_API_KEY"
	}
	return e.KeyEnv
}

// Shared says where indexes are shared.
type Shared struct {
	Backend  string // folder: each machine has its index, which a bucket may share; or postgres
	URL      string // s3://BUCKET/PREFIX, or postgres://USER@HOST/DATABASE
	Endpoint string // of a server that is not Amazon's
}

// Search says how much an answer holds. 0 leaves it to the search.
type Search struct {
	TopK   int // hits
	Budget int // tokens
}

// Docs says where the documentation of libraries is kept and what it comes from.
type Docs struct {
	DB       string        // the file; empty for its place among the user's data
	Registry string        // of npm packages; empty for the public one
	Request  time.Duration // that one request may take; 0 for the default of package source
	Total    time.Duration // that a whole source may take
}

// Memory says where notes are kept and how they are found. Numbers that are 0 are the
// defaults of package memory.
type Memory struct {
	Vault                      string // the folder of the notes; empty for its place among the user's data
	DB                         string // the index; empty for its place there
	ChunkTokens, OverlapTokens int
	VectorWeight, TextWeight   float64
	MinScore                   float64
	HalfLifeDays               float64
	MaxResults                 int
	RecallTokens               int
}

// Lua says what scripts may have.
type Lua struct {
	Memory         int64  // bytes; 0 for the defaults of package module
	ProjectModules string // always, ask or never: whether scripts load the modules of a project
}

// Sources are what the settings are read from. Each may be left empty.
type Sources struct {
	Flags map[string]string                // by key, as the command line gave them
	Env   func(name string) (string, bool) // as os.LookupEnv
	Root  string                           // the project's folder
	User  string                           // the user's file: see UserFile
}

// Load returns the settings in force. What is wrong with the flags, the environment or
// the user's file is an error; the settings that come with it are those that could be
// read, to be shown and not to be acted on, since the one that is missing may say where
// data goes. What is wrong with a project's file is never an error: whoever clones a
// repository has not written it. It is ignored, key by key, and Ignored says so.
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
	c.environment(src.Env)
	for _, name := range slices.Sorted(maps.Keys(src.Flags)) {
		k, ok := find(name)
		if !ok {
			c.wrong = append(c.wrong, unknown("flag", name))
			continue
		}
		if err := k.set(c, src.Flags[name]); err != nil {
			c.wrong = append(c.wrong, fault.New(fault.Usage, "%s", k.name).Because(err))
			continue
		}
		c.origins[k.name] = "flag"
	}
	if len(c.wrong) == 0 { // else what is missing may be what could not be read
		if err := c.check(); err != nil {
			c.wrong = append(c.wrong, err)
		}
	}
	if len(c.wrong) > 0 {
		return c, c.wrong[0]
	}
	return c, nil
}

// environment applies the ASSAY_ variables, and NO_COLOR (https://no-color.org).
func (c *Config) environment(env func(string) (string, bool)) {
	if env == nil {
		return
	}
	if v, _ := env("NO_COLOR"); v != "" {
		c.Color, c.origins["color"] = "never", "NO_COLOR"
	}
	for _, k := range keys() {
		v, _ := env(k.env())
		if v == "" {
			continue
		}
		if err := k.set(c, v); err != nil {
			c.wrong = append(c.wrong, fault.New(fault.Usage, "%s", k.env()).Because(err).Or("correct the variable %s, or unset it", k.env()))
			continue
		}
		c.origins[k.name] = k.env()
	}
}

// apply sets what the text of a file says, and returns what is wrong with the rest, in
// the order of its lines. A project's file comes with elsewhere, the file that may say
// what it may not.
func (c *Config) apply(text []byte, file, elsewhere string) (wrong []error) {
	entries, err := parse(text, file)
	if err != nil {
		return []error{err}
	}
	for _, e := range entries {
		if err := c.take(e, elsewhere); err != nil {
			wrong = append(wrong, err)
		}
	}
	return wrong
}

// take sets one key as a file gives it.
func (c *Config) take(e entry, elsewhere string) error {
	if e.err != nil {
		return e.err
	}
	k, ok := find(e.key)
	if !ok {
		return unknown(e.at, e.key)
	}
	if elsewhere != "" && !k.project {
		return fault.New(fault.Usage, "%s: a project's file may not set %s: who writes a repository does not choose where your data goes or what is run", e.at, k.name).
			Or("remove it; if you want it, set it in %s or as %s", elsewhere, k.env())
	}
	if k.absolute && e.value != "" && !filepath.IsAbs(e.value) {
		return fault.New(fault.Usage, "%s: %s must be an absolute path in a file", e.at, k.name).Or("write the full path; ~ and variables are not expanded")
	}
	if err := k.set(c, e.value); err != nil {
		return fault.New(fault.Usage, "%s: %s", e.at, k.name).Because(err).Or("correct the line, or remove it")
	}
	c.origins[k.name] = e.at
	return nil
}

func (src Sources) userFile() string {
	if src.User != "" {
		return src.User
	}
	return "your own config.yaml"
}

// check checks what no key can alone.
func (c *Config) check() error {
	missing := ""
	switch e := c.Embed; {
	case e.Provider == "openai-compatible" && e.URL == "":
		missing = "embed.url"
	case (e.Provider == "openai-compatible" || e.Provider == "model2vec") && e.Model == "":
		missing = "embed.model"
	case e.Provider == "openai" && e.URL != "":
		return fault.New(fault.Usage, "embed.provider is openai (%s), which has an address of its own, but embed.url is set (%s)",
			c.origins["embed.provider"], c.origins["embed.url"]).
			Or("take embed.url out, or set embed.provider to openai-compatible")
	case e.Provider == "model2vec" && !filepath.IsAbs(e.Model) && strings.Contains(c.origins["embed.model"], ":"):
		return fault.New(fault.Usage, "%s: embed.model must be an absolute path in a file where embed.provider is model2vec", c.origins["embed.model"]).
			Or("write the path from the root on")
	}
	if missing == "" {
		return nil
	}
	k, _ := find(missing)
	return fault.New(fault.Usage, "embed.provider is %s (%s), but %s is not set", c.Embed.Provider, c.origins["embed.provider"], missing).
		Or("set %s, or embed.provider to static", k.env())
}

func unknown(at, name string) error {
	err := fault.New(fault.Usage, "%s: no setting is called %q", at, name)
	if near, ok := nearest(name); ok {
		return err.Or("did you mean %s?", near)
	}
	return err.Or("assay config show lists the settings")
}

// find returns the key of that name.
func find(name string) (key, bool) {
	all := keys()
	i := slices.IndexFunc(all, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return all[i], true
}
