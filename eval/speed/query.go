package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/assay-dev/assay/eval/timed"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/rank"
)

// hitsWanted is how many hits a query asks for.
const hitsWanted = 10

var allKinds = []kind{symbolQuery, phraseQuery, questionQuery, issueQuery}

// query measures queries to an index that is open.
func (b *bench) query(ctx context.Context) error {
	e, err := b.synced(ctx, b.tree, "query")
	if err != nil {
		return err
	}
	defer e.Close()
	v, err := e.Frozen(ctx)
	if err != nil {
		return err
	}
	queries, err := sample(e, v, b.o.queries)
	if err != nil {
		return err
	}
	for _, k := range allKinds {
		var alone, quoted, cpu []float64
		hits := 0
		for run := range b.o.runs + 1 {
			for _, q := range queries[k] {
				before, start := timed.CPU(), time.Now()
				p, err := v.Plan(q, rank.Hybrid)
				if err != nil {
					return fmt.Errorf("%q: %w", q, err)
				}
				a, err := v.Search(ctx, engine.Query{Plan: p, Most: hitsWanted})
				searched, worked := time.Since(start), timed.CPU()-before
				if err != nil {
					return fmt.Errorf("%q: %w", q, err)
				}
				for i := range a.Hits {
					if _, ok := e.Quote(&a.Hits[i]); !ok {
						return fmt.Errorf("%q: %s does not have its hit", q, a.Hits[i].Doc.Path)
					}
				}
				if run == 0 { // it reads the index into memory
					hits += len(a.Hits)
					continue
				}
				alone, quoted, cpu = append(alone, ms(searched)), append(quoted, ms(time.Since(start))), append(cpu, ms(worked))
			}
		}
		if hits == 0 {
			return fmt.Errorf("no query of %d finds anything", len(queries[k]))
		}
		b.table.add("warm query: "+k.String(), "ms", alone...)
		b.table.add("  CPU", "ms", cpu...)
		b.table.add("  and its hits read from their files", "ms", quoted...)
	}
	return nil
}

// process measures the same queries by a process each.
func (b *bench) process(ctx context.Context) error {
	e, err := b.synced(ctx, b.tree, "process")
	if err != nil {
		return err
	}
	defer e.Close()
	v, err := e.Frozen(ctx)
	if err != nil {
		return err
	}
	queries, err := sample(e, v, b.o.queries)
	if err != nil {
		return err
	}
	for _, k := range allKinds {
		for _, flag := range []string{"", "--no-refresh"} {
			var wall []float64
			found := false
			for i := range max(manySamples, b.o.runs) {
				args := append([]string{"search", "--jsonl"}, at(b.tree, e.IndexDir())...)
				name := "cold query: " + k.String() + ", process, refreshed"
				if flag != "" {
					args = append(args, flag)
					name = "cold query: " + k.String() + ", process, " + flag
				}
				var out bytes.Buffer
				u, err := b.assay(ctx, b.tree, &out, append(args, "--", queries[k][i%len(queries[k])])...)
				if err != nil {
					return err
				}
				found = found || out.Len() > 0
				wall = append(wall, ms(u.Wall))
				if i == max(manySamples, b.o.runs)-1 {
					b.table.add(name, "ms", wall...)
				}
			}
			if !found {
				return fmt.Errorf("no query of %d finds anything", len(wall))
			}
		}
	}
	return nil
}
