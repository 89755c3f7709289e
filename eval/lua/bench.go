package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os/exec"
)

// work compares the runtime with C Lua on the usual programs. Each runs n times
// on both in turns, and the least processor time of each counts: what else the machine
// does only adds to it.
func work(ctx context.Context, w io.Writer, self, luac string, n int, bound func(string, float64, float64)) error {
	fmt.Fprintf(w, "%-14s %10s %10s %7s\n", "work", "C Lua", "here", "ratio")
	mean, err := compare(ctx, w, benchmarks, self, luac, n, bound)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-14s %33.2f\n\n", "geometric mean", mean)
	bound("the geometric mean", mean, 3)
	if absent := exec.CommandContext(ctx, luac, "-e", `require "cjson"`).Run(); absent != nil {
		fmt.Fprintln(w, "json: left out, lua-cjson is not installed")
		return nil //nolint:nilerr // a comparison that cannot be made here is no failure
	}
	_, err = compare(ctx, w, jsons, self, luac, n, bound)
	fmt.Fprintln(w)
	return err
}

// compare returns the geometric mean of the ratios.
func compare(ctx context.Context, w io.Writer, list []program, self, luac string, n int, bound func(string, float64, float64)) (float64, error) {
	total := 0.0
	for _, p := range list {
		theirs, ours := math.Inf(1), math.Inf(1)
		for range n {
			a, err := spent(ctx, p.body, luac, "-e")
			if err != nil {
				return 0, err
			}
			b, err := spent(ctx, p.body, self, childArg)
			if err != nil {
				return 0, err
			}
			theirs, ours = min(theirs, a), min(ours, b)
		}
		ratio := ours / theirs
		total += math.Log(ratio)
		fmt.Fprintf(w, "%-14s %7.1f ms %7.1f ms %7.2f\n", p.name, 1e3*theirs, 1e3*ours, ratio)
		bound(p.name, ratio, p.most)
	}
	return math.Exp(total / float64(len(list))), nil
}

// jsons are programs that lua-cjson is compared by.
var jsons = []program{
	{"json parse", "", jsonSetup + `for i = 1, 10 do parse(s) end`, 2},
	{"json encode", "", jsonSetup + `for i = 1, 10 do encode(t) end`, 2},
}

const jsonSetup = `local parse, encode if json then parse, encode = json.parse, json.encode else local c = require("cjson") parse, encode = c.decode, c.encode end
local t = {} for i = 1, 5000 do t[i] = {kind = "Pod", metadata = {name = "web-" .. i, namespace = "ns" .. i % 50, labels = {app = "web", tier = "front"}}, spec = {nodeName = "node-" .. i % 100, replicas = i, ratio = i / 3, ready = i % 2 == 0}} end
local s = encode(t) `

// benchmarks are the programs that implementations of Lua are usually compared by.
var benchmarks = []program{
	{"fib", "", `local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end fib(32)`, 3},
	{"ackermann", "", `local function ack(m, n) if m == 0 then return n + 1 end if n == 0 then return ack(m - 1, 1) end return ack(m - 1, ack(m, n - 1)) end
for i = 1, 4 do ack(2, 500) end ack(3, 7)`, 6},
	{"binary trees", "", `local function make(d) if d == 0 then return {} end return {make(d - 1), make(d - 1)} end
local function check(t) if t[1] then return 1 + check(t[1]) + check(t[2]) end return 1 end
for i = 1, 20 do check(make(13)) end`, 6},
	{"n-body", "", `local function body(x, y, z, vx, vy, vz, m) return {x = x, y = y, z = z, vx = vx, vy = vy, vz = vz, mass = m} end
local bodies = {body(0, 0, 0, 0, 0, 0, 39.47), body(4.84, -1.16, -.10, .6, 2.81, -.02, .037), body(8.34, 4.12, -4.03, -1.01, 1.82, .008, .011),
  body(12.89, -15.11, -.22, 1.08, .86, -.01, .0017), body(15.37, -25.9, .179, .979, .594, -.034, .002)}
local function advance(dt)
  local n = #bodies
  for i = 1, n do
    local a = bodies[i]
    for j = i + 1, n do
      local b = bodies[j]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      local d2 = dx * dx + dy * dy + dz * dz
      local mag = dt / (d2 * d2 ^ 0.5)
      a.vx, a.vy, a.vz = a.vx - dx * b.mass * mag, a.vy - dy * b.mass * mag, a.vz - dz * b.mass * mag
      b.vx, b.vy, b.vz = b.vx + dx * a.mass * mag, b.vy + dy * a.mass * mag, b.vz + dz * a.mass * mag
    end
  end
  for i = 1, n do local b = bodies[i] b.x, b.y, b.z = b.x + dt * b.vx, b.y + dt * b.vy, b.z + dt * b.vz end
end
for i = 1, 100000 do advance(0.01) end`, 6},
	{"spectral norm", "", `local n = 160
local function A(i, j) local ij = i + j - 1 return 1 / (ij * (ij - 1) * 0.5 + i) end
local function Av(x, y) for i = 1, n do local s = 0 for j = 1, n do s = s + x[j] * A(i, j) end y[i] = s end end
local function Atv(x, y) for i = 1, n do local s = 0 for j = 1, n do s = s + x[j] * A(j, i) end y[i] = s end end
local u, v, t = {}, {}, {} for i = 1, n do u[i] = 1 end
for i = 1, 10 do Av(u, t) Atv(t, v) Av(v, t) Atv(t, u) end`, 6},
	{"fannkuch", "", `local function fannkuch(n)
  local p, q, s, sign, maxflips = {}, {}, {}, 1, 0
  for i = 1, n do p[i] = i q[i] = i s[i] = i end
  repeat
    local q0 = p[1]
    if q0 ~= 1 then
      for i = 2, n do q[i] = p[i] end
      local flips = 1
      while true do
        local qq = q[q0]
        if qq == 1 then if flips > maxflips then maxflips = flips end break end
        q[q0] = q0
        if q0 >= 4 then local i, j = 2, q0 - 1 repeat q[i], q[j] = q[j], q[i] i = i + 1 j = j - 1 until i >= j end
        q0 = qq flips = flips + 1
      end
    end
    if sign == 1 then p[1], p[2] = p[2], p[1] sign = -1
    else
      p[2], p[3] = p[3], p[2] sign = 1
      for i = 3, n do
        local sx = s[i]
        if sx ~= 1 then s[i] = sx - 1 break end
        if i == n then return maxflips end
        s[i] = i
        local t = p[1] for j = 1, i do p[j] = p[j + 1] end p[i + 1] = t
      end
    end
  until false
end
fannkuch(9)`, 6},
	{"mandelbrot", "", `local n, count = 200, 0
for y = 0, n - 1 do local ci = 2.0 * y / n - 1.0
  for x = 0, n - 1 do
    local cr, zr, zi, i = 2.0 * x / n - 1.5, 0.0, 0.0, 0
    while i < 50 and zr * zr + zi * zi < 4.0 do zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci i = i + 1 end
    count = count + i
  end
end`, 6},
	{"sieve", "", `for round = 1, 8 do local p = {} for i = 2, 300000 do p[i] = true end
for i = 2, 547 do if p[i] then for j = i * i, 300000, i do p[j] = false end end end end`, 6},
	{"queens", "", `local n, count = 9, 0
local function ok(a, k, c) for i = 1, k - 1 do if a[i] == c or a[i] - i == c - k or a[i] + i == c + k then return false end end return true end
local function add(a, k) if k > n then count = count + 1 return end for c = 1, n do if ok(a, k, c) then a[k] = c add(a, k + 1) end end end
add({}, 1)`, 6},
	{"build strings", "", `local t = {} for i = 1, 400000 do t[#t + 1] = 'item ' .. i .. ', ' end local s = table.concat(t) local n = 0 for w in s:gmatch('%d+') do n = n + 1 end`, 6},
	{"sort", "", `local t, x = {}, 42 for i = 1, 150000 do x = (x * 16807) % 2147483647 t[i] = x end table.sort(t) table.sort(t, function(a, b) return a > b end)`, 6},
	{"string library", "", `local n = 0 for i = 1, 200000 do local s = ('%d:%s'):format(i, 'value') n = n + #s:upper():sub(2, -2) + (s:find(':', 1, true) or 0) + s:byte(1) end`, 6},
	{"closures", "", `local function compose(f, g) return function(x) return f(g(x)) end end local s = 0
for i = 1, 700000 do local add = function(x) return x + i end s = s + compose(add, add)(1) end`, 6},
	{"methods", "", `local Point = {} Point.__index = Point function Point.new(x) return setmetatable({x = x}, Point) end function Point:move(d) self.x = self.x + d return self end function Point:get() return self.x end
local p = Point.new(0) for i = 1, 3000000 do p:move(i) if p:get() < 0 then break end end`, 6},
	{"coroutine ring", "", `local ring = {} for i = 1, 100 do ring[i] = coroutine.wrap(function() local n = 0 while true do n = n + 1 coroutine.yield(n) end end) end
for round = 1, 12000 do for i = 1, 100 do ring[i]() end end`, 6},
	{"matrices", "", `local n = 120 local function make() local m = {} for i = 1, n do local r = {} for j = 1, n do r[j] = i + j end m[i] = r end return m end
local a, b = make(), make() for round = 1, 4 do local c = {} for i = 1, n do local r, ai = {}, a[i] for j = 1, n do local s = 0 for k = 1, n do s = s + ai[k] * b[k][j] end r[j] = s end c[i] = r end end`, 6},
	{"heap sort", "", `local function sift(a, lo, hi) local root = lo while true do local child = root * 2 if child > hi then return end if child < hi and a[child] < a[child + 1] then child = child + 1 end
  if a[root] >= a[child] then return end a[root], a[child] = a[child], a[root] root = child end end
local a, x = {}, 42 for i = 1, 150000 do x = (x * 16807) % 2147483647 a[i] = x end local n = #a
for i = n // 2, 1, -1 do sift(a, i, n) end for i = n, 2, -1 do a[1], a[i] = a[i], a[1] sift(a, 1, i - 1) end`, 6},
	{"k-nucleotide", "", `local seq, x = {}, 42 for i = 1, 60000 do x = (x * 3877 + 29573) % 139968 seq[i] = ('ACGT'):sub(x % 4 + 1, x % 4 + 1) end local s = table.concat(seq)
for k = 1, 6 do local count = {} for i = 1, #s - k + 1 do local key = s:sub(i, i + k - 1) count[key] = (count[key] or 0) + 1 end end`, 6},
	{"bit operators", "", `local x = 0 for i = 1, 10000000 do x = (x ~ i) & 0xffff | i // 3 end`, 6},
	{"remainders", "", `local s = 0 for i = 1, 15000000 do s = s + i % 7 end`, 6},
	{"caught errors", "", `local function bad(t) return t.x.y end for i = 1, 200000 do pcall(bad, {}) pcall(error, 'x') end`, 6},
}
