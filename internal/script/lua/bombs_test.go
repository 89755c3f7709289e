package lua_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/assay-dev/assay/internal/script/lua"
)

// What a bomb ends with. Every one ends within its budget, whichever it is.
const (
	late   = "deadline exceeded" // it goes on until its context ends
	memory = "memory limit of 64 MiB exceeded"
	either = late + "|" + memory // whichever it runs into first on this machine
	deep   = "stack overflow|memory limit|" + late
	fine   = "" // no error
)

// Some beginnings that bombs share. L lies about its length, F costs no memory to call.
const (
	lies = `local function L(n, v) return setmetatable({}, {__len = function() return n end, __index = v, __newindex = function() end}) end `
	dag  = `local t = {1} for i = 1, 60 do t = {t, t} end `
	big  = `local s = ("x"):rep(2e7) `
)

// bombs are scripts of somebody who wants the process, its memory or its processor. The
// end of each is the public one: what Run returns.
var bombs = []struct{ name, src, want string }{
	// lengths that lie
	{"sort of a length", lies + `table.sort(L(2^31 - 2))`, either + "|attempt to compare"},
	{"sort of an endless length", lies + `table.sort(L(2^31 - 2, function() return 1 end))`, either},
	{"sort of too great a length", lies + `table.sort(L(2^31))`, "array too big"},
	{"insert into a length", lies + `table.insert(L(2^31 - 2), 1, 1)`, late},
	{"insert into an endless length", lies + `table.insert(L(math.maxinteger - 1), 1, 1)`, late + "|out of bounds"},
	{"remove from a length", lies + `table.remove(L(2^53), 1)`, late},
	{"remove from a length in builtins", `table.remove(setmetatable({}, {__len = function() return 2^53 end, __index = rawlen, __newindex = rawequal}), 1)`, late + "|bad argument|expected"},
	{"concat of a length", lies + `return table.concat(L(2^53, function() return "" end))`, late},
	{"concat of a length in builtins", `return #table.concat(setmetatable({}, {__len = function() return 2^53 end, __index = type}))`, either},
	{"unpack of a length", lies + `return table.unpack(L(2^31))`, "too many results"},
	{"unpack of all integers", `return table.unpack({}, math.mininteger, math.maxinteger)`, "too many results"},
	{"move of all there is", `table.move({}, 1, 2^53, 2)`, late},
	{"move onto itself", `local t = {1} table.move(t, 1, 2^50, 2, t)`, late},
	{"move that wraps", `table.move({}, 1, math.maxinteger, 2)`, "wrap around"},
	{"length of a length", `local t = setmetatable({}, {__len = function(t) return #t end}) return #t`, deep},
	{"ipairs of what never ends", `for _ in ipairs(setmetatable({}, {__index = function() return 1 end})) do end`, late},
	{"pairs that starts over", `local t = setmetatable({}, {__pairs = function() return function() return 1 end end}) for _ in pairs(t) do end`, late},
	{"next of a key that never was", `next({}, "x")`, "invalid key to 'next'"},
	{"next of a place beyond the end", `next({1}, 2^40)`, "invalid key to 'next'"},
	{"select beyond the end", `return select(math.mininteger, 1)`, "index out of range"},

	// comparisons that lie, calls that call themselves
	{"sort of a liar", `local t = {} for i = 1, 2e5 do t[i] = i % 7 end while true do pcall(table.sort, t, function() return true end) end`, late},
	{"sort that sorts", `local t = {3, 2, 1} local function f() table.sort(t, f) end f()`, deep},
	{"chain of __index", `local t = {} for i = 1, 1e5 do t = setmetatable({}, {__index = t}) end return t.x`, fine + "|too many recursions|loop"},
	{"ring of __index", `local a, b = {}, {} setmetatable(a, {__index = b}) setmetatable(b, {__index = a}) return a.x`, "loop|recursion|stack overflow"},
	{"ring of __newindex", `local a, b = {}, {} setmetatable(a, {__newindex = b}) setmetatable(b, {__newindex = a}) a.x = 1`, "loop|recursion|stack overflow"},
	{"__tostring of itself", `local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) end print(t)`, deep},
	{"__eq of itself", `local m = {} m.__eq = function(a, b) return a == b end return setmetatable({}, m) == setmetatable({}, m)`, deep},
	{"__concat of itself", `local t t = setmetatable({}, {__concat = function(a) return a .. "x" end}) return t .. "x"`, deep},
	{"__call of itself", `local t = setmetatable({}, {}) getmetatable(t).__call = t t()`, "chain too long"},
	{"__lt in a sort", `local m = {} m.__lt = function(a, b) return a < b end table.sort({setmetatable({}, m), setmetatable({}, m)})`, deep},
	{"pcall that is caught", `while true do pcall(error) end`, late},
	{"pcall of pcall", `local function f() return pcall(f) end f() while true do f() end`, deep},
	{"xpcall with a handler that fails", `local function h() error(h) end while true do xpcall(error, h) end`, late},
	{"xpcall in its handler", `local function h(e) return xpcall(error, h, e) end xpcall(error, h) while true do xpcall(error, h) end`, deep},
	{"error of an error", `local e = setmetatable({}, {__tostring = function() error("again") end}) error(e)`, "error object"},
	{"the end that is caught", `while true do pcall(function() while true do end end) end`, late},

	// memory
	{"doubling of a string", `local s = "x" while true do s = s .. s end`, memory},
	{"doubling that is caught", `local s = "x" while true do pcall(function() s = s .. s end) end`, either},
	{"doubling of a table", `local t = {1} while true do local n = #t for i = 1, n do t[n + i] = t[i] end end`, memory},
	{"tables", `local t = {} while true do t = {t} end`, memory},
	{"records", `local t = {} while true do t = {a = t, b = {}, c = "x"} end`, memory},
	{"holes", `local t = {} for i = 1, 1e9 do t[i] = {} t[i][2^21 - 1] = 1 end`, memory},
	{"names", `local t, i = {}, 0 while true do i = i + 1 t["name" .. i] = i end`, memory},
	{"names that are removed", `local t, i = {}, 0 while true do i = i + 1 t["name" .. i] = i t["name" .. i] = nil end`, memory + "|" + late},
	{"closures", `local f = function() end while true do local g = f f = function() return g end end`, memory},
	{"constructors of many", `local function f(...) local t = {} while true do t[#t + 1] = {...} end end f(table.unpack({}, 1, 2e5))`, memory + "|stack overflow"},
	{"packs of many", `local t = {} local function f(...) while true do t[#t + 1] = table.pack(...) end end f(table.unpack({}, 1, 2e5))`, memory + "|stack overflow"},
	{"coroutines", `local t = {} while true do local c = coroutine.create(function() coroutine.yield() end) coroutine.resume(c) t[#t + 1] = c end`, memory},
	{"coroutines that never start", `local t = {} while true do t[#t + 1] = coroutine.create(function() end) end`, memory},
	{"coroutines of many", `local t = {} local function f(...) while true do local c = coroutine.wrap(function(...) coroutine.yield() return ... end) c(...) t[#t + 1] = c end end f(table.unpack({}, 1, 2e5))`, memory + "|stack overflow"},
	{"coroutines in each other", `local function f() return coroutine.wrap(f)() end f()`, "stack overflow|memory limit"},
	{"coroutine that is closed inside", `local c c = coroutine.create(function() coroutine.close(c) end) local ok, e = coroutine.resume(c) error(e, 0)`, "cannot close a running coroutine"},
	{"tasks", `while true do async.spawn(function() sleep(1000) end) sleep(0) end`, either},
	{"tasks in tasks", `local function f() async.spawn(f) async.spawn(f) sleep(0) end f() sleep(1000)`, either},
	{"intervals", `for i = 1, 1e9 do async.spawn_interval(1e-6, function() end) end`, memory},
	{"result that doubles", dag + `return t`, memory},

	// strings
	{"rep", `return ("x"):rep(1e12)`, memory + "|too large"},
	{"rep that is caught", `local t = {} while true do pcall(function() t[#t + 1] = ("x"):rep(1e6) end) end`, either},
	{"rep with a separator", `return ("x"):rep(1e6, ("y"):rep(1e6))`, memory + "|too large"},
	{"rep of nothing", `return ("").rep("", 2^53) .. ("").rep("", 2^53, "")`, fine},
	{"format of a width", `return ("%99999999d"):format(1)`, "invalid conversion"},
	{"format of a precision", `return ("%.99999999f"):format(1)`, "invalid conversion"},
	{"format of many", `return #(("%99d"):rep(1e6)):format(table.unpack({}, 1, 10))`, "no value|expected|invalid"},
	{"format of quotes", big + `s = s:gsub("x", "\0") return #("%q"):format(s)`, memory},
	{"format of an object", `return ("%s"):format(setmetatable({}, {__tostring = function() while true do end end}))`, late},
	{"upper and lower", big + `local t = {} while true do t[#t + 1] = s:upper() .. s:lower() .. s:reverse() end`, memory},
	{"gsub that grows", `return (("x"):rep(1e6)):gsub("x", ("y"):rep(1e6))`, memory},
	{"gsub of one match that grows", `return (("x"):rep(1e6)):gsub(".+", ("%0"):rep(1e6))`, memory},
	{"gsub that calls", `("x"):rep(1e6):gsub("x", function() while true do end end)`, late},
	{"gsub in gsub", `local function f(s) return (s:gsub(".", f)) end f("xx")`, deep},
	{"gmatch that goes on", `for _ in ("x"):rep(1e6):gmatch("") do while true do end end`, late},
	{"pattern that goes back", `return ("a"):rep(3000):find(("a*"):rep(30) .. "b")`, fine + "|" + late + "|too complex"},
	{"pattern that refers back", `return ("a"):rep(5000):find("(a*)(a*)(a*)(a*)%1%2%3b")`, late + "|too complex"},
	{"pattern of megabytes", `return ("a"):find(("a?"):rep(1e6))`, "pattern of more than|too complex"},
	{"pattern of nesting", `return ("("):rep(1e5):find(("("):rep(1e4))`, "too many captures|unfinished capture|too complex"},
	{"pattern of balance", `return ("("):rep(1e6):find("%b()")`, fine + "|" + late + "|too complex"},
	{"byte of many", `return ("x"):rep(1e7):byte(1, -1)`, "string slice too long"},
	{"pack of padding", `return #string.pack(("x"):rep(6e7))`, memory + "|" + late},
	{"pack of a size", `return string.pack("c2000000000", "x")`, memory},
	{"unpack of a string", `return string.unpack(("b"):rep(1e7), ("x"):rep(1e7))`, "too many results"},
	{"utf8 before the beginning", `local f = utf8.codes("") return f("", -1), f("abc", -1), f("abc", math.mininteger), f("abc", math.maxinteger)`, fine},
	{"utf8 of places", `return utf8.codepoint(("x"):rep(1e7), 1, -1)`, "string slice too long"},
	{"utf8 of an offset", `return utf8.offset("x", math.mininteger), utf8.offset("x", math.maxinteger)`, fine},
	{"number of megabytes", `return tonumber(("9"):rep(3e7)), tonumber("0x" .. ("f"):rep(2e7)), tonumber(("z"):rep(2e7), 36)`, fine + "|" + memory},
	{"print of much", `while true do print(("x"):rep(1e6)) end`, late},
	{"log of much", big + `while true do log.info(s) end`, either},

	// what Go does for a script
	{"json that nests", `return json.parse(("["):rep(1e7))`, "nested more than"},
	{"json of many", `return json.parse("[" .. ("{},"):rep(5e6) .. "{}]")`, memory},
	{"json that doubles", dag + `return json.encode(t)`, memory},
	{"json of itself", `local t = {} t.t = t return json.encode(t)`, "nest"},
	{"yaml that nests", `return yaml.parse(("["):rep(1e5))`, "depth|nest|exceeded"},
	{"yaml of aliases", `local s = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" for i = 1, 9 do s = s .. "a" .. i .. ": &a" .. i .. " [" .. ("*a" .. i - 1 .. ","):rep(9) .. "*a" .. i - 1 .. "]\n" end return yaml.parse(s)`, "more than 1048576 nodes|" + memory},
	{"yaml of many", `return yaml.parse("[" .. ("a,"):rep(2e6) .. "a]")`, "more than|" + memory},
	{"yaml that doubles", dag + `return yaml.encode(t)`, memory},
	{"toml that nests", `return toml.parse("a = " .. ("["):rep(4e6))`, "nest"},
	{"toml of tables in tables", `return toml.parse("a = " .. ("{a = "):rep(5e5))`, "nest"},
	{"toml of dots", `return toml.parse(("a."):rep(2e6) .. "a = 1")`, "nest"},
	{"toml of a table of dots", `return toml.parse("[" .. ("a."):rep(2e6) .. "a]")`, "nest"},
	{"toml of quoted dots", `return toml.parse(("'a'."):rep(1e6) .. "a = 1")`, "nest"},
	{"toml that doubles", dag + `return toml.encode({a = t})`, memory},
	{"template that loops", `template.render_string("{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}")`, late},
	{"template of a value that doubles", dag + `template.render_string("{{ t }}", {t = t})`, memory},
	{"template that grows", `template.render_string("{{ 'x' * 1000000000000 }}")`, "a value of more than"},
	{"template that nests", `template.render_string(("{% if 1 %}"):rep(1e5))`, "nest"},
	{"template of brackets", `template.render_string("{{ " .. ("("):rep(1e6) .. " }}")`, "nest"},
	{"template that calls itself", `template.render_string("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}")`, "nested too deep"},
	{"regex of states", `return regex.match(("a"):rep(3e7), "(a?){500}(b|c){300}$")`, late},
	{"regex that goes over it again", `return #regex.find_all(("a"):rep(1e6), "a.*b|a")`, late + "|" + memory},
	{"regex that is too large", `return regex.match("x", ("(a{900}b{900})"):rep(500))`, "too large|pattern of more than"},
	{"regexes", `local i = 0 while true do i = i + 1 regex.match("x", "a{900}b{900}" .. i) end`, either},
	{"regex that grows", `return #regex.replace(("x"):rep(1e6), ".*", ("$0"):rep(1e5))`, memory},
	{"base64 of much", big + `local t = {} while true do t[#t + 1] = base64.encode(s) end`, memory},
	{"hash of much", big + `while true do crypto.hash(s, "sha3-512") end`, late},
	{"random of much", `return crypto.random(6e7)`, either},
	{"key of megabytes", `return crypto.jwt_sign({}, ("x"):rep(1e6))`, "invalid PEM key"},
	{"assert that doubles", dag + `local a = t local t = {1} for i = 1, 60 do t = {t, t} end assert.eq(a, t)`, either},
	{"device", `return fs.read("/dev/zero")`, "policy|larger than"},
	{"database that recurs", `local d = db.connect("sqlite::memory:") return db.query(d, "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r")`, late + "|interrupted"},
	{"database of rows", `local d = db.connect("sqlite::memory:") return db.query(d, "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r")`, "larger than|" + memory},
	{"database of a value", `local d = db.connect("sqlite::memory:") return db.query(d, "SELECT hex(zeroblob(900000000))")`, "too big|memory"},
	{"database of parameters", `local d = db.connect("sqlite::memory:") return db.query(d, "SELECT 1", {n = 2^40})`, "at most 65535"},
	{"sleep", `sleep(math.huge) sleep(1e300)`, late},
	{"await of what never comes", `local h h = async.spawn(function() h.await() end) sleep(0) h.await()`, late + "|already awaited"},

	// what is not there
	{"load", `return load("while true do end")`, "attempt to call a nil value"},
	{"dofile and loadfile", `return (dofile or loadfile)("/dev/zero")`, "attempt to call a nil value"},
	{"os and io", `return os.date("%99999999d"), io.read()`, "nil value"},
	{"debug and collectgarbage", `debug.sethook() collectgarbage("stop")`, "nil value"},
	{"__gc", `setmetatable({}, {__gc = function() while true do end end}) return 1`, fine},
	{"string.dump", `return string.dump(function() end)`, "nil value"},
	{"chunk of nesting", `SOURCE return ` + "@NEST@", "stack overflow"},
	{"chunk of operators", `SOURCE return ` + "@TERMS@", "stack overflow"},
	{"module of nobody", `return require("../../../../etc/passwd")`, "not found"},
}

// A verdict is what the child says of a bomb.
type verdict struct {
	Name    string
	Err     string
	Late    bool   // the error wraps the context's
	Works   bool   // another script runs after it
	Leaked  string // goroutines
	Held    uint64 // bytes of the heap after it is closed
	Highest uint64 // bytes that the process has had of the system in all
}

// budget is how long a bomb may go on that nothing else ends, and patience how long one
// that something else ends.
const (
	budget   = 300 * time.Millisecond
	patience = 2 * time.Minute
)

// source returns a bomb's text: some are too large to write down.
func source(src string) []byte {
	src = strings.TrimPrefix(src, "SOURCE ")
	src = strings.ReplaceAll(src, "@NEST@", strings.Repeat("(", 100_000))
	return []byte(strings.ReplaceAll(src, "@TERMS@", "1"+strings.Repeat(" + 1", 100_000)))
}

// explode runs one bomb as a server runs the code of a model.
func explode(name, src, want string) verdict {
	v := verdict{Name: name}
	limit := patience
	if strings.Contains(want, late) {
		limit = budget
	}
	before := goleak.IgnoreCurrent()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	vm := lua.New(lua.Options{Policy: &lua.Policy{}, Memory: 64 << 20})
	_, err := vm.Run(ctx, "bomb", source(src))
	if err != nil {
		v.Err, v.Late = err.Error(), errors.Is(err, context.DeadlineExceeded)
	}
	out, err := vm.Run(context.Background(), "after", []byte("return 1 + 1"))
	v.Works = err == nil && len(out) == 1 && out[0] == int64(2)
	if err := vm.Close(); err != nil {
		v.Works = false
	}
	if err := goleak.Find(before); err != nil {
		v.Leaked = err.Error()
	}
	v.Held, v.Highest = held(), highest()
	return v
}

// bombEnv makes the test's own program a child that explodes the bombs from one on, up to another.
const bombEnv = "ASSAY_TEST_BOMBS"

func TestMain(m *testing.M) {
	from, to, _ := strings.Cut(os.Getenv(bombEnv), "-")
	first, err := strconv.Atoi(from)
	end, endErr := strconv.Atoi(to)
	if err != nil || endErr != nil {
		goleak.VerifyTestMain(m)
		return
	}
	enc := json.NewEncoder(os.Stdout)
	for _, b := range bombs[first:end] {
		if err := enc.Encode(explode(b.name, b.src, b.want)); err != nil {
			panic(err)
		}
	}
}

// explodeFrom explodes the bombs from one on, up to another, in a child, since what kills it
// must not kill the tests, and returns what came of them until it ended.
func explodeFrom(t *testing.T, first, end int) (verdicts []verdict) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d-%d", bombEnv, first, end))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	died := cmd.Run()
	for dec := json.NewDecoder(&stdout); dec.More(); {
		var v verdict
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		verdicts = append(verdicts, v)
	}
	if died != nil {
		text := stderr.String()
		verdicts = append(verdicts, verdict{Err: "the process has ended: " + died.Error() + "\n" + text[:min(len(text), 2000)]})
	}
	return verdicts
}

// shortBombs is how many bombs explode with -short.
const shortBombs = 12

// Every bomb ends with the right error and within its limits; the process lives, has its
// memory back and no goroutine more.
func TestBombs(t *testing.T) {
	if len(bombs) < 60 {
		t.Errorf("%d bombs", len(bombs))
	}
	first, end := 0, len(bombs)
	if testing.Short() { // some that lie one behind the other, in each run others
		first = rand.IntN(len(bombs) - shortBombs)
		end = first + shortBombs
	}
	var seen []verdict
	for first+len(seen) < end {
		more := explodeFrom(t, first+len(seen), end)
		if len(more) == 0 {
			t.Fatal("the child explodes nothing")
		}
		seen = append(seen, more...)
	}
	for i, b := range bombs[first:end] {
		t.Run(b.name, func(t *testing.T) {
			v := seen[i]
			right := false
			for want := range strings.SplitSeq(b.want, "|") {
				right = right || (want == "") == (v.Err == "") && strings.Contains(v.Err, want)
			}
			if !right {
				t.Errorf("%q, want %q", v.Err, b.want)
			}
			if v.Late != strings.Contains(v.Err, late) || strings.Contains(v.Err, "internal error") {
				t.Errorf("late %v: %s", v.Late, v.Err)
			}
			if !v.Works {
				t.Error("nothing can be run afterwards")
			}
			if v.Leaked != "" {
				t.Errorf("left behind: %s", v.Leaked)
			}
			if v.Held > 16<<20 {
				t.Errorf("%d MiB are held after it", v.Held>>20)
			}
			if v.Highest > 450<<20 {
				t.Errorf("the process has had %d MiB", v.Highest>>20)
			}
		})
	}
}
