package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/present/op"
)

// first are the commands that a newcomer needs, each with the question that it answers.
var first = []struct{ command, question, example string }{
	{"brief", "what do I need to know?", `"retry a request that timed out"`},
	{"search", "where is it?", `"where are retries configured"`},
	{"callers", "what is it connected to?", "Server.Close --depth 2"},
	{"impact", "what does my change reach?", "--diff main"},
	{"docs query", "how is that library used?", `. "stream a response"`},
	{"memory search", "what did we decide?", `"which database did we pick"`},
	{"context", "how do I call that API?", `"silence an alert"`},
	{"audit drift", "is it true?", ""},
	{"setup", "how does my agent use it?", ""},
}

// titles are what the features are called among the commands.
var titles = map[string]string{"brief": "task", "code": "code", "graph": "structure", "docs": "libraries", "memory": "memory", "module": "APIs", "audit": "truth", "setup": "agents", "doctor": "agents", "calls": "agents"}

// overview writes one screen about the program: what comes first, and the names of all commands.
func overview(w io.Writer, ops []op.Op, env Env) error {
	var b strings.Builder
	b.WriteString("assay finds what a coding agent needs to know about the current project.\n\nUsage:\n  assay COMMAND [FLAGS] [ARGUMENTS]\n\nStart here:\n")
	for _, f := range first {
		if slices.ContainsFunc(ops, func(o op.Op) bool { return o.Name == f.command }) {
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-27s assay %s %s", f.question, f.command, f.example), " ") + "\n")
		}
	}
	var order []string
	names := map[string][]string{}
	for _, o := range ops {
		if o.Hidden {
			continue
		}
		title := cmp.Or(titles[o.Set()], o.Set())
		if len(names[title]) == 0 {
			order = append(order, title)
		}
		names[title] = append(names[title], o.Name)
	}
	for _, c := range env.Commands {
		names["agents"] = append(names["agents"], c.Name)
	}
	if !slices.Contains(order, "agents") {
		order = append(order, "agents")
	}
	names["agents"] = append(append(names["agents"], "version"), completions...)
	b.WriteString("\nAll commands:\n")
	for _, title := range order {
		list(&b, title, joined(names[title]))
	}
	b.WriteString("\nassay COMMAND --help explains a command. For example:\n")
	if len(ops) > 0 {
		fmt.Fprintf(&b, "  $ %s\n", ops[0].Example)
	}
	b.WriteString("\nEvery command takes --color auto|always|never and --no-pager.\n\n" + statuses)
	_, err := io.WriteString(w, env.headed(b.String()))
	return err
}

// joined writes names of two words that follow each other and have the first in common
// as one, docs query|resolve, as far as a line goes.
func joined(names []string) []string {
	var out []string
	last := ""
	for _, name := range names {
		one, two, ok := strings.Cut(name, " ")
		if ok && one == last && len(out[len(out)-1])+len(two) < wide-16 {
			out[len(out)-1] += "|" + two
			continue
		}
		last = ""
		if ok {
			last = one
		}
		out = append(out, name)
	}
	return out
}

// wide is how many columns a line of help has.
const wide = 80

// list writes a title and names beside it, in as many lines as they need.
func list(b *strings.Builder, title string, names []string) {
	line := fmt.Sprintf("  %-10s", title)
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if len(line)+1+len(name) > wide {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", 12)
		}
		line += " " + name
	}
	b.WriteString(line + "\n")
}
