package claims

import (
	"bytes"
	"strings"
	"testing"
)

// Forms of lines, names and paths that rules ask for, each beside one of nearly its form.
func TestForms(t *testing.T) {
	tests := []struct {
		name     string
		is       func(string) bool
		yes, not []string
	}{
		{"divider", isDivider, []string{"|---|:--:|", "--- | ---", "|--|\r"}, []string{"| a | b |", "|-|", "a -- b"}},
		{"fence", isFence, []string{"```", "  ~~~go"}, []string{"``x``", "a ```"}},
		{"licence", isLicence, []string{"LICENSE", "licence.txt", "COPYING-MIT"}, []string{"license_test.go", "copyingFiles.go"}},
		{"template", isTemplate, []string{"web/templates/a.html", "Views/x.html"}, []string{"web/a/template.html", "viewsets/x.html"}},
		{"inner", isInner, []string{"a/internal/b.go", "a/_impl/b.py", "impl/b.c", "lib/details/x.h"}, []string{"a/internals/b.go", "a/__init__/b.py", "a/impl.c", "_a.py"}},
		{"labels", isLabels, []string{"of:with:", "x:"}, []string{"of", "a b:", ":", "of::"}},
		{"name", isName, []string{"a_1"}, []string{"", "a b", "1a"}},
		{"package of internals", func(s string) bool { return inInnerPackage(bytes.Split([]byte(s), []byte("\n"))) },
			[]string{"// x\npackage a.internal.b;", "package impl"}, []string{"package a.internals;", "import a.internal.b;", "package a\nclass internal"}},
		{"number", func(s string) bool { return withoutNumber(s) != s }, []string{"01-a.md", "3_b.md"}, []string{"a.md", "2024-a.md", "3d.md", "12"}},
		{"field", func(s string) bool { return fieldOf(s) == "rootPath" }, []string{"setRootPath", "get_RootPath"}, []string{"settle", "set", "rootPath"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, s := range tt.yes {
				if !tt.is(s) {
					t.Errorf("%q does not count as %s", s, tt.name)
				}
			}
			for _, s := range tt.not {
				if tt.is(s) {
					t.Errorf("%q is one", s)
				}
			}
		})
	}
}

func TestFindIdioms(t *testing.T) {
	var got []string
	const said = "Single sign-on, signing in, sign up, logged out, 2-factor and role-based access; a sign or a logging of it"
	findIdioms(said, func(word string, from, to int) { got = append(got, word+"="+said[from:to]) })
	if got, want := strings.Join(got, ", "), "sso=Single sign-on, login=signing in, signup=sign up, logout=logged out, mfa=2-factor, rbac=role-based access"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
