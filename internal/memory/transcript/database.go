package transcript

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/store"
)

// database returns how OpenCode's database is read. A list notes in all the sessions of sub-agents too.
func (o *openCode) database(all map[string]bool) *recorder {
	return &recorder{stored: stored{path: o.db, agent: "OpenCode", tables: []string{"session", "message", "part"}},
		list: func(ctx context.Context, tx *sql.Tx) ([]Ref, int, error) { return openCodeSessions(ctx, tx, all) }, session: openCodeSession}
}

// openCodeSessions returns the sessions, and notes in all the ones of sub-agents too.
func openCodeSessions(ctx context.Context, tx *sql.Tx, all map[string]bool) (refs []Ref, skipped int, err error) {
	var id, name, dir string
	var child bool
	var updated int64
	err = store.Each(ctx, tx, []any{&id, &child, &name, &dir, &updated}, func() error {
		all[id] = true
		switch {
		case child:
		case !valid(id):
			skipped++
		default:
			refs = append(refs, openCodeRef(id, name, dir, updated))
		}
		return nil
	}, `SELECT coalesce(CAST(id AS TEXT), ''), parent_id IS NOT NULL, coalesce(CAST(substr(title, 1, 4096) AS TEXT), ''),
		coalesce(CAST(directory AS TEXT), ''), coalesce(CAST(time_updated AS INTEGER), 0) FROM session`)
	return refs, skipped, err
}

func openCodeRef(id, name, dir string, updated int64) Ref {
	return Ref{Agent: "opencode", ID: id, Title: title(name), Dir: dir, Updated: milli(updated), Stamp: strconv.FormatInt(updated, 10)}
}

// openCodeSession returns a session, nil where there is none.
func openCodeSession(ctx context.Context, tx *sql.Tx, id string) (*Session, error) {
	revert := "NULL" // sessions say what was taken back since a later version
	if is, err := has(ctx, tx, "session", "revert"); err != nil {
		return nil, err
	} else if is {
		revert = "revert"
	}
	var name, dir, undone string
	var created, updated int64
	err := tx.QueryRowContext(ctx, `SELECT coalesce(CAST(substr(title, 1, 4096) AS TEXT), ''), coalesce(CAST(directory AS TEXT), ''),
		coalesce(CAST(time_created AS INTEGER), 0), coalesce(CAST(time_updated AS INTEGER), 0), coalesce(CAST(substr(`+revert+`, 1, 4096) AS TEXT), '')
		FROM session WHERE id = ?`, id).Scan(&name, &dir, &created, &updated, &undone)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &Session{Ref: openCodeRef(id, name, dir, updated)}
	messages, err := openCodeMessages(ctx, tx, s, undone)
	if err != nil {
		return nil, err
	}
	b := builder{s: s}
	if err := addParts(ctx, tx, &b, messages); err != nil {
		return nil, err
	}
	return b.finish(name, milli(created)), nil
}

// A heard is what is known of a message before its parts.
type heard struct {
	role string // empty: it does not count
	at   time.Time
}

// openCodeMessages returns the messages of a session by their IDs.
func openCodeMessages(ctx context.Context, tx *sql.Tx, s *Session, undone string) (map[string]heard, error) {
	// From here on the user took everything back. IDs grow with time.
	var from struct {
		Message string `json:"messageID"`
		Part    string `json:"partID"`
	}
	_ = json.Unmarshal([]byte(undone), &from) // then nothing was
	out := map[string]heard{}
	var id string
	var at int64
	var data sql.RawBytes
	err := store.Each(ctx, tx, []any{&id, &at, &data}, func() error {
		var m openCodeMessage
		if data == nil || !isJSON(data, &m) {
			s.Skipped++
			return nil
		}
		h := heard{at: milli(at)}
		if m.counts() && !takenBack(id, from.Message, from.Part) {
			h.role = m.Role
		}
		out[id] = h
		return nil
	}, `SELECT CAST(id AS TEXT), coalesce(CAST(time_created AS INTEGER), 0), CASE WHEN octet_length(data) <= ? THEN CAST(data AS TEXT) END
		FROM message WHERE session_id = ?`, maxLine, s.ID)
	return out, err
}

// addParts adds the text of the messages' parts as turns, in order.
func addParts(ctx context.Context, tx *sql.Tx, b *builder, messages map[string]heard) error {
	// What has neither in it is no text, nor what a tool returned.
	g := gatherer{b: b}
	var id string
	var data sql.RawBytes
	err := store.Each(ctx, tx, []any{&id, &data}, func() error {
		g.part(id, messages[id], data)
		return nil
	}, `SELECT CAST(m.id AS TEXT), CASE WHEN octet_length(p.data) <= ? THEN CAST(p.data AS TEXT) END
		FROM message m JOIN part p ON p.message_id = m.id WHERE m.session_id = ? AND (octet_length(p.data) > ? OR instr(p.data, '"text"') > 0 OR instr(p.data, '"output"') > 0)
		ORDER BY m.time_created, m.id, p.id`, maxLine, b.s.ID, maxLine)
	g.flush()
	return err
}

// A gatherer makes one turn of the parts of a message.
type gatherer struct {
	b    *builder
	id   string
	of   heard
	text strings.Builder
}

// part adds a part in JSON, nil where it could not be read.
func (g *gatherer) part(id string, of heard, data []byte) {
	if id != g.id {
		g.flush()
		g.id, g.of = id, of
	}
	if of.role == "" {
		return
	}
	var p openCodePart
	if data == nil || json.Unmarshal(data, &p) != nil {
		g.b.s.Skipped++
		return
	}
	if p.Type == "tool" {
		g.b.hear(p.State.Output)
	}
	t := p.text()
	if t == "" {
		return
	}
	if g.text.Len() > maxRaw {
		g.b.s.Skipped++
		return
	}
	if g.text.Len() > 0 {
		g.text.WriteString("\n\n")
	}
	g.text.WriteString(t)
}

func (g *gatherer) flush() {
	if g.text.Len() > 0 {
		g.b.add(g.of.role, g.text.String(), g.of.at)
	}
	g.text.Reset()
}
