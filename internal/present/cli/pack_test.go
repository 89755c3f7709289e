//go:build !slim

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/install/setup"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/op"
)

var pack = filepath.Join("..", "..", "..", "integrations", "loa")

// packOps are the operations that the pack speaks of, doing nothing.
func packOps() []op.Op {
	feature := code.New(workspace.New(workspace.Config{WorkDir: "/", CacheDir: "/none"}), code.Config{Trajectory: "lenient"})
	ops := op.All(op.Features{Code: feature, Audit: audit.New(audit.Config{WorkDir: "/", Project: feature.Workspace().Project}), Setup: setup.New(setup.Config{})})
	for i := range ops {
		ops[i].Run = func(_ context.Context, in any, _ op.Out) (op.Result, error) {
			if _, ok := in.(code.SearchInput); ok {
				return &code.SearchAnswer{Hits: []code.SearchHit{{Path: "/p/a.go"}}}, nil
			}
			return nil, nil
		}
	}
	return ops
}

// words cuts a command line as a shell does, up to a pipe.
func shellWords(line string) []string {
	line = strings.NewReplacer("\\\n", " ", "$PROJECT_ROOT", "/p").Replace(line)
	var out []string
	for _, m := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(line, -1) {
		if m == "|" || m == "||" {
			break
		}
		out = append(out, strings.Trim(m, `"`))
	}
	return out
}

// TestPackCommands holds that every command that the pack names is understood.
func TestPackCommands(t *testing.T) {
	ops := packOps()
	env := cli.Env{Commands: []cli.Command{{Name: "config", Brief: "x", Run: func(context.Context, []string, cli.Env) error { return nil }},
		{Name: "doctor", Brief: "x", Run: func(context.Context, []string, cli.Env) error { return nil }}}}
	tried := 0
	err := filepath.WalkDir(pack, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" || filepath.Base(path) == "README.md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var lines []string
		fences := regexp.MustCompile("(?s)```sh\n(.*?)```")
		for _, m := range fences.FindAllSubmatch(text, -1) {
			lines = append(lines, regexp.MustCompile(`(?m)^\s*(?:assay|ck) (?:.*\\\n)*.*$`).FindAllString(string(m[1]), -1)...)
		}
		for _, m := range regexp.MustCompile("`((?:assay|ck) [^`]+)`").FindAllSubmatch(fences.ReplaceAll(text, nil), -1) {
			lines = append(lines, string(m[1]))
		}
		for _, line := range lines {
			words := shellWords(line)
			var stdout, stderr bytes.Buffer
			env.Stdin, env.Stdout, env.Stderr = strings.NewReader("{}\n"), &stdout, &stderr
			run := cli.Run
			if words[0] == "ck" {
				run = cli.RunCK
			}
			if status := run(context.Background(), ops, words[1:], env); status != 0 {
				t.Errorf("%s: %s\nhas status %d: %s", path, line, status, &stderr)
			}
			tried++
		}
		return nil
	})
	if err != nil || tried < 25 {
		t.Errorf("%d commands, %v", tried, err)
	}
}

// TestPackSchemas holds that the registry says of the tools what they say themselves.
func TestPackSchemas(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(pack, "mcp-registry.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	type property struct {
		Type             string `json:"type"`
		MinLength        *int   `json:"minLength"`
		MaxLength        *int   `json:"maxLength"`
		Minimum, Maximum *float64
	}
	type object struct {
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required"`
	}
	var registry struct {
		Servers map[string]struct {
			Tools map[string]struct {
				Schema map[string]any `yaml:"input_schema"`
			}
		}
	}
	if err := yaml.Unmarshal(text, &registry); err != nil {
		t.Fatal(err)
	}
	read := func(v any) (o object) {
		b, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(b, &o)
		}
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	seen := 0
	for _, o := range packOps() {
		for _, tool := range o.Tools {
			entry, ok := registry.Servers["assay"].Tools[tool.Name]
			if !ok {
				continue
			}
			seen++
			have, want := read(entry.Schema), read(tool.Schema())
			for name, p := range want.Properties {
				q, ok := have.Properties[name]
				a, _ := json.Marshal(p)
				b, _ := json.Marshal(q)
				if !ok || !bytes.Equal(a, b) {
					t.Errorf("%s.%s is %s, the tool has %s", tool.Name, name, b, a)
				}
			}
			if len(have.Properties) != len(want.Properties) || !slices.Contains(have.Required, "query") {
				t.Errorf("%s has %d properties and requires %v", tool.Name, len(have.Properties), have.Required)
			}
		}
	}
	if seen != 3 {
		t.Errorf("%d tools, want 3", seen)
	}
}
