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
	"github.com/assay-dev/assay/internal/code/rank"
)

// A succession is the note that is in the place of another one.
type succession struct {
	path   string
	day    day
	copied bool // the other one is a copy that a synchronising service made of it
}

// replaced returns what supersedes each note that is superseded: the last of those that
// supersede each other.
func replaced(ctx context.Context, tx *sql.Tx) (map[string]*succession, error) {
	out, byName := map[string]*succession{}, map[string]*succession{}
	var old string
	var by succession
	var created int64
	if err := store.Each(ctx, tx, []any{&old, &by.path, &by.day, &created}, func() error {
		n := by
		if created != 0 {
			n.day = int(created / 86400)
		}
		switch {
		case old == n.path:
		case strings.Contains(old, "/"), isNote(old):
			out[path.Clean(old)] = &n
		default:
			byName[nameOf(old)] = &n
		}
		return nil
	}, `SELECT l.target, f.path, f.day, f.created FROM links l JOIN files f ON f.id = l.file WHERE l.kind = 'supersedes'
		UNION ALL SELECT f.path, g.path, g.day, g.created FROM links l JOIN files f ON f.id = l.file JOIN files g ON g.path = l.target OR g.name = l.target
		WHERE l.kind = 'superseded by' AND g.kind = f.kind AND g.id <> f.id ORDER BY 4, 2`); err != nil {
		return nil, err
	}
	for name, by := range byName {
		var rel string
		if err := tx.QueryRowContext(ctx, "SELECT path FROM files WHERE name = ? AND kind = ? AND path <> ? ORDER BY length(path), path LIMIT 1", name, notes, by.path).Scan(&rel); err == nil {
			out[rel] = by
		}
	}
	if err := addSameTopic(ctx, tx, out); err != nil {
		return nil, err
	}
	if err := addCopies(ctx, tx, out); err != nil {
		return nil, err
	}
	followReplaced(out)
	return out, nil
}

// addSameTopic adds the notes of a project and a topic that are earlier than the last one. A note that names its
// successor itself keeps it.
func addSameTopic(ctx context.Context, tx *sql.Tx, out map[string]*succession) error {
	var topic, project, last string // of the rows before
	var lastAt int64
	var earlier []string
	replace := func() {
		for _, old := range earlier {
			if out[old] == nil {
				out[old] = &succession{path: last, day: int(lastAt / 86400)}
			}
		}
	}
	var t, p, rel string
	var at int64
	var before []string // of the same moment as the last
	err := store.Each(ctx, tx, []any{&t, &p, &rel, &at}, func() error {
		if t != topic || p != project {
			replace()
			topic, project, earlier, before, lastAt = t, p, nil, nil, 0
		}
		if at > lastAt {
			earlier, before = append(earlier, before...), nil
			last, lastAt = rel, at
		}
		before = append(before, rel)
		return nil
	}, `SELECT l.target, f.project, f.path, CASE WHEN f.created <> 0 THEN f.created ELSE f.day * 86400 END AS at FROM links l JOIN files f ON f.id = l.file
		WHERE l.kind = ? AND at <> 0 AND l.target IN (SELECT target FROM links WHERE kind = ? GROUP BY target HAVING count(*) > 1)
		ORDER BY l.target, f.project, at, f.path`, linkTopic, linkTopic)
	replace()
	return err
}

// followReplaced has each note that is replaced name the last of those that replaced each other.
func followReplaced(by map[string]*succession) {
	for old, next := range by {
		for range len(by) {
			after := by[next.path]
			if after == nil || after.path == old {
				break
			}
			next = after
		}
		by[old] = next
	}
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

// Words that ask for the newest, or the oldest, of what there is. Without them the set times of eval/memory falls from
// .98 to .92 and times.blind from .94 to .90.
var (
	asksNewest = lazy.Regexp(`(?i)\b(latest|newest|most recent(?:ly)?|current(?:ly)?|nowadays|these days|right now|(?:in|of|from|at|was|were|is) the last|neuest\w*|aktuell\w*|zuletzt|derzeit)\b|最新|最近|現在`)
	asksOldest = lazy.Regexp(`(?i)\b(for the first time|very first|oldest|earliest|originally|initially|at first|ursprünglich|zum ersten mal|anfangs)\b|最初`)
)

// orderByDay orders what answers about as well as the best by its day, if that is asked for: the newest first, or the
// oldest. A candidate without a day is last.
func (s *searcher) orderByDay(cs []*candidate) []*candidate {
	newest := s.qu.Newest || asksNewest.MatchString(s.q.text) && !lastOfThese.MatchString(s.q.text)
	if len(cs) == 0 || !newest && !asksOldest.MatchString(s.q.text) {
		return cs
	}
	share, best := rank.Memory().Constant("answers about as well"), cs[0].evidence
	strong := cs
	if n := slices.IndexFunc(cs, func(c *candidate) bool { return c.evidence < share*best }); n >= 0 {
		strong = cs[:n]
	}
	sorting.Stable(strong, func(a, b *candidate) int {
		if newest || a.moment() == 0 || b.moment() == 0 {
			return cmp.Compare(b.moment(), a.moment())
		}
		return cmp.Compare(a.moment(), b.moment())
	})
	for i, c := range strong {
		// The order is what counts, and pick keeps it by evidence.
		to := best * (1 - float64(i)*(1-share)/float64(len(strong)))
		c.reweigh("in order of time", to/c.evidence, s.variant())
	}
	return cs
}

// isPoint reports whether a line begins a point of a list.
func isPoint(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	switch {
	case len(rest) < len(line):
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	case line == "":
		return false
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

// addHeirs adds to candidates, which are ranked, the notes that are said to be in the place of them: these
// may have none of the words of the question.
func (s *searcher) addHeirs(ctx context.Context, tx *sql.Tx, x *indexed, cs []*candidate, r ranking, vector []float32) ([]*candidate, error) {
	if s.qu.Source == "sessions" {
		return cs, nil
	}
	found, err := heirs(ctx, tx, cs)
	if err != nil {
		return nil, err
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
	// By themselves: what is found because of them does not change the others' places.
	return append(cs, s.q.rank(more, r, -1)...), nil
}

// maxHeirChunks is how many chunks of such a note are added.
const maxHeirChunks = 5

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
		}, "SELECT c.id FROM files f JOIN chunks c ON c.file = f.id WHERE f.path = ? AND f.kind = ? ORDER BY c.id LIMIT ?", c.newer.path, notes, maxHeirChunks); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// raiseHeirs puts a note before the older ones that it is in the place of, unless a time is asked about.
func (s *searcher) raiseHeirs(cs []*candidate) []*candidate {
	if !s.q.when.none() {
		return cs
	}
	for _, old := range cs {
		if old.newer == nil {
			continue
		}
		for _, c := range cs {
			if c.path == old.newer.path && c.evidence < old.evidence {
				c.reweigh("in the place of an older one", old.evidence/c.evidence, s.variant())
				c.evidence = max(c.evidence, old.evidence) // whatever rounding makes of it
				break
			}
		}
	}
	sorting.Stable(cs, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.evidence, a.evidence), a.replacedBy(b)-b.replacedBy(a))
	})
	return cs
}

// replacedBy is 1 for a candidate that another one is in the place of.
func (c *candidate) replacedBy(by *candidate) int {
	if c.newer != nil && c.newer.path == by.path {
		return 1
	}
	return 0
}

// reweigh multiplies the evidence of a candidate and says so.
func (c *candidate) reweigh(why string, by float64, v rank.Variant) {
	c.evidence, c.breakdown = rank.Times(c.evidence, by, why, c.breakdown)
	c.score = rank.Memory().Score(v, c.evidence)
}

// moment is when a note was written, in seconds: by the second where it says so, else its
// day; 0: nothing says so.
func (c *candidate) moment() int64 {
	if c.created != 0 {
		return c.created
	}
	return int64(c.when()) * 86400
}

// from is resolve for a link that may be relative to the note that it is in.
func (n *naming) from(rel, target string) string {
	if beside := path.Join(path.Dir(rel), target); n.paths[beside] {
		return beside
	}
	return n.resolve(target)
}

// prose returns a text without its first heading, which Store writes above a text.
func prose(s string) string {
	s = strings.TrimSpace(s)
	if first, rest, ok := strings.Cut(s, "\n"); ok {
		if level, _ := heading(strings.TrimSpace(first)); level == 1 && strings.TrimSpace(rest) != "" {
			return rest
		}
	}
	return s
}
