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
	preset   string // the default; empty: the users of the setting decide
	project  bool   // a project's file may set it
	absolute bool   // in a file it must be an absolute path, because a relative one depends on the working directory
	value
	means string // its meaning and its allowed values
}

// A value parses the text of a setting into its field, and returns the field as config show prints it.
type value struct {
	set func(c *Config, text string) error
	get func(c *Config) any
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
		{name: "embed.provider", preset: "static", value: oneOf(func(c *Config) *string { return &c.Embed.Provider }, Providers()...),
			means: "the embedding provider, which turns text into vectors: `static`, `model2vec`, `openai`, `openai-compatible` or `none`"},
		{name: "embed.url", value: webAddress(func(c *Config) *string { return &c.Embed.URL }),
			means: "the address of an embedding service"},
		{name: "embed.model", value: checked(func(c *Config) *string { return &c.Embed.Model }, nil),
			means: "the model of the provider: its name, or the folder of one on the disk"},
		{name: "embed.dims", preset: "0", value: intInRange(func(c *Config) *int { return &c.Embed.Dims }, 1, 8192),
			means: "numbers in a vector, 1 to 8192; 0 is as many as the model has"},
		{name: "embed.key_env", value: checked(func(c *Config) *string { return &c.Embed.KeyEnv }, checkVariable),
			means: "the environment variable that holds the key of an embedding service"},
		{name: "index.dir", absolute: true, value: checked(func(c *Config) *string { return &c.IndexDir }, nil),
			means: "the folder of the index (default: `.assay/index` in the project)"},
		{name: "index.backend", preset: "folder",
			value: oneOf(func(c *Config) *string { return &c.Shared.Backend }, "folder", "postgres", "weaviate"),
			means: "the storage of the index: `folder`, or in builds with the tag team `postgres` or `weaviate` at index.url"},
		{name: "index.url", value: checked(func(c *Config) *string { return &c.Shared.URL }, checkShared),
			means: "where indexes are shared: `s3://BUCKET/PREFIX`, from which a tree without an index takes the one of its name, or the database of `index.backend`"},
		{name: "index.endpoint", value: webAddress(func(c *Config) *string { return &c.Shared.Endpoint }),
			means: "the address of an S3 server other than Amazon's"},
		{name: "workspace", absolute: true, value: checked(func(c *Config) *string { return &c.Workspace }, nil),
			means: "the file that lists the repositories which `--repo` names"},
		{name: "docs.db", absolute: true, value: checked(func(c *Config) *string { return &c.Docs.DB }, nil),
			means: "the file of the documentation of libraries"},
		{name: "docs.npm_registry", value: webAddress(func(c *Config) *string { return &c.Docs.Registry }),
			means: "the registry of `npm:NAME`"},
		{name: "docs.request_timeout", preset: "1m0s", value: duration(func(c *Config) *time.Duration { return &c.Docs.Request }),
			means: "the time limit of one request of `docs ingest`, such as `90s`; an archive has the limit of the whole source"},
		{name: "docs.timeout", preset: "1h0m0s", value: duration(func(c *Config) *time.Duration { return &c.Docs.Total }),
			means: "the time limit of one source of `docs ingest`, such as `2h`"},
		{name: "bundle.key", value: checked(func(c *Config) *string { return &c.BundleKey }, checkPublicKey),
			means: "the public key of trusted bundles (`bundle apply`), as `ed25519:` and 64 digits"},
		{name: "memory.vault", absolute: true, value: checked(func(c *Config) *string { return &c.Memory.Vault }, nil),
			means: "the folder of the notes"},
		{name: "memory.db", absolute: true, value: checked(func(c *Config) *string { return &c.Memory.DB }, nil),
			means: "the file of the index of notes and sessions"},
		{name: "memory.chunk_tokens", preset: "0", value: intInRange(func(c *Config) *int { return &c.Memory.ChunkTokens }, 50, 4000),
			means: "tokens in a piece of a note, 50 to 4000; 0: 400"},
		{name: "memory.overlap_tokens", preset: "0", value: intInRange(func(c *Config) *int { return &c.Memory.OverlapTokens }, 1, 2000),
			means: "tokens that two neighbouring pieces share, 1 to 2000; 0: 80"},
		{name: "memory.vector_weight", preset: "0", value: floatInRange(func(c *Config) *float64 { return &c.Memory.VectorWeight }, 0, 1),
			means: "the weight of meaning in memory, 0 to 1; 0: .7"},
		{name: "memory.text_weight", preset: "0", value: floatInRange(func(c *Config) *float64 { return &c.Memory.TextWeight }, 0, 1),
			means: "the weight of words in memory, 0 to 1; 0: .3"},
		{name: "memory.min_score", preset: "0", value: floatInRange(func(c *Config) *float64 { return &c.Memory.MinScore }, -1, 1),
			means: "the minimum score of a hit of memory, up to 1; 0: only hits found by meaning alone have one, -1: no minimum"},
		{name: "memory.half_life_days", preset: "0", value: floatInRange(func(c *Config) *float64 { return &c.Memory.HalfLifeDays }, -1, 36500),
			means: "days after which an old session counts half; 0: 30, -1: never"},
		{name: "memory.max_results", preset: "0", value: intInRange(func(c *Config) *int { return &c.Memory.MaxResults }, 1, 100),
			means: "hits of a search in memory, 1 to 100; 0: 6"},
		{name: "memory.recall_tokens", preset: "0", value: intInRange(func(c *Config) *int { return &c.Memory.RecallTokens }, 50, 2000),
			means: "tokens that a hook may add to a prompt, 50 to 2000; 0: 800"},
		{name: "lua.memory", value: scriptMemory,
			means: "the memory limit of a script, such as `64MiB`"},
		{name: "lua.project_modules", preset: "always",
			value: oneOf(func(c *Config) *string { return &c.Lua.ProjectModules }, "always", "ask", "never"),
			means: "whether scripts load modules of a project's own `./modules`: `always`, `ask` first, or `never`"},
		{name: "search.top_k", preset: "0", project: true, value: intInRange(func(c *Config) *int { return &c.Search.TopK }, 1, 1000),
			means: "hits of a search, 1 to 1000; 0: 10"},
		{name: "search.budget", preset: "0", project: true, value: intInRange(func(c *Config) *int { return &c.Search.Budget }, 50, 1_000_000),
			means: "tokens of the answer of a search, 50 to 1000000; 0: 4000 in a pipe, 10000 there as JSON, no limit on a terminal"},
		{name: "color", preset: "auto", project: true, value: oneOf(func(c *Config) *string { return &c.Color }, "auto", "always", "never"),
			means: "colours: `auto` (only on a terminal), `always` or `never`"},
		{name: "serve.calls", preset: "on", value: oneOf(func(c *Config) *string { return &c.Calls }, "on", "off"),
			means: "whether a server records each call for the local page (`assay ui`): `on` or `off`"},
		{name: "trajectory.mode", project: true, value: oneOf(func(c *Config) *string { return &c.Trajectory }, "off", "lenient", "strict"),
			means: "the log of searches and their reasons: `off`, `lenient`, or `strict`, which refuses a search without a reason"},
	}
})

// scriptMemory is the memory limit of a script, at least 1 MiB; an empty text means the default, which depends on the caller.
var scriptMemory = value{
	set: func(c *Config, s string) error {
		if s == "" {
			c.Lua.Memory = 0
			return nil
		}
		n, err := text.ParseSize(s)
		if minimum := int64(1 << 20); err == nil && n < minimum {
			err = fmt.Errorf("%s is below the minimum, %s", text.Size(n), text.Size(minimum))
		}
		if err == nil {
			c.Lua.Memory = n
		}
		return err
	},
	get: func(c *Config) any {
		if c.Lua.Memory == 0 {
			return "256 MiB, 64 MiB over MCP"
		}
		return text.Size(c.Lua.Memory)
	},
}

// duration is a time limit, which must be positive.
func duration(field func(*Config) *time.Duration) value {
	return value{
		set: func(c *Config, s string) error {
			d, err := time.ParseDuration(s)
			if err != nil || d <= 0 {
				return fmt.Errorf("%q is not a positive duration such as 90s or 2h", s)
			}
			*field(c) = d
			return nil
		},
		get: func(c *Config) any { return field(c).String() },
	}
}

// checked is a text that check accepts; any text if check is nil. It and the three below must not be inlined, because a copy
// for each setting would make the slim build too large.
//
//go:noinline
func checked(field func(*Config) *string, check func(string) error) value {
	return value{
		set: func(c *Config, s string) error {
			if check != nil {
				if err := check(s); err != nil {
					return err
				}
			}
			*field(c) = s
			return nil
		},
		get: func(c *Config) any { return *field(c) },
	}
}

// oneOf is one of some words.
//
//go:noinline
func oneOf(field func(*Config) *string, words ...string) value {
	return checked(field, func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("%q is not one of %s", s, strings.Join(words, ", "))
		}
		return nil
	})
}

// intInRange is an integer in low..high, or 0 for the default.
//
//go:noinline
func intInRange(field func(*Config) *int, low, high int) value {
	return value{
		set: func(c *Config, s string) error {
			n, err := strconv.Atoi(s)
			if err != nil || n != 0 && (n < low || n > high) {
				return fmt.Errorf("%q is not an integer in %d..%d, or 0", s, low, high)
			}
			*field(c) = n
			return nil
		},
		get: func(c *Config) any { return *field(c) },
	}
}

// floatInRange is a number in low..high.
//
//go:noinline
func floatInRange(field func(*Config) *float64, low, high float64) value {
	return value{
		set: func(c *Config, s string) error {
			n, err := strconv.ParseFloat(s, 64)
			if err != nil || !(n >= low && n <= high) {
				return fmt.Errorf("%q is not a number in %v..%v", s, low, high)
			}
			*field(c) = n
			return nil
		},
		get: func(c *Config) any { return *field(c) },
	}
}

// webAddress is a URL, which is shown without the parts that may be secret.
func webAddress(field func(*Config) *string) value {
	v := checked(field, checkURL)
	v.get = func(c *Config) any { return maskURL(*field(c)) }
	return v
}

func checkURL(s string) error {
	u, err := url.Parse(s)
	if s == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return nil
	}
	// The error must not repeat the text, because it may contain a password.
	return errors.New("it must be a URL of the form https://HOST or http://HOST")
}

// checkShared accepts the address of a bucket or a database. It must not contain a password, because config show prints it.
func checkShared(s string) error {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		if strings.ContainsAny(s, "@?#") {
			return errors.New("it must be of the form https://HOST:PORT, without a key")
		}
		return nil
	}
	if rest, ok := strings.CutPrefix(s, "postgres://"); ok {
		user, _, hasUser := strings.Cut(rest, "@")
		hasPassword := hasUser && strings.Contains(user, ":") || strings.Contains(rest, "password=")
		if rest == "" || hasPassword {
			return errors.New("it must be of the form postgres://USER@HOST/DATABASE, without a password")
		}
		return nil
	}
	rest, ok := strings.CutPrefix(s, "s3://")
	if s != "" && (!ok || rest == "" || strings.ContainsAny(rest, "@?#")) {
		return errors.New("it must be of the form s3://BUCKET/PREFIX")
	}
	return nil
}

func checkPublicKey(s string) error {
	rest, ok := strings.CutPrefix(s, "ed25519:")
	if s != "" && (!ok || len(rest) != 64 || strings.Trim(rest, "0123456789abcdef") != "") {
		return errors.New("it must be ed25519: and 64 hexadecimal digits, as bundle keygen prints it")
	}
	return nil
}

// checkVariable accepts the name of an environment variable. The error must not repeat the text, because it may be a key
// that was put there by mistake.
func checkVariable(s string) error {
	const letters = "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	if strings.Trim(s, letters+"0123456789") != "" || strings.IndexAny(s, "0123456789") == 0 {
		return errors.New("it must be the name of an environment variable: store the key in a variable, and that variable's name here")
	}
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
