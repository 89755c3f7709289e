//go:build unix && !slim

package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-dev/assay/internal/present/op"
)

// placed are the arguments that may be a path of a tree, by their names in the catalogue.
var placed = []string{"path", "paths", "root", "pattern", "module", "target", "at", "function", "symbol", "type", "name", "from", "file", "files", "focus", "source", "task"}

// askingAlone are operations that ask about a tree no more than others, or do something else.
var askingAlone = []string{"watch", "exec", "run", "mock", "hook", "setup", "modules", "memory", "backup", "restore", "bundle", "docs", "context"}

// TestInputs names, to every operation that asks about a tree, a link to a file or a folder
// outside, to a device, a pipe and a socket, in the place of each of its paths: nothing outside is
// indexed or written, nothing waits, and a link that leads out is refused for that reason.
func TestInputs(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := outputsWorld{world{t.TempDir()}, self}
	for name, text := range map[string]string{"proj/main.py": "def alpha():\n    return 1\n", "proj/src/own.py": "def own():\n    pass\n", "outside/x.py": "def outside():\n    pass\n", "tmp/x": ""} {
		if err := os.MkdirAll(filepath.Dir(w.at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(w.at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, err := range map[string]error{
		"l.py": os.Symlink("../outside/x.py", w.at("proj/l.py")), "ld": os.Symlink("../outside", w.at("proj/ld")), "zero.py": os.Symlink("/dev/zero", w.at("proj/zero.py")),
		"in.py": os.Symlink("src/own.py", w.at("proj/in.py")), "pipe.py": syscall.Mkfifo(w.at("proj/pipe.py"), 0o644), "socket.py": socket(w.at("proj/socket.py")),
	} {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	before := state(t, w.at("outside"))
	// Those for which a place is a path and nothing else have to refuse, and every root; audit accept wants a reason before it looks.
	must := map[string]bool{"search paths": true, "similar at": true, "index path": true, "status path": true, "inventory pattern": true, "functions pattern": true, "imports module": true,
		"importers module": true, "dead pattern": true, "impact target": true, "def name": true}
	tried := map[string]bool{}
	for _, o := range catalogue(t) {
		group, _, _ := strings.Cut(o.Name, " ")
		if slices.Contains(askingAlone, group) || strings.HasPrefix(o.Name, "index ") {
			continue
		}
		args, err := op.Args(o.In)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range args {
			if k := a.Type.Kind(); !slices.Contains(placed, a.Name) || k != reflect.String && k != reflect.Slice {
				continue
			}
			name := o.Name + " " + a.Name
			tried[name] = true
			t.Run(name, func(t *testing.T) {
				for _, planted := range []string{"l.py", "ld", "ld/x.py", "zero.py", "pipe.py", "socket.py", "in.py"} {
					value := planted
					if name == "similar at" || name == "def name" || name == "notes rehydrate at" {
						value += ":1"
					}
					got := w.ask(t, o.Name+" "+callWith(args, a, value))
					if after := state(t, w.at("outside")); !maps.Equal(before, after) {
						t.Fatalf("%s: outside there is %v, want %v", planted, after, before)
					}
					if _, err := os.Lstat("/dev/.assay"); err == nil {
						t.Fatalf("%s: /dev has an index", planted)
					}
					leadsOut := planted != "in.py" && planted != "pipe.py" && planted != "socket.py"
					isRoot := a.Name == "root" && o.Name != "audit accept"
					mustRefuse := leadsOut && (must[name] || isRoot)
					switch {
					case got.hung:
						t.Errorf("%s: it hung", planted)
					case got.status < 0 || got.status > 5:
						t.Errorf("%s: status %d: %s", planted, got.status, got.stderr)
					case mustRefuse && (got.status != 2 || !saysRefusal(got, "leads out of the project")):
						t.Errorf("%s: status %d, %q; want 2 and that it leads out", planted, got.status, got.stderr)
					case planted == "in.py" && strings.Contains(got.stderr, "leads out"):
						t.Errorf("%s: a link that stays in the project is refused: %s", planted, got.stderr)
					}
				}
			})
		}
	}
	for name := range must {
		if !tried[name] {
			t.Errorf("%s was not tried", name)
		}
	}
	// The same places by their own names are asked: then that folder is the project.
	for _, line := range []string{"functions ../outside/x.py", "search outside ../outside"} {
		if got := w.ask(t, line); got.status != 0 || !strings.Contains(got.stdout, "outside") {
			t.Errorf("%s: status %d, %q, %q", line, got.status, got.stdout, got.stderr)
		}
	}
	if _, err := os.Lstat(w.at("outside/.assay")); err != nil {
		t.Errorf("a folder that was named is not indexed: %v", fs.ErrNotExist)
	}
}

// callWith is the arguments of a call in which one has a value and the others that must be given
// have a word.
func callWith(args []op.Arg, one op.Arg, value string) string {
	var words, flags []string
	for _, a := range args {
		isWord := a.Place > 0 || a.Rest
		stands := a.Required || one.Rest || one.Name == "root"
		switch {
		case a.Name == one.Name && isWord:
			words = append(words, value)
		case a.Name == one.Name:
			flags = append(flags, "--"+a.Flags[0], value)
		case isWord && stands:
			words = append(words, map[bool]string{true: "main.py:1", false: "main.py"}[a.Name == "at" || a.Name == "findings"])
		case a.Required && len(a.Flags) > 0 && !a.Rest:
			flags = append(flags, "--"+a.Flags[0], "alpha")
		}
	}
	return strings.Join(append(words, flags...), " ")
}
