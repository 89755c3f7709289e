package code

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A ReposInput asks for the repositories of a workspace file.
type ReposInput struct {
	File  string   `json:"file,omitempty" arg:"1" help:"the workspace file (default: the setting workspace)"`
	Fetch bool     `json:"fetch,omitempty" flag:"fetch" help:"clone the repositories that are given by URL, or fetch their newest commit"`
	Repos []string `json:"repo,omitempty" flag:"repo" help:"only these repositories; repeat for more"`
	List  string   `json:"workspace,omitempty" flag:"workspace" help:"FILE, as for other commands"`
}

// A Repository is one of a workspace file.
type Repository struct {
	Name    string `json:"name"`
	Root    string `json:"root"`
	From    string `json:"from,omitempty"` // address and branch, where it is fetched
	Refresh string `json:"refresh,omitempty"`
	Partial bool   `json:"partial,omitempty"` // include or exclude say what of it is asked about
	State   string `json:"state"`             // "here", "missing", "fetched", "not fetched"
	Commit  string `json:"commit,omitempty"`  // that was fetched just now
}

// Repositories are those of a workspace file, in its order.
type Repositories struct {
	Repos []Repository `json:"repositories"`

	wrong error
}

// Repos lists the repositories of a workspace file. Only here one by URL is fetched for the
// first time: naming it is the user's word that its address may be asked. One that cannot be
// fetched keeps none of the others.
func (f *Feature) Repos(ctx context.Context, in ReposInput) (*Repositories, error) {
	all, err := f.trees.Listed(cmp.Or(in.File, in.List))
	if err != nil {
		return nil, err
	}
	if all, err = workspace.Pick(all, in.Repos); err != nil {
		return nil, err
	}
	out := &Repositories{Repos: []Repository{}}
	for _, r := range all {
		one := Repository{Name: r.Name, Root: r.Root, Partial: !r.Whole(), State: "here"}
		if r.URL != "" {
			one.From, one.State = r.URL, "fetched"
			if r.Branch != "" {
				one.From += " " + r.Branch
			}
			if r.Refresh > 0 {
				one.Refresh = r.Refresh.String()
			}
		}
		if in.Fetch && r.URL != "" {
			work.FromContext(ctx).Progress("fetch "+r.Name, 0, 0)
			got, err := f.trees.Fetch(ctx, r, false)
			switch {
			case err != nil && ctx.Err() != nil:
				return nil, err
			case err != nil:
				work.FromContext(ctx).Note("%v", err)
				out.wrong = err
			}
			one.Commit = got.Commit
		}
		if _, err := os.Stat(filepath.Clean(r.Root)); err != nil {
			one.State = "missing"
			if r.URL != "" {
				one.State = "not fetched"
			}
		}
		out.Repos = append(out.Repos, one)
	}
	return out, nil
}

// Verdict is the error of a repository that was to be fetched and could not be.
func (a *Repositories) Verdict() error {
	if a.wrong == nil {
		return nil
	}
	return fault.New(fault.KindOf(a.wrong), "not every repository was fetched").Or("what was fetched before stays as it was")
}

// WriteText writes a line for each.
func (a *Repositories) WriteText(w io.Writer, _ bool) error {
	var b bytes.Buffer
	for _, r := range a.Repos {
		fmt.Fprintf(&b, "%s  %s", text.Line(r.Name), r.State)
		if r.Commit != "" {
			fmt.Fprintf(&b, " at %.12s", r.Commit)
		}
		fmt.Fprintf(&b, "  %s", text.Line(r.Root))
		if r.From != "" {
			fmt.Fprintf(&b, "  from %s", text.Line(r.From))
		}
		if r.Refresh != "" {
			fmt.Fprintf(&b, "  every %s", r.Refresh)
		}
		if r.Partial {
			b.WriteString("  in part")
		}
		b.WriteByte('\n')
	}
	return fault.Only(w.Write(b.Bytes()))
}

func (a *Repositories) WriteLines(w io.Writer) error { return codec.WriteLines(w, a.Repos) }
