package transcript

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
)

// The test binary runs itself as OpenCode: it writes to a database, which it keeps
// open, until it is killed.
func TestMain(m *testing.M) {
	if path, ok := os.LookupEnv("TRANSCRIPT_TEST_WRITER"); ok {
		if err := writer(path); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const (
	addSession = "INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES ('%s', 'p', 's', '/p', '%s', '1', %d, %d)"
	addMessage = "INSERT INTO message VALUES ('%s', '%s', %d, 0, '{\"role\":\"%s\"}')"
	addPart    = "INSERT INTO part VALUES ('%s', '%s', '%s', 0, 0, '{\"type\":\"text\",\"text\":\"%s\"}')"
)

// writer adds a turn to a session again and again, and says of each when it is
// there.
func writer(path string) error {
	db, err := openSQL(path)
	if err != nil {
		return err
	}
	for n := 0; n < 800; n++ {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		for _, s := range []string{
			fmt.Sprintf(addMessage, fmt.Sprintf("msg_w%06d", n), "ses_w", n, "user"),
			fmt.Sprintf(addPart, fmt.Sprintf("prt_w%06d", n), fmt.Sprintf("msg_w%06d", n), "ses_w", fmt.Sprintf("turn %d %s", n, strings.Repeat("x", 3000))),
			fmt.Sprintf("UPDATE session SET time_updated = %d WHERE id = 'ses_w'", n),
		} {
			if _, err := tx.Exec(s); err != nil {
				return err
			}
		}
		if err := tx.Commit(); err != nil {
			return err
		}
		fmt.Println(n)
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Minute) // open still, as it is while the user thinks
	return nil
}

// running starts a writer and returns a function that waits for its next turn,
// and one that kills it.
func running(t *testing.T, path string) (next func() int, kill func()) {
	t.Helper()
	db := create(t, path)
	must(t, db, fmt.Sprintf(addSession, "ses_w", "Written", 1000, 1000))
	db.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TRANSCRIPT_TEST_WRITER="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	kill = func() { once.Do(func() { cmd.Process.Kill(); cmd.Wait() }) }
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	return func() int {
		n := -1
		if !lines.Scan() {
			t.Fatal("the writer has ended")
		}
		if _, err := fmt.Sscan(lines.Text(), &n); err != nil {
			t.Fatal(lines.Text())
		}
		return n
	}, kill
}

// state returns the contents of a folder: names, sizes, times and contents.
func state(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		sum := ""
		if info.Mode().IsRegular() {
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum = fmt.Sprintf("%d %x", len(body), sha256.Sum256(body))
		}
		fmt.Fprintln(&b, path, info.ModTime().UnixNano(), sum)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// While OpenCode writes, each look at its database sees all that was there before
// it, in the log as in the file; and so it is when OpenCode was killed.
func TestWhileItRuns(t *testing.T) {
	dir := home(t, "opencode")
	s := source(t, dir, "opencode")
	next, kill := running(t, database1(dir))
	// More turns than fit between two checkpoints.
	rounds, n := 10, 0
	if testing.Short() {
		rounds = 2
	}
	for range rounds {
		for range 50 {
			n = next()
		}
		var notes []string
		told := work.With(ctx, work.Report{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }})
		refs, skipped, err := s.List(told)
		if len(refs) != 2 || skipped != 0 || err != nil {
			t.Fatalf("List = %+v, %d skipped: %s", refs, skipped, notes)
		}
		if got := read(t, s, "ses_w"); len(got.Turns) < n+1 || got.Skipped != 0 {
			t.Fatalf("Read = %d turns, %d skipped, want at least %d", len(got.Turns), got.Skipped, n+1)
		}
	}
	kill()
	if _, err := os.Stat(database1(dir) + "-wal"); err != nil {
		t.Fatalf("no log to test with: %v", err)
	}
	before := state(t, dir)
	if got := read(t, s, "ses_w"); len(got.Turns) < n {
		t.Errorf("Read = %d turns after the end, want %d", len(got.Turns), n)
	}
	if _, skipped := list(t, s); skipped != 0 {
		t.Errorf("%d skipped after the end", skipped)
	}
	if after := state(t, dir); after != before {
		t.Errorf("the folder was\n%sand is\n%s", before, after)
	}
	// Copied without the memory that goes with it, the log counts too.
	if err := os.Remove(database1(dir) + "-shm"); err != nil {
		t.Fatal(err)
	}
	if got := read(t, s, "ses_w"); len(got.Turns) < n {
		t.Errorf("Read = %d turns without shared memory, want %d", len(got.Turns), n)
	}
}

// Reading leaves an agent's folder as it is, to the byte and to the time.
func TestLeavesAsItIs(t *testing.T) {
	dir := home(t, "opencode", "claude", "codex")
	before := state(t, dir)
	for _, s := range Open(Defaults(dir, "", func(string) (string, bool) { return "", false })) {
		refs, _ := list(t, s)
		for _, r := range refs {
			read(t, s, r.ID)
		}
		s.Watch()
	}
	if after := state(t, dir); after != before {
		t.Errorf("the folder was\n%sand is\n%s", before, after)
	}
	// Opened by its owner, who is in this process or in another.
	db := create(t, database1(dir))
	must(t, db, "UPDATE session SET title = 'changed'")
	before = state(t, dir)
	s := source(t, dir, "opencode")
	refs, skipped := list(t, s)
	if len(refs) != 1 || refs[0].Title != "changed" || skipped != 0 {
		t.Errorf("List = %+v, %d", refs, skipped)
	}
	read(t, s, refs[0].ID)
	if after := state(t, dir); strings.ReplaceAll(after, "-shm", "") == after || !sameButShared(before, after) {
		t.Errorf("the folder was\n%sand is\n%s", before, after)
	}
}

// sameButShared compares two states but for the memory that a process shares with
// itself.
func sameButShared(a, b string) bool {
	drop := func(s string) string {
		var out strings.Builder
		for line := range strings.Lines(s) {
			if !strings.Contains(line, "-shm ") {
				out.WriteString(line)
			}
		}
		return out.String()
	}
	return drop(a) == drop(b)
}

// The tables of accounts are never asked: here whoever asks them gets an error.
func TestAccounts(t *testing.T) {
	dir := home(t, "opencode")
	db := create(t, database1(dir))
	for _, name := range []string{"account", "control_account", "credential"} {
		must(t, db, "DROP TABLE "+name, "CREATE VIEW "+name+" AS SELECT no_such_function(1) AS id")
		if _, err := db.Exec("SELECT * FROM " + name); err == nil {
			t.Fatalf("%s can be read", name)
		}
	}
	db.Close()
	s := source(t, dir, "opencode")
	refs, skipped := list(t, s)
	if len(refs) != 1 || skipped != 0 {
		t.Fatalf("List = %+v, %d", refs, skipped)
	}
	if got := read(t, s, refs[0].ID); len(got.Turns) == 0 {
		t.Error("Read = nothing")
	}
	// A view of them under the name of a table that is read is not looked at.
	db = create(t, database1(dir))
	must(t, db, "DROP TABLE part", `CREATE VIEW part AS SELECT id, id AS message_id, '{"type":"text","text":"token"}' AS data FROM message`)
	db.Close()
	if refs, skipped := list(t, s); len(refs) != 0 || skipped != 1 {
		t.Errorf("List = %+v, %d, want one skipped", refs, skipped)
	}
}

// Whatever lies where the database should, the answer is what else there is, and a
// count.
func TestDamagedDatabase(t *testing.T) {
	sound := database1(home(t, "opencode"))
	body, err := os.ReadFile(sound)
	if err != nil {
		t.Fatal(err)
	}
	scratch := filepath.Join(t.TempDir(), "x.db")
	scramble := func(b []byte) []byte {
		b = append([]byte(nil), b...)
		for i := 5000; i < len(b); i += 37 {
			b[i] ^= 0x5a
		}
		return b
	}
	foreign := func(statements ...string) []byte {
		os.Remove(scratch)
		db := create(t, scratch)
		must(t, db, statements...)
		db.Close()
		b, err := os.ReadFile(scratch)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, tt := range []struct {
		name string
		body []byte
	}{
		{"empty", nil}, {"short", []byte("SQLite")}, {"garbage", []byte(strings.Repeat("garbage ", 4000))},
		{"cut", body[:len(body)/2]}, {"cut to a page", body[:4096]}, {"cut in a page", body[:len(body)-777]}, {"scrambled", scramble(body)},
		{"of something else", foreign("CREATE TABLE session (x)", "CREATE TABLE notes (y)")},
		{"other columns", foreign("CREATE TABLE session (x)", "CREATE TABLE message (y)", "CREATE TABLE part (z)")},
		{"virtual", foreign("CREATE VIRTUAL TABLE session USING fts5(id, title, directory, parent_id, time_created, time_updated)", "CREATE TABLE message (id, session_id, time_created, data)", "CREATE TABLE part (id, message_id, data)")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := home(t, "old-opencode")
			write(t, database1(dir), string(tt.body))
			s := source(t, dir, "opencode")
			refs, skipped := list(t, s)
			// Damage in pages that a question does not need is not noticed by it.
			if skipped == 0 && tt.name != "cut in a page" || len(refs) < 1 {
				t.Errorf("List = %+v, %d, want the session of the files and a count", refs, skipped)
			}
			for _, r := range refs {
				if _, err := s.Read(ctx, r); err != nil && fault.KindOf(err) != fault.Unavailable {
					t.Errorf("Read(%s) = %v", r.ID, err)
				}
			}
			if _, err := s.Read(ctx, Ref{ID: "ses_none"}); fault.KindOf(err) != fault.Unavailable && fault.KindOf(err) != fault.NotFound {
				t.Errorf("Read of none = %v", err)
			}
			if got, err := os.ReadFile(database1(dir)); err != nil || string(got) != string(tt.body) {
				t.Error("the file was changed")
			}
		})
	}
	dir := home(t, "old-opencode")
	if err := os.MkdirAll(database1(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if refs, skipped := list(t, source(t, dir, "opencode")); len(refs) != 1 || skipped != 1 {
		t.Errorf("a folder: List = %+v, %d", refs, skipped)
	}
}

// Rows that are not what they should be are counted, and the others read.
func TestDamagedRows(t *testing.T) {
	dir := home(t, "opencode")
	s := source(t, dir, "opencode")
	refs, _ := list(t, s)
	id := refs[0].ID
	whole := read(t, s, id)
	db := create(t, database1(dir))
	must(t, db,
		"INSERT INTO message VALUES ('msg_1', '"+id+"', 1, 1, 'not JSON'), ('msg_2', '"+id+"', 1, 1, x'00ff10'), ('msg_3', '"+id+"', 1, 1, '{\"role\":7}'), ('msg_4', '"+id+"', 'soon', 1, '{\"role\":\"user\"}')",
		"INSERT INTO part VALUES ('prt_1', 'msg_1', '"+id+"', 1, 1, '{\"type\":\"text\",\"text\":\"of what?\"}'), ('prt_2', 'msg_4', '"+id+"', 1, 1, '{\"type\":\"text\",\"text\":'), ('prt_3', 'msg_4', '"+id+"', 1, 1, '{\"type\":\"text\",\"text\":\"late\"}'), ('prt_4', 'msg_4', '"+id+"', 1, 1, '[\"text\"]')",
		"INSERT INTO part VALUES ('prt_5', 'msg_4', '"+id+"', 1, 1, printf('{\"type\":\"text\",\"text\":\"%.*c\"}', 9000000, 'x'))",
		"INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES ('../etc', 'p', 's', '/p', 't', '1', 1, 1), ('ses_odd', 'p', 's', x'ff', x'fe', '1', 'x', 'y')",
	)
	db.Close()
	got := read(t, s, id)
	if len(got.Turns) != len(whole.Turns)+1 || got.Skipped != 6 {
		t.Errorf("Read = %d turns, %d skipped, want %d and 6: %q", len(got.Turns), got.Skipped, len(whole.Turns)+1, said(got))
	}
	refs, skipped := list(t, s)
	if len(refs) != 2 || skipped != 1 {
		t.Errorf("List = %+v, %d, want two and one skipped", refs, skipped)
	}
	if odd := read(t, s, "ses_odd"); len(odd.Turns) != 0 {
		t.Errorf("Read = %+v", odd)
	}
}

// What the user took back is not part of the session any more.
func TestRevert(t *testing.T) {
	dir := home(t, "opencode")
	db := create(t, database1(dir))
	must(t, db, fmt.Sprintf(addSession, "ses_r", "New session - 2026-01-02T03:04:05.678Z", 1000, 2000))
	for i, text := range []string{"one", "two", "three", "four"} {
		role := []string{"user", "assistant"}[i%2]
		must(t, db, fmt.Sprintf(addMessage, fmt.Sprintf("msg_%d", i), "ses_r", i, role), fmt.Sprintf(addPart, fmt.Sprintf("prt_%d", i), fmt.Sprintf("msg_%d", i), "ses_r", text))
	}
	s := source(t, dir, "opencode")
	for revert, want := range map[string]string{
		`NULL`: "one two three four", `'{"messageID":"msg_2"}'`: "one two", `'{"messageID":"msg_2","partID":"prt_2"}'`: "one two three", `'{'`: "one two three four",
	} {
		must(t, db, "UPDATE session SET revert = "+revert+" WHERE id = 'ses_r'")
		x := read(t, s, "ses_r")
		var got []string
		for _, turn := range x.Turns {
			got = append(got, turn.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("revert %s: %q, want %q", revert, got, want)
		}
		if x.Title != "one" {
			t.Errorf("Title = %q, want the first prompt where OpenCode has none", x.Title)
		}
	}
	// Before there was such a column.
	must(t, db, "ALTER TABLE session DROP COLUMN revert")
	if x := read(t, s, "ses_r"); len(x.Turns) != 4 {
		t.Errorf("Read = %q", said(x))
	}
}

// Someone who keeps the whole database to himself does not keep us waiting.
func TestLocked(t *testing.T) {
	dir := home(t, "old-opencode")
	db := create(t, database1(dir))
	must(t, db, "PRAGMA journal_mode = DELETE", "CREATE TABLE session (x)", "BEGIN EXCLUSIVE", "INSERT INTO session VALUES (1)")
	refs, skipped, err := source(t, dir, "opencode").List(ctx)
	if len(refs) != 1 || skipped != 1 || err != nil {
		t.Errorf("List = %+v, %d, %v, want the session of the files", refs, skipped, err)
	}
}

func TestCancelled(t *testing.T) {
	dir := home(t, "opencode", "old-opencode", "claude", "codex")
	others(t, dir)
	ended, stop := context.WithCancel(ctx)
	stop()
	for _, s := range Open(Defaults(dir, "", func(string) (string, bool) { return "", false })) {
		if _, _, err := s.List(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: List = %v", s.Agent(), err)
		}
		refs, _ := list(t, s)
		for _, r := range refs {
			if _, err := s.Read(ended, r); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: Read = %v", s.Agent(), err)
			}
		}
	}
}

// Many ask at once while somebody writes.
func TestConcurrent(t *testing.T) {
	dir := home(t, "opencode", "old-opencode", "claude", "codex")
	others(t, dir)
	sources := Open(Defaults(dir, "", func(string) (string, bool) { return "", false }))
	db := create(t, database1(dir))
	must(t, db, fmt.Sprintf(addSession, "ses_c", "t", 1, 1))
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for range 15 {
				s := sources[g%len(sources)]
				refs, skipped, err := s.List(ctx)
				if err != nil || skipped != 0 || len(refs) == 0 {
					t.Errorf("%s: List = %d, %d skipped, %v", s.Agent(), len(refs), skipped, err)
					return
				}
				for _, r := range refs {
					if _, err := s.Read(ctx, r); err != nil {
						t.Errorf("%s: Read = %v", s.Agent(), err)
					}
				}
				s.Watch()
			}
		})
	}
	for n := range 200 {
		if _, err := db.Exec(fmt.Sprintf(addMessage, fmt.Sprintf("msg_c%d", n), "ses_c", n, "user")); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
}
