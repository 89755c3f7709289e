package template

type expr interface {
	eval(r *renderer, s *scope) any
}

// The expressions.
type (
	constant struct{ v any }
	variable struct {
		line int
		name string
	}
	getAttr struct {
		line int
		of   expr
		name string
	}
	getItem struct {
		line    int
		of, key expr
	}
	sliceExpr struct {
		line               int
		of, from, to, step expr
	}
	callExpr struct {
		line int
		fn   expr // or
		of   expr // and
		name string
		args arguments
	}
	filterExpr struct {
		line int
		of   expr
		name string
		args arguments
	}
	testExpr struct {
		line int
		of   expr
		name string
		args arguments
		not  bool
	}
	unary struct {
		line int
		op   string
		x    expr
	}
	binary struct {
		line int
		op   string
		x, y expr
	}
	ternary struct{ cond, then, other expr }
	list    struct{ items []expr }
	dict    struct {
		line         int
		keys, values []expr
	}
)

// arguments are those of a call as they are written.
type arguments struct {
	args  []expr
	names []string
	named []expr
}

func (p *parser) nest() func() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.peek().line, "nested too deep")
	}
	return func() { p.depth-- }
}

// tuple reads an expression, or several with commas between them.
func (p *parser) tuple() expr { return p.tupleOf(p.expr) }

// tupleNoIf is a tuple in which if begins no condition.
func (p *parser) tupleNoIf() expr { return p.tupleOf(p.or) }

func (p *parser) tupleOf(item func() expr) expr {
	e := item()
	if p.peek().kind != "," {
		return e
	}
	return p.rest(e, item)
}

func (p *parser) rest(first expr, item func() expr) expr {
	l := &list{items: []expr{first}}
	for p.accept(",") {
		if k := p.peek().kind; k == "" || k == ")" {
			break
		}
		l.items = append(l.items, item())
	}
	return l
}

func (p *parser) expr() expr {
	defer p.nest()()
	e := p.or()
	for p.word("if") {
		c := &ternary{then: e, cond: p.or()}
		if p.word("else") {
			c.other = p.expr()
		}
		e = c
	}
	return e
}

func (p *parser) or() expr  { return p.joinedBy("or", p.and) }
func (p *parser) and() expr { return p.joinedBy("and", p.not) }

func (p *parser) joinedBy(word string, operand func() expr) expr {
	e := operand()
	for p.isWord(word) {
		line := p.take().line
		e = &binary{line, word, e, operand()}
	}
	return e
}

func (p *parser) not() expr {
	if p.isWord("not") {
		defer p.nest()()
		line := p.take().line
		return &unary{line, "not", p.not()}
	}
	return p.compare()
}

func (p *parser) compare() expr {
	e := p.sum()
	for {
		t := p.peek()
		switch {
		case t.kind == "==" || t.kind == "!=" || t.kind == "<" || t.kind == "<=" || t.kind == ">" || t.kind == ">=":
			p.take()
			e = &binary{t.line, t.kind, e, p.sum()}
		case p.word("in"):
			e = &binary{t.line, "in", e, p.sum()}
		case p.isWord("not") && p.tokens[p.pos+1].text == "in":
			p.pos += 2
			e = &unary{t.line, "not", &binary{t.line, "in", e, p.sum()}}
		default:
			return e
		}
	}
}

func (p *parser) infix(next func() expr, ops ...string) expr {
	e := next()
	for n := 0; ; n++ {
		t := p.peek()
		found := false
		for _, op := range ops {
			found = found || t.kind == op
		}
		if !found {
			return e
		}
		p.failIf(n == 10*maxNesting, t.line, "too many operators in a row")
		p.take()
		e = &binary{t.line, t.kind, e, next()}
	}
}

func (p *parser) sum() expr     { return p.infix(p.concat, "+", "-") }
func (p *parser) concat() expr  { return p.infix(p.product, "~") }
func (p *parser) product() expr { return p.infix(p.power, "*", "/", "//", "%") }

func (p *parser) power() expr {
	e := p.filters(p.unary())
	for p.peek().kind == "**" {
		line := p.take().line
		e = &binary{line, "**", e, p.filters(p.unary())}
	}
	return e
}

// unary reads a sign and its operand: a filter applies to both.
func (p *parser) unary() expr {
	t := p.peek()
	if t.kind == "-" || t.kind == "+" {
		defer p.nest()()
		p.take()
		return &unary{t.line, t.kind, p.unary()}
	}
	return p.access(p.primary())
}

// access reads what is applied to e: attributes, items, calls.
func (p *parser) access(e expr) expr {
	for {
		t := p.peek()
		switch t.kind {
		case ".":
			p.take()
			if n := p.peek(); n.kind == "int" {
				p.take()
				e = &getItem{t.line, e, &constant{n.num}}
				continue
			}
			e = &getAttr{t.line, e, p.expectName()}
		case "[":
			p.take()
			e = p.subscript(e, t.line)
		case "(":
			p.take()
			call := &callExpr{line: t.line, fn: e}
			if a, ok := e.(*getAttr); ok {
				call.of, call.name = a.of, a.name
			}
			call.args = p.arguments()
			e = call
		default:
			return e
		}
	}
}

func (p *parser) subscript(e expr, line int) expr {
	s := &sliceExpr{line: line, of: e}
	parts := []*expr{&s.from, &s.to, &s.step}
	colons := 0
	for p.peek().kind != "]" {
		if p.accept(":") {
			if colons++; colons > 2 {
				p.fail(line, "expected ]")
			}
			continue
		}
		*parts[colons] = p.tuple()
	}
	p.expect("]")
	if colons == 0 {
		p.failIf(s.from == nil, line, "expected a subscript")
		return &getItem{line, e, s.from}
	}
	return s
}

func (p *parser) arguments() (a arguments) {
	for !p.accept(")") {
		if p.peek().kind == "name" && p.tokens[p.pos+1].kind == "=" {
			a.names = append(a.names, p.take().text)
			p.take()
			a.named = append(a.named, p.expr())
		} else {
			a.args = append(a.args, p.expr())
		}
		if !p.accept(",") {
			p.expect(")")
			break
		}
	}
	return a
}

// filters reads the filters and tests that follow e.
func (p *parser) filters(e expr) expr {
	for {
		t := p.peek()
		switch {
		case t.kind == "|":
			p.take()
			f := &filterExpr{line: t.line, of: e, name: p.expectName()}
			if p.accept("(") {
				f.args = p.arguments()
			}
			e = p.access(f)
		case t.kind == "name" && t.text == "is":
			p.take()
			e = p.test(e, t.line)
		default:
			return e
		}
	}
}

func (p *parser) test(e expr, line int) expr {
	t := &testExpr{line: line, of: e, not: p.word("not")}
	if n := p.peek(); n.kind == "name" {
		t.name = p.take().text
	} else {
		t.name = p.take().kind // is == 1
	}
	switch k := p.peek(); {
	case k.kind == "(":
		p.take()
		t.args = p.arguments()
	case k.kind == "string" || k.kind == "int" || k.kind == "float" || k.kind == "[" || k.kind == "{":
		t.args.args = []expr{p.access(p.primary())}
	case k.kind == "name" && !operatorWord(k.text):
		t.args.args = []expr{p.access(p.primary())}
	}
	return t
}

func operatorWord(w string) bool {
	switch w {
	case "and", "or", "else", "if", "is", "in", "not", "recursive":
		return true
	}
	return false
}

func (p *parser) primary() expr {
	t := p.take()
	switch t.kind {
	case "int", "float":
		return &constant{t.num}
	case "string":
		s := t.text
		for p.peek().kind == "string" {
			s += p.take().text
		}
		return &constant{s}
	case "name":
		switch t.text {
		case "true", "True":
			return &constant{true}
		case "false", "False":
			return &constant{false}
		case "none", "None":
			return &constant{nil}
		}
		return &variable{t.line, t.text}
	case "(":
		if p.accept(")") {
			return &list{}
		}
		e := p.tuple()
		p.expect(")")
		return e
	case "[":
		l := &list{}
		for !p.accept("]") {
			l.items = append(l.items, p.expr())
			if !p.accept(",") {
				p.expect("]")
				break
			}
		}
		return l
	case "{":
		d := &dict{line: t.line}
		for !p.accept("}") {
			d.keys = append(d.keys, p.expr())
			p.expect(":")
			d.values = append(d.values, p.expr())
			if !p.accept(",") {
				p.expect("}")
				break
			}
		}
		return d
	}
	p.fail(t.line, "unexpected %q", t.text)
	return nil
}
