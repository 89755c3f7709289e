package discover_test

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/discover"
)

func TestGlobs(t *testing.T) {
	for _, tt := range []struct {
		glob, path string
		want       bool
	}{
		{"*.go", "a/b.go", true}, {"*.go", "a/b.gox", false}, {"a", "a/b.go", true}, {"a/", "a", false}, {"a/", "a/b.go", true},
		{"/b.go", "a/b.go", false}, {"a/*.go", "a/b.go", true}, {"a/*.go", "x/a/b.go", false}, {"**/a/*.go", "x/a/b.go", true},
		{"a/**", "a/b/c.go", true}, {"[!a]*.go", "b.go", true}, {"[!a]*.go", "a.go", false}, {"#x", "#x", true}, {"!x", "!x", true}, {"", "a", false},
		{"*.{rs,toml}", "a/Cargo.toml", true}, {"*.{rs,toml}", "a/b.rs", true}, {"*.{rs,toml}", "a/b.go", false}, {"*.{rs,toml}", "a.{rs,toml}", false},
		{"*.{j,t}s{,x}", "a.ts", true}, {"*.{j,t}s{,x}", "a.jsx", true}, {"*.{j,t}s{,x}", "a.jsy", false},
		{"{a/{b,c},d}/*.go", "a/c/x.go", true}, {"{a/{b,c},d}/*.go", "d/x.go", true}, {"{a/{b,c},d}/*.go", "a/x.go", false},
		{"{src/a,b}.go", "src/a.go", true}, {"{src/a,b}.go", "b.go", true}, {"{src/a,b}.go", "src/b.go", false},
		{"{src,lib}/", "x/lib/y", true}, {"{src,lib}/", "lib", false}, {"{!,#}x", "!x", true}, {"{!,#}x", "#x", true},
		{`\{a,b\}`, "{a,b}", true}, {`\{a,b\}`, "a", false}, {"[{]a,b[}]", "{a,b}", true}, {"a,b", "a,b", true}, {"{a}", "a", true}, {"[{,]{x,y}", ",y", true},
	} {
		globs, err := discover.NewGlobs([]string{tt.glob})
		if got := globs.Match(tt.path); err != nil || got != tt.want {
			t.Errorf("%q matches %s: %v, %v, want %v", tt.glob, tt.path, got, err, tt.want)
		}
	}
}

func TestGlobsRefused(t *testing.T) {
	for glob, want := range map[string]string{
		"[": "a [ without its ]", "src/[a-": "a [ without its ]", `a\`: "no path can match", "{a,[}": "a [ without its ]",
		"{a,b": "a { without its }", "a}": "a } without its {", "{a,{b}": "a { without its }", "{a}}": "a } without its {", "{": "a { without its }",
		strings.Repeat("{a,b}", 20): "more than 1000 patterns", strings.Repeat("{", 1e6): "braces in one another", "{" + strings.Repeat(",", 1e6) + "}": "more than 1000 patterns",
		"*.go": "", "[!a]x": "", `\[`: "", "app/[id]/**": "", "": "", "{a,b}": "", `\{`: "", "{}": "",
	} {
		_, err := discover.NewGlobs([]string{"*.md", glob})
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Usage || fault.HintOf(err) == "") {
			t.Errorf("NewGlobs(%.40q): %.200v, want %q", glob, err, want)
		}
	}
}
