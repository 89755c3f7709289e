package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/safe"
)

// A study is a run with an agent that is started once for each task and arm.
type study struct {
	looker
	agent   string // the command, with {prompt}
	useMCP  bool
	timeout time.Duration
	out     *safe.Root
}

// runAgents asks an agent all tasks. Those that have an answer in the folder of the run are left out, so that a run that
// was ended goes on.
func runAgents(ctx context.Context, args []string, w io.Writer) error {
	var s study
	set := flag.NewFlagSet("run", flag.ContinueOnError)
	set.StringVar(&s.dir, "dir", "", "folder of the study, with trees (required)")
	set.StringVar(&s.outDir, "out", "", "folder of the run (required)")
	set.StringVar(&s.agent, "agent", "", "command that answers {prompt} (required)")
	set.StringVar(&s.assay, "assay", "assay", "assay binary")
	set.BoolVar(&s.useMCP, "mcp", false, "let the arm assay use the MCP server instead of the command")
	set.DurationVar(&s.timeout, "timeout", 15*time.Minute, "time for a task")
	repeat := set.Int("repeat", 1, "answers to each task in each arm")
	only := set.String("tasks", "", "only these tasks, separated by commas")
	if err := set.Parse(args); err != nil {
		return err
	}
	if s.dir == "" || s.outDir == "" || !strings.Contains(s.agent, "{prompt}") || set.NArg() > 0 {
		return errors.New("usage: agents run -dir DIR -out DIR -agent 'COMMAND {prompt}' [flags]")
	}
	tasks, err := embedded[task]("tasks.jsonl")
	if err != nil {
		return err
	}
	if s.out, err = safe.OutputFolder(s.outDir, 0o755); err != nil {
		return err
	}
	defer s.out.Close()
	for s.run = range *repeat {
		for _, t := range tasks {
			if *only != "" && !slices.Contains(strings.Split(*only, ","), t.ID) {
				continue
			}
			for _, s.arm = range arms() {
				if err := s.ask(ctx, t.ID, w); err != nil {
					return fmt.Errorf("%s, %s: %w", t.ID, s.arm, err)
				}
			}
		}
	}
	return nil
}

// ask gets one answer, unless the run has it. It records the calls only with the answer, because those of an agent that
// failed to start, or was interrupted, are no cost of an answer.
func (s *study) ask(ctx context.Context, id string, w io.Writer) error {
	answers, err := readRun[answer](s.out, answersFile)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(answers, func(a answer) bool { return a.ID == id && a.Arm == s.arm && a.Run == s.run }) {
		return nil
	}
	if err := s.complete(id); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "agents-work")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	records, err := os.MkdirTemp("", "agents-calls")
	if err != nil {
		return err
	}
	defer os.RemoveAll(records)
	argv, err := s.prepare(work, records)
	if err != nil {
		return err
	}
	a, printed, err := s.start(ctx, work, argv)
	if err != nil {
		return err
	}
	if err := s.out.Write(fmt.Sprintf("%s-%s-%d.txt", id, s.arm, s.run), printed, 0o644); err != nil {
		return err
	}
	calls, err := s.moveCalls(records)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%-14s %-6s %d calls, %.0f s, %d files named\n", id, s.arm, calls, a.Seconds, len(a.Files))
	return appendRun(s.out, answersFile, a)
}

// moveCalls adds the records of one agent to those of the run.
func (s *study) moveCalls(records string) (n int, err error) {
	dir, err := safe.OpenRoot(records)
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	calls, err := readRun[call](dir, callsFile)
	for _, c := range calls {
		n += c.Calls
		err = errors.Join(err, appendRun(s.out, callsFile, c))
	}
	return n, err
}

// prepare writes into the empty folder the script through which the agent looks and the settings of MCP servers, of which the
// arm text has none, and returns the agent's command.
func (s *study) prepare(work, records string) (argv []string, err error) {
	name, card, relay := "look", s.arm, "true" // a program that ends at once
	servers, local := map[string]any{}, map[string]any{}
	if s.useMCP && s.arm == assayArm {
		name, card, relay = "relay", "mcp", filepath.Join(work, "relay")
		servers["assay"] = map[string]any{"command": relay, "args": []string{}}
		local["assay"] = map[string]any{"type": "local", "command": []string{relay}, "enabled": true}
	}
	line, err := s.scriptLine(name, records)
	if err != nil {
		return nil, err
	}
	prompt, err := s.prompt(card)
	if err != nil {
		return nil, err
	}
	dir, err := safe.OpenRoot(work)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := dir.Write(name, []byte("#!/bin/sh\n"+line+"\n"), 0o755); err != nil {
		return nil, err
	}
	for file, settings := range map[string]map[string]any{
		".mcp.json":             {"mcpServers": servers},
		".gemini/settings.json": {"mcpServers": servers},
		"opencode.json":         {"mcp": local},
	} {
		data, err := json.Marshal(settings)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(dir.MkdirAll(path.Dir(file), 0o755), dir.Write(file, data, 0o644)); err != nil {
			return nil, err
		}
	}
	replace := strings.NewReplacer("{prompt}", prompt, "{mcp}", filepath.Join(work, ".mcp.json"), "{relay}", relay)
	for _, field := range strings.Fields(s.agent) {
		argv = append(argv, replace.Replace(field))
	}
	return argv, nil
}

// scriptLine returns the shell command that looks into the tree of the task with this program.
func (s *study) scriptLine(name, records string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return "", err
	}
	assay := s.assay
	if filepath.Base(assay) != assay {
		if assay, err = filepath.Abs(assay); err != nil {
			return "", err
		}
	}
	words := []string{self, name, "-dir", dir, "-out", records, "-arm", s.arm, "-task", s.task.ID, "-run", fmt.Sprint(s.run), "-assay", assay}
	for i, word := range words {
		words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return "exec " + strings.Join(words, " ") + ` "$@"`, nil
}

// prompt returns the instructions of an arm with the task.
func (s *study) prompt(card string) (string, error) {
	text, err := files.ReadFile("prompts/instructions.md")
	if err != nil {
		return "", err
	}
	tools, err := files.ReadFile("prompts/" + card + ".md")
	if err != nil {
		return "", err
	}
	return strings.NewReplacer("{tools}", strings.TrimSpace(string(tools)), "{calls}", fmt.Sprint(maxCalls), "{bytes}", fmt.Sprint(maxBytes),
		"{id}", s.task.ID, "{kind}", s.task.Kind, "{question}", s.task.Question).Replace(string(text)), nil
}

// start runs the agent and returns its answer and what it printed. An agent that runs out of time, or ends without an answer,
// has given a wrong one; one that fails is an error, because the reason may be the user's account.
func (s *study) start(ctx context.Context, work string, argv []string) (a answer, printed []byte, err error) {
	ctx, stop := context.WithTimeout(ctx, s.timeout)
	defer stop()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.WaitDelay = work, time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	err = cmd.Run()
	seconds := time.Since(began).Seconds()
	a, found := findAnswer(stdout.Bytes(), s.task.ID)
	if err != nil && !found && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return a, nil, fmt.Errorf("%s: %w: %s", argv[0], err, cutText(bytes.TrimSpace(stderr.Bytes()), minStderr))
	}
	a.ID, a.Arm, a.Run, a.Seconds = s.task.ID, s.arm, s.run, seconds
	return a, stdout.Bytes(), nil
}

// findAnswer returns the last line that is an answer to the task. Agents that print one JSON document have their text in result
// (Claude Code) or response (Gemini); of the first, the tokens are read too.
func findAnswer(printed []byte, id string) (a answer, found bool) {
	var document struct {
		Result   string `json:"result"`
		Response string `json:"response"`
		Usage    struct {
			Input   int `json:"input_tokens"`
			Written int `json:"cache_creation_input_tokens"`
			Cached  int `json:"cache_read_input_tokens"`
			Output  int `json:"output_tokens"`
		} `json:"usage"`
	}
	text := string(printed)
	if json.Unmarshal(printed, &document) == nil && document.Result+document.Response != "" {
		text = document.Result + document.Response
	}
	for line := range strings.Lines(text) {
		at := strings.IndexByte(line, '{')
		if at < 0 {
			continue
		}
		var next answer
		if json.NewDecoder(strings.NewReader(line[at:])).Decode(&next) == nil && next.ID == id {
			a, found = next, true
		}
	}
	u := document.Usage
	a.Tokens = u.Input + u.Written + u.Cached + u.Output
	return a, found
}
