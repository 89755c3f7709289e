//go:build !slim

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// With -tenants 30m calls are drawn for so long, from seeds that are printed; without, from one
// seed, another in each run, and for a few seconds.
var (
	tenantsFor  = flag.Duration("tenants", 0, "how long one team tries to read another's")
	tenantsSeed = flag.Uint64("tenants-seed", 0, "where to begin; 0: anywhere")
)

// A saying collects what a server says of itself.
type saying struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *saying) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *saying) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// traps are repositories of blue's in which somebody of blue's committed what leads to red's: links, a
// .git that is red's, an index that is red's, settings and a workspace file. Of the folder mono red may
// read one part, and blue another.
func (x *tenants) traps() (ofRed, ofBlue []string) {
	t := x.t
	for name, text := range map[string]string{
		"mono/red-part/redpart.go":            "package part\n\n// Zebra is " + mark("red") + ".\nfunc Zebra() { redPart() }\n\nfunc redPart() {}\n",
		"red/redhidden.go":                    "package red\n\n// Zebra hides.\nfunc redHidden() { Zebra() }\n",
		"mono/red-part/redhidden.go":          "package part\n\nfunc redHidden() { Zebra() }\n",
		"home/ownerhidden.go":                 "package home\n\nfunc ownerHidden() { Zebra() }\n",
		"mono/blue-part/bluepart.go":          "package part\n\nfunc Zebra() {}\n",
		"linked/own.go":                       "package linked\n\nfunc Zebra() {}\n",
		"worktree/own.go":                     "package worktree\n\nfunc Zebra() {}\n",
		"worktree/.git":                       "gitdir: " + filepath.Join(x.dir, "red", ".git") + "\n",
		"indexed/own.go":                      "package indexed\n\nfunc Zebra() {}\n",
		"settings/own.go":                     "package settings\n\nfunc Zebra() {}\n",
		"settings/assay.work.yaml":            "repositories: [{path: ../red}]\n",
		"settings/.assay/config":              "workspace = ../red\nmemory.vault = ../data/teams/red/notes\ndocs.db = ../red.db\n",
		"settings/.assay/config.yaml":         "workspace: ../red\n",
		"settings/README.md":                  "# Zebra\n\nSee [it](../red/only.go:3), `../mono/red-part:4`, `../red` and ../data/teams/red/notes.\n",
		"home/config/assay/modules/owner.lua": "-- zebra " + mark("owner") + "\nreturn {}\n",
	} {
		x.write(name, text)
	}
	for to, from := range map[string]string{
		"linked/dir": "../red", "linked/file.go": "../red/redonly.go", "linked/docs.md": "../src-lib/guide.md", "linked/abs": filepath.Join(x.dir, "red"),
		"linked/notes": "../data/teams/red/notes", "linked/up": "..", "linked/.gitignore": "../red/redonly.go",
	} {
		if err := os.Symlink(from, filepath.Join(x.dir, to)); err != nil {
			t.Skip(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "zebra " + mark("red")}} {
		cmd := exec.Command("git", append([]string{"-C", filepath.Join(x.dir, "red")}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	return []string{"mono-red"}, []string{"mono-blue", "linked", "worktree", "indexed", "settings"}
}

// indexed gives a repository of blue's the index that red's has by now.
func (x *tenants) stolen() {
	t := x.t
	if err := os.CopyFS(filepath.Join(x.dir, "indexed", ".assay"), os.DirFS(filepath.Join(x.dir, "red", ".assay"))); err != nil {
		t.Fatal(err)
	}
}

// post sends a body to a path as a team, with further headers.
func (x *tenants) post(name, method, path string, body []byte, headers map[string]string) string {
	x.t.Helper()
	r, err := http.NewRequest(method, x.base+path, bytes.NewReader(body))
	if err != nil {
		return err.Error() // a path that is none
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+x.tokens[name])
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	client := &http.Client{Timeout: time.Minute}
	if r.Method == http.MethodGet && path == "/mcp" {
		client.Timeout = 50 * time.Millisecond // a stream that says nothing
	}
	resp, err := client.Do(r)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body) // as far as it came
	return fmt.Sprint(resp.Status, resp.Header, string(b))
}

// drawn is a value for a parameter: mostly of its type, now and then of another.
func drawn(r *rand.Rand, p param, texts []string) any {
	texty := func() string {
		s := texts[r.IntN(len(texts))]
		switch r.IntN(12) {
		case 0:
			return "../" + s
		case 1:
			return s + "/../" + texts[r.IntN(len(texts))]
		case 2:
			return strings.ToLower(s)
		case 3:
			return s + "\x00" + texts[r.IntN(len(texts))]
		case 4:
			return strings.ReplaceAll(s, "/", "%2f")
		case 5:
			return s + ":" + fmt.Sprint(r.IntN(9))
		case 6:
			return s + " " + texts[r.IntN(len(texts))]
		}
		return s
	}
	kind := p.Type
	if r.IntN(15) == 0 {
		kind = []string{"integer", "boolean", "array", "string", "object", "null"}[r.IntN(6)]
	}
	switch kind {
	case "integer", "number":
		return []any{-1, 0, 1, 2, 7, 1 << 20, 1e300, .5}[r.IntN(8)]
	case "boolean":
		return r.IntN(2) == 0
	case "array":
		out := []any{}
		for range r.IntN(4) {
			out = append(out, texty())
		}
		return out
	case "object":
		return map[string]any{"$ref": texty(), "path": texty()}
	case "null":
		return nil
	}
	if len(p.Enum) > 0 && r.IntN(4) > 0 {
		return p.Enum[r.IntN(len(p.Enum))]
	}
	return texty()
}

// methods of the protocol beside tools/call, with what they may name.
var methods = []string{"initialize", "ping", "tools/list", "resources/list", "resources/read", "resources/templates/list", "resources/subscribe", "prompts/list", "prompts/get",
	"completion/complete", "logging/setLevel", "roots/list", "sampling/createMessage", "server/discover", "tasks/get", "tasks/list", "tasks/result", "elicitation/create", "subscriptions/listen"}

// draw makes a call: of a tool with any of its parameters, of another method, or of another path.
func (x *tenants) draw(r *rand.Rand, tools []listedTool, texts []string) (sent, said string) {
	text := func() string { return texts[r.IntN(len(texts))] }
	headers := map[string]string{}
	if r.IntN(10) == 0 {
		headers["X-Assay-Team"] = "red"
		headers["Mcp-Session-Id"] = text()
		headers["Last-Event-ID"] = strings.Map(printable, text())
		headers["X-Forwarded-For"] = "127.0.0.1"
	}
	method := "tools/call"
	var params map[string]any
	switch r.IntN(20) {
	case 0:
		path := []string{"/metrics", "/refresh", "/mcp", "/mcp/red", "/teams/red", "/../data/teams/red", "/data/audit.jsonl", "/debug/pprof/", "/healthz", "/readyz", "/.well-known/oauth-protected-resource"}[r.IntN(11)]
		verb := []string{"GET", "POST", "DELETE", "OPTIONS", "HEAD", "PUT"}[r.IntN(6)]
		return verb + " " + path, x.post("blue", verb, path, nil, headers)
	case 3, 4: // of what is read by its URI, asked by its name or completed
		method = []string{"resources/read", "prompts/get", "completion/complete"}[r.IntN(3)]
		base, variable, _ := strings.Cut([]string{"assay://symbol/ name", "assay://file/ path", "assay://note/ path", "assay://docs/ page", "assay://map "}[r.IntN(5)], " ")
		prompt, argument, _ := strings.Cut([]string{"brief task", "brief words", "impact target"}[r.IntN(3)], " ")
		params = map[string]any{"uri": base + text(), "name": prompt, "arguments": map[string]any{argument: text(), "task": text()},
			"ref": map[string]any{"type": "ref/resource", "uri": base + "{+" + variable + "}"}, "argument": map[string]any{"name": variable, "value": text()[:r.IntN(2)]}}
		if r.IntN(2) == 0 && method == "completion/complete" {
			params["ref"], params["argument"] = map[string]any{"type": "ref/prompt", "name": prompt}, map[string]any{"name": argument, "value": text()}
		}
	case 1, 2:
		method = methods[r.IntN(len(methods))]
		params = map[string]any{"uri": text(), "name": text(), "cursor": text(), "arguments": map[string]any{"path": text()}, "ref": map[string]any{"type": "ref/resource", "uri": text()},
			"argument": map[string]any{"name": "path", "value": text()}, "protocolVersion": "2025-06-18", "capabilities": map[string]any{"roots": map[string]any{}},
			"clientInfo": map[string]any{"name": text(), "version": "1"}, "taskId": text()}
	default:
		tool := tools[r.IntN(len(tools))]
		args := plain(tool)
		for _, name := range slices.Sorted(maps.Keys(tool.InputSchema.Properties)) {
			if r.IntN(3) == 0 {
				args[name] = drawn(r, tool.InputSchema.Properties[name], texts)
			}
		}
		params = map[string]any{"name": tool.Name, "arguments": args}
		if r.IntN(20) == 0 {
			params["_meta"] = map[string]any{"progressToken": text(), "io.modelcontextprotocol/roots": []any{map[string]any{"uri": "file://" + filepath.Join(x.dir, "red")}}}
		}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": r.IntN(3), "method": method, "params": params})
	if err != nil {
		return "", "" // 1e300 as an integer is still a number
	}
	return string(body), x.post("blue", http.MethodPost, "/mcp", body, headers)
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return -1
	}
	return r
}

// kept are the files in which something of blue's calls may be left: all but what is red's and the owner's.
func (x *tenants) kept() map[string]string {
	x.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(x.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(x.dir, path)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			switch rel {
			case "red", "src-lib", "mono/red-part", "data/teams/red", "home", "indexed/.assay", "mono/.assay":
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || rel == "red.db" || strings.HasPrefix(rel, "red.db-"):
			return nil
		}
		b, err := os.ReadFile(path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		x.t.Fatal(err)
	}
	return out
}

// Of random calls with several parameters, values of other types, other methods and paths, none leaves
// anything of red's in an answer, in what the server says, in a log, a metric or a file of blue's.
func (x *tenants) drawAll(tools []listedTool, texts []string) {
	t := x.t
	end := time.Now().Add(*tenantsFor)
	first, draws, calls := *tenantsSeed, 1000, 0
	if first == 0 {
		first = rand.Uint64() >> 1
	}
	switch {
	case tryAll() || *tenantsFor > 0:
		draws = 3000
	case testing.Short():
		draws = 200
	}
	for seed := first; seed == first || time.Now().Before(end); seed++ {
		r := rand.New(rand.NewPCG(seed, 24))
		for range draws {
			calls++
			sent, said := x.draw(r, tools, texts)
			for _, secret := range x.secrets() {
				if strings.Contains(said, secret) {
					t.Fatalf("seed %d: blue is told %s by %s: %.1500s", seed, secret, sent, around(said, secret))
				}
			}
		}
	}
	t.Logf("%d calls drawn, from the seed %d", calls, first)
	metrics := x.post("admin", http.MethodGet, "/metrics", nil, nil)
	if !strings.Contains(metrics, `assay_calls_total{team="blue"`) {
		t.Errorf("metrics: %.300s", metrics)
	}
	where := x.kept()
	where["standard error"], where["/metrics"] = x.said.String(), metrics
	if len(where["access.jsonl"]) < 1000 || len(where["data/audit.jsonl"]) < 100 {
		t.Errorf("no logs: %v", slices.Sorted(maps.Keys(where)))
	}
	for name, text := range where {
		for _, secret := range append(x.secrets(), x.tokens["blue"]) {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s has %s: %.200q", name, secret, text[max(0, at-100):])
			}
		}
	}
	for _, name := range []string{"access.jsonl", "data/audit.jsonl", "standard error", "/metrics"} {
		for _, asked := range []string{"BLUE-INTENT", "redCaller", "zebra"} { // of queries nothing is written
			if strings.Contains(where[name], asked) {
				t.Errorf("%s has of what was asked %q", name, asked)
			}
		}
	}
}

// secrets are what only red or the owner has, and what blue never sends: blue stores what it sends, and is
// told that again.
func (x *tenants) secrets() []string {
	return []string{mark("red"), mark("owner"), "redhidden", "redHidden", "ownerhidden", "ownerHidden", x.tokens["red"]}
}

// around is what stands about a text in another.
func around(said, secret string) string {
	at := strings.Index(said, secret)
	return said[max(0, at-700):]
}
