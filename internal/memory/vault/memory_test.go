package vault

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/memory/transcript"
)

// A clock moves a second with each look.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Second)
	return c.now
}

func static(t testing.TB) embed.Provider {
	p, err := embed.Open(embed.Config{Provider: "static", Text: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fresh opens a memory of its own.
func fresh(t testing.TB, change func(*Config)) *Memory {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// Well after the files that the test writes: nothing is so new that it might
	// change unseen.
	c := &clock{now: time.Now().Add(time.Hour)}
	cfg := Config{Vault: filepath.Join(dir, "vault"), Create: true, DB: filepath.Join(dir, "data", "memory.db"), Embedder: static(t), Now: c.Now}
	if change != nil {
		change(&cfg)
	}
	m := Open(cfg)
	t.Cleanup(m.Close)
	return m
}

func write(t testing.TB, m *Memory, rel, text string) {
	t.Helper()
	path := filepath.Join(m.cfg.Vault, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sync1(t testing.TB, m *Memory) SyncReport {
	t.Helper()
	r, err := m.Sync(context.Background(), SyncOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func paths(t testing.TB, m *Memory, q Query) []string {
	t.Helper()
	a, err := m.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range a.Hits {
		out = append(out, h.Path)
	}
	return out
}

func keep(t testing.TB, m *Memory, n Note) Stored {
	t.Helper()
	s, err := m.Store(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func kind(err error) fault.Kind {
	if err == nil {
		return 0
	}
	return fault.KindOf(err)
}

func TestStoreAndSearch(t *testing.T) {
	m := fresh(t, nil)
	s := keep(t, m, Note{Title: "Editor theme", Content: "I prefer dark themes in all editors", Category: "preferences", Project: "github.com/a/b"})
	if !strings.HasPrefix(s.Path, "preferences/editor-theme-") || !strings.HasSuffix(s.Path, ".md") || s.Unindexed != "" {
		t.Fatalf("%+v", s)
	}
	text, err := os.ReadFile(filepath.Join(m.cfg.Vault, s.Path))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"---\ntype: memory\n", "category: preferences\n", "created_at: ", "source: agent\n", "project: github.com/a/b\n", "\nid: ", "# Editor theme\n\nI prefer dark themes in all editors\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the note lacks %q:\n%s", want, text)
		}
	}
	a, err := m.Search(context.Background(), Query{Text: "which colours do I like in an editor"})
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Path != s.Path || a.Hits[0].Source != "memory" || a.Hits[0].Score <= 0 || a.Hits[0].Score > 1 {
		t.Fatalf("%+v %v", a, err)
	}
	if a.Hits[0].First < 1 || a.Hits[0].Age != 0 || a.Degraded != "" {
		t.Errorf("%+v %q", a.Hits[0], a.Degraded)
	}
	for _, n := range []Note{{Content: ""}, {Content: " \n"}, {Content: "<private>all of it</private>"}, {Content: "x", Category: "nonsense"}, {Content: strings.Repeat("x ", 1<<20)}} {
		if _, err := m.Store(context.Background(), n); kind(err) != fault.Usage {
			t.Errorf("Store(%.20q) = %v", n.Content, err)
		}
	}
}

// What is stored twice is there once; what differs in what matters, twice.
func TestStoreTwice(t *testing.T) {
	m := fresh(t, nil)
	first := keep(t, m, Note{Title: "Retries", Content: "The client retries three times with a pause of two seconds before it gives up on the server."})
	for _, same := range []string{
		"The client retries three times with a pause of two seconds before it gives up on the server.",
		"the client **retries** three times, with a pause of two seconds\nbefore it gives up on the server",
	} {
		if s := keep(t, m, Note{Title: "Other title", Content: same}); !s.Exists || s.Path != first.Path {
			t.Errorf("%q was stored again: %+v", same, s)
		}
	}
	for _, other := range []string{
		"The client retries three times with a pause of four seconds before it gives up on the server.",
		"The client never retries three times with a pause of two seconds before it gives up on the server.",
		"The server retries three times with a pause of two seconds before it gives up on the client.",
		"The client retries three times with a pause of two seconds after it gives up on the server.",
		"The client retries only three times with a pause of two seconds before it gives up on the server.",
	} {
		if s := keep(t, m, Note{Content: other}); s.Exists {
			t.Errorf("%q was taken for %s", other, s.Path)
		}
	}
	// What was superseded may be said again.
	second := keep(t, m, Note{Title: "Retries", Content: "The client does not retry.", Supersedes: first.Path})
	if s := keep(t, m, Note{Title: "Retries", Content: "The client retries three times with a pause of two seconds before it gives up on the server.", Supersedes: second.Path}); s.Exists {
		t.Errorf("%+v", s)
	}
	if _, err := m.Store(context.Background(), Note{Content: "new", Supersedes: "decisions/none.md"}); kind(err) != fault.NotFound {
		t.Errorf("superseding nothing: %v", err)
	}
}

// What is said with the same words but for one that decides is another thing.
func TestStoreOpposites(t *testing.T) {
	for _, pair := range [][2]string{
		{"The feature flag checkout redesign is on in production.", "The feature flag checkout redesign is off in production."},
		{"Run the migrations before the deploy of the new API servers.", "Run the migrations after the deploy of the new API servers."},
		{"Every service must log JSON to standard output.", "Every service may log JSON to standard output."},
		{"Only admins can delete archived projects of a customer.", "All admins can delete archived projects of a customer."},
		{"Copy the backups from the storage bucket of region Frankfurt.", "Copy the backups to the storage bucket of region Frankfurt."},
		{"Every service must log JSON to standard output on staging only.", "Every service must log JSON to standard output on staging."},
		{"The backups were encrypted with the key of the region.", "The backups are encrypted with the key of the region."},
		{"Nur die Verwalter dürfen archivierte Projekte eines Kunden löschen.", "Die Verwalter dürfen archivierte Projekte eines Kunden löschen."},
		{"-40 °C is the limit", "40 °C is the limit"},
		{"- -40 °C is the limit", "- 40 °C is the limit"},
		{"Der Dienst darf die Sicherungen nach dem Umzug der Datenbank löschen.", "Der Dienst darf die Sicherungen vor dem Umzug der Datenbank löschen."},
	} {
		m := fresh(t, nil)
		keep(t, m, Note{Content: pair[0]})
		if s := keep(t, m, Note{Content: pair[1]}); s.Exists {
			t.Errorf("%q was taken for %q", pair[1], pair[0])
		}
	}
}

// Notes of one title and one moment do not replace each other.
func TestStoreSameMoment(t *testing.T) {
	at := time.Now().Add(time.Hour)
	m := fresh(t, func(c *Config) { c.Now = func() time.Time { return at } })
	seen := map[string]bool{}
	var group sync.WaitGroup
	var mu sync.Mutex
	for i := range 8 {
		group.Go(func() {
			s, err := m.Store(context.Background(), Note{Title: "Same", Content: fmt.Sprintf("Note number %d says something.", i)})
			mu.Lock()
			defer mu.Unlock()
			if err != nil || seen[s.Path] {
				t.Errorf("%+v %v", s, err)
			}
			seen[s.Path] = true
		})
	}
	group.Wait()
	if n := sync1(t, m).Notes; n != 8 || len(seen) != 8 {
		t.Errorf("%d notes, %d paths", n, len(seen))
	}
}

func TestSuperseded(t *testing.T) {
	m := fresh(t, nil)
	old := keep(t, m, Note{Title: "Price", Content: "Boats are priced per hour on weekdays.", Category: "decisions"})
	now := keep(t, m, Note{Title: "Price", Content: "Boats are priced per half day on weekdays.", Category: "decisions", Supersedes: old.Path})
	got := paths(t, m, Query{Text: "how are boats priced"})
	if !slices.Equal(got, []string{now.Path, old.Path}) {
		t.Errorf("%v", got)
	}
	a, err := m.Search(context.Background(), Query{Text: "how are boats priced"})
	if err != nil || a.Hits[1].Superseded != now.Path {
		t.Errorf("%+v %v", a.Hits, err)
	}
	r, err := m.Recall(context.Background(), Recollection{Prompt: "how are boats priced on weekdays"})
	if err != nil || !strings.Contains(r.Block, now.Path) || strings.Contains(r.Block, old.Path) {
		t.Errorf("recalled %q %v", r.Block, err)
	}
}

// The index follows the vault, and can be deleted at any time.
func TestSync(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "# Alpha\n\nThe quick brown fox.")
	write(t, m, "b/c.md", "# Beta\n\nA lazy dog sleeps.")
	write(t, m, "b/.hidden.md", "hidden otter")
	write(t, m, ".obsidian/x.md", "hidden otter")
	write(t, m, "b/text.txt", "otter that is no note")
	if r := sync1(t, m); r.Notes != 2 || r.Changed != 2 || r.Chunks != 2 || r.Embedded != 2 {
		t.Fatalf("%+v", r)
	}
	if r := sync1(t, m); r.Changed != 0 || r.Embedded != 0 {
		t.Errorf("nothing changed, and %+v", r)
	}
	write(t, m, "a.md", "# Alpha\n\nThe slow red fox jumps.")
	if err := os.Remove(filepath.Join(m.cfg.Vault, "b", "c.md")); err != nil {
		t.Fatal(err)
	}
	if r := sync1(t, m); r.Changed != 1 || r.Removed != 1 {
		t.Errorf("%+v", r)
	}
	consistent(t, m)
	if got := paths(t, m, Query{Text: "lazy dog", Mode: Words}); len(got) != 0 {
		t.Errorf("what is gone is found: %v", got)
	}
	if got := paths(t, m, Query{Text: "quick", Mode: Words}); len(got) != 0 {
		t.Errorf("what was replaced is found: %v", got)
	}
	if got := paths(t, m, Query{Text: "red fox"}); len(got) != 1 {
		t.Errorf("what is new is not found: %v", got)
	}
	if got := paths(t, m, Query{Text: "otter", Mode: Words}); len(got) != 0 {
		t.Errorf("what is no note is found: %v", got)
	}
	// A search brings it up to date itself, and rebuilds it where it was deleted.
	write(t, m, "d.md", "A wombat digs.")
	if got := paths(t, m, Query{Text: "wombat", Wait: true}); !slices.Equal(got, []string{"d.md"}) {
		t.Errorf("%v", got)
	}
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		os.Remove(m.cfg.DB + suffix)
	}
	if got := paths(t, m, Query{Text: "wombat", Wait: true}); !slices.Equal(got, []string{"d.md"}) {
		t.Errorf("after the index was deleted: %v", got)
	}
}

// consistent holds that what is indexed is what the tables have, and nothing else.
func consistent(t testing.TB, m *Memory) {
	t.Helper()
	ctx := context.Background()
	err := m.with(ctx, func(h *handle) error {
		if err := index.Sound(ctx, h.DB); err != nil {
			return err
		}
		return h.read(ctx, func(tx *sql.Tx) error {
			x, err := h.indexed(ctx, tx)
			if err != nil {
				return err
			}
			defer x.close()
			var chunks, orphans int
			if err := tx.QueryRow(`SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM chunks WHERE file NOT IN (SELECT id FROM files))`).Scan(&chunks, &orphans); err != nil {
				return err
			}
			listed := 0
			for kind, r := range x {
				if err := r.Docs(func(d index.DocInfo) bool {
					var n int
					err := tx.QueryRow(`SELECT count(*) FROM chunks c JOIN files f ON f.id = c.file WHERE f.path = ? AND f.kind = ? AND c.id >= ? AND c.id < ?`,
						d.Path, kind, chunkID(kind, d.First), chunkID(kind, d.First+d.Chunks)).Scan(&n)
					if err != nil || n != int(d.Chunks) {
						t.Errorf("%s has %d chunks in the index, %d in the tables (%v)", d.Path, d.Chunks, n, err)
					}
					listed += n
					return true
				}); err != nil {
					return err
				}
			}
			vectors, err := index.CountVectors(ctx, tx, m.embedder())
			if err != nil {
				return err
			}
			missing, err := unembedded(ctx, tx, m.embedder())
			if x.chunks() != chunks || listed != chunks || orphans > 0 || m.embedder() != "" && (vectors != chunks || len(missing) > 0) {
				t.Errorf("%d chunks, %d indexed, %d of documents, %d vectors, %d of them missing, %d orphans", chunks, x.chunks(), listed, vectors, len(missing), orphans)
			}
			return err
		})
	})
	if err != nil {
		t.Error(err)
	}
}

// A folder that cannot be read keeps what the index has of it.
func TestCovers(t *testing.T) {
	l := &listing{unread: []string{"a/"}}
	for path, want := range map[string]bool{"a/b.md": false, "a/b/c.md": false, "ab.md": true, "b/a/c.md": true} {
		if l.covers(path) != want {
			t.Errorf("covers(%q) = %v", path, !want)
		}
	}
	m := fresh(t, nil)
	write(t, m, "a/b.md", "A pademelon.")
	write(t, m, "c.md", "A potoroo.")
	sync1(t, m)
	if err := m.with(context.Background(), func(h *handle) error {
		s := &syncer{m: m, h: h}
		_, gone, _, err := s.changed(context.Background(), &found{vault: l}, false)
		if !slices.Equal(gone, []string{"c.md"}) {
			t.Errorf("gone: %v", gone)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// Another index in the place of the one that is open is the one that answers.
func TestReplacedIndex(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "A pademelon.")
	sync1(t, m)
	other := m.cfg
	other.DB = m.cfg.DB + ".other"
	n := Open(other)
	write(t, m, "b.md", "A potoroo.")
	sync1(t, n)
	n.Close()
	for _, suffix := range []string{"-wal", "-shm"} {
		os.Remove(m.cfg.DB + suffix)
	}
	if err := os.Rename(other.DB, m.cfg.DB); err != nil {
		t.Skip(err) // an open file stays where it is on some systems
	}
	if got := paths(t, m, Query{Text: "potoroo", Mode: Words}); !slices.Equal(got, []string{"b.md"}) {
		t.Errorf("%v", got)
	}
}

// The hint names what is in the way: an index that cannot be written is not one that
// can be deleted.
func TestUnavailable(t *testing.T) {
	for _, tc := range []struct {
		err  error
		hint string
	}{
		{&fs.PathError{Op: "mkdir", Path: "/x", Err: fs.ErrPermission}, "set memory.db"},
		{&fs.PathError{Op: "mkdir", Path: "/x", Err: syscall.ENOTDIR}, "set memory.db"},
		{fmt.Errorf("sync: %w", syscall.ENOSPC), "free some space"},
		{errors.New("malformed"), "memory rebuild"},
	} {
		if err := unavailable("/x/memory.db", tc.err); !strings.Contains(fault.HintOf(err), tc.hint) {
			t.Errorf("%v: hint %q, want one with %q", err, fault.HintOf(err), tc.hint)
		}
	}
}

// Whatever lies where the index should be is kept, and the index is rebuilt.
func TestCorrupt(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"garbage":   func([]byte) []byte { return []byte(strings.Repeat("garbage ", 1000)) },
		"truncated": func(b []byte) []byte { return b[:len(b)/2] },
		"corrupt": func(b []byte) []byte {
			for i := 5000; i < len(b); i += 3 {
				b[i] ^= 0x5a
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := fresh(t, nil)
			for i := range 50 {
				write(t, m, fmt.Sprintf("n%d.md", i), fmt.Sprintf("# Note %d\n\nA marmot of number %d eats clover in the evening.", i, i))
			}
			sync1(t, m)
			m.Close()
			b, err := os.ReadFile(m.cfg.DB)
			if err != nil {
				t.Fatal(err)
			}
			os.Remove(m.cfg.DB + "-wal")
			if err := os.WriteFile(m.cfg.DB, spoil(b), 0o600); err != nil {
				t.Fatal(err)
			}
			n := Open(m.cfg)
			defer n.Close()
			a, err := n.Search(context.Background(), Query{Text: "marmot of number 17", Wait: true, Max: 3})
			if err != nil || len(a.Hits) == 0 || a.Hits[0].Path != "n17.md" {
				t.Fatalf("%+v %v", a, err)
			}
			kept, _ := filepath.Glob(m.cfg.DB + ".corrupt-*")
			if a.Moved == "" || !slices.Contains(kept, a.Moved) {
				t.Errorf("it was moved to %q; there are %v", a.Moved, kept)
			}
		})
	}
}

// The vault may be away: the last index answers, and nothing leaves it.
func TestVaultAway(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "A badger digs.")
	sync1(t, m)
	away := m.cfg.Vault + "-away"
	if err := os.Rename(m.cfg.Vault, away); err != nil {
		t.Fatal(err)
	}
	cfg := m.cfg
	cfg.Create = false
	n := Open(cfg)
	defer n.Close()
	a, err := n.Search(context.Background(), Query{Text: "badger", Wait: true})
	if err != nil || len(a.Hits) != 1 || a.Missing == "" {
		t.Errorf("%+v %v", a, err)
	}
	if _, err := n.Store(context.Background(), Note{Content: "something"}); kind(err) != fault.Unavailable {
		t.Errorf("storing into nothing: %v", err)
	}
	if err := os.Rename(away, m.cfg.Vault); err != nil {
		t.Fatal(err)
	}
	if a, err := n.Search(context.Background(), Query{Text: "badger", Wait: true}); err != nil || len(a.Hits) != 1 || a.Missing != "" {
		t.Errorf("%+v %v", a, err)
	}
}

func TestForget(t *testing.T) {
	src := &fake{agent: "claude", sessions: []*transcript.Session{talk("claude", "s1", "Wombats", "Tell me of wombats and cubes.", "They dig.")}}
	m := fresh(t, func(c *Config) { c.Sources = []transcript.Source{src} })
	ctx := context.Background()
	a := keep(t, m, Note{Title: "A", Content: "The xylophone stands in the cellar."})
	b := keep(t, m, Note{Title: "B", Content: "The xylophone was sold to the school."})
	c := keep(t, m, Note{Title: "C", Content: "A marimba stands in the attic."})
	sync1(t, m)
	if _, err := m.Capture(ctx, "claude", "s1"); err != nil {
		t.Fatal(err)
	}
	if g, err := m.Forget(ctx, Forgetting{Query: "xylophone cellar", DryRun: true}); err != nil || !slices.Equal(g.Notes, []string{a.Path}) {
		t.Errorf("%+v %v", g, err)
	}
	if _, err := os.Stat(filepath.Join(m.cfg.Vault, a.Path)); err != nil {
		t.Error("a dry run removed it")
	}
	if _, err := m.Forget(ctx, Forgetting{Query: "xylophone"}); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{a.Path, b.Path} {
		if _, err := os.Stat(filepath.Join(m.cfg.Vault, gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	consistent(t, m)
	if got := paths(t, m, Query{Text: "xylophone marimba stands", Mode: Words}); !slices.Equal(got, []string{c.Path}) {
		t.Errorf("%v", got)
	}
	g, err := m.Forget(ctx, Forgetting{Session: "s1"})
	if err != nil || !slices.Equal(g.Sessions, []string{"session:claude/s1"}) || len(g.Notes) != 1 {
		t.Errorf("%+v %v", g, err)
	}
	if r := sync1(t, m); r.Sessions != 0 {
		t.Errorf("%+v", r)
	}
	if got := paths(t, m, Query{Text: "wombats", Wait: true, Mode: Words}); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if x, err := m.Capture(ctx, "claude", "s1"); err != nil || x.State != "forgotten" {
		t.Errorf("%+v %v", x, err)
	}
	m.Close()
	for _, f := range []string{m.cfg.DB, m.cfg.DB + "-wal"} {
		if b, err := os.ReadFile(f); err == nil && (strings.Contains(string(b), "xylophon") || strings.Contains(strings.ToLower(string(b)), "wombat")) {
			t.Errorf("%s still holds what was forgotten", filepath.Base(f))
		}
	}
	if _, err := m.Forget(ctx, Forgetting{}); kind(err) != fault.Usage {
		t.Errorf("forgetting nothing: %v", err)
	}
}
