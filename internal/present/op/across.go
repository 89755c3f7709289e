//go:build !slim

package op

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A PartOf is the answer of one repository.
type PartOf struct {
	Repo   string `json:"repo"`
	Root   string `json:"root"`
	Answer Result `json:"answer"`
}

// Several is what several repositories answered to one question, each under its name, in
// the order in which the workspace lists them.
type Several struct {
	Parts   []PartOf `json:"repositories"`
	Without []string `json:"not_in,omitempty"` // repositories that have nothing that was asked about
}

// WriteText writes the answers one after another.
func (s *Several) WriteText(w io.Writer, colour bool) error {
	var b bytes.Buffer
	for i, p := range s.Parts {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[%s]  %s\n", text.Line(p.Repo), text.Line(p.Root))
		if err := p.Answer.WriteText(&b, colour); err != nil {
			return err
		}
	}
	if len(s.Without) > 0 {
		fmt.Fprintf(&b, "\n# not in %s\n", strings.Join(s.Without, ", "))
	}
	return fault.Only(w.Write(b.Bytes()))
}

// WriteLines writes the records of every answer that has some, one after the other.
func (s *Several) WriteLines(w io.Writer) error {
	for _, p := range s.Parts {
		if l, ok := p.Answer.(Lines); ok {
			if err := l.WriteLines(w); err != nil {
				return err
			}
		}
	}
	return nil
}

// Verdict returns the first negative verdict among the answers.
func (s *Several) Verdict() error {
	for _, p := range s.Parts {
		if j, ok := p.Answer.(Judged); ok {
			if err := j.Verdict(); err != nil {
				return err
			}
		}
	}
	return nil
}

// across makes operations ask each of the repositories that a call is about, where it is
// about several. An operation whose input is no workspace.Asker stays as it is.
func across(w *workspace.Workspace, ops []Op) []Op {
	for i, o := range ops {
		if _, ok := reflect.New(o.In).Interface().(workspace.Asker); !ok {
			continue
		}
		ops[i].Run = func(ctx context.Context, in any, out Out) (Result, error) {
			_, a, err := asking(in)
			if err != nil {
				return o.Run(ctx, in, out) // which refuses it
			}
			if a.Cursor != "" { // it knows which repository its page is of
				return o.Run(ctx, in, out)
			}
			repos, err := w.Repos(*a.Trees, *a.Root)
			if err != nil {
				return nil, err
			}
			if len(repos) == 0 {
				return o.Run(ctx, in, out)
			}
			repos = about(w, repos, subject(o, in))
			if len(repos) == 1 {
				one, err := inRepo(in, &repos[0], 1)
				if err != nil {
					return nil, err
				}
				return o.Run(ctx, one, out)
			}
			return several(ctx, o, in, repos, out)
		}
	}
	return ops
}

// asking returns a copy of an input, as a pointer, and what it says of repositories.
func asking(in any) (reflect.Value, workspace.Across, error) {
	v := reflect.New(reflect.TypeOf(in))
	v.Elem().Set(reflect.ValueOf(in))
	asker, ok := v.Interface().(workspace.Asker)
	if !ok {
		return v, workspace.Across{}, fmt.Errorf("a %T asks no repositories", in)
	}
	return v, asker.Across(), nil
}

// inRepo returns an input that asks one repository, where so many share what is shown.
func inRepo(in any, r *workspace.Repo, sharing int) (any, error) {
	v, a, err := asking(in)
	if err != nil {
		return nil, err
	}
	*a.Root, a.Trees.Repos = r.Root, []string{r.Name}
	if a.Limit != nil && *a.Limit > 0 && sharing > 1 {
		share := (*a.Limit + sharing - 1) / sharing
		if share < a.Least {
			return nil, fault.New(fault.Usage, "%d divided among %d repositories leaves %d for each, below the minimum of %d", *a.Limit, sharing, share, a.Least).
				Or("name fewer repositories with repo, or ask for more")
		}
		*a.Limit = share
	}
	return v.Elem().Interface(), nil
}

// subject is what a call is about: its first argument.
func subject(o Op, in any) string {
	args, err := Args(o.In)
	if err != nil || len(args) == 0 || args[0].Place != 1 || args[0].Type.Kind() != reflect.String {
		return ""
	}
	return reflect.ValueOf(in).FieldByIndex(args[0].Index).String()
}

// about narrows repositories to the one that contains an absolute path, if there is one.
func about(w *workspace.Workspace, repos []workspace.Repo, path string) []workspace.Repo {
	if !filepath.IsAbs(path) {
		return repos
	}
	path, _, _ = strings.Cut(path, ":") // FILE:Name, FILE:LINE
	parts, err := w.Parts(repos, []string{path})
	if err != nil {
		return repos // it may be the text of a task; else the operation says what is wrong
	}
	return slices.DeleteFunc(slices.Clone(repos), func(r workspace.Repo) bool {
		return !slices.ContainsFunc(parts, func(p workspace.Part) bool { return p.Name == r.Name })
	})
}

// several asks each of some repositories. That one of them has nothing is an error only if
// none has anything; those that answer share the number of hits that are shown.
func several(ctx context.Context, o Op, in any, repos []workspace.Repo, out Out) (Result, error) {
	answer := &Several{}
	var have []workspace.Repo
	for sharing := len(repos); ; sharing = len(have) {
		answer.Parts, have = nil, nil
		all := true // of what there is is shown
		for i := range repos {
			one, err := inRepo(in, &repos[i], sharing)
			if err != nil {
				return nil, err
			}
			r, err := o.Run(work.Beside(ctx), one, labelled(out, repos[i].Name))
			if e, ok := errors.AsType[*fault.Error](err); ok && e.Kind == fault.NotFound {
				answer.Without = append(answer.Without, repos[i].Name)
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", repos[i].Name, err)
			}
			if d, ok := r.(Drawn); ok && d.Drawing() {
				return nil, fault.New(fault.Usage, "a drawing is of one repository").Or("name it with --repo: %s", strings.Join(workspace.Names(repos), ", "))
			}
			have = append(have, repos[i])
			answer.Parts = append(answer.Parts, PartOf{repos[i].Name, repos[i].Root, r})
			all = all && whole(r)
		}
		switch {
		case len(have) == 0 && len(repos) > 0:
			return nowhere(ctx, o, in, repos[0], answer.Without, out)
		case len(have) == sharing, all:
			return answer, nil
		}
		repos = have
	}
}

// whole reports whether a paged answer fits on one page: then a larger share would not change it.
func whole(r Result) bool {
	v := reflect.Indirect(reflect.ValueOf(r))
	if v.Kind() != reflect.Struct {
		return false
	}
	page := v.FieldByName("Page")
	return page.IsValid() && page.Kind() == reflect.Pointer && page.IsNil()
}

// nowhere returns the error for what no repository has: that of the first one, which is asked again so that its progress is shown.
func nowhere(ctx context.Context, o Op, in any, first workspace.Repo, names []string, out Out) (Result, error) {
	one, err := inRepo(in, &first, len(names))
	if err != nil {
		return nil, err
	}
	r, err := o.Run(ctx, one, labelled(out, first.Name))
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || e.Kind != fault.NotFound {
		return r, err
	}
	all := *e
	all.Msg = fmt.Sprintf("in none of %s: %s", strings.Join(names, ", "), e.Msg)
	return nil, &all
}

// labelled prefixes the notes of a repository with its name.
func labelled(out Out, name string) Out {
	note := out.Note
	out.Note = func(format string, args ...any) { note("%s: "+format, append([]any{name}, args...)...) }
	return out
}

// amongst adapts tools to the number of repositories that a server answers about: if there are
// several, a call may name some of them.
func amongst(repos []workspace.Repo, ops []Op) []Op {
	for i := range ops {
		for j, t := range ops[i].Tools {
			if len(repos) < 2 {
				ops[i].Tools[j] = t.hiding("repo")
				continue
			}
			ops[i].Tools[j] = t.changed(func(s *jsonschema.Schema) {
				if p := s.Properties["repo"]; p != nil {
					p.Description = "only these of: " + strings.Join(workspace.Names(repos), ", ")
				}
			})
		}
	}
	return ops
}
