package swift

import (
	"fmt"
	"strings"
)

var traitNames = []string{"async", "generator", "static", "abstract", "constructor", "accessor", "local", "extension", "pointer"}

var kindNames = []string{"reexport", "dynamic", "conditional", "type", "relative", "system", "member"}

// facts renders what was read, one line a fact.
func facts(src string) string {
	f := Read([]byte(src))
	var b strings.Builder
	if f.Module != "" {
		fmt.Fprintf(&b, "of %s\n", f.Module)
	}
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "%s %s", d.Kind, d.Qualified())
		if d.Params != nil {
			fmt.Fprintf(&b, "(%s)", strings.Join(d.Params, " | "))
		}
		if d.Result != "" {
			fmt.Fprintf(&b, " -> %s", d.Result)
		}
		if len(d.Bases) > 0 {
			fmt.Fprintf(&b, " : %s", strings.Join(d.Bases, " | "))
		}
		if len(d.Marks) > 0 {
			fmt.Fprintf(&b, " @%s", strings.Join(d.Marks, " @"))
		}
		for i, t := range traitNames {
			if d.Traits&(1<<i) != 0 {
				b.WriteString(" " + t)
			}
		}
		if d.Exported {
			b.WriteString(" exported")
		}
		if d.Doc.End > d.Doc.Start {
			fmt.Fprintf(&b, " doc=%q", src[d.Doc.Start:d.Doc.End])
		}
		fmt.Fprintf(&b, " body=%q\n", shorten(src[d.Body:d.Span.End]))
	}
	for _, m := range f.Imports {
		fmt.Fprintf(&b, "import %s", m.Path)
		if m.Alias != "" {
			fmt.Fprintf(&b, " as %s", m.Alias)
		}
		for i, name := range kindNames {
			if m.Kind&(1<<i) != 0 {
				b.WriteString(" " + name)
			}
		}
		b.WriteByte('\n')
	}
	for _, c := range f.Calls {
		fmt.Fprintf(&b, "call %s", c.Callee)
		if c.Receiver != "" {
			fmt.Fprintf(&b, " of %s", c.Receiver)
		}
		fmt.Fprintf(&b, " %d", c.Args)
		if c.New {
			b.WriteString(" new")
		}
		b.WriteByte('\n')
	}
	for _, x := range f.Bindings {
		fmt.Fprintf(&b, "bind %s", x.Name)
		if x.Param > 0 {
			fmt.Fprintf(&b, "#%d", x.Param)
		}
		if x.Type != "" {
			fmt.Fprintf(&b, ": %s", x.Type)
		}
		if x.Value != "" {
			fmt.Fprintf(&b, " = %s", x.Value)
		}
		b.WriteByte('\n')
	}
	if f.Missed > 0 {
		fmt.Fprintf(&b, "missed %d\n", f.Missed)
	}
	return b.String()
}

func shorten(s string) string {
	if len(s) > 24 {
		return s[:16] + "…" + s[len(s)-4:]
	}
	return s
}
