//go:build unix

package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/assay-dev/assay/internal/base/testaid"
)

// TestHookCommands holds that the commands that setup writes harm no session, whatever is
// in the program's place: run as a client runs them, they end with status 0 and without a
// word on standard output, or run when the client's time limit, which each has, ends them.
func TestHookCommands(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	for _, c := range clients {
		name := c.files["hooks"]
		if name == "" || c.project {
			continue
		}
		for what, stub := range map[string]string{
			"missing":              "",
			"a verdict":            "#!/bin/sh\necho refused >&2\nexit 2\n",
			"an older version":     "#!/bin/sh\necho \"assay: no command \\\"hook\\\"\" >&2\nexit 2\n",
			"killed":               "#!/bin/sh\nkill -9 $$\n",
			"not a program":        "\x7fELF",
			"without its folder":   "folder",
			"hung":                 "#!/bin/sh\necho begun >begun\nexec sleep 600\n",
			"hung, deaf to TERM":   "#!/bin/sh\ntrap '' TERM INT\necho begun >begun\nwhile :; do sleep 1; done\n",
			"fine, and with words": "#!/bin/sh\necho \"$@\"\n",
		} {
			t.Run(c.client+"/"+what, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				dir := filepath.Join(filepath.Dir(w.home), "with a space & 'quotes'")
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				w.exe = filepath.Join(dir, "assay")
				w.write(filepath.Join(filepath.Base(dir), "assay"), "#!/bin/sh\n")
				w.must(Input{Client: c.client, Memory: true})
				err := os.RemoveAll(w.exe)
				switch {
				case err != nil:
				case stub == "folder":
					err = os.RemoveAll(dir)
				case stub != "":
					testaid.WriteProgram(t, w.exe, []byte(stub))
				}
				if err != nil {
					t.Fatal(err)
				}
				type handler struct {
					Command string
					Timeout int
				}
				var v struct {
					Hooks map[string][]struct {
						handler // Cursor has no groups of them
						Hooks   []handler
					}
				}
				if err := json.Unmarshal([]byte(w.read(filepath.Join(filepath.Dir(w.home), filepath.FromSlash(name)))), &v); err != nil || len(v.Hooks) != len(hookEvents(c.client)) {
					t.Fatalf("%v, %+v", err, v)
				}
				for _, e := range hookEvents(c.client) {
					hook := v.Hooks[e.event][0].handler
					if c.client != "cursor" {
						hook = v.Hooks[e.event][0].Hooks[0]
					}
					if hook.Timeout <= 0 || hook.Timeout > 5 {
						t.Errorf("%s may take %d s", e.event, hook.Timeout)
					}
					out, err := runHook(t, sh, w.work, hook.Command, strings.HasPrefix(what, "hung"))
					want := ""
					if strings.HasPrefix(what, "fine") {
						want = fmt.Sprintf("hook %s %s\n", c.client, e.verb)
					}
					if err != nil || out != want {
						t.Errorf("%s: %v, it says %q", hook.Command, err, out)
					}
				}
			})
		}
	}
}

// runHook runs a command as a client does. One that hangs is ended as at the client's time
// limit, once it has begun, and that is not its fault.
func runHook(t *testing.T, sh, dir, command string, hangs bool) (string, error) {
	begun := filepath.Join(dir, "begun")
	if hangs {
		if err := syscall.Mkfifo(begun, 0o600); err != nil {
			return "", err
		}
		defer os.Remove(begun)
	}
	cmd := exec.Command(sh, "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Dir, cmd.Stdin = dir, strings.NewReader("{}")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	if !hangs {
		err := cmd.Wait()
		return out.String(), err
	}
	_, err := os.ReadFile(begun) // until it is written
	if e := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err == nil {
		err = e
	}
	_ = cmd.Wait() // it was killed
	return out.String(), err
}
