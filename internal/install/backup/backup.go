// Package backup writes the data that a user or a team server cannot rebuild into one archive, and restores it: notes, the
// index of notes and sessions, documentation, modules and settings.
//
// A backup is verified before it gets its name. A restore reads the whole archive before it changes anything. It replaces
// existing data only on request, each part as a whole, and the replaced data stays beside it under another name. Files that
// look like secrets are only included on request, and every omitted file is reported.
package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/install/archive"
)

// A Kind is the kind of data at a place.
type Kind string

// The kinds.
const (
	Folder   Kind = "folder"
	File     Kind = "file"
	Database Kind = "database"
)

// Settings and Server are the names of the places that define the paths of others.
const (
	Settings = "settings"
	Server   = "team"
)

// A Place is a path that a backup contains.
type Place struct {
	Name   string
	Kind   Kind
	Path   string // absolute
	Secret bool   // the file is a secret
}

// Config connects the feature to the program.
type Config struct {
	WorkDir string
	Version string
	Now     func() time.Time
	// Places returns the places of the user's data according to a settings file; "" means the settings in force.
	Places func(settings string) ([]Place, error)
	// Team returns the places of a server's data according to its configuration file, or only that file if it does not exist.
	Team func(file string) ([]Place, error)
}

// A Feature makes backups and restores them.
type Feature struct{ cfg Config }

func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Feature{cfg: cfg}
}

// Input asks for a backup, or for one to be checked.
type Input struct {
	File      string   `json:"file" arg:"1" out:"file,unless=verify" help:"the archive to write, or with --verify to check"`
	Team      string   `json:"team,omitempty" flag:"team" help:"also the data of the server with this configuration file"`
	Only      []string `json:"only,omitempty" flag:"only" help:"only this part: settings, workspace, notes, memory, docs, modules, team..."`
	Secrets   bool     `json:"secrets,omitempty" flag:"secrets" help:"also tokens, keys and files that seem to contain secrets"`
	Overwrite bool     `json:"overwrite,omitempty" flag:"overwrite" help:"replace the file if it exists"`
	Verify    bool     `json:"verify,omitempty" flag:"verify" help:"write nothing: read an archive and compare every checksum"`
}

// Backup writes an archive, or checks one.
func (f *Feature) Backup(ctx context.Context, in Input) (*Report, error) {
	to := f.path(in.File)
	if in.Verify {
		if in.Team != "" || in.Secrets || in.Overwrite || len(in.Only) > 0 {
			return nil, fault.New(fault.Usage, "--verify checks a whole archive and takes no other flag")
		}
		return f.verify(ctx, to)
	}
	places, err := f.places("", in.Team)
	if err == nil {
		places, err = selectPlaces(places, in.Only)
	}
	if err != nil {
		return nil, err
	}
	if err := f.checkTarget(to, in, places); err != nil {
		return nil, err
	}
	dir, base, err := safe.Output(to)
	if err != nil {
		return nil, fault.Unwritten(to, err)
	}
	defer dir.Close()
	dir.Tidy(".")
	out := &Report{File: to, Secrets: in.Secrets}
	temp := file.TemporaryName()
	defer func() { _ = dir.Remove(temp) }() // fails after the rename below
	if err := f.write(ctx, dir, temp, places, out); err != nil {
		return nil, err
	}
	if out.Files == 0 {
		return nil, fault.New(fault.NotFound, "there is nothing to back up").Or("assay doctor lists the data of this installation")
	}
	// Verify the archive by reading it back from the disk.
	checked, err := f.verify(ctx, filepath.Join(filepath.Dir(to), temp))
	if err != nil {
		return nil, err
	}
	out.Bytes, out.Made = checked.Bytes, checked.Made
	if err := dir.Rename(temp, base); err != nil {
		return nil, fault.Unwritten(to, err)
	}
	if err := dir.SyncDir("."); err != nil {
		return nil, fault.Unwritten(to, err)
	}
	noteOmissions(ctx, out)
	return out, nil
}

// checkTarget returns an error if the archive must not be written to to.
func (f *Feature) checkTarget(to string, in Input, places []Place) error {
	st, err := os.Lstat(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fault.Unwritten(to, err)
	case !st.Mode().IsRegular():
		return fault.New(fault.Usage, "%s cannot be replaced", in.File).Because(safe.ErrNotFile).Or("name another file")
	}
	for _, p := range places {
		if there, err := os.Stat(p.Path); err == nil && os.SameFile(there, st) {
			return fault.New(fault.Usage, "%s is one of the files to back up", in.File).Or("name another file")
		}
	}
	if !in.Overwrite {
		return fault.New(fault.Usage, "%s exists", in.File).Or("name another file, or replace it with --overwrite")
	}
	return nil
}

// openVerified opens an archive and verifies every checksum.
func openVerified(ctx context.Context, path string) (*os.File, *archive.Reader, error) {
	from, err := safe.OpenNamed(path)
	if err != nil {
		return nil, nil, readError(path, err)
	}
	r, err := archive.Open(from)
	if err == nil {
		err = r.Verify(ctx)
	}
	if err != nil {
		from.Close()
		return nil, nil, readError(path, err)
	}
	return from, r, nil
}

// verify verifies an archive and reports its contents.
func (f *Feature) verify(ctx context.Context, path string) (*Report, error) {
	from, r, err := openVerified(ctx, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	st, err := from.Stat()
	if err != nil {
		return nil, readError(path, err)
	}
	out := &Report{File: path, Made: r.Made, Secrets: r.Secrets, Bytes: st.Size(), checked: true, LeftOut: []LeftOut{}}
	for _, p := range r.Parts {
		k := Part{Name: p.Name, Kind: p.Kind, Path: p.From}
		for _, x := range r.Files {
			if _, ok := x.PathIn(p.Name); ok {
				k.Files, k.Bytes = k.Files+1, k.Bytes+x.Size
			}
		}
		out.add(k)
	}
	return out, nil
}

// places returns the places of the user and, if team is set, of a server.
func (f *Feature) places(settings, team string) ([]Place, error) {
	places, err := f.cfg.Places(settings)
	if err != nil || team == "" {
		return places, err
	}
	more, err := f.cfg.Team(f.path(team))
	return append(places, more...), err
}

// selectPlaces returns the places whose names are in only, or all if only is empty.
func selectPlaces(places []Place, only []string) (out []Place, err error) {
	if len(only) == 0 {
		return places, nil
	}
	var names []string
	for _, p := range places {
		names = append(names, p.Name)
		if slices.Contains(only, p.Name) {
			out = append(out, p)
		}
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			return nil, fault.New(fault.Usage, "unknown part %q", name).Or("use one of %s", strings.Join(names, ", "))
		}
	}
	return out, nil
}

func (f *Feature) path(name string) string { return file.From(f.cfg.WorkDir, name) }

func readError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "file %s not found", path)
	case errors.Is(err, archive.ErrDamaged):
		return fault.New(fault.Negative, "cannot restore %s", path).Because(err).Or("use another backup")
	case errors.Is(err, archive.ErrNewer):
		return fault.New(fault.Unavailable, "cannot read %s", path).Because(err).Or("install that version")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fault.New(fault.Unavailable, "cannot read %s", path).Because(err).Or("check the permissions of the file")
}

// placePaths returns the paths of all places, because a folder must not include the files of another place.
func placePaths(places []Place) map[string]bool {
	out := map[string]bool{}
	for _, p := range places {
		out[p.Path] = true
		if p.Kind == Database {
			for _, name := range store.Files(filepath.Base(p.Path)) {
				out[filepath.Join(filepath.Dir(p.Path), name)] = true
			}
		}
	}
	return out
}
