package corpus

import "testing"

func TestNames(t *testing.T) {
	if got := (Decl{Name: "f"}).Qualified() + " " + (Decl{Name: "f", Scope: "A.b"}).Qualified(); got != "f A.b.f" {
		t.Error(got)
	}
	if got := (Name{"a", ""}).Local() + " " + (Name{"a", "b"}).Local(); got != "a b" {
		t.Error(got)
	}
	if got := NoKind.String() + " " + Function.String() + " " + TestCase.String() + " " + Section.String() + " " + Kind(99).String(); got != " function test section " {
		t.Error(got)
	}
	if n := (Span{Start: 2, End: 5}).Len(); n != 3 {
		t.Error(n)
	}
}

// An answer says what it lacks, and what to do about it.
func TestLack(t *testing.T) {
	for _, c := range []struct {
		x    Extent
		want string
	}{
		{Extent{Complete: true}, ""},
		{Extent{Complete: true, Indexing: &Indexing{Done: 1, Total: 2}}, ""},
		{Extent{}, "still indexing: a part of the index is being rebuilt; ask again"},
		{Extent{Indexing: &Indexing{Done: 7, Total: 7}}, "still indexing: a part of the index is being rebuilt; ask again"},
		{Extent{Indexing: &Indexing{Done: 0, Total: 12}}, "still indexing: 0 of 12 files read; ask again"},
		{Extent{Indexing: &Indexing{Done: 999, Total: 1234567}}, "still indexing: 999 of 1,234,567 files read; ask again"},
		{Extent{Indexing: &Indexing{Done: 1000, Total: 1000}, Frozen: true},
			"not refreshed: the index has 1,000 of 1,000 files as they are now; ask without --no-refresh"},
	} {
		if got := c.x.Lack(); got != c.want {
			t.Errorf("%+v lacks %q, want %q", c.x, got, c.want)
		}
	}
}

func TestNotCovered(t *testing.T) {
	var c NotCovered
	if c.Add("binary", 0); c.String() != "" || c.Files != 0 || c.Reasons != nil {
		t.Errorf("%+v", c)
	}
	c.Add("binary", 2)
	c.Add("oversize", 1)
	c.Add("binary", 1)
	c.AddLanguage("perl")
	before := c.Clone()
	c.AddLanguage("perl")
	c.AddLanguage("")
	c.Add("minified", 2)
	if got, want := c.String(), "binary 3, minified 2, perl 2, of no known language 1, too large 1"; got != want || c.Files != 9 || c.Reasons[UnreadLanguage] != 3 {
		t.Errorf("%q of %+v, want %q", got, c, want)
	}
	if got, want := before.String(), "binary 3, perl 1, too large 1"; got != want || before.Files != 5 {
		t.Errorf("the copy from before is %q, want %q", got, want)
	}
}

// TestIsTest holds that a declaration is a test where it says so, and not where it says that it is none.
func TestIsTest(t *testing.T) {
	for mark, want := range map[string]bool{
		"test": true, "cfg(test)": true, "cfg(all(test, unix))": true, "tokio::test": true, `tokio::test(flavor = "multi_thread")`: true,
		"cfg(not(test))": false, `cfg(feature = "test")`: false, `cfg(any(test, feature = "mock"))`: false, "cfg(all(unix, not(test)))": false,
		"tests": false, "contest": false, "test_case_of": false, "inline": false, "": false,
	} {
		t.Run(mark, func(t *testing.T) {
			if got := (Decl{Kind: Function, Marks: []string{mark}}).IsTest(); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	decls := []Decl{{Kind: Module, Marks: []string{"cfg(test)"}, Parent: -1}, {Kind: Function, Parent: 0}, {Kind: Function, Parent: -1}, {Kind: TestCase, Parent: -1}}
	for i, want := range []bool{true, true, false, true} {
		if got := InTest(decls, int32(i)); got != want {
			t.Errorf("declaration %d is in a test: %v, want %v", i, got, want)
		}
	}
	if InTest(decls, -1) {
		t.Error("a top level is in a test")
	}
}
