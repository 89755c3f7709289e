package syntax

import "testing"

// TestMayUse: a text that is left out is not read, so it must have nothing but calls of functions.
func TestMayUse(t *testing.T) {
	tests := []struct {
		name, language, text string
		any, value           bool // it may have a use, one that is no call
	}{
		{"call", "go", "x := Parse(1)", true, false},
		{"call behind blanks", "go", "x := time.Parse \t(1)", true, true}, // read in vain
		{"argument", "go", "run(Parse)", true, true},
		{"argument before a call", "go", "run(Parse, Parse(1))", true, true},
		{"argument behind a call", "go", "run(Parse(1), Parse)", true, true},
		{"instance", "go", "Parse[int](1)", true, true},
		{"in brackets", "go", "(Parse)(1)", true, true},
		{"call on the next line", "go", "f := Parse\n(g)()", true, true},
		{"parts of names", "go", "ParseTime, reParse, _Parse, Parse2", false, false},
		{"behind a part of a name", "go", "ParseTime(Parse", true, true},
		{"alone", "go", "Parse", true, true},
		{"second name", "go", "Format(1) Format", true, true},
		{"empty", "go", "", false, false},
		{"comments", "go", "// Parse reads\nx := 1 // Parse\n/* Parse\n * Parse */", false, false},
		{"line of a comment", "go", "/*\nParse\n*/", true, true}, // read in vain
		{"strings", "go", "f(\"Parse\", `Parse \n Parse`, 'P', \"\\\"Parse\", '\\'') / Parse", true, true},
		{"behind a string", "go", "\"http://x\"; run(Parse)", true, true},
		{"before a comment", "go", "x := Parse // c\n(g)()", true, true},
		{"before a comment of lines", "go", "x := Parse /* c\n */ (g)()", true, true},
		{"behind a rune", "go", "'\\''; run(Parse)", true, true},
		{"behind a raw string", "go", "`\\`; run(Parse)", true, true},
		{"between divisions", "go", "a / b; run(Parse) /", true, true},
		{"open comment", "go", "/* Parse", false, false},
		{"call behind a comment", "go", "// Parse(1)\nParse(2) \"", true, false},
		{"comment of another language", "java", "// Parse", true, true}, // read in vain
		{"call in another language", "java", "Parse(1)", true, false},
		{"method reference", "java", "A::Parse)", true, true},
		{"brackets that are no call", "haskell", "map Parse(x)", true, true},
		{"operator beside letters", "haskell", "a<+>b", true, true},
		{"part of a name in another language", "java", "tokenParse", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			names := []string{"Parse", "Format", "<+>"}
			if got := MayUse(tt.language, []byte(tt.text), names, false); got != tt.any {
				t.Errorf("may use it: %v", got)
			}
			if got := MayUse(tt.language, []byte(tt.text), names, true); got != tt.value {
				t.Errorf("may hand it on: %v", got)
			}
		})
	}
}
