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

// What a restore says of a part.
const (
	restored = "restored"
	same     = "same"
)

// RestoreInput asks for what a backup holds.
type RestoreInput struct {
	File      string   `json:"file" arg:"1" help:"an archive that backup wrote"`
	Team      string   `json:"team,omitempty" flag:"team" help:"also the data of the server with this configuration file"`
	Only      []string `json:"only,omitempty" flag:"only" help:"only this part: settings, workspace, notes, memory, docs, modules, team..."`
	Into      string   `json:"into,omitempty" flag:"into" out:"folder" help:"restore everything below this folder, one subfolder per part, instead of in place"`
	Overwrite bool     `json:"overwrite,omitempty" flag:"overwrite" help:"replace existing files; each is kept beside the new one under a name with the time"`
}

// A job is a part of an archive and where it goes.
type job struct {
	Part
	place  Place
	at     []int  // its files in the archive
	staged string // what lies ready beside its place; "" where it is the same already
	within *job   // the part in whose folder its place is, and what is staged lies
}

// Restore puts back what is in an archive. It returns before it has changed anything where
// the archive is not whole, where something is in the way, or where the settings in it say
// other places than those in force.
func (f *Feature) Restore(ctx context.Context, in RestoreInput) (_ *Restored, err error) {
	path := f.path(in.File)
	from, r, err := opened(ctx, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	jobs, err := f.jobs(r, in)
	if err != nil {
		return nil, err
	}
	if err := f.conflicts(ctx, r, jobs, in); err != nil {
		return nil, err
	}
	defer func() {
		for _, j := range jobs {
			j.clear()
		}
	}()
	ordered := nested(jobs)
	aside := putAside + f.cfg.Now().UTC().Format("20060102T150405Z")
	for _, j := range ordered {
		if j.State == same {
			j.tidy(aside)
			continue
		}
		work.Of(ctx).Progress("Restoring "+j.Name, 0, 0)
		if err := j.stage(ctx, r, aside); err != nil {
			if errors.Is(err, archive.ErrDamaged) {
				return nil, unread(path, err)
			}
			return nil, fault.Unwritten(j.place.Path, err)
		}
	}
	if err := f.agree(jobs, in); err != nil {
		return nil, err
	}
	out := &Restored{File: path, Made: r.Made, Parts: []Part{}}
	for _, late := range []bool{false, true} { // those first that may be in use
		for _, j := range ordered {
			if (j.place.Kind != Database) == late {
				if err := j.deliver(ctx, aside); err != nil {
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

// putAside follows the name of what a restore replaced, before the time.
const putAside = ".replaced-"

// nested returns folders before what has its place in one of them, and notes which that is.
func nested(jobs []*job) []*job {
	out := slices.Clone(jobs)
	sorting.Stable(out, func(a, b *job) int { return cmp.Compare(len(a.place.Path), len(b.place.Path)) })
	for i, j := range out {
		for _, outer := range out[:i] {
			if outer.place.Kind == Folder && outer.State != same && strings.HasPrefix(j.place.Path, outer.place.Path+string(filepath.Separator)) {
				j.within, j.State = outer, "" // also what is the same: the folder before goes as a whole
			}
		}
	}
	return out
}

// jobs returns what is to be put where.
func (f *Feature) jobs(r *archive.Reader, in RestoreInput) ([]*job, error) {
	if in.Into != "" && in.Team != "" {
		return nil, fault.New(fault.Usage, "--into restores nothing to its original place, and --team names places").Or("use one of them")
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
			return nil, unread(f.path(in.File), fmt.Errorf("%w: the part %s", archive.ErrDamaged, p.Name))
		}
		if in.Into != "" {
			j.place.Path = filepath.Join(f.path(in.Into), p.Name)
		} else if i := slices.IndexFunc(places, func(x Place) bool { return x.Name == p.Name && x.Kind == j.place.Kind }); i >= 0 {
			j.place = places[i]
		} else {
			return nil, homeless(p.Name, in)
		}
		j.Path = j.place.Path
		for i, x := range r.Files {
			rel, ok := x.Of(p.Name)
			if ok && (rel == "") == (j.place.Kind == Folder) {
				return nil, unread(f.path(in.File), fmt.Errorf("%w: the part %s", archive.ErrDamaged, p.Name))
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

// homeless is the error for a part that has no place here.
func homeless(name string, in RestoreInput) error {
	e := fault.New(fault.Usage, "the part %s has no place here", name)
	switch {
	case !strings.HasPrefix(name, Server):
		return e.Or("name the parts that you want with --only, or a folder with --into")
	case in.Team == "":
		return e.Or("name the file of the server with --team, the parts that you want with --only, or a folder with --into")
	}
	return e.Or("restore the file of the server first, with --only %s, and look through it: it says where the rest goes", Server)
}

// conflicts marks what is as it should be, and returns an error where something else is in
// the way.
func (f *Feature) conflicts(ctx context.Context, r *archive.Reader, jobs []*job, in RestoreInput) error {
	var there []string
	for _, j := range jobs {
		state, err := j.look(ctx, r)
		if err != nil {
			return fault.New(fault.Unavailable, "look at %s", j.place.Path).Because(err).Or("fix it, or name the other parts with --only")
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
	return fault.New(fault.Usage, "nothing is restored: there is already %s", strings.Join(there, ", ")).
		Or("--overwrite replaces it and keeps what was there beside it; --only names parts; --into restores into a folder")
}

// agree returns an error where the settings to be restored say other places than those that
// the rest goes to: it would not be found there.
func (f *Feature) agree(jobs []*job, in RestoreInput) error {
	i := slices.IndexFunc(jobs, func(j *job) bool { return j.Name == Settings && j.staged != "" })
	if i < 0 || in.Into != "" || len(jobs) == 1 {
		return nil
	}
	said, err := f.cfg.Places(jobs[i].staged)
	if err != nil {
		return fault.New(fault.Usage, "the settings in the archive cannot be used here").Because(err).Or("restore the other parts, with --only")
	}
	for _, j := range jobs {
		k := slices.IndexFunc(said, func(p Place) bool { return p.Name == j.Name })
		if k >= 0 && j.Name != Settings && said[k].Path != j.place.Path {
			return fault.New(fault.Usage, "the settings in the archive say that %s is %s, and here it is %s", j.Name, said[k].Path, j.place.Path).
				Or("restore the settings first, with --only %s, and look through them; or the other parts alone", Settings)
		}
	}
	return nil
}

// deliver puts what was staged in its place.
func (j *job) deliver(ctx context.Context, aside string) error {
	if j.staged == "" {
		return nil
	}
	path := j.place.Path
	wrong := func(err error) error {
		if errors.Is(err, store.ErrShared) {
			return fault.New(fault.Unavailable, "%s is in use", path).Because(err).Or("stop the servers and agents that use it, and restore again: what was restored already stays")
		}
		return fault.Unwritten(path, err)
	}
	if j.within != nil { // it comes with its folder
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
			err = root.Remove(name + "/" + stagedMark) // not before: a folder without it would not be known again
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

// clear removes what was staged and has not become what it was to be.
func (j *job) clear() {
	if j.staged == "" || j.within != nil {
		return
	}
	root, err := safe.OpenRoot(filepath.Dir(j.staged))
	if err != nil {
		return // as good as a process that was killed: the next one clears
	}
	defer root.Close()
	_ = discard(root, filepath.Base(j.staged))
}

// tidy removes what a restore left of a folder that was killed, where there is nothing else to
// do. What cannot be removed stays for the next.
func (j *job) tidy(aside string) {
	if j.place.Kind != Folder {
		return
	}
	root, err := safe.OpenRoot(filepath.Dir(j.place.Path))
	if err != nil {
		return
	}
	defer root.Close()
	name := filepath.Base(j.place.Path)
	_ = errors.Join(finishExchange(root, name, aside), discard(root, name+stagedSuffix), root.Remove(name+"/"+stagedMark))
}

// real is where a place is that the user may have arranged by links.
func real(p string) string {
	if at, err := filepath.EvalSymlinks(p); err == nil {
		return at
	}
	return p
}

// exists says whether anything is at a path, be it a link to nothing.
func exists(p string) (bool, error) {
	_, err := os.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
