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

// A key is one setting: its name, what it is when nobody says, and how a text
// becomes its value.
type key struct {
	name     string
	means    string // what it sets, and the values that it takes
	preset   string // empty: whoever uses it decides
	project  bool   // a project's file may set it
	absolute bool   // in a file, a relative path would mean another place to each reader
	set      func(c *Config, text string) error
	get      func(c *Config) any
}

// Providers returns the names of all embedding providers, the default first. They are
// here and not in embed, because settings are read before anything of the core is.
func Providers() []string {
	return []string{"static", "model2vec", "openai", "openai-compatible", "none"}
}

// env returns the environment variable of k.
func (k key) env() string {
	return "ASSAY_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
}

// keys returns every setting, in the order it is shown.
var keys = sync.OnceValue(func() []key {
	return []key{
		{
			name: "embed.provider", preset: "static",
			means: "what turns text into vectors: `static`, `model2vec`, `openai`, `openai-compatible` or `none`",
			set:   oneOf(func(c *Config) *string { return &c.Embed.Provider }, Providers()...),
			get:   func(c *Config) any { return c.Embed.Provider },
		},
		{
			name:  "embed.url",
			means: "the address of an embedding service",
			set:   func(c *Config, s string) error { return setURL(&c.Embed.URL, s) },
			get:   func(c *Config) any { return masked(c.Embed.URL) },
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
			set:   within(func(c *Config) *int { return &c.Embed.Dims }, 1, 8192),
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
			means: "the folder of the index, in place of `.assay/index` in the project",
			set:   func(c *Config, s string) error { c.IndexDir = s; return nil },
			get:   func(c *Config) any { return c.IndexDir },
		},
		{
			name: "index.backend", preset: "folder",
			means: "what holds the index: `folder`, or the `postgres` or `weaviate` at index.url in builds with the tag team",
			set:   oneOf(func(c *Config) *string { return &c.Shared.Backend }, "folder", "postgres", "weaviate"),
			get:   func(c *Config) any { return c.Shared.Backend },
		},
		{
			name:  "index.url",
			means: "where indexes are shared, as `s3://BUCKET/PREFIX`: a tree without an index takes the one of its name; with `index.backend` the database",
			set:   func(c *Config, s string) error { return setShared(&c.Shared.URL, s) },
			get:   func(c *Config) any { return c.Shared.URL },
		},
		{
			name:  "index.endpoint",
			means: "the address of a server that speaks S3's protocol, where that is not Amazon's",
			set:   func(c *Config, s string) error { return setURL(&c.Shared.Endpoint, s) },
			get:   func(c *Config) any { return masked(c.Shared.Endpoint) },
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
			means: "where `npm:NAME` is read from",
			set:   func(c *Config, s string) error { return setURL(&c.Docs.Registry, s) },
			get:   func(c *Config) any { return masked(c.Docs.Registry) },
		},
		{
			name: "docs.request_timeout", preset: "1m0s",
			means: "the time that one request of `docs ingest` may take, such as `90s`; an archive has that of the whole source",
			set:   func(c *Config, s string) error { return setDuration(&c.Docs.Request, s) },
			get:   func(c *Config) any { return c.Docs.Request.String() },
		},
		{
			name: "docs.timeout", preset: "1h0m0s",
			means: "the time that one source of `docs ingest` may take, such as `2h`",
			set:   func(c *Config, s string) error { return setDuration(&c.Docs.Total, s) },
			get:   func(c *Config) any { return c.Docs.Total.String() },
		},
		{
			name:  "bundle.key",
			means: "the public key that signs the bundles you accept (`bundle apply`), as `ed25519:` and 64 digits",
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
			set:   within(func(c *Config) *int { return &c.Memory.ChunkTokens }, 50, 4000),
			get:   func(c *Config) any { return c.Memory.ChunkTokens },
		},
		{
			name: "memory.overlap_tokens", preset: "0",
			means: "tokens that two neighbouring pieces share, 1 to 2000; 0: 80",
			set:   within(func(c *Config) *int { return &c.Memory.OverlapTokens }, 1, 2000),
			get:   func(c *Config) any { return c.Memory.OverlapTokens },
		},
		{
			name: "memory.vector_weight", preset: "0",
			means: "the weight of meaning in memory, 0 to 1; 0: .7",
			set:   between(func(c *Config) *float64 { return &c.Memory.VectorWeight }, 0, 1),
			get:   func(c *Config) any { return c.Memory.VectorWeight },
		},
		{
			name: "memory.text_weight", preset: "0",
			means: "the weight of words in memory, 0 to 1; 0: .3",
			set:   between(func(c *Config) *float64 { return &c.Memory.TextWeight }, 0, 1),
			get:   func(c *Config) any { return c.Memory.TextWeight },
		},
		{
			name: "memory.min_score", preset: "0",
			means: "the score that a hit of memory needs, up to 1; 0: hits found by meaning alone must be similar, -1: no minimum",
			set:   between(func(c *Config) *float64 { return &c.Memory.MinScore }, -1, 1),
			get:   func(c *Config) any { return c.Memory.MinScore },
		},
		{
			name: "memory.half_life_days", preset: "0",
			means: "days after which an old session counts half; 0: 30, -1: never",
			set:   between(func(c *Config) *float64 { return &c.Memory.HalfLifeDays }, -1, 36500),
			get:   func(c *Config) any { return c.Memory.HalfLifeDays },
		},
		{
			name: "memory.max_results", preset: "0",
			means: "hits of a question to memory, 1 to 100; 0: 6",
			set:   within(func(c *Config) *int { return &c.Memory.MaxResults }, 1, 100),
			get:   func(c *Config) any { return c.Memory.MaxResults },
		},
		{
			name: "memory.recall_tokens", preset: "0",
			means: "tokens that a hook may add to a prompt, 50 to 2000; 0: 800",
			set:   within(func(c *Config) *int { return &c.Memory.RecallTokens }, 50, 2000),
			get:   func(c *Config) any { return c.Memory.RecallTokens },
		},
		{
			name:  "lua.memory",
			means: "memory that a script may use, such as `64MiB`",
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
			set:   within(func(c *Config) *int { return &c.Search.TopK }, 1, 1000),
			get:   func(c *Config) any { return c.Search.TopK },
		},
		{
			name: "search.budget", preset: "0", project: true,
			means: "tokens that the answer of a search may have, 50 to 1000000; 0: 4000 in a pipe, 10000 there as JSON, no limit on a terminal",
			set:   within(func(c *Config) *int { return &c.Search.Budget }, 50, 1_000_000),
			get:   func(c *Config) any { return c.Search.Budget },
		},
		{
			name: "color", preset: "auto", project: true,
			means: "colours: `auto` is on a terminal only, `always`, `never`",
			set:   oneOf(func(c *Config) *string { return &c.Color }, "auto", "always", "never"),
			get:   func(c *Config) any { return c.Color },
		},
		{
			name: "serve.calls", preset: "on",
			means: "whether a server notes each call, for you alone to see on the page: `on` or `off`",
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

// setSize takes a number of bytes, at least so many, or nothing for the default.
func setSize(to *int64, s string, least int64) error {
	if s == "" {
		*to = 0
		return nil
	}
	n, err := text.ParseSize(s)
	if err == nil && n < least {
		err = fmt.Errorf("%s is below the minimum, %s", text.Size(n), text.Size(least))
	}
	if err != nil {
		return err
	}
	*to = n
	return nil
}

// setDuration takes a time that is not nothing.
func setDuration(to *time.Duration, s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a time such as 90s or 2h", s)
	}
	*to = d
	return nil
}

// oneOf returns a setter that takes only the given words. A copy of it for each setting, as the
// compiler makes them, would take the slim build over its size; so with the two below.
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

// within returns a setter that takes a number in low..high, or 0 for no opinion.
//
//go:noinline
func within(field func(*Config) *int, low, high int) func(*Config, string) error {
	return func(c *Config, s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n != 0 && (n < low || n > high) {
			return fmt.Errorf("%q is not a number in %d..%d, or 0", s, low, high)
		}
		*field(c) = n
		return nil
	}
}

// between returns a setter that takes a number in low..high.
//
//go:noinline
func between(field func(*Config) *float64, low, high float64) func(*Config, string) error {
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
		// The text is not repeated: it may hold a password.
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return errors.New("it is not a URL that begins with https:// or http:// and a host")
		}
	}
	*to = s
	return nil
}

// setShared takes the address of a bucket, or of a database without a password: that would
// be shown with the settings.
func setShared(to *string, s string) error {
	rest, ok := strings.CutPrefix(s, "postgres://")
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		if strings.ContainsAny(s, "@?#") {
			return errors.New("it is not of the form https://HOST:PORT, without a key")
		}
		*to = s
		return nil
	}
	if !ok {
		return setBucket(to, s)
	}
	if user, _, ok := strings.Cut(rest, "@"); rest == "" || ok && strings.Contains(user, ":") || strings.Contains(rest, "password=") {
		return errors.New("it is not of the form postgres://USER@HOST/DATABASE, without a password")
	}
	*to = s
	return nil
}

func setBucket(to *string, s string) error {
	if rest, ok := strings.CutPrefix(s, "s3://"); s != "" && (!ok || rest == "" || strings.ContainsAny(rest, "@?#")) {
		return errors.New("it is not of the form s3://BUCKET/PREFIX")
	}
	*to = s
	return nil
}

func setPublicKey(to *string, s string) error {
	rest, ok := strings.CutPrefix(s, "ed25519:")
	if s != "" && (!ok || len(rest) != 64 || strings.Trim(rest, "0123456789abcdef") != "") {
		return errors.New("it is not ed25519: and 64 hexadecimal digits, as bundle keygen prints them")
	}
	*to = s
	return nil
}

// setVariable takes the name of an environment variable. It repeats nothing it
// refuses: a key put there by mistake must not be shown.
func setVariable(to *string, s string) error {
	for i, r := range s {
		switch {
		case r == '_', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', i > 0 && r >= '0' && r <= '9':
		default:
			return errors.New("it is not the name of an environment variable; put the key in a variable and that variable's name here")
		}
	}
	*to = s
	return nil
}

// masked hides what a URL may hold of secrets.
func masked(s string) string {
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

// nearest returns the key most like name, if one is like it at all.
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
	for _, k := range keys() { // "top_k" for "search.top_k", or under another head
		_, leaf, nested := strings.Cut(k.name, ".")
		if nested && name[strings.LastIndexByte(name, '.')+1:] == leaf {
			return k.name, true
		}
	}
	return "", false
}
