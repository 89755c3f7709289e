//go:build !slim

package cli

import (
	"context"
	_ "embed" // ckusage.txt
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/present/op"
)

// CKRelease is the release of ck (github.com/BeaconBay/ck) whose command line RunCK understands: every flag of that release is in
// ckusage.txt, or refused. --path, --delta, --top-k and "index DIR" are not in ck; scripts for it use them nevertheless.
//
// Where ck takes the mode it likes best of several, or drops a flag that means
// nothing with the others, RunCK refuses: no flag is ignored.
const CKRelease = "0.7.11"

//go:embed ckusage.txt
var ckUsage string

// ckRefused holds the flags of ck that do nothing here, and why; those with = take a value.
func ckRefused() map[string]string {
	const model, ignore = "models are chosen with assay's settings: assay config show", "files that are ignored are never searched"
	const other = "assay has nothing like it"
	return map[string]string{
		"model=": model, "switch-model=": model, "force": model, "rerank": model, "rerank-model=": model,
		"no-ignore": ignore, "no-ckignore": ignore, "no-default-excludes": ignore, "print-default-ckignore": ignore,
		"status-json": "assay status --json has the figures", "inspect": other, "dump-chunks": other, "tui": other,
	}
}

// A ckRequest is a parsed command line of ck.
type ckRequest struct {
	in                                   code.SearchInput
	index, add, orphans, delta           bool
	status, verbose, clean, serve        bool
	quiet, version, help                 bool
	json, jsonl, noSnippet, scores       bool
	lines, names, noNames, with, without bool
	always                               bool
	threshold                            float64
	paths                                []string // from --path
	words                                []string
	flags                                *pflag.FlagSet
}

func (r *ckRequest) table() *pflag.FlagSet {
	fs := pflag.NewFlagSet("ck", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	for name, to := range map[string]*bool{
		"regex": &r.in.Regex, "sem": &r.in.Semantic, "lex": &r.in.Lexical, "hybrid": &r.in.Hybrid,
		"i ignore-case": &r.in.IgnoreCase, "w word-regexp": &r.in.Word, "F fixed-strings": &r.in.Fixed,
		"full-section": &r.in.FullSection,
		"jsonl":        &r.jsonl, "json": &r.json, "json-v1": &r.json, "no-snippet": &r.noSnippet, "scores": &r.scores,
		"n line-number": &r.lines, "H ": &r.names, "no-filename": &r.noNames,
		"l files-with-matches": &r.with, "L files-without-matches": &r.without,
		"index": &r.index, "add": &r.add, "clean-orphans": &r.orphans, "delta": &r.delta, "clean": &r.clean,
		"status": &r.status, "status-verbose": &r.verbose, "serve": &r.serve,
		"q quiet": &r.quiet, "V version": &r.version, "h help": &r.help,
		"R recursive": &r.always, "r ": &r.always, "hidden": &r.always, "reindex": &r.always,
	} {
		short, long, ok := strings.Cut(name, " ")
		if !ok {
			short, long = "", name
		}
		if long == "" {
			long = "-" + short // which cannot be typed: pflag takes no name that begins with a dash
		}
		fs.BoolVarP(to, long, short, false, "")
	}
	for _, name := range []string{"topk", "limit", "top-k"} {
		fs.IntVar(&r.in.TopK, name, 0, "")
	}
	fs.Float64Var(&r.threshold, "threshold", 0, "")
	fs.StringArrayVar(&r.in.Excludes, "exclude", nil, "")
	fs.StringArrayVar(&r.paths, "path", nil, "")
	fs.IntVarP(&r.in.After, "after-context", "A", 0, "")
	fs.IntVarP(&r.in.Before, "before-context", "B", 0, "")
	fs.IntVarP(&r.in.Context, "context", "C", 0, "")
	for name := range ckRefused() {
		if value, ok := strings.CutSuffix(name, "="); ok {
			fs.String(value, "", "")
		} else {
			fs.Bool(name, false, "")
		}
	}
	return fs
}

// parse reads a command line. What it refuses has exit status 2.
func (r *ckRequest) parse(args []string) error {
	r.flags = r.table()
	if err := r.flags.Parse(args); err != nil {
		return fault.New(fault.Usage, "%s", err).Or("ck --help lists the flags that are understood")
	}
	r.words = r.flags.Args()
	for name, why := range ckRefused() {
		if name = strings.TrimSuffix(name, "="); r.flags.Changed(name) {
			return fault.New(fault.Usage, "--%s is not understood", name).Or("%s", why)
		}
	}
	verbs, modes := r.given("index", "add", "clean-orphans", "clean", "status", "status-verbose", "serve"), r.given("regex", "sem", "lex", "hybrid")
	if len(verbs) == 0 && len(modes) == 0 {
		switch {
		case r.spoken():
			r.index, r.words, verbs = true, r.words[1:], []string{"index"} // ck index [--delta] DIR
		case r.delta && len(r.words) < 2:
			r.index, verbs = true, []string{"delta"} // ck --delta [PATH]
		}
	}
	switch {
	case len(verbs) > 1:
		return exclude(verbs)
	case len(modes) > 1:
		return exclude(modes)
	case r.with && r.without:
		return exclude([]string{"files-with-matches", "files-without-matches"})
	case r.in.FullSection && len(verbs) == 0 && (len(modes) == 0 || r.in.Regex):
		return fault.New(fault.Usage, "--full-section needs --sem, --lex or --hybrid").Or("-A and -B show the lines around a match")
	case len(verbs) > 0 && len(r.words)+len(r.paths) > 1, r.serve && len(r.words)+len(r.paths) > 0:
		return fault.New(fault.Usage, "too many paths for --%s", verbs[0]).Or("ck --help shows the usage")
	case r.delta && !r.index:
		return fault.New(fault.Usage, "--delta needs --index").Or("a search refreshes the index by itself")
	}
	if len(verbs) > 0 && !r.help && !r.version {
		var alone error
		r.flags.Visit(func(f *pflag.Flag) {
			switch f.Name {
			case verbs[0], "delta", "quiet", "path", "reindex", "recursive", "-r", "hidden":
			default:
				alone = fault.New(fault.Usage, "--%s means nothing with --%s", strings.TrimPrefix(f.Name, "-"), verbs[0]).Or("omit one of them")
			}
		})
		return alone
	}
	return nil
}

// spoken reports whether a command line is "index DIR", which ck has as a flag and agent frameworks write as a word. It would be a
// search for that word in a folder: one that says how to search, or what to show, still is.
func (r *ckRequest) spoken() bool {
	if len(r.words) == 0 || r.words[0] != "index" || len(r.words)+len(r.paths) > 2 || len(r.words)+len(r.paths) < 2 && !r.delta {
		return false
	}
	for _, dir := range append(r.paths, r.words[1:]...) {
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			return false
		}
	}
	plain := true
	r.flags.Visit(func(f *pflag.Flag) { plain = plain && slices.Contains([]string{"delta", "quiet", "path"}, f.Name) })
	return plain
}

// given returns those flags that are set.
func (r *ckRequest) given(names ...string) (set []string) {
	for _, name := range names {
		if on, err := r.flags.GetBool(name); err == nil && on {
			set = append(set, name)
		}
	}
	return set
}

func exclude(names []string) error {
	return fault.New(fault.Usage, "--%s and --%s exclude each other", names[0], names[1]).Or("give one of them")
}

// RunCK runs a command line of ck and returns ck's exit status: 0 when something
// was found or done, 1 otherwise, and 2 for a command line that it cannot read.
func RunCK(ctx context.Context, ops []op.Op, args []string, env Env) int {
	refused, found := false, true
	status := ended(ctx, "ck", nil, env, func(env *Env) (err error) {
		var r ckRequest
		if err := r.parse(args); err != nil {
			refused = true
			return err
		}
		found, err = r.run(ctx, ops, *env)
		return err
	})
	switch {
	case status == int(fault.Interrupted):
		return status
	case refused:
		return int(fault.Usage)
	case status != 0 || !found:
		return 1
	}
	return 0
}

func (r *ckRequest) run(ctx context.Context, ops []op.Op, env Env) (found bool, err error) {
	path := ""
	if all := append(r.paths, r.words...); len(all) > 0 {
		path = all[0]
	}
	switch {
	case r.help:
		_, err = io.WriteString(env.Stdout, ckUsage)
		return true, err
	case r.version:
		_, err = fmt.Fprintf(env.Stdout, "ck %s (assay %s)\n", CKRelease, env.Version)
		return true, err
	case env.Broken != nil:
		return false, env.Broken
	case r.serve:
		for _, c := range env.Commands {
			if c.Name == "serve" {
				return true, c.Run(ctx, []string{"--tools", "code"}, env)
			}
		}
		return false, fault.New(fault.Unavailable, "this program has no server")
	case r.index, r.add, r.orphans:
		return true, manage(ctx, ops, "index", code.IndexInput{Path: path, Quiet: r.quiet}, env)
	case r.status, r.verbose:
		return true, manage(ctx, ops, "status", code.StatusInput{Path: path}, env)
	case r.clean:
		return true, clean(ctx, ops, path)
	case len(r.words) == 0:
		return false, fault.New(fault.Usage, "no pattern").Or("ck --help shows the usage")
	}
	return r.search(ctx, ops, env)
}

func manage(ctx context.Context, ops []op.Op, name string, in any, env Env) error {
	o, err := lookup(ops, name)
	if err != nil {
		return err
	}
	return run(ctx, o, in, Text, env)
}

func lookup(ops []op.Op, name string) (op.Op, error) {
	for _, o := range ops {
		if o.Name == name {
			return o, nil
		}
	}
	return op.Op{}, fmt.Errorf("no operation %s", name)
}

// quietly runs an operation for its answer alone.
func quietly[R op.Result](ctx context.Context, ops []op.Op, name string, in any, progress func(string, int64, int64)) (R, error) {
	var none R
	o, err := lookup(ops, name)
	if err != nil {
		return none, err
	}
	res, err := o.Run(ctx, in, op.Out{Progress: progress, Note: func(string, ...any) {}, Emit: func(any) error { return nil }, Data: true})
	if err != nil {
		return none, err
	}
	r, ok := res.(R)
	if !ok {
		return none, fmt.Errorf("%s gave a %T", name, res)
	}
	return r, nil
}

// clean deletes an index where assay put it by itself. A folder that somebody named could hold more than an index.
func clean(ctx context.Context, ops []op.Op, path string) error {
	st, err := quietly[*code.StatusReport](ctx, ops, "status", code.StatusInput{Path: path}, func(string, int64, int64) {})
	if err != nil {
		return err
	}
	if st.Index != filepath.Join(st.Root, ".assay", "index") {
		return fault.New(fault.Unavailable, "the index in %s is not below the project's .assay folder", st.Index).Or("if that folder holds nothing else, delete it")
	}
	return code.Delete(st.Index)
}
