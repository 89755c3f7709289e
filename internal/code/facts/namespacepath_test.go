package facts_test

import "testing"

// TestPathOfNamespaces follows names of C# that are qualified as from inside of the namespaces around them. A variable of the
// first name is meant where there is one, and a path that nothing declares is nothing.
func TestPathOfNamespaces(t *testing.T) {
	tree := map[string]string{
		"filter.cs": "namespace App.Library.Utility {\n  public class Filter {\n    public static bool Matches(string s) { return true; }\n    public bool Run() { return true; }\n  }\n}\n",
		"purge.cs": "using System;\nusing Microsoft.Data.Sqlite;\nnamespace App.Library.Main.Database {\n  class Purge {\n" +
			"    void A() { Library.Utility.Filter.Matches(\"a\"); }\n" +
			"    void B() { App.Library.Utility.Filter.Matches(\"b\"); }\n" +
			"    void C() { var f = new Library.Utility.Filter(); f.Run(); }\n" +
			"    void D(Library.Utility.Filter f) { f.Run(); }\n" +
			"    void E(Other Library) { Library.Utility.Filter.Matches(\"e\"); }\n" +
			"    void F() { Library.Missing.Filter.Matches(\"f\"); }\n  }\n}\n",
	}
	for symbol, want := range map[string]string{
		"Filter.Matches": "purge.cs:10:39 call name-only\npurge.cs:5:39 call exact\npurge.cs:6:43 call exact\npurge.cs:9:52 call name-only",
		"Filter.Run":     "purge.cs:7:56 call exact\npurge.cs:8:42 call exact",
	} {
		t.Run(symbol, func(t *testing.T) {
			if got := uses(t, tree, symbol); got != want {
				t.Errorf("uses:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
