package vault

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// affordable is how many chunks may match the terms that candidates are sought by:
// the commonest are left to the ranking of those that others find.
const affordable = 2000

// lexical returns the n chunks of a kind that FTS5 ranks best.
func (q *question) lexical(ctx context.Context, tx *sql.Tx, kind, n int) ([]int64, error) {
	var rare, inner []int
	for i, t := range q.terms {
		switch {
		case t.df == 0:
		case t.within != "":
			inner = append(inner, i)
		default:
			rare = append(rare, i)
		}
	}
	slices.SortStableFunc(rare, func(a, b int) int { return q.terms[a].df - q.terms[b].df })
	spent := 0
	var match []string
	for k, i := range rare {
		if spent += q.terms[i].df; k > 0 && spent > affordable {
			break
		}
		match = append(match, q.terms[i].match())
	}
	low, high := span(kind)
	var out []int64
	if len(match) > 0 {
		more, err := ids(ctx, tx, `SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY bm25(words, 3, 2, 1) LIMIT ?`,
			strings.Join(match, " OR "), low, high, n)
		if err != nil {
			return nil, err
		}
		out = more
	}
	for _, i := range inner {
		more, err := ids(ctx, tx, "SELECT rowid FROM grams WHERE grams MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?", trigrams(q.terms[i].within), low, high, n/2)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// span is the numbers that the chunks of a kind have.
func span(kind int) (low, high int64) {
	if kind == sessions {
		return firstSession, 1<<62 - 1
	}
	return 0, firstSession - 1
}

func ids(ctx context.Context, tx *sql.Tx, query string, args ...any) (out []int64, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

// match is what FTS5 is asked for a term.
func (t *term) match() string {
	if t.prefix != "" {
		return quote(t.prefix) + "*"
	}
	return quote(t.form)
}
