package facts_test

import (
	"strconv"
	"strings"
	"testing"
)

// numbered repeats a piece of a program eighty times, each with its number.
func numbered(piece string) string {
	var b strings.Builder
	for i := range 80 {
		b.WriteString(strings.ReplaceAll(piece, "%d", strconv.Itoa(i)))
	}
	return b.String()
}

// TestParts asks calls of members of types that are written in parts: reopened, extended and beside an object of their name.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		name string
		tree map[string]string
		want string
	}{
		{"a module that a class of Ruby includes is known in the class, in whichever of its parts", map[string]string{
			"a.rb": "module A\n  class M\n    module Parts\n      def open_it(x); end\n    end\n  end\nend\n",
			"b.rb": "module A\n  class M\n    include Parts\n  end\nend\n",
			"c.rb": "module A\n  class M\n    def other\n      open_it(3)\n    end\n  end\nend\n",
			"d.rb": "module B\n  class M\n    def other; end\n  end\nend\n",
			"t.rb": "# @param a [A::M]\n# @param b [B::M]\ndef go(a, b)\n  a.open_it(1)\n  b.open_it(2)\n  a.other\nend\n",
		}, "c.rb:A.M.other → a.rb:A.M.Parts.open_it exact\nt.rb:go → a.rb:A.M.Parts.open_it exact\nt.rb:go → c.rb:A.M.other exact"},
		{"a module of the same name outside of the class comes first, as for the class before it is open", map[string]string{
			"a.rb": "module Parts\n  def close_it; end\nend\nclass M\n  include Parts\n  module Parts\n    def open_it; end\n  end\nend\n",
			"t.rb": "def go\n  M.new.close_it\nend\n",
		}, "t.rb:go → a.rb:M exact\nt.rb:go → a.rb:Parts.close_it exact"},
		{"a variable of one module of Ruby hides no method of another", map[string]string{
			"a.rb": "module V\n  def set(x)\n    @start_it = x\n  end\nend\nmodule W\n  def start_it; end\nend\nclass M\n  include W\n  include V\nend\nclass N\n  include V\nend\n",
			"t.rb": "def go\n  M.new.start_it\nend\ndef no\n  N.new.start_it\nend\n",
		}, "t.rb:go → a.rb:M exact\nt.rb:go → a.rb:W.start_it exact\nt.rb:no → a.rb:N exact"},
		{"the members that are imported of an object of Scala are not those of its class", map[string]string{
			"a.scala": "package p\n\nclass L {\n  def both(a: Int): Int = 1\n  def one(a: Int): Int = 1\n}\n\nobject L {\n  def both(a: Int): Int = 1\n}\n",
			"b.scala": "package q\n\nimport p.L._\n\nclass B {\n  def go = both(1)\n  def no = one(2)\n}\n",
		}, "b.scala:B.go → a.scala:L.both exact"},
		{"a closure of Swift that may throw has the parameters of one that may not", map[string]string{
			"a.swift": "struct H { func stay() {} }\nstruct I { func stay() {} }\n" +
				"struct N {\n  func read<R>(_ body: (H) throws -> R) rethrows -> R { fatalError() }\n  func plain(_ body: (I) -> Int) {}\n}\n" +
				"func go(n: N) { n.read { h in h.stay() } }\nfunc no(n: N) { n.plain { $0.stay() } }\n",
		}, "a.swift:go → a.swift:H.stay exact\na.swift:go → a.swift:N.read exact\na.swift:no → a.swift:I.stay exact\na.swift:no → a.swift:N.plain exact"},
		{"an extension of Swift sees the type that it is of, and no other of its last name", map[string]string{
			"a.swift": "struct Rope {}\nextension Rope {\n  struct H { func c() {}\n  func own() {} }\n}\n",
			"b.swift": "struct Deque {\n  struct H { func c() {} }\n}\nextension Deque.H { func e() {} }\nextension Rope.H { func e() {} }\n",
			"c.swift": "extension Rope.H { func d() { c(); self.own() } }\nextension Deque.H { func f() { own() } }\nfunc go(h: Deque.H) { h.e() }\n",
		}, "c.swift:Rope.H.d → a.swift:Rope.H.c exact\nc.swift:Rope.H.d → a.swift:Rope.H.own exact\nc.swift:go → b.swift:Deque.H.e exact"},
		{"a table of Lua has the members of the module that is its __index, and what is put into a table is a member of it", map[string]string{
			"saves.lua": "local S = {}\nfunction S:save() end\nreturn S\n",
			"other.lua": "local S = {}\nfunction S:save() end\nfunction S:keep() end\nreturn S\n",
			"all.lua":   "local saves = require('saves')\nlocal P = {}\nlocal Q = {}\nP.keep_it = saves.save\nQ.lose_it = saves.save\nreturn P\n",
			"page.lua":  "local Saves = require('saves')\nlocal Page = setmetatable({}, { __index = Saves })\nfunction Page:close() self:save() end\nfunction Page:no() self:keep() end\n",
			"use.lua":   "local p = require('all')\nlocal function go() p.keep_it() end\nlocal function no() p.lose_it() end\n",
		}, "page.lua:Page.close → saves.lua:S.save exact\nuse.lua:go → saves.lua:S.save exact"},
		{"super of Ruby calls the method around it of a base, and the constructor from a constructor alone", map[string]string{
			"a.rb": "class Base\n  def initialize(n); end\n  def put(k); end\n  def self.load(k); end\nend\nclass Ball\n  def put(k); end\nend\n",
			"b.rb": "class Disk < Base\n  def initialize(n)\n    super\n  end\n  def put(k)\n    super\n  end\n  def self.load(k)\n    super(k)\n  end\n  def other\n    super\n  end\nend\n",
		}, "b.rb:Disk.initialize → a.rb:Base.initialize exact\nb.rb:Disk.load → a.rb:Base.load exact\nb.rb:Disk.put → a.rb:Base.put exact"},
		{"super of Ruby calls no method of the other kind, none of a module that is included for its class, and itself never", map[string]string{
			"a.rb": "module M\n  def self.load(k); end\n  def put(k); super; end\nend\nclass Base\n  def load(k); end\n  def put(k); end\n  def items; end\n  def merge(k); end\nend\nclass Ball\n  def merge(k); end\nend\n",
			"b.rb": "class Disk < Base\n  include M\n  def self.load(k)\n    super\n  end\n  def put(k)\n    super\n  end\n  def items\n    super.merge(1)\n  end\nend\n",
			"c.rb": "class Far < Base\n  include Rails::X\n  def put(k)\n    super\n  end\nend\n",
		}, "a.rb:M.put → a.rb:Base.put name-only\na.rb:M.put → b.rb:Disk.put name-only\na.rb:M.put → c.rb:Far.put name-only\nb.rb:Disk.items → a.rb:Ball.merge name-only\nb.rb:Disk.items → a.rb:Base.items exact\nb.rb:Disk.items → a.rb:Base.merge name-only\nb.rb:Disk.put → a.rb:M.put exact\nc.rb:Far.put → a.rb:Base.put likely"},
		{"two parts of a class of C# mean two types by one word", map[string]string{
			"a.cs": "namespace X { public interface IRun { void Go(); } }\n", "b.cs": "namespace Y { public interface IRun { void Stop(); } }\n",
			"c.cs": "using X;\nnamespace N { public partial class A : IRun { void T() {} } }\n", "d.cs": "using X;\nnamespace N { public partial class A : IRun { } }\n",
			"e.cs": "using Y;\nnamespace N { public partial class A : IRun { } }\n",
			"u.cs": "namespace N { class U { void G(A a) { a.Go(); a.Stop(); } } }\n",
		}, "u.cs:N.U.G → a.cs:X.IRun.Go exact\nu.cs:N.U.G → b.cs:Y.IRun.Stop exact"},
		{"a table of Lua that is filled in two ways, or made anew, has no sure member", map[string]string{
			"s.lua":   "local S = {}\nfunction S.a() end\nfunction S.b() end\nreturn S\n",
			"m.lua":   "local s = require('s')\nlocal P = {}\nif x then P.k_it = s.a else P.k_it = s.b end\nreturn P\n",
			"n.lua":   "local s = require('s')\nlocal P = {}\nP.l_it = s.a\nP = {}\nreturn P\n",
			"use.lua": "local p = require('m')\nlocal q = require('n')\nlocal function go() p.k_it() end\nlocal function no() q.l_it() end\n",
		}, "use.lua:go → s.lua:S.a name-only\nuse.lua:go → s.lua:S.b name-only"},
		{"a base that eighty parts of a class of Ruby repeat hides none that a later part names", map[string]string{
			"a.rb": "class B; end\nmodule C\n  def late_it; end\nend\n",
			"b.rb": strings.Repeat("class A < B\nend\n", 80) + "class A\n  include C\nend\n",
			"t.rb": "# @param a [A]\ndef go(a)\n  a.late_it\nend\n",
		}, "t.rb:go → a.rb:C.late_it exact"},
		{"eighty different bases are not all read, and none of the rest is guessed", map[string]string{
			"a.rb": numbered("module C%d\nend\n") + "module D\n  def last_it; end\nend\n",
			"b.rb": numbered("class A\n  include C%d\nend\n") + "class A\n  include D\nend\n",
			"t.rb": "# @param a [A]\ndef go(a)\n  a.last_it\nend\n",
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := edges(project(c.tree)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// Parts that name more bases than are read leave a base unknown: what a class inherits is not complete then.
func TestPartsWithManyBases(t *testing.T) {
	many := numbered("module C%d\nend\nclass A\n  include C%d\nend\n")
	for name, c := range map[string]struct {
		tree        string
		in, outside int
	}{
		"many":            {many, 65, 1},
		"one, many times": {"module C\nend\n" + strings.Repeat("class A\n  include C\nend\n", 80), 1, 0},
	} {
		p := project(map[string]string{"a.rb": c.tree})
		if got, outside := p.Above(p.Targets("A")[0].Ref); len(got) != c.in || outside != c.outside {
			t.Errorf("%s: %d bases and %d unknown, want %d and %d", name, len(got), outside, c.in, c.outside)
		}
	}
}
