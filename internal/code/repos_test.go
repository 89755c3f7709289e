package code_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// The repositories of a workspace are listed with what became of each; one that cannot be
// fetched is the verdict of the whole and keeps none of the others.
func TestRepositories(t *testing.T) {
	top := folder(t, map[string]string{"api/a.go": "package a\n", "origin/o.go": "package o\n"})
	origin := filepath.Join(top, "origin")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "one"}} {
		c := exec.Command("git", append([]string{"-C", origin, "-c", "user.name=a", "-c", "user.email=a@a", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	file := filepath.Join(top, "w.yaml")
	if err := os.WriteFile(file, []byte("refresh: 90m\nrepositories:\n  - {path: api, exclude: [vendor]}\n  - {path: gone}\n  - {git: 'file://"+origin+"', name: lib, branch: main}\n  - {git: 'file://"+top+"/none', name: none}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := feature(t, workspace.New(workspace.Config{WorkDir: top, CacheDir: filepath.Join(top, "cache")}), code.Config{})
	ask := func(in code.ReposInput) (*code.Repositories, string, string) {
		t.Helper()
		in.File = file
		got, err := f.Repos(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		var said, lines bytes.Buffer
		if err := errors.Join(got.WriteText(&said, false), got.WriteLines(&lines)); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(lines.String(), "\n"); n != len(got.Repos) {
			t.Errorf("%d lines of %d repositories", n, len(got.Repos))
		}
		return got, strings.NewReplacer(top, "TOP").Replace(said.String()), lines.String()
	}
	state := func(got *code.Repositories) (out string) {
		for _, r := range got.Repos {
			out += r.Name + " " + r.State + "; "
		}
		return out
	}
	got, said, lines := ask(code.ReposInput{})
	if s := state(got); s != "api here; gone missing; lib not fetched; none not fetched; " || got.Verdict() != nil {
		t.Errorf("%s %v", s, got.Verdict())
	}
	for _, want := range []string{"api  here  TOP/api  in part\n", "gone  missing  TOP/gone\n", "lib  not fetched  TOP/cache/repos/", "  from file://TOP/origin main  every 1h30m0s\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q lacks %q", said, want)
		}
	}
	if !strings.Contains(lines, `"name":"api"`) || !strings.Contains(lines, `"partial":true`) {
		t.Errorf("lines %s", lines)
	}
	got, said, _ = ask(code.ReposInput{Fetch: true})
	if s := state(got); s != "api here; gone missing; lib fetched; none not fetched; " {
		t.Error(s)
	}
	if fault.KindOf(got.Verdict()) != fault.Unavailable || !regexp.MustCompile(`lib  fetched at [0-9a-f]{12}  TOP`).MatchString(said) {
		t.Errorf("%v\n%s", got.Verdict(), said)
	}
	if got, _, _ = ask(code.ReposInput{Repos: []string{"lib,api"}}); state(got) != "api here; lib fetched; " || got.Verdict() != nil {
		t.Errorf("two of them: %s", state(got))
	}
	if _, err := f.Repos(t.Context(), code.ReposInput{File: file, Repos: []string{"other"}}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("one that is not listed: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Repos(ended, code.ReposInput{File: file, Fetch: true}); err == nil {
		t.Error("a call that was ended lists what it fetched")
	}
}

// A watch tells what it indexed until whoever listens has enough, the call ends, or the folder
// is gone; it writes a line of each.
func TestWatch(t *testing.T) {
	for name, tt := range map[string]struct {
		then func(root string, stop context.CancelFunc) error
		kind fault.Kind
	}{
		"its listener is gone": {func(string, context.CancelFunc) error { return fault.New(fault.Stale, "no more") }, fault.Stale},
		"its call ends":        {func(_ string, stop context.CancelFunc) error { stop(); return nil }, 0},
		"its folder is gone":   {func(root string, _ context.CancelFunc) error { return os.RemoveAll(root) }, fault.NotFound},
	} {
		root := folder(t, map[string]string{"a.go": "package a\n"})
		f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
		ctx, stop := context.WithCancel(t.Context())
		told := 0
		err := f.Watch(ctx, code.WatchInput{}, func(e *code.WatchEvent) error {
			var said, line bytes.Buffer
			if err := errors.Join(e.WriteText(&said, false), e.WriteLines(&line)); err != nil {
				return err
			}
			if e.Changed != 1 || e.Removed != 0 || !strings.Contains(said.String(), "  1 changed, 0 removed, ") || !strings.Contains(line.String(), `"changed":1`) {
				t.Errorf("%s: told %s %s", name, &said, &line)
			}
			told++
			return tt.then(root, stop)
		})
		stop()
		if told != 1 || (err != nil) != (tt.kind != 0) || err != nil && fault.KindOf(err) != tt.kind {
			t.Errorf("%s: told %d times, %v", name, told, err)
		}
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var b bytes.Buffer
	if err := (&code.WatchEvent{Time: at, Error: "the disk is full"}).WriteText(&b, false); err != nil || b.String() != "03:04:05  the disk is full\n" {
		t.Errorf("an error is told as %q, %v", &b, err)
	}
}

// On a terminal what a pattern matched is bold and red, code has the colours of its words, and
// tabs are columns; without the colours it is what is shown without a terminal.
func TestColours(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "package a\n\n// Zebra runs.\nfunc Zebra() {\n\tif x := \"red\"; x != \"\" {\n\t\treturn\n\t}\n}\n"})
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
	colour := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, tt := range []struct {
		in   code.SearchInput
		want []string
	}{
		{code.SearchInput{Query: "Zeb|func", Regex: true, Context: 2}, []string{"\x1b[1m\x1b[31mfunc\x1b[0m \x1b[1m\x1b[31mZeb\x1b[0mra() {"}},
		{code.SearchInput{Query: "zebra runs"}, []string{"\x1b[2m// Zebra runs.\x1b[0m", "\x1b[34mfunc\x1b[0m Zebra() {", "    \x1b[34mif\x1b[0m x := \x1b[33m\"red\"\x1b[0m", "        \x1b[34mreturn\x1b[0m"}},
	} {
		a, err := f.Search(t.Context(), tt.in)
		if err != nil {
			t.Fatal(err)
		}
		var painted, plain bytes.Buffer
		if err := errors.Join(a.WriteText(&painted, true), a.WriteText(&plain, false)); err != nil {
			t.Fatal(err)
		}
		for _, want := range tt.want {
			if !strings.Contains(painted.String(), want) {
				t.Errorf("%q: %q lacks %q", tt.in.Query, &painted, want)
			}
		}
		if got, want := strings.Fields(colour.ReplaceAllString(painted.String(), "")), strings.Fields(plain.String()); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q: without colours\n%s\nwant\n%s", tt.in.Query, got, want)
		}
		if strings.Contains(plain.String(), "\x1b") {
			t.Errorf("colours where none are wanted: %q", &plain)
		}
	}
}
