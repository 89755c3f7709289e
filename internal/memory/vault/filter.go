package vault

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
)

// The speakers of a session.
const (
	nobody = iota
	byUser
	byAssistant
	byTool
)

// speakers are the names by which words are asked for.
var speakers = map[string]int{"": nobody, "user": byUser, "assistant": byAssistant, "tool": byTool}

// An allowed is what hard filters leave; nil: all.
type allowed struct {
	paths [2]map[string]bool // by kind: whether a path is left; what is not there is not, once all were read
	read  func(path string) error
	left  int   // how many more are asked for one by one before all are read; 0: they were
	err   error // what reading them met
}

// fewPaths is how many paths are asked for one by one: most of what is asked for unasked is
// left by its filter, and to read twenty thousand paths takes as long as a thousand of them.
const fewPaths = 400

// has reports whether a path of a kind is left.
func (a *allowed) has(kind int, path string) bool {
	ok, known := a.paths[kind][path]
	if known || a.left == 0 || a.err != nil {
		return ok
	}
	if a.left--; a.left == 0 {
		a.err = a.read("")
	} else {
		a.paths[kind][path] = false // unless it is found
		a.err = a.read(path)
	}
	return a.paths[kind][path]
}

// filter returns what the index is to be asked with.
func (s *searcher) filter(kind int) index.Filter {
	if s.allowed == nil {
		return nil
	}
	return func(d index.DocInfo) bool { return s.allowed.has(kind, d.Path) }
}

var tagWord = lazy.Regexp(`(?i)(?:^|\s)tag:#?([\pL\pN_/-]{1,100})`)

// tagsOf takes the tags out of a query: tag:infra, tag:#infra.
func tagsOf(query string) (rest string, tags []string) {
	rest = tagWord.ReplaceAllStringFunc(query, func(m string) string {
		tag := tagOf(tagWord.FindStringSubmatch(m)[1])
		if tag == "" {
			return m
		}
		tags = append(tags, tag)
		return " "
	})
	return strings.TrimSpace(rest), tags
}

// within finds the files of the projects of a query that have its tags and something of a span
// of days: the index must know before it chooses candidates, or those of a large project crowd
// out the others. A tag stands for those below it: infra for infra/dns.
func (s *searcher) within(ctx context.Context, tx *sql.Tx, span when) (*allowed, error) {
	s.narrowed = len(s.qu.Tags) > 0 || span.to != 0
	if !s.narrowed && s.qu.Own == "" && s.qu.Project == "" {
		return nil, nil
	}
	where := []string{"TRUE"}
	var args []any
	for _, tag := range s.qu.Tags {
		where = append(where, "EXISTS (SELECT 1 FROM links l WHERE l.file = f.id AND l.kind = '#' AND (l.target = ? OR substr(l.target, 1, ?) = ?))")
		args = append(args, tag, len([]rune(tag))+1, tag+"/")
	}
	if span.to != 0 {
		// A chunk may be of another day than its file: those are told apart by wanted.
		where = append(where, `f.id IN (SELECT file FROM chunks WHERE day <> 0 AND day >= ? AND day < ? UNION SELECT id FROM files WHERE day <> 0 AND day >= ? AND day < ?
			UNION SELECT id FROM files WHERE day = 0 AND created >= ? AND created < ?)`)
		args = append(args, span.from, span.to, span.from, span.to, int64(span.from)*86400, int64(span.to)*86400)
	}
	out := &allowed{paths: [2]map[string]bool{{}, {}}, left: fewPaths}
	one := store.Prepared(ctx, tx)
	out.read = func(only string) error {
		var kind int
		var path, project string
		left := func() error {
			if s.ours(kind, project) {
				out.paths[kind][path] = true
			}
			return nil
		}
		if only == "" {
			return store.Each(ctx, tx, []any{&kind, &path, &project}, left, "SELECT f.kind, f.path, f.project FROM files f WHERE "+strings.Join(where, " AND "), args...)
		}
		path = only
		err := one.Scan([]any{&kind, &project}, "SELECT kind, project FROM files WHERE path = ?", only) // nothing narrows it: see left
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return left()
	}
	if s.narrowed || s.qu.Speaker != "" {
		// They leave little, or all of it is wanted.
		out.left = 0
		return out, out.read("")
	}
	return out, nil
}

// leave has only what is within a span, and has what the query asks for besides, found from
// now on.
func (s *searcher) leave(ctx context.Context, tx *sql.Tx, x *indexed, span when) (err error) {
	if s.allowed, err = s.within(ctx, tx, span); err != nil {
		return err
	}
	for kind, r := range x {
		var paths []string
		if a := s.allowed; a != nil && a.left == 0 && len(a.paths[kind]) <= fewPaths {
			paths = slices.AppendSeq([]string{}, maps.Keys(a.paths[kind]))
		}
		if err := r.Narrow(paths); err != nil {
			return err
		}
	}
	return nil
}

// gather adds the candidates of both legs among what is allowed.
func (s *searcher) gather(ctx context.Context, x *indexed, vector []float32, found map[int64]bool) error {
	for _, kind := range s.kinds() {
		if s.qu.Mode != Meaning {
			ids, err := s.q.lexical(ctx, x, kind, s.depth(), s.filter(kind))
			if err != nil {
				return err
			}
			for _, id := range ids {
				found[id] = true
			}
		}
		if vector == nil {
			continue
		}
		near, err := x[kind].Nearest(ctx, s.m.embedder(), vector, s.depth(), s.filter(kind))
		if err != nil {
			return err
		}
		for _, c := range near {
			found[chunkID(kind, c.Chunk)] = true
		}
	}
	if s.allowed != nil {
		return s.allowed.err
	}
	return nil
}

// filtered reports whether a query has nothing but filters.
func (s *searcher) filtered() bool {
	return len(s.q.terms) == 0 && (s.narrowed || s.qu.Speaker != "")
}

// everything finds the newest of what is allowed, each by its first chunk, where a query has
// nothing but filters.
func (s *searcher) everything(ctx context.Context, tx *sql.Tx, a *MemoryAnswer) error {
	ids, err := s.newest(ctx, tx)
	if err != nil {
		return err
	}
	cs, err := readCandidates(ctx, tx, ids)
	if err != nil {
		return err
	}
	cs = slices.DeleteFunc(cs, func(c *candidate) bool { return !s.wanted(c) })
	sorting.Stable(cs, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.moment(), a.moment()), cmp.Compare(a.path, b.path))
	})
	gone, err := replaced(ctx, tx)
	if err != nil {
		return err
	}
	for i, c := range cs {
		c.newer, c.evidence, c.score = gone[c.path], 1-float64(i)/float64(len(cs)), 1
	}
	for _, p := range s.pick(cs) {
		a.Hits = append(a.Hits, s.hit(p, ranking{}))
	}
	return nil
}

func (s *searcher) newest(ctx context.Context, tx *sql.Tx) (ids []int64, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT f.kind, f.path, min(c.id) FROM files f JOIN chunks c ON c.file = f.id GROUP BY f.id ORDER BY max(f.created, f.day * 86400) DESC")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for len(ids) < 2*s.depth() && rows.Next() {
		var kind int
		var path string
		var id int64
		if err := rows.Scan(&kind, &path, &id); err != nil {
			return nil, err
		}
		if slices.Contains(s.kinds(), kind) && (s.allowed == nil || s.allowed.has(kind, path)) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}

// spanOf returns the days that since and before leave, each a date, a month, a year or words
// such as "last week", seen from today: since its first day, up to but not including the
// first day of before. Between is two of them with "and", "to" or ".." in between, both
// included. All empty: no span.
func spanOf(since, before, between string, today time.Time) (w when, err error) {
	if between != "" {
		if since != "" || before != "" {
			return w, fault.New(fault.Usage, "--between stands for both --since and --before").Or("give it alone")
		}
		var ok bool
		for _, sep := range [...]string{"..", " and ", " to ", " bis ", " und ", ","} {
			if since, before, ok = strings.Cut(between, sep); ok {
				break
			}
		}
		if !ok {
			return w, fault.New(fault.Usage, "--between %q is not two dates", between).Or("for example: --between \"2025-03-01 and 2025-04-15\"")
		}
	}
	if since == "" && before == "" {
		return w, nil
	}
	w = when{from: firstDay, to: lastDay}
	if since != "" {
		from, err := moment("since", since, today)
		if err != nil {
			return w, err
		}
		w.from = from.from
	}
	if before != "" {
		to, err := moment("before", before, today)
		if err != nil {
			return w, err
		}
		if w.to = to.from; between != "" {
			w.to = to.to
		}
	}
	if w.from >= w.to {
		return w, fault.New(fault.Usage, "no day is both since %s and before %s", timeOf(w.from).Format(time.DateOnly), timeOf(w.to).Format(time.DateOnly)).Or("give the earlier one first")
	}
	return w, nil
}

// moment understands one end of a span.
func moment(what, s string, today time.Time) (when, error) {
	s = strings.TrimSpace(s)
	w := asked(s, today)
	if w.months != 0 || w.to == 0 {
		for _, before := range [...]string{"in ", "of "} { // a month or a year by itself
			if v := asked(before+s, today); v.to != 0 {
				w = v
			} else if v.months != 0 {
				w = lastSuch(v.months, today)
			}
			if w.to != 0 {
				break
			}
		}
	}
	if w.to == 0 || w.from <= firstDay || w.to >= lastDay {
		if n := lastDays(text.Fold(s), today); n.to != 0 {
			return n, nil
		}
		return w, fault.New(fault.Usage, "%s %q is not a time that is understood", what, s).Or("give a date as 2025-03-14, a month as 2025-03 or \"March 2025\", or words such as \"last month\" or \"30 days\"")
	}
	return w, nil
}

// shown returns the filter of the notes and sessions that are wanted.
func shown(ctx context.Context, tx *sql.Tx, wanted func(kind int, project string) bool) (index.Filter, error) {
	out := map[string]bool{}
	var path, project string
	var kind int
	err := store.Each(ctx, tx, []any{&path, &kind, &project}, func() error {
		if wanted(kind, project) {
			out[path] = true
		}
		return nil
	}, "SELECT path, kind, project FROM files")
	return func(d index.DocInfo) bool { return out[d.Path] }, err
}
