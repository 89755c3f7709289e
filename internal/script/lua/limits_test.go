package lua

import (
	"context"
	"errors"
	"fmt"
	"github.com/assay-dev/assay/internal/base/testaid"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Chunks that would never end, or take all there is.
var runaways = []struct{ name, src, want string }{
	{"loop", `while true do end`, "deadline"},
	{"repeat", `repeat until false`, "deadline"},
	{"loop that catches", `while true do pcall(function() while true do end end) end`, "deadline"},
	{"loop without a body", `for i = 1, math.huge do end`, "deadline"},
	{"goto", `::a:: goto a`, "deadline"},
	{"calls without loops", `local function f(n) if n == 0 then return 0 end return f(n - 1) + f(n - 1) end f(60)`, "deadline"},
	{"loop in a coroutine", `coroutine.wrap(function() while true do end end)()`, "deadline"},
	{"loop of yields", `local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end`, "deadline"},
	{"loop in a task", `async.spawn(function() while true do end end).await()`, "deadline"},
	{"loop in a metamethod", `local t = setmetatable({}, {__index = function() while true do end end}) return t.x`, "deadline"},
	{"loop in a sort", `table.sort({1, 2, 3}, function() while true do end end)`, "deadline"},
	{"loop in gsub", `("x"):gsub("x", function() while true do end end)`, "deadline"},
	{"loop in tostring", `print(setmetatable({}, {__tostring = function() while true do end end}))`, "deadline"},
	{"endless iterator", `for _ in function() return 1 end do end`, "deadline"},
	{"sleep", `sleep(1e9)`, "deadline"},
	{"await of what never comes", `local h h = async.spawn(function() sleep(1e9) end) h.await()`, "deadline"},
	{"module that never loads", `package.preload.x = function() sleep(1e9) end async.spawn(function() require("x") end) sleep(0.01) require("x")`, "deadline"},
	{"pattern", `return (("a"):rep(3000)):find("(a*)(a*)(a*)(a*)%1b")`, "deadline|pattern too complex"},
	{"template", `template.render_string("{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}")`, "deadline"},
	{"recursion", `local function f() return 1 + f() end return f()`, "stack overflow"},
	{"recursion of calls in the tail", `local function f() return f() end return f()`, "deadline"},
	{"recursion of metamethods", `local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1]`, "stack overflow|memory limit"},
	{"recursion of gsub", `local function f() return (("a"):gsub("a", f)) end return f()`, "stack overflow|memory limit"},
	{"recursion of sort", `local function f() table.sort({1, 2}, f) end f()`, "stack overflow|memory limit"},
	{"recursion of pcall", `local function f() local ok, e = pcall(f) error(e, 0) end f()`, "stack overflow"},
	{"recursion of coroutines", `local function f() return coroutine.wrap(f)() end return f()`, "stack overflow"},
	{"recursion of require", `package.preload.a = function() return require("b") end package.preload.b = function() return require("a") end require("a")`, "loop in loading"},
	{"recursion of tostring", `local t = setmetatable({}, {__tostring = function(t) return tostring(t) end}) tostring(t)`, "stack overflow|memory limit"},
	{"rep", `return string.rep("x", 1e12)`, "memory limit|too large"},
	{"rep with a separator", `return ("x"):rep(1e9, ("y"):rep(1e6))`, "memory limit|too large"},
	{"doubling", `local s = "x" while true do s = s .. s end`, "memory limit"},
	{"doubling by many", `local s = ("x"):rep(1e7) local t = {} for i = 1, 100 do t[i] = s .. s .. s .. s .. s .. s .. s end`, "memory limit"},
	{"10 GB table", `local t = {} for i = 1, 1e10 do t[i] = "some string " .. i end`, "memory limit"},
	{"table of tables", `local t = {} while true do t = {t} end`, "memory limit"},
	{"keys", `local t, i = {}, 0 while true do i = i + 1 t["k" .. i] = i end`, "memory limit"},
	{"strings in a table", `local t = {} while true do t[#t + 1] = ("x"):rep(1e6) end`, "memory limit"},
	{"concat", `local t = {} local s = ("x"):rep(1e6) for i = 1, 1000 do t[i] = s end return table.concat(t)`, "memory limit"},
	{"gsub that grows", `return (("x"):rep(1e6)):gsub("x", ("y"):rep(1000))`, "memory limit"},
	{"format", `return ("%99999d"):format(1)`, "invalid conversion"},
	{"json that grows", `local s = ("x"):rep(1e6) local t = {} for i = 1, 1000 do t[i] = s end return json.encode(t)`, "memory limit"},
	{"json that nests", `return json.parse(("["):rep(1e6))`, "nested more than"},
	{"json of many", `return json.parse("[" .. ("{},"):rep(3e6) .. "{}]")`, "memory limit"},
	{"yaml of aliases", `local s = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" for i = 1, 9 do s = s .. "a" .. i .. ": &a" .. i .. " [" .. ("*a" .. i - 1 .. ","):rep(9) .. "*a" .. i - 1 .. "]\n" end return yaml.parse(s)`, "more than 1048576 nodes|memory limit"},
	{"coroutines", `local t = {} while true do local c = coroutine.wrap(function() coroutine.yield() end) c() t[#t + 1] = c end`, "memory limit"},
	{"tasks", `while true do async.spawn(function() sleep(1000) end) sleep(0) end`, "memory limit|deadline"},
	{"memory in a task", `async.spawn(function() local t = {} while true do t[#t + 1] = {} end end).await()`, "memory limit"},
	{"memory that is caught", `while true do pcall(function() local t = {} while true do t[#t + 1] = {} end end) end`, "deadline"},
	{"unpack", `return table.unpack({}, 1, 1e9)`, "too many results"},
	{"arguments", `return select("#", table.unpack({}, 1, 240000))`, ""},
	{"string to arguments", `return string.byte(("x"):rep(1e7), 1, -1)`, "string slice too long"},
	{"sparse array", `local t = {} t[2^21 - 1] = 1 t[2^31] = 1 t[2^52] = 1 t[-5] = 1 return t[2^31]`, ""},
	{"template that grows", `template.render_string("{{ 'x' * 100000000000 }}")`, "a value of more than"},
	{"template that keeps", `template.render_string("{% set ns = namespace(l=[]) %}{% for i in range(100000) %}{% set ns.l = ns.l + [i ~ 'x' * 1000000] %}{% endfor %}")`, "memory limit"},
	{"template that chains", `template.render_string("{{ a" .. (".a"):rep(400000) .. " }}{{ 1" .. ("|d"):rep(50000) .. " }}", {a = {a = {a = 1}}})`, "undefined"},
	{"template that recurs", `template.render_string("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}")`, "nested too deep"},
	{"random", `return crypto.random(1e12)`, "memory limit"},
	{"device", `return fs.read("/dev/zero")`, "larger than|fs.read|memory limit"},
	{"pack", `return string.pack("c2000000000", "x")`, "memory limit"},
	{"move", `return table.move({}, 1, 1e15, 2)`, "deadline"},
	{"sort of a liar", `local t = {} for i = 1, 3000 do t[i] = i % 7 end table.sort(t, function() return true end)`, "invalid order function"},
	{"length that lies", `return table.concat(setmetatable({}, {__len = function() return 1e15 end, __index = function() return "x" end}))`, "memory limit|deadline"},
}

// Whatever a script does, Run returns with an error within its limit, and the
// process and what else runs in it are well.
func TestRunaways(t *testing.T) {
	for _, c := range testaid.Sample(runaways, 1, 3) {
		t.Run(c.name, func(t *testing.T) {
			limit := 400 * time.Millisecond
			if !strings.Contains(c.want, "deadline") {
				limit = time.Minute // which a busy machine may need to fill the memory
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			vm := New(Options{})
			_, err := vm.Run(ctx, "t.lua", []byte(c.src))
			ok := err == nil && c.want == ""
			for want := range strings.SplitSeq(c.want, "|") {
				ok = ok || err != nil && want != "" && strings.Contains(err.Error(), want)
			}
			if !ok {
				t.Errorf("%v, want %s", err, c.want)
			}
			if errors.Is(err, context.DeadlineExceeded) != (err != nil && strings.Contains(err.Error(), "deadline")) {
				t.Errorf("%v does not wrap the context's", err)
			}
			if out, err := vm.Run(t.Context(), "t.lua", []byte("return 1 + 1")); err != nil || out[0] != int64(2) {
				t.Errorf("after it the VM says %v, %v", out, err)
			}
			vm.Close()
			runtime.GC()
		})
	}
}

// Garbage is not memory: what is dropped may be made again.
func TestGarbage(t *testing.T) {
	src := `local n = 0 for i = 1, 400 do local s = ("x"):rep(1e6) .. i n = n + #s end return n > 4e8`
	if got, err := eval(t, Options{}, src); got != true || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	src = `local keep = ("x"):rep(3e7) for i = 1, 600000 do local t = {i} end return #keep`
	if got, err := eval(t, Options{}, src); got != int64(3e7) || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// Coroutines that nobody holds are no memory either.
func TestForgottenCoroutines(t *testing.T) {
	src := `for i = 1, 20000 do local c = coroutine.wrap(function() coroutine.yield(1) end) c() end return 1`
	if got, err := eval(t, Options{}, src); got != int64(1) || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestMemoryOption(t *testing.T) {
	src := `local t = {} for i = 1, 100 do t[i] = ("x"):rep(1e6) end return #t`
	if _, err := eval(t, Options{Memory: 32 << 20}, src); err == nil || !strings.Contains(err.Error(), "memory limit") {
		t.Error(err)
	}
	if got, err := eval(t, Options{Memory: 256 << 20}, src); got != int64(100) || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(Options{}).Run(ctx, "t", []byte("while true do end")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What JSON makes is small: a list of Kubernetes takes less than nine times its text, and
// a value does not keep the text that it was read from.
func TestJSONMemory(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(`{"kind":"List","items":[`)
	for i := range 4000 {
		if i > 0 {
			doc.WriteByte(',')
		}
		fmt.Fprintf(&doc, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-%d","namespace":"ns%d","uid":"%032x","labels":{"app":"web","tier":"front"},"creationTimestamp":"2024-01-02T03:04:05Z"},"spec":{"containers":[{"name":"c","image":"registry.example.com/web:1.%d","ports":[{"containerPort":8080,"protocol":"TCP"}],"resources":{"limits":{"cpu":"500m","memory":"256Mi"}}}],"nodeName":"node-%d"},"status":{"phase":"Running","podIP":"10.0.0.%d"}}`, i, i%50, i, i, i%100, i%200)
	}
	doc.WriteString("]}")
	o := Options{Memory: int64(doc.Len()) * 9, Globals: map[string]any{"DOC": doc.String()}}
	if got, err := eval(t, o, "return #json.parse(DOC).items"); got != int64(4000) || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	vm := New(Options{})
	defer vm.Close()
	if _, err := vm.Run(t.Context(), "t", []byte(`keep = {} for i = 1, 300 do keep[i] = json.parse('["a value of some length that is no name", ' .. i .. (" "):rep(1e6) .. ']')[1] end`)); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapAlloc > 100<<20 {
		t.Errorf("%d MiB are held", m.HeapAlloc>>20)
	}
}
