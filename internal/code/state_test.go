package code_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// The state of an index follows its tree, and to ask for it changes nothing.
func TestStatus(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "package a\n\nfunc A() {}\n", "b.md": "# B\n\nText.\n", "bin.dat": "a\x00b", "old/c.go": "package old\n", ".git/HEAD": "x", ".gitignore": "old/\n"})
	past := time.Now().Add(-time.Hour)
	for _, name := range []string{"a.go", "b.md"} {
		if err := os.Chtimes(filepath.Join(root, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
	status := func(state string, lines ...string) *code.StatusReport {
		t.Helper()
		st, err := f.Status(t.Context(), code.StatusInput{Excluded: true})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := st.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		for _, want := range lines {
			if !strings.Contains(b.String(), want+"\n") {
				t.Errorf("the status lacks %q:\n%s", want, b.String())
			}
		}
		if st.State != state {
			t.Errorf("the state is %s, want %s", st.State, state)
		}
		return st
	}
	status("empty", "state      empty: the first search, or assay index, fills it", "languages  none")
	if _, err := f.Index(t.Context(), code.IndexInput{}); err != nil {
		t.Fatal(err)
	}
	st := status("fresh", "state      fresh", "languages  go 1, ini 1, markdown 1", "           bin.dat (binary)", "meaning    no embedding provider: search by words")
	if st.Documents != 3 || st.Changed+st.Removed != 0 || st.Bytes == 0 || st.Source == 0 {
		t.Errorf("%+v", st)
	}
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte("package a\n\nfunc B() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "b.md")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		status("stale", "state      stale: 1 file changed, 1 removed; the next search updates it")
	}
	// What is deleted is the index, and not what else is in its folder.
	other := filepath.Join(st.Index, "mine.txt")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_ = code.Delete(st.Index)
	left, _ := os.ReadDir(st.Index)
	if len(left) != 1 || left[0].Name() != "mine.txt" {
		t.Errorf("after the index was deleted its folder has %v", left)
	}
}

// A file that was named makes no index of a folder that is no project.
func TestIndexOfAFile(t *testing.T) {
	root := folder(t, map[string]string{"a.go": "package a\n"})
	f := feature(t, workspace.New(workspace.Config{WorkDir: root}), code.Config{})
	_, err := f.Index(t.Context(), code.IndexInput{Path: filepath.Join(root, "a.go")})
	if fix := fault.FixOf(err); fault.KindOf(err) != fault.Usage || fix == nil || fix.Op != "index" || fix.Args[0].Value != root {
		t.Errorf("%v, %+v", err, fix)
	}
	if _, err := os.Stat(filepath.Join(root, ".assay")); err == nil {
		t.Error("there is an index")
	}
	if err := os.Mkdir(filepath.Join(root, ".assay"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Index(t.Context(), code.IndexInput{Path: filepath.Join(root, "a.go")}); err != nil {
		t.Errorf("of a project: %v", err)
	}
}

// A server shows no secret of a file, also where a hit has only some lines of it; the command line does.
func TestWithheld(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun\n", 40) + "-----END RSA PRIVATE KEY-----\n"
	root := folder(t, map[string]string{"deploy.go": "package deploy\n\n" + strings.Repeat("// Deployment of zebra at noon.\n", 200) + "\nconst zebra = `" + key + "`\n", ".git/HEAD": "x"})
	for _, server := range []bool{false, true} {
		f := feature(t, workspace.New(workspace.Config{WorkDir: root, Roots: []string{root}, Server: server}), code.Config{})
		a, err := f.Search(t.Context(), code.SearchInput{Query: "zebra deployment MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gun", TopK: 9})
		if err != nil || len(a.Hits) == 0 {
			t.Fatalf("%v, %v", a, err)
		}
		shown, marked := 0, 0
		for _, h := range a.Hits {
			if strings.Contains(h.Snippet, "MIIEow") {
				shown++
			}
			if strings.Contains(h.Snippet, "[redacted:") {
				marked++
			}
		}
		if server != (shown == 0) || server != (marked > 0) || server != strings.Contains(strings.Join(a.Notes, "\n"), "contain secrets") {
			t.Errorf("served %v: %d of %d hits show the key, %d are marked; notes %q", server, shown, len(a.Hits), marked, a.Notes)
		}
	}
}
