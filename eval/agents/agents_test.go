package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/safe"
)

var update = flag.Bool("update", false, "rewrite testdata/2026-11-29/table.txt")

// TestPublishedTable holds the published table: it must follow from the answers and calls beside it.
func TestPublishedTable(t *testing.T) {
	var got bytes.Buffer
	if err := runScore(t.Context(), nil, &got); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", published, "table.txt")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("the table is now\n%s\nwant\n%s", got.String(), want)
	}
}

// TestStudyIsWhole checks that each task has a truth, a project and, in the published run, an answer in each arm.
func TestStudyIsWhole(t *testing.T) {
	tasks, err := embedded[task]("tasks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	repos, err := embedded[repo]("repos.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	truths, err := embedded[truth]("truth.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range repos {
		known[r.Repo] = true
	}
	byID := map[string]truth{}
	for _, k := range truths {
		byID[k.ID] = k
	}
	for _, k := range tasks {
		if right, ok := byID[k.ID]; !ok || len(right.Files) == 0 || !known[k.Repo] {
			t.Errorf("task %s has no truth with files or no project", k.ID)
		}
	}
	answers, calls, err := readScored("")
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * len(tasks); len(answers) != want || len(calls) != want {
		t.Errorf("%d answers and %d records of calls, want %d of each", len(answers), len(calls), want)
	}
}

func TestGrade(t *testing.T) {
	localize := truth{Files: []string{"a/b.go", "c.go"}, Optional: []string{"d.go"}, Functions: []string{"Close"}}
	impact := truth{Files: []string{"a.go"}, Sites: map[string][]int{"a.go": {10, 20}}, Tests: []string{"a_test.go"},
		TestSites: map[string][]int{"a_test.go": {5}}}
	understand := truth{Files: []string{"a/b.go"}, Facts: []fact{{"one", []string{"a/b.go:100"}}, {"two", []string{"a/b.go:500"}}}}
	tests := []struct {
		name   string
		truth  truth
		answer answer
		want   values
	}{
		{"all right", localize, answer{Files: []string{"./a/b.go:3", "c.go"}, Functions: []string{"pkg.(*T).x", "T::Close(int)"}},
			values{filesFound: 1, filesRight: 1, firstRight: 1, functionFound: 1}},
		{"optional files cost nothing", localize, answer{Files: []string{"d.go", "c.go"}},
			values{filesFound: .5, filesRight: 1, firstRight: 0, functionFound: 0}},
		{"wrong files cost", localize, answer{Files: []string{"c.go", "x.go"}, Functions: []string{"CloseAll"}},
			values{filesFound: .5, filesRight: .5, firstRight: 1, functionFound: 0}},
		{"no answer", localize, answer{}, values{filesFound: 0, filesRight: 0, firstRight: 0, functionFound: 0}},
		{"lines", impact, answer{Files: []string{"a.go:9,21-22", "a_test.go:L5"}},
			values{filesFound: 1, filesRight: 1, firstRight: 1, sitesFound: 1, testsFound: 1}},
		{"lines beside", impact, answer{Files: []string{"a.go:8, 22"}},
			values{filesFound: 1, filesRight: 1, firstRight: 1, sitesFound: 0, testsFound: 0}},
		{"a range over half of the file names no line", impact, answer{Files: []string{"a.go:1-500"}},
			values{filesFound: 1, filesRight: 1, firstRight: 1, sitesFound: 0, testsFound: 0}},
		{"places in the list and in the text", understand, answer{Files: []string{"a/b.go:90"}, Facts: "2. so it is (b.go:480-511)"},
			values{filesFound: 1, filesRight: 1, firstRight: 1, factsFound: 1}},
		{"places of another file", understand, answer{Files: []string{"a/b.go"}, Facts: "1. (xb.go:100) 2. (b.gox:500) 3. 500"},
			values{filesFound: 1, filesRight: 1, firstRight: 1, factsFound: 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := grade(tt.truth, tt.answer)
			if len(got) != len(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			for m, want := range tt.want {
				if math.Abs(got[m]-want) > 1e-9 {
					t.Errorf("%s: got %v, want %v", m, got[m], want)
				}
			}
		})
	}
}

// TestScoreRepetitions checks that repetitions are averaged, that calls without an answer are a wrong answer, and that a
// task of one arm alone is in no row.
func TestScoreRepetitions(t *testing.T) {
	answers := []answer{
		{ID: "niri-2", Arm: textArm, Files: []string{"src/layout/workspace.rs"}},
		{ID: "niri-2", Arm: assayArm, Run: 1, Files: []string{"src/layout/workspace.rs"}},
		{ID: "niri-1", Arm: textArm},
	}
	calls := []call{
		{Arm: textArm, Task: "niri-2", Calls: 1, Bytes: 100}, {Arm: textArm, Task: "niri-2", Calls: 1, Bytes: 50},
		{Arm: assayArm, Task: "niri-2", Run: 1, Calls: 1, Bytes: 400}, {Arm: assayArm, Task: "niri-2", Run: 2, Calls: 5, Bytes: 600},
	}
	got, err := score(answers, calls)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Tasks) != 1 || len(got.Missing) != 23 {
		t.Fatalf("%d tasks and %d missing, want 1 and 23", len(got.Tasks), len(got.Missing))
	}
	text, assay := got.Tasks[0].Text, got.Tasks[0].Assay
	if text[callCount] != 2 || text[byteCount] != 150 || text[filesFound] != 1 {
		t.Errorf("text: %v", text)
	}
	if assay[callCount] != 3 || assay[byteCount] != 500 || assay[filesFound] != .5 {
		t.Errorf("assay: %v", assay)
	}
	if len(got.MoreCalls) != 1 || len(got.MoreBytes) != 1 {
		t.Errorf("more calls in %v, more bytes in %v, want niri-2 in both", got.MoreCalls, got.MoreBytes)
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
}

func TestIntervalOf(t *testing.T) {
	got := intervalOf([]float64{1, 2, 3, 4, 5}) // 3 ± 2.776 · 1.5811 / √5
	if math.Abs(got.Mean-3) > 1e-9 || math.Abs(*got.Low-1.037) > .001 || math.Abs(*got.High-4.963) > .001 {
		t.Errorf("got %v (%v to %v), want 3 (1.037 to 4.963)", got.Mean, *got.Low, *got.High)
	}
	if one := intervalOf([]float64{7}); one.Low != nil || one.Mean != 7 {
		t.Errorf("a single pair has the interval %v", one)
	}
	for df, want := range map[int]float64{1: 12.706, 10: 2.228, 11: 2.201, 23: 2.069, 60: 2.000} {
		if got := studentT(df); math.Abs(got-want) > .001 {
			t.Errorf("studentT(%d) = %.4f, want %.3f", df, got, want)
		}
	}
}

// studyDir returns a folder with trees of two small files, a file outside them and a link to it.
func studyDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, arm := range arms() {
		tree := treeDir(dir, arm, "niri")
		for name, text := range map[string]string{"src/a.rs": "one\ntwo\nthree\nfour\nfive\n", "src/big.rs": strings.Repeat("0123456789\n", 4000),
			".assay/index/owner": "x\n", "../outside": "secret\n"} {
			name = filepath.Join(tree, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(filepath.Join("..", "outside"), filepath.Join(tree, "link")); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// newLooker returns a looker for a small tree, and the folder of its records.
func newLooker(t *testing.T, arm string) (*looker, *safe.Root) {
	t.Helper()
	dir := studyDir(t)
	l := &looker{dir: dir, outDir: filepath.Join(dir, "out"), arm: arm}
	if err := l.complete("niri-1"); err != nil {
		t.Fatal(err)
	}
	out, err := safe.OutputFolder(l.outDir, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	return l, out
}

func TestRefusal(t *testing.T) {
	tests := []struct {
		arm, args, want string // want: a part of the reason; "": allowed
	}{
		{textArm, "rg -n -g *.rs fn src", ""},
		{textArm, "rg -e -f src", ""},
		{textArm, "rg -gfoo x", ""},
		{textArm, "rg /no/such/place src", ""},
		{textArm, "rg -nf list x", "-nf"},
		{textArm, "rg -L x", "-L"},
		{textArm, "rg --pre=cat x", "--pre"},
		{textArm, "rg -- --pre", ""},
		{textArm, "rg x ../outside", "outside"},
		{textArm, "rg x link", "outside"},
		{textArm, "rg x /", "outside"},
		{textArm, "ls src", ""},
		{textArm, "ls ~", "outside"},
		{textArm, "find . -name *.rs -size -3k", ""},
		{textArm, "find . -exec id ;", "-exec"},
		{textArm, "find . -delete", "-delete"},
		{textArm, "sed -n 1,3p;5p src/a.rs", ""},
		{textArm, "sed -n $p src/a.rs", "read only as"},
		{textArm, "sed -n 1e src/a.rs", "read only as"},
		{textArm, "sed -i 1d src/a.rs", "read only as"},
		{textArm, "sed 1,2p src/a.rs", "read only as"},
		{textArm, "cat src/a.rs", ""},
		{textArm, "cat", "read only as"},
		{textArm, "refs a", "not allowed"},
		{textArm, "sh -c id", "not allowed"},
		{assayArm, "refs a --no-tests", ""},
		{assayArm, "search where --path src", ""},
		{assayArm, "search where --root=/", "--root"},
		{assayArm, "search where -root /", "-root"},
		{assayArm, "search where --path=../outside", "outside"},
		{assayArm, "impact --diff HEAD~1", "--diff"},
		{assayArm, "sed -n 1,2p .assay/index/owner", "outside"},
		{assayArm, "index", "not allowed"},
		{assayArm, "cat src/a.rs", "not allowed"},
		{assayArm, "rg x", "not allowed"},
	}
	lookers := map[string]*looker{}
	for _, arm := range arms() {
		lookers[arm], _ = newLooker(t, arm)
	}
	for _, tt := range tests {
		t.Run(tt.arm+" "+strings.ReplaceAll(tt.args, "/", "|"), func(t *testing.T) {
			got := lookers[tt.arm].refusal(strings.Fields(tt.args))
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want a reason with %q", got, tt.want)
			}
		})
	}
}

func TestLook(t *testing.T) {
	l, out := newLooker(t, textArm)
	look := func(args ...string) (string, error) {
		var w bytes.Buffer
		err := l.look(t.Context(), out, args, &w)
		return w.String(), err
	}
	if got, err := look("sed", "-n", "2,3p;5p", "src/a.rs"); got != "two\nthree\nfive\n" || err != nil {
		t.Errorf("sed printed %q, %v", got, err)
	}
	if got, err := look("cat", "src/big.rs"); len(got) < maxBytes || len(got) > maxBytes+100 || err != nil {
		t.Errorf("cat printed %d bytes, %v", len(got), err)
	}
	if got, err := look("cat", "link"); got != "" || err == nil {
		t.Errorf("a link out of the tree: %q, %v", got, err)
	}
	for range maxCalls - 2 {
		if _, err := look("cat", "src/a.rs"); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := look("cat", "src/a.rs"); got != "" || err == nil || !strings.Contains(err.Error(), "15 calls") {
		t.Errorf("call 16: %q, %v", got, err)
	}
	l.run = 1 // another repetition has calls of its own
	if got, err := look("cat", "src/a.rs"); got == "" || err != nil {
		t.Errorf("another repetition: %q, %v", got, err)
	}
	calls, err := readRun[call](out, callsFile)
	if err != nil {
		t.Fatal(err)
	}
	n, refused := 0, 0
	for _, c := range calls {
		n += c.Calls
		if c.Refused != "" {
			refused++
		}
	}
	if n != maxCalls+1 || refused != 2 || calls[0].Bytes != 15 {
		t.Errorf("%d calls, %d refused, first of %d bytes; want %d, 2, 15", n, refused, calls[0].Bytes, maxCalls+1)
	}
}

// TestExportTree checks that a tree has every file, also those that an archive of the project would lack, and no .git.
func TestExportTree(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org",
			"-c", "commit.gpgSign=false"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	for name, text := range map[string]string{".gitattributes": "tests export-ignore\n", "tests/a.txt": "a\n", "b.txt": "b\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("add", ".")
	git("commit", "-qm", "x")
	tree := filepath.Join(t.TempDir(), "trees", "a")
	if err := exportTree(t.Context(), filepath.Join(dir, ".git"), git("rev-parse", "HEAD"), tree); err != nil {
		t.Fatal(err)
	}
	list, err := filepath.Glob(filepath.Join(tree, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(tree, "tests", "a.txt")); string(got) != "a\n" || err != nil {
		t.Errorf("tests/a.txt is %q, %v", got, err)
	}
	if _, err := os.Lstat(filepath.Join(tree, ".git")); !os.IsNotExist(err) || len(list) != 3 {
		t.Errorf("the tree has %v, and of .git: %v", list, err)
	}
	if err := os.WriteFile(filepath.Join(tree, "b.txt"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := exportTree(t.Context(), filepath.Join(dir, ".git"), "HEAD", tree); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(filepath.Join(tree, "b.txt")); string(got) != "mine\n" || err != nil {
		t.Errorf("a tree that was there was written over: %q, %v", got, err)
	}
}
