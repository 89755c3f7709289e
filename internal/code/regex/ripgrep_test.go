package regex

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// rgCases are patterns for which ripgrep and Each must agree to the byte. Those
// with classes run without Unicode, which RE2 classes do not know.
var rgCases = []struct{ flags, pattern string }{
	{"", "ListenAndServe"},
	{"", "the"},
	{"", "e"},
	{"", "func (c *conn) serve("},
	{"F", "func (c *conn) serve("},
	{"F", "[]byte{"},
	{"F", "\\n"},
	{"i", "listenandserve"},
	{"i", "task"},
	{"i", "KELVIN|STRASSE|ask"},
	{"iF", "SSA"},
	{"S", "listen"},
	{"S", "Listen"},
	{"S", `\Wlisten\W`},
	{"w", "ssa"},
	{"w", "err|error|errors"},
	{"wi", "HTTP"},
	{"w", "-1"},
	{"wF", "=="},
	{"w", `\w+Error`},
	{"w", ""},
	{"w", "a|ab|abc"},
	{"", "Read|Write|Close"},
	{"", "foo|foobar|bar|barfoo"},
	{"", "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda"},
	{"", "(Read|Write)(Byte|Rune|String)?"},
	{"", `\bfunc\b`},
	{"", `func \w+\(`},
	{"", `func \(\w+ \*?\w+\) [A-Z]\w*\(`},
	{"", `^package \w+$`},
	{"", `^}$`},
	{"", `^$`},
	{"", `^`},
	{"", `$`},
	{"", ``},
	{"", `x*`},
	{"", `\s+$`},
	{"", `^\s*//`},
	{"", `\A`},
	{"", `\z`},
	{"", `[0-9]{4}-[0-9]{2}-[0-9]{2}`},
	{"", `\d+\.\d+\.\d+\.\d+`},
	{"", `0x[0-9a-fA-F]+`},
	{"i", `[a-f]+x[0-9]`},
	{"", `[^a-z]err[^a-z]`},
	{"", `\S+\s+\S+\s+:=\s+range`},
	{"", `.*`},
	{"", `.+?Error`},
	{"", `(?s)if.*return`},
	{"", `(?i)todo|fixme`},
	{"", `(?i:todo)\(\w+\)`},
	{"", `TODO\(([a-z]+|[A-Z]+)\)`},
	{"", `"[^"]*\\n"`},
	{"", `\berr != nil\b`},
	{"", `\Berr\B`},
	{"", `(a|b|c)(d|e|f)(g|h|i)`},
	{"", `é|ü|ß|世`},
	{"i", `É|Ü|世`},
	{"", `[à-ÿ]`},
	{"", `\pL+é`},
	{"i", `ſ`},
	{"", "\\t\\treturn nil, err"},
	{"", `[[:upper:]]{5,}`},
	{"", `(\w+)\.\w+\(.*\w+\)\.`},
	{"", `[^\n]x`},
	{"", `a{3,5}`},
	{"U", `\{\n\treturn`},
	{"U", `return\s+nil\n}\n`},
	{"U", `(?s)/\*.*?\*/`},
	{"U", `func main\(\) \{\n(.*\n)*?}`},
	{"U", `^$\n^$`},
	{"U", `\n\n`},
	{"U", `[^;]\n\z`},
	{"U", `\Apackage`},
	{"U", `\A// Copyright[^\n]*\n(//.*\n)+`},
	{"Ui", `err\s*!=\s*nil\s*\{\s*RETURN`},
	{"U", `no newline here|ssa`},
	{"Uw", `nil\n\t+return`},
}

// TestRipgrepAgrees runs ripgrep over real trees, where it is installed.
func TestRipgrepAgrees(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil || testing.Short() {
		t.Skip("no rg, or -short")
	}
	for _, dir := range []string{"net/http", "cmd/compile/internal/types2"} {
		files := readTree(t, filepath.Join(goroot(t), "src", dir))
		for _, c := range rgCases {
			t.Run(fmt.Sprintf("%s/-%s %s", dir, c.flags, c.pattern), func(t *testing.T) {
				compareRipgrep(t, rg, files, c.flags, c.pattern)
			})
		}
	}
}

func readTree(t testing.TB, root string) map[string][]byte {
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if utf8.Valid(text) { // to ripgrep no pattern matches a byte that is not UTF-8
			files[path] = text
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Skipf("read %s: %d files, %v", root, len(files), err)
	}
	return files
}

func compareRipgrep(t *testing.T, rg string, files map[string][]byte, flags, pattern string) {
	root := commonDir(files)
	args := []string{"--no-config", "--no-ignore", "--hidden", "--text", "--encoding=none", "--json"}
	if flags != "" {
		args = append(args, "-"+flags)
	}
	if strings.Contains(pattern, `\`) && !strings.Contains(pattern, `\pL`) && pattern != `[^\n]x` || strings.Contains(pattern, "[[") {
		args = append(args, "--no-unicode")
	}
	var stderr bytes.Buffer
	cmd := exec.Command(rg, append(args, "-e", pattern, root)...)
	cmd.Stderr = &stderr
	out, _ := cmd.Output()
	p, err := Compile(pattern, Options{
		IgnoreCase: strings.Contains(flags, "i"), SmartCase: strings.Contains(flags, "S"),
		Fixed: strings.Contains(flags, "F"), Word: strings.Contains(flags, "w"), Multiline: strings.Contains(flags, "U"),
	})
	if err != nil || stderr.Len() > 0 {
		if (err != nil) != (stderr.Len() > 0) {
			t.Fatalf("Compile: %v, rg: %s", err, &stderr)
		}
		return
	}
	wantLines, wantSpans := ripgrepSays(t, out, files)
	lines, spans := map[place]bool{}, map[where]bool{}
	for path, text := range files {
		found := false
		p.Each(text, func(m Match) bool {
			found = true
			for i := range 1 + bytes.Count(text[m.LineSpan.Start:m.LineSpan.End], []byte("\n")) {
				lines[place{path, m.Line + i}] = true
			}
			if m.Len() > 0 {
				spans[where{path, m.Span}] = true
			}
			return true
		})
		var trigrams Set
		GramSet(text, &trigrams)
		if found && !p.Query().Match(trigrams.Has) {
			t.Errorf("%s matches but lacks %v", path, p.Query())
		}
	}
	diff(t, "line", lines, wantLines)
	if !strings.Contains(flags, "w") { // before version 14 it misses words that touch
		diff(t, "span", spans, wantSpans)
	}
}

type place struct {
	path string
	line int
}

type where struct {
	path string
	at   corpus.Span
}

func diff[K comparable](t *testing.T, what string, got, want map[K]bool) {
	n := 0
	for k := range got {
		if !want[k] {
			if n++; n < 5 {
				t.Errorf("%s %v: ours alone", what, k)
			}
		}
	}
	for k := range want {
		if !got[k] {
			if n++; n < 5 {
				t.Errorf("%s %v: ripgrep's alone", what, k)
			}
		}
	}
	if n > 0 {
		t.Errorf("%d %ss differ of %d", n, what, len(want))
	}
}

func commonDir(files map[string][]byte) string {
	var paths []string
	for path := range files {
		paths = append(paths, path)
	}
	a, b := slices.Min(paths), slices.Max(paths)
	for !strings.HasPrefix(b, a+"/") {
		a = filepath.Dir(a)
	}
	return a
}

// ripgrepSays reads --json: the lines, and the spans of matches that are not empty.
func ripgrepSays(t *testing.T, out []byte, files map[string][]byte) (map[place]bool, map[where]bool) {
	lines, spans := map[place]bool{}, map[where]bool{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var m struct {
			Type string
			Data struct {
				Path  struct{ Text string }
				Lines struct{ Text, Bytes string }
				Line  int                        `json:"line_number"`
				At    int                        `json:"absolute_offset"`
				Sub   []struct{ Start, End int } `json:"submatches"`
			}
		}
		if err := dec.Decode(&m); err != nil {
			t.Fatal(err)
		}
		if m.Type != "match" || files[m.Data.Path.Text] == nil {
			continue
		}
		text := m.Data.Lines.Text
		if raw, err := base64.StdEncoding.DecodeString(m.Data.Lines.Bytes); err == nil && len(raw) > 0 {
			text = string(raw)
		}
		for i := range 1 + strings.Count(strings.TrimSuffix(text, "\n"), "\n") {
			lines[place{m.Data.Path.Text, m.Data.Line + i}] = true
		}
		for _, s := range m.Data.Sub {
			if s.Start < s.End {
				spans[where{m.Data.Path.Text, corpus.Span{Start: m.Data.At + s.Start, End: m.Data.At + s.End}}] = true
			}
		}
	}
	return lines, spans
}
