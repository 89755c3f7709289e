//go:build unix && !slim

package main

import (
	"bytes"
	"context"
	"fmt"
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

// writing is how each operation is run that names an output: {NAME} is the argument of that name.
// An operation that is not here, and has an output, fails the test. done are the statuses of a
// call whose output is in nobody's way; nil: 0. A line for one argument alone has its name too.
var writing = map[string]struct {
	line string
	done []int
}{
	"run":           {line: "check.yaml"},
	"run record":    {line: "script.lua"},
	"exec":          {line: "-e print(1)"},
	"modules new":   {line: "{name}"},
	"audit drift":   {done: []int{0, 1}},
	"audit ride":    {done: []int{0, 1}},
	"audit ci":      {line: "--update-baseline"},
	"audit accept":  {line: "README.md:3 --reason planned"},
	"audit cite":    {line: "--fix {files}", done: []int{0, 1, 3}},
	"docs export":   {line: "/o/lib {out}"},
	"docs ingest":   {line: "pages --id /o/new"},
	"docs import":   {line: "exported.db"},
	"docs refresh":  {line: "/o/lib", done: []int{3}}, // there is no such file yet
	"docs remove":   {line: "/o/lib", done: []int{3}},
	"memory sync":   {line: "{remote}", done: []int{0, 3, 5}},
	"backup":        {line: "{file} --only notes"},
	"restore":       {line: "kept.zip"},
	"bundle":        {line: "{file} --key release.key --modules modules"},
	"bundle keygen": {line: "{file}"},
	"bundle apply":  {line: "made.zip --key release.key.pub --only program"},
	"index push":    {line: "s3://bucket/x"},
	"index pull":    {line: "s3://bucket/x"},
}

// reading is the same for operations that write nothing but an index.
var reading = map[string]string{"similar": "main.go:5", "path": "main Beta", "brief": "beta", "search": "beta", "refs": "Beta", "def": "Beta", "callers": "Beta", "callees": "Alpha",
	"imports": "main.go", "importers": "main.go", "implementers": "T", "hierarchy": "T", "impact": "main.go", "watch": "--quiet"}

// An outputsWorld is a project whose outputs others have prepared, and a folder outside of it.
type outputsWorld struct {
	world
	self string
}

func newOutputsWorld(t *testing.T) outputsWorld {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := outputsWorld{world{t.TempDir()}, self}
	for name, text := range map[string]string{
		"proj/main.go":       "package main\n\n// Alpha is beta.\nfunc Alpha() int { return Beta() }\n\n// Beta is one.\nfunc Beta() int { return 1 }\n\n// T is a type.\ntype T struct{}\n\nfunc main() { Alpha() }\n",
		"proj/go.mod":        "module example.com/proj\n\ngo 1.26\n",
		"proj/README.md":     "# Project\n\nRead [the guide](docs/gone.md) first.\n",
		"proj/check.yaml":    "checks:\n  - name: lua\n    type: script\n    file: script.lua\n",
		"proj/script.lua":    "print('hello')\n",
		"proj/pages/one.md":  "# Routing\n\nHow to do routing:\n\n```go\nroute(\"/\")\n```\n",
		"proj/NOTES.md":      "# Notes\n",
		"proj/modules/a.lua": "--- own things\n-- @module a\nlocal M = {}\nreturn M\n",
		"outside/file":       "`func Beta() int { return 1 }` [${PROJECT_ROOT}/main.go:2]\n",
		"outside/dir/file":   "outside\n",
		"vault/a.md":         "---\ntitle: A\n---\nWe chose a queue.\n",
	} {
		if err := os.MkdirAll(filepath.Dir(w.at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(w.at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(w.at("tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"docs ingest pages --id /o/lib", "docs export /o/lib exported.db", "backup kept.zip --only notes", "bundle keygen release.key",
		"bundle made.zip --key release.key --program main.go --modules modules"} {
		if got := w.ask(t, line); got.status != 0 {
			t.Fatalf("%s: status %d: %s", line, got.status, got.stderr)
		}
	}
	return w
}

// ask runs the program, which is this test by another name.
func (w outputsWorld) ask(t *testing.T, line string) answer {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := w.command(ctx, w.self, line)
	cmd.Args[0] = "assay"
	cmd.Env = append(cmd.Env, "AWS_ENDPOINT_URL=http://127.0.0.1:1", "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b") // nobody listens there
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	return answer{w.status(err), out.String(), errs.String(), ctx.Err() != nil}
}

// inTheWay is what is put in the place of an output; refused says whether an output of a kind is
// then refused.
type inTheWay struct {
	name    string
	put     func(w outputsWorld, at string) error
	refused func(kind string) bool
	why     string // which the error says
}

func always(string) bool            { return true }
func never(string) bool             { return false }
func unlessFolder(kind string) bool { return kind != "folder" }

func thingsInTheWay() []inTheWay {
	link := func(to string) func(w outputsWorld, at string) error {
		return func(w outputsWorld, at string) error { return os.Symlink(w.at(to), at) }
	}
	all := []inTheWay{
		{"link to a file", link("outside/file"), always, "link"},
		{"link to a folder", link("outside/dir"), always, "link"},
		{"link to nothing", link("outside/new"), always, "link"},
		{"link to a device", func(_ outputsWorld, at string) error { return os.Symlink("/dev/null", at) }, always, "link"},
		{"folder behind a link", func(w outputsWorld, at string) error {
			if err := os.RemoveAll(filepath.Dir(at)); err != nil {
				return err
			}
			return os.Symlink(w.at("outside/dir"), filepath.Dir(at))
		}, always, "link"},
		{"pipe", func(_ outputsWorld, at string) error { return syscall.Mkfifo(at, 0o644) }, always, "pipe"},
		{"socket", func(_ outputsWorld, at string) error { return socket(at) }, always, "socket"},
		{"folder", func(_ outputsWorld, at string) error { return os.Mkdir(at, 0o755) }, unlessFolder, "folder"},
		{"hard link", func(w outputsWorld, at string) error { return os.Link(w.at("outside/file"), at) }, never, ""},
		{"file without permission", func(_ outputsWorld, at string) error { return os.WriteFile(at, []byte("x"), 0) }, never, ""},
	}
	if os.Geteuid() == 0 {
		return append(all, inTheWay{"device", func(_ outputsWorld, at string) error { return syscall.Mknod(at, syscall.S_IFCHR|0o666, 5<<8) }, always, "device"})
	}
	return append(all, inTheWay{"folder without permission", func(_ outputsWorld, at string) error { return os.Chmod(filepath.Dir(at), 0o555) }, always, "permission"})
}

// An outputOf is an argument of an operation that names what is written.
type outputOf struct {
	op  op.Op
	arg op.Arg
}

// namedOutputs reads all of them from the catalogue.
func namedOutputs(t *testing.T) (out []outputOf) {
	t.Helper()
	for _, o := range catalogue(t) {
		args, err := op.Args(o.In)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range args {
			if a.Output.Kind != "" && (o.Effect != op.Reads || !a.Output.Writes) {
				out = append(out, outputOf{o, a})
			}
		}
	}
	return out
}

func catalogue(t *testing.T) []op.Op {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	env := standard()
	_, ops, shut := prepare(env)
	t.Cleanup(shut)
	if len(ops) < 60 {
		t.Fatalf("the catalogue has %d operations", len(ops))
	}
	return ops
}

// line is a call whose output is value; "" where nobody said how the operation is run.
func (n outputOf) line(value string) string {
	base, ok := writing[n.op.Name+" "+n.arg.Name]
	if !ok {
		base, ok = writing[n.op.Name]
	}
	words := base.line
	if !ok {
		words, ok = reading[n.op.Name]
		if n.op.Effect != op.Reads {
			return ""
		}
		if !ok {
			words = ""
		}
	}
	mine := "{" + n.arg.Name + "}"
	if !strings.Contains(words, mine) {
		flag := "--" + n.arg.Flags[0]
		if len(n.arg.Flags) == 0 || n.arg.Place > 0 {
			return ""
		}
		words += " " + flag + " " + mine
	}
	words = strings.ReplaceAll(words, mine, value)
	for strings.Contains(words, "{") { // another output of the operation, which is in nobody's way
		at, end := strings.Index(words, "{"), strings.Index(words, "}")
		words = words[:at] + "plain-" + words[at+1:end] + words[end+1:]
	}
	return n.op.Name + " " + words
}

// TestOutputs puts a link, a pipe, a socket, a device, a folder and what may not be written in the
// place of every output that an operation of the catalogue takes by name: nothing outside is
// written, emptied, made or replaced, nothing waits, and the error says what, why and what to do.
func TestOutputs(t *testing.T) {
	w := newOutputsWorld(t)
	things := thingsInTheWay()
	for i, n := range namedOutputs(t) {
		t.Run(n.op.Name+" "+n.arg.Name, func(t *testing.T) {
			if n.line("x") == "" {
				t.Fatalf("the table writing has no line for %s with %s: add the arguments to run it with", n.op.Name, n.arg.Name)
			}
			wanted := things
			// Without anything in its way an answer would come, or a bucket be asked for again and again.
			if n.op.Effect == op.Reads || strings.Contains(n.line("x"), "s3:") {
				wanted = slices.DeleteFunc(slices.Clone(things), func(p inTheWay) bool { return !p.refused(n.arg.Output.Kind) })
			} else if got := w.cell(t, n, fmt.Sprintf("%d-free", i), nil); !slices.Contains(append([]int{}, orZero(writing[n.op.Name].done)...), got.status) {
				t.Errorf("with nothing in its way: status %d: %s", got.status, got.stderr)
			}
			for j, p := range wanted {
				before := state(t, w.at("outside"))
				got := w.cell(t, n, fmt.Sprintf("%d-%d", i, j), &p)
				if after := state(t, w.at("outside")); !maps.Equal(before, after) {
					t.Errorf("%s: outside it left %v, want %v", p.name, after, before)
				}
				refused := p.refused(n.arg.Output.Kind) && n.arg.Output.Kind != "edit"
				switch {
				case got.hung:
					t.Errorf("%s: it hung", p.name)
				case got.status < 0 || got.status > 5:
					t.Errorf("%s: status %d: %s", p.name, got.status, got.stderr)
				case refused && !saysRefusal(got, p.why):
					t.Errorf("%s: status %d, %q; want an error that says %s, and what to do", p.name, got.status, got.stderr, p.why)
				}
			}
		})
	}
}

// saysRefusal reports whether an operation ended as refused or unavailable, for that reason, and said
// what to do.
func saysRefusal(got answer, why string) bool {
	if got.status != 2 && got.status != 5 {
		return false
	}
	advises := strings.Contains(got.stderr, "hint: ") || strings.Contains(got.stderr, "fix: ")
	return advises && strings.Contains(got.stderr, why)
}

func orZero(statuses []int) []int {
	if statuses == nil {
		return []int{0}
	}
	return statuses
}

// cell runs an operation whose output has something in its way. The output itself is never
// another thing afterwards than it was, unless it is a file.
func (w outputsWorld) cell(t *testing.T, n outputOf, name string, p *inTheWay) answer {
	t.Helper()
	value := "cells/" + name + "/out"
	if n.arg.Output.Pattern != "" {
		value = "planted"
	}
	at := w.at("proj/" + filepath.ToSlash(n.arg.Output.Path(value)))
	if n.arg.Output.Pattern != "" {
		if err := os.RemoveAll(filepath.Dir(at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	var was os.FileInfo
	if p != nil {
		if err := p.put(w, at); err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		was, _ = os.Lstat(at)
	}
	got := w.ask(t, n.line(value))
	if is, err := os.Lstat(at); was != nil && !was.Mode().IsRegular() && (err != nil || is.Mode().Type() != was.Mode().Type()) {
		t.Errorf("%s: it is gone or replaced: %v", p.name, err)
	}
	_ = os.Chmod(filepath.Dir(at), 0o755)
	if n.arg.Output.Pattern != "" {
		_ = os.RemoveAll(filepath.Dir(at))
		_ = os.MkdirAll(filepath.Dir(at), 0o755)
		if err := os.WriteFile(filepath.Join(filepath.Dir(at), "a.lua"), []byte("--- own things\n-- @module a\nlocal M = {}\nreturn M\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

// notOutputs are the arguments that name nothing that is written: OPERATION: ARGUMENT …
const notOutputs = "testdata/not_outputs.list"

// TestOutputsAreTagged holds that every argument which could name a file says whether it is
// written: it has the tag out, or is in the list of those that are only read.
func TestOutputsAreTagged(t *testing.T) {
	text, err := os.ReadFile(notOutputs)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		name, args, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for arg := range strings.FieldsSeq(args) {
			listed[name+": "+arg] = true
		}
	}
	for _, o := range catalogue(t) {
		args, err := op.Args(o.In)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range args {
			if k := a.Type.Kind(); k != reflect.String && k != reflect.Slice || len(a.Enum) > 0 {
				continue
			}
			name := o.Name + ": " + a.Name
			switch {
			case a.Output.Kind != "" && listed[name]:
				t.Errorf("%s is an output, and in %s", name, notOutputs)
			case a.Output.Kind == "" && !listed[name]:
				t.Errorf("%s: if it names what is written, give it the tag out (op.Output) so that TestOutputs tries it; else add it to %s", name, notOutputs)
			}
			delete(listed, name)
		}
	}
	for name := range listed {
		t.Errorf("%s is in %s, and there is no such argument", name, notOutputs)
	}
}

// Reports still go to the streams of the program, and leave what they are directed to as it is.
func TestReportToStream(t *testing.T) {
	w := newOutputsWorld(t)
	run := func(script string) (string, error) {
		ctx, stop := context.WithTimeout(t.Context(), patience)
		defer stop()
		cmd := w.command(ctx, "sh", "-c")
		cmd.Args = []string{"sh", "-c", script}
		out, err := cmd.Output()
		return string(out), err
	}
	// The program is started by the name of its link.
	if err := os.Symlink(w.self, w.at("tmp/assay")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, script, want string }{
		{"standard output", `../tmp/assay run check.yaml --junit /dev/stdout 2>/dev/null`, "<testsuite"},
		{"standard error", `../tmp/assay run check.yaml --junit /dev/stderr 2>&1 >/dev/null`, "<testsuite"},
		{"a descriptor", `../tmp/assay run check.yaml --junit /dev/fd/3 3>&1 >/dev/null 2>&1`, "<testsuite"},
		{"nothing", `../tmp/assay run check.yaml --junit /dev/null >/dev/null 2>&1 && echo fine`, "fine"},
		{"a file that has something", `echo before >f; ../tmp/assay run check.yaml --junit /dev/stdout >>f 2>/dev/null; cat f`, "before\n"},
		{"the answer stays beside it", `../tmp/assay run check.yaml --junit /dev/stdout >g 2>/dev/null; cat g`, `"lua"`},
	} {
		if got, err := run(tt.script); err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %v, %q, want %q", tt.name, err, got, tt.want)
		}
	}
}
