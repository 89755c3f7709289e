package parse

import (
	"github.com/yuin/gopher-lua/ast"
)

// block reads statements up to what ends a block.
func (p *parser) block() (list []ast.Stmt) {
	p.scope(func() { list = p.statements() })
	return list
}

func (p *parser) statements() (list []ast.Stmt) {
	for !p.blockEnds() {
		if p.tok.kind == "return" {
			return labelled(append(list, p.returns()))
		}
		if s := p.statement(); s != nil {
			list = append(list, s)
		}
	}
	return labelled(list)
}

func (p *parser) blockEnds() bool {
	switch p.tok.kind {
	case tEOF, "end", "else", "elseif", "until":
		return true
	}
	return false
}

// statement reads one; nil is the empty one.
func (p *parser) statement() ast.Stmt {
	p.enter()
	defer p.leave()
	line := p.tok.line
	switch p.tok.kind {
	case ";":
		p.advance()
		return nil
	case "if":
		return p.branch()
	case "while":
		p.advance()
		cond := p.expr()
		p.expect("do")
		body := p.loop()
		end := p.closing("end", "while", line)
		return p.whileLoop(cond, body, line, end.line)
	case "do":
		p.advance()
		body := p.block()
		end := p.closing("end", "do", line)
		return span(&ast.DoBlockStmt{Stmts: body}, line, end.line)
	case "for":
		return p.forLoop()
	case "repeat":
		return p.repeat()
	case "function":
		return p.definition()
	case "local":
		p.advance()
		if p.tok.kind == "function" {
			p.advance()
			v := p.declare(p.name(), false)
			f := p.function(line, false)
			return at(&ast.LocalAssignStmt{Names: []string{v.unique}, Exprs: []ast.Expr{f}}, line)
		}
		return p.local(line)
	case "::":
		p.advance()
		name := p.name()
		p.expect("::")
		return at(&ast.LabelStmt{Name: name}, line)
	case "break":
		p.advance()
		if p.fn.loops == 0 {
			p.lex.fail(line, "break outside a loop at line %d near %s", line, p.tok.near())
		}
		return at(&ast.BreakStmt{}, line)
	case "goto":
		p.advance()
		return at(&ast.GotoStmt{Label: p.name()}, line)
	}
	return p.exprStatement()
}

// span sets the lines of a node.
func span[N ast.PositionHolder](n N, first, last int) N {
	n.SetLine(first)
	n.SetLastLine(last)
	return n
}

// loop reads the body of a loop.
func (p *parser) loop() []ast.Stmt {
	p.fn.loops++
	body := p.block()
	p.fn.loops--
	return body
}

func (p *parser) branch() ast.Stmt {
	line := p.tok.line
	var first, last *ast.IfStmt
	for p.tok.kind == "if" || p.tok.kind == "elseif" {
		t := p.advance()
		s := &ast.IfStmt{Condition: p.expr()}
		p.expect("then")
		s.Then = p.block()
		s.SetLine(t.line)
		if first == nil {
			first = s
		} else {
			last.Else = []ast.Stmt{s}
		}
		last = s
	}
	if p.accept("else") {
		last.Else = p.block()
	}
	end := p.closing("end", "if", line)
	first.SetLastLine(end.line)
	return first
}

// repeat reads a loop whose condition sees the locals of its body.
func (p *parser) repeat() ast.Stmt {
	line := p.advance().line
	s := &ast.RepeatStmt{}
	p.scope(func() {
		p.fn.loops++
		s.Stmts = solid(p.statements(), line)
		p.fn.loops--
		p.closing("until", "repeat", line)
		s.Condition = p.expr()
	})
	return span(s, line, s.Condition.Line())
}

func (p *parser) forLoop() ast.Stmt {
	line := p.advance().line
	name := p.name()
	p.fn.hidden += 3
	defer func() { p.fn.hidden -= 3 }()
	switch p.tok.kind {
	case "=":
		p.advance()
		s := &ast.NumberForStmt{Init: p.expr()}
		p.expect(",")
		s.Limit = p.expr()
		if p.accept(",") {
			if s.Step = p.expr(); !isNumber(s.Step) {
				s.Step = p.call(Step, s.Step.Line(), s.Step)
			}
		}
		p.expect("do")
		p.scope(func() {
			s.Name = p.declare(name, false).unique
			s.Stmts = solid(p.loop(), line)
		})
		end := p.closing("end", "for", line)
		return span(s, line, end.line)
	case ",", "in":
		names := []string{name}
		for p.accept(",") {
			names = append(names, p.name())
		}
		p.expect("in")
		return p.iterate(names, line)
	}
	p.fail("'=' or 'in' expected near %s", p.tok.near())
	return nil
}

// iterate reads a loop from the values of its iterator on.
func (p *parser) iterate(names []string, line int) ast.Stmt {
	s := &ast.GenericForStmt{}
	var loop ast.Stmt
	p.scope(func() {
		s.Exprs = p.exprs()
		var first *ast.LocalAssignStmt
		if !reached(s.Exprs[0]) {
			first = &ast.LocalAssignStmt{Exprs: s.Exprs}
			s.Exprs = nil
			for range 3 { // the iterator, what it goes through and where it begins
				v := p.temporary()
				first.Names = append(first.Names, v.unique)
				s.Exprs = append(s.Exprs, at(&ast.IdentExpr{Value: v.unique}, line))
			}
		}
		p.expect("do")
		p.scope(func() {
			for _, n := range names {
				s.Names = append(s.Names, p.declare(n, false).unique)
			}
			s.Stmts = solid(p.loop(), line)
		})
		end := p.closing("end", "for", line)
		loop = span(s, line, end.line)
		if first != nil {
			loop = span(&ast.DoBlockStmt{Stmts: []ast.Stmt{at(first, line), s}}, line, end.line)
		}
	})
	return loop
}

// reached reports whether the first value of a loop is a call of what is reached by
// names alone, or is itself. Of others the compiler loses the register, because that
// of the loop's own locals are taken before.
func reached(e ast.Expr) bool {
	if call, ok := e.(*ast.FuncCallExpr); ok {
		if e = call.Func; e == nil {
			e = call.Receiver
		}
	}
	for {
		switch get := e.(type) {
		case *ast.AttrGetExpr:
			if !literal(get.Key) {
				return false
			}
			e = get.Object
		case *ast.IdentExpr:
			return true
		default:
			return false
		}
	}
}

// definition reads function a.b:c() … end, an assignment.
func (p *parser) definition() ast.Stmt {
	line := p.advance().line
	name := p.name()
	target := p.variable(name, line)
	method := false
	for p.tok.kind == "." || p.tok.kind == ":" {
		method = p.tok.kind == ":"
		p.advance()
		target = p.field(target, p.name(), line)
		if method {
			break
		}
	}
	p.writable(target)
	f := p.function(line, method)
	return at(&ast.AssignStmt{Lhs: []ast.Expr{target}, Rhs: []ast.Expr{f}}, line)
}

func (p *parser) local(line int) ast.Stmt {
	var names []string
	var constant []bool
	for {
		names = append(names, p.name())
		attr := false
		if p.accept("<") {
			switch a := p.name(); a {
			case "const":
				attr = true
			case "close":
				p.fail("to-be-closed variables (<close>) are not supported near %s", p.tok.near())
			default:
				p.fail("unknown attribute '%s'", a)
			}
			p.expect(">")
		}
		constant = append(constant, attr)
		if !p.accept(",") {
			break
		}
	}
	s := &ast.LocalAssignStmt{Exprs: []ast.Expr{}}
	if p.accept("=") {
		s.Exprs = p.exprs()
	}
	// The compiler lets a function see the local that it is alone assigned to.
	renamed := false
	if len(names) == 1 && len(s.Exprs) == 1 {
		_, renamed = s.Exprs[0].(*ast.FunctionExpr)
	}
	for i, n := range names {
		v := p.declare(n, renamed)
		v.constant = constant[i]
		s.Names = append(s.Names, v.unique)
	}
	return at(s, line)
}

func (p *parser) returns() ast.Stmt {
	line := p.advance().line
	s := &ast.ReturnStmt{}
	if !p.blockEnds() && p.tok.kind != ";" {
		s.Exprs = p.exprs()
	}
	p.accept(";")
	if !p.blockEnds() {
		p.fail("'<eof>' expected near %s", p.tok.near())
	}
	return at(s, line)
}

// exprStatement reads a call or an assignment.
func (p *parser) exprStatement() ast.Stmt {
	line := p.tok.line
	e, as := p.suffixed()
	if p.tok.kind != "=" && p.tok.kind != "," {
		if as != asCall {
			p.fail("syntax error near %s", p.tok.near())
		}
		return at(&ast.FuncCallStmt{Expr: e}, line)
	}
	targets := []ast.Expr{p.target(e, as)}
	for p.accept(",") {
		e, as := p.suffixed()
		targets = append(targets, p.target(e, as))
		p.hold(2)
	}
	p.expect("=")
	values := p.exprs()
	p.release(2 * (len(targets) - 1))
	if len(targets) == 1 && len(values) == 1 {
		several(values[0])
		return at(&ast.AssignStmt{Lhs: targets, Rhs: values}, line)
	}
	return p.assignAll(targets, values, line)
}

// target checks that e can be assigned to.
func (p *parser) target(e ast.Expr, as use) ast.Expr {
	if as != asTarget {
		p.fail("syntax error near %s", p.tok.near())
	}
	p.writable(e)
	return e
}

// writable fails for a constant.
func (p *parser) writable(e ast.Expr) {
	id, ok := e.(*ast.IdentExpr)
	if !ok {
		return
	}
	for f := p.fn; f != nil; f = f.parent {
		for _, v := range f.vars {
			if v.unique == id.Value && v.constant {
				p.fail("attempt to assign to const variable '%s'", v.name)
			}
		}
	}
}

// assignAll makes an assignment of several: all is read before any is written,
// and the last is written first, as C Lua does.
func (p *parser) assignAll(targets, values []ast.Expr, line int) ast.Stmt {
	var body []ast.Stmt
	p.scope(func() {
		bind := func(exprs []ast.Expr, n int) []ast.Expr {
			s := &ast.LocalAssignStmt{Exprs: exprs}
			vars := make([]ast.Expr, n)
			for i := range n {
				v := p.temporary()
				s.Names = append(s.Names, v.unique)
				vars[i] = at(&ast.IdentExpr{Value: v.unique}, line)
			}
			body = append(body, at(s, line))
			return vars
		}
		for i, t := range targets {
			if get, ok := t.(*ast.AttrGetExpr); ok {
				parts := []ast.Expr{get.Object}
				if !literal(get.Key) {
					parts = append(parts, get.Key)
				}
				vars := bind(parts, len(parts))
				key := get.Key
				if len(vars) == 2 {
					key = vars[1]
				}
				targets[i] = at(&ast.AttrGetExpr{Object: vars[0], Key: key}, get.Line())
			}
		}
		vars := bind(values, len(targets))
		for i := len(targets) - 1; i >= 0; i-- {
			body = append(body, at(&ast.AssignStmt{Lhs: targets[i : i+1], Rhs: vars[i : i+1]}, line))
		}
	})
	return at(&ast.DoBlockStmt{Stmts: body}, line)
}

// several undoes single, where an assignment takes one value in any case: what the
// compiler makes of a parameter = (f()) leaves the value behind.
func several(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Comma3Expr:
		e.AdjustRet = false
	case *ast.FuncCallExpr:
		e.AdjustRet = false
	}
}

// isNumber reports whether e is a number that is not 0.
func isNumber(e ast.Expr) bool {
	if m, ok := e.(*ast.UnaryMinusOpExpr); ok {
		e = m.Expr
	}
	n, ok := e.(*ast.NumberExpr)
	return ok && n.Value != "0" && n.Value != "-0"
}

func literal(e ast.Expr) bool {
	switch e.(type) {
	case *ast.StringExpr, *ast.NumberExpr:
		return true
	}
	return false
}
