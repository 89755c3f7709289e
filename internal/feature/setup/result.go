package setup

import (
	"fmt"
	"io"
	"strings"
)

// A Result is what happened to each file.
type Result struct {
	Client    string   `json:"client"`
	Name      string   `json:"name"` // of the server
	Project   bool     `json:"project"`
	Command   []string `json:"command,omitempty"` // what the client starts
	DryRun    bool     `json:"dry_run"`
	Uninstall bool     `json:"uninstall"`
	Files     []File   `json:"files"`
	Next      []string `json:"next"`              // what a person has to do now
	Status    []string `json:"status,omitempty"`  // what a framework could use, and whether it is there
	Message   string   `json:"message,omitempty"` // with which that ends
}

// A File is a file of the client.
type File struct {
	Path   string `json:"path"`
	What   string `json:"what"`   // server, hooks, plugin, protocols, skill, registry, notes or ignored
	Action string `json:"action"` // created, changed, unchanged, removed or restored; with DryRun: what would be
	Diff   string `json:"diff"`   // unified; values that are not ours are omitted
	Backup string `json:"backup"` // what was there before, if that is kept
}

func (r *Result) changed() bool {
	for _, f := range r.Files {
		if f.Action != "unchanged" {
			return true
		}
	}
	return false
}

// maxShown is how many lines of a diff a person is shown.
const maxShown = 60

// WriteText writes the files, each with its diff, and the next steps.
func (r *Result) WriteText(w io.Writer, colour bool) error {
	var b strings.Builder
	for _, f := range r.Files {
		verb := f.Action
		if r.DryRun && verb != "unchanged" {
			verb = "would be " + verb
		}
		fmt.Fprintf(&b, "%s %s (%s)\n", f.Path, verb, f.What)
		if f.Backup != "" {
			fmt.Fprintf(&b, "before: %s\n", f.Backup)
		}
		lines := strings.SplitAfter(f.Diff, "\n")
		for i, line := range lines {
			if i == maxShown && len(lines) > maxShown+5 {
				fmt.Fprintf(&b, "… %d more lines\n", len(lines)-i-1)
				break
			}
			b.WriteString(coloured(line, colour))
		}
		b.WriteString("\n")
	}
	for i, s := range r.Next {
		fmt.Fprintf(&b, "next %d: %s\n", i+1, s)
	}
	if !r.changed() {
		fmt.Fprintf(&b, "nothing to do\n")
	}
	for _, s := range r.Status {
		fmt.Fprintln(&b, s)
	}
	if r.Message != "" {
		fmt.Fprintln(&b, r.Message)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func coloured(line string, colour bool) string {
	code := ""
	switch {
	case !colour:
	case strings.HasPrefix(line, "+"):
		code = "32"
	case strings.HasPrefix(line, "-"):
		code = "31"
	case strings.HasPrefix(line, "@"):
		code = "36"
	}
	if code == "" {
		return line
	}
	return "\x1b[" + code + "m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
}
