package rst

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

// objects are directives that describe something under its signature, without
// their domain: with a word before the signature, or none.
var objects = map[string]string{
	"function": "", "method": "", "attribute": "", "data": "", "classmethod": "classmethod", "staticmethod": "static", "property": "property",
	"class": "class", "exception": "exception", "decorator": "@", "decoratormethod": "@", "coroutinefunction": "async", "coroutinemethod": "async",
	"awaitablefunction": "awaitable", "awaitablemethod": "awaitable", "abstractmethod": "abstract",
	"describe": "", "object": "", "option": "", "cmdoption": "", "envvar": "", "setting": "", "confval": "", "opcode": "", "pdbcommand": "",
	"django-admin": "", "django-admin-option": "", "templatetag": "", "templatefilter": "", "fieldlookup": "", "2to3fixer": "",
	"var": "", "macro": "#define", "type": "", "struct": "struct", "union": "union", "enum": "enum", "enumerator": "", "member": "",
	"concept": "concept", "alias": "", "interface": "interface", "signal": "", "program": "", "command": "", "variable": "", "prop_tgt": "",
	"typealias": "type", "fixture": "", "marker": "", "hook": "", "rule": "", "signature": "", "directive": "", "role": "", "target": "",
}

// members are objects whose name has that of their class before it.
var members = lazy.Words(`method attribute classmethod staticmethod property coroutinemethod awaitablemethod abstractmethod`)

// object reads a directive of a domain: its signatures as code, then its content.
func (p *parser) object(d directive) bool {
	domain, name := "py", d.name
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		domain, name = name[:at], name[at+1:]
	}
	word, known := objects[name]
	if !known && (domain == "py" || d.arg == "") {
		return false
	}
	if len(d.content) == 0 && (name == "setting" || strings.HasPrefix(name, "template") || name == "fieldlookup") {
		return true // Django's targets before a title
	}
	if d.arg == "" {
		return false
	}
	class := p.class
	var sigs []string
	var continued string
	for _, arg := range d.args {
		arg = continued + arg
		if text, more := strings.CutSuffix(arg, "\\"); more {
			continued = text
			continue
		}
		continued = ""
		sig := unescape(arg)
		if domain == "py" || domain == "js" {
			sig = p.qualified(sig, name)
		}
		if name == "class" || name == "exception" || name == "interface" {
			p.class, _, _ = strings.Cut(sig, "(")
		}
		if word == "@" {
			sig = "@" + sig
		} else if word != "" {
			sig = word + " " + sig
		}
		sigs = append(sigs, flow.Code(sig))
	}
	if len(sigs) > 0 {
		p.Flush()
		p.Para(strings.Join(sigs, "\n"), d.num)
	}
	p.within(d.content)
	p.class = class
	return true
}

// qualified returns a signature with the name of what its object is part of.
func (p *parser) qualified(sig, kind string) string {
	name, _, _ := strings.Cut(sig, "(")
	name = strings.TrimSpace(name)
	switch {
	case members.Has(kind) && p.class != "" && len(p.class) < 100:
		last := p.class[strings.LastIndexByte(p.class, '.')+1:]
		if !strings.Contains(name, ".") {
			return last + "." + sig
		}
	case p.module != "" && p.class == "" && len(p.module) < 100 && !strings.HasPrefix(name, p.module+"."):
		switch kind {
		case "function", "class", "exception", "data", "decorator", "coroutinefunction":
			if !strings.Contains(sig[:min(len(name), len(sig))], " ") {
				return p.module + "." + sig
			}
		case "method", "attribute", "classmethod", "staticmethod", "property":
		}
	}
	return sig
}

// autodoc reads directives that stand for docstrings.
func (p *parser) autodoc(d directive) bool {
	if d.name == "autosummary" {
		p.autosummary(d)
		return true
	}
	kind, ok := strings.CutPrefix(d.name, "auto")
	if !ok || d.arg == "" || strings.ContainsAny(kind, ":") {
		return false
	}
	switch kind {
	case "module", "class", "function", "method", "attribute", "exception", "data", "property", "decorator":
	default:
		return false
	}
	name, _, _ := strings.Cut(d.arg, "(")
	name = strings.ReplaceAll(strings.TrimSpace(name), "::", ".")
	if kind == "module" {
		module := p.module
		p.module = name
		p.docstring(kind, name, d.num)
		p.module = module
	} else {
		word := objects[kind]
		if word != "" && word != "@" {
			word += " "
		}
		p.Flush()
		p.Para(flow.Code(word+p.qualified(d.arg, kind)), d.num)
		p.docstring(kind, name, d.num)
	}
	class := p.class
	if kind == "class" || kind == "exception" {
		p.class = name
	}
	if kind != "module" {
		p.chosen(d.opts["members"], name, d.num)
	}
	p.within(d.content)
	p.class = class
	return true
}

// chosen adds the members of a class that a directive names.
func (p *parser) chosen(list, class string, num int) {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '\n' || r == ' ' })
	for _, name := range names {
		if p.includeBudget <= 0 {
			return
		}
		last := class[strings.LastIndexByte(class, '.')+1:]
		if _, ok := p.docOf("method", class+"."+name); ok {
			p.Para(flow.Code(last+"."+name), num)
			p.docstring("method", class+"."+name, num)
		}
	}
}

// docOf returns a docstring by the name that a page uses, which may be relative to
// the module it speaks of.
func (p *parser) docOf(kind, name string) (string, bool) {
	if p.opt.Doc == nil || p.includeBudget <= 0 {
		return "", false
	}
	names := []string{name}
	if p.module != "" && name != p.module && !strings.HasPrefix(name, p.module+".") {
		names = []string{p.module + "." + name, name}
	}
	for _, n := range names {
		p.includeBudget -= 64
		if text, ok := p.opt.Doc(kind, n); ok {
			return text, true
		}
	}
	return "", false
}

// docstring reads the documentation of an object in its place.
func (p *parser) docstring(kind, name string, num int) {
	text, ok := p.docOf(kind, name)
	if !ok || p.depth >= maxDepth || p.includes >= maxIncludes {
		return
	}
	text = text[:min(len(text), p.includeBudget)]
	p.includeBudget -= len(text)
	lines := split(text, num)
	if len(lines) > 0 { // the first line is not indented like the others
		rest := flushLeft(lines[1:])
		lines = append([]line{{strings.TrimSpace(lines[0].text), num}}, rest...)
	}
	docs, lang := p.docs, p.lang
	p.docs = true
	p.includes++
	p.survey(lines)
	p.within(lines)
	p.includes--
	p.docs, p.lang = docs, lang
}

// autosummary reads a list of objects: their names and the first sentences of what
// is said about them.
func (p *parser) autosummary(d directive) {
	p.Open()
	for _, l := range d.content {
		name := strings.TrimSpace(l.text)
		if name == "" {
			continue
		}
		name = strings.TrimPrefix(name, "~")
		text, _ := p.docOf("", name)
		text, _, _ = strings.Cut(strings.TrimSpace(text[:min(len(text), 2000, max(p.includeBudget, 0))]), "\n\n")
		p.includeBudget -= len(text)
		lead := "- " + flow.Code(name)
		if text != "" {
			lead += ": "
		}
		p.Item(lead, true, l.num)
		if text != "" {
			p.Para(p.inline(words(split(text, l.num))), l.num)
		}
	}
	p.Shut()
}
