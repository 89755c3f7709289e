package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/assay-dev/assay/internal/face/code"
	"github.com/assay-dev/assay/internal/fault"
	"github.com/assay-dev/assay/internal/op"
)

// ckRelease is the release of ck whose command line RunCK understands.
const ckRelease = "0.7.11"

const ckUsage = `Find code as ck does: a pattern by default, meaning with --sem

Usage:
  ck [flags] PATTERN [PATH]...
  ck --index [PATH] | --status [PATH] | --serve

Search:
  --regex              lines that match (the default)
  --sem --lex --hybrid by meaning, by words, by both
  --topk N             most hits (--limit and --top-k too)
  --threshold S        drop hits that score less
  -i -w -F             ignore case, whole words, a plain string
  --exclude GLOB       no paths that match
  --path PATH          as a PATH at the end
  --full-section       the whole function or class
  -A -B -C N           lines after, before, around

Output:
  --jsonl --json       one record a line
  --no-snippet         --jsonl without texts
  --scores             with scores
  -n -H -h             line numbers, with or without names of files
  -l -L                names of files with, without a match

Index:
  --index --delta --quiet   build or refresh it
  --status                  show it
  --serve                   MCP over stdio with the search tools
  --version --help

Accepted and without effect: -R -r --recursive --hidden --reindex.
Exit status: 0 found, 1 not found or failed.
`

// A ckRequest is a parsed command line of ck.
type ckRequest struct {
	in                                   code.SearchInput
	index, delta, status, serve, quiet   bool
	version, help                        bool
	json, jsonl, noSnippet, scores       bool
	lines, names, noNames, with, without bool
	ignored                              bool
	threshold                            float64
	paths                                []string
}

func (r *ckRequest) flags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("ck", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	fs.BoolVar(&r.in.Regex, "regex", false, "")
	fs.BoolVar(&r.in.Semantic, "sem", false, "")
	fs.BoolVar(&r.in.Lexical, "lex", false, "")
	fs.BoolVar(&r.in.Hybrid, "hybrid", false, "")
	for _, name := range []string{"topk", "limit", "top-k"} {
		fs.IntVar(&r.in.TopK, name, 0, "")
	}
	fs.Float64Var(&r.threshold, "threshold", 0, "")
	fs.BoolVarP(&r.in.IgnoreCase, "ignore-case", "i", false, "")
	fs.BoolVarP(&r.in.Word, "word-regexp", "w", false, "")
	fs.BoolVarP(&r.in.Fixed, "fixed-strings", "F", false, "")
	fs.StringArrayVar(&r.in.Excludes, "exclude", nil, "")
	fs.StringArrayVar(&r.paths, "path", nil, "")
	fs.BoolVar(&r.in.FullSection, "full-section", false, "")
	fs.IntVarP(&r.in.After, "after-context", "A", 0, "")
	fs.IntVarP(&r.in.Before, "before-context", "B", 0, "")
	fs.IntVarP(&r.in.Context, "context", "C", 0, "")
	fs.BoolVar(&r.jsonl, "jsonl", false, "")
	fs.BoolVar(&r.json, "json", false, "")
	fs.BoolVar(&r.noSnippet, "no-snippet", false, "")
	fs.BoolVar(&r.scores, "scores", false, "")
	fs.BoolVarP(&r.lines, "line-number", "n", false, "")
	fs.BoolVarP(&r.names, "with-filename", "H", false, "")
	fs.BoolVarP(&r.noNames, "no-filename", "h", false, "")
	fs.BoolVarP(&r.with, "files-with-matches", "l", false, "")
	fs.BoolVarP(&r.without, "files-without-matches", "L", false, "")
	fs.BoolVar(&r.index, "index", false, "")
	fs.BoolVar(&r.delta, "delta", false, "")
	fs.BoolVar(&r.status, "status", false, "")
	fs.BoolVar(&r.serve, "serve", false, "")
	fs.BoolVarP(&r.quiet, "quiet", "q", false, "")
	fs.BoolVar(&r.version, "version", false, "")
	fs.BoolVar(&r.help, "help", false, "")
	fs.BoolVarP(&r.ignored, "recursive", "R", false, "")
	fs.BoolVarP(&r.ignored, "recursive-too", "r", false, "")
	fs.BoolVar(&r.ignored, "hidden", false, "")
	fs.BoolVar(&r.ignored, "reindex", false, "")
	return fs
}

// RunCK runs a command line of ck and returns ck's exit status: 0 when something
// was found or done, 1 otherwise, and 2 for a command line that it cannot read.
func RunCK(ctx context.Context, ops []op.Op, args []string, env Env) int {
	found, err := runCK(ctx, ops, args, env)
	if err != nil {
		status := finish(ctx, nil, err, env)
		if status > int(fault.Usage) && status != int(fault.Interrupted) {
			return 1
		}
		return status
	}
	if !found {
		return 1
	}
	return 0
}

func runCK(ctx context.Context, ops []op.Op, args []string, env Env) (found bool, err error) {
	var r ckRequest
	fs := r.flags()
	if err := fs.Parse(args); err != nil {
		return false, fault.New(fault.Usage, "ck: %s", err).Or("ck --help lists the flags that are understood")
	}
	words := fs.Args()
	switch {
	case r.help:
		_, err = io.WriteString(env.Stdout, ckUsage)
		return true, err
	case r.version:
		_, err = fmt.Fprintf(env.Stdout, "ck %s (assay %s)\n", ckRelease, env.Version)
		return true, err
	case r.serve:
		for _, c := range env.Commands {
			if c.Name == "serve" {
				return true, c.Run(ctx, []string{"--tools", "code"}, env)
			}
		}
		return false, fault.New(fault.Unavailable, "this program has no server")
	case r.index, r.delta && len(words) < 2 && !r.searches():
		return true, manage(ctx, ops, "index", code.IndexInput{Path: first(append(r.paths, words...)), Quiet: r.quiet}, env)
	case r.status:
		return true, manage(ctx, ops, "status", code.StatusInput{Path: first(append(r.paths, words...))}, env)
	case len(words) == 0:
		return false, fault.New(fault.Usage, "ck: no pattern").Or("ck --help shows the usage")
	}
	modes := 0
	for _, m := range []bool{r.in.Regex, r.in.Semantic, r.in.Lexical, r.in.Hybrid} {
		if m {
			modes++
		}
	}
	if modes > 1 {
		return false, fault.New(fault.Usage, "ck: --regex, --sem, --lex and --hybrid exclude each other").Or("give one of them")
	}
	r.in.Regex = r.in.Regex || modes == 0
	r.in.Query, r.in.Paths = words[0], append(r.paths, words[1:]...)
	if fs.Changed("threshold") && !r.in.Regex {
		r.in.Threshold = &r.threshold
	}
	return r.search(ctx, ops, env)
}

func (r *ckRequest) searches() bool {
	return r.in.Regex || r.in.Semantic || r.in.Lexical || r.in.Hybrid
}

func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

func lookup(ops []op.Op, name string) (op.Op, error) {
	for _, o := range ops {
		if o.Name == name {
			return o, nil
		}
	}
	return op.Op{}, fmt.Errorf("no operation %s", name)
}

func manage(ctx context.Context, ops []op.Op, name string, in any, env Env) error {
	o, err := lookup(ops, name)
	if err != nil {
		return err
	}
	return run(ctx, o, in, Text, env)
}

func (r *ckRequest) search(ctx context.Context, ops []op.Op, env Env) (found bool, err error) {
	o, err := lookup(ops, "search")
	if err != nil {
		return false, err
	}
	bar := newBar(env)
	defer bar.clear()
	// As ck, an answer says nothing about how it was found.
	res, err := o.Run(ctx, r.in, op.Out{Progress: bar.show, Note: func(string, ...any) {}, Emit: func(any) error { return nil }})
	bar.clear()
	if err != nil {
		return false, err
	}
	a, ok := res.(*code.Answer)
	if !ok {
		return false, errors.New("search gave no answer")
	}
	var b bytes.Buffer
	switch {
	case r.jsonl, r.json:
		err = r.records(&b, a)
	case r.with:
		seen := map[string]bool{}
		for _, h := range a.Hits {
			if !seen[h.Path] {
				seen[h.Path] = true
				fmt.Fprintln(&b, h.Shown())
			}
		}
	case r.without:
		r.unmatched(&b, a)
	default:
		r.text(&b, a, env.Colour)
	}
	if err == nil {
		_, err = env.Stdout.Write(b.Bytes())
	}
	if len(a.Hits) == 0 && err == nil && !r.quiet {
		fmt.Fprintln(env.Stderr, "No matches found")
	}
	return len(a.Hits) > 0, err
}

// A ckHit is a record of ck's --jsonl; a ckOld one of its --json.
type ckHit struct {
	Path      string    `json:"path"`
	Span      code.Span `json:"span"`
	Language  *string   `json:"language"`
	Snippet   *string   `json:"snippet,omitempty"`
	Score     float64   `json:"score"`
	ChunkHash string    `json:"chunk_hash,omitempty"`
	Epoch     int64     `json:"index_epoch"`
}

type ckOld struct {
	File     string         `json:"file"`
	Span     code.Span      `json:"span"`
	Language *string        `json:"lang"`
	Symbol   *string        `json:"symbol"`
	Score    float64        `json:"score"`
	Signals  map[string]any `json:"signals"`
	Preview  string         `json:"preview"`
	Model    string         `json:"model"`
}

func (r *ckRequest) records(b *bytes.Buffer, a *code.Answer) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	orNil := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	for _, h := range a.Hits {
		var rec any
		if r.jsonl {
			c := ckHit{Path: h.Path, Span: h.Span, Language: orNil(h.Language), Score: h.Score, ChunkHash: h.ChunkHash, Epoch: h.Epoch}
			if !r.noSnippet {
				c.Snippet = &h.Snippet
			}
			rec = c
		} else {
			rec = ckOld{File: h.Path, Span: h.Span, Language: orNil(h.Language), Symbol: orNil(h.Symbol), Score: h.Score,
				Signals: map[string]any{"lex_rank": nil, "vec_rank": nil, "rrf_score": h.Score}, Preview: h.Snippet, Model: "none"}
		}
		if err := enc.Encode(rec); err != nil {
			return err
		}
	}
	return nil
}

// text writes hits as ck does: with line numbers a line as grep has it, else the
// name on a line of its own.
func (r *ckRequest) text(b *bytes.Buffer, a *code.Answer, colour bool) {
	for _, h := range a.Hits {
		if r.scores {
			fmt.Fprintf(b, "[%.3f] ", h.Score)
		}
		name := h.Shown()
		if colour {
			name = "\x1b[1;36m" + name + "\x1b[0m"
		}
		switch body := plain(strings.TrimSuffix(h.Snippet, "\n")); {
		case r.lines && !r.noNames:
			fmt.Fprintf(b, "%s:%d:%s\n", name, h.Span.LineStart, body)
		case r.lines:
			fmt.Fprintf(b, "%d:%s\n", h.Span.LineStart, body)
		case r.noNames:
			fmt.Fprintf(b, "%s\n", body)
		default:
			fmt.Fprintf(b, "%s:\n%s\n", name, body)
		}
	}
}

// unmatched writes the paths that were named and hold no match.
func (r *ckRequest) unmatched(b *bytes.Buffer, a *code.Answer) {
	for _, p := range r.in.Paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			abs = real
		}
		hit := false
		for _, h := range a.Hits {
			hit = hit || h.Path == abs || strings.HasPrefix(h.Path, abs+string(filepath.Separator))
		}
		if !hit {
			fmt.Fprintln(b, p)
		}
	}
}
