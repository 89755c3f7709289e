package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// Where the file by which writers wait in line cannot be had, that is no defect of the program.
func TestNoLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := Open(t.Context(), path, Schema{Name: "a", Steps: []string{"CREATE TABLE a (b)"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := os.RemoveAll(path + ".write"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path+".write", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(*sql.Tx) error { return nil }); err == nil || !Environmental(err) {
		t.Errorf("Write = %v", err)
	}
}
