package git

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/testaid"
)

// origin makes a repository with two commits, of which the first has the tag v1 and the
// second is what the branch main is at.
func origin(t *testing.T) string {
	t.Helper()
	needGit(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "page.md"), "one")
	write(t, filepath.Join(dir, "img/logo.png"), "picture")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "one", "--date", "2026-01-02T03:04:05Z")
	git(t, dir, "tag", "v1")
	write(t, filepath.Join(dir, "page.md"), "two")
	git(t, dir, "commit", "-qam", "two")
	return dir
}

func text(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// A clone has the newest commit of what was asked for, and none of the files that are no
// text; what is on this machine is cloned only where the user named it.
func TestClone(t *testing.T) {
	from := origin(t)
	head, tag := git(t, from, "rev-parse", "HEAD"), git(t, from, "rev-parse", "v1")
	for _, url := range []string{from, "file://" + filepath.ToSlash(from)} {
		ctx := AllowLocal(t.Context(), url)
		for _, tt := range []struct{ ref, branch, commit, page string }{{"", "main", head, "two"}, {"main", "main", head, "two"}, {"v1", "", tag, "one"}} {
			dir := filepath.Join(t.TempDir(), "deep", "clone")
			c, err := Clone(ctx, url, tt.ref, dir)
			if err != nil || c.Branch != tt.branch || c.Commit != tt.commit || c.Date.IsZero() {
				t.Fatalf("Clone(%s, %q) = %+v, %v", url, tt.ref, c, err)
			}
			if got := text(filepath.Join(dir, "page.md")); got != tt.page {
				t.Errorf("%q: page.md is %q, want %q", tt.ref, got, tt.page)
			}
			if _, err := os.Stat(filepath.Join(dir, "img")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%q: the picture is there: %v", tt.ref, err)
			}
			if n := git(t, dir, "rev-list", "--count", "--all"); url != from && n != "1" { // git copies a path whole
				t.Errorf("%q: %s commits came", tt.ref, n)
			}
		}
		if _, err := Clone(ctx, url, "gone", filepath.Join(t.TempDir(), "c")); !errors.Is(err, ErrNoRef) {
			t.Errorf("a branch that is not there: %v", err)
		}
		if _, err := Clone(t.Context(), url, "", filepath.Join(t.TempDir(), "c")); err == nil {
			t.Error("a repository on this machine was cloned that the user did not name")
		}
	}
	refs, first, err := Refs(AllowLocal(t.Context(), from), from)
	if err != nil || first != "main" || len(refs) != 2 || refs[0] != (Ref{Name: "main", Commit: head}) || refs[1] != (Ref{Name: "v1", Commit: tag, Tag: true}) {
		t.Errorf("Refs = %+v, %q, %v", refs, first, err)
	}
	// A tag that is an object of its own is at the commit that it names.
	git(t, from, "tag", "-a", "-m", "x", "v2", "v1")
	if refs, _, err = Refs(AllowLocal(t.Context(), from), from); err != nil || len(refs) != 3 || refs[2] != (Ref{Name: "v2", Commit: tag, Tag: true}) {
		t.Errorf("Refs of an annotated tag = %+v, %v", refs, err)
	}
	empty := t.TempDir()
	git(t, empty, "init", "-q")
	if _, err := Clone(AllowLocal(t.Context(), empty), empty, "", filepath.Join(t.TempDir(), "c")); err == nil {
		t.Error("a repository without a commit was cloned")
	}
}

// A clone is brought to the newest commit, whatever was changed in it, also from another
// address; where that cannot be had it stays as it is.
func TestRenew(t *testing.T) {
	from := origin(t)
	ctx, dir := AllowLocal(t.Context(), from), filepath.Join(t.TempDir(), "clone")
	if _, err := Clone(ctx, from, "", dir); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(from, "page.md"), "three")
	write(t, filepath.Join(from, "new.md"), "new")
	write(t, filepath.Join(from, "new.png"), "picture")
	git(t, from, "add", "-A")
	git(t, from, "commit", "-qm", "three")
	head := git(t, from, "rev-parse", "HEAD")
	write(t, filepath.Join(dir, "page.md"), "changed here")
	write(t, filepath.Join(dir, "new.md"), "in the way")
	moved := from + "-moved"
	if err := os.Rename(from, moved); err != nil {
		t.Fatal(err)
	}
	if _, err := Renew(ctx, from, "", dir); err == nil || text(filepath.Join(dir, "page.md")) != "changed here" {
		t.Errorf("from a repository that is gone: %v, page.md is %q", err, text(filepath.Join(dir, "page.md")))
	}
	c, err := Renew(ctx, moved, "", dir)
	if err != nil || c.Commit != head || text(filepath.Join(dir, "page.md")) != "three" || text(filepath.Join(dir, "new.md")) != "new" {
		t.Errorf("Renew = %+v, %v: page.md %q, new.md %q", c, err, text(filepath.Join(dir, "page.md")), text(filepath.Join(dir, "new.md")))
	}
	if _, err := os.Stat(filepath.Join(dir, "new.png")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a picture came: %v", err)
	}
	if c, err := Renew(ctx, moved, "v1", dir); err != nil || c.Commit != git(t, moved, "rev-parse", "v1") || text(filepath.Join(dir, "page.md")) != "one" {
		t.Errorf("Renew to a tag = %+v, %v", c, err)
	}
	if _, err := Renew(ctx, moved, "gone", dir); !errors.Is(err, ErrNoRef) || text(filepath.Join(dir, "page.md")) != "one" {
		t.Errorf("Renew to a branch that is not there: %v", err)
	}
	for _, bad := range []struct{ url, ref string }{{"-x", ""}, {"", ""}, {moved, "-x"}, {moved, "a\nb"}, {"ext::sh -c true", ""}} {
		if _, err := Renew(ctx, bad.url, bad.ref, dir); err == nil {
			t.Errorf("Renew(%q, %q) took it", bad.url, bad.ref)
		}
		if _, err := Clone(ctx, bad.url, bad.ref, filepath.Join(t.TempDir(), "c")); err == nil {
			t.Errorf("Clone(%q, %q) took it", bad.url, bad.ref)
		}
	}
}

// An address in which git would read the name of a program is refused, even if it looks like an address otherwise.
func TestCheckWord(t *testing.T) {
	for word, ok := range map[string]bool{
		"https://host.example/a/b": true, "ssh://git@[::1]:22/a": true, "git@host.example:a/b.git": true, "git@[::1]:a": true, "https://[fe80::1]/a": true, "/a/b::c": true, "main": true,
		"": false, "-x": false, "--upload-pack=x": false, "a\x00b": false, "a\nb": false, "a\rb": false,
		"ext::sh -c true": false, "ext::sh -c true https://[x": false, "transport.x+y-1::http://a": false, "::x": false,
	} {
		t.Run(word, func(t *testing.T) {
			if err := checkWord(word); (err == nil) != ok {
				t.Errorf("checkWord(%q) = %v", word, err)
			}
		})
	}
}

// A message of git becomes the error that it describes, without its passwords.
func TestRemoteError(t *testing.T) {
	rejected := errors.New("the remote rejected the push: hook declined")
	for message, want := range map[string]error{
		"fatal: Remote branch x not found in upstream origin":                            ErrNoRef,
		"fatal: couldn't find remote ref x":                                              ErrNoRef,
		"remote: Repository not found.\nfatal: repository 'https://h/a/' not found":      ErrPrivate,
		"fatal: could not read Username for 'https://h': terminal prompts disabled":      ErrPrivate,
		"git@h: Permission denied (publickey).\nfatal: Could not read from remote":       ErrPrivate,
		"To h\n ! [rejected]  main -> main (fetch first)\nerror: failed to push":         ErrMoved,
		"warning: x\nfatal: Authentication failed for 'https://h/a/'":                    ErrPrivate,
		"To h\n ! [remote rejected] main -> main (hook declined)\nerror: failed to push": rejected,
	} {
		t.Run(message, func(t *testing.T) {
			if got := remoteError(message); got.Error() != want.Error() {
				t.Errorf("remoteError(%q) = %v, want %v", message, got, want)
			}
		})
	}
	if got := remoteError("error: first of https://me:ghp_16C7e42F292c6912E7710c838347Ae178B4a@h/a\nfatal: second").Error(); !strings.HasPrefix(got, "first of") || strings.Contains(got, "ghp_") {
		t.Errorf("remoteError = %q", got)
	}
	if got := remoteError(" \n").Error(); got != "git failed without a message" {
		t.Errorf("remoteError of nothing = %q", got)
	}
	b := &headBuffer{}
	for range 3 {
		if n, err := b.Write(make([]byte, maxErrors-1)); n != maxErrors-1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if len(b.String()) != maxErrors {
		t.Errorf("%d bytes were kept of what git says", len(b.String()))
	}
}

// A patch is of what is below the folder, to a commit or to the work tree, and no longer
// than it may be; a repository's configuration does not change its form.
func TestPatch(t *testing.T) {
	dir := origin(t)
	for key, value := range map[string]string{"diff.noprefix": "true", "color.diff": "always", "diff.external": "false", "diff.mnemonicPrefix": "true"} {
		git(t, dir, "config", key, value)
	}
	write(t, filepath.Join(dir, "page.md"), "three\n")
	write(t, filepath.Join(dir, "img/note.md"), "x\n")
	git(t, dir, "add", "img/note.md")
	first, err := Commit(t.Context(), dir, "v1")
	if err != nil {
		t.Fatal(err)
	}
	second, _ := Commit(t.Context(), dir, "HEAD")
	has := func(root, to string, limit int, want ...string) {
		t.Helper()
		got, err := Patch(t.Context(), root, first, to, limit)
		if err != nil || len(got) > limit || strings.Count(got, "diff --git") != len(want)-1 {
			t.Errorf("%q, %v", got, err)
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("to %q: %q lacks %q", to, got, w)
			}
		}
	}
	has(dir, second, 1<<20, "--- a/page.md\n+++ b/page.md\n", "-one\n\\ No newline at end of file\n+two")
	has(dir, "", 1<<20, "+three\n", "+++ b/img/note.md\n", "--- a/page.md\n")
	has(filepath.Join(dir, "img"), "", 1<<20, "+++ b/note.md\n", "+x\n")
	has(dir, second, 20, "diff --git a/page.md", "")
	if _, err := Patch(t.Context(), t.TempDir(), first, "", 100); !errors.Is(err, ErrNone) {
		t.Errorf("of no repository: %v", err)
	}
	if got, err := Patch(t.Context(), dir, strings.Repeat("0", 40), "", 100); err == nil {
		t.Errorf("from a commit that is not there: %q", got)
	}
}

// The address of a work tree is its own configuration's alone.
func TestOrigin(t *testing.T) {
	dir := origin(t)
	home := t.TempDir()
	write(t, filepath.Join(home, ".gitconfig"), "[remote \"origin\"]\n\turl = https://elsewhere.example/\n")
	t.Setenv("HOME", home)
	if got := Origin(t.Context(), dir); got != "" {
		t.Errorf("without one: %q", got)
	}
	git(t, dir, "config", "remote.origin.url", "https://host.example/a.git")
	if got := Origin(t.Context(), filepath.Join(dir, "img")); got != "https://host.example/a.git" {
		t.Errorf("Origin = %q", got)
	}
	if got := Origin(t.Context(), t.TempDir()); got != "" {
		t.Errorf("of no repository: %q", got)
	}
}

// More files than a comparison has are an error, not a part of them.
func TestBound(t *testing.T) {
	var out []byte
	for range maxChanges {
		out = append(out, "M\x00a\x00"...)
	}
	if got, err := parseStatuses(out); err != nil || len(got) != maxChanges {
		t.Errorf("%d, %v", len(got), err)
	}
	if _, err := parseStatuses(append(out, "M\x00a\x00"...)); err == nil {
		t.Error("one more than the most was taken")
	}
	if _, err := parseStatuses([]byte("R100\x00a\x00")); err == nil {
		t.Error("half a rename was taken")
	}
	if got, err := parseStatuses([]byte("C100\x00a\x00b\x00")); err != nil || len(got) != 1 || got[0] != (Change{Kind: 'A', Path: "b"}) {
		t.Errorf("a copy: %+v, %v", got, err)
	}
}

// A mirror lends its folder, in which a caller keeps a file of its own.
func TestMirrorRoot(t *testing.T) {
	needGit(t)
	m := mirror(t, filepath.Join(t.TempDir(), "m"))
	if err := m.Root().Write("state", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	commit(t, m, "", map[string]string{"a.md": "one"})
	if b, err := mirror(t, m.dir).Root().ReadFile("state", 10); string(b) != "x" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	out := &cappedBuffer{max: 4}
	if _, err := out.Write([]byte("1234")); err != nil || out.exceeded {
		t.Errorf("what fits: %v", err)
	}
	if _, err := out.Write([]byte("5")); err == nil || !out.exceeded || string(out.Bytes()) != "1234" {
		t.Errorf("what does not: %v, %q", err, out.Bytes())
	}
	if _, err := m.Commit(t.Context(), strings.Repeat("0", 40), "x", time.Unix(1.7e9, 0), []string{"x"}, func(string) (TreeChange, error) { return TreeChange{}, nil }); err == nil {
		t.Error("a commit after one that is not there")
	}
}

// TestCloneBomb holds that a small repository cannot fill the disk.
func TestCloneBomb(t *testing.T) {
	needGit(t)
	from := t.TempDir()
	git(t, from, "init", "-q")
	write(t, filepath.Join(from, "a"), strings.Repeat("a", 1<<23))
	git(t, from, "add", ".")
	git(t, from, "commit", "-q", "-m", "a")
	git(t, from, "tag", "large")
	tree := git(t, from, "rev-parse", "HEAD^{tree}")
	for range 4 {
		git(t, from, "read-tree", "--empty")
		for _, name := range strings.Fields("a b c d e f g h i j k l m n o p q r s t") {
			git(t, from, "read-tree", "--prefix="+name+"/", tree)
		}
		if tree = git(t, from, "write-tree"); len(git(t, from, "ls-files")) > 50_000 {
			break
		}
	}
	git(t, from, "tag", "many", git(t, from, "commit-tree", "-m", "many", tree))
	url := "file://" + filepath.ToSlash(from)
	for ref, most := range map[string]cloneLimits{"large": {10, 1 << 22}, "many": {1000, 1 << 40}} {
		dir := filepath.Join(t.TempDir(), "clone")
		if _, err := most.clone(AllowLocal(t.Context(), url), url, ref, dir, false); !errors.Is(err, ErrLarge) {
			t.Errorf("%s: %v", ref, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: half a clone is left: %v", ref, err)
		}
	}
	if _, err := (cloneLimits{10, 1 << 25}).clone(AllowLocal(t.Context(), url), url, "large", filepath.Join(t.TempDir(), "clone"), false); err != nil {
		t.Error(err)
	}
	if err := defaultLimits.checkFileCount(t.Context(), from, "nosuch"); err == nil {
		t.Error("what cannot be counted is few")
	}
	theirs := filepath.Join(t.TempDir(), "clone") // of another who was first
	write(t, filepath.Join(theirs, "page.md"), "theirs")
	if _, err := Clone(AllowLocal(t.Context(), url), url, "large", theirs); err == nil || text(filepath.Join(theirs, "page.md")) != "theirs" {
		t.Errorf("a clone of another is gone: %v", err)
	}
	within, stop := cloneLimits{10, 1 << 22}.watchSize(t.Context(), from, time.Millisecond)
	defer stop()
	<-within.Done()
	if err := context.Cause(within); !errors.Is(err, ErrLarge) {
		t.Errorf("watched ends with %v", err)
	}
}

// TestCloneRunsNothing holds that a repository on this machine that lacks a part reaches nobody for it: how, it would say
// itself.
func TestCloneRunsNothing(t *testing.T) {
	needGit(t)
	from := t.TempDir()
	git(t, from, "init", "-q")
	write(t, filepath.Join(from, "page.md"), "one")
	git(t, from, "add", ".")
	git(t, from, "commit", "-q", "-m", "a")
	blob := git(t, from, "rev-parse", "HEAD:page.md")
	if err := os.Remove(filepath.Join(from, ".git/objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "ran")
	bait := filepath.Join(t.TempDir(), "program")
	testaid.WriteProgram(t, bait, []byte("#!/bin/sh\necho \"$0 $*\" >>"+mark+"\n"))
	for key, value := range map[string]string{"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin", "remote.origin.promisor": "true",
		"core.gitProxy": bait, "core.sshCommand": bait, "uploadpack.allowFilter": "true", "protocol.ext.allow": "always"} {
		git(t, from, "config", key, value)
	}
	for _, remote := range []string{"git://localhost/x", "ssh://localhost/x", "ext::" + bait} {
		git(t, from, "config", "remote.origin.url", remote)
		// The bait works: who lets git fetch what is not there runs the program.
		unprotected(t, t.TempDir(), "clone", "-q", "file://"+filepath.ToSlash(from), filepath.Join(t.TempDir(), "clone"))
		if err := os.Remove(mark); err != nil {
			t.Fatalf("%s: git runs nothing: %v", remote, err)
		}
		for _, url := range []string{from, "file://" + filepath.ToSlash(from)} {
			if _, err := Clone(AllowLocal(t.Context(), url), url, "", filepath.Join(t.TempDir(), "clone")); err == nil && url != from { // git copies a path as it is
				t.Errorf("%s: cloned without a part", url)
			}
			if ran, err := os.ReadFile(mark); err == nil {
				t.Errorf("%s: git ran %s", url, ran)
				_ = os.Remove(mark)
			}
		}
		Head(t.Context(), from)
		if ran, err := os.ReadFile(mark); err == nil {
			t.Errorf("Head: git ran %s", ran)
		}
	}
}

// unprotected runs git as somebody would who lets it do all that a repository says; it may well fail.
func unprotected(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=0", "GIT_ALLOW_PROTOCOL=file:git:ssh:ext")
	_ = cmd.Run()
}

// TestCloneTwice holds that of several clones into one folder one gets there, whole, and that nothing else is left.
func TestCloneTwice(t *testing.T) {
	from := origin(t)
	up := t.TempDir()
	dir := filepath.Join(up, "clone")
	old := filepath.Join(up, ".clone.assay-1") // of one that was killed
	write(t, filepath.Join(old, "half/a"), "a")
	if err := os.Chtimes(old, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 4)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = Clone(AllowLocal(t.Context(), from), from, "", dir) })
	}
	all.Wait()
	got := 0
	for _, err := range errs {
		if err == nil {
			got++
		}
	}
	if left, err := os.ReadDir(up); got != 1 || err != nil || len(left) != 1 || text(filepath.Join(dir, "page.md")) != "two" {
		t.Errorf("%d cloned (%v); there are %v, %v", got, errs, left, err)
	}
	if commit, ok := Head(t.Context(), dir); !ok || commit != git(t, from, "rev-parse", "HEAD") {
		t.Errorf("the clone is at %q", commit)
	}
}

// TestRenewGrown holds that what earlier commits left in a clone does not make it too large for ever, and that a commit that
// is too large leaves the clone as it was.
func TestRenewGrown(t *testing.T) {
	from := origin(t)
	url := "file://" + filepath.ToSlash(from)
	ctx, dir := AllowLocal(t.Context(), url), filepath.Join(t.TempDir(), "clone")
	most := cloneLimits{10, 5 << 20}
	if _, err := most.clone(ctx, url, "", dir, false); err != nil {
		t.Fatal(err)
	}
	random := func(n int) string {
		b := make([]byte, n)
		_, _ = rand.Read(b) // it does not fail
		return string(b)
	}
	for i := range 6 {
		write(t, filepath.Join(from, "page.md"), random(1<<20))
		git(t, from, "commit", "-qam", "next")
		c, err := most.renew(ctx, url, "", dir)
		if err != nil || c.Commit != git(t, from, "rev-parse", "HEAD") || text(filepath.Join(dir, "page.md")) != text(filepath.Join(from, "page.md")) {
			t.Fatalf("renewed %d times: %+v, %v", i+1, c, err)
		}
	}
	// What a process left that was killed long ago holds nobody up; what one has now does.
	lock := filepath.Join(dir, ".git", "shallow.lock")
	write(t, lock, "")
	if _, err := most.renew(ctx, url, "", dir); err == nil {
		t.Error("a lock that another has was taken")
	}
	if err := os.Chtimes(lock, time.Time{}, time.Now().Add(-3*cloneTimeout)); err != nil {
		t.Fatal(err)
	}
	if _, err := most.renew(ctx, url, "", dir); err != nil {
		t.Errorf("by an old lock: %v", err)
	}
	before := text(filepath.Join(dir, "page.md"))
	write(t, filepath.Join(from, "page.md"), random(6<<20))
	git(t, from, "commit", "-qam", "large")
	if _, err := most.renew(ctx, url, "", dir); !errors.Is(err, ErrLarge) {
		t.Errorf("a commit that is too large: %v", err)
	}
	write(t, filepath.Join(from, "page.md"), "small")
	git(t, from, "commit", "-qam", "small")
	if text(filepath.Join(dir, "page.md")) == "small" || before == "" {
		t.Error("it is there already")
	}
	if _, err := most.renew(ctx, url, "", dir); err != nil || text(filepath.Join(dir, "page.md")) != "small" {
		t.Errorf("after it: %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); len(left) != 1 || err != nil {
		t.Errorf("there are %v, %v", left, err)
	}
}

// TestFailures holds that what git could not say is not taken for nothing.
func TestFailures(t *testing.T) {
	from := origin(t)
	commit := headCommit(t.Context(), from)
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	for command, ask := range map[string]func() error{
		"ls-files": func() error { _, err := Changes(t.Context(), from, commit, ""); return err },
		"config":   func() error { _, err := Changes(t.Context(), from, commit, ""); return err },
		"ls-tree":  func() error { return defaultLimits.checkFileCount(t.Context(), from, "HEAD") },
	} {
		if err := ask(); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		bin := t.TempDir()
		testaid.WriteProgram(t, filepath.Join(bin, "git"), []byte("#!/bin/sh\nfor a; do [ \"$a\" = "+command+" ] && exit 3; done\nexec "+real+" \"$@\"\n"))
		t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		if err := ask(); err == nil {
			t.Errorf("git %s fails, and nobody says so", command)
		}
		t.Setenv("PATH", filepath.Dir(real)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
}
