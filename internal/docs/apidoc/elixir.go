package apidoc

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
)

var (
	docAttribute    = lazy.Regexp(`@(?:module|type)?doc\s+(?:~[sS])?("""|'''|")`)
	hiddenModuledoc = lazy.Regexp(`(?m)^\s*@moduledoc\s+false\b`)
	definition      = lazy.Regexp(`(?m)^\s+def`)
	hiddenDoc       = lazy.Regexp(`(?m)^\s*@(?:type)?doc\s+false\b`)
	specification   = lazy.Regexp(`(?ms)^[ \t]*(@(?:spec|macrocallback|callback) .*?)(?:\n[ \t]*(?:@|def)|\n\n|\z)`)
)

// elixir reads what @doc and @moduledoc say: Markdown, in a text of several lines or of one.
func elixir(raw string) doc {
	at := docAttribute.FindStringSubmatchIndex(raw)
	if at == nil {
		return doc{}
	}
	quote, rest := raw[at[2]:at[3]], raw[at[3]:]
	end := strings.LastIndex(rest, quote)
	if end < 0 {
		return doc{}
	}
	text := rest[:end]
	if len(quote) == 3 {
		margin := text[strings.LastIndexByte(text, '\n')+1:] // that of the end counts
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimPrefix(l, margin)
		}
		text = strings.Trim(strings.Join(lines, "\n"), "\n")
	}
	d := doc{text: markdown.Parse([]byte(text), markup.Options{}).Blocks}
	for i := range d.text {
		if b := &d.text[i]; b.Kind == markup.Code && b.Lang == "" {
			b.Lang = "elixir"
		}
	}
	return d
}

// elixirWanted reports whether a module or function of Elixir is described to others: a module that says nothing of
// itself on purpose hides all that it has, and what implements a behaviour is described there.
func (r *reader) elixirWanted(d *corpus.Decl) bool {
	for p := d; ; p = &r.facts.Decls[p.Parent] {
		if p.Kind == corpus.Module {
			head := r.text[p.Body:p.Span.End]
			if at := definition.FindStringIndex(head); at != nil {
				head = head[:at[0]]
			}
			if hiddenModuledoc.MatchString(head) {
				return false
			}
		}
		if p.Parent < 0 {
			break
		}
	}
	before := r.text[d.Span.Start:d.NameAt]
	if hiddenDoc.MatchString(before) || strings.HasPrefix(d.Name, "__") || d.Kind == corpus.Struct {
		return false
	}
	if d.Doc.Len() > 0 {
		return true
	}
	return d.Kind != corpus.Module && !strings.Contains(before, "@impl ")
}

// elixirSignature returns the head of a function, and over it the types that it is said to have.
func (r *reader) elixirSignature(d *corpus.Decl, s string) string {
	if d.Kind == corpus.Module {
		return "defmodule " + d.Qualified()
	}
	s = strings.TrimSuffix(strings.TrimRight(s, " \t\n"), ", do:")
	s = strings.TrimRight(strings.TrimSuffix(s, " do"), " \t\n,")
	if m := specification.FindStringSubmatch(r.text[d.Span.Start:max(d.Span.Start, lineStart(r.text, d.NameAt))]); m != nil {
		s = dedent(strings.TrimRight(m[1], " \t\n")) + "\n" + s
	}
	return s
}
