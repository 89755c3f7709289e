package vault

import (
	"cmp"
	"context"
	"database/sql"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/code/embed"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A succession is the note that is in the place of another one.
type succession struct {
	path   string
	day    day
	likely bool // nobody said so
}

// replaced returns what supersedes each note that is superseded: the last of those that
// supersede each other.
func replaced(ctx context.Context, tx *sql.Tx) (map[string]*succession, error) {
	rows, err := tx.QueryContext(ctx, `SELECT l.target, f.path, f.day, f.created FROM links l JOIN files f ON f.id = l.file WHERE l.kind = 'supersedes'
		UNION ALL SELECT f.path, g.path, g.day, g.created FROM links l JOIN files f ON f.id = l.file JOIN files g ON g.path = l.target OR g.name = l.target
		WHERE l.kind = 'superseded by' AND g.kind = f.kind AND g.id <> f.id ORDER BY 4, 2`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out, byName := map[string]*succession{}, map[string]*succession{}
	for rows.Next() {
		var old string
		var created int64
		by := &succession{}
		if err := rows.Scan(&old, &by.path, &by.day, &created); err != nil {
			return nil, err
		}
		if created != 0 {
			by.day = int(created / 86400)
		}
		if old == by.path {
			continue
		}
		if strings.Contains(old, "/") || isNote(old) {
			out[path.Clean(old)] = by
		} else {
			byName[nameOf(old)] = by
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for name, by := range byName {
		var rel string
		if err := tx.QueryRowContext(ctx, "SELECT path FROM files WHERE name = ? AND kind = ? AND path <> ? ORDER BY length(path), path LIMIT 1", name, notes, by.path).Scan(&rel); err == nil {
			out[rel] = by
		}
	}
	for old, by := range out {
		for range len(out) {
			next := out[by.path]
			if next == nil || next.path == old {
				break
			}
			by = next
		}
		out[old] = by
	}
	return out, nil
}

// conflicted returns, for each note of which two versions were kept when vaults were
// merged, the other one.
func conflicted(ctx context.Context, tx *sql.Tx) (map[string]string, error) {
	out := map[string]string{}
	var at, copied string
	err := store.Each(ctx, tx, []any{&at, &copied}, func() error {
		out[copied], out[at] = at, copied
		return nil
	}, "SELECT l.target, f.path FROM links l JOIN files f ON f.id = l.file WHERE l.kind = ? ORDER BY f.path", conflictsWith)
	return out, err
}

// A naming finds notes by what they are called in links.
type naming struct {
	paths map[string]bool
	names map[string]string
}

func named(entries []entry) *naming {
	n := &naming{map[string]bool{}, map[string]string{}}
	for _, e := range entries {
		n.add(e.path)
	}
	return n
}

func (n *naming) add(rel string) {
	n.paths[rel] = true
	if old, ok := n.names[nameOf(rel)]; !ok || len(rel) < len(old) || len(rel) == len(old) && rel < old {
		n.names[nameOf(rel)] = rel
	}
}

// resolve returns the path of the note that a link names: by its path from the root of
// the vault, with or without ending, else by its name; "" where there is none.
func (n *naming) resolve(target string) string {
	rel := path.Clean(strings.TrimPrefix(target, "/"))
	for _, p := range [...]string{rel, rel + ".md"} {
		if n.paths[p] {
			return p
		}
	}
	return n.names[nameOf(target)]
}

// Words that ask for the newest, or the oldest, of what there is.
var (
	asksNewest = lazy.Regexp(`(?i)\b(latest|newest|most recent(?:ly)?|current(?:ly)?|nowadays|these days|right now|(?:in|of|from|at|was|were|is) the last|neuest\w*|aktuell\w*|zuletzt|derzeit)\b|最新|最近|現在`)
	asksOldest = lazy.Regexp(`(?i)\b(for the first time|very first|oldest|earliest|originally|initially|at first|ursprünglich|zum ersten mal|anfangs)\b|最初`)
)

// inTime orders what answers about as well as the best by its day, where that is asked for:
// the newest first, or the oldest. Where a time is asked about, what is of another one stays
// behind.
func (s *searcher) inTime(cs []*candidate) []*candidate {
	newest := s.qu.Newest || asksNewest.MatchString(s.q.text) && !lastOfThese.MatchString(s.q.text)
	oldest := !newest && asksOldest.MatchString(s.q.text)
	if len(cs) == 0 || !newest && !oldest {
		return cs
	}
	least := rank.Memory().Constant("answers about as well") * cs[0].evidence
	n := 0
	for n < len(cs) && cs[n].evidence >= least {
		n++
	}
	strong := cs[:n]
	best := cs[0].evidence
	sorting.Stable(strong, func(a, b *candidate) int {
		d := cmp.Compare(b.moment(), a.moment())
		switch {
		case a.moment() == 0 || b.moment() == 0: // what has no day is neither
			return cmp.Compare(b.moment(), a.moment())
		case oldest:
			return -d
		}
		return d
	})
	for i, c := range strong {
		// The order is what counts, and pick keeps it by evidence.
		to := best * (1 - float64(i)*(1-rank.Memory().Constant("answers about as well"))/float64(n))
		c.reweigh("in order of time", to/c.evidence, s.variant())
	}
	return cs
}

// comparable reports whether a candidate is a note that may be in the place of another, or
// another in its place: a note as an agent stores it, or all of a person's that is about one
// matter. Logs, minutes and lists are about their day.
func (c *candidate) comparable() bool {
	return c.kind == notes && c.session == "" && c.moment() != 0 && (slices.Contains(Categories(), c.category) || c.whole && oneMatter(c.text))
}

// ofOneMatter is how many paragraphs, or points of a list, a note of a person has at most that
// is about one matter.
const ofOneMatter = 4

// oneMatter reports whether a text has no more of them, headings aside.
func oneMatter(s string) bool {
	n, inside := 0, false
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		level, _ := heading(line)
		switch {
		case line == "" || level > 0:
			inside = false
		case !inside || point(line):
			n++
			inside = true
		}
	}
	return n <= ofOneMatter
}

// point reports whether a line begins a point of a list.
func point(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	switch {
	case len(rest) < len(line):
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	case line == "":
		return false
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

// What is looked for beside what answers: the nearest of the first few notes.
const (
	kinOf = 6
	kinTo = 5
)

// kin adds to candidates, which are ranked, what may be in the place of the best of them and
// has perhaps none of the words of the question: the notes that are said to be, and those that
// are nearest in meaning.
func (s *searcher) kin(ctx context.Context, tx *sql.Tx, x *indexed, cs []*candidate, r ranking, vector []float32) ([]*candidate, error) {
	if s.qu.Source == "sessions" {
		return cs, nil
	}
	found, err := heirs(ctx, tx, cs)
	if err != nil {
		return nil, err
	}
	if local, ok := s.m.cfg.Embedder.(embed.Local); ok && vector != nil {
		if err := s.nearest(ctx, x, local, cs, found); err != nil {
			return nil, err
		}
	}
	for _, c := range cs {
		delete(found, c.id)
	}
	if len(found) == 0 {
		return cs, nil
	}
	more, err := s.read(ctx, tx, x, found, vector)
	if err != nil {
		return nil, err
	}
	for _, c := range more {
		c.kin = true
	}
	// By themselves: what is found because of them does not change the others' places.
	return append(cs, s.q.rank(more, r, -1)...), nil
}

// heirs finds the chunks of the notes that somebody said to be in the place of candidates.
func heirs(ctx context.Context, tx *sql.Tx, cs []*candidate) (map[int64]bool, error) {
	found := map[int64]bool{}
	for _, c := range cs {
		if c.newer == nil {
			continue
		}
		var id int64
		if err := store.Each(ctx, tx, []any{&id}, func() error {
			found[id] = true
			return nil
		}, "SELECT c.id FROM files f JOIN chunks c ON c.file = f.id WHERE f.path = ? AND f.kind = ? ORDER BY c.id LIMIT ?", c.newer.path, notes, kinTo); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// nearest finds the chunks that are nearest in meaning to the first few notes that may have
// been replaced.
func (s *searcher) nearest(ctx context.Context, x *indexed, local embed.Local, cs []*candidate, found map[int64]bool) error {
	v := make([]float32, local.Dims())
	of := 0
	for _, c := range cs {
		if !c.comparable() || len(c.text) > maxMatter {
			continue
		}
		if of++; of > kinOf {
			break
		}
		local.Vector(v, []byte(vectorText(c.title, c.heading, c.text)))
		near, err := x[notes].Nearest(ctx, s.m.embedder(), v, kinTo, s.filter(notes))
		if err != nil {
			return err
		}
		for _, n := range near {
			found[chunkID(notes, n.Chunk)] = true
		}
	}
	if s.allowed != nil {
		return s.allowed.err
	}
	return nil
}

// from is resolve for a link that may be relative to the note that it is in.
func (n *naming) from(rel, target string) string {
	if beside := path.Join(path.Dir(rel), target); n.paths[beside] {
		return beside
	}
	return n.resolve(target)
}
