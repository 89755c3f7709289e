//go:build !slim

package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/present/op"
)

func (r *ckRequest) search(ctx context.Context, ops []op.Op, env Env) (found bool, err error) {
	r.in.Regex = r.in.Regex || !r.in.Semantic && !r.in.Lexical && !r.in.Hybrid
	r.in.Query, r.in.Paths = r.words[0], append(r.paths, r.words[1:]...)
	r.in.Full = true // ck has no short form
	if r.flags.Changed("threshold") {
		r.in.Threshold = &r.threshold
	}
	if err := r.checkRanges(); err != nil {
		return false, err
	}
	if r.in.Regex {
		r.in.Threshold = nil // every match of a pattern scores 1
	}
	bar := newBar(env)
	defer bar.close()
	// As ck, an answer says nothing about how it was found.
	a, err := quietly[*code.SearchAnswer](ctx, ops, "search", r.in, bar.show)
	bar.close()
	if err != nil {
		return false, err
	}
	var b bytes.Buffer
	switch {
	case r.jsonl, r.json:
		err = r.records(&b, a)
	case r.with:
		r.matched(&b, a, env.Terminal)
	case r.without:
		r.unmatched(&b, a)
	default:
		r.text(&b, a, env)
	}
	if err == nil {
		_, err = env.Stdout.Write(b.Bytes())
	}
	if len(a.Hits) == 0 && err == nil && !r.quiet {
		fmt.Fprintln(env.Stderr, "No matches found")
	}
	return len(a.Hits) > 0, err
}

// checkRanges holds the numbers to the ranges that the operation has for them.
func (r *ckRequest) checkRanges() error {
	args, err := op.Args(reflect.TypeOf(r.in))
	if err != nil {
		return err
	}
	v := reflect.ValueOf(r.in)
	for _, a := range args {
		given := false
		for _, name := range a.Flags {
			given = given || r.flags.Changed(name)
		}
		if wrong := a.Check(v.FieldByIndex(a.Index)); given && wrong != "" {
			return fault.New(fault.Usage, "--%s: %s", a.Flags[0], wrong)
		}
	}
	return nil
}

// A ckHit is a record of ck's --jsonl, a ckOld one of its --json. File and Line are not
// ck's: scripts that read its lines ask for them nevertheless.
type ckHit struct {
	Path      string    `json:"path"`
	Span      code.Span `json:"span"`
	Language  *string   `json:"language"`
	Snippet   *string   `json:"snippet,omitempty"`
	Score     float64   `json:"score"`
	ChunkHash string    `json:"chunk_hash,omitempty"`
	Epoch     int64     `json:"index_epoch"`
	File      string    `json:"file"`
	Line      int       `json:"line"`
}

type ckOld struct {
	File     string    `json:"file"`
	Span     code.Span `json:"span"`
	Language *string   `json:"lang"`
	Symbol   *string   `json:"symbol"`
	Score    float64   `json:"score"`
	Signals  struct {
		Lexical *int    `json:"lex_rank"`
		Vector  *int    `json:"vec_rank"`
		Fused   float64 `json:"rrf_score"`
	} `json:"signals"`
	Preview string `json:"preview"`
	Model   string `json:"model"`
}

// ckLanguage is a language as ck's --json names it: one of a closed list.
func ckLanguage(name string) *string {
	switch name {
	case "rust", "python", "haskell", "go", "java", "c", "cpp", "ruby", "php", "swift", "kotlin", "zig", "dart", "elixir", "markdown", "pdf":
		name = strings.ToUpper(name[:1]) + name[1:]
		return &name
	}
	return orNil(map[string]string{"javascript": "JavaScript", "typescript": "TypeScript", "csharp": "CSharp"}[name])
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (r *ckRequest) records(b *bytes.Buffer, a *code.SearchAnswer) error {
	for _, h := range a.Hits {
		var rec any
		if r.jsonl {
			c := ckHit{File: h.Path, Line: h.Span.LineStart, Path: h.Path, Span: h.Span, Language: orNil(h.Language), Score: h.Score, ChunkHash: h.ChunkHash, Epoch: h.Epoch}
			if !r.noSnippet {
				c.Snippet = &h.Snippet
			}
			rec = c
		} else {
			o := ckOld{File: h.Path, Span: h.Span, Language: ckLanguage(h.Language), Symbol: orNil(h.Symbol), Score: h.Score, Preview: h.Snippet, Model: "none"}
			o.Signals.Fused = h.Score
			rec = o
		}
		if err := codec.WriteJSON(b, rec); err != nil {
			return err
		}
	}
	return nil
}

// text writes hits as ck does: with line numbers a line as grep has it, else the
// name on a line of its own; no name where one file was asked for.
func (r *ckRequest) text(b *bytes.Buffer, a *code.SearchAnswer, env Env) {
	names := r.names || !r.noNames && !r.oneFile()
	for _, h := range a.Hits {
		if r.scores {
			fmt.Fprintf(b, "[%.3f] ", h.Score)
		}
		name, body := h.Shown(), text.Unmarked(strings.TrimSuffix(h.Snippet, "\n"), h.Span.LineStart)
		if env.Terminal {
			name, body = text.Line(name), text.Visible(strings.ReplaceAll(body, "\r\n", "\n"))
		}
		if env.Colour {
			name = "\x1b[1;36m" + name + "\x1b[0m"
		}
		switch {
		case r.lines && names:
			fmt.Fprintf(b, "%s:%d:%s\n", name, h.Span.LineStart, body)
		case r.lines:
			fmt.Fprintf(b, "%d:%s\n", h.Span.LineStart, body)
		case names:
			fmt.Fprintf(b, "%s:\n%s\n", name, body)
		default:
			fmt.Fprintf(b, "%s\n", body)
		}
	}
}

func (r *ckRequest) oneFile() bool {
	if len(r.in.Paths) == 1 {
		st, err := os.Stat(r.in.Paths[0])
		return err == nil && !st.IsDir()
	}
	return false
}

// matched writes the files that hold a match.
func (r *ckRequest) matched(b *bytes.Buffer, a *code.SearchAnswer, terminal bool) {
	seen := map[string]bool{}
	for _, h := range a.Hits {
		if seen[h.Path] {
			continue
		}
		seen[h.Path] = true
		name := h.Shown()
		if terminal {
			name = text.Line(name)
		}
		fmt.Fprintln(b, name)
	}
}

// unmatched writes the paths that were named and hold no match: ck's -L is about those, not about every file below them.
func (r *ckRequest) unmatched(b *bytes.Buffer, a *code.SearchAnswer) {
	const separator = string(filepath.Separator)
	if len(r.in.Paths) == 0 {
		r.in.Paths = []string{"."}
	}
	for _, p := range r.in.Paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			abs = real
		}
		if !slices.ContainsFunc(a.Hits, func(h code.SearchHit) bool { return strings.HasPrefix(h.Path+separator, abs+separator) }) {
			fmt.Fprintln(b, p)
		}
	}
}
