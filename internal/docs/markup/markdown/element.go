package markdown

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A tag is a tag of JSX or HTML.
type tag struct {
	name    string
	closing bool
	self    bool
	attrs   []attr
}

type attr struct {
	name, value string
	expr        bool // value is an expression
}

func (t tag) get(name string) string {
	for _, a := range t.attrs {
		if a.name == name {
			return a.text()
		}
	}
	return ""
}

// text returns the words of an attribute, "" where they are not known.
func (a attr) text() string {
	if !a.expr {
		return strings.TrimSpace(a.value)
	}
	v, ok := literal(strings.TrimSpace(a.value))
	switch {
	case ok && v.kind == jsString:
		return strings.TrimSpace(v.text)
	case strings.HasPrefix(strings.TrimSpace(a.value), "<"):
		return words(a.value)
	}
	return ""
}

var (
	anyTag  = lazy.Regexp(`</?[A-Za-z][^<>]*>|</?>`)
	codeTag = lazy.Regexp(`</?code>`)
	spacer  = lazy.Regexp(`\{\s*["'` + "`" + `]([^"'` + "`" + `{}]*)["'` + "`" + `]\s*\}`)
)

// words are those of an expression that is a piece of JSX.
func words(jsx string) string {
	jsx = codeTag.ReplaceAllString(jsx, "`")
	return strings.Join(strings.Fields(spacer.ReplaceAllString(anyTag.ReplaceAllString(jsx, ""), "$1")), " ")
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '$' || c == '@'
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// parseTag reads a tag at pos.
func (s *stripper) parseTag(pos int) (t tag, end int, ok bool) {
	src := s.src
	i := pos + 1
	defer func() {
		if !ok {
			s.waste -= min(i, len(src)) - pos
		}
	}()
	if i < len(src) && src[i] == '/' {
		t.closing = true
		i++
	}
	start := i
	for i < len(src) && nameByte(src[i]) {
		i++
	}
	t.name = src[start:i]
	if t.name != "" && (t.name[0] < 'A' || strings.HasSuffix(t.name, ":")) {
		return t, 0, false
	}
	for i < len(src) {
		switch c := src[i]; {
		case space(c):
			if strings.HasPrefix(src[i:], "\n\n") && !s.mdx {
				return t, 0, false
			}
			i++
		case c == '>':
			return t, i + 1, t.name != "" || s.mdx && len(t.attrs) == 0
		case c == '/' && i+1 < len(src) && src[i+1] == '>':
			t.self = true
			return t, i + 2, t.name != ""
		case c == '{':
			e, found := braces(src, i, &s.waste)
			if !found {
				return t, 0, false
			}
			i = e
		case nameByte(c):
			var a attr
			if a, i, ok = s.parseAttr(i); !ok {
				return t, 0, false
			}
			t.attrs = append(t.attrs, a)
			ok = false
		default:
			return t, 0, false
		}
	}
	return t, 0, false
}

func (s *stripper) parseAttr(i int) (attr, int, bool) {
	src, start := s.src, i
	for i < len(src) && nameByte(src[i]) {
		i++
	}
	a := attr{name: strings.TrimLeft(src[start:i], ":@")}
	j := i
	for j < len(src) && space(src[j]) {
		j++
	}
	if j >= len(src) || src[j] != '=' {
		return a, i, true
	}
	for i = j + 1; i < len(src) && space(src[i]); i++ {
	}
	if i >= len(src) {
		return a, i, false
	}
	switch c := src[i]; c {
	case '"', '\'':
		k := strings.IndexByte(src[i+1:], c)
		if k < 0 {
			s.waste -= len(src) - i
			return a, i, false
		}
		a.value = src[i+1 : i+1+k]
		return a, i + k + 2, true
	case '{':
		e, ok := braces(src, i, &s.waste)
		if !ok {
			return a, i, false
		}
		a.value, a.expr = src[i+1:e-1], true
		return a, e, true
	}
	for start = i; i < len(src) && !space(src[i]) && src[i] != '>'; i++ {
	}
	a.value = src[start:i]
	return a, i, true
}

var (
	inlineTags = lazy.Words("a b i em strong span sub sup small u s del ins mark abbr var q cite time label font tt big bdi bdo")
	bareTags   = lazy.Words("table tr td th br code kbd samp h1 h2 h3 h4 h5 h6 ul ol li dl dt dd")
)

// element reads a tag. first says that nothing but marks of lists stands before it.
func (s *stripper) element(first bool, indent int) bool {
	if s.waste <= 0 || s.pos+1 >= len(s.src) {
		return false
	}
	if c := s.src[s.pos+1]; !(nameByte(c) || c == '/' || c == '>') || !s.mdx && !s.plainTag(first, indent) {
		return false
	}
	t, end, ok := s.parseTag(s.pos)
	if !ok {
		return false
	}
	lower := strings.ToLower(t.name)
	html := htmlTags.Has(t.name)
	custom := strings.Contains(t.name, "-")
	switch {
	case !s.mdx && !custom && (html || t.name == lower):
		return false
	case !html && !custom && t.name == lower && t.name != "" && len(t.attrs) == 0 && !t.self && !s.isOpen(t.name):
		return false // <string>, <id>: no tag but a word
	case len(t.name) == 1 && !html:
		return false
	}
	if s.mdx && (t.name == "script" || t.name == "style") && !t.closing && !t.self {
		if i := strings.Index(s.src[end:], "</"+t.name); i >= 0 {
			s.skip(end + i)
			return true
		}
		s.waste -= len(s.src) - end
	}
	if t.name == "docs-code" && !t.closing {
		s.docsCode(t, end)
		return true
	}
	if html && s.mdx && (inlineTags.Has(t.name) || bareTags.Has(t.name) || t.name == "img") {
		s.html(t, end)
		return true
	}
	s.component(t, end, first)
	return true
}

// selfClosed is a component without content, wherever it stands.
var selfClosed = lazy.Regexp(`^[A-Z]\w+(?:[ \t][^<>\n]*)?/>`)

// plainTag says whether a tag of plain Markdown may be a component: one in capitals or
// with a hyphen that begins a line, or that ends what such a one began.
func (s *stripper) plainTag(first bool, indent int) bool {
	rest := s.src[s.pos+1:]
	closing := rest[0] == '/'
	n := 0
	name := strings.TrimPrefix(rest[:min(len(rest), 80)], "/")
	for n < len(name) && nameByte(name[n]) {
		n++
	}
	name = name[:n]
	if name == "" || !(name[0] >= 'A' && name[0] <= 'Z' || strings.HasPrefix(name, "docs-")) {
		return false
	}
	if closing {
		return first || s.isOpen(name)
	}
	return selfClosed.MatchString(rest[:min(len(rest), 200)]) || (first || strings.HasPrefix(name, "docs-")) && (indent < 4 || len(s.frames) > 0)
}

func (s *stripper) isOpen(name string) bool {
	return slices.ContainsFunc(s.frames, func(f element) bool { return f.name == name })
}

// html writes a tag of HTML again without its attributes, for the reader of HTML.
func (s *stripper) html(t tag, end int) {
	s.skip(end)
	switch {
	case t.name == "img":
		if !badge.MatchString(t.get("src")) {
			s.put(t.get("alt"))
		}
	case inlineTags.Has(t.name):
	case t.name == "table":
		if t.closing {
			s.tables = max(s.tables-1, 0)
			s.put("</table>\n\n")
		} else if !t.self {
			s.tables++
			s.put("\n\n<table>")
		}
	case t.closing:
		s.put("</" + t.name + ">")
	default:
		s.put("<" + t.name + ">")
	}
}

// component leaves what a component says in its attributes, and edges of paragraphs
// where it has lines of its own.
func (s *stripper) component(t tag, end int, first bool) {
	rest := s.src[end:]
	after := strings.TrimLeft(rest[:min(len(rest), 256)], " \t")
	last := after == "" || after[0] == '\n'
	level := indentOf(s.cur.String())
	row := s.row
	s.skip(end)
	defer s.from(row)()
	if t.closing {
		s.close(t.name)
	} else if !t.self {
		s.openElement(t, level, last)
	}
	label := ""
	if !t.closing {
		label = s.label(t)
		if kind := calloutKind(t); kind != "" && first {
			label = labelMark + note(kind, strings.ReplaceAll(label, "\n", " "))
		}
	}
	edge := ""
	if blank(s.cur.String()) {
		edge = s.cur.String()
	}
	switch {
	case s.tables > 0:
		s.put(label)
	case first && (last || label != ""):
		if label != "" {
			s.put("\n" + edge + label + "\n")
		}
		s.put("\n" + edge)
	case last && t.closing && strings.HasPrefix(s.src[s.pos:], "\n"):
		s.put("\n")
	case label != "":
		s.put(label + " ")
	}
	if t.closing {
		return
	}
	for _, a := range t.attrs {
		if !a.expr || !strings.HasPrefix(strings.TrimSpace(a.value), "[") {
			continue
		}
		if rows, ok := tableRows(strings.TrimSpace(a.value)); ok {
			s.table(rows)
		}
	}
}

// from makes what is written stand for an earlier line, until the function that it
// returns is called.
func (s *stripper) from(row int) func() {
	past := s.row
	s.row = row
	return func() { s.row = past }
}

func (s *stripper) openElement(t tag, level int, last bool) {
	if len(s.frames) >= maxElements {
		return
	}
	e := element{name: t.name}
	for _, k := range []string{"language", "lang"} {
		e.lang = cmp.Or(e.lang, t.get(k))
	}
	if last && s.tables == 0 {
		rest := s.src[s.pos:]
		if i := strings.IndexFunc(rest, func(r rune) bool { return r != ' ' && r != '\t' && r != '\n' }); i > 0 {
			// Content that is indented below its tag is dedented to it.
			start := strings.LastIndexByte(rest[:i], '\n') + 1
			e.delta = max(indentOf(rest[start:i+1])-s.delta()-level, 0)
		}
	}
	s.frames = append(s.frames, e)
}

func (s *stripper) close(name string) {
	for i := len(s.frames) - 1; i >= 0; i-- {
		if s.frames[i].name == name {
			s.frames = s.frames[:i]
			return
		}
	}
}

// callouts are components that are notes by their names; of the others in the list the
// type says which note they are.
var (
	callouts = lazy.Words("Note Tip Info Warning Danger Caution Important Pitfall DeepDive Deprecated Wip Canary")
	typed    = lazy.Words("Callout Admonition Aside Alert docs-callout")
)

func calloutKind(t tag) string {
	if callouts.Has(t.name) {
		return strings.ReplaceAll(t.name, "DeepDive", "Deep-dive")
	}
	if !typed.Has(t.name) {
		return ""
	}
	for _, k := range []string{"type", "kind", "variant", "severity"} {
		if v := t.get(k); v != "" {
			return v
		}
	}
	for _, a := range t.attrs {
		if a.value == "" && (noteKinds.Has(a.name) || a.name == "helpful" || a.name == "critical") {
			return a.name
		}
	}
	return "Note"
}

var fieldNames = lazy.Regexp(`(?:Field|Param|Parameter|Prop|Property|Option|Argument|Attribute)$`)

// label returns the words of a component's attributes.
func (s *stripper) label(t tag) string {
	switch t.name {
	case "Check", "CheckIcon", "Yes":
		return "✓"
	case "Cross", "CrossIcon", "No":
		return "✗"
	}
	var out []string
	if fieldNames.MatchString(t.name) {
		for _, k := range []string{"name", "path", "query", "body", "header", "type", "default"} {
			if v := t.get(k); v != "" {
				out = append(out, "`"+v+"`")
			}
		}
	}
	for _, k := range proseProps {
		if v := strings.Join(strings.Fields(t.get(k)), " "); v != "" && !strings.Contains(strings.Join(out, " "), "`"+v+"`") {
			out = append(out, v)
		}
	}
	if len(out) == 0 && strings.HasPrefix(t.name, "Tab") && t.get("value") != "" {
		out = append(out, t.get("value"))
	}
	if len(out) == 0 && t.self && t.name != strings.ToLower(t.name) {
		out = append(out, settings(t))
	}
	return strings.Join(out, "\n")
}

var mute = lazy.Words(`class className style src href id key width height size icon slot as is to url link poster lightSrc darkSrc srcLight srcDark
	srcDark fill color loading preview ref`)

// settings are the plain attributes of a component that stands for text of its own, as
// <ResponsiveDesign property="gap" defaultClass="gap-4" />.
func settings(t tag) string {
	var parts []string
	for _, a := range t.attrs {
		v, _ := literal(strings.TrimSpace(a.value))
		text := a.text()
		if v.kind == jsArray {
			if _, table := v.rows(); !table {
				text = v.cell()
			}
		}
		if text != "" && !mute.Has(a.name) {
			parts = append(parts, a.name+": "+text)
		}
	}
	if len(parts) < 2 {
		return ""
	}
	return t.name + ": " + strings.Join(parts, ", ")
}

// docsCode reads Angular's element of code, which holds it or names a file.
func (s *stripper) docsCode(t tag, end int) {
	file := t.get("path")
	lang, title := t.get("language"), t.get("header")
	lang = cmp.Or(lang, strings.TrimPrefix(path.Ext(file), "."))
	code := ""
	if !t.self {
		if i := strings.Index(s.src[end:], "</docs-code>"); i >= 0 {
			code = s.src[end : end+i]
			end += i + len("</docs-code>")
		} else {
			s.waste -= len(s.src) - end
		}
	}
	row := s.row
	s.skip(end)
	defer s.from(row)()
	// What Markdown fences within the element is the code.
	if inner := strings.Split(strings.Trim(code, " \n"), "\n"); len(inner) > 1 {
		if f, ok := openFence(inner[0]); ok && f.closes(inner[len(inner)-1]) {
			code = strings.Join(inner[1:len(inner)-1], "\n")
			if lang == "" {
				lang, _ = codeInfo(f.info)
			}
		}
	}
	if blank(strings.ReplaceAll(code, "\n", "")) && file != "" {
		text, ok := take(s.opt, &s.includeBudget, "/"+strings.TrimPrefix(file, "/"))
		if !ok {
			s.put("\n\n" + strings.TrimSpace(title+" `"+file+"`") + "\n\n")
			return
		}
		part := t.get("visibleRegion") + t.get("region")
		if part == "" {
			part = strings.NewReplacer("[", "", "]", "", "-", ":", `"`, "", "'", "").Replace(t.get("visibleLines"))
		}
		code = strings.Join(region(strings.Split(text, "\n"), part), "\n")
	}
	s.fenced(lang, title, code)
}
