package docs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/library"
)

// Resolve returns the libraries that a name may mean, best first.
func (f *Feature) Resolve(ctx context.Context, in ResolveInput) (*Resolved, error) {
	limit := in.Limit
	if limit <= 0 {
		limit = 10
	}
	out := &Resolved{Libraries: []Library{}, name: in.Name}
	seen := map[string]bool{}
	for _, path := range f.asked(in.DB) {
		err := f.reading(ctx, path, func(db *library.DB) error {
			libs, err := db.Resolve(ctx, in.Name, in.Query, limit)
			for i := range libs {
				if !seen[libs[i].ID] && len(out.found) < limit {
					seen[libs[i].ID] = true
					out.found = append(out.found, libs[i])
					out.Libraries = append(out.Libraries, libraryOf(&libs[i]))
				}
			}
			return err
		})
		if err != nil && !(f.cfg.Server && missing(err, path)) {
			return nil, err
		}
	}
	if len(out.Libraries) == 0 {
		return out, f.suggest(ctx, in, out)
	}
	return out, nil
}

// suggested is how many libraries are named where none is called so.
const suggested = 3

// suggest adds what a name may have been meant for: it is no answer, and said apart.
func (f *Feature) suggest(ctx context.Context, in ResolveInput, out *Resolved) error {
	for _, path := range f.asked(in.DB) {
		err := f.reading(ctx, path, func(db *library.DB) error {
			libs, err := db.Suggest(ctx, in.Name, in.Query, suggested)
			for i := range libs {
				if !slices.Contains(out.Suggestions, libs[i].ID) && len(out.Suggestions) < suggested {
					out.Suggestions = append(out.Suggestions, libs[i].ID)
				}
			}
			return err
		})
		if err != nil && !(f.cfg.Server && missing(err, path)) {
			return err
		}
	}
	if len(out.Suggestions) > 0 {
		work.FromContext(ctx).Note("no library is called %s; near it: %s", in.Name, strings.Join(out.Suggestions, ", "))
	}
	return nil
}

// Query returns the snippets that answer a question best, of one library, of several, or of
// all that the project here depends on. Of several files, the first
// that has the library answers.
func (f *Feature) Query(ctx context.Context, in QueryInput) (*Answered, error) {
	switch several, project, err := in.several(); {
	case err != nil:
		return nil, err
	case project:
		return f.queryProject(ctx, in)
	case several:
		return f.queryNamed(ctx, in)
	}
	var last error
	for _, path := range f.asked(in.DB) {
		var a library.DocsAnswer
		err := f.reading(ctx, path, func(db *library.DB) (err error) {
			ref, note, err := f.wanted(ctx, db, in.ID)
			if err != nil {
				return err
			}
			if in.Page != "" {
				if a, err = db.Page(ctx, ref, in.Page, in.Tokens); a.More > 0 {
					note = fmt.Sprintf("Note: %s of this page did not fit.", text.Count(a.More, "section", "sections"))
				}
				a.Note = cmp.Or(note, a.Note)
				return err
			}
			a, err = db.QueryWith(ctx, ref, in.Query, library.Options{
				Tokens: in.Tokens, Ranking: library.Ranking(in.Ranking), Explain: in.Explain, Words: strings.Join(in.Words, " "),
			})
			a.Note = cmp.Or(note, a.Note)
			return err
		})
		switch {
		case err == nil:
			return answered(&a), nil
		case f.cfg.Server && missing(err, path):
			err = fault.New(fault.NotFound, "no documentation in %s", path).Or("add a library with assay docs ingest")
		}
		if last == nil || library.IsNoLibrary(last) {
			last = err
		}
		if !library.IsNoLibrary(err) && fault.KindOf(err) != fault.NotFound {
			break
		}
	}
	return nil, resolvable(in.ID, last)
}

// Say returns what the tool query-docs answers in place of an error, and whether it
// is one that its caller can do something about.
func Say(err error) (string, bool) {
	if errors.Is(err, errNoneHere) { // of the project itself Context7 knows nothing to say
		return "", false
	}
	if _, ok := errors.AsType[*fault.Error](err); ok && fault.KindOf(err) == fault.NotFound && !library.IsNoVersion(err) {
		return library.NoLibrary, true
	}
	return library.ErrorText(err)
}

// Apart is between the snippets of an answer.
const Apart = library.Separator

// NotStrings returns what a tool says of required arguments that are no strings: wrong
// has the name of each, and what was received in its place, "undefined" where it is
// missing. Clients know the words from Context7.
func NotStrings(tool string, wrong [][2]string) string {
	var b strings.Builder
	for i, w := range wrong {
		if i == 0 {
			fmt.Fprintf(&b, "Input validation error: Invalid arguments for tool %s: ", tool)
		} else {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: Invalid input: expected string, received %s", w[0], w[1])
	}
	return b.String()
}

func answered(a *library.DocsAnswer) *Answered {
	out := &Answered{
		Library: a.Library.ID, Version: a.Library.Version, Note: a.Note, Rules: a.Library.Rules, Unsure: a.Unsure(),
		Snippets: make([]Snippet, len(a.Snippets)), Tokens: a.Tokens, More: a.More, Ranking: string(a.Ranking), text: a.Text(),
	}
	for i := range a.Snippets {
		out.Snippets[i] = snippetOf(&a.Snippets[i])
	}
	return out
}

// resolvable adds to an error that says that a library is not there how to find it.
func resolvable(id string, err error) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || !library.IsNoLibrary(err) {
		return err
	}
	name := strings.Trim(id, "/")
	if org, project, ok := strings.Cut(name, "/"); ok && org != "" {
		name, _, _ = strings.Cut(project, "/")
		name, _, _ = strings.Cut(name, "@")
	}
	if name == "" {
		return err
	}
	e.Hint = ""
	return e.Try("docs resolve", fault.Arg{Name: "name", Value: name})
}
