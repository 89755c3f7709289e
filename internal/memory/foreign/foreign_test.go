package foreign

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
)

func put(t *testing.T, dir, rel, text string) string {
	t.Helper()
	name := filepath.Join(dir, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func zipped(t *testing.T, members map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range members {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const openMemoryLines = `{"id":"a1","content":"Prefers tabs over spaces","metadata":{},"created_at":"2025-03-01T10:00:00+00:00","updated_at":"2025-04-01T10:00:00+00:00","state":"active","app":"cursor","categories":["Preferences"]}
{"id":"a2","content":"was deleted","state":"deleted","created_at":null,"categories":[]}
`

// The forms are those of the programs' own export commands and of their documentation.
func TestFormats(t *testing.T) {
	tests := []struct {
		name, file, text string
		format           string
		want             []string // key | title | category | project | day | tags | begin of the text
		skipped          string
	}{
		{"claude-mem", "export.json", `{"exportedAt":"2025-12-01T00:00:00Z","query":"*","totalObservations":1,
			"observations":[{"id":7,"memory_session_id":"m","project":"shop","type":"decision","title":"Queue chosen","subtitle":"Redis streams","facts":"[\"consumer groups\"]","narrative":"We took Redis streams.","concepts":"[\"why it exists\"]","files_modified":"[\"queue.go\"]","created_at":"2025-11-02T09:00:00.000Z","created_at_epoch":1762074000000}, 5],
			"summaries":[{"id":3,"project":"shop","request":"pick a queue","learned":"Kafka is too heavy","completed":"queue.go","created_at_epoch":1762074000000}],"sessions":[],"prompts":[]}`,
			ClaudeMem, []string{
				"claude-mem:observation:7@1762074000000|Queue chosen|decisions|shop|2025-11-02|why-it-exists,decision|Redis streams\n\nWe took Redis streams.\n\n- consumer groups\n\nFiles:\n- queue.go",
				"claude-mem:summary:3@1762074000000|pick a queue||shop|2025-11-02|session-summary|## Asked\n\npick a queue\n\n## Learned\n\nKafka is too heavy\n\n## Done\n\nqueue.go"}, "1 no record"},
		{"engram", "engram.json", `{"version":"0.1.0","exported_at":"2026-01-01 10:00:00","sessions":[],"prompts":[],"observations":[
			{"id":4,"session_id":"s","type":"architecture","title":"Hexagonal","content":"Ports and adapters.","project":"shop","scope":"project","created_at":"2026-01-01 09:00:00","updated_at":"2026-01-03 09:00:00"},
			{"id":5,"sync_id":"obs-x","type":"manual","title":"Gone","content":"x","created_at":"2026-01-01 09:00:00","deleted_at":"2026-01-02 09:00:00"}]}`,
			Engram, []string{"engram:4@2026-01-01 09:00:00|Hexagonal|decisions|shop|2026-01-03|architecture|Ports and adapters."}, "1 deleted"},
		{"mem0", "mem0.json", `{"results":[{"id":"u-1","memory":"Name is Alex","hash":"h","metadata":{"category":"fact","project":"shop"},"created_at":"2024-07-20T01:30:36.275141-07:00","updated_at":null,"user_id":"alex"}]}`,
			Mem0, []string{"mem0:u-1||facts|shop|2024-07-20|fact|Name is Alex"}, ""},
		{"mem0 list", "list.json", `[{"id":"u-1","memory":"Name is Alex"},{"x":1}]`, Mem0, []string{"mem0:u-1||||0001-01-01||Name is Alex"}, "1 no memory in it"},
		{"openmemory lines", "memories.jsonl", openMemoryLines, Mem0, []string{"mem0:a1||preferences||2025-04-01|preferences|Prefers tabs over spaces"}, "1 deleted"},
		{"openmemory archive", "backup.zip", zipped(t, map[string]string{"memories.json": "{}", "memories.jsonl.gz": gzipped(t, openMemoryLines)}), Mem0,
			[]string{"mem0:a1||preferences||2025-04-01|preferences|Prefers tabs over spaces"}, "1 deleted"},
		{"openmemory records", "memories.json", `{"user":{},"categories":[{"id":"c","name":"decision"}],"memories":[{"id":"a3","content":"Use Go","state":"active","category_ids":["c"],"created_at":"2025-03-01T10:00:00+00:00"}]}`,
			Mem0, []string{"mem0:a3||decisions||2025-03-01|decision|Use Go"}, ""},
		{"mempalace", "palace/index.md", "# Palace Export — 2026-02-01\n\n| Wing | Rooms | Drawers |\n|------|-------|---------|\n| [shop](shop/) | 1 | 2 |\n", MemPalace, []string{
			"mempalace:drawer_1||decisions|shop|2026-01-05|decisions|We took Postgres.\n## not a heading", "mempalace:drawer_2||decisions|shop|2026-01-06|decisions|second"}, ""},
		{"instructions", "proj/CLAUDE.md", "Top words.\n\n# Style\n\nTabs.\n\n```\n# not a heading\n```\n\n## Tests\n\nRun them.\n\n### Slow ones\n\nAt night.\n## Empty\n", Instructions, []string{
			"instructions:DIR/proj/CLAUDE.md#|CLAUDE.md|preferences||1999-02-03||Top words.",
			"instructions:DIR/proj/CLAUDE.md#Style|CLAUDE.md: Style|preferences||1999-02-03||Tabs.\n\n```\n# not a heading\n```",
			"instructions:DIR/proj/CLAUDE.md#Tests|CLAUDE.md: Tests|preferences||1999-02-03||Run them.\n\n### Slow ones\n\nAt night."}, ""},
		{"basic-memory", "bm/notes/a.md", "---\ntitle: A\ntype: note\npermalink: notes/a\n---\n# A\n\n- [decision] use it #infra\n- relates_to [[B]]\n", BasicMemory, []string{
			"folder:DIR/bm/notes/a.md||||1999-02-03||---\ntitle: A\ntype: note\npermalink: notes/a\n---\n# A\n\n- [decision] use it #infra\n- relates_to [[B]]"}, ""},
		{"folder", "plain/deep/a.txt", "just words", Folder, []string{"folder:DIR/plain/deep/a.txt||||1999-02-03||just words"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			name := put(t, dir, tt.file, tt.text)
			if err := os.Chtimes(name, time.Time{}, time.Date(1999, 2, 3, 0, 0, 0, 0, time.UTC)); err != nil {
				t.Fatal(err)
			}
			switch tt.format {
			case MemPalace:
				put(t, dir, "palace/shop/decisions.md", "# shop / decisions\n\n## drawer_1\n\n> We took Postgres.\n> ## not a heading\n\n| Field | Value |\n|-------|-------|\n| Source | chat |\n| Filed | 2026-01-05T10:00:00 |\n| Added by | x |\n\n---\n\n## drawer_2\n\n> second\n\n| Filed | 2026-01-06T10:00:00 |\n\n---\n\n")
				name = filepath.Dir(name)
			case BasicMemory, Folder:
				name = filepath.Join(dir, strings.Split(tt.file, "/")[0])
			}
			e, err := Read(context.Background(), name, "")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range e.Notes {
				got = append(got, strings.ReplaceAll(strings.Join([]string{n.Key, n.Title, n.Category, n.Project, n.Created.Format(time.DateOnly), strings.Join(n.Tags, ","), n.Text}, "|"), filepath.ToSlash(dir), "DIR"))
			}
			if e.Format != tt.format || strings.Join(got, "\n\n") != strings.Join(tt.want, "\n\n") {
				t.Errorf("%s:\n%s\n\nwant %s:\n%s", e.Format, strings.Join(got, "\n\n"), tt.format, strings.Join(tt.want, "\n\n"))
			}
			skipped := ""
			for why, n := range e.Skipped {
				skipped += fmt.Sprintf("%d %s", n, why)
			}
			if skipped != tt.skipped {
				t.Errorf("skipped %q, want %q", skipped, tt.skipped)
			}
		})
	}
}

// What is hostile costs an error or a count, never more than the bounds.
func TestHostile(t *testing.T) {
	bomb := gzipped(t, strings.Repeat("\x00", maxExport+10))
	var many strings.Builder
	z := zip.NewWriter(&many)
	w, err := z.Create("memories.json")
	if err == nil {
		_, err = w.Write([]byte(`[{"id":"a","memory":"a word"}]`))
	}
	for range maxMembers {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, file, text string
		kind             fault.Kind
		skipped          string
	}{
		{"cut off", "x.json", `{"observations":[{"id":1,`, fault.Usage, ""},
		{"deep", "x.json", strings.Repeat("[", 200_000), fault.Usage, ""},
		{"other kinds", "x.json", `{"observations":{"a":1},"summaries":7}`, 0, ""},
		{"no records", "x.json", `{"results":[1,"a",null,[]]}`, fault.Usage, ""},
		{"not an archive", "x.zip", "PK\x03\x04 and no more", fault.Usage, ""},
		{"a gzip bomb", "x.jsonl.gz", bomb, fault.Usage, ""},
		{"a zip bomb", "x.zip", zipped(t, map[string]string{"m.jsonl.gz": bomb}), fault.Usage, ""},
		{"a long directory", "x.zip", many.String(), fault.Usage, ""},
		{"empty", "x.json", "", fault.Usage, ""},
		{"binary", "x.md", "\x00\x01\x02 PNG \xff\xfe\x00", 0, "binary"},
		{"large", "x.md", strings.Repeat("a b\n", maxText), 0, "larger than 1 MB"},
		{"large memory", "x.json", `[{"id":"a","memory":"` + strings.Repeat("a b ", maxText) + `"}]`, 0, "larger than 1 MB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			name := put(t, dir, tt.file, tt.text)
			e, err := Read(context.Background(), name, "")
			if tt.kind != 0 {
				if fault.KindOf(err) != tt.kind {
					t.Fatalf("%v, want a fault of kind %v", err, tt.kind)
				}
				return
			}
			if err != nil || len(e.Notes) > 0 || tt.skipped != "" && e.Skipped[tt.skipped] != 1 {
				t.Errorf("%+v, %v", e, err)
			}
		})
	}
}

// A folder is read as far as it goes: no link is followed, nothing hidden is a note.
func TestFolderStaysInside(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "outside/secret.md", "outside")
	put(t, dir, "in/a.md", "inside")
	put(t, dir, "in/.obsidian/b.md", "hidden")
	put(t, dir, "in/node_modules/c.md", "foreign")
	put(t, dir, "in/d.bin", "no note")
	if err := os.Symlink(filepath.Join(dir, "outside"), filepath.Join(dir, "in", "link")); err != nil {
		t.Fatal(err)
	}
	e, err := Read(context.Background(), filepath.Join(dir, "in"), "")
	if err != nil || len(e.Notes) != 1 || e.Notes[0].Text != "inside" || e.Skipped["symlink"] != 1 {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := Read(context.Background(), filepath.Join(dir, "none"), ""); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := Read(context.Background(), filepath.Join(dir, "in"), Mem0); fault.KindOf(err) != fault.Usage {
		t.Errorf("a folder as an export of mem0: %v", err)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"observations":[{"id":1,"facts":"[]"}],"summaries":[]}`))
	f.Add([]byte(openMemoryLines))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := &Export{Skipped: map[string]int{}}
		if !e.json(data) && len(e.Notes) > 0 {
			t.Error("notes of no export")
		}
		for _, n := range e.Notes {
			if n.Key == "" || strings.TrimSpace(n.Text) == "" || len(n.Text) > maxText {
				t.Errorf("%+v", n)
			}
		}
	})
}
