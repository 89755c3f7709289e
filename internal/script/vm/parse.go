package vm

import (
	"fmt"
	"strings"
)

// Limits of the parser, those of C Lua.
const (
	maxNesting  = 200 // of statements and expressions in each other
	maxLocals   = 200
	maxUpvalues = 255
	maxChain    = 20_000 // of operators or calls that associate to the left
)

// A scope is a function while it is parsed.
type scope struct {
	parent  *scope
	f       *function
	actives []*local
}

type parser struct {
	lex      *lexer
	tok      lexeme
	line     int // of tok
	lastLine int // of the token before
	ahead    lexeme
	peeked   bool
	peekLine int
	scope    *scope
	depth    int
}

// parse returns the main function of a chunk. It panics with a syntaxError.
func parse(chunk, src string) *function {
	p := &parser{lex: &lexer{chunk: chunk, src: src, line: 1}}
	p.scope = &scope{f: &function{vararg: true}}
	p.scope.f.upvalues = []upvalue{{name: "_ENV"}}
	p.next()
	p.scope.f.body = p.block()
	if p.tok.kind != tEOF {
		p.expected(tEOF)
	}
	p.scope.f.end = p.line
	return p.scope.f
}

func (e syntaxError) Error() string { return e.message }

func (p *parser) next() {
	p.lastLine = p.line
	if p.peeked {
		p.tok, p.line, p.peeked = p.ahead, p.peekLine, false
		return
	}
	p.tok = p.lex.next()
	p.line = p.lex.line
}

func (p *parser) peek() token {
	if !p.peeked {
		p.ahead = p.lex.next()
		p.peekLine, p.peeked = p.lex.line, true
	}
	return p.ahead.kind
}

// fail raises an error at the current token.
func (p *parser) fail(message string) {
	near := p.tok.kind.String()
	if p.tok.kind >= tNumber {
		near = "'" + p.tok.raw + "'"
	}
	p.lex.fail(p.line, message, near)
}

// wrong raises an error of meaning, which no token is near to.
func (p *parser) wrong(format string, args ...any) {
	p.lex.fail(p.line, fmt.Sprintf(format, args...), "")
}

func (p *parser) expected(k token) { p.fail(k.String() + " expected") }

func (p *parser) accept(k token) bool {
	if p.tok.kind == k {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(k token) {
	if !p.accept(k) {
		p.expected(k)
	}
}

// closing expects the end of a construct that was opened by a token at a line.
func (p *parser) closing(k, opened token, line int) {
	if p.accept(k) {
		return
	}
	if line == p.line {
		p.expected(k)
	}
	p.fail(fmt.Sprintf("%v expected (to close %v at line %d)", k, opened, line))
}

func (p *parser) name() string {
	if p.tok.kind != tName {
		p.expected(tName)
	}
	s := p.tok.text
	p.next()
	return s
}

func (p *parser) enter() {
	if p.depth++; p.depth >= maxNesting {
		p.wrong("C stack overflow")
	}
}

// limit raises an error if n is more than limit.
func (p *parser) limit(n, limit int, what string) {
	if n <= limit {
		return
	}
	where := "main function"
	if line := p.scope.f.line; line > 0 {
		where = fmt.Sprintf("function at line %d", line)
	}
	p.fail(fmt.Sprintf("too many %s (limit is %d) in %s", what, limit, where))
}

func (p *parser) newLocal(name string) *local {
	return &local{name: name}
}

func (p *parser) activate(vars ...*local) {
	p.scope.actives = append(p.scope.actives, vars...)
	p.limit(len(p.scope.actives), maxLocals, "local variables")
}

// ends reports whether the current token ends a block.
func (p *parser) ends(until bool) bool {
	switch p.tok.kind {
	case tElse, tElseif, tEnd, tEOF:
		return true
	case tUntil:
		return until
	}
	return false
}

// block reads statements up to the end of their block, and ends their scope.
func (p *parser) block() *block {
	n := len(p.scope.actives)
	b := p.statements()
	p.scope.actives = p.scope.actives[:n]
	return b
}

func (p *parser) statements() *block {
	b := &block{}
	for !p.ends(true) {
		if p.tok.kind == tReturn {
			b.stmts = append(b.stmts, p.returnStatement())
			break
		}
		p.enter()
		if s := p.statement(); s != nil {
			b.stmts = append(b.stmts, s)
		}
		p.depth--
	}
	// A label that nothing follows is outside the scope of the block's locals. One
	// before until is not: the condition follows.
	if p.tok.kind != tUntil {
		for i := len(b.stmts) - 1; i >= 0; i-- {
			l, ok := b.stmts[i].(*labelStmt)
			if !ok {
				break
			}
			l.last = true
		}
	}
	return b
}

func (p *parser) statement() stmt {
	line := p.line
	switch p.tok.kind {
	case ';':
		p.next()
		return nil
	case tIf:
		return p.ifStatement()
	case tWhile:
		p.next()
		cond := p.expr()
		p.expect(tDo)
		body := p.block()
		p.closing(tEnd, tWhile, line)
		return &whileStmt{cond, body, line}
	case tDo:
		p.next()
		body := p.block()
		p.closing(tEnd, tDo, line)
		return &doStmt{body}
	case tFor:
		return p.forStatement()
	case tRepeat:
		p.next()
		n := len(p.scope.actives)
		body := p.statements()
		p.closing(tUntil, tRepeat, line)
		cond := p.expr()
		p.scope.actives = p.scope.actives[:n]
		return &repeatStmt{body, cond, line}
	case tFunction:
		return p.functionStatement()
	case tLocal:
		p.next()
		if p.accept(tFunction) {
			v := p.newLocal(p.name())
			p.activate(v)
			return &localFuncStmt{v, p.functionBody(false, p.line), line}
		}
		return p.localStatement(line)
	case tColons:
		p.next()
		name := p.name()
		p.expect(tColons)
		return &labelStmt{name: name, line: line}
	case tBreak:
		p.next()
		return &gotoStmt{"break", line}
	case tGoto:
		p.next()
		return &gotoStmt{p.name(), line}
	}
	return p.expressionStatement()
}

func (p *parser) ifStatement() stmt {
	line := p.line
	s := &ifStmt{}
	for {
		s.lines = append(s.lines, p.line)
		p.next()
		s.conds = append(s.conds, p.expr())
		p.expect(tThen)
		s.thens = append(s.thens, p.block())
		if p.tok.kind != tElseif {
			break
		}
	}
	if p.accept(tElse) {
		s.other = p.block()
	}
	p.closing(tEnd, tIf, line)
	return s
}

func (p *parser) forStatement() stmt {
	line := p.line
	p.next()
	first := p.newLocal(p.name())
	n := len(p.scope.actives)
	hidden := func(k int) {
		for range k {
			p.activate(p.newLocal("(for state)"))
		}
	}
	body := func(vars ...*local) *block {
		p.expect(tDo)
		p.activate(vars...)
		b := p.block()
		p.scope.actives = p.scope.actives[:n]
		p.closing(tEnd, tFor, line)
		return b
	}
	switch p.tok.kind {
	case '=':
		p.next()
		s := &numForStmt{v: first, line: line}
		s.start = p.expr()
		p.expect(',')
		s.limit = p.expr()
		if p.accept(',') {
			s.step = p.expr()
		}
		hidden(3)
		s.body = body(first)
		return s
	case ',', tIn:
		s := &genForStmt{vars: []*local{first}}
		for p.accept(',') {
			s.vars = append(s.vars, p.newLocal(p.name()))
		}
		p.expect(tIn)
		s.line = p.line
		s.exprs = p.exprs()
		hidden(4)
		s.body = body(s.vars...)
		return s
	}
	p.fail("'=' or 'in' expected")
	return nil
}

func (p *parser) functionStatement() stmt {
	line := p.line
	p.next()
	target := p.resolveNext()
	method := false
	for p.tok.kind == '.' || p.tok.kind == ':' {
		method = p.tok.kind == ':'
		p.next()
		key := p.name()
		target = &indexExpr{target, &stringExpr{key}, p.lastLine}
		if method {
			break
		}
	}
	p.assignable(target)
	f := p.functionBody(method, line)
	return &assignStmt{[]expr{target}, []expr{f}, line}
}

func (p *parser) resolveNext() expr {
	name := p.name()
	return p.resolve(name)
}

func (p *parser) localStatement(line int) stmt {
	s := &localStmt{line: line}
	closes := false
	for {
		v := p.newLocal(p.name())
		if p.accept('<') {
			name := p.name()
			p.expect('>')
			switch name {
			case "const":
				v.attrib = attribConst
			case "close":
				if closes {
					p.wrong("multiple to-be-closed variables in local list")
				}
				v.attrib, closes = attribClose, true
			default:
				p.wrong("unknown attribute '%s'", name)
			}
		}
		s.vars = append(s.vars, v)
		p.limit(len(p.scope.actives)+len(s.vars), maxLocals, "local variables")
		if !p.accept(',') {
			break
		}
	}
	if p.accept('=') {
		s.exprs = p.exprs()
	}
	if last := s.vars[len(s.vars)-1]; last.attrib == attribConst && len(s.vars) == len(s.exprs) {
		switch e := s.exprs[len(s.exprs)-1].(type) {
		case *nilExpr, *boolExpr, *numberExpr, *stringExpr:
			last.constant = e
		}
	}
	p.activate(s.vars...)
	return s
}

func (p *parser) returnStatement() stmt {
	s := &returnStmt{line: p.line}
	p.next()
	if !p.ends(true) && p.tok.kind != ';' {
		s.exprs = p.exprs()
	}
	p.accept(';')
	return s
}

func (p *parser) expressionStatement() stmt {
	line := p.line
	e := p.suffixed()
	if p.tok.kind == '=' || p.tok.kind == ',' {
		s := &assignStmt{targets: []expr{e}, line: line}
		p.assignable(e)
		for p.accept(',') {
			e := p.suffixed()
			p.assignable(e)
			s.targets = append(s.targets, e)
			if len(s.targets)+p.depth > maxNesting {
				p.wrong("C stack overflow")
			}
		}
		p.expect('=')
		s.exprs = p.exprs()
		return s
	}
	call, ok := e.(*callExpr)
	if !ok {
		p.fail("syntax error")
	}
	return &callStmt{call}
}

// assignable raises an error if e cannot be assigned to.
func (p *parser) assignable(e expr) {
	name, a := "", attribNone
	switch e := e.(type) {
	case *localExpr:
		name, a = e.v.name, e.v.attrib
	case *upvalExpr:
		name, a = e.name, p.scope.f.upvalues[e.index].attrib
	case *indexExpr:
		return
	case *nilExpr, *boolExpr, *numberExpr, *stringExpr:
		if p.isConstant(e) {
			p.wrong("attempt to assign to const variable '%s'", p.constantName(e))
		}
		p.fail("syntax error")
	default:
		p.fail("syntax error")
	}
	if a != attribNone {
		p.wrong("attempt to assign to const variable '%s'", name)
	}
}

func (p *parser) isConstant(e expr) bool { return p.constantName(e) != "" }

// constantName returns the name of the <const> that stands for e, or "".
func (p *parser) constantName(e expr) string {
	for s := p.scope; s != nil; s = s.parent {
		for _, v := range s.actives {
			if v.constant == e {
				return v.name
			}
		}
	}
	return ""
}

// chunkName returns the name of a chunk in messages, as C Lua does.
func chunkName(name string) string {
	const size = 60
	switch {
	case name == "":
		return `[string ""]`
	case name[0] == '=':
		return name[1:min(len(name), size)]
	case name[0] == '@':
		return name[1:] // whole, where C Lua cuts long ones: it is what an editor opens
	}
	line, _, more := strings.Cut(name, "\n")
	if room := size - len(`[string "..."]`) - 1; more || len(line) >= room {
		line = line[:min(len(line), room)] + "..."
	}
	return `[string "` + line + `"]`
}
