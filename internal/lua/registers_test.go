package lua

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// list writes f n times, with its number for #.
func list(n int, f string) string {
	var out []string
	for i := 1; i <= n; i++ {
		out = append(out, strings.ReplaceAll(f, "#", fmt.Sprint(i)))
	}
	return strings.Join(out, ", ")
}

// shapes are chunks that need n registers, upvalues, constants or levels.
var shapes = []struct {
	name string
	src  func(n int) (src, want string)
}{
	{"arguments", func(n int) (string, string) {
		return "local function f(...) return select('#', ...), (select(-1, ...)) end emit(f(" + list(n, "#") + "))", fmt.Sprintf("%d %d \n", n, n)
	}},
	{"nested calls", func(n int) (string, string) {
		return "local function f(a, b) return a + b end emit(" + strings.Repeat("f(1, ", n) + "0" + strings.Repeat(")", n) + ")", fmt.Sprintf("%d \n", n)
	}},
	{"locals", func(n int) (string, string) {
		return "local " + list(n, "a#") + " = " + list(n, "#") + " emit(a1, a" + fmt.Sprint(n) + ")", fmt.Sprintf("1 %d \n", n)
	}},
	{"returns", func(n int) (string, string) {
		return "local function f() return " + list(n, "#") + " end emit(select('#', f()))", fmt.Sprintf("%d \n", n)
	}},
	{"constructor", func(n int) (string, string) {
		return "local t = {" + list(n, "#") + "} emit(#t, t[#t])", fmt.Sprintf("%d %d \n", n, n)
	}},
	{"constructor in constructor", func(n int) (string, string) {
		return "local t = " + strings.Repeat("{1, {2}, ", n) + "0" + strings.Repeat("}", n) + " emit(t[1])", "1 \n"
	}},
	{"concatenation", func(n int) (string, string) {
		return "emit(#(" + strings.ReplaceAll(list(n, "'x'"), ",", "..") + "))", fmt.Sprintf("%d \n", n)
	}},
	{"assignment", func(n int) (string, string) {
		return "local t = {} " + list(n, "t[#]") + " = " + list(n, "#") + " emit(t[1], t[" + fmt.Sprint(n) + "])", fmt.Sprintf("1 %d \n", n)
	}},
	{"parameters", func(n int) (string, string) {
		return "local function f(" + list(n, "a#") + ") return a" + fmt.Sprint(n) + " end emit(f(" + list(n, "#") + "))", fmt.Sprintf("%d \n", n)
	}},
	{"sums", func(n int) (string, string) {
		return "local a = 1 emit(" + strings.ReplaceAll(list(n, "a"), ",", " + ") + ")", fmt.Sprintf("%d \n", n)
	}},
	{"sums to the right", func(n int) (string, string) {
		return "local a = 1 emit(" + strings.Repeat("a + (", n) + "0" + strings.Repeat(")", n) + ")", fmt.Sprintf("%d \n", n)
	}},
	{"upvalues", func(n int) (string, string) {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			if i%100 == 1 {
				fmt.Fprintf(&b, "local function g%d() ", i)
			}
			fmt.Fprintf(&b, "local a%d = %d ", i, i)
		}
		fmt.Fprintf(&b, "local function f() return %s end emit(f()) ", strings.ReplaceAll(list(n, "a#"), ",", " + "))
		for i := (n - 1) / 100 * 100; i >= 0; i -= 100 {
			fmt.Fprintf(&b, "end g%d() ", i+1)
		}
		return b.String(), fmt.Sprintf("%d \n", n*(n+1)/2)
	}},
	{"constants", func(n int) (string, string) {
		return "local t = {" + list(4*n, "'k#'") + "} emit(#t, t[" + fmt.Sprint(4*n) + "] == 'k" + fmt.Sprint(4*n) + "')", fmt.Sprintf("%d true \n", 4*n)
	}},
	{"blocks", func(n int) (string, string) {
		return strings.Repeat("do ", n) + "emit(1) " + strings.Repeat("end ", n), "1 \n"
	}},
	{"branches", func(n int) (string, string) {
		return "local x = " + fmt.Sprint(n) + " if x == 0 then emit(0) " + strings.ReplaceAll(list(n, "elseif x == # then emit(#)"), ",", "") + " end", fmt.Sprintf("%d \n", n)
	}},
}

// What the compiler has no room for is an error, and what it has room for works:
// it does not look itself.
func TestRegisters(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			refused := 0
			for _, n := range []int{1, 2, 49, 50, 51, 60, 99, 100, 101, 120, 150, 180, 187, 188, 189, 190, 195, 200, 230, 250, 251, 255, 256, 257, 300, 500, 1000} {
				src, want := shape.src(n)
				if err := Check("x", []byte(src)); err != nil {
					refused++
					if n <= 60 {
						t.Errorf("%d: %v", n, err)
					}
					continue
				}
				if refused > 0 {
					t.Errorf("%d is accepted and less is not", n)
				}
				if got := emittedIn(t, src, time.Minute); got != want {
					t.Errorf("%d: got %q, want %q", n, got, want)
				}
			}
		})
	}
}

// The first value of a loop may come by any expression: its parts must not share
// registers with the loop's own locals.
func TestForIn(t *testing.T) {
	const setup = `
local function upto(n) local i = 0 return function() i = i + 1 if i <= n then return i end end end
local o = {} o.m = function(_, n) return upto(n) end o.it = upto(2) o.self = o o.n = function() return o end
local t = {o = o, k = "o"}
local function f() return setmetatable({x = o, k = "o", m = o.m}, {__call = function(_, n) return upto(n) end}) end
local function id(...) return ... end
`
	for _, src := range []string{
		"for e in f().x:m(2) do emit(e) end",
		"for e in f():m(2) do emit(e) end",
		"for e in f()(2) do emit(e) end",
		"for e in f().x.it do emit(e) end",
		"for e in t[f().k].self:m(2) do emit(e) end",
		"for e in f().x:n().self:n():m(2) do emit(e) end",
		"for e in (nil or upto)(2) do emit(e) end",
		"for e in id(f())(2) do emit(e) end",
		"for e in ('ab'):gsub('.', {a = '1', b = '2'}):gmatch('.') do emit(e) end",
		"for e in t.o.self:m(2) do emit(e) end",
		"for e in id(id(upto(2))) do emit(e) end",
		"for e in f().x:m(f().x:m(f().x.m and 2)()+1) do emit(e) end",
		"for e in function(_, i) if i < 2 then return i + 1 end end, nil, 0 do emit(e) end",
		"for e in id(function(_, i) if i < 2 then return i + 1 end end, nil, 0) do emit(e) end",
		"local fs = {} for e in f().x:m(2) do fs[e] = function() e = e + 1 return e - 1 end end emit(fs[1]()) emit(fs[2]())",
		"local n = 0 repeat for e in f().x:m(9) do if e > 2 then break end emit(e) end n = n + 1 until n == 1",
		"for _ = 1, 1 do for e in f().x:m(3) do if e == 3 then goto next end emit(e) ::next:: end end",
	} {
		var out strings.Builder
		if _, err := eval(t, Options{Stdout: &out}, "local emit = print "+setup+src); err != nil || out.String() != "1\n2\n" {
			t.Errorf("%s: %q, %v", src, out.String(), err)
		}
	}
}
