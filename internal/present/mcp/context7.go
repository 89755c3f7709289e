package mcp

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
)

// Context7Name is the executable name, and with documentation alone the server's,
// under which assay takes the place of a local Context7.
const Context7Name = "context7-local"

// Context7Args turns the arguments of an executable called Context7Name into
// those of assay: a command on documentation into assay docs, everything else into
// assay serve with the tools for documentation alone. A key of an account, which a
// client's configuration may still have, is dropped: there are no accounts.
func Context7Args(args []string) ([]string, error) {
	if len(args) > 0 {
		switch first := args[0]; {
		case slices.Contains([]string{"ingest", "list", "remove", "preview", "refresh", "export", "import", "resolve", "query"}, first):
			rest, err := withRepo(first, args[1:])
			return append([]string{"docs"}, rest...), err
		case first == "serve":
			args = args[1:]
		case slices.Contains([]string{"--version", "-v", "-V"}, first):
			return []string{"--version"}, nil
		case first == "help":
			args = []string{"--help"}
		}
	}
	out := []string{"serve", "--tools", "docs"}
	for i := 0; i < len(args); i++ {
		switch name, _, joined := strings.Cut(args[i], "="); {
		case name != "--api-key":
			out = append(out, args[i])
		case !joined:
			i++ // its value
		}
	}
	return out, nil
}

// withRepo turns --repo URL, another way to write the source of ingest and of
// preview, into the argument that it is.
func withRepo(command string, args []string) ([]string, error) {
	out := []string{command}
	if command != "ingest" && command != "preview" {
		return append(out, args...), nil
	}
	for i := 0; i < len(args); i++ {
		url, joined := strings.CutPrefix(args[i], "--repo=")
		switch {
		case joined:
			out = append(out, url)
		case args[i] != "--repo":
			out = append(out, args[i])
		case i+1 == len(args):
			return nil, fault.New(fault.Usage, "%s %s: --repo needs an address", Context7Name, command).Or("give it as --repo https://HOST/ORG/PROJECT")
		}
	}
	return out, nil
}
