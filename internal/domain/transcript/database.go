package transcript

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/store"
	_ "github.com/assay-dev/assay/internal/base/store" // brings the driver
)

// A database is OpenCode's, open for one question.
type database struct {
	tx     *sql.Tx
	revert bool // sessions say what was taken back
}

var (
	errForeign = errors.New("it has not the tables of OpenCode")
	errMoved   = errors.New("it changed while it was read")
)

// database asks the database; where there is none, nothing.
func (o *openCode) database(ctx context.Context, ask func(*database) error) error {
	if o.db == "" {
		return nil
	}
	// A writer may begin or end, and its log come or go, between two looks at it.
	// Someone who keeps it to himself is not waited for: it is asked again later.
	const tries, patience = 4, 200 * time.Millisecond
	for begun, n := time.Now(), 1; ; n++ {
		err := o.attempt(ctx, ask)
		if err == nil || ctx.Err() != nil || errors.Is(err, errForeign) || n == tries || time.Since(begun) > patience {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (o *openCode) attempt(ctx context.Context, ask func(*database) error) error {
	before, err := os.Stat(o.db)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !before.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", o.db)
	}
	if o.hasLog() {
		// SQLite keeps the memory that readers of a log share in a file beside it, and
		// would make it; so it may only be read, as it lies there.
		err := o.open(ctx, "mode=ro&readonly_shm=1", ask)
		if _, e := os.Lstat(o.db + "-shm"); err != nil && errors.Is(e, fs.ErrNotExist) && ctx.Err() == nil {
			// A copy without it has no other way of being read.
			err = o.open(ctx, "mode=ro", ask)
		}
		return err
	}
	// Without a log the file is all there is, and nobody writes to it. Opened as
	// usual it would be given an empty log. What was read counts if it was still so
	// afterwards: to write, a writer makes a log first.
	if err := o.open(ctx, "mode=ro&immutable=1", ask); err != nil {
		return err
	}
	after, err := os.Stat(o.db)
	if err != nil || o.hasLog() || !os.SameFile(before, after) || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return errMoved
	}
	return nil
}

// hasLog reports whether a log lies beside the database, of either kind.
func (o *openCode) hasLog() bool {
	for _, suffix := range []string{"-wal", "-journal"} {
		if _, err := os.Lstat(o.db + suffix); err == nil {
			return true
		}
	}
	return false
}

// open opens the database and asks it in one transaction. It is closed again at
// once: a reader that stays keeps the log from being taken in.
func (o *openCode) open(ctx context.Context, query string, ask func(*database) error) error {
	abs, err := filepath.Abs(o.db)
	if err != nil {
		return err
	}
	if abs = filepath.ToSlash(abs); !strings.HasPrefix(abs, "/") {
		abs = "/" + abs // C:/x becomes file:///C:/x
	}
	u := url.URL{Scheme: "file", Path: abs, RawQuery: query +
		"&_defensive=1&_dqs=0&_pragma=busy_timeout(100)&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)"}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// A view or a virtual table could show what we must not read.
	var tables int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('session', 'message', 'part')
		AND sql LIKE 'CREATE TABLE%'`).Scan(&tables); err != nil {
		return err
	}
	if tables != 3 {
		return errForeign
	}
	d := &database{tx: tx}
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM pragma_table_info('session') WHERE name = 'revert'").Scan(&d.revert); err != nil {
		return err
	}
	return ask(d)
}

// list returns the sessions, and notes in all the ones of sub-agents too.
func (d *database) list(ctx context.Context, all map[string]bool) (refs []Ref, skipped int, err error) {
	var id, name, dir string
	var child bool
	var updated int64
	err = store.Each(ctx, d.tx, []any{&id, &child, &name, &dir, &updated}, func() error {
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

// read returns a session, nil where there is none.
func (d *database) read(ctx context.Context, id string) (*Session, error) {
	revert := "NULL"
	if d.revert {
		revert = "revert"
	}
	var name, dir, undone string
	var created, updated int64
	err := d.tx.QueryRowContext(ctx, `SELECT coalesce(CAST(substr(title, 1, 4096) AS TEXT), ''), coalesce(CAST(directory AS TEXT), ''),
		coalesce(CAST(time_created AS INTEGER), 0), coalesce(CAST(time_updated AS INTEGER), 0), coalesce(CAST(substr(`+revert+`, 1, 4096) AS TEXT), '')
		FROM session WHERE id = ?`, id).Scan(&name, &dir, &created, &updated, &undone)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &Session{Ref: openCodeRef(id, name, dir, updated)}
	messages, err := d.messages(ctx, s, undone)
	if err != nil {
		return nil, err
	}
	b := builder{s: s}
	if err := d.parts(ctx, &b, messages); err != nil {
		return nil, err
	}
	return b.finish(name, milli(created)), nil
}

// A heard is what is known of a message before its parts.
type heard struct {
	role string // empty: it does not count
	at   time.Time
}

// messages returns the messages of a session by their IDs.
func (d *database) messages(ctx context.Context, s *Session, undone string) (map[string]heard, error) {
	// From here on the user took everything back. IDs grow with time.
	var from struct {
		Message string `json:"messageID"`
		Part    string `json:"partID"`
	}
	_ = json.Unmarshal([]byte(undone), &from) // then nothing was
	rows, err := d.tx.QueryContext(ctx, `SELECT CAST(id AS TEXT), coalesce(CAST(time_created AS INTEGER), 0), CASE WHEN octet_length(data) <= ? THEN CAST(data AS TEXT) END
		FROM message WHERE session_id = ?`, maxLine, s.ID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]heard{}
	for rows.Next() {
		var id string
		var at int64
		var data sql.RawBytes
		if err := rows.Scan(&id, &at, &data); err != nil {
			return nil, err
		}
		var m openCodeMessage
		if data == nil || json.Unmarshal(data, &m) != nil {
			s.Skipped++
			continue
		}
		h := heard{at: milli(at)}
		if m.counts() && !takenBack(id, from.Message, from.Part) {
			h.role = m.Role
		}
		out[id] = h
	}
	return out, rows.Err()
}

// parts adds the text of the messages' parts as turns, in order.
func (d *database) parts(ctx context.Context, b *builder, messages map[string]heard) error {
	// What has no "text" in it is no text; most parts are what tools returned, and long.
	g := gatherer{b: b, skipped: &b.s.Skipped}
	var id string
	var data sql.RawBytes
	err := store.Each(ctx, d.tx, []any{&id, &data}, func() error {
		g.part(id, messages[id], data)
		return nil
	}, `SELECT CAST(m.id AS TEXT), CASE WHEN octet_length(p.data) <= ? THEN CAST(p.data AS TEXT) END
		FROM message m JOIN part p ON p.message_id = m.id WHERE m.session_id = ? AND (octet_length(p.data) > ? OR instr(p.data, '"text"') > 0)
		ORDER BY m.time_created, m.id, p.id`, maxLine, b.s.ID, maxLine)
	g.flush()
	return err
}

// A gatherer makes one turn of the parts of a message.
type gatherer struct {
	b       *builder
	skipped *int
	id      string
	of      heard
	text    strings.Builder
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
		*g.skipped++
		return
	}
	t := p.text()
	if t == "" {
		return
	}
	if g.text.Len() > maxRaw {
		*g.skipped++
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
