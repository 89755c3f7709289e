package library

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/release"
)

// DefaultTokens is the budget of an answer.
const DefaultTokens = 3000

const maxQuery = 4 << 10 // bytes of a question; the rest is not read

// A Ranking is how snippets are found and ordered.
type Ranking string

// Lexical goes by words. Hybrid goes by meaning too, as the embedding model of the
// program knows it. It is Lexical where a version was put by a program with another
// model, and for a question that is nothing but names, as "res.sendFile" and
// "--watch" are: a name means itself.
const (
	Lexical Ranking = "lexical"
	Hybrid  Ranking = "hybrid"
)

// Options are what a question may be asked with.
type Options struct {
	Tokens  int     // the budget of the answer; DefaultTokens if it is 0
	Ranking Ranking // DefaultRanking if it is ""
	Explain bool    // the snippets of the answer have the breakdown of their scores
	// Words are guesses of the caller, each of which a page that answers may have, separated by spaces.
	Words string
}

// DefaultRanking is how snippets are ranked where nothing is said.
const DefaultRanking = Hybrid

// A DocsAnswer is what a version of a library says to a question.
type DocsAnswer struct {
	Library  Library
	Note     string    // that another version answers than was asked for, or ""
	Snippets []Snippet // best first
	Tokens   int       // of their text
	More     int       // candidates that the budget omitted
	Ranking  Ranking   // which was used
}

// Query returns the snippets that best answer query, as many as fit into a budget
// of tokens (DefaultTokens if it is 0), and at least one if any has a word of it.
// id is "/org/project", "/org/project/VERSION" or "/org/project@VERSION"; an alias
// that begins with "/" will do. An ID or a version that is not there is a fault of
// kind NotFound, see IsNoLibrary.
func (d *DB) Query(ctx context.Context, id, query string, tokens int) (DocsAnswer, error) {
	return d.QueryWith(ctx, id, query, Options{Tokens: tokens})
}

// QueryWith is Query with options. A ranking that is none is a fault of kind Usage.
func (d *DB) QueryWith(ctx context.Context, id, query string, o Options) (a DocsAnswer, err error) {
	if o.Tokens <= 0 {
		o.Tokens = DefaultTokens
	}
	o.Ranking = cmp.Or(o.Ranking, DefaultRanking)
	if o.Ranking != Lexical && o.Ranking != Hybrid {
		return a, fault.New(fault.Usage, "%q is not a ranking", o.Ranking).Or("it is %s or %s", Lexical, Hybrid)
	}
	err = d.ask(ctx, func(of asking) error {
		r, note, err := find(ctx, of, id)
		if err != nil {
			return err
		}
		key := answerKey{r.Checksum, id, query, o}
		if known, ok := d.answers.Get(key); ok && r.Checksum != "" {
			a, a.Library, a.Note = known, r.Library, note
			return nil
		}
		s := search{d: d, ctx: ctx, asking: of, r: r, q: readQuestion(query), n: min(max(o.Tokens/75, candidates), 6*candidates), ranking: o.Ranking, explain: o.Explain}
		found, err := s.run()
		if err != nil {
			return err
		}
		if found, err = s.beside(found, o.Words); err != nil {
			return err
		}
		found = s.takeTurns(found)
		s.markNear(found)
		a = DocsAnswer{Library: r.Library, Note: note, Ranking: s.ranking}
		if err := a.take(found, o.Tokens, s.q.plain, s.complete); err != nil {
			return err
		}
		d.answers.Put(key, a, a.bytes()+len(query)+len(o.Words))
		return nil
	})
	return a, err
}

// longPart is which part of a budget a snippet takes that is long.
const longPart = 6

// take keeps the snippets that fit, in order, the first cut to the budget around words. Content that another page has word for word is
// shown once, and of twins that are long or have one title the second comes after all others. complete reads contents that are not there, of as many as fit
// into a budget.
func (a *DocsAnswer) take(found []ranked, tokens int, words []string, complete func(found []ranked, tokens int) error) error {
	var twins []Snippet
	for i := range found {
		if !found[i].whole {
			if err := complete(found[i:], tokens-a.Tokens); err != nil {
				return err
			}
		}
		s := &found[i].s
		if slices.ContainsFunc(a.Snippets, func(o Snippet) bool { return o.Content == s.Content && !declares(&o) }) {
			continue
		}
		cost := text.Tokens(len(s.Text()) + len(Separator))
		if a.hasTwin(s, longPart*cost > tokens) {
			twins = append(twins, *s)
			continue
		}
		if len(a.Snippets) == 0 && cost > tokens {
			cut := s.fit(tokens, words)
			s, cost = &cut, text.Tokens(len(cut.Text())+len(Separator))
		}
		if len(a.Snippets) > 0 && a.Tokens+cost > tokens {
			a.More = len(found) - i + len(twins)
			return nil
		}
		a.Snippets = append(a.Snippets, *s)
		a.Tokens += cost
	}
	for i := range twins {
		cost := text.Tokens(len(twins[i].Text()) + len(Separator))
		if a.Tokens+cost > tokens {
			a.More = len(twins) - i
			break
		}
		a.Snippets = append(a.Snippets, twins[i])
		a.Tokens += cost
	}
	return nil
}

// find returns the version that a reference means.
func find(ctx context.Context, of asking, id string) (row, string, error) {
	r, ok := parseRef(id)
	if !ok {
		return row{}, "", noLibrary(id)
	}
	rows, err := scanLibraries(of.query(of.stmts.libraries, r.id))
	if err == nil && len(rows) == 0 {
		rows, err = byAlias(ctx, of.tx, r.id)
	}
	if err != nil {
		return row{}, "", err
	}
	if len(rows) == 0 {
		return row{}, "", noLibrary(r.id)
	}
	label, how := release.Pick(labelsOf(rows), r.version)
	for _, l := range rows {
		if label == "" || l.Version != label {
			continue
		}
		note := ""
		switch how {
		case release.Line:
			note = fmt.Sprintf("Note: %s of %s is version %s here.", r.version, l.ID, l.Version)
		case release.Older:
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
	all = slices.DeleteFunc(all, func(l row) bool {
		return !slices.ContainsFunc(l.Aliases, func(a string) bool { return strings.EqualFold(a, id) })
	})
	if len(all) == 0 {
		return nil, nil
	}
	at := slices.IndexFunc(all, func(l row) bool { return !l.Packed() })
	return libraries(ctx, tx, sameID, all[max(at, 0)].ID)
}

// byLast returns the versions of the only library whose repository is called as a package without an owner.
func byLast(ctx context.Context, tx *sql.Tx, name string) ([]row, error) {
	if _, artifact, ok := strings.Cut(name, ":"); ok {
		name = artifact
	}
	if len(name) < 3 || strings.ContainsAny(name, "/%_") {
		return nil, nil
	}
	rows, err := libraries(ctx, tx, " WHERE id LIKE ?", "%/"+name)
	if err != nil || slices.ContainsFunc(rows, func(r row) bool { return !strings.EqualFold(r.ID, rows[0].ID) }) {
		return nil, err
	}
	return rows, nil
}

// Versions returns the versions of the library that documents a package, newest first: that with an ID, or that which has
// the package's name as an alias, or is the only one whose repository has it; none where none is.
func (d *DB) Versions(ctx context.Context, id, name string) (out []Library, err error) {
	err = d.read(ctx, func(tx *sql.Tx) error {
		rows, err := libraries(ctx, tx, sameID, id)
		if err == nil && len(rows) == 0 {
			rows, err = byAlias(ctx, tx, name)
		}
		if err == nil && len(rows) == 0 {
			rows, err = byLast(ctx, tx, name)
		}
		for i := range rows {
			out = append(out, rows[i].Library)
		}
		return err
	})
	return out, err
}

func labelsOf(rows []row) (labels []string) {
	return slice.Map(rows, func(r row) string { return r.Version })
}

// sortRows sorts by ID and, of each, newest first; the versions that are Packed are after the others.
func sortRows(rows []row) {
	last := func(r *row) int {
		if r.Packed() {
			return 1
		}
		return 0
	}
	labels := labelsOf(rows)
	release.NewestFirst(labels)
	sorting.Stable(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.ID), strings.ToLower(b.ID)), cmp.Compare(last(&a), last(&b)),
			cmp.Compare(slices.Index(labels, a.Version), slices.Index(labels, b.Version)))
	})
}

// matching asks FTS5, which folds letters that package text does not.
func matching(ctx context.Context, tx *sql.Tx, r row, q question) (ids []int64, err error) {
	if len(q.words) == 0 {
		return nil, nil
	}
	return matched(ctx, tx, r, quoted(q.words), 20)
}

// withTitle returns snippets that have words beside each other in their titles.
func withTitle(ctx context.Context, tx *sql.Tx, r row, words []string) ([]int64, error) {
	return matched(ctx, tx, r, `title : "`+strings.ReplaceAll(strings.Join(words, " "), `"`, `""`)+`"`, byMeaning)
}

func matched(ctx context.Context, tx *sql.Tx, r row, expression string, limit int) (ids []int64, err error) {
	var id int64
	err = store.Each(ctx, tx, []any{&id}, func() error {
		ids = append(ids, id)
		return nil
	}, "SELECT rowid FROM snippets_fts WHERE snippets_fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?", expression, r.first, r.last, limit)
	return ids, err
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

const (
	snippetColumns = "id, title, content, coalesce(source_path, ''), coalesce(source_url, ''), coalesce(language, ''), token_count, coalesce(breadcrumb, ''), line"
	selectSnippets = "SELECT " + snippetColumns + " FROM snippets"
)

// places returns where the columns of a snippet go.
func places(id *int64, s *Snippet) []any {
	return []any{id, &s.Title, &s.Content, &s.Path, &s.URL, &s.Language, &s.Tokens, &s.Breadcrumb, &s.Line}
}

func snippets(ctx context.Context, tx *sql.Tx, where string, args ...any) (out []Snippet, err error) {
	var id int64
	var s Snippet
	err = store.Each(ctx, tx, places(&id, &s), func() error {
		out = append(out, s)
		return nil
	}, selectSnippets+where, args...)
	return out, err
}

// snippetsOf calls yield for each of ids, in any order, with its place there and with
// its vector.
func (a asking) snippetsOf(ids []int64, yield func(i int, s Snippet, vector []byte)) error {
	at := make(map[int64]int, min(len(ids), batch))
	stmt, size := a.stmts.snippets, batch
	if len(ids) <= few {
		stmt, size = a.stmts.few, few
	}
	args := make([]any, size)
	for from := 0; from < len(ids); from += size {
		clear(at)
		for i := range args {
			id := ids[min(from+i, len(ids)-1)]
			args[i] = id
			if from+i < len(ids) {
				at[id] = from + i
			}
		}
		if err := a.some(stmt, args, at, yield); err != nil {
			return err
		}
		for id := range at {
			return fmt.Errorf("%w: snippet %d is missing", store.ErrDamaged, id)
		}
	}
	return nil
}

// some yields those of one batch, and takes them out of at.
func (a asking) some(stmt *sql.Stmt, args []any, at map[int64]int, yield func(i int, s Snippet, vector []byte)) error {
	rows, err := a.query(stmt, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var id int64
	var s Snippet
	var vector []byte
	to := append(places(&id, &s), &vector)
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if i, ok := at[id]; ok {
			yield(i, s, vector)
			delete(at, id)
		}
	}
	return rows.Err()
}
