package history

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/git"
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

// One commit that is alike counts for more than many that are a little alike, and for less where it changed many files.
func TestFilesCountOneAlike(t *testing.T) {
	commits := []string{"retry a request of the client: one.go", "draw a picture: alone.go", "draw a picture: wide.go a b c d e f g h"}
	for i := range 12 {
		commits = append(commits, fmt.Sprintf("retry number%d other matter entirely: many.go", i))
	}
	for i := range 200 {
		commits = append(commits, fmt.Sprintf("write page%d: page.go", i))
	}
	l := logOf(commits...)
	if got := best(l, "retry request client"); got != "one.go many.go" {
		t.Errorf("%q, want one.go before many.go", got)
	}
	if got := best(l, "draw picture"); !strings.HasPrefix(got, "alone.go ") {
		t.Errorf("%q, want alone.go first", got)
	}
}

func TestMaxCommits(t *testing.T) {
	b := newBuilder()
	for i := range maxCommits + 1 {
		b.add([]string{"word"}, []string{fmt.Sprint(i)})
	}
	if n := len(b.commits); n != maxCommits {
		t.Errorf("%d commits are kept, want %d", n, maxCommits)
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
	if _, err := Unpack([]byte{version, 1, 0, 1, 1, 'a', 0, 1, 1, 7, 0}); err == nil {
		t.Error("a commit with a term that the log lacks is taken for one")
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
	retry := git.PastChange{Subject: "retry a request", Files: []string{"retry.go"}}
	settings := git.PastChange{Subject: "read settings", Files: []string{"settings.go"}}
	page := git.PastChange{Subject: "draw a page", Files: []string{"page.go"}}
	branches := map[string][]git.PastChange{"first": {retry}, "second": {settings, retry}, "side": {page, retry}}
	leads := map[string]string{"second": "first", "side": "first"} // the commit before
	asked := ""
	reading := func(ctx context.Context, at string, old *Log) (*Log, error) {
		return read(ctx, at, old, func(since string, f func(git.PastChange)) error {
			asked += at + " since " + since + ". "
			all := branches[at]
			switch {
			case all == nil || since != "" && since != at && leads[at] != since:
				return git.ErrDiverged
			case since != "":
				all = all[:len(all)-len(branches[since])]
			}
			for _, c := range all {
				f(c)
			}
			return nil
		})
	}
	logs := map[string]*Log{}
	for at := range branches {
		l, err := reading(t.Context(), at, nil)
		if err != nil {
			t.Fatal(err)
		}
		logs[at] = l
	}
	for _, tt := range []struct{ name, at, from, asked string }{
		{"a commit further", "second", "first", "second since first. "},
		{"the same commit", "second", "second", "second since second. "},
		{"another branch", "side", "second", "side since second. side since . "},
		{"back in time", "first", "second", "first since second. first since . "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked = ""
			got, err := reading(t.Context(), tt.at, logs[tt.from])
			if err != nil || !bytes.Equal(got.Pack(), logs[tt.at].Pack()) || asked != tt.asked {
				t.Errorf("%+v, %v, asked %q; want %+v, asked %q", got, err, asked, logs[tt.at], tt.asked)
			}
		})
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	part, err := reading(ended, "second", logs["first"])
	if err != nil || part.Whole {
		t.Errorf("a reading that was ended is taken for whole: %v", err)
	}
	asked = ""
	if got, err := reading(t.Context(), "second", part); err != nil || !bytes.Equal(got.Pack(), logs["second"].Pack()) || asked != "second since . " {
		t.Errorf("a log that is not whole was continued: %+v, %v, asked %q", got, err, asked)
	}
	if _, err := reading(t.Context(), "gone", nil); err == nil {
		t.Error("a commit that is not there was read")
	}
}
