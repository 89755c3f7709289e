package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/eval/agents"
)

//go:embed scripts
var scripts embed.FS

// oneStep is the longest that an agent may take for one prompt.
const oneStep = 2 * time.Minute

// An agent is a program and how it is run.
type agent struct {
	name    string
	program func(prefix string) string
	files   func(url string) map[string]string // by path below the home
	env     func(home, url string) []string
	steps   []turn
}

// A turn is one run of the program: its arguments, and lines that it is fed, with
// some time between them.
type turn struct {
	args, feed []string
}

// session stands in arguments for the session that the first run began. The last
// one may be a sub-agent's.
const session = "SESSION"

var sessionID = regexp.MustCompile(`session id: ([0-9a-f-]+)`)

// betweenLines is long enough for an agent to have begun with the line before.
const betweenLines = 2 * time.Second

// notes is what lies in the project that the agents work on.
var notes = map[string]string{
	"NOTES.md":  "# Candidates for the job queue\n\n- SQLite: no service, one writer\n- Postgres: SKIP LOCKED, a service\n",
	"AGENTS.md": "Answer in one sentence.\n",
	"CLAUDE.md": "Answer in one sentence.\n",
	"main.go":   "package main\n\nfunc main() {}\n",
}

// drive runs the scenario of each agent, whose sessions then lie below work.
func drive(args []string) error {
	f := flag.NewFlagSet("drive", flag.ExitOnError)
	prefix := f.String("prefix", "", "the `folder` that npm installed the agents into")
	work := f.String("work", "", "an empty `folder` to work in")
	only := f.String("agent", "", "opencode, claude or codex; all where empty")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *prefix == "" || *work == "" {
		return errors.New("drive needs -prefix and -work")
	}
	abs, err := filepath.Abs(*work)
	if err != nil {
		return err
	}
	failed := false
	for _, a := range all() {
		if *only != "" && *only != a.name {
			continue
		}
		if err := a.run(*prefix, abs); err != nil {
			failed = true
			fmt.Printf("%s: SKIPPED: %v\n", a.name, err)
		}
	}
	if failed {
		return errors.New("not every agent ran")
	}
	return nil
}

func all() []agent { return []agent{opencode(), claude(), codex()} }

// homeOf and projectOf say where below work an agent's home and project are.
func homeOf(work, name string) string    { return filepath.Join(work, name, "home") }
func projectOf(work, name string) string { return filepath.Join(work, name, "project") }

// run takes an agent through its steps with a model of its own.
func (a agent) run(prefix, work string) error {
	program, err := filepath.Abs(a.program(prefix))
	if err != nil {
		return err
	}
	if _, err := os.Stat(program); err != nil {
		return fmt.Errorf("it is not installed: %w", err)
	}
	text, err := scripts.ReadFile("scripts/" + a.name + ".json")
	if err != nil {
		return err
	}
	script, err := agents.Read(bytes.NewReader(text))
	if err != nil {
		return err
	}
	m, err := agents.Serve(0, script)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // nothing is being asked any more
	home, project := homeOf(work, a.name), projectOf(work, a.name)
	if err := lay(home, a.files(m.URL)); err != nil {
		return err
	}
	if err := lay(project, notes); err != nil {
		return err
	}
	env := append([]string{searchPath(), "HOME=" + home, "TERM=dumb", "GIT_CONFIG_GLOBAL=/dev/null"}, a.env(home, m.URL)...)
	for _, command := range [][]string{
		{"git", "init", "-q", "-b", "main"}, {"git", "remote", "add", "origin", "https://example.com/acme/queue.git"},
	} {
		if _, err := step(project, env, command[0], turn{args: command[1:]}); err != nil {
			return err
		}
	}
	begun := session
	for i, t := range a.steps {
		t.args = slices.Clone(t.args)
		if at := slices.Index(t.args, session); at >= 0 {
			t.args[at] = begun
		}
		out, err := step(project, env, program, t)
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		if m := sessionID.FindStringSubmatch(out); m != nil && begun == session {
			begun = m[1]
		}
	}
	if err := keep(filepath.Join(work, a.name, "requests.jsonl"), m.Requests()); err != nil {
		return err
	}
	fmt.Printf("%s: %d steps, %d requests\n", a.name, len(a.steps), len(m.Requests()))
	for _, r := range m.Unused() {
		fmt.Printf("%s: nothing asked for %q\n", a.name, r.Say)
	}
	return nil
}

// searchPath returns the variable that says where programs are.
func searchPath() string {
	for _, v := range new(exec.Cmd).Environ() {
		if strings.HasPrefix(v, "PATH=") {
			return v
		}
	}
	return "PATH="
}

// keep writes what was asked, one request a line.
func keep(path string, asked []*agents.Request) error {
	var out bytes.Buffer
	for _, r := range asked {
		if err := json.Compact(&out, r.Body); err != nil {
			return err
		}
		out.WriteByte('\n')
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// lay writes files below dir.
func lay(dir string, files map[string]string) error {
	for name, body := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

// step runs one program to its end and returns what it printed.
func step(dir string, env []string, program string, t turn) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), oneStep)
	defer stop()
	cmd := exec.CommandContext(ctx, program, t.args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, 5*time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if t.feed != nil {
		in, lines := io.Pipe()
		cmd.Stdin = in
		go func() {
			for i, line := range t.feed {
				if i > 0 {
					time.Sleep(betweenLines)
				}
				if _, err := io.WriteString(lines, line+"\n"); err != nil {
					return // it has ended
				}
			}
			_ = lines.Close() // never fails
		}()
		defer func() { _ = in.Close() }()
	}
	if err := cmd.Run(); err != nil {
		tail := out.String()
		return tail, fmt.Errorf("%s %s: %w: %s", filepath.Base(program), strings.Join(t.args, " "), err, tail[max(0, len(tail)-600):])
	}
	return out.String(), nil
}

// below returns the files below dir whose names end so, in order.
func below(dir, suffix string) (out []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, suffix) {
			out = append(out, path)
		}
		return err
	})
	slices.Sort(out)
	return out, err
}
