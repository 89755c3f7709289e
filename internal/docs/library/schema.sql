
CREATE TABLE libraries (
	id TEXT NOT NULL, version TEXT NOT NULL DEFAULT 'latest', title TEXT NOT NULL, description TEXT DEFAULT '',
	source_repo TEXT NOT NULL, total_snippets INTEGER DEFAULT 0, trust_score REAL DEFAULT -1, benchmark_score REAL DEFAULT 0,
	ingested_at TEXT DEFAULT (datetime('now')),
	git_ref TEXT NOT NULL DEFAULT '', git_commit TEXT NOT NULL DEFAULT '', commit_date TEXT NOT NULL DEFAULT '',
	aliases TEXT NOT NULL DEFAULT '[]', rules TEXT NOT NULL DEFAULT '[]', recipe TEXT NOT NULL DEFAULT '',
	pages INTEGER NOT NULL DEFAULT 0, tokens INTEGER NOT NULL DEFAULT 0, checksum TEXT NOT NULL DEFAULT '',
	first_snippet INTEGER NOT NULL, last_snippet INTEGER NOT NULL,
	PRIMARY KEY (id, version));
CREATE TABLE snippets (
	id INTEGER PRIMARY KEY AUTOINCREMENT, library_id TEXT NOT NULL, library_version TEXT NOT NULL DEFAULT 'latest',
	title TEXT NOT NULL, content TEXT NOT NULL, source_path TEXT, source_url TEXT, language TEXT DEFAULT '',
	token_count INTEGER DEFAULT 0, breadcrumb TEXT DEFAULT '', line INTEGER NOT NULL DEFAULT 0, vector BLOB,
	FOREIGN KEY (library_id, library_version) REFERENCES libraries(id, version));
CREATE VIRTUAL TABLE snippets_fts USING fts5(title, content, source_path, breadcrumb,
	content='snippets', content_rowid='id', tokenize='porter unicode61');
CREATE TABLE pages (library INTEGER NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL,
	first INTEGER NOT NULL, snippets INTEGER NOT NULL, PRIMARY KEY (library, path)) WITHOUT ROWID;
