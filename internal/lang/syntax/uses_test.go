package syntax_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

// TestUsesOfEveryLanguage holds that a name is found in code of every language, whatever stands
// before it, and that what is returned is where the name is.
func TestUsesOfEveryLanguage(t *testing.T) {
	noise := "\"a\" 'b' `c` <<<X <<~Y ~s(z) ?a :b #{x} ${y} %w(a) \\(q) r#\"s\"# @v $w 1_000 /x/ <T> {{}} (( ]] \x00 \xff é "
	for _, name := range []string{"a.go", "a.py", "a.js", "a.ts", "a.tsx", "a.vue", "a.java", "a.kt", "a.scala", "a.c", "a.h", "a.cpp", "a.m", "a.mm", "a.cs", "a.rs", "a.rb", "a.php",
		"a.swift", "a.lua", "a.sh", "a.ex", "a.hs", "a.zig", "a.dart", "a.sql", "a.pl", "a.r"} {
		lang := syntax.Language(name, nil)
		text := map[string]string{"go": "package a\n\nvar x = wanted\n", "php": "<?php\n$x = wanted();\n", "vue": "<script>\nx = wanted\n</script>\n"}[lang]
		if text == "" {
			text = "x = wanted\n"
		}
		wanted := func(b []byte) bool { return string(b) == "wanted" }
		got := syntax.Uses(name, lang, []byte(text), wanted)
		if len(got) != 1 || got[0].At != strings.Index(text, "wanted") || got[0].Name != "wanted" {
			t.Errorf("%s: %+v of %q", name, got, text)
		}
		for _, broken := range []string{noise, noise + text, text + noise, noise + noise + text, "wanted", ""} {
			src := []byte(broken)
			for _, u := range syntax.Uses(name, lang, src, wanted) {
				if !bytes.HasPrefix(src[u.At:], []byte(u.Name)) {
					t.Errorf("%s: %+v is not in %q", name, u, broken)
				}
			}
		}
	}
}
