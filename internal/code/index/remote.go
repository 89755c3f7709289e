//go:build team

package index

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed" // remote.sql
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/assay-dev/assay/internal/base/store"
)

// A Remote is a corpus in a PostgreSQL database that several machines share: the third
// form of the contract, for servers of teams. Its tables are in a schema of their own.
//
// The documents of a batch become a segment, as in the folder form, but for two things.
// The postings of each term are a row, which is read when a question has the term; the
// rest of a segment never changes, and a process reads it once. And vectors are rows, among
// which the database finds the nearest where it has the extension pgvector (HNSW); their
// cosines are computed here from int8, as in every form. So the engine proposes, and
// counts; what is the best of that is found by the code that the folder form has, with the
// same answers.
//
// PostgreSQL's commit is the only commit point. A segment exists for readers only if a row
// of remote_segments names it, and the row of remote_state is locked by whoever changes
// that table.
type Remote struct {
	pool    *pgxpool.Pool
	id      [16]byte
	nearest bool  // there is pgvector
	keep    []int // the sections that are read with a segment

	mu  sync.Mutex
	cur *remoteState
}

// A RemotePlace says where a Remote is.
type RemotePlace struct {
	URL    string // postgres://user@host/database
	Key    string // the password, where the URL has none
	Corpus string // a name: each has tables of its own
	Whole  bool   // for Current: all that is no word or vector is read with a segment
}

// schemaOf returns the schema of a corpus. Names may be anything, and those of schemas are
// short.
func schemaOf(corpus string) string {
	sum := sha256.Sum256([]byte(corpus))
	return "assay_" + hex.EncodeToString(sum[:12])
}

// remoteTables is what a schema begins with.
//
//go:embed remote.sql
var remoteTables string

// OpenRemote opens a corpus, and makes its tables if they are not there.
func OpenRemote(ctx context.Context, at RemotePlace) (*Remote, error) {
	cfg, err := pgxpool.ParseConfig(at.URL)
	if err != nil {
		return nil, errors.New("the address of the database is none: want postgres://USER@HOST/DATABASE")
	}
	cfg.ConnConfig.Password = cmp.Or(cfg.ConnConfig.Password, at.Key)
	schema := schemaOf(at.Corpus)
	cfg.ConnConfig.RuntimeParams["search_path"] = schema + ",public"
	cfg.ConnConfig.RuntimeParams["application_name"] = "assay"
	cfg.ConnConfig.RuntimeParams["jit"] = "off" // these questions are shorter than a compilation
	// What was acknowledged is on the disk, whatever the server's own setting is.
	cfg.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	x := &Remote{keep: kept}
	if at.Whole {
		x.keep = append([]int{secGramKeys, secGramDict, secGrams, secFacts, secKeys, secKeyDocs}, kept...)
	}
	if x.pool, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return nil, err
	}
	if err = x.prepare(ctx, schema); err != nil {
		x.pool.Close()
		return nil, err
	}
	return x, nil
}

// Close closes the connections. Readers must be closed before.
func (x *Remote) Close() { x.pool.Close() }

// ID identifies the index: 16 random bytes given when it was created.
func (x *Remote) ID() [16]byte { return x.id }

// Drop removes a corpus with all that is in it.
func (x *Remote) Drop(ctx context.Context) error {
	_, err := x.pool.Exec(ctx, "DO $$ BEGIN EXECUTE format('DROP SCHEMA %I CASCADE', current_schema()); END $$")
	return err
}

// prepare makes the tables, once even where several machines begin at a time.
func (x *Remote) prepare(ctx context.Context, schema string) error {
	// Only an owner may install an extension, and one that is absent is none to install:
	// then there is none, and nearest chunks are found without it.
	_, _ = x.pool.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
	if err := ctx.Err(); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, x.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext($1))", schema); err != nil {
			return err
		}
		var made bool
		if err := tx.QueryRow(ctx, "SELECT to_regclass('remote_state') IS NOT NULL, to_regtype('halfvec') IS NOT NULL").Scan(&made, &x.nearest); err != nil {
			return err
		}
		if !made {
			if err := x.create(ctx, tx, schema); err != nil {
				return err
			}
		}
		var id []byte
		var format int
		if err := tx.QueryRow(ctx, "SELECT id, format FROM remote_state").Scan(&id, &format); err != nil {
			return err
		}
		if format != Format || len(id) != len(x.id) {
			return fmt.Errorf("%w: an index of format %d, this program reads %d", store.ErrOther, format, Format)
		}
		copy(x.id[:], id)
		// Somebody may have installed or removed the extension since.
		return tx.QueryRow(ctx, "SELECT count(*) > 0 FROM pg_attribute WHERE attrelid = 'remote_vectors'::regclass AND attname = 'embedding' AND NOT attisdropped").Scan(&x.nearest)
	})
}

func (x *Remote) create(ctx context.Context, tx pgx.Tx, schema string) error {
	if _, err := tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+schema+";"+remoteTables); err != nil {
		return err
	}
	if x.nearest {
		if _, err := tx.Exec(ctx, "ALTER TABLE remote_vectors ADD embedding halfvec NOT NULL"); err != nil {
			return err
		}
	}
	var id [16]byte
	rand.Read(id[:])
	_, err := tx.Exec(ctx, "INSERT INTO remote_state VALUES (1, $1, $2, 0, $3, 1, 1)", id[:], Format, nonce())
	return err
}

// remoteTx is for questions: one state, which does not change.
var remoteTx = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// A remoteState is a committed state as far as a process keeps it.
type remoteState struct {
	Snapshot // without words and vectors
	places
	x      *Remote
	models []string // the embedders that vectors are by
}

// places is where the documents of a snapshot are.
type places struct {
	once  sync.Once
	byDoc map[uint32]docPlace
}

// A docPlace is where a document is: the number of its segment and its own in that.
type docPlace struct{ segment, doc uint32 }

// of finds the live documents of p by their IDs.
func (w *places) of(p *Snapshot) map[uint32]docPlace {
	w.once.Do(func() {
		w.byDoc = map[uint32]docPlace{}
		for i, seg := range p.segs {
			for d := range seg.Docs {
				if !seg.dead.has(d) {
					w.byDoc[seg.docID(d)] = docPlace{uint32(i), d}
				}
			}
		}
	})
	return w.byDoc
}

// kept are the sections that are read with a segment. Postings are read by terms; the
// others are only for merges.
var kept = []int{secDocs, secChunks, secWords, secStrings, secFactAt}

// state returns the state that a transaction sees.
func (x *Remote) state(ctx context.Context, tx pgx.Tx) (*remoteState, error) {
	s := &remoteState{x: x}
	s.id, s.far = x.id, s
	var id []byte
	if err := tx.QueryRow(ctx, "SELECT id, epoch, nonce, next_doc, next_chunk FROM remote_state").Scan(&id, &s.Epoch, &s.Nonce, &s.NextDoc, &s.next); err != nil {
		return nil, err
	}
	if !bytes.Equal(id, x.id[:]) {
		return nil, ErrReplaced
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	old := x.cur
	if old != nil && old.Epoch == s.Epoch && old.Nonce == s.Nonce {
		return old, nil
	}
	if old != nil && old.Epoch > s.Epoch {
		old = nil // the transaction began before others that have read more
	}
	if err := x.load(ctx, tx, s, old); err != nil {
		return nil, err
	}
	if x.cur == nil || x.cur.Epoch < s.Epoch {
		x.cur = s
	}
	return s, nil
}

// load reads the segments of s that an older state has not, and what has died.
func (x *Remote) load(ctx context.Context, tx pgx.Tx, s, old *remoteState) error {
	rows, _ := tx.Query(ctx, "SELECT segment, lo, words, bytes FROM remote_segments ORDER BY lo")
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[remoteRow])
	if err != nil {
		return err
	}
	have := map[string]*segment{}
	var segs []*segment
	after := int64(-1) // of the dead, those after this epoch are news to all segments
	if old != nil {
		for _, seg := range old.segs {
			have[seg.Name] = seg
		}
		after = old.Epoch
	}
	for _, r := range list {
		seg := have[r.name()]
		if seg != nil {
			seg = seg.clone()
		} else {
			full, err := x.segment(ctx, tx, r, x.keep, nil)
			if err != nil {
				return err
			}
			seg = &segment{Segment: full, lo: r.Lo, total: r.Words}
			after = -1
		}
		segs = append(segs, seg)
	}
	rows, _ = tx.Query(ctx, "SELECT doc FROM remote_dead WHERE epoch > $1", after)
	dead, err := pgx.CollectRows(rows, pgx.RowTo[uint32])
	if err != nil {
		return err
	}
	rows, _ = tx.Query(ctx, "SELECT name FROM remote_embedders")
	if s.models, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return err
	}
	return s.take(segs, dead)
}

// A remoteRow names a segment.
type remoteRow struct {
	Segment, Lo, Words, Bytes int64
}

func (r remoteRow) name() string { return fmt.Sprint("segment ", r.Segment) }

// segment reads sections of a segment, and sets others to what is given.
func (x *Remote) segment(ctx context.Context, tx pgx.Tx, r remoteRow, which []int, others map[int][]byte) (*Segment, error) {
	var sec [sections][]byte
	rows, _ := tx.Query(ctx, "SELECT section, data FROM remote_sections WHERE segment = $1 AND section = ANY($2)", r.Segment, which)
	var no int
	var data []byte
	if _, err := pgx.ForEachRow(rows, []any{&no, &data}, func() error {
		if no >= 0 && no < sections {
			sec[no] = append([]byte(nil), data...)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for no, data := range others {
		sec[no] = data
	}
	return assembled(r.name(), sec, x.id, r.Bytes)
}

// assembled returns the segment that sections are of. size is what a merge of it costs.
func assembled(name string, sec [sections][]byte, id [16]byte, size int64) (*Segment, error) {
	var buf bytes.Buffer
	w := newSegWriter(&buf, id)
	for no, data := range sec {
		w.section(no, data)
	}
	if _, _, err := w.close(); err != nil {
		return nil, err
	}
	s, err := openSegment(name, buf.Bytes(), id)
	if err == nil {
		s.size = size
	}
	return s, err
}
