package setup

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A ConfiguredFile is a client's file that has assay's entry, or cannot be read.
type ConfiguredFile struct {
	Client string
	Path   string     // that has our entry, or cannot be read
	Err    error      // why it cannot be read
	Wrong  string     // why the entry should not be as it is; empty: it is right
	Fix    *fault.Fix // the setup that repairs it; nil: setup would lose flags of the server

	project bool
}

// Installed returns the files of clients that have assay's entry, the user's and the project's, and those that cannot be
// read. It changes nothing.
func (f *Feature) Installed() []ConfiguredFile {
	var out []ConfiguredFile
	for _, client := range append(clientNames(), loa) {
		for _, project := range []bool{false, true} {
			if client == loa && !project || !project && f.cfg.Home == "" {
				continue
			}
			// Request the removal, because its targets are all files that have our name.
			j := job{Input: Input{Client: client, Project: project, Name: usualName, Uninstall: true}}
			c, other := catalogued(client)
			if other && len(f.paths(c, j)) == 0 {
				continue
			}
			targets, err := f.targets(j)
			if err != nil {
				out = append(out, ConfiguredFile{Client: client, Err: err, project: project})
				continue
			}
			var server []string // the command that the client starts
			for _, t := range targets {
				old, err := f.read(t, project)
				if err == nil && !old.exists {
					continue
				}
				var is found
				if err == nil {
					is, err = t.part.look(old.text)
				}
				if other && err != nil && !bytes.Contains(old.text, []byte(usualName)) {
					continue // the user may never have set up this client
				}
				if err != nil {
					if _, ok := errors.AsType[*fault.Error](err); !ok {
						err = parseError(t, old.text, err)
					}
					out = append(out, ConfiguredFile{Client: client, Path: t.path, Err: err, project: project})
				} else if is.state == ours {
					if t.what == "server" {
						server = is.command
					}
					w := ConfiguredFile{Client: client, Path: t.path, project: project}
					w.Wrong, w.Fix = f.flawOf(Input{Client: client, Project: project}, t, is, server)
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// flawOf returns why an entry of ours should not be as it is, and the request that repairs it, which begins as in.
func (f *Feature) flawOf(in Input, t target, is found, server []string) (wrong string, fix *fault.Fix) {
	plugin, byAll := f.enabledPlugin(in.Project)
	switch {
	case is.older:
		wrong = "has hooks of an earlier version, which block a session if the program is missing or fails"
		in.Memory = true
	case in.Client == "claude" && t.what == "server" && plugin != "" && byAll:
		return "starts a second server with the tools of assay's plugin, enabled in " + plugin, &fault.Fix{Op: "setup", Args: in.args()}
	case in.Client != loa && isMissing(is.command):
		wrong = "starts " + is.command[0] + ", which does not exist"
		in.Memory, in.Brief = is.memory, is.brief
	default:
		return "", nil
	}
	if in.keep(server) {
		fix = &fault.Fix{Op: "setup", Args: in.args()}
	}
	return wrong, fix
}

// isMissing reports whether the program of a command is a path at which nothing is.
func isMissing(command []string) bool {
	if len(command) == 0 || !filepath.IsAbs(command[0]) {
		return false
	}
	_, err := os.Stat(command[0])
	return errors.Is(err, os.ErrNotExist)
}

// keep takes over the flags of a server's command, and reports whether it knows all of them.
func (in *Input) keep(server []string) bool {
	for i := 2; i < len(server); i += 2 {
		flag, value := server[i], strings.Join(server[i+1:min(i+2, len(server))], "")
		switch {
		case value == "":
			return false
		case flag == "--tools":
			in.Tools = append(in.Tools, value)
		case flag == "--db":
			in.DBs = append(in.DBs, value)
		case flag == "--root" && value == workspaceFolder: // setup adds it
		case flag == "--root":
			in.Roots = append(in.Roots, value)
		default:
			return false
		}
	}
	return true
}

// A Program is an optional program of a framework, and its path.
type Program struct {
	Name string
	Path string // empty: not in PATH
	Get  string // the command that installs it; empty: it is not part of assay
}

// Programs returns the optional programs of frameworks.
func (f *Feature) Programs() []Program {
	ck := Program{Name: "ck", Get: f.linkCommand()}
	ck.Path, _ = f.find("ck")
	beads := Program{Name: "br or bd"}
	for _, name := range []string{"bd", "br"} {
		if at, ok := f.find(name); ok {
			beads = Program{Name: name, Path: at}
		}
	}
	return []Program{ck, beads}
}
