package transcript

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// thousand lays out a thousand sessions of each agent, as long as the real ones
// are at their start.
func thousand(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	instructions := strings.Repeat("Answer in one \\\"sentence\\\". ", 800)
	db := create(b, database1(dir))
	archive, err := txtar.ParseFile("testdata/opencode.txtar")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(archive.Files[0].Data)) {
		if strings.HasPrefix(line, "CREATE") {
			must(b, db, line)
		}
	}
	must(b, db, "BEGIN")
	for i := range 1000 {
		var claude, codex strings.Builder
		claude.WriteString(claudeSays("user", fmt.Sprintf("question %d", i)))
		fmt.Fprintf(&codex, `{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"x","cwd":"/p","source":"cli","base_instructions":{"text":"%s"}}}`+"\n", instructions)
		fmt.Fprintf(&codex, `{"type":"event_msg","payload":{"type":"user_message","message":"question %d"}}`+"\n", i)
		must(b, db, fmt.Sprintf(addSession, fmt.Sprintf("ses_%04d", i), "Title", i, i))
		for n := range 10 {
			text := strings.Repeat("some words of an answer ", 200)
			claude.WriteString(claudeSays("assistant", text))
			fmt.Fprintf(&codex, `{"type":"event_msg","payload":{"type":"agent_message","message":"%s"}}`+"\n", text)
			id := fmt.Sprintf("%04d_%02d", i, n)
			must(b, db, fmt.Sprintf(addMessage, "msg_"+id, fmt.Sprintf("ses_%04d", i), n, "assistant"), fmt.Sprintf(addPart, "prt_"+id, "msg_"+id, fmt.Sprintf("ses_%04d", i), text))
		}
		write(b, filepath.Join(dir, fmt.Sprintf(".claude/projects/-p%d/%08d.jsonl", i%20, i)), claude.String())
		write(b, filepath.Join(dir, fmt.Sprintf(".codex/sessions/2026/01/%02d/rollout-2026-01-02T03-04-05-%08d.jsonl", i%28+1, i)), codex.String())
		write(b, filepath.Join(dir, fmt.Sprintf(".local/share/opencode/storage/session/global/ses_old%04d.json", i)), `{"title":"Old","directory":"/p","time":{"created":1,"updated":2}}`)
	}
	must(b, db, "COMMIT")
	db.Close()
	return dir
}

func BenchmarkList(b *testing.B) {
	dir := thousand(b)
	for _, s := range Open(Defaults(dir, "", func(string) (string, bool) { return "", false })) {
		b.Run(s.Agent(), func(b *testing.B) {
			for b.Loop() {
				if refs, skipped, err := s.List(ctx); err != nil || skipped > 0 || len(refs) < 1000 {
					b.Fatal(len(refs), skipped, err)
				}
			}
		})
	}
	b.Run("opencode without files", func(b *testing.B) {
		s := &openCode{db: database1(dir)}
		for b.Loop() {
			if refs, _, err := s.List(ctx); err != nil || len(refs) != 1000 {
				b.Fatal(len(refs), err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	dir := thousand(b)
	for _, s := range Open(Defaults(dir, "", func(string) (string, bool) { return "", false })) {
		refs, _, err := s.List(ctx)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(s.Agent(), func(b *testing.B) {
			n := 0
			for b.Loop() {
				if _, err := s.Read(ctx, refs[n%1000]); err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
	long := strings.NewReader(strings.Repeat(claudeSays("assistant", strings.Repeat("some words of an answer ", 200))+`{"type":"other","data":"`+strings.Repeat("x", 50000)+`"}`+"\n", 500))
	b.Run("long", func(b *testing.B) {
		b.SetBytes(long.Size())
		for b.Loop() {
			if _, err := long.Seek(0, 0); err != nil {
				b.Fatal(err)
			}
			if err := readClaude(ctx, &Session{}, long); err != nil {
				b.Fatal(err)
			}
		}
	})
}
