package transcript

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// headSize is how much of a file List reads: what an agent writes before the
// first prompt is about half as long.
const headSize = 64 << 10

// A format is what an agent that keeps a file for each session does in its own
// way.
type format struct {
	agent string
	roots []top // in order of preference
	// id returns the session that a file of that name in that folder holds, or false.
	id func(dir, name string) (id string, ok bool)
	// head fills a Ref from the first bytes of a file, all of it where whole, and
	// reports whether it is a session to be listed. An error says that it is nothing of
	// the agent's.
	head func(ref *Ref, head []byte, whole bool) (bool, error)
	// read reads the session in a file.
	read func(ctx context.Context, s *Session, r io.Reader) error
	// project returns the working directory of the sessions in a folder below a root, for
	// an agent that writes it beside them; nil: it is in the file.
	project func(root *os.Root, dir string) string
}

// A top is a folder, with the depth of the folders below it that hold files of sessions.
type top struct {
	path  string
	depth int
}

// A place is where a session lies: in root, in the folder dir below it.
type place struct{ root, dir, name string }

// files is the Source of such an agent.
type files struct {
	format
	mu    sync.Mutex
	known map[string]place // by session, as of the last List
}

func (f *files) Agent() string { return f.agent }

var errNotJSON = errors.New("not lines of JSON")

// openRoot opens a folder that a user may have put elsewhere by a link. What is below
// it stays below it.
func openRoot(path string) (*os.Root, error) {
	if path == "" {
		return nil, fs.ErrNotExist
	}
	return safe.Linked(path)
}

// walk calls f with each file of the agent's, and with its folder. It follows no
// link out of the root, and none twice: it goes down so many levels and no further.
func (f *files) walk(ctx context.Context, visit func(dir *os.Root, at place, id string) error) (skipped int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	for _, t := range f.roots {
		root, err := openRoot(t.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			skipped++
			continue
		}
		n, err := f.walkDir(ctx, root, place{root: t.path}, t.depth, visit)
		root.Close()
		if skipped += n; err != nil {
			return skipped, err
		}
	}
	return skipped, nil
}

func (f *files) walkDir(ctx context.Context, dir *os.Root, at place, depth int, visit func(*os.Root, place, string) error) (skipped int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	list, err := entries(dir)
	if err != nil {
		skipped++ // and goes on with what could be read
	}
	for _, e := range list {
		name := e.Name()
		if depth == 0 {
			id, ok := f.id(at.dir, name)
			if !ok {
				continue
			}
			at.name = name
			if err := visit(dir, at, id); err != nil {
				if ctx.Err() != nil {
					return skipped, ctx.Err()
				}
				skipped++
			}
			continue
		}
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		sub, err := dir.OpenRoot(name)
		if err != nil {
			// A link to a file is none of ours; one to nowhere neither.
			if info, e := dir.Stat(name); !errors.Is(err, fs.ErrNotExist) && (e != nil || info.IsDir()) {
				skipped++
			}
			continue
		}
		next := place{root: at.root, dir: filepath.Join(at.dir, name)}
		n, err := f.walkDir(ctx, sub, next, depth-1, visit)
		sub.Close()
		if skipped += n; err != nil {
			return skipped, err
		}
	}
	return skipped, nil
}

// entries returns what is in a folder, by name: as much as could be read.
func entries(dir *os.Root) ([]fs.DirEntry, error) {
	d, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	list, err := d.ReadDir(-1)
	sorting.Stable(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

// regular opens a file to read it, and nothing that could block or never end.
func regular(dir *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := dir.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a file", name)
	}
	file, err := dir.Open(name)
	if err != nil {
		return nil, nil, err
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func (f *files) List(ctx context.Context) (refs []Ref, skipped int, err error) {
	return f.listSeen(ctx, nil, Seen{})
}

func (f *files) listSeen(ctx context.Context, old, now Seen) (refs []Ref, skipped int, err error) {
	known := map[string]place{}
	at := map[string]int{} // in refs, by session
	buf := make([]byte, headSize)
	skipped, err = f.walk(ctx, func(dir *os.Root, where place, id string) error {
		ref, ok, err := f.listed(dir, where, id, old, now, buf)
		if err != nil || !ok {
			return err
		}
		// One that was copied to another folder is one session: the newer file is the one that goes on. A copy in a
		// later top, as in an archive, does not go on.
		if i, ok := at[id]; ok {
			if where.root == known[id].root && ref.Updated.After(refs[i].Updated) {
				refs[i], known[id] = ref, where
			}
			return nil
		}
		at[id] = len(refs)
		refs, known[id] = append(refs, ref), where
		return nil
	})
	if err != nil {
		return nil, skipped, err
	}
	f.mu.Lock()
	f.known = known
	f.mu.Unlock()
	newestFirst(refs)
	return refs, skipped, nil
}

// listed returns the Ref of a file, and whether it is a session: as old knows, else by its
// beginning.
func (f *files) listed(dir *os.Root, where place, id string, old, now Seen, buf []byte) (ref Ref, ok bool, err error) {
	if len(old) > 0 {
		info, err := dir.Stat(where.name)
		if err != nil {
			return ref, false, err
		}
		ref = f.ref(id, info)
		key := now.key(f.agent, where, ref.Stamp)
		if ok, seen := old[key]; seen && info.Mode().IsRegular() {
			now[key] = ok
			return ref, ok, nil
		}
	}
	file, info, err := regular(dir, where.name)
	if err != nil {
		return ref, false, err
	}
	defer file.Close()
	in, done, err := unpack(where.name, file)
	if err != nil {
		return ref, false, err
	}
	defer done()
	n := 0
	for err == nil && n < len(buf) {
		var k int
		k, err = in.Read(buf[n:])
		n += k
	}
	if err != nil && err != io.EOF {
		return ref, false, err
	}
	ref = f.ref(id, info)
	ok, err = f.head(&ref, buf[:n], err == io.EOF || in == io.Reader(file) && int64(n) >= info.Size())
	if ok || err == nil {
		now[now.key(f.agent, where, ref.Stamp)] = ok
	}
	if ok {
		err = nil
	}
	return ref, ok, err
}

// Bounds of a file that was compressed: of the memory that it may ask for, and of
// what comes out of it.
const (
	maxWindow   = 64 << 20
	maxUnpacked = 1 << 30
)

// unpack returns what a file holds that may have been compressed, and what to do when
// it has been read.
func unpack(name string, r io.Reader) (io.Reader, func(), error) {
	if !strings.HasSuffix(name, ".zst") {
		return r, func() {}, nil
	}
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, nil, err
	}
	return io.LimitReader(d, maxUnpacked), d.Close, nil
}

func (f *files) ref(id string, info fs.FileInfo) Ref {
	t := info.ModTime()
	return Ref{Agent: f.agent, ID: id, Updated: t.UTC(), Stamp: fmt.Sprintf("%d-%d", info.Size(), t.UnixNano())}
}

func newestFirst(refs []Ref) {
	sorting.Stable(refs, func(a, b Ref) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
}

func (f *files) Read(ctx context.Context, ref Ref) (*Session, error) {
	where, err := f.find(ctx, ref.ID)
	if err != nil {
		return nil, err
	}
	root, err := openRoot(where.root)
	if err != nil {
		return nil, unreadable(f.agent, ref.ID, err)
	}
	defer root.Close()
	file, info, err := regular(root, filepath.Join(where.dir, where.name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(f.agent, ref.ID)
	}
	if err != nil {
		return nil, unreadable(f.agent, ref.ID, err)
	}
	defer file.Close()
	s := &Session{Ref: f.ref(ref.ID, info)}
	// What is written meanwhile is for the next time: the stamp does not know of it.
	if f.project != nil {
		s.Dir = f.project(root, where.dir)
	}
	in, done, err := unpack(where.name, io.LimitReader(file, info.Size()))
	if err != nil {
		return nil, unreadable(f.agent, ref.ID, err)
	}
	defer done()
	// When the file was written says nothing of when they spoke: it may be a copy.
	s.Updated = time.Time{}
	if err := f.read(ctx, s, in); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, unreadable(f.agent, ref.ID, err)
	}
	s.Updated = s.Created
	for _, t := range s.Turns {
		if t.Time.After(s.Updated) {
			s.Updated = t.Time
		}
	}
	return s, nil
}

// find returns where a session lies. Its file may have moved since it was listed.
func (f *files) find(ctx context.Context, id string) (place, error) {
	f.mu.Lock()
	where, ok := f.known[id]
	f.mu.Unlock()
	if ok {
		if _, err := os.Lstat(filepath.Join(where.root, where.dir, where.name)); err == nil {
			return where, nil
		}
	}
	if !valid(id) {
		return place{}, missing(f.agent, id)
	}
	if _, _, err := f.List(ctx); err != nil {
		return place{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if where, ok = f.known[id]; !ok {
		return place{}, missing(f.agent, id)
	}
	return where, nil
}

// maxWatched bounds the folders that Watch returns: the newest are those that
// sessions go on in.
const maxWatched = 64

func (f *files) Watch() []string {
	var out []string
	for _, t := range f.roots {
		out = append(out, t.path)
		below := []string{t.path}
		for range t.depth {
			var next []string
			for _, dir := range below {
				list, err := safe.ReadDir(dir)
				if err != nil {
					continue
				}
				for _, e := range list {
					if e.IsDir() {
						next = append(next, filepath.Join(dir, e.Name()))
					}
				}
			}
			sorting.Stable(next, func(a, b string) int { return strings.Compare(b, a) })
			below = next[:min(len(next), maxWatched)]
			out = append(out, below...)
		}
	}
	return out
}

// valid reports whether an ID can be one: it is part of paths, ours and theirs.
func valid(id string) bool {
	if id == "" || len(id) > 128 || id[0] == '.' {
		return false
	}
	return strings.Trim(id, "_-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" // it cuts all, or stops at another
}

func missing(agent, id string) error {
	return fault.New(fault.NotFound, "no session %q of %s", id, agent)
}

func isMissing(err error) bool { return err != nil && fault.KindOf(err) == fault.NotFound }

func unreadable(agent, id string, err error) error {
	return fault.New(fault.Unavailable, "session %q of %s cannot be read", id, agent).Because(err)
}
