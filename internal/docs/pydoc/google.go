package pydoc

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	googleHead = lazy.Regexp(`^(Args|Arguments|Params|Parameters|Keyword Args|Keyword Arguments|Other Parameters|Attributes|Raises|Warns|Returns?|Yields?):$`)
	googleItem = lazy.Regexp(`^(\*{0,2}[\w.]+)(?:[ \t]*\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\))?:(?:[ \t]+(.*))?$`)
)

// Fields returns a docstring whose sections in Google's style are lists of fields, as
// reStructuredText has them, or lists of Markdown. What does not read as such a section stays.
func Fields(doc string, md bool) string {
	lines := strings.Split(doc, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		head := googleHead.FindStringSubmatch(lines[i])
		if head == nil {
			out = append(out, lines[i])
			continue
		}
		end := i + 1
		for end < len(lines) && (lines[end] == "" || lines[end][0] == ' ') {
			end++
		}
		list := fieldsOf(head[1], lines[i+1:end], md)
		if list == nil {
			out = append(out, lines[i])
			continue
		}
		if n := len(out); n > 0 && out[n-1] != "" {
			out = append(out, "")
		}
		out = append(append(out, list...), "")
		i = end - 1
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// fieldsOf returns the list that a section is, or nil where it is none.
func fieldsOf(head string, body []string, md bool) (out []string) {
	base := -1
	for _, l := range body {
		if l != "" {
			base = len(l) - len(strings.TrimLeft(l, " "))
			break
		}
	}
	if base <= 0 {
		return nil
	}
	result := strings.HasPrefix(head, "Return") || strings.HasPrefix(head, "Yield")
	next := "   "
	if md {
		next = "  "
	}
	for _, l := range body {
		text := strings.TrimLeft(l, " ")
		indent := len(l) - len(text)
		switch m := googleItem.FindStringSubmatch(text); {
		case text == "":
			out = append(out, "")
		case result && len(out) == 0:
			out = append(out, field(head, "", "", text, md))
		case indent > base || result:
			out = append(out, next+strings.Repeat(" ", max(0, indent-base-4))+text)
		case indent < base || m == nil:
			return nil
		default:
			out = append(out, field(head, m[1], m[2], m[3], md))
		}
	}
	return out
}

// field is the first line of an item.
func field(head, name, kind, text string, md bool) string {
	label := map[byte]string{'R': "Returns", 'Y': "Yields"}[head[0]]
	if md {
		switch {
		case name == "":
			return "- " + label + ": " + text
		case kind != "":
			name += "` (" + kind + ")"
		default:
			name += "`"
		}
		if head == "Raises" || head == "Warns" {
			return "- " + head + " `" + name + ": " + text
		}
		return "- `" + name + ": " + text
	}
	switch {
	case name == "":
		return ":" + strings.ToLower(label) + ": " + text
	case head == "Raises":
		return ":raises " + name + ": " + text
	case head == "Warns":
		return ":warns " + name + ": " + text
	}
	if kind = strings.NewReplacer(":", "", "`", "").Replace(kind); kind != "" {
		name = kind + " " + strings.ReplaceAll(name, "*", `\*`)
	} else {
		name = strings.ReplaceAll(name, "*", `\*`)
	}
	return ":param " + name + ": " + text
}
