package vault

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// remoteFor makes an empty repository that any number of vaults can exchange with.
func remoteFor(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	if out, err := exec.Command("git", "init", "-q", "--bare", dir).CombinedOutput(); err != nil { //nolint:gosec // a folder of the test
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

func swap(t *testing.T, m *Memory, remote string) Exchanged {
	t.Helper()
	out, err := m.Exchange(context.Background(), Exchange{Remote: remote})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same holds that two vaults have the same notes.
func sameNotes(t *testing.T, a, b *Memory) {
	t.Helper()
	x, y := readNotes(t, a), readNotes(t, b)
	if !maps.Equal(x, y) {
		t.Errorf("%q\n\nand\n\n%q", x, y)
	}
}

// What one machine stores, edits or removes, the other one has after both have exchanged;
// of a note that both edited both versions stay, marked; nothing is sent twice.
func TestExchange(t *testing.T) {
	a, b := fresh(t, nil), fresh(t, nil)
	write(t, a, "decisions/db.md", "We use PostgreSQL 16.\n")
	write(t, a, "facts/a.md", "one\n")
	write(t, b, "facts/b.md", "two\n")
	write(t, b, "facts/a.md", "one\n") // the same on both is no conflict
	remote := remoteFor(t)
	if out := swap(t, a, remote); out.Sent != 2 || out.Received != 0 {
		t.Errorf("%+v", out)
	}
	if out := swap(t, b, remote); out.Sent != 1 || out.Received != 1 || len(out.Conflicts) != 0 {
		t.Errorf("%+v", out)
	}
	swap(t, a, "") // the remote is known by now
	sameNotes(t, a, b)
	for _, m := range []*Memory{a, b} {
		if out := swap(t, m, ""); out.Sent+out.Received+out.Removed+out.RemovedAway != 0 {
			t.Errorf("nothing has changed: %+v", out)
		}
	}

	// Edited on one side, removed on one side, edited on one and removed on the other.
	write(t, a, "facts/a.md", "one, edited\n")
	remove(t, a, "facts/b.md")
	write(t, b, "new.md", "three\n")
	swap(t, a, "")
	if out := swap(t, b, ""); out.Removed != 1 || out.Received != 1 || out.Sent != 1 {
		t.Errorf("%+v", out)
	}
	swap(t, a, "")
	sameNotes(t, a, b)
	write(t, a, "new.md", "three, edited\n")
	remove(t, b, "new.md")
	swap(t, b, "")
	swap(t, a, "")
	swap(t, b, "")
	sameNotes(t, a, b)
	if readNotes(t, b)["new.md"] != "three, edited\n" {
		t.Error("what was edited on one side is gone because the other removed it")
	}

	// Edited on both.
	write(t, a, "decisions/db.md", "We use PostgreSQL 17.\n")
	write(t, b, "decisions/db.md", "---\ntitle: DB\n---\nWe use MariaDB.\n")
	swap(t, a, "")
	out := swap(t, b, "")
	if len(out.Conflicts) != 1 || out.Conflicts[0].Path != "decisions/db.md" {
		t.Fatalf("%+v", out)
	}
	swap(t, a, "")
	sameNotes(t, a, b)
	copied := out.Conflicts[0].Copy
	n := readNotes(t, a)
	if n["decisions/db.md"] != "We use PostgreSQL 17.\n" || n[copied] != "---\nconflicts_with: decisions/db.md\ntitle: DB\n---\nWe use MariaDB.\n" {
		t.Errorf("%q", n)
	}
	sync1(t, a)
	s, err := a.Search(context.Background(), Query{Text: "MariaDB or PostgreSQL"})
	if err != nil || len(s.Hits) < 2 || s.Hits[0].Conflict == "" || s.Hits[1].Conflict == "" {
		t.Errorf("%+v, %v", s.Hits, err)
	}
	found, _, err := a.Audit(context.Background())
	if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return f.Path == copied && f.Kind == "conflicts" }) {
		t.Errorf("%+v, %v", found, err)
	}

	// What was forgotten on one is so on both.
	if err := os.WriteFile(filepath.Join(a.cfg.Vault, forgottenFile), []byte("claude/x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.cfg.Vault, forgottenFile), []byte("claude/y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	swap(t, a, "")
	swap(t, b, "")
	swap(t, a, "")
	for _, m := range []*Memory{a, b} {
		if f, err := m.forgotten(context.Background()); err != nil || !f["claude/x"] || !f["claude/y"] {
			t.Errorf("%v, %v", f, err)
		}
		if out := swap(t, m, ""); out.Sent+out.Received != 0 {
			t.Errorf("%+v", out)
		}
	}
}

func remove(t *testing.T, m *Memory, rel string) {
	t.Helper()
	if err := os.Remove(filepath.Join(m.cfg.Vault, filepath.FromSlash(rel))); err != nil {
		t.Fatal(err)
	}
}

// A secret that somebody wrote into a note stays on his machine, also when the note is
// edited elsewhere.
func TestExchangeSecrets(t *testing.T) {
	a, b := fresh(t, nil), fresh(t, nil)
	const secret = "The key is ghp_abcdefghijklmnopqrstuvwxyz0123456789.\n<private>mine</private>\n"
	write(t, a, "a.md", secret)
	remote := remoteFor(t)
	swap(t, a, remote)
	swap(t, b, remote)
	if text := readNotes(t, b)["a.md"]; text == "" || strings.Contains(text, "ghp_") || strings.Contains(text, "mine") {
		t.Errorf("%q", text)
	}
	if out := swap(t, a, ""); out.Sent+out.Received != 0 || readNotes(t, a)["a.md"] != secret {
		t.Errorf("%+v", out)
	}
	write(t, b, "a.md", "Edited.\n")
	swap(t, b, "")
	out := swap(t, a, "")
	if len(out.Conflicts) != 1 || !strings.Contains(readNotes(t, a)[out.Conflicts[0].Copy], "ghp_") || readNotes(t, a)["a.md"] != "Edited.\n" {
		t.Errorf("%+v\n%q", out, readNotes(t, a))
	}
	swap(t, b, "")
	if text := fmt.Sprint(readNotes(t, b)); strings.Contains(text, "ghp_") {
		t.Errorf("%q", text)
	}
}

// A vault that is not there, and a remote that was emptied, remove nothing; one that is
// out of reach leaves everything as it was.
func TestExchangeNothingLost(t *testing.T) {
	a := fresh(t, nil)
	for i := range 30 {
		write(t, a, fmt.Sprintf("facts/%d.md", i), fmt.Sprintf("fact %d\n", i))
	}
	remote := remoteFor(t)
	if _, err := a.Exchange(context.Background(), Exchange{}); fault.KindOf(err) != fault.Usage {
		t.Errorf("without a remote: %v", err)
	}
	swap(t, a, remote)
	before := readNotes(t, a)
	check := func(err error, kind fault.Kind) {
		t.Helper()
		if fault.KindOf(err) != kind || !maps.Equal(before, readNotes(t, a)) {
			t.Errorf("%v, %d notes", err, len(readNotes(t, a)))
		}
	}
	if err := os.Rename(remote, remote+".away"); err != nil {
		t.Fatal(err)
	}
	_, err := a.Exchange(context.Background(), Exchange{})
	check(err, fault.Unavailable)
	if err := os.Rename(remote+".away", remote); err != nil {
		t.Fatal(err)
	}

	// The vault looks empty.
	if err := os.Rename(a.cfg.Vault, a.cfg.Vault+".away"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(a.cfg.Vault, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Exchange(context.Background(), Exchange{}); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "30 of 30 notes") {
		t.Errorf("an empty vault: %v", err)
	}
	if err := os.Remove(a.cfg.Vault); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(a.cfg.Vault+".away", a.cfg.Vault); err != nil {
		t.Fatal(err)
	}

	// The branch of the remote is gone.
	if out, err := exec.Command("git", "-C", remote, "update-ref", "-d", "refs/heads/main").CombinedOutput(); err != nil { //nolint:gosec // a folder of the test
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := a.Exchange(context.Background(), Exchange{}); err != nil || out.Sent != 30 {
		t.Errorf("%+v, %v", out, err)
	}
	if !maps.Equal(before, readNotes(t, a)) {
		t.Error("the notes went with the branch")
	}

	// The repository by which they are exchanged is gone.
	if err := os.RemoveAll(a.cfg.DB + mirrorSuffix); err != nil {
		t.Fatal(err)
	}
	write(t, a, "facts/1.md", "another\n")
	before = readNotes(t, a)
	if out := swap(t, a, remote); len(out.Conflicts) != 1 || out.Received != 1 {
		t.Errorf("%+v", out)
	}
	if got := readNotes(t, a); len(got) != 31 {
		t.Errorf("%d notes", len(got))
	}

	if err := os.Mkdir(filepath.Join(a.cfg.Vault, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Exchange(context.Background(), Exchange{}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a vault that is a repository: %v", err)
	}
}

// What a hostile remote has under names of notes and of other files stays there: nothing
// is written outside the vault, through links, or over what is no note.
func TestExchangeHostile(t *testing.T) {
	remote := remoteFor(t)
	work := t.TempDir()
	run := func(in string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", remote}, args...)...) //nolint:gosec // a folder of the test
		cmd.Stdin = strings.NewReader(in)
		cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(work, "index"), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	blob := run("hostile\n", "hash-object", "-w", "--stdin")
	link := run("/etc/passwd", "hash-object", "-w", "--stdin")
	tree := run(strings.Join([]string{
		"100644 blob " + blob + "\tok.md", "100755 blob " + blob + "\trun.md", "120000 blob " + link + "\tlink.md", "100644 blob " + blob + "\t.hidden.md",
		"100644 blob " + blob + "\tC:x.md", "100644 blob " + blob + "\ta\\b.md", "100644 blob " + blob + "\tprogram.sh", "100644 blob " + blob + "\ttaken.md", "100644 blob " + blob + "\t.gitattributes"}, "\n")+"\n", "mktree")
	evil := run("040000 tree "+tree+"\t..\n", "mktree")
	all := run("040000 tree "+evil+"\tdeep\n"+"040000 tree "+tree+"\tin\n100644 blob "+blob+"\ttop.md\n", "mktree")
	run("", "update-ref", "refs/heads/main", run("x\n", "commit-tree", all))

	m := fresh(t, nil)
	if err := os.MkdirAll(filepath.Join(m.cfg.Vault, "in", "taken.md"), 0o700); err != nil { // a folder in its place
		t.Fatal(err)
	}
	out := swap(t, m, remote)
	got := slices.Sorted(maps.Keys(readNotes(t, m)))
	if strings.Join(got, " ") != "in/ok.md in/run.md top.md" || out.Received != 3 || out.Sent+out.RemovedAway != 0 {
		t.Errorf("%v, %+v", got, out)
	}
	if st, err := os.Stat(filepath.Join(m.cfg.Vault, "in", "run.md")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	// To a tree that git itself refuses nothing can be added; to one without that it can.
	write(t, m, "mine.md", "mine\n")
	if _, err := m.Exchange(context.Background(), Exchange{}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("%v", err)
	}
	run("", "update-ref", "refs/heads/main", run("x\n", "commit-tree", run("040000 tree "+tree+"\tin\n100644 blob "+blob+"\ttop.md\n", "mktree")))
	if out := swap(t, m, ""); out.Sent != 1 || out.RemovedAway != 0 {
		t.Errorf("%+v", out)
	}
	if left := run("", "ls-tree", "-r", "--name-only", "main"); !strings.Contains(left, "program.sh") || !strings.Contains(left, "taken.md") || !strings.Contains(left, "link.md") {
		t.Errorf("the remote has lost what is no note:\n%s", left)
	}
}

// A disk that takes nothing is an error, and not a note that has no place: whoever is told that
// all is done forgets it. What the machine says of the lock is no defect of the program either.
func TestExchangeFullDisk(t *testing.T) {
	for _, err := range []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES} {
		x := &exchanging{unknown: map[string]bool{}, out: Exchanged{Skipped: map[string]int{}}}
		if got := x.absent("a.md", &fs.PathError{Op: "openat", Path: "a.md", Err: err}); got == nil || len(x.state.Absent) > 0 {
			t.Errorf("%v: %v, and %v is taken to have no place", err, got, x.state.Absent)
		}
	}
	x := &exchanging{unknown: map[string]bool{}, out: Exchanged{Skipped: map[string]int{}}}
	if got := x.absent("a.md", &fs.PathError{Op: "openat", Path: "a.md", Err: syscall.ENAMETOOLONG}); got != nil || len(x.state.Absent) != 1 {
		t.Errorf("a name that is too long: %v, %v", got, x.state.Absent)
	}
	m := fresh(t, func(c *Config) { c.DB = filepath.Join(c.Vault, "taken", "memory.db") })
	write(t, m, "taken", "a file in the place of the folder")
	if _, err := m.Exchange(context.Background(), Exchange{Remote: remoteFor(t)}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("without a lock: %v", err)
	}
}

// A vault that lost all or most of its notes, as one on a drive that is not mounted, removes
// nothing elsewhere unless that is asked for; one note forgotten is no such loss.
func TestExchangeRemovals(t *testing.T) {
	for n, gone := range map[int]int{2: 2, 5: 4, 30: 16} {
		a, b := fresh(t, nil), fresh(t, nil)
		for i := range n {
			write(t, a, fmt.Sprintf("n%d.md", i), fmt.Sprintf("note %d\n", i))
		}
		remote := remoteFor(t)
		swap(t, a, remote)
		swap(t, b, remote)
		for i := range gone {
			remove(t, b, fmt.Sprintf("n%d.md", i))
		}
		if _, err := b.Exchange(t.Context(), Exchange{}); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "would be removed at the remote") {
			t.Errorf("%d of %d are gone: %v", gone, n, err)
		}
		if swap(t, a, ""); len(readNotes(t, a)) != n {
			t.Errorf("%d of %d are left", len(readNotes(t, a)), n)
		}
		if out, err := b.Exchange(t.Context(), Exchange{Removals: true}); err != nil || out.RemovedAway != gone {
			t.Errorf("%+v, %v", out, err)
		}
		if _, err := a.Exchange(t.Context(), Exchange{}); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "would be removed here") {
			t.Errorf("%d of %d are gone elsewhere: %v", gone, n, err)
		}
	}
	a := fresh(t, nil)
	write(t, a, "n.md", "note\n")
	swap(t, a, remoteFor(t))
	remove(t, a, "n.md")
	if out := swap(t, a, ""); out.RemovedAway != 1 {
		t.Errorf("%+v", out)
	}
}

// TestExchangeKilledAfterPush kills an exchange after its push. The next one must know its own notes at
// the remote, because taken for another's they would conflict.
func TestExchangeKilledAfterPush(t *testing.T) {
	for _, other := range []bool{false, true} {
		t.Run(fmt.Sprintf("another edits: %v", other), func(t *testing.T) {
			a, b := fresh(t, nil), fresh(t, nil)
			write(t, a, "facts/a.md", "one\n")
			remote := remoteFor(t)
			swap(t, a, remote)
			swap(t, b, remote)
			at := filepath.Join(a.cfg.DB+mirrorSuffix, mirrorState)
			state := func() (s exchangeState) {
				t.Helper()
				raw, err := os.ReadFile(at)
				if err == nil {
					err = json.Unmarshal(raw, &s)
				}
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			before := state()
			write(t, a, "facts/a.md", "one, edited\n")
			swap(t, a, "")
			after := state()
			if after.Sending != "" {
				t.Errorf("what was pushed is still said to be on its way: %+v", after)
			}
			// The state as it is between the push and the last save.
			before.Sending = after.Base
			raw, err := json.Marshal(before)
			if err == nil {
				err = os.WriteFile(at, raw, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if other {
				swap(t, b, "")
				write(t, b, "facts/a.md", "one, edited there\n")
				swap(t, b, "")
			}
			write(t, a, "facts/a.md", "one, edited twice\n")
			out := swap(t, a, "")
			if (len(out.Conflicts) > 0) != other || out.Sent != 1 {
				t.Errorf("%+v", out)
			}
		})
	}
}

// A note that is too large for one that somebody stores stays where it is, here or at the remote, and is
// counted. The largest that may be stored is exchanged.
func TestExchangeBounds(t *testing.T) {
	a, b := fresh(t, nil), fresh(t, nil)
	write(t, a, "large.md", strings.Repeat("x", maxExchanged+1))
	write(t, a, "right.md", strings.Repeat("y", maxExchanged))
	remote := remoteFor(t)
	for range 2 {
		if out := swap(t, a, remote); out.Skipped[tooLarge] != 1 || len(readNotes(t, a)) != 2 {
			t.Errorf("%+v", out)
		}
	}
	// Another program may have put one there.
	work := filepath.Join(t.TempDir(), "work")
	for _, args := range [][]string{{"clone", "-q", "-b", exchangeBranch, remote, work}, {"-C", work, "add", "."}, {"-C", work, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "x"}, {"-C", work, "push", "-q"}} {
		if args[0] != "clone" {
			if err := os.WriteFile(filepath.Join(work, "from-there.md"), []byte(strings.Repeat("z", 20<<20)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for range 2 {
		out := swap(t, b, remote)
		if out.Skipped[tooLarge] != 1 || out.RemovedAway+out.Sent != 0 {
			t.Errorf("%+v", out)
		}
	}
	if got := slices.Sorted(maps.Keys(readNotes(t, b))); !slices.Equal(got, []string{"right.md"}) {
		t.Errorf("it has %v", got)
	}
}
