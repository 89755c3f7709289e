package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-dev/assay/internal/lang/syntax"
)

const (
	maxFile    = 600_000           // bytes of one file
	maxBook    = 80_000_000        // bytes of one dictionary
	maxPackage = 110_000_000       // bytes kept of one package
	maxProse   = 25_000_000        // of them in documents
	maxArchive = 40_000_000        // bytes of an archive; of a larger one, a share of the folders is kept
	maxInner   = 3                 // archives in archives
	maxWhole   = 1_000_000_000_000 // bytes of an archive inside another
)

// An unpacker writes the source and documentation files of a package's archives
// below dest. Nothing is written outside it.
type unpacker struct {
	dest, tmp string
	share     float64 // of the folders, 0 for all
	depth     int
	prefix    string // of the archive inside which this one was found

	files    int
	bytes    int64
	prose    int64 // of bytes, in documents
	licences map[string]bool
}

var errFull = errors.New("enough of this package")

// archive unpacks one archive by its name.
func (u *unpacker) archive(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	share := u.share
	defer func() { u.share = share }()
	if n := info.Size(); n > maxArchive && u.share == 0 {
		u.share = float64(maxArchive) / float64(n)
	}
	err = u.open(name)
	if errors.Is(err, errFull) {
		return nil
	}
	return err
}

func (u *unpacker) open(name string) error {
	switch {
	case strings.HasSuffix(name, ".deb"):
		return u.piped("dpkg-deb", "--fsys-tarfile", name)
	case strings.HasSuffix(name, ".xz"):
		return u.piped("xz", "-dc", name)
	case strings.HasSuffix(name, ".lz"):
		return u.piped("lzip", "-dc", name)
	case strings.HasSuffix(name, ".txt"): // not packed at all
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return u.write("usr/share/dictd/"+filepath.Base(name), text)
	case strings.HasSuffix(name, ".zip"), strings.HasSuffix(name, ".jar"):
		return u.zip(name)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	switch path.Ext(name) {
	case ".gz", ".tgz", ".crate":
		if r, err = gzip.NewReader(f); err != nil {
			return err
		}
	case ".bz2":
		r = bzip2.NewReader(f)
	case ".zst":
		z, err := zstd.NewReader(f)
		if err != nil {
			return err
		}
		defer z.Close()
		r = z
	}
	return u.tar(r)
}

// piped unpacks the tar archive that a program prints.
func (u *unpacker) piped(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = u.tar(out)
	if err == nil {
		_, err = io.Copy(io.Discard, out) // a program that is cut short complains
	} else if kerr := cmd.Process.Kill(); kerr != nil {
		return kerr
	}
	if werr := cmd.Wait(); err == nil {
		err = werr
	}
	return err
}

func (u *unpacker) tar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := u.file(h.Name, h.Size, t); err != nil {
			return err
		}
	}
}

func (u *unpacker) zip(name string) error {
	z, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer func() { _ = z.Close() }()
	for _, f := range z.File {
		if f.FileInfo().IsDir() || !u.wanted(f.Name) {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		err = u.file(f.Name, int64(f.UncompressedSize64), r)
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// wanted reports whether a file may be kept, by its name in the archive.
func (u *unpacker) wanted(name string) bool {
	name = path.Clean("/" + name)[1:]
	if isArchive(name) {
		return u.depth < maxInner && !excludedPath(name)
	}
	return keepName(name) && u.sampled(path.Dir(name))
}

// sampled reports whether a folder is among the share that is kept.
func (u *unpacker) sampled(folder string) bool {
	if u.share == 0 || book(folder) {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(folder))
	return float64(h.Sum32()) < u.share*(1<<32)
}

// file keeps one file of an archive, or unpacks it in its turn.
func (u *unpacker) file(name string, size int64, r io.Reader) error {
	name = path.Clean("/" + name)[1:]
	if !u.wanted(name) {
		return nil
	}
	if isArchive(name) {
		return u.inner(name, r)
	}
	limit := int64(maxFile)
	if book(name) {
		limit = maxBook
	}
	if size > limit {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return err
	}
	if ext := path.Ext(name); ext == ".gz" || ext == ".dz" {
		if text = gunzip(text, limit); text == nil {
			return nil
		}
		name = strings.TrimSuffix(name, ext)
	}
	u.learn(name, text)
	if int64(len(text)) > limit || !keepText(name, text) {
		return nil
	}
	return u.write(path.Join(u.prefix, name), text)
}

func gunzip(text []byte, limit int64) []byte {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	out, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err != nil {
		return nil
	}
	return out
}

func (u *unpacker) write(name string, text []byte) error {
	if u.bytes+int64(len(text)) > maxPackage {
		return errFull
	}
	if syntax.Prose(syntax.Language(name, nil)) && !book(name) {
		if u.prose+int64(len(text)) > maxProse {
			return nil
		}
		u.prose += int64(len(text))
	}
	dest := filepath.Join(u.dest, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(dest), 0o755); err != nil {
		return nil //nolint:nilerr // a file lies where a folder should: the first one stays
	}
	if err := os.WriteFile(dest, text, 0o644); err != nil {
		return nil //nolint:nilerr // the same the other way round, or a name too long
	}
	u.files++
	u.bytes += int64(len(text))
	return nil
}

// inner unpacks an archive that lies in another one. One that cannot be read is
// left out.
func (u *unpacker) inner(name string, r io.Reader) error {
	f, err := os.CreateTemp(u.tmp, "*-"+path.Base(name))
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = io.Copy(f, io.LimitReader(r, maxWhole))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("unpack %s: %w", name, err)
	}
	prefix := u.prefix
	u.prefix = path.Join(prefix, path.Dir(name))
	u.depth++
	err = u.archive(f.Name())
	u.depth--
	u.prefix = prefix
	if errors.Is(err, errFull) {
		return err
	}
	return nil
}

// isArchive reports whether a file is an archive of sources.
func isArchive(name string) bool {
	base := path.Base(name)
	for _, suffix := range []string{".tar.gz", ".tar.xz", ".tar.bz2", ".tgz", ".crate", "src.zip", "-sources.jar"} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return false
}
