package code_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// service is a long class, of which one method is about retries, beside files that are about others.
func service() map[string]string {
	var b strings.Builder
	b.WriteString("MAX_RETRIES = 3\n\n\nclass Service:\n    \"\"\"Talks to a server.\"\"\"\n")
	for i := range 40 {
		fmt.Fprintf(&b, "\n    def step%d(self, value):\n        total = value + %d\n        total = total * 2\n        return total\n", i, i)
	}
	b.WriteString("\n    def send(self, request):\n        \"\"\"Sends a request, with retries after a timeout.\"\"\"\n")
	b.WriteString("        for attempt in range(MAX_RETRIES):\n            try:\n                return self.transport(request)\n            except TimeoutError:\n                wait_before_retry(attempt)\n        raise GaveUp(request)\n")
	b.WriteString("\n\ndef wait_before_retry(attempt):\n    sleep(2 ** attempt)\n")
	files := map[string]string{"service.py": b.String(), "data.json": `{"a":"` + strings.Repeat("x", 3000) + ` timeout policy ` + strings.Repeat("y", 3000) + `"}`, "notes.md": "# Notes\n\n" + strings.Repeat("Words of no matter here. ", 100) + "The timeout policy is old. " + strings.Repeat("And some more words. ", 100) + "\n"}
	for i := range 8 {
		files[fmt.Sprintf("other%d.py", i)] = fmt.Sprintf("def request%d(value):\n    return value.request + %d\n", i, i)
	}
	return files
}

// piped returns a feature whose answers a program reads, and the text of one.
func piped(t *testing.T, files map[string]string) (root string, ask func(code.SearchInput) (*code.SearchAnswer, string)) {
	t.Helper()
	root = folder(t, files)
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{Piped: true})
	return root, func(in code.SearchInput) (*code.SearchAnswer, string) {
		a, err := f.Search(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := printed(t, a)
		return a, said
	}
}

// TestPassages holds that a hit is the declaration that one would open the file for: of a long class
// the method, with what it calls in its file.
func TestPassages(t *testing.T) {
	_, ask := piped(t, service())
	_, said := ask(code.SearchInput{Query: "which requests are sent again after a timeout", Budget: new(700)})
	for _, want := range []string{"    def send(self, request):\n", "        raise GaveUp(request)\n", "def wait_before_retry(attempt):\n", "     …  "} {
		if !strings.Contains(said, want) {
			t.Errorf("want %q in\n%s", want, said)
		}
	}
	if strings.Contains(said, "step20") {
		t.Errorf("a method that has none of the words is shown:\n%s", said)
	}
}

var numbered = regexp.MustCompile(`^ {0,5}([0-9]+)  (.*)$`)

// TestPassagesPromises holds, for several budgets, that a text has no more tokens than its budget, that its
// lines are those of their files, and that it has none twice.
func TestPassagesPromises(t *testing.T) {
	root, ask := piped(t, service())
	for _, budget := range []int{60, 200, 500, 1000, 3000, 100000} {
		a, said := ask(code.SearchInput{Query: "request timeout retries policy", Budget: &budget})
		body, _, _ := strings.Cut(said, "\n#")
		if n := text.Tokens(len(body)); n > budget+30 {
			t.Errorf("%d tokens, the budget is %d:\n%s", n, budget, said)
		}
		file, seen := "", map[string]bool{}
		for line := range strings.Lines(said) {
			line = strings.TrimRight(line, "\n")
			m := numbered.FindStringSubmatch(line)
			if m == nil {
				if path, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
					file = path
				}
				continue
			}
			raw, err := os.ReadFile(filepath.Join(root, file))
			if err != nil {
				t.Fatal(err)
			}
			n, _ := strconv.Atoi(m[1])
			if is := strings.Split(string(raw), "\n")[n-1]; is != m[2] && !strings.Contains(m[2], "…") {
				t.Errorf("%s:%d is %q, shown as %q", file, n, is, m[2])
			}
			if seen[file+m[1]] {
				t.Errorf("%s:%d is shown twice", file, n)
			}
			seen[file+m[1]] = true
		}
		if len(a.Hits) == 0 || a.Hits[0].Snippet == "" {
			t.Errorf("the hits have lost their snippets: %+v", a.Hits)
		}
	}
}

// TestLongLine holds that of a file of one line the match is shown, and not the line.
func TestLongLine(t *testing.T) {
	_, ask := piped(t, service())
	for _, in := range []code.SearchInput{{Query: "timeout policy", Globs: []string{"*.md"}, Budget: new(1000)}, {Query: "timeout pol", Regex: true, Globs: []string{"*.json"}}} {
		a, said := ask(in)
		if !strings.Contains(said, "timeout policy") || len(said) > 1300 {
			t.Errorf("%d bytes:\n%s", len(said), said)
		}
		if len(a.Hits) != 1 || in.Regex && len(a.Hits[0].Snippet) < 6000 {
			t.Errorf("the data is not whole: %+v", a.Hits)
		}
	}
}

// TestPassagesDefinition holds that a header that only repeats a declaration gives way to its definition.
func TestPassagesDefinition(t *testing.T) {
	_, ask := piped(t, map[string]string{
		"retry.h":   "int retry_request(int attempts);\nint retry_policy(int code);\n",
		"retry.c":   "#include \"retry.h\"\n\nint retry_request(int attempts) {\n  return attempts > 0;\n}\n",
		"unused.c":  "int unused(void) {\n  return 1;\n}\n",
		"lonely.go": "package a\n\nfunc Lonely() {}\n",
	})
	_, said := ask(code.SearchInput{Query: "retry request attempts", Budget: new(2000)})
	if n := strings.Count(said, "int retry_request("); n != 1 || !strings.Contains(said, "return attempts > 0") {
		t.Errorf("the declaration is shown %d times:\n%s", n, said)
	}
	if !strings.Contains(said, "int retry_policy(") {
		t.Errorf("a declaration that nothing here defines is not shown:\n%s", said)
	}
}

// TestPassagesOnlyAsText holds that data, and who says how a hit is shown, has the hits as they were.
func TestPassagesOnlyAsText(t *testing.T) {
	root := folder(t, service())
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{Piped: true})
	in := code.SearchInput{Query: "request timeout retries"}
	for name, ask := range map[string]func() (*code.SearchAnswer, error){
		"data": func() (*code.SearchAnswer, error) {
			return f.Search(work.With(context.Background(), work.Report{Data: true}), in)
		},
		"context": func() (*code.SearchAnswer, error) {
			in := in
			in.Context = 1
			return f.Search(context.Background(), in)
		},
	} {
		a, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		if said, _ := printed(t, a); strings.Contains(said, "     …  ") {
			t.Errorf("%s: passages are shown\n%s", name, said)
		}
	}
}

// TestPassagesAsData holds that a client whose model reads the data alone is given the lines in it.
func TestPassagesAsData(t *testing.T) {
	root := folder(t, service())
	f := feature(t, workspace.New(workspace.Config{WorkDir: root, Server: true}), code.Config{})
	in := code.SearchInput{Query: "sent again after a timeout retries", References: true, Budget: new(700)}
	for _, client := range []string{"claude-code", "other"} {
		a, err := f.Search(work.With(context.Background(), work.Report{Client: client}), in)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := printed(t, a)
		var data strings.Builder
		for _, h := range a.Hits {
			for _, x := range h.Text {
				data.WriteString(x.Text)
			}
		}
		if reads := client == "claude-code"; strings.Contains(data.String(), "def send(") != reads || strings.Contains(said, "def send(") == reads {
			t.Errorf("%s: the data has\n%s\nthe text\n%s", client, data.String(), said)
		}
	}
}

// TestMatchesMerged holds that lines around the hits of a pattern are each shown once, and that those
// that are apart are parted.
func TestMatchesMerged(t *testing.T) {
	root := folder(t, map[string]string{"a.txt": "one\nhit 1\ntwo\nhit 2\nthree\nfour\nfive\nsix\nhit 3\nseven\n", "b.txt": "hit 4\nend\n"})
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
	for context1, want := range map[int]string{
		1: "a.txt-1-one\na.txt:2:hit 1\na.txt-3-two\na.txt:4:hit 2\na.txt-5-three\n--\na.txt-8-six\na.txt:9:hit 3\na.txt-10-seven\n--\nb.txt:1:hit 4\nb.txt-2-end\n",
		0: "a.txt:2:hit 1\na.txt:4:hit 2\na.txt:9:hit 3\nb.txt:1:hit 4\n",
	} {
		a, err := f.Search(context.Background(), code.SearchInput{Query: "hit", Regex: true, Context: context1})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := printed(t, a); got != want {
			t.Errorf("with %d lines around:\n%s\nwant\n%s", context1, got, want)
		}
		if len(a.Hits) != 4 {
			t.Errorf("%d hits, want 4", len(a.Hits))
		}
	}
}

// TestSecretsNamed holds that a pattern's answer names the files that it leaves out for their secrets.
func TestSecretsNamed(t *testing.T) {
	files := map[string]string{"a.txt": "hit\n", ".env": "hit=1\n", "deploy/id_rsa": "hit\n"}
	root := folder(t, files)
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
	for range 2 { // once from a walk and once from what was kept of it
		a, err := f.Search(context.Background(), code.SearchInput{Query: "hit", Regex: true})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(a.Notes, "\n"); !strings.Contains(notes, "left out: 2 secret (.env, deploy/id_rsa)") {
			t.Errorf("notes: %s", notes)
		}
	}
}

// TestPassagesOfGuesses holds that guessed words choose the declaration that is shown, and that a word which
// nothing has chooses none.
func TestPassagesOfGuesses(t *testing.T) {
	_, ask := piped(t, service())
	query, budget := "what does the service do with a value", new(400)
	for _, tt := range []struct {
		name, words string
		shown       bool
	}{
		{"a right guess", "timeout retry", true},
		{"a guess that nothing has", "zymurgy", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, said := ask(code.SearchInput{Query: query, Words: []string{tt.words}, Budget: budget})
			if got := strings.Contains(said, "def send(self, request)"); got != tt.shown {
				t.Errorf("send is shown: %v, want %v\n%s", got, tt.shown, said)
			}
		})
	}
}

// TestPassageHeading holds that the line above some text names the declaration that tells most of it, whichever
// piece of the file was found, and that a hit in no declaration keeps its own lines.
func TestPassageHeading(t *testing.T) {
	_, ask := piped(t, service())
	for _, c := range []struct{ name, query, want string }{
		{"the method of a long class", "which requests are sent again after a timeout", "  Service.send  "},
		{"a text", "the timeout policy is old", "notes.md:3-3  Notes  "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, said := ask(code.SearchInput{Query: c.query, Budget: new(700)}); !strings.Contains(said, c.want) {
				t.Errorf("want %q in\n%s", c.want, said)
			}
		})
	}
}

// TestPassageNames holds that lines left out of the best file are named by the functions in them that have words
// of the question, and by no other.
func TestPassageNames(t *testing.T) {
	files := service()
	for i := range 30 {
		files["service.py"] += fmt.Sprintf("\n\ndef log_it%d(it):\n", i) + strings.Repeat("    keep(it)\n", 60) + "    keep(timeout)\n"
	}
	_, ask := piped(t, files)
	_, said := ask(code.SearchInput{Query: "which requests are sent again after a timeout", Budget: new(400)})
	var named []string
	for line := range strings.Lines(said) {
		if _, names, ok := strings.Cut(line, "…  "); ok && strings.ContainsFunc(names, unicode.IsLetter) {
			named = append(named, names)
		}
	}
	if all := strings.Join(named, " "); !strings.Contains(all, "log_it") || strings.Contains(all, "step") {
		t.Errorf("named is %q in\n%s", all, said)
	}
}
