package rst

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// explicit reads explicit markup: a directive, a target, a footnote, a
// substitution or a comment.
func (p *parser) explicit(lines []line, i int) int {
	rest := strings.TrimLeft(lines[i].text[2:], " ")
	end := max(extent(lines, i+1), i+1)
	if rest == "" {
		if i+1 < len(lines) && lines[i+1].text == "" {
			return i + 1 // an empty comment ends what is before it, and has no body
		}
		return end
	}
	switch rest[0] {
	case '_':
		if strings.HasPrefix(rest, "__") {
			return end
		}
		if name, address, ok := target(rest[1:]); ok {
			if address == "" && end == i+1 {
				p.label = name
			}
			return end
		}
	case '|':
		if _, def, ok := strings.Cut(rest[1:], "|"); ok && strings.Contains(def, "::") {
			return end
		}
	case '[':
		if at := strings.IndexByte(rest, ']'); at > 1 && at < 80 {
			p.Lead("["+strings.TrimPrefix(rest[1:at], "#")+"] ", lines[i].num)
			body := append([]line{{strings.TrimSpace(rest[at+1:]), lines[i].num}}, flushLeft(lines[i+1:end])...)
			p.within(body)
			return end
		}
	}
	name, arg, ok := directiveName(rest)
	if ok {
		p.directive(name, arg, lines[i].num, flushLeft(lines[i+1:end]))
	}
	return end
}

// directiveName cuts "name:: argument".
func directiveName(s string) (name, arg string, ok bool) {
	name, arg, ok = strings.Cut(s, "::")
	for ok && arg != "" && arg[0] != ' ' { // "cpp::thing::"
		var more string
		if strings.Contains(name, " ") {
			return "", "", false
		}
		more, arg, ok = strings.Cut(arg, "::")
		name += "::" + more
	}
	name = strings.TrimRight(name, " ")
	if !ok || name == "" || len(name) > 60 || !alnum(name[0]) {
		return "", "", false
	}
	for i := range len(name) {
		if !alnum(name[i]) && strings.IndexByte("-_.+:", name[i]) < 0 {
			return "", "", false
		}
	}
	return strings.ToLower(name), strings.TrimSpace(arg), true
}

// A directive is cut into its parts.
type directive struct {
	name    string
	arg     string // its lines, with a space between them
	args    []string
	opts    map[string]string
	content []line
	num     int
}

// bare are directives without argument: what stands after their name is text.
var bare = lazy.Words(`note warning tip hint important attention caution danger error seealso todo compound container-fluid epigraph highlights
	pull-quote parsed-literal impl-detail availability glossary math versionadded versionchanged deprecated versionremoved deprecated-removed
	testsetup testcleanup replace hlist productionlist grammar-snippet`)

// single are directives whose argument is no longer than the first line.
var single = lazy.Words(`code-block sourcecode code highlight literalinclude include image figure toctree raw prompt csv-table list-table table
	code-tab ipython graphviz only ifconfig module currentmodule automodule
	doctest testcode testoutput`)

// parse cuts a directive.
func parse(name, first string, num int, body []line) directive {
	d := directive{name: name, num: num, opts: map[string]string{}}
	if first != "" {
		d.args = []string{first}
	}
	i := 0
	if !bare.Has(name) && !single.Has(name) {
		for i < len(body) && body[i].text != "" {
			if _, _, ok := field(body[i].text); ok {
				break
			}
			d.args = append(d.args, strings.TrimSpace(body[i].text))
			i++
		}
	}
	if !bare.Has(name) || first == "" {
		key := ""
		for ; i < len(body) && body[i].text != ""; i++ {
			k, v, ok := field(body[i].text)
			switch {
			case ok:
				key = k
				d.opts[key] = v
			case key != "" && body[i].text[0] == ' ':
				if len(d.opts[key]) < 1<<16 {
					d.opts[key] += "\n" + strings.TrimSpace(body[i].text)
				}
				continue
			}
			if !ok {
				break
			}
		}
	}
	d.content = body[i:]
	if bare.Has(name) && first != "" {
		d.args = nil
		d.content = append([]line{{first, num}}, body...)
	}
	d.content = trim(d.content)
	d.arg = strings.Join(d.args, " ")
	return d
}

// admonitions are directives whose text is kept under a word.
var admonitions = map[string]string{
	"note": "Note", "warning": "Warning", "tip": "Tip", "hint": "Hint", "important": "Important", "attention": "Attention",
	"caution": "Caution", "danger": "Danger", "error": "Error", "seealso": "See also", "todo": "Todo",
	"impl-detail": "CPython implementation detail", "availability": "Availability",
}

// versions are directives that say since when something is so.
var versions = map[string]string{
	"versionadded": "New in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version",
	"versionremoved": "Removed in version", "deprecated-removed": "Deprecated since version",
}

// dropped are directives with nothing to read.
var dropped = lazy.Words(`toctree contents index image tabularcolumns sectionauthor codeauthor moduleauthor default-domain default-role
	role cssclass rst-class testsetup testcleanup target-notes sectnum header footer program-options title tags video youtube
	bibliography inheritance-diagram autosummary-toc rst-classes localtoc ifslides`)

// titledBoxes are directives whose argument is a title above their content.
var titledBoxes = lazy.Words(`topic sidebar rubric admonition tab tab-item group-tab dropdown details card grid-item-card centered collapse figure
	table code-group describe-group panel md-tab-item spoiler subfigure`)

// through are directives of which only the content counts.
var through = lazy.Words(`only ifconfig tabs tab-set container compound epigraph highlights pull-quote hlist glossary grid grid-item md-tab-set
	default-section rst parsed div flat-table card-carousel button-ref-group no-index dialog columns column`)

// directive reads a directive of which first is what stands after its name.
func (p *parser) directive(name, first string, num int, body []line) {
	d := parse(name, first, num, body)
	switch {
	case p.codeDirective(d), p.metaDirective(d), dropped.Has(name):
		return
	case admonitions[name] != "":
		p.led(admonitions[name]+": ", d.content, num)
		return
	case versions[name] != "":
		p.version(d)
		return
	case through.Has(name):
		if name == "only" || name == "ifconfig" {
			p.body(d.content)
		} else {
			p.within(d.content)
		}
		return
	case titledBoxes.Has(name):
		p.box(d)
		return
	case name == "math" || name == "list-table" || name == "csv-table":
		p.figures(d)
		return
	case p.autodoc(d), p.object(d):
		return
	}
	// Nobody knows it: all of it is text.
	if d.arg != "" {
		p.Para(p.inline(d.arg), num)
	}
	p.within(d.content)
}

// metaDirective reads directives that say something about the page.
func (p *parser) metaDirective(d directive) bool {
	switch strings.TrimPrefix(d.name, "py:") {
	case "highlight", "highlightlang":
		p.lang = language(d.arg)
	case "module", "currentmodule":
		p.module = strings.TrimSuffix(d.arg, ".")
		if p.module == "None" {
			p.module = ""
		}
		p.within(d.content)
	case "meta":
		// Its fields are read as options or as content.
		if text := d.opts["description"]; text != "" && p.desc == "" {
			p.desc = strings.ReplaceAll(text, "\n", " ")
		}
	case "program", "ditaa", "plantuml-meta":
	default:
		return false
	}
	return true
}

// led reads lines with words before their first paragraph.
func (p *parser) led(lead string, lines []line, num int) {
	if len(lines) == 0 {
		p.Para(strings.TrimRight(lead, ": "), num)
		return
	}
	p.Lead(lead, num)
	p.within(lines)
	p.Settle()
}

// version reads a directive about versions.
func (p *parser) version(d directive) {
	if len(d.content) == 0 {
		p.Para(versions[d.name], d.num)
		return
	}
	first := d.content[0]
	number, text, _ := strings.Cut(first.text, " ")
	lead := versions[d.name] + " " + p.inline(number)
	if d.name == "deprecated-removed" {
		var gone string
		gone, text, _ = strings.Cut(strings.TrimSpace(text), " ")
		lead += ", removed in version " + gone
	}
	text = strings.TrimSpace(text)
	if text == "" && len(d.content) == 1 {
		p.Para(lead, d.num)
		return
	}
	// What follows the version is the same paragraph as the line below it.
	rest := flushLeft(d.content[1:])
	if text != "" {
		rest = append([]line{{text, first.num}}, rest...)
	}
	p.led(lead+": ", trim(rest), d.num)
}

// box reads a directive that has a title.
func (p *parser) box(d directive) {
	title := p.inline(d.arg)
	switch d.name {
	case "figure":
		title = "" // the address of a picture
	case "admonition", "topic", "sidebar":
		if title != "" && len(d.content) > 0 {
			p.led(strings.TrimSuffix(title, ":")+": ", d.content, d.num)
			return
		}
	}
	if title != "" {
		p.Para(title, d.num)
	}
	p.within(d.content)
}

// figures reads tables and formulas.
func (p *parser) figures(d directive) {
	switch d.name {
	case "math":
		if text := strings.TrimSpace(join(d.content)); text != "" {
			p.Para(text, d.num)
		}
		return
	}
	if d.arg != "" {
		p.Para(p.inline(d.arg), d.num)
	}
	if d.name == "csv-table" {
		p.csvTable(d)
	} else {
		p.listTable(d)
	}
}
