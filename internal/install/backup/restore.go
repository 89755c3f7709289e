package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/install/archive"
)

// The states of a restored part.
const (
	restored = "restored"
	same     = "same"
)

// RestoreInput names an archive and how to restore it.
type RestoreInput struct {
	File      string   `json:"file" arg:"1" help:"an archive that backup wrote"`
	Team      string   `json:"team,omitempty" flag:"team" help:"also the data of the server with this configuration file"`
	Only      []string `json:"only,omitempty" flag:"only" help:"only this part: settings, workspace, notes, memory, docs, modules, team..."`
	Into      string   `json:"into,omitempty" flag:"into" out:"folder" help:"restore everything below this folder, one subfolder per part, instead of in place"`
	Overwrite bool     `json:"overwrite,omitempty" flag:"overwrite" help:"replace existing files; each is kept beside the new one under a name with the time"`
}

// A job is a part of an archive to be restored to a place.
type job struct {
	Part
	place  Place
	at     []int  // its files in the archive
	staged string // the extracted part, beside its place; "" if the place has the same content
	within *job   // the part whose folder contains its place and the staged files
}

// Restore restores an archive. It changes nothing if the archive is damaged, if other data is in the way, or if the settings
// in the archive name other places than those in force.
func (f *Feature) Restore(ctx context.Context, in RestoreInput) (_ *Restored, err error) {
	path := f.path(in.File)
	from, r, err := openVerified(ctx, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	jobs, err := f.jobs(r, in)
	if err != nil {
		return nil, err
	}
	if err := f.checkConflicts(ctx, r, jobs, in); err != nil {
		return nil, err
	}
	defer func() {
		for _, j := range jobs {
			j.removeStaged()
		}
	}()
	ordered := orderByNesting(jobs)
	aside := putAside + f.cfg.Now().UTC().Format("20060102T150405Z")
	for _, j := range ordered {
		if j.State == same {
			j.removeLeftovers(aside)
			continue
		}
		work.FromContext(ctx).Progress("Restoring "+j.Name, 0, 0)
		if err := j.stage(ctx, r, aside); err != nil {
			if errors.Is(err, archive.ErrDamaged) {
				return nil, readError(path, err)
			}
			return nil, fault.Unwritten(j.place.Path, err)
		}
	}
	if err := f.checkSettings(jobs, in); err != nil {
		return nil, err
	}
	out := &Restored{File: path, Made: r.Made, Parts: []Part{}}
	for _, late := range []bool{false, true} { // databases first, because they may be in use
		for _, j := range ordered {
			if (j.place.Kind != Database) == late {
				if err := j.install(ctx, aside); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, j := range jobs {
		out.Parts = append(out.Parts, j.Part)
		if j.State == restored {
			out.Files += j.Files
		}
	}
	return out, nil
}

// putAside stands between the name and the time in the new name of replaced data.
const putAside = ".replaced-"

// orderByNesting returns the jobs with outer folders before the parts inside them, and sets within of those parts.
func orderByNesting(jobs []*job) []*job {
	out := slices.Clone(jobs)
	sorting.Stable(out, func(a, b *job) int { return cmp.Compare(len(a.place.Path), len(b.place.Path)) })
	for i, j := range out {
		for _, outer := range out[:i] {
			if outer.place.Kind == Folder && outer.State != same && strings.HasPrefix(j.place.Path, outer.place.Path+string(filepath.Separator)) {
				j.within, j.State = outer, "" // even if it is the same, because the outer folder is replaced as a whole
			}
		}
	}
	return out
}

// jobs returns the parts to restore, each with its place.
func (f *Feature) jobs(r *archive.Reader, in RestoreInput) ([]*job, error) {
	if in.Into != "" && in.Team != "" {
		return nil, fault.New(fault.Usage, "--into and --team exclude each other: --into restores nothing to its original place").Or("use one of them")
	}
	var places []Place
	var err error
	if in.Into == "" {
		if places, err = f.places("", in.Team); err != nil {
			return nil, err
		}
	}
	var names []string
	var jobs []*job
	for _, p := range r.Parts {
		names = append(names, p.Name)
		if len(in.Only) > 0 && !slices.Contains(in.Only, p.Name) {
			continue
		}
		j := &job{Part: Part{Name: p.Name, Kind: p.Kind}, place: Place{Name: p.Name, Kind: Kind(p.Kind)}}
		if !slices.Contains([]Kind{Folder, File, Database}, j.place.Kind) {
			return nil, readError(f.path(in.File), fmt.Errorf("%w: invalid part %s", archive.ErrDamaged, p.Name))
		}
		if in.Into != "" {
			j.place.Path = filepath.Join(f.path(in.Into), p.Name)
		} else if i := slices.IndexFunc(places, func(x Place) bool { return x.Name == p.Name && x.Kind == j.place.Kind }); i >= 0 {
			j.place = places[i]
		} else {
			return nil, errNoPlace(p.Name, in)
		}
		j.Path = j.place.Path
		for i, x := range r.Files {
			rel, ok := x.PathIn(p.Name)
			if ok && (rel == "") == (j.place.Kind == Folder) {
				return nil, readError(f.path(in.File), fmt.Errorf("%w: invalid part %s", archive.ErrDamaged, p.Name))
			}
			if ok {
				j.at, j.Files, j.Bytes = append(j.at, i), j.Files+1, j.Bytes+x.Size
			}
		}
		jobs = append(jobs, j)
	}
	for _, name := range in.Only {
		if !slices.Contains(names, name) {
			return nil, fault.New(fault.NotFound, "%s has no part %q", in.File, name).Or("it has %s", strings.Join(names, ", "))
		}
	}
	return jobs, nil
}

// errNoPlace returns the error for a part without a place on this machine.
func errNoPlace(name string, in RestoreInput) error {
	e := fault.New(fault.Usage, "this installation has no place for the part %s", name)
	switch {
	case !strings.HasPrefix(name, Server):
		return e.Or("choose other parts with --only, or a folder with --into")
	case in.Team == "":
		return e.Or("name the server's configuration file with --team, other parts with --only, or a folder with --into")
	}
	return e.Or("restore the server's configuration file first, with --only %s, and check its paths: they are the places of the other parts", Server)
}

// checkConflicts marks the parts that need no change, and returns an error if other data is in the way of a part.
func (f *Feature) checkConflicts(ctx context.Context, r *archive.Reader, jobs []*job, in RestoreInput) error {
	var there []string
	for _, j := range jobs {
		state, err := j.compare(ctx, r)
		if err != nil {
			return fault.New(fault.Unavailable, "cannot compare %s with the archive", j.place.Path).Because(err).Or("fix it, or choose the other parts with --only")
		}
		if state == same {
			j.State = same
		} else if state != "" {
			there = append(there, j.Name+" in "+j.place.Path)
		}
	}
	if len(there) == 0 || in.Overwrite {
		return nil
	}
	return fault.New(fault.Usage, "nothing was restored: other data is in the way of %s", strings.Join(there, ", ")).
		Or("--overwrite replaces it and keeps the old data beside it; --only chooses parts; --into restores into another folder")
}

// checkSettings returns an error if the settings in the archive name other places than the parts are restored to, because
// the restored settings would not find those parts.
func (f *Feature) checkSettings(jobs []*job, in RestoreInput) error {
	i := slices.IndexFunc(jobs, func(j *job) bool { return j.Name == Settings && j.staged != "" })
	if i < 0 || in.Into != "" || len(jobs) == 1 {
		return nil
	}
	archived, err := f.cfg.Places(jobs[i].staged)
	if err != nil {
		return fault.New(fault.Usage, "the settings in the archive are not valid on this machine").Because(err).Or("restore the other parts with --only")
	}
	for _, j := range jobs {
		k := slices.IndexFunc(archived, func(p Place) bool { return p.Name == j.Name })
		if k >= 0 && j.Name != Settings && archived[k].Path != j.place.Path {
			return fault.New(fault.Usage, "the settings in the archive place %s at %s, but this machine has it at %s", j.Name, archived[k].Path, j.place.Path).
				Or("restore and check the settings first, with --only %s; or restore only the other parts", Settings)
		}
	}
	return nil
}

// install moves the staged part to its place.
func (j *job) install(ctx context.Context, aside string) error {
	if j.staged == "" {
		return nil
	}
	path := j.place.Path
	wrong := func(err error) error {
		if errors.Is(err, store.ErrShared) {
			return fault.New(fault.Unavailable, "%s is in use", path).Because(err).Or("stop the servers and agents that use it, and restore again: the parts restored so far are kept")
		}
		return fault.Unwritten(path, err)
	}
	if j.within != nil { // it was moved with the outer folder
		if there, err := exists(path); err != nil || there && j.place.Kind == Database {
			if err = errors.Join(err, store.Alone(ctx, path)); err != nil {
				return wrong(err)
			}
		}
		j.staged, j.State = "", restored
		return nil
	}
	root, err := safe.OpenRoot(filepath.Dir(path))
	if err != nil {
		return wrong(err)
	}
	defer root.Close()
	name, kept := filepath.Base(path), ""
	if _, err := root.Lstat(name); err == nil {
		kept = freeName(root, name+aside)
	}
	if j.place.Kind == Database {
		err = store.Replace(ctx, path, j.staged, filepath.Join(filepath.Dir(path), kept))
	} else {
		err = replaceKeeping(root, filepath.Base(j.staged), name, kept)
		if err == nil && j.place.Kind == Folder {
			err = root.Remove(name + "/" + stagedMark) // only now, because a later restore recognizes a staged folder by the mark
		}
		if err == nil {
			err = root.SyncDir(".")
		}
	}
	if err != nil {
		return wrong(err)
	}
	j.staged, j.State = "", restored
	if kept != "" {
		j.Replaced = filepath.Join(filepath.Dir(path), kept)
	}
	return nil
}

// freeName returns name, or name with a number if something has it.
func freeName(root *safe.Root, name string) string {
	free := name
	for n := 2; ; n++ {
		if _, err := root.Lstat(free); errors.Is(err, fs.ErrNotExist) {
			return free
		}
		free = fmt.Sprintf("%s-%d", name, n)
	}
}

// replaceKeeping renames staged to name and, unless kept is "", what was there to kept. A process that
// is killed in between leaves one of the two under name, because a missing folder of notes would be
// read as an empty one; only where the file system cannot exchange names is there such a moment.
func replaceKeeping(root *safe.Root, staged, name, kept string) error {
	if kept == "" {
		return root.Rename(staged, name)
	}
	if st, err := root.Lstat(name); err == nil && !st.IsDir() {
		if root.Link(name, kept) == nil {
			return root.Rename(staged, name)
		}
	} else if root.Exchange(staged, name) == nil {
		return root.Rename(staged, kept)
	}
	if err := root.Rename(name, kept); err != nil {
		return err
	}
	return root.Rename(staged, name)
}

// finishExchange puts aside the former folder that a restore, killed after it had exchanged the folders,
// left under the name of a staged one: the mark tells which of the two was staged.
func finishExchange(root *safe.Root, name, aside string) error {
	staged := name + stagedSuffix
	has := func(rel string) bool {
		_, err := root.Lstat(rel)
		return err == nil
	}
	wasExchanged := has(name+"/"+stagedMark) && has(staged) && !has(staged+"/"+stagedMark)
	if !wasExchanged {
		return nil
	}
	return root.Rename(staged, freeName(root, name+aside))
}

// removeStaged removes the staged files of a part that was not installed.
func (j *job) removeStaged() {
	if j.staged == "" || j.within != nil {
		return
	}
	root, err := safe.OpenRoot(filepath.Dir(j.staged))
	if err != nil {
		return // the next restore removes it, as after a kill
	}
	defer root.Close()
	_ = removeStaging(root, filepath.Base(j.staged))
}

// removeLeftovers removes the files that a killed restore left beside an unchanged folder. Files that cannot be removed stay
// for the next restore.
func (j *job) removeLeftovers(aside string) {
	if j.place.Kind != Folder {
		return
	}
	root, err := safe.OpenRoot(filepath.Dir(j.place.Path))
	if err != nil {
		return
	}
	defer root.Close()
	name := filepath.Base(j.place.Path)
	_ = errors.Join(finishExchange(root, name, aside), removeStaging(root, name+stagedSuffix), root.Remove(name+"/"+stagedMark))
}

// exists reports whether anything is at a path, even a dangling link.
func exists(p string) (bool, error) {
	_, err := os.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
