package team

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
)

// Usage is what assay team --help prints.
const Usage = `Administer a team server

Usage:
  assay team check FILE
  assay team token add --tokens FILE --team TEAM --role ROLE --holder NAME
  assay team token list --tokens FILE
  assay team token revoke --tokens FILE ID
  assay team --help             print this

ROLE is read, write (also store what a team remembers) or administer (also read
/metrics and POST /refresh). FILE keeps hashes alone: a token is printed once. A
server that runs follows the file at once, and ends the streams of what is
revoked.

assay serve --team FILE reads such a file; its paths are relative to it:
  workspace: assay.work.yaml    # lists the repositories
  data: data                    # what teams remember, and the audit log
  tokens: tokens.txt
  tls: {cert: server.crt, key: server.key}   # read again when they change
  access_log: access.jsonl      # or "-"; without what was asked
  drain: 5s                     # /readyz says no so long before it stops
  parallel: 9                   # calls at once of all teams; default: two per processor, and one
  oidc:                         # tokens of a provider count too
    issuer: https://id.example.org
    audience: assay             # what its tokens for this server are for
    claim: groups               # where the groups of a user are
    grants: [{group: developers, team: red, role: write}]
  teams:
    red:  {repos: [api, web], docs: [docs.db], memory: true, rate: 600}
    blue: {repos: [lib], daily: 10000, parallel: 4}

Example:
  $ assay team token add --tokens tokens.txt --team red --role write --holder ann

Exit status:
  0 done, 2 wrong usage, 3 no such file or token, 5 the file cannot be written
`

// Command is the command team.
func Command(_ context.Context, args []string, now time.Time, out io.Writer) error {
	wrong := func(format string, args ...any) error {
		return fault.New(fault.Usage, "team: "+format, args...).Or("assay team --help shows how")
	}
	verb := ""
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") && (verb == "" || verb == "token") {
		verb, args = strings.TrimSpace(verb+" "+args[0]), args[1:]
	}
	fs := flag.NewFlagSet("team", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	file := fs.String("tokens", "", "")
	team := fs.String("team", "", "")
	role := fs.String("role", "read", "")
	holder := fs.String("holder", "", "")
	if err := fs.Parse(args); err != nil {
		if err == flag.ErrHelp {
			_, err := io.WriteString(out, Usage)
			return err
		}
		return wrong("%v", err)
	}
	rest := fs.Args()
	switch {
	case verb == "":
		_, err := io.WriteString(out, Usage)
		return err
	case verb == "check" && len(rest) == 1:
		return check(rest[0], out)
	case strings.HasPrefix(verb, "token ") && *file == "":
		return wrong("--tokens names no file")
	case verb == "token add" && len(rest) == 0:
		r, err := parseRole(*role)
		if err != nil {
			return err
		}
		token, _, err := AddToken(*file, *team, *holder, r, now)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, token)
		return err
	case verb == "token list" && len(rest) == 0:
		all, err := List(*file)
		for _, h := range all {
			fmt.Fprintf(out, "%s  %s  %s  %s  %s\n", h.ID, text.Line(h.Team), h.Role, h.Made.Format(time.DateOnly), text.Line(h.Name))
		}
		return err
	case verb == "token revoke" && len(rest) == 1:
		return RevokeToken(*file, rest[0])
	}
	return wrong("%q is not known, or has not the arguments that it takes", strings.TrimSpace(verb+" "+strings.Join(rest, " ")))
}

// check reads the files of a server as it would, and says what it would serve.
func check(file string, out io.Writer) error {
	cfg, err := Load(file)
	if err != nil {
		return err
	}
	holders, err := List(cfg.Tokens)
	if err != nil {
		return err
	}
	n := map[string]int{}
	for _, h := range holders {
		if n[h.Team]++; cfg.Teams[h.Team] == nil {
			return fault.New(fault.Usage, "token %s belongs to the team %s, which is not in the file", h.ID, h.Team).Or("assay team token revoke --tokens %s %s", cfg.Tokens, h.ID)
		}
	}
	if cfg.TLS != nil {
		if _, err := openKeys(*cfg.TLS, time.Now, func(string, ...any) {}); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%d teams, %d tokens\n", len(cfg.Teams), len(holders))
	return err
}
