CREATE TABLE remote_state (one int PRIMARY KEY CHECK (one = 1), id bytea NOT NULL, format int NOT NULL,
	epoch bigint NOT NULL, nonce bigint NOT NULL, next_doc bigint NOT NULL, next_chunk bigint NOT NULL);
CREATE TABLE remote_ids (one int PRIMARY KEY CHECK (one = 1), next bigint NOT NULL);
INSERT INTO remote_ids VALUES (1, 1);
CREATE TABLE remote_docs (path bytea PRIMARY KEY, doc bigint NOT NULL);
CREATE TABLE remote_dead (doc bigint PRIMARY KEY, epoch bigint NOT NULL);
CREATE TABLE remote_segments (segment bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lo bigint NOT NULL,
	words bigint NOT NULL, bytes bigint NOT NULL);
CREATE TABLE remote_sections (segment bigint, section int, data bytea NOT NULL, PRIMARY KEY (segment, section));
CREATE TABLE remote_postings (segment bigint, term bytea, df int NOT NULL, data bytea NOT NULL, PRIMARY KEY (segment, term));
CREATE TABLE remote_trash (segment bigint PRIMARY KEY);
CREATE TABLE remote_batches (batch bytea PRIMARY KEY, epoch bigint NOT NULL);
CREATE TABLE remote_embedders (embedder bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, dims int NOT NULL, UNIQUE (name, dims));
CREATE TABLE remote_vectors (doc bigint, chunk int, embedder bigint, data bytea NOT NULL, PRIMARY KEY (doc, chunk, embedder));
ALTER TABLE remote_postings ALTER data SET STORAGE EXTERNAL;
ALTER TABLE remote_vectors ALTER data SET STORAGE PLAIN;
