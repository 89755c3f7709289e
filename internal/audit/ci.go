package audit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/git"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
)

// A CIInput asks for the findings of an audit as a pipeline wants them.
type CIInput struct {
	FailOn   string `json:"fail_on,omitempty" flag:"fail-on" min:"1" default:"ghost:high,drift:high" help:"findings that fail the run: ghost, shadow, drift, each with :high, :medium or :low as its minimum severity; or none"`
	Format   string `json:"format,omitempty" flag:"format" enum:"text|sarif|github|json|markdown|html" default:"text" help:"the format written to standard output"`
	Baseline string `json:"baseline,omitempty" flag:"baseline" out:"file,if=update_baseline" help:"a file of accepted findings, which are not reported"`
	Update   bool   `json:"update_baseline,omitempty" flag:"update-baseline" help:"write the current findings to the --baseline file, and pass"`
	Accepted bool   `json:"accepted,omitempty" flag:"accepted" help:"ignore findings accepted by audit accept in this project"`
	Since    string `json:"since,omitempty" flag:"since" min:"1" help:"only findings that the changes since this revision touch or introduce"`
	All      bool   `json:"all,omitempty" flag:"all" help:"also list what is unsure: names that may be of something else; and what no rule judges, with why"`
	Scope
}

// A CI is the findings that are new to a pipeline.
type CI struct {
	Passed   bool             `json:"passed"`
	FailOn   string           `json:"fail_on"`
	Findings []claims.Finding `json:"findings"`
	Failing  int              `json:"failing"`
	Low      int              `json:"low"`                      // findings of low severity that are only counted
	Skipped  []named.Skipped  `json:"not_judged,omitempty"`     // if all is asked for
	Known    int              `json:"known"`                    // in the baseline
	Ignored  []Ignored        `json:"ignored"`                  // by a mark or the ignore file
	Accepted []Ignored        `json:"accepted,omitempty"`       // those of Known that were accepted one by one
	Idle     []claims.Place   `json:"ignore_nothing,omitempty"` // lines of the ignore file that no finding is of
	Since    string           `json:"since,omitempty"`
	Outside  int              `json:"outside,omitempty"` // of the changes since then
	Baseline string           `json:"baseline_written,omitempty"`
	covering

	format, version, root string
	below                 string // the root's path in its repository: forges take paths from there
}

// An Ignored is a finding that the project accepts, and why.
type Ignored struct {
	claims.Finding
	Reason string       `json:"reason"`
	By     claims.Place `json:"by"`
}

// severities are in order.
var severities = []string{"low", "medium", "high"}

// A threshold is the least severity at which findings of a rule fail.
type threshold map[claims.Rule]int

func parseFailOn(s string) (threshold, error) {
	out := threshold{}
	if s == "none" {
		return out, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		rule, severity, given := strings.Cut(strings.TrimSpace(part), ":")
		least := 0
		if given {
			least = slices.Index(severities, severity)
		}
		if !slices.Contains(claims.Rules, claims.Rule(rule)) || least < 0 {
			return nil, fault.New(fault.Usage, "--fail-on: %q is not one of ghost, shadow and drift, with or without :high, :medium or :low", part).Or("--fail-on ghost,drift:medium,shadow:high, or --fail-on none")
		}
		if before, twice := out[claims.Rule(rule)]; twice {
			least = min(least, before) // each of both says that it fails
		}
		out[claims.Rule(rule)] = least
	}
	return out, nil
}

func (t threshold) fails(f *claims.Finding) bool {
	least, ok := t[f.Rule]
	return ok && slices.Index(severities, f.Severity) >= least
}

// documents reports whether it is documents that are judged: without one such a run passes
// whatever the code is, as after a checkout of the wrong folder.
func (t threshold) documents() bool {
	_, ghost := t[claims.GhostRule]
	_, drift := t[claims.DriftRule]
	return ghost || drift
}

// code reports whether it is judged by code.
func (t threshold) code() bool {
	_, ghost := t[claims.GhostRule]
	_, shadow := t[claims.ShadowRule]
	return ghost || shadow
}

// A baseline is the file of findings that are accepted.
type baseline struct {
	Version  int               `json:"version"`
	Findings map[string]string `json:"findings"`          // rule and path, by fingerprint
	Reasons  map[string]string `json:"reasons,omitempty"` // of those that were accepted one by one
}

const maxBaseline = 16 << 20

// readBaseline reads a baseline; anew is for one that may not be there yet.
func (f *Feature) readBaseline(file string, anew bool) (*baseline, error) {
	b := &baseline{Version: 1, Findings: map[string]string{}}
	raw, err := safe.ReadNamed(f.abs(file), maxBaseline)
	switch {
	case errors.Is(err, os.ErrNotExist) && anew:
		return b, nil
	case errors.Is(err, os.ErrNotExist):
		return nil, fault.New(fault.NotFound, "no file %s", file).Try("audit ci", fault.Arg{Name: "baseline", Value: file}, fault.Arg{Name: "update_baseline", Value: true})
	case err != nil:
		return nil, fault.New(fault.Unavailable, "read %s", file).Because(err)
	}
	b.Version = 0
	if err := json.Unmarshal(raw, b); err != nil || b.Version != 1 {
		if anew {
			return nil, fault.New(fault.Usage, "%s is not a baseline, and is not overwritten", file).Or("name another file, or remove it")
		}
		return nil, fault.New(fault.Usage, "%s is not a baseline", file).Or("--update-baseline writes one to another file")
	}
	if b.Findings == nil {
		b.Findings = map[string]string{}
	}
	return b, nil
}

func (f *Feature) baseline(in CIInput) (*baseline, error) {
	switch {
	case in.Accepted && (in.Baseline != "" || in.Update):
		return nil, fault.New(fault.Usage, "--accepted is the baseline of the project: omit --baseline and --update-baseline").Or("assay audit ci --accepted")
	case in.Baseline != "":
		return f.readBaseline(in.Baseline, in.Update)
	case in.Update:
		return nil, fault.New(fault.Usage, "--update-baseline without --baseline").Or("name the file: --baseline .assay-baseline.json --update-baseline")
	}
	return &baseline{}, nil
}

// baselined is what a baseline says of a finding. Not what is claimed: the file lies in the tree, and would be
// evidence of it.
func baselined(x *claims.Finding) string { return string(x.Rule) + " " + x.Path }

// writeBaseline writes the findings of today, with the reasons that those had which stay.
func (f *Feature) writeBaseline(in CIInput, was *baseline, all []claims.Finding) error {
	b := &baseline{1, map[string]string{}, map[string]string{}}
	for i := range all {
		x := &all[i]
		b.Findings[x.Fingerprint] = baselined(x)
		if why := was.Reasons[x.Fingerprint]; why != "" {
			b.Reasons[x.Fingerprint] = why
		}
	}
	return f.replaceBaseline(in.Baseline, b)
}

func (f *Feature) replaceBaseline(file string, b *baseline) error {
	raw, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return fmt.Errorf("write the baseline: %w", err)
	}
	if err := safe.Deliver(f.abs(file), append(raw, '\n'), 0o644); err != nil {
		return fault.New(fault.Unavailable, "write %s", file).Because(err)
	}
	return nil
}

// CI lists ghosts, shadows and drift for a pipeline: without what the project accepts,
// and with a verdict.
func (f *Feature) CI(ctx context.Context, in CIInput) (*CI, error) {
	in.FailOn = cmp.Or(in.FailOn, "ghost:high,drift:high")
	fails, err := parseFailOn(in.FailOn)
	if err != nil {
		return nil, err
	}
	known, err := f.baseline(in)
	if err != nil {
		return nil, err
	}
	out := &CI{FailOn: in.FailOn, Findings: []claims.Finding{}, Ignored: []Ignored{}, format: in.Format, version: f.cfg.Version}
	err = f.audited(ctx, in.Scope, "ci", func(a *claims.Auditor) (int, error) {
		if len(a.Tree.Docs) == 0 && fails.documents() {
			return 0, fault.New(fault.NotFound, "no document was found below %s, so no ghost and no drift could fail", a.Tree.Root).Or("name documents with --docs, or ask for what needs none: --fail-on shadow, --fail-on none")
		}
		if len(a.Tree.Code) == 0 && fails.code() {
			return 0, fault.New(fault.NotFound, "no code was found below %s, so no ghost and no shadow could fail", a.Tree.Root).Or("give --root the folder that has the code, or ask for what needs none: --fail-on drift, --fail-on none")
		}
		out.root, out.below = a.Tree.Root, below(a.Tree.Root)
		file := in.Baseline
		if in.Accepted {
			if known, file, err = f.accepted(a.Tree.Root, ""); err != nil {
				return 0, err
			}
		}
		ignores, err := ignores(ctx, a.Tree)
		if err != nil {
			return 0, err
		}
		work.FromContext(ctx).Progress("Cross-referencing documentation with implementation…", 0, 0)
		_, shadows := fails[claims.ShadowRule]
		all, change, err := f.reported(ctx, a, in.Since, shadows, out)
		if err != nil {
			return 0, err
		}
		var names *named.Report
		if out.covering, names, err = namedBy(ctx, a); err != nil {
			return 0, err
		}
		if in.All && in.Since == "" {
			out.Skipped = names.Skipped
		}
		kept := all[:0:0]
		for i := range all {
			x := &all[i]
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if g := ignores.Of(x); g != nil {
				out.Ignored = append(out.Ignored, Ignored{*x, g.Reason, g.Place})
				continue
			}
			if x.Severity == "low" && !in.All && !fails.fails(x) {
				if change == nil || change.Concerns(x) {
					out.Low++
				}
				continue
			}
			kept = append(kept, *x)
			switch {
			case in.Update || known.Findings[x.Fingerprint] != "":
				out.Known++
				if why := known.Reasons[x.Fingerprint]; why != "" {
					out.Accepted = append(out.Accepted, Ignored{*x, why, claims.Place{Path: file}})
				}
			case change != nil && !change.Concerns(x):
				out.Outside++
			default:
				out.Findings = append(out.Findings, *x)
				if fails.fails(x) {
					out.Failing++
				}
			}
		}
		out.Idle = ignores.Idle()
		if in.Update {
			out.Baseline = in.Baseline
			return len(all), f.writeBaseline(in, known, kept)
		}
		return len(all), nil
	})
	if err != nil {
		return nil, err
	}
	out.Passed = out.Failing == 0
	return out, nil
}

// reported returns the findings of a project, and with a revision what has changed since.
func (f *Feature) reported(ctx context.Context, a *claims.Auditor, since string, shadows bool, out *CI) ([]claims.Finding, *claims.Change, error) {
	change, err := f.change(ctx, a, since, out)
	if err != nil {
		return nil, nil, err
	}
	all, err := a.Findings(ctx, shadows)
	if err == nil && change != nil {
		if n := a.Tree.Unknown(); n > 0 {
			work.FromContext(ctx).Note("what the change took out of the code was not looked for: %s could not be read, and may have it still", text.Count(n, "file of source", "files of source"))
		}
	}
	return all, change, err
}

// below returns the path of a folder in the repository that it is in.
func below(root string) string {
	if top, ok := git.TopLevel(root); ok {
		if rel, err := filepath.Rel(top, root); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

func ignores(ctx context.Context, t *claims.Tree) (*claims.Ignores, error) {
	at, err := safe.OpenRoot(t.Root)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "open %s", t.Root).Because(err)
	}
	defer at.Close()
	raw, err := at.ReadFile(claims.IgnoreFile, maxDocument)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fault.New(fault.Unavailable, "read %s", claims.IgnoreFile).Because(err)
	}
	if n := bytes.Count(raw, []byte("\n")); n > claims.MostIgnores {
		return nil, fault.New(fault.Usage, "%s has %d lines, and at most %d are compared with findings", claims.IgnoreFile, n, claims.MostIgnores).Or("one line with ** is for a whole folder; --baseline FILE --update-baseline accepts single findings")
	}
	out := t.Ignores(string(raw))
	for _, bad := range out.Bad {
		work.FromContext(ctx).Note("%s ignores nothing: it says no reason, or cannot be read", text.Line(bad.String()))
	}
	return out, nil
}

// change returns what a revision and the tree have differently, or nil where none is
// asked about.
func (f *Feature) change(ctx context.Context, a *claims.Auditor, rev string, out *CI) (*claims.Change, error) {
	if rev == "" {
		return nil, nil
	}
	t := a.Tree
	commit, err := git.Commit(ctx, t.Root, rev)
	switch {
	case errors.Is(err, git.ErrNone):
		return nil, fault.New(fault.Unavailable, "--since needs git, and %s has none that can be asked", t.Root).Because(err).Or("omit --since")
	case err != nil:
		return nil, fault.New(fault.Unavailable, "ask git about %s", rev).Because(err)
	case commit == "":
		return nil, fault.New(fault.NotFound, "no revision %s", rev).Or("fetch it first: a shallow clone has only the newest commit")
	}
	out.Since = commit
	changes, err := git.Changes(ctx, t.Root, commit, "")
	if err != nil {
		return nil, fault.New(fault.Unavailable, "compare with %s", rev).Because(err)
	}
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path)
		if c.Was != "" {
			paths = append(paths, c.Was)
		}
	}
	was, err := git.Contents(ctx, t.Root, commit, paths, maxDocument)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "read files of %s", rev).Because(err)
	}
	a.Since(was)
	return t.NewChange(was, paths), nil
}

// Verdict returns an error where a finding fails the run.
func (r *CI) Verdict() error {
	if r.Passed {
		return nil
	}
	failing := text.Counted("%d of %d finding{s} {fails|fail} the run", r.Failing, len(r.Findings))
	return fault.New(fault.Negative, "%s (--fail-on %s)", failing, r.FailOn).
		Or("fix them, or accept them with a reason: <!-- assay-ignore: why -->, %s, or assay audit accept", claims.IgnoreFile)
}
