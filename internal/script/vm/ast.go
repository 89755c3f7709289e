package vm

// The tree of a chunk. Names are resolved while it is parsed: which local, upvalue or
// global one means is decided by what has been declared before it.

// A local is a variable of a function.
type local struct {
	name     string
	attrib   attrib
	captured bool // by a closure: it has to be closed where its scope ends
	constant expr // of a <const> whose value is known: it takes no register
	reg      int
}

type attrib uint8

const (
	attribNone attrib = iota
	attribConst
	attribClose
)

// An upvalue says where a closure finds a variable when it is made.
type upvalue struct {
	name   string
	local  *local // of the function around, or nil: its upvalue number index
	index  int
	attrib attrib
}

// A function is a function's text.
type function struct {
	params    []*local
	vararg    bool
	upvalues  []upvalue
	body      *block
	line, end int
}

// A block is a sequence of statements with a scope of its own.
type block struct {
	stmts []stmt
}

type (
	expr interface{}
	stmt interface{}

	nilExpr    struct{}
	boolExpr   struct{ value bool }
	numberExpr struct{ value Value }
	stringExpr struct{ value string }
	varargExpr struct{ line int }
	funcExpr   struct {
		f    *function
		line int
	}
	localExpr struct{ v *local }
	upvalExpr struct {
		name  string
		index int
	}
	indexExpr struct {
		obj, key expr
		line     int
	}
	callExpr struct {
		fn   expr
		name string // of a method, or ""
		args []expr
		line int
	}
	binaryExpr struct {
		op   binop
		a, b expr
		line int
	}
	unaryExpr struct {
		op   unop
		a    expr
		line int
	}
	parenExpr struct{ e expr }
	tableExpr struct {
		fields []field
		line   int
	}
)

// A field of a table constructor; key is nil for an element of its list.
type field struct {
	key, value expr
	line       int
}

type (
	localStmt struct {
		vars  []*local
		exprs []expr
		line  int
	}
	assignStmt struct {
		targets, exprs []expr
		line           int
	}
	callStmt  struct{ call *callExpr }
	doStmt    struct{ body *block }
	whileStmt struct {
		cond expr
		body *block
		line int
	}
	repeatStmt struct {
		body *block
		cond expr
		line int
	}
	ifStmt struct {
		conds []expr
		lines []int
		thens []*block
		other *block
	}
	numForStmt struct {
		v                  *local
		start, limit, step expr
		body               *block
		line               int
	}
	genForStmt struct {
		vars  []*local
		exprs []expr
		body  *block
		line  int
	}
	localFuncStmt struct {
		v    *local
		f    *funcExpr
		line int
	}
	returnStmt struct {
		exprs []expr
		line  int
	}
	gotoStmt struct {
		label string // "break" for a break
		line  int
	}
	labelStmt struct {
		name string
		line int
		last bool // in its block: no statement follows that does anything
	}
)

type binop uint8

const (
	opAdd binop = iota
	opSub
	opMul
	opMod
	opDiv
	opPow
	opIDiv
	opBAnd
	opBOr
	opBXor
	opShl
	opShr
	opConcat
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opAnd
	opOr
)

type unop uint8

const (
	opNeg unop = iota
	opBNot
	opNot
	opLen
	noUnop
)

// An infix is an operator between two operands. It binds its left operand as left says and its right one as right; where
// the two differ, it associates to the right.
type infix struct {
	op          binop
	left, right uint8
}

// infixes are the operators by their tokens; a token that is none binds nothing.
var infixes = [tString + 1]infix{
	'+': {opAdd, 10, 10}, '-': {opSub, 10, 10}, '*': {opMul, 11, 11}, '%': {opMod, 11, 11}, '^': {opPow, 14, 13}, '/': {opDiv, 11, 11},
	tIDiv: {opIDiv, 11, 11}, '&': {opBAnd, 6, 6}, '|': {opBOr, 4, 4}, '~': {opBXor, 5, 5}, tShl: {opShl, 7, 7}, tShr: {opShr, 7, 7},
	tConcat: {opConcat, 9, 8}, tEq: {opEq, 3, 3}, tNe: {opNe, 3, 3}, '<': {opLt, 3, 3}, tLe: {opLe, 3, 3}, '>': {opGt, 3, 3},
	tGe: {opGe, 3, 3}, tAnd: {opAnd, 2, 2}, tOr: {opOr, 1, 1},
}

const unaryPriority = 12

func unaryOp(t token) unop {
	switch t {
	case '-':
		return opNeg
	case '~':
		return opBNot
	case tNot:
		return opNot
	case '#':
		return opLen
	}
	return noUnop
}
