package apidoc

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

// Comments of each language are read in its own form; what is undescribed, or described by a note on its code, is no entry.
func TestReadWritten(t *testing.T) {
	for name, tc := range map[string]struct{ path, text, want string }{
		"lua, LDoc": {"lua/pl/List.lua", "--- Lists.\nlocal List = {}\n--- Add an item, see @{List.pop|pop}.\n-- @int i where\n-- @tparam table t what\n-- @treturn List the list\n-- @usage l:add(1)\nfunction List:add(i, t) end\nfunction List.bare() end\n--- Own.\nfunction List:_own() end\n--- Mine.\n-- @local\nfunction List.mine() end\nreturn List\n",
			"[lua/pl/List > List > List.add]\nlua| function List:add(i, t)\nAdd an item, see `pop`.\nParameters:\n- `i`: `int` where\n- `t`: `table` what\nReturns: `List` the list\nExample:\nlua| l:add(1)\n"},
		"dart": {"lib/src/client.dart", "/// A client, see [Base].\n///\n/// {@macro x}\nabstract interface class Client {\n  /// Sends [body] to a list[0].\n  Future<Response> post(Uri url,\n      {Object? body});\n\n  // A note on code.\n  void hint();\n\n  @override\n  void bare();\n\n  /// The status.\n  final int status;\n\n  /// How many.\n  int get count => _n;\n}\n\n/// Runs [f].\nR run<R>(R Function() f) => f();\n",
			"[client > Client]\ndart| abstract interface class Client\nA client, see `Base`.\n[client > Client > Client.post]\ndart| Future<Response> post(Uri url,\n  |     {Object? body});\nSends `body` to a list[0].\n[client > Client > Client.status]\ndart| final int status;\nThe status.\n[client > Client > Client.count]\ndart| int get count\nHow many.\n[client > run]\ndart| R run<R>(R Function() f)\nRuns `f`.\n"},
		"scala": {"src/Value.scala", "package ujson\n\n/**\n  * A tree, see [[Obj]] and [[Arr items]], not Array[Byte].\n  *\n  * {{{\n  * Value(1)\n  * }}}\n  */\ntrait Value {\n  /** Its text.\n    * @param strict if it must be one */\n  def str(strict: Boolean): String = \"\"\n  def bare = 1\n  // A note.\n  def noted = 1\n  /** Mine. */\n  private def own = 1\n}\n",
			"[ujson > Value]\nscala| trait Value\nA tree, see `Obj` and `Arr`, not Array[Byte].\nscala| Value(1)\n[ujson > Value > Value.str]\nscala| def str(strict: Boolean): String\nIts text.\nParameters:\n- `strict`: if it must be one\n"},
		"zig, with tests beside its code": {"src/clap.zig", "/// How many.\npub const Values = enum {\n    one,\n    many,\n};\n/// Parses.\npub fn parse(a: u8) !u8 {\n    return a;\n}\n// A note.\npub fn noted() void {}\n/// Mine.\nfn own() void {}\ntest \"it\" {\n    _ = parse(1);\n}\n",
			"[clap > Values]\nzig| pub const Values = enum {\n  |     one,\n  |     many,\n  | };\nHow many.\n[clap > parse]\nzig| pub fn parse(a: u8) !u8\nParses.\n"},
		"haskell": {"src/Data/Set.hs", "module Data.Set (split, size, noted) where\n\n-- | Splits a 'Set', don't 'we'?\n-- @code@ is\n--\n-- > split 3 x == y\n--\n-- @since 0.1\n\n-- See Note [split]\nsplit\n  :: Int  -- ^ where\n  -> Set\n{-# INLINE split #-}\nsplit x = x\n\n-- a note\nnoted :: Int\nnoted = 1\n\n-- | Hidden.\nhidden :: Int\nhidden = 1\n",
			"[Data.Set > split]\nhaskell| split\n  |   :: Int  -- ^ where\n  |   -> Set\nSplits a `Set`, don't `we`? `code` is\nSince 0.1\nhaskell| split 3 x == y\n"},
		"julia": {"src/Frames.jl", "module Frames\n\n\"\"\"\n    push!(df, row)\n\nAdd a [`row`](@ref).\n\n```jldoctest\njulia> 1\n```\n\"\"\"\nfunction push!(df, row)\n    df\nend\n\n\"\"\"\n    nrow(df)\n\nHow many.\n\"\"\"\nnrow(df::Frame)::Int = df.n\n\n# A note.\nfunction bare(x)\nend\n\n\"\"\"\nMine.\n\"\"\"\nfunction _own(x)\nend\nend\n",
			"[Frames > push!]\njulia| function push!(df, row)\njulia| push!(df, row)\nAdd a `row`.\njulia| julia> 1\n[Frames > nrow]\njulia| nrow(df::Frame)::Int = df.n\njulia| nrow(df)\nHow many.\n"},
		"protobuf": {"api/kv.proto", "syntax = \"proto3\";\npackage kv;\n\n// KV stores.\nservice KV {\n  // Range gets the keys.\n  rpc Range(RangeRequest) returns (RangeResponse) {}\n}\n\nmessage RangeRequest {\n  bytes key = 1; // the first\n}\n",
			"[api/kv > KV]\nprotobuf| service KV {\n  |   // Range gets the keys.\n  |   rpc Range(RangeRequest) returns (RangeResponse) {}\n  | }\nKV stores.\n[api/kv > KV > KV.Range]\nprotobuf| rpc Range(RangeRequest) returns (RangeResponse) {}\nRange gets the keys.\n[api/kv > RangeRequest]\nprotobuf| message RangeRequest {\n  |   bytes key = 1; // the first\n  | }\n"},
		"graphql": {"schema.graphql", "\"\"\"\nA user.\n\"\"\"\ntype User {\n  \"\"\"Its name.\"\"\"\n  name: String!\n}\n\n# Who may.\nenum Role { ADMIN }\n\nextend type Query {\n  \"\"\"\n  Finds (a) user: one.\n  \"\"\"\n  user(\n    \"Its ID (a number).\"\n    id: ID! = \"a:b\"\n  ): User!\n  users: [User!]! @deprecated(reason: \"x: y\")\n}\n",
			"[schema.graphql > User]\ngraphql| type User {\n  |   \"\"\"Its name.\"\"\"\n  |   name: String!\n  | }\nA user.\n[schema.graphql > Role]\ngraphql| enum Role { ADMIN }\nWho may.\n[schema.graphql > Query > Query.user]\ngraphql| user(\n  |     \"Its ID (a number).\"\n  |     id: ID! = \"a:b\"\n  |   ): User!\nFinds (a) user: one.\n[schema.graphql > Query > Query.users]\ngraphql| users: [User!]! @deprecated(reason: \"x: y\")\n"},
		"the variables of a module of Terraform": {"modules/vpc/variables.tf", "variable \"cidr\" {\n  description = \"The \\\"range\\\" of it\"\n  type        = string\n}\n\noutput \"id\" {\n  value = aws_vpc.this.id\n}\n\nresource \"aws_vpc\" \"this\" {\n  description = \"Made\"\n}\n",
			"[modules/vpc/variables > cidr]\nhcl| variable \"cidr\" {\n  |   description = \"The \\\"range\\\" of it\"\n  |   type        = string\n  | }\nThe \"range\" of it\n[modules/vpc/variables > id]\nhcl| output \"id\" {\n  |   value = aws_vpc.this.id\n  | }\n"},
		"what builds a project": {"build.sbt", "/** Root. */\nlazy val root = project\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			language := Language(tc.path, false)
			if want := syntax.Language(tc.path, nil); language != want && tc.want != "" {
				t.Fatalf("Language(%s) = %q, want %q", tc.path, language, want)
			}
			got := ""
			if language != "" {
				got = shown(Read(tc.path, language, []byte(tc.text), nil))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
