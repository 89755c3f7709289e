package facts

import (
	"slices"
	"testing"
)

func TestArgumentLabels(t *testing.T) {
	for _, c := range []struct {
		text     string
		want     []string
		trailing bool
		ok       bool
	}{
		{`f(a: 1, b, c: g(x: 2, y))`, []string{"a", "", "c"}, false, true},
		{`f() { x in }`, nil, true, true},
		{`f { x }`, nil, true, true},
		{`f("a: \"(", a ? b : c, [k: v])`, []string{"", "", ""}, false, true},
		{`f<T>(with: 1) {}`, []string{"with"}, true, true},
		{"f\n(a)", nil, false, false},
		{`f(a: 1`, nil, false, false},
	} {
		got, trailing, ok := argumentLabels(c.text)
		if !slices.Equal(got, c.want) || trailing != c.trailing || ok != c.ok {
			t.Errorf("%s: %q, %v, %v", c.text, got, trailing, ok)
		}
	}
	for _, c := range []struct {
		params, given []string
		trailing, ok  bool
	}{
		{[]string{"data: Int", "opt: Int = 1"}, []string{"data"}, false, true},
		{[]string{"data: Int", "opt: Int = 1"}, []string{"opt"}, false, false},
		{[]string{"_ x: Int"}, []string{""}, false, true},
		{[]string{"_ x: Int"}, []string{"x"}, false, false},
		{[]string{"with name: Int", "done: () -> Void"}, []string{"with"}, true, true},
		{[]string{"with name: Int", "done: () -> Void"}, []string{"with"}, false, false},
		{[]string{"_ all: Int...", "sep: Int"}, []string{"", "", "sep"}, false, true},
		{[]string{"a: Int"}, []string{"a", "b"}, false, false},
		{nil, nil, false, true},
	} {
		if ok := takesLabels(c.params, c.given, c.trailing); ok != c.ok {
			t.Errorf("%q given %q, %v: %v", c.params, c.given, c.trailing, ok)
		}
	}
}
