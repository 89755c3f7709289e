package vault

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/store"
)

// old puts a database in the place of the index of m as it was when FTS5 found what is in
// it: with a note that is in the vault no more, and a vector that a provider gave.
func old(t testing.TB, m *Memory) {
	t.Helper()
	ctx := context.Background()
	s := schema()
	s.Steps = s.Steps[:1]
	if err := os.MkdirAll(filepath.Dir(m.cfg.DB), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(ctx, m.cfg.DB, s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`
INSERT INTO files (id, kind, path, size, mtime, hash, body, title) VALUES (7, 0, 'gone.md', 20, 30, x'01', x'02', 'Quokka');
INSERT INTO chunks VALUES (5, 7, 1, 1, 'Quokka', 0, 'A quokka smiles.');
INSERT INTO words (rowid, title, heading, body) VALUES (5, 'quokka', 'quokka', 'a quokka smiles');
INSERT INTO grams (rowid, body) VALUES (5, 'a quokka smiles');
INSERT INTO vectors VALUES (1, 0, 'someone', 3, x'0500000000000000', x'0000803f01');
INSERT INTO cache VALUES ('someone', x'aa', x'bb');
INSERT INTO meta VALUES ('identity', ?), ('notes', 'x'), ('sessions', 'y'), ('chunks', '1'), ('note chunks', '5'), ('epoch', '9'), ('embedded', ?)`,
		m.identity(), m.embedder()); err != nil {
		t.Fatal(err)
	}
	if err := db.Settle(ctx); err != nil {
		t.Fatal(err)
	}
}

// A database of the format before is recognised and made again of the vault. What only it
// has is kept: what a provider was paid for.
func TestFormerFormat(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "# Numbats\n\nA numbat eats termites.\n")
	write(t, m, forgottenFile, "claude/1\n")
	old(t, m)
	a, err := m.Search(context.Background(), Query{Text: "numbat"})
	if err != nil || len(a.Hits) > 0 || !a.Building || a.Moved != "" {
		t.Fatalf("before it is made again: %+v, %v; want that it is being made", a, err)
	}
	for range 2 {
		if got := paths(t, m, Query{Text: "numbat", Wait: true}); !slices.Equal(got, []string{"a.md"}) {
			t.Errorf("a search finds %v", got)
		}
		if got := paths(t, m, Query{Text: "quokka", Wait: true, Mode: Words}); len(got) > 0 {
			t.Errorf("what is no note is found: %v", got)
		}
		consistent(t, m)
	}
	if err := m.with(context.Background(), func(h *handle) error {
		var kept, left int
		err := h.QueryRow("SELECT (SELECT count(*) FROM cache), (SELECT count(*) FROM sqlite_schema WHERE name LIKE 'words%' OR name LIKE 'grams%')").Scan(&kept, &left)
		if kept != 1 || left != 0 {
			t.Errorf("%d vectors of the provider are left, and %d tables of FTS5", kept, left)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	if forgot, err := m.forgotten(context.Background()); err != nil || !forgot["claude/1"] {
		t.Errorf("forgotten are %v, %v", forgot, err)
	}
}

// Damage that SQLite does not see is seen when it is met, and the index made again.
func TestDamagedParts(t *testing.T) {
	for _, harm := range []string{
		"UPDATE postings SET data = x'00'", "UPDATE postings SET data = x'ffffffffffffffffffff01'", "UPDATE postings SET block = 1",
		"DELETE FROM lengths", "UPDATE lengths SET data = zeroblob(1000000)", "UPDATE lengths SET data = x'ff'", "UPDATE vectors SET data = x'00'",
		"UPDATE segments SET chunks = 1000000", "UPDATE segments SET first = 77", "DELETE FROM segments", "DELETE FROM documents",
	} {
		t.Run(harm, func(t *testing.T) {
			m := fresh(t, nil)
			write(t, m, "a.md", "# Numbats\n\nA numbat eats termites.\n")
			write(t, m, "b.md", "# Quolls\n\nA quoll is spotted.\n")
			sync1(t, m)
			if err := m.with(context.Background(), func(h *handle) error {
				_, err := h.Exec(harm)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			m.Close()
			m = Open(m.cfg)
			defer m.Close()
			write(t, m, "c.md", "# Numbats again\n\nThe numbat sleeps at night.\n")
			for _, mode := range []Mode{Words, Meaning} {
				got := paths(t, m, Query{Text: "numbat", Wait: true, Mode: mode})
				if len(got) == 0 { // it was moved aside while it was asked
					got = paths(t, m, Query{Text: "numbat", Wait: true, Mode: mode})
				}
				if !slices.Contains(got, "a.md") || !slices.Contains(got, "c.md") {
					t.Errorf("after the damage a search finds %v", got)
				}
			}
			consistent(t, m)
		})
	}
}

// An index of a version to come, as after an upgrade that was taken back, is put aside as what
// it is; of those that were put aside the newest stay.
func TestNewerIndex(t *testing.T) {
	m := fresh(t, nil)
	write(t, m, "a.md", "A marmot eats clover.")
	sync1(t, m)
	m.Close()
	db, err := sql.Open("sqlite", m.cfg.DB)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, ending := range []string{".corrupt-20200101T000000Z", ".other-20200102T000000Z", ".corrupt-20200103T000000Z"} {
		if err := os.WriteFile(m.cfg.DB+ending, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n := Open(m.cfg)
	defer n.Close()
	a, err := n.Search(t.Context(), Query{Text: "marmot", Wait: true})
	if err != nil || len(a.Hits) != 1 || !OfAnother(a.Moved) || !strings.HasPrefix(a.Moved, m.cfg.DB+".other-") {
		t.Errorf("%+v %v", a, err)
	}
	kept, _ := filepath.Glob(m.cfg.DB + ".*-*Z")
	if len(kept) != keptAside || !slices.Contains(kept, a.Moved) || slices.Contains(kept, m.cfg.DB+".corrupt-20200101T000000Z") {
		t.Errorf("there are %v", kept)
	}
	if OfAnother(m.cfg.DB + ".corrupt-20200103T000000Z") {
		t.Error("what was damaged is taken for another version's")
	}
}
