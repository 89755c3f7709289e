package setup

import (
	"bytes"
	"slices"
)

// A part is what setup keeps in one file of a client, in that file's language.
// Its functions take the text of the file and never change it; their errors are
// flaws where the text is to blame.
type part interface {
	// look returns what of ours the text holds.
	look(text []byte) (found, error)
	// put returns the text with our part for a command. What is somebody else's is
	// replaced: the caller has looked.
	put(text []byte, command []string) ([]byte, error)
	// cut returns the text without our part; all else is kept as it is.
	cut(text []byte) ([]byte, error)
	// private returns the spans that a diff does not show.
	private(text []byte) ([]span, error)
	// bare reports whether a text that setup made, less its part, holds nothing.
	bare(text []byte) bool
}

// Some parts were written in another form by older versions. What those wrote is ours
// too: setup replaces it, and uninstall restores what was there before it.
type olderForms interface{ forms() []part }

// makes reports whether setup, of this or an older version, makes text from base for a
// command.
func makes(p part, base []byte, command []string, text []byte) bool {
	all := []part{p}
	if o, ok := p.(olderForms); ok {
		all = append(all, o.forms()...)
	}
	return slices.ContainsFunc(all, func(p part) bool {
		made, err := p.put(base, command)
		return err == nil && bytes.Equal(made, text)
	})
}

// A found is what a text holds under our name.
type found struct {
	state   state
	at      int      // of the entry, in bytes
	command []string // of ours
	older   bool     // an older version wrote it, in another form
}

type state int

const (
	none    state = iota // nothing
	ours                 // what setup wrote, perhaps for another command
	foreign              // somebody else's
)

// isServer reports whether a command starts a server of ours: exe is what the
// running program is called.
func isServer(command []string, exe string) bool {
	return len(command) > 1 && command[1] == "serve" && isAssay(command[0], exe)
}
