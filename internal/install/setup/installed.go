package setup

import (
	"bytes"
	"errors"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A Wired is a client's file, and whether it starts this program.
type Wired struct {
	Client string
	Path   string // that has our entry, or cannot be read
	Err    error  // why it cannot be read
	Fix    string // the command that replaces what an older version wrote; empty: there is none

	project bool
}

// Installed returns the files that wire clients to this program, the user's and the
// project's, and those that cannot be read. It changes nothing.
func (f *Feature) Installed() []Wired {
	var out []Wired
	for _, client := range append(names(), loa) {
		for _, project := range []bool{false, true} {
			if client == loa && !project || !project && f.cfg.Home == "" {
				continue
			}
			// As if it were to be removed: then every file that has our name is meant.
			j := job{Input: Input{Client: client, Project: project, Name: usualName, Uninstall: true}}
			c, other := listed(client)
			if other && len(f.paths(c, j)) == 0 {
				continue
			}
			targets, err := f.targets(j)
			if err != nil {
				out = append(out, Wired{Client: client, Err: err, project: project})
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
					continue // its user may have never heard of us
				}
				if err != nil {
					if _, ok := errors.AsType[*fault.Error](err); !ok {
						err = broken(t, old.text, err)
					}
					out = append(out, Wired{Client: client, Path: t.path, Err: err, project: project})
				} else if is.state == ours {
					w := Wired{Client: client, Path: t.path, project: project}
					if is.older {
						w.Fix = "assay setup " + client + " --memory"
						if project {
							w.Fix += " --project"
						}
					}
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// A Program is one that a framework can use, and where PATH finds it.
type Program struct {
	Name string
	Path string // empty: nowhere
	Get  string // how to have it; empty where it is somebody else's
}

// Programs returns the optional ones.
func (f *Feature) Programs() []Program {
	ck := Program{Name: "ck", Get: f.link()}
	ck.Path, _ = f.find("ck")
	beads := Program{Name: "br or bd"}
	for _, name := range []string{"bd", "br"} {
		if at, ok := f.find(name); ok {
			beads = Program{Name: name, Path: at}
		}
	}
	return []Program{ck, beads}
}
