package setup

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestPackCopied holds that integrations/loa is what setup writes.
func TestPackCopied(t *testing.T) {
	dir := filepath.Join(integrations, "loa")
	have := map[string]bool{"README.md": true}
	err := fs.WalkDir(packedFiles(), loa, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := fs.ReadFile(packedFiles(), name)
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(name, "loa/")
		have[rel] = true
		at := filepath.Join(dir, filepath.FromSlash(rel))
		if *update {
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(at, want, 0o644); err != nil {
				return err
			}
		}
		if got, err := os.ReadFile(at); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what setup writes: %v", at, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if !have[filepath.ToSlash(rel)] {
			t.Errorf("setup does not write %s", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLoaAndBack(t *testing.T) {
	for name, before := range map[string]map[string]string{
		"nothing":         {},
		"ignored":         {"work/.gitignore": "dist/\nsecret-customer/"},
		"ignored, ends":   {"work/.gitignore": "dist/\r\n"},
		"another's files": {"work/.claude/protocols/tool-result-clearing.md": "# theirs s3cr3t\n", "work/.claude/mcp-registry.yaml": "servers: {}\n"},
	} {
		w := newWorld(t)
		for f, text := range before {
			w.write(f, text)
		}
		was := w.tree()
		r, _ := w.must(Input{Client: "loa", DryRun: true})
		if !reflect.DeepEqual(w.tree(), was) || r.Message != "" {
			t.Errorf("%s: a dry run wrote %v", name, w.tree())
		}
		r, did := w.must(Input{Client: "loa"})
		if len(r.Files) != 10 || !r.Project || len(r.Command) > 0 || !strings.Contains(did, "work/.claude/protocols/self-audit-checkpoint.md") {
			t.Errorf("%s: %s", name, did)
		}
		for f, text := range before {
			if got := w.read(filepath.Join(filepath.Dir(w.home), f)); !strings.HasPrefix(got, text) || !strings.HasSuffix(f, "gitignore") && got != text {
				t.Errorf("%s: %s is now %q", name, f, got)
			}
		}
		for _, f := range r.Files {
			if strings.Contains(f.Diff, "s3cr3t") || strings.Contains(f.Diff, "secret-customer") {
				t.Errorf("%s: it shows %s", name, f.Diff)
			}
		}
		after := w.tree()
		if _, did := w.must(Input{Client: "loa"}); strings.Contains(did, "changed work") && !strings.Contains(did, "unchanged") || !reflect.DeepEqual(w.tree(), after) {
			t.Errorf("%s: again: %s", name, did)
		}
		w.must(Input{Client: "loa", Uninstall: true})
		if got := w.tree(); !reflect.DeepEqual(got, was) {
			t.Errorf("%s: taken out it leaves %v, want %v", name, got, was)
		}
	}
}

// git may give the lines of a .gitignore other ends than those that were written.
func TestLoaOtherEnds(t *testing.T) {
	w := newWorld(t)
	at := w.write("work/.gitignore", "dist/\n")
	w.must(Input{Client: "loa"})
	w.write("work/.gitignore", strings.ReplaceAll(w.read(at), "\n", "\r\n")+"more/\r\n")
	w.must(Input{Client: "loa"})
	if n := strings.Count(w.read(at), strings.TrimSpace(ignoreBegin)); n != 1 {
		t.Errorf("our lines are there %d times", n)
	}
	w.must(Input{Client: "loa", Uninstall: true})
	if got := w.read(at); got != "dist/\r\nmore/\r\n" {
		t.Errorf("%q", got)
	}
}

// A file of ours that somebody edited is kept beside, and with --force also one that is
// not ours.
func TestLoaKeeps(t *testing.T) {
	w := newWorld(t)
	w.must(Input{Client: "loa"})
	at := filepath.Join(w.work, ".claude", "protocols", "search-fallback.md")
	edited := w.read(at) + "and my own rule\n"
	if err := os.WriteFile(at, []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	theirs := w.write("work/.gitignore", "mine/\n"+w.read(filepath.Join(w.work, ".gitignore"))+"more/\n")
	r, _ := w.must(Input{Client: "loa", Uninstall: true})
	kept := ""
	for _, f := range r.Files {
		if f.Path == at {
			kept = f.Backup
		}
	}
	if kept == "" || w.read(kept) != edited {
		t.Errorf("the edited file is kept as %q", kept)
	}
	if got := w.read(theirs); got != "mine/\nmore/\n" {
		t.Errorf(".gitignore is %q", got)
	}
	if err := os.WriteFile(at, []byte("theirs\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.must(Input{Client: "loa", Force: true})
	if got := w.read(at); !strings.Contains(got, packMark) {
		t.Errorf("with force it is %q", got)
	}
	w.must(Input{Client: "loa", Uninstall: true})
	if got := w.read(at); got != "theirs\n" {
		t.Errorf("taken out it is %q", got)
	}
}

func TestLoaStatus(t *testing.T) {
	for _, tc := range []struct {
		programs []string
		message  string
	}{
		{nil, "Setup complete. For enhanced capabilities, see INSTALLATION.md"},
		{[]string{"ck"}, "Setup complete with semantic search"},
		{[]string{"bd"}, "Setup complete with task tracking"},
		{[]string{"br", "ck"}, "Setup complete with full enhancement suite"},
	} {
		w := newWorld(t)
		dir := filepath.Join(w.home, "bin")
		w.env["PATH"] = dir
		for _, p := range tc.programs {
			if err := os.Chmod(w.write("home/bin/"+p, "#!/bin/sh\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		r, _ := w.must(Input{Client: "loa"})
		if r.Message != tc.message || len(r.Status) != 2 || strings.HasPrefix(r.Status[0], "✓ ck installed") != strings.Contains(strings.Join(tc.programs, " "), "ck") {
			t.Errorf("%v: %q, %q", tc.programs, r.Status, r.Message)
		}
	}
	w := newWorld(t)
	for _, in := range []Input{{Client: "loa", Memory: true}, {Client: "loa", Roots: []string{"."}}, {Client: "loa", Name: "x"}} {
		if _, err := w.run(in); err == nil {
			t.Errorf("%+v is no error", in)
		}
	}
}

// TestRegistry holds the schemas to be strict; package op holds them to the tools.
func TestRegistry(t *testing.T) {
	text, err := fs.ReadFile(packedFiles(), "loa/mcp-registry.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Servers map[string]struct {
			Tools map[string]struct {
				Strict bool
				Schema struct {
					Additional *bool `yaml:"additionalProperties"`
					Properties map[string]map[string]any
					Required   []string
				} `yaml:"input_schema"`
				Output string `yaml:"output_format"`
			}
		}
	}
	if err := yaml.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	tools := r.Servers["assay"].Tools
	for _, name := range []string{"semantic_search", "hybrid_search", "regex_search"} {
		x, ok := tools[name]
		if !ok || !x.Strict || x.Schema.Additional == nil || *x.Schema.Additional || len(x.Schema.Required) != 1 || x.Output != "jsonl" || len(x.Schema.Properties) < 5 {
			t.Errorf("%s: %+v", name, x)
		}
	}
}
