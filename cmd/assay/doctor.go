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
	"github.com/assay-dev/assay/internal/install/doctor"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/present/op"
)

func fineFinding(format string, args ...any) []doctor.Finding {
	return []doctor.Finding{{State: doctor.Fine, Says: fmt.Sprintf(format, args...)}}
}

func absentFinding(fix, format string, args ...any) []doctor.Finding {
	return []doctor.Finding{{State: doctor.Absent, Says: fmt.Sprintf(format, args...), Fix: fix}}
}

// wrongFinding returns the finding of an error, with the hint of the error or else what to do by hand.
func wrongFinding(err error, byHand string) []doctor.Finding {
	return []doctor.Finding{{State: doctor.Wrong, Says: err.Error(), Fix: cmp.Or(fault.HintOf(err), byHand)}}
}

// repairable returns the finding of an error that an operation repairs, unless the error says what to do by hand.
func repairable(err error, writes, op string, args ...fault.Arg) []doctor.Finding {
	out := wrongFinding(err, "")
	if out[0].Fix == "" {
		out[0].Repair, out[0].Writes = &fault.Fix{Op: op, Args: args}, writes
	}
	return out
}

// parts returns everything that the program depends on. Checking it must only read. broken is why the settings cannot be read.
func (s *surroundings) parts(features op.Features, broken error) []doctor.Part {
	fixed := func(look func() []doctor.Finding) func(context.Context) []doctor.Finding {
		return func(context.Context) []doctor.Finding { return look() }
	}
	parts := []doctor.Part{
		{Name: "settings", Look: fixed(func() []doctor.Finding { return s.lookSettings(broken) })},
		{Name: "model", Look: fixed(s.lookModel)},
		{Name: "git", Look: fixed(lookGit)},
	}
	if broken == nil {
		parts = append(parts,
			doctor.Part{Name: "index", Look: func(ctx context.Context) []doctor.Finding { return s.lookIndex(ctx, features.Code) }},
			doctor.Part{Name: "documentation", Look: func(ctx context.Context) []doctor.Finding { return s.lookDocs(ctx, features.Docs) }},
			doctor.Part{Name: "memory", Look: func(ctx context.Context) []doctor.Finding { return s.lookMemory(ctx, features.Memory) }},
			doctor.Part{Name: "framework", Look: func(ctx context.Context) []doctor.Finding { return lookFramework(ctx, features.Audit) }},
		)
	}
	return append(parts,
		doctor.Part{Name: "hooks", Look: fixed(func() []doctor.Finding { return lookHooks(hookLog()) })},
		doctor.Part{Name: "clients", Look: fixed(s.lookClients)},
		doctor.Part{Name: "programs", Look: fixed(s.lookPrograms)},
	)
}

func (s *surroundings) lookSettings(broken error) []doctor.Finding {
	problems := s.cfg.Problems()
	var out []doctor.Finding
	switch {
	case broken != nil && len(problems) == 0: // no settings could be read
		return wrongFinding(broken, "correct that, then assay config show lists the settings")
	case broken == nil:
		set, all := 0, s.cfg.Explain(s.defaults()).Settings
		for _, x := range all {
			if x.Origin != "default" {
				set++
			}
		}
		out = fineFinding("%s", text.Counted("%d of %d settings {is|are} set (assay config show)", set, len(all)))
	}
	for _, p := range problems {
		out = append(out, doctor.Finding{State: doctor.Wrong, Says: p.Says, Fix: p.Fix})
	}
	return out
}

// lookHooks returns the failures of hooks in the last day. They must be shown here, because an agent's session goes on
// without memory and does not report them.
func lookHooks(log memory.HookLog) []doctor.Finding {
	failures, err := log.Failures(log.Now().Add(-24*time.Hour), 5)
	if err != nil {
		return wrongFinding(err, "")
	}
	var out []doctor.Finding
	for _, f := range failures {
		says := fmt.Sprintf("%s, %s: %s", f.Last.Format("2006-01-02 15:04:05Z"), f.Where, f.Says)
		if f.Times > 1 {
			says += fmt.Sprintf(" (%d times)", f.Times)
		}
		out = append(out, doctor.Finding{State: doctor.Wrong, Says: says, Fix: cmp.Or(f.Fix, "assay memory doctor has details; the log is "+log.Path())})
	}
	if len(out) == 0 {
		return fineFinding("no failures in the last day")
	}
	return out
}

func (s *surroundings) lookModel() []doctor.Finding {
	m, err := static.Default()
	if err != nil {
		return wrongFinding(err, "the program is damaged: install it again")
	}
	if p := s.cfg.Embed.Provider; p != "static" && p != "" {
		if s.trees.Embedder != nil {
			if _, err := s.trees.Embedder(""); err != nil {
				return wrongFinding(err, "assay config show lists embed.provider, embed.url and embed.model")
			}
		}
		return fineFinding("%s (embed.provider)", p)
	}
	return fineFinding("built in: %d dimensions for code, %d for text", m.Dims, m.Text().Dims)
}

func lookGit() []doctor.Finding {
	at, err := exec.LookPath("git")
	if err != nil {
		return absentFinding("without git, a project is a folder with a file like go.mod, and docs ingest cannot fetch repositories", "not installed")
	}
	return fineFinding("%s", at)
}

func (s *surroundings) lookIndex(ctx context.Context, f *code.Feature) []doctor.Finding {
	root, there, err := f.Workspace().Indexed(ctx)
	if err == nil && !there && s.trees.Backend == nil { // otherwise a server has it
		out := absentFinding("the first search creates it, or: ", "no index of %s yet", root)
		out[0].Repair, out[0].Writes = &fault.Fix{Op: "index"}, "the index of "+root
		return out
	}
	var st *code.StatusReport
	if err == nil {
		st, err = f.Status(ctx, code.StatusInput{})
	}
	if err != nil {
		return repairable(err, "the index of "+cmp.Or(root, s.trees.WorkDir), "index", fault.Arg{Name: "full", Value: true})
	}
	if strings.HasPrefix(st.State, "read-only") {
		return absentFinding("make the folder writable, or set index.dir", "cannot write to %s, so searches index in memory", st.Index)
	}
	excluded := 0
	for _, n := range st.Skipped {
		excluded += n
	}
	if lost := st.Documents == 0 && st.Files > excluded; lost || len(st.Notes) > 0 { // a search repairs that too, but answers before it has
		says := fmt.Sprintf("%s: the index is damaged, or was never filled: it has %d of %s", st.Index, st.Documents, text.Count(st.Files-excluded, "file", "files"))
		return []doctor.Finding{{State: doctor.Wrong, Says: says, Repair: &fault.Fix{Op: "index"}, Writes: st.Index}}
	}
	out := fineFinding("%s: %s, %s, %s", st.Root, text.Count(st.Documents, "file", "files"), text.Count(st.Chunks, "chunk", "chunks"), st.State)
	if n := st.Changed + st.Removed; n > 0 {
		out[0].Says += fmt.Sprintf(", %s changed since", text.Count(n, "file", "files"))
	}
	return out
}

func (s *surroundings) lookDocs(ctx context.Context, f *docs.Feature) []doctor.Finding {
	if _, err := os.Stat(s.docs.DB); errors.Is(err, fs.ErrNotExist) {
		return absentFinding("assay docs ingest SOURCE stores the documentation of a library", "no library stored")
	}
	all, err := f.List(ctx, docs.ListInput{})
	if err != nil {
		return wrongFinding(err, "move "+s.docs.DB+" away and ingest the libraries again")
	}
	out := fineFinding("%s: %s", s.docs.DB, text.Count(len(all.Libraries), "library", "libraries"))
	if n := all.ByWords(); n > 0 {
		out = append(out, doctor.Finding{State: doctor.Wrong, Writes: s.docs.DB, Repair: &fault.Fix{Op: "docs refresh", Args: []fault.Arg{{Name: "all", Value: true}}},
			Says: fmt.Sprintf("%s indexed with another embedding model, so only words find them", text.Count(n, "library was", "libraries were"))})
	}
	return out
}

func (s *surroundings) lookMemory(ctx context.Context, f *memory.Feature) []doctor.Finding {
	c := s.memory()
	if _, err := os.Stat(c.DB); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(c.Vault); errors.Is(err, fs.ErrNotExist) {
			return absentFinding(`assay memory store "…" stores the first note`, "no notes yet")
		}
		return absentFinding("the first search creates it, or: assay memory rebuild", "notes in %s have no index yet", c.Vault)
	}
	d, err := f.Doctor(ctx, memory.DoctorInput{})
	if err != nil {
		return repairable(err, c.DB, "memory rebuild")
	}
	out := fineFinding("%s: %s, %s", d.Vault, text.Count(d.Notes, "note", "notes"), text.Count(d.Sessions, "session", "sessions"))
	for _, p := range d.Problems {
		x := doctor.Finding{State: doctor.Wrong, Says: p.Says, Fix: "assay memory doctor has details"}
		if p.Repair != "" {
			x.Fix, x.Repair, x.Writes = "", &fault.Fix{Op: p.Repair}, c.DB
		}
		out = append(out, x)
	}
	return out
}

func lookFramework(ctx context.Context, f *audit.Feature) []doctor.Finding {
	p, err := f.Integrity(ctx, audit.PreflightInput{})
	if err != nil {
		return wrongFinding(err, "fix the file named above")
	}
	var out []doctor.Finding
	switch n := len(p.Findings); {
	case n > 0 && p.Stops():
		out = wrongFinding(p.Verdict(), "assay preflight lists the files")
	case n > 0:
		out = []doctor.Finding{{State: doctor.Wrong, Says: fmt.Sprintf("%d files differ from their release", n), Fix: "assay preflight lists them"}}
	case p.Files > 0:
		out = fineFinding("%d files match their release", p.Files)
	default:
		out = absentFinding("", "no agent framework in this project")
	}
	n, err := f.Notes(ctx, audit.NotesInput{})
	if err != nil {
		return append(out, wrongFinding(err, "")...)
	}
	for _, b := range n.Bad {
		out = append(out, doctor.Finding{State: doctor.Wrong, Says: fmt.Sprintf("%s:%d: %s", n.File, b.Line, b.Error),
			Fix: "correct or remove the line; assay does not change the file"})
	}
	if l, err := f.Show(ctx, audit.ShowInput{Limit: 1}); err == nil && len(l.Bad) > 0 {
		out = append(out, doctor.Finding{State: doctor.Wrong, Says: fmt.Sprintf("%s: %d unreadable lines are ignored, the first is %s:%d", l.Dir, len(l.Bad), l.Bad[0].File, l.Bad[0].Line),
			Fix: "assay trajectory check lists them"})
	}
	return out
}

func (s *surroundings) lookClients() []doctor.Finding {
	var out []doctor.Finding
	seen := map[string]bool{}
	for _, w := range s.agents().Installed() {
		switch {
		case w.Err != nil:
			out = append(out, wrongFinding(w.Err, "correct the file; until then setup does not change it")...)
		case !seen[w.Client]:
			seen[w.Client] = true
			out = append(out, fineFinding("%s: %s", w.Client, w.Path)...)
		}
		if w.Wrong == "" {
			continue
		}
		x := doctor.Finding{State: doctor.Wrong, Says: w.Path + " " + w.Wrong, Repair: w.Fix}
		if w.Fix == nil {
			x.Fix = "correct the entry by hand: it starts the server with flags that setup does not know and would remove"
		}
		out = append(out, x)
	}
	if len(out) == 0 {
		return absentFinding("assay setup", "no client is set up")
	}
	return out
}

func (s *surroundings) lookPrograms() []doctor.Finding {
	var out []doctor.Finding
	for _, p := range s.agents().Programs() {
		if p.Path == "" {
			out = append(out, absentFinding(p.Get, "%s not installed", p.Name)...)
		} else {
			out = append(out, fineFinding("%s installed: %s", p.Name, p.Path)...)
		}
	}
	exe, err := os.Executable()
	if err != nil {
		return out
	}
	name := strings.TrimSuffix(filepath.Base(exe), ".exe")
	if at, err := exec.LookPath(name); err != nil {
		out = append(out, absentFinding("clients that start it by its name need it in PATH", "%s is not in PATH", name)...)
	} else if a, e := os.Stat(at); e == nil {
		if b, e := os.Stat(exe); e == nil && !os.SameFile(a, b) && runtime.GOOS != "windows" {
			out = append(out, absentFinding("clients start the one in PATH", "PATH has another %s: %s", name, at)...)
		}
	}
	return out
}
