package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
)

// detected returns the clients that are on this machine, or with --project those whose
// folder the project has.
func (f *Feature) detected(project bool) []string {
	var out []string
	for _, name := range names() {
		for _, at := range f.marks(name, project) {
			if _, err := os.Stat(at); err == nil {
				out = append(out, name)
				break
			}
		}
	}
	return out
}

// marks returns what is there where a client is.
func (f *Feature) marks(name string, project bool) []string {
	c, ok := listed(name)
	switch {
	case !ok && project && name == "opencode":
		dir := f.folder(name, true)
		return []string{filepath.Join(dir, ".opencode"), filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc")}
	case !ok && project && name == "claude":
		server, _ := f.claudeFiles(true)
		return []string{server, f.folder(name, true)}
	case !ok && name == "claude":
		server, settings := f.claudeFiles(false)
		return []string{server, filepath.Dir(settings)}
	case !ok:
		return []string{f.folder(name, project)}
	case !project && c.mark != "":
		return []string{f.place(c.mark)}
	}
	var out []string
	for _, at := range f.paths(c, job{Input: Input{Project: project, Name: usualName}}) {
		if dir := filepath.Dir(at); !project || dir != f.cfg.WorkDir && filepath.Base(dir) != ".github" {
			at = dir
		}
		out = append(out, at)
	}
	return out
}

// every does for each client that is there what is asked of one, and asks once before
// it writes. A client whose files cannot be edited is left out, with the reason.
func (f *Feature) every(ctx context.Context, in Input) (*Result, error) {
	if !in.Project && !filepath.IsAbs(f.cfg.Home) {
		return nil, fault.New(fault.Unavailable, "setup: your home folder is not known").Or("set HOME, or use --project")
	}
	var all []wiring
	if in.Uninstall {
		all = f.wired(in.Project)
	} else {
		for _, name := range f.detected(in.Project) {
			all = append(all, wiring{name, in.Project})
		}
	}
	sum := &Result{Name: in.Name, Project: in.Project, DryRun: true, Uninstall: in.Uninstall, Files: []File{}, Next: []string{}}
	done := all[:0]
	for _, w := range all {
		sum.named(w.client)
		r, err := f.one(ctx, w.asked(in, true))
		if err != nil {
			if _, ok := errors.AsType[*fault.Error](err); !ok || ctx.Err() != nil {
				return nil, err
			}
			sum.skip(w.client, err)
			continue
		}
		done = append(done, w)
		sum.join(r)
	}
	switch {
	case len(sum.Clients) == 0 && in.Uninstall:
		where := "for this user or in this project"
		if in.Project {
			where = "in this project"
		}
		sum.Next = append(sum.Next, "no client is set up "+where)
		return sum, f.offer(ctx, in, sum)
	case len(sum.Clients) == 0:
		return nil, fault.New(fault.NotFound, "setup: found none of the clients that it knows: %s", strings.Join(names(), ", ")).Or("name the one that you use: assay setup CLIENT")
	case in.DryRun || !sum.changed():
		return sum, nil
	case !in.Yes && f.cfg.Confirm == nil:
		sum.Next = append(sum.Next, "nothing was written: --yes writes it")
		return sum, nil
	case !in.Yes:
		yes, err := f.cfg.Confirm(ctx, sum.text(true), fmt.Sprintf("Write these %d files?", sum.changes()))
		sum.seen = true
		if err != nil || !yes {
			sum.Next = append(sum.Next, "nothing was written")
			return sum, err
		}
	}
	return f.writeAll(ctx, in, sum, done)
}

// writeAll does what a dry run has shown.
func (f *Feature) writeAll(ctx context.Context, in Input, shown *Result, all []wiring) (*Result, error) {
	out := &Result{Name: in.Name, Project: in.Project, Uninstall: in.Uninstall, Clients: shown.Clients, Files: []File{}, Next: []string{}, Skipped: shown.Skipped, seen: shown.seen}
	for _, w := range all {
		r, err := f.one(ctx, w.asked(in, false))
		if err != nil {
			out.skip(w.client, err)
			continue
		}
		out.join(r)
	}
	if in.Uninstall {
		return out, f.offer(ctx, in, out)
	}
	return out, nil
}

// offer asks a person whether the project's index is to be deleted too, and its folder
// where nothing else is in that. Scripts of the user may be.
func (f *Feature) offer(ctx context.Context, in Input, out *Result) error {
	own := filepath.Join(f.cfg.WorkDir, ".assay")
	dir := filepath.Join(own, "index")
	if !isDir(own) || !isDir(dir) || in.DryRun {
		return nil
	}
	if in.Yes || f.cfg.Confirm == nil || f.cfg.Delete == nil {
		out.Next = append(out.Next, "the index of this project is in "+dir+" and may be deleted")
		return nil
	}
	yes, err := f.cfg.Confirm(ctx, "The index of this project, which a search makes again, is in "+dir+".", "Delete it?")
	if err != nil || !yes {
		return err
	}
	if err := f.cfg.Delete(dir); err != nil {
		return err
	}
	root, err := safe.OpenRoot(f.cfg.WorkDir)
	if err != nil {
		return fault.New(fault.Unavailable, "%s cannot be read", f.cfg.WorkDir).Because(err).Or("delete %s by hand", own)
	}
	defer root.Close()
	_ = root.RemoveDir(".assay") // it stays where something else is in it
	out.Next = append(out.Next, dir+" is deleted; other projects have theirs in .assay/index")
	return nil
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// A wiring is a client that is set up, or to be, for the user or for the project.
type wiring struct {
	client  string
	project bool
}

// asked is what in asks of all clients, of this one.
func (w wiring) asked(in Input, dry bool) Input {
	in.Client, in.Project, in.DryRun = w.client, w.project, dry
	return in
}

// wired returns the clients that have something of ours: the user's and the project's,
// since who removes everything may not remember where it was written, or the project's alone.
func (f *Feature) wired(project bool) []wiring {
	var out []wiring
	for _, w := range f.Installed() {
		at := wiring{w.Client, w.project}
		if w.Err == nil && (w.project || !project) && w.Client != loa && (len(out) == 0 || out[len(out)-1] != at) {
			out = append(out, at)
		}
	}
	return out
}
