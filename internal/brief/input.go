package brief

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// An emptyError says that nothing differs. It is no error to the caller: the brief of no change is empty.
type emptyError string

func (e emptyError) Error() string { return string(e) }

// DefaultTokens is the budget of a brief where nothing is said.
const DefaultTokens = 4000

// An Input asks for a brief.
type Input struct {
	Task      string   `json:"task,omitempty" arg:"1" stdin:"true" help:"the task in words, or the text of an issue, a trace or a diff; with --diff a commit"`
	Words     []string `json:"words,omitempty" flag:"words" help:"words and identifiers that the code probably has, guessed: wrong ones do no harm"`
	Issue     string   `json:"issue,omitempty" flag:"issue" group:"from" help:"read the task from FILE"`
	Trace     string   `json:"trace,omitempty" flag:"trace" group:"from" help:"read a stack trace or the output of a failing test from FILE"`
	Diff      bool     `json:"diff,omitempty" flag:"diff" group:"from" help:"use the change since a commit (default HEAD) or in a range A..B as the task"`
	Tokens    int      `json:"tokens,omitempty" flag:"tokens,budget" min:"200" max:"200000" default:"4000" help:"size of the brief in tokens (default 4000)"`
	Focus     []string `json:"focus,omitempty" flag:"focus" help:"only these parts: code, docs, memory"`
	Explain   bool     `json:"explain,omitempty" flag:"explain" help:"show what each part contributes and its tokens"`
	Root      string   `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the working directory)"`
	IndexDir  string   `json:"index_dir,omitempty" flag:"index-dir" out:"folder" help:"folder of the index (default: ROOT/.assay/index)"`
	NoRefresh bool     `json:"no_refresh,omitempty" flag:"no-refresh" help:"answer from the index without updating it"`
	workspace.Trees
}

// Across says which repositories are asked. They share the tokens.
func (in *Input) Across() workspace.Across {
	in.Tokens = cmp.Or(in.Tokens, DefaultTokens)
	return workspace.Across{Trees: &in.Trees, Root: &in.Root, Limit: &in.Tokens, Least: 200}
}

// ToolArgs are the arguments of the tool brief.
type ToolArgs struct {
	Task   string   `json:"task" min:"3" max:"1000000" help:"words, issue, trace or diff"`
	Words  []string `json:"words,omitempty" help:"guess identifiers the code has, e.g. [\"backoff\",\"maxAttempts\"]"`
	Tokens int      `json:"tokens,omitempty" min:"200" max:"50000" default:"4000"`
	Focus  []string `json:"focus,omitempty" help:"code, docs, memory"`
	Repos  []string `json:"repo,omitempty"`
}

// Input returns the brief that the arguments ask for.
func (a ToolArgs) Input() Input {
	return Input{Task: a.Task, Words: a.Words, Tokens: a.Tokens, Focus: a.Focus, Trees: workspace.Trees{Repos: a.Repos}}
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
	task := in.Task
	switch {
	case in.Diff:
		patch, err := diff(ctx, e.Root(), in.Task)
		if err != nil {
			return "", err
		}
		task = patch
	case in.Issue != "" || in.Trace != "":
		name := in.Issue + in.Trace
		at := name
		if !filepath.IsAbs(at) {
			at = filepath.Join(f.trees.Config().WorkDir, at)
		}
		read, err := safe.ReadNamed(at, mostRead)
		if err != nil {
			return "", fault.New(fault.NotFound, "the task cannot be read from %s", name).Because(err).Or("check the path; - is standard input")
		}
		if task, err = plain(string(read), name); err != nil {
			return "", err
		}
		if in.Task != "" {
			task = in.Task + "\n\n" + task
		}
	default:
		plain, err := plain(task, "what was given")
		if err != nil {
			return "", err
		}
		task = plain
	}
	if !utf8.ValidString(task) {
		task = strings.ToValidUTF8(task, "\uFFFD")
	}
	if strings.TrimSpace(task) == "" {
		return "", fault.New(fault.Usage, "the task is empty").Or(`say what is to be done, for example "retry a request that timed out"`)
	}
	return task, nil
}

// plain returns a task as UTF-8: what some shells write to a file is UTF-16. What is no
// text is refused, since words would be found in it by chance.
func plain(task, name string) (string, error) {
	decoded, encoding := text.Decode([]byte(task))
	head := decoded[:min(len(decoded), binaryHead)]
	if discover.Binary(head) && (len(head) >= leastBinary || bytes.IndexByte(head, 0) >= 0) {
		return "", fault.New(fault.Usage, "%s is not a text: it is binary", name).Or("give the words of the task, or a file of text in UTF-8 or UTF-16")
	}
	if encoding == "" {
		return task, nil
	}
	return strings.TrimSuffix(string(decoded), "\uFFFD"), nil // a line end of which half was cut
}

const (
	binaryHead  = 8 << 10 // bytes of a task that say whether it is text
	leastBinary = 64      // bytes without a zero; fewer are words in an encoding of one byte a letter
)

// diff returns the patch from a commit to the work tree, or of a range A..B.
func diff(ctx context.Context, root, base string) (string, error) {
	from, to, ranged := strings.Cut(base, "..")
	to, sinceFork := strings.CutPrefix(to, ".")
	resolve := func(name string) (string, error) {
		name = cmp.Or(name, "HEAD")
		hash, err := git.Commit(ctx, root, name)
		switch {
		case errors.Is(err, git.ErrNone):
			return "", fault.New(fault.Unavailable, "the change cannot be read: %v", err).Or("without git, give the patch itself as the task")
		case err != nil:
			return "", err
		case hash == "":
			return "", fault.New(fault.NotFound, "there is no commit %q", name).
				Or("name a commit, a branch or a range A..B; without one the change since HEAD is meant")
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
	if sinceFork {
		if fork, err := git.MergeBase(ctx, root, a, b); err == nil && fork != "" {
			a = fork
		}
	}
	patch, err := git.Patch(ctx, root, a, b, mostRead)
	if err != nil {
		return "", fault.New(fault.Unavailable, "the change cannot be read").Because(err)
	}
	if strings.TrimSpace(patch) == "" {
		if b == "" {
			to = "the work tree"
		}
		from, to = cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD")
		return "", emptyError(git.DescribeEmpty(root, from, to))
	}
	return patch, nil
}
