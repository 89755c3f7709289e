package syntax

import "testing"

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
