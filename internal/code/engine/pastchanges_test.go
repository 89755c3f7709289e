package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/assay-dev/assay/internal/code/engine"
)

// commit commits all files of a tree under a subject.
func (tr *tree) commit(subject string) {
	tr.t.Helper()
	tr.git("add", "-A")
	tr.git("commit", "-qm", subject)
}

func (tr *tree) git(args ...string) {
	tr.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = tr.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	if out, err := cmd.CombinedOutput(); err != nil {
		tr.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// Words of the subjects of past commits count for questions in words, and not for names.
func TestHistory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	alike := func(name string) string {
		return "package p\n\nfunc " + name + "() int {\n\treturn backoff() // waits and asks the server once more\n}\n"
	}
	files := map[string]string{"alpha.go": alike("Alpha"), "beta.go": alike("Beta"), "gamma.go": alike("Gamma")}
	const question = "wait for the server when uploads of pictures fail"
	without := newTree(t, files)
	if got, _ := ask(t, without.open(), question); len(got) == 0 || got[0] != "alpha.go" {
		t.Fatalf("without a history the first of equals is %v", got)
	}

	tr := newTree(t, files)
	tr.git("init", "-q", "-b", "main")
	tr.write(".gitignore", ".assay/\n")
	tr.commit("begin")
	tr.git("checkout", "-q", "-b", "side")
	tr.write("gamma.go", files["gamma.go"]+"\n")
	tr.commit("uploads of pictures fail")
	check := func(e *engine.Engine, query, want string) {
		t.Helper()
		if got, _ := ask(t, e, query); len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %v, want %s first", query, got, want)
		}
	}
	e := tr.open()
	check(e, question, "gamma.go")
	check(e, "Beta", "beta.go")
	tr.git("checkout", "-q", "main")
	check(e, question, "alpha.go")
	tr.write("beta.go", files["beta.go"]+"\n")
	tr.commit("uploads of pictures fail")
	check(e, question, "beta.go")
	check(tr.open(), question, "beta.go")

	kept := filepath.Join(tr.dir, "history")
	whole, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)-1]++
	if err := os.WriteFile(kept, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	check(tr.open(), question, "beta.go")
}
