package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script/catalog"
	"github.com/assay-dev/assay/internal/script/lua"
)

// A bench is a feature in a folder of its own, and what it printed.
type bench struct {
	*Feature
	dir            string
	stdout, stderr bytes.Buffer
	notes          []string
	ctx            context.Context
}

func newBench(t *testing.T, files map[string]string, env map[string]string, policy *lua.Policy) *bench {
	t.Helper()
	b := &bench{dir: t.TempDir()}
	for name, body := range files {
		path := filepath.Join(b.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.Feature = New(Config{WorkDir: filepath.Join(b.dir, "work"), Home: filepath.Join(b.dir, "home"), Stdout: &b.stdout, Stderr: &b.stderr, Policy: policy,
		Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	if err := os.MkdirAll(b.cfg.WorkDir, 0o755); err != nil {
		t.Fatal(err)
	}
	b.ctx = work.With(t.Context(), work.Report{Note: func(format string, args ...any) { b.notes = append(b.notes, fmt.Sprintf(format, args...)) }})
	return b
}

func written(t *testing.T, r interface {
	WriteText(w io.Writer, colour bool) error
}) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// wrong reports an error that is not of a kind and a text.
func wrong(t *testing.T, what string, err error, kind fault.Kind, text string) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: %v (kind %d), want kind %d and %q", what, err, fault.KindOf(err), kind, text)
	}
}

func TestRunScript(t *testing.T) {
	b := newBench(t, map[string]string{
		"work/a.lua":                   "#!/usr/bin/env assay\nlocal a, b = ...\nprint(a, b)\nreturn { sum = tonumber(a) + tonumber(b), list = {1, 2} }",
		"work/text.LUA":                "return 'a<b'",
		"work/several.lua":             "return 1, nil, 'x', true",
		"work/nothing.lua":             "local x = 1",
		"work/boom.lua":                "local function f()\n  error('boom')\nend\nf()",
		"work/table.lua":               "error({ code = 1 })",
		"work/broken.lua":              "return return",
		"work/loop.lua":                "while true do end",
		"work/modules/mine.lua":        "return { name = 'mine', chunk = ... }",
		"work/use.lua":                 "return require('mine').name .. require('assay.mine').name .. require('ours').name",
		"work/missing.lua":             "require('assay.nothing')",
		"work/modules/bad.lua":         "local x =",
		"work/bad.lua":                 "require('bad')",
		"home/.assay/modules/ours.lua": "return { name = 'ours' }",
		"work/x.txt":                   "",
		"work/x":                       "",
	}, nil, nil)
	for file, want := range map[string]string{"text.LUA": "a<b\n", "several.lua": "1\nx\ntrue\n", "nothing.lua": "", "use.lua": "minemineours\n"} {
		r, err := b.Run(b.ctx, RunInput{File: file})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if got := written(t, r); got != want || r.Verdict() != nil {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	r, err := b.Run(b.ctx, RunInput{File: filepath.Join(b.dir, "work", "a.lua"), Args: []string{"2", "3"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := written(t, r); got != "{\"list\":[1,2],\"sum\":5}\n" || b.stdout.String() != "2\t3\n" {
		t.Errorf("%q, printed %q", got, b.stdout.String())
	}
	if j, err := json.Marshal(r); err != nil || string(j) != `{"result":{"list":[1,2],"sum":5}}` {
		t.Errorf("%s, %v", j, err)
	}
	for file, want := range map[string]string{
		"boom.lua":    "boom.lua:2: boom\n",
		"broken.lua":  "broken.lua:1:",
		"missing.lua": "assay.nothing",
		"bad.lua":     "./modules/bad.lua:1:",
		"gone.lua":    "reading gone.lua: ",
		"modules.lua": "reading modules.lua: ",
		"x.txt":       `unsupported file extension "txt" (expected .yaml, .yml, or .lua)`,
		"x":           `unsupported file extension ""`,
		"y":           "reading y: ",
	} {
		kind := fault.Negative
		switch {
		case strings.HasPrefix(want, "reading "):
			kind = fault.NotFound
		case strings.HasPrefix(want, "unsupported "):
			kind = fault.Usage
		}
		_, err := b.Run(b.ctx, RunInput{File: file})
		wrong(t, file, err, kind, want)
	}
	_, err = b.Run(b.ctx, RunInput{File: "a.lua", TAP: true})
	wrong(t, "--tap for a script", err, fault.Usage, "--tap is for checks")
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	if _, err := b.Run(ctx, RunInput{File: "loop.lua"}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted script: %v", err)
	}
}

type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

// The error is the one of the writing, whatever the script makes of it, and a script
// that would print for ever ends.
func TestPrintToWhatIsGone(t *testing.T) {
	b := newBench(t, nil, nil, nil)
	gone := errors.New("gone")
	f := New(Config{WorkDir: b.dir, Stdout: full{gone}})
	for _, src := range []string{"print(1)", "pcall(print, 1)", "while true do pcall(print, 1) end"} {
		if _, err := f.Exec(b.ctx, ExecInput{Eval: src}); !errors.Is(err, gone) || strings.Contains(err.Error(), "traceback") {
			t.Errorf("%s: %v, want %v alone", src, err, gone)
		}
	}
}

func TestExecStdin(t *testing.T) {
	b := newBench(t, nil, nil, nil)
	f := New(Config{WorkDir: b.dir, Stdin: strings.NewReader("return ..., 7")})
	r, err := f.Exec(b.ctx, ExecInput{File: "-", Args: []string{"a"}})
	if err != nil || fmt.Sprint(r.Result) != "[a 7]" {
		t.Errorf("%v, %v", r, err)
	}
	f = New(Config{WorkDir: b.dir, Stdin: strings.NewReader("error('no')")})
	if _, err = f.Exec(b.ctx, ExecInput{File: "-"}); err == nil || !strings.HasPrefix(err.Error(), "<stdin>:1: no") {
		t.Error(err)
	}
}

func TestExec(t *testing.T) {
	b := newBench(t, map[string]string{"work/a.txt": "print('file', ...)\nreturn 42"}, map[string]string{"X": "y"}, nil)
	for name, c := range map[string]struct {
		in            ExecInput
		printed, want string
	}{
		"inline":         {ExecInput{Eval: `log.info("hello") print(env.get("X"), env.get("Y")) return "done"`}, "y\tnil\n", "done\n"},
		"a file":         {ExecInput{File: "a.txt", Args: []string{"1"}}, "file\t1\n", "42\n"},
		"inline wins":    {ExecInput{File: "a.txt", Eval: "return 1, ...", Args: []string{"b"}}, "", "1\na.txt\nb\n"},
		"files":          {ExecInput{Eval: `fs.write("sub/f", "text") return fs.read("sub/f")`}, "", "text\n"},
		"an empty table": {ExecInput{Eval: `return {}`}, "", "[]\n"},
		"64 bits":        {ExecInput{Eval: `return json.parse("9007199254740993")`}, "", "9007199254740993\n"},
		"bytes":          {ExecInput{Eval: `print("\xff\0") return "\xfe\0"`}, "\xff\x00\n", "\xfe\x00\n"},
	} {
		b.stdout.Reset()
		r, err := b.Exec(b.ctx, c.in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := written(t, r); got != c.want || b.stdout.String() != c.printed {
			t.Errorf("%s: %q after %q, want %q after %q", name, got, b.stdout.String(), c.want, c.printed)
		}
	}
	if !strings.Contains(b.stderr.String(), "hello") {
		t.Errorf("the log is %q", b.stderr.String())
	}
	for name, c := range map[string]struct {
		in   ExecInput
		kind fault.Kind
		want string
	}{
		"neither":  {ExecInput{}, fault.Usage, "exec requires either -e <code> or a file path"},
		"raised":   {ExecInput{Eval: "error('boom')"}, fault.Negative, "<eval>:1: boom"},
		"gone":     {ExecInput{File: "gone"}, fault.NotFound, "reading gone: "},
		"a folder": {ExecInput{File: "."}, fault.Unavailable, "reading .: is a directory"},
		"late":     {ExecInput{Eval: "while true do end", Timeout: .05}, fault.Negative, "the script took longer than 50ms"},
	} {
		_, err := b.Exec(b.ctx, c.in)
		wrong(t, name, err, c.kind, c.want)
	}
	// JSON has no room for bytes that are no text.
	r, err := b.Exec(b.ctx, ExecInput{Eval: `return {n = {1, {data = "\xff"}}}`})
	if err != nil {
		t.Fatal(err)
	}
	wrong(t, "bytes in JSON", r.WriteText(io.Discard, true), fault.Negative, "cannot be written as JSON: the string at .n[2].data is not valid UTF-8")
}

func TestExecTool(t *testing.T) {
	env := map[string]string{"API_TOKEN": "hunter2-hunter2", "SEEN": "plain", "HIDDEN": "no"}
	b := newBench(t, map[string]string{"work/secret.txt": "s", "work/modules/mine.lua": "return { name = 'mine' }"}, env, &lua.Policy{Env: []string{"API_TOKEN", "SEEN"}})
	exec := func(code string) *ExecResult {
		t.Helper()
		r, err := b.Exec(b.ctx, ExecArgs{Code: code}.Input())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := exec(`print("a", 1) log.warn("careful") return { n = 1, s = "x" }`)
	j, err := json.Marshal(r)
	if err != nil || !strings.HasPrefix(string(j), `{"result":{"n":1,"s":"x"},"output":"a\t1\n","logs":["`) || !strings.HasSuffix(string(j), `"],"error":null}`) {
		t.Errorf("%s, %v", j, err)
	}
	if got := written(t, r); !strings.HasPrefix(got, "a\t1\nlog: ") || !strings.HasSuffix(got, "careful\nresult: {\"n\":1,\"s\":\"x\"}\n") {
		t.Errorf("%q", got)
	}
	if b.stdout.Len()+b.stderr.Len() > 0 {
		t.Errorf("it printed %q and %q", b.stdout.String(), b.stderr.String())
	}
	if r := exec("return 1, 'b'"); fmt.Sprint(r.Result) != "[1 b]" {
		t.Errorf("several values: %v", r.Result)
	}
	if r := exec("print('before') error('boom')"); r.Error == nil || !strings.HasPrefix(*r.Error, "<eval>:1: boom") || r.Output != "before\n" || r.Result != nil {
		t.Errorf("raised: %+v", r)
	} else if got := written(t, r); !strings.HasPrefix(got, "before\nerror: <eval>:1: boom") {
		t.Errorf("%q", got)
	}
	if r := exec("return require('mine').name .. type(require('assay.grafana').client)"); r.Result != "minefunction" {
		t.Errorf("modules: %+v", r)
	}
	// What the policy does not permit.
	for _, code := range []string{`return fs.read("secret.txt")`, `fs.write("x", "y")`, `return http.get("http://127.0.0.1:1/")`, `return db.connect("sqlite:x.db?mode=rwc")`, `return ws.connect("ws://127.0.0.1:1/")`, `http.serve(0, {})`, `return template.render("secret.txt")`} {
		if r := exec(code); r.Error == nil {
			t.Errorf("%s: %+v", code, r)
		}
	}
	if r := exec(`return tostring(env.get("HIDDEN")) .. env.get("SEEN")`); r.Result != "nilplain" {
		t.Errorf("variables: %+v", r)
	}
	// A secret is not shown, whichever way it takes.
	for _, code := range []string{
		`return env.get("API_TOKEN")`, `return { [env.get("API_TOKEN")] = { env.get("API_TOKEN") } }`, `print(env.get("API_TOKEN"))`,
		`log.info("t=" .. env.get("API_TOKEN"))`, `error(env.get("API_TOKEN"))`,
	} {
		r := exec(code)
		j, err := json.Marshal(r)
		if err != nil || strings.Contains(string(j), "hunter2") || strings.Contains(written(t, r), "hunter2") {
			t.Errorf("%s: %s, %v", code, j, err)
		}
	}
}

// From the command line, capturing changes what is answered and not what is permitted.
func TestCapture(t *testing.T) {
	b := newBench(t, nil, map[string]string{"X": "y"}, nil)
	r, err := b.Exec(b.ctx, ExecInput{Eval: `print(...) fs.write("f", "x") log.error("l") return env.get("X")`, Args: []string{"a"}, Capture: true})
	if err != nil || r.Error != nil || r.Result != "y" || r.Output != "a\n" || len(r.Logs) != 1 || r.Verdict() != nil || b.stdout.Len()+b.stderr.Len() > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = b.Exec(b.ctx, ExecInput{Eval: "error('boom')", Capture: true}); err != nil {
		t.Fatal(err)
	}
	wrong(t, "the verdict", r.Verdict(), fault.Negative, "<eval>:1: boom")
}

// A tool's script ends, and its answer has a size.
func TestExecToolLimits(t *testing.T) {
	b := newBench(t, nil, nil, nil) // without a policy nothing is permitted either
	in := ExecArgs{Code: "print('x') while true do end"}.Input()
	in.Timeout = .1
	if r, err := b.Exec(b.ctx, in); err != nil || r.Error == nil || *r.Error != "the script took longer than 100ms" || r.Output != "x\n" {
		t.Errorf("%+v, %v", r, err)
	}
	r, err := b.Exec(b.ctx, ExecArgs{Code: `for i = 1, 20 do print(string.rep("x", 40000)) log.info(string.rep("y", 40000)) end`}.Input())
	if err != nil || !r.Truncated || r.Error != nil {
		t.Fatalf("%v, %v", r.Error, err)
	}
	size := len(r.Output)
	for _, l := range r.Logs {
		size += len(l)
	}
	if size > confinedBytes || size < confinedBytes/2 || !strings.Contains(written(t, r), "truncated: ") {
		t.Errorf("%d bytes", size)
	}
	for code, want := range map[string]string{
		`return string.rep("x", 600000)`:          "the result has 600002 bytes, at most 524288",
		`return fs.read("/etc/hostname")`:         "",
		`return env.get("HOME") or error("none")`: "none",
	} {
		if r, err := b.Exec(b.ctx, ExecArgs{Code: code}.Input()); err != nil || r.Error == nil || !strings.Contains(*r.Error, want) {
			t.Errorf("%s: %+v, %v", code, r, err)
		}
	}
	ctx, cancel := context.WithCancel(b.ctx)
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := b.Exec(ctx, ExecArgs{Code: "while true do end"}.Input()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	_, err = newBench(t, map[string]string{"work/c.yaml": "checks: []"}, nil, &lua.Policy{}).Run(b.ctx, RunInput{File: "c.yaml"})
	wrong(t, "checks under a policy", err, fault.Unavailable, "under a policy")
}

// What the catalogue says is always there is there, as it says.
func TestBuiltins(t *testing.T) {
	b := newBench(t, nil, nil, nil)
	for _, group := range catalog.Builtins() {
		for _, f := range group.Functions {
			name, _, _ := strings.Cut(f.Signature, "(")
			if name == "h.await" {
				name = "async.spawn(function() end).await"
			}
			r, err := b.Exec(b.ctx, ExecInput{Eval: "return type(" + name + ")"})
			if err != nil || r.Result != "function" {
				t.Errorf("%s is a %v, %v", name, r, err)
			}
		}
	}
}

func TestDiscoveryModule(t *testing.T) {
	b := newBench(t, map[string]string{"work/modules/mine.lua": "--- @description Mine: \"quoted\" \\ ]] text.\nfunction M.f() end"}, nil, nil)
	r, err := b.Exec(b.ctx, ExecInput{Eval: `
		local d = require("assay.discovery")
		local mods = d.discover_modules()
		assert.gt(#mods, 20)
		return mods[1].name .. " " .. mods[1].source .. " " .. mods[1].description .. " " .. mods[1].functions[1]`})
	if err != nil || r.Result != `assay.mine project Mine: "quoted" \ ]] text. f` {
		t.Errorf("%+v, %v", r, err)
	}
}

// A script has the memory that its user gives it; a client of a server may lower that and
// not raise it.
func TestMemory(t *testing.T) {
	takes := func(mib int) string { return fmt.Sprintf("return #string.rep('x', %d)", mib<<20) }
	own, served := newBench(t, map[string]string{"work/c.lua": takes(20)}, nil, nil), newBench(t, nil, nil, &lua.Policy{})
	failed := func(r *ExecResult, err error) string {
		switch {
		case err != nil:
			return err.Error()
		case r.Verdict() != nil:
			return r.Verdict().Error()
		}
		return ""
	}
	for _, c := range []struct {
		b       *bench
		setting int64
		mib     int
		memory  string
		want    string
	}{
		{own, 0, 200, "", ""}, {own, 0, 300, "", "memory limit of 256 MiB exceeded"},
		{own, 0, 300, "1G", ""}, {own, 0, 20, "10M", "memory limit of 10 MiB exceeded"},
		{own, 32 << 20, 40, "", "memory limit of 32 MiB exceeded"}, {own, 32 << 20, 40, "64M", ""},
		{served, 0, 50, "", ""}, {served, 0, 80, "", "memory limit of 64 MiB exceeded"},
		{served, 0, 20, "10M", "memory limit of 10 MiB exceeded"}, {served, 0, 1, "65M", "65 MiB is above the server's limit, 64 MiB"},
		{served, 128 << 20, 80, "", ""}, {served, 128 << 20, 80, "100M", ""}, {served, 16 << 20, 20, "", "memory limit of 16 MiB exceeded"},
		{served, 16 << 20, 1, "17M", "above the server's limit, 16 MiB"}, {served, 0, 1, "1K", "1 KiB is below the minimum, 1 MiB"}, {served, 0, 1, "lots", "is not a size"},
	} {
		c.b.cfg.Memory = c.setting
		in := ExecInput{Eval: takes(c.mib), Memory: c.memory}
		if c.b == served {
			in = ExecArgs{Code: takes(c.mib), Memory: c.memory}.Input()
		}
		if got := failed(c.b.Exec(c.b.ctx, in)); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("setting %d, %d MiB with memory %q: %q, want %q", c.setting, c.mib, c.memory, got, c.want)
		}
	}
	own.cfg.Memory = 0
	_, err := own.Run(own.ctx, RunInput{File: "c.lua", Memory: "10M"})
	wrong(t, "a file", err, fault.Negative, "memory limit of 10 MiB exceeded")
}
