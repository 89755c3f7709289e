package setup

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

var update = flag.Bool("update", false, "rewrite the examples in integrations that setup produces")

var integrations = filepath.Join("..", "..", "..", "integrations")

// TestExamplesProduced holds that the examples for a project are what setup writes
// where PATH has assay.
func TestExamplesProduced(t *testing.T) {
	for client, files := range map[string]map[string]string{
		"opencode": {"opencode.json": "opencode.json"},
		"claude":   {".mcp.json": ".mcp.json", ".claude/settings.json": "settings.json"},
		"codex":    {".codex/config.toml": "config.toml", ".codex/hooks.json": "hooks.json"},
		"cursor":   {".cursor/mcp.json": "mcp.json"},
	} {
		w := newWorld(t)
		w.env["PATH"] = filepath.Dir(w.exe)
		w.must(Input{Client: client, Project: true, Memory: true})
		for name, example := range files {
			path := filepath.Join(integrations, client, example)
			got := w.read(filepath.Join(w.work, filepath.FromSlash(name)))
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(path); err != nil || string(want) != got {
				t.Errorf("%s: %v\n%s\nsetup writes\n%s", path, err, want, got)
			}
		}
	}
}

// remotes are the examples for servers on other machines.
var remotes = []struct{ client, example, file string }{
	{"opencode", "remote.jsonc", "home/.config/opencode/opencode.jsonc"},
	{"claude", "remote.json", "home/.claude.json"},
	{"codex", "remote.toml", "home/.codex/config.toml"},
	{"cursor", "remote.json", "home/.cursor/mcp.json"},
}

// TestExamplesAccepted holds that the examples of remote servers are configurations
// that setup adds to and leaves as they were, that each has the two servers, and
// that none has a token in it.
func TestExamplesAccepted(t *testing.T) {
	for _, tc := range remotes {
		text, err := os.ReadFile(filepath.Join(integrations, tc.client, tc.example))
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld(t)
		path := w.write(tc.file, string(text))
		if _, did := w.must(Input{Client: tc.client}); !strings.HasPrefix(did, "changed") {
			t.Errorf("%s: %s", tc.client, did)
		}
		if _, did := w.must(Input{Client: tc.client, Uninstall: true}); !strings.HasPrefix(did, "restored") || w.read(path) != string(text) {
			t.Errorf("%s: %s, %s", tc.client, did, w.read(path))
		}
		for _, name := range []string{"assay-team", "assay-docs"} {
			entry := example(t, tc.client, text, name)
			token := map[string]any{"Authorization": map[string]string{"opencode": "Bearer {env:ASSAY_TOKEN}", "claude": "Bearer ${ASSAY_TOKEN}", "cursor": "Bearer ${env:ASSAY_TOKEN}"}[tc.client]}
			want := map[string]any{"url": entry["url"], "headers": token}
			switch tc.client {
			case "opencode":
				want["type"], want["enabled"], want["oauth"] = "remote", true, false
			case "claude":
				want["type"] = "http"
			case "codex":
				want = map[string]any{"url": entry["url"], "bearer_token_env_var": "ASSAY_TOKEN"}
			}
			if u, _ := entry["url"].(string); !reflect.DeepEqual(entry, want) || !strings.HasPrefix(u, "http://") || !strings.HasSuffix(u, ".example:3000/mcp") {
				t.Errorf("%s: %s is %v, want %v", tc.client, name, entry, want)
			}
			if _, err := w.run(Input{Client: tc.client, Name: name}); err == nil {
				t.Errorf("%s: setup replaces %s", tc.client, name)
			}
		}
	}
}

// example returns an entry of a client's configuration.
func example(t *testing.T, client string, text []byte, name string) map[string]any {
	t.Helper()
	var v map[string]map[string]map[string]any
	key := map[string]string{"opencode": "mcp", "claude": "mcpServers", "cursor": "mcpServers", "codex": "mcp_servers"}[client]
	if client == "codex" {
		if err := toml.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		return v[key][name]
	}
	d, err := parseJSON(text, false)
	if err != nil {
		t.Fatal(err)
	}
	entry, ok := d.root.get(key, name)
	if !ok {
		t.Fatalf("%s has no %s", client, name)
	}
	var out map[string]any
	if err := json.Unmarshal(d.text[entry.start:entry.end], &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRealExamples holds that the real clients know the remote servers.
func TestRealExamples(t *testing.T) {
	for _, tc := range remotes {
		t.Run(tc.client, func(t *testing.T) {
			r := newReal(t, strings.Replace(tc.client, "cursor", "cursor-agent", 1))
			text, err := os.ReadFile(filepath.Join(integrations, tc.client, tc.example))
			if err != nil {
				t.Fatal(err)
			}
			for _, host := range []string{"team.example:3000", "docs.example:3000"} {
				text = []byte(strings.ReplaceAll(string(text), host, "127.0.0.1:1"))
			}
			r.write(tc.file, string(text))
			if got := r.list(); !strings.Contains(got, "assay-team") || !strings.Contains(got, "assay-docs") {
				t.Errorf("it lists\n%s", got)
			}
		})
	}
}
