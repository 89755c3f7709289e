package history

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
)

// logOf returns the log of commits, newest first: "subject: file file".
func logOf(commits ...string) *Log {
	b := newBuilder()
	for _, c := range commits {
		subject, files, _ := strings.Cut(c, ": ")
		b.add(subjectTerms(subject), strings.Fields(files))
	}
	return &Log{Commit: "c", Whole: true, terms: b.terms.all, paths: b.paths.all, commits: b.commits}
}

func query(words string) (out []corpus.Term) {
	for _, t := range subjectTerms(words) {
		out = append(out, corpus.Term{Text: t, Weight: 1})
	}
	return out
}

// best returns the files of a query, best first.
func best(l *Log, words string) string {
	files := l.Files(query(words))
	return strings.Join(slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(files[b], files[a]), cmp.Compare(a, b))
	}), " ")
}

func TestFiles(t *testing.T) {
	sweep := "retry a request in all files:"
	for i := range maxFiles + 1 {
		sweep += fmt.Sprintf(" swept%d", i)
	}
	l := logOf("retry a request that timed out: retry.go", "read settings of the server: settings.go server.go", "retry later: later.go other.go", "write the page: page.go",
		"request: request.go", sweep, strings.Repeat("x ", maxSubject)+"compress: long.go", "token AKIAIOSFODNN7EXAMPLEAKIAIOSFODNN7EXAMPLE12: key.go")
	for _, tt := range []struct{ name, words, want string }{
		{"the words of a subject", "a request is retried after a timeout", "retry.go request.go later.go other.go"},
		{"other words", "compress an image", ""},
		{"no words", "", ""},
		{"a commit of many files is left out", "retry all", "later.go other.go retry.go"},
		{"a subject's long word is no term", "AKIAIOSFODNN7EXAMPLEAKIAIOSFODNN7EXAMPLE12", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := best(l, tt.words); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	for file, s := range l.Files(query("retry a request that timed out")) {
		if s <= 0 || s > 1 || (s > .5) != (file == "retry.go") {
			t.Errorf("%s has %v", file, s)
		}
	}
}

func TestPack(t *testing.T) {
	l := logOf("one word: a.go b.go", "two words: b.go")
	b := l.Pack()
	got, err := Unpack(b)
	if err != nil || !bytes.Equal(got.Pack(), b) || best(got, "word") != best(l, "word") {
		t.Fatalf("%v, %v", got, err)
	}
	for i := range b {
		if _, err := Unpack(b[:i]); err == nil {
			t.Errorf("the first %d of %d bytes are taken for a log", i, len(b))
		}
	}
	if _, err := Unpack(append(b, 0)); err == nil {
		t.Error("a byte too many is taken for a log")
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(logOf("one word: a.go b.go", "two words: b.go").Pack())
	f.Add([]byte{version, 1, 0, 1, 1, 'a', 0, 1, 1, 7, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := Unpack(b); err == nil {
			l.Files(query("one two words"))
			if again, err := Unpack(l.Pack()); err != nil || !bytes.Equal(again.Pack(), l.Pack()) {
				t.Errorf("%q: %v", b, err)
			}
		}
	})
}

// A log that is continued finds the same as one that is read at once, also after a change of branch.
func TestReadContinues(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, n := t.TempDir(), 0
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(subject, file string) string {
		n++
		if err := os.WriteFile(filepath.Join(dir, file), fmt.Append(nil, n), 0o600); err != nil {
			t.Fatal(err)
		}
		run("add", "-A")
		run("commit", "-qm", subject)
		return run("rev-parse", "HEAD")
	}
	run("init", "-q", "-b", "main")
	first := commit("retry a request", "retry.go")
	second := commit("read settings", "settings.go")
	run("checkout", "-q", "-b", "side", first)
	side := commit("draw a page", "page.go")
	read := func(ctx context.Context, at string, old *Log) *Log {
		t.Helper()
		l, err := Read(ctx, dir, at, old)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	one := read(t.Context(), first, nil)
	for name, at := range map[string]string{"a commit further": second, "another branch": side, "the same": first} {
		old := one
		if at == side {
			old = read(t.Context(), second, one)
		}
		if got, want := read(t.Context(), at, old), read(t.Context(), at, nil); !bytes.Equal(got.Pack(), want.Pack()) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if l, err := Read(ended, dir, second, one); err != nil || l.Whole {
		t.Errorf("a reading that was ended is taken for whole: %v", err)
	}
	if _, err := Read(t.Context(), dir, strings.Repeat("1", 40), nil); err == nil {
		t.Error("a commit that is not there was read")
	}
}
