// Package bundle carries documentation, modules, an embedding model and the program itself to
// machines without a network, in one signed archive.
//
// Nothing of a bundle is read beyond its signature unless that is of a key which was named, and
// nothing is written before every checksum has been compared. What a bundle holds goes to the folders
// that this user has for it and nowhere else, and replaces nothing unasked. A bundle that was applied
// in part is applied whole by doing it again.
package bundle

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/install/archive"
)

// Config is what the feature needs to know of its surroundings.
type Config struct {
	WorkDir  string
	Version  string
	Platform string // of the program, such as linux/amd64
	Modules  string // the user's folder of modules
	Models   string // the folder that has a folder for each model
	Temp     string // a folder for what is there only while a call runs
	Key      string // the public key whose bundles are taken where a call names none; may be empty
	Now      func() time.Time
	// Export writes a library to a file, Import adds those of a file to the user's and returns
	// what they are called.
	Export func(ctx context.Context, id, to string) error
	Import func(ctx context.Context, from string) ([]string, error)
}

// A Feature makes bundles and applies them.
type Feature struct{ cfg Config }

// New returns a feature.
func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Feature{cfg: cfg}
}

// The parts of a bundle: folders of an archive, of kinds that a backup has not.
const (
	partDocs    = "docs"
	partModules = "modules"
	partModels  = "models"
	partProgram = "program"

	kind = "bundle"
)

// modelFiles are what a Model2Vec folder needs to have.
var modelFiles = []string{"model.safetensors", "tokenizer.json", "config.json"}

// Input asks for a bundle to be made.
type Input struct {
	File      string   `json:"file" arg:"1" out:"file" help:"the archive to write"`
	Key       string   `json:"key" flag:"key" help:"the private key to sign with, as written by bundle keygen"`
	Docs      []string `json:"docs,omitempty" flag:"docs" help:"a library, as /ORGANISATION/PROJECT or /ORGANISATION/PROJECT/VERSION; may be repeated"`
	Modules   []string `json:"modules,omitempty" flag:"modules" help:"a Lua module, or a folder of them; may be repeated"`
	Model     []string `json:"model,omitempty" flag:"model" help:"the folder of a Model2Vec model; may be repeated"`
	Program   string   `json:"program,omitempty" flag:"program" help:"an assay executable to include"`
	Platform  string   `json:"platform,omitempty" flag:"platform" help:"the platform of --program, such as linux/arm64 (default: this machine's)"`
	Overwrite bool     `json:"overwrite,omitempty" flag:"overwrite" help:"replace the file if it exists"`
}

// Bundle makes one.
func (f *Feature) Bundle(ctx context.Context, in Input) (*Report, error) {
	if len(in.Docs)+len(in.Modules)+len(in.Model) == 0 && in.Program == "" {
		return nil, fault.New(fault.Usage, "nothing is to be bundled").Or("name libraries with --docs, modules with --modules, a model with --model, the program with --program")
	}
	key, err := f.private(in.Key)
	if err != nil {
		return nil, err
	}
	to := f.path(in.File)
	if _, err := os.Lstat(to); err == nil && !in.Overwrite {
		return nil, fault.New(fault.Usage, "%s exists", in.File).Or("name another file, or replace it with --overwrite")
	}
	dir, base, err := safe.Output(to)
	if err != nil {
		return nil, fault.Unwritten(to, err)
	}
	defer dir.Close()
	dir.Tidy(".")
	temp := file.TemporaryName()
	defer func() { _ = dir.Remove(temp) }() // it has another name, or is of no use
	out, err := dir.Create(temp, 0o644)
	if err != nil {
		return nil, fault.Unwritten(to, err)
	}
	defer out.Close()
	m := &maker{f: f, dir: dir, to: archive.NewWriter(out, archive.List{Made: f.cfg.Now().UTC(), Program: f.cfg.Version}), names: map[string]bool{}}
	m.to.Sign(key)
	if err := m.all(ctx, in); err != nil {
		return nil, err
	}
	if err := m.to.Close(); err != nil {
		return nil, fault.Unwritten(to, err)
	}
	st, err := out.Stat()
	if err == nil {
		err = file.Settled(out, int(st.Size()))
	}
	if err == nil {
		err = dir.Rename(temp, base)
	}
	if err == nil {
		err = dir.SyncDir(".")
	}
	if err != nil {
		return nil, fault.Unwritten(to, err)
	}
	return &Report{File: to, Signer: public(key), Made: f.cfg.Now().UTC(), Bytes: st.Size(), Items: m.items, verb: "bundled in"}, nil
}

// A maker puts parts into an archive.
type maker struct {
	f     *Feature
	dir   *safe.Root // of the archive
	to    *archive.Writer
	names map[string]bool
	items []Item
}

func (m *maker) all(ctx context.Context, in Input) error {
	for _, part := range []string{partDocs, partModules, partModels, partProgram} {
		m.to.Part(archive.Part{Name: part, Kind: kind})
	}
	for i, id := range in.Docs {
		work.Of(ctx).Progress("Bundling "+id, int64(i), int64(len(in.Docs)))
		if err := m.library(ctx, id); err != nil {
			return err
		}
	}
	for _, name := range in.Modules {
		if err := m.modules(ctx, name); err != nil {
			return err
		}
	}
	for _, dir := range in.Model {
		if err := m.model(ctx, dir); err != nil {
			return err
		}
	}
	if in.Program == "" {
		return nil
	}
	platform := in.Platform
	if platform == "" {
		platform = m.f.cfg.Platform
	}
	system, processor, ok := strings.Cut(platform, "/")
	if !ok || !plain(system) || !plain(processor) {
		return fault.New(fault.Usage, "%q is not a platform", platform).Or("write it like linux/amd64")
	}
	return m.file(ctx, path.Join(partProgram, system+"-"+processor, "assay"), m.f.path(in.Program), 0o755)
}

func plain(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// library puts an exported library into the archive, by way of a file beside it.
func (m *maker) library(ctx context.Context, id string) error {
	temp := file.TemporaryName()
	if err := m.dir.Mkdir(temp, 0o700); err != nil { // what SQLite puts beside the file goes with it
		return fault.Unwritten(m.dir.Name(), err)
	}
	name := path.Join(temp, file.TemporaryName())
	defer func() {
		for _, n := range store.Files(name) {
			_ = m.dir.Remove(n) // the folder is collected once it is old
		}
		_ = m.dir.RemoveDir(temp)
	}()
	if err := m.f.cfg.Export(ctx, id, filepath.Join(m.dir.Name(), filepath.FromSlash(name))); err != nil {
		return err
	}
	to := path.Join(partDocs, strings.ReplaceAll(strings.Trim(id, "/"), "/", "_")+".db")
	return m.add(ctx, to, id, func() (*os.File, error) { return m.dir.Open(name) }, 0o644)
}

// modules puts a module, or those below a folder, into the archive.
func (m *maker) modules(ctx context.Context, name string) error {
	at := m.f.path(name)
	st, err := os.Stat(at)
	if err != nil {
		return unread(name, err)
	}
	if !st.IsDir() {
		return m.file(ctx, path.Join(partModules, filepath.Base(at)), at, 0o644)
	}
	return m.folder(ctx, at, partModules, func(string) bool { return true })
}

// model puts the files of a model into the archive.
func (m *maker) model(ctx context.Context, dir string) error {
	at := m.f.path(dir)
	for _, name := range modelFiles {
		if st, err := os.Stat(filepath.Join(at, name)); err != nil || !st.Mode().IsRegular() {
			return fault.New(fault.NotFound, "%s is not the folder of a Model2Vec model: it has no %s", dir, name).Or("it needs %s", strings.Join(modelFiles, ", "))
		}
	}
	name := filepath.Base(at)
	return m.folder(ctx, at, path.Join(partModels, name), func(rel string) bool { return slices.Contains(modelFiles, rel) })
}

// folder puts the regular files below a folder into the archive; what is reached by a link is
// somebody else's.
func (m *maker) folder(ctx context.Context, at, to string, wanted func(rel string) bool) error {
	root, err := safe.OpenRoot(at)
	if err != nil {
		return unread(at, err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(rel string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return unread(at, err)
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case !e.Type().IsRegular() || file.IsTemporary(e.Name()) || !wanted(rel):
			return nil
		}
		return m.add(ctx, path.Join(to, rel), filepath.Join(at, filepath.FromSlash(rel)), func() (*os.File, error) { return root.Open(rel) }, 0o644)
	})
}

func (m *maker) file(ctx context.Context, to, from string, mode fs.FileMode) error {
	return m.add(ctx, to, from, func() (*os.File, error) { return safe.OpenNamed(from) }, mode)
}

func (m *maker) add(ctx context.Context, to, from string, open func() (*os.File, error), mode fs.FileMode) error {
	if m.names[to] {
		return fault.New(fault.Usage, "%s would be in the bundle twice", to).Or("name each once")
	}
	m.names[to] = true
	in, err := open()
	if err != nil {
		return unread(from, err)
	}
	defer in.Close()
	if st, err := in.Stat(); err != nil || !st.Mode().IsRegular() {
		return unread(from, errors.Join(err, safe.ErrNotFile))
	}
	x, err := m.to.Add(ctx, to, mode, in)
	if err != nil {
		return unread(from, err)
	}
	part, _, _ := strings.Cut(to, "/")
	m.items = append(m.items, Item{Part: part, Name: strings.TrimPrefix(to, part+"/"), Bytes: x.Size, From: from})
	return nil
}

func (f *Feature) path(name string) string { return file.From(f.cfg.WorkDir, name) }

func unread(path string, err error) error {
	switch {
	case fault.Said(err):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "no file %s", path)
	}
	return fault.New(fault.Unavailable, "read %s", path).Because(err).Or("it has to be a file that you can read")
}
