package agents

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func serve(t *testing.T, script string) *Server {
	t.Helper()
	s, err := Read(strings.NewReader(script))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Serve(0, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func post(t *testing.T, m *Server, path, body string) (status int, kind, answer string) {
	t.Helper()
	client := http.Client{Timeout: 10 * time.Second}
	r, err := client.Post(m.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, r.Header.Get("Content-Type"), string(b)
}

// events returns the data of server-sent events.
func events(t *testing.T, stream string) (out []map[string]any) {
	t.Helper()
	lines := bufio.NewScanner(strings.NewReader(stream))
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var v map[string]any
		if err := json.Unmarshal([]byte(data), &v); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		out = append(out, v)
	}
	return out
}

// at walks into a value: "choices.0.delta.content".
func at(v any, path string) any {
	for _, p := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[p]
		case []any:
			var i int
			if _, err := fmt.Sscan(p, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

const reply = `{"replies": [{"think": "let me see", "say": "one two three four five six", "calls": [{"name": "bash", "namespace": "tools", "input": {"command": "ls"}}], "usage": 1234}]}`

// An answer says the same in each format, streamed and whole.
func TestFormats(t *testing.T) {
	const said, thought, called = "one two three four five six", "let me see", `{"command": "ls"}`
	for _, tt := range []struct {
		wire, path, request string
		// Where in the events, or in the whole, the text, the thought and the call are.
		text, think, call []string
		end               string // of the stream
	}{
		{"chat", "/v1/chat/completions", `"messages":[{"role":"user","content":"hi"}]`,
			[]string{"choices.0.delta.content", "choices.0.message.content"}, []string{"choices.0.delta.reasoning_content", ""},
			[]string{"choices.0.delta.tool_calls.0.function.arguments", "choices.0.message.tool_calls.0.function.arguments"}, "data: [DONE]\n\n"},
		{"responses", "/v1/responses", `"input":[{"role":"user","content":[{"type":"input_text","text":"hi"}]}]`,
			[]string{"delta", "output.1.content.0.text"}, []string{"", "output.0.summary.0.text"}, []string{"", "output.2.arguments"}, ""},
		{"messages", "/v1/messages", `"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]`,
			[]string{"delta.text", "content.1.text"}, []string{"delta.thinking", "content.0.thinking"}, []string{"delta.partial_json", ""}, ""},
	} {
		m := serve(t, reply)
		status, kind, stream := post(t, m, tt.path, `{"model":"x","stream":true,`+tt.request+`}`)
		if status != 200 || kind != "text/event-stream" || !strings.HasSuffix(stream, tt.end) {
			t.Fatalf("%s: %d %s %s", tt.wire, status, kind, stream)
		}
		gather := func(path string, only string) (out string) {
			for _, e := range events(t, stream) {
				if s, ok := at(e, path).(string); ok && (only == "" || e["type"] == only) {
					out += s
				}
			}
			return out
		}
		only := map[string]string{"responses": "response.output_text.delta"}[tt.wire]
		if got := gather(tt.text[0], only); got != said {
			t.Errorf("%s: streamed %q, want %q", tt.wire, got, said)
		}
		if tt.think[0] != "" {
			if got := gather(tt.think[0], ""); got != thought {
				t.Errorf("%s: thought %q", tt.wire, got)
			}
		}
		if tt.call[0] != "" {
			if got := gather(tt.call[0], ""); got != called {
				t.Errorf("%s: called with %q", tt.wire, got)
			}
		}
		if tt.wire == "responses" {
			all := events(t, stream)
			whole := all[len(all)-1]
			if whole["type"] != "response.completed" || at(whole, "response.output.2.namespace") != "tools" || at(whole, "response.usage.input_tokens") != 1234.0 {
				t.Errorf("responses: the last event is %v", whole)
			}
			for i, e := range all {
				if e["sequence_number"] != float64(i) {
					t.Errorf("event %d has number %v", i, e["sequence_number"])
				}
			}
		}

		m = serve(t, reply)
		status, kind, body := post(t, m, tt.path, `{"model":"x",`+tt.request+`}`)
		var whole map[string]any
		if err := json.Unmarshal([]byte(body), &whole); err != nil || status != 200 || kind != "application/json" {
			t.Fatalf("%s: %d %s %s", tt.wire, status, kind, body)
		}
		if got := at(whole, tt.text[1]); got != said {
			t.Errorf("%s: said %v in %s", tt.wire, got, body)
		}
		if len(m.Unused()) != 0 || len(m.Requests()) != 1 || m.Requests()[0].User != "hi" || m.Requests()[0].Wire != tt.wire {
			t.Errorf("%s: requests %+v", tt.wire, m.Requests())
		}
	}
}

// Replies are used in order, each once, where they fit.
func TestChoose(t *testing.T) {
	m := serve(t, `{"otherwise": "else", "replies": [
		{"if": {"system": "title"}, "keep": true, "say": "T"}, {"if": {"user": "a"}, "say": "1"}, {"if": {"user": "a"}, "say": "2"},
		{"if": {"tool": "bash"}, "say": "3"}, {"if": {"wire": "chat", "user": "b"}, "status": 503}]}`)
	ask := func(system, user, tools string) string {
		_, _, body := post(t, m, "/chat/completions", fmt.Sprintf(`{"model":"x","messages":[{"role":"system","content":%q},{"role":"user","content":%q},{"role":"tool","content":"out"}],"tools":[%s]}`, system, user, tools))
		var v map[string]any
		if json.Unmarshal([]byte(body), &v) != nil {
			return body
		}
		s, _ := at(v, "choices.0.message.content").(string)
		return s
	}
	for i, c := range []struct{ system, user, tools, want string }{
		{"", "a", "", "1"}, {"title", "a", "", "T"}, {"", "xax", "", "2"}, {"title", "", "", "T"}, {"", "c", `{"type":"function","function":{"name":"bash"}}`, "3"}, {"", "a", "", "else"},
	} {
		if got := ask(c.system, c.user, c.tools); got != c.want {
			t.Errorf("request %d: %q, want %q", i, got, c.want)
		}
	}
	if status, _, _ := post(t, m, "/v1/chat/completions", `{"messages":[{"role":"user","content":"b"}]}`); status != 503 {
		t.Errorf("status %d, want 503", status)
	}
	if left := m.Unused(); len(left) != 0 {
		t.Errorf("unused: %+v", left)
	}
	m.Play(Script{Replies: []Reply{{Say: "new"}}})
	if got := ask("", "", ""); got != "new" {
		t.Errorf("after Play: %q", got)
	}
}

func TestRefuses(t *testing.T) {
	for _, script := range []string{`{`, `{"replies": [{"say": 1}]}`, `{"reply": []}`, `{"replies": [{"calls": [{"name": "x", "input": 1}]}]}`, `{"replies": [{"calls": [{"input": {}}]}]}`} {
		if _, err := Read(strings.NewReader(script)); err == nil {
			t.Errorf("Read(%s): no error", script)
		}
	}
	m := serve(t, `{}`)
	if !strings.HasPrefix(m.URL, "http://127.0.0.1:") {
		t.Errorf("it listens at %s", m.URL)
	}
	if status, _, _ := post(t, m, "/v1/messages", `not JSON`); status != 400 {
		t.Errorf("status %d, want 400", status)
	}
	if status, _, body := post(t, m, "/v1/messages/count_tokens", `{}`); status != 200 || !strings.Contains(body, "input_tokens") {
		t.Errorf("%d %s", status, body)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
