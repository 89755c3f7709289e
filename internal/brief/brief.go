// Package brief is the feature that answers "here is the task: what do I need to know?".
// From everything that is indexed it chooses the declarations to read, and names beside them
// their callers, the tests and pages that a change may break, and the gaps of the answer.
//
// Nothing in a brief is generated: each line is a place to open, or a quotation with its
// place. The same tree gives the same brief, and no brief is larger than its budget.
package brief

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/passage"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A Feature writes briefs. It is safe for concurrent use.
type Feature struct {
	trees  *workspace.Workspace
	docs   Docs
	memory Memory
}

// New returns a feature over the trees of a workspace. The documentation of libraries and
// the notes may be nil: then a brief has nothing of them.
func New(trees *workspace.Workspace, docs Docs, memory Memory) *Feature {
	return &Feature{trees, docs, memory}
}

// A Declaration is one that the task is likely to change.
type Declaration struct {
	Name      string  `json:"name"` // qualified
	Kind      string  `json:"kind"`
	Line      int     `json:"line"`
	Last      int     `json:"last"`
	Score     float64 `json:"score"`               // how likely, 0..1
	Signature string  `json:"signature,omitempty"` // its head, on one line
	Body      string  `json:"body,omitempty"`      // its text, quoted
	BodyLine  int     `json:"body_line,omitempty"`
	Why       string  `json:"why,omitempty"`
}

// A File is one that the task is likely to change.
type File struct {
	File         string        `json:"file"`
	Score        float64       `json:"score"` // how likely, 0..1
	Why          string        `json:"why"`
	Declarations []Declaration `json:"declarations"`

	passage *passage.Passage // the lines that are shown
}

// A Line is a place with its quotation.
type Line struct {
	File  string  `json:"file"`
	Line  int     `json:"line,omitempty"`
	Last  int     `json:"last,omitempty"`
	Quote string  `json:"quote,omitempty"`
	Why   string  `json:"why"`
	Date  string  `json:"date,omitempty"`
	Score float64 `json:"score"`
}

// A Gap is something that the brief does not know, and how the caller has it told.
type Gap struct {
	What string `json:"what"`
	Ask  string `json:"ask,omitempty"`
}

// A Frame is a frame of a trace, and where it is now.
type Frame struct {
	Was  string `json:"was"` // as the trace has it
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Name string `json:"name,omitempty"`
	Text string `json:"quote,omitempty"`
	How  string `json:"how"` // line, quoted line, call, declaration, moved, gone, file, outside

	hidden bool // the budget has no room for it
}

// A Reason is why something is in a brief: what it adds to what comes before it, and its
// cost.
type Reason struct {
	What   string        `json:"what"`
	Gain   float64       `json:"gain"`
	Tokens int           `json:"tokens"`
	Score  float64       `json:"score"`
	Of     []rank.Signal `json:"signals,omitempty"`
}

// A Brief is what one has to know for a task, within a number of tokens.
type Brief struct {
	Task      string   `json:"task"`
	Frames    []Frame  `json:"frames,omitempty"`
	Where     []File   `json:"where"`
	Hangs     []Line   `json:"hangs_together,omitempty"`
	Breaks    []Line   `json:"would_break,omitempty"`
	Done      []Line   `json:"done_here,omitempty"`
	Libraries []Line   `json:"libraries,omitempty"`
	Decided   []Line   `json:"decided,omitempty"`
	Unknown   []Gap    `json:"not_known,omitempty"`
	Tokens    int      `json:"tokens"` // as text.Tokens estimates them
	Budget    int      `json:"budget"`
	Explain   []Reason `json:"explain,omitempty"`
	corpus.Extent
	Notes []string `json:"notes,omitempty"`

	focus func(line []byte) int // where to look in a long line
}

// Brief answers what one has to know for a task.
func (f *Feature) Brief(ctx context.Context, in Input) (*Brief, error) {
	focus, err := in.focus()
	if err != nil {
		return nil, err
	}
	in.Tokens = cmp.Or(in.Tokens, DefaultTokens)
	out := &Brief{Where: []File{}, Budget: in.Tokens}
	sought := &engine.Sought{Query: in.Task, Words: in.Words}
	err = f.trees.AskFor(ctx, sought, in.Root, in.IndexDir, "", !in.NoRefresh, func(e *engine.Engine, v *engine.View, _ string) error {
		task, err := f.task(ctx, in, e)
		if empty, ok := errors.AsType[emptyError](err); ok {
			out.Notes = []string{empty.Error()}
			return nil
		}
		if err != nil {
			return err
		}
		stage := func(what string) { work.FromContext(ctx).Progress(what, 0, 0) }
		s := &session{ctx: ctx, e: e, v: v, f: f, task: task, guesses: in.Words, out: out, explain: in.Explain, byPath: map[string]*file{}}
		out.Task, out.Extent = echo(task), v.Extent()
		if focus.code {
			p, release, err := v.Project(ctx)
			if err != nil {
				return err
			}
			defer release()
			p.Under(facts.Host())
			s.p = p
			stage(stages[where])
			if err := s.locate(); err != nil {
				return err
			}
			stage(stages[hangs])
			s.around()
		}
		if focus.docs {
			stage(stages[told])
			s.libraries()
		}
		if focus.memory {
			stage(stages[decisions])
			s.decided()
		}
		// What is shown of one part depends on all: a person sees what is being looked for,
		// and then the whole.
		stage(stages[unknown])
		s.gaps()
		s.choose(in.Tokens)
		return nil
	})
	return out, err
}

// A session is one brief while it is made.
type session struct {
	ctx     context.Context
	e       *engine.Engine
	v       *engine.View
	p       *facts.Project
	f       *Feature
	task    string
	guesses []string // of the caller
	out     *Brief
	explain bool

	plan   rank.Plan
	stats  rank.Stats
	hits   []engine.Hit
	tell   *rank.Telling
	byPath map[string]*file
	files  []*file  // likeliest first
	likely []*place // likeliest first
	items  []item   // what may be shown, but for files and declarations
	gapped []Gap
	tested *tested
	read   map[int]*file // by document

	passages []*passage.Passage
	spelled  map[string]string
	programs int // files with hits that are neither tests nor prose
}

const mostEchoed = 200

// echo returns the beginning of a task, as an answer repeats it: who asked has the rest.
func echo(task string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(task), "\n")
	if len(line) > mostEchoed {
		return text.Short(line, mostEchoed)
	}
	if strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return line
}
