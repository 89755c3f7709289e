package transcript

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/assay-dev/assay/internal/base/store"
)

// Goose keeps its sessions in sessions/sessions.db of its data folder since version 1.10: a
// session, its name and folder in a row of sessions, and each message in one of messages,
// whose content_json is a list of contents of which those of type text were said. It takes the
// files of older versions in when it makes the database.
func newGoose(path string) Source {
	list := func(ctx context.Context, tx *sql.Tx) ([]Ref, int, error) { return gooseSessions(ctx, tx, "") }
	return &recorder{stored: stored{path: path, agent: "Goose", tables: []string{"sessions", "messages"}}, list: list, session: gooseSession}
}

// gooseSession returns the session of an ID, nil where there is none.
func gooseSession(ctx context.Context, tx *sql.Tx, id string) (*Session, error) {
	refs, _, err := gooseSessions(ctx, tx, id)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	s := &Session{Ref: refs[0]}
	return s, gooseTurns(ctx, tx, s)
}

// gooseSessions returns the sessions, or the one of an ID. Those that Goose shows nobody, and
// those of its sub-agents, are omitted.
func gooseSessions(ctx context.Context, tx *sql.Tx, only string) (refs []Ref, skipped int, err error) {
	// Columns that came with later versions.
	name, kind := "description", "'user'"
	for column, to := range map[string]*string{"name": &name, "session_type": &kind} {
		is, err := has(ctx, tx, "sessions", column)
		if err != nil {
			return nil, 0, err
		}
		if !is {
			continue
		}
		if *to = column; column == "name" {
			*to = "coalesce(nullif(name, ''), description)"
		}
	}
	var id, called, dir, updated string
	var last int64
	err = store.Each(ctx, tx, []any{&id, &called, &dir, &updated, &last}, func() error {
		if !valid(id) {
			skipped++
			return nil
		}
		refs = append(refs, Ref{Agent: "goose", ID: id, Title: title(called), Dir: dir, Updated: sqlTime(updated), Stamp: updated + " " + strconv.FormatInt(last, 10)})
		return nil
	}, `SELECT coalesce(CAST(id AS TEXT), ''), coalesce(CAST(substr(`+name+`, 1, 4096) AS TEXT), ''), coalesce(CAST(substr(working_dir, 1, 4096) AS TEXT), ''),
		coalesce(CAST(substr(updated_at, 1, 64) AS TEXT), ''), (SELECT coalesce(max(CAST(m.id AS INTEGER)), 0) FROM messages m WHERE m.session_id = s.id)
		FROM sessions s WHERE (? = '' OR id = ?) AND `+kind+` NOT IN ('sub_agent', 'hidden')`, only, only)
	return refs, skipped, err
}

// gooseTurns reads what was said in a session.
func gooseTurns(ctx context.Context, tx *sql.Tx, s *Session) error {
	shown, err := has(ctx, tx, "messages", "metadata_json")
	if err != nil {
		return err
	}
	about := "NULL"
	if shown {
		about = "substr(metadata_json, 1, 4096)"
	}
	b := builder{s: s}
	var role string
	var at int64
	var data, meta sql.RawBytes
	err = store.Each(ctx, tx, []any{&role, &at, &data, &meta}, func() error {
		var told struct {
			Visible *bool `json:"userVisible"` // false: only the model is told it, as a summary
		}
		_ = json.Unmarshal(meta, &told) // then nothing is said of it
		if role != User && role != Assistant || told.Visible != nil && !*told.Visible {
			return nil
		}
		b.hearPieces(json.RawMessage(data))
		if text, err := content(json.RawMessage(data), "text"); data != nil && err == nil {
			b.add(role, text, unixTime(at))
		} else {
			s.Skipped++
		}
		return nil
	}, `SELECT coalesce(CAST(role AS TEXT), ''), coalesce(CAST(created_timestamp AS INTEGER), 0),
		CASE WHEN octet_length(content_json) <= ? THEN CAST(content_json AS TEXT) END, CAST(`+about+` AS TEXT)
		FROM messages WHERE session_id = ? ORDER BY id`, maxLine, s.ID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	b.finish(s.Title, time.Time{})
	return nil
}

// sqlTime is the time that SQLite writes as CURRENT_TIMESTAMP, or one of RFC 3339; else none.
func sqlTime(s string) time.Time {
	if t, err := time.Parse(time.DateTime, s); err == nil {
		s = t.Format(time.RFC3339)
	}
	return stamp(s)
}

// unixTime is a time in seconds, or in milliseconds where it would be thousands of years away.
func unixTime(n int64) time.Time {
	if n < 1e11 {
		n *= 1000
	}
	return milli(n)
}
