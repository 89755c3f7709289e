package setup

import (
	"bytes"
	"errors"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A ConfiguredFile is a client's file that has assay's entry, or cannot be read.
type ConfiguredFile struct {
	Client string
	Path   string // that has our entry, or cannot be read
	Err    error  // why it cannot be read
	Wrong  string // why the entry should not be as it is; empty: it is right
	Fix    string // the command that repairs it

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
					w := ConfiguredFile{Client: client, Path: t.path, project: project}
					plugin, byAll := f.enabledPlugin(project)
					switch {
					case is.older:
						w.Wrong = "has hooks of an earlier version, which block a session if the program is missing or fails"
						w.Fix = "assay setup " + client + " --memory"
					case client == "claude" && t.what == "server" && plugin != "" && byAll:
						w.Wrong = "starts a second server with the tools of assay's plugin, enabled in " + plugin
						w.Fix = "assay setup claude"
					}
					if w.Fix != "" && project {
						w.Fix += " --project"
					}
					out = append(out, w)
				}
			}
		}
	}
	return out
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
