//go:build team

package index

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// patience is how long a change is tried while the database is not there.
const patience = time.Minute

// Change makes a change. Once it has returned nil, it is on the database's disk. A change
// of which it is unknown whether it was committed, as the connection broke, is sent again
// under the name that it had, and is made once.
func (x *Remote) Change(ctx context.Context, c Change) error {
	b := newBatch(c)
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return trying(ctx, passing, func() error { return x.commit(ctx, b) })
}

// passing reports whether an error is of the connection or of others who write, and not of
// what was asked.
func passing(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		_, dial := errors.AsType[*pgconn.ConnectError](err)
		_, broke := errors.AsType[net.Error](err)
		return dial || broke && !errors.Is(err, context.DeadlineExceeded) || pgconn.SafeToRetry(err) ||
			errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed)
	}
	switch e.Code {
	case "40001", "40P01", "57P01", "57P02", "57P03", "53300": // conflicts, shutting down, starting, too many connections
		return true
	}
	return len(e.Code) == 5 && e.Code[:2] == "08"
}

// A remoteBatch is a change as it is sent, which is made once however often it is sent.
type remoteBatch struct {
	Change
	name    []byte
	paths   [][]byte // that what is there is taken from
	first   uint32   // ID of the first document
	segment *Segment // nil: no document is put
}

// newBatch makes of a change what is sent.
func newBatch(c Change) *remoteBatch {
	b := &remoteBatch{Change: c}
	last := map[string]int{}
	for i, d := range c.Put {
		last[d.Path] = i
	}
	b.Put = nil
	sum := sha256.New()
	for i, d := range c.Put {
		if last[d.Path] == i {
			b.Put = append(b.Put, d)
			b.paths = append(b.paths, []byte(d.Path))
			fmt.Fprintf(sum, "%q %x\n", d.Path, d.Hash)
		}
	}
	for _, p := range c.Delete {
		if _, ok := last[p]; !ok {
			b.paths = append(b.paths, []byte(p))
			fmt.Fprintf(sum, "-%q\n", p)
		}
	}
	// The same may be put again later, after something else was.
	fmt.Fprint(sum, nonce())
	b.name = sum.Sum(nil)
	return b
}

// build makes the segment of the documents of a batch, under IDs that nobody else has.
func (x *Remote) build(ctx context.Context, b *remoteBatch) error {
	if b.segment != nil || len(b.Put) == 0 {
		return nil
	}
	var next int64
	if err := x.pool.QueryRow(ctx, "UPDATE remote_ids SET next = next + $1 RETURNING next", len(b.Put)).Scan(&next); err != nil {
		return err
	}
	if next > 1<<32 {
		return errors.New("the index has no number left for a document: make it again")
	}
	b.first = uint32(next - int64(len(b.Put)))
	w := NewBuilder()
	for i, d := range b.Put {
		n := *d
		n.ID = b.first + uint32(i)
		n.Embedder, n.Vectors = "", nil // they are rows
		w.Add(&n)
	}
	var err error
	b.segment, err = w.segment(x.id)
	return err
}

// commit makes the change of a batch, unless it was made.
func (x *Remote) commit(ctx context.Context, b *remoteBatch) error {
	if err := x.build(ctx, b); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, x.pool, func(tx pgx.Tx) error {
		var made bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM remote_batches WHERE batch = $1)", b.name).Scan(&made); err != nil || made {
			return err
		}
		// All that can be written before others have to wait.
		var id, words int64
		var err error
		if b.segment != nil {
			if id, words, err = x.put(ctx, tx, b.segment); err != nil {
				return err
			}
			if err := x.putVectors(ctx, tx, b); err != nil {
				return err
			}
		}
		return x.publish(ctx, tx, b, id, words)
	})
	if errors.Is(err, errMade) {
		return nil
	}
	return err
}

// errMade says that a batch was made before.
var errMade = errors.New("the batch was made before")

// publish names what a batch has written, in the order in which writers come.
func (x *Remote) publish(ctx context.Context, tx pgx.Tx, b *remoteBatch, id, words int64) error {
	epoch, next, err := lockState(ctx, tx)
	if err != nil {
		return err
	}
	// Two that send one batch: the second has waited for the first.
	tag, err := tx.Exec(ctx, "INSERT INTO remote_batches VALUES ($1, $2) ON CONFLICT DO NOTHING", b.name, epoch)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return errMade
	}
	rows, _ := tx.Query(ctx, "DELETE FROM remote_docs WHERE path = ANY($1) RETURNING doc", b.paths)
	dead, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	if len(dead) > 0 {
		if _, err := tx.Exec(ctx, "INSERT INTO remote_dead SELECT unnest($1::bigint[]), $2", dead, epoch); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM remote_vectors WHERE doc = ANY($1)", dead); err != nil {
			return err
		}
	}
	chunks := int64(0)
	if b.segment != nil {
		chunks = int64(b.segment.Chunks)
		if _, err := tx.Exec(ctx, "INSERT INTO remote_segments OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4)", id, next, words, b.segment.size); err != nil {
			return err
		}
		c := newCopy(2)
		for i, d := range b.Put {
			c.row().bytes([]byte(d.Path)).int64(int64(b.first) + int64(i))
		}
		if err := c.send(ctx, tx, "remote_docs (path, doc)"); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, "DELETE FROM remote_batches WHERE epoch < $1", epoch-rememberBatches); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "UPDATE remote_state SET epoch = $1, nonce = $2, next_doc = greatest(next_doc, $3), next_chunk = $4",
		epoch, nonce(), int64(b.first)+int64(len(b.Put)), next+chunks)
	return err
}

// rememberBatches is how many batches are known to have been made: more than may come
// between two attempts to send one.
const rememberBatches = 10000

// lockState makes other writers wait, and returns the epoch of this commit and the number
// of its first chunk.
func lockState(ctx context.Context, tx pgx.Tx) (epoch, next int64, err error) {
	err = tx.QueryRow(ctx, "SELECT epoch + 1, next_chunk FROM remote_state FOR UPDATE").Scan(&epoch, &next)
	return epoch, next, err
}

// put writes a segment that nobody names yet.
func (x *Remote) put(ctx context.Context, tx pgx.Tx, s *Segment) (id, words int64, err error) {
	if err := tx.QueryRow(ctx, "SELECT nextval(pg_get_serial_sequence('remote_segments', 'segment'))").Scan(&id); err != nil {
		return 0, 0, err
	}
	c, tables := newCopy(4), newCopy(3)
	err = safely(func() {
		t := s.termsFrom(0, true)
		for t.next() {
			c.row().int64(id).bytes(t.term).int32(int32(t.df)).bytes(s.at(secPostings, t.at, t.size))
		}
		for no := range sections {
			if !slices.Contains([]int{secTerms, secTermIdx, secPostings, secVecs, secSigns, secVecName}, no) {
				tables.row().int64(id).int32(int32(no)).bytes(s.at(no, 0, len(s.sec[no])))
			}
		}
		for n := range s.Chunks {
			words += int64(s.words(n))
		}
	})
	if err == nil {
		err = c.send(ctx, tx, "remote_postings (segment, term, df, data)")
	}
	if err == nil {
		err = tables.send(ctx, tx, "remote_sections (segment, section, data)")
	}
	return id, words, err
}

// Tidy merges segments that have become too many or too dead, until none have, and gives
// vectors that have become many an index. Changes and questions go on meanwhile.
func (x *Remote) Tidy(ctx context.Context) error {
	if err := tidied(ctx, passing, x.sweep, x.mergeOnce); err != nil {
		return err
	}
	return x.indexVectors(ctx)
}

// mergeOnce merges some segments, and reports whether there were none.
func (x *Remote) mergeOnce(ctx context.Context) (done bool, err error) {
	m, built, err := x.merged(ctx)
	if err != nil || m == nil {
		return err == nil, err
	}
	err = pgx.BeginFunc(ctx, x.pool, func(tx pgx.Tx) error {
		var id, words int64
		if built != nil {
			if id, words, err = x.put(ctx, tx, built); err != nil {
				return err
			}
		}
		epoch, next, err := lockState(ctx, tx)
		if err != nil {
			return err
		}
		names := make([]int64, len(m.segs))
		var left []int64 // documents that are nowhere any more
		for i, s := range m.segs {
			if _, err := fmt.Sscanf(s.Name, "segment %d", &names[i]); err != nil {
				return err
			}
			if err := safely(func() {
				for d, to := range m.docMap[i] {
					if to == gone {
						left = append(left, int64(s.docID(uint32(d))))
					}
				}
			}); err != nil {
				return err
			}
		}
		tag, err := tx.Exec(ctx, "DELETE FROM remote_segments WHERE segment = ANY($1)", names)
		if err != nil {
			return err
		}
		if tag.RowsAffected() != int64(len(names)) {
			return errSuperseded
		}
		if _, err := tx.Exec(ctx, "INSERT INTO remote_trash SELECT unnest($1::bigint[])", names); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM remote_dead WHERE doc = ANY($1)", left); err != nil {
			return err
		}
		chunks := int64(0)
		if built != nil {
			chunks = int64(built.Chunks)
			if _, err := tx.Exec(ctx, "INSERT INTO remote_segments OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4)", id, next, words, built.size); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "UPDATE remote_state SET epoch = $1, nonce = $2, next_chunk = $3", epoch, nonce(), next+chunks)
		return err
	})
	if errors.Is(err, errSuperseded) {
		return true, nil
	}
	return false, err
}

// merged returns segments that are to be merged, nil where none are, and what they are in
// one, nil where nothing of them lives.
func (x *Remote) merged(ctx context.Context) (m *merger, built *Segment, err error) {
	r, err := x.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	segs, err := r.snap.mergeable(tierLimit)
	if err != nil || segs == nil {
		return nil, nil, err
	}
	m = &merger{}
	for _, s := range segs {
		row := remoteRow{Lo: s.lo, Words: s.total, Bytes: s.size}
		if _, err := fmt.Sscanf(s.Name, "segment %d", &row.Segment); err != nil {
			return nil, nil, err
		}
		words, err := x.words(ctx, r.tx, row.Segment)
		if err != nil {
			return nil, nil, err
		}
		full, err := x.segment(ctx, r.tx, row, append([]int{secGramKeys, secGramDict, secGrams, secFacts, secKeys, secKeyDocs}, kept...), words)
		if err != nil {
			return nil, nil, err
		}
		m.segs = append(m.segs, &segment{Segment: full, dead: s.dead, lo: s.lo, total: s.total})
	}
	if err := safely(m.plan); err != nil || m.docs == 0 {
		return m, nil, err
	}
	var buf bytes.Buffer
	if damaged := safely(func() { _, _, err = m.writeTo(&buf, x.id) }); damaged != nil {
		err = damaged
	}
	if err != nil {
		return nil, nil, err
	}
	built, err = openSegment("merged", buf.Bytes(), x.id)
	return m, built, err
}

// words returns the dictionary and the postings of a segment as the sections that they
// were made of.
func (x *Remote) words(ctx context.Context, tx pgx.Tx, id int64) (map[int][]byte, error) {
	var d dict
	var out []byte
	rows, _ := tx.Query(ctx, "SELECT term, df, data FROM remote_postings WHERE segment = $1 ORDER BY term", id)
	var term, data []byte
	var df int
	_, err := pgx.ForEachRow(rows, []any{&term, &df, &data}, func() error {
		d.add(term, df, len(data), uint64(len(out)))
		out = append(out, data...)
		return nil
	})
	return map[int][]byte{secPostings: out, secTermIdx: d.idx, secTerms: d.terms}, err
}

// sweep removes what merges have left. Readers of an older state still see it.
func (x *Remote) sweep(ctx context.Context) error {
	rows, _ := x.pool.Query(ctx, "SELECT segment FROM remote_trash")
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil || len(ids) == 0 {
		return err
	}
	return pgx.BeginFunc(ctx, x.pool, func(tx pgx.Tx) error {
		for _, table := range [...]string{"remote_postings", "remote_sections", "remote_trash"} {
			if _, err := tx.Exec(ctx, "DELETE FROM "+table+" WHERE segment = ANY($1)", ids); err != nil {
				return err
			}
		}
		return nil
	})
}
