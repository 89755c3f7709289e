package setup

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Result is what happened to each file.
type Result struct {
	Client    string   `json:"client,omitempty"`
	Clients   []string `json:"clients,omitempty"` // where none was named: those that are there
	Name      string   `json:"name"`              // of the server
	Project   bool     `json:"project"`
	Command   []string `json:"command,omitempty"` // what the client starts
	DryRun    bool     `json:"dry_run"`
	Uninstall bool     `json:"uninstall"`
	Files     []File   `json:"files"`
	Limits    []string `json:"limits,omitempty"`  // what was asked for and the client has no place for
	Next      []string `json:"next"`              // what a person has to do now
	Status    []string `json:"status,omitempty"`  // what a framework could use, and whether it is there
	Message   string   `json:"message,omitempty"` // with which that ends
	Skipped   []Skip   `json:"skipped,omitempty"` // where no client was named

	seen bool // the person was asked with the diffs in view
}

// A Skip is a client that was left as it is, and why.
type Skip struct {
	Client string `json:"client"`
	Why    string `json:"why"`
}

// A File is a file of the client.
type File struct {
	Client string `json:"client,omitempty"` // where none was named
	Path   string `json:"path"`
	What   string `json:"what"`   // server, hooks, plugin, protocols, skill, registry, notes or ignored
	Action string `json:"action"` // created, changed, unchanged, removed or restored; with DryRun: what would be
	Diff   string `json:"diff"`   // unified; values that are not ours are omitted
	Backup string `json:"backup"` // what was there before, if that is kept
}

func (r *Result) changed() bool { return r.changes() > 0 }

// changes returns how many files are, or would be, changed.
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

// named adds a client that was found, once.
func (r *Result) named(client string) {
	if !slices.Contains(r.Clients, client) {
		r.Clients = append(r.Clients, client)
	}
}

// join adds what happened to the files of one client.
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

// maxShown is how many lines of a diff a person is shown.
const maxShown = 60

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
			fmt.Fprintf(&b, "before: %s\n", f.Backup)
		}
		if r.seen {
			continue
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
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "%s is left as it is: %s\n", title(s.Client), s.Why)
	}
	for _, s := range r.Limits {
		fmt.Fprintln(&b, s)
	}
	none := r.Uninstall && len(r.Files) == 0 // there is no client, and nothing that a person has to do
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
