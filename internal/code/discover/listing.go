package discover

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A listing is a walk written down: what it found, and the stamps of the folders and
// ignore files that it found that by. A file system changes the stamp of a folder with
// each name that comes or goes, so a later walk need not read folders whose stamps are
// the same: it asks for the stamps, a system call a folder or file in place of four a
// folder more, and matches no names with rules.
//
// It is packed, and has no checksum of its own: the version, whether ignore files count,
// what governs the root from above, how many entries were skipped for which reason, the
// rules and the files of rules that say nothing, the stamps of ignore files, and each
// folder with its files.
const (
	listingVersion = 3
	headListing    = 1 + 1
	maxListing     = 64 << 20
	// freshStamp is how long before the walk a folder must have changed last for its stamp
	// to say something: the clocks of file systems tick slowly, and what changes twice
	// within a tick has one stamp.
	freshStamp = 2 * time.Second
)

// A stamp is what a file system says of a folder or an ignore file.
type stamp struct {
	path         string
	size         int64 // of files; 0 for folders
	mtime, ctime int64
	inode        uint64
}

func stampOf(f *File) stamp { return stamp{f.Name, f.Size, f.Mtime, f.Ctime, f.Inode} }

// is reports whether f, found at the same path, has the stamp.
func (s *stamp) is(f *File) bool {
	return s.size == f.Size && s.mtime == f.Mtime && s.ctime == f.Ctime && s.inode == f.Inode
}

// list writes down what the workers found, or returns nil.
func (w *walker) list(scans []*scan, opt Options, above []byte) []byte {
	var read, ruled []stamp
	for _, s := range scans {
		if s.unsure {
			return nil
		}
		read, ruled = append(read, s.read...), append(ruled, s.ruled...)
	}
	last := opt.Listing.Add(-freshStamp).UnixNano()
	late := func(s stamp) bool { return max(s.ctime, s.mtime) >= last || s.ctime == 0 }
	t := w.tree
	if len(t.Errors) > 0 || t.Skipped[Unreadable] > 0 || slices.ContainsFunc(read, late) || slices.ContainsFunc(ruled, late) {
		return nil
	}
	byPath := func(a, b stamp) int { return strings.Compare(a.path, b.path) }
	sorting.Stable(read, byPath)
	sorting.Stable(ruled, byPath)

	b := make([]byte, headListing, 64<<10)
	b[0] = listingVersion
	if opt.All {
		b[1] = 1
	}
	b = codec.AppendPacked(b, above)
	for _, why := range reasons {
		b = binary.AppendUvarint(b, uint64(t.Skipped[why]))
	}
	b = binary.AppendUvarint(b, uint64(len(t.Rules)))
	for _, r := range t.Rules {
		b = binary.AppendUvarint(binary.AppendUvarint(codec.AppendPacked(b, r.File), uint64(r.Line)), uint64(r.Count))
	}
	b = binary.AppendUvarint(b, uint64(len(t.Unheeded)))
	for _, file := range t.Unheeded {
		b = codec.AppendPacked(b, file)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Secrets)))
	for _, file := range t.Secrets {
		b = codec.AppendPacked(b, file)
	}
	b = binary.AppendUvarint(b, uint64(len(ruled)))
	for _, s := range ruled {
		b = s.append(b)
	}
	b = binary.AppendUvarint(b, uint64(len(read)))
	dirs := t.Dirs
	var packed []byte
	for _, s := range read {
		b = s.append(b)
		var files []File
		if len(dirs) > 0 && dirs[0].Path == s.path {
			files, dirs = dirs[0].Files, dirs[1:]
		}
		b = binary.AppendUvarint(b, uint64(len(files)))
		packed = packed[:0]
		for _, f := range files {
			st := stampOf(&f)
			packed = st.append(packed)
		}
		b = codec.AppendPacked(b, packed)
	}
	if len(dirs) > 0 || len(b) > maxListing { // a folder was moved while it was walked
		return nil
	}
	return b
}

const (
	stampNumbers = 4 * 8
	leastStamp   = stampNumbers + 1
)

func (s *stamp) append(b []byte) []byte {
	at := len(b)
	b = append(b, make([]byte, stampNumbers)...)
	s.put(b[at:])
	return codec.AppendPacked(b, s.path)
}

func (s *stamp) put(b []byte) {
	for i, n := range [...]uint64{uint64(s.size), s.inode, uint64(s.mtime), uint64(s.ctime)} {
		binary.LittleEndian.PutUint64(b[8*i:], n)
	}
}

// readStamp returns the next stamp, and its numbers and path where they are in the listing.
func readStamp(r *codec.PackedReader) (s stamp, numbers, path []byte) {
	if numbers = r.Take(stampNumbers); numbers != nil {
		n := func(i int) uint64 { return binary.LittleEndian.Uint64(numbers[8*i:]) }
		s = stamp{size: int64(n(0)), inode: n(1), mtime: int64(n(2)), ctime: int64(n(3))}
	}
	return s, numbers, r.Bytes()
}

// A listed is a folder of a listing.
type listed struct {
	stamp
	packed codec.PackedReader // the stamps of its files
	count  int                // of them
	files  []File             // as they are now
}

// Again returns what Walk would, given the listing of an earlier walk of root, and whether
// each file has the stamp that it had then. The tree is nil where the listing does not hold
// any more: a name came or went, an ignore file changed, or it is not a listing. Otherwise the
// memory of listing becomes that of the tree's.
func Again(ctx context.Context, root string, listing []byte, opt Options) (t *Tree, same bool) {
	if len(listing) < headListing || listing[0] != listingVersion || listing[1] == 1 != opt.All {
		return nil, false
	}
	above, prefix := outer(root)
	if opt.All {
		above = nil
	}
	_, repo := git.TopLevel(root)
	r := &codec.PackedReader{Rest: listing[headListing:]}
	if string(r.Bytes()) != string(above.governs(prefix, repo)) {
		return nil, false
	}
	t = &Tree{Skipped: map[Reason]int{}, Listing: listing}
	for _, why := range reasons {
		if n := r.Int(); n > 0 {
			t.Skipped[why] = n
		}
	}
	for range r.Count(3) {
		t.Rules = append(t.Rules, Rule{r.Str(), r.Int(), r.Int()})
	}
	for range r.Count(1) {
		t.Unheeded = append(t.Unheeded, r.Str())
	}
	for range r.Count(1) {
		t.Secrets = append(t.Secrets, r.Str())
	}
	ruled := make([]stamp, r.Count(leastStamp))
	for i := range ruled {
		var path []byte
		ruled[i], _, path = readStamp(r)
		ruled[i].path = string(path)
	}
	folders, files := readFolders(r)
	// Who put a listing into a repository that somebody else unpacks knows of no folder what its
	// time and number will be there: without the root's, it would hold whatever the tree is.
	if r.Bad || len(r.Rest) > 0 || len(folders) == 0 || folders[0].path != "" {
		return nil, false
	}
	c := comparison{root: root, folders: folders}
	if !c.rules(ruled) || !c.run(ctx, opt.workers()) {
		return nil, false
	}
	t.Dirs = make([]Dir, 0, files)
	for i := range folders {
		if f := &folders[i]; len(f.files) > 0 {
			t.Dirs = append(t.Dirs, Dir{Path: f.path, Files: f.files})
		}
	}
	return t, !c.touched.Load()
}

// readFolders returns the folders of a listing, and how many of them have files.
func readFolders(r *codec.PackedReader) (folders []listed, withFiles int) {
	folders = make([]listed, r.Count(leastStamp+2))
	total := 0
	for i := range folders {
		f := &folders[i]
		var path []byte
		f.stamp, _, path = readStamp(r)
		f.path = string(path)
		n := r.Int()
		if f.packed.Rest = r.Bytes(); n > len(f.packed.Rest)/leastStamp {
			r.Bad, n = true, 0
		}
		if f.count = n; n > 0 {
			withFiles++
		}
		total += n
	}
	files := make([]File, total)
	for i := range folders {
		n := folders[i].count
		folders[i].files, files = files[:n:n], files[n:]
	}
	return folders, withFiles
}

// A comparison compares a listing with a tree.
type comparison struct {
	root    string
	folders []listed
	next    atomic.Int64
	changed atomic.Bool // a name came or went
	touched atomic.Bool // a file has another stamp
}

func (c *comparison) rules(ruled []stamp) bool {
	p, ok := newProber(c.root)
	if !ok {
		return false
	}
	defer p.end()
	for i := range ruled {
		var f File
		if kind, ok := p.probe(ruled[i].path, "", &f); !ok || kind != kindFile || !ruled[i].is(&f) {
			return false
		}
	}
	return true
}

// run compares the folders, and reports whether the listing holds.
func (c *comparison) run(ctx context.Context, workers int) bool {
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			p, ok := newProber(c.root)
			if !ok {
				c.changed.Store(true)
				return
			}
			defer p.end()
			const run = 16 // folders that a worker takes at once
			for !c.changed.Load() && ctx.Err() == nil {
				lo := int(c.next.Add(run)) - run
				if lo >= len(c.folders) {
					return
				}
				for i := lo; i < min(lo+run, len(c.folders)); i++ {
					if !c.folder(p, &c.folders[i]) {
						c.changed.Store(true)
						return
					}
				}
			}
		})
	}
	group.Wait()
	return !c.changed.Load() && ctx.Err() == nil
}

// folder compares a folder, and completes its files.
func (c *comparison) folder(p *prober, d *listed) bool {
	var f File
	if kind, ok := p.probe(d.path, "", &f); !ok || kind != kindDir {
		return false
	}
	f.Size = 0
	if !d.is(&f) {
		return false
	}
	for i := range d.files {
		r := &d.packed
		was, numbers, name := readStamp(r)
		f := &d.files[i]
		f.Name = string(name)
		if kind, ok := p.probe(d.path, f.Name, f); !ok || kind != kindFile {
			return false
		}
		if !was.is(f) {
			c.touched.Store(true)
			now := stampOf(f)
			now.put(numbers)
		}
	}
	return true
}
