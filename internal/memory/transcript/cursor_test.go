package transcript

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The tables as Cursor makes them: version 3, versions before it, and version 0.50.
var (
	cursorTable  = `CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`
	cursorHeads3 = []string{cursorTable,
		`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER, lastUpdatedAt INTEGER, isArchived INTEGER,
			isSubagent INTEGER, recency INTEGER, checkpointAt INTEGER, value TEXT)`,
		`INSERT INTO composerHeaders (composerId, lastUpdatedAt, isSubagent, value) VALUES
			('c1', 1762600100000, 0, '{"composerId":"c1","workspaceIdentifier":{"id":"w","uri":{"fsPath":"/p/gauge"}}}'),
			('sub', 1762600200000, 1, '{"composerId":"sub"}'), ('draft', 1762600300000, 0, '{"composerId":"draft","isDraft":true}')`}
	cursorHeads1 = []string{cursorTable, `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`,
		`INSERT INTO ItemTable VALUES ('composer.composerHeaders', '{"allComposers":[{"composerId":"c1","lastUpdatedAt":1762600100000,"workspaceIdentifier":{"uri":{"fsPath":"/p/gauge"}}},{"composerId":"draft","isDraft":true}]}')`}
	cursorRows = []string{
		`INSERT INTO cursorDiskKV VALUES
			('composerData:c1', '{"_v":10,"composerId":"c1","name":"The gauge","createdAt":1762600000000,"fullConversationHeadersOnly":
				[{"bubbleId":"b1","type":1},{"bubbleId":"b0","type":2},{"bubbleId":"gone","type":2},{"bubbleId":"bad","type":2},{"bubbleId":"b2","type":2}]}'),
			('bubbleId:c1:b1', '{"_v":3,"type":1,"bubbleId":"b1","text":"Which port does the gauge use?","createdAt":"2025-11-08T11:06:40.000Z"}'),
			('bubbleId:c1:b0', '{"_v":3,"type":2,"bubbleId":"b0","text":"","toolFormerData":{"name":"grep","result":"what a tool returned"},"thinking":{"text":"hidden thought"}}'),
			('bubbleId:c1:bad', 'no JSON'),
			('bubbleId:c1:b2', '{"_v":3,"type":2,"bubbleId":"b2","text":"The gauge listens on 7421. Its key is AKIA` + "QYLPMN5HFIQR7XYA" + `.","createdAt":1762600030000}'),
			('bubbleId:c1:stray', '{"_v":3,"type":2,"bubbleId":"stray","text":"taken back"}'),
			('bubbleId:c10:x', '{"type":1,"text":"said elsewhere"}'),
			('composerData:old', '{"composerId":"old","createdAt":1700000000000,"conversation":[{"type":1,"bubbleId":"x","text":"Inline question?","workspaceUris":["file:///p/old%20one"]},
				{"type":2,"bubbleId":"y","text":"Inline answer."}]}'),
			('composerData:sub', '{"composerId":"sub","conversation":[{"type":1,"text":"of an agent"}]}'),
			('composerData:draft', '{"composerId":"draft"}'), ('composerData:../x', '{"composerId":"../x"}'), ('composerData:null', NULL),
			('composerData:broken', 'no JSON')`,
	}
)

func cursorFile(dir string) string {
	if runtime.GOOS == "darwin" {
		return filepath.Join(dir, "Library/Application Support/Cursor/User/globalStorage/state.vscdb")
	}
	return filepath.Join(dir, ".config/Cursor/User/globalStorage/state.vscdb")
}

func cursorWith(t *testing.T, statements ...[]string) Source {
	t.Helper()
	dir := t.TempDir()
	db := create(t, cursorFile(dir))
	for _, list := range statements {
		must(t, db, list...)
	}
	return source(t, dir, "cursor")
}

// What was said in sessions of Cursor is read in its order, in each form that it has had, and
// nothing of what its tools and sub-agents say.
func TestCursor(t *testing.T) {
	for name, heads := range map[string][]string{"3": cursorHeads3, "1": cursorHeads1} {
		s := cursorWith(t, heads, cursorRows)
		refs, skipped := list(t, s)
		found := map[string]Ref{}
		for _, r := range refs {
			found[r.ID] = r
		}
		_, sub := found["sub"]
		_, draft := found["draft"]
		if r := found["c1"]; skipped != 1 || r.Dir != "/p/gauge" || !r.Updated.Equal(time.UnixMilli(1762600100000)) || found["old"].ID == "" || draft || sub == (name == "3") {
			t.Fatalf("%s: List = %+v, %d", name, refs, skipped)
		}
		got := read(t, s, "c1")
		var said []string
		for _, turn := range got.Turns {
			said = append(said, turn.Role+": "+turn.Text)
		}
		all := strings.Join(said, "\n")
		if len(said) != 2 || got.Title != "The gauge" || got.Skipped != 1 || !got.Created.Equal(time.UnixMilli(1762600000000)) ||
			!got.Turns[0].Time.Equal(time.UnixMilli(1762600000000)) || !got.Turns[1].Time.Equal(time.UnixMilli(1762600030000)) ||
			!strings.HasPrefix(all, "user: Which port does the gauge use?\nassistant: The gauge listens on 7421.") || strings.Contains(all, "QYLPMN5HFIQR7XYA") {
			t.Errorf("%s: Read = %q, %+v", name, said, got)
		}
		old := read(t, s, "old")
		if len(old.Turns) != 2 || old.Dir != "/p/old one" || old.Turns[1].Text != "Inline answer." || !old.Created.Equal(time.UnixMilli(1700000000000)) {
			t.Errorf("%s: Read of an older form = %+v", name, old)
		}
		if _, err := s.Read(ctx, Ref{Agent: "cursor", ID: "broken"}); err == nil {
			t.Errorf("%s: a session that is no JSON is read", name)
		}
		if _, err := s.Read(ctx, Ref{Agent: "cursor", ID: "nobody"}); err == nil {
			t.Errorf("%s: a session that is not there is read", name)
		}
	}
}

// A session that goes on has another stamp, and reading changes nothing in Cursor's folder.
func TestCursorGoesOn(t *testing.T) {
	dir := t.TempDir()
	db := create(t, cursorFile(dir))
	must(t, db, append(cursorHeads1, cursorRows...)...)
	s := source(t, dir, "cursor")
	stamp := func() string {
		refs, _ := list(t, s)
		for _, r := range refs {
			if r.ID == "old" {
				return r.Stamp
			}
		}
		t.Fatal("the session is not listed")
		return ""
	}
	before := stamp()
	must(t, db, `UPDATE cursorDiskKV SET value = '{"composerId":"old","conversation":[{"type":1,"bubbleId":"x","text":"Inline question?"},{"type":2,"bubbleId":"y","text":"Inline answer."},{"type":1,"bubbleId":"z","text":"And now?"}]}' WHERE key = 'composerData:old'`)
	if after := stamp(); after == before {
		t.Errorf("the stamp is still %q", after)
	}
	db.Close()
	names, err := os.ReadDir(filepath.Dir(cursorFile(dir)))
	if err != nil || len(names) != 1 {
		t.Fatalf("beside the database: %v, %v", names, err)
	}
	list(t, s)
	if names, err := os.ReadDir(filepath.Dir(cursorFile(dir))); err != nil || len(names) != 1 {
		t.Errorf("reading left %v, %v", names, err)
	}
}

// A view in the place of the table is somebody else's database.
func TestCursorForeign(t *testing.T) {
	s := cursorWith(t, []string{`CREATE TABLE secrets (key TEXT, value BLOB)`, `CREATE VIEW cursorDiskKV AS SELECT * FROM secrets`})
	if refs, skipped := list(t, s); len(refs) != 0 || skipped != 1 {
		t.Errorf("List = %+v, %d", refs, skipped)
	}
}
