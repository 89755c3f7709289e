//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain lets the test binary be the program that the scripts of an agent's folder start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "look" || os.Args[1] == "relay") {
		main()
		return
	}
	os.Exit(m.Run())
}

// script writes an executable file.
func script(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

const agentSteps = `
[ -e src ] && exit 9
echo "$2" | grep -q 'LOCALIZE niri-1: My console' || exit 8
if [ "$1" = look ]; then
	./look sed -n 1,2p src/a.rs >&2 || exit 7
else
	printf '%s\n' '{"id":1,"method":"initialize"}' '{"id":2,"method":"tools/call","params":{"name":"brief"}}' | ./relay >&2 || exit 6
fi
echo 'So:'
echo '{"id":"niri-1","answer_files":["src/a.rs:1"],"answer_functions":[],"facts":"x"}'
`

func TestRun(t *testing.T) {
	// The server answers whatever it is asked with a result for request 2.
	server := script(t, "assay", `while read -r line; do echo '{"id":2,"result":{"content":[{"text":"hello"}]}}'; done`)
	agent := script(t, "agent", `if [ -e relay ]; then set -- relay "$1"; else set -- look "$1"; fi`+agentSteps)
	tests := []struct {
		name  string
		args  []string
		bytes map[string]int // by arm
	}{
		{"command", nil, map[string]int{textArm: 8, assayArm: 8}},
		{"mcp", []string{"-mcp"}, map[string]int{textArm: 8, assayArm: 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := studyDir(t)
			out := filepath.Join(dir, "out")
			args := append(tt.args, "-dir", dir, "-out", out, "-assay", server, "-agent", agent+" {prompt}", "-tasks", "niri-1")
			var w bytes.Buffer
			for range 2 { // the second time there is nothing to do
				if err := runAgents(t.Context(), args, &w); err != nil {
					t.Fatal(err)
				}
			}
			answers, calls, err := readScored(out)
			if err != nil {
				t.Fatal(err)
			}
			if len(answers) != 2 || len(calls) != 2 || strings.Count(w.String(), "\n") != 2 {
				t.Fatalf("answers %v, calls %v, printed %q; want two of each", answers, calls, w.String())
			}
			for _, a := range answers {
				if len(a.Files) != 1 || a.Files[0] != "src/a.rs:1" || a.Seconds <= 0 {
					t.Errorf("answer %v", a)
				}
			}
			for _, c := range calls {
				if c.Calls != 1 || c.Bytes != tt.bytes[c.Arm] {
					t.Errorf("call %v, want 1 call of %d bytes", c, tt.bytes[c.Arm])
				}
			}
		})
	}
}

// TestRunFails checks that an agent which cannot be used leaves no record: the next run asks it again.
func TestRunFails(t *testing.T) {
	dir := studyDir(t)
	out := filepath.Join(dir, "out")
	agent := script(t, "agent", "./look cat src/a.rs; echo no account >&2; exit 1")
	err := runAgents(t.Context(), []string{"-dir", dir, "-out", out, "-agent", agent + " {prompt}", "-tasks", "niri-1"}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "no account") {
		t.Errorf("error %v, want the agent's own message", err)
	}
	if answers, calls, err := readScored(out); len(answers)+len(calls) > 0 || err != nil {
		t.Errorf("answers %v, calls %v, %v; want none", answers, calls, err)
	}
}

func TestRelayLimit(t *testing.T) {
	l, out := newLooker(t, assayArm)
	var toAgent, toServer bytes.Buffer
	r := relay{looker: *l, out: out, toAgent: &toAgent, open: map[string]call{}, began: nil, used: maxCalls}
	if err := r.request([]byte(`{"id":7,"method":"tools/call","params":{"name":"brief"}}`+"\n"), &toServer); err != nil {
		t.Fatal(err)
	}
	var m struct {
		ID     int `json:"id"`
		Result struct {
			IsError bool `json:"isError"`
		} `json:"result"`
	}
	if err := json.Unmarshal(toAgent.Bytes(), &m); err != nil || m.ID != 7 || !m.Result.IsError || toServer.Len() > 0 {
		t.Errorf("to the agent %q, to the server %q; want an error for request 7 and nothing", toAgent.String(), toServer.String())
	}
	if err := r.request([]byte(`{"id":8,"method":"tools/list"}`+"\n"), &toServer); err != nil || toServer.Len() == 0 {
		t.Errorf("a request that is no call was not passed on: %v", err)
	}
}

func TestFindAnswer(t *testing.T) {
	line := `{"id":"a","answer_files":["x"],"facts":"f"}`
	quoted, err := json.Marshal("So:\n```\n" + line + "\n```")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, printed string
		found         bool
		tokens        int
	}{
		{"a line", "So:\n" + line + "\n", true, 0},
		{"behind a bullet", "- " + line, true, 0},
		{"of another task", strings.Replace(line, `"a"`, `"b"`, 1), false, 0},
		{"none", "I do not know {x}", false, 0},
		{"result of Claude Code", `{"result":` + string(quoted) + `,"usage":{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":5}}`,
			true, 12},
		{"response of Gemini", "{\n\"response\":" + string(quoted) + "}\n", true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, found := findAnswer([]byte(tt.printed), "a")
			if found != tt.found || a.Tokens != tt.tokens || found && a.Files[0] != "x" {
				t.Errorf("got %v, %v; want %v and %d tokens", a, found, tt.found, tt.tokens)
			}
		})
	}
}
