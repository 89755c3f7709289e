package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestCatalogue holds what setup writes for each client of the catalogue, and where on
// each system, to testdata/clients.txt, which is read against the vendors' documents.
func TestCatalogue(t *testing.T) {
	var b strings.Builder
	for _, c := range catalogue {
		if !strings.HasPrefix(c.source, "https://") {
			t.Errorf("%s has no source", c.name)
		}
		fmt.Fprintf(&b, "== %s: %s\n", c.name, c.source)
		for _, project := range []bool{false, true} {
			w := newWorld(t)
			w.env["PATH"] = filepath.Dir(w.exe)
			in := Input{Client: c.name, Project: project, Tools: []string{"code"}}
			if c.outside {
				in.Roots = []string{w.work}
			}
			text := ""
			for _, system := range []string{"linux", "darwin", "windows"} {
				if project && system != "linux" {
					continue
				}
				w.system = system
				r, err := w.run(in)
				if err != nil {
					fmt.Fprintf(&b, "%v\n", err)
					break
				}
				rel, _ := filepath.Rel(filepath.Dir(w.home), r.Files[0].Path)
				fmt.Fprintf(&b, "%s\n", filepath.ToSlash(rel))
				text = strings.ReplaceAll(w.read(r.Files[0].Path), filepath.ToSlash(filepath.Dir(w.exe)), "BIN")
				text = strings.ReplaceAll(text, filepath.ToSlash(w.work), "WORK")
			}
			b.WriteString(text)
		}
	}
	golden := filepath.Join("testdata", "clients.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != b.String() {
		t.Errorf("%v: setup writes\n%s", err, b.String())
	}
}

// TestNames holds that the command knows the clients that there are.
func TestNames(t *testing.T) {
	f, _ := reflect.TypeFor[Input]().FieldByName("Client")
	if got, want := f.Tag.Get("enum"), strings.Join(append(clientNames(), loa), "|"); got != want {
		t.Errorf("enum %s, want %s", got, want)
	}
}

// TestPlaces holds where a path of the catalogue is if the system's variables say so.
func TestPlaces(t *testing.T) {
	w := newWorld(t)
	f := func(system string, env map[string]string) *Feature {
		return New(Config{Home: w.home, System: system, Lookup: func(n string) (string, bool) { v, ok := env[n]; return v, ok }})
	}
	dir := t.TempDir()
	for _, tc := range []struct {
		system, variable, path, want string
	}{
		{"linux", "XDG_CONFIG_HOME", "app/x", filepath.Join(dir, "x")},
		{"linux", "XDG_CONFIG_HOME", "~/x", filepath.Join(w.home, "x")},
		{"darwin", "XDG_CONFIG_HOME", "config/x", filepath.Join(dir, "x")},
		{"darwin", "XDG_CONFIG_HOME", "app/x", filepath.Join(w.home, "Library", "Application Support", "x")},
		{"windows", "APPDATA", "app/x", filepath.Join(dir, "x")},
		{"windows", "LOCALAPPDATA", "local/x", filepath.Join(dir, "x")},
		{"windows", "LOCALAPPDATA", "app/x", filepath.Join(w.home, "AppData", "Roaming", "x")},
	} {
		if got := f(tc.system, map[string]string{tc.variable: dir}).place(tc.path); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}

// TestYAMLServer holds that all but our lines of a YAML file stay, whatever they are.
func TestYAMLServer(t *testing.T) {
	s := yamlServer{key: "extensions", name: "assay", exe: "assay"}
	entry := "  assay:\n    type: stdio\n    name: \"assay\"\n    enabled: true\n    cmd: \"/opt/assay/bin/assay\"\n    args: [\"serve\", \"--tools\", \"code,docs\"]\n    timeout: 300\n"
	for _, tc := range []struct{ in, out, cut string }{
		{"", "extensions:\n" + entry, ""},
		{"a: 1", "a: 1\nextensions:\n" + entry, "a: 1\n"},
		{"# c\na: 1\n", "# c\na: 1\nextensions:\n" + entry, "# c\na: 1\n"},
		{"extensions:\na: 1\n", "extensions:\n" + entry + "a: 1\n", "a: 1\n"},
		{"extensions: # mine\n  x:\n    cmd: y\n\n# end\na: |\n  extensions:\n", "extensions: # mine\n  x:\n    cmd: y\n" + entry + "\n# end\na: |\n  extensions:\n", ""},
		{"extensions:\n    ü: {cmd: y}\n", "extensions:\n    ü: {cmd: y}\n" + strings.ReplaceAll("  "+strings.ReplaceAll(strings.TrimSuffix(entry, "\n"), "\n", "\n  ")+"\n", "\t", ""), ""},
		{"a: 1\r\n", "a: 1\r\n" + strings.ReplaceAll("extensions:\n"+entry, "\n", "\r\n"), ""},
	} {
		got, err := s.put([]byte(tc.in), command)
		if err != nil || string(got) != tc.out {
			t.Errorf("%q: %v\n%s\nwant\n%s", tc.in, err, got, tc.out)
			continue
		}
		is, err := s.look(got)
		if err != nil || is.state != ours || !reflect.DeepEqual(is.command, command) {
			t.Errorf("%q: %+v, %v", tc.in, is, err)
		}
		other, err := s.put(got, []string{"assay", "serve"})
		if err != nil || !strings.Contains(string(other), `cmd: "assay"`) || !strings.Contains(string(other), `args: ["serve"]`) || strings.Contains(string(other), "docs") {
			t.Errorf("%q for another command: %v\n%s", tc.in, err, other)
		}
		if back, err := s.put(other, command); err != nil || string(back) != tc.out {
			t.Errorf("%q and back: %v\n%s", tc.in, err, back)
		}
		want := tc.cut
		if want == "" {
			want = tc.in
		}
		if back, err := s.cut(got); err != nil || string(back) != want {
			t.Errorf("%q cut: %v\n%q\nwant\n%q", tc.in, err, back, want)
		}
		spans, err := s.private(got)
		if err != nil {
			t.Error(err)
		}
		for _, p := range spans {
			if strings.Contains(string(got[p.start:p.end]), "opt/assay") {
				t.Errorf("%q hides our own %q", tc.in, got[p.start:p.end])
			}
		}
	}
	for in, want := range map[string]state{
		"extensions:\n  assay:\n    cmd: other\n    args: []\n":                         foreign,
		"extensions:\n  assay: {cmd: assay, args: [serve]}\n":                           ours,
		"extensions:\n  assay:\n    cmd: assay\n    args:\n    - serve\n    - --root\n": ours,
		"extensions:\n  assay: text\n":                                                  foreign,
		"extensions: \n":                                                                none,
	} {
		if is, err := s.look([]byte(in)); err != nil || is.state != want {
			t.Errorf("%q: %+v, %v", in, is, err)
		}
	}
	for in, want := range map[string]string{
		"a: 1\n---\nb: 2\n":          "the file has more than one document",
		"[1]":                        "the document is not a block mapping",
		"extensions: {x: {cmd: y}}":  "extensions is not a block mapping, so setup cannot add to it",
		"extensions: 7":              "extensions is not a block mapping, so setup cannot add to it",
		"a: [":                       "invalid YAML, or a form of it that setup cannot read",
		"extensions:\n  x: *nothing": "invalid YAML, or a form of it that setup cannot read",
	} {
		if _, err := s.look([]byte(in)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	if _, err := s.put([]byte("extensions:\n  assay: {cmd: assay, args: [serve]}\n"), command); err == nil {
		t.Error("an entry in one line was changed")
	}
}

// FuzzYAMLServer holds that a text with our entry is what it was, and our entry.
func FuzzYAMLServer(f *testing.F) {
	f.Add("extensions:\n  x:\n    cmd: y\n")
	f.Add("a: |\n  b\nextensions:\n- x\n")
	f.Add("extensions:\n  assay:\n    cmd: assay\n    args:\n    - serve\n")
	s := yamlServer{key: "extensions", name: "assay", exe: "assay"}
	f.Fuzz(func(t *testing.T, text string) {
		was, err := s.look([]byte(text))
		if err != nil || was.state != none {
			return
		}
		got, err := s.put([]byte(text), command)
		if err != nil {
			return
		}
		var before, after map[string]any
		if yaml.Unmarshal([]byte(text), &before) != nil || yaml.Unmarshal(got, &after) != nil {
			return
		}
		if is, err := s.look(got); err != nil || is.state != ours {
			return // setup says so and writes nothing
		}
		servers, _ := after["extensions"].(map[string]any)
		delete(servers, "assay")
		if len(servers) == 0 {
			delete(after, "extensions")
		}
		if b, ok := before["extensions"].(map[string]any); before["extensions"] == nil || ok && len(b) == 0 {
			delete(before, "extensions")
		}
		if len(before)+len(after) > 0 && !reflect.DeepEqual(before, after) {
			t.Errorf("%q became\n%s", text, got)
		}
	})
}

// TestEvery holds that without a client all that are there are shown, and written only
// once somebody has said so.
func TestEvery(t *testing.T) {
	w := newWorld(t)
	if _, err := w.run(Input{}); err == nil || !strings.Contains(err.Error(), "none of the supported clients is installed") {
		t.Errorf("nothing is there: %v", err)
	}
	w.write("home/.claude/settings.json", "{}")
	w.write("home/.gemini/settings.json", "{\"theme\": \"x\"}")
	w.write("home/.config/goose/config.yaml", "extensions: {x: {}}\n") // cannot be added to
	w.write("home/.config/Code/User/settings.json", "{}")
	before := w.tree()
	r, did := w.must(Input{})
	want := "created home/.claude.json, changed home/.gemini/settings.json, created home/.config/Code/User/mcp.json"
	if did != want || !reflect.DeepEqual(w.tree(), before) || len(r.Skipped) != 1 || r.Skipped[0].Client != "goose" || !strings.Contains(strings.Join(r.Next, "\n"), "--yes") {
		t.Errorf("with nobody to ask: %s, %+v, %q", did, r.Skipped, r.Next)
	}
	asked := ""
	w.confirm = func(_ context.Context, text, question string) (bool, error) {
		asked = text + question
		return false, nil
	}
	// What was shown with the question is not shown once more.
	shown := func(r *Result) string {
		var b strings.Builder
		if err := r.WriteText(&b, false); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if !strings.Contains(shown(r), "\n+") {
		t.Errorf("nobody was asked, and no difference is shown:\n%s", shown(r))
	}
	r, did = w.must(Input{})
	if did != want || !reflect.DeepEqual(w.tree(), before) || !strings.Contains(asked, "+") || !strings.HasSuffix(asked, "Write 3 files?") || strings.Contains(shown(r), "\n+") {
		t.Errorf("refused: %s\n%s\n%s", did, asked, shown(r))
	}
	w.confirm = func(context.Context, string, string) (bool, error) { return true, nil }
	r, did = w.must(Input{})
	if strings.Contains(shown(r), "\n+") || !strings.Contains(shown(r), ".claude.json created") {
		t.Errorf("agreed:\n%s", shown(r))
	}
	if did != want || r.DryRun || !strings.Contains(strings.Join(r.Next, "\n"), "Gemini CLI: restart Gemini CLI") || len(w.tree()) < len(before)+2 {
		t.Errorf("agreed: %s, %+v", did, r)
	}
	w.confirm = func(context.Context, string, string) (bool, error) {
		t.Error("asked though --yes was given")
		return false, nil
	}
	if _, did := w.must(Input{Uninstall: true, Yes: true}); did != "removed home/.claude.json, unchanged home/.claude/settings.json, restored home/.gemini/settings.json, removed home/.config/Code/User/mcp.json" || !reflect.DeepEqual(w.tree(), before) {
		t.Errorf("uninstalled: %s, %v", did, w.tree())
	}
	if r, _ := w.must(Input{Uninstall: true}); len(r.Files) > 0 || shown(r) != "no client is set up for this user or in this project\n" {
		t.Errorf("uninstalled twice: %+v", r)
	}
	w.write("work/.assay/index/index.db", "x")
	w.write("work/.assay/modules/mine.lua", "x")
	if r, _ := w.must(Input{Uninstall: true, Yes: true}); !strings.Contains(strings.Join(r.Next, "\n"), "you can delete it") {
		t.Errorf("an index, with --yes: %q", r.Next)
	}
	w.confirm = func(_ context.Context, text, question string) (bool, error) {
		asked = text + question
		return true, nil
	}
	if r, _ := w.must(Input{Uninstall: true}); !strings.HasSuffix(asked, "Delete it?") || !strings.Contains(asked, filepath.Join(w.work, ".assay", "index")) || !strings.Contains(strings.Join(r.Next, "\n"), "deleted") {
		t.Errorf("an index: asked %q, %q", asked, r.Next)
	}
	if _, err := os.Stat(filepath.Join(w.work, ".assay", "index")); !os.IsNotExist(err) {
		t.Errorf("the index is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(w.work, ".assay", "modules", "mine.lua")); err != nil {
		t.Errorf("what assay did not make: %v", err)
	}
	w.write("work/.assay/index/index.db", "x")
	if err := os.RemoveAll(filepath.Join(w.work, ".assay", "modules")); err != nil {
		t.Fatal(err)
	}
	w.must(Input{Uninstall: true})
	if _, err := os.Stat(filepath.Join(w.work, ".assay")); !os.IsNotExist(err) {
		t.Errorf("an empty folder is left: %v", err)
	}
	w.write("work/.vscode/settings.json", "{}")
	w.write("work/.github/workflows/x.yml", "")
	if _, did := w.must(Input{Project: true, Yes: true}); did != "created work/.vscode/mcp.json" {
		t.Errorf("of the project: %s", did)
	}
}

// TestUninstallProject holds that --uninstall without a client also undoes what --project
// wrote in the project that it is started in, in the order and with the one question of all.
func TestUninstallProject(t *testing.T) {
	w := newWorld(t)
	w.write("home/.claude/settings.json", "{}")
	w.write("work/main.go", "package main\n")
	before := w.tree()
	w.must(Input{Client: "claude", Memory: true})
	w.must(Input{Client: "claude", Project: true, Memory: true})
	w.must(Input{Client: "cursor", Project: true, Memory: true})
	questions := 0
	w.confirm = func(_ context.Context, text, _ string) (bool, error) {
		questions++
		if !strings.Contains(text, ".mcp.json") || !strings.Contains(text, ".claude.json") {
			t.Errorf("not shown before it is removed:\n%s", text)
		}
		return true, nil
	}
	r, did := w.must(Input{Uninstall: true})
	if !reflect.DeepEqual(w.tree(), before) || questions != 1 || !slices.Equal(r.Clients, []string{"claude", "cursor"}) {
		t.Errorf("%d questions, %q: %s\n%v", questions, r.Clients, did, w.tree())
	}
	w.must(Input{Client: "claude"})
	w.must(Input{Client: "cursor", Project: true})
	if _, did := w.must(Input{Uninstall: true, Project: true, Yes: true}); did != "removed work/.cursor/mcp.json, unchanged work/.cursor/hooks.json" {
		t.Errorf("of the project alone: %s", did)
	}
}
