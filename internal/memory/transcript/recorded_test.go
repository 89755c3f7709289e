package transcript

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The forms are those that the agents' own programs and contracts describe.
func TestRecorded(t *testing.T) {
	const (
		gemini = ".gemini/tmp/shop/chats/session-2026-01-02T03-04-abcdef12.jsonl"
		before = ".gemini/tmp/shop/chats/session-2025-11-02T03-04-abcdef12.json"
		events = ".copilot/session-state/0a1b/events.jsonl"
		cline  = ".cline/data/sessions/s1/s1.messages.json"
	)
	meta := `{"sessionId":"x","projectHash":"h","startTime":"2026-01-02T03:04:05.000Z","kind":"main"}` + "\n"
	says := func(id, kind, content string) string {
		return fmt.Sprintf(`{"id":%q,"timestamp":"2026-01-02T03:04:06.000Z","type":%q,"content":%s}`, id, kind, content) + "\n"
	}
	for _, tt := range []struct {
		name, path, text string
		turns            string
		dir              string
		skipped          int
	}{
		{"gemini", gemini, meta + says("1", "user", `"ask"`) + says("2", "gemini", `[{"text":"hm","thought":true},{"text":"answer"},{"functionCall":{"name":"x"}},"more"]`) + says("3", "info", `"signed in"`),
			"user: ask|assistant: answer\n\nmore", "/srv/shop", 0},
		{"gemini, written again", gemini, meta + says("1", "user", `"ask"`) + says("2", "gemini", `""`) + says("2", "gemini", `"answer"`), "user: ask|assistant: answer", "/srv/shop", 0},
		{"gemini, taken back", gemini, meta + says("1", "user", `"ask"`) + says("2", "gemini", `"wrong"`) + `{"$rewindTo":"2"}` + "\n" + says("4", "gemini", `"right"`), "user: ask|assistant: right", "/srv/shop", 0},
		{"gemini, compressed", gemini, meta + says("1", "user", `"ask"`) + says("2", "gemini", `"answer"`) + `{"$set":{"summary":"About it","messages":[` + strings.TrimSpace(says("2", "gemini", `"short"`)) + `,` + strings.TrimSpace(says("9", "user", `"on"`)) + `]}}` + "\n",
			"user: ask|assistant: answer|user: on", "/srv/shop", 0},
		{"gemini, broken", gemini, meta + says("1", "user", `"ask"`) + says("2", "gemini", `7`) + "garbage\n" + `{"id":"5","type":"gem`, "user: ask", "/srv/shop", 3},
		{"gemini, with a file", gemini, meta + says("0", "user", `"<session_context>\nThis is the Gemini CLI.\n</session_context>"`) + says("1", "user", `[{"text":"ask about @notes.txt"},{"text":"\n--- Content from referenced files ---"},{"text":"\nContent from @notes.txt:\nuse port 1"},{"text":"\n--- End of content ---"},{"text":"\n\n<hook_context>more</hook_context>"}]`) +
			strings.Replace(says("2", "user", `"expanded: and port 2?"`), `"content"`, `"displayContent":[{"text":"and port 2?"}],"content"`, 1), "user: ask about @notes.txt|user: and port 2?", "/srv/shop", 0},
		{"gemini, a sub-agent", gemini, strings.Replace(meta, "main", "subagent", 1) + says("1", "user", `"ask"`), "", "", 0},
		{"gemini, before", before, "{\n  \"sessionId\": \"x\",\n  \"startTime\": \"2026-01-02T03:04:05.000Z\",\n  \"messages\": [\n" + strings.TrimSpace(says("1", "user", `"ask"`)) + ",\n" + strings.TrimSpace(says("2", "gemini", `{"text":"answer"}`)) + "\n]\n}", "user: ask|assistant: answer", "/srv/shop", 0},
		{"copilot", events, `{"type":"session.start","data":{"sessionId":"0a1b","startTime":"2026-01-02T03:04:05.000Z","context":{"cwd":"/w"}},"id":"0","timestamp":"2026-01-02T03:04:05.000Z"}` + "\n" +
			`{"type":"user.message","data":{"content":"ask"},"id":"1","timestamp":"2026-01-02T03:04:06.000Z"}` + "\n" + `{"type":"tool.execution_start","data":{"arguments":{"content":"no"}},"id":"2"}` + "\n" +
			`{"type":"assistant.message","data":{"messageId":"m","content":""},"id":"3"}` + "\n" + `{"type":"assistant.message","data":{"messageId":"m","content":"answer"},"id":"4"}` + "\n" +
			`{"type":"assistant.message","agentId":"child","data":{"messageId":"n","content":"of another"},"id":"5"}` + "\n" + `{"type":"user.message","data":{"content":null},"id":"6"}` + "\n" + `{"type":"assistant.message","da`,
			"user: ask|assistant: answer", "/w", 1},
		{"copilot, what nobody said", events, `{"type":"session.start","data":{"sessionId":"0a1b","context":{"cwd":"/w"}},"id":"0","timestamp":"2026-01-02T03:04:05.000Z"}` + "\n" +
			`{"type":"user.message","data":{"content":"ask","source":"user"},"id":"1","timestamp":"2026-01-02T03:04:06.000Z"}` + "\n" + `{"type":"user.message","data":{"content":"how to read PDF","source":"skill-pdf"},"id":"2"}` + "\n" +
			`{"type":"user.message","data":{"content":"go on","isAutopilotContinuation":true},"id":"3"}` + "\n", "user: ask", "/w", 0},
		{"cline, wrapped", cline, `{"version":1,"sessionId":"s1","messages":[{"id":"1","role":"user","ts":1767323045000,"content":[{"type":"text","text":"<user_input mode=\"act\"><mode_notice>You are in act mode.</mode_notice>ask <b>this</b></user_input>"},
			{"type":"text","text":"<file_content path=\"a.txt\">\nuse port 1\n</file_content>"}]},{"id":"2","role":"assistant","content":[{"type":"text","text":"<user_input> is how it is sent"}]}]}`, "user: ask <b>this</b>|assistant: <user_input> is how it is sent", "/srv/cline", 0},
		{"cline", cline, `{"version":1,"sessionId":"s1","messages":[{"id":"1","role":"user","ts":1767323045000,"content":[{"type":"text","text":"ask"}]},{"role":"user","content":[{"type":"tool_result","content":"no"}]},
			{"id":"2","role":"assistant","ts":1767323046000,"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"answer"}]},{"role":"system","content":[{"type":"text","text":"no"}]}]}`, "user: ask|assistant: answer", "", 0},
		{"cline, of other rules", cline, `{"version":2,"messages":[{"role":"user","content":[{"type":"text","text":"ask"}]}]}`, "", "", 1},
		{"cline, cut off", cline, `{"version":1,"messages":[{"role":"user"`, "", "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, filepath.Join(home, filepath.FromSlash(tt.path)), tt.text)
			write(t, filepath.Join(home, ".gemini/tmp/shop/.project_root"), "/srv/shop\n")
			write(t, filepath.Join(home, ".gemini/tmp/shop/logs/session-no.jsonl"), "no")
			write(t, filepath.Join(home, ".copilot/session-state/0a1b/workspace.yaml"), "cwd: /w\n")
			if tt.name == "cline, wrapped" {
				write(t, filepath.Join(filepath.Dir(filepath.Join(home, filepath.FromSlash(cline))), "s1.json"), `{"version":1,"session_id":"s1","cwd":"/srv/cline","workspace_root":"/srv"}`)
			}
			agent := strings.Split(tt.path[1:], "/")[0]
			src := source(t, home, agent)
			refs, skipped := list(t, src)
			if tt.name == "gemini, a sub-agent" {
				if len(refs) != 0 {
					t.Errorf("%+v", refs)
				}
				return
			}
			if strings.HasSuffix(tt.name, "cut off") && len(refs) == 0 {
				return // its head says enough
			}
			if len(refs) != 1 || skipped != 0 || refs[0].Agent != agent {
				t.Fatalf("List = %+v, %d", refs, skipped)
			}
			s := read(t, src, refs[0].ID)
			var turns []string
			for _, x := range s.Turns {
				turns = append(turns, x.Role+": "+x.Text)
			}
			if got := strings.Join(turns, "|"); got != tt.turns || s.Dir != tt.dir || s.Skipped != tt.skipped {
				t.Errorf("%q in %q, %d skipped; want %q in %q, %d", got, s.Dir, s.Skipped, tt.turns, tt.dir, tt.skipped)
			}
			if tt.turns != "" && s.Created.Format(time.DateOnly) != "2026-01-02" {
				t.Errorf("of %v", s.Created)
			}
		})
	}
}

// others puts a session into a home for each agent of this file.
func others(t testing.TB, home string) {
	t.Helper()
	for path, text := range map[string]string{
		".gemini/tmp/shop/chats/session-1.jsonl": `{"id":"1","type":"user","content":"ask"}`,
		".copilot/session-state/1/events.jsonl":  `{"type":"user.message","data":{"content":"ask"}}`,
		".cline/data/sessions/1/1.messages.json": `{"version":1,"messages":[{"role":"user","content":"ask"}]}`,
	} {
		write(t, filepath.Join(home, filepath.FromSlash(path)), text)
	}
}

// A conversation without end takes a bounded amount of memory.
func TestRecordedBounds(t *testing.T) {
	s := &Session{}
	th := newThread(s)
	for i := range 100 {
		th.put(threadTurn{fmt.Sprint(i), User, strings.Repeat("ask ", 1<<18), time.Time{}})
	}
	if th.size > maxSession || s.Skipped == 0 {
		t.Errorf("%d bytes are held, %d skipped", th.size, s.Skipped)
	}
	th.rewind("0")
	if th.size != 0 || len(th.all) != 0 {
		t.Errorf("%d bytes, %d turns", th.size, len(th.all))
	}
}
