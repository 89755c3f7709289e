package lua

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/lua/luatest"
)

// A writer makes programs that raise few errors: a, b, c and d are integers, t and
// u tables of them, f and g functions that return some. Names are few so that they
// shadow each other.
type writer struct {
	r      *rand.Rand
	b      strings.Builder
	depth  int
	budget int
	loops  int
	vararg bool
	labels int
}

func (w *writer) pick(list ...string) string { return list[w.r.IntN(len(list))] }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, "%s%s\n", strings.Repeat(" ", w.depth), fmt.Sprintf(format, args...))
}

func (w *writer) integer() string { return w.pick("a", "b", "c", "d") }

func (w *writer) expr(depth int) string {
	if depth <= 0 {
		return w.pick(w.integer(), w.integer(), fmt.Sprint(w.r.IntN(20)), fmt.Sprintf("%s[%d]", w.pick("t", "u"), 1+w.r.IntN(3)), "#"+w.pick("t", "u"))
	}
	e := func() string { return w.expr(depth - 1) }
	switch w.r.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf(w.pick("(%s + %s)", "(%s - %s)", "(%s * %s %% 1000)"), e(), e())
	case 3:
		return fmt.Sprintf(w.pick("(%s // %d)", "(%s %% %d)", "(%s & %d)", "(%s | %d)", "(%s ~ %d)", "((%s & 255) << %d)", "((%s & 255) >> %d)"), e(), 1+w.r.IntN(7))
	case 4:
		return fmt.Sprintf("(%s and %s or %s)", w.cond(depth-1), e(), e())
	case 5:
		return fmt.Sprintf("(%s(%s, %s))", w.pick("f", "g"), e(), e())
	case 6:
		return "-" + e()
	case 7:
		return fmt.Sprintf("#(%s .. %s)", e(), e())
	case 8:
		return fmt.Sprintf("({%s, %s, x = %s})[%d]", e(), e(), e(), 1+w.r.IntN(2))
	case 9:
		return "(function(a) return a + " + e() + " end)(" + e() + ")"
	case 10:
		if w.vararg {
			return w.pick("(select('#', ...))", "((...) or 3)")
		}
		return e()
	case 11:
		return fmt.Sprintf("(%s %% 1000)", e())
	}
	return w.expr(0)
}

func (w *writer) cond(depth int) string {
	if depth <= 0 {
		return fmt.Sprintf("%s %s %s", w.expr(0), w.pick("<", ">", "<=", ">=", "==", "~="), w.expr(0))
	}
	switch w.r.IntN(5) {
	case 0:
		return fmt.Sprintf("(%s and %s)", w.cond(depth-1), w.cond(depth-1))
	case 1:
		return fmt.Sprintf("(%s or %s)", w.cond(depth-1), w.cond(depth-1))
	case 2:
		return "not (" + w.cond(depth-1) + ")"
	case 3:
		return w.pick("true", "false", "nil", "1 < 2", "(a == b) == (c == d)", "'x' .. a < 'x5'")
	}
	return w.cond(0)
}

func (w *writer) block() {
	w.depth++
	for n := 1 + w.r.IntN(4); n > 0 && w.budget > 0; n-- {
		w.statement()
	}
	w.depth--
}

func (w *writer) target() string {
	return w.pick(w.integer(), w.integer(), fmt.Sprintf("t[%s]", w.pick("1", "2", "3", "(a % 3) + 1")), fmt.Sprintf("u[%d]", 1+w.r.IntN(3)))
}

func (w *writer) statement() {
	w.budget--
	if w.depth > 5 {
		w.line("%s = %s or 3", w.target(), w.expr(1))
		return
	}
	switch w.r.IntN(20) {
	case 0:
		w.line("local %s = %s", w.integer(), w.expr(2))
	case 1:
		w.line("local %s, %s = %s, %s", w.integer(), w.integer(), w.expr(1), w.pick(w.expr(1), "f(a, b)"))
	case 2, 3:
		w.line("%s = %s or 2", w.target(), w.expr(2))
	case 4:
		w.line("%s, %s = %s, %s", w.target(), w.integer(), w.expr(1)+" or 1", w.pick(w.expr(1), "g(c, d)"))
	case 5:
		w.line("a, b, c = %s, %s", w.expr(1), w.pick("a", "c, b", "f(1, 2)"))
	case 6, 7:
		w.line("emit(%s, %s)", w.expr(2), w.cond(1))
	case 8:
		w.line("if %s then", w.cond(2))
		w.block()
		if w.r.IntN(2) == 0 {
			w.line("elseif %s then", w.cond(1))
			w.block()
		}
		if w.r.IntN(2) == 0 {
			w.line("else")
			w.block()
		}
		w.line("end")
	case 9:
		w.loop(fmt.Sprintf("for %s = %d, %d%s do", w.integer(), w.r.IntN(3), w.r.IntN(5), w.pick("", ", 2", ", -1")), "end")
	case 10:
		w.loop(fmt.Sprintf("for %s, %s in ipairs(%s) do", w.integer(), w.integer(), w.pick("t", "u", "{f(1, 2)}")), "end")
	case 11:
		w.line("do local n = 0")
		w.loop("while n < 3 do n = n + 1", "end")
		w.line("end")
	case 12:
		w.line("do local n = 0")
		w.loop("repeat n = n + 1 local %s = "+w.expr(1), fmt.Sprintf("until n >= 3 or %s", w.cond(1)))
		w.line("end")
	case 13:
		w.function()
	case 14:
		w.line("do")
		w.block()
		w.line("end")
	case 15:
		w.line("emit(pcall(function()")
		w.inFunction(false, w.block)
		w.line("%s end))", w.pick("", "error({})", "return a, b", "return f(a, b)"))
	case 16:
		w.line("emit(%s(%s, %s))", w.pick("f", "g"), w.expr(1), w.pick(w.expr(1), "f(c, d)"))
	case 17:
		w.coroutine()
	case 18:
		if w.loops > 0 {
			w.line("if %s then break end", w.cond(1))
		}
	case 19:
		w.line("t[#t + 1], %s = %s or 0, #t", w.integer(), w.expr(1))
	}
}

// loop writes a loop, perhaps one with a label to continue at.
func (w *writer) loop(head, tail string) {
	if strings.Contains(head, "%s") {
		head = fmt.Sprintf(head, w.integer())
	}
	w.line("%s", head)
	w.loops++
	label := ""
	if w.r.IntN(3) == 0 && !strings.HasPrefix(tail, "until") {
		w.labels++
		label = fmt.Sprintf("next%d", w.labels)
		w.line(" do")
		w.line(" if %s then goto %s end", w.cond(1), label)
		w.block()
		w.line(" end")
	} else {
		w.block()
	}
	if w.r.IntN(2) == 0 {
		w.line(" u[%d] = function() %s = %s + 1 return %s end u[%d] = u[%d]()", 1, "a", "a", "a", 1, 1)
	}
	w.loops--
	if label != "" {
		w.line(" ::%s::", label)
	}
	w.line("%s", tail)
}

func (w *writer) inFunction(vararg bool, f func()) {
	loops, was := w.loops, w.vararg
	w.loops, w.vararg = 0, vararg
	f()
	w.loops, w.vararg = loops, was
}

func (w *writer) function() {
	name := w.pick("f", "g")
	vararg := w.r.IntN(2) == 0
	params := w.pick("a, b", "c, d", "x, a", "d")
	if vararg {
		params += ", ..."
	}
	w.line("%s", w.pick("local function "+name, "local "+name+" = function", name+" = function")+"("+params+")")
	w.line(" depth = depth + 1 if depth > 12 then return 1, 2 end")
	w.inFunction(vararg, w.block)
	if vararg && w.r.IntN(2) == 0 {
		w.line(" return ...")
	} else {
		w.line(" return %s", w.pick(w.expr(1), w.expr(1)+", "+w.expr(1), "f(a, b)", "(g(a, b))", "a, g(b, c)"))
	}
	w.line("end")
	w.line("depth = 0")
}

func (w *writer) coroutine() {
	w.line("do local co = coroutine.wrap(function(a, b)")
	w.inFunction(false, func() {
		w.block()
		w.line(" local c = coroutine.yield(a, b)")
		w.line(" local ok, d = pcall(function() return coroutine.yield(c) end)")
		w.block()
		w.line(" return %s", w.expr(1))
	})
	w.line("end) emit(co(1, 2)) emit(co(a)) emit(co(b)) emit(pcall(co)) end")
}

func program(seed uint64) string {
	w := &writer{r: rand.New(rand.NewPCG(seed, 1)), budget: 2 + int(seed%40)}
	w.line("local depth = 0 local a, b, c, d = 1, 2, 3, 4 local t, u = {5, 6, 7}, {8, 9, 10}")
	w.line("local function f(a, b) return b, a end local function g(a, ...) return a, ... end")
	for w.budget > 0 {
		w.statement()
	}
	w.line("emit(a, b, c, d, t[1], t[2], t[3], u[1], u[2], u[3], #t)")
	return w.b.String()
}

// emitted runs a program as runner does.
func emitted(t testing.TB, src string) string {
	t.Helper()
	return emittedIn(t, src, 3*time.Second)
}

// emittedIn is emitted for a program that ends: it may need so long on a busy machine.
func emittedIn(t testing.TB, src string, limit time.Duration) string {
	t.Helper()
	var out []string
	vm := New(Options{Memory: 256 << 20})
	defer vm.Close()
	vm.setGlobal("emit", fn("emit", func(c call) int {
		for i := 1; i <= c.n(); i++ {
			k := typeName(c.arg(i))
			if k != "table" && k != "function" && k != "thread" && k != "string" {
				k = c.tostring(c.arg(i))
			}
			out = append(out, k)
		}
		out = append(out, "\n")
		return 0
	}))
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if _, err := vm.Run(ctx, "x", []byte(src)); err != nil {
		if ctx.Err() != nil {
			return "too long"
		}
		out = append(out, "error")
		if strings.Contains(err.Error(), "internal error") || strings.Contains(err.Error(), "cannot be compiled") {
			t.Fatalf("%v in\n%s", err, src)
		}
	}
	return strings.Join(out, " ")
}

// inexact reports whether two outputs differ only in numbers beyond what a float
// holds, which is where the VM's numbers end.
func inexact(out string) bool {
	for f := range strings.FieldsSeq(out) {
		if digits := strings.TrimLeft(f, "-"); len(digits) > 15 || strings.Contains(f, "e+") || strings.Contains(f, "inf") || strings.Contains(f, "nan") {
			return true
		}
	}
	return false
}

func comparePrograms(t *testing.T, ref *luatest.Reference, seed uint64) {
	t.Helper()
	src := program(seed)
	want := ref.Ask(t, src)
	if want == "too long" || strings.HasPrefix(want, "syntax") || inexact(want) {
		return
	}
	if got := emitted(t, src); got != want {
		t.Errorf("seed %d:\n%s\n got %q\nwant %q", seed, src, got, want)
	}
}

// What a program does is what C Lua does with it.
func TestPrograms(t *testing.T) {
	ref := luatest.Start(t, runner)
	for seed := range uint64(300) {
		if comparePrograms(t, ref, seed); t.Failed() {
			return
		}
	}
}

func FuzzPrograms(f *testing.F) {
	ref := luatest.Start(f, runner)
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { comparePrograms(t, ref, seed) })
}
