package audit

import (
	"context"
	"io"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A NamesInput asks for the findings of audit ci as an agent reads them, or for their corrections.
type NamesInput struct {
	Since  string `json:"since,omitempty" flag:"since" min:"1" help:"only findings that the changes since this revision touch or introduce"`
	Fix    string `json:"fix,omitempty" flag:"fix" enum:"preview|apply" help:"preview: show the corrections that are sure; apply: write them"`
	Tokens int    `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" default:"2000" help:"maximum tokens"`
	Scope
	workspace.Trees
}

// Across says which repositories are asked.
func (in *NamesInput) Across() workspace.Across {
	return workspace.Across{Trees: &in.Trees, Root: &in.Root, Limit: &in.Tokens, Least: 50}
}

// NamesArgs are the arguments of the tool audit.
type NamesArgs struct {
	Docs   []string `json:"docs,omitempty" help:"globs"`
	Since  string   `json:"since,omitempty" help:"git revision: only what changed"`
	Fix    string   `json:"fix,omitempty" enum:"preview|apply" help:"apply writes"`
	Tokens int      `json:"tokens,omitempty" min:"50" max:"200000" default:"2000"`
	Repos  []string `json:"repo,omitempty"`
}

// Input returns the question that the arguments ask.
func (a NamesArgs) Input() NamesInput {
	return NamesInput{Since: a.Since, Fix: a.Fix, Tokens: a.Tokens, Scope: Scope{Docs: a.Docs}, Trees: workspace.Trees{Repos: a.Repos}}
}

// Names is what audit ci or audit fix answers, within a budget.
type Names struct {
	CI    *CI    `json:"audit,omitempty"`
	Fixes *Fixes `json:"fixes,omitempty"`

	tokens int
}

// defaultTokens is the budget of a call that names none.
const defaultTokens = 2000

// Names lists what documents name and the project does not have, or corrects it. It writes only where the call asks for that.
func (f *Feature) Names(ctx context.Context, in NamesInput) (out *Names, err error) {
	out = &Names{tokens: in.Tokens}
	if out.tokens == 0 {
		out.tokens = defaultTokens
	}
	switch {
	case in.Fix == "":
		out.CI, err = f.CI(ctx, CIInput{Since: in.Since, Scope: in.Scope})
	case in.Since != "":
		return nil, fault.New(fault.Usage, "fix corrects whatever the changes are: since is for findings alone").Try("audit names", fault.Arg{Name: "fix", Value: in.Fix})
	default:
		out.Fixes, err = f.Fix(ctx, FixInput{DryRun: in.Fix == "preview", Yes: in.Fix == "apply", Scope: in.Scope})
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// WriteText writes the findings or the corrections that the budget has room for, and how many there are.
func (r *Names) WriteText(w io.Writer, _ bool) error {
	var parts, end []string
	if r.CI != nil {
		for i := range r.CI.Findings {
			parts = append(parts, findingText(&r.CI.Findings[i]))
		}
		end = append([]string{r.CI.summary()}, r.CI.notes()...)
	} else {
		for i := range r.Fixes.Edits {
			parts = append(parts, (&Fixes{Edits: r.Fixes.Edits[i : i+1]}).diff())
		}
		end = strings.Split(strings.TrimSpace(r.Fixes.summary()), "\n")
	}
	room := r.tokens
	for _, line := range end {
		room -= text.Tokens(len(line) + 1)
	}
	b := render.Answer{To: w}
	for i, part := range parts {
		if room -= text.Tokens(len(part)); room < 0 {
			writeLine(&b.Builder, "%d more: ask for more tokens, or for some documents with docs", len(parts)-i)
			break
		}
		b.WriteString(part)
	}
	for _, line := range end {
		writeLine(&b.Builder, "%s", line)
	}
	return b.End()
}

// findingText is a finding with its evidence and its correction.
func findingText(f *claims.Finding) string {
	var b strings.Builder
	writeLine(&b, "%s: %s (%s): %s", f.Place, levelOf[f.Severity], f.Rule, f.Message)
	if f.Fix != "" {
		writeLine(&b, "  fix: %s → %s", f.Name, f.Fix)
	}
	return b.String()
}
