package engine

import (
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
)

// racy is how close to the moment a folder was looked at a file may have been
// written for its size and times to say nothing: file systems' clocks tick slowly.
const racy = int64(2e9)

// A change is a file that is not as the index saw it.
type change struct {
	file    *discover.File // of the tree
	old     *index.Entry   // what the index has of it; its Name is empty where that is nothing
	dir     int32          // in plan.dirs
	suspect bool           // it looks the same, but was written too close to the look
}

// unknown is what the index has of a file that it does not know.
var unknown = &index.Entry{}

// A dirPlan is a folder with changes.
type dirPlan struct {
	path string
	tree discover.Dir // what is there; no files where the folder is gone
	old  index.Dir
	done map[string]index.Entry // what became of the changes so far; nil where that is nothing or all
	racy bool                   // some change is only a suspicion
	left int                    // changes not done yet
}

// has reports whether the change of a file was done.
func (w *dirPlan) has(name string) bool {
	if w.left == 0 {
		return true
	}
	_, ok := w.done[name]
	return ok
}

// A plan is how the tree differs from the index.
type plan struct {
	at         int64 // when the tree was looked at, in ns
	unreadable int   // files that could not be read when the tree was looked at
	dirs       []*dirPlan
	changes    []change
	dead       []uint32 // documents of files that are gone
	bytes      int64    // of the changed files
	files      int      // in the tree
	cut        int      // changes omitted by trim
	first      bool     // nothing is known of any folder, and so of no text
	without    []without
	cutPaths   []string
	hunt       *hunt // nil: changes are in the order of paths
}

// A without is a file that the index knows and has no facts of.
type without struct {
	dir, name string
	why       index.Why
}

func (p *plan) note(dir string, e *index.Entry) {
	if e.Why != index.Indexed && e.Why != index.Empty {
		p.without = append(p.without, without{dir, e.Name, e.Why})
	}
}

// compare finds what changed between the manifest and the tree.
func compare(tree *discover.Tree, manifest map[string]index.Dir) *plan {
	p := &plan{at: tree.At.UnixNano(), first: len(manifest) == 0}
	seen := 0
	for _, d := range tree.Dirs {
		p.files += len(d.Files)
		old, ok := manifest[d.Path]
		if ok {
			seen++
		}
		p.compareDir(d, old)
	}
	if seen == len(manifest) {
		return p
	}
	here := set.By(tree.Dirs, func(d *discover.Dir) string { return d.Path })
	for path, old := range manifest {
		if !here[path] {
			p.compareDir(discover.Dir{Path: path}, old)
		}
	}
	return p
}

// compareDir walks the two lists of one folder, both ordered by name.
func (p *plan) compareDir(d discover.Dir, old index.Dir) {
	var work *dirPlan
	touch := func() *dirPlan {
		if work == nil {
			work = &dirPlan{path: d.Path, tree: d, old: old}
			p.dirs = append(p.dirs, work)
		}
		return work
	}
	r := old.Read()
	var e index.Entry
	have := r.Next(&e)
	drop := func() {
		touch()
		if e.Doc != 0 {
			p.dead = append(p.dead, e.Doc)
		}
		have = r.Next(&e)
	}
	for i := range d.Files {
		f := &d.Files[i]
		for have && e.Name < f.Name {
			drop()
		}
		c := change{file: f, old: unknown}
		if have && e.Name == f.Name {
			same := e.Size == f.Size && e.Mtime == f.Mtime && e.Ctime == f.Ctime && e.Inode == f.Inode
			suspect := same && f.Mtime >= old.Seen-racy
			if same && !suspect {
				if e.Why == index.Unreadable {
					p.unreadable++
				}
				p.note(d.Path, &e)
				have = r.Next(&e)
				continue
			}
			c.old = new(e)
			have = r.Next(&e)
			if suspect {
				touch().racy, c.suspect = true, true
			}
		}
		w := touch()
		w.left++
		c.dir = int32(len(p.dirs) - 1)
		p.changes = append(p.changes, c)
		p.bytes += min(f.Size, discover.MaxFile)
	}
	for have {
		drop()
	}
}

// entries returns the folder as the index is to remember it: what was done, and
// for the rest what it had, so that what is left looks changed next time too. It was
// seen when the tree was looked at, however long it took to read what had changed: a
// file that was written in between may look as it did then.
func (w *dirPlan) entries(seen int64) index.Dir {
	out := index.Dir{Seen: seen, Entries: []byte{}}
	if w.left > 0 && w.racy {
		out.Seen = w.old.Seen
	}
	r := w.old.Read()
	var e index.Entry
	have := r.Next(&e)
	for _, f := range w.tree.Files {
		for have && e.Name < f.Name {
			have = r.Next(&e)
		}
		if d, ok := w.done[f.Name]; ok {
			out.Entries = index.AppendEntry(out.Entries, &d)
		} else if have && e.Name == f.Name {
			out.Entries = index.AppendEntry(out.Entries, &e)
		}
	}
	return out
}
