package regex

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sources returns some 30 MB of Go.
func sources(b *testing.B) []byte {
	var text []byte
	for _, dir := range []string{"net", "cmd/compile", "runtime", "crypto", "go"} {
		files := readTree(b, filepath.Join(goroot(b), "src", dir))
		for _, path := range slices.Sorted(maps.Keys(files)) {
			if !hasWideFolds(files[path]) { // one such file would slow the whole text
				text = append(text, files[path]...)
			}
		}
	}
	return text[:min(len(text), 30<<20)]
}

func BenchmarkEach(b *testing.B) {
	text := sources(b)
	for _, c := range rgCases {
		if c.flags != "" && c.flags != "i" && c.flags != "w" && c.flags != "U" {
			continue
		}
		p, err := Compile(c.pattern, Options{IgnoreCase: c.flags == "i", Word: c.flags == "w", Multiline: c.flags == "U"})
		if err != nil {
			continue
		}
		b.Run("-"+c.flags+" "+c.pattern, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			n := 0
			for b.Loop() {
				n = 0
				p.Each(text, func(Match) bool { n++; return true })
			}
			b.ReportMetric(float64(n), "matches")
		})
	}
}

func BenchmarkGramSet(b *testing.B) {
	text := sources(b)
	var trigrams Set
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for at := 0; at < len(text); at += 16 << 10 { // about a file each
			GramSet(text[at:min(at+16<<10, len(text))], &trigrams)
			trigrams.Reset()
		}
	}
}

// goroot returns where Go's own sources lie, or skips.
func goroot(tb testing.TB) string {
	tb.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skip("no go command")
	}
	return strings.TrimSpace(string(out))
}
