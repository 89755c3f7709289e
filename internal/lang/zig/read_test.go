package zig

import (
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var cases = []struct{ name, src, want string }{
	{`imports`, `const std = @import("std");
const Thing = @import("thing.zig").Thing;
pub const Other = @import("a/b.zig").Some;
const path = @import("std").fs.path;
const c = @cImport({
    @cDefine("X", "1");
    @cInclude("stdio.h");
});
pub usingnamespace @import("all.zig");
const made = @import("make.zig").make(1);
fn f() void {
    const late = @import("late");
    @import("direct.zig").run();
}
`, `constant made body="@import(\"make.zi…(1);"
function f -> void body="{\n    const late…);\n}"
import std as std
import thing.zig {Thing} relative
import a/b.zig {Some Other} reexport relative
import std {fs}
import stdio.h as c system
import all.zig {*} reexport relative
import make.zig {make} relative
import late as late conditional
import direct.zig {run} conditional relative
call make of import('make.zig') 1
call run of import('direct.zig') 0
bind path = fs.path
bind made = make()
`},
	{`functions`, `/// Adds.
pub fn add(a: u32, comptime T: type, noalias p: *const T) !u32 {
    return a;
}
export fn exported() callconv(.C) void {}
extern "c" fn printf(format: [*:0]const u8, ...) c_int;
pub extern fn bare(c_int) void;
inline fn fast(_: anytype) error{A, B}!struct { x: u8 } {}
fn picks(comptime x: bool) if (x) u8 else u16 {}
fn chosen(comptime x: u8) switch (x) { 0 => u8, else => List(u8) } { call(); }
const F = *const fn (a: u8) void;
`, `function add(a: u32 | comptime T: type | noalias p: *const T) -> !u32 exported doc="/// Adds." body="{\n    return a;\n}"
function exported -> void exported body="{}"
function printf(format: [*:0]const u8 | ...) -> c_int abstract body=""
function bare(c_int) -> void abstract exported body=""
function fast(_: anytype) -> error{A, B}!struct { x: u8 } body="{}"
function picks(comptime x: bool) -> if (x) u8 else u16 body="{}"
function chosen(comptime x: u8) -> switch (x) { 0 => u8, else => List(u8) } body="{ call(); }"
constant F body="*const fn (a: u8) void;"
call List 1
call call 0
bind a#1: u32
bind T#2: type
bind p#3: *const T
bind () = a
bind format#1: [*:0]const u8
bind x: u8
bind x#1: bool
bind x#1: u8
bind F
`},
	{`containers`, `//! The file.
/// A point.
pub const Point = struct {
    x: u32 = 0,
    y: u32 align(8),
    comptime z: Kind = .a,
    next: ?*Point = origin.next orelse null,
    const Self = @This();
    pub const origin: Point = Point{ .x = 0 };
    var count: usize = 0;
    pub fn init(x: u32) Point {
        return Point{ .x = x };
    }
    fn length(self: *const Self) f32 {
        return self.x.sqrt();
    }
    pub fn make(gpa: Allocator) !*Self {}
    test "in a type" { try check(init(1)); }
};
const Kind = enum(u8) { a, b = 1, pub fn name(k: Kind) []const u8 { return @tagName(k); } };
const U = union(enum) { int: i32, none, fn f(u: U) void {} };
const E = error{ A, B };
const All = E || error{C};
const H = opaque {};
const P = packed struct(u32) { a: u1 };
const X = extern union { a: u8 };
a: u8,
threadlocal var state: State = .{};
extern var environ: [*]u8;
`, `struct Point exported doc="/// A point." body="{\n    x: u32 = 0…}\n};"
constant Self body="@This();"
constant origin -> Point exported body="Point{ .x = 0 };"
variable count -> usize body="0;"
method init(x: u32) -> Point static constructor exported body="{\n        return…   }"
method length(self: *const Self) -> f32 body="{\n        return…   }"
method make(gpa: Allocator) -> !*Self static constructor exported body="{}"
test in a type body="{ try check(init(1)); }"
enum Kind body="{ a, b = 1, pub …} };"
method name(k: Kind) -> []const u8 exported body="{ return @tagName(k); }"
struct U body="{ int: i32, none…} };"
method f(u: U) -> void body="{}"
enum E body="{ A, B };"
constant All body="E || error{C};"
struct H body="{};"
struct P body="{ a: u1 };"
struct X body="{ a: u8 };"
variable state -> State body=".{};"
variable environ -> [*]u8 abstract body=""
call Point 1 new
call Point 1 new
call sqrt of self.x 0
call check 1
call init 1
bind x: u32
bind y: u32
bind z: Kind
bind next: ?*Point = origin.next
bind Self = Point
bind origin: Point = Point()
bind count: usize
bind x#1: u32
bind () = Point()
bind self#1: *const Self
bind () = self.x.sqrt()
bind gpa#1: Allocator
bind a: Kind
bind b: Kind
bind k#1: Kind
bind int: i32
bind none: U
bind u#1: U
bind A: E
bind B: E
bind All
bind a: u1
bind a: u8
bind a: u8
bind state: State
bind environ: [*]u8
`},
	{`generic`, `pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        const Self = @This();
        pub fn init() Self { return .{ .items = &.{} }; }
        fn at(self: Self, i: usize) *T { return &self.items[i]; }
    };
}
const Bytes = List(u8);
const cmp = struct { fn less(a: u8, b: u8) bool { return a < b; } }.less;
`, `function List(comptime T: type) -> type exported body="{\n    return str…};\n}"
constant Self body="@This();"
method init -> Self static constructor exported body="{ return .{ .ite…}; }"
method at(self: Self | i: usize) -> *T body="{ return &self.i…]; }"
constant Bytes body="List(u8);"
constant cmp body="struct { fn less…ess;"
method less(a: u8 | b: u8) -> bool static body="{ return a < b; }"
call List 1
bind T#1: type
bind items: []T
bind Self = List
bind self#1: Self
bind i#2: usize
bind () = self.items[]
bind Bytes = List()
bind cmp
bind a#1: u8
bind b#2: u8
`},
	{`tests`, "test \"a name\" { run(); }\ntest add { run(); }\ntest { run(); }\ntest @\"with space\" {}\ntest \"\" { run(); }\n", `test a name body="{ run(); }"
test add body="{ run(); }"
test @"with space" body="{}"
call run 0
call run 0
call run 0
call run 0
`},
	{`calls`, `fn f() !void {
    try a.b.c(1, 2);
    x.?.y().*.z(&.{1}, .{ .a = g(), });
    const p = try List(u8).init(gpa);
    @as(u8, @intCast(h(1)));
    std.debug.print("{s}\n", .{name});
    items[0].run(); items[0..2].len();
    (try q()).w();
    self.callback.?(1);
    const v: T = .init(1);
    blk: { break :blk (1); }
    const t = T{ 1, 2 }; const s = ns.T{}; const l = List(u8){};
    const arr = [_]T{ a, b }; const more = [_]ns.T{}; const ptr = [_]*const T{};
    const u = void{};
    if (ok) T{} else switch (e) { .a => |y| y.go(), else => {} }
    @This().stat(); @"quoted"(1); @"q q"(2); io.async(k, .{});
    _ = asm volatile ("nop" : [r] "=r" (-> usize) : [x] "r" (val()) : "memory");
}
`, `function f -> !void body="{\n    try a.b.c(…);\n}"
call c of a.b 2
call y of x 0
call z of x.y() 2
call g 0
call List 1
call init of List() 1
call h 1
call print of std.debug 2
call run of items[] 0
call len of items 0
call q 0
call w of q() 0
call init of ? 1
call T 2 new
call T of ns 0 new
call List 1
call T 0 new
call go of y 0
call stat of ? 0
call quoted 1
call @"q q" 1
call async of io 2
call val 0
bind p = List().init()
bind v: T
bind t = T()
bind s = ns.T()
bind l = List()
bind arr
bind more
bind ptr
bind u = void()
bind y
`},
	{`bindings`, `fn f(self: *Self, list: []const Item, _: u8) ?Item {
    const a = try self.get(1);
    var b: Thing = undefined;
    const c = list[0].name orelse return null;
    const d = a + 1;
    const x, var y: u8 = pair();
    for (list, 0..) |item, i| {}
    while (it.next()) |*n| {}
    if (self.opt) |o| {} else |err| {}
    a.b() catch |e| return e;
    switch (z) { .v => |w| {} }
    const m = (a) | b | (c);
    const g = &Thing{ .a = 1 };
    const h = list[1..];
    return a.first();
}
`, `function f(self: *Self | list: []const Item | _: u8) -> ?Item body="{\n    const a = …);\n}"
call get of self 1
call pair 0
call next of it 0
call b of a 0
call Thing 1 new
call first of a 0
bind self#1: *Self
bind list#2: []const Item
bind a = self.get()
bind b: Thing
bind c = list[].name
bind d
bind x
bind y: u8
bind item = list[]
bind i
bind n = it.next()
bind o = self.opt
bind err
bind e
bind () = e
bind w
bind m
bind g = Thing()
bind h = list
bind () = a.first()
`},
	{`text`, "const s =\n    \\\\ fn no() { \"\n    \\\\ }\n;\nconst q = '\"'; const r = '\\''; const e = \"\\\"{\";\n// fn no() {}\nfn yes() void {}\n", `constant s body="\\\\ fn no() { \"\n … }\n;"
constant q body="'\"';"
constant r body="'\\'';"
constant e body="\"\\\"{\";"
function yes -> void doc="// fn no() {}" body="{}"
bind s
bind q
bind r
bind e
`},
	{`broken`, `fn a() void {
    if (x) {
}
pub fn b() void { c(); }
const S = struct {
    fn d() void { e(;
    }
    fn g() void {}

pub fn h() void {}
<<<<<<< one
const k = 1
=======
const l = 2;
>>>>>>> two
fn m(
`, `function a -> void body="{\n    if (x) {\n}"
function b -> void exported body="{ c(); }"
struct S body="{\n    fn d() voi…d {}"
method d -> void static body="{ e(;\n    }"
method g -> void static body="{}"
function h -> void exported body="{}"
constant k body="1"
constant l body="2;"
function m body=""
call c 0
call e 1
bind k
bind l
missed 3
`},
}

func TestRead(t *testing.T) {
	for _, c := range cases {
		if got := langtest.Long(c.src, Read([]byte(c.src))); got != c.want {
			t.Errorf("%s:\n%s\nread as\n%s\nwant\n%s", c.name, c.src, got, c.want)
		}
	}
}
