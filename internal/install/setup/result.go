package setup

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Result reports the change of each file.
type Result struct {
	Client    string   `json:"client,omitempty"`
	Clients   []string `json:"clients,omitempty"` // the detected clients, if the request names none
	Name      string   `json:"name"`              // of the server
	Project   bool     `json:"project"`
	Command   []string `json:"command,omitempty"` // the command that the client starts
	DryRun    bool     `json:"dry_run"`
	Uninstall bool     `json:"uninstall"`
	Files     []File   `json:"files"`
	Limits    []string `json:"limits,omitempty"`  // requests that the client does not support
	Next      []string `json:"next"`              // steps that the user has to take now
	Status    []string `json:"status,omitempty"`  // the optional programs of a framework, and whether they are installed
	Message   string   `json:"message,omitempty"` // the last line of that status
	Skipped   []Skip   `json:"skipped,omitempty"` // only if the request names no client

	seen bool // the user has already seen the diffs
}

// A Skip is a client that was not changed, and the reason.
type Skip struct {
	Client string `json:"client"`
	Why    string `json:"why"`
}

// A File is a file of the client.
type File struct {
	Client string `json:"client,omitempty"` // only if the request names none
	Path   string `json:"path"`
	What   string `json:"what"`   // server, hooks, plugin, protocols, skill, registry, notes or ignored
	Action string `json:"action"` // created, changed, unchanged, removed or restored; with DryRun the planned action
	Diff   string `json:"diff"`   // unified; values that are not ours are omitted
	Backup string `json:"backup"` // the copy of the former file, if there is one
}

func (r *Result) changed() bool { return r.changes() > 0 }

// changes returns the number of files that were, or would be, changed.
func (r *Result) changes() int {
	n := 0
	for _, f := range r.Files {
		if f.Action != "unchanged" {
			n++
		}
	}
	return n
}

func (r *Result) skip(client string, why error) {
	r.Skipped = append(r.Skipped, Skip{client, why.Error()})
}

// addClient adds a detected client, once.
func (r *Result) addClient(client string) {
	if !slices.Contains(r.Clients, client) {
		r.Clients = append(r.Clients, client)
	}
}

// join adds the changes of one client.
func (r *Result) join(one *Result) {
	for _, f := range one.Files {
		f.Client = one.Client
		r.Files = append(r.Files, f)
	}
	r.Limits = append(r.Limits, one.Limits...)
	for _, next := range one.Next {
		r.Next = append(r.Next, title(one.Client)+": "+next)
	}
}

// WriteText writes the files, each with its diff, and the next steps.
func (r *Result) WriteText(w io.Writer, colour bool) error {
	_, err := io.WriteString(w, r.text(colour))
	return err
}

func (r *Result) text(colour bool) string {
	var b strings.Builder
	for _, f := range r.Files {
		verb := f.Action
		if r.DryRun && verb != "unchanged" {
			verb = "would be " + verb
		}
		fmt.Fprintf(&b, "%s %s (%s)\n", f.Path, verb, f.What)
		if f.Backup != "" {
			fmt.Fprintf(&b, "copy of the former file: %s\n", f.Backup)
		}
		if r.seen {
			continue
		}
		for line := range strings.Lines(f.Diff) {
			b.WriteString(colourLine(line, colour))
		}
		b.WriteString("\n")
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "%s was not changed: %s\n", title(s.Client), s.Why)
	}
	for _, s := range r.Limits {
		fmt.Fprintln(&b, s)
	}
	none := r.Uninstall && len(r.Files) == 0 // no client was configured, so there is no next step
	for i, s := range r.Next {
		if !none {
			fmt.Fprintf(&b, "next %d: ", i+1)
		}
		fmt.Fprintln(&b, s)
	}
	if !r.changed() && !none {
		fmt.Fprintln(&b, "nothing to do")
	}
	for _, s := range r.Status {
		fmt.Fprintln(&b, s)
	}
	if r.Message != "" {
		fmt.Fprintln(&b, r.Message)
	}
	return b.String()
}

func colourLine(line string, colour bool) string {
	code := map[byte]string{'+': "32", '-': "31", '@': "36"}[(line + "\n")[0]]
	if !colour || code == "" {
		return line
	}
	return "\x1b[" + code + "m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n"
}
