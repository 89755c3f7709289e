// Package asciidoc reads AsciiDoc.
//
// Whatever the input, reading it ends, in time and space proportional to the input
// and to what opt answers, of which a page takes no more than a fixed sum.
package asciidoc

import (
	"cmp"
	"path"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

const (
	maxDepth    = 24
	maxIncludes = 8
	maxIncluded = 1 << 20 // bytes that a page takes from other files
	maxTitle    = 300
)

// A line is what stands on a line of the source, without trailing space.
type line struct {
	text string
	num  int
}

// A parser reads one page.
type parser struct {
	flow.Flow
	opt           markup.Options
	attrs         map[string]string // attributes of the document
	substBudget   int               // bytes left for what attributes add
	includeBudget int               // bytes left to take from elsewhere
	lang          string            // of code that does not say
	depth         int
	inItem        bool   // what is read belongs to an item of a list
	section       string // the ID of the section, as the source gives it

	// The attributes and the title in front of a block.
	anchor string
	title  string
	style  style
}

// A style is what "[source,go]" says about the next block.
type style struct {
	name  string
	lang  string
	cols  int
	named map[string]string
}

// Parse reads a page. Lines of what it includes count as the line that includes it.
func Parse(src []byte, opt markup.Options) markup.Page {
	p := &parser{opt: opt, substBudget: len(src) + 1024, includeBudget: maxIncluded, attrs: map[string]string{
		"nbsp": " ", "sp": " ", "empty": "", "blank": "", "plus": "+", "lt": "<", "gt": ">", "amp": "&", "vbar": "|", "startsb": "[",
		"endsb": "]", "caret": "^", "asterisk": "*", "tilde": "~", "backslash": "\\", "backtick": "`", "zwsp": "", "two-colons": "::",
		"apos": "'", "quot": `"`, "ldquo": "\u201c", "rdquo": "\u201d", "lsquo": "\u2018", "rsquo": "\u2019", "deg": "\u00b0", "cpp": "C++",
	}}
	p.attrs["docdir"] = "."
	if opt.Path != "" {
		p.attrs["docdir"] = "/" + strings.TrimPrefix(path.Dir(opt.Path), ".")
	}
	p.inherit(string(src))
	lines := p.header(p.expand(split(string(src), 0), ".", 0))
	p.body(lines)
	page := p.Page()
	page.Description = p.inline(p.attrs["description"])
	return page
}

// inherit sets the attributes that the index of a book has and its chapters use.
func (p *parser) inherit(src string) {
	if p.opt.Include == nil || !strings.Contains(src, "include::{") {
		return
	}
	dir := path.Dir(path.Clean("/" + p.opt.Path))
	for range 4 {
		name := path.Join(dir, "index.adoc")
		if index, err := p.opt.Include(name); err == nil && len(index) < p.includeBudget && name != path.Clean("/"+p.opt.Path) {
			p.includeBudget -= len(index)
			head, _, _ := strings.Cut(string(index), "\n== ")
			lines := split(head, 1)
			p.expand(lines[:min(len(lines), 80)], dir, maxIncludes-1)
			return
		}
		if dir == "/" {
			return
		}
		dir = path.Dir(dir)
	}
}

// split cuts text into lines. Their numbers count from one, or are all num.
func split(src string, num int) []line {
	return flow.Split(src, num, func(text string, num int) line { return line{text, num} })
}

// expand puts the text of files for the include directives that name them, and
// resolves conditions. As in AsciiDoc it does so before anything else is read, in
// code as well.
func (p *parser) expand(lines []line, dir string, nested int) []line {
	out := make([]line, 0, len(lines))
	skip := 0 // conditions that are open and do not hold
	open := 0 // and that do
	for _, l := range lines {
		name, arg, list, ok := macro(l.text)
		switch {
		case ok && name == "endif":
			if skip > 0 {
				skip--
			} else if open > 0 {
				open--
			}
			continue
		case ok && (name == "ifdef" || name == "ifndef" || name == "ifeval"):
			_, set := p.attrs[arg]
			holds := set == (name == "ifdef") || name == "ifeval"
			if list != "" && name != "ifeval" { // the text in the brackets, alone
				if holds && skip == 0 {
					out = append(out, line{list, l.num})
				}
				continue
			}
			if skip > 0 || !holds {
				skip++
			} else {
				open++
			}
			continue
		case skip > 0:
			continue
		case ok && name == "include":
			out = append(out, p.include(l, arg, list, dir, nested)...)
			continue
		}
		if key, value, ok := attribute(l.text); ok {
			p.attrs[key] = value // paths of includes have attributes
		}
		if text, ok := strings.CutPrefix(l.text, `\include::`); ok {
			l.text = "include::" + text
		}
		out = append(out, l)
	}
	return out
}

// macro cuts "name::arg[list]" that is a line of its own.
func macro(s string) (name, arg, list string, ok bool) {
	if !strings.HasSuffix(s, "]") || s == "]" || s[0] == ' ' || s[0] == '[' {
		return "", "", "", false
	}
	name, rest, ok := strings.Cut(s, "::")
	if !ok || name == "" || len(name) > 30 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_-0123456789") != "" {
		return "", "", "", false
	}
	arg, list, ok = strings.Cut(rest, "[")
	return name, arg, strings.TrimSuffix(list, "]"), ok
}

// include returns the lines of the file that a directive names.
func (p *parser) include(l line, arg, list, dir string, nested int) []line {
	name := arg
	for range 6 { // an attribute may be made of others
		if at := p.attributes(name); at != name {
			name = at
			continue
		}
		break
	}
	opts := listed(list)
	if _, rest, ok := strings.Cut(name, "}/"); ok && name[0] == '{' {
		// What its build sets is most often the root of the checkout.
		name = "/" + rest
	}
	named := name
	if name = p.resource(name); p.opt.Include == nil || p.includeBudget <= 0 || nested >= maxIncludes || strings.Contains(name, "{") {
		return absent(l, named)
	}
	if !strings.HasPrefix(name, "/") {
		name = path.Join(dir, name)
	}
	p.includeBudget -= 64
	src, err := p.opt.Include(name)
	if err != nil {
		if _, optional := opts.named["opts"]; optional {
			return nil
		}
		return absent(l, named)
	}
	src = src[:min(len(src), max(p.includeBudget, 0))]
	p.includeBudget -= len(src)
	lines := split(string(src), l.num)
	if ranges := opts.named["lines"]; ranges != "" {
		lines = pick(lines, ranges)
	}
	if tags := opts.named["tag"] + opts.named["tags"]; tags != "" {
		lines = tagged(lines, tags)
	} else {
		lines = tagged(lines, "**")
	}
	if ext := path.Ext(name); ext == ".adoc" || ext == ".asciidoc" || ext == ".asc" || ext == ".ad" || ext == ".txt" {
		lines = p.expand(lines, path.Dir(name), nested+1)
	}
	return lines
}

// resource returns where Antora has what a name of it means, of the checkout: a partial or an example of the page's module
// or of another one; and any other name as it is.
func (p *parser) resource(name string) string {
	m := antora.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	root, rest, ok := strings.Cut("/"+p.opt.Path, "/modules/")
	if !ok {
		return m[3]
	}
	module, _, _ := strings.Cut(rest, "/")
	return path.Join("/", root, "modules", cmp.Or(m[1], module), m[2]+"s", m[3])
}

var antora = lazy.Regexp(`^(?:([\w-]+):)?(partial|example|page)\$([^$]+)$`)

// missing stands before the path of a file that is not there.
const missing = "(not included: "

// absent says in the text that a file is not there.
func absent(l line, name string) []line {
	return []line{{missing + name + ")", l.num}}
}

// tagged returns the lines between the tags of that names: "a;b", "*" for all
// that are in one and "**" for all. The lines with the tags are omitted.
func tagged(lines []line, names string) []line {
	each := strings.FieldsFunc(names, func(r rune) bool { return r == ';' || r == ',' })
	want := set.By(each, func(name *string) string { return strings.TrimSpace(*name) })
	var out []line
	in, inAny := 0, 0
	for _, l := range lines {
		if name, end, ok := tag(l.text); ok {
			step := 1
			if end {
				step = -1
			}
			inAny = max(inAny+step, 0)
			if want[name] {
				in = max(in+step, 0)
			}
			continue
		}
		if want["**"] || in > 0 || want["*"] && inAny > 0 {
			out = append(out, l)
		}
	}
	return out
}

// tag returns the name in "tag::name[]" or "end::name[]".
func tag(s string) (name string, end, ok bool) {
	_, rest, ok := strings.Cut(s, "tag::")
	if !ok {
		if _, rest, ok = strings.Cut(s, "end::"); !ok {
			return "", false, false
		}
		end = true
	}
	name, _, ok = strings.Cut(rest, "[]")
	return name, end, ok && name != "" && !strings.Contains(name, " ")
}

// attribute cuts ":name: value", and ":!name:", which unsets it.
func attribute(s string) (name, value string, ok bool) {
	if len(s) < 3 || s[0] != ':' || s[1] == ':' {
		return "", "", false
	}
	name, value, ok = strings.Cut(s[1:], ":")
	if !ok || value != "" && value[0] != ' ' || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_-!") != "" || name == "" {
		return "", "", false
	}
	return strings.ToLower(name), strings.TrimSuffix(strings.TrimSpace(value), " \\"), true
}

// header reads the title of a document and what stands below it up to the first
// empty line: its author, its revision and attributes.
func (p *parser) header(lines []line) []line {
	for i, l := range lines {
		name, value, ok := attribute(l.text)
		switch {
		case ok:
			p.set(name, value)
		case l.text == "" || strings.HasPrefix(l.text, "//") && !strings.HasPrefix(l.text, "////"):
		case strings.HasPrefix(l.text, "= ") || strings.HasPrefix(l.text, "# "):
			p.heading(l.text[2:], 1, l.num)
			i++
			for ; i < len(lines) && lines[i].text != ""; i++ {
				text := lines[i].text
				if name, value, ok := attribute(text); ok {
					p.set(name, value)
				} else if text[0] == '[' || text[0] == '=' {
					break
				} else if !strings.HasPrefix(text, "//") && !author(text) {
					p.Para(p.inline(text), lines[i].num)
				}
			}
			return lines[i:]
		default:
			return lines[i:]
		}
	}
	return nil
}

// author reports whether a line below the title names an author or a revision.
func author(s string) bool {
	return strings.Contains(s, "@") || s[0] == 'v' && len(s) > 1 && s[1] >= '0' && s[1] <= '9' || len(strings.Fields(s)) <= 4
}

func (p *parser) set(name, value string) {
	if bare := strings.Trim(name, "!"); bare != name {
		delete(p.attrs, bare)
		return
	}
	if name == "source-language" {
		p.lang = value
	}
	p.attrs[name] = value
}

// pick returns the lines of ranges as in "1;3..5;10..-1".
func pick(lines []line, ranges string) []line {
	var out []line
	for i, part := range strings.FieldsFunc(ranges, func(r rune) bool { return r == ';' || r == ',' }) {
		if i == 100 || len(out) > len(lines) {
			break
		}
		first, last, many := strings.Cut(strings.TrimSpace(part), "..")
		from, to := number(first), number(last)
		if !many {
			to = from
		}
		if to <= 0 || to > len(lines) {
			to = len(lines)
		}
		if from = max(from, 1); from <= to {
			out = append(out, lines[from-1:to]...)
		}
	}
	return out
}

// number returns the number that s writes, or 0.
func number(s string) int {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' || n > 1e7 {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}
