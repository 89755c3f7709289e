package setup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

const (
	maxFile    = 64 << 20 // bytes of a configuration
	maxBackups = 50       // copies that are read
	maxLinks   = 40       // links that are followed to a file
)

// A content is the content of a file when it was read.
type content struct {
	exists bool
	real   string // the path with links resolved
	text   []byte
	info   os.FileInfo
}

// A step is the change of one file.
type step struct {
	target
	old      content
	action   string
	text     []byte   // the new content
	keepCopy bool     // keep a copy of the old content
	backup   string   // the path of that copy
	obsolete []string // copies that are no longer needed
	diff     string
	note     string
}

// plan returns the change of a file without making it.
func (f *Feature) plan(t target, j job) (*step, error) {
	old, err := f.read(t, j.Project)
	if err != nil {
		return nil, err
	}
	s := &step{target: t, old: old, action: "unchanged", text: old.text}
	was, err := t.part.look(old.text)
	if err != nil {
		return nil, parseError(t, old.text, err)
	}
	switch {
	case j.Uninstall && was.state == ours:
		err = s.remove(was)
	case j.Uninstall:
		if was.state == foreign {
			s.note = fmt.Sprintf("%s: the entry %s was not written by assay and stays", t.path, j.Name)
			if t.lent {
				s.note = "" // setup never touched the file
			}
		}
	case was.state == foreign && !j.Force && t.lent:
		s.note = fmt.Sprintf("%s exists and was not written by assay, so it stays; --force replaces it and keeps a copy", t.path)
	case was.state == foreign && !j.Force:
		return nil, fault.New(fault.Usage, "%s: %s already exists and was not written by assay", position(t.path, old.text, was.at), j.Name).
			Try("setup", append(j.args(), fault.Arg{Name: "force", Value: true})...)
	default:
		err = s.install(j.command)
	}
	if err != nil {
		return nil, parseError(t, old.text, err)
	}
	return s, s.show()
}

// args returns the arguments of the same request.
func (in *Input) args() []fault.Arg {
	out := []fault.Arg{{Name: "client", Value: in.Client}}
	for name, on := range map[string]bool{"project": in.Project, "memory": in.Memory, "brief": in.Brief, "dry_run": in.DryRun} {
		if on {
			out = append(out, fault.Arg{Name: name, Value: true})
		}
	}
	for name, words := range map[string][]string{"tools": in.Tools, "root": in.Roots, "db": in.DBs} {
		if len(words) > 0 {
			out = append(out, fault.Arg{Name: name, Value: words})
		}
	}
	if in.Name != "" && in.Name != usualName {
		out = append(out, fault.Arg{Name: "name", Value: in.Name})
	}
	return out
}

func (s *step) install(command []string) error {
	base := s.old.text
	if len(bytes.TrimSpace(base)) == 0 {
		base = []byte(s.fresh)
	}
	text, err := s.part.put(base, command)
	if err != nil {
		return err
	}
	if is, err := s.part.look(text); err != nil || is.state != ours {
		return fault.New(fault.Internal, "%s: the new content cannot be parsed", s.path).Because(err)
	}
	switch {
	case !s.old.exists:
		s.action, s.text = "created", text
	case !bytes.Equal(text, s.old.text):
		s.action, s.text, s.keepCopy = "changed", text, true
	}
	return nil
}

// remove removes assay's part. If nothing else has changed since setup added it, it restores the former file.
func (s *step) remove(was found) error {
	copies := s.backups()
	origin := []byte(s.fresh)
	made := true // setup created the file
	for _, b := range copies {
		if b.state == ours {
			continue
		}
		made = false
		if makes(s.part, b.base(s.fresh), was.command, s.old.text) {
			s.action, s.text, origin = "restored", b.text, b.base(s.fresh)
			s.obsolete = append(s.obsolete, b.path)
			break
		}
	}
	for _, c := range copies {
		if c.state != ours || !made && s.action != "restored" {
			continue
		}
		if makes(s.part, origin, c.command, c.text) {
			s.obsolete = append(s.obsolete, c.path) // it only differs from another copy by assay's part
		}
	}
	if s.action == "restored" {
		return nil
	}
	s.action, s.keepCopy = "changed", true
	for state := ours; state == ours; {
		text, err := s.part.cut(s.text)
		if err != nil {
			return err
		}
		is, err := s.part.look(text)
		if err != nil || bytes.Equal(text, s.text) {
			return fault.New(fault.Internal, "%s: cannot remove assay's entry", s.path).Because(err).Or("remove it by hand")
		}
		s.text, state = text, is.state
	}
	if made && s.part.bare(s.text) {
		// Keep a copy if somebody has changed the file since.
		s.action, s.text, s.keepCopy = "removed", nil, !makes(s.part, []byte(s.fresh), was.command, s.old.text)
	}
	return nil
}

// A backup is a copy of a file from an earlier run.
type backup struct {
	found
	path string
	text []byte
}

// base returns the text that setup would start from with this file.
func (b backup) base(fresh string) []byte {
	if len(bytes.TrimSpace(b.text)) == 0 {
		return []byte(fresh)
	}
	return b.text
}

const (
	backupMark = ".assay-"
	backupEnd  = ".bak"
)

// backups returns the copies of a file that can be read, oldest first.
func (s *step) backups() []backup {
	dir, base := filepath.Split(s.path)
	entries, _ := safe.ReadDir(dir) // without the folder there are no copies
	var out []backup
	for _, e := range slices.Backward(entries) {
		isBackup := strings.HasPrefix(e.Name(), base+backupMark) && strings.HasSuffix(e.Name(), backupEnd) && e.Type().IsRegular()
		if !isBackup || len(out) == maxBackups {
			continue
		}
		b := backup{path: filepath.Join(dir, e.Name())}
		var err error
		if b.text, err = readAll(b.path); err != nil {
			continue
		}
		if b.found, err = s.part.look(b.text); err == nil {
			out = append(out, b)
		}
	}
	slices.Reverse(out)
	return out
}

// read returns a file and its path with links resolved. It refuses anything but a regular file, and a file of the project
// outside the project.
func (f *Feature) read(t target, project bool) (content, error) {
	c := content{real: t.path}
	for n := 0; ; n++ {
		info, err := os.Lstat(c.real)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return c, f.confine(t, c.real, project)
		case err != nil:
			return c, unreadable(t, err)
		case info.Mode()&os.ModeSymlink == 0:
			if err := f.confine(t, c.real, project); err != nil {
				return c, err
			}
			if !info.Mode().IsRegular() || info.Size() > maxFile {
				return c, fault.New(fault.Unavailable, "%s is not a regular file of at most %d MiB", t.path, maxFile>>20).Or("move it to another place")
			}
			c.exists, c.info = true, info
			if c.text, err = readAll(c.real); err != nil {
				return c, unreadable(t, err)
			}
			return c, nil
		case n == maxLinks:
			return c, unreadable(t, errors.New("too many links"))
		}
		to, err := os.Readlink(c.real)
		if err != nil {
			return c, unreadable(t, err)
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(c.real), to)
		}
		c.real = to
	}
}

func unreadable(t target, err error) error {
	return fault.New(fault.Unavailable, "cannot read %s", t.path).Because(err).Or("check the permissions of the file and its folder")
}

// readAll reads a file of bounded size.
func readAll(path string) ([]byte, error) {
	in, err := safe.OpenNamed(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return file.ReadUpTo(in, maxFile)
}

// confine returns an error for a file of the project that is outside the project, because a cloned repository may contain
// links.
func (f *Feature) confine(t target, real string, project bool) error {
	if !project {
		return nil
	}
	root, err := filepath.EvalSymlinks(f.cfg.WorkDir)
	if err != nil {
		return unreadable(t, err)
	}
	dir := filepath.Dir(real)
	at, err := filepath.EvalSymlinks(dir)
	for errors.Is(err, os.ErrNotExist) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		at, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return unreadable(t, err)
	}
	if rel, err := filepath.Rel(root, at); err != nil || rel != "." && !filepath.IsLocal(rel) {
		return fault.New(fault.Unavailable, "%s is a link out of the project, to %s", t.path, real).Or("replace the link by a file or folder of the project")
	}
	return nil
}

// parseError returns the error of a file that cannot be edited. It has the position but no text of the file, because that
// may be secret.
func parseError(t target, text []byte, err error) error {
	fl, ok := errors.AsType[*flaw](err)
	if !ok {
		return err
	}
	return fault.New(fault.Usage, "%s: %s", position(t.path, text, fl.at), fl.why).Or("fix the file; nothing was written")
}

// position returns a place in a file as file:line:column, in characters from 1.
func position(path string, text []byte, at int) string {
	before := text[:min(at, len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
	return fmt.Sprintf("%s:%d:%d", path, line, column)
}
