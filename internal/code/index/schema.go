package index

import "github.com/assay-dev/assay/internal/base/store"

// schema is the history of index.db.
func schema() store.Schema {
	return store.Schema{Name: "assay index", Steps: []string{`
CREATE TABLE meta(one INTEGER PRIMARY KEY CHECK (one = 1), id BLOB NOT NULL, format INTEGER NOT NULL, embedder TEXT NOT NULL, epoch INTEGER NOT NULL, nonce INTEGER NOT NULL, next_chunk INTEGER NOT NULL, next_doc INTEGER NOT NULL);
CREATE TABLE seg(name TEXT PRIMARY KEY, kind TEXT NOT NULL, of TEXT NOT NULL, bytes INTEGER NOT NULL, sum INTEGER NOT NULL, lo INTEGER NOT NULL, hi INTEGER NOT NULL, docs INTEGER NOT NULL, words INTEGER NOT NULL, dead BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE dirs(path TEXT PRIMARY KEY, seen INTEGER NOT NULL, entries BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE contents(hash BLOB PRIMARY KEY, epoch INTEGER NOT NULL, chunks BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE vectors(hash BLOB NOT NULL, embedder TEXT NOT NULL, epoch INTEGER NOT NULL, vec BLOB NOT NULL, PRIMARY KEY (hash, embedder)) WITHOUT ROWID;
`, `
ALTER TABLE meta ADD COLUMN seg_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE meta ADD COLUMN dir_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE meta ADD COLUMN row_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seg ADD COLUMN row_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dirs ADD COLUMN row_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE contents ADD COLUMN row_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE vectors ADD COLUMN row_sum INTEGER NOT NULL DEFAULT 0;
`, `
ALTER TABLE meta ADD COLUMN files_left INTEGER NOT NULL DEFAULT 1;
`,
		// Rows that have a number lie one behind the other. In the order of their hashes a third
		// of the pages was empty, and each row above a quarter of a page had pages of its own.
		// What was cut is cut again.
		`
DROP TABLE contents;
CREATE TABLE contents(hash BLOB PRIMARY KEY, epoch INTEGER NOT NULL, chunks BLOB NOT NULL, row_sum INTEGER NOT NULL DEFAULT 0);
`}, Sound: sound, Layout: "650566067fbbb35233cac38b420f8b379bdab4c426d908ce28f306f99a2aaa52"}
}
