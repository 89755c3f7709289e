package template

import (
	"slices"
	"strings"
)

// A source is a parsed template.
type source struct {
	name   string
	body   []node
	blocks map[string]*block
	parent expr // of {% extends %}
}

type node interface{ render(r *renderer, s *scope) }

func (p *parser) template() *source {
	body, end := p.body()
	if end != "" {
		p.fail(p.line, "unexpected %s", end)
	}
	return &source{p.name, body, p.blocks, p.parent}
}

// body reads nodes up to a tag whose name is one of ends, which it returns with
// the tokens of that tag at hand. No ends are the end of the template.
func (p *parser) body(ends ...string) (list []node, end string) {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.line, "nested too deep")
	}
	defer func() { p.depth-- }()
	start := p.line
	for {
		text, tag := p.next()
		if text != "" {
			list = append(list, data(text))
		}
		switch tag {
		case "":
			if len(ends) > 0 {
				p.fail(start, "unclosed block: expected %s", ends[len(ends)-1])
			}
			return list, ""
		case "{{":
			p.open("}}")
			line := p.line
			list = append(list, &output{line: line, value: p.whole()})
		default:
			p.open("%}")
			name := p.expectName()
			if slices.Contains(ends, name) {
				return list, name
			}
			if n := p.statement(name); n != nil {
				list = append(list, n)
			}
		}
	}
}

// whole reads the expression that is the rest of the tag.
func (p *parser) whole() expr {
	e := p.tuple()
	p.done()
	return e
}

// done expects the end of the tag.
func (p *parser) done() {
	if t := p.peek(); t.kind != "" {
		p.fail(t.line, "unexpected %q", t.text)
	}
}

func (p *parser) peek() token { return p.tokens[p.pos] }

func (p *parser) take() token {
	t := p.tokens[p.pos]
	if t.kind != "" {
		p.pos++
	}
	return t
}

func (p *parser) accept(kind string) bool {
	if p.peek().kind != kind {
		return false
	}
	p.pos++
	return true
}

func (p *parser) isWord(w string) bool { t := p.peek(); return t.kind == "name" && t.text == w }

func (p *parser) word(w string) bool {
	if !p.isWord(w) {
		return false
	}
	p.pos++
	return true
}

func (p *parser) expect(kind string) token {
	t := p.take()
	if t.kind != kind {
		p.fail(t.line, "expected %s, found %q", kind, t.text)
	}
	return t
}

func (p *parser) expectName() string { return p.expect("name").text }

func (p *parser) expectWord(w string) {
	if !p.word(w) {
		p.fail(p.peek().line, "expected %s, found %q", w, p.peek().text)
	}
}

// ended reads a body and expects its end tag to say no more.
func (p *parser) ended(end string) []node {
	p.done()
	list, _ := p.body(end)
	p.endName()
	return list
}

// endName reads the name that an end tag may repeat.
func (p *parser) endName() {
	p.accept("name")
	p.done()
}

func (p *parser) statement(name string) node {
	line := p.line
	switch name {
	case "if":
		return p.branch()
	case "for":
		return p.loop(line)
	case "set":
		return p.set(line)
	case "macro":
		name := p.expectName()
		m := p.macro(name)
		m.body = p.ended("endmacro")
		return &define{m}
	case "call":
		return p.callBlock(line)
	case "filter":
		f := &filterExpr{line: line, of: captured{}, name: p.expectName()}
		if p.accept("(") {
			f.args = p.arguments()
		}
		n := &filterBlock{value: p.filters(f)}
		n.body = p.ended("endfilter")
		return n
	case "include":
		n := &include{line: line, name: p.expr()}
		if p.word("ignore") {
			p.expectWord("missing")
			n.optional = true
		}
		p.context()
		return n
	case "import", "from":
		return p.imports(name, line)
	case "extends":
		p.parent = p.whole()
		return nil
	case "block":
		return p.block(line)
	case "with":
		return p.with()
	case "raw":
		p.done()
		return p.raw()
	case "do":
		return &do{line: line, value: p.whole()}
	case "autoescape":
		p.expr()
		return group(p.ended("endautoescape"))
	case "break", "continue":
		p.done()
		if p.loops == 0 {
			p.fail(line, "%s outside a loop", name)
		}
		return jump(name)
	}
	p.fail(line, "unknown statement %s", name)
	return nil
}

// context reads "with context" or "without context", which change nothing.
func (p *parser) context() {
	if p.word("with") || p.word("without") {
		p.expectWord("context")
	}
	p.done()
}

func (p *parser) branch() node {
	n := &branch{line: p.line, cond: p.whole()}
	var end string
	n.then, end = p.body("elif", "elseif", "else", "endif")
	switch end {
	case "endif":
		p.done()
	case "else":
		p.done()
		n.other, _ = p.body("endif")
		p.done()
	default:
		n.other = []node{p.branch()}
	}
	return n
}

func (p *parser) loop(line int) node {
	n := &loop{line: line, target: p.targets()}
	p.expectWord("in")
	n.over = p.tupleNoIf()
	if p.word("if") {
		n.cond = p.expr()
	}
	n.recursive = p.word("recursive")
	p.done()
	p.loops++
	var end string
	n.body, end = p.body("else", "endfor")
	p.loops--
	if end == "else" {
		p.done()
		n.other, _ = p.body("endfor")
	}
	p.done()
	return n
}

// targets reads what a loop or a set assigns to: a name, several, or a.b.
func (p *parser) targets() []string {
	var list []string
	paren := p.accept("(")
	for {
		name := p.expectName()
		if p.accept(".") {
			name += "." + p.expectName()
		}
		list = append(list, name)
		if !p.accept(",") || p.peek().kind != "name" || p.isWord("in") {
			break
		}
	}
	if paren {
		p.expect(")")
	}
	return list
}

func (p *parser) set(line int) node {
	n := &set{line: line, target: p.targets()}
	if p.accept("=") {
		n.value = p.whole()
		return n
	}
	n.value = p.filters(captured{})
	n.body = p.ended("endset")
	n.block = true
	return n
}

// macro reads the parameters of one.
func (p *parser) macro(name string) *macro {
	m := &macro{name: name, line: p.line}
	p.expect("(")
	for !p.accept(")") {
		m.params = append(m.params, p.expectName())
		var def expr
		if p.accept("=") {
			def = p.expr()
		}
		m.defaults = append(m.defaults, def)
		if !p.accept(",") {
			p.expect(")")
			break
		}
	}
	return m
}

func (p *parser) callBlock(line int) node {
	m := &macro{name: "caller", line: line}
	if p.peek().kind == "(" {
		m = p.macro("caller")
	}
	e := p.expr()
	call, ok := e.(*callExpr)
	p.failIf(!ok, line, "expected a call")
	m.body = p.ended("endcall")
	return &callBlock{line: line, call: call, caller: m}
}

func (p *parser) imports(kind string, line int) node {
	n := &imports{line: line, name: p.expr()}
	if kind == "import" {
		p.expectWord("as")
		n.as = p.expectName()
		p.context()
		return n
	}
	p.expectWord("import")
	for {
		name := p.expectName()
		as := name
		if p.word("as") {
			as = p.expectName()
		}
		n.names = append(n.names, [2]string{name, as})
		if !p.accept(",") || p.peek().kind != "name" {
			break
		}
	}
	p.context()
	return n
}

func (p *parser) block(line int) node {
	b := &block{line: line, name: p.expectName()}
	p.word("scoped")
	p.word("required")
	if p.blocks[b.name] != nil {
		p.fail(line, "block %s is defined twice", b.name)
	}
	p.blocks[b.name] = b
	b.body = p.ended("endblock")
	return b
}

func (p *parser) with() node {
	n := &with{line: p.line}
	for p.peek().kind == "name" {
		n.names = append(n.names, p.expectName())
		p.expect("=")
		n.values = append(n.values, p.expr())
		if !p.accept(",") {
			break
		}
	}
	n.body = p.ended("endwith")
	return n
}

// raw reads text up to {% endraw %} in which nothing is a tag.
func (p *parser) raw() node {
	start, line := p.at, p.line
	trim := p.trim
	for i := p.at; ; {
		n := strings.Index(p.src[i:], "{%")
		p.failIf(n < 0, line, "unclosed block: expected endraw")
		i += n
		rest := strings.TrimLeft(strings.TrimLeft(p.src[i+2:], "-+"), " \t\n")
		if after, ok := strings.CutPrefix(rest, "endraw"); ok {
			after = strings.TrimLeft(after, " \t\n")
			closing := strings.TrimLeft(after, "-+")
			if strings.HasPrefix(closing, "%}") {
				text := p.src[start:i]
				end := len(p.src) - len(closing) + 2
				p.line += strings.Count(p.src[start:end], "\n")
				p.at, p.trim = end, strings.HasPrefix(after, "-")
				if trim {
					text = strings.TrimLeft(text, " \t\n")
				}
				if p.src[i+2] == '-' {
					text = strings.TrimRight(text, " \t\n")
				}
				return data(text)
			}
		}
		i += 2
	}
}
