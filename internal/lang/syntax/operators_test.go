package syntax

import (
	"strings"
	"testing"
)

// TestSpecialMethods holds which methods a language calls without their name.
func TestSpecialMethods(t *testing.T) {
	tests := []struct {
		language, name string
		special, bare  bool
		sign           string
	}{
		{"python", "__add__", true, true, ""},
		{"python", "__init__", true, false, ""},
		{"python", "__all", false, false, ""},
		{"python", "____", false, false, ""},
		{"php", "__toString", true, true, ""},
		{"php", "__invoke", true, false, ""},
		{"lua", "__index", true, true, ""},
		{"go", "__add__", false, false, ""},
		{"cpp", "operator==", true, true, "=="},
		{"cpp", "operator ()", true, true, "()"},
		{"cpp", "operatorName", false, false, ""},
		{"cpp", "operator bool", true, true, "bool"},
		{"javascript", "operator$", false, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.language+" "+tt.name, func(t *testing.T) {
			if got := IsSpecialMethod(tt.language, tt.name); got != tt.special {
				t.Errorf("special: %v", got)
			}
			if got := IsCalledWithoutName(tt.language, tt.name); got != tt.bare {
				t.Errorf("called without its name: %v", got)
			}
			if got := OperatorSign(tt.name); got != tt.sign {
				t.Errorf("sign %q, want %q", got, tt.sign)
			}
		})
	}
}

// TestOperations holds which operand of an operator has its method: none where it is a part of a larger one.
func TestOperations(t *testing.T) {
	tests := []struct{ name, language, text, method, want string }{
		{"a sum", "python", "x = a.b + c\n", "__add__", "a.b"},
		{"an argument", "python", "f(a, b + c)\n", "__add__", "b"},
		{"a result", "kotlin", "fun f() = g(1).h + c\n", "plus", "g().h"},
		{"a product is added to", "python", "x = a * b + c\n", "__add__", ""},
		{"a sign", "python", "x = -a + c\n", "__add__", ""},
		{"another operator", "python", "x = a - c\n", "__add__", ""},
		{"a method by its name", "cpp", "void f() { a.operator+(b); }\n", "operator+", "a"},
		{"a method that is no operator", "python", "x = a + c\n", "add", ""},
		{"in a text", "python", "x = \"a + b\"\n", "__add__", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			if sign := Operator(tt.language, tt.method); sign != "" {
				for _, u := range Operations("", tt.language, []byte(tt.text), sign) {
					got = append(got, u.Chain)
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("operands %q, want %q", got, tt.want)
			}
		})
	}
}

// TestReceiversOfTexts holds which calls have a text in quotes as their receiver, and which parameters the type of a comment.
func TestReceiversOfTexts(t *testing.T) {
	tests := []struct{ name, language, text, call, param string }{
		{"a text", "rust", `fn f() { "a".shout(); }`, "{str}", ""},
		{"a character", "rust", `fn f() { 'a'.shout(); }`, "?", ""},
		{"a sum of texts", "javascript", `("a" + b).shout();`, "?", ""},
		{"a parameter of a comment", "javascript", "/** @param {Disk} d the disk */\nfunction f(d) { d.shout(); }", "d", "Disk"},
		{"another parameter", "javascript", "/** @param {Disk} e */\nfunction f(d) { d.shout(); }", "d", ""},
		{"a function", "javascript", "/** @param {function(Disk)} d */\nfunction f(d) { d.shout(); }", "d", ""},
		{"a comment of another function", "javascript", "/** @param {Disk} d */\nfunction g(d) {}\nfunction f(e, d) { e.shout(); }", "e", "Disk"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Facts("", tt.language, []byte(tt.text))
			call, param := "", ""
			for _, c := range f.Calls {
				call = c.Receiver
			}
			for _, b := range f.Bindings {
				if b.Param > 0 {
					param += b.Type
				}
			}
			if call != tt.call || param != tt.param {
				t.Errorf("receiver %q, parameters of %q, want %q and %q", call, param, tt.call, tt.param)
			}
		})
	}
}
