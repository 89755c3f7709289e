package syntax

import (
	"slices"
	"testing"
)

// TestTexts: texts that are read at the same time, or after one another, answer for themselves alone.
func TestTexts(t *testing.T) {
	tests := []struct {
		name, file, language, text string
		uses                       []int
		at                         []int
		kinds                      []TextKind
	}{
		{"java", "A.java", "java", "int x = y; // x\nString s = \"x\";", []int{4}, []int{4, 14, 28}, []TextKind{InCode, InComment, InString}},
		{"python", "a.py", "python", "# x\nx = 'x'", []int{4}, []int{2, 4, 9}, []TextKind{InComment, InCode, InString}},
		{"go", "a.go", "go", "package x\n\nvar x = `x`", []int{8, 15}, []int{8, 15, 20}, []TextKind{InCode, InCode, InString}},
		{"no lexer", "a.pl", "perl", "print x # x", []int{6}, []int{6, 10}, []TextKind{InText, InText}},
		{"prose", "a.md", "markdown", "an x", []int{3}, []int{3}, []TextKind{InProse}},
	}
	var read []*Text
	for _, tt := range tests {
		read = append(read, Read(tt.file, tt.language, []byte(tt.text)))
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, x := range []*Text{read[i], Read(tt.file, tt.language, []byte(tt.text))} {
				var uses []int
				for _, u := range x.Uses(func(name []byte) bool { return string(name) == "x" }) {
					uses = append(uses, u.At)
				}
				if !slices.Equal(uses, tt.uses) {
					t.Errorf("uses at %v, want %v", uses, tt.uses)
				}
				if got := x.Kinds(tt.at); !slices.Equal(got, tt.kinds) {
					t.Errorf("kinds %v, want %v", got, tt.kinds)
				}
				x.Release()
			}
		})
	}
}
