package docs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/source"
)

// asked is a library that a question goes to, among others: by its ID, or by the name of a
// package or an alias.
type asked struct {
	id, name, version string

	pkg   *source.Package  // the package of the project here that it documents
	among []source.Package // of which one may be that
}

// maxAsked is how many libraries one question may name.
const maxAsked = 50

// queryNamed asks the libraries that a question names.
func (f *Feature) queryNamed(ctx context.Context, in QueryInput) (*Answered, error) {
	var of []asked
	var names []string
	among := f.packages(ctx)
	for _, list := range in.Libraries {
		for _, name := range listed(list) {
			if name == "" || slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
			if strings.HasPrefix(name, "/") {
				of = append(of, asked{id: name, among: among})
				continue
			}
			// "flask@3.0" and "@prisma/client": a version follows an @ that does not begin the name.
			plain, version := name, ""
			if i := strings.LastIndexByte(name, '@'); i > 0 {
				plain, version = name[:i], name[i+1:]
			}
			of = append(of, asked{name: plain, version: version, among: among})
		}
	}
	if len(of) == 0 || len(of) > maxAsked {
		return nil, fault.New(fault.Usage, "%d libraries named", len(of)).Or("name 1 to %d, with commas between them", maxAsked)
	}
	out, absent, err := f.queryAll(ctx, in, of)
	if err != nil {
		return nil, err
	}
	if len(out.Libraries) == 0 {
		return nil, resolvable(names[absent[0]], fault.New(fault.NotFound, "none of the libraries is here: %s", strings.Join(names, ", ")).Or("assay docs list shows those that are"))
	}
	out.Library = strings.Join(names, ",")
	if len(absent) > 0 {
		gone := slice.Map(absent, func(at int) string { return names[at] })
		out.note("Note: not here: " + strings.Join(gone, ", ") + ".")
	}
	return out, nil
}

// listed returns the names of a list with commas between them. Those of a range of versions, as of
// "/a/b@>=1,<2" and "/a/b@[1.0,2.0)", are none of the list's.
func listed(list string) (names []string) {
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if n := len(names) - 1; n >= 0 && part != "" && strings.Contains(names[n], "@") && strings.ContainsRune("<>=!~^*0123456789", rune(part[0])) {
			names[n] += "," + part
			continue
		}
		names = append(names, part)
	}
	return names
}

// note puts a sentence before what is answered.
func (r *Answered) note(s string) {
	r.Note = strings.TrimSpace(r.Note + " " + s)
	r.text = r.Note + "\n\n" + r.text
}

// queryAll asks several libraries and answers with the best of all. absent are the places of
// those that are not here.
func (f *Feature) queryAll(ctx context.Context, in QueryInput, of []asked) (out *Answered, absent []int, err error) {
	out = &Answered{Snippets: []Snippet{}}
	budget := cmp.Or(max(in.Tokens, 0), library.DefaultTokens)
	best, notes, absent, err := f.gather(ctx, in, of, budget, out)
	if err != nil {
		return nil, nil, err
	}
	var texts []string
	for i := range best {
		s := &best[i]
		body := fmt.Sprintf("Library: %s\n\n%s", s.Library, s.Text())
		cost := text.Tokens(len(body) + len(library.Separator))
		if len(texts) > 0 && out.Tokens+cost > budget {
			out.More = len(best) - i
			break
		}
		one := snippetOf(&s.Snippet)
		one.Library = s.Library
		out.Snippets, texts = append(out.Snippets, one), append(texts, body)
		out.Tokens += cost
	}
	out.text = strings.Join(texts, library.Separator)
	if len(texts) == 0 {
		out.text = library.NoSnippets
	}
	said := library.DocsAnswer{Note: strings.Join(notes, " ")}
	if len(best) > 0 {
		said.Snippets = []library.Snippet{best[0].Snippet}
	}
	out.Note, out.Unsure = said.Note, said.Unsure()
	out.text = said.Said() + out.text
	return out, absent, nil
}

// gather asks several libraries and returns what answers, best first, and the places of
// those that are not here. out is told which answered, and how.
func (f *Feature) gather(ctx context.Context, in QueryInput, of []asked, budget int, out *Answered) (best []library.Passage, notes []string, absent []int, err error) {
	err = f.lent(ctx, f.asked(in.DB), nil, func(dbs []*library.DB) error {
		best, notes, absent, err = gather(ctx, dbs, in, of, budget, out)
		return err
	})
	return best, notes, absent, err
}

func gather(ctx context.Context, dbs []*library.DB, in QueryInput, of []asked, budget int, out *Answered) (best []library.Passage, notes []string, absent []int, err error) {
	for i := range of {
		a, here, err := askOne(ctx, dbs, in, &of[i], budget)
		if err != nil {
			return nil, nil, nil, err
		}
		if !here {
			absent = append(absent, i)
			continue
		}
		name := join(a.Library.ID, a.Library.Version)
		if slices.Contains(out.Libraries, name) {
			continue
		}
		out.Libraries = append(out.Libraries, name)
		out.Ranking = string(a.Ranking)
		if a.Note != "" {
			notes = append(notes, a.Note)
		}
		for _, s := range a.Snippets {
			best = append(best, library.Passage{Library: name, Snippet: s})
		}
	}
	sorting.Stable(best, func(a, b library.Passage) int { return cmp.Compare(b.Score, a.Score) })
	return best, notes, absent, nil
}

// askOne asks one library in the first file that has it.
func askOne(ctx context.Context, dbs []*library.DB, in QueryInput, of *asked, budget int) (a library.DocsAnswer, here bool, err error) {
	for _, db := range dbs {
		ref, note, err := of.in(ctx, db)
		if err != nil {
			return a, false, err
		}
		o := library.Options{Tokens: budget, Ranking: library.Ranking(in.Ranking), Explain: in.Explain, Words: strings.Join(in.Words, " ")}
		a, err = db.QueryWith(ctx, ref, in.Query, o)
		a.Note = cmp.Or(note, a.Note)
		if fault.KindOf(err) == fault.NotFound {
			continue
		}
		return a, err == nil, err
	}
	return a, false, ctx.Err()
}

// in returns the version of a library in a file that a question goes to, and a sentence that says why where it is none that the
// project here allows.
func (of *asked) in(ctx context.Context, db *library.DB) (ref, note string, err error) {
	id := cmp.Or(of.id, "/"+of.name)
	if of.version != "" || library.HasVersion(id) {
		if there, err := db.Versions(ctx, of.id, of.name); err == nil && len(there) > 0 && of.name != "" {
			id = there[0].ID
		}
		return join(id, of.version), "", nil
	}
	versions, err := db.Versions(ctx, cmp.Or(of.id, of.name), cmp.Or(of.name, of.id))
	if err != nil || len(versions) == 0 {
		return id, "", err
	}
	p := of.pkg
	if p == nil {
		if p, err = packageOf(ctx, db, of.among, versions); err != nil {
			return id, "", err
		}
	}
	if p == nil {
		return versions[0].ID, "", nil
	}
	label, note, isWanted := pickFor(p, versions)
	if isWanted {
		note = ""
	}
	return join(versions[0].ID, label), note, nil
}

// several reports whether a question goes to more than one library, and whether that is what
// the project here depends on.
func (in *QueryInput) several() (several, project bool, err error) {
	switch {
	case in.Page != "" && len(in.Libraries) == 0:
	case len(in.Libraries) > 0 && in.Query != "":
		return false, false, fault.New(fault.Usage, "an ID and --libraries exclude each other").Or("assay docs query QUESTION --libraries a,b")
	case len(in.Libraries) > 0:
		in.Query = in.ID
		return true, false, nil
	case strings.HasPrefix(in.ID, "/") && len(listed(in.ID)) > 1 && in.Query != "":
		in.Libraries = []string{in.ID}
		return true, false, nil
	case in.ID == thisProject && in.Query != "":
		return true, true, nil
	case in.Query == "" && in.ID != thisProject && !strings.HasPrefix(in.ID, "/"):
		in.ID, in.Query = thisProject, in.ID
		return true, true, nil
	case in.Query == "" && in.ID == thisProject:
		return false, false, fault.New(fault.Usage, "no question is given").Or("assay docs query ID QUESTION, or assay docs query QUESTION for all that this project depends on")
	}
	return false, false, nil
}
