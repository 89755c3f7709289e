package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/memory/vault"
)

var (
	span   = regexp.MustCompile("`assay ([^`]+)`")
	fenced = regexp.MustCompile("(?s)```.*?```")
	prompt = regexp.MustCompile(`(?m)^(?:\$ )?assay (.+)$`)
	shown  = regexp.MustCompile(`(?m)^    (?:\$ )?assay (.+)$`)
	quoted = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	word   = regexp.MustCompile(`^[a-z][a-z-]*$`)
)

// What the documents tell people to type can be typed: each command is one, and has
// the flags that are shown.
func TestDocumented(t *testing.T) {
	check, lines := typeable(t), 0
	for _, document := range documents(t) {
		b, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		all := append(span.FindAllStringSubmatch(string(b), -1), shown.FindAllStringSubmatch(string(b), -1)...)
		all = append(all, prompt.FindAllStringSubmatch(strings.Join(fenced.FindAllString(string(b), -1), "\n"), -1)...)
		for _, m := range all {
			line, _, _ := strings.Cut(m[1], " #")
			line, _, _ = strings.Cut(quoted.ReplaceAllString(line, "QUOTED"), "|")
			tokens := strings.Fields(line)
			if ext := filepath.Ext(tokens[0]); ext == ".lua" || ext == ".yaml" {
				tokens = append([]string{"run"}, tokens...) // a file is run
			}
			if tokens[0] != "COMMAND" && tokens[0] != "src" {
				lines++
				if wrong := check(tokens); wrong != "" {
					t.Errorf("%s: assay %s: %s", filepath.Base(document), m[1], wrong)
				}
			}
		}
	}
	if lines < 40 {
		t.Errorf("only %d commands were found in the documents", lines)
	}
}

// So can what errors, notes and help tell people to type. Every literal of the program is read, because
// a hint says in words when to run a command, which a fault.Fix cannot.
func TestHints(t *testing.T) {
	said, prose := regexp.MustCompile(`\bassay ([a-z-][^\n]*)`), map[string]bool{
		"and": true, "archive": true, "can": true, "does": true, "executable": true, "finds": true, "folder": true, "has": true, "help": true, "in": true, "into": true,
		"is": true, "of": true, "owner": true, "reads": true, "runs": true, "seen": true, "that": true, "to": true, "vectors": true, "who": true, "with": true, "writes": true,
	}
	check, lines := typeable(t), 0
	for _, root := range []string{"..", "../../internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				if err != nil || strings.HasPrefix(text, "// ") { // the first line of a plugin
					return true
				}
				for line := range strings.SplitSeq(strings.ReplaceAll(text, "assay ", "\nassay "), "\n") {
					m := said.FindStringSubmatch(line)
					if m == nil {
						continue
					}
					words, _, _ := strings.Cut(quoted.ReplaceAllString(m[1], "QUOTED"), "; ")
					tokens := strings.Fields(words)
					for i, w := range tokens {
						tokens[i] = strings.TrimRight(w, ".,:?)")
					}
					if prose[tokens[0]] {
						continue
					}
					lines++
					if wrong := check(tokens); wrong != "" {
						t.Errorf("%s says %q: %s", path, m[0], wrong)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if lines < 150 {
		t.Errorf("only %d commands were found in the program", lines)
	}
}

// typeable returns a check of what follows the program's name: that a command of its words is one and has its flags.
func typeable(t *testing.T) func(tokens []string) (wrong string) {
	if runtime.GOOS == "windows" {
		t.Skip("it goes by a link to itself")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	assay := filepath.Join(t.TempDir(), "assay")
	if err := os.Symlink(self, assay); err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	help := func(command string) string {
		text, ok := known[command]
		if !ok {
			cmd := exec.CommandContext(t.Context(), assay, append(strings.Fields(command), "--help")...)
			cmd.Dir, cmd.Env = filepath.Dir(assay), append(os.Environ(), "HOME="+filepath.Dir(assay))
			out, err := cmd.CombinedOutput()
			if text = string(out); err != nil || !strings.Contains(text, "assay "+command+" ") && !strings.Contains(text, "assay "+command+"\n") {
				text = ""
			}
			known[command] = text
		}
		return text
	}
	return func(tokens []string) string {
		n := 0
		for n < len(tokens) && word.MatchString(tokens[n]) {
			n++
		}
		text := ""
		for ; n > 0 && text == ""; n-- {
			command := strings.Join(tokens[:n], " ")
			if text = help(command); strings.Contains(text, "assay "+command+" COMMAND") && len(tokens) > n && word.MatchString(tokens[n]) {
				return "there is no command " + command + " " + tokens[n]
			}
		}
		if name, flag := strings.CutPrefix(tokens[0], "--"); flag && text == "" {
			if help(name) == "" && !strings.Contains(help(""), tokens[0]) {
				return "there is no command " + name
			}
			return ""
		}
		if text == "" && word.MatchString(tokens[0]) {
			return "there is no such command"
		}
		for _, f := range tokens {
			name, _, _ := strings.Cut(f, "=")
			if strings.HasPrefix(name, "--") && len(name) > 2 && name != "--help" && !strings.Contains(text, name) {
				return "there is no " + name
			}
		}
		return ""
	}
}

// The search that README begins with finds what README shows.
func TestExample(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []string{"`go run ./cmd/assay search ", "`go test ./...`"} { // all that a fresh machine needs
		if !strings.Contains(string(b), c) {
			t.Errorf("README lacks %s", c)
		}
	}
	m := regexp.MustCompile(`(?m)^    \$ assay search "([^"]+)" --top-k 1\n    (\S+):\S+  (\S+)`).FindSubmatch(b)
	if m == nil {
		t.Fatal("README shows no search")
	}
	if testing.Short() {
		return // to search means to index all of this tree
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The name that the program is started by says what it does.
	cmd := exec.CommandContext(t.Context(), self, "search", string(m[1]), "--top-k", "1")
	cmd.Args[0] = "assay"
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "HOME="+t.TempDir(), "ASSAY_INDEX_DIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if path, _, _ := strings.Cut(string(out), ":"); err != nil || path != string(m[2]) || !strings.Contains(string(out), "  "+string(m[3])+"  ") {
		t.Errorf("%v: README shows %s in %s, and found is\n%s", err, m[3], m[2], out)
	}
}

func documents(t *testing.T) []string {
	var out []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md", "integrations/*/*.md", "integrations/*/*/*.md"} {
		found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	return out
}

// The links of the documents lead to files that are there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	n := 0
	inline := regexp.MustCompile("`[^`\n]*`")
	for _, document := range documents(t) {
		b, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(inline.ReplaceAllString(fenced.ReplaceAllString(string(b), ""), ""), -1) {
			n++
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s: %v", document, m[1], err)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d links were found", n)
	}
}

// The documents and the help, which reference.md has, use the words that CONVENTIONS.md asks for.
func TestWording(t *testing.T) {
	avoided := regexp.MustCompile(`(?i)\b(?:mend(?:s|ed)?|put right|anew|and the like|and so on|whole numbers?|from now on|spelt|grams|torn)\b`)
	for _, document := range documents(t) {
		b, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		found := avoided.FindAllString(string(b), -1)
		if filepath.Base(document) == "CONVENTIONS.md" { // which names them
			if len(found) < 3 {
				t.Errorf("of the words to avoid it names %q", found)
			}
		} else if len(found) > 0 {
			t.Errorf("%s says %q: CONVENTIONS.md has better words", document, found)
		}
	}
}

// A newcomer reads README to its end.
func TestReadmeLength(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(b))); n > 1200 {
		t.Errorf("README has %d words, of 1,200: what is more belongs to docs/", n)
	}
	if b, err = os.ReadFile("../../SKILL.md"); err != nil {
		t.Fatal(err)
	}
	if n := vault.Tokens(string(b)); n > 1500 {
		t.Errorf("SKILL.md has %d tokens, of 1,500: every session that loads it pays them", n)
	}
}
