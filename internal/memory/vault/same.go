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
	var candidates []string
	err := m.with(ctx, func(h *handle) error {
		same, err := h.duplicate(ctx, bodyHash(n.Content), n.Project, n.Supersedes)
		if err != nil {
			return err
		}
		candidates = nil
		if same != "" {
			candidates = []string{same}
		}
		more, err := m.similar(ctx, h, n)
		candidates = append(candidates, more...)
		return err
	})
	for _, rel := range candidates {
		raw, e := readFile(root, rel)
		if e != nil || rel == n.Supersedes {
			continue
		}
		clean, _ := Clean(raw)
		head, body, _ := cutFront(clean)
		if p := readFront(head).project; p != "" && p != n.Project {
			continue // nobody is told of it who works on this
		}
		if bytes.Equal(bodyHash(string(body)), bodyHash(n.Content)) || saysNothingNew(n.Content, string(body)) {
			return rel, nil
		}
	}
	return "", cmp.Or(behind, err)
}

// similar returns the notes of a note's project, and of none, whose words are most like
// those of the note.
func (m *Memory) similar(ctx context.Context, h *handle, n *Note) (paths []string, err error) {
	stems, _ := m.stems.Get().(*stemmer)
	defer m.stems.Put(stems)
	q := ask(n.Content[:min(len(n.Content), 2000)], m.cfg.Now(), stems)
	err = h.read(ctx, func(tx *sql.Tx) error {
		x, err := h.indexed(ctx, tx)
		if err != nil {
			return err
		}
		defer x.close()
		if err := q.weigh(&x); err != nil {
			return err
		}
		filter, err := shown(ctx, tx, func(_ int, project string) bool { return project == "" || project == n.Project })
		if err != nil {
			return err
		}
		ids, err := q.lexical(ctx, &x, notes, 10, filter)
		if err != nil {
			return err
		}
		cs, err := readCandidates(ctx, tx, ids)
		if err != nil {
			return err
		}
		old, err := replaced(ctx, tx)
		for _, c := range cs {
			if _, gone := old[c.path]; !gone && c.session == "" && !slices.Contains(paths, c.path) {
				paths = append(paths, c.path)
			}
		}
		return err
	})
	return paths, err
}

// saysNothingNew reports whether all words of a text but the empty ones are in another
// one in the same order, which has little more, and nothing that decides: a number, a word
// that denies, or one as "on", "after", "only" and "may" are.
func saysNothingNew(one, old string) bool {
	a, _ := statement(one)
	b, lang := statement(old)
	if len(a) < 5 || len(a)*5 < len(b)*3 {
		return false
	}
	has, pairs := map[string]bool{}, map[[2]string]bool{}
	for i, w := range b {
		has[w] = true
		if i > 0 {
			pairs[[2]string{b[i-1], w}] = true
		}
	}
	mine := map[string]bool{}
	for i, w := range a {
		mine[w] = true
		if !has[w] || i > 0 && !pairs[[2]string{a[i-1], w}] {
			return false
		}
	}
	for w := range has {
		if !mine[w] && (telling(w) || text.Grammar(lang, w)) {
			return false
		}
	}
	return true
}

// english is the language whose empty words are known here.
const english = 0

// empty reports whether a word of English can be there or not, and a statement is the same.
func empty(w string) bool {
	switch w {
	case "a", "an", "the", "is", "are", "be", "am", "and", "it", "its", "this", "that", "these", "those", "there", "our", "my", "your", "we", "i", "you", "please":
		return true
	}
	return false
}

// statement returns the stems of a text in order, without its heading, and its language. What wordsOf takes
// for grammar tells opposites apart: on and off, before and after, from and to, must and may.
func statement(s string) (out []string, lang int) {
	words := foldedWords(s)
	lang = text.Language(words)
	for _, w := range words {
		switch {
		case lang == english && empty(w):
		case text.Grammar(lang, w):
			out = append(out, w)
		default:
			out = append(out, text.English(w))
		}
	}
	return out, lang
}

// wordsOf returns the stems of a text in order, without its heading and without
// grammar.
func wordsOf(s string) (out []string) {
	words := foldedWords(s)
	lang := text.Language(words)
	for _, w := range words {
		if telling(w) || !text.Grammar(lang, w) {
			out = append(out, text.English(w))
		}
	}
	return out
}

// removed is what stands in place of what was taken out of a text.
var removed = lazy.Regexp(`\[private\]|\[redacted:[a-z0-9-]*\]`)

// foldedWords returns the words of a text in order, without its heading.
func foldedWords(s string) (words []string) {
	s = strings.TrimSpace(s)
	if first, rest, ok := strings.Cut(s, "\n"); ok {
		if level, _ := heading(strings.TrimSpace(first)); level == 1 {
			s = rest
		}
	}
	// Two notes that had secrets are not alike for that.
	s = removed.ReplaceAllString(s, " ")
	text.Words([]byte(s), func(w []byte) { words = append(words, text.Fold(string(w))) })
	return words
}

// duplicate returns the path of a note whose words are the same, of a project or of
// none, "" where there is none. The note that is being superseded does not count.
func (h *handle) duplicate(ctx context.Context, body []byte, project, but string) (path string, err error) {
	if body == nil {
		return "", nil
	}
	err = h.read(ctx, func(tx *sql.Tx) error {
		e := tx.QueryRowContext(ctx, `SELECT path FROM files f WHERE body = ? AND kind = ? AND path <> ? AND project IN ('', ?) AND
			NOT EXISTS (SELECT 1 FROM links l WHERE l.kind = 'supersedes' AND l.target = f.path) ORDER BY id LIMIT 1`, body, notes, but, project).Scan(&path)
		if errors.Is(e, sql.ErrNoRows) {
			return nil
		}
		return e
	})
	return path, err
}
