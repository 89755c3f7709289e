// Package audit is the feature that answers "is it true?": whether what documents say of
// the code is in the code.
//
// A check that passes has looked at every claim; what could not be read is a failure
// and not a pass. Documents are changed only where a flag asks for it.
package audit

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/audit/trajectory"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/engine"
)

// Config is what the feature needs to know of its surroundings.
type Config struct {
	WorkDir string                            // absolute
	Agent   string                            // who asks, where a call does not say
	Mode    string                            // of the trajectory: "strict", "lenient", "off" or nothing said
	Project func(path string) (string, error) // the folder of the project around a path
	Ground  *float64                          // the part of claims that has to be grounded, where a call does not say; nil: .95
	Version string                            // of the program
	CK      string                            // the release of ck that it stands in for
	Binary  string                            // its file
	Gate    func(root string) error           // stops an audit of a project that may not be trusted; nil: NewGate
	// Confirm shows the user a text and asks a yes-or-no question; nil: nobody can be asked.
	Confirm func(ctx context.Context, text, question string) (bool, error)
	Locks   string // a folder for the locks of NOTES.md, outside every project
	Now     func() time.Time

	// Ask lends the indexed tree at root as it is now; package code is the real one. Nil,
	// or where it fails, the files alone are asked.
	Ask func(ctx context.Context, root, indexDir, path string, refresh bool, ask func(e *engine.Engine, v *engine.View, within string) error) error
	// Has reports whether a file below a root is asked about; nil: each is.
	Has func(root, path string) bool
	// Tracker returns the program that keeps tickets; nil: what is installed.
	Tracker func(dir string) (*claims.Tracker, bool)
}

// A Feature audits documents. It is safe for concurrent use.
type Feature struct{ cfg Config }

func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Gate == nil {
		cfg.Gate = NewGate()
	}
	if cfg.Tracker == nil {
		cfg.Tracker = claims.FindTracker
	}
	return &Feature{cfg}
}

// CheckAs is Check with the threshold of the surroundings, where a call has none.
func (f *Feature) CheckAs(ctx context.Context, in CheckInput) (*Checked, error) {
	in.Threshold = cmp.Or(in.Threshold, f.cfg.Ground)
	return f.Check(ctx, in)
}

// A Project says which project is meant.
type Project struct {
	Root string `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the working directory)"`
}

func (f *Feature) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.cfg.WorkDir, path)
}

// inside reports whether a path is a folder, or below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// root returns the folder of a project that may be built on: see Gate.
func (f *Feature) root(in Project) (string, error) {
	root, err := f.folder(in)
	if err != nil {
		return "", err
	}
	return root, f.cfg.Gate(root)
}

// folder returns the folder of the project, without symbolic links.
func (f *Feature) folder(in Project) (string, error) {
	root, err := f.cfg.Project(f.abs(cmp.Or(in.Root, ".")))
	if err != nil {
		return "", err
	}
	if in.Root != "" {
		root = f.abs(in.Root)
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", fault.New(fault.NotFound, "no folder %s", root).Because(err).Or("give --root a folder that exists")
	}
	return real, nil
}

// maxDocument bounds a document, in bytes.
const maxDocument = 8 << 20

// A document is read whole; encoding is as text.Decode has it.
type document struct {
	text, encoding string
	mode           os.FileMode
}

func (f *Feature) document(path string) (d document, err error) {
	file, err := safe.OpenNamed(f.abs(path))
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return d, fault.New(fault.NotFound, "no file %s", path).Or("check the path; relative ones start at %s", f.cfg.WorkDir)
		}
		return d, fault.New(fault.Unavailable, "open %s", path).Because(err)
	}
	defer file.Close()
	st, err := file.Stat()
	switch {
	case err != nil:
		return d, fault.New(fault.Unavailable, "open %s", path).Because(err)
	case !st.Mode().IsRegular():
		return d, fault.New(fault.Usage, "%s is not a file", path).Or("name documents, one by one")
	case st.Size() > maxDocument:
		return d, fault.New(fault.Usage, "%s is larger than %d MB", path, maxDocument>>20).Or("split it")
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxDocument))
	if err != nil {
		return d, fault.New(fault.Unavailable, "read %s", path).Because(err)
	}
	said, encoding := text.Decode(raw)
	return document{string(said), encoding, st.Mode().Perm()}, nil
}

// logged returns the log of a project, if searches of it are logged.
func (f *Feature) logged(root string) (trajectory.Log, bool) {
	return trajectory.Open(root, f.cfg.Mode)
}
