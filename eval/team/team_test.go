package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What is counted is what was asked after the start, an error is no latency, and the mix adds up.
func TestFigures(t *testing.T) {
	at := time.Unix(100, 0)
	var all []sample
	for i := range 100 {
		all = append(all, sample{tool: "a", at: at.Add(time.Duration(i) * time.Second), took: time.Duration(i) * time.Millisecond, none: i == 60})
	}
	all = append(all, sample{tool: "b", at: at.Add(time.Hour), err: errors.New("x"), took: time.Hour})
	f := figuresOf(all, "", at.Add(50*time.Second))
	if f.calls != 51 || len(f.took) != 50 || len(f.errors) != 1 || f.none != 1 || f.at(.5) != 75*time.Millisecond || f.at(1) != 99*time.Millisecond {
		t.Errorf("%+v: p50 %v", f, f.at(.5))
	}
	if b := figuresOf(all, "b", at); b.calls != 1 || b.at(.5) != 0 {
		t.Errorf("%+v", b)
	}
	sum := 0
	for _, h := range habits() {
		sum += h.often
	}
	if sum != 100 {
		t.Errorf("the mix is of %d", sum)
	}
}

// Users ask with their own tokens until the time is over, and what is no answer is an error.
func TestCrowd(t *testing.T) {
	answer := `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer bad" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(answer))
	}))
	defer s.Close()
	at := []place{{"one", pool{}}}
	at[0].pool = pool{names: []string{"Retry"}, words: []string{"asks again after some seconds have passed"}}
	all := crowd(context.Background(), options{think: 5 * time.Millisecond, time: 200 * time.Millisecond}, http.DefaultClient, s.URL, []user{{"good", at, "/a/b"}, {"bad", at, "/a/b"}})
	f := figuresOf(all, "", time.Time{})
	if len(f.took) < 5 || len(f.errors) < 5 || len(f.took)+len(f.errors) != f.calls {
		t.Errorf("%d answers, %d errors of %d", len(f.took), len(f.errors), f.calls)
	}
	for _, tc := range []struct {
		answer   string
		none, ok bool
	}{{`{"result":{"isError":true,"content":[{"text":"no function is called \"x\"; looked at 3 source files"}]}}`, true, true}, {`{"result":{"isError":true}}`, false, false}, {`{"error":{}}`, false, false}} {
		answer = tc.answer
		if none, err := ask(t.Context(), http.DefaultClient, s.URL, "good", 1, call{}); none != tc.none || (err == nil) != tc.ok {
			t.Errorf("%s: %v, %v", tc.answer, none, err)
		}
	}
}

// A tree is copied without what is hidden, and gives what may be asked for.
func TestCopyTree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	for name, text := range map[string]string{"a/x.go": "package x\n\n// Retry asks again after some seconds have passed since.\nfunc Retry() {}\n", ".git/config": "func Hidden() {}\n"} {
		if err := os.MkdirAll(filepath.Join(from, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, _, p, err := copyTree(from, to)
	if err != nil || files != 1 || len(p.names) != 1 || p.names[0] != "Retry" || len(p.words) != 1 {
		t.Errorf("%d files, %+v, %v", files, p, err)
	}
	if got := some(rand.New(rand.NewPCG(1, 1)), p.words[0]); got == "" { //nolint:gosec // a test
		t.Error("nothing is asked for")
	}
	if _, _, _, err := copyTree(to, filepath.Join(to, "again"), "nowhere"); err == nil {
		t.Error("a folder that is not there is copied")
	}
}

// Repositories of a size have each file of the trees once, and neither vendored nor hidden ones.
func TestFill(t *testing.T) {
	a, b, to := t.TempDir(), t.TempDir(), t.TempDir()
	text := "// Retry asks again after some seconds have passed since.\nfunc Retry() {}\n"
	for _, at := range []string{filepath.Join(a, "x.go"), filepath.Join(a, "vendor", "v.go"), filepath.Join(a, ".git", "c.go"), filepath.Join(b, "y.go"), filepath.Join(b, "z.go")} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := newFiller([]string{a, b})
	if err != nil || len(f.files) != 3 {
		t.Fatalf("%v, %v", f, err)
	}
	if err := f.fill(filepath.Join(to, "one"), 3); err != nil {
		t.Fatal(err)
	}
	files, lines, _, p, err := survey(filepath.Join(to, "one"))
	if err != nil || files != 2 || lines != 4 || len(p.names) != 2 {
		t.Errorf("%d files, %d lines, %+v, %v", files, lines, p, err)
	}
	if err := f.fill(filepath.Join(to, "two"), 3); err == nil {
		t.Error("a repository is filled with nothing")
	}
	if teams := ofSize(size{repositories: 3}); len(teams) != 2 || len(teams[0].places) != 2 || len(teams[1].places) != 1 {
		t.Errorf("%+v", teams)
	}
}

// What is kept is taken again where it was made with the same numbers, and complete.
func TestKept(t *testing.T) {
	o := options{keep: t.TempDir(), tree: "a,b", size: size{repositories: 2, lines: 10}}
	o.work = o.keep
	is := func(when string, o options, want, ok bool) {
		t.Helper()
		if kept, err := o.kept(); kept != want || (err == nil) != ok {
			t.Errorf("%s: %v, %v", when, kept, err)
		}
	}
	is("an empty folder", o, false, true)
	tokens := filepath.Join(o.work, "tokens.txt")
	if err := os.WriteFile(tokens, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	is("an incomplete one", o, false, false)
	if err := o.made(); err != nil {
		t.Fatal(err)
	}
	is("a complete one", o, true, true)
	if _, err := os.Stat(tokens); err == nil {
		t.Error("the tokens of former users are left")
	}
	o.size.lines++
	is("of other numbers", o, false, false)
}
