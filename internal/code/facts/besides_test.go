package facts_test

import (
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/code/facts"
)

// TestMembersBesides calls members that are written beside their class, in its namespace and its
// file, and members of an object of Scala that a trait has the name of.
func TestMembersBesides(t *testing.T) {
	cpp := map[string]string{
		"merge.cc": "namespace db {\nnamespace {\nclass Merging {\n public:\n  void Next() { FindSmallest(); }\n\n private:\n  void FindSmallest();\n};\n\n" +
			"void Merging::FindSmallest() { Deep(); }\n\nvoid Other::FindSmallest() {}\n}  // namespace\nvoid Use(Merging* m) { m->FindSmallest(); }\n}  // namespace db\n",
	}
	scala := map[string]string{
		"A.scala": "package a\ntrait QS[A] {\n  def many(m: Int): Int = { QS.check(m); 1 }\n}\nobject QS {\n  private def check(m: Int): Unit = ()\n}\n" +
			"trait DS[A] extends QS[A] {\n  def go(m: Int): Int = { DS.check(m); 2 }\n}\nobject DS {\n  private def check(m: Int): Unit = ()\n}\n" +
			"trait Out[A] {\n  def put(): Int = 1\n  def in() = new Any { def f() = Out.this.put() }\n}\nobject Out\n",
	}
	for _, c := range []struct {
		tree         map[string]string
		symbol, want string
	}{
		{cpp, "merge.cc:db.Merging.FindSmallest", "merge.cc:15:27 call exact\nmerge.cc:5:17 call exact"},
		{scala, "QS.check", "A.scala:3:32 call exact"},
		{scala, "DS.check", "A.scala:9:30 call exact"},
		{scala, "Out.put", "A.scala:16:43 call exact"},
	} {
		if got := uses(t, c.tree, c.symbol); got != c.want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", c.symbol, got, c.want)
		}
	}
}

// TestUsesBesides finds the uses of what C++ announces in one file and writes in another: fields that a
// member sees which is written beside its class, a class by its name in what extends it, behind
// another name of its namespace and behind ::, what an assignment gives a value to.
func TestUsesBesides(t *testing.T) {
	tree := map[string]string{
		"a.h":  "namespace n {\nextern int limit;\nint Count(int x);\nclass Base {\n public:\n  Base();\n  int Get() const;\n private:\n  int held_;\n};\n}\n",
		"a.cc": "#include \"a.h\"\nnamespace n {\nint limit = 3;\nint Count(int x) { return x; }\nBase::Base() : held_(1) {}\nint Base::Get() const {\n  held_ = 2;\n  return held_;\n}\n}\n",
		"b.cc": "#include \"a.h\"\nnamespace m = n;\nclass Own : public n::Base {};\nint f() {\n  m::Base one;\n  ::n::Base two;\n  n::limit = 4;\n  return ::n::Count(m::limit);\n}\n",
	}
	for _, c := range []struct{ symbol, want string }{
		{"a.h:held_", "a.cc:5:16 call exact\na.cc:7:3 write exact\na.cc:8:10 read exact"},
		{"a.h:Count", "b.cc:8:15 call exact"},
		{"a.h:limit", "b.cc:7:6 write exact\nb.cc:8:24 read exact"},
		{"a.h:Base", "a.cc:5:1 type exact\na.cc:6:5 type exact\nb.cc:3:23 implement exact\nb.cc:5:6 type exact\nb.cc:6:8 type exact"},
	} {
		if got := uses(t, tree, c.symbol); got != c.want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", c.symbol, got, c.want)
		}
	}
}

// TestWordsOfOwn holds that only a language's own words mean the object or what its class extends.
func TestWordsOfOwn(t *testing.T) {
	for _, c := range []struct {
		tree         map[string]string
		symbol, want string
	}{
		{map[string]string{"A.java": "class Node { void add() {} }\nclass Tree extends Node {\n  void go(Other parent, Other base) { parent.add(); base.add(); super.add(); }\n}\nclass Other { void add() {} }\n"},
			"Other.add", "A.java:3:46 call exact\nA.java:3:58 call exact"},
		{map[string]string{"a.cc": "namespace n {\nclass Node { public: void Add(); };\nclass Impl { void Go(Node* base); void Add(); };\nvoid Impl::Go(Node* base) { base->Add(); this->Add(); }\n}\n"},
			"Node.Add", "a.cc:4:35 call exact"},
		{map[string]string{"a.js": "class Base { add() {} }\nclass Own extends Base { add() {} go() { const parent = new Base(); parent.add(); } }\n"},
			"Base.add", "a.js:2:76 call exact"},
	} {
		if got := uses(t, c.tree, c.symbol); got != c.want {
			t.Errorf("uses of %s:\n%s\nwant:\n%s", c.symbol, got, c.want)
		}
	}
}

// TestDefinitionsBesides holds that a call leads to the function itself, not to what announces it.
func TestDefinitionsBesides(t *testing.T) {
	p := project(map[string]string{
		"merge.cc": "namespace db {\nclass Merging {\n  void Next() { Find(); }\n  void Find();\n  void Away();\n};\nvoid Merging::Find() { Away(); }\n}\n",
	})
	var got []bool
	p.Edges(0, func(_ *corpus.Call, _ facts.Ref, to []facts.Edge, _ bool) {
		for _, e := range to {
			got = append(got, p.Decl(e.To).Traits&corpus.Abstract == 0)
		}
	})
	if len(got) != 2 || !got[0] || got[1] { // Away is announced only
		t.Errorf("calls of Find, Away lead to functions with a body: %v", got)
	}
}
