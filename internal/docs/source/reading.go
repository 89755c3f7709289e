package source

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// What is read of a project is bounded, since somebody else may have prepared it. What is past a bound is said.
const (
	maxLock      = 16 << 20 // bytes of a lock file in JSON; of a manifest maxManifest
	maxLockText  = 8 << 20  // of one that patterns are compared with, which takes longer
	maxManifests = 4 << 20  // bytes of all manifests together
	maxRead      = 64 << 20 // bytes of all files together
	maxMembers   = 100      // manifests of a kind
	maxNames     = 1 << 20  // names in folders that patterns are compared with
	maxPackages  = 5000
	maxUnread    = 100 // that are said
)

// An Unread is a manifest, or more than one, that was not read.
type Unread struct{ Path, Why string }

// A reading is how much of a project is read, and what is not.
type reading struct {
	ended     func() error // why nothing more is to be read
	bytes     int64
	manifests int64 // bytes
	names     int
	unread    []Unread
}

func newReading(ctx context.Context) *reading {
	return &reading{ended: ctx.Err, bytes: maxRead, manifests: maxManifests, names: maxNames}
}

func (p *project) omit(name, why string, args ...any) {
	p.omitAt(filepath.Join(p.dir, filepath.FromSlash(name)), fmt.Sprintf(why, args...))
}

func (p *project) omitAt(at, why string) {
	u := Unread{at, why}
	if len(p.unread) < maxUnread && !slices.Contains(p.unread, u) {
		p.unread = append(p.unread, u)
	}
}

// full reports whether no more packages are read of the project.
func (p *project) full() bool {
	if p.ended() != nil {
		return true
	}
	if len(p.out) < maxPackages {
		return false
	}
	p.omit("", "it asks for more than %d packages, and the others are not read", maxPackages)
	return true
}

// read returns the content of a lock file, small that of a manifest, about that of one of a package that is installed: nil
// where there is none.
func (p *project) read(name string) []byte {
	if path.Ext(name) == ".json" {
		return p.upTo(name, maxLock)
	}
	return p.upTo(name, maxLockText)
}

func (p *project) small(name string) []byte {
	data := p.about(name)
	n := int64(len(data))
	if n > p.manifests {
		p.omit(name, "the manifests of the project are larger than %d MiB together", maxManifests>>20)
		return nil
	}
	p.manifests -= n
	return data
}

func (p *project) about(name string) []byte { return p.upTo(name, maxManifest) }

func (p *project) upTo(name string, most int64) []byte {
	if p.ended() != nil {
		return nil
	}
	f, err := safe.OpenIn(p.root, name)
	if err != nil {
		return nil
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	var data []byte
	if st.Size() <= most && st.Size() <= p.bytes {
		data, err = io.ReadAll(io.LimitReader(f, most+1)) // it may grow meanwhile
	}
	p.bytes -= int64(len(data))
	switch n := max(st.Size(), int64(len(data))); {
	case n > most:
		p.omit(name, "it is larger than %d MiB", most>>20)
	case n > p.bytes+int64(len(data)):
		p.omit(name, "the files of the project are larger than %d MiB together", maxRead>>20)
	case err != nil:
		p.omit(name, "%v", err)
	default:
		return data
	}
	return nil
}

// members returns a manifest and those of the parts of a project, if it has them.
func (p *project) members(patterns ...string) []string { return p.capped(p.matching(patterns)) }

func (p *project) capped(files []string) []string {
	if n := len(files) - maxMembers; n > 0 {
		p.omit(files[maxMembers], "it and %d more are not read: of a kind of manifest only %d are", n-1, maxMembers)
		files = files[:maxMembers]
	}
	return files
}

// matching returns the files that patterns match, each once.
func (p *project) matching(patterns []string) (out []string) {
	m := matcher{root: p.root, left: &p.names, seen: map[string]bool{}}
	for _, pattern := range patterns {
		m.below(".", strings.Split(pattern, "/"))
	}
	if p.names < 0 {
		p.omit("", "its folders have more than %d names, and not every manifest was looked for", maxNames)
	}
	return m.found
}

// A matcher finds what patterns of package path match below a folder, but for what is in what was installed.
type matcher struct {
	root  *os.Root
	left  *int // how many more names it compares
	seen  map[string]bool
	found []string
}

func (m *matcher) below(at string, rest []string) {
	one, rest := rest[0], rest[1:]
	if !strings.ContainsAny(one, `*?[\`) {
		m.take(path.Join(at, one), rest)
		return
	}
	if *m.left < 0 {
		return
	}
	dir, err := safe.OpenIn(m.root, at)
	if err != nil {
		return
	}
	list, _ := dir.ReadDir(*m.left + 1) // what cannot be read is not there
	dir.Close()
	*m.left -= len(list)
	sorting.Stable(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range list {
		if ok, err := path.Match(one, e.Name()); err == nil && ok && (len(rest) == 0 || !e.Type().IsRegular()) {
			m.take(path.Join(at, e.Name()), rest)
		}
	}
}

func (m *matcher) take(at string, rest []string) {
	switch base := path.Base(at); {
	case base == "node_modules", base == ".git":
	case len(rest) > 0:
		m.below(at, rest)
	case !m.seen[at]:
		if _, err := m.root.Stat(filepath.FromSlash(at)); err == nil {
			m.seen[at] = true
			m.found = append(m.found, at)
		}
	}
}

// first returns what the pattern matches first, "" where that is nothing.
func (p place) first(left *int) string {
	root, err := safe.Linked(p.root)
	if err != nil {
		return ""
	}
	defer root.Close()
	m := matcher{root: root, left: left, seen: map[string]bool{}}
	m.below(".", strings.Split(p.pattern, "/"))
	if len(m.found) == 0 {
		return ""
	}
	return filepath.Join(p.root, filepath.FromSlash(m.found[0]))
}
