package docs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/source"
)

// thisProject is the ID that stands for all that the project here depends on.
const thisProject = "."

// installed returns the project around a folder, and what it depends on.
func (f *Feature) installed(ctx context.Context, dir string) (string, []source.Package, []source.Unread, error) {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(f.cfg.WorkDir, dir)
	}
	root := source.Project(dir)
	if root == "" {
		return "", nil, nil, fault.New(fault.NotFound, "no project around %s", dir).
			Or("what a project depends on is read from its go.mod, package.json, pyproject.toml, Cargo.toml, composer.json, Gemfile, pom.xml, build.gradle, .csproj, mix.exs or Package.swift: name its folder, or the libraries (assay docs list); the documents of the folder itself are one, once docs ingest has read it")
	}
	all, unread, err := source.Installed(ctx, root, f.cfg.Places)
	return root, all, unread, err
}

// ingestInstalled reads what a project depends on. A version that is there already is not read again if it was read from this very
// package, or by an address that a person named: another folder may have anything by that name, and only its pages tell.
func (f *Feature) ingestInstalled(ctx context.Context, in IngestInput) (*Ingested, error) {
	if in.Preset != "" || in.ID != "" || in.Version != "" || in.Ref != "" || in.Title != "" || len(in.Include) > 0 {
		return nil, fault.New(fault.Usage, "--installed takes no preset, ID, version, ref, title or --docs-path").Or("assay docs ingest --installed [FOLDER]")
	}
	root, all, unread, err := f.installed(ctx, cmp.Or(in.Source, "."))
	if err != nil {
		return nil, err
	}
	out := &Ingested{Libraries: []Done{}}
	for i, u := range unread {
		out.Skipped = append(out.Skipped, Skipped{Package: u.Path, Why: u.Why})
		if i < 5 {
			work.FromContext(ctx).Note("not read: %s: %s", u.Path, u.Why)
		}
	}
	skip := func(p *source.Package, why string) {
		out.Skipped = append(out.Skipped, Skipped{p.Name, p.Version, why})
	}
	there := map[string]library.Library{}
	path := f.path(in.DB)
	err = f.reading(ctx, path, func(db *library.DB) error {
		libs, err := db.List(ctx)
		for i := range libs {
			there[strings.ToLower(join(libs[i].ID, libs[i].Version))] = libs[i]
		}
		return err
	})
	if err != nil && !missing(err, path) {
		return nil, err
	}
	for i := range all {
		p := &all[i]
		if p.Dir == "" {
			skip(p, p.Missing)
			continue
		}
		have, ok := there[strings.ToLower(join(p.ID, p.Version))]
		if ok && (!have.Packed() || have.Source == p.Dir && slices.Contains(have.Aliases, p.Name)) {
			out.Libraries = append(out.Libraries, Done{Library: libraryOf(&have), Unchanged: true, Kept: have.Pages})
			continue
		}
		one := in
		one.Installed, one.Source, one.ID, one.Version, one.Include = false, p.Dir, p.ID, p.Version, p.Include
		one.Aliases = append([]string{p.Name}, in.Aliases...)
		j := &job{in: one, started: f.cfg.Now(), installed: true}
		done, err := f.ingestOver(ctx, j, &have)
		switch {
		case ctx.Err() != nil:
			return nil, fault.New(fault.Interrupted, "stopped at %s; those before it are kept", p.Name)
		case fault.KindOf(err) == fault.NotFound:
			skip(p, "it has neither pages nor public declarations")
		case err != nil:
			skip(p, err.Error())
		default:
			out.Libraries = append(out.Libraries, done)
		}
	}
	if lacks := out.Skipped[len(unread):]; len(lacks) > 0 {
		parts := slice.Map(lacks[:min(5, len(lacks))], func(s Skipped) string { return s.Package + ": " + s.Why })
		work.FromContext(ctx).Note("%s skipped: %s", text.Count(len(lacks), "dependency", "dependencies"), strings.Join(parts, "; "))
	}
	if len(all) == 0 {
		e := fault.New(fault.NotFound, "no dependency in %s of %s", strings.Join(source.Manifests(root), ", "), root)
		if len(unread) > 0 {
			return nil, e.Or("%s: %s", unread[0].Path, unread[0].Why)
		}
		return nil, e.Or("add one there and install it, or name the folder of another project: assay docs ingest --installed FOLDER")
	}
	if len(out.Libraries) == 0 {
		return nil, fault.New(fault.NotFound, "%s depends on %s, and none could be read", root, text.Count(len(all), "package", "packages")).
			Or("install them first, for example with go mod download, npm install, pip install, cargo fetch, composer install, bundle install or dotnet restore")
	}
	return out, nil
}

// ingestOver reads a package of which have is stored, with the same pages or others.
func (f *Feature) ingestOver(ctx context.Context, j *job, have *library.Library) (Done, error) {
	path := f.path(j.in.DB)
	if have.ID != "" && !have.ByWords {
		err := f.reading(ctx, path, func(db *library.DB) (err error) {
			j.known, err = db.Pages(ctx, have.ID, have.Version)
			return err
		})
		if err != nil {
			return Done{}, err
		}
	}
	done, err := f.ingest(ctx, j, f.into(ctx, j.in.DB))
	done.Unchanged = err == nil && have.ID != "" && done.Read == 0 && done.Kept == have.Pages
	return done, err
}

// depends reports whether "." is a project that has installed what it depends on, and nothing but that can be meant.
func (f *Feature) depends(ctx context.Context, in IngestInput) bool {
	if in.Source != "." || in.Preset != "" || in.ID != "" || in.Version != "" || in.Ref != "" || in.Title != "" || len(in.Include) > 0 {
		return false
	}
	_, all, _, err := f.installed(ctx, in.Source)
	return err == nil && slices.ContainsFunc(all, func(p source.Package) bool { return p.Dir != "" })
}

// offer says that what a project depends on can be read too.
func (f *Feature) offer(ctx context.Context, in IngestInput) {
	if in.Quiet || in.Source != "." {
		return
	}
	_, all, _, err := f.installed(ctx, in.Source)
	n := 0
	for i := range all {
		if all[i].Dir != "" {
			n++
		}
	}
	if err == nil && n > 0 {
		work.FromContext(ctx).Note("%s installed here%s", text.Count(n, "dependency is", "dependencies are"),
			work.FromContext(ctx).Try("; to read their documentation too: ", "docs ingest", fault.Arg{Name: "installed", Value: true}))
	}
}

var errNoneHere = errors.New("nothing of it is stored")

// maxLocked is of how many of the packages that a project depends on the documentation is asked.
const maxLocked = 1000

// queryProject asks all libraries that the project here depends on, at its versions.
func (f *Feature) queryProject(ctx context.Context, in QueryInput) (*Answered, error) {
	root, all, _, err := f.installed(ctx, ".")
	if err != nil {
		return nil, err
	}
	out, _, err := f.queryAll(ctx, in, locked(all[:min(len(all), maxLocked)]))
	if err != nil {
		return nil, err
	}
	if len(out.Libraries) == 0 {
		return nil, fault.New(fault.NotFound, "no documentation of what %s depends on", root).Because(errNoneHere).Try("docs ingest", fault.Arg{Name: "installed", Value: true})
	}
	out.Library = thisProject
	if more := len(all) - maxLocked; more > 0 {
		out.note(fmt.Sprintf("Note: the first %d dependencies were asked, and %d more were not.", maxLocked, more))
	}
	return out, nil
}

// locked are the libraries of packages at the versions of a lock file.
func locked(all []source.Package) []asked {
	of := make([]asked, len(all))
	for i := range all {
		of[i] = asked{id: all[i].ID, name: all[i].Name, pkg: &all[i]}
	}
	return of
}

// Told returns what the documentation of libraries says to a question: of the packages that the project around root has
// locked, at those versions where they are stored, and of the libraries that are stored, those that have a name which wanted
// accepts: that of their package, of their repository or another. There is nothing where nothing was ingested.
func (f *Feature) Told(ctx context.Context, root, question string, tokens int, wanted func(name string) bool) ([]library.Passage, error) {
	if !slices.ContainsFunc(f.asked(""), func(path string) bool { _, err := os.Stat(path); return err == nil }) {
		return nil, nil
	}
	_, all, _, err := f.installed(ctx, root)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(p source.Package) bool { return !wanted(p.Name) })
	of := locked(all)
	stored, err := f.stored(ctx)
	if err != nil {
		return nil, err
	}
	for i := range stored {
		l := &stored[i]
		names := append([]string{strings.TrimPrefix(l.ID, "/"), l.ID[strings.LastIndexByte(l.ID, '/')+1:]}, l.Aliases...)
		if slices.ContainsFunc(names, wanted) && !slices.ContainsFunc(of, func(a asked) bool { return strings.EqualFold(a.id, l.ID) || slices.Contains(l.Aliases, a.name) }) {
			of = append(of, asked{id: l.ID})
		}
	}
	best, _, _, err := f.gather(ctx, QueryInput{Query: question}, of[:min(len(of), maxAsked)], tokens, &Answered{})
	return best, err
}

// stored returns the libraries of all files that are asked, each once.
func (f *Feature) stored(ctx context.Context) (out []library.Library, err error) {
	for _, path := range f.asked("") {
		err := f.reading(ctx, path, func(db *library.DB) error {
			libs, err := db.List(ctx)
			for i := range libs {
				if !slices.ContainsFunc(out, func(l library.Library) bool { return strings.EqualFold(l.ID, libs[i].ID) }) {
					out = append(out, libs[i])
				}
			}
			return err
		})
		if err != nil && !missing(err, path) {
			return nil, err
		}
	}
	return out, nil
}
