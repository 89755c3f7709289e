package catalog

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// mostDescription is how many characters of a description are shown.
const mostDescription = 120

// WriteText writes the answer as a prompt takes it: the modules, what is there without them, and how the first of them is used.
func (a *ModulesAnswer) WriteText(w io.Writer, _ bool) error {
	var b strings.Builder
	b.WriteString("# Assay Module Context\n\n")
	switch {
	case a.Query == "":
		fmt.Fprintf(&b, "## All Modules (%d)\n\n", a.Modules)
	case a.Unsure:
		b.WriteString("## No Module Surely Matches; the Nearest\n\n")
	case len(a.Entries) > 0:
		b.WriteString("## Matching Modules\n\n")
	default:
		fmt.Fprintf(&b, "No matching modules found.\nNone of %d modules has a word of the query. Try other words; an empty query lists them all.\n\n", a.Modules)
	}
	for i := range a.Entries {
		a.Entries[i].write(&b, a.Engine != "" && a.Explained)
	}
	b.WriteString("## Built-in Functions (always available, no require needed)\n")
	for _, group := range Builtins() {
		b.WriteString(group.line())
	}
	b.WriteString("\n## Usage\n")
	b.WriteString(a.usage())
	if a.Explained && a.Engine != "" {
		fmt.Fprintf(&b, "\n## Search\n%s over %d modules and %d built-in tables\n", a.Engine, a.Modules, len(Builtins()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// line returns the functions in a line. What the one before returns too is not said again.
func (b *builtinModule) line() string {
	var out strings.Builder
	last := "nil"
	for i, f := range b.Functions {
		if i > 0 {
			out.WriteString(" | ")
		}
		out.WriteString(f.Signature)
		if f.Returns != last && f.Returns != "nil" {
			out.WriteString(" -> " + f.Returns)
		}
		last = f.Returns
	}
	return out.String() + "\n"
}

func (e *Entry) write(b *strings.Builder, scored bool) {
	fmt.Fprintf(b, "### %s\n", e.Name)
	if e.Description != "" {
		fmt.Fprintln(b, text.Clip(text.Line(e.Description), mostDescription))
	}
	if len(e.Auth) > 0 {
		fmt.Fprintf(b, "Auth: %s\n", text.Line(strings.Join(e.Auth, " or ")))
	}
	if len(e.Env) > 0 {
		fmt.Fprintf(b, "Env: %s\n", text.Line(strings.Join(e.Env, ", ")))
	}
	if len(e.Methods) > 0 {
		b.WriteString("Methods:\n")
	}
	for _, m := range e.Methods {
		if m.Returns == "" {
			fmt.Fprintf(b, "  %s\n", text.Line(m.Signature))
			continue
		}
		fmt.Fprintf(b, "  %s\n", text.Line(m.String()))
	}
	if scored {
		fmt.Fprintf(b, "Score: %.3f\n%s", e.Score, rank.Explanation(e.Explain))
	}
	b.WriteByte('\n')
}

const plainUsage = `local r = http.get("https://api.example.com/status")
print(r.status, json.parse(r.body).state)
`

// usage returns two lines of Lua: the first module's require, and its client or first function.
func (a *ModulesAnswer) usage() string {
	for i := range a.Entries {
		// A list of all modules has no methods, so one with a client shows more.
		if e := &a.Entries[i]; e.module && (a.Query != "" || e.client != nil) {
			return e.usage(a.Query)
		}
	}
	return plainUsage
}

func (e *Entry) usage(query string) string {
	name := variable(e.Name)
	out := fmt.Sprintf("local %s = require(%q)\n", name, e.Name)
	if e.client != nil {
		return out + fmt.Sprintf("local c = %s.client(%s)\n", name, e.arguments(e.client.Params))
	}
	if f, ok := e.nearest(query); ok {
		out += fmt.Sprintf("local result = %s.%s(%s)\n", name, f.Name, e.arguments(f.Params))
	}
	return out
}

// nearest returns the function of a module that has most words of a query, the first of several.
func (e *Entry) nearest(query string) (best Function, ok bool) {
	q, most := newQuestion(query), -1
	words := q.words()
	for _, m := range e.Methods {
		_, sep, name, rest := cutFunction(m.Signature)
		params, _, closed := strings.Cut(rest, ")")
		if sep != '.' || !closed || !text.Identifier(name) {
			continue
		}
		t := q.tally(&Fields{Functions: name + " " + m.Description}, words)
		met := set.Of(t.fields[functionsField].Words)
		if len(met) > most {
			most, ok = len(met), true
			best = Function{Name: name, Params: splitTrimmed(params, ",")}
		}
	}
	return best, ok
}

// variable returns the last part of a module's name as Lua has names.
func variable(module string) string {
	name := strings.ReplaceAll(module[strings.LastIndexByte(module, '.')+1:], "-", "_")
	if reserved(name) {
		name += "_"
	}
	return name
}

// reserved reports whether a name cannot be a variable's, or should not: it is that of a table which is always there.
func reserved(name string) bool {
	const words = " and break do else elseif end false for function goto if in local nil not or repeat return then true until while "
	return strings.Contains(words, " "+name+" ") || slices.ContainsFunc(Builtins(), func(b builtinModule) bool { return b.Name == name })
}

// arguments returns what to give for parameters: variables that the module
// documents where there are any of that name. What may be omitted at the end is.
func (e *Entry) arguments(params []string) string {
	var out []string
	for _, p := range params {
		optional := strings.HasSuffix(p, "?")
		p = strings.TrimSuffix(p, "?")
		switch v := e.variableFor(p); {
		case p == "opts" || p == "options" || p == "...":
			if len(e.Auth) > 0 && strings.HasPrefix(e.Auth[0], "{") {
				out = append(out, e.table(e.Auth[0]))
			}
			return strings.Join(out, ", ")
		case v != "":
			out = append(out, v)
		case optional:
			return strings.Join(out, ", ")
		default:
			out = append(out, `"..."`)
		}
	}
	return strings.Join(out, ", ")
}

// table puts variables into a table of the form { key = "..." }.
func (e *Entry) table(auth string) string {
	var b strings.Builder
	for rest := auth; ; {
		before, after, ok := strings.Cut(rest, `"..."`)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		key := strings.TrimRight(before, " =")
		key = key[strings.LastIndexAny(key, " {,")+1:]
		if v := e.variableFor(key); v != "" {
			b.WriteString(v)
		} else {
			b.WriteString(`"..."`)
		}
		rest = after
	}
}

// variableFor returns the call that reads the variable for a parameter, or "".
func (e *Entry) variableFor(param string) string {
	ends := []string{strings.ToUpper(param)}
	if param == "url" || param == "base_url" {
		ends = []string{"URL", "ADDR", "ADDRESS", "ENDPOINT"}
	}
	for _, end := range ends {
		for _, v := range e.Env {
			if v == end || strings.HasSuffix(v, "_"+end) {
				return fmt.Sprintf("env.get(%q)", v)
			}
		}
	}
	return ""
}
