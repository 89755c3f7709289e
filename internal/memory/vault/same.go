package vault

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
)

// known returns the path of a note that says the same, "" where there is none. It
// asks the index, which is brought up to date first: somebody may have been stopped
// between writing and indexing. The error wraps store.ErrBusy or file.ErrLocked where
// another process kept it from that.
func (m *Memory) known(ctx context.Context, late time.Time, root *safe.Root, n *Note) (string, error) {
	soon, stop := context.WithDeadline(ctx, late)
	defer stop()
	// An index that is behind still knows what was there before.
	r, behind := m.Sync(soon, SyncOptions{NotesOnly: true, Budget: m.cfg.Turn, Quick: true, Reading: true})
	switch {
	case r.Busy:
		behind = m.locked(".sync")
	case soon.Err() != nil && ctx.Err() == nil && !errors.Is(behind, store.ErrBusy):
		behind = nil // it had much to do
	}
	ctx, stop = context.WithTimeout(ctx, m.cfg.Turn)
	defer stop()
	var same string
	err := m.with(ctx, func(h *handle) (err error) {
		same, err = h.duplicate(ctx, bodyHash(n.Content), n.Project, n.Supersedes)
		return err
	})
	if same != "" {
		raw, e := readFile(root, same)
		clean, _ := Clean(raw)
		head, body, _ := cutFront(clean)
		p := readFront(head).project
		if e == nil && (p == "" || p == n.Project) && bytes.Equal(bodyHash(string(body)), bodyHash(n.Content)) {
			return same, nil
		}
	}
	return "", cmp.Or(behind, err)
}

// A SimilarNote is a note about the same subject as one that was stored, which may replace it: only the
// user or the agent can say.
type SimilarNote struct {
	Path  string `json:"path"`
	Title string `json:"title"`
	Date  string `json:"date,omitempty"` // empty where nothing says so
}

// The bounds of which notes are about the same subject as another.
const (
	maxSimilar   = 3
	similarShare = .5 // of the weight of the new note's words that the vault knows, which the other one has
	similarWords = .3 // and of all its words
)

// similar returns the notes of a note's project that have most of its words, the nearest first.
func (m *Memory) similar(ctx context.Context, n *Note) (out []SimilarNote, err error) {
	stems, _ := m.stems.Get().(*stemmer)
	defer m.stems.Put(stems)
	q := ask(n.Title+"\n"+n.Content[:min(len(n.Content), 2000)], m.cfg.Now(), stems)
	err = m.with(ctx, func(h *handle) error {
		return h.read(ctx, func(tx *sql.Tx) error {
			cs, err := q.nearestNotes(ctx, h, tx, n.Project, stems)
			if err != nil {
				return err
			}
			gone, err := replaced(ctx, tx)
			seen := map[string]bool{n.Supersedes: true}
			for _, c := range cs {
				if gone[c.path] != nil || c.session != "" || seen[c.path] || len(out) == maxSimilar {
					continue
				}
				seen[c.path] = true
				s := SimilarNote{Path: c.path, Title: strings.Join(strings.Fields(c.title), " ")}
				if d := c.when(); d != 0 {
					s.Date = timeOf(d).Format(time.DateOnly)
				}
				out = append(out, s)
			}
			return err
		})
	})
	return out, err
}

// nearestNotes returns the chunks of the notes of a project that have the share of the words of a question
// which similarShare and similarWords name, best first.
func (q *question) nearestNotes(ctx context.Context, h *handle, tx *sql.Tx, project string, stems *stemmer) ([]*candidate, error) {
	x, err := h.indexed(ctx, tx)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if err := q.weigh(&x); err != nil {
		return nil, err
	}
	filter, err := shown(ctx, tx, func(_ int, of string) bool { return of == project })
	if err != nil {
		return nil, err
	}
	ids, err := q.lexical(ctx, &x, notes, 20, filter)
	if err != nil {
		return nil, err
	}
	cs, err := readCandidates(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	for _, c := range cs {
		q.look(c, stems)
	}
	cs = slices.DeleteFunc(cs, func(c *candidate) bool {
		known, all := q.knownShare(c.matched)
		return known < similarShare || all < similarWords
	})
	sorting.Stable(cs, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(q.share(b.matched), q.share(a.matched)), cmp.Compare(a.path, b.path))
	})
	return cs, nil
}

// knownShare returns which part of the weight of the terms that the index has, and which part of all terms, a mask
// has. A term that no other note has would outweigh all others.
func (q *question) knownShare(mask uint64) (known, all float64) {
	var sum, has float64
	n := 0
	for i, t := range q.terms {
		if t.df > 0 {
			sum += t.idf
		}
		if mask>>i&1 != 0 {
			has += t.idf
			n++
		}
	}
	if sum == 0 {
		return 0, 0
	}
	return has / sum, float64(n) / float64(len(q.terms))
}

// removed is what stands in place of what was taken out of a text.
var removed = lazy.Regexp(`\[private\]|\[redacted:[a-z0-9-]*\]`)

// foldedWords returns the words of a text in order, without its heading.
func foldedWords(s string) (words []string) {
	// Two notes that had secrets are not alike for that.
	s = removed.ReplaceAllString(prose(s), " ")
	text.Words([]byte(s), func(w []byte) { words = append(words, text.Fold(string(w))) })
	return words
}

// duplicate returns the path of a note whose words are the same, of a project or of
// none, "" where there is none. A note that is replaced, or is being replaced, does not count: it may be said again.
func (h *handle) duplicate(ctx context.Context, body []byte, project, but string) (string, error) {
	if body == nil {
		return "", nil
	}
	found := ""
	err := h.read(ctx, func(tx *sql.Tx) error {
		gone, err := replaced(ctx, tx)
		if err != nil {
			return err
		}
		var rel string
		return store.Each(ctx, tx, []any{&rel}, func() error {
			if found == "" && gone[rel] == nil {
				found = rel
			}
			return nil
		}, "SELECT path FROM files WHERE body = ? AND kind = ? AND path <> ? AND project IN ('', ?) ORDER BY id", body, notes, but, project)
	})
	return found, err
}
