package workspace_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// write makes a file below a folder, and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A workspace file that came from elsewhere reads nothing but what is beside it, and names
// no program, password or option; the one of the user's settings may name any folder.
func TestListed(t *testing.T) {
	home := tree(t)
	work := filepath.Join(home, "work", "project")
	write(t, work, "api/a.go", "package a\n")
	write(t, home, "work/web/w.go", "package w\n")
	write(t, home, "secret/key.go", "package key\n")
	if err := os.Symlink(filepath.Join(home, "secret"), filepath.Join(work, "out")); err != nil {
		t.Fatal(err)
	}
	w := open(t, workspace.Config{WorkDir: work, Home: filepath.Join(home, "nobody"), CacheDir: filepath.Join(home, "cache")})
	many := strings.Repeat("  - {path: api}\n", 501)
	for _, c := range []struct{ text, wrong string }{
		{"repositories: [{path: api}, {path: ../web, name: site}, {git: 'https://host.example/x/lib.git', branch: main, refresh: 15m}]", ""},
		{"repositories: [{path: ../../secret}]", "neither below nor beside"},
		{"repositories: [{path: " + filepath.Join(home, "secret") + "}]", "neither below nor beside"},
		{"repositories: [{path: out}]", "neither below nor beside"},
		{"repositories: [{path: ../../secret, name: '../x'}]", "neither below nor beside"},
		{"repositories: [{path: api, name: '../x'}]", "is no name"},
		{"repositories: [{path: api, name: '-x'}]", "is no name"},
		{"repositories: [{path: api}, {path: api}]", "the name api is taken"},
		{"repositories: [{path: api, git: 'https://host.example/x'}]", "either path or git"},
		{"repositories: [{path: api, branch: main}]", "of repositories by git"},
		{"repositories: [{git: 'ext::sh -c id'}]", "git is not an address"},
		{"repositories: [{git: '--upload-pack=id'}]", "git is not an address"},
		{"repositories: [{git: 's://host.example/x.git'}]", "git is not an address"},
		{"repositories: [{git: 'file://" + filepath.ToSlash(filepath.Join(home, "secret")) + "'}]", "neither below nor beside"},
		{"repositories: [{git: 'file:///" + filepath.ToSlash(filepath.Join(work, "..", "..", "secret")) + "'}]", "neither below nor beside"},
		{"repositories: [{git: 'https://me:pw@host.example/x.git'}]", "a password"},
		{"repositories: [{git: 'https://host.example/x.git', branch: '--upload-pack=id'}]", "no name of a branch"},
		{"repositories: [{git: 'https://host.example/x.git', refresh: 1s}]", "no duration of 1m0s"},
		{"repositories: [{path: api, include: ['[']}]", "has a [ without its ]"},
		{"repositories: [{path: api, run: id}]", "field run not found"},
		{"repositories: {path: api}", "cannot unmarshal"},
		{"repositories: []", "it lists 0 repositories"},
		{"", "it lists 0 repositories"},
		{"repositories:\n" + many, "it lists 501 repositories"},
		{"#" + strings.Repeat("x", 1<<20), "it is larger than"},
	} {
		got, err := w.Listed(write(t, work, "w.yaml", c.text))
		if c.wrong != "" {
			if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%.80s: %v, want %q", c.text, err, c.wrong)
			}
			continue
		}
		if names := workspace.Names(got); err != nil || !reflect.DeepEqual(names, []string{"api", "site", "lib"}) {
			t.Errorf("%.80s: %v, %v", c.text, names, err)
		}
	}
	own := write(t, home, "own.yaml", "repositories: [{path: "+filepath.Join(home, "secret")+"}]")
	mine := open(t, workspace.Config{WorkDir: work, File: own})
	if got, err := mine.Listed(""); err != nil || len(got) != 1 {
		t.Errorf("the file of the user's settings: %v, %v", got, err)
	}
	if _, err := w.Listed(""); fault.KindOf(err) != fault.Usage || !strings.Contains(fault.HintOf(err), "--workspace FILE") {
		t.Errorf("no file: %v", err)
	}
	// Beside a folder in the home folder is all that the user has: of that, repositories may be named.
	inHome := open(t, workspace.Config{WorkDir: work, Home: filepath.Join(home, "work")})
	for _, repo := range []string{"repo", ".passwords", "group/deep", "../above"} {
		write(t, home, "work/"+repo+"/.git/HEAD", "ref: refs/heads/main\n")
	}
	if err := os.Symlink(filepath.Join(home, "above"), filepath.Join(home, "work", "link")); err != nil {
		t.Fatal(err)
	}
	const alone = "such a file may name git repositories alone"
	for path, wrong := range map[string]string{"api": "", "../repo": "", "../web": alone, "../.passwords": alone, "../group/deep": alone, "..": alone,
		"../../above": alone, "../link": alone, "../absent": alone} {
		_, err := inHome.Listed(write(t, work, "w.yaml", "repositories: [{name: x, path: "+path+"}]"))
		if (err != nil) != (wrong != "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s in the home folder: %v, want %q", path, err, wrong)
		}
	}
	// A file that is not in a folder of the home folder has nothing there beside it, although beside it may be all that the user has.
	far := open(t, workspace.Config{WorkDir: work, Home: filepath.Join(home, "code", "project")})
	write(t, home, "code/project/mine/.git/HEAD", "ref: refs/heads/main\n")
	for entry, wrong := range map[string]string{"path: tool": "", "path: ../code/project/mine": "neither below nor beside",
		"git: 'file://" + filepath.ToSlash(filepath.Join(home, "code", "project", "mine")) + "'": "neither below nor beside"} {
		_, err := far.Listed(write(t, home, "opt/w.yaml", "repositories: [{name: x, "+entry+"}]"))
		if (err != nil) != (wrong != "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s outside the home folder: %v, want %q", entry, err, wrong)
		}
	}
	served := open(t, workspace.Config{WorkDir: work, Roots: []string{work}})
	if _, err := served.Repos(workspace.Trees{Workspace: own}, ""); fault.KindOf(err) != fault.Usage {
		t.Errorf("a client names a workspace file: %v", err)
	}
	if _, err := served.Listed(own); fault.KindOf(err) != fault.Usage {
		t.Errorf("a client's cursor names a workspace file: %v", err)
	}
}

// No question fetches a repository, and no server does that was not told to: the user's own
// command does, and then a server brings it up to date.
func TestFetchedOnRequest(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("this test needs git")
	}
	dir := tree(t)
	origin := filepath.Join(dir, "origin")
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", origin, "-c", "user.name=a", "-c", "user.email=a@a", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write(t, origin, "one.go", "package one\n")
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	file := write(t, dir, "w.yaml", "repositories: [{git: 'file://"+origin+"', name: lib, branch: main}]")
	w := open(t, workspace.Config{WorkDir: dir, CacheDir: filepath.Join(dir, "cache")})
	repos, err := w.Repos(workspace.Trees{Workspace: file}, "")
	if fault.KindOf(err) != fault.NotFound || !reflect.DeepEqual(fault.FixOf(err), &fault.Fix{Op: "repos", Args: []fault.Arg{{Name: "fetch", Value: true}}}) {
		t.Fatalf("a question about what was not fetched: %v, %v", repos, err)
	}
	all, err := w.Listed(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Fetch(t.Context(), all[0], true); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a server fetched what nobody had: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "cache")); err == nil {
		t.Error("something was fetched without the user's word")
	}
	if got, err := w.Fetch(t.Context(), all[0], false); err != nil || !got.New {
		t.Fatalf("the user's own command: %+v, %v", got, err)
	}
	if repos, err = w.Repos(workspace.Trees{Workspace: file}, ""); err != nil || len(repos) != 1 {
		t.Fatal(err)
	}
	write(t, origin, "two.go", "package two\n")
	git("add", ".")
	git("commit", "-q", "-m", "two")
	if got, err := w.Fetch(t.Context(), all[0], true); err != nil || got.New {
		t.Fatalf("again: %+v, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(repos[0].Root, "two.go")); err != nil {
		t.Error(err)
	}
	if err := os.Rename(origin, origin+".gone"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Fetch(t.Context(), all[0], true); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("from a repository that is gone: %v", err)
	}
	if _, err := os.Stat(filepath.Join(repos[0].Root, "two.go")); err != nil {
		t.Errorf("what was fetched did not stay: %v", err)
	}
}

// Folders of one name are told apart by as much of their paths as that takes.
func TestNamed(t *testing.T) {
	got := workspace.Names(workspace.Named([]string{"/a/x/api", "/a/y/api", "/a/web", "/b/y/api"}))
	if want := []string{"x/api", "a/y/api", "web", "b/y/api"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
