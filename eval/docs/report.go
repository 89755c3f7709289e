package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// systems are what is compared, the floor first.
var systems = []string{"floor", "lexical", "hybrid"}

// A report is what came of the sets.
type report struct {
	rows []reportRow
}

type reportRow struct {
	set, version    string
	held            bool
	pages, snippets int
	results         map[string][]result
}

func (r *report) add(c *corpus, version string, results map[string][]result) {
	row := reportRow{set: c.set.name, version: version, held: c.set.held, pages: len(c.pages), results: results}
	for _, p := range c.pages {
		row.snippets += len(p.Snippets)
	}
	r.rows = append(r.rows, row)
}

func anchorOf(address string) string {
	_, a, _ := strings.Cut(address, "#")
	return a
}

// print prints the figures, and compares or writes the golden ones.
func (r *report) print(w io.Writer, o options) error {
	var b bytes.Buffer
	for _, held := range []bool{false, true} {
		r.table(&b, held)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return err
	}
	if o.split != "all" || o.sets != "" {
		return nil // part of the figures is not compared
	}
	if o.update {
		if err := os.MkdirAll(filepath.Dir(o.golden), 0o755); err != nil {
			return err
		}
		return os.WriteFile(o.golden, b.Bytes(), 0o644)
	}
	want, err := os.ReadFile(o.golden)
	if err != nil {
		return err
	}
	if !bytes.Equal(want, b.Bytes()) {
		return errors.New("the figures are not those of " + o.golden + ": see what changed, and write them with -update")
	}
	return nil
}

// table prints the figures of one split.
func (r *report) table(w io.Writer, held bool) {
	all := map[string][]result{}
	var body bytes.Buffer
	for _, row := range r.rows {
		if row.held != held {
			continue
		}
		fmt.Fprintf(&body, "\n%s: %s, %d pages, %d snippets, %d questions\n", row.set, row.version, row.pages, row.snippets, len(row.results["floor"]))
		figures(&body, row.results)
		for s, rs := range row.results {
			all[s] = append(all[s], rs...)
		}
	}
	if len(all) == 0 {
		return
	}
	title := "Development sets"
	if held {
		title = "Held-out sets"
	}
	fmt.Fprintf(w, "# %s\n%s\nall: %d questions\n", title, body.String(), len(all["floor"]))
	figures(w, all)
	for _, q := range quotas {
		some := map[string][]result{}
		for s, rs := range all {
			for _, r := range rs {
				if r.kind == q.kind {
					some[s] = append(some[s], r)
				}
			}
		}
		fmt.Fprintf(w, "\n%s: %d questions\n", q.kind, len(some["floor"]))
		figures(w, some)
	}
	fmt.Fprintln(w)
}

func figures(w io.Writer, by map[string][]result) {
	fmt.Fprintf(w, "%-9s page R@5   MRR  NDCG@10   ±floor        section R@5   MRR  NDCG@10   tokens  answered  empty\n", "")
	for _, s := range systems {
		var t tally
		for _, r := range by[s] {
			t.add(r)
		}
		p, sec := t.page.over(t.n), t.section.over(t.sections)
		d, e := spread(by[s], by["floor"])
		fmt.Fprintf(w, "%-9s      %.3f  %.3f  %.3f   %+.3f ±%.3f         %.3f  %.3f  %.3f", s, p.Recall5, p.MRR, p.NDCG, d, e, sec.Recall5, sec.MRR, sec.NDCG)
		if s != "floor" {
			fmt.Fprintf(w, "    %6d    %.3f    %5d", t.tokens/max(t.n, 1), float64(t.answered)/float64(max(t.n, 1)), t.empty)
		}
		fmt.Fprintln(w)
	}
}

// worse prints the questions that the floor answers better.
func (r *report) worse(w io.Writer) {
	for _, row := range r.rows {
		for i, f := range row.results["floor"] {
			l := row.results["lexical"][i]
			mark := " "
			switch {
			case l.page.NDCG < f.page.NDCG:
				mark = "-"
			case l.page.NDCG > f.page.NDCG:
				mark = "+"
			}
			fmt.Fprintf(w, "%s %.2f %.2f %v", mark, f.page.NDCG, l.page.NDCG, l.question)
			for p := range l.pages {
				fmt.Fprintf(w, " → %s", p)
			}
			fmt.Fprintln(w)
		}
	}
}
