package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/eval/judged"
)

const queue = `package queue

// Push appends a job to the waiting line unless the line is full.
func Push(job string) bool {
	if len(line) == most {
		return false
	}
	line = append(line, job)
	return true
}

const most = 9

var line []string

func drain() {
	for len(line) > 0 {
		line = line[1:]
	}
}

func size() int { return len(line) }
`

// A history of two commits and a benchmark of two projects give all the sets, and what
// is there is not collected again.
func TestEvidence(t *testing.T) {
	tmp := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(tmp, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", filepath.Join(tmp, "tree"), "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write("tree/queue.go", queue)
	write("tree/other.go", "package queue\n\nfunc Sum(a, b int) int { return a + b }\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "first")
	parent := git("rev-parse", "HEAD")
	write("tree/queue.go", strings.Replace(queue, "9", "99", 1))
	git("commit", "-qam", "fix(queue): let more jobs wait in the line (#12)\n\nThe line was full too soon.\n\nSigned-off-by: a <a@b>")
	commit := git("rev-parse", "HEAD")
	git("clone", "-q", "--bare", ".", filepath.Join(tmp, "mirrors/a+b/repo"))
	line, _ := json.Marshal(map[string]any{"repo": "a+b", "commit": commit, "parent": parent, "files": []string{"queue.go"}})
	write("changes.jsonl", string(line)+"\n")
	// A project that is kept aside lies beside it.
	git("clone", "-q", "--bare", ".", filepath.Join(tmp, "mirrors/serde-rs+serde/repo"))
	write("bench/repos/x/push.py", "def push(job):\n    line.append(job)\n")
	write("bench/repos/y/sum.py", "def add(a, b):\n    return a + b\n")
	write("bench/manifest.json", `[{"name": "x", "source": "o/x", "index_dir": "repos/x"}, {"name": "y", "source": "o/y", "index_dir": "repos/y"}]`)
	write("bench/annotations/x.json", `[{"query": "append a job", "relevant": ["push.py"]}]`)
	write("bench/annotations/y.json", `[{"query": "add two numbers", "relevant": [{"path": "sum.py", "start_line": 1, "end_line": 2}]}]`)
	o := options{mirrors: filepath.Join(tmp, "mirrors"), changes: filepath.Join(tmp, "changes.jsonl"), data: filepath.Join(tmp, "bench"), out: filepath.Join(tmp, "out"), work: filepath.Join(tmp, "work"), most: 5}
	if err := o.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(o.out, "*serde*")); left != nil {
		t.Errorf("%v is of a project that is kept aside", left)
	}
	got := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(o.out, "*"))
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		pools, err := judged.ReadPools(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pools {
			right := ""
			for _, d := range p.Docs {
				if d.Right {
					right += " " + d.Path
				}
			}
			if len(p.Cands) != len(p.Chunks) || len(p.Terms) != len(p.Stats.DF) {
				t.Errorf("%+v", p)
			}
			got[p.Project+" "+p.Set] += p.Query + right + ";"
		}
	}
	for what, want := range map[string]string{
		"a+b subjects":  "let more jobs wait in the line queue.go;",
		"a+b changes":   "let more jobs wait in the line\nThe line was full too soon. queue.go;",
		"a+b comments":  "appends a job to the waiting line unless the line is full queue.go;",
		"o+x questions": "append a job push.py;",
		"o+x foreign":   "add two numbers;",
		"o+y foreign":   "append a job;",
		"o+y questions": "add two numbers sum.py;",
	} {
		if got[what] != want {
			t.Errorf("%s: %q, want %q", what, got[what], want)
		}
	}
	if err := os.WriteFile(files[0], nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := o.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(files[0]); err != nil || fi.Size() != 0 {
		t.Errorf("%s was collected again: %v", files[0], err)
	}
}

func TestSentence(t *testing.T) {
	for _, c := range []struct{ doc, name, want string }{
		{"// Push appends a job to the line. It is quick.", "Push", "appends a job to the line"},
		{"/**\n * Reads all of a file at once.\n * @param x what\n */", "read", "Reads all of a file at once"},
		{"// Push appends.", "Push", ""},
		{"# TODO: make this wait for all the others", "f", ""},
	} {
		got, ok := sentence(c.doc, c.name)
		if !ok {
			got = ""
		}
		if got != c.want {
			t.Errorf("sentence(%q, %s) = %q, want %q", c.doc, c.name, got, c.want)
		}
	}
}

// Neither questions of readers nor a benchmark may be of a project that is kept aside.
func TestKeptAside(t *testing.T) {
	if _, err := readReadings("testdata/read.jsonl"); err != nil {
		t.Error(err)
	}
	tmp := t.TempDir()
	for name, text := range map[string]string{
		"read.jsonl":           `{"project": "rails+rails"}`,
		"manifest.json":        `[{"name": "gin", "source": "gin-gonic/gin", "index_dir": "."}]`,
		"annotations/gin.json": "[]",
	} {
		name = filepath.Join(tmp, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := readReadings(filepath.Join(tmp, "read.jsonl")); err == nil || !strings.Contains(err.Error(), "rails/rails") {
		t.Errorf("questions to a project that is kept aside: %v", err)
	}
	o := options{data: tmp, out: t.TempDir()}
	if err := o.run(context.Background()); err == nil || !strings.Contains(err.Error(), "gin-gonic/gin") {
		t.Errorf("a benchmark of one: %v", err)
	}
}
