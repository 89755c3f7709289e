package vault

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/store"
)

// smallTalk are words of a prompt that name no subject. Whoever says nothing else is told nothing.
var smallTalk = strings.Fields(`again back bitte clear compact continue danke do done fertig fix go good great gut hallo hello hey hi it
ja jetzt just keep let lets mach make meinst moin more morning nein next nice no nochmal now ok okay on perfect please proceed ready really
resume retry run start stop super sure thank thanks think try undo wait weiter well yeah yes yep`)

// hasSubject reports whether a prompt names something: two words, or one that is a name or code, or that is asked about.
func (q *question) hasSubject() bool {
	n := 0
	if strings.ContainsAny(q.text, "?？") {
		n++
	}
	asks := n
	for _, t := range q.terms {
		if slices.Contains(smallTalk, t.form) {
			continue
		}
		if n++; t.code || t.proper && len(q.content) > 1 {
			n++
		}
	}
	return n > 1 && n > asks
}

// asksForLast are prompts that ask for the session before this one.
var asksForLast = lazy.Regexp(`(?i)\b(still open|left open|open points?|where (did|had) we (leave|left|stop)|where we left off|` +
	`pick up where|what did we do (yesterday|last|before)|(from|since) last (time|session)|noch offen|offene punkte|wo waren wir|was haben wir (gestern|zuletzt))\b`)

// The bounds of what a session is told before it has said anything.
const (
	maxStartPinned      = 5
	maxStartPreferences = 5
)

// atStart returns what a session should know before it has said anything: open points and decisions of the last
// session of its project, pinned notes, and preferences.
func (m *Memory) atStart(ctx context.Context, r *Recollection) (hits []Piece, err error) {
	if r.Project == "" {
		return nil, nil
	}
	if hits, err = m.lastSession(ctx, r); err != nil {
		return nil, err
	}
	today := dayOf(m.cfg.Now())
	err = m.readIndex(ctx, func(tx *sql.Tx) error {
		gone, err := replaced(ctx, tx)
		if err != nil {
			return err
		}
		for _, of := range []struct {
			where string
			most  int
		}{{"f.pinned", maxStartPinned}, {"NOT f.pinned AND f.category = 'preferences'", maxStartPreferences}} {
			n := 0
			var c candidate
			columns := []any{&c.path, &c.title, &c.first, &c.last, &c.text, &c.created, &c.fileDay, &c.standing.from, &c.standing.until}
			err := store.Each(ctx, tx, columns, func() error {
				if n == of.most || gone[c.path] != nil || !c.standing.holds(today, today+1) {
					return nil
				}
				n++
				hits = append(hits, c.startPiece(today))
				return nil
			}, `SELECT f.path, f.title, c.first, c.last, c.text, f.created, f.day, f.valid_from, f.valid_until
				FROM files f JOIN chunks c ON c.id = (SELECT min(id) FROM chunks WHERE file = f.id)
				WHERE f.kind = ? AND f.session = '' AND f.project IN ('', ?) AND `+of.where+` ORDER BY f.created DESC, f.path`, notes, r.Project)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return slices.DeleteFunc(hits, func(h Piece) bool { return slices.Contains(r.Told, placeOf(h)) }), err
}

// startPiece returns a candidate that nobody asked for as a hit: it has no score.
func (c *candidate) startPiece(today day) Piece {
	h := Piece{Path: c.path, Source: "memory", First: c.first, Last: c.last, Title: c.title, Text: c.text, own: c.text, Age: -1}
	if d := c.when(); d != 0 {
		h.Day, h.Age = timeOf(d), max(0, today-d)
	}
	return h
}

// lastSession returns the open points and decisions of the last other session of a project that has a digest.
func (m *Memory) lastSession(ctx context.Context, r *Recollection) ([]Piece, error) {
	var c candidate
	err := m.readIndex(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `SELECT path, title, created, day FROM files
			WHERE kind = ? AND project = ? AND category = ? AND (session = '' OR session <> ?) ORDER BY created DESC, path LIMIT 1`, notes, r.Project, sessionsDir, r.Session).Scan(&c.path, &c.title, &c.created, &c.fileDay)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil || c.path == "" {
		return nil, err
	}
	root, err := m.root()
	if err != nil {
		return nil, nil // the vault is away, and the index has no sections
	}
	defer root.Close()
	raw, err := readFile(root, c.path)
	if err != nil {
		return nil, nil // it was forgotten a moment ago
	}
	clean, _ := Clean(raw)
	var hits []Piece
	for _, title := range [...]string{OpenSection, DecidedSection} {
		if c.first, c.last, c.text = sectionOf(string(clean), title); c.text != "" {
			hits = append(hits, c.startPiece(dayOf(m.cfg.Now())))
		}
	}
	return hits, nil
}

// sectionOf returns a section of the second level with its lines; "" if there is none.
func sectionOf(s, title string) (first, last int, text string) {
	lines := strings.Split(s, "\n")
	at := slices.Index(lines, "## "+title)
	if at < 0 {
		return 0, 0, ""
	}
	end := at + 1
	for end < len(lines) && !strings.HasPrefix(lines[end], "## ") {
		end++
	}
	for strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	return at + 1, end, strings.Join(lines[at:end], "\n")
}
