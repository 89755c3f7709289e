package library

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/format.txt")

// Files travel, and are read by programs that are older and newer: what is in one is, to
// the byte, what it was.
func TestFormat(t *testing.T) {
	db := manual(t)
	var b strings.Builder
	for _, q := range []string{
		"SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'snippets_fts_%' ORDER BY name",
		"SELECT library || ' ' || block || ' ' || words || ' ' || hex(data) || ' ' || model || ' ' || hex(signs) FROM lengths ORDER BY 1",
		"SELECT id || ' ' || title || ' ' || hex(vector) FROM snippets ORDER BY id",
		"SELECT library || ' ' || term || ' ' || block || ' ' || n || ' ' || hex(data) FROM postings ORDER BY 1",
	} {
		for _, s := range column(t, db, q) {
			if len(s) > 1000 && !strings.HasPrefix(s, "CREATE") {
				s = fmt.Sprintf("%s… %x", s[:100], sha256.Sum256([]byte(s)))
			}
			b.WriteString(s + "\n")
		}
	}
	golden := filepath.Join("testdata", "format.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("a file is not as %s has it (accept that with -update; files that are out there then need a way to be read):\n%s", golden, b.String())
	}
}

// column returns the one column of what a query finds.
func column(t *testing.T, db *DB, query string) (out []string) {
	t.Helper()
	rows, err := db.db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
