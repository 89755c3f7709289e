package apidoc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/docs/markup"
)

func TestIsExample(t *testing.T) {
	for p, want := range map[string]bool{
		"examples/chat/src/main.rs": true, "samples/guide/src/main/java/Get.java": true, "example/app.py": true, "packages/x/ai-docs/src/a.ts": true,
		"src/chat/main.rs": false, "examples/chat/README.md": false, "examples/chat/test_chat.py": false, "examples/vite.config.ts": false, "examples/setup.py": false,
		"examples.py": false, "examples/node_modules/x/a.js": false,
	} {
		t.Run(p, func(t *testing.T) {
			if got := IsExample(p); got != want {
				t.Errorf("%v, want %v", got, want)
			}
			if want && Described(p) {
				t.Error("it is described as declarations too")
			}
		})
	}
}

func TestReadExample(t *testing.T) {
	long := "func a() {\n" + strings.Repeat("\tx()\n", 200) + "}"
	tests := []struct{ name, path, source, want string }{
		{"a comment, then code", "examples/chat/main.go", "// Chat over sockets.\n//\n// Run it with go run.\n\npackage main\n", "Example: chat\n1 prose \"Chat over sockets.\"\n3 prose \"Run it with go run.\"\n5 code go \"package main\"\n"},
		{"a block comment", "examples/retry.js", "/* Tries again. */\nretry();\n", "Example: retry\n1 prose \"Tries again.\"\n2 code javascript \"retry();\"\n"},
		{"no comment", "examples/todo_list/src/app.py", "#!/usr/bin/env python\nimport x\n\nx.run()\n", "Example: todo list\n2 code python \"import x\\n\\nx.run()\"\n"},
		{"a comment without an end", "examples/a.js", "/* x\ny();\n", "Example: a\n1 code javascript \"/* x\\ny();\"\n"},
		{"a long one is cut between statements", "examples/a.go", long + "\n\nfunc b() {}\n", fmt.Sprintf("Example: a\n1 code go %q\n204 code go \"func b() {}\"\n", long)},
		{"nothing", "examples/a.go", "\n", "Example: a\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := ReadExample(tt.path, []byte(tt.source))
			got := page.Title + "\n"
			for _, b := range page.Blocks {
				kind := "prose"
				if b.Kind == markup.Code {
					kind = "code " + b.Lang
				}
				got += fmt.Sprintf("%d %s %q\n", b.Line, kind, b.Text)
			}
			if got != tt.want {
				t.Errorf("%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
