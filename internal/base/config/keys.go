package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
)

// A key describes one setting: its name, its default, and how to parse its value.
type key struct {
	name     string
	means    string // its meaning and its allowed values
	preset   string // the default; empty: the users of the setting decide
	project  bool   // a project's file may set it
	absolute bool   // in a file it must be an absolute path, because a relative one depends on the working directory
	set      func(c *Config, text string) error
	get      func(c *Config) any
}

// Providers returns the names of all embedding providers, the default first. They are defined here and not in embed, because
// settings must be readable without it.
func Providers() []string {
	return []string{"static", "model2vec", "openai", "openai-compatible", "none"}
}

// variable returns the environment variable of k.
func (k key) variable() string {
	return "ASSAY_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
}

// keys returns every setting, in the order of config show.
var keys = sync.OnceValue(func() []key {
	return []key{
		{
			name: "embed.provider", preset: "static",
			means: "the embedding provider, which turns text into vectors: `static`, `model2vec`, `openai`, `openai-compatible` or `none`",
			set:   oneOf(func(c *Config) *string { return &c.Embed.Provider }, Providers()...),
			get:   func(c *Config) any { return c.Embed.Provider },
		},
		{
			name:  "embed.url",
			means: "the address of an embedding service",
			set:   func(c *Config, s string) error { return setURL(&c.Embed.URL, s) },
			get:   func(c *Config) any { return maskURL(c.Embed.URL) },
		},
		{
			name:  "embed.model",
			means: "the model of the provider: its name, or the folder of one on the disk",
			set:   func(c *Config, s string) error { c.Embed.Model = s; return nil },
			get:   func(c *Config) any { return c.Embed.Model },
		},
		{
			name: "embed.dims", preset: "0",
			means: "numbers in a vector, 1 to 8192; 0 is as many as the model has",
			set:   intInRange(func(c *Config) *int { return &c.Embed.Dims }, 1, 8192),
			get:   func(c *Config) any { return c.Embed.Dims },
		},
		{
			name:  "embed.key_env",
			means: "the environment variable that holds the key of an embedding service",
			set:   func(c *Config, s string) error { return setVariable(&c.Embed.KeyEnv, s) },
			get:   func(c *Config) any { return c.Embed.KeyEnv },
		},
		{
			name: "index.dir", absolute: true,
			means: "the folder of the index (default: `.assay/index` in the project)",
			set:   func(c *Config, s string) error { c.IndexDir = s; return nil },
			get:   func(c *Config) any { return c.IndexDir },
		},
		{
			name: "index.backend", preset: "folder",
			means: "the storage of the index: `folder`, or in builds with the tag team `postgres` or `weaviate` at index.url",
			set:   oneOf(func(c *Config) *string { return &c.Shared.Backend }, "folder", "postgres", "weaviate"),
			get:   func(c *Config) any { return c.Shared.Backend },
		},
		{
			name:  "index.url",
			means: "where indexes are shared: `s3://BUCKET/PREFIX`, from which a tree without an index takes the one of its name, or the database of `index.backend`",
			set:   func(c *Config, s string) error { return setShared(&c.Shared.URL, s) },
			get:   func(c *Config) any { return c.Shared.URL },
		},
		{
			name:  "index.endpoint",
			means: "the address of an S3 server other than Amazon's",
			set:   func(c *Config, s string) error { return setURL(&c.Shared.Endpoint, s) },
			get:   func(c *Config) any { return maskURL(c.Shared.Endpoint) },
		},
		{
			name: "workspace", absolute: true,
			set: func(c *Config, s string) error { c.Workspace = s; return nil },
			get: func(c *Config) any { return c.Workspace },

			means: "the file that lists the repositories which `--repo` names",
		},
		{
			name: "docs.db", absolute: true,
			means: "the file of the documentation of libraries",
			set:   func(c *Config, s string) error { c.Docs.DB = s; return nil },
			get:   func(c *Config) any { return c.Docs.DB },
		},
		{
			name:  "docs.npm_registry",
			means: "the registry of `npm:NAME`",
			set:   func(c *Config, s string) error { return setURL(&c.Docs.Registry, s) },
			get:   func(c *Config) any { return maskURL(c.Docs.Registry) },
		},
		{
			name: "docs.request_timeout", preset: "1m0s",
			means: "the time limit of one request of `docs ingest`, such as `90s`; an archive has the limit of the whole source",
			set:   func(c *Config, s string) error { return setDuration(&c.Docs.Request, s) },
			get:   func(c *Config) any { return c.Docs.Request.String() },
		},
		{
			name: "docs.timeout", preset: "1h0m0s",
			means: "the time limit of one source of `docs ingest`, such as `2h`",
			set:   func(c *Config, s string) error { return setDuration(&c.Docs.Total, s) },
			get:   func(c *Config) any { return c.Docs.Total.String() },
		},
		{
			name:  "bundle.key",
			means: "the public key of trusted bundles (`bundle apply`), as `ed25519:` and 64 digits",
			set:   func(c *Config, s string) error { return setPublicKey(&c.BundleKey, s) },
			get:   func(c *Config) any { return c.BundleKey },
		},
		{
			name: "memory.vault", absolute: true,
			means: "the folder of the notes",
			set:   func(c *Config, s string) error { c.Memory.Vault = s; return nil },
			get:   func(c *Config) any { return c.Memory.Vault },
		},
		{
			name: "memory.db", absolute: true,
			means: "the file of the index of notes and sessions",
			set:   func(c *Config, s string) error { c.Memory.DB = s; return nil },
			get:   func(c *Config) any { return c.Memory.DB },
		},
		{
			name: "memory.chunk_tokens", preset: "0",
			means: "tokens in a piece of a note, 50 to 4000; 0: 400",
			set:   intInRange(func(c *Config) *int { return &c.Memory.ChunkTokens }, 50, 4000),
			get:   func(c *Config) any { return c.Memory.ChunkTokens },
		},
		{
			name: "memory.overlap_tokens", preset: "0",
			means: "tokens that two neighbouring pieces share, 1 to 2000; 0: 80",
			set:   intInRange(func(c *Config) *int { return &c.Memory.OverlapTokens }, 1, 2000),
			get:   func(c *Config) any { return c.Memory.OverlapTokens },
		},
		{
			name: "memory.vector_weight", preset: "0",
			means: "the weight of meaning in memory, 0 to 1; 0: .7",
			set:   floatInRange(func(c *Config) *float64 { return &c.Memory.VectorWeight }, 0, 1),
			get:   func(c *Config) any { return c.Memory.VectorWeight },
		},
		{
			name: "memory.text_weight", preset: "0",
			means: "the weight of words in memory, 0 to 1; 0: .3",
			set:   floatInRange(func(c *Config) *float64 { return &c.Memory.TextWeight }, 0, 1),
			get:   func(c *Config) any { return c.Memory.TextWeight },
		},
		{
			name: "memory.min_score", preset: "0",
			means: "the minimum score of a hit of memory, up to 1; 0: only hits found by meaning alone have one, -1: no minimum",
			set:   floatInRange(func(c *Config) *float64 { return &c.Memory.MinScore }, -1, 1),
			get:   func(c *Config) any { return c.Memory.MinScore },
		},
		{
			name: "memory.half_life_days", preset: "0",
			means: "days after which an old session counts half; 0: 30, -1: never",
			set:   floatInRange(func(c *Config) *float64 { return &c.Memory.HalfLifeDays }, -1, 36500),
			get:   func(c *Config) any { return c.Memory.HalfLifeDays },
		},
		{
			name: "memory.max_results", preset: "0",
			means: "hits of a search in memory, 1 to 100; 0: 6",
			set:   intInRange(func(c *Config) *int { return &c.Memory.MaxResults }, 1, 100),
			get:   func(c *Config) any { return c.Memory.MaxResults },
		},
		{
			name: "memory.recall_tokens", preset: "0",
			means: "tokens that a hook may add to a prompt, 50 to 2000; 0: 800",
			set:   intInRange(func(c *Config) *int { return &c.Memory.RecallTokens }, 50, 2000),
			get:   func(c *Config) any { return c.Memory.RecallTokens },
		},
		{
			name:  "lua.memory",
			means: "the memory limit of a script, such as `64MiB`",
			set:   func(c *Config, s string) error { return setSize(&c.Lua.Memory, s, 1<<20) },
			get: func(c *Config) any {
				if c.Lua.Memory == 0 {
					return "256 MiB, 64 MiB over MCP"
				}
				return text.Size(c.Lua.Memory)
			},
		},
		{
			name: "lua.project_modules", preset: "always",
			means: "whether scripts load modules of a project's own `./modules`: `always`, `ask` first, or `never`",
			set:   oneOf(func(c *Config) *string { return &c.Lua.ProjectModules }, "always", "ask", "never"),
			get:   func(c *Config) any { return c.Lua.ProjectModules },
		},
		{
			name: "search.top_k", preset: "0", project: true,
			means: "hits of a search, 1 to 1000; 0: 10",
			set:   intInRange(func(c *Config) *int { return &c.Search.TopK }, 1, 1000),
			get:   func(c *Config) any { return c.Search.TopK },
		},
		{
			name: "search.budget", preset: "0", project: true,
			means: "tokens of the answer of a search, 50 to 1000000; 0: 4000 in a pipe, 10000 there as JSON, no limit on a terminal",
			set:   intInRange(func(c *Config) *int { return &c.Search.Budget }, 50, 1_000_000),
			get:   func(c *Config) any { return c.Search.Budget },
		},
		{
			name: "color", preset: "auto", project: true,
			means: "colours: `auto` (only on a terminal), `always` or `never`",
			set:   oneOf(func(c *Config) *string { return &c.Color }, "auto", "always", "never"),
			get:   func(c *Config) any { return c.Color },
		},
		{
			name: "serve.calls", preset: "on",
			means: "whether a server records each call for the local page (`assay ui`): `on` or `off`",
			set:   oneOf(func(c *Config) *string { return &c.Calls }, "on", "off"),
			get:   func(c *Config) any { return c.Calls },
		},
		{
			name: "trajectory.mode", project: true,
			means: "the log of searches and their reasons: `off`, `lenient`, or `strict`, which refuses a search without a reason",
			set:   oneOf(func(c *Config) *string { return &c.Trajectory }, "off", "lenient", "strict"),
			get:   func(c *Config) any { return c.Trajectory },
		},
	}
})

// setSize sets a number of bytes, at least min; an empty text means the default.
func setSize(to *int64, s string, minimum int64) error {
	if s == "" {
		*to = 0
		return nil
	}
	n, err := text.ParseSize(s)
	if err == nil && n < minimum {
		err = fmt.Errorf("%s is below the minimum, %s", text.Size(n), text.Size(minimum))
	}
	if err != nil {
		return err
	}
	*to = n
	return nil
}

// setDuration sets a duration, which must be positive.
func setDuration(to *time.Duration, s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a positive duration such as 90s or 2h", s)
	}
	*to = d
	return nil
}

// oneOf returns a setter that accepts only some words. It and the two below must not be inlined, because a copy for each
// setting would make the slim build too large.
//
//go:noinline
func oneOf(field func(*Config) *string, words ...string) func(*Config, string) error {
	return func(c *Config, s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("%q is not one of %s", s, strings.Join(words, ", "))
		}
		*field(c) = s
		return nil
	}
}

// intInRange returns a setter that accepts an integer in low..high, or 0 for the default.
//
//go:noinline
func intInRange(field func(*Config) *int, low, high int) func(*Config, string) error {
	return func(c *Config, s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n != 0 && (n < low || n > high) {
			return fmt.Errorf("%q is not an integer in %d..%d, or 0", s, low, high)
		}
		*field(c) = n
		return nil
	}
}

// floatInRange returns a setter that accepts a number in low..high.
//
//go:noinline
func floatInRange(field func(*Config) *float64, low, high float64) func(*Config, string) error {
	return func(c *Config, s string) error {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || !(n >= low && n <= high) {
			return fmt.Errorf("%q is not a number in %v..%v", s, low, high)
		}
		*field(c) = n
		return nil
	}
}

func setURL(to *string, s string) error {
	if s != "" {
		u, err := url.Parse(s)
		// The error must not repeat the text, because it may contain a password.
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return errors.New("it must be a URL of the form https://HOST or http://HOST")
		}
	}
	*to = s
	return nil
}

// setShared sets the address of a bucket or a database. The address must not contain a password, because config show prints
// it.
func setShared(to *string, s string) error {
	rest, ok := strings.CutPrefix(s, "postgres://")
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		if strings.ContainsAny(s, "@?#") {
			return errors.New("it must be of the form https://HOST:PORT, without a key")
		}
		*to = s
		return nil
	}
	if !ok {
		return setBucket(to, s)
	}
	user, _, hasUser := strings.Cut(rest, "@")
	hasPassword := hasUser && strings.Contains(user, ":") || strings.Contains(rest, "password=")
	if rest == "" || hasPassword {
		return errors.New("it must be of the form postgres://USER@HOST/DATABASE, without a password")
	}
	*to = s
	return nil
}

func setBucket(to *string, s string) error {
	if rest, ok := strings.CutPrefix(s, "s3://"); s != "" && (!ok || rest == "" || strings.ContainsAny(rest, "@?#")) {
		return errors.New("it must be of the form s3://BUCKET/PREFIX")
	}
	*to = s
	return nil
}

func setPublicKey(to *string, s string) error {
	rest, ok := strings.CutPrefix(s, "ed25519:")
	if s != "" && (!ok || len(rest) != 64 || strings.Trim(rest, "0123456789abcdef") != "") {
		return errors.New("it must be ed25519: and 64 hexadecimal digits, as bundle keygen prints it")
	}
	*to = s
	return nil
}

// setVariable sets the name of an environment variable. The error must not repeat the text, because it may be a key that
// was put there by mistake.
func setVariable(to *string, s string) error {
	for i, r := range s {
		switch {
		case r == '_', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', i > 0 && r >= '0' && r <= '9':
		default:
			return errors.New("it must be the name of an environment variable: store the key in a variable, and that variable's name here")
		}
	}
	*to = s
	return nil
}

// maskURL replaces the parts of a URL that may be secret.
func maskURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "***"
	}
	if u.User != nil {
		u.User = url.User("***")
	}
	if u.RawQuery != "" {
		u.RawQuery = "***"
	}
	u.Fragment = ""
	return strings.ReplaceAll(u.String(), "%2A%2A%2A", "***")
}

// nearest returns the key most similar to name, if one is similar enough.
func nearest(name string) (string, bool) {
	best, at := "", 1+max(2, len(name)/3)
	for _, k := range keys() {
		if d := text.Distance(strings.ToLower(name), k.name); d < at {
			best, at = k.name, d
		}
	}
	if best != "" {
		return best, true
	}
	for _, k := range keys() { // "top_k" for "search.top_k", or in another group
		_, leaf, nested := strings.Cut(k.name, ".")
		if nested && name[strings.LastIndexByte(name, '.')+1:] == leaf {
			return k.name, true
		}
	}
	return "", false
}
