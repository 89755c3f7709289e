package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"
	"unicode/utf8"
	"unsafe"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/work"
)

// Places are where modules lie. A folder that does not exist has none.
type Places struct {
	WorkDir string // its folder modules is the project's; absolute
	Global  string // the user's folder; "" for none
	// Embedded are the modules in the program, by the names of their files without
	// the ending; Source returns the text of one, and of what they share.
	Embedded []string
	Source   func(name string) ([]byte, bool)
	Library  []string // folders that add and never shadow
}

// A Catalog is what Discover found.
type Catalog struct {
	Modules []Module // by source, then by name
	Skipped []error  // files that are no modules, each with why

	places Places
	query  string // that Skim was given
}

const (
	projectDir = "modules"
	ending     = ".lua"
	// mostBytes bounds a module: what is larger is no module but a mistake, or meant to fill the memory of whoever lists what there is.
	mostBytes = 4 << 20
)

// ErrNotFound says that no source has a module of a name.
var ErrNotFound = errors.New("module not found")

// Discover reads all modules of all sources. What it cannot read it skips.
func (p Places) Discover(ctx context.Context) (*Catalog, error) {
	return p.discover(ctx, "", func(int) *digester { return &digester{} })
}

// Skim is Discover for one question, the only one that Ask then answers: it keeps of each module no more than what it is found by, and
// where they are many, no more than how often the words of the question are in it. Those that are found are read again.
func (p Places) Skim(ctx context.Context, query string) (*Catalog, error) {
	q := newQuestion(query)
	return p.discover(ctx, query, func(n int) *digester {
		d := &digester{skim: true}
		if n > ftsMost || !HasFTS5 {
			d.ask, d.met = q, q.words()
		}
		return d
	})
}

// discover reads all modules, with digesters for so many at once.
func (p Places) discover(ctx context.Context, query string, digester func(n int) *digester) (*Catalog, error) {
	c := Catalog{places: p, query: query}
	for _, f := range p.folders() {
		c.folder(ctx, f, digester)
	}
	d := digester(len(p.Embedded))
	for _, name := range p.Embedded {
		if src, ok := p.Source(name); ok && !strings.HasPrefix(name, "_") {
			m := Module{Name: prefix + name, Source: BuiltIn, Path: name + ending}
			d.find(&m, d.digest(&m, string(src)))
			c.Modules = append(c.Modules, m)
		}
	}
	// A sort without a copy of its code for each type keeps the slim program small.
	sort.SliceStable(c.Modules, func(i, j int) bool {
		a, b := &c.Modules[i], &c.Modules[j]
		return cmp.Or(cmp.Compare(a.Source, b.Source), strings.Compare(a.Name, b.Name)) < 0
	})
	seen := make(map[string]bool, len(c.Modules))
	for i := range c.Modules {
		m := &c.Modules[i]
		m.Shadowed = seen[m.Name]
		seen[m.Name] = true
	}
	return &c, ctx.Err()
}

// Find returns the module that require(name) loads, with its text, or ErrNotFound.
func (p Places) Find(name string) (*Module, string, error) {
	stem := Stem(name)
	if stem == "" {
		return nil, "", fmt.Errorf("%w: %q", ErrNotFound, name)
	}
	order := [...]Source{Project, Global, BuiltIn, Library}
	if stem[0] == '_' {
		// What the built-in modules share is theirs: another's would be part of them all.
		order = [...]Source{BuiltIn, Project, Global, Library}
	}
	for _, source := range order {
		if src, ok := p.embedded(stem); ok && source == BuiltIn {
			return &Module{Name: prefix + stem, Source: BuiltIn, Path: stem + ending}, src, nil
		}
		for _, f := range p.folders() {
			if f.source != source {
				continue
			}
			src, err := f.read(stem + ending)
			if err == nil {
				return &Module{Name: prefix + stem, Source: source, Path: f.shown(stem + ending)}, src, nil
			}
			if !absent(err) {
				return nil, "", err
			}
		}
	}
	return nil, "", fmt.Errorf("%w: %s", ErrNotFound, name)
}

// Code returns the text of a module that Discover found.
func (p Places) Code(m *Module) (string, error) {
	stem := strings.TrimPrefix(m.Name, prefix)
	if src, ok := p.embedded(stem); ok && m.Source == BuiltIn {
		return src, nil
	}
	for _, f := range p.folders() {
		if f.source == m.Source && f.shown(stem+ending) == m.Path {
			return f.read(stem + ending)
		}
	}
	return "", fmt.Errorf("%w: %s in %s", ErrNotFound, m.Name, m.Path)
}

// absent reports whether there is no such file, or no such folder to look in.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func (p Places) embedded(stem string) (string, bool) {
	if p.Source == nil {
		return "", false
	}
	src, ok := p.Source(stem)
	return string(src), ok
}

func (f folder) read(name string) (string, error) {
	o, err := f.open()
	if err != nil {
		return "", err
	}
	defer o.close()
	var b buffer
	if err := o.read(name, &b); err != nil {
		return "", fmt.Errorf("read %s: %w", f.shown(name), file.Bare(err))
	}
	return string(b), nil
}

// A folder is one that holds modules.
type folder struct {
	dir    string
	source Source
	// within is the folder that links may not lead out of, and rel the path to dir in
	// it: a project may come from strangers. "" where links may lead anywhere.
	within, rel string
}

func (p Places) folders() (out []folder) {
	if p.WorkDir != "" {
		out = append(out, folder{filepath.Join(p.WorkDir, projectDir), Project, p.WorkDir, projectDir})
	}
	if p.Global != "" {
		out = append(out, folder{dir: p.Global, source: Global})
	}
	for _, dir := range p.Library {
		if dir != "" {
			out = append(out, folder{dir: dir, source: Library})
		}
	}
	return out
}

// shown is the path of a file of the folder as people read it.
func (f folder) shown(name string) string {
	if f.rel != "" {
		return "./" + f.rel + "/" + name
	}
	return filepath.Join(f.dir, name)
}

// An opened folder is one whose files can be read.
type opened struct {
	folder
	root *os.Root // nil where links may lead anywhere
}

func (f folder) open() (o opened, err error) {
	o.folder = f
	if f.within != "" {
		o.root, err = safe.Linked(f.within)
	}
	return o, err
}

func (o opened) close() {
	if o.root != nil {
		o.root.Close()
	}
}

func (o opened) stat(name string) (fs.FileInfo, error) {
	if o.root != nil {
		return o.root.Stat(filepath.Join(o.rel, name))
	}
	return os.Stat(filepath.Join(o.dir, name))
}

func (o opened) file(name string) (*os.File, error) {
	if o.root != nil {
		return safe.OpenIn(o.root, filepath.Join(o.rel, name))
	}
	if name == "." {
		return safe.OpenFolder(o.dir)
	}
	return safe.OpenNamed(filepath.Join(o.dir, name))
}

// read reads a file of the folder.
func (o opened) read(name string, b *buffer) error {
	info, err := o.stat(name)
	if err != nil {
		return err
	}
	// To open a pipe would wait for its writer.
	if !info.Mode().IsRegular() {
		return errors.New("not a file")
	}
	f, err := o.file(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return b.from(f)
}

// A buffer is memory to read files into, one after another.
type buffer []byte

// view returns the bytes as a string that is good until the buffer is filled again.
// A question reads megabytes of code to keep a tenth of them.
func (b *buffer) view() string { return unsafe.String(unsafe.SliceData(*b), len(*b)) }

// from reads a file.
func (b *buffer) from(f *os.File) error {
	*b = (*b)[:0]
	for {
		if cap(*b)-len(*b) < 512 {
			*b = slices.Grow(*b, max(32<<10, cap(*b)))
		}
		n, err := f.Read((*b)[len(*b):cap(*b)])
		*b = (*b)[:len(*b)+n]
		over := errors.Is(err, io.EOF)
		switch {
		case err != nil && !over:
			return err
		case len(*b) > mostBytes:
			return fmt.Errorf("larger than %d bytes", mostBytes)
		case over && !utf8.Valid(*b):
			return errors.New("not UTF-8")
		case over:
			return nil
		}
	}
}

// folder adds the modules of a folder, read several at a time.
func (c *Catalog) folder(ctx context.Context, f folder, digester func(n int) *digester) {
	o, err := f.open()
	defer o.close()
	var dir *os.File
	if err == nil {
		dir, err = o.file(".")
	}
	if err != nil {
		if !absent(err) {
			c.Skipped = append(c.Skipped, fmt.Errorf("read %s: %w", f.dir, file.Bare(err)))
		}
		return
	}
	defer dir.Close()
	files, err := dir.Readdirnames(-1)
	if err != nil {
		c.Skipped = append(c.Skipped, fmt.Errorf("read %s: %w", f.dir, file.Bare(err)))
	}
	slices.Sort(files)
	found := make([]Module, len(files))
	failed := make([]error, len(files))
	work.Each(ctx, len(files), 64, func() func(i int) {
		d := digester(len(files))
		return func(i int) { found[i], failed[i] = o.module(files[i], d) }
	})
	for i := range files {
		switch {
		case failed[i] != nil:
			c.Skipped = append(c.Skipped, failed[i])
		case found[i].Name != "":
			c.Modules = append(c.Modules, found[i])
		}
	}
}

// module reads the module that an entry of the folder is. An entry that is none has no name and is no error.
func (o opened) module(name string, d *digester) (m Module, err error) {
	stem, ok := strings.CutSuffix(name, ending)
	// What modules share, "_rest.lua", is no module.
	if !ok || stem == "" || stem[0] == '_' {
		return m, nil
	}
	info, err := os.Lstat(filepath.Join(o.dir, name))
	switch {
	case absent(err) || err == nil && info.IsDir():
		return m, nil
	case Stem(stem) != stem:
		err = fmt.Errorf("%q is not a valid module name: use letters, digits, _ and - only", stem)
	}
	m = Module{Name: prefix + stem, Source: o.source, Path: o.shown(name)}
	if err != nil {
		return Module{}, fmt.Errorf("read %s: %w", m.Path, file.Bare(err))
	}
	if err = o.read(name, &d.text); err != nil {
		return Module{}, fmt.Errorf("read %s: %w", m.Path, file.Bare(err))
	}
	d.find(&m, d.digest(&m, d.text.view()))
	return m, nil
}
