package facts

import "testing"

// What is left out is not parsed, so it must have nothing but calls of functions.
func TestUsesOfText(t *testing.T) {
	for _, c := range []struct {
		text      string
		any, pass bool // what is so of a variable, of a function
	}{
		{"x := Parse(1)", true, false},
		{"x := time.Parse \t(1)", true, false},
		{"run(Parse)", true, true},
		{"run(Parse, Parse(1))", true, true},
		{"run(Parse(1), Parse)", true, true},
		{"Parse[int](1)", true, true},
		{"(Parse)(1)", true, true},
		{"f := Parse\n(g)()", true, true},
		{"ParseTime, reParse, _Parse, Parse2, Parseé", false, false},
		{"ParseTime(Parse", true, true},
		{"Parse", true, true},
		{"Format(1) Format", true, true},
		{"", false, false},
		{"// Parse reads\nx := 1 // Parse\n/* Parse\n * Parse */", false, false},
		{"/*\nParse\n*/", true, true}, // parsed in vain
		{"f(\"Parse\", `Parse \n Parse`, 'P', \"\\\"Parse\", '\\'') / Parse", true, true},
		{"\"http://x\"; run(Parse)", true, true},
		{"x := Parse // c\n(g)()", true, true},
		{"x := Parse /* c\n */ (g)()", true, true},
		{"'\\''; run(Parse)", true, true},
		{"`\\`; run(Parse)", true, true},
		{"a / b; run(Parse) /", true, true},
		{"/* Parse", false, false},
		{"// Parse(1)\nParse(2) \"", true, false},
	} {
		if got := uses([]byte(c.text), []string{"Parse", "Format"}, false); got != c.any {
			t.Errorf("%q may use a variable: %v", c.text, got)
		}
		if got := uses([]byte(c.text), []string{"Parse", "Format"}, true); got != c.pass {
			t.Errorf("%q may hand a function on: %v", c.text, got)
		}
	}
}
