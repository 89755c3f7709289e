package discover

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// grow makes a tree of n files in folders of about ten, with ignore files as
// projects have them.
func grow(tb testing.TB, n int) string {
	tb.Helper()
	root := tb.TempDir()
	must := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*.o\n*.log\n/dist\nbuild/\n*~\n!keep.log\n.idea/\ndocs/_build\n**/tmp/**\n*.py[cod]\n"), 0o644))
	exts := []string{"go", "py", "ts", "md", "o"}
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("module%d", i/400), fmt.Sprintf("pkg%d", i/40%10), fmt.Sprintf("part%d", i/10%4))
		if i%10 == 0 {
			must(os.MkdirAll(dir, 0o755))
		}
		must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("source_file_%d.%s", i%10, exts[i%len(exts)])), nil, 0o644))
	}
	return root
}

func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{6_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			root := grow(b, n)
			b.ReportAllocs()
			for b.Loop() {
				t, err := Walk(context.Background(), root, Options{})
				if err != nil {
					b.Fatal(err)
				}
				files := 0
				for _, d := range t.Dirs {
					files += len(d.Files)
				}
				if want := n*4/5 + 1; files != want {
					b.Fatalf("%d files, want %d", files, want)
				}
			}
		})
	}
}

// BenchmarkRules matches a name against an ignore file of 300 lines as they are
// usually written.
func BenchmarkRules(b *testing.B) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "*.ext%d\nname%d/\n/path/to/%d\n", i, i, i)
	}
	text.WriteString("*~\n.#*\n*.py[cod]\n**/tmp/**\n!keep.*\n")
	r := (*rules)(nil).with([]byte(text.String()), 0, ".gitignore", true)
	path := []byte("some/folder/of/source_file.go")
	at := len("some/folder/of/")
	b.ReportAllocs()
	for b.Loop() {
		if r.ignored(path, at, false) {
			b.Fatal("ignored")
		}
	}
}
