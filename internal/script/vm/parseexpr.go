package vm

func (p *parser) exprs() []expr {
	list := []expr{p.expr()}
	for p.accept(',') {
		list = append(list, p.expr())
	}
	return list
}

func (p *parser) expr() expr { return p.operators(0) }

// operators reads an expression whose operators all bind more than limit.
func (p *parser) operators(limit uint8) expr {
	p.enter()
	var e expr
	if op := unaryOp(p.tok.kind); op != noUnop {
		line := p.line
		p.next()
		e = foldUnary(op, p.operators(unaryPriority), line)
	} else {
		e = p.simple()
	}
	for n := 0; ; n++ {
		b := infixes[p.tok.kind]
		if b.left <= limit {
			break
		}
		if n > maxChain {
			p.wrong("C stack overflow")
		}
		line := p.line
		p.next()
		e = foldBinary(b.op, e, p.operators(b.right), line)
	}
	p.depth--
	return e
}

func (p *parser) simple() expr {
	var e expr
	switch p.tok.kind {
	case tNumber:
		e = &numberExpr{p.tok.num}
	case tString:
		e = &stringExpr{p.tok.text}
	case tNil:
		e = &nilExpr{}
	case tTrue:
		e = &boolExpr{true}
	case tFalse:
		e = &boolExpr{false}
	case tDots:
		if !p.scope.f.vararg {
			p.fail("cannot use '...' outside a vararg function")
		}
		e = &varargExpr{p.line}
	case '{':
		return p.table()
	case tFunction:
		line := p.line
		p.next()
		return p.functionBody(false, line)
	default:
		return p.suffixed()
	}
	p.next()
	return e
}

func (p *parser) primary() expr {
	switch p.tok.kind {
	case tName:
		return p.resolveNext()
	case '(':
		line := p.line
		p.next()
		e := p.expr()
		p.closing(')', '(', line)
		switch e.(type) {
		case *callExpr, *varargExpr, *localExpr, *upvalExpr, *indexExpr:
			return &parenExpr{e} // one value, and no target of an assignment
		}
		return e
	}
	p.fail("unexpected symbol")
	return nil
}

// suffixed reads a name or an expression in parentheses, with its indexes and calls.
func (p *parser) suffixed() expr {
	line := p.line
	e := p.primary()
	for n := 0; ; n++ {
		if n > maxChain {
			p.wrong("C stack overflow")
		}
		switch p.tok.kind {
		case '.':
			p.next()
			key := p.name()
			e = &indexExpr{e, &stringExpr{key}, p.lastLine}
		case '[':
			p.next()
			key := p.expr()
			p.expect(']')
			e = &indexExpr{e, key, p.lastLine}
		case ':':
			p.next()
			name := p.name()
			e = &callExpr{fn: e, name: name, args: p.args(), line: line}
		case '(', tString, '{':
			e = &callExpr{fn: e, args: p.args(), line: line}
		default:
			return e
		}
	}
}

func (p *parser) args() []expr {
	switch p.tok.kind {
	case tString:
		e := &stringExpr{p.tok.text}
		p.next()
		return []expr{e}
	case '{':
		return []expr{p.table()}
	case '(':
		line := p.line
		p.next()
		if p.accept(')') {
			return nil
		}
		args := p.exprs()
		p.closing(')', '(', line)
		return args
	}
	p.fail("function arguments expected")
	return nil
}

func (p *parser) table() expr {
	line := p.line
	t := &tableExpr{line: line}
	p.expect('{')
	for p.tok.kind != '}' {
		f := field{line: p.line}
		switch {
		case p.tok.kind == tName && p.peek() == '=':
			f.key = &stringExpr{p.name()}
			p.next()
			f.value = p.expr()
		case p.tok.kind == '[':
			p.next()
			f.key = p.expr()
			p.expect(']')
			p.expect('=')
			f.value = p.expr()
		default:
			f.value = p.expr()
		}
		t.fields = append(t.fields, f)
		if !p.accept(',') && !p.accept(';') {
			break
		}
	}
	p.closing('}', '{', line)
	return t
}

// functionBody reads parameters and body of a function that begins at line.
func (p *parser) functionBody(method bool, line int) *funcExpr {
	s := &scope{parent: p.scope, f: &function{line: line}}
	p.scope = s
	if method {
		s.f.params = append(s.f.params, p.newLocal("self"))
	}
	p.expect('(')
	for p.tok.kind != ')' {
		if p.accept(tDots) {
			s.f.vararg = true
			break
		}
		if p.tok.kind != tName {
			p.fail("<name> or '...' expected")
		}
		s.f.params = append(s.f.params, p.newLocal(p.name()))
		if !p.accept(',') {
			break
		}
		if p.tok.kind == ')' {
			p.fail("<name> or '...' expected")
		}
	}
	p.expect(')')
	p.activate(s.f.params...)
	s.f.body = p.block()
	s.f.end = p.line
	p.closing(tEnd, tFunction, line)
	p.scope = s.parent
	return &funcExpr{s.f, p.lastLine}
}
