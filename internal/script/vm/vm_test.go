package vm

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/script/luatest"
)

// eval runs a chunk on a new State and returns its results as tostring writes them.
func eval(t testing.TB, o Options, src string) (string, error) {
	t.Helper()
	return evalOn(New(o), src)
}

func evalOn(st *State, src string) (string, error) {
	p, err := Compile("=t", src)
	if err != nil {
		return "", err
	}
	out, err := st.Main().Call(st.Load(p, Nil).Of())
	if err != nil {
		return "", err
	}
	var b []byte
	for i, v := range out {
		if i > 0 {
			b = append(b, ' ')
		}
		b = st.appendPlain(b, v)
	}
	return string(b), nil
}

// answer runs a chunk in C Lua, or compiles it, and returns what eval does.
const answer = `
while true do
  local f, err = load(receive(), "=t")
  if not f then reply(err)
  else
    local r = table.pack(pcall(f))
    local t = {}
    for i = 2, r.n do t[i - 1] = tostring(r[i]) end
    reply(table.concat(t, " "))
  end
end`

// Every statement of the manual holds here, and in C Lua, without which it would prove
// nothing.
func TestManual(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "manual.lua"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, run func(line string) string) {
		n, section := 0, ""
		for line := range strings.Lines(string(src)) {
			line = strings.TrimSpace(line)
			if s, ok := strings.CutPrefix(line, "--"); ok {
				section = s
				continue
			}
			n++
			if got := run(line); got != "true" {
				t.Errorf("%s: %s = %s", section, line, got)
			}
		}
		if n < 200 {
			t.Errorf("only %d statements were read", n)
		}
	}
	t.Run("here", func(t *testing.T) {
		check(t, func(line string) string {
			got, err := eval(t, Options{}, line)
			if err != nil {
				return err.Error()
			}
			return got
		})
	})
	t.Run("C Lua", func(t *testing.T) {
		ref := luatest.Start(t, answer)
		check(t, func(line string) string { return ref.Ask(t, line) })
	})
}

// Programs that once gave something else than C Lua, or that were made up and never did:
// what they print is in the file beside them.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "programs", "*.lua"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(file, ".lua") + ".out")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		st := New(Options{Stdout: &out})
		p, err := Compile("=p", string(src))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if _, err := st.Main().Call(st.Load(p, Nil).Of()); err != nil {
			out.WriteString("error: " + err.Error() + "\n")
		}
		if out.String() != string(want) {
			t.Errorf("%s printed\n%s\nwant\n%s", file, out.String(), want)
		}
	}
}

// messages are chunks that fail; what they say is C Lua's. TestMessages asks it.
var messages = []struct{ src, want string }{
	{`local x = nil; x.y = 1`, "t:1: attempt to index a nil value (local 'x')"},
	{`x.y = 1`, "t:1: attempt to index a nil value (global 'x')"},
	{`local t = {} t.a.b = 1`, "t:1: attempt to index a nil value (field 'a')"},
	{`local u = nil; (function() u.x = 1 end)()`, "t:1: attempt to index a nil value (upvalue 'u')"},
	{`local t = {} t:m()`, "t:1: attempt to call a nil value (method 'm')"},
	{`local t = {} t[1].x = 1`, "t:1: attempt to index a nil value (field 'integer index')"},
	{`local t, k = {}, {} t[k].x = 1`, "t:1: attempt to index a nil value (field '?')"},
	{`f()`, "t:1: attempt to call a nil value (global 'f')"},
	{`local t = {} t.a = t.a + 1`, "t:1: attempt to perform arithmetic on a nil value (field 'a')"},
	{`return 1 + {}`, "t:1: attempt to perform arithmetic on a table value"},
	{`return "a" + 1`, "t:1: attempt to add a 'string' with a 'number'"},
	{`return -{}`, "t:1: attempt to perform arithmetic on a table value"},
	{`return 1 < "2"`, "t:1: attempt to compare number with string"},
	{`return {} < {}`, "t:1: attempt to compare two table values"},
	{`return nil > 1`, "t:1: attempt to compare number with nil"},
	{`return 1.5 | 1`, "t:1: number has no integer representation"},
	{`local x = 1.5 return x & 1`, "t:1: number (local 'x') has no integer representation"},
	{`return "a" | 1`, "t:1: attempt to perform bitwise operation on a string value (constant 'a')"},
	{`return #5`, "t:1: attempt to get length of a number value"},
	{`local a = {} return "x" .. a`, "t:1: attempt to concatenate a table value (local 'a')"},
	{`for k in 5 do end`, "t:1: attempt to call a number value (for iterator 'for iterator')"},
	{`for i = {}, 2 do end`, "t:1: bad 'for' initial value (number expected, got table)"},
	{`for i = 1, 2, 0 do end`, "t:1: 'for' step is zero"},
	{`return setmetatable({}, {__add = 5}) + 1`, "t:1: attempt to call a number value (metamethod 'add')"},
	{`table.insert(nil, 1)`, "t:1: bad argument #1 to 'insert' (table expected, got nil)"},
	{`("x"):rep()`, "t:1: bad argument #1 to 'rep' (number expected, got no value)"},
	{`local r = string.rep r()`, "t:1: bad argument #1 to 'r' (string expected, got no value)"},
	{`string.rep("x", 1.5)`, "t:1: bad argument #2 to 'rep' (number has no integer representation)"},
	{`table.concat({{}})`, "t:1: invalid value (table) at index 1 in table for 'concat'"},
	{`return setmetatable({}, {__name = "My"}) + 1`, "t:1: attempt to perform arithmetic on a My value"},
	{`local x <close> = 5`, "t:1: variable 'x' got a non-closable value"},
	{`local t = {} t[nil] = 1`, "t:1: table index is nil"},
	{`next({}, "x")`, "invalid key to 'next'"},
	{`error("m", 2)`, "m"},
	{`assert(false)`, "t:1: assertion failed!"},
	{`local function f() return f() + 1 end f()`, "t:1: stack overflow"},
	{`coroutine.wrap(function() error("x") end)()`, "t:1: t:1: x"},
	{`local x <const> = 1 x = 2`, "t:1: attempt to assign to const variable 'x'"},
	{`goto a`, "t:1: no visible label 'a' for <goto> at line 1"},
	{`break`, "t:1: break outside loop at line 1"},
	{`do local a ::x:: ::x:: end`, "t:1: label 'x' already defined on line 1"},
	{`goto f; local x ::f:: print(x)`, "t:1: <goto f> at line 1 jumps into the scope of local 'x'"},
	{`x = = 1`, "t:1: unexpected symbol near '='"},
	{`for`, "t:1: <name> expected near <eof>"},
	{"if x then\n\nelse", "t:3: 'end' expected (to close 'if' at line 1) near <eof>"},
	{`x = "\q"`, `t:1: invalid escape sequence near '"\q'`},
	{`x = 3x`, "t:1: malformed number near '3x'"},
	{`f() = 1`, "t:1: syntax error near '='"},
	{`x = @`, "t:1: unexpected symbol near '@'"},
	{`local function f() return ... end`, "t:1: cannot use '...' outside a vararg function near '...'"},
	{`--[[ abc`, "t:1: unfinished long comment (starting at line 1) near <eof>"},
}

func TestMessages(t *testing.T) {
	for _, c := range messages {
		_, err := eval(t, Options{}, c.src)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.src, err, c.want)
		}
	}
	t.Run("C Lua", func(t *testing.T) {
		ref := luatest.Start(t, answer)
		for _, c := range messages {
			if got := ref.Ask(t, c.src); got != c.want {
				t.Errorf("%s: C Lua says %s, want %s", c.src, got, c.want)
			}
		}
	})
}

func TestTraceback(t *testing.T) {
	_, err := eval(t, Options{}, "local function inner() error('x') end\nlocal t = {}\nfunction t.field() inner() end\nfunction globalOne() t.field() end\nlocal function tail() return globalOne() end\ntail()")
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want := "stack traceback:\n\t[C]: in function 'error'\n\tt:1: in upvalue 'inner'\n\tt:3: in field 'field'\n\tt:4: in function 'globalOne'\n\t(...tail calls...)\n\tt:6: in main chunk\n\t[C]: in ?"
	if e.Traceback != want {
		t.Errorf("%s\nwant\n%s", e.Traceback, want)
	}
}

func TestTracebackFunction(t *testing.T) {
	st := New(Options{})
	st.SetGlobal("traceback", st.NewFunction("traceback", Call.Traceback))
	for src, want := range map[string]string{
		"local function f() return (traceback('m')) end return f()":                                               "m\nstack traceback:\n\tt:1: in function <t:1>\n\t(...tail calls...)\n\t[C]: in ?",
		"return select(2, xpcall(function() local x = nil + 1 end, traceback))":                                   "t:1: attempt to perform arithmetic on a nil value\nstack traceback:\n\tt:1: in function <t:1>\n\t[C]: in function 'xpcall'\n\tt:1: in main chunk\n\t[C]: in ?",
		"return traceback({}) ~= nil":                                                                             "true",
		"local co = coroutine.create(function() coroutine.yield() end) coroutine.resume(co) return traceback(co)": "stack traceback:\n\t[C]: in function 'coroutine.yield'\n\tt:1: in function <t:1>",
	} {
		if got, err := evalOn(st, src); got != want || err != nil {
			t.Errorf("%s = %q, %v, want %q", src, got, err, want)
		}
	}
}

// Goroutines share a State as tasks do: each on a thread of its own, and only while the
// others wait. What all of them hold is in use.
func TestTasks(t *testing.T) {
	st := New(Options{Memory: 16 << 20})
	const tasks = 8
	var mu sync.Mutex
	var full, filled sync.WaitGroup // of tasks that have taken 4 MB, or could not
	filled.Add(tasks)
	st.SetGlobal("wait", st.NewFunction("wait", func(c Call) int {
		c.Outside(func() {
			mu.Unlock()
			filled.Done()
			filled.Wait()
			mu.Lock()
		})
		return 0
	}))
	p, err := Compile("=t", "local t = {} for i = 1, 40 do t[i] = ('x'):rep(100000) end wait() return #t")
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for range tasks {
		full.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			out, err := st.NewThread().Call(st.Load(p, Nil).Of())
			switch {
			case err != nil && strings.Contains(err.Error(), "memory"):
				failed++
				filled.Done()
			case err != nil || out[0] != Int(40):
				t.Errorf("%v, %v", out, err)
			}
		})
	}
	full.Wait()
	if failed < 3 || failed > 5 {
		t.Errorf("%d of 8 tasks of 4 MB found 16 MB full", failed)
	}
}

// One compiled chunk runs in many states at once.
func TestSharedProto(t *testing.T) {
	p, err := Compile("=t", "local t = {n = 0} for i = 1, 1000 do t.n = t.n + i t['k' .. i] = i end return t.n")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			st := New(Options{})
			out, err := st.Main().Call(st.Load(p, Nil).Of())
			if err != nil || len(out) != 1 || out[0] != Int(500500) {
				t.Errorf("%v, %v", out, err)
			}
		})
	}
	wg.Wait()
}

func TestGoFunctions(t *testing.T) {
	st := New(Options{})
	meta := st.NewTable(0, 2)
	meta.SetField("__index", st.NewFunction("index", func(c Call) int {
		return c.Return(c.NewString(c.Arg(1).AsUserdata().Value.(string) + "." + c.Str(2)))
	}))
	meta.SetField("__name", Str("thing"))
	st.SetGlobal("thing", st.NewUserdata("data", meta, 0).Of())
	st.SetGlobal("twice", st.NewFunction("twice", func(c Call) int {
		f := c.Function(1)
		a := c.Call1(f, Int(1))
		out := c.Call(f, a, Str("second"))
		return c.Return(out...)
	}))
	st.SetGlobal("try", st.NewFunction("try", func(c Call) int {
		_, err := c.PCall(c.Arg(1))
		return c.Return(c.NewString(err.Error()))
	}))
	st.SetGlobal("broken", st.NewFunction("broken", func(Call) int {
		var list []int
		return list[c0()]
	}))
	for src, want := range map[string]string{
		`return thing.x`: "data.x",
		`return twice(function(x, y) return x + 1, y end)`:                                  "3 second",
		`return try(function() error("inside") end)`:                                        "t:1: inside",
		`return select(2, pcall(twice, function() error("out", 0) end))`:                    "out",
		`return select(2, pcall(broken))`:                                                   "internal error: runtime error: index out of range [0] with length 0",
		`return select(2, pcall(twice, 5))`:                                                 "bad argument #1 to 'twice' (function expected, got number)",
		`return thing < 1`:                                                                  "error: t:1: attempt to compare thing with number",
		`local co = coroutine.wrap(function() twice(coroutine.yield) end) return pcall(co)`: "false attempt to yield across a C-call boundary",
		`local function f(n) if n == 0 then return 0 end return 1 + twice(function() return f(n - 1) end) end return pcall(f, 300)`: "false C stack overflow",
	} {
		got, err := evalOn(st, src)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%s = %s, want %s", src, got, want)
		}
	}
}

func c0() int { return 0 }

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	st := New(Options{})
	st.SetContext(ctx)
	st.SetGlobal("cancel", st.NewFunction("cancel", func(Call) int { cancel(); return 0 }))
	if _, err := evalOn(st, "cancel() while true do pcall(function() while true do end end) end"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	st.SetContext(t.Context())
	if got, err := evalOn(st, "return 1 + 1"); got != "2" || err != nil {
		t.Error(got, err)
	}
}

func TestSteps(t *testing.T) {
	for _, src := range []string{
		"while true do end", "repeat until false", "::a:: goto a", "local function f() return f() end f()",
		"for i = 1, math.huge do end", "while true do pcall(error) end", "for k in function() return 1 end do end",
		"table.sort({3, 2, 1}, function() while true do end end)", "coroutine.wrap(function() while true do end end)()",
		"local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
		"table.move({}, 1, 1e15, 2)", "local t = setmetatable({}, {__index = function() while true do end end}) return t.x",
		"table.concat(setmetatable({}, {__len = function() return 1e15 end, __index = function() return '' end}))",
		"table.sort(setmetatable({}, {__len = function() return 2^31 - 2 end}))",
		"table.insert(setmetatable({}, {__len = function() return 2^52 // 1 | 0 end}), 1, 1)",
	} {
		if _, err := eval(t, Options{Steps: 200_000, Memory: 64 << 20}, src); !errors.Is(err, ErrSteps) && (err == nil || !strings.Contains(err.Error(), "memory")) {
			t.Errorf("%s: %v", src, err)
		}
	}
}

// Programs that take all there is end with an error, and what they left is garbage.
func TestMemory(t *testing.T) {
	for _, src := range []string{
		`local s = "x" while true do s = s .. s end`,
		`local t = {} while true do t = {t} end`,
		`local t, i = {}, 0 while true do i = i + 1 t["k" .. i] = i end`,
		`local t = {} for i = 1, 1e10 do t[i] = i end`,
		`local t = {} while true do t[#t + 1] = ("x"):rep(1e6) end`,
		`return string.rep("x", 1e9)`,
		`return (("x"):rep(1e6)):gsub("x", ("y"):rep(1000))`,
		`local t = {} local s = ("x"):rep(1e6) for i = 1, 1000 do t[i] = s end return table.concat(t)`,
		`local t = {} while true do local c = coroutine.wrap(function() coroutine.yield() end) c() t[#t + 1] = c end`,
		`local t = {} while true do local x = {} t[#t + 1] = function() return x end end`,
		`local t = {} while true do t[#t + 1] = megabyte() end`,
		`local s = "return {" .. ("{},"):rep(5e6) .. "}" load(s)()`,
		`return string.pack("c2000000000", "x")`,
		`return table.unpack({}, 1, 1e9)`,
	} {
		st := New(Options{Memory: 32 << 20})
		st.SetGlobal("megabyte", st.NewFunction("megabyte", func(c Call) int {
			return c.Return(st.NewUserdata(nil, nil, 1<<20).Of())
		}))
		_, err := evalOn(st, src)
		if err == nil || !strings.Contains(err.Error(), "memory") && !strings.Contains(err.Error(), "too ") && !strings.Contains(err.Error(), "stack overflow") {
			t.Errorf("%s: %v", src, err)
		}
		if got, err := evalOn(st, "local t = {} for i = 1, 100000 do t[i] = i end return #t"); got != "100000" || err != nil {
			t.Errorf("after %s: %v, %v", src, got, err)
		}
	}
}

// Garbage is not in use: what is dropped may be made again.
func TestGarbage(t *testing.T) {
	for _, src := range []string{
		`for i = 1, 3000 do local s = ("x"):rep(1e6) .. i end return 1`,
		`local keep = ("x"):rep(2e7) for i = 1, 1000000 do local t = {i} end return #keep // 2e7 | 0`,
		`for i = 1, 20000 do local c = coroutine.wrap(function() coroutine.yield(1) end) c() end return 1`,
		`local function f(n) local t = {} for i = 1, 1000 do t[i] = {} end if n > 0 then return f(n - 1) end return 1 end return f(2000)`,
	} {
		if got, err := eval(t, Options{Memory: 32 << 20}, src); got != "1" || err != nil {
			t.Errorf("%s = %v, %v", src, got, err)
		}
	}
}

// What nests is an error before the stack of Go is full.
func TestNesting(t *testing.T) {
	for _, src := range []string{
		"return " + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000),
		"return " + strings.Repeat("{", 1000) + strings.Repeat("}", 1000),
		strings.Repeat("do ", 1000) + strings.Repeat("end ", 1000),
		"return " + strings.Repeat("- ", 1000) + "1",
		"return " + strings.Repeat("not ", 1000) + "1",
		"return " + strings.Repeat("1 .. ", 100_000) + "1",
		"return " + strings.Repeat("a + ", 100_000) + "1",
		"return a" + strings.Repeat(".a", 100_000),
		"return a" + strings.Repeat("()", 100_000),
		strings.Repeat("function f() ", 1000),
		strings.Repeat("if a then ", 1000),
		strings.Repeat("a, ", 100_000) + "a = 1",
	} {
		if _, err := Compile("=t", src); err == nil || !strings.Contains(err.Error(), "overflow") {
			t.Errorf("%.40s…: %v", src, err)
		}
	}
	for _, src := range []string{
		`local t = setmetatable({}, {__tostring = function(t) return tostring(t) end}) tostring(t)`,
		`local function f() return (("a"):gsub("a", f)) end return f()`,
		`local function f() table.sort({1, 2}, f) end f()`,
		`local function f() local ok, e = pcall(f) error(e, 0) end f()`,
		`local function f() return coroutine.wrap(f)() end return f()`,
		`local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1]`,
		`local t = {} for i = 1, 300 do t = setmetatable({}, {__index = t, __call = t}) end return t()`,
	} {
		if _, err := eval(t, Options{Memory: 256 << 20}, src); err == nil || !strings.Contains(err.Error(), "overflow") && !strings.Contains(err.Error(), "call") {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestSystem(t *testing.T) {
	if got, err := eval(t, Options{}, "return os, io, debug, package, require, dofile, loadfile, string.dump"); got != "nil nil nil nil nil nil nil nil" || err != nil {
		t.Error(got, err)
	}
	o := Options{
		Now:    func() time.Time { return time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC) },
		Clock:  func() time.Duration { return 1500 * time.Millisecond },
		Getenv: func(name string) (string, bool) { return "v", name == "A" },
	}
	src := `return os.time(), os.clock(), os.date("!%Y-%m-%d %H:%M:%S"), os.getenv("A"), os.getenv("B"), os.time({year = 2024, month = 2, day = 30}), os.date("*t").yday`
	if got, err := eval(t, o, src); got != "1706933106 1.5 2024-02-03 04:05:06 v nil 1709294400 34" || err != nil {
		t.Error(got, err)
	}
}

// Whatever the source, compiling and running it ends, without an error of our own.
func FuzzChunks(f *testing.F) {
	for _, c := range messages {
		f.Add(c.src)
	}
	f.Add("local t <close> = setmetatable({}, {__close = function() goto a ::a:: end}) for i = 1, 3 do return i end")
	f.Fuzz(func(t *testing.T, src string) {
		_, err := eval(t, Options{Steps: 20_000, Memory: 16 << 20}, src)
		if err != nil && strings.Contains(err.Error(), "internal error") {
			t.Error(err)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		New(Options{})
	}
}
