package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

const (
	maxLook   = 5 * time.Minute // of one program
	minStderr = 2_000           // bytes of messages that are shown whatever the output
)

// A looker is an agent's only way into the tree of one task.
type looker struct {
	dir, outDir, arm, assay string
	run                     int
	task                    task
	tree                    string
}

// parse reads the flags that tell whose look it is, and returns the words behind them.
func (l *looker) parse(name string, args []string) ([]string, error) {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	id := set.String("task", "", "ID of the task (required)")
	set.StringVar(&l.dir, "dir", "", "folder of the study, with trees (required)")
	set.StringVar(&l.outDir, "out", "", "folder of the run, for "+callsFile+" (required)")
	set.StringVar(&l.arm, "arm", "", "text or assay (required)")
	set.StringVar(&l.assay, "assay", "assay", "assay binary")
	set.IntVar(&l.run, "run", 0, "number of the repetition")
	if err := set.Parse(args); err != nil {
		return nil, err
	}
	return set.Args(), l.complete(*id)
}

// complete checks the flags and finds the tree.
func (l *looker) complete(id string) (err error) {
	if l.dir == "" || l.outDir == "" || !slices.Contains(arms(), l.arm) {
		return errors.New("-dir, -out and -arm text or assay are required")
	}
	if l.task, err = findTask(id); err != nil {
		return err
	}
	if l.tree, err = filepath.Abs(treeDir(l.dir, l.arm, l.task.Repo)); err != nil {
		return err
	}
	if l.tree, err = filepath.EvalSymlinks(l.tree); err != nil {
		return fmt.Errorf("%w: get the trees with agents trees -dir %s", err, l.dir)
	}
	return nil
}

// runLook runs one command in the tree of a task, if the rules allow it, and records it.
func runLook(ctx context.Context, args []string, w io.Writer) error {
	var l looker
	command, err := l.parse("look", args)
	if err != nil {
		return err
	}
	if len(command) == 0 {
		return errors.New("a command is missing: " + allowedCommands(l.arm))
	}
	out, err := safe.OutputFolder(l.outDir, 0o755)
	if err != nil {
		return err
	}
	defer out.Close()
	// The lock lasts for the whole call, so that parallel calls cannot exceed the limit.
	unlock, err := file.Lock(ctx, filepath.Join(l.outDir, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return l.look(ctx, out, command, w)
}

// look checks, runs, records and shows one command.
func (l *looker) look(ctx context.Context, out *safe.Root, args []string, w io.Writer) error {
	used, err := l.callsUsed(out)
	if err != nil {
		return err
	}
	isHelp := slices.Contains(args, "--help")
	record := call{Arm: l.arm, Task: l.task.ID, Run: l.run, Args: args}
	record.Refused = l.refusal(args)
	if record.Refused == "" && used >= maxCalls && !isHelp {
		record.Refused = fmt.Sprintf("all %d calls of the task are used: write the answer", maxCalls)
	}
	if record.Refused != "" {
		return errors.Join(appendRun(out, callsFile, record), errors.New("refused: "+record.Refused))
	}
	start := time.Now()
	stdout, stderr, code, err := l.execute(ctx, args)
	if err != nil {
		return err
	}
	record.Millis = time.Since(start).Milliseconds()
	stdout = cutText(stdout, maxBytes)
	stderr = cutText(stderr, max(minStderr, maxBytes-len(stdout)))
	record.Bytes = len(stdout) + len(stderr)
	if !isHelp {
		record.Calls = 1
	}
	if err := appendRun(out, callsFile, record); err != nil {
		return err
	}
	if _, err := w.Write(stdout); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s[%s: call %d of %d]\n", stderr, l.task.ID, used+record.Calls, maxCalls)
	if code != 0 {
		return exitStatus(code)
	}
	return nil
}

// callsUsed counts the calls that this arm made for the task.
func (l *looker) callsUsed(out *safe.Root) (n int, err error) {
	calls, err := readRun[call](out, callsFile)
	for _, c := range calls {
		if c.Arm == l.arm && c.Task == l.task.ID && c.Run == l.run {
			n += c.Calls
		}
	}
	return n, err
}

// cutText shortens text to a number of bytes and says so.
func cutText(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	shown := bytes.ToValidUTF8(text[:most], nil)
	return fmt.Appendf(shown, "\n[the first %d of %d bytes]\n", len(shown), len(text))
}

// execute runs a command that refusal let pass.
func (l *looker) execute(ctx context.Context, args []string) (stdout, stderr []byte, code int, err error) {
	name, rest := args[0], args[1:]
	switch {
	case name == "sed" || name == "cat":
		stdout, err := l.readLines(name, rest)
		if err != nil {
			return stdout, []byte(err.Error() + "\n"), 1, nil
		}
		return stdout, nil, 0, nil
	case l.arm == assayArm:
		name, rest = l.assay, args
	case name == "rg":
		rest = append([]string{"--no-config"}, rest...)
	}
	ctx, stop := context.WithTimeout(ctx, maxLook)
	defer stop()
	if filepath.Base(name) != name {
		if name, err = filepath.Abs(name); err != nil {
			return nil, nil, 0, err
		}
	}
	cmd := exec.CommandContext(ctx, name, rest...)
	cmd.Dir, cmd.WaitDelay = l.tree, time.Second
	if cmd.Env, err = cleanEnv(l.dir); err != nil {
		return nil, nil, 0, err
	}
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return o.Bytes(), e.Bytes(), cmd.ProcessState.ExitCode(), err
}

// cleanEnv returns an environment in which programs find no settings of the user.
func cleanEnv(dir string) ([]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	home := filepath.Join(dir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, err
	}
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"), "LANG=C.UTF-8", "GIT_CEILING_DIRECTORIES=" + dir}, nil
}
