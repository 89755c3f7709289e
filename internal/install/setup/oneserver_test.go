package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

// servers are the names of the servers in Claude Code's file of the user.
func (w *world) servers() string {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(w.home, ".claude.json"))
	if err != nil {
		return ""
	}
	var in struct {
		MCPServers map[string]any `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		w.Fatal(err)
	}
	var names []string
	for name := range in.MCPServers {
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// TestOneServer holds that Claude Code gets one server: its plugin of assay starts it, and an entry beside that is removed.
func TestOneServer(t *testing.T) {
	const enabled, entry = `{"enabledPlugins": {"other@x": true, "assay@assay": true}}`, `{"mcpServers": {"assay": {"type": "stdio", "command": "assay", "args": ["serve"]}}}`
	tests := []struct {
		name  string
		files map[string]string
		in    Input
		want  string // the servers
		says  bool
	}{
		{"the plugin alone", map[string]string{"home/.claude/settings.json": enabled}, Input{Client: "claude"}, "", true},
		{"the plugin and an entry", map[string]string{"home/.claude/settings.json": enabled, "home/.claude.json": entry}, Input{Client: "claude"}, "", true},
		{"the plugin and the entry of another program", map[string]string{"home/.claude/settings.json": enabled,
			"home/.claude.json": `{"mcpServers": {"assay": {"command": "other"}}}`}, Input{Client: "claude"}, "assay", true},
		{"with force", map[string]string{"home/.claude/settings.json": enabled}, Input{Client: "claude", Force: true}, "assay", false},
		{"a plugin that is switched off", map[string]string{"home/.claude/settings.json": `{"enabledPlugins": {"assay@assay": false}}`}, Input{Client: "claude"}, "assay", false},
		{"another plugin", map[string]string{"home/.claude/settings.json": `{"enabledPlugins": {"assay-like@x": true}}`}, Input{Client: "claude"}, "assay", false},
		{"a plugin of that name from elsewhere", map[string]string{"home/.claude/settings.json": `{"enabledPlugins": {"assay@elsewhere": true}}`}, Input{Client: "claude"}, "assay", false},
		{"both, of which ours is switched off", map[string]string{"home/.claude/settings.json": `{"enabledPlugins": {"assay@elsewhere": true, "assay@assay": false}}`}, Input{Client: "claude"}, "assay", false},
		{"both, of which ours is on", map[string]string{"home/.claude/settings.json": `{"enabledPlugins": {"assay@elsewhere": false, "assay@assay": true}}`}, Input{Client: "claude"}, "", true},
		{"settings that are no object", map[string]string{"home/.claude/settings.json": `{"enabledPlugins": ["assay@assay"]}`}, Input{Client: "claude"}, "assay", false},
		{"no settings", nil, Input{Client: "claude"}, "assay", false},
		{"another client", map[string]string{"home/.claude/settings.json": enabled, "home/.claude.json": entry}, Input{Client: "codex"}, "assay", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			for path, text := range tt.files {
				w.write(path, text)
			}
			r, _ := w.must(tt.in)
			if got := w.servers(); got != tt.want {
				t.Errorf("servers: %q, want %q", got, tt.want)
			}
			if says := strings.Contains(strings.Join(r.Limits, "\n"), "assay's plugin"); says != tt.says {
				t.Errorf("it says of the plugin: %t, want %t: %q", says, tt.says, r.Limits)
			}
		})
	}
}

// TestOneServerOfProject holds that a project's settings decide for the project.
func TestOneServerOfProject(t *testing.T) {
	tests := []struct {
		name, user, shared, own string
		want                    bool // an entry is written
	}{
		{"enabled for the user", "true", "", "", false},
		{"enabled for the project", "", "true", "", false},
		{"enabled here alone", "", "", "true", false},
		{"switched off here", "true", "true", "false", true},
		{"nowhere", "", "", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			for path, is := range map[string]string{"home/.claude/settings.json": tt.user, "work/.claude/settings.json": tt.shared, "work/.claude/settings.local.json": tt.own} {
				if is != "" {
					w.write(path, `{"enabledPlugins": {"assay@assay": `+is+`}}`)
				}
			}
			w.must(Input{Client: "claude", Project: true})
			if _, err := os.Stat(filepath.Join(w.work, ".mcp.json")); (err == nil) != tt.want {
				t.Errorf("an entry is written: %t, want %t", err == nil, tt.want)
			}
		})
	}
}

// TestSharedEntryStays holds that the plugin of one user removes no entry that others of the project use, and that doctor asks for
// no such thing.
func TestSharedEntryStays(t *testing.T) {
	tests := []struct {
		name, settings string
		stays          bool
	}{
		{"enabled for the user", "home/.claude/settings.json", true},
		{"enabled here alone", "work/.claude/settings.local.json", true},
		{"enabled for the project", "work/.claude/settings.json", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.must(Input{Client: "claude", Project: true})
			shared := filepath.Join(w.work, ".mcp.json")
			before, err := os.ReadFile(shared)
			if err != nil {
				t.Fatal(err)
			}
			w.write(tt.settings, `{"enabledPlugins": {"assay@assay": true}}`)
			f := New(Config{Home: w.home, WorkDir: w.work, Exe: w.exe, System: w.system})
			if got := f.Installed(); len(got) != 1 || (got[0].Wrong == "") != tt.stays {
				t.Errorf("doctor: %+v, want an entry that is right: %t", got, tt.stays)
			}
			r, _ := w.must(Input{Client: "claude", Project: true})
			after, err := os.ReadFile(shared)
			if stays := err == nil && string(after) == string(before); stays != tt.stays {
				t.Errorf("the entry stays: %t, want %t: %s, %v", stays, tt.stays, after, err)
			}
			if says := strings.Contains(strings.Join(r.Limits, "\n"), "others of the project"); says != tt.stays {
				t.Errorf("it says that others use it: %t: %q", says, r.Limits)
			}
		})
	}
}

// TestNoSharedEntry holds that what is said of the shared file is true where the file has no entry too.
func TestNoSharedEntry(t *testing.T) {
	w := newWorld(t)
	w.write("home/.claude/settings.json", `{"enabledPlugins": {"assay@assay": true}}`)
	r, _ := w.must(Input{Client: "claude", Project: true})
	if says := strings.Join(r.Limits, "\n"); strings.Contains(says, "stays") || !strings.Contains(says, "with --force it gets an entry") {
		t.Errorf("it says %s", says)
	}
	if _, err := os.Stat(filepath.Join(w.work, ".mcp.json")); err == nil {
		t.Error("the file is written")
	}
	w.must(Input{Client: "claude", Project: true, Force: true})
	if _, err := os.Stat(filepath.Join(w.work, ".mcp.json")); err != nil {
		t.Errorf("with force: %v", err)
	}
}

// TestSecondServerIsWrong holds that what doctor shows names the second server and the command that repairs it.
func TestSecondServerIsWrong(t *testing.T) {
	w := newWorld(t)
	w.must(Input{Client: "claude"})
	f := New(Config{Home: w.home, WorkDir: w.work, Exe: w.exe, System: w.system})
	if got := f.Installed(); len(got) != 1 || got[0].Wrong != "" {
		t.Fatalf("one server: %+v", got)
	}
	w.write("home/.claude/settings.json", `{"enabledPlugins": {"assay@assay": true}}`)
	got := f.Installed()
	if len(got) != 1 || !strings.Contains(got[0].Wrong, "second server") || fixWords(got[0].Fix) != "setup client=claude" {
		t.Fatalf("two servers: %+v", got)
	}
	w.must(Input{Client: "claude"})
	if got := f.Installed(); len(got) != 0 {
		t.Errorf("after the repair: %+v", got)
	}
}

// TestDesktopNeedsFolder holds that a client that starts servers outside of projects is told a folder.
func TestDesktopNeedsFolder(t *testing.T) {
	w := newWorld(t)
	if _, err := w.run(Input{Client: "claude-desktop"}); fault.KindOf(err) != fault.Usage || !strings.Contains(fault.HintOf(err), "--root FOLDER") {
		t.Errorf("without a folder: %v", err)
	}
	r, _ := w.must(Input{Client: "claude-desktop", Roots: []string{"."}})
	if !strings.Contains(strings.Join(r.Command, " "), "--root "+w.work) || len(r.Next) == 0 || !strings.Contains(r.Next[0], "Settings, Developer") {
		t.Errorf("with one: %q, %q", r.Command, r.Next)
	}
	if _, err := w.run(Input{Client: "claude-desktop", Uninstall: true}); err != nil {
		t.Errorf("uninstall: %v", err)
	}
	if _, err := w.run(Input{Client: "lmstudio"}); err != nil {
		t.Errorf("another client: %v", err)
	}
	w.write("home/.config/Claude/x", "")
	all, err := w.run(Input{Yes: true})
	if err != nil || len(all.Skipped) != 1 || !strings.Contains(all.Skipped[0].Why, "needs --root") {
		t.Errorf("among all clients: %+v, %v", all, err)
	}
}
