package setup

import (
	"bytes"
	"slices"
)

// A part is the text that setup maintains in one file of a client, in that file's language. Its functions never change their
// argument; an error is a flaw if the text is wrong.
type part interface {
	// look returns assay's part in the text.
	look(text []byte) (found, error)
	// put returns the text with assay's part for a command. It replaces an entry of somebody else, so the caller must look
	// first.
	put(text []byte, command []string) ([]byte, error)
	// cut returns the text without assay's part and otherwise unchanged.
	cut(text []byte) ([]byte, error)
	// private returns the spans that a diff must not show.
	private(text []byte) ([]span, error)
	// bare reports whether a text is empty apart from the parts that setup starts a new file with.
	bare(text []byte) bool
}

// olderForms is implemented by parts that older versions wrote in another form. Setup replaces those forms, and uninstall
// restores the file from before them.
type olderForms interface{ forms() []part }

// makes reports whether setup, in this or an older version, would turn base into text for a command.
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

// A found is the entry that a text has under our name.
type found struct {
	state   state
	at      int      // of the entry, in bytes
	command []string // of ours
	older   bool     // an older version wrote it, in another form
	memory  bool     // it has hooks of memory
	brief   bool     // it has the hook of briefs
}

type state int

const (
	none    state = iota // nothing
	ours                 // written by setup, perhaps for another command
	foreign              // written by somebody else
)

// isServer reports whether a command starts assay serve. exe is the name of the running program.
func isServer(command []string, exe string) bool {
	return len(command) > 1 && command[1] == "serve" && isAssay(command[0], exe)
}
