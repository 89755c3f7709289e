package script

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/script/check"
	"github.com/assay-dev/assay/internal/script/lua"
)

// A RunResult is what came of a file: the report of checks, or what a script returned.
type RunResult struct {
	Report *check.Report
	Result any

	under       *ExecResult // of a script under a policy file
	values      []any
	name        string
	tap         bool
	interrupted error
	told        bool // each run has been shown as it ended
}

// MarshalJSON writes the report of checks as it is, or {"result": …}.
func (r *RunResult) MarshalJSON() ([]byte, error) {
	if r.Report != nil {
		return json.Marshal(r.Report)
	}
	if r.under != nil {
		return json.Marshal(r.under)
	}
	return json.Marshal(map[string]any{"result": r.Result})
}

// Verbatim is true: what a script returns is its own affair.
func (r *RunResult) Verbatim(bool) bool { return true }

// WriteText writes the report of checks as JSON or TAP, or what a script returned.
func (r *RunResult) WriteText(w io.Writer, _ bool) error {
	switch {
	case r.told:
		return nil
	case r.under != nil:
		return r.under.WriteText(w, false)
	case r.Report == nil:
		return writeValues(w, r.values)
	case r.tap:
		return r.Report.WriteTAP(w)
	}
	return r.Report.WriteJSON(w)
}

// Verdict returns nil where all checks passed, and else an error for when the report has been written.
func (r *RunResult) Verdict() error {
	if r.interrupted != nil {
		return fault.New(fault.Interrupted, "interrupted").Because(r.interrupted)
	}
	if r.Report == nil || r.Report.Passed {
		return r.under.Verdict()
	}
	return fault.New(fault.Negative, "%d of %d checks of %s failed", r.Report.Failed(), len(r.Report.Checks), r.name)
}

// Run runs a file by its ending.
func (f *Feature) Run(ctx context.Context, in RunInput) (*RunResult, error) {
	memory, err := f.memory(in.Memory, f.cfg.Policy != nil)
	if err != nil {
		return nil, err
	}
	switch ext := strings.ToLower(filepath.Ext(in.File)); ext {
	case ".lua":
		for name, given := range map[string]bool{"--junit": in.JUnit != "", "--html": in.HTML != "", "--watch": in.Watch, "--tap": in.TAP, "--strict": in.Strict, "--only": len(in.Only) > 0,
			"--var": len(in.Var) > 0, "--secrets": in.Secrets != "", "--data": in.Data != "", "--repeat": in.Repeat > 0, "--vus": in.VUs > 0, "--duration": in.Duration != ""} {
			if given {
				return nil, fault.New(fault.Usage, "%s is for checks, and %s is a script", name, in.File)
			}
		}
		if in.Policy != "" {
			r, err := f.Exec(ctx, ExecInput{File: in.File, Args: in.Args, Memory: in.Memory, Requests: in.Requests})
			return &RunResult{under: r}, err
		}
		values, err := f.script(ctx, in, memory)
		if err != nil {
			return nil, err
		}
		return &RunResult{Result: single(values), values: values}, nil
	case ".yaml", ".yml":
		for name, given := range map[string]bool{"--trace": in.Trace, "--dry-run": in.DryRun, "--record": in.Record != "", "--replay": in.Replay != ""} {
			if given {
				return nil, fault.New(fault.Usage, "%s is for scripts, and %s is a file of checks", name, in.File)
			}
		}
		if in.Watch {
			return watchChecks(ctx, f, in, memory)
		}
		return f.checks(ctx, in, memory)
	default:
		if _, err := f.read(in.File); errors.Is(err, fs.ErrNotExist) {
			return nil, f.unread("reading", in.File, err, scripts, ".lua", ".yaml", ".yml")
		}
		return nil, fault.New(fault.Usage, "unsupported file extension %q (expected .yaml, .yml, or .lua)", strings.TrimPrefix(ext, ".")).
			Or("assay exec FILE runs a file as Lua whatever it is called")
	}
}

// script runs a file of Lua and returns what it returns.
func (f *Feature) script(ctx context.Context, in RunInput, memory int64) ([]any, error) {
	src, err := f.read(in.File)
	if err != nil {
		return nil, f.unread("reading", in.File, err, scripts, ".lua", ".yaml", ".yml")
	}
	w, done, err := f.wire(in.Requests)
	if err != nil {
		return nil, err
	}
	policy, err := f.policy(&in.Requests)
	if err != nil {
		return nil, err
	}
	o := f.options(ctx, memory, in.Requests, w, policy)
	if work.FromContext(ctx).Document {
		o.Stdout = f.stderr // standard output is for the document alone
	}
	values, err := f.execute(ctx, o, "@"+in.File, src, in.Args)
	if kept := done(); err == nil {
		err = kept
	}
	return values, err
}

// runLua runs a script in a VM, and closes that.
func runLua(ctx context.Context, vm *lua.VM, chunk string, src []byte, args []string) ([]any, error) {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a
	}
	results, err := vm.Run(ctx, chunk, src, values...)
	if closed := vm.Close(); err == nil {
		err = closed
	}
	return results, err
}

func (f *Feature) execute(ctx context.Context, o lua.Options, chunk string, src []byte, args []string) ([]any, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := &outlet{w: o.Stdout, stop: stop}
	o.Stdout = out
	vm := lua.New(o)
	results, err := runLua(ctx, vm, chunk, src, args)
	if lost := out.lost(); lost != nil {
		return nil, lost
	}
	if err != nil {
		return nil, raised(err)
	}
	if vm.HasSecrets() {
		for i, v := range results {
			results[i] = redacted(vm, v)
		}
	}
	return results, nil
}

// An outlet is where a script prints. When nothing more can be written there, the
// script ends, though it may catch the error that print raises.
type outlet struct {
	w    io.Writer
	stop context.CancelFunc
	mu   sync.Mutex
	err  error
}

func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.mu.Lock()
		if o.err == nil {
			o.err = err
		}
		o.mu.Unlock()
		o.stop()
	}
	return n, err
}

// lost is why not all that the script printed is out.
func (o *outlet) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// single returns the one value of a script, nil for none, or the list of several.
func single(values []any) any {
	switch len(values) {
	case 0:
		return nil
	case 1:
		return values[0]
	}
	return values
}

// writeValues writes what a script returned, a line each: a string as it is, a table as JSON, nil not at all.
func writeValues(w io.Writer, values []any) error {
	for _, v := range values {
		text, err := shown(v)
		if err != nil {
			return err
		}
		if v == nil {
			continue
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}

func shown(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	text, err := compact(v)
	if err != nil {
		return "", fault.New(fault.Negative, "the result cannot be written as JSON").Because(err)
	}
	return text, nil
}

// checks runs a file of checks.
func (f *Feature) checks(ctx context.Context, in RunInput, memory int64) (out *RunResult, err error) {
	if f.cfg.Policy != nil {
		return nil, fault.New(fault.Unavailable, "checks cannot be run under a policy").Or("run them from the command line")
	}
	policy, err := f.policy(&in.Requests)
	if err != nil {
		return nil, err
	}
	text, err := f.read(in.File)
	if err != nil {
		return nil, f.unread("loading config from", in.File, err, scripts, ".lua", ".yaml", ".yml")
	}
	suite, err := check.Parse(text, in.Strict)
	if err == nil {
		suite.Checks, err = only(suite.Checks, in.Only)
	}
	if err != nil {
		return nil, refused(err, "loading config from %s: %v", in.File, err)
	}
	runner := check.Runner{Env: f.cfg.Env, Note: work.FromContext(ctx).Note, Now: f.cfg.Now}
	if err := f.loaded(suite, &runner, in.Load); err != nil {
		return nil, err
	}
	for _, u := range suite.Unknown {
		runner.Note("%s: %s: it is ignored (--strict makes it an error)", in.File, u)
	}
	for _, lacks := range suite.Incomplete {
		runner.Note("%s: %s: it fails (--strict refuses the file)", in.File, lacks)
	}
	runner.Note("running %s: %d checks, timeout %v, retries %d", in.File, len(suite.Checks), suite.Timeout, suite.Retries)
	began := f.cfg.Now()
	dir := filepath.Dir(f.path(in.File))
	runner.File, runner.Own = f.beside(dir), below(dir, f.path("."))
	runner.Client = client(suite.VUs)
	o := f.options(ctx, memory, in.Requests, nil, policy)
	if policy != nil {
		end, failed := f.prepare(&o, nil, "@"+in.File, text)
		if failed != nil {
			return nil, failed
		}
		defer func() { end(checksError(out, err)) }()
		if o.Memory, err = boundSuite(policy, suite, memory); err != nil {
			return nil, err
		}
		o.Approvals, o.Requests = nil, new(atomic.Int64) // a suite cannot be resumed, and all its scripts count together
		runner.Client, runner.Env = lua.New(o).Guard(runner.Client), policy.Visible(runner.Env)
		if !policy.Own {
			runner.File = below(dir)
		}
	}
	in.track(&runner, &o, dir, f.path("."))
	runner.Script = f.scriptCheck(runner.File, o)
	for _, c := range suite.Checks {
		if c.Type != check.Script || c.File == "" {
			continue
		}
		if _, err := runner.File(c.File); errors.Is(err, fs.ErrNotExist) { // an earlier check may yet write it
			runner.Note("%s: line %d: check %s: there is no script %q", in.File, c.Line, c.Name, c.File)
		}
	}
	defer runner.Client.CloseIdleConnections()
	result, err := runner.Run(ctx, suite)
	switch {
	case result == nil && ctx.Err() != nil:
		return nil, err
	case result == nil:
		return nil, refused(err, "loading config from %s: %v", in.File, err)
	}
	if lost := f.reports(result, in, began); lost != nil {
		return nil, lost
	}
	return &RunResult{Report: result, name: in.File, tap: in.TAP, interrupted: err}, nil
}

// checksError returns the error that the log has of a run of checks.
func checksError(out *RunResult, err error) error {
	switch {
	case err != nil:
		return err
	case out == nil:
		return errors.New("the run of the checks panicked")
	}
	return out.Verdict()
}

// boundSuite holds a suite to the limits of its policy, and returns the memory of its scripts. The duration of a load is part of the time.
func boundSuite(p *lua.Policy, s *check.Suite, memory int64) (int64, error) {
	total, memory := bounds(p, s.Timeout+s.Duration, memory)
	if s.Timeout = total - s.Duration; s.Duration > 0 && s.Timeout <= 0 {
		return 0, fault.New(fault.Usage, "the policy lets a run take %v, and --duration is %v", total, s.Duration).Or("give a shorter --duration")
	}
	return memory, nil
}

// refused is the error of what cannot be run as it is written, or lacks a file: never that
// of a check that failed, which pipelines tell from it by the exit status.
func refused(err error, format string, args ...any) error {
	kind := fault.Usage
	if _, path := errors.AsType[*fs.PathError](err); path {
		kind = fault.Unavailable
	}
	if errors.Is(err, fs.ErrNotExist) {
		kind = fault.NotFound
	}
	return fault.New(kind, format, args...)
}

// reports writes the report to the files that were asked for.
func (f *Feature) reports(r *check.Report, in RunInput, began time.Time) error {
	name := filepath.Base(in.File)
	for _, out := range []struct {
		what, path string
		write      func(io.Writer, string, time.Time) error
	}{{"JUnit", in.JUnit, r.WriteJUnit}, {"HTML", in.HTML, r.WriteHTML}} {
		if out.path == "" {
			continue
		}
		var b bytes.Buffer
		if err := out.write(&b, name, began); err != nil {
			return err
		}
		if err := safe.Deliver(f.path(out.path), b.Bytes(), 0o644); err != nil {
			return fault.New(fault.Unavailable, "the %s report cannot be written", out.what).Because(err)
		}
	}
	return nil
}

// loaded gives a suite and what runs it the values, repetitions and users that the command line asks for.
func (f *Feature) loaded(suite *check.Suite, runner *check.Runner, in Load) (err error) {
	if runner.Vars, err = check.Assignments(in.Var); err != nil {
		return fault.New(fault.Usage, "--var: %v", err)
	}
	if in.Secrets != "" {
		text, err := f.read(in.Secrets)
		if err == nil {
			runner.Secrets, err = check.SecretLines(text)
		}
		if err != nil {
			return refused(err, "reading the secrets in %s: %v", in.Secrets, file.Bare(err))
		}
	}
	if in.Data != "" {
		suite.Data, suite.Rows = in.Data, nil
	}
	suite.Repeat = in.Repeat
	var d time.Duration
	if in.Duration != "" {
		if d, err = check.Duration(in.Duration); err != nil {
			return fault.New(fault.Usage, "--duration: %v", err)
		}
	}
	if err := suite.Under(in.VUs, d); err != nil {
		return fault.New(fault.Usage, "%v", err).Or("give --duration 30s or --repeat 100")
	}
	return nil
}

// only returns the checks of some names, all without any.
func only(checks []check.Check, names []string) ([]check.Check, error) {
	if len(names) == 0 {
		return checks, nil
	}
	for _, n := range names {
		if !slices.ContainsFunc(checks, func(c check.Check) bool { return c.Name == n }) {
			return nil, fmt.Errorf("no check has the name %q", n)
		}
	}
	return slices.DeleteFunc(checks, func(c check.Check) bool { return !slices.Contains(names, c.Name) }), nil
}

// beside reads the files that checks name: as seen from the working directory, or else from dir, where the checks are.
func (f *Feature) beside(dir string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		b, err := f.read(name)
		if errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(name) {
			if b, err := f.read(filepath.Join(dir, name)); err == nil {
				return b, nil
			}
		}
		return b, err
	}
}

// below reads files that checks name in the first of some folders that has them. Certificates and keys that are shown to servers are
// read so, because a file of checks comes with a tree that somebody else may have written.
func below(dirs ...string) func(name string) ([]byte, error) {
	return func(name string) (b []byte, err error) {
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%s is outside the folder of the checks", name)
		}
		for _, dir := range dirs {
			root, failed := safe.OpenRoot(dir)
			if failed != nil {
				return nil, failed
			}
			b, err = root.ReadFile(name, mostScript)
			root.Close()
			if !errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		return b, err
	}
}

// scriptCheck returns what runs the scripts of a file of checks in dir.
func (f *Feature) scriptCheck(read func(name string) ([]byte, error), o lua.Options) func(context.Context, string, map[string]string, *check.Redactor) error {
	return func(ctx context.Context, name string, env map[string]string, secrets *check.Redactor) error {
		src, err := read(name)
		if err != nil {
			return check.Lasting(fmt.Errorf("failed to read Lua script %q: %w", name, err))
		}
		o := o
		printed, logged := secrets.Writer(f.stderr), secrets.Writer(f.stderr)
		o.Stdout, o.Log = printed, logged
		o.Env = func(name string) (string, bool) { // the policy decides which of them the script sees
			if v, ok := env[name]; ok {
				return v, true
			}
			return f.cfg.Env(name)
		}
		_, err = f.execute(ctx, o, "@"+name, src, nil)
		if lost := errors.Join(printed.Flush(), logged.Flush()); err == nil {
			err = lost
		}
		return err
	}
}
