package lua

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// eval runs a chunk and returns its first result.
func eval(t testing.TB, o Options, src string) (any, error) {
	t.Helper()
	vm := New(o)
	defer func() {
		if err := vm.Close(); err != nil {
			t.Error(err)
		}
	}()
	out, err := vm.Run(t.Context(), "t.lua", []byte(src))
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return out[0], nil
}

type object = map[string]any
type array = []any

// gives are chunks and what they return.
var gives = []struct {
	src  string
	want any
}{
	// json
	{`return json.parse('{"a": [1, 2.5, "x", true, null], "b": {}, "c": null}')`, object{"a": array{int64(1), 2.5, "x", true, nil}, "b": object{}, "c": nil}},
	{`return json.encode(json.parse('{"a":{},"b":[],"c":[{},[],{"d":{}}],"e":{"f":null}}'))`, `{"a":{},"b":[],"c":[{},[],{"d":{}}],"e":{"f":null}}`},
	{`return json.encode(yaml.parse("a: {}\nb: []\nc: {d: null}")) .. json.encode(toml.parse("[a]\nb = {}\nc = []")) .. json.encode(json.parse("{}"))`, `{"a":{},"b":[],"c":{"d":null}}{"a":{"b":{},"c":[]}}{}`},
	{`return yaml.encode(json.parse('{"a":{},"b":[],"c":[{}]}'))`, "a: {}\nb: []\nc:\n  - {}\n"}, {`return yaml.encode(json.parse("{}")), toml.encode(json.parse("{}"))`, "{}\n"}, {`return toml.encode(json.parse('{"a":{},"b":[]}'))`, "b = []\n\n[a]\n"},
	{`return json.parse("[12345678901234567890, -9223372036854775808, 1.5]", {big = "text"})`, array{"12345678901234567890", int64(-9223372036854775808), 1.5}},
	{`local t = json.parse('{"a":1}') t.a = nil return json.encode(t)`, "{}"}, {`local t = json.parse("{}") t[1] = "x" return json.encode(t)`, `["x"]`}, {`local t = json.parse("[1]") t[1] = nil return json.encode(t)`, "[]"},
	{`local t = json.parse("{}") return getmetatable(t), t.x, #t, tostring(pcall(function() return t + 1 end))`, nil}, {`return json.encode(setmetatable(json.parse("{}"), nil))`, "[]"}, {`local t = setmetatable(json.parse("{}"), {__index = {x = 1}}) return t.x`, int64(1)},
	{`local t = json.parse('{}') table.insert(t, 2) table.insert(t, 1) table.sort(t) return json.encode({t, table.remove(t), #t})`, "[[1],2,1]"},
	{`local t = json.parse('[1, null, 3]') return t[3]`, int64(3)},
	{`return json.parse('"\\u00e9\\ud83d\\ude00\\n\\/"')`, "é😀\n/"},
	{`return json.parse('null')`, nil}, {`return json.parse(' -0.5e3 ')`, -500.0}, {`return json.parse('[1.0, 1, 1e2, -0]')`, array{1.0, int64(1), 100.0, int64(0)}}, {`return json.encode({1.0, 10 / 2, 1e20, 2^53 + 0.0})`, `[1,5,100000000000000000000,9007199254740992]`},
	{`return json.parse('9223372036854775807')`, int64(9223372036854775807)}, {`return json.parse('18446744073709551616')`, 18446744073709551616.0}, {`return json.encode(json.parse('[9223372036854775807,-9223372036854775808]'))`, "[9223372036854775807,-9223372036854775808]"},
	{`return json.encode({1, 2, {a = 1}})`, `[1,2,{"a":1}]`}, {`return json.encode({})`, `[]`}, {`return json.encode({[2] = 1})`, `{"2":1}`},
	{`return json.encode({b = 1, a = 2, [1] = 3, [1.5] = 4})`, `{"1":3,"1.5":4,"a":2,"b":1}`},
	{`return json.encode("é<>&\"\\\n\t\1")`, `"é<>&\"\\\n\t\u0001"`}, {`return json.encode(nil)`, "null"}, {`return json.encode(1.5)`, "1.5"}, {`return json.encode(1e300)`, "1e+300"}, {`return json.encode(0.1 + 0.2)`, "0.30000000000000004"}, {`return json.encode(1234567.5)`, "1234567.5"},
	{`return json.encode(12)`, "12"}, {`return json.encode({n = math.floor(3.7)})`, `{"n":3}`},
	// integers of 64 bits
	{`local v = json.parse('{"id": 9007199254740993}') return tostring(v.id) .. " " .. v.id .. " " .. json.encode(v)`, `9007199254740993 9007199254740993 {"id":9007199254740993}`},
	{`return json.parse("9007199254740993") == 9007199254740993`, true}, {`return json.parse("9007199254740993") == json.parse("9007199254740995")`, false},
	{`local t = {[9007199254740993] = "x"} return t[json.parse("9007199254740993")]`, "x"},
	{`return json.parse("9007199254740993") + 2`, int64(9007199254740995)}, {`return 9223372036854775807 + 1`, int64(-9223372036854775808)}, {`return type(9007199254740993) .. math.type(9007199254740993)`, "numberinteger"},
	{`return string.format("%d %s %x", 9007199254740993, 9007199254740993, 9007199254740993)`, "9007199254740993 9007199254740993 20000000000001"},
	{`return -9007199254740993`, int64(-9007199254740993)}, {`return 9007199254740993 // 2`, int64(4503599627370496)}, {`return 9007199254740993 % 10`, int64(3)}, {`return tonumber("9007199254740993")`, int64(9007199254740993)},
	{`return tostring(math.floor(1795274368883843840.5))`, "1795274368883843840"}, {`return tostring(#"abc" * 4)`, "12"}, {`return 10 / 2 .. ""`, "5.0"}, {`return 10 / 2`, 5.0}, {`return math.max(9007199254740993, 5)`, int64(9007199254740993)},
	// yaml
	{`return yaml.parse("a: 1\nb: [x, yes, no, on, 0o17, 0x1F, 010, 1e3, .5, ~, 'true', 2024-01-02]\nc:\n  d: |\n    text\n")`, object{"a": int64(1), "b": array{"x", "yes", "no", "on", int64(15), int64(31), int64(10), 1000.0, .5, nil, "true", "2024-01-02"}, "c": object{"d": "text\n"}}},
	{`return yaml.parse("")`, nil}, {`return yaml.parse("- &a {x: 1}\n- *a")`, array{object{"x": int64(1)}, object{"x": int64(1)}}}, {`return yaml.parse("a: .inf").a`, math.Inf(1)}, {`return yaml.parse("n: 9007199254740993").n`, int64(9007199254740993)}, {`return yaml.parse("a: !!str 12").a`, "12"},
	{`return yaml.encode({b = {1, 2, {}}, a = "yes", c = "1", d = "x: y", e = 1.5, f = true, g = {h = "multi\nline"}})`, "a: \"yes\"\nb:\n  - 1\n  - 2\n  - []\nc: \"1\"\nd: 'x: y'\ne: 1.5\nf: true\ng:\n  h: |-\n    multi\n    line\n"},
	{`local t = {a = {1, "0o7", "", "null", "~", "-1.5", " lead", "2024-01-02", "#c"}} return json.encode(yaml.parse(yaml.encode(t))) == json.encode(t)`, true},
	// toml
	{`return toml.parse("a = 1\nb = [1.5, 'x']\nd = 1979-05-27T07:32:00Z\n[c]\ne = true\nt = 07:32:00\n[[f]]\ng = 1\n")`, object{"a": int64(1), "b": array{1.5, "x"}, "d": "1979-05-27T07:32:00Z", "c": object{"e": true, "t": "07:32:00"}, "f": array{object{"g": int64(1)}}}},
	{`return toml.encode({a = 1, c = {e = true}})`, "a = 1\n\n[c]\ne = true\n"}, {`return toml.encode({})`, ""}, {`local t = {a = {1, 2}, b = {c = "x", d = {{e = 1}}}} return json.encode(toml.parse(toml.encode(t))) == json.encode(t)`, true},
	// base64, regex
	{`return base64.encode("héllo") .. base64.decode("aMOpbGxv")`, "aMOpbGxvhéllo"}, {`return base64.encode("") .. base64.decode("")`, ""},
	{`return regex.match("hello", "^h.*o$")`, true}, {`return regex.match("hello", "x")`, false}, {`return regex.find("ab12", "([a-z]+)(\\d)(x)?")`, object{"match": "ab1", "groups": array{"ab", "1"}}}, {`return regex.find("abc", "x")`, nil}, {`local m = regex.find("c", "(a)?(c)") return tostring(m.groups[1]) .. m.groups[2]`, "nilc"},
	{`return regex.find_all("a1b22", "\\d+")`, array{"1", "22"}}, {`return regex.replace("a1b2", "(\\w)(\\d)", "$2${1}$$")`, "1a$2b$"}, {`return regex.replace("john smith", "(?P<f>\\w+) (?P<l>\\w+)", "$l, ${f}")`, "smith, john"}, {`return regex.replace("aaa", "b", "x")`, "aaa"},
	// crypto: FIPS 180-2 and 202, RFC 4231
	{`return crypto.hash("abc")`, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}, {`return crypto.hash("abc", "SHA224")`, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
	{`return crypto.hash("abc", "sha384")`, "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"}, {`return crypto.hash("abc", "sha512"):sub(1, 32)`, "ddaf35a193617abacc417349ae204131"},
	{`return crypto.hash("", "sha3-224")`, "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7"}, {`return crypto.hash("", "sha3-256")`, "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"}, {`return crypto.hash("", "sha3-384"):sub(1, 16)`, "0c63a75b845e4f7d"}, {`return crypto.hash("", "sha3-512"):sub(1, 16)`, "a69f73cca23a9ac5"},
	{`return crypto.hmac("Jefe", "what do ya want for nothing?")`, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"}, {`return crypto.hmac(("\x0b"):rep(20), "Hi There", "sha512"):sub(1, 32)`, "87aa7cdea5ef619d4ff0b4241a1d6cb0"}, {`return #crypto.hmac("k", "d", "sha256", true)`, int64(32)}, {`return crypto.hmac("\0\255", "\0") == crypto.hmac("\0\255", "\0")`, true},
	{`local s = crypto.random() return #s .. tostring(s:match("^%w+$") == s) .. tostring(crypto.random(8) ~= crypto.random(8))`, "32truetrue"},
	// assert
	{`assert.eq(1, 1.0) assert.eq("a", "a") assert.eq(nil, nil) assert.eq({1, {a = 2}}, {1, {a = 2}}) assert.eq(0.1 + 0.2, 0.3) assert.ne(1, 2) assert.gt(2, 1) assert.lt(1, 2) assert.contains("abc", "b") assert.not_nil(false) assert.matches("abc", "^a.c$") return assert(7, "x")`, int64(7)},
	// template
	{`return template.render_string("{{ a }}-{{ b.c }}-{{ missing }}-{{ l[0] }}{% if t %}T{% endif %}", {a = 1, b = {c = "<&>"}, l = {"x"}, t = true})`, "1-<&>--xT"},
	{`return template.render_string("x")`, "x"}, {`return template.render_string("{{ n }} {{ f }}", {n = 9007199254740993, f = 1.5})`, "9007199254740993 1.5"},
	// env, time, sleep, package
	{`return env.get("A")`, "1"}, {`return env.get("MISSING")`, nil}, {`return time() > 1.7e9`, true}, {`local a = time() sleep(0.01) return time() - a >= 0.01`, true}, {`sleep(-1) sleep(0/0)`, nil},
	{`return require("m").x + require("m").x`, int64(10)}, {`return require("m") == package.loaded.m`, true}, {`package.preload.p = function(n, w) return n .. w end return require("p")`, "p:preload:"}, {`return select(2, require("m"))`, "mods/m.lua"}, {`return require("empty")`, true},
	{`return ...`, nil}, {`return nil, 1`, nil}, {`return {f = print and 1}`, object{"f": int64(1)}}, {`return #{...}`, int64(0)},
	{"#!/usr/bin/env assay\nreturn 5", int64(5)},
}

// raises are chunks and what the error says.
var raises = []struct{ src, want string }{
	{`json.parse("{")`, `t.lua:1: json.parse: unexpected end of input at line 1 column 2`}, {`json.parse("[1,]")`, "json.parse: expected a value at line 1 column 4"}, {`json.parse("1 2")`, "json.parse: trailing characters"}, {`json.parse("")`, "json.parse: unexpected end of input"}, {`json.parse("01")`, "json.parse: invalid number"}, {`json.parse('"\\ud800"')`, "lone surrogate"}, {`json.parse('"a\nb"')`, "control character"}, {`json.parse('{"a" 1}')`, "expected ':'"}, {`json.parse("\"\xff\"")`, "invalid UTF-8"}, {`json.parse("1e999")`, "number out of range"}, {`json.parse("tru")`, "expected a value"},
	{`json.encode(print)`, "json.encode: unsupported Lua type for JSON: function"}, {`json.encode(0/0)`, "as JSON number"}, {`json.encode(1/0)`, "json.encode: cannot encode inf as JSON number"}, {`json.encode({[true] = 1})`, "json.encode: a boolean cannot be a key"}, {`json.encode("\xff")`, "json.encode: string is not valid UTF-8: byte 0xff at 1; base64.encode makes text of bytes"}, {`json.encode({items = {{}, {data = "ab\xe9c"}}})`, "json.encode: the string at .items[2].data is not valid UTF-8: byte 0xe9 at 3"}, {`json.encode({a = {["\xff"] = 1}})`, "json.encode: the string at .a is not valid UTF-8"}, {`local t = {} t.t = t json.encode(t)`, "json.encode: tables nest more than"}, {`json.encode(db.connect("sqlite::memory:"))`, "unsupported Lua type for JSON: userdata"},
	{`yaml.parse("a: [")`, "yaml.parse: "}, {`yaml.parse("a: 1\n---\nb: 2")`, "yaml.parse: more than one document"}, {`yaml.parse("a: 1\na: 2")`, "duplicate key"}, {`yaml.parse("? [1]\n: 2")`, "a key must be a scalar"}, {`yaml.encode(print)`, "yaml.encode: unsupported Lua type"}, {`yaml.parse("a: !!int x")`, "is not a !!int"},
	{`toml.parse("a = ")`, "toml.parse: "}, {`toml.encode({1, 2})`, "toml.encode: "}, {`toml.encode(1)`, "toml.encode: the top level must be a table"}, {`toml.encode({a = print})`, "toml.encode: unsupported Lua type: function"},
	{`json.parse("1", {big = true})`, `json.parse: big must be "text"`},
	{`base64.decode("a")`, "base64.decode: "}, {`base64.decode("aGVsbG8")`, "base64.decode: "},
	{`fs.read("missing.txt")`, `t.lua:1: fs.read: failed to read "missing.txt": `}, {`fs.write("\0", "x")`, "fs.write: failed to write"}, {`fs.write("f/x", "1") fs.write("f/x/y", "2")`, "failed to create its directories"},
	{`crypto.hash("a", "md5")`, "crypto.hash: unsupported algorithm: md5 (supported: sha224,"}, {`crypto.hmac("a", "b", "x")`, "crypto.hmac: unsupported algorithm: x"}, {`crypto.random(0)`, "crypto.random: length must be positive, got 0"}, {`crypto.random(-5)`, "crypto.random: length must be positive, got -5"}, {`crypto.jwt_sign({}, "x")`, "crypto.jwt_sign: invalid PEM key: "}, {`crypto.jwt_sign("x", "y")`, "crypto.jwt_sign: first argument must be a claims table"},
	{`regex.match("a", "(")`, "regex.match: invalid pattern: "}, {`regex.find("a", "[")`, "regex.find: invalid pattern: "}, {`regex.find_all("a", "*")`, "regex.find_all: invalid pattern: "}, {`regex.replace("a", "(", "")`, "regex.replace: invalid pattern: "},
	{`template.render_string("{{")`, "template.render_string: "}, {`template.render_string("x", 5)`, "template.render_string: second argument must be a table or nil"}, {`template.render("missing.j2")`, `template.render: failed to read "missing.j2"`}, {`template.render("x", 5)`, "template.render"},
	{`async.spawn(5)`, "async.spawn: first argument must be a function"}, {`async.spawn_interval(0, print)`, "async.spawn_interval: interval must be positive"}, {`async.spawn_interval(-1, print)`, "interval must be positive"}, {`async.spawn_interval(1, 2)`, "second argument must be a function"},
	{`local h = async.spawn(function() error("boom") end) h.await()`, "boom"}, {`local h = async.spawn(function() end) h.await() h.await()`, "async handle already awaited"},
	{`ws.connect("http://127.0.0.1:1/")`, "ws.connect: "}, {`ws.connect("nonsense")`, "ws.connect: "}, {`ws.send({}, "x")`, "ws.send: first argument must be a ws connection"}, {`ws.recv(1)`, "ws.recv: first argument must be a ws connection"}, {`ws.close()`, "ws.close: first argument must be a ws connection"},
	{`db.connect("oracle://x")`, "db.connect: "}, {`db.query(1, "x")`, "db.query: first argument must be a db connection"}, {`db.execute({}, "x")`, "db.execute: first argument must be a db connection"}, {`db.close("x")`, "db.close: first argument must be a db connection"}, {`db.connect("sqlite:missing.db")`, "db.connect: "},
	{`http.get(5)`, "http.get: first argument must be a URL string"}, {`http.post("http://x", print)`, "http.post: second argument must be a string, table, or nil"}, {`http.post("http://x", "", 5)`, "http.post: third argument must be a table or nil"}, {`http.get("http://x", 5)`, "http.get: second argument must be a table or nil"}, {`http.head("http://x", "y")`, "http.head: second argument must be a table or nil"}, {`http.delete("http://x", "y")`, "http.delete: second argument must be a table or nil"}, {`http.get("http://127.0.0.1:1/x")`, "http.get failed: http://127.0.0.1:1/x: "}, {`http.put("nope")`, "http.put failed: "}, {`http.patch("http://x", "", {headers = {["a b"] = "c"}})`, `http.patch: invalid header "a b"`},
	{`http.client({ca_cert_file = "missing.pem"})`, `http.client: failed to read CA cert file "missing.pem": `}, {`fs.write("bad.pem", "x") http.client({ca_cert_file = "bad.pem"})`, `http.client: invalid PEM in "bad.pem": `}, {`http.client({ca_cert = "x"})`, "http.client: invalid CA cert PEM: "}, {`http.client({timeout = -1})`, "http.client: timeout must be"}, {`http.client(5)`, "http.client: first argument"},
	{`http.serve("x", {})`, "http.serve: first argument must be a port number"}, {`http.serve(1, 2)`, "http.serve: second argument must be a routes table"}, {`http.serve(1, {}, {host = "192.0.2.1"})`, "http.serve: bind failed: "},
	{`assert.eq(1, 2)`, `t.lua:1: assert.eq failed: "1" != "2"`}, {`assert.eq("a", "b", "why")`, `assert.eq failed: "a" != "b" - why`}, {`assert.eq({1}, {2})`, `assert.eq failed: "[1]" != "[2]"`}, {`assert.eq(1, "1", 5)`, `assert.eq failed: "1" != "1" - 5`}, {`assert.eq({a = 1}, {a = 1, b = 2})`, "assert.eq failed"},
	{`assert.gt(1, 2)`, "assert.gt failed: 1 is not > 2"}, {`assert.lt(2, 1, "m")`, "assert.lt failed: 2 is not < 1 - m"}, {`assert.gt("a", 1)`, "assert.gt: both arguments must be numbers"}, {`assert.contains("abc", "x")`, `assert.contains failed: "abc" does not contain "x"`}, {`assert.contains(1, "x")`, "assert.contains: first argument must be a string"}, {`assert.contains("a", 1)`, "assert.contains: second argument must be a string"}, {`assert.not_nil(nil, "gone")`, "assert.not_nil failed: value is nil - gone"}, {`assert.matches("abc", "^x")`, `assert.matches failed: "abc" does not match pattern "^x"`}, {`assert.ne(1, 1)`, "assert.ne failed"}, {`assert(false)`, "assertion failed!"}, {`assert(nil, "said")`, "said"},
	{`require("nowhere")`, "t.lua:1: module 'nowhere' not found"}, {`require("broken")`, "error loading module 'broken' from file 'mods/broken.lua':\n\tmods/broken.lua:2: "}, {`require("raises")`, "mods/raises.lua:1: at load"}, {`require("loop")`, "loop in loading module 'loop'"},
	{`error("x")`, "t.lua:1: x"}, {`error("x", 0)`, "x"}, {`error({code = 1, list = {2}})`, `error object: {"code":1,"list":[2]}`}, {`error(setmetatable({}, {__tostring = function() return "mine" end}))`, "mine"}, {`error({f = print})`, "error object: table: 0x"}, {`error()`, "(error object is a nil value)"}, {`error({message = "m"})`, "m"}, {`error()`, "(error object is a nil value)"}, {`local function f() error("deep", 2) end f()`, "t.lua:1: deep"}, {"\n\nlocal x = nil\nx.y = 1", "t.lua:4: attempt to index a nil value (local 'x')"}, {`x()`, "attempt to call a nil value (global 'x')"}, {`("x")()`, "attempt to call a string value"}, {`({})()`, "attempt to call a table value"}, {`local t = {} t.a.b = 1`, "attempt to index a nil value (field 'a')"}, {`return 1 + {}`, "attempt to perform arithmetic on a table value"}, {`return #nil`, "attempt to get length of"}, {`return {} < 1`, "attempt to compare table with number"}, {`local t = {} t[nil] = 1`, "table index is nil"}, {`x =`, "t.lua:1: unexpected symbol near <eof>"}, {`local t = setmetatable({}, {__tostring = function() return "obj!" end}) error(t)`, "obj!"},
	{`string.rep()`, "bad argument #1 to 'rep' (string expected, got no value)"}, {`("x"):rep({})`, "bad argument #1 to 'rep' (number expected, got table)"}, {`("x"):rep(1.5)`, "bad argument #1 to 'rep' (number has no integer representation)"}, {`setmetatable(1)`, "bad argument #1 to 'setmetatable' (table expected, got number)"}, {`db.query(db.connect("sqlite::memory:"), "SELECT ?", {{}})`, "db: unsupported parameter type: table"}, {`db.query(db.connect("sqlite::memory:"), "SELEC")`, "db.query: "}, {`db.execute(db.connect("sqlite::memory:"), "INSERT INTO nowhere VALUES (1)")`, "db.execute: "},
}

// modules are what require finds.
func modules(name string) ([]byte, string, error) {
	src, ok := map[string]string{
		"m": "return {x = 5}", "empty": "", "broken": "\nx = = 1", "raises": "error('at load')", "loop": "return require('loop')",
		"slow": "sleep(0.01) return {n = 1}",
	}[name]
	if !ok {
		return nil, "", os.ErrNotExist
	}
	return []byte(src), "@mods/" + name + ".lua", nil
}

func options(t testing.TB) Options {
	return Options{
		Dir:     t.TempDir(),
		Env:     func(name string) (string, bool) { return "1", name == "A" },
		Require: modules,
	}
}

func TestBuiltins(t *testing.T) {
	for _, c := range gives {
		got, err := eval(t, options(t), c.src)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
		} else if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.src, d)
		}
	}
}

func TestBuiltinErrors(t *testing.T) {
	for _, c := range raises {
		_, err := eval(t, options(t), c.src)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, c.want) {
			t.Errorf("%s: %v, want %s", c.src, err, c.want)
		}
	}
}

func TestFiles(t *testing.T) {
	o := options(t)
	src := `
fs.write("a/b/c.txt", "héllo")
fs.write("a/b/c.txt", "short")
fs.write("page.j2", "{% include 'part.j2' %}{{ x }}")
fs.write("part.j2", "[{{ x }}]")
return fs.read("a/b/c.txt") .. template.render("page.j2", {x = 1})`
	got, err := eval(t, o, src)
	if err != nil || got != "short[1]1" {
		t.Errorf("%v, %v", got, err)
	}
	if b, err := os.ReadFile(filepath.Join(o.Dir, "a", "b", "c.txt")); err != nil || string(b) != "short" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestPrintAndLog(t *testing.T) {
	var out, log bytes.Buffer
	o := options(t)
	o.Stdout, o.Log = &out, &log
	src := `print(1, 2.5, "x", nil, true, 3.0) print() log.info("one") log.warn("two\nlines") log.error("\27[2Jthree")`
	if _, err := eval(t, o, src); err != nil {
		t.Fatal(err)
	}
	if want := "1\t2.5\tx\tnil\ttrue\t3.0\n\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	var got []string
	for line := range strings.Lines(log.String()) {
		if i := strings.Index(line, "Z "); i > 0 {
			line = line[i+2:]
		}
		got = append(got, line)
	}
	if d := cmp.Diff([]string{"INFO  one\n", "WARN  two\n", "  lines\n", "ERROR \uFFFD[2Jthree\n"}, got); d != "" {
		t.Errorf("logged (-want +got):\n%s", d)
	}
}

func TestTraceback(t *testing.T) {
	_, err := eval(t, options(t), "local function inner() error('x') end\nlocal function outer() inner() end\nouter()")
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want := "stack traceback:\n\t[C]: in function 'error'\n\tt.lua:1: in upvalue 'inner'\n\tt.lua:2: in local 'outer'\n\tt.lua:3: in main chunk\n\t[C]: in ?"
	if e.Traceback != want {
		t.Errorf("%s", e.Traceback)
	}
}

// A traceback says once what is the same.
func TestTracebackFolded(t *testing.T) {
	_, err := eval(t, options(t), "local function r(n) if n == 0 then error('deep') end return 1 + r(n - 1) end r(50)")
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want := "stack traceback:\n\t[C]: in function 'error'\n\tt.lua:1: in upvalue 'r'\n\t... (the same 8 times more)\n\t...\t(skipping 32 levels)\n\tt.lua:1: in upvalue 'r'\n\t... (the same 8 times more)\n\tt.lua:1: in local 'r'\n\tt.lua:1: in main chunk\n\t[C]: in ?"
	if e.Traceback != want {
		t.Errorf("%s\nwant\n%s", e.Traceback, want)
	}
}

// A verbose VM logs its requests, without what is secret in them.
func TestVerbose(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "12345") })
	for verbose, want := range map[bool]string{true: "DEBUG GET " + s.URL + "/a: status 200, 5 bytes", false: ""} {
		var log bytes.Buffer
		o := options(t)
		o.Log, o.Verbose, o.Globals = &log, verbose, map[string]any{"U": s.URL}
		if _, err := eval(t, o, `http.get(U .. "/a?token=hunter2")`); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(log.String(), want) || want == "" && log.Len() > 0 || strings.Contains(log.String(), "hunter2") {
			t.Errorf("verbose %v logged %q", verbose, log.String())
		}
	}
}

func TestRunsShareGlobals(t *testing.T) {
	vm := New(Options{Globals: map[string]any{"n": 5, "list": []any{"a"}, "m": map[string]any{"x": int64(9007199254740993)}}})
	defer vm.Close()
	if _, err := vm.Run(t.Context(), "a", []byte("n = n + 1 + #list")); err != nil {
		t.Fatal(err)
	}
	out, err := vm.Run(t.Context(), "b", []byte("local a, b = ... return n, a, b.k[1], m.x, nil"), "arg", map[string]any{"k": []any{1.5}})
	if d := cmp.Diff([]any{int64(7), "arg", 1.5, int64(9007199254740993), nil}, out); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestCheck(t *testing.T) {
	if err := Check("@x.lua", []byte("return 1 // 2")); err != nil {
		t.Error(err)
	}
	var e *Error
	if err := Check("@x.lua", []byte("\nreturn (")); !errors.As(err, &e) || e.Message != "x.lua:2: unexpected symbol near <eof>" {
		t.Error(err)
	}
	if err := Check("x", []byte("goto nowhere")); !errors.As(err, &e) || !strings.Contains(e.Message, "no visible label 'nowhere'") {
		t.Error(err)
	}
}
