package memory

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// A DigestInput is the result of a session, as its agent writes it down.
type DigestInput struct {
	Goal     string   `json:"goal" arg:"1" max:"200" help:"the task of the session, in a line"`
	Decided  []string `json:"decided,omitempty" flag:"decided" help:"a decision and its reason; repeatable"`
	Open     []string `json:"open,omitempty" flag:"open" help:"a point that is still open; repeatable"`
	Files    []string `json:"files,omitempty" flag:"files" help:"a file that was changed; repeatable"`
	Asked    []string `json:"asked,omitempty" flag:"asked" help:"a question that it answers, in other words; repeatable"`
	Keywords []string `json:"keywords,omitempty" flag:"keywords" help:"a word that it lacks and is sought by; repeatable"`
	Project  string   `json:"project,omitempty" flag:"project" help:"its project (default: that of the working directory)"`

	source string
}

// DigestArgs are the arguments of memory_digest.
type DigestArgs struct {
	Goal     string   `json:"goal" min:"1" max:"200" help:"the task, in a line"`
	Decided  []string `json:"decided,omitempty" help:"each with its reason, e.g. [\"NATS, because RabbitMQ lost messages\"]"`
	Open     []string `json:"open,omitempty" help:"what the next session has to do"`
	Files    []string `json:"files,omitempty"`
	Asked    []string `json:"asked,omitempty" help:"as in memory_store"`
	Keywords []string `json:"keywords,omitempty"`
}

// Input returns the digest that the arguments are.
func (a DigestArgs) Input() DigestInput {
	return DigestInput{Goal: a.Goal, Decided: a.Decided, Open: a.Open, Files: a.Files, Asked: a.Asked, Keywords: a.Keywords, source: "agent"}
}

// Digest stores the result of a session: the next session of its project starts with the decisions and open points.
func (f *Feature) Digest(ctx context.Context, in DigestInput) (*StoreResult, error) {
	if len(in.Decided)+len(in.Open)+len(in.Files) == 0 {
		return nil, fault.New(fault.Usage, "the digest says nothing but its goal").Or("add decided, open or files")
	}
	m, err := f.open()
	if err != nil {
		return nil, err
	}
	n := vault.Note{Title: in.Goal, Content: in.markdown(), Category: vault.DigestCategory, Source: in.source,
		Wording: vault.Wording{Asked: in.Asked, Keywords: in.Keywords}, Project: f.belongs(m, StoreInput{Project: in.Project})}
	n.Source = cmp.Or(n.Source, "user")
	s, err := m.Store(ctx, n)
	if err != nil {
		return nil, err
	}
	return newStoreResult(s), nil
}

// markdown returns the text in the sections that a digest of a transcript has.
func (in *DigestInput) markdown() string {
	var b strings.Builder
	for _, section := range []struct {
		title  string
		points []string
	}{{vault.DecidedSection, in.Decided}, {vault.OpenSection, in.Open}, {"Files", in.Files}} {
		if len(section.points) == 0 {
			continue
		}
		fmt.Fprintf(&b, "## %s\n\n", section.title)
		for _, p := range section.points {
			fmt.Fprintf(&b, "- %s\n", oneLine(p))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
