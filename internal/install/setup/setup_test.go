package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/testaid"
	"github.com/assay-dev/assay/internal/base/work"
)

// A world is a home, a project and a program, of which there is nothing else.
type world struct {
	*testing.T
	home, work, exe string
	env             map[string]string
	notes           []string
	system          string
	confirm         func(ctx context.Context, text, question string) (bool, error)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, system: "linux", home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work"), exe: filepath.Join(dir, "bin", "assay"), env: map[string]string{}}
	for _, d := range []string{w.home, w.work, filepath.Dir(w.exe)} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	testaid.WriteProgram(t, w.exe, []byte("#!/bin/sh\n"))
	return w
}

func (w *world) run(in Input) (*Result, error) {
	w.Helper()
	f := New(Config{Home: w.home, WorkDir: w.work, Exe: w.exe, System: w.system, Confirm: w.confirm,
		Delete: os.RemoveAll, // as the index does, which the feature does not know
		Lookup: func(name string) (string, bool) { v, ok := w.env[name]; return v, ok },
		Now:    func() time.Time { return time.Date(2026, 11, 21, 14, 2, 54, 0, time.UTC) }, Tools: []string{"code", "docs", "memory"}})
	ctx := work.With(w.Context(), work.Report{Note: func(format string, args ...any) { w.notes = append(w.notes, format) }})
	return f.Setup(ctx, in)
}

// must runs what has to succeed and returns the actions on the files.
func (w *world) must(in Input) (*Result, string) {
	w.Helper()
	r, err := w.run(in)
	if err != nil {
		w.Fatalf("%+v: %v", in, err)
	}
	var out []string
	for _, f := range r.Files {
		rel, err := filepath.Rel(filepath.Dir(w.home), f.Path)
		if err != nil {
			w.Fatal(err)
		}
		out = append(out, f.Action+" "+filepath.ToSlash(rel))
	}
	return r, strings.Join(out, ", ")
}

func (w *world) write(name, text string) string {
	w.Helper()
	path := filepath.Join(filepath.Dir(w.home), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		w.Fatal(err)
	}
	return path
}

func (w *world) read(path string) string {
	w.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

// tree is all files below home and work with their content and permissions.
func (w *world) tree() map[string]string {
	w.Helper()
	out := map[string]string{}
	for _, dir := range []string{w.home, w.work} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			out[path] = info.Mode().String()
			if info.Mode().IsRegular() {
				out[path] += " " + w.read(path)
			}
			return nil
		})
		if err != nil {
			w.Fatal(err)
		}
	}
	return out
}

// clients are all that setup writes: where, and a text that a client accepts there.
var clients = []struct {
	client  string
	project bool
	files   map[string]string // by what: server, hooks or plugin
}{
	{"opencode", false, map[string]string{"server": "home/.config/opencode/opencode.json", "plugin": "home/.config/opencode/plugin/assay-memory.js"}},
	{"opencode", true, map[string]string{"server": "work/opencode.json", "plugin": "work/.opencode/plugin/assay-memory.js"}},
	{"claude", false, map[string]string{"server": "home/.claude.json", "hooks": "home/.claude/settings.json"}},
	{"claude", true, map[string]string{"server": "work/.mcp.json", "hooks": "work/.claude/settings.json"}},
	{"codex", false, map[string]string{"server": "home/.codex/config.toml", "hooks": "home/.codex/hooks.json"}},
	{"codex", true, map[string]string{"server": "work/.codex/config.toml", "hooks": "work/.codex/hooks.json"}},
	{"cursor", false, map[string]string{"server": "home/.cursor/mcp.json", "hooks": "home/.cursor/hooks.json"}},
	{"cursor", true, map[string]string{"server": "work/.cursor/mcp.json", "hooks": "work/.cursor/hooks.json"}},
	{"vscode", false, map[string]string{"server": "home/.config/Code/User/mcp.json"}},
	{"vscode", true, map[string]string{"server": "work/.vscode/mcp.json"}},
	{"amp", false, map[string]string{"server": "home/.config/amp/settings.json"}},
	{"copilot", false, map[string]string{"server": "home/.copilot/mcp-config.json"}},
	{"goose", false, map[string]string{"server": "home/.config/goose/config.yaml"}},
	{"kilo", true, map[string]string{"server": "work/.kilo/kilo.jsonc"}},
	{"zed", false, map[string]string{"server": "home/.config/zed/settings.json"}},
}

// TestFromNothing holds that setup and then uninstall leave nothing.
func TestFromNothing(t *testing.T) {
	for _, c := range clients {
		w := newWorld(t)
		in := Input{Client: c.client, Project: c.project, Memory: true, Tools: []string{"code, docs", "memory"}, DBs: []string{"lib.db"}}
		dry := in
		dry.DryRun = true
		r, did := w.must(dry)
		if len(w.tree()) > 0 || len(r.Files) != len(c.files) {
			t.Fatalf("%s: a dry run wrote %v, %s", c.client, w.tree(), did)
		}
		// One decides on the dry run: it says what the client has no place for.
		if alone := c.files["hooks"]+c.files["plugin"] == ""; (len(r.Limits) == 1 && strings.Contains(r.Limits[0], "memory only as tools")) != alone {
			t.Errorf("%s: limits %q", c.client, r.Limits)
		}
		limits := r.Limits
		r, _ = w.must(in)
		if len(r.Next) == 0 || r.Command[0] != w.exe || !slices.Equal(r.Limits, limits) {
			t.Errorf("%s: %+v", c.client, r)
		}
		for _, f := range r.Files {
			if want := filepath.Join(filepath.Dir(w.home), c.files[f.What]); f.Path != want || f.Action != "created" || f.Backup != "" || !strings.Contains(f.Diff, "\n+") || strings.Contains(f.Diff, `"…"`) {
				t.Errorf("%s: %+v, want %s", c.client, f, want)
			}
			perm := map[bool]os.FileMode{false: 0o600, true: 0o644}[c.project]
			if info, err := os.Stat(f.Path); err != nil || info.Mode().Perm() != perm && runtime.GOOS != "windows" {
				t.Errorf("%s: %v, %v", f.Path, info.Mode(), err)
			}
		}
		other := in
		other.Tools = nil
		w.must(other)
		w.must(in)
		before := w.tree()
		if r, did := w.must(in); strings.Count(did, "unchanged") != len(r.Files) || len(r.Next) > 0 || !reflect.DeepEqual(w.tree(), before) {
			t.Errorf("%s again: %s, next %q", c.client, did, r.Next)
		}
		w.must(Input{Client: c.client, Project: c.project, Uninstall: true, DryRun: true})
		if !reflect.DeepEqual(w.tree(), before) {
			t.Errorf("%s: a dry run changed %v", c.client, w.tree())
		}
		if r, did = w.must(Input{Client: c.client, Project: c.project, Uninstall: true}); strings.Count(did, "removed") != len(r.Files) || len(w.tree()) > 0 {
			t.Errorf("%s: uninstall %s left %v", c.client, did, w.tree())
		}
		if _, did := w.must(Input{Client: c.client, Project: c.project, Uninstall: true}); strings.Contains(did, "removed") || len(w.tree()) > 0 {
			t.Errorf("%s: uninstall again: %s", c.client, did)
		}
	}
}

// full are texts of clients in use, with what nobody else should see.
var full = map[string]string{
	".json": "{\n\t\"theme\": \"dark\",\n\t\"mcp\": {\n\t\t\"x\": {\"type\": \"remote\", \"url\": \"http://127.0.0.1:1/mcp\", \"headers\": {\"Authorization\": \"Basic hunter2\"}}\n\t},\n\t\"mcpServers\": {},\n" +
		"\t\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"notify --key s3cr3t\"}]}]},\n\t\"pin\": 90210\n}",
	".jsonc": "{\n\t// s3cr3t\n\t\"mcp\": {}, \"theme\": \"dark\"\n}\n",
	".toml":  "# mine: s3cr3t\nmodel = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\" # hunter2\nenv = {TOKEN = \"hunter2\", PIN = 90210}\n",
	".yaml":  "# mine: s3cr3t\ntheme: dark\nextensions:\n  x:\n    env: {TOKEN: hunter2, PIN: 90210}\n    note: |\n      s3cr3t\n\n      hunter2\n",
	".js":    "",
}

// TestRestored holds that setup and then uninstall leave the very same bytes and
// permissions where files were before, and that no run shows what is in them.
func TestRestored(t *testing.T) {
	for _, c := range clients {
		w := newWorld(t)
		for what, name := range c.files {
			if what != "plugin" {
				w.write(name, full[filepath.Ext(name)])
			}
		}
		before := w.tree()
		in := Input{Client: c.client, Project: c.project, Memory: true}
		shown := func(in Input) (*Result, string) {
			r, did := w.must(in)
			var text bytes.Buffer
			if err := r.WriteText(&text, true); err != nil {
				t.Fatal(err)
			}
			js, _ := json.Marshal(r)
			for _, secret := range []string{"hunter2", "s3cr3t", "90210", "dark"} {
				if strings.Contains(text.String()+string(js), secret) {
					t.Errorf("%s shows %s:\n%s", c.client, secret, text.String())
				}
			}
			return r, did
		}
		r, did := shown(in)
		for _, f := range r.Files {
			if f.What != "plugin" && (f.Action != "changed" || w.read(f.Backup) != strings.SplitN(before[f.Path], " ", 2)[1]) {
				t.Errorf("%s: %s: %+v", c.client, did, f)
			}
		}
		in.Tools = []string{"docs"}
		if _, did := shown(in); !strings.HasPrefix(did, "changed") {
			t.Errorf("%s with other tools: %s", c.client, did)
		}
		in.Name = "second"
		shown(in)
		if _, did := shown(Input{Client: c.client, Project: c.project, Uninstall: true, Name: "second"}); !strings.HasPrefix(did, "restored") || strings.Contains(did, ", ") {
			t.Errorf("%s: uninstall of the second: %s", c.client, did)
		}
		_, did = shown(Input{Client: c.client, Project: c.project, Uninstall: true})
		after := w.tree()
		for path := range after {
			if strings.HasSuffix(path, backupEnd) { // two servers leave some
				delete(after, path)
			}
		}
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%s: %s:\n%v\nbecame\n%v", c.client, did, before, after)
		}
	}
}

// TestNoDebris holds that uninstall takes the backups away that it has used.
func TestNoDebris(t *testing.T) {
	for _, text := range []string{"", " \n", "{}", "{ }\n", "{\n  // c\n}", `{"mcp": {}}`, "{\"a\": 1,\n\n\n }", "{\"mcp\": {\n }, }", `{"mcp": {"assay": {"type": "remote", "url": "http://127.0.0.1:1/mcp"}}}`} {
		w := newWorld(t)
		path := w.write("home/.config/opencode/opencode.json", text)
		before := w.tree()
		for _, in := range []Input{{Client: "opencode", Force: true}, {Client: "opencode", Tools: []string{"docs"}}, {Client: "opencode", Tools: []string{"code"}}} {
			w.must(in)
		}
		if r, did := w.must(Input{Client: "opencode", Uninstall: true}); !strings.HasPrefix(did, "restored") || !reflect.DeepEqual(w.tree(), before) {
			t.Errorf("%q: %s left %v\n%s", text, did, w.tree(), r.Files[0].Diff)
		}
		if w.read(path) != text {
			t.Errorf("%q became %q", text, w.read(path))
		}
	}
}

// TestEditedAround holds that uninstall keeps what somebody did in the meantime.
func TestEditedAround(t *testing.T) {
	w := newWorld(t)
	path := w.write("home/.config/opencode/opencode.jsonc", "{\n  // mine\n  \"theme\": \"x\",\n}\n")
	w.must(Input{Client: "opencode"})
	text := w.read(path)
	text = strings.Replace(text, "\"theme\": \"x\"", "\"theme\": \"y\", // new", 1)
	text = strings.Replace(text, `"enabled": true`, `"enabled": false, "timeout": 5`, 1)
	w.write("home/.config/opencode/opencode.jsonc", text)
	r, did := w.must(Input{Client: "opencode", Uninstall: true})
	if got := w.read(path); got != "{\n  // mine\n  \"theme\": \"y\", // new\n}\n" && got != "{\n  // mine\n  \"theme\": \"y\", // new,\n}\n" || !strings.HasPrefix(did, "changed") {
		t.Errorf("%s: %q", did, got)
	}
	if w.read(r.Files[0].Backup) != text {
		t.Error("what was there before is not kept")
	}
}

func TestForeign(t *testing.T) {
	w := newWorld(t)
	path := w.write("work/.mcp.json", "{\n  \"mcpServers\": {\n    \"assay\": {\"command\": \"other\", \"env\": {\"KEY\": \"hunter2\"}}\n  }\n}\n")
	before := w.tree()
	in := Input{Client: "claude", Project: true, Tools: []string{"docs"}}
	_, err := w.run(in)
	if err == nil || err.Error() != path+":3:14: assay already exists and was not written by assay" || fault.KindOf(err) != fault.Usage {
		t.Fatalf("err = %v", err)
	}
	fix := fault.FixOf(err)
	again := Input{}
	for _, a := range fix.Args {
		v := reflect.ValueOf(&again).Elem()
		for i := range v.NumField() {
			if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name == a.Name {
				v.Field(i).Set(reflect.ValueOf(a.Value))
			}
		}
	}
	in.Force = true
	if fix.Op != "setup" || !reflect.DeepEqual(again, in) {
		t.Errorf("fix = %+v", fix)
	}
	if _, did := w.must(Input{Client: "claude", Project: true, Uninstall: true}); strings.Contains(did, "restored") || len(w.notes) != 1 || !reflect.DeepEqual(w.tree(), before) {
		t.Errorf("uninstall of what is not ours: %s, %v", did, w.notes)
	}
	r, _ := w.must(again)
	if strings.Contains(r.Files[0].Diff, "hunter2") || !strings.Contains(r.Files[0].Diff, `"KEY": "…"`) || strings.Contains(w.read(path), "hunter2") {
		t.Errorf("diff:\n%s", r.Files[0].Diff)
	}
	if w.must(Input{Client: "claude", Project: true, Uninstall: true}); !reflect.DeepEqual(w.tree(), before) {
		t.Errorf("it left %v", w.tree())
	}
	plugin := w.write("home/.config/opencode/plugin/assay-memory.js", "export const mine = 1\n")
	if _, err := w.run(Input{Client: "opencode", Memory: true}); fault.KindOf(err) != fault.Usage || w.read(plugin) != "export const mine = 1\n" {
		t.Errorf("a plugin that is not ours: %v", err)
	}
	if _, err := os.Stat(filepath.Join(w.home, ".config", "opencode", "opencode.json")); err == nil {
		t.Error("a file was written though another was refused")
	}
	w.must(Input{Client: "opencode", Memory: true, Force: true})
	if _, did := w.must(Input{Client: "opencode", Uninstall: true}); !strings.Contains(did, "restored") || w.read(plugin) != "export const mine = 1\n" {
		t.Errorf("uninstall after force: %s", did)
	}
}

func TestBroken(t *testing.T) {
	for _, tc := range []struct{ client, name, text, want string }{
		{"opencode", "home/.config/opencode/opencode.json", "{\n  // c\n  \"a\": s3cr3t\n}", ":3:8: expected a value"},
		{"opencode", "home/.config/opencode/opencode.json", "{\n  \"mcp\": []\n}", ":2:10: \"mcp\" is not an object"},
		{"claude", "home/.claude.json", "{\n  // c\n}", ":2:3: a comment, which this client does not accept"},
		{"claude", "home/.claude/settings.json", "[]", ":1:1: the document is not an object"},
		{"codex", "home/.codex/config.toml", "a = 1\nb = s3cr3t\n", ":2:5: invalid TOML, or a duplicate key"},
		{"codex", "home/.codex/config.toml", "[a]\n[a]\n", ":2:2: invalid TOML, or a duplicate key"},
		{"codex", "home/.codex/config.toml", "mcp_servers = {}\n", ":1:1: mcp_servers is an inline table, so setup cannot add to it: write [mcp_servers.NAME] for each server"},
		{"codex", "home/.codex/hooks.json", "{\"hooks\": 1}", ":1:11: \"hooks\" is not an object"},
		{"cursor", "home/.cursor/mcp.json", "{\"mcpServers\": \"s3cr3t\"}", ":1:16: \"mcpServers\" is not an object"},
	} {
		for _, uninstall := range []bool{false, true} {
			w := newWorld(t)
			path := w.write(tc.name, tc.text)
			before := w.tree()
			_, err := w.run(Input{Client: tc.client, Memory: !uninstall, Uninstall: uninstall, Force: true})
			if err == nil || err.Error() != path+tc.want || fault.KindOf(err) != fault.Usage {
				t.Errorf("%s: %v, want %s%s", tc.client, err, path, tc.want)
			}
			if !reflect.DeepEqual(w.tree(), before) {
				t.Errorf("%s: it left %v", tc.client, w.tree())
			}
		}
	}
}

func TestUsage(t *testing.T) {
	w := newWorld(t)
	tests := []struct {
		name string
		in   Input
		kind fault.Kind
		want string
	}{
		{"unknown client", Input{Client: "vim"}, fault.Usage, `unknown client "vim"`},
		{"name with a space", Input{Client: "codex", Name: "a b"}, fault.Usage, `--name "a b"`},
		{"name like a flag", Input{Client: "codex", Name: "-x"}, fault.Usage, `--name "-x"`},
		{"long name", Input{Client: "codex", Name: strings.Repeat("x", 65)}, fault.Usage, "at most 64 letters"},
		{"unknown tools", Input{Client: "codex", Tools: []string{"code,graphs"}}, fault.Usage, `unknown set of tools "graphs"`},
		{"empty tools", Input{Client: "codex", Tools: []string{""}}, fault.Usage, `unknown set of tools ""`},
		{"missing root", Input{Client: "codex", Roots: []string{"absent"}}, fault.NotFound, "--root: folder absent not found"},
		{"empty root", Input{Client: "codex", Roots: []string{""}}, fault.Usage, "a path is empty"},
		{"control character", Input{Client: "codex", DBs: []string{"a\nb"}}, fault.Usage, "control character"},
		{"tools to uninstall", Input{Client: "codex", Uninstall: true, Tools: []string{"code"}}, fault.Usage, "--uninstall does not accept"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := w.run(tt.in)
			if err == nil || fault.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.want) || fault.HintOf(err) == "" {
				t.Errorf("%+v: %v", tt.in, err)
			}
		})
	}
	if _, err := New(Config{WorkDir: w.work, Exe: w.exe}).Setup(t.Context(), Input{Client: "codex"}); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("without a home: %v", err)
	}
	if len(w.tree()) > 0 {
		t.Errorf("it wrote %v", w.tree())
	}
}

// TestNewPlugin holds that an old version of the plugin is replaced and taken away.
func TestNewPlugin(t *testing.T) {
	w := newWorld(t)
	path := w.write("home/.config/opencode/plugin/assay-memory.js", pluginMark+", an older one\n")
	if _, did := w.must(Input{Client: "opencode", Memory: true}); !strings.Contains(did, "changed home/.config/opencode/plugin/assay-memory.js") {
		t.Error(did)
	}
	if _, did := w.must(Input{Client: "opencode", Uninstall: true}); !strings.Contains(did, "removed home/.config/opencode/plugin/assay-memory.js") {
		t.Error(did)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it is still there")
	}
}

func TestCommand(t *testing.T) {
	w := newWorld(t)
	w.write("work/-odd/x", "")
	r, _ := w.must(Input{Client: "codex", Tools: []string{"code", "docs,code"}, Roots: []string{"-odd", w.home}, DBs: []string{"a.db"}})
	want := []string{w.exe, "serve", "--tools", "code,docs", "--root", filepath.Join(w.work, "-odd"), "--root", w.home, "--db", filepath.Join(w.work, "a.db")}
	if !reflect.DeepEqual(r.Command, want) {
		t.Errorf("command = %q", r.Command)
	}
	if r, _ := w.must(Input{Client: "codex", Tools: []string{"+docs"}}); !reflect.DeepEqual(r.Command, []string{w.exe, "serve", "--tools", "+docs"}) {
		t.Errorf("command = %q", r.Command)
	}
	// PATH has another assay first, then this one through a link.
	other := w.write("other/assay", "")
	link := filepath.Join(filepath.Dir(w.home), "links", "assay")
	if err := os.Mkdir(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.exe, link); err != nil {
		t.Skip(err)
	}
	w.env["PATH"] = strings.Join([]string{"relative", filepath.Dir(link), filepath.Dir(other)}, string(os.PathListSeparator))
	if r, _ := w.must(Input{Client: "codex"}); r.Command[0] != link {
		t.Errorf("command = %q, want the link", r.Command)
	}
	if r, _ := w.must(Input{Client: "codex", Project: true, Roots: []string{"-odd"}, Memory: true}); !reflect.DeepEqual(r.Command, []string{"assay", "serve", "--root", "./-odd"}) || !strings.Contains(strings.Join(r.Next, "\n"), "needs assay in PATH") {
		t.Errorf("command = %q, next %q", r.Command, r.Next)
	}
	if r, _ := w.must(Input{Client: "cursor", Project: true}); !reflect.DeepEqual(r.Command, []string{"assay", "serve", "--root", "${workspaceFolder}"}) {
		t.Errorf("command = %q", r.Command)
	}
	w.env["PATH"] = filepath.Dir(other) + string(os.PathListSeparator) + filepath.Dir(link)
	if r, _ := w.must(Input{Client: "codex"}); r.Command[0] != w.exe {
		t.Errorf("command = %q, want this program", r.Command)
	}
}

func TestFolders(t *testing.T) {
	w := newWorld(t)
	for name, dir := range map[string]string{"XDG_CONFIG_HOME": "xdg", "CODEX_HOME": "cx", "CLAUDE_CONFIG_DIR": "cl"} {
		w.env[name] = filepath.Join(w.home, dir)
	}
	for _, tc := range []struct{ client, want string }{
		{"opencode", "created home/xdg/opencode/opencode.json, created home/xdg/opencode/plugin/assay-memory.js"},
		{"codex", "created home/cx/config.toml, created home/cx/hooks.json"},
		{"claude", "created home/cl/.claude.json, created home/cl/settings.json"},
		{"cursor", "created home/.cursor/mcp.json, created home/.cursor/hooks.json"},
	} {
		if _, did := w.must(Input{Client: tc.client, Memory: true}); did != tc.want {
			t.Errorf("%s: %s, want %s", tc.client, did, tc.want)
		}
	}
}

// TestOpenCodeFiles holds that the file is chosen that OpenCode goes by.
func TestOpenCodeFiles(t *testing.T) {
	ours := `{"mcp": {"assay": {"type": "local", "command": ["assay", "serve"], "enabled": true}}}`
	for _, tc := range []struct {
		files []string
		texts string // a letter each: e empty object, o ours
		setup string
		out   string
	}{
		{[]string{"opencode.json", "opencode.jsonc"}, "ee", "changed work/opencode.jsonc", "restored work/opencode.jsonc"},
		{[]string{"opencode.json", "opencode.jsonc"}, "oe", "changed work/opencode.json", "removed work/opencode.json"},
		{[]string{"opencode.json", "opencode.jsonc"}, "oo", "changed work/opencode.jsonc", "removed work/opencode.jsonc, removed work/opencode.json"},
		{[]string{".opencode/opencode.json"}, "e", "changed work/.opencode/opencode.json", "restored work/.opencode/opencode.json"},
		{nil, "", "created work/opencode.json", "removed work/opencode.json"},
	} {
		w := newWorld(t)
		for i, name := range tc.files {
			w.write("work/"+name, map[byte]string{'e': "{}", 'o': ours}[tc.texts[i]])
		}
		if _, did := w.must(Input{Client: "opencode", Project: true}); did != tc.setup {
			t.Errorf("%v: %s, want %s", tc.files, did, tc.setup)
		}
		_, did := w.must(Input{Client: "opencode", Project: true, Uninstall: true})
		if did = strings.Split(did, ", unchanged")[0]; did != tc.out {
			t.Errorf("%v: uninstall %s, want %s", tc.files, did, tc.out)
		}
	}
}
