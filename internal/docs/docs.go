// Package docs is the feature that answers "how is that library used?": it ingests the
// documentation of libraries from where they lie, and answers questions about them
// from one file, in the form that agents know from Context7.
//
// Only an ingest or a refresh of a remote source touches the network. Whatever stops
// one, the documentation that was there before still answers.
package docs

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/docs/source"
)

// Config is what the feature needs to know of its surroundings.
type Config struct {
	WorkDir  string        // absolute; where relative paths begin
	DB       string        // the file where a call names none
	DBs      []string      // the files that are served, in the order they are asked; none: DB
	Temp     string        // a folder for what is fetched
	Registry string        // of npm packages; "" for the public one
	Request  time.Duration // of one request; 0: source.DefaultRequest
	Total    time.Duration // of a whole source; 0: source.DefaultTotal
	Places   source.Places
	Server   bool // files are opened for reading only, and stay open
	Now      func() time.Time
}

// A Feature answers questions about documentation. It is safe for concurrent use.
type Feature struct {
	cfg Config

	mu     sync.Mutex
	open   map[string]*library.DB // of a server
	closed bool

	project *packagesRead // the dependencies of the project here, of a server
}

func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Feature{cfg: cfg, open: map[string]*library.DB{}}
}

// Close closes the files of a server.
func (f *Feature) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	var errs []error
	for _, db := range f.open {
		errs = append(errs, db.Close())
	}
	f.open = nil
	return errors.Join(errs...)
}

// path returns where the file of a call is.
func (f *Feature) path(db string) string {
	db = cmp.Or(db, f.cfg.DB)
	if !filepath.IsAbs(db) {
		db = filepath.Join(f.cfg.WorkDir, db)
	}
	return db
}

// asked returns the files that a question goes to.
func (f *Feature) asked(db string) []string {
	if db != "" || len(f.cfg.DBs) == 0 {
		return []string{f.path(db)}
	}
	paths := make([]string, len(f.cfg.DBs))
	for i, p := range f.cfg.DBs {
		paths[i] = f.path(p)
	}
	return paths
}

// reading lends an open file to ask. A server keeps it open.
func (f *Feature) reading(ctx context.Context, path string, ask func(*library.DB) error) error {
	if !f.cfg.Server {
		db, err := library.OpenReadOnly(ctx, path)
		if err != nil {
			return err
		}
		return errors.Join(ask(db), db.Close())
	}
	db, err := f.kept(ctx, path)
	if err != nil {
		return err
	}
	return ask(db)
}

// lent lends the files of paths that are there, each opened once, with those that are open.
func (f *Feature) lent(ctx context.Context, paths []string, open []*library.DB, ask func([]*library.DB) error) error {
	if len(paths) == 0 {
		return ask(open)
	}
	there := false
	err := f.reading(ctx, paths[0], func(db *library.DB) error {
		there = true
		return f.lent(ctx, paths[1:], append(open, db), ask)
	})
	if !there && missing(err, paths[0]) {
		return f.lent(ctx, paths[1:], open, ask)
	}
	return err
}

func (f *Feature) kept(ctx context.Context, path string) (*library.DB, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, fault.New(fault.Unavailable, "the server is shutting down")
	}
	if db := f.open[path]; db != nil {
		return db, nil
	}
	db, err := library.OpenReadOnly(ctx, path)
	if err != nil {
		return nil, err
	}
	f.open[path] = db
	return db, nil
}

// writing lends a file that change may write to. It is whole when writing returns.
func (f *Feature) writing(ctx context.Context, db string, create bool, change func(*library.DB) error) error {
	path := f.path(db)
	if f.cfg.Server {
		return fault.New(fault.Usage, "a server does not change %s", path)
	}
	if db != "" { // the user's own settings may lead through links
		if err := safe.CheckOutput(path); err != nil {
			return fault.New(fault.Usage, "%s cannot be written", db).Because(err).Or("name another file with --db")
		}
	}
	if create {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fault.New(fault.Unavailable, "make the folder of %s", path).Because(err).Or("name another file with --db")
		}
	} else if _, err := os.Stat(path); err != nil {
		return fault.New(fault.NotFound, "no documentation in %s", path).Because(err).Or("name the file with --db, or ingest something first")
	}
	d, err := library.Open(ctx, path)
	if err != nil {
		return unwritable(path, err)
	}
	err = change(d)
	end := closed(ctx, path, d.Close())
	if err != nil && store.Environmental(end) {
		end = nil // it says the same again
	}
	return unwritable(path, errors.Join(err, end))
}

// unwritable makes an error of the disk one that says what to do.
func unwritable(path string, err error) error {
	if fault.KindOf(err) != fault.Internal || !store.Environmental(err) {
		return err
	}
	return fault.New(fault.Unavailable, "%s cannot be written", path).Because(err).Or("free some space on its disk, or name a file elsewhere with --db")
}

// closed is the error of closing a file after writing. That another process writes
// it too is none: what this one wrote is kept, and the last one leaves one file.
func closed(ctx context.Context, path string, err error) error {
	if errors.Is(err, store.ErrShared) {
		work.FromContext(ctx).Note("another process is using %s: do not copy it before that one ends", path)
		return nil
	}
	return err
}

// Check reports whether the files that a server was told to serve are there.
func (f *Feature) Check(ctx context.Context) error {
	for _, p := range f.cfg.DBs {
		if _, err := f.kept(ctx, f.path(p)); err != nil {
			return err
		}
	}
	return nil
}

func (f *Feature) options(in Where, report func(string, int64, int64)) (source.Options, error) {
	o := source.Options{
		Ref: in.Ref, Version: in.Version, WorkDir: f.cfg.WorkDir, Temp: f.cfg.Temp,
		Registry: f.cfg.Registry, Progress: report, Refuse: func(paths []string) error { return tooMany(in, paths) },
		Wanted: wanted(in), MaxPages: in.MaxPages, Request: f.cfg.Request, Total: f.cfg.Total,
	}
	for _, limit := range []struct {
		flag, given string
		to          *time.Duration
	}{{"--request-timeout", in.RequestTimeout, &o.Request}, {"--timeout", in.Timeout, &o.Total}} {
		if limit.given == "" {
			continue
		}
		d, err := time.ParseDuration(limit.given)
		if err != nil || d <= 0 {
			return o, fault.New(fault.Usage, "%s %s is not a time such as 90s or 2h", limit.flag, text.Line(limit.given))
		}
		*limit.to = d
	}
	return o, nil
}

// missing reports whether err says that there is no such file of documentation: a
// server with nothing ingested yet has no libraries, which is no error.
func missing(err error, path string) bool {
	if fault.KindOf(err) != fault.NotFound {
		return false
	}
	_, gone := os.Stat(path)
	return gone != nil
}
