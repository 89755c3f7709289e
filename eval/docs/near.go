package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"net/url"
	"slices"

	"github.com/assay-dev/assay/internal/base/vec"
	"github.com/assay-dev/assay/internal/code/embed/static"
	"github.com/assay-dev/assay/internal/code/index"
)

// near says how many of the snippets that are nearest to a question by their vectors are among those whose signs are
// nearest, as the program tells it, and by how many signs differ. Of equals any will do.
func near(ctx context.Context, o options, path string, w io.Writer) error {
	vectors, err := vectorsOf(ctx, path)
	if err != nil {
		return err
	}
	model, err := static.Default()
	if err != nil {
		return err
	}
	model = model.Text()
	var signs []byte
	for _, v := range vectors {
		signs = vec.AppendSigns(signs, vec.Signed(v))
	}
	words := vec.Words(signs)
	firsts, among := []int{12, 100}, []int{12, 48, 400, 1600, 4096}
	asked := 0
	var found [2][2][5]int // by how, first and among
	cosines, apart, order := make([]float64, len(vectors)), make([]uint16, len(vectors)), make([]int, len(vectors))
	for _, set := range o.chosen() {
		c, err := load(ctx, o.dir, set)
		if err != nil {
			return err
		}
		for _, q := range c.questions() {
			unit := make([]float32, model.Dims)
			model.Embed(unit, []byte(q.ask))
			raw, scale := vec.Quantise(nil, unit)
			if scale == 0 {
				continue
			}
			asked++
			query := vec.Signed(raw)
			for i, v := range vectors {
				order[i], cosines[i] = i, index.Alike(v, query)
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(cosines[b], cosines[a]) })
			var least [2]float64
			for i, n := range firsts {
				least[i] = cosines[order[min(n, len(order))-1]]
			}
			for how := range found {
				if how == 0 {
					vec.SketchOf(query).Apart(apart, words)
				} else {
					differing(apart, words, vec.Words(vec.AppendSigns(nil, query)))
				}
				for i := range order {
					order[i] = i
				}
				slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(apart[a], apart[b]) })
				for k, n := range among {
					for i, first := range firsts {
						hits := 0
						for _, at := range order[:min(n, len(order))] {
							if cosines[at] >= least[i] {
								hits++
							}
						}
						found[how][i][k] += min(hits, first)
					}
				}
			}
		}
	}
	for how, name := range []string{"by levels", "by bits"} {
		for i, first := range firsts {
			fmt.Fprintf(w, "%s: %d questions, %d snippets: of the first %d", name, asked, len(vectors), first)
			for k, n := range among {
				fmt.Fprintf(w, "  .%04d among %d", found[how][i][k]*10_000/max(1, asked*first), n)
			}
			fmt.Fprintln(w)
		}
	}
	return nil
}

func differing(out []uint16, rows, v []uint64) {
	for i := range out {
		n := 0
		for k, w := range v {
			n += bits.OnesCount64(rows[i*len(v)+k] ^ w)
		}
		out[i] = uint16(n)
	}
}

// vectorsOf reads the vectors of a file of documentation.
func vectorsOf(ctx context.Context, path string) (out [][]byte, err error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, "SELECT vector FROM snippets ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v []byte
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
