package backup

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/store"
)

// The test binary runs itself as the process that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("BACKUP_TEST_CHILD"); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// child does what it is told in a world, having said that it begins.
func child(dir string) int {
	w := &world{dir: dir}
	fmt.Println("begun")
	var err error
	if os.Getenv("BACKUP_TEST_VERB") == "restore" {
		_, err = w.feature().Restore(context.Background(), RestoreInput{File: "b.zip", Overwrite: true})
	} else {
		_, err = w.feature().Backup(context.Background(), Input{File: "b.zip", Overwrite: true})
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

var schema = store.Schema{Name: "test", Steps: []string{"CREATE TABLE t (n INTEGER)"}}

// A world has a place of each kind.
type world struct{ dir string }

func (w *world) at(rel string) string { return filepath.Join(w.dir, filepath.FromSlash(rel)) }

func (w *world) feature() *Feature {
	return New(Config{WorkDir: w.dir, Version: "v1", Now: func() time.Time { return time.Unix(1e9, 0) },
		Places: func(settings string) ([]Place, error) {
			notes := w.at("data/notes")
			if settings != "" {
				b, err := os.ReadFile(settings)
				if err != nil {
					return nil, err
				}
				if at, ok := strings.CutPrefix(string(b), "notes: "); ok {
					notes = strings.TrimSpace(at)
				}
			}
			return []Place{{Name: Settings, Kind: File, Path: w.at("config/c.yaml")}, {Name: "notes", Kind: Folder, Path: notes},
				{Name: "memory", Kind: Database, Path: w.at("data/notes/memory.db")}, {Name: "absent", Kind: Folder, Path: w.at("nowhere")}}, nil
		},
		Team: func(file string) ([]Place, error) {
			out := []Place{{Name: Server, Kind: File, Path: file}}
			if _, err := os.Stat(file); err == nil {
				out = append(out, Place{Name: "team-tokens", Kind: File, Path: w.at("server/tokens"), Secret: true})
			}
			return out, nil
		}})
}

func (w *world) write(t testing.TB, rel, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(w.at(rel)), 0o755), os.WriteFile(w.at(rel), []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// rows puts so many rows into the database.
func (w *world) rows(t testing.TB, n int) {
	t.Helper()
	db, err := store.Open(t.Context(), w.at("data/notes/memory.db"), schema)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM t")
		for i := 0; i < n && err == nil; i++ {
			_, err = tx.Exec("INSERT INTO t VALUES (?)", i)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func populated(t testing.TB) *world {
	t.Helper()
	w := &world{dir: t.TempDir()}
	w.write(t, "config/c.yaml", "top: 7\n")
	w.write(t, "data/notes/a.md", "alpha\n")
	w.write(t, "data/notes/sub/b.md", "beta\n")
	w.rows(t, 3)
	return w
}

// state returns the files of a world that count, and how many rows its database has.
func (w *world) state(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, dir := range []string{"config", "data"} {
		if err := filepath.WalkDir(w.at(dir), func(path string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || e.IsDir() || e.Type()&fs.ModeSymlink != 0 || strings.Contains(path, "memory.db") || strings.Contains(path, ".replaced-") || strings.Contains(path, stagedSuffix) {
				return err
			}
			b, err := os.ReadFile(path)
			rel, _ := filepath.Rel(w.dir, path)
			out[filepath.ToSlash(rel)] = string(b)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	db, err := store.OpenReadOnly(t.Context(), w.at("data/notes/memory.db"), schema)
	if err != nil {
		out["rows"] = "none"
		return out
	}
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT count(*) FROM t").Scan(&n); err != nil {
		t.Fatal(err)
	}
	out["rows"] = fmt.Sprint(n)
	return out
}

func (w *world) backup(t testing.TB, in Input) *Report {
	t.Helper()
	if in.File == "" {
		in.File = "b.zip"
	}
	k, err := w.feature().Backup(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// lost removes everything that was kept.
func (w *world) lost(t testing.TB) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(w.at("data")), os.RemoveAll(w.at("config"))); err != nil {
		t.Fatal(err)
	}
}

// What was kept is put back as it was, the log of a database with it, and nothing else is
// left behind.
func TestRestore(t *testing.T) {
	w := populated(t)
	want := w.state(t)
	k := w.backup(t, Input{})
	if k.Files != 4 || len(k.Parts) != 3 || len(k.LeftOut) != 0 {
		t.Errorf("it keeps %+v", k)
	}
	if st, err := os.Stat(w.at("b.zip")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("others can read the archive: %v, %v", st.Mode(), err)
	}
	w.lost(t)
	r, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip"})
	if err != nil || r.Files != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	if d := cmp.Diff(want, w.state(t)); d != "" {
		t.Error(d)
	}
	checkTidy(t, w)
}

func checkTidy(t testing.TB, w *world) {
	t.Helper()
	_ = filepath.WalkDir(w.dir, func(path string, _ fs.DirEntry, err error) error {
		if name := filepath.Base(path); strings.HasPrefix(name, ".assay-") || strings.HasSuffix(name, stagedSuffix) {
			t.Errorf("%s is left behind", path)
		}
		return err
	})
}

// Without being told to, a restore changes nothing where something is; told to, it keeps
// what was there.
func TestOverwrite(t *testing.T) {
	w := populated(t)
	want := w.state(t)
	w.backup(t, Input{})
	w.write(t, "data/notes/a.md", "later\n")
	w.write(t, "data/notes/new.md", "new\n")
	w.rows(t, 5)
	before := w.state(t)
	if _, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip"}); fault.KindOf(err) != fault.Usage {
		t.Fatalf("it restores over what is there: %v", err)
	}
	if d := cmp.Diff(before, w.state(t)); d != "" {
		t.Fatal(d)
	}
	r, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip", Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, w.state(t)); d != "" {
		t.Error(d)
	}
	if r.Parts[0].State != same || r.Parts[1].Replaced == "" {
		t.Errorf("%+v", r.Parts)
	}
	if b, err := os.ReadFile(filepath.Join(r.Parts[1].Replaced, "new.md")); err != nil || string(b) != "new\n" {
		t.Errorf("what was there is lost: %q, %v", b, err)
	}
	// The same again is as it was, and what was replaced before stays.
	w.write(t, "data/notes/a.md", "once more\n")
	again, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip", Overwrite: true})
	if err != nil || again.Parts[1].Replaced == r.Parts[1].Replaced {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := w.feature().Backup(t.Context(), Input{File: "b.zip"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a backup replaces another: %v", err)
	}
	if _, err := w.feature().Backup(t.Context(), Input{File: "config/c.yaml", Overwrite: true}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a backup replaces what it keeps: %v", err)
	}
}

// A database that somebody has open is not replaced, and neither is anything else then.
func TestInUse(t *testing.T) {
	w := populated(t)
	w.backup(t, Input{})
	w.write(t, "data/notes/a.md", "later\n")
	w.rows(t, 5)
	db, err := store.Open(t.Context(), w.at("data/notes/memory.db"), schema)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	before := w.state(t)
	if _, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip", Overwrite: true}); fault.KindOf(err) != fault.Unavailable || !errors.Is(err, store.ErrShared) {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, w.state(t)); d != "" {
		t.Error(d)
	}
	checkTidy(t, w)
}

// An archive that is cut, or of which a byte is changed, changes nothing.
func TestTornArchive(t *testing.T) {
	w := populated(t)
	w.backup(t, Input{})
	whole, err := os.ReadFile(w.at("b.zip"))
	if err != nil {
		t.Fatal(err)
	}
	before := w.state(t)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/3] ^= 1
	for name, data := range map[string][]byte{"cut": whole[:len(whole)/2], "without its end": whole[:len(whole)-1], "empty": nil, "flipped": flipped} {
		w.write(t, "t.zip", string(data))
		if _, err := w.feature().Restore(t.Context(), RestoreInput{File: "t.zip", Overwrite: true}); fault.KindOf(err) != fault.Negative {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := w.feature().Backup(t.Context(), Input{File: "t.zip", Verify: true}); fault.KindOf(err) != fault.Negative {
			t.Errorf("verify, %s: %v", name, err)
		}
	}
	if d := cmp.Diff(before, w.state(t)); d != "" {
		t.Error(d)
	}
	if _, err := w.feature().Backup(t.Context(), Input{File: "none", Verify: true}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("none: %v", err)
	}
}

// What looks like a secret, or is one, is kept only on request, and what is left out is said.
func TestSecrets(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	w := populated(t)
	w.write(t, "data/notes/s.md", "token "+secret+"\n")
	w.write(t, "server/team.yaml", "tokens: tokens\n")
	w.write(t, "server/tokens", "hash\n")
	k := w.backup(t, Input{Team: "server/team.yaml"})
	var left []string
	for _, l := range k.LeftOut {
		left = append(left, filepath.Base(l.Path)+": "+l.Why)
	}
	if d := cmp.Diff([]string{"s.md: it seems to contain a secret", "tokens: it is a secret"}, left); d != "" {
		t.Error(d)
	}
	if k.Files != 5 {
		t.Errorf("%d files", k.Files)
	}
	k = w.backup(t, Input{Team: "server/team.yaml", File: "all.zip", Secrets: true})
	if k.Files != 7 || !k.Secrets || len(k.LeftOut) != 0 {
		t.Errorf("%+v", k)
	}
	checked, err := w.feature().Backup(t.Context(), Input{File: "all.zip", Verify: true})
	if err != nil || !checked.Secrets || checked.Files != 7 {
		t.Errorf("it does not say that it holds secrets: %+v, %v", checked, err)
	}
	// A server's parts go where its file says, which comes first.
	w.lost(t)
	if err := os.RemoveAll(w.at("server")); err != nil {
		t.Fatal(err)
	}
	for _, in := range []RestoreInput{{File: "all.zip"}, {File: "all.zip", Team: "server/team.yaml"}} {
		if _, err := w.feature().Restore(t.Context(), in); fault.KindOf(err) != fault.Usage {
			t.Errorf("%+v: %v", in, err)
		}
	}
	for _, in := range []RestoreInput{{File: "all.zip", Team: "server/team.yaml", Only: []string{Server}}, {File: "all.zip", Team: "server/team.yaml"}} {
		if _, err := w.feature().Restore(t.Context(), in); err != nil {
			t.Fatalf("%+v: %v", in, err)
		}
	}
	if b, err := os.ReadFile(w.at("server/tokens")); err != nil || string(b) != "hash\n" {
		t.Errorf("%q, %v", b, err)
	}
}

// No link is followed, neither when things are kept nor where they are restored to.
func TestPlantedLinks(t *testing.T) {
	w := populated(t)
	w.write(t, "outside/secret.txt", "outside\n")
	w.write(t, "outside/dir/x.md", "outside\n")
	for _, at := range []string{"data/notes/link.md", "data/notes/sub/dir"} {
		if err := os.Symlink(w.at("outside/dir"), w.at(at)); err != nil {
			t.Fatal(err)
		}
	}
	if k := w.backup(t, Input{}); k.Files != 4 || len(k.LeftOut) != 2 || k.LeftOut[0].Why != "it is a symbolic link" {
		t.Errorf("%+v", k)
	}
	want := w.state(t)
	if err := os.Symlink(w.at("outside/secret.txt"), w.at("l.zip")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.feature().Backup(t.Context(), Input{File: "l.zip", Overwrite: true}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a backup is written through a link: %v", err)
	}
	w.lost(t)
	w.write(t, "data/x", "")
	if err := os.Symlink(w.at("outside/dir"), w.at("data/notes"+stagedSuffix)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip"}); err != nil {
		t.Fatal(err)
	}
	delete(want, "data/notes/link.md")
	got := w.state(t)
	delete(got, "data/x")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for rel, text := range map[string]string{"outside/secret.txt": "outside\n", "outside/dir/x.md": "outside\n"} {
		if b, err := os.ReadFile(w.at(rel)); err != nil || string(b) != text {
			t.Errorf("%s: %q, %v", rel, b, err)
		}
	}
	// A folder of the name that a restore uses, and that no restore made, stays.
	w.lost(t)
	w.write(t, "data/notes"+stagedSuffix+"/mine.md", "mine\n")
	if _, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip"}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("it removes what is not its own: %v", err)
	}
	if _, err := os.Stat(w.at("data/notes" + stagedSuffix + "/mine.md")); err != nil {
		t.Error(err)
	}
}

// Settings that say other places are restored alone: else what comes with them would not be
// found.
func TestSettingsElsewhere(t *testing.T) {
	w := populated(t)
	w.write(t, "config/c.yaml", "notes: "+w.at("elsewhere")+"\n")
	w.backup(t, Input{})
	w.lost(t)
	_, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip"})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "elsewhere") {
		t.Fatal(err)
	}
	if got := w.state(t); len(got) != 1 {
		t.Errorf("it changed %v", got)
	}
	checkTidy(t, w)
	if _, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip", Only: []string{Settings}}); err != nil {
		t.Fatal(err)
	}
	r, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip", Into: "look"})
	if err != nil || r.Files != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	if b, err := os.ReadFile(w.at("look/notes/sub/b.md")); err != nil || string(b) != "beta\n" {
		t.Errorf("%q, %v", b, err)
	}
}

// A backup of what a killed restore left would lack what was put aside.
func TestUnfinishedRestore(t *testing.T) {
	w := populated(t)
	w.backup(t, Input{})
	before, err := os.ReadFile(w.at("b.zip"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rel := range []string{"data/notes/memory.db", "data/notes"} {
		if err := os.Rename(w.at(rel), w.at(rel+putAside+"20010909T014640Z")); err != nil {
			t.Fatal(err)
		}
		_, err := w.feature().Backup(t.Context(), Input{File: "b.zip", Overwrite: true})
		if fault.KindOf(err) != fault.Unavailable || !strings.Contains(fmt.Sprint(err), "a killed restore left the old data") {
			t.Errorf("without %s: %v", rel, err)
		}
		if now, err := os.ReadFile(w.at("b.zip")); err != nil || !bytes.Equal(now, before) {
			t.Errorf("without %s the archive changed: %v", rel, err)
		}
		if err := os.Rename(w.at(rel+putAside+"20010909T014640Z"), w.at(rel)); err != nil {
			t.Fatal(err)
		}
	}
	w.backup(t, Input{File: "whole.zip"})
}

// Whenever a backup or a restore is killed, each part is what it was or what was kept, no
// archive is half written, and the same command again ends well and leaves nothing behind.
func TestKilled(t *testing.T) {
	w := populated(t)
	for i := range 150 {
		w.write(t, fmt.Sprintf("data/notes/n/%d.md", i), strings.Repeat(fmt.Sprint("note ", i, "\n"), 20))
	}
	old := w.state(t)
	w.backup(t, Input{})
	w.write(t, "data/notes/a.md", "later\n")
	w.rows(t, 9)
	kills := 0
	for i, verb := range slices.Repeat([]string{"backup", "restore"}, 12) {
		before := w.state(t)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "BACKUP_TEST_CHILD="+w.dir, "BACKUP_TEST_VERB="+verb)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 4 * time.Millisecond) // wherever that is
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			kills++
		}
		if _, err := w.feature().Backup(t.Context(), Input{File: "b.zip", Verify: true}); err != nil {
			t.Fatalf("after kill %d of %s: %v", i, verb, err)
		}
		now := w.state(t)
		for _, name := range slices.Sorted(maps.Keys(before)) {
			got, there := now[name]
			// Between two renames a folder is under its other name alone.
			if there && got != before[name] && got != old[name] && !(name == "rows" && got == "none") {
				t.Errorf("after kill %d of %s: %s is %.60q", i, verb, name, got)
			}
		}
	}
	if kills == 0 {
		t.Error("no process was killed in time")
	}
	r, err := w.feature().Restore(t.Context(), RestoreInput{File: "b.zip", Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Parts) != 3 {
		t.Errorf("%+v", r)
	}
	for _, at := range []string{"data/notes" + stagedSuffix, "data/notes/" + stagedMark} {
		if _, err := os.Lstat(w.at(at)); err == nil {
			entries, _ := os.ReadDir(w.at(at))
			t.Errorf("%s is left behind: %v; %+v", at, entries, r.Parts)
		}
	}
}
