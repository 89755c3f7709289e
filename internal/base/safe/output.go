package safe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A path that a user names to be written may be one that a repository has prepared: report.xml
// may be a link to a file of the user's. So neither the path nor a folder on the way to it may be
// a link, which has the reason that the user did not say where the link leads and can name that.
// Only links in the root folder of a file system are followed: just its administrator makes them.

// A LinkError says which link an output would be written through. It is ErrLink.
type LinkError struct {
	Link string // absolute
	To   string // where it leads, as far as that can be said
}

func (e *LinkError) Error() string { return fmt.Sprintf("%s is a symbolic link to %s", e.Link, e.To) }

// Is reports that it is ErrLink.
func (e *LinkError) Is(target error) bool { return target == ErrLink }

// A KindError says that something else is in the place of a file or a folder. It is ErrNotFile or ErrNotFolder.
type KindError struct {
	Name string
	Mode fs.FileMode
	as   error
}

func (e *KindError) Error() string {
	if e.as == ErrNotFolder {
		return fmt.Sprintf("%s is %s, not a folder", e.Name, kind(e.Mode))
	}
	return fmt.Sprintf("%s is %s, not a file", e.Name, kind(e.Mode))
}

// Is reports that it is ErrNotFile, or ErrNotFolder.
func (e *KindError) Is(target error) bool { return target == e.as }

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m.IsRegular():
		return "a file"
	}
	return "a special file"
}

// resolveOutput returns the absolute path of an output, and its FileInfo or nil if it does not exist. A link on the way is a
// *LinkError.
func resolveOutput(name string) (path string, st fs.FileInfo, err error) {
	if path, err = filepath.Abs(name); err != nil {
		return "", nil, err
	}
	// The working directory may itself be behind a link: the user went there.
	if wd, err := os.Getwd(); err == nil {
		real, err := filepath.EvalSymlinks(wd)
		if rel, e := filepath.Rel(wd, path); err == nil && e == nil && filepath.IsLocal(rel) {
			path = filepath.Join(real, rel)
		}
	}
	separator := string(filepath.Separator)
	root := filepath.VolumeName(path) + separator
	parts := strings.Split(strings.Trim(path[len(filepath.VolumeName(path)):], separator), separator)
	at := root
	for i, part := range parts {
		last := i == len(parts)-1
		at = filepath.Join(at, part)
		st, err = os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, nil, nil
		case err != nil:
			return "", nil, err
		case st.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 && (i > 0 || last):
			return "", nil, &LinkError{at, linkTarget(at)}
		case st.Mode()&fs.ModeSymlink != 0: // of the root folder
		case !last && !st.IsDir():
			return "", nil, &KindError{at, st.Mode(), ErrNotFolder}
		}
	}
	return path, st, nil
}

// linkTarget returns the target of a link, even if it does not exist.
func linkTarget(link string) string {
	if to, err := filepath.EvalSymlinks(link); err == nil {
		return to
	}
	to, err := os.Readlink(link)
	if err != nil {
		return "an unknown target"
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(link), to)
	}
	return filepath.Clean(to)
}

// CheckOutput returns nil where a file may be written that a user named: there is none or a
// regular one, and no link on the way.
func CheckOutput(name string) error {
	_, err := output(name)
	return err
}

// CheckReport is CheckOutput for an output of Deliver.
func CheckReport(name string) error {
	if isStream(name) {
		return nil
	}
	return CheckOutput(name)
}

func output(name string) (path string, err error) {
	path, st, err := resolveOutput(name)
	if err == nil && st != nil && !st.Mode().IsRegular() {
		err = &KindError{path, st.Mode(), ErrNotFile}
	}
	return path, err
}

// CheckOutputFolder is CheckOutput for a folder that is to be written to.
func CheckOutputFolder(name string) error {
	path, st, err := resolveOutput(name)
	if err == nil && st != nil && !st.IsDir() {
		err = &KindError{path, st.Mode(), ErrNotFolder}
	}
	return err
}

// Output opens the folder of a file that a user named to be written, and returns the name that
// the file has in it: see CheckOutput. The folder must exist.
func Output(name string) (dir *Root, base string, err error) {
	path, err := output(name)
	if err != nil {
		return nil, "", err
	}
	dir, err = OpenRoot(filepath.Dir(path))
	return dir, filepath.Base(path), err
}

// OutputFolder opens a folder that a user named to be written to, and makes it where there is
// none: see CheckOutputFolder.
func OutputFolder(name string, perm fs.FileMode) (*Root, error) {
	if err := CheckOutputFolder(name); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(name, perm); err != nil {
		return nil, err
	}
	return OpenRoot(name)
}

// Deliver writes data to a path that the user named: atomically like Root.Write, or into a stream such as /dev/stdout, which
// must not be replaced.
func Deliver(name string, data []byte, perm fs.FileMode) error {
	if isStream(name) {
		f, err := openStream(name)
		if err != nil {
			return fail("open", name, err)
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	dir, base, err := Output(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Write(base, data, perm)
}
