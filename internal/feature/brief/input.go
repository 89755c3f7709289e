package brief

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/core/engine"
	"github.com/assay-dev/assay/internal/core/workspace"
)

// DefaultTokens is the budget of a brief where nothing is said.
const DefaultTokens = 4000

// An Input asks for a brief.
type Input struct {
	Task      string   `json:"task,omitempty" arg:"1" stdin:"true" help:"the task in words, or the text of an issue, a trace or a diff; - reads it from standard input; with --diff a commit"`
	Issue     string   `json:"issue,omitempty" flag:"issue" group:"from" help:"read the task from FILE"`
	Trace     string   `json:"trace,omitempty" flag:"trace" group:"from" help:"read a stack trace or the output of a failing test from FILE"`
	Diff      bool     `json:"diff,omitempty" flag:"diff" group:"from" help:"go by the change since a commit (default HEAD) or in a range A..B"`
	Tokens    int      `json:"tokens,omitempty" flag:"tokens" min:"200" max:"200000" default:"4000" help:"size of the brief in tokens (default 4000)"`
	Focus     []string `json:"focus,omitempty" flag:"focus" help:"only these parts: code, docs, memory"`
	Explain   bool     `json:"explain,omitempty" flag:"explain" help:"show what each part adds, for how many tokens"`
	Root      string   `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the working directory)"`
	IndexDir  string   `json:"index_dir,omitempty" flag:"index-dir" help:"folder of the index (default: ROOT/.assay/index)"`
	NoRefresh bool     `json:"no_refresh,omitempty" flag:"no-refresh" help:"answer from the index as it is"`
	workspace.Trees
}

// Across says which repositories are asked. They share the tokens.
func (in *Input) Across() workspace.Across {
	if in.Tokens == 0 {
		in.Tokens = DefaultTokens
	}
	return workspace.Across{Trees: &in.Trees, Root: &in.Root, Limit: &in.Tokens, Least: 200}
}

// ToolArgs are the arguments of the tool brief.
type ToolArgs struct {
	Task   string   `json:"task" min:"3" max:"1000000" help:"words, issue, trace or diff"`
	Tokens int      `json:"tokens,omitempty" min:"200" max:"50000" default:"4000"`
	Focus  []string `json:"focus,omitempty" help:"code, docs, memory"`
	Repos  []string `json:"repo,omitempty"`
}

// Input returns the brief that the arguments ask for.
func (a ToolArgs) Input() Input {
	return Input{Task: a.Task, Tokens: a.Tokens, Focus: a.Focus, Trees: workspace.Trees{Repos: a.Repos}}
}

const mostRead = 64 << 20 // bytes of a file that has the task

type focus struct{ code, docs, memory bool }

func (in *Input) focus() (f focus, err error) {
	for _, list := range in.Focus {
		for w := range strings.SplitSeq(list, ",") {
			switch strings.TrimSpace(w) {
			case "code":
				f.code = true
			case "docs":
				f.docs = true
			case "memory":
				f.memory = true
			case "":
			default:
				return f, fault.New(fault.Usage, "--focus: %q is not one of code, docs, memory", w).Or("separate several with commas: --focus code,docs")
			}
		}
	}
	if f == (focus{}) {
		f = focus{true, true, true}
	}
	return f, nil
}

// task returns the text that a brief is about.
func (f *Feature) task(ctx context.Context, in Input, e *engine.Engine) (string, error) {
	text := in.Task
	switch {
	case in.Diff:
		patch, err := diff(ctx, e.Root(), in.Task)
		if err != nil {
			return "", err
		}
		text = patch
	case in.Issue != "" || in.Trace != "":
		name := in.Issue + in.Trace
		at := name
		if !filepath.IsAbs(at) {
			at = filepath.Join(f.trees.Config().WorkDir, at)
		}
		read, err := safe.ReadNamed(at, mostRead)
		if err != nil {
			return "", fault.New(fault.NotFound, "the task cannot be read from %s", name).Because(err).Or("check the path; a text on standard input is given as: assay brief -")
		}
		if text = string(read); in.Task != "" {
			text = in.Task + "\n\n" + text
		}
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	if strings.TrimSpace(text) == "" {
		return "", fault.New(fault.Usage, "the task is empty").Or(`say what is to be done, for example: assay brief "retry a request that timed out"`)
	}
	return text, nil
}

// diff returns the patch from a commit to the work tree, or of a range A..B.
func diff(ctx context.Context, root, base string) (string, error) {
	from, to, ranged := strings.Cut(base, "..")
	to = strings.TrimPrefix(to, ".")
	resolve := func(name string) (string, error) {
		if name == "" {
			name = "HEAD"
		}
		hash, err := git.Commit(ctx, root, name)
		switch {
		case errors.Is(err, git.ErrNone):
			return "", fault.New(fault.Unavailable, "the change cannot be read: %v", err).Or("without git, give the patch itself: assay brief - reads it from standard input")
		case err != nil:
			return "", err
		case hash == "":
			return "", fault.New(fault.NotFound, "no commit is called %q", name).Or("--diff takes a commit, a branch or a range A..B, and without one compares with HEAD").
				Try("brief", fault.Arg{Name: "diff", Value: true})
		}
		return hash, nil
	}
	a, err := resolve(from)
	if err != nil {
		return "", err
	}
	b := ""
	if ranged {
		if b, err = resolve(to); err != nil {
			return "", err
		}
	}
	patch, err := git.Patch(ctx, root, a, b, mostRead)
	if err != nil {
		return "", fault.New(fault.Unavailable, "the change cannot be read").Because(err)
	}
	if strings.TrimSpace(patch) == "" {
		return "", fault.New(fault.Usage, "nothing differs from %s", orElse(from, "HEAD")).Or("name an older commit: assay brief --diff HEAD~1")
	}
	return patch, nil
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
