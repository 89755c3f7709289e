package library

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// The test binary runs itself as the other process of a test.
func TestMain(m *testing.M) {
	if path := os.Getenv("DOCS_TEST_CHILD"); path != "" {
		if err := half(path); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// half replaces /a/b, says so in the middle, and goes on when its input ends.
func half(path string) error {
	db, err := Open(context.Background(), path)
	if err != nil {
		return err
	}
	_, err = db.Put(context.Background(), Library{ID: "/a/b", Version: "v1"}, func(yield func(Page, error) bool) {
		for i := range 4000 {
			if i == 2000 {
				fmt.Println("half")
				if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
					yield(Page{}, err)
					return
				}
			}
			s := Snippet{Title: "New", Content: fmt.Sprint("word number ", i)}
			if !yield(Page{Path: fmt.Sprint(i), Snippets: []Snippet{s}}, nil) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	return db.Close()
}

// child starts half and returns when it is in the middle.
func child(t *testing.T, path string) (cmd *exec.Cmd, input io.Closer) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DOCS_TEST_CHILD="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "half\n" {
		t.Fatalf("child says %q, %v", line, err)
	}
	return cmd, in
}

func oldFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	mustPut(t, db, Library{ID: "/a/b", Version: "v1"}, some("x.md: Old: word"))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestKilledWriter(t *testing.T) {
	path := oldFile(t)
	reader := mustRead(t, path)
	cmd, _ := child(t, path)
	if got := titles(t, reader, "/a/b", "word"); got != "Old" {
		t.Errorf("while it is written: %q, want Old", got)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	for name, db := range map[string]*DB{"the reader": reader, "a new reader": mustRead(t, path), "the next writer": mustOpen(t, path)} {
		if got := titles(t, db, "/a/b", "word"); got != "Old" {
			t.Errorf("%s finds %q after the writer was killed, want Old", name, got)
		}
	}
}

func TestReaderFollows(t *testing.T) {
	path := oldFile(t)
	reader := mustRead(t, path)
	if got := titles(t, reader, "/a/b", "word"); got != "Old" {
		t.Fatalf("found %q, want Old", got)
	}
	cmd, in := child(t, path)
	if got := titles(t, reader, "/a/b", "word"); got != "Old" {
		t.Errorf("while it is written: %q, want Old", got)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the writer could not end while a reader had the file open: %v", err)
	}
	if got := titles(t, reader, "/a/b", "word"); !strings.HasPrefix(got, "New") {
		t.Errorf("after the refresh: %.40q, want New", got)
	}
	whole(t, path)

	// Another file in its place is seen too.
	other := filepath.Join(t.TempDir(), "other.db")
	db := mustOpen(t, other)
	mustPut(t, db, Library{ID: "/a/b", Version: "v1"}, some("x.md: Other: word"))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if got := titles(t, reader, "/a/b", "word"); got != "Other" {
		t.Errorf("after another file took its place: %q, want Other", got)
	}
	if _, err := reader.Put(context.Background(), Library{ID: "/a/c"}, some("x: T: t")); err == nil {
		t.Error("a reader could write")
	}
	if _, err := reader.db.Exec("DELETE FROM libraries"); err == nil {
		t.Error("a reader could delete")
	}
}

// whole fails unless the file at path is all there is and can be copied.
func whole(t testing.TB, path string) {
	t.Helper()
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if _, err := os.Lstat(path + suffix); err == nil {
			t.Errorf("%s lies beside the closed file", suffix)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil || len(b) < 20 || b[18] != 1 || b[19] != 1 {
		t.Errorf("the closed file is in WAL mode, %v", err)
	}
}

// Readers of one file in the midst of replacements see one state each: every
// snippet of it carries the same number, and none is missing.
func TestReadersSeeOneState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	const n = 40
	state := func(i int) []string {
		var out []string
		for p := range n {
			out = append(out, fmt.Sprintf("p%d: State %d: word %d", p, i, p))
		}
		return out
	}
	mustPut(t, db, Library{ID: "/a/b"}, some(state(0)...))
	done := make(chan struct{})
	var group sync.WaitGroup
	for range 3 {
		reader := mustRead(t, path)
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				a, err := reader.Query(context.Background(), "/a/b", "word", 1<<20)
				if err != nil || len(a.Snippets) != n || a.Library.Snippets != n {
					t.Errorf("%d snippets of %d, %v", len(a.Snippets), n, err)
					return
				}
				for _, s := range a.Snippets {
					if s.Title != a.Snippets[0].Title {
						t.Errorf("%q and %q in one answer", s.Title, a.Snippets[0].Title)
						return
					}
				}
			}
		})
	}
	for i := range 25 {
		if i%3 == 0 {
			if _, err := db.Put(context.Background(), Library{ID: "/a/b"}, failing(some(state(i)...), errors.New("boom"))); err == nil {
				t.Error("a failing source was accepted")
			}
			continue
		}
		mustPut(t, db, Library{ID: "/a/b"}, some(state(i)...))
	}
	close(done)
	group.Wait()
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	whole(t, path)
}

// Readers go on while libraries come and go around the one they ask.
func TestReadersInTraffic(t *testing.T) {
	ctx := context.Background()
	lib := exported(t)
	path := filepath.Join(t.TempDir(), "docs.db")
	db := mustOpen(t, path)
	mustPut(t, db, Library{ID: "/x/y"}, some("x.md: Stays: word", "y.md: Other: another word"))
	done := make(chan struct{})
	var group sync.WaitGroup
	for i := range 4 {
		reader := db
		if i > 0 {
			reader = mustRead(t, path)
		}
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for _, how := range []Ranking{Lexical, Hybrid} {
					a, err := reader.QueryWith(ctx, "/x/y", "word stays", Options{Ranking: how})
					if err != nil || len(a.Snippets) != 2 || a.Snippets[0].Title != "Stays" {
						t.Errorf("%v, %v", a.Snippets, err)
						return
					}
				}
				a, err := reader.Query(ctx, "/a/b/v1", "word second", 0)
				if err != nil && !IsNoLibrary(err) || err == nil && len(a.Snippets) != 2 {
					t.Errorf("what comes and goes is %v, %v", a.Snippets, err)
					return
				}
				if _, err := reader.Resolve(ctx, "y", "", 3); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 12 {
		if _, err := db.Import(ctx, lib, nil); err != nil {
			t.Error(err)
		}
		mustPut(t, db, Library{ID: "/p/q"}, some("x.md: Noise: word"))
		if _, err := db.Remove(ctx, "/a/b", ""); err != nil {
			t.Error(err)
		}
	}
	close(done)
	group.Wait()
}

// The promise of the package: a version is replaced whole or not at all.
func TestReplacedWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		db := mustOpen(t, filepath.Join(dir, fmt.Sprint(round)))
		defer db.Close()
		model := map[string]string{} // by version: the titles, in order
		for step := range rapid.IntRange(1, 6).Draw(rt, "steps") {
			version := rapid.SampledFrom([]string{"v1", "v2"}).Draw(rt, "version")
			n := rapid.IntRange(0, 8).Draw(rt, "pages")
			stops := rapid.IntRange(-3, n).Draw(rt, "fails at")
			var lines, names []string
			for i := range n {
				names = append(names, fmt.Sprintf("T%d %d", step, i))
				lines = append(lines, fmt.Sprintf("p%d: T%d %d: some word %d", i, step, i, i))
			}
			pages, fails := some(lines...), stops >= 0 || n == 0
			if stops >= 0 {
				pages = failing(some(lines[:stops]...), errors.New("boom"))
			}
			_, err := db.Put(context.Background(), Library{ID: "/a/b", Version: version}, pages)
			if (err != nil) != fails {
				rt.Fatalf("Put = %v", err)
			}
			if !fails {
				model[version] = strings.Join(names, ", ")
			}
			for v, want := range model {
				a, err := db.Query(context.Background(), "/a/b/"+v, "", 1<<20)
				var got []string
				for _, s := range a.Snippets {
					got = append(got, s.Title)
				}
				if found := len(strings.Split(titlesOf(db, v), ", ")); err != nil || strings.Join(got, ", ") != want || found != len(got) {
					rt.Fatalf("%s has %q (%d by words), %v, want %q", v, got, found, err, want)
				}
			}
		}
	})
}

func titlesOf(db *DB, version string) string {
	a, err := db.Query(context.Background(), "/a/b@"+version, "word", 1<<20)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, s := range a.Snippets {
		out = append(out, s.Title)
	}
	return strings.Join(out, ", ")
}
