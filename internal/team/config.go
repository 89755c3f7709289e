// Package team serves several teams over HTTP from one process. A client that presents a token only gets answers from the
// data of that token's team, because each team has features of its own, opened over its own folders: the data of another
// team is not guarded by a check, it is not there.
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

// A Config holds the settings of a team server. Paths in its file are relative to that file.
type Config struct {
	Workspace  string           `yaml:"workspace"` // the file that lists the repositories
	Data       string           `yaml:"data"`      // a folder for the notes of teams
	Tokens     string           `yaml:"tokens"`
	TLS        *Files           `yaml:"tls"`
	Plain      bool             `yaml:"plain"`       // serve without TLS on a public address, because a proxy in front of this server has it
	AccessLog  string           `yaml:"access_log"`  // a file, or "-" for standard error; empty: none
	LogQueries bool             `yaml:"log_queries"` // also log the arguments of calls that only read, without secrets
	AuditLog   string           `yaml:"audit_log"`   // a file: every call that writes; empty: in data
	Drain      Duration         `yaml:"drain"`       // how long /readyz fails before the server stops
	OIDC       *OIDC            `yaml:"oidc"`        // the identity provider whose tokens are accepted too
	Parallel   int              `yaml:"parallel"`    // concurrent calls of all teams; 0: two for each processor, plus one
	Teams      map[string]*Team `yaml:"teams"`

	dir string
}

// Files are a certificate with its chain, and its key, in PEM.
type Files struct {
	Cert string `yaml:"cert"`
	Key  string `yaml:"key"`
}

// A Team holds the permissions and limits of one team.
type Team struct {
	Repos    []string `yaml:"repos"`    // names in the workspace file
	Docs     []string `yaml:"docs"`     // files of library documentation
	Memory   bool     `yaml:"memory"`   // it has notes, in its own folder below data
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
		err = errors.New("the duration must be between 0 and 1h")
	}
	*d = Duration(v)
	return err
}

const maxConfig = 1 << 20

// Load reads the file of a team server.
func Load(file string) (*Config, error) {
	text, err := readProtected(file, maxConfig)
	if err != nil {
		kind := fault.NotFound
		if hasMode(file, othersWrite) {
			kind = fault.Usage
		}
		return nil, fault.New(kind, "cannot read the server's configuration file").Because(err).Or("assay team --help shows an example")
	}
	c := &Config{}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return nil, configError(file, "%s", strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " "))
	}
	if c.dir, err = filepath.Abs(filepath.Dir(file)); err != nil {
		return nil, err
	}
	for _, p := range []*string{&c.Workspace, &c.Data, &c.Tokens, &c.AuditLog} {
		c.makeAbsolute(p)
	}
	if c.AccessLog != "-" {
		c.makeAbsolute(&c.AccessLog)
	}
	if err := c.checkServer(file); err != nil {
		return nil, err
	}
	if c.TLS != nil {
		c.makeAbsolute(&c.TLS.Cert)
		c.makeAbsolute(&c.TLS.Key)
	}
	if c.AuditLog == "" {
		c.AuditLog = filepath.Join(c.Data, "audit.jsonl")
	}
	for name, t := range c.Teams {
		if err := c.checkTeam(file, name, t); err != nil {
			return nil, err
		}
		for i := range t.Docs {
			c.makeAbsolute(&t.Docs[i])
		}
		slices.Sort(t.Repos)
	}
	if c.OIDC != nil {
		c.makeAbsolute(&c.OIDC.CA)
		if err := c.OIDC.check(c.Teams); err != nil {
			return nil, configError(file, "%v", err)
		}
	}
	return c, nil
}

// checkServer returns an error for settings that are missing or outside their range.
func (c *Config) checkServer(file string) error {
	switch {
	case c.Tokens == "":
		return configError(file, "tokens is missing: it must name the token file")
	case c.Data == "":
		return configError(file, "data is missing: it must name a folder")
	case len(c.Teams) == 0:
		return configError(file, "teams is empty")
	case c.Parallel < 0, c.Parallel == 1:
		return configError(file, "parallel must be at least 2: one place for quick calls and one for heavy calls")
	case c.TLS != nil && (c.TLS.Cert == "" || c.TLS.Key == ""):
		return configError(file, "tls needs both cert and key")
	}
	return nil
}

// checkTeam returns an error for a team whose name is invalid, that has no data, or whose limits are negative.
func (c *Config) checkTeam(file, name string, t *Team) error {
	switch {
	case !teamName.MatchString(name):
		return configError(file, "%.80q is not a valid team name: use letters, digits and @._-", name)
	case t == nil || len(t.Repos)+len(t.Docs) == 0 && !t.Memory:
		return configError(file, "team %s has no data: set repos, docs or memory", name)
	case len(t.Repos) > 0 && c.Workspace == "":
		return configError(file, "team %s has repos, but workspace is missing: it must name the file that lists them", name)
	case min(t.Rate, t.Daily, t.Parallel) < 0:
		return configError(file, "team %s has a negative limit", name)
	}
	return nil
}

// makeAbsolute resolves a path against the folder of the configuration file.
func (c *Config) makeAbsolute(p *string) {
	if *p != "" && !filepath.IsAbs(*p) {
		*p = filepath.Join(c.dir, filepath.FromSlash(*p))
	}
}

func configError(file, format string, args ...any) error {
	return fault.New(fault.Usage, "%s: %s", filepath.Base(file), fmt.Sprintf(format, args...)).Or("assay team --help shows an example")
}

// Dir returns the folder of a team's notes. A team name cannot be a path: see teamName.
func (c *Config) Dir(team string) string { return filepath.Join(c.Data, "teams", team) }
