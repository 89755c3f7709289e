// Package team serves several teams over HTTP from one process: a client that presents a token is
// answered from what the team of that token may read, and from nothing else. Each team has
// features of its own, opened over its own folders: the data of another team is not guarded by a
// check, it is not there.
package team

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A Config is what the file of a team server says. Paths are relative to the file.
type Config struct {
	Workspace  string           `yaml:"workspace"` // the file that lists the repositories
	Data       string           `yaml:"data"`      // a folder: what teams remember
	Tokens     string           `yaml:"tokens"`
	TLS        *Files           `yaml:"tls"`
	Plain      bool             `yaml:"plain"`       // no TLS on an address that others reach, because a proxy in front of this server has it
	AccessLog  string           `yaml:"access_log"`  // a file, or "-" for standard error; empty: none
	LogQueries bool             `yaml:"log_queries"` // the arguments of calls that only read are in it too, without secrets
	AuditLog   string           `yaml:"audit_log"`   // a file: every call that writes; empty: in data
	Drain      Duration         `yaml:"drain"`       // how long /readyz says no before the server stops
	OIDC       *OIDC            `yaml:"oidc"`        // the identity provider whose tokens are accepted too
	Parallel   int              `yaml:"parallel"`    // calls at once, of all teams; 0: two for each processor, and one
	Teams      map[string]*Team `yaml:"teams"`

	dir string
}

// Files are a certificate with its chain, and its key, in PEM.
type Files struct {
	Cert string `yaml:"cert"`
	Key  string `yaml:"key"`
}

// A Team is what one team may read, and how much of the server it may have.
type Team struct {
	Repos    []string `yaml:"repos"`    // names in the workspace file
	Docs     []string `yaml:"docs"`     // files of library documentation
	Memory   bool     `yaml:"memory"`   // it remembers, in a folder of its own below data
	Rate     int      `yaml:"rate"`     // calls in a minute of one token; 0: no limit
	Daily    int      `yaml:"daily"`    // calls in a day (UTC) of the team; 0: no limit
	Parallel int      `yaml:"parallel"` // calls at once; 0: as many as the server
}

// A Duration is written as 10s or 2m.
type Duration time.Duration

// UnmarshalText reads one.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err == nil && (v < 0 || v > time.Hour) {
		err = errors.New("is not between 0 and 1h")
	}
	*d = Duration(v)
	return err
}

const maxConfig = 1 << 20

// Load reads the file of a team server.
func Load(file string) (*Config, error) {
	text, err := readOwn(file, maxConfig)
	if err != nil {
		kind := fault.NotFound
		if permits(file, othersWrite) {
			kind = fault.Usage
		}
		return nil, fault.New(kind, "the file of the team server").Because(err).Or("assay team --help shows one")
	}
	c := &Config{}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return nil, wrong(file, "%s", strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " "))
	}
	if c.dir, err = filepath.Abs(filepath.Dir(file)); err != nil {
		return nil, err
	}
	for _, p := range []*string{&c.Workspace, &c.Data, &c.Tokens, &c.AuditLog} {
		c.place(p)
	}
	if c.AccessLog != "-" {
		c.place(&c.AccessLog)
	}
	switch {
	case c.Tokens == "":
		return nil, wrong(file, "tokens says no file")
	case c.Data == "":
		return nil, wrong(file, "data says no folder")
	case len(c.Teams) == 0:
		return nil, wrong(file, "it has no teams")
	case c.Parallel < 0, c.Parallel == 1:
		return nil, wrong(file, "parallel is below 2: a quick call and a heavy one have a place each")
	case c.TLS != nil && (c.TLS.Cert == "" || c.TLS.Key == ""):
		return nil, wrong(file, "tls needs both cert and key")
	}
	if c.TLS != nil {
		c.place(&c.TLS.Cert)
		c.place(&c.TLS.Key)
	}
	if c.AuditLog == "" {
		c.AuditLog = filepath.Join(c.Data, "audit.jsonl")
	}
	for name, t := range c.Teams {
		switch {
		case !teamName.MatchString(name):
			return nil, wrong(file, "%.80q is no name of a team", name)
		case t == nil || len(t.Repos)+len(t.Docs) == 0 && !t.Memory:
			return nil, wrong(file, "team %s may read nothing: give it repos, docs or memory", name)
		case len(t.Repos) > 0 && c.Workspace == "":
			return nil, wrong(file, "team %s has repos, and workspace names no file that lists them", name)
		case min(t.Rate, t.Daily, t.Parallel) < 0:
			return nil, wrong(file, "team %s has a limit below 0", name)
		}
		for i := range t.Docs {
			c.place(&t.Docs[i])
		}
		slices.Sort(t.Repos)
	}
	if c.OIDC != nil {
		c.place(&c.OIDC.CA)
		if err := c.OIDC.check(c.Teams); err != nil {
			return nil, wrong(file, "%v", err)
		}
	}
	return c, nil
}

// place makes a path absolute, relative to the file.
func (c *Config) place(p *string) {
	if *p != "" && !filepath.IsAbs(*p) {
		*p = filepath.Join(c.dir, filepath.FromSlash(*p))
	}
}

func wrong(file, format string, args ...any) error {
	return fault.New(fault.Usage, "%s: %s", filepath.Base(file), fmt.Sprintf(format, args...)).Or("assay team --help shows such a file")
}

// Dir returns the folder in which a team remembers. No name of a team is a path.
func (c *Config) Dir(team string) string { return filepath.Join(c.Data, "teams", team) }
