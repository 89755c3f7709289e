package source

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
)

// What an archive may unpack to.
const (
	// MaxDepth is how many folders may be around a file for it to be read.
	MaxDepth    = 100
	maxFiles    = 200_000
	maxFileSize = 64 << 20 // larger ones are omitted
	maxUnpacked = 4 << 30
	maxPacked   = 1 << 30 // of what is downloaded
	// Of the list of a zip file: for paths of 200 bytes each.
	maxDirectory = maxFiles * 256
)

func archived(name string) bool {
	for _, ext := range []string{".zip", ".epub", ".jar", ".tar.gz", ".tgz", ".tar"} { // a book is a zip of pages
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

func (t *Tree) openArchive(ctx context.Context, o Options) error {
	dir, err := t.scratch(o)
	if err != nil {
		return err
	}
	file := t.Address
	name := path.Base(filepath.ToSlash(file))
	if strings.Contains(file, "://") {
		o.Progress("Fetching "+t.Address, 0, 0)
		file = filepath.Join(dir, "archive")
		if err := newFetcher(t.Address).download(ctx, t.Address, file); err != nil {
			return err
		}
	}
	for _, ext := range []string{".zip", ".epub", ".jar", ".gz", ".tgz", ".tar"} {
		name = strings.TrimSuffix(name, ext)
	}
	t.ID = "/local/" + slug(name)
	o.Progress("Unpacking", 0, 0)
	return t.unpack(ctx, o, file, filepath.Join(dir, "tree"))
}

// unpack puts an archive into dir and makes the tree of it: of the only folder at
// its top, where there is just one. What holds too much is refused by its headers,
// before anything of it is written.
func (t *Tree) unpack(ctx context.Context, o Options, file, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fault.New(fault.Unavailable, "unpack").Because(err)
	}
	root, err := safe.Linked(dir)
	if err != nil {
		return fault.New(fault.Unavailable, "unpack").Because(err)
	}
	list := &listed{}
	err = (&unpacker{ctx: ctx, entry: list.add}).open(file)
	if err == nil && o.Refuse != nil {
		err = o.Refuse(list.below())
	}
	u := &unpacker{ctx: ctx, root: root}
	u.entry = u.write
	if err == nil {
		err = u.open(file)
	}
	if err != nil {
		root.Close()
		if ctx.Err() != nil {
			return fault.New(fault.Interrupted, "stopped while %s was unpacked", t.Address)
		}
		if _, known := errors.AsType[*fault.Error](err); known {
			return err
		}
		return fault.New(fault.Usage, "%s cannot be unpacked", t.Address).Because(err).Or("it must be a complete .zip, .tar or .tar.gz")
	}
	if u.left > 0 {
		t.Notes = append(t.Notes, text.Count(u.left, "entry", "entries")+" of the archive omitted: links, devices, paths out of it or too deep")
	}
	if u.big > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s of the archive omitted: over %d MB", text.Count(u.big, "file", "files"), maxFileSize>>20))
	}
	root.Close()
	top, err := safe.ReadDir(dir)
	if err != nil {
		return fault.New(fault.Unavailable, "unpack").Because(err)
	}
	if len(top) == 1 && top[0].IsDir() {
		dir = pagesOf(filepath.Join(dir, top[0].Name()))
	}
	if err := t.rootAt(dir); err != nil {
		return err
	}
	t.describe(ctx)
	return nil
}

// A listed is what the headers of an archive say.
type listed struct {
	names []string
	bytes int64
}

func (l *listed) add(name string, size int64, _ func() (io.ReadCloser, error)) error {
	l.names = append(l.names, name)
	if l.bytes += size; l.bytes > maxUnpacked {
		return fmt.Errorf("it unpacks to more than %d GB", maxUnpacked>>30)
	}
	return nil
}

// below returns the files below the only folder at the top, where there is just one.
func (l *listed) below() []string {
	if len(l.names) == 0 {
		return nil
	}
	top, _, _ := strings.Cut(l.names[0], "/")
	if slices.ContainsFunc(l.names, func(name string) bool { return !strings.HasPrefix(name, top+"/") }) {
		return l.names
	}
	for i := range l.names {
		l.names[i] = l.names[i][len(top)+1:]
	}
	return l.names
}

// An unpacker hands the regular files of an archive on, or writes them below a root.
type unpacker struct {
	ctx   context.Context
	entry func(name string, size int64, open func() (io.ReadCloser, error)) error
	root  *os.Root
	files int
	bytes int64
	left  int
	big   int
}

// open reads an archive of any of the kinds, by what it begins with.
func (u *unpacker) open(file string) error {
	f, err := safe.OpenNamed(file)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	r := bufio.NewReaderSize(f, 64<<10)
	head, err := r.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch {
	case strings.HasPrefix(string(head), "PK\x03\x04"), strings.HasPrefix(string(head), "PK\x05\x06"):
		return u.zip(f, st.Size())
	case strings.HasPrefix(string(head), "\x1f\x8b"):
		z, err := gzip.NewReader(r)
		if err != nil {
			return err
		}
		return u.tar(z)
	}
	return u.tar(r)
}

func (u *unpacker) zip(f *os.File, size int64) error {
	in := &directory{r: f, left: maxDirectory}
	z, err := zip.NewReader(in, size)
	if err != nil {
		return err
	}
	in.read = true
	if len(z.File) > maxFiles {
		return fmt.Errorf("it holds more than %d files", maxFiles)
	}
	for _, e := range z.File {
		if strings.HasSuffix(e.Name, "/") {
			continue
		}
		if !e.Mode().IsRegular() {
			u.left++
			continue
		}
		if err := u.regular(e.Name, int64(min(e.UncompressedSize64, maxUnpacked)), e.Open); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) tar(r io.Reader) error {
	// What is skipped has to be unpacked too, and counts.
	t := tar.NewReader(&counter{r: r, left: maxUnpacked + maxUnpacked/2})
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch h.Typeflag {
		case tar.TypeReg:
			if err := u.regular(h.Name, h.Size, func() (io.ReadCloser, error) { return io.NopCloser(t), nil }); err != nil {
				return err
			}
		case tar.TypeDir, tar.TypeXGlobalHeader:
		default:
			u.left++
		}
	}
}

// A directory reads what a zip file says of its files, so much and no more, before it
// reads the files: each of its entries takes several times its size in memory.
type directory struct {
	r    io.ReaderAt
	left int64
	read bool
}

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if d.read {
		return d.r.ReadAt(p, at)
	}
	if d.left -= int64(len(p)); d.left < 0 {
		return 0, errors.New("its list of files is too long")
	}
	return d.r.ReadAt(p, at)
}

// regular hands on a file that is wanted.
func (u *unpacker) regular(name string, size int64, open func() (io.ReadCloser, error)) error {
	if err := u.ctx.Err(); err != nil {
		return err
	}
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if !filepath.IsLocal(filepath.FromSlash(name)) || name == "." || strings.Count(name, "/") > MaxDepth {
		u.left++
		return nil
	}
	if size > maxFileSize {
		u.big++
		return nil
	}
	if u.files++; u.files > maxFiles {
		return fmt.Errorf("it holds more than %d files", maxFiles)
	}
	return u.entry(name, size, open)
}

// write writes one file.
func (u *unpacker) write(name string, _ int64, open func() (io.ReadCloser, error)) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	if err := u.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return u.odd(err)
	}
	out, err := u.root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return u.odd(err)
	}
	defer out.Close()
	n, err := io.Copy(out, io.LimitReader(in, maxFileSize+1))
	if u.bytes += n; u.bytes > maxUnpacked {
		return fmt.Errorf("it unpacks to more than %d GB", maxUnpacked>>30)
	}
	if err != nil {
		return err
	}
	return out.Close()
}

// odd lets an entry go whose name no file of this system can have, or that another
// entry stands in the way of; a full disk is an error.
func (u *unpacker) odd(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.ENOSPC) {
		u.left++
		return nil
	}
	return err
}

// A counter reads so much and no more.
type counter struct {
	r    io.Reader
	left int64
}

func (c *counter) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("it unpacks to more than %d GB", maxUnpacked>>30)
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// download writes what an address answers to a file.
func (f *fetcher) download(ctx context.Context, address, file string) error {
	// An archive may be large: the time of the whole source bounds it.
	body, _, err := f.getWithin(ctx, 0, address, "*/*")
	if err != nil {
		return err
	}
	defer body.Close()
	out, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return fault.New(fault.Unavailable, "write what is fetched").Because(err)
	}
	defer out.Close()
	n, err := io.Copy(out, io.LimitReader(body, maxPacked+1))
	switch {
	case err != nil:
		return fault.New(fault.Unavailable, "fetch %s", address).Because(err).Or("check the network and try again")
	case n > maxPacked:
		return fault.New(fault.Unavailable, "%s is larger than %d GB", address, maxPacked>>30).Or("fetch it yourself and give the folder")
	}
	if err := out.Close(); err != nil {
		return fault.New(fault.Unavailable, "write what is fetched").Because(err)
	}
	return nil
}
