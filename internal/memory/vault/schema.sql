CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
	id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, path TEXT NOT NULL UNIQUE,
	size INTEGER NOT NULL DEFAULT 0, mtime INTEGER NOT NULL DEFAULT 0, stamp TEXT NOT NULL DEFAULT '',
	hash BLOB NOT NULL, body BLOB, title TEXT NOT NULL, category TEXT NOT NULL DEFAULT '', project TEXT NOT NULL DEFAULT '',
	day INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL DEFAULT 0, evergreen INTEGER NOT NULL DEFAULT 0,
	session TEXT NOT NULL DEFAULT '', supersedes TEXT NOT NULL DEFAULT '');
CREATE INDEX files_body ON files (body);
CREATE INDEX files_session ON files (session) WHERE session <> '';
CREATE INDEX files_supersedes ON files (supersedes) WHERE supersedes <> '';
CREATE TABLE chunks (
	id INTEGER PRIMARY KEY, file INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
	heading TEXT NOT NULL, day INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX chunks_file ON chunks (file);
CREATE VIRTUAL TABLE words USING fts5(title, heading, body, content='', contentless_delete=1, tokenize='porter unicode61');
CREATE VIRTUAL TABLE grams USING fts5(body, content='', contentless_delete=1, detail=none, tokenize='trigram');
CREATE TABLE vectors (
	block INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, embedder TEXT NOT NULL, epoch INTEGER NOT NULL,
	ids BLOB NOT NULL, data BLOB NOT NULL);
CREATE TABLE cache (embedder TEXT NOT NULL, hash BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (embedder, hash)) WITHOUT ROWID;
-- step
DROP TABLE words;
DROP TABLE grams;
DROP TABLE vectors;
UPDATE files SET size = -1, mtime = 0, stamp = '', hash = x'';
DELETE FROM chunks;
DELETE FROM meta WHERE key IN ('notes', 'sessions', 'chunks', 'embedded');
DELETE FROM meta WHERE key LIKE '% chunks';
INSERT OR REPLACE INTO meta SELECT 'building', '1' WHERE EXISTS (SELECT 1 FROM files);
-- step
DROP INDEX files_supersedes;
ALTER TABLE files DROP COLUMN supersedes;
ALTER TABLE files ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE files ADD COLUMN valid_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN valid_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN importance INTEGER NOT NULL DEFAULT 0;
CREATE INDEX files_name ON files (name);
ALTER TABLE chunks ADD COLUMN speaker INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chunks ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;
CREATE TABLE links (file INTEGER NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL);
CREATE INDEX links_file ON links (file);
CREATE INDEX links_target ON links (kind, target);
CREATE TABLE forgotten (session TEXT PRIMARY KEY) WITHOUT ROWID;
-- step
CREATE INDEX chunks_day ON chunks (day, file) WHERE day <> 0;
CREATE INDEX files_day ON files (day) WHERE day <> 0;
CREATE INDEX files_created ON files (created) WHERE day = 0;
-- step
UPDATE files SET stamp = '', hash = x'' WHERE kind = 1;
DELETE FROM meta WHERE key = 'sessions';
-- step
ALTER TABLE files ADD COLUMN asked TEXT NOT NULL DEFAULT '';
-- step
ALTER TABLE chunks DROP COLUMN asks;
UPDATE files SET stamp = '', hash = x'' WHERE kind = 1;
DELETE FROM meta WHERE key = 'sessions';
