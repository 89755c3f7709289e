package discover

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// What a directory entry is.
const (
	kindUnknown uint8 = iota
	kindFile
	kindDir
	kindLink
	kindSpecial
)

func kindOf(m fs.FileMode) uint8 {
	switch {
	case m.IsRegular():
		return kindFile
	case m.IsDir():
		return kindDir
	case m&fs.ModeSymlink != 0:
		return kindLink
	}
	return kindSpecial
}

// An entry is a name in a lister's buffer.
type entry struct {
	at, len int
	kind    uint8
}

const (
	nIgnored = iota
	nSecret
	nSpecial
	nSymlink
	nUnreadable
)

var reasons = [...]Reason{nIgnored: byRule, nSecret: secret, nSpecial: special, nSymlink: symlink, nUnreadable: Unreadable}

// A scan is one worker's share of a walk, with the memory it uses again for each
// folder.
type scan struct {
	w       *walker
	list    *lister
	path    []byte // of the entry at hand, below the top of the git work tree
	keep    []entry
	names   []byte
	files   []File
	found   []job
	dirs    []Dir
	folders []job
	skipped [len(reasons)]int
	errs    []error

	ignored  map[ruleAt]int // entries that each rule ignores
	secrets  []string       // files that are left out for their names
	unheeded []string       // files of git's rules outside its work trees

	read, ruled []stamp // the folders that were read, the ignore files in them
	unsure      bool    // something has no stamp to go by
}

// A ruleAt is the place of a rule.
type ruleAt struct {
	file string
	line int
}

func newScan(w *walker) (*scan, error) {
	l, err := newLister(w.root)
	if err != nil {
		return nil, err
	}
	return &scan{w: w, list: l, ignored: map[ruleAt]int{}}, nil
}

func (s *scan) run() {
	defer s.list.end()
	for {
		j, ok := s.w.next()
		if !ok {
			return
		}
		s.found = s.found[:0]
		if err := s.folder(j); err != nil {
			s.fail(err)
		}
		s.w.done(s.found)
	}
}

// fail counts what could not be read. What is gone by now was never there.
func (s *scan) fail(err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	s.skipped[nUnreadable]++
	if len(s.errs) < maxErrors {
		s.errs = append(s.errs, err)
	}
}

func (s *scan) folder(j job) error {
	defer s.list.close()
	if err := s.list.read(j.path); err != nil {
		return fmt.Errorf("read %s: %w", s.show(j.path), file.Bare(err))
	}
	if s.w.stamps {
		st, ok := s.list.stamp()
		st.path, s.unsure = j.path, s.unsure || !ok
		s.read = append(s.read, st)
	}
	s.path = append(append(s.path[:0], s.w.prefix...), j.path...)
	if j.path != "" {
		s.path = append(s.path, '/')
	}
	r, repo, ok := s.rules(j)
	if !ok {
		s.skipped[nIgnored]++
		return nil
	}
	if s.w.folder != nil {
		s.folders = append(s.folders, job{path: j.path, rules: r})
	}
	j.repo = repo
	s.choose(j, r)
	s.stat(j)
	return nil
}

func (s *scan) show(path string) string {
	return filepath.Join(s.w.root, filepath.FromSlash(path))
}

// rules returns what governs the folder's entries, and whether it is in a work tree of
// git; not ok says that the folder is a Python environment and nobody's source.
func (s *scan) rules(j job) (r *rules, repo, ok bool) {
	var at [ruleFiles]int
	found := false
	r, repo = j.rules, j.repo
	for i, e := range s.list.entries {
		name := s.list.name(e)
		if len(name) < len(".git") || name[0] != '.' && name[0] != 'p' {
			continue
		}
		if k := ruleFile(name); k >= 0 {
			at[k], found = i+1, true
			continue
		}
		switch string(name) {
		case ".git":
			repo = true
			if j.path != "" {
				r = r.foreign()
			}
		case "pyvenv.cfg":
			if j.path != "" && e.kind == kindFile {
				return nil, repo, false
			}
		}
	}
	if !found || s.w.all {
		return r, repo, true
	}
	for k, i := range at {
		if i == 0 || s.list.entries[i-1].kind != kindFile {
			continue
		}
		if s.w.stamps {
			s.govern(j, s.list.entries[i-1])
		}
		if k == 0 && !repo {
			s.unheeded = append(s.unheeded, string(s.path)+ruleName(k))
			continue
		}
		text, err := s.list.text(s.list.entries[i-1])
		if err != nil {
			s.fail(fmt.Errorf("read %s: %w", s.show(j.path+"/"+ruleName(k)), file.Bare(err)))
			continue
		}
		r = r.with(text, len(s.path), string(s.path)+ruleName(k), k == 0)
	}
	return r, repo, true
}

// govern notes an ignore file as it is before it is read.
func (s *scan) govern(j job, e entry) {
	var f File
	kind, err := s.list.stat(e, &f)
	s.unsure = s.unsure || err != nil || kind != kindFile
	f.Name = path.Join(j.path, string(s.list.name(e)))
	s.ruled = append(s.ruled, stampOf(&f))
}

// choose sorts the entries into files to keep and folders to scan.
func (s *scan) choose(j job, r *rules) {
	s.keep = s.keep[:0]
	at := len(s.path)
	for _, e := range s.list.entries {
		name := s.list.name(e)
		switch e.kind {
		case kindLink:
			s.skipped[nSymlink]++
			continue
		case kindSpecial:
			s.skipped[nSpecial]++
			continue
		case kindDir:
			if skipDir(name) {
				if !ownDir(name) {
					s.skipped[nIgnored]++
				}
				continue
			}
		default:
			if string(name) == ".git" {
				continue
			}
		}
		s.path = append(s.path[:at], name...)
		if by, p := r.match(s.path, at, e.kind == kindDir); p != nil && !p.negated {
			s.skipped[nIgnored]++
			s.ignored[ruleAt{by.file, p.line}]++
			continue
		}
		if e.kind == kindDir {
			path := string(name)
			if j.path != "" {
				path = j.path + "/" + path
			}
			s.found = append(s.found, job{path, r, j.repo})
			continue
		}
		if secretName(s.path) {
			s.skipped[nSecret]++
			s.secrets = append(s.secrets, strings.TrimPrefix(j.path+"/"+string(name), "/"))
			continue
		}
		s.keep = append(s.keep, e)
	}
	s.path = s.path[:at]
}

// stat completes the files of a folder.
func (s *scan) stat(j job) {
	if len(s.keep) == 0 {
		return
	}
	l := s.list
	sorting.Stable(s.keep, func(a, b entry) int { return bytes.Compare(l.name(a), l.name(b)) })
	s.names, s.files = s.names[:0], s.files[:0]
	n := 0
	for _, e := range s.keep {
		var f File
		kind, err := l.stat(e, &f)
		switch {
		case err != nil:
			s.fail(fmt.Errorf("stat %s: %w", s.show(j.path+"/"+string(l.name(e))), file.Bare(err)))
			continue
		case kind != kindFile: // it was one a moment ago
			continue
		}
		s.files = append(s.files, f)
		s.names = append(s.names, l.name(e)...)
		s.keep[n] = e
		n++
	}
	if n == 0 {
		return
	}
	// One string holds the names of a folder: files are many and names are short.
	names := string(s.names)
	at := 0
	for i, e := range s.keep[:n] {
		s.files[i].Name = names[at : at+e.len]
		at += e.len
	}
	s.dirs = append(s.dirs, Dir{Path: j.path, Files: slices.Clone(s.files)})
}
