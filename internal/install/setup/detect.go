package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
)

// detectClients returns the clients that are on this machine, or with --project those whose folder is in the project.
func (f *Feature) detectClients(project bool) []string {
	var out []string
	for _, name := range clientNames() {
		for _, at := range f.marks(name, project) {
			if _, err := os.Stat(at); err == nil {
				out = append(out, name)
				break
			}
		}
	}
	return out
}

// marks returns the paths whose existence shows that a client is installed.
func (f *Feature) marks(name string, project bool) []string {
	c, ok := catalogued(name)
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

// setupAll sets up or uninstalls every detected client. It asks once before it writes. A client whose files cannot be edited
// is skipped, with the reason.
func (f *Feature) setupAll(ctx context.Context, in Input) (*Result, error) {
	if !in.Project && !filepath.IsAbs(f.cfg.Home) {
		return nil, fault.New(fault.Unavailable, "setup: your home folder is unknown").Or("set HOME, or use --project")
	}
	var all []wiring
	if in.Uninstall {
		all = f.configuredClients(in.Project)
	} else {
		for _, name := range f.detectClients(in.Project) {
			all = append(all, wiring{name, in.Project})
		}
	}
	sum := &Result{Name: in.Name, Project: in.Project, DryRun: true, Uninstall: in.Uninstall, Files: []File{}, Next: []string{}}
	done := all[:0]
	for _, w := range all {
		sum.addClient(w.client)
		r, err := f.setupOne(ctx, w.input(in, true))
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
		scope := "for this user or in this project"
		if in.Project {
			scope = "in this project"
		}
		sum.Next = append(sum.Next, "no client is set up "+scope)
		return sum, f.offerDeletion(ctx, in, sum)
	case len(sum.Clients) == 0:
		return nil, fault.New(fault.NotFound, "setup: none of the supported clients is installed: %s", strings.Join(clientNames(), ", ")).
			Or("name the client that you use: assay setup CLIENT")
	case in.DryRun || !sum.changed():
		return sum, nil
	case !in.Yes && f.cfg.Confirm == nil:
		sum.Next = append(sum.Next, "nothing was written: add --yes to write the files")
		return sum, nil
	case !in.Yes:
		yes, err := f.cfg.Confirm(ctx, sum.text(true), text.Counted("Write %d file{s}?", sum.changes()))
		sum.seen = true
		if err != nil || !yes {
			sum.Next = append(sum.Next, "nothing was written")
			return sum, err
		}
	}
	return f.writeAll(ctx, in, sum, done)
}

// writeAll makes the changes that a dry run has shown.
func (f *Feature) writeAll(ctx context.Context, in Input, shown *Result, all []wiring) (*Result, error) {
	out := &Result{Name: in.Name, Project: in.Project, Uninstall: in.Uninstall, Clients: shown.Clients, Files: []File{}, Next: []string{}, Skipped: shown.Skipped, seen: shown.seen}
	for _, w := range all {
		r, err := f.setupOne(ctx, w.input(in, false))
		if err != nil {
			out.skip(w.client, err)
			continue
		}
		out.join(r)
	}
	if in.Uninstall {
		return out, f.offerDeletion(ctx, in, out)
	}
	return out, nil
}

// offerDeletion asks the user whether to delete the project's index too. It removes the index's folder only if that is
// empty, because the user's scripts may be in it.
func (f *Feature) offerDeletion(ctx context.Context, in Input, out *Result) error {
	own := filepath.Join(f.cfg.WorkDir, ".assay")
	dir := filepath.Join(own, "index")
	if !isDir(own) || !isDir(dir) || in.DryRun {
		return nil
	}
	if in.Yes || f.cfg.Confirm == nil || f.cfg.Delete == nil {
		out.Next = append(out.Next, "the index of this project is in "+dir+"; you can delete it")
		return nil
	}
	yes, err := f.cfg.Confirm(ctx, "The index of this project is in "+dir+". A search would rebuild it.", "Delete it?")
	if err != nil || !yes {
		return err
	}
	if err := f.cfg.Delete(dir); err != nil {
		return err
	}
	root, err := safe.OpenRoot(f.cfg.WorkDir)
	if err != nil {
		return fault.New(fault.Unavailable, "cannot read %s", f.cfg.WorkDir).Because(err).Or("delete %s by hand", own)
	}
	defer root.Close()
	_ = root.RemoveDir(".assay") // fails if the folder has other files
	out.Next = append(out.Next, dir+" was deleted; the indexes of other projects are in their .assay/index")
	return nil
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// A wiring is a client and the scope of its configuration: the user or the project.
type wiring struct {
	client  string
	project bool
}

// input returns the request in for this client.
func (w wiring) input(in Input, dry bool) Input {
	in.Client, in.Project, in.DryRun = w.client, w.project, dry
	return in
}

// configuredClients returns the clients whose files have a part of assay: those of the user and of the project, because a
// user who uninstalls may not remember the scope; or only those of the project.
func (f *Feature) configuredClients(project bool) []wiring {
	var out []wiring
	for _, w := range f.Installed() {
		at := wiring{w.Client, w.project}
		if w.Err == nil && (w.project || !project) && w.Client != loa && (len(out) == 0 || out[len(out)-1] != at) {
			out = append(out, at)
		}
	}
	return out
}
