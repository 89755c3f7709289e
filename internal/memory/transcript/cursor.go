package transcript

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/store"
)

// Cursor keeps its sessions in User/globalStorage/state.vscdb, a table of keys and values, as
// several programs that read it describe it (versions 0.50 to 3.20; Cursor itself does not):
// composerData:SESSION has the name of a session and the order of its messages, and
// bubbleId:SESSION:MESSAGE a message, of type 1 the user's and of type 2 the agent's. Sessions of
// older versions have their messages in composerData itself. When a session changed, its folder, and
// whether it is a sub-agent's is in the table composerHeaders, before 3 in a value of ItemTable.
func newCursor(path string) Source {
	return &recorder{stored: stored{path: path, agent: "Cursor", tables: []string{"cursorDiskKV"}}, list: cursorSessions, session: cursorSession}
}

// A cursorHead is what Cursor's list of sessions says of one.
type cursorHead struct {
	ID        string `json:"composerId"`
	Name      string `json:"name"`
	Updated   int64  `json:"lastUpdatedAt"` // in milliseconds
	Created   int64  `json:"createdAt"`
	Draft     bool   `json:"isDraft"`
	Workspace struct {
		URI struct {
			Path string `json:"fsPath"`
		} `json:"uri"`
	} `json:"workspaceIdentifier"`
	sub bool
}

// cursorHeads returns the list by session; those that it lacks are of older versions.
func cursorHeads(ctx context.Context, tx *sql.Tx, only string) (map[string]cursorHead, error) {
	out := map[string]cursorHead{}
	add := func(value []byte, updated int64, sub bool) {
		var h cursorHead
		if json.Unmarshal(value, &h) == nil {
			h.Updated, h.sub = max(h.Updated, updated), sub
			out[h.ID] = h
		}
	}
	table, err := isTable(ctx, tx, "composerHeaders")
	if err != nil {
		return nil, err
	}
	var value sql.RawBytes
	if table {
		var updated int64
		var sub bool
		return out, store.Each(ctx, tx, []any{&value, &updated, &sub}, func() error {
			add(value, updated, sub)
			return nil
		}, `SELECT CASE WHEN octet_length(value) <= ? THEN CAST(value AS TEXT) END, coalesce(CAST(lastUpdatedAt AS INTEGER), 0), coalesce(isSubagent, 0) <> 0
			FROM composerHeaders WHERE ? = '' OR composerId = ?`, maxLine, only, only)
	}
	if table, err = isTable(ctx, tx, "ItemTable"); err != nil || !table {
		return out, err
	}
	return out, store.Each(ctx, tx, []any{&value}, func() error {
		var all struct {
			Composers []json.RawMessage `json:"allComposers"`
		}
		_ = json.Unmarshal(value, &all) // then nothing is said of them
		for _, one := range all.Composers {
			add(one, 0, false)
		}
		return nil
	}, "SELECT CAST(value AS TEXT) FROM ItemTable WHERE key = 'composer.composerHeaders' AND octet_length(value) <= ?", maxLine)
}

func (h cursorHead) ref(id string, size int64) Ref {
	// A session that went on names more messages than before.
	return Ref{Agent: "cursor", ID: id, Title: title(h.Name), Dir: h.Workspace.URI.Path, Updated: milli(max(h.Updated, h.Created)),
		Stamp: strconv.FormatInt(h.Updated, 10) + " " + strconv.FormatInt(size, 10)}
}

func cursorSessions(ctx context.Context, tx *sql.Tx) (refs []Ref, skipped int, err error) {
	heads, err := cursorHeads(ctx, tx, "")
	if err != nil {
		return nil, 0, err
	}
	var id string
	var size int64
	err = store.Each(ctx, tx, []any{&id, &size}, func() error {
		switch h := heads[id]; {
		case h.sub, h.Draft:
		case !valid(id):
			skipped++
		default:
			refs = append(refs, h.ref(id, size))
		}
		return nil
		// The values are not read for it: some have megabytes.
	}, `SELECT CAST(substr(key, length('composerData:') + 1) AS TEXT), octet_length(value) FROM cursorDiskKV
		WHERE key >= 'composerData:' AND key < 'composerData;' AND octet_length(value) > 2`)
	return refs, skipped, err
}

// A cursorMessage is one of Cursor's bubbles, or only where it is.
type cursorMessage struct {
	ID         string          `json:"bubbleId"`
	Type       int             `json:"type"`
	Text       string          `json:"text"`
	Created    json.RawMessage `json:"createdAt"` // RFC 3339, or milliseconds
	Workspaces []string        `json:"workspaceUris"`
	Tool       struct {
		Result json.RawMessage `json:"result"`
	} `json:"toolFormerData"`
}

func (m *cursorMessage) at() time.Time {
	if s := word(m.Created); s != "" {
		return stamp(s)
	}
	ms, _ := strconv.ParseInt(string(m.Created), 10, 64)
	return milli(ms)
}

// folder is where the session worked, as a message says it.
func (m *cursorMessage) folder() string {
	for _, w := range m.Workspaces {
		if u, err := url.Parse(w); err == nil && u.Scheme == "file" && len(u.Path) > 1 {
			if len(u.Path) > 2 && u.Path[2] == ':' { // /c:/x
				return u.Path[1:]
			}
			return u.Path
		}
	}
	return ""
}

// cursorSession reads a session, nil where there is none.
func cursorSession(ctx context.Context, tx *sql.Tx, id string) (*Session, error) {
	var size int64
	var value sql.NullString
	err := tx.QueryRowContext(ctx, "SELECT coalesce(octet_length(value), 0), CASE WHEN octet_length(value) <= ? THEN CAST(value AS TEXT) END FROM cursorDiskKV WHERE key = ?",
		maxLine, "composerData:"+id).Scan(&size, &value)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, err
	case !value.Valid:
		return nil, fmt.Errorf("what Cursor keeps of it has %d bytes", size)
	}
	var data struct {
		cursorHead
		Order  []cursorMessage `json:"fullConversationHeadersOnly"`
		Inline []cursorMessage `json:"conversation"`
	}
	if err := json.Unmarshal([]byte(value.String), &data); err != nil {
		return nil, err
	}
	heads, err := cursorHeads(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	h := heads[id]
	h.Name = cmp.Or(h.Name, data.Name)
	if h.Created == 0 {
		h.Created = max(data.Created, 0)
	}
	s := &Session{Ref: h.ref(id, size)}
	b := builder{s: s}
	messages, err := cursorMessages(ctx, tx, &b)
	if err != nil {
		return nil, err
	}
	for _, m := range append(data.Inline, data.Order...) {
		if whole, ok := messages[m.ID]; ok {
			m = whole
		}
		if s.Dir == "" {
			s.Dir = m.folder()
		}
		switch m.Type {
		case 1:
			b.add(User, m.Text, m.at())
		case 2:
			b.add(Assistant, m.Text, m.at())
		}
	}
	return b.finish(h.Name, milli(h.Created)), nil
}

// cursorMessages reads the messages of a session that have a text, by their IDs.
func cursorMessages(ctx context.Context, tx *sql.Tx, b *builder) (map[string]cursorMessage, error) {
	s := b.s
	out := map[string]cursorMessage{}
	total := 0
	var key string
	var value sql.RawBytes
	begin := "bubbleId:" + s.ID + ":"
	err := store.Each(ctx, tx, []any{&key, &value}, func() error {
		var m cursorMessage
		if value == nil || !isJSON(value, &m) {
			s.Skipped++
			return nil
		}
		if total += len(m.Text); total > maxSession {
			s.Skipped++
			return nil
		}
		b.hearValue(m.Tool.Result)
		m.Tool.Result = nil
		out[strings.TrimPrefix(key, begin)] = m
		return nil
	}, `SELECT CAST(key AS TEXT), CASE WHEN octet_length(value) <= ? THEN CAST(value AS TEXT) END FROM cursorDiskKV
		WHERE key >= ? AND key < ? AND value IS NOT NULL`, maxLine, begin, strings.TrimSuffix(begin, ":")+";")
	return out, err
}

// isJSON reads what a row holds, and reports whether it is what v can hold.
func isJSON(value []byte, v any) bool { return json.Unmarshal(bytes.TrimSpace(value), v) == nil }
