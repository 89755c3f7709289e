package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
)

// An index that several machines share is written by Sync alone. A View lays over it what
// the tree of this machine has otherwise, in memory. So that a View need not read the whole
// tree for that, a file in the folder of the index keeps what was last seen of it: sizes,
// times and hashes. It is a cache; without it, or where it is damaged, files are read again.

// openShared opens the index of a backend. An error is not healed by an index on the disk:
// that would answer from what nobody has brought up to date.
func (e *Engine) openShared(ctx context.Context) error {
	b, err := e.cfg.Backend(ctx)
	if err != nil {
		return err
	}
	e.shared = b
	e.ix = index.Shared(b, e.loadSeen())
	return nil
}

// Shared reports whether the index is one that several machines share.
func (e *Engine) Shared() bool { return e.shared != nil }

// seenFile is what the cache is called, and seenMagic what it begins with.
const (
	seenFile  = "seen"
	seenMagic = "assay seen 1\n"
)

// mostSeen bounds the cache that is read.
const mostSeen = 1 << 30

func (e *Engine) loadSeen() map[string]index.Dir {
	dirs := map[string]index.Dir{}
	if e.claim() != nil {
		return dirs
	}
	root, err := safe.OpenRoot(e.cfg.IndexDir)
	if err != nil {
		return dirs
	}
	defer root.Close()
	b, err := readFile(root, seenFile, mostSeen, nil)
	head := len(seenMagic) + len(index.Entry{}.Hash)
	if err != nil || len(b) < head+4 || crc32.ChecksumIEEE(b[4:]) != binary.LittleEndian.Uint32(b) {
		return dirs
	}
	id := e.shared.ID()
	b, ok := bytes.CutPrefix(b[4:], append([]byte(seenMagic), id[:]...))
	if !ok {
		return dirs
	}
	r := codec.PackedReader{Rest: b}
	for len(r.Rest) > 0 && !r.Bad {
		path := r.Str()
		at := r.Take(8)
		entries := r.Bytes()
		if !r.Bad {
			dirs[path] = index.Dir{Seen: int64(binary.LittleEndian.Uint64(at)), Entries: entries}
		}
	}
	return dirs
}

// see notes what was seen of folders, here and in the cache. A cache that cannot be written
// costs time only.
func (e *Engine) see(dirs map[string]index.Dir) {
	if len(dirs) == 0 {
		return
	}
	all := e.ix.See(dirs)
	id := e.shared.ID()
	b := append(append(make([]byte, 4), seenMagic...), id[:]...)
	for path, d := range all {
		b = codec.AppendPacked(b, path)
		b = binary.LittleEndian.AppendUint64(b, uint64(d.Seen))
		b = codec.AppendPacked(b, d.Entries)
	}
	binary.LittleEndian.PutUint32(b, crc32.ChecksumIEEE(b[4:]))
	if e.claim() != nil || os.MkdirAll(e.cfg.IndexDir, 0o700) != nil {
		return
	}
	root, err := safe.OpenRoot(e.cfg.IndexDir)
	if err != nil {
		return
	}
	defer root.Close()
	if _, err := root.Lstat(".gitignore"); errors.Is(err, fs.ErrNotExist) {
		_ = root.Write(".gitignore", []byte("*\n"), 0o600)
	}
	_ = root.Write(seenFile, b, 0o600)
}

// syncShared makes the shared index agree with the tree of this machine.
func (e *Engine) syncShared(ctx context.Context, opt Options) (Report, error) {
	start := e.cfg.Now()
	tree, p, snap, err := e.look(ctx, opt)
	if err == nil && opt.Full {
		if err = e.clearShared(ctx, snap); err == nil {
			tree, p, snap, err = e.look(ctx, opt)
		}
	}
	if err != nil {
		return Report{}, err
	}
	rep := Report{Files: p.files, Skipped: tree.Skipped, Tree: tree}
	paths := map[uint32]string{}
	if err := snap.Docs(func(d index.DocInfo) bool { paths[d.ID] = d.Path; return true }); err != nil {
		return rep, err
	}
	seen := map[string]index.Dir{}
	publish := func(_ *index.Builder, ls []loaded) error {
		b := p.batch(ls, &rep)
		var c index.Change
		for _, l := range ls {
			if l.doc != nil {
				c.Put = append(c.Put, l.doc)
			}
		}
		for _, id := range b.Dead {
			c.Delete = append(c.Delete, paths[id])
		}
		if len(c.Put) > 0 || len(c.Delete) > 0 {
			if err := e.shared.Change(ctx, c); err != nil {
				return err
			}
		}
		maps.Copy(seen, b.Dirs)
		return nil
	}
	if len(p.dirs) > 0 {
		opt.keeps = true
		if err = publish(nil, nil); err == nil {
			err = e.run(ctx, p, snap, opt, inTurn(publish))
		}
		e.see(seen)
	}
	if err == nil {
		err = e.shared.Tidy(ctx)
	}
	rep.Took = e.cfg.Now().Sub(start)
	return rep, err
}

// clearShared removes every document.
func (e *Engine) clearShared(ctx context.Context, snap *index.Snapshot) error {
	var c index.Change
	if err := snap.Docs(func(d index.DocInfo) bool { c.Delete = append(c.Delete, d.Path); return true }); err != nil {
		return err
	}
	if len(c.Delete) == 0 {
		return nil
	}
	slices.Sort(c.Delete)
	return e.shared.Change(ctx, c)
}

// wellKnown says what the text of a file that is in the index, but was not seen here
// before, is in the tree for: the index does not tell.
func wellKnown(rel string, said []byte) index.Why {
	if len(said) == 0 {
		return index.Empty
	}
	if v := discover.Classify(rel, said); !v.Index {
		return index.ParseWhy(v.Why)
	}
	return index.Indexed
}
