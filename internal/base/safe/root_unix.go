//go:build unix

package safe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Root is an open folder and the tree below it. All paths are slash-separated and relative to it. It is safe for
// concurrent use.
type Root struct {
	dir  *os.File
	name string
}

const nonblock = unix.O_NONBLOCK

// OpenRoot opens the folder at dir. The way to it is the caller's: links in it are
// followed.
func OpenRoot(dir string) (*Root, error) {
	fd, err := retry(func() (int, error) {
		return unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, fail("open", dir, err)
	}
	return &Root{dir: os.NewFile(uintptr(fd), dir), name: dir}, nil
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// openat opens rel below the folder at, through no link.
func (r *Root) openat(rel string, flags int, perm fs.FileMode) (int, error) {
	defer runtime.KeepAlive(r)
	fd, err := beneath(int(r.dir.Fd()), rel, flags|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, uint32(perm.Perm()))
	if err == unix.ELOOP || err == unix.EMLINK { // the BSDs have the latter
		return -1, ErrLink
	}
	return fd, err
}

// walk is beneath, folder by folder, where the kernel cannot do it in one call.
func walk(at int, rel string, flags int, perm uint32) (int, error) {
	dir, name := path.Split(rel)
	held := -1
	defer func() { closeFD(held) }()
	for dir != "" {
		var first string
		first, dir = cut(dir)
		fd, err := retry(func() (int, error) {
			return unix.Openat(at, first, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		})
		if err == unix.ENOTDIR && isLink(at, first) {
			err = unix.ELOOP
		}
		if err != nil {
			return -1, err
		}
		closeFD(held)
		held, at = fd, fd
	}
	fd, err := retry(func() (int, error) { return unix.Openat(at, name, flags, perm) })
	if err == unix.ENOTDIR && isLink(at, name) {
		err = unix.ELOOP
	}
	return fd, err
}

func closeFD(fd int) {
	if fd >= 0 {
		unix.Close(fd)
	}
}

func isLink(at int, name string) bool {
	var st unix.Stat_t
	return unix.Fstatat(at, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// cut takes the first folder off a path that ends with a slash.
func cut(dir string) (first, rest string) {
	for i := range len(dir) {
		if dir[i] == '/' {
			return dir[:i], dir[i+1:]
		}
	}
	return dir, ""
}

// parent opens the folder that holds rel. base is rel's last part.
func (r *Root) parent(op, rel string) (fd int, base string, err error) {
	rel, err = local(op, rel)
	if err != nil {
		return -1, "", err
	}
	dir, base := path.Split(rel)
	fd, err = r.openat(path.Clean("./"+dir), unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return -1, "", fail(op, r.join(rel), err)
	}
	return fd, base, nil
}

func (r *Root) open(rel string, flags int, perm fs.FileMode) (*os.File, error) {
	rel, err := local("open", rel)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*os.File, error) { return nil, fail("open", r.join(rel), err) }
	fd, err := retry(func() (int, error) { return r.openat(rel, flags, perm) })
	if err == unix.ENXIO { // a socket, or a pipe without a reader
		err = ErrNotFile
	}
	if err == unix.EISDIR {
		err = ErrNotFile
	}
	if err != nil {
		return fail(err)
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return fail(err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		unix.Close(fd)
		return fail(ErrNotFile)
	}
	// A write would change the file under all its names.
	if flags&(unix.O_WRONLY|unix.O_RDWR) != 0 && st.Nlink > 1 {
		unix.Close(fd)
		return fail(ErrLinked)
	}
	// A regular file never blocks; the flag would only have Go try to poll it.
	if err := unix.SetNonblock(fd, false); err != nil {
		unix.Close(fd)
		return fail(err)
	}
	return os.NewFile(uintptr(fd), r.join(rel)), nil
}

func (r *Root) openDir(rel string) (*os.File, error) {
	rel, err := local("open", rel)
	if err != nil {
		return nil, err
	}
	fd, err := r.openat(rel, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if errors.Is(err, unix.ENOTDIR) {
		err = ErrNotFolder
		if st, e := r.Lstat(rel); e == nil && st.Mode()&fs.ModeSymlink != 0 {
			err = ErrLink
		}
	}
	if err != nil {
		return nil, fail("open", r.join(rel), err)
	}
	return os.NewFile(uintptr(fd), r.join(rel)), nil
}

func (r *Root) openList(rel string) (*os.File, error) { return r.openDir(rel) }

// listed is List of an open folder.
func listed(d *os.File, wants func(name string, mode fs.FileMode) bool) ([]Listed, error) {
	found, err := names(d)
	out := found[:0]
	describe := describer(d)
	for _, l := range found {
		known := l.Mode != fs.ModeIrregular // otherwise the file system does not report the type
		if known && !wants(l.Name, l.Mode) {
			out = append(out, l)
			continue
		}
		if describe(&l) != nil {
			continue // it is gone
		}
		if !known && !wants(l.Name, l.Mode.Type()) {
			l = Listed{Name: l.Name, Mode: l.Mode.Type()}
		}
		out = append(out, l)
	}
	return out, err
}

// A describer describes the files of an open folder.
func describer(d *os.File) func(*Listed) error {
	fd := int(d.Fd())
	var st unix.Stat_t
	return func(l *Listed) error {
		for {
			err := unix.Fstatat(fd, l.Name, &st, unix.AT_SYMLINK_NOFOLLOW)
			if err == unix.EINTR {
				continue
			}
			l.Mode, l.Size, l.Mtime = modeOf(&st), st.Size, st.Mtim.Nano()
			return err
		}
	}
}

// Lstat describes rel; it does not follow a link.
func (r *Root) Lstat(rel string) (fs.FileInfo, error) {
	fd, base, err := r.parent("lstat", rel)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	if base == "" || base == "." {
		base = "."
	}
	var st unix.Stat_t
	for {
		if err = unix.Fstatat(fd, base, &st, unix.AT_SYMLINK_NOFOLLOW); err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return nil, fail("lstat", r.join(rel), err)
	}
	return info{base, st}, nil
}

// Mkdir makes a folder.
func (r *Root) Mkdir(rel string, perm fs.FileMode) error {
	return r.named("mkdir", rel, func(at int, base string) error { return unix.Mkdirat(at, base, uint32(perm.Perm())) })
}

func (r *Root) unlink(rel string) error {
	return r.named("remove", rel, func(at int, base string) error { return unix.Unlinkat(at, base, 0) })
}

// RemoveDir removes an empty folder.
func (r *Root) RemoveDir(rel string) error {
	return r.named("remove", rel, func(at int, base string) error { return unix.Unlinkat(at, base, unix.AT_REMOVEDIR) })
}

// SyncDir makes the names in a folder as durable as the files.
func (r *Root) SyncDir(rel string) error {
	d, err := r.openDir(rel)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Rename renames a file or a folder, and replaces the one that had the new name.
func (r *Root) Rename(from, to string) error {
	return r.both("rename", from, to, unix.Renameat)
}

// Link gives a file a second name, which must be free.
func (r *Root) Link(from, to string) error {
	return r.both("link", from, to, func(a int, from string, b int, to string) error { return unix.Linkat(a, from, b, to, 0) })
}

// LinkFrom gives a file of another folder a second name here, which must be free.
func (r *Root) LinkFrom(other *Root, from, to string) error {
	return other.named("link", from, func(a int, base string) error {
		b, last, err := r.parent("link", to)
		if err != nil {
			return err
		}
		defer unix.Close(b)
		return unix.Linkat(a, base, b, last, 0)
	})
}

// renameDir gives a folder a name that is free or that of an empty folder; fs.ErrExist
// says that something else has it.
func (r *Root) renameDir(from, to string) error {
	err := r.Rename(from, to)
	if errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.ENOTDIR) {
		return fail("rename", r.join(to), fs.ErrExist)
	}
	return err
}

// number tells the folder from every other one of its file system.
func (r *Root) number() (string, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(r.dir.Fd()), &st); err != nil {
		return "", fail("stat", r.name, err)
	}
	if int(st.Uid) != os.Geteuid() {
		return "", fail("stat", r.name, ErrForeign)
	}
	return fmt.Sprintf("inode %d of user %d", st.Ino, st.Uid), nil
}

func (r *Root) named(op, rel string, call func(at int, base string) error) error {
	fd, base, err := r.parent(op, rel)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	for {
		if err = call(fd, base); err != unix.EINTR {
			return fail(op, r.join(rel), err)
		}
	}
}

func (r *Root) both(op, from, to string, call func(a int, from string, b int, to string) error) error {
	return r.named(op, from, func(a int, base string) error {
		b, last, err := r.parent(op, to)
		if err != nil {
			return err
		}
		defer unix.Close(b)
		return call(a, base, b, last)
	})
}

// linked reports whether a file has more names than one.
func linked(st fs.FileInfo) bool {
	i, ok := st.(info)
	return ok && !i.IsDir() && i.st.Nlink > 1
}

// An info is the kernel's description of a file.
type info struct {
	name string
	st   unix.Stat_t
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.st.Size }
func (i info) IsDir() bool        { return i.Mode().IsDir() }
func (i info) Sys() any           { return &i.st }
func (i info) ModTime() time.Time { s, n := i.st.Mtim.Unix(); return time.Unix(s, n) }

func (i info) Mode() fs.FileMode { return modeOf(&i.st) }

func modeOf(st *unix.Stat_t) fs.FileMode {
	m := fs.FileMode(st.Mode & 0o777)
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	case unix.S_IFCHR:
		m |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		m |= fs.ModeDevice
	}
	return m
}

// SameOwner reports whether two files belong to one user, and the second is not writable for everybody. If the first is
// writable for everybody, the second may be too, because some file systems report that for all files.
func SameOwner(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, also := b.Sys().(*syscall.Stat_t)
	if !ok || !also || x.Uid != y.Uid {
		return false
	}
	return b.Mode()&0o002 == 0 || a.Mode()&0o002 != 0
}
