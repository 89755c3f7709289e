//go:build !slim

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/testaid"
	"github.com/assay-dev/assay/internal/memory"
)

// The variables by which tests have a hook misbehave.
const (
	misbehaves = "TEST_HOOK_MISBEHAVES"
	limits     = "TEST_HOOK_LIMIT"
)

// hookUnderTest sets what a test asks for and ends the processes that a hook leaves
// behind, which would write into folders that are gone.
func hookUnderTest(args []string) {
	d, err := time.ParseDuration(os.Getenv(limits))
	if err != nil {
		return // another test's
	}
	tellLimit, hookLimit, leftLimit, tailLimit = d, d, d, time.Minute
	if len(args) == 2 && args[0] == "memory" && args[1] == "import" {
		os.Exit(0)
	}
}

// misbehaving is a program that answers hooks and does not do as it should.
func misbehaving() {
	switch how := os.Getenv(misbehaves); how {
	case "panic":
		panic("oh no")
	case "panic elsewhere":
		go func() { panic("oh no") }()
		select {}
	case "half an answer":
		fmt.Print(`{"hookSpecificOutput": {`)
		os.Exit(3)
	case "endless answer":
		for i := 0; i < 1000; i++ {
			fmt.Print(strings.Repeat("x", 10000))
		}
		os.Exit(0)
	case "hang":
		<-time.After(time.Hour) // without a timer the runtime would see a deadlock and end
	}
}

// A hookWorld is a home, a project and a vault.
type hookWorld struct {
	*testing.T
	dir, home, work, vault, db, log string
	env                             []string
	stdin                           io.Reader
	args                            []string // after assay
	shell                           string   // runs "$@", which is the hook; empty: it is run as it is
}

func newHookWorld(t *testing.T, event string) *hookWorld {
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	w := &hookWorld{T: t, dir: dir, home: at("home"), work: at("work"), vault: at("vault"), db: at("data", "assay", "memory.db"), log: at("data", "assay", "hooks", "hook.log"),
		args: []string{"hook", "claude", event}, stdin: strings.NewReader(`{"session_id": "s1", "cwd": "/", "prompt": "when do we deploy the walrus?"}`)}
	for _, d := range []string{w.home, w.work, w.vault, at("config", "assay"), filepath.Dir(w.log), at("tmp")} {
		w.must(os.MkdirAll(d, 0o700))
	}
	w.env = []string{"HOME=" + w.home, "XDG_CONFIG_HOME=" + at("config"), "XDG_DATA_HOME=" + at("data"), "XDG_CACHE_HOME=" + at("cache"), "TMPDIR=" + at("tmp"),
		"PATH=" + os.Getenv("PATH"), "ASSAY_MEMORY_VAULT=" + w.vault, limits + "=1m"}
	return w
}

func (w *hookWorld) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// settings writes the user's file.
func (w *hookWorld) settings(text string) {
	w.must(os.WriteFile(filepath.Join(w.dir, "config", "assay", "config.yaml"), []byte(text), 0o600))
}

// set adds a variable to the environment.
func (w *hookWorld) set(name, value string) { w.env = append(w.env, name+"="+value) }

// soon is for what hangs for ever: then the limit is what ends it.
func (w *hookWorld) soon() { w.set(limits, "700ms") }

// program returns the program under a name of its own, by which it also starts itself
// again. A link that is not a hard one would lead back to the tests.
func (w *hookWorld) program() string {
	self, err := os.Executable()
	w.must(err)
	at := filepath.Join(w.dir, "assay"+strings.TrimSuffix(filepath.Ext(self), ".test"))
	if _, err := os.Stat(at); err == nil {
		return at // it may still run
	}
	testaid.CopyProgram(w, self, at)
	return at
}

// run runs the hook to its end and returns what it says to the client.
func (w *hookWorld) run() string {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), 5*time.Minute)
	defer cancel()
	program := w.program()
	cmd := exec.CommandContext(ctx, program, w.args...)
	if w.shell != "" {
		cmd = exec.CommandContext(ctx, "sh", append([]string{"-c", w.shell, "sh", program}, w.args...)...)
	}
	cmd.Dir, cmd.Env, cmd.Stdin = w.work, w.env, w.stdin
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		w.Errorf("assay %q: %v\n%s", w.args, err, &stderr)
	}
	if stderr.Len() > 0 {
		w.Errorf("assay %q says on standard error, which a session may show:\n%s", w.args, &stderr)
	}
	return stdout.String()
}

// A breakage is what can be wrong around a hook, and what its log says then: "" for
// nothing in particular.
type breakage struct {
	do   func(w *hookWorld)
	logs string
}

var breakages = map[string]breakage{
	"nothing":              {func(w *hookWorld) {}, ""},
	"settings not YAML":    {func(w *hookWorld) { w.settings("memory: vault: ~/notes: x\n") }, `config\.yaml:1: invalid YAML: .*; to do: correct the line`},
	"settings of no key":   {func(w *hookWorld) { w.settings("color: never\nmemroy: {vault: /x}\n") }, `config\.yaml:2: unknown setting "memroy.vault"; to do: did you mean memory\.vault`},
	"settings a bad value": {func(w *hookWorld) { w.settings("embed: {provider: x}\n") }, `embed\.provider: "x" is not one of`},
	"settings a folder":    {func(w *hookWorld) { w.must(os.Mkdir(filepath.Join(w.dir, "config", "assay", "config.yaml"), 0o700)) }, `is not a regular file; to do: remove it`},
	"a bad variable":       {func(w *hookWorld) { w.set("ASSAY_SEARCH_BUDGET", "7") }, `ASSAY_SEARCH_BUDGET: "7" is not an integer`},
	"a project's bad file": {func(w *hookWorld) {
		w.must(os.WriteFile(filepath.Join(w.work, ".assay.yaml"), []byte("embed: {provider: x}\n- a\n"), 0o600))
		w.must(os.Mkdir(filepath.Join(w.work, ".git"), 0o700))
	}, ""},
	"an unknown flag":       {func(w *hookWorld) { w.args = append(w.args, "--frobnicate=9") }, `unknown flag: --frobnicate`},
	"an unknown flag first": {func(w *hookWorld) { w.args = append([]string{"hook", "--frobnicate"}, w.args[1:]...) }, `unknown flag: --frobnicate`},
	"an unknown event":      {func(w *hookWorld) { w.args[2] += "-x" }, `claude .*-x: .* is not one of session-start`},
	"an unknown agent":      {func(w *hookWorld) { w.args[1] = "vim" }, `vim .*"vim" is not one of`},
	"no event":              {func(w *hookWorld) { w.args = w.args[:2] }, `claude: .*EVENT is missing`},
	"no agent":              {func(w *hookWorld) { w.args = w.args[:1] }, `AGENT is missing`},
	"too many arguments":    {func(w *hookWorld) { w.args = append(w.args, "{}", "more") }, `one argument too many`},
	"no vault":              {func(w *hookWorld) { w.set("ASSAY_MEMORY_VAULT", filepath.Join(w.dir, "none")) }, `the vault .*none does not exist: create or mount it`},
	"a file for a vault":    {func(w *hookWorld) { w.must(os.Remove(w.vault)); w.must(os.WriteFile(w.vault, nil, 0o600)) }, `the vault .* cannot be read: it is not a folder`},
	"a corrupt index":       {func(w *hookWorld) { w.must(os.WriteFile(w.db, bytes.Repeat([]byte("x"), 9000), 0o600)) }, ""},
	"a folder for an index": {func(w *hookWorld) { w.must(os.Mkdir(w.db, 0o700)) }, `claude .*: .*memory\.db`},
	"no place for an index": {func(w *hookWorld) { w.set("ASSAY_MEMORY_DB", "/dev/null/memory.db") }, `claude .*: (.*/dev/null|nothing was found to tell within 300ms)`}, // on a busy machine the time ends first
	"nothing to read":       {func(w *hookWorld) { w.stdin = nil }, ""},
	"not JSON":              {func(w *hookWorld) { w.stdin = strings.NewReader("{not JSON") }, `the payload is not a JSON object`},
	"JSON of another kind":  {func(w *hookWorld) { w.stdin = strings.NewReader(`[1, 2]`) }, `the payload is not a JSON object`},
	"too much to read":      {func(w *hookWorld) { w.stdin = io.LimitReader(endless{}, 40<<20) }, `the payload is not a JSON object|one of its bounds`},
	"no home": {func(w *hookWorld) {
		w.env = []string{limits + "=1m", "XDG_DATA_HOME=" + filepath.Join(w.dir, "data"), "XDG_CONFIG_HOME=" + filepath.Join(w.dir, "config"), "ASSAY_MEMORY_VAULT=" + w.vault}
	}, ""},
	"a folder for a log": {func(w *hookWorld) { w.settings("x: y\n"); w.must(os.Mkdir(w.log, 0o700)) }, ""},
	"a file for a folder": {func(w *hookWorld) {
		w.settings("x: y\n")
		w.must(os.Remove(filepath.Dir(w.log)))
		w.must(os.WriteFile(filepath.Dir(w.log), nil, 0o600))
	}, ""},
	"a panic":           {func(w *hookWorld) { w.set(misbehaves, "panic") }, `exit status 2: panic: oh no; to do: this is a defect`},
	"a panic elsewhere": {func(w *hookWorld) { w.set(misbehaves, "panic elsewhere") }, `exit status 2: panic: oh no`},
	"half an answer":    {func(w *hookWorld) { w.set(misbehaves, "half an answer") }, `exit status 3`},
	"an endless answer": {func(w *hookWorld) { w.set(misbehaves, "endless answer") }, `the answer is longer than 1048576 bytes`},
	"a hang":            {func(w *hookWorld) { w.soon(); w.set(misbehaves, "hang") }, `the hook did not end within 700ms`},
	"never closed":      {func(w *hookWorld) { w.soon(); w.stdin = w.open() }, `the hook did not end within 700ms`},
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '['
	}
	return len(p), nil
}

// open returns a standard input that nobody writes to and nobody closes.
func (w *hookWorld) open() io.Reader {
	r, out, err := os.Pipe()
	w.must(err)
	w.Cleanup(func() { r.Close(); out.Close() })
	return r
}

// TestHookNeverFails holds that no session is blocked: for every event of a client and
// whatever is wrong, a hook ends with status 0, says nothing or what its client expects,
// and has written down what was wrong.
func TestHookNeverFails(t *testing.T) { neverFails(t, breakages) }

func neverFails(t *testing.T, breakages map[string]breakage) {
	for name, b := range breakages {
		for _, event := range sample([]string{"session-start", "prompt", "pre-compact", "idle", "session-end"}, 2, 5) {
			t.Run(name+"/"+event, func(t *testing.T) {
				t.Parallel()
				w := newHookWorld(t, event)
				if event == "idle" || event == "session-end" {
					w.args = append(w.args, "--now") // what it is about is in another process otherwise
				}
				b.do(w)
				if out := w.run(); out != "" && !json.Valid([]byte(out)) {
					t.Errorf("it says %.200q", out)
				}
				if b.logs == "" {
					return
				}
				text, err := os.ReadFile(w.log)
				if st, e := os.Stat(w.log); err != nil || e != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 || !regexp.MustCompile(b.logs).Match(text) {
					t.Errorf("the log is %q, %v, want %q in it", text, err, b.logs)
				}
				if failures, err := (memory.HookLog{Dir: filepath.Dir(w.log), Now: time.Now}).Failures(time.Time{}, 9); err != nil || len(failures) == 0 {
					t.Errorf("the doctor sees %v, %v in %s", failures, err, text)
				}
			})
		}
	}
}

// A client may keep standard input open: what it sent is taken when it is whole.
func TestOneValue(t *testing.T) {
	for in, want := range map[string]string{`{"a": {"b": "}"}}`: `{"a": {"b": "}"}}`, " \n{} \n": "{}"} {
		r, w := io.Pipe()
		go func() { _, _ = io.WriteString(w, in) }() // and it stays open
		got, err := io.ReadAll(&oneValue{from: r})
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
		r.Close()
	}
	for _, in := range []string{"", "{not JSON", "{} more"} {
		want := in
		if in == "{} more" {
			want = "{}"
		}
		if got, err := io.ReadAll(&oneValue{from: strings.NewReader(in)}); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	if got, err := io.ReadAll(&oneValue{from: endless{}}); err != nil || len(got) > maxPayload {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// What is handed to the process that writes the log fits into a pipe, whatever it says.
func TestSaidFitsAPipe(t *testing.T) {
	for _, text := range []string{strings.Repeat("\x00", 1<<20), strings.Repeat("\xff", 1<<20), strings.Repeat("<", 1<<20)} {
		if n := len(packError(fault.New(fault.Unavailable, "%s", text).Or("%s", text))); n >= 64<<10 {
			t.Errorf("%q and so on take %d bytes", text[:1], n)
		}
	}
}
