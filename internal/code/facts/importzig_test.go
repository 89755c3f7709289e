package facts_test

import "testing"

// TestZigModules calls through modules that build.zig names, and methods of files that are structs.
func TestZigModules(t *testing.T) {
	tree := map[string]string{
		"build.zig": "const std = @import(\"std\");\npub fn build(b: *std.Build) void {\n" +
			"    const zz = b.addModule(\"zz\", .{\n        .target = t,\n        .root_source_file = b.path(\"src/zz.zig\"),\n    });\n" +
			"    const low = b.createModule(.{ .root_source_file = b.path(\"./src/low.zig\") });\n" +
			"    exe.root_module.addImport(\"lower\", low);\n    zz.addImport(\"zz2\", zz);\n" +
			"    const m = b.createModule(.{ .root_source_file = b.path(\"main.zig\"), .imports = &.{ .{ .name = \"again\", .module = low } } });\n}\n",
		"main.zig": "const zz = @import(\"zz\");\nconst lower = @import(\"lower\");\nconst again = @import(\"again\");\nconst none = @import(\"none\");\n" +
			"fn on(r: zz.Req, p: *const zz.Req) void { r.send(); p.send(); }\npub fn main() void { zz.start(); lower.go(); again.go(); none.go(); }\n",
		"src/zz.zig":  "pub const Req = @import(\"req.zig\");\npub fn start() void {}\n",
		"src/low.zig": "pub fn go() void {}\n",
		"src/req.zig": "const Req = @This();\na: i32,\npub fn send(self: *const Req) void { self.own(); }\nfn own(self: *const Req) void { _ = self; }\n",
	}
	for symbol, want := range map[string]string{
		"start":       "main.zig:6:25 call exact",
		"go":          "main.zig:6:40 call exact\nmain.zig:6:52 call exact",
		"Req.send":    "main.zig:5:45 call exact\nmain.zig:5:55 call exact",
		"zz.Req.send": "main.zig:5:45 call exact\nmain.zig:5:55 call exact",
	} {
		if got := uses(t, tree, symbol); got != want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", symbol, got, want)
		}
	}
}
