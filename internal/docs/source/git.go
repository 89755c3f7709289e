package source

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/docs/release"
)

// stale is the age at which a folder that an earlier run left behind is removed: no
// ingest takes as long.
const stale = 24 * time.Hour

// scratch makes a folder for what is brought, and removes what was left behind by
// runs that were killed.
func (t *Tree) scratch(o Options) (string, error) {
	if err := os.MkdirAll(o.Temp, 0o700); err != nil {
		return "", fault.New(fault.Unavailable, "make a folder for what is fetched").Because(err)
	}
	if old, err := safe.ReadDir(o.Temp); err == nil {
		for _, e := range old {
			if info, err := e.Info(); err == nil && left(e.Name()) && time.Since(info.ModTime()) > stale {
				_ = os.RemoveAll(filepath.Join(o.Temp, e.Name())) // the next run tries again
			}
		}
	}
	dir, err := os.MkdirTemp(o.Temp, "ingest-")
	if err != nil {
		return "", fault.New(fault.Unavailable, "make a folder for what is fetched").Because(err)
	}
	t.temp = dir
	return dir, nil
}

func (t *Tree) rootAt(dir string) error {
	root, err := safe.Linked(dir)
	if err != nil {
		return fault.New(fault.Unavailable, "open what was fetched").Because(err)
	}
	t.root = root
	return nil
}

func (t *Tree) openGit(ctx context.Context, o Options) error {
	t.ID = idOf(t.Address)
	t.Ref = o.Ref
	if o.Ref == "" && o.Version != "" && o.Version != "latest" {
		o.Progress("looking for version "+o.Version, 0, 0)
		ref, err := tagFor(ctx, t.Address, o.Version)
		if err != nil {
			return err
		}
		t.Ref, t.Version = ref, o.Version
		if ref != o.Version && strings.TrimPrefix(ref, "v") != strings.TrimPrefix(o.Version, "v") {
			t.Version, t.Meant = strings.TrimPrefix(ref, "v"), true
		}
	}
	dir, err := t.scratch(o)
	if err != nil {
		return err
	}
	o.Progress("Cloning "+t.Address, 0, 0)
	dir = filepath.Join(dir, "tree")
	c, err := git.Clone(ctx, t.Address, t.Ref, dir)
	if err != nil {
		return unreachable(ctx, t.Address, t.Ref, err)
	}
	t.Commit, t.Date = c.Commit, c.Date
	t.Ref = cmp.Or(t.Ref, c.Branch)
	if err := t.rootAt(dir); err != nil {
		return err
	}
	t.describe(ctx)
	return nil
}

// tagFor returns the tag, or else the branch, of a repository that a version is
// called by.
func tagFor(ctx context.Context, address, version string) (string, error) {
	refs, _, err := git.Refs(ctx, address)
	if err != nil {
		return "", unreachable(ctx, address, "", err)
	}
	bare := strings.TrimPrefix(version, "v")
	for _, name := range []string{version, "v" + bare, bare} {
		if slices.ContainsFunc(refs, func(r git.Ref) bool { return r.Name == name }) {
			return name, nil
		}
	}
	var tags []string
	for _, r := range refs {
		if r.Tag {
			tags = append(tags, r.Name)
		}
	}
	// "3.0" is the newest of 3.0, and "^3.0.0" the newest that it allows.
	if tag := release.Meant(tags, version); tag != "" {
		return tag, nil
	}
	e := fault.New(fault.NotFound, "%s has no tag or branch %s or v%s", address, version, bare)
	var like []string
	for _, r := range refs {
		if r.Tag && strings.Contains(r.Name, bare) {
			like = append(like, r.Name)
		}
	}
	if len(like) > 0 {
		return "", e.Or("name one of its tags with --ref: %s", strings.Join(like[:min(8, len(like))], ", "))
	}
	return "", e.Or("name a tag or branch with --ref; --version is then only the label")
}

// Head returns the commit that a branch or tag of a repository is at, without
// fetching it; of its first branch where ref is empty.
func Head(ctx context.Context, address, ref string) (string, error) {
	refs, head, err := git.Refs(ctx, address)
	if err != nil {
		return "", unreachable(ctx, address, ref, err)
	}
	ref = cmp.Or(ref, head)
	for _, tag := range []bool{true, false} {
		for _, r := range refs {
			if r.Name == ref && r.Tag == tag {
				return r.Commit, nil
			}
		}
	}
	return "", unreachable(ctx, address, ref, git.ErrNoRef)
}

func unreachable(ctx context.Context, address, ref string, err error) error {
	if ctx.Err() != nil {
		return fault.New(fault.Interrupted, "stopped before %s was fetched", address)
	}
	switch {
	case errors.Is(err, git.ErrNoGit):
		return fault.New(fault.Unavailable, "git is not installed, and %s is a git repository", address).
			Or("install git, or give a folder, an archive or npm:NAME, which need none")
	case errors.Is(err, git.ErrNoRef):
		return fault.New(fault.NotFound, "%s has no branch or tag %q", address, ref).Or("check --ref and --version; without them its first branch is read")
	case errors.Is(err, git.ErrPrivate):
		return fault.New(fault.Unavailable, "%s cannot be read: it does not exist, or asks for a password", address).
			Or("check the address; for a private repository let git's credential helper or an ssh key answer, or clone it and give the folder")
	case errors.Is(err, git.ErrLarge):
		return fault.New(fault.Unavailable, "fetch %s", address).Because(err).Or("clone what you need of it yourself, and give the folder")
	case errors.Is(err, git.ErrTimeout):
		return fault.New(fault.Unavailable, "%s did not answer in time", address).Or("try again, or clone it yourself and give the folder")
	}
	return fault.New(fault.Unavailable, "fetch %s", address).Because(err).Or("check the network, or clone it elsewhere and give the folder")
}
