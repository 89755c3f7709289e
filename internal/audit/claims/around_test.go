package claims

import (
	"strings"
	"testing"
)

// A place is named after the function that it is in, not after the next one that its lines have too.
func TestPlacesAreNamedAround(t *testing.T) {
	body := func(indent string, n int) string { return strings.Repeat(indent+"worker += 1\n", n) }
	for _, tc := range []struct{ path, language, text string }{
		{"a.py", "python", "class A:\n    def spawn(self):\n" + body("        ", 80) + "\n    def kill(self):\n" + body("        ", 80)},
		{"a.go", "go", "package a\n\nfunc spawn() {\n" + body("\t", 80) + "}\n\nfunc kill() {\n" + body("\t", 80) + "}\n"},
		{"A.java", "java", "class A {\n  void spawn() {\n" + body("    ", 80) + "  }\n\n  void kill() {\n" + body("    ", 80) + "  }\n}\n"},
	} {
		e := Gather([]Source{{Path: tc.path, Language: tc.language, Text: []byte(tc.text)}}, false)
		lines := strings.Split(tc.text, "\n")
		for i := range e.spots {
			var h Match
			h.stand(e, i)
			want := ""
			for _, line := range lines[:h.Line] {
				for _, name := range []string{"spawn", "kill"} {
					if strings.Contains(line, name+"(") {
						want = name
					}
				}
			}
			if want != "" && h.Name != want {
				t.Errorf("%s: lines %d to %d are named %q, want %q", tc.path, h.Line, h.Last, h.Name, want)
			}
		}
		if len(e.spots) < 3 {
			t.Errorf("%s has %d places", tc.path, len(e.spots))
		}
	}
}
