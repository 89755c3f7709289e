package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/store"
)

// merge brings into the vault what the remote has and the vault has not.
func (x *exchanging) merge(ctx context.Context) error {
	// Nothing is stored meanwhile; an editor is noticed by what it wrote.
	unlock, err := x.m.lock(ctx, ".store", false)
	if err != nil {
		return err
	}
	defer unlock()
	var take []git.TreeFile
	x.state.Absent = nil
	for _, p := range slices.Sorted(maps.Keys(x.theirs)) {
		t := x.theirs[p]
		switch {
		case p == forgottenFile:
			take = append(take, t)
		case t.Hash == x.ours[p].hash || t.Hash == x.base[p].Hash:
		case x.unknown[p]: // another time it is compared as if it had never been the same
			x.state.Absent = append(x.state.Absent, p)
		default:
			take = append(take, t)
		}
	}
	if err := x.mirror.Contents(ctx, take, func(f git.TreeFile, data []byte) error {
		if f.Path == forgottenFile {
			return x.forget(data)
		}
		return x.take(f, data)
	}); err != nil {
		if errors.Is(err, errMeanwhile) {
			return err
		}
		return exchangeFault(err, "cannot write into the vault %s", x.m.cfg.Vault)
	}
	for _, p := range slices.Sorted(maps.Keys(x.base)) {
		o, here := x.ours[p]
		if _, there := x.theirs[p]; there || !here || o.dirty || o.hash != x.base[p].Hash || p == forgottenFile {
			continue
		}
		// Removed there, and unchanged here: the history of the remote has it.
		if err := x.same(p); err != nil {
			return err
		}
		if err := x.root.Remove(p); err != nil {
			return exchangeFault(err, "cannot remove %s", p)
		}
		delete(x.ours, p)
		x.out.Removed++
	}
	return nil
}

// same reports a note that somebody has changed since it was read.
func (x *exchanging) same(p string) error {
	raw, err := readFile(x.root, p)
	if err != nil || git.Hash(raw) != x.ours[p].raw {
		return errMeanwhile
	}
	return nil
}

// take puts the remote's version of a note in its place, after a copy of what was there if
// that was changed too.
func (x *exchanging) take(f git.TreeFile, data []byte) error {
	o, here := x.ours[f.Path]
	if !here {
		if _, was := x.base[f.Path]; was && f.Hash == x.base[f.Path].Hash {
			return nil // removed here
		}
		if err := x.root.MkdirAll(path.Dir(f.Path), 0o700); err != nil {
			return x.absent(f.Path, err)
		}
		if err := x.root.WriteNew(f.Path, data, 0o600); err != nil {
			return x.absent(f.Path, err)
		}
		x.ours[f.Path] = seen(data)
		x.out.Received++
		return nil
	}
	if err := x.same(f.Path); err != nil {
		return err
	}
	if b, was := x.base[f.Path]; !was || o.hash != b.Hash || o.dirty {
		if err := x.copy(f.Path); err != nil {
			return err
		}
	}
	// It is a note of this content, or same has just said no.
	was, err := readFile(x.root, f.Path)
	if err != nil || git.Hash(was) != o.raw {
		return errMeanwhile
	}
	if err := replace(x.root, f.Path, was, data); err != nil {
		return err
	}
	x.ours[f.Path] = seen(data)
	x.out.Received++
	return nil
}

// absent notes that a note of the remote has no place here: a file of another kind, or one
// whose name this disk does not tell from it. It stays at the remote. A disk that takes
// nothing is an error.
func (x *exchanging) absent(p string, err error) error {
	if !errors.Is(err, fs.ErrExist) && !errors.Is(err, safe.ErrLink) && !errors.Is(err, safe.ErrNotFile) && !errors.Is(err, safe.ErrNotFolder) {
		var at *fs.PathError
		if !errors.As(err, &at) || errors.Is(err, os.ErrPermission) || store.Unwritable(err) {
			return err
		}
	}
	x.state.Absent = append(x.state.Absent, p)
	x.unknown[p] = true
	x.out.Skipped["has no place here, and stays at the remote"]++
	return nil
}

// copy keeps what was at a place, beside it, under a name that its content gives: who is
// stopped makes no second one.
func (x *exchanging) copy(p string) error {
	raw, err := readFile(x.root, p)
	if err != nil {
		return errMeanwhile
	}
	marked := setFront(raw, conflictsKey, yamlString(p)) // with which note it is in conflict
	for try := range exchangeCopies {
		name := strings.TrimSuffix(p, path.Ext(p)) + ".conflict-" + git.Hash(raw)[:8]
		if try > 0 {
			name += "-" + strconv.Itoa(try+1)
		}
		name += ".md"
		err := x.root.WriteNew(name, marked, 0o600)
		if errors.Is(err, fs.ErrExist) {
			if have, e := readFile(x.root, name); e != nil || !bytes.Equal(have, marked) {
				continue // of an earlier conflict, and somebody has worked on it since
			}
			err = nil
		}
		if err != nil {
			return err
		}
		x.ours[name] = seen(marked)
		x.out.Conflicts = append(x.out.Conflicts, Conflict{p, name})
		return nil
	}
	return fmt.Errorf("%s has %d conflicts already: %w", p, exchangeCopies, fs.ErrExist)
}

// forget merges the lists of what is forgotten: what either side has added or removed is.
func (x *exchanging) forget(data []byte) error {
	raw, err := readFile(x.root, forgottenFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	mine, yours := forgottenOf(raw), forgottenOf(data)
	var add []string
	for name := range yours {
		if !mine[name] {
			add = append(add, name)
		}
	}
	slices.Sort(add)
	return x.m.remember(x.root, add)
}

// toSend returns the paths that the remote has otherwise than the vault.
func (x *exchanging) toSend() (out []string) {
	for p, o := range x.ours {
		if t, there := x.theirs[p]; !x.unknown[p] && (!there || t.Hash != o.hash) {
			out = append(out, p)
			x.out.Sent++
		}
	}
	for p := range x.theirs {
		if _, here := x.ours[p]; !here && !x.unknown[p] && p != forgottenFile {
			out = append(out, p)
			x.out.RemovedAway++
		}
	}
	if raw, err := readFile(x.root, forgottenFile); err == nil {
		if have, there := x.theirs[forgottenFile]; !there || have.Hash != git.Hash(raw) && !x.forgets(have, raw) {
			out = append(out, forgottenFile)
		}
	}
	slices.Sort(out)
	return out
}

// forgets reports whether a list at the remote names all that one here does.
func (x *exchanging) forgets(f git.TreeFile, raw []byte) bool {
	all := false
	err := x.mirror.Contents(context.Background(), []git.TreeFile{f}, func(_ git.TreeFile, data []byte) error {
		yours := forgottenOf(data)
		all = true
		for name := range forgottenOf(raw) {
			all = all && yours[name]
		}
		return nil
	})
	return err == nil && all
}

// content returns a note as the remote is to have it.
func (x *exchanging) content(p string) (git.TreeChange, error) {
	o, here := x.ours[p]
	if !here && p != forgottenFile {
		// An editor that saves may have had it away for a moment when the vault was listed. By its exact name: a
		// disk may not tell it from one in other letters.
		list, err := x.root.ReadDir(path.Dir(p))
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, safe.ErrNotFolder) || contains(list, path.Base(p)) {
			return git.TreeChange{}, errMeanwhile
		}
		return git.TreeChange{Deleted: true}, nil
	}
	raw, err := readFile(x.root, p)
	if err != nil {
		return git.TreeChange{}, errMeanwhile
	}
	clean, _ := Clean(raw)
	if here && git.Hash(clean) != o.hash {
		return git.TreeChange{}, errMeanwhile
	}
	return git.TreeChange{Data: clean}, nil
}

// contains reports whether a folder has a file, or a link, of exactly that name.
func contains(list []fs.DirEntry, name string) bool {
	return slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == name && !e.IsDir() })
}
