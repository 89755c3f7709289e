// Package parse reads Lua 5.4 into the syntax tree that gopher-lua compiles,
// which is of Lua 5.1.
//
// What it accepts means what Lua 5.4 says, or it is an error that names the
// feature: a chunk is never taken for another. Integer division and the bit
// operators become calls of functions that the chunk is given; what the compiler
// is known to get wrong (a multiple assignment that reads what it writes, a name
// that shadows another, a function that names the variable it is assigned to) is
// written so that it cannot.
package parse

import (
	"fmt"

	"github.com/yuin/gopher-lua/ast"
)

// An Error is why a chunk is none.
type Error struct {
	Chunk   string
	Line    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Chunk, e.Line, e.Message) }

// An Op is an operation that the tree can only call. A chunk that needs some is
// a chunk that returns the real one, and wants them as its arguments.
type Op string

// The operations, in the order in which a Chunk lists them.
const (
	IDiv    Op = "idiv"    // a // b
	BAnd    Op = "band"    // a & b
	BOr     Op = "bor"     // a | b
	BXor    Op = "bxor"    // a ~ b
	Shl     Op = "shl"     // a << b
	Shr     Op = "shr"     // a >> b
	BNot    Op = "bnot"    // ~a
	Int     Op = "int"     // an integer that a float cannot hold, from its digits
	Concat  Op = "concat"  // a .. b .. c …
	Concats Op = "concats" // the same of a table and how many it has
	Step    Op = "step"    // its argument, which is not 0
)

var ops = [...]Op{IDiv, BAnd, BOr, BXor, Shl, Shr, BNot, Int, Concat, Concats, Step}

const (
	maxDepth     = 200   // of constructs in each other, as in C Lua
	maxRegisters = 190   // locals and temporaries of a function; the compiler has 200 and does not always look
	maxUpvalues  = 255   // of a function
	maxConstants = 16384 // of a function: the compiler looks them up one by one
	maxTerms     = 2000  // operators of one precedence in a row
)

// A Chunk is a chunk as the compiler takes it.
type Chunk struct {
	Body []ast.Stmt
	Ops  []Op // if any, Body returns the chunk's function when it is called with these
}

// Parse reads src, which errors call name. The error is an *Error.
func Parse(name string, src []byte) (c *Chunk, err error) {
	defer func() {
		if e, ok := recover().(*Error); ok {
			c, err = nil, e
		} else if r := recover(); r != nil {
			panic(r)
		}
	}()
	p := &parser{lex: newLexer(name, src), used: map[Op]bool{}}
	p.advance()
	p.open(true)
	body := p.block()
	if p.tok.kind != tEOF {
		p.fail("'<eof>' expected near %s", p.tok.near())
	}
	return p.chunk(body), nil
}

// chunk puts the operations that were used around the body.
func (p *parser) chunk(body []ast.Stmt) *Chunk {
	c := &Chunk{Body: body}
	var names []string
	for _, op := range ops {
		if p.used[op] {
			c.Ops = append(c.Ops, op)
			names = append(names, op.variable())
		}
	}
	if len(names) == 0 {
		return c
	}
	last := p.tok.line
	main := &ast.FunctionExpr{ParList: &ast.ParList{HasVargs: true, Names: []string{}}, Stmts: body}
	main.SetLine(0)
	main.SetLastLine(last)
	c.Body = []ast.Stmt{
		at(&ast.LocalAssignStmt{Names: names, Exprs: []ast.Expr{at(&ast.Comma3Expr{}, 1)}}, 1),
		at(&ast.ReturnStmt{Exprs: []ast.Expr{main}}, last),
	}
	return c
}

// variable is a name that no script can write.
func (o Op) variable() string { return "\x00" + string(o) }

// at sets the line of a node.
func at[N ast.PositionHolder](n N, line int) N {
	n.SetLine(line)
	n.SetLastLine(line)
	return n
}

type parser struct {
	lex   *lexer
	tok   token // the one at hand
	ahead token // the one after it, if seen
	seen  bool
	depth int
	fresh int // names made so far
	used  map[Op]bool
	fn    *function
}

// A function is what the parser knows of the one it is in.
type function struct {
	parent    *function
	vararg    bool
	line      int
	vars      []*variable // in scope, innermost last
	loops     int
	hidden    int // registers of loops
	temps     int // registers that an unfinished expression holds
	upvalues  map[*variable]bool
	constants map[string]bool
}

// A variable is a local. unique is what the compiler knows it by.
type variable struct {
	name, unique string
	constant     bool
}

func (p *parser) fail(format string, args ...any) { p.lex.fail(p.tok.line, format, args...) }

func (p *parser) advance() token {
	t := p.tok
	if p.seen {
		p.tok, p.seen = p.ahead, false
	} else {
		p.tok = p.lex.next()
	}
	return t
}

// peek returns the token after the one at hand.
func (p *parser) peek() token {
	if !p.seen {
		p.ahead, p.seen = p.lex.next(), true
	}
	return p.ahead
}

// accept passes over a token if it is the one at hand.
func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(k kind) token {
	if p.tok.kind != k {
		p.fail("'%s' expected near %s", k, p.tok.near())
	}
	return p.advance()
}

// closing expects what ends the construct that what began in line.
func (p *parser) closing(k, what kind, line int) token {
	if p.tok.kind != k && line != p.tok.line {
		p.fail("'%s' expected (to close '%s' at line %d) near %s", k, what, line, p.tok.near())
	}
	return p.expect(k)
}

func (p *parser) name() string {
	if p.tok.kind != tName {
		p.fail("<name> expected near %s", p.tok.near())
	}
	return p.advance().text
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail("chunk has too many syntax levels (limit is %d)", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// open begins a function.
func (p *parser) open(vararg bool) {
	p.fn = &function{parent: p.fn, vararg: vararg, line: p.tok.line, upvalues: map[*variable]bool{}, constants: map[string]bool{}}
}

func (p *parser) close() { p.fn = p.fn.parent }

// hold says that an expression keeps n registers; release gives them back.
func (p *parser) hold(n int) {
	p.fn.temps += n
	p.room()
}

func (p *parser) release(n int) { p.fn.temps -= n }

func (p *parser) room() {
	if f := p.fn; len(f.vars)+f.hidden+f.temps > maxRegisters {
		p.fail("function at line %d needs too many registers (limit is %d locals and temporaries) near %s", f.line, maxRegisters, p.tok.near())
	}
}

// constant notes that the function has s among its constants.
func (p *parser) constant(s string) {
	f := p.fn
	if f.constants[s] {
		return
	}
	if len(f.constants) == maxConstants {
		p.fail("function at line %d has more than %d constants near %s", f.line, maxConstants, p.tok.near())
	}
	f.constants[s] = true
}

// declare brings a local into scope and returns what the tree calls it. renamed
// says that the tree must not know it by its own name.
func (p *parser) declare(name string, renamed bool) *variable {
	v := &variable{name: name, unique: name}
	if renamed || p.visible(name) {
		p.fresh++
		v.unique = fmt.Sprintf("%s\x00%d", name, p.fresh)
	}
	p.fn.vars = append(p.fn.vars, v)
	p.room()
	return v
}

// temporary declares a local that no script can name.
func (p *parser) temporary() *variable {
	p.fresh++
	v := &variable{unique: fmt.Sprintf("\x00%d", p.fresh)}
	p.fn.vars = append(p.fn.vars, v)
	p.room()
	return v
}

func (p *parser) visible(name string) bool {
	for f := p.fn; f != nil; f = f.parent {
		for _, v := range f.vars {
			if v.name == name {
				return true
			}
		}
	}
	return false
}

// find returns the local of that name, or nil where it is a global.
func (p *parser) find(name string) *variable {
	for f := p.fn; f != nil; f = f.parent {
		for i := len(f.vars) - 1; i >= 0; i-- {
			v := f.vars[i]
			if v.name != name {
				continue
			}
			for g := p.fn; g != f; g = g.parent {
				p.upvalue(g, v)
			}
			return v
		}
	}
	return nil
}

func (p *parser) upvalue(f *function, v *variable) {
	if f.upvalues[v] = true; len(f.upvalues) > maxUpvalues-len(ops) {
		p.fail("function at line %d has more than %d upvalues near %s", f.line, maxUpvalues-len(ops), p.tok.near())
	}
}

// scope runs f and forgets the locals that it declared.
func (p *parser) scope(f func()) {
	n := len(p.fn.vars)
	f()
	p.fn.vars = p.fn.vars[:n]
}

// call makes a call of an operation.
func (p *parser) call(op Op, line int, args ...ast.Expr) ast.Expr {
	p.used[op] = true
	for i := range args {
		args[i] = single(args[i])
	}
	return at(&ast.FuncCallExpr{Func: at(&ast.IdentExpr{Value: op.variable()}, line), Args: args, AdjustRet: true}, line)
}
