package parse

import (
	"math"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// exprs reads a list, of which each value but the last keeps a register.
func (p *parser) exprs() []ast.Expr {
	list := []ast.Expr{p.expr()}
	for p.accept(",") {
		p.hold(1)
		list = append(list, p.expr())
	}
	p.release(len(list) - 1)
	return list
}

func (p *parser) expr() ast.Expr { return p.binary(0) }

// precedence returns how tightly a binary operator binds to what is left and
// right of it; 0 is no operator.
func precedence(k kind) (left, right int) {
	switch k {
	case "or":
		return 1, 1
	case "and":
		return 2, 2
	case "<", ">", "<=", ">=", "~=", "==":
		return 3, 3
	case "|":
		return 4, 4
	case "~":
		return 5, 5
	case "&":
		return 6, 6
	case "<<", ">>":
		return 7, 7
	case "..":
		return 9, 8
	case "+", "-":
		return 10, 10
	case "*", "/", "//", "%":
		return 11, 11
	case "^":
		return 14, 13
	}
	return 0, 0
}

const unaryPrecedence = 12

// binary reads an expression of operators that bind more tightly than limit.
func (p *parser) binary(limit int) ast.Expr {
	p.enter()
	defer p.leave()
	var e ast.Expr
	line := p.tok.line
	switch p.tok.kind {
	case "not":
		p.advance()
		e = at(&ast.UnaryNotOpExpr{Expr: p.binary(unaryPrecedence)}, line)
	case "-":
		p.advance()
		e = at(&ast.UnaryMinusOpExpr{Expr: p.binary(unaryPrecedence)}, line)
	case "#":
		p.advance()
		e = at(&ast.UnaryLenOpExpr{Expr: p.binary(unaryPrecedence)}, line)
	case "~":
		p.advance()
		p.hold(2)
		e = p.call(BNot, line, p.binary(unaryPrecedence))
		p.release(2)
	default:
		e = p.simple()
	}
	for n := 0; ; n++ {
		op := p.tok
		left, right := precedence(op.kind)
		if left == 0 || left <= limit {
			return e
		}
		if n == maxTerms {
			p.fail("expression of more than %d operators near %s", maxTerms, op.near())
		}
		p.advance()
		p.hold(2)
		if op.kind == ".." {
			e = p.concat(e, op.line)
		} else {
			e = p.join(op.kind, e, p.binary(right), op.line)
		}
		p.release(2)
	}
}

func (p *parser) join(k kind, a, b ast.Expr, line int) ast.Expr {
	switch k {
	case "or", "and":
		return at(&ast.LogicalOpExpr{Operator: string(k), Lhs: a, Rhs: b}, line)
	case "<", ">", "<=", ">=", "~=", "==":
		return at(&ast.RelationalOpExpr{Operator: string(k), Lhs: a, Rhs: b}, line)
	case "+", "-", "*", "/", "%", "^":
		return at(&ast.ArithmeticOpExpr{Operator: string(k), Lhs: a, Rhs: b}, line)
	}
	op := map[kind]Op{"//": IDiv, "&": BAnd, "|": BOr, "~": BXor, "<<": Shl, ">>": Shr}[k]
	return p.call(op, line, a, b)
}

// concat reads what follows the first .. of a chain, which is one operation.
func (p *parser) concat(first ast.Expr, line int) ast.Expr {
	list := []ast.Expr{first}
	held := 0
	for {
		if len(list) > maxTerms {
			p.fail("expression of more than %d operators near %s", maxTerms, p.tok.near())
		}
		if held < flush {
			p.hold(1)
			held++
		}
		list = append(list, p.binary(9))
		if !p.accept("..") {
			break
		}
	}
	p.release(held)
	if len(list) <= flush {
		return p.call(Concat, line, list...)
	}
	// As the elements of a table they do not all need registers at once.
	t := &ast.TableExpr{}
	for _, e := range list {
		t.Fields = append(t.Fields, &ast.Field{Value: single(e)})
	}
	count := at(&ast.NumberExpr{Value: strconv.Itoa(len(list))}, line)
	return p.call(Concats, line, at(t, line), count)
}

func (p *parser) simple() ast.Expr {
	line := p.tok.line
	switch p.tok.kind {
	case tNumber:
		return p.number(p.advance().num, line)
	case tString:
		return p.str(p.advance().text, line)
	case "nil":
		p.advance()
		return at(&ast.NilExpr{}, line)
	case "true":
		p.advance()
		return at(&ast.TrueExpr{}, line)
	case "false":
		p.advance()
		return at(&ast.FalseExpr{}, line)
	case "...":
		if !p.fn.vararg {
			p.fail("cannot use '...' outside a vararg function near '...'")
		}
		p.advance()
		return at(&ast.Comma3Expr{}, line)
	case "{":
		return p.table()
	case "function":
		p.advance()
		return p.function(line, false)
	}
	e, _ := p.suffixed()
	return e
}

func (p *parser) str(s string, line int) *ast.StringExpr {
	p.constant("s" + s)
	return at(&ast.StringExpr{Value: s}, line)
}

// number makes a literal. An integer that is no float is a call.
func (p *parser) number(n number, line int) ast.Expr {
	text := strconv.FormatFloat(n.f, 'g', -1, 64)
	if n.isInt {
		text = strconv.FormatInt(n.i, 10)
		if f := float64(n.i); f >= math.MaxInt64 || int64(f) != n.i {
			return p.call(Int, line, p.str(text, line))
		}
	}
	p.constant("n" + text)
	return at(&ast.NumberExpr{Value: text}, line)
}

// variable makes a reference to a local or a global.
func (p *parser) variable(name string, line int) ast.Expr {
	if name == "_ENV" {
		p.fail("the variable _ENV is not supported near '_ENV'")
	}
	if v := p.find(name); v != nil {
		return at(&ast.IdentExpr{Value: v.unique}, line)
	}
	p.constant("s" + name)
	return at(&ast.IdentExpr{Value: name}, line)
}

func (p *parser) field(e ast.Expr, name string, line int) ast.Expr {
	return at(&ast.AttrGetExpr{Object: e, Key: p.str(name, line)}, line)
}

// A use is what an expression may be besides a value.
type use int

const (
	asValue use = iota
	asTarget
	asCall
)

// suffixed reads a name or a parenthesis and what is applied to it.
func (p *parser) suffixed() (e ast.Expr, as use) {
	line := p.tok.line
	switch p.tok.kind {
	case tName:
		name := p.advance().text
		e, as = p.variable(name, line), asTarget
	case "(":
		p.advance()
		e = single(p.expr())
		p.closing(")", "(", line)
	default:
		p.fail("unexpected symbol near %s", p.tok.near())
	}
	for n := 0; ; n++ {
		line := p.tok.line
		if n == maxTerms {
			p.fail("expression of more than %d operators near %s", maxTerms, p.tok.near())
		}
		switch p.tok.kind {
		case ".":
			p.advance()
			e, as = p.field(e, p.name(), line), asTarget
		case "[":
			p.advance()
			p.hold(1)
			key := p.expr()
			p.release(1)
			p.expect("]")
			e, as = at(&ast.AttrGetExpr{Object: e, Key: key}, line), asTarget
		case ":":
			p.advance()
			name := p.name()
			p.constant("s" + name)
			p.hold(3)
			e, as = at(&ast.FuncCallExpr{Receiver: e, Method: name, Args: p.args()}, line), asCall
			p.release(3)
		case "(", tString, "{":
			p.hold(2)
			e, as = at(&ast.FuncCallExpr{Func: e, Args: p.args()}, line), asCall
			p.release(2)
		default:
			return e, as
		}
	}
}

// single makes (e): one value.
func single(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.Comma3Expr:
		e.AdjustRet = true
	case *ast.FuncCallExpr:
		e.AdjustRet = true
	}
	return e
}

func (p *parser) args() []ast.Expr {
	line := p.tok.line
	switch p.tok.kind {
	case tString:
		return []ast.Expr{p.str(p.advance().text, line)}
	case "{":
		return []ast.Expr{p.table()}
	case "(":
		p.advance()
		if p.accept(")") {
			return []ast.Expr{}
		}
		list := p.exprs()
		p.closing(")", "(", line)
		return list
	}
	p.fail("function arguments expected near %s", p.tok.near())
	return nil
}

// flush is after how many elements a constructor's registers are free again.
const flush = 50

func (p *parser) table() ast.Expr {
	line := p.expect("{").line
	t := &ast.TableExpr{Fields: []*ast.Field{}}
	p.hold(1)
	held := 0
	for p.tok.kind != "}" {
		f := &ast.Field{}
		switch {
		case p.tok.kind == "[":
			p.advance()
			p.hold(1)
			f.Key = p.expr()
			p.expect("]")
			p.expect("=")
			f.Value = p.expr()
			p.release(1)
		case p.tok.kind == tName && p.peek().kind == "=":
			kl := p.tok.line
			f.Key = p.str(p.advance().text, kl)
			p.advance()
			f.Value = p.expr()
		default:
			f.Value = p.expr()
			if held++; held == flush {
				p.release(held - 1)
				held = 0
			} else {
				p.hold(1)
			}
		}
		t.Fields = append(t.Fields, f)
		if !p.accept(",") && !p.accept(";") {
			break
		}
	}
	p.release(held + 1)
	p.closing("}", "{", line)
	return at(t, line)
}

// function reads parameters and body of one that began in line.
func (p *parser) function(line int, method bool) ast.Expr {
	p.enter()
	defer p.leave()
	f := &ast.FunctionExpr{ParList: &ast.ParList{Names: []string{}}}
	p.open(false)
	p.fn.line = line
	if method {
		f.ParList.Names = append(f.ParList.Names, p.declare("self", false).unique)
	}
	p.expect("(")
	for p.tok.kind != ")" {
		if p.accept("...") {
			f.ParList.HasVargs, p.fn.vararg = true, true
			break
		}
		f.ParList.Names = append(f.ParList.Names, p.declare(p.name(), false).unique)
		if !p.accept(",") {
			break
		}
		if p.tok.kind == ")" {
			p.fail("<name> expected near ')'")
		}
	}
	p.expect(")")
	f.Stmts = p.block()
	end := p.closing("end", "function", line)
	p.close()
	return span(f, line, end.line)
}
