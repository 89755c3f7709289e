package rst

import (
	"cmp"
	"html"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/docs/markup/flow"
)

// language returns the language of code as written, where one is.
func language(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), " ")
	switch s {
	case "none", "text", "default", "guess", "":
		return ""
	}
	return s
}

// codeDirective reads directives whose content is code.
func (p *parser) codeDirective(d directive) bool {
	lang := p.lang
	switch d.name {
	case "code-block", "sourcecode", "code", "code-cell", "jupyter-execute", "code-cell-block", "highlighted":
		if d.arg != "" {
			lang = language(d.arg)
		}
	case "code-tab":
		name, title, _ := strings.Cut(d.arg, " ")
		lang = language(name)
		p.caption(title, d.num)
	case "parsed-literal":
		for i, l := range d.content {
			in := indent(l.text)
			d.content[i].text = l.text[:in] + strings.ReplaceAll(p.inline(l.text[in:]), "`", "")
		}
		lang = ""
	case "testcode", "doctest", "ipython", "plot", "jupyter-cell", "testcode-multi", "pyscript", "exec-code":
		lang = "python"
		if strings.HasPrefix(d.arg, ">>>") {
			d.content = append([]line{{d.arg, d.num}}, d.content...)
		}
		if d.name == "plot" && strings.HasSuffix(d.arg, ".py") {
			d.args = []string{d.arg}
			p.literalInclude(d)
			return true
		}
	case "testoutput":
		lang = ""
	case "console", "prompt", "terminal":
		lang = "console"
		if d.name == "prompt" && d.arg != "" {
			lang = language(d.arg)
		}
	case "graphviz", "digraph", "graph":
		lang = "dot"
	case "mermaid", "uml", "plantuml", "ditaa", "asciinema", "tikz":
		lang = d.name
	case "productionlist", "grammar-snippet", "program-output", "command-output", "runblock", "ascii":
		lang = ""
	case "literalinclude":
		p.literalInclude(d)
		return true
	case "include":
		p.include(d)
		return true
	case "raw":
		p.raw(d)
		return true
	default:
		return false
	}
	p.caption(d.opts["caption"], d.num)
	p.code(d.content, lang, 0)
	if len(d.content) == 0 && d.arg != "" && (d.name == "program-output" || d.name == "command-output") {
		p.Para(flow.Code(d.arg), d.num)
	}
	return true
}

func (p *parser) caption(text string, num int) {
	if text != "" {
		p.Para(p.inline(strings.ReplaceAll(text, "\n", " ")), num)
	}
}

// file returns a file of the checkout, its path and whether it is there and the
// page may still take as much. As for Sphinx a path that begins with "/" is in
// the folder of the documentation, which is one of those above the page.
func (p *parser) file(name string) ([]byte, string, bool) {
	if p.opt.Include == nil || p.includeBudget <= 0 || name == "" {
		return nil, "", false
	}
	tries := []string{path.Join(p.dir, name)}
	if strings.HasPrefix(name, "/") {
		tries = nil
		folder := path.Dir(p.opt.Path)
		up := ""
		for range min(strings.Count(folder, "/")+1, 12) {
			if folder == "." || folder == "/" {
				break
			}
			tries = append(tries, "./"+up+strings.TrimPrefix(name, "/"))
			up += "../"
		}
		tries = append(tries, name)
	}
	for _, try := range tries {
		src, err := p.opt.Include(strings.TrimPrefix(try, "./"))
		if err != nil {
			continue
		}
		if len(src) > p.includeBudget {
			src = src[:p.includeBudget]
		}
		p.includeBudget -= len(src) + 64
		return src, try, true
	}
	p.includeBudget -= 64
	return nil, "", false
}

// absent says in the text that a file is not there.
func (p *parser) absent(d directive) {
	if d.arg != "" {
		p.Para("(not included: "+flow.Code(d.arg)+")", d.num)
	}
}

// include reads the file that a directive names in its place.
func (p *parser) include(d directive) {
	if strings.HasPrefix(d.arg, "<") { // docutils' own sets of substitutions
		return
	}
	if p.includes >= maxIncludes || p.depth >= maxDepth {
		p.absent(d)
		return
	}
	src, name, ok := p.file(d.arg)
	if !ok {
		p.absent(d)
		return
	}
	lines := cut(split(string(src), d.num), d.opts)
	if lang, ok := d.opts["code"]; ok {
		p.code(lines, language(lang), d.num)
		return
	}
	if _, ok := d.opts["literal"]; ok {
		p.code(lines, "", d.num)
		return
	}
	if strings.Contains(d.opts["parser"], "myst") || strings.Contains(d.opts["parser"], "markdown") {
		p.markdown(lines, name, d)
		return
	}
	dir := p.dir
	p.dir = path.Dir(name)
	p.includes++
	p.survey(lines)
	p.body(lines)
	p.includes--
	p.dir = dir
}

// markdown puts the blocks of Markdown that a directive includes in its place.
func (p *parser) markdown(lines []line, name string, d directive) {
	if p.opt.Markdown == nil {
		p.absent(d)
		return
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	for _, block := range p.opt.Markdown([]byte(b.String()), name) {
		block.Line = d.num
		p.Add(block)
	}
}

// literalInclude shows a file, or a part of it, as code.
func (p *parser) literalInclude(d directive) {
	src, _, ok := p.file(d.arg)
	if !ok {
		p.absent(d)
		return
	}
	lines := split(strings.ReplaceAll(string(src), "\t", "    "), d.num)
	if name := d.opts["pyobject"]; name != "" {
		lines = pyObject(lines, name)
	}
	lines = cut(lines, d.opts)
	if ranges := d.opts["lines"]; ranges != "" {
		lines = pick(lines, ranges)
	}
	if text := d.opts["prepend"]; text != "" {
		lines = append([]line{{text, d.num}}, lines...)
	}
	if text := d.opts["append"]; text != "" {
		lines = append(lines[:len(lines):len(lines)], line{text, d.num})
	}
	lang := cmp.Or(language(d.opts["language"]), byName(d.arg), p.lang)
	if caption, ok := d.opts["caption"]; ok && caption != "" {
		p.caption(caption, d.num)
	}
	p.code(lines, lang, d.num)
}

// byName returns the language of code in a file of that name.
func byName(name string) string {
	ext := strings.ToLower(path.Ext(name))
	switch ext {
	case ".py":
		return "python"
	case ".js":
		return "javascript"
	case ".sh":
		return "bash"
	case ".yml", ".yaml":
		return "yaml"
	case ".cc", ".cpp", ".hpp", ".cxx":
		return "cpp"
	case ".h":
		return "c"
	case ".c", ".go", ".html", ".css", ".json", ".toml", ".ini", ".xml", ".sql", ".java", ".diff":
		return ext[1:]
	case ".rs":
		return "rust"
	case ".ts":
		return "typescript"
	case ".rb":
		return "ruby"
	}
	return ""
}

// cut returns the part of lines that the options start-after, end-before and their
// like say.
func cut(lines []line, opts map[string]string) []line {
	from, to := 0, len(lines)
	if n, err := strconv.Atoi(opts["start-line"]); err == nil && n > 0 {
		from = min(n, len(lines))
	}
	if n, err := strconv.Atoi(opts["end-line"]); err == nil && n < to {
		if n < 0 {
			n += to
		}
		to = max(from, n)
	}
	lines = lines[from:to]
	for _, key := range []string{"start-after", "start-at"} {
		if at := find(lines, opts[key]); at >= 0 {
			if key == "start-after" {
				at++
			}
			lines = lines[at:]
		}
	}
	from = 0
	if opts["start-at"] != "" && opts["end-at"] != opts["start-at"] {
		from = 1 // the line of the beginning does not end it
	}
	for _, key := range []string{"end-before", "end-at"} {
		if at := find(lines[min(from, len(lines)):], opts[key]); at >= 0 {
			if at += from; key == "end-at" {
				at++
			}
			lines = lines[:min(at, len(lines))]
		}
	}
	return lines
}

// find returns the index of the first line that contains text, or -1.
func find(lines []line, text string) int {
	if text == "" {
		return -1
	}
	return slices.IndexFunc(lines, func(l line) bool { return strings.Contains(l.text, text) })
}

// pick returns the lines of ranges as in "1,3-5,10-".
func pick(lines []line, ranges string) []line {
	var out []line
	for i, part := range strings.Split(ranges, ",") {
		if i == 100 || len(out) > len(lines) {
			break
		}
		first, last, dash := strings.Cut(strings.TrimSpace(part), "-")
		from, err := strconv.Atoi(strings.TrimSpace(first))
		if err != nil && first != "" {
			continue
		}
		to := from
		if dash {
			if to, err = strconv.Atoi(strings.TrimSpace(last)); err != nil {
				to = len(lines)
			}
		}
		from, to = max(from, 1), min(to, len(lines))
		if from <= to {
			out = append(out, lines[from-1:to]...)
		}
	}
	return out
}

// pyObject returns the lines of a function or class of a Python file by its name,
// "Class.method" for one in a class, with its decorators.
func pyObject(lines []line, name string) []line {
	body := lines
	for n, part := range strings.SplitN(name, ".", 6) {
		if n > 0 {
			for strings.HasPrefix(strings.TrimLeft(body[0].text, " "), "@") && len(body) > 1 {
				body = body[1:]
			}
			body = body[1:]
		}
		at := -1
		for i, l := range body {
			text := strings.TrimPrefix(strings.TrimLeft(l.text, " "), "async ")
			rest, def := strings.CutPrefix(text, "def ")
			if !def {
				rest, def = strings.CutPrefix(text, "class ")
			}
			if def && strings.HasPrefix(rest, part) && len(rest) > len(part) && strings.IndexByte("(: [", rest[len(part)]) >= 0 {
				at = i
				break
			}
		}
		if at < 0 {
			return nil
		}
		in := indent(body[at].text)
		end := at + 1
		for end < len(body) && (body[end].text == "" || indent(body[end].text) > in || strings.HasPrefix(strings.TrimLeft(body[end].text, " "), ")")) {
			end++
		}
		for at > 0 && indent(body[at-1].text) == in && strings.HasPrefix(body[at-1].text[in:], "@") {
			at--
		}
		body = body[at:end]
	}
	return trim(body)
}

// raw keeps the words of raw HTML.
func (p *parser) raw(d directive) {
	if !strings.Contains(d.arg, "html") {
		return
	}
	var b strings.Builder
	text := join(d.content)
	for text != "" {
		before, rest, tag := strings.Cut(text, "<")
		b.WriteString(before)
		if !tag {
			break
		}
		b.WriteByte(' ')
		name := strings.ToLower(rest[:min(len(rest), 6)])
		_, text, _ = strings.Cut(rest, ">")
		for _, hidden := range []string{"style", "script"} {
			if strings.HasPrefix(name, hidden) {
				_, text, _ = strings.Cut(text, "</"+hidden)
				_, text, _ = strings.Cut(text, ">")
			}
		}
	}
	p.Para(strings.Join(strings.Fields(html.UnescapeString(b.String())), " "), d.num)
}
