package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Within a few nights every target has had its turn, the first night's and the last.
func TestShare(t *testing.T) {
	var all []target
	for i := range 79 {
		all = append(all, target{"p", "Fuzz" + strconv.Itoa(i)})
	}
	for _, n := range []int{0, 1, 7, 20, 78, 79, 500} {
		had := map[target]bool{}
		each := min(max(n, 1), len(all))
		nights := (len(all) + each - 1) / each
		first := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
		for night := range nights + 1 {
			due := share(all, n, first.AddDate(0, 0, night))
			if len(due) != each {
				t.Fatalf("%d are due, want %d", len(due), each)
			}
			for _, d := range due {
				had[d] = true
			}
		}
		if len(had) != len(all) {
			t.Errorf("%d a night: after %d nights %d of %d had their turn", n, nights+1, len(had), len(all))
		}
	}
}

// A module with a target that fails and one that does not: the first is reported, and the
// second is run all the same. The first fails before it fuzzes, because on a busy machine
// no input may be tried in so short a time.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/x\n\ngo 1.26\n",
		"a_test.go": `package x

import "testing"

func FuzzBad(f *testing.F) { f.Fatal("found") }

func FuzzGood(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }

func FuzzyIsNone() {}
`,
		"other_windows_test.go": "//go:build never\n\npackage x\n\nimport \"testing\"\n\nfunc FuzzElsewhere(f *testing.F) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out bytes.Buffer
	o := options{each: 50 * time.Millisecond, match: regexp.MustCompile(""), parallel: 1, list: true}
	if _, err := run(t.Context(), o, nil, time.Now(), &out); err != nil || out.String() != "example.org/x FuzzBad\nexample.org/x FuzzGood\n" {
		t.Fatalf("the list is %q, %v", &out, err)
	}
	o.list = false
	out.Reset()
	failed, err := run(t.Context(), o, []string{"./..."}, time.Now(), &out)
	if err != nil || failed != 1 {
		t.Fatalf("%d failed, %v\n%s", failed, err, &out)
	}
	for _, want := range []string{"1 of 2: example.org/x FuzzBad\n", "2 of 2: example.org/x FuzzGood\n", "FAILED example.org/x FuzzBad\n", "2 targets, 50ms each: 1 failed\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	o.match = regexp.MustCompile("Nobody")
	if _, err := run(t.Context(), o, nil, time.Now(), &out); err == nil {
		t.Error("it is no error that nothing matches")
	}
}

// Source files are read as they are and changed, what has no language is not, and what is not
// read in time is named, kept and counted.
func TestTrees(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	for name, text := range map[string]string{"a.go": "package a\n\nfunc F() {}\n", "b.scala": "object B { def f = 1 }\n", "c.bin": "\x00\x01"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if slow, err := trees(&out, dir, 9, time.Minute); err != nil || slow != 0 || out.String() != "2 files, read 20 times, 0 not in time\n" {
		t.Errorf("%d are slow, %v:\n%s", slow, err, &out)
	}
	out.Reset()
	slow, err := trees(&out, dir, 0, 0)
	if err != nil || slow != 2 {
		t.Errorf("%d are slow, %v:\n%s", slow, err, &out)
	}
	kept := regexp.MustCompile(`(?m)b\.scala: change 0 .* kept as (\S+)$`).FindStringSubmatch(out.String())
	if kept == nil {
		t.Fatalf("none is kept:\n%s", &out)
	}
	if text, err := os.ReadFile(kept[1]); err != nil || string(text) != "object B { def f = 1 }\n" {
		t.Errorf("kept is %q, %v", text, err)
	}
}
