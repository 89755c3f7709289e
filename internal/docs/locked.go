package docs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/release"
	"github.com/assay-dev/assay/internal/docs/source"
)

// keepPackages is how long a server takes the manifests and lock files of its project to be as they were: a large one takes
// longer to read than a question to answer.
const keepPackages = 5 * time.Second

// packagesRead are the dependencies of a project, as they were read.
type packagesRead struct {
	at  time.Time
	all []source.Package
}

// packages returns the dependencies of the project around the working directory, none where there is none. A file that could not
// be read locks nothing, and the answer says that no version is known.
func (f *Feature) packages(ctx context.Context) []source.Package {
	f.mu.Lock()
	known := f.project
	f.mu.Unlock()
	if now := f.cfg.Now(); f.cfg.Server && known != nil && now.Sub(known.at) < keepPackages {
		return known.all
	}
	_, all, _, err := f.installed(ctx, ".")
	if err != nil {
		all = nil
	}
	f.mu.Lock()
	f.project = &packagesRead{f.cfg.Now(), all}
	f.mu.Unlock()
	return all
}

// wanted returns which version of a library that an ID without a version means the project here wants, and a sentence that says
// why where that is not plain: ID/VERSION. It is the ID itself where the project does not depend on the library.
func (f *Feature) wanted(ctx context.Context, db *library.DB, id string) (ref, note string, err error) {
	if library.HasVersion(id) {
		return id, "", nil
	}
	all := f.packages(ctx)
	if len(all) == 0 {
		return id, "", nil
	}
	versions, err := db.Versions(ctx, id, id)
	if err != nil || len(versions) == 0 {
		return id, "", err
	}
	p, err := packageOf(ctx, db, all, versions)
	if err != nil || p == nil {
		return id, "", err
	}
	label, note, _ := pickFor(p, versions)
	return join(versions[0].ID, label), note, nil
}

// packageOf returns the package that a library with some versions documents, nil for none.
func packageOf(ctx context.Context, db *library.DB, all []source.Package, versions []library.Library) (*source.Package, error) {
	l := &versions[0]
	for i := range all {
		if strings.EqualFold(all[i].ID, l.ID) {
			return &all[i], nil
		}
	}
	for i := range all {
		isName := func(alias string) bool { return strings.EqualFold(alias, all[i].Name) }
		if slices.ContainsFunc(versions, func(v library.Library) bool { return slices.ContainsFunc(v.Aliases, isName) }) {
			return &all[i], nil
		}
	}
	for i := range all {
		name := all[i].Name[strings.LastIndexByte(all[i].Name, ':')+1:]
		if !strings.HasSuffix(strings.ToLower(l.ID), "/"+strings.ToLower(name)) {
			continue
		}
		// Another library may be the one of that package.
		is, err := db.Versions(ctx, all[i].ID, all[i].Name)
		if err != nil {
			return nil, err
		}
		if len(is) > 0 && is[0].ID == l.ID {
			return &all[i], nil
		}
	}
	return nil, nil
}

// pickFor returns which stored version of a library answers for a package of a project. isWanted reports whether it is one that
// the project's files allow; note says which answers and why, unless it is the one that is locked and the newest.
func pickFor(p *source.Package, versions []library.Library) (label, note string, isWanted bool) {
	labels := slice.Map(versions, func(x library.Library) string { return x.Version })
	want, says := cmp.Or(p.Version, p.Asked), fmt.Sprintf("%s has %s %s", p.From, p.Name, p.Version)
	switch {
	case want == "":
		return labels[0], fmt.Sprintf("Note: nothing in this project says which version of %s it uses: %s, the newest stored, answers.", p.Name, labels[0]), true
	case p.Version == "":
		says = fmt.Sprintf("%s asks for %s %s", p.From, p.Name, p.Asked)
	}
	label, how := release.Pick(labels, want)
	switch {
	case how == release.Same && label == labels[0]:
		return label, "", true
	case how >= release.Line:
		return label, fmt.Sprintf("Note: %s: version %s answers.", says, label), true
	}
	label = release.Nearest(labels, want)
	return label, fmt.Sprintf("Note: %s, which is not stored: version %s answers.", says, label), false
}
