// Package bundle carries documentation, modules, an embedding model and the program itself to
// machines without a network, in one signed archive.
//
// A bundle is only read beyond its signature if that is of the given key, and nothing is written before every checksum has
// been compared. Its files are only written to the user's folders for them, and replace other files only on request. A
// bundle that was applied in part can be applied again.
package bundle

import (
	"cmp"
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

// Config connects the feature to the program.
type Config struct {
	WorkDir  string
	Version  string
	Platform string // of the program, such as linux/amd64
	Modules  string // the user's folder of modules
	Models   string // the folder that has a folder for each model
	Temp     string // a folder for temporary files
	Key      string // the public key of trusted bundles if a call names none; may be empty
	Now      func() time.Time
	// Export writes a library to a file. Import adds the libraries of a file to the user's and returns their names.
	Export func(ctx context.Context, id, to string) error
	Import func(ctx context.Context, from string) ([]string, error)
}

// A Feature makes bundles and applies them.
type Feature struct{ cfg Config }

func New(cfg Config) *Feature {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Feature{cfg: cfg}
}

// The parts of a bundle: folders of an archive. Their kind must not be one that a backup has.
const (
	partDocs    = "docs"
	partModules = "modules"
	partModels  = "models"
	partProgram = "program"

	kind = "bundle"
)

// modelFiles are the files that a Model2Vec folder must have.
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

// Bundle writes a bundle.
func (f *Feature) Bundle(ctx context.Context, in Input) (*Report, error) {
	if len(in.Docs)+len(in.Modules)+len(in.Model) == 0 && in.Program == "" {
		return nil, fault.New(fault.Usage, "nothing to bundle").
			Or("name libraries with --docs, modules with --modules, a model with --model, the program with --program")
	}
	key, err := f.readPrivate(in.Key)
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
	defer func() { _ = dir.Remove(temp) }() // fails after the rename below
	out, err := dir.Create(temp, 0o644)
	if err != nil {
		return nil, fault.Unwritten(to, err)
	}
	defer out.Close()
	m := &maker{f: f, dir: dir, to: archive.NewWriter(out, archive.List{Made: f.cfg.Now().UTC(), Program: f.cfg.Version}), names: map[string]bool{}}
	m.to.Sign(key)
	if err := m.addAll(ctx, in); err != nil {
		return nil, err
	}
	size, err := m.to.Settle(out)
	if err == nil {
		err = dir.Rename(temp, base)
	}
	if err == nil {
		err = dir.SyncDir(".")
	}
	if err != nil {
		return nil, fault.Unwritten(to, err)
	}
	return &Report{File: to, Signer: publicText(key), Made: f.cfg.Now().UTC(), Bytes: size, Items: m.items, verb: "bundled in"}, nil
}

// A maker adds parts to an archive.
type maker struct {
	f     *Feature
	dir   *safe.Root // of the archive
	to    *archive.Writer
	names map[string]bool
	items []Item
}

func (m *maker) addAll(ctx context.Context, in Input) error {
	for _, part := range []string{partDocs, partModules, partModels, partProgram} {
		m.to.AddPart(archive.Part{Name: part, Kind: kind})
	}
	for i, id := range in.Docs {
		work.FromContext(ctx).Progress("Bundling "+id, int64(i), int64(len(in.Docs)))
		if err := m.addLibrary(ctx, id); err != nil {
			return err
		}
	}
	for _, name := range in.Modules {
		if err := m.addModules(ctx, name); err != nil {
			return err
		}
	}
	for _, dir := range in.Model {
		if err := m.addModel(ctx, dir); err != nil {
			return err
		}
	}
	if in.Program == "" {
		return nil
	}
	platform := cmp.Or(in.Platform, m.f.cfg.Platform)
	system, processor, ok := strings.Cut(platform, "/")
	if !ok || !isLowerAlphanumeric(system) || !isLowerAlphanumeric(processor) {
		return fault.New(fault.Usage, "unknown platform %q", platform).Or("use SYSTEM/PROCESSOR, for example linux/amd64")
	}
	return m.addFile(ctx, path.Join(partProgram, system+"-"+processor, "assay"), m.f.path(in.Program), 0o755)
}

func isLowerAlphanumeric(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// addLibrary exports a library to a temporary file and adds that to the archive.
func (m *maker) addLibrary(ctx context.Context, id string) error {
	temp := file.TemporaryName()
	if err := m.dir.Mkdir(temp, 0o700); err != nil { // a folder, because SQLite creates files beside the database
		return fault.Unwritten(m.dir.Name(), err)
	}
	name := path.Join(temp, file.TemporaryName())
	defer func() {
		for _, n := range store.Files(name) {
			_ = m.dir.Remove(n) // files that remain are collected with the folder later
		}
		_ = m.dir.RemoveDir(temp)
	}()
	if err := m.f.cfg.Export(ctx, id, filepath.Join(m.dir.Name(), filepath.FromSlash(name))); err != nil {
		return err
	}
	to := path.Join(partDocs, strings.ReplaceAll(strings.Trim(id, "/"), "/", "_")+".db")
	return m.add(ctx, to, id, func() (*os.File, error) { return m.dir.Open(name) }, 0o644)
}

// addModules adds a module, or the modules below a folder.
func (m *maker) addModules(ctx context.Context, name string) error {
	at := m.f.path(name)
	st, err := os.Stat(at)
	if err != nil {
		return readError(name, err)
	}
	if !st.IsDir() {
		return m.addFile(ctx, path.Join(partModules, filepath.Base(at)), at, 0o644)
	}
	return m.addFolder(ctx, at, partModules, func(string) bool { return true })
}

// addModel adds the files of a model.
func (m *maker) addModel(ctx context.Context, dir string) error {
	at := m.f.path(dir)
	for _, name := range modelFiles {
		if st, err := os.Stat(filepath.Join(at, name)); err != nil || !st.Mode().IsRegular() {
			return fault.New(fault.NotFound, "%s is not the folder of a Model2Vec model: %s is missing", dir, name).Or("the folder must contain %s", strings.Join(modelFiles, ", "))
		}
	}
	name := filepath.Base(at)
	return m.addFolder(ctx, at, path.Join(partModels, name), func(rel string) bool { return slices.Contains(modelFiles, rel) })
}

// addFolder adds the regular files below a folder. Links are not followed, because their targets may belong to others.
func (m *maker) addFolder(ctx context.Context, at, to string, wanted func(rel string) bool) error {
	root, err := safe.OpenRoot(at)
	if err != nil {
		return readError(at, err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(rel string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return readError(at, err)
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case !e.Type().IsRegular() || file.IsTemporary(e.Name()) || !wanted(rel):
			return nil
		}
		return m.add(ctx, path.Join(to, rel), filepath.Join(at, filepath.FromSlash(rel)), func() (*os.File, error) { return root.Open(rel) }, 0o644)
	})
}

func (m *maker) addFile(ctx context.Context, to, from string, mode fs.FileMode) error {
	return m.add(ctx, to, from, func() (*os.File, error) { return safe.OpenNamed(from) }, mode)
}

func (m *maker) add(ctx context.Context, to, from string, open func() (*os.File, error), mode fs.FileMode) error {
	if m.names[to] {
		return fault.New(fault.Usage, "%s is named twice", to).Or("name each file once")
	}
	m.names[to] = true
	in, err := open()
	if err != nil {
		return readError(from, err)
	}
	defer in.Close()
	if st, err := in.Stat(); err != nil || !st.Mode().IsRegular() {
		return readError(from, errors.Join(err, safe.ErrNotFile))
	}
	x, err := m.to.Add(ctx, to, mode, in)
	if err != nil {
		return readError(from, err)
	}
	part, _, _ := strings.Cut(to, "/")
	m.items = append(m.items, Item{Part: part, Name: strings.TrimPrefix(to, part+"/"), Bytes: x.Size, From: from})
	return nil
}

func (f *Feature) path(name string) string { return file.From(f.cfg.WorkDir, name) }

func readError(path string, err error) error {
	switch {
	case fault.Said(err):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "file %s not found", path)
	}
	return fault.New(fault.Unavailable, "cannot read %s", path).Because(err).Or("check the permissions of the file")
}
