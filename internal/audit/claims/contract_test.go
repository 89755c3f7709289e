package claims

import "testing"

// What a language or a base fixes by name, and what is kept for tests or copied in, is no
// orphan; beside it what is the type's own stays one.
func TestContract(t *testing.T) {
	files := map[string]string{
		"README.md":                  "# x\n\nNothing but `Zebra`.\n",
		"src/site/markdown/guide.md": "It is `SiteTold` that does it.\n",
		"java/A.java":                "package a;\npublic class OwnJava implements Callable {\n  public Object call() { return 1; }\n  public void ownCall() {}\n  public int hashCode() { return 1; }\n}\n",
		"java/S.java":                "package a;\npublic class SiteTold {}\n",
		"java/D.java":                "package a;\n\n/** Says it across an empty line. */\n\npublic class AcrossBlank {}\n",
		"java/base/Base.java":        "package a;\npublic class Base {\n  /** Opens the gate of it. */\n  public void openGate() {}\n}\n",
		"java/base/Heir.java":        "package a;\n/** An heir of the base. */\npublic class Heir extends Base {\n  public void openGate() {}\n  public void ownGate() {}\n}\n",
		"x-test-support/src/T.java":  "package a;\npublic class ForTests {}\n",
		"java/third_party/V.java":    "package a;\npublic class TakenIn {}\n",
		"cs/B.cs":                    "namespace N;\n/// <summary>Says what it is for.</summary>\n#pragma warning disable CA1\npublic class BehindPragma {\n  public static bool operator ==(int a, int b) => true;\n  /// <inheritdoc/>\n  public void InheritDoc() {}\n}\n",
		"kt/c.kt":                    "package k\n\nactual class ActualOne\n\n@InternalThingApi\nfun markedInternal() {}\n\nfun ownKotlin() {}\n",
		"php/a.php":                  "<?php\n$loose = 1;\nclass OwnPhp {\n    /**\n     * @inheritDoc\n     */\n    public function inheritedPhp() {}\n    public function __toString() { return ''; }\n}\n",
		"rs/Cargo.toml":              "[package]\nname = \"x\"\n",
		"rs/src/lib.rs":              "pub mod opened {\n    pub struct InOpened;\n}\npub struct Whole;\nimpl<T> Iterator for Whole\nwhere\n    T: Copy,\n{\n    type Item = T;\n    fn next_of_trait(&self) {}\n}\n",
		"rb/lib/a.rb":                "module Rb\n  # @api private\n  class KeptRb\n    def one\n    end\n  end\n\n  class OwnRb\n    def inspect\n    end\n\n    def [](key)\n    end\n\n    class Guest < Other::Guest\n    end\n  end\nend\n",
		"rb/lib/b.rb":                "module Rb\n  class KeptRb\n    class Below < KeptRb\n    end\n  end\nend\n",
		"rb/features/support/env.rb": "class OfFeatures\nend\n",
		"py/pkg/__init__.py":         "T_item = TypeVar('T_item')\nCTRL_TAB = 9  # Moves to the next stop\nCTRL_OTHER = 3\n",
		"go/go.mod":                  "module x\n",
		"go/x.go":                    "package x\n\ntype OwnGo struct{}\n\nfunc (OwnGo) Unwrap() error { return nil }\n",
		"sql/a.sql":                  "CREATE TABLE of_table (a int);\n",
		"tool.py":                    "of_script = 1\n",
		"py/pkg/branch.py":           "try:\n    import x\nexcept ImportError:\n    in_branch = None\nOWN_PY = 1\n",
		"cs/I.cs":                    "namespace N.Internal;\npublic class OfInternal {\n}\n",
		"cs/N.Tests.Unit/T.cs":       "namespace N;\npublic class OfTests {\n}\n",
		"java/I.java":                "package a;\n/** Says what it locks. */\npublic interface ToldInterface {\n  void lockIt();\n}\n",
		"rs/src/multi.rs":            "pub struct Multi;\nimpl<T>\n    Display\n    for Multi\nwhere\n    T: Copy,\n{\n    fn of_multi(&self) {}\n}\n",
		"js/package.json":            `{"name": "x", "main": "index.js"}`,
		"js/index.js":                "var helper = require('./helper');\nclass OwnJs {}\nclass BuiltJs {\n  /** Takes what it is made of. */\n  constructor(a) {}\n}\nexports.BuiltJs = BuiltJs;\nexports.helper = helper;\nexports.OwnJs = OwnJs;\n",
	}
	all, err := New(write(t, files), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Shade{}
	for _, s := range all {
		got[s.Name] = bare(&s)
		if s.Name == "Heir" && s.Members != 1 {
			t.Errorf("Heir has %d members of its own, want 1: the other is of its base", s.Members)
		}
	}
	for _, name := range []string{"OwnJava", "ownKotlin", "OwnPhp", "InOpened", "Whole", "OwnRb", "CTRL_OTHER", "OwnJs", "OwnGo", "OWN_PY"} {
		if got[name] != Orphaned {
			t.Errorf("%s is %q, want %s", name, got[name], Orphaned)
		}
	}
	for _, name := range []string{"AcrossBlank", "BehindPragma", "Heir", "BuiltJs"} {
		if got[name] != Partial {
			t.Errorf("%s is %q, want %s: a comment documents it", name, got[name], Partial)
		}
	}
	if got["SiteTold"] != Documented {
		t.Errorf("SiteTold is %q, want %s", got["SiteTold"], Documented)
	}
	for name, shade := range got {
		switch name {
		case "call", "hashCode", "ForTests", "TakenIn", "operator ==", "InheritDoc", "ActualOne", "markedInternal", "loose", "inheritedPhp", "__toString", "Item", "next_of_trait",
			"KeptRb", "one", "Below", "inspect", "[]", "Guest", "OfFeatures", "T_item", "helper",
			"Unwrap", "of_table", "of_script", "in_branch", "OfInternal", "OfTests", "of_multi":
			t.Errorf("%s is %q, but is no declaration of its own", name, shade)
		}
	}
}

// A name that only begins as one that a language fixes is a type's own.
func TestIsContract(t *testing.T) {
	tests := []struct {
		language, name string
		want           bool
	}{
		{"csharp", "operator ==", true}, {"csharp", "operator==", true}, {"csharp", "operatorName", false},
		{"kotlin", "component12", true}, {"kotlin", "componentName", false}, {"kotlin", "component", false},
		{"scala", "productArity", true}, {"scala", "product", false}, {"scala", "productName", false},
		{"php", "__invoke", true}, {"php", "__", false}, {"php", "invoke", false},
		{"ruby", "eql?", true}, {"ruby", "<=>", true}, {"ruby", "equal", false},
		{"python", "suite", false},
	}
	for _, tt := range tests {
		t.Run(tt.language+" "+tt.name, func(t *testing.T) {
			if got := isContract(&Declaration{Language: tt.language, Name: tt.name, Scope: "Of"}); got != tt.want {
				t.Errorf("isContract = %v, want %v", got, tt.want)
			}
		})
	}
}
