package syntax

import (
	"slices"
	"strings"
	"testing"
)

func TestMarks(t *testing.T) {
	kinds := map[MarkKind]string{Comment: "c", Literal: "l", Keyword: "k"}
	for _, tc := range []struct{ name, language, text, want string }{
		{"a.go", "go", "// Hi.\nfunc F() string { return \"x\" + 'y' } // 12", `c// Hi. kfunc kreturn l"x" l'y' c// 12`},
		{"a.go", "go", "return x /* not closed", `kreturn c/* not closed`},
		{"a.go", "go", "s := `a\nb` 0x1F", "l`a\nb` l0x1F"},
		{"a.py", "python", "def f(x):  # why\n    return 'a' + str(2)\n", `kdef c# why kreturn l'a' l2`},
		{"a.ts", "typescript", "const f = (a: string) => { /* b */ return `x${a}y` }", ""},
		{"a.java", "java", "class A { int n = 3; } // end", `kclass kint l3 c// end`},
		{"a.rs", "rust", "fn f() -> u8 { 1 } // x", `kfn l1 c// x`},
		{"a.c", "c", "static int n = 4; /* m */", `kstatic kint l4 c/* m */`},
		{"a.md", "markdown", "# Title", ""},
	} {
		var got []string
		last := 0
		for _, m := range Marks(tc.name, tc.language, []byte(tc.text)) {
			if m.At < last || m.End > len(tc.text) || m.End < m.At {
				t.Fatalf("%s: %v is out of order", tc.name, m)
			}
			last = m.End
			got = append(got, kinds[m.Kind]+tc.text[m.At:m.End])
		}
		if tc.want == "" && tc.language == "typescript" {
			if !slices.Contains(got, "kconst") || !slices.Contains(got, "c/* b */") || !slices.Contains(got, "kreturn") {
				t.Errorf("%s: %q", tc.name, got)
			}
			continue
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, s, tc.want)
		}
	}
}
