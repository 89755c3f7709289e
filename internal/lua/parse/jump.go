package parse

import "github.com/yuin/gopher-lua/ast"

// The compiler shortens a jump that leads to another, and misreads the other if it
// comes first in the code: its argument is a distance by then. So nothing that is
// jumped back to, the start of a loop or a label, may begin with a jump.

// pause makes a statement that does nothing and is no jump.
func pause(line int) ast.Stmt {
	nothing := at(&ast.LocalAssignStmt{Names: []string{"\x00"}, Exprs: []ast.Expr{at(&ast.NilExpr{}, line)}}, line)
	return at(&ast.DoBlockStmt{Stmts: []ast.Stmt{nothing}}, line)
}

// solid returns the body of a loop so that it does not begin with a jump.
func solid(body []ast.Stmt, line int) []ast.Stmt {
	if !jumps(body) {
		return body
	}
	return append([]ast.Stmt{pause(line)}, body...)
}

// labelled puts a pause behind each label that a jump follows.
func labelled(list []ast.Stmt) []ast.Stmt {
	for i := 0; i < len(list); i++ {
		if l, ok := list[i].(*ast.LabelStmt); ok && !atEnd(list[i:]) && jumps(list[i+1:]) {
			list = append(list[:i+1:i+1], append([]ast.Stmt{pause(l.Line())}, list[i+1:]...)...)
		}
	}
	return list
}

// atEnd reports whether a list has nothing but labels.
func atEnd(list []ast.Stmt) bool {
	for _, s := range list {
		if _, ok := s.(*ast.LabelStmt); !ok {
			return false
		}
	}
	return true
}

// jumps reports whether the first instruction of a list may be a jump.
func jumps(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.LabelStmt:
			continue
		case *ast.DoBlockStmt:
			if len(s.Stmts) == 0 {
				continue
			}
			return jumps(s.Stmts)
		case *ast.RepeatStmt:
			return jumps(s.Stmts)
		case *ast.IfStmt:
			return decided(s.Condition)
		case *ast.WhileStmt:
			return decided(s.Condition)
		case *ast.BreakStmt:
			return true
		}
		return false
	}
	return true
}

// decided reports whether a condition may begin with a jump, since a constant
// decides it or its first part.
func decided(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.TrueExpr, *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr, *ast.StringExpr:
		return true
	case *ast.UnaryNotOpExpr:
		return decided(e.Expr)
	case *ast.LogicalOpExpr:
		return decided(e.Lhs)
	}
	return false
}

// while makes a loop whose condition is no jump either: it is looked at within.
func (p *parser) whileLoop(cond ast.Expr, body []ast.Stmt, line, end int) ast.Stmt {
	if _, always := cond.(*ast.TrueExpr); decided(cond) && !always {
		leave := at(&ast.IfStmt{
			Condition: at(&ast.UnaryNotOpExpr{Expr: cond}, line),
			Then:      []ast.Stmt{at(&ast.BreakStmt{}, line)},
		}, line)
		body = append([]ast.Stmt{pause(line), leave}, body...)
		cond = at(&ast.TrueExpr{}, line)
	}
	return span(&ast.WhileStmt{Condition: cond, Stmts: solid(body, line)}, line, end)
}
