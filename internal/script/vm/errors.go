package vm

import (
	"fmt"
	"strings"
)

// errorf returns an error with the place of the function that runs, if it is one of Lua.
func (th *Thread) errorf(format string, args ...any) *Error {
	return &Error{Value: Str(th.where(0) + fmt.Sprintf(format, args...))}
}

// where returns "chunk:line: " of the function level calls up, or "" if it is none of Lua.
func (th *Thread) where(level int) string {
	d := th.depth - level
	if d < 1 {
		return ""
	}
	fr := &th.frames[d]
	if fr.kind != frLua {
		return ""
	}
	p := th.closure(fr).code.p
	return fmt.Sprintf("%s:%d: ", p.chunk, p.lines[max(fr.pc-1, 0)])
}

func (th *Thread) typeError(op string, v Value, operand int) *Error {
	return th.errorf("attempt to %s a %s value%s", op, th.st.typeName(v), th.describe(operand))
}

// callError is the error of a call of v, which is at stack[fn].
func (th *Thread) callError(fn int, v Value) *Error {
	fr := &th.frames[th.depth]
	extra := ""
	if fr.kind == frLua {
		if name, kind := th.calleeName(fr); kind != "" {
			name, _, _ = strings.Cut(name, "\x00")
			extra = fmt.Sprintf(" (%s '%s')", kind, name)
		} else {
			extra = th.describe(fn - int(fr.base))
		}
	}
	return th.errorf("attempt to call a %s value%s", th.st.typeName(v), extra)
}

func (th *Thread) arithError(ev event, x, y Value, rx, ry int) *Error {
	bits := evBAnd <= ev && ev <= evShr || ev == evBNot
	_, okX := floatOf(x)
	_, okY := floatOf(y)
	switch {
	case bits && okX && okY:
		if _, ok := toInt(x); !ok {
			ry = rx
		}
		return th.errorf("number%s has no integer representation", th.describe(ry))
	case !bits && (x.Kind() == KindString || y.Kind() == KindString):
		// The string library says it so, which these operations on strings belong to.
		return th.errorf("attempt to %s a '%s' with a '%s'", eventNames[ev][2:], th.st.typeName(x), th.st.typeName(y))
	}
	if !okX {
		y, ry = x, rx
	}
	if bits {
		return th.typeError("perform bitwise operation on", y, ry)
	}
	return th.typeError("perform arithmetic on", y, ry)
}

func (th *Thread) compareError(x, y Value) *Error {
	a, b := th.st.typeName(x), th.st.typeName(y)
	if a == b {
		return th.errorf("attempt to compare two %s values", a)
	}
	return th.errorf("attempt to compare %s with %s", a, b)
}

func (th *Thread) forError(what string, v Value) *Error {
	if what == "initial" {
		what = "initial value"
	}
	return th.errorf("bad 'for' %s (number expected, got %s)", what, th.st.typeName(v))
}

// raised makes the error of a call of error().
func raised(c Call) *Error {
	level := c.OptInt(2, 1)
	v := c.Arg(1)
	if s, ok := v.AsString(); ok && level > 0 && level < 1<<30 {
		if place := c.th.where(int(level)); place != "" {
			v = Str(place + s)
		}
	}
	return &Error{Value: v}
}

// trace adds to an error where it was raised, unless something is going to catch it.
func (th *Thread) trace(e *Error) {
	if e.Traceback != "" {
		return
	}
	for t := th; t != nil; t = t.resumer {
		for d := t.depth; d > 0; d-- {
			if k := t.frames[d].kind; k == frPcall || k == frXpcall {
				return
			}
		}
	}
	e.Traceback = th.traceback("", false, 0)
}

// Traceback is debug.traceback of C Lua, as a function for programs that are given it: of a
// thread or the one that runs, with a message before it, from a level on.
func (c Call) Traceback() int {
	th, i := c.th, 1
	if co := c.Arg(1).asThread(); co != nil {
		th, i = co, 2
	}
	message := c.Arg(i)
	if !message.IsNil() && !isText(message) {
		return c.Return(message)
	}
	level := c.OptInt(i+1, int64(2-i))
	text := ""
	if !message.IsNil() {
		text = c.Str(i)
	}
	return c.Return(c.NewString(th.traceback(text, !message.IsNil(), int(min(max(level, 0), int64(th.depth))))))
}

// Levels of a traceback that are shown at its start and at its end.
const (
	firstLevels = 10
	lastLevels  = 11
)

// traceback returns a message and the calls of th, one a line, from a level on.
func (th *Thread) traceback(message string, withMessage bool, level int) string {
	b := []byte{}
	if withMessage {
		b = append(append(b, message...), '\n')
	}
	b = append(b, "stack traceback:"...)
	last := th.depth - level // the number of levels, less the caller in Go
	skip := last - firstLevels - lastLevels
	for i := level; i < th.depth; i++ {
		if skip > 0 && i == level+firstLevels {
			b = fmt.Appendf(b, "\n\t...\t(skipping %d levels)", skip)
			i += skip - 1
			continue
		}
		fr := &th.frames[th.depth-i]
		if fr.kind == frLua {
			p := th.closure(fr).code.p
			b = fmt.Appendf(b, "\n\t%s:%d: in ", p.chunk, p.lines[max(fr.pc-1, 0)])
		} else {
			b = append(b, "\n\t[C]: in "...)
		}
		b = append(b, th.functionName(th.depth-i)...)
		if fr.flags&flTail != 0 {
			b = append(b, "\n\t(...tail calls...)"...)
		}
	}
	if !th.coroutine {
		b = append(b, "\n\t[C]: in ?"...)
	}
	return string(b)
}

// functionName returns the name of the function of frame d in a traceback.
func (th *Thread) functionName(d int) string {
	fr := &th.frames[d]
	f := th.stack[fr.fn]
	if f.Kind() == KindGo && strings.Contains((*GoFunction)(f.p).name, ".") {
		return "function '" + (*GoFunction)(f.p).name + "'"
	}
	if name := th.st.globalName(f); name != "" {
		return "function '" + name + "'"
	}
	if name, kind := th.nameAt(d); kind != "" {
		return kind + " '" + name + "'"
	}
	if fr.kind != frLua {
		return "?"
	}
	p := th.closure(fr).code.p
	if p.line == 0 {
		return "main chunk"
	}
	return fmt.Sprintf("function <%s:%d>", p.chunk, p.line)
}

// nameAt returns the name by which the caller of frame d calls its function.
func (th *Thread) nameAt(d int) (name, kind string) {
	fr := &th.frames[d]
	if fr.flags&(flEntry|flTail) != 0 || d < 2 {
		return "", ""
	}
	if below := &th.frames[d-1]; below.kind == frLua {
		return th.calleeName(below)
	}
	return "", ""
}

// globalName returns the name of a function that is global or in a library, or "".
func (st *State) globalName(f Value) string {
	name := ""
	search := func(t *Table, prefix string) {
		for i := range t.nodes {
			if n := &t.nodes[i]; n.val == f && n.key.Kind() == KindString {
				name = prefix + (*String)(n.key.p).s
				return
			}
		}
	}
	if search(st.Globals, ""); name != "" {
		return name
	}
	for i := range st.Globals.nodes {
		n := &st.Globals.nodes[i]
		s, ok := n.key.AsString()
		if t := n.val.AsTable(); ok && t != nil && t != st.Globals && st.isLibrary(s) {
			if search(t, s+"."); name != "" {
				return name
			}
		}
	}
	return ""
}

func (st *State) isLibrary(name string) bool {
	switch name {
	case "string", "table", "math", "utf8", "coroutine", "os", "debug":
		return true
	}
	return false
}
