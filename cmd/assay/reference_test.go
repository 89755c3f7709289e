package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/config"
)

var update = flag.Bool("update", false, "write docs/reference.md")

// docs/reference.md is what the program says of itself: the help of every command, the
// tools of its server and its settings.
func TestReference(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("help differs there: it names other folders")
	}
	home := t.TempDir()
	ask := func(stdin string, args ...string) []byte {
		t.Helper()
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), self, args...)
		cmd.Args[0] = "assay"
		cmd.Dir, cmd.Stdin = home, strings.NewReader(stdin)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("assay %v: %v", args, err)
		}
		return out
	}
	var page bytes.Buffer
	page.WriteString("# Reference\n\nWhat the program says of itself: every command, tool and setting. It is made by `go test ./cmd/assay -run TestReference -update`.\n")
	page.WriteString("\n## Commands\n")
	for _, name := range commands(string(ask("", "completion", "man"))) {
		fmt.Fprintf(&page, "\n### assay %s\n\n```text\n%s```\n", name, ask("", append(strings.Fields(name), "--help")...))
	}
	page.WriteString("\n## Tools\n\nThose of `assay serve`; `--tools` chooses some of them. A parameter in bold is required.\n")
	for line := range strings.Lines(string(ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`, "serve"))) {
		page.WriteString(tools(t, line))
	}
	page.WriteString("\n## Settings\n\n| setting | what it is |\n|---|---|\n")
	var shown config.Settings
	if err := json.Unmarshal(ask("", "config", "show", "--json"), &shown); err != nil {
		t.Fatal(err)
	}
	for _, s := range shown.Settings {
		if s.Means == "" {
			t.Errorf("nothing says what the setting %s is", s.Key)
		}
		fmt.Fprintf(&page, "| `%s` | %s |\n", s.Key, s.Means)
	}
	page.WriteString("\nEach is also a variable: `ASSAY_` and the name in capitals, with `_` for `.`, such as `ASSAY_SEARCH_TOP_K`.\n")
	const file = "../../docs/reference.md"
	if *update {
		if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(kept, page.Bytes()) {
		t.Errorf("docs/reference.md is not what the program says (%v): run the test with -update and read the difference", err)
	}
	if n := strings.Count(page.String(), "\n### "); n < 80 {
		t.Errorf("it has %d commands and tools", n)
	}
}

// commands are those of a manual page, in its order.
func commands(man string) (out []string) {
	for _, m := range regexp.MustCompile(`(?m)^\.SH "ASSAY ([^"]+)"$`).FindAllStringSubmatch(man, -1) {
		out = append(out, strings.ToLower(strings.ReplaceAll(m[1], `\-`, "-")))
	}
	return out
}

// tools are those of an answer to tools/list, each with its parameters; "" for another line.
func tools(t *testing.T, line string) string {
	var answer struct {
		Result struct {
			Tools []struct {
				Name, Description string
				InputSchema       struct {
					Required   []string
					Properties map[string]struct {
						Type        any
						Description string
						Enum        []string
						Default     any
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, tool := range answer.Result.Tools {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", tool.Name, tool.Description)
		for _, name := range slices.Sorted(maps.Keys(tool.InputSchema.Properties)) {
			p := tool.InputSchema.Properties[name]
			label := "`" + name + "`"
			if slices.Contains(tool.InputSchema.Required, name) {
				label = "**" + label + "**"
			}
			fmt.Fprintf(&b, "- %s (%v)", label, p.Type)
			if p.Description != "" {
				b.WriteString(": " + p.Description)
			}
			if len(p.Enum) > 0 {
				fmt.Fprintf(&b, "; one of %s", strings.Join(p.Enum, ", "))
			}
			if p.Default != nil {
				fmt.Fprintf(&b, "; %v unless told", p.Default)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
