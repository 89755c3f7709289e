package claims

import "testing"

// bare is the shade of a declaration as if a manifest published what others can use.
func bare(s *Shadow) Shade {
	if s.Doubt != "" {
		return Orphaned
	}
	return s.Shade
}

// An orphan is sure where a manifest publishes its folder and nothing beside it may describe it.
func TestDoubt(t *testing.T) {
	files := map[string]string{
		"README.md":                      "# x\n\nNothing.\n",
		"go/go.mod":                      "module x\n",
		"go/x.go":                        "package x\n\nfunc SureGo() {}\n\nfunc BehindGo() {} // so\n",
		"go/tooling/y.go":                "package tooling\n\nfunc SampleGo() {}\n",
		"loose/x.go":                     "package x\n\nfunc LooseGo() {}\n",
		"rs/Cargo.toml":                  "[package]\nname = \"x\"\n",
		"rs/src/lib.rs":                  "#[derive(Debug)]\npub struct RareRs;\n",
		"kept/Cargo.toml":                "[package]\nname = \"k\"\npublish = false\n",
		"kept/src/lib.rs":                "pub struct KeptRs;\n",
		"rb/x.gemspec":                   "Gem::Specification.new\n",
		"rb/lib/surerb.rb":               "class SureRb\nend\n",
		"rb/extra/y.rb":                  "class ExtraRb\nend\n",
		"php/composer.json":              `{"name": "a/x", "autoload": {"psr-4": {"X\\": "src/"}}}`,
		"php/src/A.php":                  "<?php\n\nclass SurePhp\n{\n    /**\n     * @return string\n     */\n    public function typedPhp() {}\n}\n",
		"j/pom.xml":                      "<project/>\n",
		"j/src/main/java/a/A.java":       "package a;\n\npublic class SureJava {}\n",
		"j/src/main/java/a/B.java":       "package a;\n\npublic class HeirJava extends Other {\n  public void ofHeir() {}\n}\n",
		"j/gen/B.java":                   "package a;\n\npublic class GenJava {}\n",
		"k/build.gradle.kts":             "plugins {}\n",
		"k/src/commonMain/kotlin/a/A.kt": "package a\n\nclass SureKt\n",
		"sc/build.sbt":                   "name := \"x\"\n",
		"sc/src/main/scala/a/A.scala":    "package a\n\nclass SureScala\n",
		"cs/X/X.csproj":                  "<Project/>\n",
		"cs/X/A.cs":                      "namespace X;\n\npublic class SureCs {}\n",
		"cs/Y/Y.csproj":                  "<Project><PropertyGroup><IsPackable>false</IsPackable></PropertyGroup></Project>\n",
		"cs/Y/A.cs":                      "namespace Y;\n\npublic class KeptCs {}\n",
		"py/pyproject.toml":              "[project]\nname = \"mail-box\"\n",
		"py/src/mailbox/__init__.py":     "sure_variable = 1\n\ndef sure_py():\n    return 1\n",
		"py/src/other/__init__.py":       "def other_py():\n    return 1\n",
		"ts/package.json":                `{"name": "x", "main": "index.ts"}`,
		"ts/index.ts":                    "export class RareTs {}\n",
		"tsp/package.json":               `{"name": "y", "private": true, "main": "index.ts"}`,
		"tsp/index.ts":                   "export class KeptTs {}\n",
		"ex/mix.exs":                     "defmodule X.MixProject do\nend\n",
		"ex/lib/a.ex":                    "defmodule A do\n  @moduledoc \"Tells all of it.\"\n\n  def unsure_ex(x), do: x\nend\n",
		"php/src/Plain.php":              "<?php\n\nclass PlainPhp\n{\n}\n",
	}
	all, err := New(write(t, files), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*Shadow{}
	for i := range all {
		got[all[i].Name] = &all[i]
	}
	for _, name := range []string{"SureGo", "SureRb", "SurePhp", "PlainPhp", "SureJava", "HeirJava", "SureKt", "SureScala", "SureCs", "sure_py"} {
		if s := got[name]; s == nil || s.Shade != Orphaned || s.Risk != "HIGH" {
			t.Errorf("%s is %+v, want it orphaned", name, s)
		}
	}
	for _, name := range []string{"BehindGo", "SampleGo", "LooseGo", "KeptRs", "ExtraRb", "GenJava", "KeptCs", "sure_variable", "other_py", "KeptTs", "unsure_ex", "RareRs", "RareTs"} {
		if s := got[name]; s == nil || s.Shade != Partial || s.Doubt == "" || s.Risk != "LOW" {
			t.Errorf("%s is %+v, want it partial, with a doubt", name, s)
		}
	}
}

// What a blind reader found to be no orphan on forty projects that nobody had looked at.
func TestDoubtRead(t *testing.T) {
	files := map[string]string{
		"README.md":                      "# x\n\n`file.rewind?` tells it, and `Shuffle#shuffle_all!` does it. Here are `Tape`, `Stored`, `Heir`, `Proto`, `Proto2` and `all`.\n",
		"rb/x.gemspec":                   "Gem::Specification.new\n",
		"rb/lib/tape.rb":                 "# Tells of it.\nclass Tape\n  def rewind?\n  end\n\n  def shuffle_all!\n  end\n\n  def forget_all!\n  end\nend\n",
		"ts/package.json":                `{"name": "x", "main": "index.ts"}`,
		"ts/index.ts":                    "export * from \"./types\";\n",
		"ts/types.d.ts":                  "export interface Copied {}\n",
		"settings.gradle.kts":            "pluginManagement {\n    includeBuild(\"rules\")\n}\n",
		"rules/build.gradle.kts":         "plugins {}\n",
		"rules/src/main/kotlin/A.kt":     "class OfTheBuild\n",
		"k/build.gradle.kts":             "plugins {}\n",
		"k/src/commonMain/kotlin/a/A.kt": "package a\n\n/** Tells of it. */\nexpect abstract class Stored {\n    fun ofPlatform(key: String)\n}\n\n/** Gives [so][Linked.Valid]. */\nfun told() {}\n\nclass Linked\n",
		"sc/build.sbt":                   "name := \"x\"\n",
		"sc/src/main/scala/a/A.scala":    "package a\n\n/** Provides [[Writer]] instances. */\npackage object all {\n  implicit val intWriter: W[Int] =\n    w\n\n  // readers\n  implicit val oneRead: R[Int] =\n    r\n\n  implicit val twoRead: R[Long] =\n    r\n}\n",
		"sc/src/main/scala/a/B.scala":    "package a\n\n/** Tells of it. */\nclass Heir[F[_]](\n  val a: Int,\n  val b: Int,\n  val c: Int = 1\n)(implicit val f: Int)\n  extends Far {\n\n  def createSession: Int = 1\n}\n",
		"go/go.mod":                      "module x\n",
		"go/x.go":                        "package x\n\n// First is told.\nfunc First() {}\n\nfunc NextSure() {}\n",
		"go/fuzz.go":                     "//go:build fuzz\n\npackage x\n\nfunc OnlyFuzzed() {}\n",
		"go/apart.go":                    "package x\n\n// Readers and writers.\n\nfunc BelowHeading() {}\n",
		"go/first.go":                    "// A licence.\n\npackage x\n\nfunc NoHeading() {}\n",
		"rb/lib/tape/version.rb":         "# Tells of it.\nclass Tape\n  # The parts of its version.\n  MAJOR_PART = 1\n  MINOR_PART = 2\nend\n",
		"go/code.go":                     "package x\n\n// Code is a code.\ntype Code int\n\nconst (\n\tCodeOfFirst Code = 1\n\n\tCodeOfSecond\n)\n\nvar ErrWhenFull = 1\n\n// Push may return ErrWhenFull.\nfunc Push() {}\n",
		"web/Shop.csproj":                "<Project Sdk=\"Microsoft.NET.Sdk.Web\"/>\n",
		"web/A.cs":                       "namespace X;\n\npublic class OfASite {}\n",
		"go/copy.go":                     "package x\n\n// It is copied from another.\n\n\nfunc CopiedIn() {}\n",
		"j/src/main/java/a/Field.java":   "package a;\n\n/** Tells of it. */\npublic class Proto2 {\n  /** The root of all. */\n  private String rootPath;\n\n  private String blind;\n\n  public void setRootPath(String s) {}\n\n  public void setBlind(String s) {}\n}\n",
		"CHANGELOG":                      "Add Proto2.ofChange() and said_in_changes.\n",
		"j/src/main/java/a/Change.java":  "package a;\n\npublic class SoFar {\n}\n",
		"py/pyproject.toml":              "[project]\nname = \"mailbox\"\n",
		"py/src/mailbox/__init__.py":     "def said_in_changes():\n    return 1\n",
		"docs/Page.cshtml":               "@{ }\n\nThere is `FromAPage`.\n",
		"go/page.go":                     "package x\n\nfunc FromAPage() {}\n",
		"src/test/jmh/README.md":         "# Measured\n\n`Proto.ofTests` is measured.\n",
		"j/pom.xml":                      "<project/>\n",
		"j/src/main/java/a/Proto.java":   "package a;\n\n/** Tells of it. */\npublic class Proto {\n  public void ofTests() {}\n}\n",
	}
	all, err := New(write(t, files), nil).Shadows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*Shadow{}
	for i := range all {
		got[all[i].Name] = &all[i]
	}
	for _, name := range []string{"forget_all!", "NextSure", "NoHeading", "setBlind", "SoFar"} {
		if s := got[name]; s == nil || s.Shade != Orphaned {
			t.Errorf("%s is %+v, want it orphaned", name, s)
		}
	}
	for _, name := range []string{"Copied", "OfTheBuild", "ofPlatform", "Linked", "intWriter", "twoRead", "createSession", "ofTests", "OnlyFuzzed", "BelowHeading", "MINOR_PART", "FromAPage", "CodeOfSecond", "ErrWhenFull", "CopiedIn", "OfASite", "setRootPath", "said_in_changes"} {
		if s := got[name]; s == nil || s.Shade != Partial || s.Doubt == "" {
			t.Errorf("%s is %+v, want it partial, with a doubt", name, s)
		}
	}
	for _, name := range []string{"rewind?", "shuffle_all!"} {
		if s := got[name]; s != nil && s.Shade != Documented {
			t.Errorf("%s is %+v, and is documented", name, s)
		}
	}
}

// What a file says of all its names is collected once.
func TestAssigned(t *testing.T) {
	s := &surface{docs: map[string]map[string]bool{}, texts: map[string][]byte{
		"a.py": []byte("first.__doc__ = ''\ndef f(): pass\nf.__doc__ = 'Does it.'\ng.__doc__ += f.__doc__\n  inner.__doc__ = ''\nh.__name__ = 1\n"),
	}}
	if got := s.assigned("a.py"); !got["f"] || !got["g"] || len(got) != 2 {
		t.Errorf("got %v, want f and g", got)
	}
	s.texts["a.py"] = nil // who reads it again finds nothing
	if !s.assigned("a.py")["g"] {
		t.Error("the file was read again")
	}
	if s.assigned("b.py")["g"] {
		t.Error("a file that is not there says something")
	}
}

// A declaration reads a bounded number of the lines above it: each of these ends a line that only gives types.
func TestRemarkNearIsBounded(t *testing.T) {
	line := []byte("/** @return int */ function f() {}")
	lines := [][]byte{[]byte("<?php"), nil}
	for range longestRemark {
		lines = append(lines, line)
	}
	if remarkNear(lines, len(lines)-1, "php") {
		t.Error("lines that only give types describe nothing")
	}
	lines[1] = line
	if lines = append(lines, line, line); !remarkNear(lines, len(lines)-1, "php") {
		t.Error("what stands above more lines than are read is not known")
	}
	if !remarkNear(lines[len(lines)-longestRemark-2:], longestRemark+1, "php") {
		t.Error("what stands above more lines than are read is not known")
	}
}

// The files below a folder are found by its name.
func TestBelow(t *testing.T) {
	s := &surface{paths: []string{"a", "a/lib", "a/lib-x/y.rb", "a/lib/x.rb", "a/lib/y/z.rb", "a/lib0", "b/lib/x.rb"}}
	if got := s.below("a/lib/"); len(got) != 2 || got[0] != "a/lib/x.rb" || got[1] != "a/lib/y/z.rb" {
		t.Errorf("got %v", got)
	}
	if got := s.below("c/"); len(got) != 0 {
		t.Errorf("got %v, want none", got)
	}
}
