//go:build team

package index

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// putVectors writes the vectors that came with the documents of a batch.
func (x *Remote) putVectors(ctx context.Context, tx pgx.Tx, b *remoteBatch) error {
	ids := map[remoteModel]int64{}
	fields := 4
	if x.nearest {
		fields++
	}
	c := newCopy(fields)
	for i, d := range b.Put {
		n := len(d.Chunks)
		if d.Embedder == "" || n == 0 || len(d.Vectors) == 0 || len(d.Vectors)%n != 0 {
			continue
		}
		m := remoteModel{d.Embedder, len(d.Vectors) / n}
		if ids[m] == 0 {
			id, err := embedderID(ctx, tx, m)
			if err != nil {
				return err
			}
			ids[m] = id
		}
		for k := range n {
			v := d.Vectors[k*m.dims : (k+1)*m.dims]
			c.row().int64(int64(b.first) + int64(i)).int32(int32(k)).int64(ids[m]).bytes(Quantise(nil, v))
			if x.nearest {
				c.halves(v)
			}
		}
	}
	to := "remote_vectors (doc, chunk, embedder, data)"
	if x.nearest {
		to = "remote_vectors (doc, chunk, embedder, data, embedding)"
	}
	return c.send(ctx, tx, to)
}

// A remoteModel is what vectors were made by.
type remoteModel struct {
	name string
	dims int
}

func embedderID(ctx context.Context, tx pgx.Tx, m remoteModel) (id int64, err error) {
	_, err = tx.Exec(ctx, "INSERT INTO remote_embedders (name, dims) VALUES ($1, $2) ON CONFLICT DO NOTHING", m.name, m.dims)
	if err == nil {
		err = tx.QueryRow(ctx, "SELECT embedder FROM remote_embedders WHERE name = $1 AND dims = $2", m.name, m.dims).Scan(&id)
	}
	return id, err
}

// mostIndexed is how many dimensions pgvector's index of 16-bit numbers reaches.
const mostIndexed = 4000

// mostBuilding is how much memory of the server an index is built in at most, in KiB.
const mostBuilding = 1 << 20

// indexVectors makes the indexes that are missing. It is done by one process at a time, and
// nobody waits for it.
func (x *Remote) indexVectors(ctx context.Context) error {
	if !x.nearest {
		return nil
	}
	return x.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		const key = "hashtext('assay' || current_schema())"
		var mine bool
		if err := c.QueryRow(ctx, "SELECT pg_try_advisory_lock("+key+")").Scan(&mine); err != nil || !mine {
			return err
		}
		defer func() { _, _ = c.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+key+")") }()
		rows, _ := c.Query(ctx, `SELECT embedder, dims, coalesce(i.indisvalid, false), i.indexrelid IS NOT NULL FROM remote_embedders
			LEFT JOIN pg_index i ON i.indexrelid = to_regclass('remote_near_' || embedder) WHERE dims <= $1`, mostIndexed)
		type model struct {
			ID     int64
			Dims   int
			Valid  bool
			Exists bool
		}
		models, err := pgx.CollectRows(rows, pgx.RowToStructByPos[model])
		if err != nil {
			return err
		}
		for _, m := range models {
			if m.Valid {
				continue
			}
			var many int64
			if err := c.QueryRow(ctx, "SELECT count(*) FROM remote_vectors WHERE embedder = $1", m.ID).Scan(&many); err != nil {
				return err
			}
			if many <= exactly {
				continue
			}
			// What does not fit into that memory takes several times as long.
			need := min(many*int64(2*m.Dims+512)>>10, mostBuilding)
			if _, err := c.Exec(ctx, "SELECT set_config('maintenance_work_mem', $1, false) FROM pg_settings WHERE name = 'maintenance_work_mem' AND setting::bigint < $2", fmt.Sprint(need, "kB"), need); err != nil {
				return err
			}
			defer func() { _, _ = c.Exec(context.WithoutCancel(ctx), "RESET maintenance_work_mem") }()
			if m.Exists { // whoever began it was killed
				if _, err := c.Exec(ctx, fmt.Sprintf("DROP INDEX remote_near_%d", m.ID)); err != nil {
					return err
				}
			}
			if _, err := c.Exec(ctx, fmt.Sprintf("CREATE INDEX CONCURRENTLY remote_near_%d ON remote_vectors USING hnsw ((embedding::halfvec(%d)) halfvec_ip_ops) WHERE embedder = %d", m.ID, m.Dims, m.ID)); err != nil {
				return err
			}
			if _, err := c.Exec(ctx, "ANALYZE remote_vectors"); err != nil {
				return err
			}
		}
		return nil
	})
}
