package team

import (
	"context"
	_ "embed" // usage.txt
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
)

// Usage is the text that assay team --help prints.
//
//go:embed usage.txt
var Usage string

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
			return fault.Only(io.WriteString(out, Usage))
		}
		return wrong("%v", err)
	}
	rest := fs.Args()
	switch {
	case verb == "":
		return fault.Only(io.WriteString(out, Usage))
	case verb == "check" && len(rest) == 1:
		return checkConfig(rest[0], out)
	case strings.HasPrefix(verb, "token ") && *file == "":
		return wrong("--tokens FILE is missing")
	case verb == "token add" && len(rest) == 0:
		r, err := parseRole(*role)
		if err != nil {
			return err
		}
		token, _, err := AddToken(*file, *team, *holder, r, now)
		if err != nil {
			return err
		}
		return fault.Only(fmt.Fprintln(out, token))
	case verb == "token list" && len(rest) == 0:
		all, err := ListTokens(*file)
		for _, h := range all {
			fmt.Fprintf(out, "%s  %s  %s  %s  %s\n", h.ID, text.Line(h.Team), h.Role, h.Made.Format(time.DateOnly), text.Line(h.Name))
		}
		return err
	case verb == "token revoke" && len(rest) == 1:
		return RevokeToken(*file, rest[0])
	}
	return wrong("unknown command or wrong arguments: %q", strings.TrimSpace(verb+" "+strings.Join(rest, " ")))
}

// checkConfig loads the files of a server as the server does, and prints the number of its teams and tokens.
func checkConfig(file string, out io.Writer) error {
	cfg, err := Load(file)
	if err != nil {
		return err
	}
	holders, err := ListTokens(cfg.Tokens)
	if err != nil {
		return err
	}
	n := map[string]int{}
	for _, h := range holders {
		if n[h.Team]++; cfg.Teams[h.Team] == nil {
			return fault.New(fault.Usage, "token %s belongs to the team %s, which %s does not define", h.ID, h.Team, filepath.Base(file)).
				Or("assay team token revoke --tokens %s %s", cfg.Tokens, h.ID)
		}
	}
	if cfg.TLS != nil {
		if _, err := openKeys(*cfg.TLS, time.Now, func(string, ...any) {}); err != nil {
			return err
		}
	}
	return fault.Only(fmt.Fprintf(out, "%d teams, %d tokens\n", len(cfg.Teams), len(holders)))
}
