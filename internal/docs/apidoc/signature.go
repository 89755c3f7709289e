package apidoc

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// signature returns the head of a declaration as it is written and, of a type that lists
// its fields, the fields.
func (r *reader) signature(i int) string {
	d := &r.facts.Decls[i]
	if at := r.typeOver(d); at >= 0 {
		over := lineComment.ReplaceAllString(r.text[at:lineStart(r.text, d.NameAt)], "")
		return cutBalanced(strings.TrimSpace(pragma.ReplaceAllString(over, "")), r.lang, maxSignature)
	}
	start := r.headStart(d)
	end := d.Body
	if syntax.Has(r.lang, "schema") || d.Kind == corpus.Type { // the head of an alias says nothing
		end = d.Span.End
	} else if syntax.Has(r.lang, "heads-end-with-lines") {
		end = r.closedEnd(start, end)
	}
	switch d.Kind {
	case corpus.Constant, corpus.Variable:
		end = d.Span.End
	case corpus.Macro:
		if isHeader(r.path) && d.Span.End-start <= maxValue {
			end = d.Span.End
		}
	case corpus.Struct, corpus.Interface, corpus.Enum, corpus.Type:
		if d.Span.End-start <= maxBody && !r.hasFunctions(d) {
			end = d.Span.End
		}
	}
	s := dedent(r.text[start:max(start, end)])
	switch {
	case r.lang == "csharp" && d.Kind != corpus.Enum: // what is said of members is with them
		s = xmlLine.ReplaceAllString(s, "")
	case r.lang == "go" && end == d.Span.End && (d.Kind == corpus.Struct || d.Kind == corpus.Interface || d.Kind == corpus.Type) && strings.HasPrefix(s, d.Name):
		s = "type " + strings.TrimSuffix(s, "\n)") // of several between parentheses
	}
	if r.lang == "go" && strings.Count(s, ")") > strings.Count(s, "(") {
		s = strings.TrimSuffix(s, "\n)") // the end of several between parentheses
	}
	most := maxSignature + maxBody
	if (d.Kind == corpus.Constant || d.Kind == corpus.Variable) && !Declarations(r.path) && !syntax.Has(r.lang, "schema") {
		most = maxValue
	}
	s = cutBalanced(s, r.lang, most)
	if end <= d.Body {
		s = strings.TrimRight(s, " \t\r\n{")
		if head, _, ok := strings.Cut(s, " =>"); ok && syntax.Has(r.lang, "bodies-behind-arrows") {
			s = head
		}
		s = strings.TrimSuffix(s, "=>")
		if syntax.Has(r.lang, "results-behind-equals") {
			s = strings.TrimRight(strings.TrimSuffix(s, "="), " \t\r\n")
		}
		s = trimComments(s, r.lang)
		if r.lang == "ruby" {
			s = strings.TrimSuffix(s, ";") // "def a; end"
		}
	}
	for _, m := range d.Marks {
		switch name, _, _ := strings.Cut(m, "("); name {
		case "property", "classmethod", "staticmethod", "cached_property", "contextmanager", "contextlib.contextmanager":
			s = "@" + m + "\n" + s
		}
	}
	if r.lang == "elixir" {
		return r.elixirSignature(d, s)
	}
	if r.lang == "python" && d.Kind == corpus.Class {
		for j := i + 1; j < len(r.facts.Decls) && r.facts.Decls[j].Span.Start < d.Span.End; j++ {
			if o := &r.facts.Decls[j]; o.Parent == int32(i) && o.Name == "__init__" {
				s += "\n    " + strings.ReplaceAll(r.signature(j), "\n", "\n    ")
				break
			}
		}
	}
	return strings.TrimSpace(s)
}

var xmlLine = lazy.Regexp(`(?m)^[ \t]*///.*\n`)

// headStart returns where the head of a declaration begins: in the line of its name, or above it where Java or C# has the
// modifiers and the type in lines of their own.
func (r *reader) headStart(d *corpus.Decl) int {
	start := lineStart(r.text, d.NameAt)
	if r.lang == "c" || r.lang == "cpp" { // a type or a template may be in lines above
		from := max(d.Span.Start, d.Doc.End)
		return from + len(r.text[from:d.NameAt]) - len(strings.TrimLeft(r.text[from:d.NameAt], " \t\r\n"))
	}
	if r.lang != "java" && r.lang != "csharp" {
		return start
	}
	for first := lineStart(r.text, d.Span.Start); start > first; {
		from := lineStart(r.text, start-1)
		line := strings.TrimSpace(r.text[from:start])
		if line == "" || strings.ContainsAny(line[:1], "@[/*") || strings.ContainsAny(line[len(line)-1:], ";{}/)]") {
			break
		}
		start = from
	}
	return start
}

// trimComments cuts the lines of comment off that are between a head and its body.
func trimComments(s, lang string) string {
	all := strings.Split(s, "\n")
	for n := len(all) - 1; n > 0; n-- {
		t := strings.TrimSpace(all[n])
		if t != "" && !strings.HasPrefix(t, "//") && !(strings.HasPrefix(t, "#") && (lang == "ruby" || lang == "python")) {
			break
		}
		all = all[:n]
	}
	return strings.TrimRight(strings.Join(all, "\n"), " \t\r\n{")
}

// dedent takes the indentation of the first line off all.
func dedent(s string) string {
	margin := s[:len(s)-len(strings.TrimLeft(s, " \t"))]
	if margin == "" {
		return s
	}
	all := strings.Split(s, "\n")
	for i, l := range all {
		all[i] = strings.TrimPrefix(l, margin)
	}
	return strings.Join(all, "\n")
}
