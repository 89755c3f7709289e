package transcript

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

// The tables as Goose makes them (version 5 of its schema), and as its first version did.
var (
	gooseTables = []string{
		`CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', user_set_name BOOLEAN DEFAULT FALSE,
			session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
			updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, extension_data TEXT DEFAULT '{}')`,
		`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,
			content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER, metadata_json TEXT)`,
	}
	gooseFirst = []string{
		`CREATE TABLE sessions (id TEXT PRIMARY KEY, description TEXT NOT NULL DEFAULT '', working_dir TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
			updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)`,
		`CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL)`,
	}
	gooseRows = []string{
		`INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES
			('20251108_1', 'user', '[{"type":"text","text":"Which port does the gauge use?"}]', 1762600000, '{"userVisible":true,"agentVisible":true}'),
			('20251108_1', 'assistant', '[{"type":"thinking","thinking":"hidden thought"},{"type":"text","text":"I look."},{"type":"toolRequest","id":"t","toolCall":{"text":"request"}}]', 1762600010, NULL),
			('20251108_1', 'user', '[{"type":"toolResponse","id":"t","toolResult":{"text":"response"}}]', 1762600020, '{}'),
			('20251108_1', 'assistant', '[{"type":"text","text":"The gauge listens on 7421. Its key is AKIA` + "QYLPMN5HFIQR7XYA" + `."}]', 1762600030, 'no JSON'),
			('20251108_1', 'user', '[{"type":"text","text":"a summary for the model"}]', 1762600040, '{"userVisible":false,"agentVisible":true}'),
			('20251108_1', 'system', '[{"type":"text","text":"of the machinery"}]', 1762600050, NULL),
			('20251108_1', 'user', 'damaged', 1762600060, NULL),
			('other', 'user', '[{"type":"text","text":"said elsewhere"}]', 1762600070, NULL)`,
		`INSERT INTO sessions (id, name, session_type, working_dir, updated_at) VALUES ('20251108_1', 'The gauge', 'user', '/p/gauge', '2025-11-08 11:07:10'),
			('20251108_2', '', 'scheduled', '/p', '2025-11-07 11:00:00'), ('sub', 'of an agent', 'sub_agent', '/p', '2025-11-09 00:00:00'),
			('none', 'nobody sees it', 'hidden', '/p', '2025-11-09 00:00:00'), ('../x', 'no name', 'user', '/p', '2025-11-09 00:00:00')`,
	}
)

func gooseWith(t *testing.T, dir string, statements ...[]string) *sql.DB {
	t.Helper()
	path := filepath.Join(dir, ".local/share/goose/sessions/sessions.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := openSQL(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, list := range statements {
		must(t, db, list...)
	}
	return db
}

// What was said in sessions of Goose is read, and nothing of what its tools, its sub-agents or
// its summaries for the model say.
func TestGoose(t *testing.T) {
	dir := t.TempDir()
	db := gooseWith(t, dir, gooseTables, gooseRows)
	s := source(t, dir, "goose")
	refs, skipped := list(t, s)
	if len(refs) != 2 || skipped != 1 || refs[0].ID != "20251108_1" || refs[0].Title != "The gauge" || refs[0].Dir != "/p/gauge" ||
		!refs[0].Updated.Equal(time.Date(2025, 11, 8, 11, 7, 10, 0, time.UTC)) {
		t.Fatalf("List = %+v, %d", refs, skipped)
	}
	got := read(t, s, "20251108_1")
	var said []string
	for _, turn := range got.Turns {
		said = append(said, turn.Role+": "+turn.Text)
	}
	all := strings.Join(said, "\n")
	if len(said) != 3 || !strings.HasPrefix(all, "user: Which port does the gauge use?\nassistant: I look.\nassistant: The gauge listens on 7421.") || strings.Contains(all, "QYLPMN5HFIQR7XYA") {
		t.Errorf("Read = %q", said)
	}
	if got.Skipped != 1 || !got.Created.Equal(time.Unix(1762600000, 0)) || got.Turns[2].Time.Unix() != 1762600030 {
		t.Errorf("Read = %+v", got)
	}
	for _, id := range []string{"sub", "none", "../x", "nothing"} {
		if _, err := s.Read(ctx, Ref{ID: id}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("Read(%q) = %v, want NotFound", id, err)
		}
	}
	// A message of the same second is another text.
	must(t, db, `INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20251108_1', 'user', '[]', 1762600060)`)
	if again, _ := list(t, s); again[0].Stamp == refs[0].Stamp {
		t.Error("the stamp of a session with a new message is the same")
	}
}

// The first version of the tables had neither names nor kinds; and what is no database of
// Goose is said and nothing else.
func TestGooseOthers(t *testing.T) {
	dir := t.TempDir()
	gooseWith(t, dir, gooseFirst, []string{
		`INSERT INTO sessions (id, description, working_dir, updated_at) VALUES ('1', 'First', '/p', '2025-10-01T10:00:00Z')`,
		`INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('1', 'user', '[{"type":"text","text":"hello"}]', 1759312800000)`})
	s := source(t, dir, "goose")
	if refs, skipped := list(t, s); len(refs) != 1 || skipped != 0 || refs[0].Title != "First" || refs[0].Updated.Year() != 2025 {
		t.Errorf("List = %+v, %d", refs, skipped)
	}
	if got := read(t, s, "1"); len(got.Turns) != 1 || got.Created.Year() != 2025 {
		t.Errorf("Read = %+v", got)
	}
	for name, tables := range map[string][]string{
		"of something else": {"CREATE TABLE goose_db_version (id)"},
		"a view":            {gooseTables[0], "CREATE VIEW messages AS SELECT * FROM sessions"},
		"virtual":           {"CREATE VIRTUAL TABLE sessions USING fts5(id, working_dir, updated_at)", gooseTables[1]},
		"other columns":     {"CREATE TABLE sessions (x)", "CREATE TABLE messages (y)"},
	} {
		dir := t.TempDir()
		gooseWith(t, dir, tables)
		s := source(t, dir, "goose")
		if refs, skipped := list(t, s); len(refs) != 0 || skipped != 1 {
			t.Errorf("%s: List = %+v, %d", name, refs, skipped)
		}
		if _, err := s.Read(ctx, Ref{ID: "1"}); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("%s: Read = %v", name, err)
		}
	}
}
