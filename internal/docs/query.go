package docs

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/bm25"
	"github.com/assay-dev/assay/internal/store"
	"github.com/assay-dev/assay/internal/text"
)

// DefaultTokens is the budget of an answer.
const DefaultTokens = 3000

const (
	maxQuery = 4 << 10 // bytes of a question; the rest is not read
	maxTerms = 32
	// candidates are read in full and ranked by what stands in them: more where the
	// budget asks for more.
	candidates = 40
	// enough postings are read of common terms; of rare ones, in one snippet of
	// fifty, all.
	enough = 600_000
)

// An Answer is what a version of a library says to a question.
type Answer struct {
	Library  Library
	Note     string    // that another version answers than was asked for, or ""
	Snippets []Snippet // best first
	Tokens   int       // of their text
	More     int       // candidates that the budget left out
}

// Query returns the snippets that best answer query, as many as fit into a budget
// of tokens (DefaultTokens if it is 0), and at least one if any has a word of it.
// id is "/org/project", "/org/project/VERSION" or "/org/project@VERSION"; an alias
// that begins with "/" will do. An ID or a version that is not there is a fault of
// kind NotFound, see IsNoLibrary.
func (d *DB) Query(ctx context.Context, id, query string, tokens int) (a Answer, err error) {
	if tokens <= 0 {
		tokens = DefaultTokens
	}
	err = d.read(ctx, func(tx *sql.Tx) error {
		r, note, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		a = Answer{Library: r.Library, Note: note}
		found, err := d.search(ctx, tx, r, query, min(max(tokens/75, candidates), 10*candidates))
		if err != nil {
			return err
		}
		a.take(found, tokens)
		return nil
	})
	return a, err
}

// take keeps what fits, in order.
func (a *Answer) take(found []Snippet, tokens int) {
	for i := range found {
		cost := text.Tokens(len(found[i].Text()) + len(separator))
		if len(a.Snippets) > 0 && a.Tokens+cost > tokens {
			a.More = len(found) - i
			return
		}
		a.Snippets = append(a.Snippets, found[i])
		a.Tokens += cost
	}
}

// find returns the version that a reference means.
func find(ctx context.Context, tx *sql.Tx, id string) (row, string, error) {
	r, ok := parseRef(id)
	if !ok {
		return row{}, "", noLibrary(id)
	}
	rows, err := libraries(ctx, tx, " WHERE id = ? COLLATE NOCASE", r.id)
	if err == nil && len(rows) == 0 {
		rows, err = byAlias(ctx, tx, r.id)
	}
	if err != nil {
		return row{}, "", err
	}
	if len(rows) == 0 {
		return row{}, "", noLibrary(r.id)
	}
	label, other := pick(labelsOf(rows), r.version)
	for _, l := range rows {
		if label == "" || l.Version != label {
			continue
		}
		note := ""
		if other {
			note = fmt.Sprintf("Note: version %s of %s is not here; this is %s.", r.version, l.ID, l.Version)
		}
		return l, note, nil
	}
	return row{}, "", noVersion(rows[0].ID, r.version, labelsOf(rows))
}

// byAlias returns the versions of the library that has the alias id.
func byAlias(ctx context.Context, tx *sql.Tx, id string) ([]row, error) {
	all, err := libraries(ctx, tx, " WHERE aliases LIKE ?", "%"+strings.NewReplacer("%", "", "_", "%").Replace(id)+"%")
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		if slices.ContainsFunc(l.Aliases, func(a string) bool { return strings.EqualFold(a, id) }) {
			return libraries(ctx, tx, " WHERE id = ?", l.ID)
		}
	}
	return nil, nil
}

func labelsOf(rows []row) (labels []string) {
	for _, r := range rows {
		labels = append(labels, r.Version)
	}
	return labels
}

func sortRows(rows []row) {
	labels := labelsOf(rows)
	newestFirst(labels)
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(slices.Index(labels, a.Version), slices.Index(labels, b.Version)))
	})
}

// search returns candidates for a question, best first.
func (d *DB) search(ctx context.Context, tx *sql.Tx, r row, query string, n int) ([]Snippet, error) {
	q := readQuestion(query)
	for _, terms := range [][]qterm{q.terms, q.stops} {
		hits, err := lexical(ctx, tx, r, terms, n)
		if err != nil {
			return nil, err
		}
		if len(hits) > 0 {
			return d.rerank(ctx, tx, r, q, hits)
		}
	}
	ids, err := matching(ctx, tx, r, q)
	if err != nil || len(ids) == 0 && len(q.words) > 0 {
		return nil, err
	}
	if len(ids) == 0 {
		// Nothing was asked: how the documentation begins.
		return snippets(ctx, tx, " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?", r.first, r.last, n)
	}
	return snippetsOf(ctx, tx, ids)
}

// matching asks FTS5, which folds letters that package text does not.
func matching(ctx context.Context, tx *sql.Tx, r row, q question) (ids []int64, err error) {
	if len(q.words) == 0 {
		return nil, nil
	}
	rows, err := tx.QueryContext(ctx, "SELECT rowid FROM snippets_fts WHERE snippets_fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT 20", quoted(q.words), r.first, r.last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// quoted returns words as FTS5 strings of which any may match: nothing in them is
// syntax, since a string ends at its quote, and words have none.
func quoted(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(" OR ")
		}
		b.WriteString(`"` + strings.ReplaceAll(w, `"`, `""`) + `"`)
	}
	return b.String()
}

// stat is how common a term is in a version, and what it counts in a question.
type stat struct {
	qterm
	df  int
	bit uint32
	idf float64
}

// lexical returns the best snippets by BM25 over weighted fields.
func lexical(ctx context.Context, tx *sql.Tx, r row, terms []qterm, k int) ([]hit, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	n := int(r.last - r.first + 1)
	if n <= 0 || n > maxSnippets {
		return nil, fmt.Errorf("%w: %s has %d snippets", store.ErrDamaged, r.ID, n)
	}
	stats, err := affordable(ctx, tx, r, terms, n)
	if err != nil || len(stats) == 0 {
		return nil, err
	}
	lengths, blocks, average, err := readLengths(ctx, tx, r, n)
	if err != nil {
		return nil, err
	}
	s := newScores(n, lengths, average)
	for _, t := range stats {
		if err := s.read(ctx, tx, r, t, blocks); err != nil {
			return nil, err
		}
	}
	return s.best(k), nil
}

// affordable returns the terms that are there: all that are rare, and the others,
// rarest first, up to what is enough.
func affordable(ctx context.Context, tx *sql.Tx, r row, terms []qterm, n int) ([]stat, error) {
	q, err := tx.PrepareContext(ctx, "SELECT coalesce(sum(n), 0) FROM postings WHERE library = ? AND term = ?")
	if err != nil {
		return nil, err
	}
	defer q.Close()
	var all []stat
	for _, t := range terms {
		s := stat{qterm: t}
		if err := q.QueryRowContext(ctx, r.first, t.term).Scan(&s.df); err != nil {
			return nil, err
		}
		if s.df <= 0 || s.df > n {
			continue
		}
		s.idf = bm25.IDF(n, s.df)
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b stat) int { return cmp.Compare(a.df, b.df) })
	all = all[:min(len(all), maxTerms)]
	spent := 0
	for i := range all {
		all[i].bit = 1 << i
		if spent += all[i].df; i > 0 && all[i].df > n/50 && spent > enough {
			return all[:i], nil
		}
	}
	return all, nil
}

// readLengths returns the length codes of a version, where its blocks begin, and
// the average length.
func readLengths(ctx context.Context, tx *sql.Tx, r row, n int) (codes []byte, blocks []int, average float64, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT block, words, data FROM lengths WHERE library = ? ORDER BY block", r.first)
	if err != nil {
		return nil, nil, 0, err
	}
	defer rows.Close()
	total := 0
	for rows.Next() {
		var block, words int
		var data sql.RawBytes
		if err := rows.Scan(&block, &words, &data); err != nil {
			return nil, nil, 0, err
		}
		if block != len(codes) || len(data) == 0 || len(codes)+len(data) > n {
			return nil, nil, 0, fmt.Errorf("%w: lengths of %s", store.ErrDamaged, r.ID)
		}
		blocks = append(blocks, block)
		codes = append(codes, data...)
		total += words
	}
	if err := rows.Err(); err != nil {
		return nil, nil, 0, err
	}
	if len(codes) != n {
		return nil, nil, 0, fmt.Errorf("%w: lengths of %s", store.ErrDamaged, r.ID)
	}
	return codes, append(blocks, n), float64(total) / float64(n), nil
}

// A scores adds up what each snippet of a version is worth.
type scores struct {
	codes  []byte
	norms  [256]float32
	worth  []float32
	terms  []uint32
	marked []int32 // snippets that have a term, while they are few
	dense  bool
}

func newScores(n int, codes []byte, average float64) *scores {
	s := &scores{codes: codes, worth: make([]float32, n), terms: make([]uint32, n)}
	p := bm25.Default()
	for c := range s.norms {
		s.norms[c] = float32(p.Norm(lengthOf(byte(c)), average))
	}
	return s
}

// weighted is how often a term counts by where it stands: 5 in the title, 2 in the
// headings around it and the path, 1 in the content.
func weighted() (t [256]float32) {
	for c := range t {
		b := byte(c)
		t[c] = float32(b&bodyBits) + 5*float32(b&titleBits/titleUnit) + 2*float32(b&crumbBits/crumbUnit)
	}
	return t
}

func (s *scores) read(ctx context.Context, tx *sql.Tx, r row, t stat, blocks []int) error {
	rows, err := tx.QueryContext(ctx, "SELECT block, data FROM postings WHERE library = ? AND term = ? ORDER BY block", r.first, t.term)
	if err != nil {
		return err
	}
	defer rows.Close()
	tf := weighted()
	k := float32(bm25.Default().K1 + 1)
	weight := float32(t.idf) * t.weight * k
	s.dense = s.dense || t.df > len(s.codes)/8
	for rows.Next() {
		var block int
		var data sql.RawBytes
		if err := rows.Scan(&block, &data); err != nil {
			return err
		}
		i, ok := slices.BinarySearch(blocks[:len(blocks)-1], block)
		if !ok || !unpack(data, block, blocks[i+1], func(at int, counts byte) {
			if s.terms[at] == 0 && !s.dense {
				s.marked = append(s.marked, int32(at))
			}
			s.terms[at] |= t.bit
			f := tf[counts]
			s.worth[at] += weight * f / (f + s.norms[s.codes[at]])
		}) {
			return fmt.Errorf("%w: postings of %s", store.ErrDamaged, r.ID)
		}
	}
	return rows.Err()
}

// best returns the k best, best first; of equals, those that come first.
func (s *scores) best(k int) []hit {
	var top []hit // the worst of those kept stands at 0
	less := func(a, b hit) bool { return a.score < b.score || a.score == b.score && a.at > b.at }
	offer := func(at int) {
		h := hit{at, s.worth[at], s.terms[at]}
		if len(top) < k {
			top = append(top, h)
			for i := len(top) - 1; i > 0 && less(top[i], top[(i-1)/2]); i = (i - 1) / 2 {
				top[i], top[(i-1)/2] = top[(i-1)/2], top[i]
			}
			return
		}
		if !less(top[0], h) {
			return
		}
		top[0] = h
		for i := 0; ; {
			c := 2*i + 1
			if c+1 < k && less(top[c+1], top[c]) {
				c++
			}
			if c >= k || !less(top[c], top[i]) {
				return
			}
			top[i], top[c] = top[c], top[i]
			i = c
		}
	}
	if s.dense {
		for at, terms := range s.terms {
			if terms != 0 {
				offer(at)
			}
		}
	} else {
		for _, at := range s.marked {
			offer(int(at))
		}
	}
	slices.SortFunc(top, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at))
	})
	return top
}

const selectSnippets = `SELECT id, title, content, coalesce(source_path, ''), coalesce(source_url, ''), coalesce(language, ''), token_count, coalesce(breadcrumb, ''), line FROM snippets`

func scanSnippet(rows *sql.Rows) (id int64, s Snippet, err error) {
	err = rows.Scan(&id, &s.Title, &s.Content, &s.Path, &s.URL, &s.Language, &s.Tokens, &s.Breadcrumb, &s.Line)
	return id, s, err
}

func snippets(ctx context.Context, tx *sql.Tx, where string, args ...any) (out []Snippet, err error) {
	rows, err := tx.QueryContext(ctx, selectSnippets+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		_, s, err := scanSnippet(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// snippetsOf returns snippets in the order of ids.
func snippetsOf(ctx context.Context, tx *sql.Tx, ids []int64) ([]Snippet, error) {
	in := make([]string, len(ids))
	for i, id := range ids {
		in[i] = strconv.FormatInt(id, 10)
	}
	rows, err := tx.QueryContext(ctx, selectSnippets+" WHERE id IN ("+strings.Join(in, ",")+")")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	by := make(map[int64]Snippet, len(ids))
	for rows.Next() {
		id, s, err := scanSnippet(rows)
		if err != nil {
			return nil, err
		}
		by[id] = s
	}
	out := make([]Snippet, 0, len(ids))
	for _, id := range ids {
		s, ok := by[id]
		if !ok {
			return nil, fmt.Errorf("%w: snippet %d is missing", store.ErrDamaged, id)
		}
		out = append(out, s)
	}
	return out, rows.Err()
}
