package ruby

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
)

var readers = []langtest.Reader{{Name: "ruby", Read: Read, Tail: "\nA\n"}}

func check(t *testing.T, src, letters string, want ...string) {
	t.Helper()
	langtest.Check(t, Read, src, letters, want...)
}

func TestMethods(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"# about f\ndef f(a, b = 1, *c, d:, **e, &g)\n  x if y\nend", []string{"D function f 1-4 (a, b = 1, *c, d:, **e, &g) +"}},
		{"class A\n  def a? = 1\n  def b!; end\n  def c=(v)\n  end\n  def self.d e, f\n  end\nend",
			[]string{"D class A 1-8 +", "D method a? 2-2 +", "D method b! 3-3 +", "D method c= 4-5 (v) +", "D method d 6-7 (e, f) + static"}},
		{"class A\n def ==(o) o end\n def []=(k, v) end\n def -@; end\n def <=>(o) = 1\n def `(s) end\n def %(x) end\n def /(x) end\nend",
			[]string{"D class A 1-9 +", "D method == 2-2 (o) +", "D method []= 3-3 (k, v) +", "D method -@ 4-4 +", "D method <=> 5-5 (o) +", "D method ` 6-6 (s) +", "D method % 7-7 (x) +", "D method / 8-8 (x) +"}},
		{"def class; end\ndef self.end() end\ndef A.f; end\ndef f\n ::X\nend", []string{"D function class 1-1 +", "D method end 2-2 + static", "D method A.f 3-3 + static", "D function f 4-6 +"}},
		{"class A\n def a; end\n private\n def b; end\n public def c; end\n def d; end\n public\n def initialize; end\n private def e; end\n private :a, :c\n def self.f; end\nend",
			[]string{"D class A 1-12 +", "D method a 2-2", "D method b 4-4", "D method c 5-5", "D method d 6-6", "D method initialize 8-8 + constructor", "D method e 9-9", "D method f 11-11 + static"}},
		{"class A\n class << self\n  def f; end\n  private\n  def g; end\n end\n def h; end\nend",
			[]string{"D class A 1-8 +", "D method f 3-3 + static", "D method g 5-5 static", "D method h 7-7 +"}},
		{"f = ->(a, b) { a }\ng = lambda do |x|\n x\nend\nH = proc { 1 }\n@i ||= -> do end\nj ->(x) { x }", []string{"D function f 1-1 (a, b) +", "D function g 2-4 +", "D function H 5-5 +", "D function @i 6-6 +"}},
		{"def f\n def g; end\nend", []string{"D function f 1-3 +", "D function g 2-2 + local"}},
		{"# @return [A]\ndef f\nend\n\n# b\nsig do\n  returns(B)\nend\nprivate def g\nend", []string{"D function f 1-3 -> A +", "D function g 5-10 -> B"}},
		{"memoize def f(x)\nend", []string{"D function f 1-2 (x) +"}},
	} {
		check(t, c.src, "D", c.want...)
	}
}

// Every end finds what it ends.
func TestBlocks(t *testing.T) {
	for _, body := range []string{
		"x = 1 if y", "if a then b else c end", "x = if a\n 1\nend", "while a do b end", "until a\nb\nend", "for a in b do c end", "b while a", "begin\n a\nend while b",
		"return unless a", "a.each do |x|\n b if x\nend", "while a.any? { |x| x } do b end", "while a &&\n b do c end", "case a\nwhen 1 then b\nwhen :if then c\nelse d end",
		"case a\nin {if: x, end:} if x then y\nin [A, *] unless z\n b\nend", "a.end; b.if; c.class; d&.begin", "x = { if: 1, end: 2, \"do\": 3, class: 4 }", "foo end: 1, if: 2",
		"a rescue b", "begin; a; rescue B, C => e; d; ensure; f; end", "loop do break if a end", "-> do a end", "a = b ? if c then d end : e", "foo(if a then b end)", "[:end, :if]",
		"x = %w[if def end]", "y = /if|(end)/ if z", "a / b; c /d", "x = \"#{if a then \"b end\" end}\"", "a << <<~X << <<-'Y'\n end #{if b then c end}\n X\n end\n  Y\nb", "x = ?e; y = a ?b : c",
		"=begin\nend end\n=end\na", "# end", "a[:x] do end", "super do |x| end", "a = *b, *c do end", "@a.b c do end", "x = y.z if w or not v", "puts [1, 2].map do |x|\n x\nend",
		"a \\\n  if b", "obj.def :x", "alias if end", "alias :a :b", "undef if, end", "not if a then b end", "x = a ||\n if b then c end", "$! if $~; $/ if $\"; $' if $`",
		"f.* if a", "x = %q(a (b) end)", "r = %r{a/b}i if c", "p(%(a), %[b])", "a %b; a % b", "`ls #{end_}`", "yield if block_given?", "a = {} if b", "x ? y : z", "x.nil?? 1 : 2",
		"class << self; end", "A = Struct.new(:a) do\n b\nend", "while true do end", "if a; end", "1..2 if a", "a.b = if c then d end", "puts(<<~A)\nend\nA", "a = <<\"B C\"\nend\nB C\n", "x = :\"end #{a}\"",
	} {
		check(t, "def f\n"+body+"\nend\ndef g; end", "D", fmt.Sprintf("D function f 1-%d +", strings.Count(body, "\n")+3), fmt.Sprintf("D function g %[1]d-%[1]d +", strings.Count(body, "\n")+4))
	}
}

func TestClasses(t *testing.T) {
	check(t, "# about\nmodule A\n  class B < C::D\n    include E, F::G\n    extend H\n    X = 1\n    class I::J; end\n  end\nend\nclass ::K < Struct.new(:a); end", "D",
		"D module A 1-9 +", "D class B 3-8 : C::D, E, F::G, H +", "D constant X 6-6 +", "D class A.B.I.J 7-7 +", "D class K 10-10 : Struct.new(:a) +")
	check(t, "A = Struct.new(:x) do\n def f; end\nend\nB = Class.new(C)\nD = Module.new { def g; end }\n$e = 1", "D",
		"D struct A 1-3 +", "D method f 2-2 +", "D class B 4-4 : C +", "D module D 5-5 +", "D method g 5-5 +", "D variable $e 6-6 +")
}

func TestImports(t *testing.T) {
	check(t, "require 'a/b'\nrequire_relative \"c\"\nautoload :D, 'd'\nrequire x\nrequire 'e' if f\nbegin\n  require('g')\nrescue LoadError\nend\nload 'h.rb'\nrequire \"a#{b}\"", "I",
		`I a/b`, `I c relative`, `I d {D}`, `I e conditional`, `I g conditional`, `I h.rb dynamic`)
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"f(1, 2)\nf 1, 2\nf\na.b\na&.b(1)\nA::b\nA::B\nA::B()", []string{"C f/2", "C f/2", "C a|b/0", "C a|b/1", "C A|b/0", "C A|B/0"}},
		{"A::B.new(1).c { |x| x.d }.e do |y| end.f", []string{"C new A.B|new/1", "C A.B.new()|c/0", "C x|d/0", "C A.B.new().c()|e/0", "C A.B.new().c().e()|f/0"}},
		{"a.b = c.d\na.b += 1\na.b == 1\nself.x, y.z = 1\na[0].b", []string{"C a|b=/1", "C c|d/0", "C a|b=/1", "C a|b/0", "C y|z=/1", "C a[]|b/0"}},
		{"puts x if y?\nraise A, \"b\" unless c d\nreturn e f", []string{"C puts/1", "C y?/0", "C raise/2", "C c/1", "C e/1"}},
		{"x = 1\nx -1\ny -1\nx [1]\ny [1]\ny *z\ny &z\ny :s\ny ::Z\ny !z\ny ->{}\ny { }\ny do end", []string{"C y/1", "C y/1", "C y/1", "C y/1", "C y/1", "C y/1", "C y/1", "C y/1", "C y/0", "C y/0"}},
		{"it foo do end\nlet(:a) { b }\nwhile c do end\nx = d do end", []string{"C it/1", "C let/1", "C d/0"}},
		{"super\nsuper(1)\nsuper a, b\nyield a(1)\nnot(b)\ndefined?(c)", []string{"C super/0", "C super/1", "C super/2", "C a/1"}},
		{"class A\n  def f(a) = super\n  def self.g; super(); super 1; end\n  def initialize(*) ; super; end\n  define_method(:h) { super() }\nend", []string{
			"C super|f/-1", "C super|g/0", "C super|g/1", "C super/-1", "C define_method/1", "C super/0"}},
		{"class A\n  def f\n    super.g(1)\n    x = super\n    super(2).h { super 3 }\n  end\nend", []string{
			"C super|f/-1", "C super()|g/1", "C super|f/-1", "C super|f/1", "C super()|h/0", "C super|f/1"}},
		{"case a\nin B(x:) | C[y] if d(1)\n e(2)\nin {z: F => g}\nend\nwhen_ 1", []string{"C d/1", "C e/1", "C when_/1"}},
		{"\"a#{b(\"c#{d(1)}\")} e(2)\" + 'f(3)' + `g #{h 4}` + %w[i(5)] + %(j #{k(6)}).to_s", []string{"C b/1", "C d/1", "C h/1", "C k/1", "C ?|to_s/0"}},
		{"f(<<~A, <<~'B', 1)\n  a() #{g(1)} b()\n  #{h 2}\nA\n c() #{d()}\nB\ni(3)\n__END__\nj(4)", []string{"C f/3", "C g/1", "C h/1", "C i/1"}},
		{"attr_accessor :a, :b\ndefine_method(:c) { d(1) }\nprivate :a\nlambda { |x| x }\nInteger(1)\nA \"b\"\nmap(&:a)\nmethod(:b).call", []string{
			"C attr_accessor/2", "C define_method/1", "C d/1", "C private/1", "C lambda/0", "C Integer/1", "C A/1", "C map/1", "C method/1", "C method()|call/0"}},
		{"a.class.if(1)\nself.class.b\n(c || d).e\n[1].f\n@g.h\n$i.j\n:k.l\n\"m\".n\na.(1)", []string{
			"C a|class/0", "C a.class()|if/1", "C self|class/0", "C self.class()|b/0", "C ?|e/0", "C ?|f/0", "C @g|h/0", "C $i|j/0", "C ?|l/0", "C ?|n/0"}},
		{"a\n  .b(1)\n  # c\n  .d\n  &.e f\nalias g h\nfoo bar: 1, baz: qux(2)\nx ? y(1) : z(2)\n->(a, b = c(1)) { d(2) }\n-> a { a }", []string{
			"C a|b/1", "C a.b()|d/0", "C a.b().d()|e/1", "C foo/2", "C qux/1", "C y/1", "C z/1", "C c/1", "C d/1"}},
	} {
		check(t, c.src, "C", c.want...)
	}
}

func TestBindings(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"def f(a, b = A.new, *c, d: e, &g)\n  @x = A.new(1)\n  y = b.c\n  @z ||= y\nend",
			[]string{"B a #1", "B b = A.new() #2", "B c #3", "B d = e #4", "B g #5", "B @x = A.new()", "B y = b.c()", "B @z = y", "B () = @z"}},
		{"def f\n return a.b(1) if c\n yield d\n e(2)\nend", []string{"B () = a.b()", "B [] = d", "B () = e()"}},
		{"# @param [A] a what\n# @param b [B<C>]\n# @return [D]\ndef f(a, b)\nend\nsig { params(x: E, y: T.nilable(F)).returns(G) }\nprivate def g(x, y:) = x", []string{"B a: A #1", "B b: B<C> #2", "B x: E #1", "B y: T.nilable(F) #2", "B () = x"}},
		{"a, b = c\nfor d in e.f do end\nbegin\nrescue G, H => i\nend\nx.each { |j, k| }", []string{"B a", "B b", "B d = e.f()[]", "B i: G, H", "B j", "B k"}},
		{"class A\n attr_reader :b, :c\n alias d b\n self.e = F::G.h 1\n X = Y.new\nend", []string{"B b = @b", "B c = @c", "B d = b", "B self.e = F.G.h()", "B X = Y.new()"}},
		{"a = b || c\nd = e && f\ng = h if i\nj = k + l\nm = (n)\no = p.q do |r| end", []string{"B a = b", "B d", "B g = h", "B j", "B m = n", "B o = p.q()", "B r"}},
	} {
		check(t, c.src, "B", c.want...)
	}
}

// What is broken costs what is broken, and no more.
func TestBroken(t *testing.T) {
	check(t, "class A\n  def f\n    if x\n      g(1,\n  end\n\n  def h\n    i.j\n  end\nend\n\nclass B\nend", "DC",
		"D class A 1-10 +", "D method f 2-5 +", "D method h 7-9 +", "D class B 12-13 +", "C g/-1", "C i|j/0")
	check(t, "def f\n<<<<<<< HEAD\n  a(1)\n=======\n  b(2)\n>>>>>>> x\nend\ndef g; end", "DC", "D function f 1-7 +", "D function g 8-8 +", "C a/1", "C b/1")
	check(t, "end\nend\ndef f\nend", "D", "D function f 3-4 +")
	check(t, "def\nclass\nx = <<A\nf(1)", "C", "C f/1")
}

var sample = strings.Repeat(`# frozen_string_literal: true
require "app/base"

module App
  # Handles what comes.
  class Handler < Base
    include Logging
    attr_reader :store, :name

    LIMIT = 10

    def initialize(store, name: nil, **options, &block)
      @store = store
      @name = name || options.fetch(:name) { "none" }
      @items = store.items.map { |item| Item.new(item) }
    end

    # Finds one.
    def find(id)
      return unless id
      @items.each do |item|
        next if item.done? && !item.id.nil?
        log "looking at #{item.name}", level: :debug
        return item if item.id == id || item.name =~ /^#{id}$/i
      end
      raise NotFound, <<~TEXT
        There is no #{id} in #{store.name}.
      TEXT
    end

    private

    def count = @items.size
  end
end
`, 100)

func BenchmarkRead(b *testing.B) { langtest.Benchmark(b, Read, sample) }

// Twice the text takes about twice the time, whatever is nested or left open.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers, 20000, "f(", "f {", "def f\n", "a.b(", "x = [", "if x\n", "a do |x| ", "-> a, ", "<<~A\n#{", "<<A\n", "\"#{", "%w[", "class A\n", "(((", "a b, ", "a.b c, d do ", "x = y = ", "a, b.c, ", "in [", "f a b c ", "case x\nin {", "def f = ", "a.b { |x| ", "alias ", "%(#{", "?a ", ":a ", "|x, ", "begin; ", "end ", "} ", "a[", "x ||= -> ")
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	f.Add(sample[:900])
	for _, s := range []string{"\"#{", "<<~A\n#{x}\nA", "<<A\n", "def f(", "class A::B < C", "def a.b=(", "x = lambda {", "a, b.c = ", "in {a: [", "%w[", "alias a", "A = Struct.new do", "->(a, b", "def [](", "private :a", "f <<A, <<'B'\nA\nB", "?\\", "$-", "=begin", "__END__", ":\"", "|a|", "def (a).b"} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}
