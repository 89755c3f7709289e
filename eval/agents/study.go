package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/safe"
)

// The limits are those of the published study.
const (
	maxCalls   = 15     // per task
	maxBytes   = 30_000 // per call
	maxRunFile = 64 << 20
)

// The arms are the two ways of looking into a tree.
const (
	textArm  = "text"
	assayArm = "assay"
)

// arms lists them in the order of the table.
func arms() []string { return []string{textArm, assayArm} }

//go:embed testdata prompts
var files embed.FS

// A repo is a project at the commit that the tasks ask about.
type repo struct {
	Repo string `json:"repo"` // the name of its folder
	URL  string `json:"url"`  // OWNER/NAME
	Base string `json:"base"` // commit
}

// A task is one question.
type task struct {
	ID       string `json:"id"`
	Repo     string `json:"repo"`
	Kind     string `json:"kind"`
	Question string `json:"question"`
}

// kinds lists the kinds of task in the order of the table.
func kinds() []string { return []string{"LOCALIZE", "UNDERSTAND", "IMPACT"} }

// A truth is the right answer to a task.
type truth struct {
	ID        string           `json:"id"`
	Files     []string         `json:"files"`          // must be named
	Optional  []string         `json:"files_optional"` // may be named; neither right nor wrong
	Functions []string         `json:"functions"`      // that must be changed
	Sites     map[string][]int `json:"sites"`          // lines that must be changed
	TestSites map[string][]int `json:"test_sites"`     // the same in tests
	Tests     []string         `json:"tests"`          // files of TestSites
	Facts     []fact           `json:"facts"`
}

// A fact is a statement that the answer should make, and the places that show it, as FILE:LINE.
type fact struct {
	Fact string   `json:"fact"`
	At   []string `json:"at"`
}

// An answer is the line of JSON that an agent writes.
type answer struct {
	ID        string   `json:"id"`
	Arm       string   `json:"arm"`
	Run       int      `json:"run,omitempty"`
	Files     []string `json:"answer_files"`
	Functions []string `json:"answer_functions"`
	Facts     string   `json:"facts"`
	Seconds   float64  `json:"seconds,omitempty"` // of the agent, from its start to its end
	Tokens    int      `json:"tokens,omitempty"`  // as the agent itself reports them
}

// A call is a record of one look into a tree, or the sum of several.
type call struct {
	Arm     string   `json:"arm"`
	Task    string   `json:"task"`
	Run     int      `json:"run,omitempty"`
	Calls   int      `json:"calls"` // 0: help, or refused
	Bytes   int      `json:"bytes"` // shown to the agent
	Millis  int64    `json:"ms"`
	Args    []string `json:"args,omitempty"`
	Refused string   `json:"refused,omitempty"`
}

// The names of the files in the folder of a run.
const (
	answersFile = "answers.jsonl"
	callsFile   = "calls.jsonl"
)

// decodeLines reads JSON lines.
func decodeLines[T any](name string, data []byte) (out []T, err error) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		out = append(out, v)
	}
	return out, nil
}

// embedded reads JSON lines that are part of the study.
func embedded[T any](name string) ([]T, error) {
	data, err := files.ReadFile(path.Join("testdata", name))
	if err != nil {
		return nil, err
	}
	return decodeLines[T](name, data)
}

// readRun reads a file of a run's folder. A missing file is empty, because a run starts without any.
func readRun[T any](dir *safe.Root, name string) ([]T, error) {
	data, err := dir.ReadFile(name, maxRunFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return decodeLines[T](filepath.Join(dir.Name(), name), data)
}

// appendRun adds a line to a file of a run's folder.
func appendRun(dir *safe.Root, name string, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := dir.Append(name, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// findTask returns a task and the name of its project's folder.
func findTask(id string) (task, error) {
	tasks, err := embedded[task]("tasks.jsonl")
	if err != nil {
		return task{}, err
	}
	for _, t := range tasks {
		if t.ID == id {
			return t, nil
		}
	}
	return task{}, fmt.Errorf("no task %q: the tasks are in testdata/tasks.jsonl", id)
}
