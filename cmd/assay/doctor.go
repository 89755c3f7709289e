//go:build !slim

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/embed/static"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/present/cli"
	"github.com/assay-dev/assay/internal/present/op"
)

func fine(format string, args ...any) []cli.Finding {
	return []cli.Finding{{State: cli.Fine, Says: fmt.Sprintf(format, args...)}}
}

func absent(fix, format string, args ...any) []cli.Finding {
	return []cli.Finding{{State: cli.Absent, Says: fmt.Sprintf(format, args...), Fix: fix}}
}

// wrong says what an error does, and what it says is to be done.
func wrong(err error, fix string) []cli.Finding {
	if hint := fault.HintOf(err); hint != "" {
		fix = hint
	}
	return []cli.Finding{{State: cli.Wrong, Says: err.Error(), Fix: fix}}
}

// doctor looks at all that the program stands on. What it opens it only reads.
func (s *surroundings) doctor(features op.Features) func(ctx context.Context, args []string, env cli.Env) error {
	return func(ctx context.Context, args []string, env cli.Env) error {
		parts := []cli.Part{
			{Name: "settings", Look: func(context.Context) []cli.Finding { return s.lookSettings(env.Broken) }},
			{Name: "model", Look: func(context.Context) []cli.Finding { return s.lookModel() }},
			{Name: "git", Look: func(context.Context) []cli.Finding { return lookGit() }},
		}
		if env.Broken == nil {
			parts = append(parts,
				cli.Part{Name: "index", Look: func(ctx context.Context) []cli.Finding { return s.lookIndex(ctx, features.Code) }},
				cli.Part{Name: "documentation", Look: func(ctx context.Context) []cli.Finding { return s.lookDocs(ctx, features.Docs) }},
				cli.Part{Name: "memory", Look: func(ctx context.Context) []cli.Finding { return s.lookMemory(ctx, features.Memory) }},
				cli.Part{Name: "framework", Look: func(ctx context.Context) []cli.Finding { return lookFramework(ctx, features.Audit) }},
			)
		}
		parts = append(parts,
			cli.Part{Name: "hooks", Look: func(context.Context) []cli.Finding { return lookHooks(hookLog()) }},
			cli.Part{Name: "clients", Look: func(context.Context) []cli.Finding { return s.lookClients() }},
			cli.Part{Name: "programs", Look: func(context.Context) []cli.Finding { return s.lookPrograms() }},
		)
		return cli.Doctor(ctx, parts, args, env)
	}
}

func (s *surroundings) lookSettings(broken error) []cli.Finding {
	problems := s.cfg.Problems()
	var out []cli.Finding
	switch {
	case broken != nil && len(problems) == 0: // nothing was read
		return wrong(broken, "assay config show lists the settings once they can be read")
	case broken == nil:
		set, all := 0, s.cfg.Explain(s.defaults()).Settings
		for _, x := range all {
			if x.Origin != "default" {
				set++
			}
		}
		out = fine("%d of %d settings are set (assay config show)", set, len(all))
	}
	for _, p := range problems {
		out = append(out, cli.Finding{State: cli.Wrong, Says: p.Says, Fix: p.Fix})
	}
	return out
}

// lookHooks shows the last failures of hooks. Those of a day count: an agent's session goes
// on without memory, and tells nobody.
func lookHooks(log memory.HookLog) []cli.Finding {
	failures, err := log.Failures(log.Now().Add(-24*time.Hour), 5)
	if err != nil {
		return wrong(err, "")
	}
	var out []cli.Finding
	for _, f := range failures {
		says := fmt.Sprintf("%s, %s: %s", f.Last.Format("2006-01-02 15:04:05Z"), f.Where, f.Says)
		if f.Times > 1 {
			says += fmt.Sprintf(" (%d times)", f.Times)
		}
		out = append(out, cli.Finding{State: cli.Wrong, Says: says, Fix: cmp.Or(f.Fix, "assay memory doctor says more; the log is "+log.Path())})
	}
	if len(out) == 0 {
		return fine("no failures in the last day")
	}
	return out
}

func (s *surroundings) lookModel() []cli.Finding {
	m, err := static.Default()
	if err != nil {
		return wrong(err, "this program is damaged: install it again")
	}
	if p := s.cfg.Embed.Provider; p != "static" && p != "" {
		if s.trees.Embedder != nil {
			if _, err := s.trees.Embedder(""); err != nil {
				return wrong(err, "assay config show lists embed.provider, embed.url and embed.model")
			}
		}
		return fine("%s, as embed.provider says", p)
	}
	return fine("the one that comes with the program, %d dimensions for code, %d for text", m.Dims, m.Text().Dims)
}

func lookGit() []cli.Finding {
	at, err := exec.LookPath("git")
	if err != nil {
		return absent("without it a project is the folder with a file like go.mod, and docs ingest takes no repositories", "not installed")
	}
	return fine("%s", at)
}

func (s *surroundings) lookIndex(ctx context.Context, f *code.Feature) []cli.Finding {
	root, there, err := f.Workspace().Indexed(ctx)
	if err == nil && !there && s.trees.Backend == nil { // else a server has it
		return absent("the first search makes it, or: assay index", "none of %s yet", root)
	}
	var st *code.StatusReport
	if err == nil {
		st, err = f.Status(ctx, code.StatusInput{})
	}
	if err != nil {
		return wrong(err, "assay index --full rebuilds it")
	}
	if strings.HasPrefix(st.State, "read-only") {
		return absent("make the folder writable, or set index.dir", "%s cannot be written; searches index in memory", st.Index)
	}
	out := fine("%s: %s, %s, %s", st.Root, text.Count(st.Documents, "file", "files"), text.Count(st.Chunks, "chunk", "chunks"), st.State)
	if n := st.Changed + st.Removed; n > 0 {
		out[0].Says += fmt.Sprintf(", %s changed since", text.Count(n, "file", "files"))
	}
	return out
}

func (s *surroundings) lookDocs(ctx context.Context, f *docs.Feature) []cli.Finding {
	if _, err := os.Stat(s.docs.DB); errors.Is(err, fs.ErrNotExist) {
		return absent("assay docs ingest SOURCE keeps the documentation of a library", "no library stored")
	}
	all, err := f.List(ctx, docs.ListInput{})
	if err != nil {
		return wrong(err, "move "+s.docs.DB+" away and ingest the libraries again")
	}
	out := fine("%s: %s", s.docs.DB, text.Count(len(all.Libraries), "library", "libraries"))
	if n := all.ByWords(); n > 0 {
		out = append(out, cli.Finding{State: cli.Wrong, Says: fmt.Sprintf("%s read by an assay with another embedding model: words alone find what is in there", text.Count(n, "library was", "libraries were")), Fix: "assay docs refresh --all reads it again"})
	}
	return out
}

func (s *surroundings) lookMemory(ctx context.Context, f *memory.Feature) []cli.Finding {
	c := s.memory()
	if _, err := os.Stat(c.DB); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(c.Vault); errors.Is(err, fs.ErrNotExist) {
			return absent(`assay memory store "…" keeps the first note`, "no notes yet")
		}
		return absent("the first search makes it, or: assay memory rebuild", "notes in %s, and no index of them yet", c.Vault)
	}
	d, err := f.Doctor(ctx, memory.DoctorInput{})
	if err != nil {
		return wrong(err, "assay memory rebuild rebuilds the index")
	}
	out := fine("%s: %s, %s", d.Vault, text.Count(d.Notes, "note", "notes"), text.Count(d.Sessions, "session", "sessions"))
	for _, p := range d.Problems {
		out = append(out, cli.Finding{State: cli.Wrong, Says: p, Fix: "assay memory doctor says more"})
	}
	return out
}

func lookFramework(ctx context.Context, f *audit.Feature) []cli.Finding {
	p, err := f.Integrity(ctx, audit.PreflightInput{})
	if err != nil {
		return wrong(err, "fix the file named above")
	}
	var out []cli.Finding
	switch n := len(p.Findings); {
	case n > 0 && p.Stops():
		out = wrong(p.Verdict(), "assay preflight lists the files")
	case n > 0:
		out = []cli.Finding{{State: cli.Wrong, Says: fmt.Sprintf("%d files are not as they were delivered", n), Fix: "assay preflight lists them"}}
	case p.Files > 0:
		out = fine("%d files are as they were delivered", p.Files)
	default:
		out = absent("", "no agent framework in this project")
	}
	n, err := f.Notes(ctx, audit.NotesInput{})
	if err != nil {
		return append(out, wrong(err, "")...)
	}
	for _, b := range n.Bad {
		out = append(out, cli.Finding{State: cli.Wrong, Says: fmt.Sprintf("%s:%d: %s", n.File, b.Line, b.Error), Fix: "fix or remove the line; assay does not change it"})
	}
	if l, err := f.Show(ctx, audit.ShowInput{Limit: 1}); err == nil && len(l.Bad) > 0 {
		out = append(out, cli.Finding{State: cli.Wrong, Says: fmt.Sprintf("%s: %d lines cannot be read, the first is %s:%d", l.Dir, len(l.Bad), l.Bad[0].File, l.Bad[0].Line),
			Fix: "they are ignored; assay trajectory check lists them"})
	}
	return out
}

func (s *surroundings) lookClients() []cli.Finding {
	var out []cli.Finding
	seen := map[string]bool{}
	for _, w := range s.agents().Installed() {
		switch {
		case w.Err != nil:
			out = append(out, wrong(w.Err, "fix the file; setup leaves it alone until then")...)
		case !seen[w.Client]:
			seen[w.Client] = true
			out = append(out, fine("%s: %s", w.Client, w.Path)...)
		}
		if w.Fix != "" {
			out = append(out, cli.Finding{State: cli.Wrong, Says: w.Path + " has the hooks of an earlier version, by which a program that is missing or fails blocks a session", Fix: w.Fix})
		}
	}
	if len(out) == 0 {
		return absent("assay setup", "none is set up")
	}
	return out
}

func (s *surroundings) lookPrograms() []cli.Finding {
	var out []cli.Finding
	for _, p := range s.agents().Programs() {
		if p.Path == "" {
			out = append(out, absent(p.Get, "%s not installed", p.Name)...)
		} else {
			out = append(out, fine("%s installed: %s", p.Name, p.Path)...)
		}
	}
	exe, err := os.Executable()
	if err != nil {
		return out
	}
	name := strings.TrimSuffix(filepath.Base(exe), ".exe")
	if at, err := exec.LookPath(name); err != nil {
		out = append(out, absent("clients that find it by its name need it there", "%s is not in PATH", name)...)
	} else if a, e := os.Stat(at); e == nil {
		if b, e := os.Stat(exe); e == nil && !os.SameFile(a, b) && runtime.GOOS != "windows" {
			out = append(out, absent("clients start that one", "PATH finds another %s: %s", name, at)...)
		}
	}
	return out
}
