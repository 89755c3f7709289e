package transcript

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/assay-dev/assay/internal/base/fault"
)

func claudeSays(role, text string) string {
	return fmt.Sprintf(`{"type":%q,"timestamp":"2026-01-02T03:04:05.000Z","cwd":"/p","message":{"role":%q,"content":%q}}`, role, role, text) + "\n"
}

// of reads a session of Claude Code or Codex that holds the lines.
func of(t testing.TB, agent, lines string) *Session {
	t.Helper()
	dir := t.TempDir()
	path := ".claude/projects/-p/00000001.jsonl"
	if agent == "codex" {
		path = ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-00000001.jsonl"
	}
	write(t, filepath.Join(dir, path), lines)
	s := source(t, dir, agent)
	if refs, skipped := list(t, s); skipped != 0 || len(refs) > 1 {
		t.Fatalf("List = %+v, %d", refs, skipped)
	}
	return read(t, s, "00000001")
}

func TestClaude(t *testing.T) {
	for _, tt := range []struct {
		name, lines string
		title       string
		turns       []string
		skipped     int
	}{
		{"plain", claudeSays("user", "ask") + claudeSays("assistant", "answer"), "ask", []string{"user: ask", "assistant: answer"}, 0},
		{"half a line at the end", claudeSays("user", "ask") + claudeSays("assistant", "answer")[:80], "ask", []string{"user: ask"}, 1},
		{"half a line within", claudeSays("user", "ask")[:50] + "\n" + claudeSays("assistant", "answer"), "", []string{"assistant: answer"}, 1},
		{"two in one line", strings.TrimSpace(claudeSays("user", "ask")) + claudeSays("assistant", "answer"), "", nil, 1},
		{"garbage", "\x00\xff\xfe garbage\n\n\n" + claudeSays("user", "ask") + "[1,2]\n7\n", "ask", []string{"user: ask"}, 3},
		{"wrong types", `{"type":"user","message":{"content":7}}` + "\n" + `{"type":"user","message":"x"}` + "\n" + `{"type":["user"]}` + "\n" + claudeSays("user", "ask"), "ask", []string{"user: ask"}, 3},
		{"blocks", `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"},{"type":"tool_use","name":"Bash","input":{"text":"no"}},{"type":"text","text":"b"}]}}`, "", []string{"assistant: a\n\nb"}, 0},
		{"a message in pieces", `{"type":"assistant","uuid":"1","message":{"id":"m","content":[{"type":"text","text":"a"}]}}` + "\n" + `{"type":"assistant","uuid":"2","message":{"id":"m","content":[{"type":"text","text":"b"}]}}`, "", []string{"assistant: a\n\nb"}, 0},
		{"repeated lines", `{"type":"user","uuid":"1","message":{"content":"a"}}` + "\n" + `{"type":"user","uuid":"1","message":{"content":"a"}}`, "a", []string{"user: a"}, 0},
		{"results of tools", `{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"output"}]}]},"toolUseResult":"x"}`, "", nil, 0},
		{"marked lines", `{"type":"user","isMeta":true,"message":{"content":"a"}}` + "\n" + `{"type":"user","isSidechain":true,"message":{"content":"b"}}` + "\n" + `{"type":"user","isCompactSummary":true,"message":{"content":"c"}}` + "\n" +
			`{"type":"assistant","isApiErrorMessage":true,"message":{"content":"d"}}` + "\n" + `{"type":"assistant","message":{"model":"<synthetic>","content":"e"}}` + "\n" + claudeSays("user", "ask"), "ask", []string{"user: ask"}, 0},
		{"queued", `{"type":"attachment","attachment":{"type":"queued_command","prompt":"a","commandMode":"prompt"}}` + "\n" + `{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"b"}]}}` + "\n" +
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":"c","commandMode":"task-notification"}}` + "\n" + `{"type":"attachment","attachment":{"type":"queued_command","prompt":"d","isMeta":true}}`, "a", []string{"user: a", "user: b"}, 0},
		{"titles", claudeSays("user", "ask") + `{"type":"summary","summary":"S"}` + "\n" + `{"type":"ai-title","aiTitle":"A"}`, "A", []string{"user: ask"}, 0},
		{"title of the user", claudeSays("user", "ask") + `{"type":"custom-title","customTitle":"C"}` + "\n" + `{"type":"ai-title","aiTitle":"A"}`, "C", []string{"user: ask"}, 0},
		{"carriage returns", strings.ReplaceAll(claudeSays("user", "ask"), "\n", "\r\n"), "ask", []string{"user: ask"}, 0},
		{"blanks in JSON", `{ "type" : "user" , "message" : { "content" : "ask" } }`, "ask", []string{"user: ask"}, 0},
	} {
		s := of(t, "claude", tt.lines)
		if s.Title != tt.title || s.Skipped != tt.skipped || cmp.Diff(tt.turns, said(s)) != "" {
			t.Errorf("%s: Read = %q, %q, %d skipped, want %q, %q, %d", tt.name, s.Title, said(s), s.Skipped, tt.title, tt.turns, tt.skipped)
		}
	}
}

func TestCodex(t *testing.T) {
	meta := `{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"x","timestamp":"2026-01-02T03:04:05Z","cwd":"/p","source":"cli","base_instructions":{"text":"You are"}}}` + "\n"
	item := func(role, text string) string {
		return fmt.Sprintf(`{"type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":"text","text":%q}]}}`, role, text) + "\n"
	}
	event := func(kind, text string) string {
		return fmt.Sprintf(`{"type":"event_msg","payload":{"type":%q,"message":%q}}`, kind, text) + "\n"
	}
	done := func(kind, text string) string {
		return fmt.Sprintf(`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":%q,"content":[{"type":"text","text":%q}]}}}`, kind, text) + "\n"
	}
	for _, tt := range []struct {
		name, lines string
		title       string
		turns       []string
		skipped     int
	}{
		{"each twice", meta + item("user", "ask") + event("user_message", "ask") + event("agent_message", "answer") + item("assistant", "answer"), "ask", []string{"user: ask", "assistant: answer"}, 0},
		{"each twice, newer", meta + item("user", "ask") + done("UserMessage", "ask") + done("AgentMessage", "answer") + item("assistant", "answer"), "ask", []string{"user: ask", "assistant: answer"}, 0},
		{"both kinds of event", meta + event("user_message", "ask") + done("UserMessage", "ask") + done("AgentMessage", "answer") + event("agent_message", "answer"), "ask", []string{"user: ask", "assistant: answer"}, 0},
		{"said twice", meta + event("user_message", "go on") + event("user_message", "go on"), "go on", []string{"user: go on", "user: go on"}, 0},
		{"items only", meta + item("developer", "rules") + item("user", "<environment_context>\n<cwd>/p</cwd>\n</environment_context>") + item("user", "ask") + item("assistant", "answer"), "ask", []string{"user: ask", "assistant: answer"}, 0},
		{"events for one of them", meta + event("user_message", "ask") + item("user", "ask") + item("assistant", "answer"), "ask", []string{"user: ask", "assistant: answer"}, 0},
		{"a summary is an item only", meta + event("user_message", "ask") + event("agent_message", "answer") + item("assistant", "answer") + item("assistant", "SUMMARY") + `{"type":"compacted","payload":{"message":"SUMMARY","replacement_history":[{"type":"message","role":"user"}]}}`, "ask", []string{"user: ask", "assistant: answer"}, 0},
		{"instructions as messages", meta + `{"type":"event_msg","payload":{"type":"user_message","kind":"user_instructions","message":"rules"}}` + "\n" + event("user_message", "ask"), "ask", []string{"user: ask"}, 0},
		{"without envelopes", `{"id":"x","timestamp":"2025-05-07T17:24:21.123Z","instructions":null,"cwd":"/p"}` + "\n" + `{"record_type":"state"}` + "\n" +
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"ask"}]}` + "\n" + `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer"}]}`, "ask", []string{"user: ask", "assistant: answer"}, 0},
		{"taken back", meta + event("user_message", "a") + event("agent_message", "b") + event("user_message", "c") + event("agent_message", "d") + `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}` + "\n" + event("user_message", "e"), "a", []string{"user: a", "assistant: b", "user: e"}, 0},
		{"all taken back", meta + event("user_message", "a") + event("agent_message", "b") + `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":9}}`, "", nil, 0},
		{"half a line", meta + event("user_message", "ask") + event("agent_message", "answer")[:60], "ask", []string{"user: ask"}, 1},
		{"garbage", meta + "\x00\x01\n" + "nonsense\n" + event("user_message", "ask") + `{"type":"event_msg","payload":"agent_message"}` + "\n" + `{"type":"event_msg","payload":{"type":"agent_message","message":{}}}`, "ask", []string{"user: ask"}, 4},
		{"the editor's context", meta + event("user_message", "# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nfix it\n"), "fix it", []string{"user: fix it"}, 0},
	} {
		s := of(t, "codex", tt.lines)
		if s.Title != tt.title || s.Skipped != tt.skipped || cmp.Diff(tt.turns, said(s)) != "" {
			t.Errorf("%s: Read = %q, %q, %d skipped, want %q, %q, %d", tt.name, s.Title, said(s), s.Skipped, tt.title, tt.turns, tt.skipped)
		}
		if s.Dir != "/p" {
			t.Errorf("%s: Dir = %q", tt.name, s.Dir)
		}
	}
}

// What List says, it says of the head of a file, however long its first line is.
func TestHead(t *testing.T) {
	long := strings.Repeat(`say \"no\" {[ `, 5000)
	rollout := func(first string) *Ref {
		ref := &Ref{}
		head := []byte(first + "\n" + `{"type":"event_msg","payload":{"type":"user_message","message":"ask"}}` + "\n")
		whole := len(head) <= headSize
		if ok, _ := codexHead(ref, head[:min(len(head), headSize)], whole); !ok {
			return nil
		}
		return ref
	}
	for _, tt := range []struct {
		name, line string
		want       *Ref
	}{
		{"short", `{"type":"session_meta","payload":{"cwd":"/p","source":"cli"}}`, &Ref{Dir: "/p", Title: "ask"}},
		{"instructions longer than the head", `{"type":"session_meta","payload":{"cwd":"/p","source":"cli","base_instructions":"` + long + `"}}`, &Ref{Dir: "/p"}},
		{"a sub-agent's", `{"type":"session_meta","payload":{"cwd":"/p","source":{"subagent":{"thread_spawn":{}}},"base_instructions":"` + long + `"}}`, nil},
		{"a sub-agent's, by its thread", `{"type":"session_meta","payload":{"cwd":"/p","source":"exec","thread_source":"subagent"}}`, nil},
		{"payload first", `{"payload":{"cwd":"/p","source":{"subagent":"review"}},"type":"session_meta"}`, nil},
		{"nothing", ``, nil},
		{"something else", `PK`, nil},
	} {
		if got := rollout(tt.line); cmp.Diff(tt.want, got) != "" {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	// Claude Code: a file without a word is none, nor is one of a sub-agent.
	for lines, want := range map[string]bool{
		claudeSays("user", "ask"): true, `{"type":"summary","summary":"x"}`: false, "": false,
		`{"type":"user","isSidechain":true,"message":{"content":"x"}}`: false, claudeSays("user", "ask")[:40]: true,
	} {
		if got, err := claudeHead(&Ref{}, []byte(lines), true); got != want || err != nil {
			t.Errorf("claudeHead(%q) = %v, %v, want %v", lines, got, err, want)
		}
	}
	if ok, err := claudeHead(&Ref{}, []byte("\x00\x01\n\x02"), true); ok || err == nil {
		t.Error("claudeHead of garbage: no error")
	}
}

// Among an agent's files may lie anything.
func TestOddFiles(t *testing.T) {
	dir := t.TempDir()
	claude, codex := filepath.Join(dir, ".claude/projects"), filepath.Join(dir, ".codex/sessions/2026/01/02")
	good := filepath.Join(claude, "-p/00000001.jsonl")
	write(t, good, claudeSays("user", "ask"))
	write(t, filepath.Join(claude, "-p/agent-00000002.jsonl"), claudeSays("user", "helper"))
	write(t, filepath.Join(claude, "-p/notes.txt"), "x")
	write(t, filepath.Join(claude, "-p/garbage.jsonl"), "\x00\x01\x02\nPK")
	write(t, filepath.Join(claude, "stray.jsonl"), claudeSays("user", "stray"))
	write(t, filepath.Join(claude, "-p/00000003/subagents/00000004.jsonl"), claudeSays("user", "helper"))
	write(t, filepath.Join(dir, "secret/00000005.jsonl"), claudeSays("user", "outside"))
	write(t, filepath.Join(codex, "rollout-2026-01-02T03-04-05-00000001.jsonl"), `{"type":"session_meta","payload":{}}`)
	write(t, filepath.Join(codex, "rollout-2026-01-02T03-04-05-00000002.jsonl.zst"), "x")
	write(t, filepath.Join(codex, "rollout-bad.jsonl"), "x")
	for link, to := range map[string]string{
		"-p/loop.jsonl": "loop.jsonl", "loop": "loop", "up": "..", "out": filepath.Join(dir, "secret"), "-p/out.jsonl": filepath.Join(dir, "secret/00000005.jsonl"),
		"-p/gone.jsonl": "nowhere", "again": "-p",
	} {
		if err := os.Symlink(to, filepath.Join(claude, link)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(claude, "-p/folder.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := source(t, dir, "claude")
	refs, skipped := list(t, s)
	if len(refs) != 1 || refs[0].ID != "00000001" || skipped < 6 {
		t.Errorf("List = %+v, %d skipped, want the one session", refs, skipped)
	}
	for _, id := range []string{"00000005", "loop", "out", "gone", "folder", "stray"} {
		if x, err := s.Read(ctx, Ref{ID: id}); !isMissing(err) {
			t.Errorf("Read(%s) = %+v, %v, want NotFound", id, x, err)
		}
	}
	if refs, skipped := list(t, source(t, dir, "codex")); len(refs) != 1 || skipped != 1 {
		t.Errorf("codex: List = %+v, %d skipped, want one, and one that is not compressed as it says", refs, skipped)
	}
	// The file goes away, or becomes a folder, between List and Read.
	if err := os.Remove(good); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(ctx, refs[0]); !isMissing(err) {
		t.Errorf("Read of what is gone = %v", err)
	}
}

// A place that may not be looked at is counted, the others are listed.
func TestPermissions(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("nothing is forbidden to this user")
	}
	dir := home(t, "claude", "codex", "opencode", "old-opencode")
	write(t, filepath.Join(dir, ".claude/projects/-closed/00000001.jsonl"), claudeSays("user", "ask"))
	write(t, filepath.Join(dir, ".claude/projects/-open/00000002.jsonl"), claudeSays("user", "ask"))
	deny := func(path string) {
		path = filepath.Join(dir, path)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, info.Mode()) })
	}
	deny(".claude/projects/-closed")
	deny(".claude/projects/-open/00000002.jsonl")
	deny(".codex/sessions/2026")
	deny(".local/share/opencode/opencode.db")
	for agent, want := range map[string][2]int{"claude": {1, 2}, "codex": {0, 1}, "opencode": {1, 1}} {
		refs, skipped := list(t, source(t, dir, agent))
		if len(refs) != want[0] || skipped != want[1] {
			t.Errorf("%s: List = %+v, %d skipped, want %v", agent, refs, skipped, want)
		}
	}
	deny(".claude")
	if refs, skipped := list(t, source(t, dir, "claude")); len(refs) != 0 || skipped != 1 {
		t.Errorf("List = %+v, %d skipped, want one", refs, skipped)
	}
	s := source(t, dir, "opencode")
	if _, err := s.Read(ctx, Ref{ID: "ses_unknown"}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("Read = %v, want Unavailable: it may be in the database", err)
	}
}

// A session that is in two folders, or in the archive too, is one.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	// The newest neither first nor last, in whatever order they are found.
	for i, folder := range []string{"-a", "-b", "-c"} {
		path := filepath.Join(dir, ".claude/projects", folder, "00000001.jsonl")
		write(t, path, claudeSays("user", "before"))
		if folder == "-b" {
			write(t, path, claudeSays("user", "before")+claudeSays("assistant", "after"))
			continue
		}
		past := time.Now().Add(-time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	s := source(t, dir, "claude")
	if refs, _ := list(t, s); len(refs) != 1 || len(read(t, s, "00000001").Turns) != 2 {
		t.Errorf("List = %+v, want the newer", refs)
	}
	for _, path := range []string{"sessions/2026/01/02", "archived_sessions"} {
		for _, id := range []string{"00000001", "0000000" + path[:1]} {
			write(t, filepath.Join(dir, ".codex", path, "rollout-2026-01-02T03-04-05-"+id+".jsonl"), `{"type":"session_meta","payload":{"cwd":"/`+path[:1]+`"}}`)
		}
	}
	s = source(t, dir, "codex")
	refs, _ := list(t, s)
	if len(refs) != 3 {
		t.Errorf("List = %+v, want three", refs)
	}
	for id, want := range map[string]string{"00000001": "/s", "0000000s": "/s", "0000000a": "/a"} {
		if got := read(t, s, id); got.Dir != want {
			t.Errorf("Read(%s) is of %s, want %s", id, got.Dir, want)
		}
	}
}

// The stamp changes with the text.
func TestStamp(t *testing.T) {
	dir := home(t, "claude", "codex", "opencode", "old-opencode")
	others(t, dir)
	gooseWith(t, dir, gooseTables, gooseRows)
	must(t, create(t, cursorFile(dir)), append(cursorHeads1, cursorRows...)...)
	for _, s := range Open(Defaults(dir, "", func(string) (string, bool) { return "", false })) {
		before, _ := list(t, s)
		again, _ := list(t, s)
		if diff := cmp.Diff(before, again); diff != "" || len(before) == 0 {
			t.Errorf("%s: nothing happened, but %s", s.Agent(), diff)
		}
	}
	s := source(t, dir, "claude")
	before, _ := list(t, s)
	path, err := filepath.Glob(filepath.Join(dir, ".claude/projects/*/*.jsonl"))
	if err != nil || len(path) != 1 {
		t.Fatal(path, err)
	}
	f, err := os.OpenFile(path[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, claudeSays("user", "more"))
	f.Close()
	if after, _ := list(t, s); after[0].Stamp == before[0].Stamp {
		t.Error("claude: a turn more, and the same stamp")
	}
}

// zeros is an endless line.
type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), z.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	z.left -= n
	return n, nil
}

// However long a line or a text is, no more than the bounds is held.
func TestBounds(t *testing.T) {
	var got []string
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	long, err := eachLine(ctx, io.MultiReader(strings.NewReader("a\n"), &zeros{100 << 20}, strings.NewReader("\nb\n"), &zeros{9 << 20}), func(line []byte) { got = append(got, string(line)) })
	runtime.ReadMemStats(&after)
	if err != nil || long != 2 || strings.Join(got, ",") != "a,b" {
		t.Errorf("eachLine = %d long, %q, %v, want 2, a and b", long, got, err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8*maxLine {
		t.Errorf("%d MB were held for lines of 100 MB", grown>>20)
	}
	s := of(t, "claude", claudeSays("user", strings.Repeat("word ", maxTurn/4)))
	if len(s.Turns) != 1 || len(s.Turns[0].Text) > maxTurn || s.Skipped != 1 {
		t.Errorf("a long turn: %d turns, %d skipped", len(s.Turns), s.Skipped)
	}
	b := builder{s: &Session{}, size: maxSession - maxTurn} // of turns before these
	for range 3 {
		b.add(User, strings.Repeat("é", maxTurn/2-1), time.Time{})
	}
	if len(b.s.Turns) != 1 || b.s.Skipped != 2 {
		t.Errorf("a long session: %d turns, %d skipped, want 1 and 2", len(b.s.Turns), b.s.Skipped)
	}
}

func TestEachLine(t *testing.T) {
	wide := strings.Repeat("y", 100<<10)
	for in, want := range map[string]string{
		"": "", "a": "a", "a\nb": "a|b", "a\n\n \nb\n": "a|b", "a\r\nb\r\n": "a|b", wide + "\nb": wide + "|b", "a\n" + wide: "a|" + wide,
		wide + "\n" + wide + "\nc": wide + "|" + wide + "|c", strings.Repeat("z", 64<<10) + "\nq": strings.Repeat("z", 64<<10) + "|q",
	} {
		var got []string
		long, err := eachLine(ctx, bytes.NewReader([]byte(in)), func(line []byte) { got = append(got, string(line)) })
		if strings.Join(got, "|") != want || long != 0 || err != nil {
			t.Errorf("eachLine(%.40q) = %.60q, %d, %v, want %.60q", in, got, long, err, want)
		}
	}
}

// A session that Codex has compressed reads as it did before, and one that says it
// would be gigabytes is left alone.
// A file of a few kilobytes may unpack to millions of lines that say next to nothing.
func TestManyWords(t *testing.T) {
	const line = `{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":9}}` + "\n"
	most := 2*maxSession/wordSize + 1000
	s := &Session{}
	if err := readCodex(ctx, s, strings.NewReader(strings.Repeat(line, most))); err != nil || s.Skipped < 900 {
		t.Errorf("of %d lines all but %d are held, %v", most, s.Skipped, err)
	}
}

func TestRolledBack(t *testing.T) {
	w := func(role, text string) spoken { return spoken{role: role, text: text} }
	words := []spoken{w(Assistant, "a"), {undo: 1}, w(User, "b"), w(Assistant, "c"), w(User, "d"), w(User, "e"), {undo: 2}, w(Assistant, "f"), w(User, "g"), {undo: 9}, w(User, "h")}
	var got []string
	for _, w := range choose(words, map[string]bool{}) {
		got = append(got, w.text)
	}
	if strings.Join(got, "") != "ah" {
		t.Errorf("%q", got)
	}
}

func TestCompressed(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, ".codex/archived_sessions")
	lines := `{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"cwd":"/p"}}
{"timestamp":"2026-01-02T03:04:06Z","type":"event_msg","payload":{"type":"user_message","message":"which queue"}}
{"timestamp":"2026-01-02T03:04:07Z","type":"event_msg","payload":{"type":"agent_message","message":"river, ` + strings.Repeat("since it is in Postgres ", 4000) + `"}}
`
	compress := func(s string, o ...zstd.EOption) string {
		w, err := zstd.NewWriter(nil, o...)
		if err != nil {
			t.Fatal(err)
		}
		return string(w.EncodeAll([]byte(s), nil))
	}
	write(t, filepath.Join(at, "rollout-2026-01-02T03-04-05-00000001.jsonl"), lines)
	write(t, filepath.Join(at, "rollout-2026-01-02T03-04-05-00000002.jsonl.zst"), compress(lines))
	corrupt := compress(lines)
	write(t, filepath.Join(at, "rollout-2026-01-02T03-04-05-00000003.jsonl.zst"), corrupt[:len(corrupt)/2])
	// A frame of one raw block that asks for a window of 2 GiB.
	write(t, filepath.Join(at, "rollout-2026-01-02T03-04-05-00000004.jsonl.zst"), "\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00")
	s := source(t, dir, "codex")
	refs, skipped := list(t, s)
	if len(refs) != 2 || skipped != 2 {
		t.Fatalf("List = %+v, %d skipped", refs, skipped)
	}
	plain, err := s.Read(ctx, Ref{ID: "00000001"})
	if err != nil || len(plain.Turns) != 2 {
		t.Fatalf("%+v, %v", plain, err)
	}
	packed, err := s.Read(ctx, Ref{ID: "00000002"})
	if err != nil || !reflect.DeepEqual(packed.Turns, plain.Turns) {
		t.Errorf("%v, %+v", err, packed)
	}
}
