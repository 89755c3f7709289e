package bundle

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/install/archive"
)

// ApplyInput asks for a bundle to be applied.
type ApplyInput struct {
	File      string   `json:"file" arg:"1" help:"the archive"`
	Key       string   `json:"key,omitempty" flag:"key" help:"the public key of the bundle's signer, or a file that holds it (default: bundle.key)"`
	Only      []string `json:"only,omitempty" flag:"only" help:"only docs, modules, models or program"`
	Program   string   `json:"program_to,omitempty" flag:"program-to" out:"folder" help:"the folder to install this platform's executable in (default: it stays in the bundle)"`
	Overwrite bool     `json:"overwrite,omitempty" flag:"overwrite" help:"replace existing modules, models and executables that differ"`
	DryRun    bool     `json:"dry_run,omitempty" flag:"dry-run" help:"check everything and write nothing"`
}

// A step is a file of a bundle and its target.
type step struct {
	at    int // in the archive
	part  string
	dir   string // the target folder; "" for a library, and for files that stay in the bundle
	rel   string // below it
	state string
}

// The states of an item.
const (
	stateNew      = "new"
	stateSame     = "same"
	stateReplaced = "replaced"
	stateImported = "imported"
	stateLeft     = "left in the bundle"
)

// Apply installs the files of a bundle in their folders.
func (f *Feature) Apply(ctx context.Context, in ApplyInput) (*Report, error) {
	key, err := f.trustedKey(in.Key)
	if err != nil {
		return nil, err
	}
	from, err := safe.OpenNamed(f.path(in.File))
	if err != nil {
		return nil, readError(in.File, err)
	}
	defer from.Close()
	r, err := f.openVerified(ctx, in.File, from, key)
	if err != nil {
		return nil, err
	}
	steps, err := f.plan(ctx, r, in)
	if err != nil {
		return nil, err
	}
	out := &Report{File: f.path(in.File), Signer: formatPublic(key), Made: r.Made, Items: []Item{}, verb: "applied from", dry: in.DryRun}
	if st, err := from.Stat(); err == nil {
		out.Bytes = st.Size()
	}
	for i := range steps {
		s := &steps[i]
		x := r.Files[s.at]
		item := Item{Part: s.part, Name: strings.TrimPrefix(x.Path, s.part+"/"), Bytes: x.Size, State: s.state}
		if s.dir != "" {
			item.To = filepath.Join(s.dir, filepath.FromSlash(s.rel))
		}
		if !in.DryRun {
			work.FromContext(ctx).Progress("Applying "+item.Name, int64(i), int64(len(steps)))
			if err := f.runStep(ctx, r, s, &item); err != nil {
				return nil, err
			}
		}
		out.Items = append(out.Items, item)
	}
	out.addNotes(f.cfg.Models)
	return out, nil
}

// openVerified opens a bundle. Its signature must be of key and every checksum must match.
func (f *Feature) openVerified(ctx context.Context, name string, from *os.File, key ed25519.PublicKey) (*archive.Reader, error) {
	r, err := archive.OpenSigned(from, key)
	if err == nil {
		err = r.Verify(ctx)
	}
	switch {
	case err == nil:
		return r, nil
	case errors.Is(err, archive.ErrSigner):
		return nil, fault.New(fault.Negative, "cannot apply %s", name).Because(err).Or("ask the maker of the bundle for the public key, through another channel than the bundle")
	case errors.Is(err, archive.ErrDamaged):
		return nil, fault.New(fault.Negative, "cannot apply %s", name).Because(err).Or("copy it again")
	case errors.Is(err, archive.ErrNewer):
		return nil, fault.New(fault.Unavailable, "cannot read %s", name).Because(err).Or("install that version")
	}
	return nil, readError(name, err)
}

// plan returns the target of each file, or an error if other files are in the way.
func (f *Feature) plan(ctx context.Context, r *archive.Reader, in ApplyInput) ([]step, error) {
	for _, part := range in.Only {
		if !slices.Contains([]string{partDocs, partModules, partModels, partProgram}, part) {
			return nil, fault.New(fault.Usage, "unknown part %q", part).Or("use docs, modules, models or program")
		}
	}
	if i := slices.IndexFunc(r.Parts, func(p archive.Part) bool { return p.Kind != kind }); i >= 0 {
		return nil, fault.New(fault.Usage, "%s is not a bundle", in.File).Or("assay restore restores an archive of assay backup")
	}
	var out []step
	var there []string
	for i, x := range r.Files {
		part, rel, _ := strings.Cut(x.Path, "/")
		if rel == "" {
			return nil, fault.New(fault.Negative, "cannot apply %s", in.File).Because(fmt.Errorf("%w: %.200q", archive.ErrDamaged, x.Path))
		}
		if len(in.Only) > 0 && !slices.Contains(in.Only, part) {
			continue
		}
		s := step{at: i, part: part, rel: rel, state: stateNew}
		switch part {
		case partDocs:
			s.state = stateImported
		case partModules:
			s.dir = f.cfg.Modules
		case partModels:
			s.dir = f.cfg.Models
		case partProgram:
			s.state = stateLeft
			if in.Program != "" && rel == strings.Replace(f.cfg.Platform, "/", "-", 1)+"/assay" {
				s.dir, s.rel, s.state = f.path(in.Program), executableName(f.cfg.Platform), stateNew
			}
		default:
			return nil, fault.New(fault.Unavailable, "%s has a part %q, which this version of assay does not support", in.File, part).
				Or("install the version that wrote it, or choose parts with --only")
		}
		if s.dir != "" {
			state, err := compareTarget(ctx, s, x)
			if err != nil {
				return nil, err
			}
			if s.state = state; state == stateReplaced {
				there = append(there, filepath.Join(s.dir, filepath.FromSlash(s.rel)))
			}
		}
		out = append(out, s)
	}
	if in.Program != "" && !slices.ContainsFunc(out, func(s step) bool { return s.part == partProgram && s.dir != "" }) {
		return nil, fault.New(fault.NotFound, "%s has no executable for %s", in.File, f.cfg.Platform).Or("omit --program-to")
	}
	if len(there) > 0 && !in.Overwrite {
		return nil, fault.New(fault.Usage, "nothing was applied: other files are in the way: %s", strings.Join(there, ", ")).
			Or("--overwrite replaces them; --only chooses parts")
	}
	return out, nil
}

func executableName(platform string) string {
	if strings.HasPrefix(platform, "windows/") {
		return "assay.exe"
	}
	return "assay"
}

// compareTarget compares the target of a step with the file in the bundle and returns its state.
func compareTarget(ctx context.Context, s step, want archive.File) (string, error) {
	at := filepath.Join(s.dir, filepath.FromSlash(s.rel))
	if s.dir == "" || !filepath.IsAbs(s.dir) {
		return "", fault.New(fault.Unavailable, "the folder for %s is unknown", s.part).Or("set HOME")
	}
	root, err := safe.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return stateNew, nil
	}
	if err != nil {
		return "", readError(s.dir, err)
	}
	defer root.Close()
	in, err := root.Open(s.rel)
	if errors.Is(err, fs.ErrNotExist) {
		return stateNew, nil
	}
	if err != nil { // a link or a folder must not be replaced
		return "", fault.New(fault.Unavailable, "cannot replace %s", at).Because(err).Or("move it, or choose other parts with --only")
	}
	defer in.Close()
	switch equal, err := want.IsIn(ctx, in); {
	case err != nil:
		return "", readError(at, err)
	case equal:
		return stateSame, nil
	}
	return stateReplaced, nil
}

// runStep installs the file of one step.
func (f *Feature) runStep(ctx context.Context, r *archive.Reader, s *step, item *Item) error {
	switch {
	case s.part == partDocs:
		return f.importLibrary(ctx, r, s, item)
	case s.dir == "" || s.state == stateSame:
		return nil
	}
	open := ownFolder
	if s.part == partProgram { // the user named the folder
		open = safe.OutputFolder
	}
	root, err := open(s.dir, 0o755)
	if err != nil {
		return fault.Unwritten(s.dir, err)
	}
	defer root.Close()
	folder := path.Dir(s.rel)
	if err := root.MkdirAll(folder, 0o755); err != nil {
		return fault.Unwritten(item.To, err)
	}
	root.Tidy(folder)
	temp := path.Join(folder, file.TemporaryName())
	defer func() { _ = root.Remove(temp) }() // fails after the rename below
	if err = r.Extract(ctx, s.at, root, temp, 0o644); err == nil {
		err = root.Rename(temp, s.rel)
	}
	if err == nil {
		err = root.SyncDir(folder)
	}
	if err != nil {
		return fault.Unwritten(item.To, err)
	}
	return nil
}

// ownFolder creates and opens a folder of the user. Its path may contain links.
func ownFolder(dir string, perm fs.FileMode) (*safe.Root, error) {
	if err := os.MkdirAll(dir, perm); err != nil {
		return nil, err
	}
	return safe.OpenRoot(dir)
}

// importLibrary imports the libraries of an exported file by way of a temporary file.
func (f *Feature) importLibrary(ctx context.Context, r *archive.Reader, s *step, item *Item) error {
	if err := os.MkdirAll(f.cfg.Temp, 0o755); err != nil {
		return fault.Unwritten(f.cfg.Temp, err)
	}
	root, err := safe.OpenRoot(f.cfg.Temp)
	if err != nil {
		return fault.Unwritten(f.cfg.Temp, err)
	}
	defer root.Close()
	root.Tidy(".")
	temp := file.TemporaryName()
	if err := root.Mkdir(temp, 0o700); err != nil {
		return fault.Unwritten(f.cfg.Temp, err)
	}
	name := path.Join(temp, file.TemporaryName())
	defer func() {
		list, _ := root.ReadDir(temp)
		for _, e := range list {
			_ = root.Remove(path.Join(temp, e.Name())) // a later call removes files that remain
		}
		_ = root.RemoveDir(temp)
	}()
	if err := r.Extract(ctx, s.at, root, name, 0o644); err != nil {
		return fault.Unwritten(f.cfg.Temp, err)
	}
	libs, err := f.cfg.Import(ctx, filepath.Join(f.cfg.Temp, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	item.To = strings.Join(libs, ", ")
	return nil
}
