package setup

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// These tests run the real clients where they are installed (npm has opencode-ai,
// @anthropic-ai/claude-code and @openai/codex), in a home of their own.

// A real is a client's program in a world where assay is the test's own program.
type real struct {
	*world
	program string
	fake    *fake
}

func newReal(t *testing.T, client string) *real {
	t.Helper()
	program, err := exec.LookPath(client)
	if err != nil || testing.Short() {
		t.Skipf("%s is not installed, or the test is to be short", client)
	}
	r := &real{newWorld(t), program, newFake(t)}
	r.exe = r.fake.exe
	return r
}

// command returns the client's command in the project's folder.
func (r *real) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, r.program, args...)
	c.Dir = r.work
	c.WaitDelay = 5 * time.Second
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); {
		case name == "HOME", name == "USERPROFILE", name == "PWD":
		case strings.HasPrefix(name, "XDG_"), strings.HasPrefix(name, "CLAUDE"), strings.HasPrefix(name, "ANTHROPIC"), strings.HasPrefix(name, "CODEX"),
			strings.HasPrefix(name, "OPENAI"), strings.HasPrefix(name, "OPENCODE"):
		default:
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(c.Env, "HOME="+r.home, "USERPROFILE="+r.home, "PWD="+r.work, "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1")
	return c
}

// list returns what the client says of its servers.
func (r *real) list() string {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Minute)
	defer cancel()
	out, err := r.command(ctx, "mcp", "list").CombinedOutput()
	if err != nil {
		r.Logf("%s mcp list: %v", r.program, err)
	}
	return string(out)
}

func TestRealClients(t *testing.T) {
	for _, tc := range []struct{ client, file, text, works string }{
		{"opencode", "home/.config/opencode/opencode.jsonc", "{\n  // mine\n  \"username\": \"x\",\n}\n", "connected"},
		{"claude", "home/.claude.json", "{\"numStartups\":1,\"mcpServers\":{}}", "Connected"},
		{"codex", "home/.codex/config.toml", "# mine\nmodel = \"x\" # why\n", "enabled"},
	} {
		t.Run(tc.client, func(t *testing.T) {
			r := newReal(t, tc.client)
			for _, text := range []string{"", tc.text} {
				path := filepath.Join(filepath.Dir(r.home), filepath.FromSlash(tc.file))
				if text != "" {
					r.write(tc.file, text)
				}
				r.must(Input{Client: tc.client, Memory: true, Tools: []string{"docs"}, Name: "ours-it-is"})
				if got := r.list(); !strings.Contains(got, "ours-it-is") || !strings.Contains(got, tc.works) {
					t.Errorf("after setup it lists\n%s", got)
				}
				r.must(Input{Client: tc.client, Uninstall: true, Name: "ours-it-is", Memory: true})
				if got := r.list(); strings.Contains(got, "ours-it-is") {
					t.Errorf("after uninstall it lists\n%s", got)
				}
				if tc.client == "codex" && text != "" && r.read(path) != text {
					t.Errorf("it is now\n%s", r.read(path))
				}
			}
		})
	}
	t.Run("project", func(t *testing.T) {
		for client, trust := range map[string]string{"opencode": "", "codex": "[projects.%q]\ntrust_level = \"trusted\"\n"} {
			r := newReal(t, client)
			if trust != "" {
				r.write("home/.codex/config.toml", fmt.Sprintf(trust, r.work))
			}
			r.must(Input{Client: client, Project: true, Name: "ours-it-is"})
			if got := r.list(); !strings.Contains(got, "ours-it-is") {
				t.Errorf("%s lists\n%s", client, got)
			}
		}
	})
}

// A model answers every request with the same words, as the APIs of OpenAI and
// Anthropic do, and keeps what it was asked.
type model struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

const words = "so it is"

// streams are the answers by the end of the path.
var streams = map[string]string{
	"/chat/completions": `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"` + words + `"},"finish_reason":null}]}

data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}

data: [DONE]

`,
	"/responses": `event: response.created
data: {"type":"response.created","response":{"id":"r"}}

event: response.output_item.done
data: {"type":"response.output_item.done","item":{"type":"message","role":"assistant","id":"i","content":[{"type":"output_text","text":"` + words + `"}]}}

event: response.completed
data: {"type":"response.completed","response":{"id":"r","usage":{"input_tokens":9,"input_tokens_details":null,"output_tokens":3,"output_tokens_details":null,"total_tokens":12}}}

`,
	"/messages": `event: message_start
data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + words + `"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":3}}

event: message_stop
data: {"type":"message_stop"}

`,
}

func newModel(t *testing.T) *model {
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(r.Body, 8<<20))
		m.mu.Lock()
		m.asked = append(m.asked, string(body))
		m.mu.Unlock()
		for end, stream := range streams {
			if strings.HasSuffix(r.URL.Path, end) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, stream)
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}

// with returns how many requests held both texts since the last call.
func (m *model) with(a, b string) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, body := range m.asked {
		if strings.Contains(body, a) && strings.Contains(body, b) {
			n++
		}
	}
	m.asked = nil
	return n
}

// An openCode is a running server of OpenCode.
type openCodeServer struct {
	*real
	url  string
	stop func()
}

func (r *real) serve() *openCodeServer {
	r.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	c := r.command(ctx, "serve", "--port", "0", "--hostname", "127.0.0.1")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	out, err := c.StdoutPipe()
	if err != nil {
		r.Fatal(err)
	}
	if err := c.Start(); err != nil {
		r.Fatal(err)
	}
	s := &openCodeServer{real: r}
	s.stop = sync.OnceFunc(func() {
		cancel()
		_ = c.Wait() // it was interrupted
	})
	r.Cleanup(s.stop)
	in := bufio.NewScanner(out)
	for in.Scan() {
		if _, at, ok := strings.Cut(in.Text(), "listening on "); ok {
			s.url = at
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return s
		}
	}
	r.Fatal("opencode serve does not listen")
	return nil
}

// call asks the server and returns its answer.
func (s *openCodeServer) call(method, path string, in any) map[string]any {
	s.Helper()
	body, _ := json.Marshal(in)
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := (&http.Client{Transport: &http.Transport{}}).Do(req)
	if err != nil {
		s.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		s.Fatalf("%s %s: %s %s %v", method, path, res.Status, text, err)
	}
	var out map[string]any
	_ = json.Unmarshal(text, &out) // some answer with a bool
	return out
}

type dict = map[string]any

// say asks the model something in a session and returns its answer as JSON.
func (s *openCodeServer) say(session, text string) string {
	s.Helper()
	answer, _ := json.Marshal(s.call(http.MethodPost, "/session/"+session+"/message",
		dict{"model": dict{"providerID": "scripted", "modelID": "m"}, "parts": []dict{{"type": "text", "text": text}}}))
	return string(answer)
}

// TestOpenCodeRecalls drives the real OpenCode: notes reach the model from the
// first prompt on, compaction has its own, digests are asked for, and whatever
// becomes of assay the turn goes on.
func TestOpenCodeRecalls(t *testing.T) {
	r := newReal(t, "opencode")
	m := newModel(t)
	r.write("home/.config/opencode/opencode.json", fmt.Sprintf(`{
  "model": "scripted/m", "small_model": "scripted/m",
  "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "%s/v1", "apiKey": "none"}, "models": {"m": {"name": "m", "limit": {"context": 100000, "output": 1000}}}}},
}`, m.URL))
	r.must(Input{Client: "opencode", Memory: true})
	// What is tested here is not the deadline, which a busy machine may miss.
	path := filepath.Join(r.home, ".config", "opencode", "plugin", "assay-memory.js")
	quick := r.read(path)
	patient := strings.Replace(quick, "const DEADLINE = 400 ", "const DEADLINE = 30000 ", 1)
	r.write("home/.config/opencode/plugin/assay-memory.js", patient)
	s := r.serve()
	id, _ := s.call(http.MethodPost, "/session", dict{})["id"].(string)
	for _, q := range []string{"the first question", "the second question"} {
		if got := s.say(id, q); !strings.Contains(got, words) {
			t.Fatalf("%s: %s", q, got)
		}
		if m.with("notes of prompt", q) == 0 {
			t.Errorf("%s: the model did not see the notes", q)
		}
	}
	s.call(http.MethodPost, "/session/"+id+"/summarize", dict{"providerID": "scripted", "modelID": "m"})
	if m.with("notes of pre-compact", "the first question") == 0 {
		t.Error("compaction did not see its notes")
	}
	log := r.fake.await("session-start", "prompt", "idle", "idle", "pre-compact")
	for _, e := range log {
		if e.Input.SessionID != id || e.Event == "prompt" && e.Input.Prompt != "the first question" || e.Input.Directory != r.work || e.Dir != r.work {
			t.Errorf("assay was told %+v", e)
		}
	}
	s.call(http.MethodDelete, "/session/"+id, dict{})
	r.fake.await("session-start", "prompt", "idle", "idle", "pre-compact", "session-end")
	s.stop()

	r.write("home/.config/opencode/plugin/assay-memory.js", quick)
	s = r.serve()
	for _, mode := range []string{"slow", "crash", "huge", "missing"} {
		r.fake.mode(mode)
		if mode == "missing" {
			if err := os.Remove(r.exe); err != nil {
				t.Fatal(err)
			}
		}
		id, _ := s.call(http.MethodPost, "/session", dict{})["id"].(string)
		if got := s.say(id, "a question"); !strings.Contains(got, words) {
			t.Errorf("%s: the turn gave %s", mode, got)
		}
		if m.with("notes of", "a question") > 0 {
			t.Errorf("%s: the model saw notes", mode)
		}
	}
}

// TestHooksFire drives the real Claude Code and Codex: they take the hooks for
// what they are, and the notes reach the model.
func TestHooksFire(t *testing.T) {
	for client, turns := range map[string][2][]string{ // the second of which compacts the session
		"claude": {{"-p", "a question", "--model", "m"}, {"-p", "/compact", "--continue", "--model", "m"}},
		"codex": {{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "a question"},
			{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "resume", "--last", "another"}},
	} {
		t.Run(client, func(t *testing.T) {
			r := newReal(t, client)
			m := newModel(t)
			r.write("home/.codex/config.toml", fmt.Sprintf("model = \"m\"\nmodel_auto_compact_token_limit = 5\nmodel_provider = \"scripted\"\n\n[model_providers.scripted]\nname = \"scripted\"\nbase_url = \"%s/v1\"\nwire_api = \"responses\"\n", m.URL))
			r.must(Input{Client: client, Memory: true})
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			turn := func(n int) string {
				c := r.command(ctx, turns[n]...)
				c.Env = append(c.Env, "ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_API_KEY=none", "OPENAI_API_KEY=none")
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				return string(out)
			}
			if out := turn(0); !strings.Contains(out, words) {
				t.Fatal(out)
			}
			if m.with("notes of prompt", "notes of session-start") == 0 {
				t.Error("the model did not see the notes")
			}
			events := map[string]bool{}
			for _, e := range r.fake.await("session-start", "prompt", "idle", "session-end") {
				events[e.Event+" "+e.Input.HookEventName] = e.Client == client
			}
			for _, want := range []string{"session-start SessionStart", "prompt UserPromptSubmit", "idle Stop", "session-end SessionEnd"} {
				if !events[want] {
					t.Errorf("assay was told of %v, not of %s", events, want)
				}
			}
			turn(1)
			log := r.fake.log()
			if i := slices.IndexFunc(log, func(s said) bool { return s.Event == "pre-compact" }); i < 0 || log[i].Input.HookEventName != "PreCompact" {
				t.Errorf("assay was told of %v, not of the compaction", log)
			}
		})
	}
}
