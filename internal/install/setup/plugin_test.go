package setup

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/integrations/opencode"
	"github.com/assay-dev/assay/internal/base/testaid"
)

// The test's own program stands in for assay where it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		fakeServe()
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		fakeHook(filepath.Dir(os.Args[0]), os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

// A said is what a hook was told.
type said struct {
	Client, Event string
	Input         struct {
		SessionID, Directory, Prompt, Title string
		HookEventName                       string `json:"hook_event_name"` // of Claude Code and Codex
	}
	Dir string
}

// fakeHook does what the file mode beside the program says, and keeps what it was
// told there.
func fakeHook(dir string, args []string) {
	mode, _ := os.ReadFile(filepath.Join(dir, "mode"))
	if string(mode) == "deaf" {
		os.Stdin.Close()
		return
	}
	if string(mode) == "slow" { // before it is logged, so that whoever sees that can read this
		_ = os.WriteFile(filepath.Join(dir, "pid"), []byte(fmt.Sprint(os.Getpid())), 0o600)
	}
	s := said{Client: args[0], Event: args[1]}
	if err := json.NewDecoder(os.Stdin).Decode(&s.Input); err != nil {
		panic(err)
	}
	s.Dir, _ = os.Getwd()
	line, _ := json.Marshal(s)
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(log, "%s\n", line)
	log.Close()
	answer := fmt.Sprintf(`{"context": "notes of %s"}`, s.Event)
	if s.Client != "opencode" {
		answer = ""
		if s.Event == "session-start" || s.Event == "prompt" {
			answer = fmt.Sprintf(`{"hookSpecificOutput": {"hookEventName": %q, "additionalContext": "notes of %s"}}`, s.Input.HookEventName, s.Event)
		}
	}
	switch string(mode) {
	case "slow":
		time.Sleep(30 * time.Second)
	case "crash":
		fmt.Print(answer)
		panic("crash")
	case "killed":
		fmt.Print(answer[:10])
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		time.Sleep(30 * time.Second)
	case "huge":
		fmt.Print(`{"context": "`)
		for range 4 << 20 {
			if _, err := fmt.Print(strings.Repeat("x", 1<<10)); err != nil {
				return
			}
		}
	case "long":
		fmt.Printf(`{"context": "%s"}`, strings.Repeat("x", 70<<10))
		return
	case "garbage":
		answer = `["notes"]`
	case "empty":
		answer = `{"context": ""}`
	case "number":
		answer = `{"context": 1}`
	case "holding":
		// What it starts keeps its output open.
		c := exec.Command(os.Args[0], "hook", "opencode", "sleep")
		c.Stdout, c.Stdin = os.Stdout, strings.NewReader("{}")
		_ = os.WriteFile(filepath.Join(dir, "mode"), []byte("slow"), 0o600)
		_ = c.Start()
	}
	fmt.Print(answer)
}

// fakeServe is an MCP server without tools.
func fakeServe() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"assay","version":"0"}}`, m.Params.ProtocolVersion)
		case "tools/list":
			result = `{"tools":[]}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}

// A fake is a folder with a program called assay that is fakeHook and fakeServe.
type fake struct {
	*testing.T
	dir, exe string
}

func newFake(t *testing.T) *fake {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	f := &fake{t, dir, filepath.Join(dir, "assay"+filepath.Ext(self))}
	testaid.CopyProgram(t, self, f.exe)
	return f
}

func (f *fake) mode(mode string) {
	f.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, "mode"), []byte(mode), 0o600); err != nil {
		f.Fatal(err)
	}
}

// log returns what hooks were told so far.
func (f *fake) log() (out []said) {
	f.Helper()
	text, _ := os.ReadFile(filepath.Join(f.dir, "log"))
	for line := range bytes.Lines(text) {
		var s said
		if err := json.Unmarshal(line, &s); err == nil {
			out = append(out, s)
		}
	}
	return out
}

// await waits until the hooks were told of as many events, and returns those.
func (f *fake) await(events ...string) []said {
	f.Helper()
	var got []string
	for range 600 {
		log := f.log()
		got = got[:0]
		for _, s := range log {
			got = append(got, s.Event)
		}
		slices.Sort(got)
		if slices.Sort(events); slices.Equal(got, events) {
			return log
		}
		time.Sleep(50 * time.Millisecond)
	}
	f.Errorf("assay was told of %q, want %q", got, events)
	return f.log()
}

// plugin writes the plugin as setup does; patient where it is not the deadline
// that is tested, which a busy machine may miss.
func (f *fake) plugin(patient bool) string {
	f.Helper()
	text, err := plugin{}.put(nil, []string{f.exe})
	if err != nil {
		f.Fatal(err)
	}
	if patient {
		quick := []byte("const DEADLINE = 400 ")
		if !bytes.Contains(text, quick) {
			f.Fatal("the plugin has another deadline")
		}
		text = bytes.Replace(text, quick, []byte("const DEADLINE = 60000 "), 1)
	}
	path := filepath.Join(f.dir, "plugin.mjs")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		f.Fatal(err)
	}
	return path
}

type driven struct{ System, Context, Threw []string }

// drive runs steps of drive.mjs. It ends by itself: nothing keeps it waiting.
func (f *fake) drive(patient bool, steps string) driven {
	f.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		f.Skip("there is no node")
	}
	driver, err := filepath.Abs("testdata/drive.mjs")
	if err != nil {
		f.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(f.Context(), 25*time.Second) // less than a slow assay takes
	defer cancel()
	c := exec.CommandContext(ctx, node, driver, f.plugin(patient), steps)
	c.Dir = f.dir
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	var d driven
	if err == nil {
		err = json.Unmarshal(out, &d)
	}
	if err != nil || stderr.Len() > 0 {
		f.Fatalf("%s: %v\n%s%s", steps, err, out, stderr.String())
	}
	return d
}

func TestPlugin(t *testing.T) {
	for _, tc := range []struct {
		steps           string
		system, context string
		events          string
	}{
		{"created prompt transform transform idle idle", "notes of prompt|notes of prompt", "", "idle prompt session-start"},
		{"prompt prompt transform nosession frozen compact", "notes of prompt", "notes of pre-compact", "pre-compact prompt"},
		{"transform idle", "", "", ""},
		{"child prompt transform idle compact dispose", "", "", ""},
		{"prompt dispose", "", "", "prompt session-end"},
		{"prompt idle dispose deleted", "", "", "idle prompt session-end"},
		{"prompt many transform", "", "", "prompt"}, // forgotten
		{"unknown odd noparts", "", "", ""},
	} {
		f := newFake(t)
		d := f.drive(true, tc.steps)
		if got := strings.Join(d.System, "|"); got != tc.system || strings.Join(d.Context, "|") != tc.context || len(d.Threw) > 0 {
			t.Errorf("%s: %+v", tc.steps, d)
		}
		for _, s := range f.await(strings.Fields(tc.events)...) {
			prompt := ""
			if s.Event == "prompt" {
				prompt = "what did we decide?"
			}
			real, _ := filepath.EvalSymlinks(f.dir)
			if s.Client != "opencode" || s.Input.SessionID != "s" || s.Input.Prompt != prompt || filepath.Base(s.Input.Directory) != filepath.Base(real) || s.Dir != real {
				t.Errorf("%s: assay was told %+v", tc.steps, s)
			}
		}
	}
	f := newFake(t)
	f.drive(true, "created retitled prompt")
	for _, s := range f.await("session-start", "prompt") {
		if want := map[string]string{"session-start": "about s", "prompt": "another"}[s.Event]; s.Input.Title != want {
			t.Errorf("the title at %s is %q, want %q", s.Event, s.Input.Title, want)
		}
	}
}

// TestPluginWithout holds that a session goes on as if there were no plugin where
// assay does anything but answer in time.
func TestPluginWithout(t *testing.T) {
	for _, mode := range []string{"slow", "crash", "killed", "huge", "long", "garbage", "empty", "number", "deaf", "missing", "folder"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.mode(mode)
			switch mode {
			case "missing", "folder":
				if err := os.Remove(f.exe); err != nil {
					t.Fatal(err)
				}
			}
			if mode == "folder" {
				if err := os.Mkdir(f.exe, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			d := f.drive(mode != "slow", "created prompt transform compact idle dispose")
			if len(d.System)+len(d.Context)+len(d.Threw) > 0 {
				t.Errorf("%+v", d)
			}
		})
	}
	t.Run("killed when late", func(t *testing.T) {
		f := newFake(t)
		f.mode("slow")
		f.drive(false, "prompt")
		text, err := os.ReadFile(filepath.Join(f.dir, "pid"))
		if err != nil {
			t.Skip("the program had not begun when it was killed")
		}
		for range 6000 {
			if _, err := os.Stat(filepath.Join("/proc", string(text))); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Error("it still runs")
	})
	t.Run("killed when left", func(t *testing.T) {
		t.Parallel()
		f := newFake(t)
		f.mode("slow")
		// The driver gives up before such a program ends by itself.
		f.drive(false, "prompt idle gone")
	})
	t.Run("holding", func(t *testing.T) {
		f := newFake(t)
		f.mode("holding")
		if d := f.drive(true, "prompt transform"); strings.Join(d.System, "|") != "notes of prompt" {
			t.Errorf("%+v", d)
		}
	})
}

// TestPluginNamesProgram holds that setup can name the program in the plugin, and knows the plugin again.
func TestPluginNamesProgram(t *testing.T) {
	text := opencode.Plugin
	if !strings.HasPrefix(text, pluginMark) || strings.Count(text, pluginLine+"\n") != 1 || strings.Contains(text, "\r") {
		t.Error("setup cannot name the program in it, or does not know it again")
	}
	exe := `C:\a "b"\assay.exe`
	out, err := plugin{}.put(nil, []string{exe})
	if f, e := (plugin{}).look(out); err != nil || e != nil || f.state != ours || f.command[0] != exe {
		t.Errorf("look = %+v, %v", f, e)
	}
}
