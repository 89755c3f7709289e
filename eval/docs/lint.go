package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/eval/keptaside"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/docs"
)

// oddities are what a snippet should not have. Each is looked for in the prose, the code or
// the title of a snippet; prose is without `code` within it.
var oddities = []struct {
	name string
	in   part
	is   *regexp.Regexp
}{
	{"tag", inProse, regexp.MustCompile(`</?(?:div|span|p|br|hr|img|a|table|tr|td|th|ul|ol|li|pre|code|b|i|em|strong|details|summary|center|h[1-6]|iframe|video|script|style|svg|input|button|section|figure|sub|sup|kbd)(?:\s[^<>\n]*)?/?>`)},
	{"component", inProse, regexp.MustCompile(`</?[A-Z][A-Za-z]*(?:\.[A-Z]\w*)?(?:\s+[a-zA-Z-]+=(?:["'{])[^<>\n]*)?\s*/>|</[A-Z][A-Za-z]*>|<[A-Z]\w*\s+[a-zA-Z-]+=["'{]`)},
	{"import", inProse, regexp.MustCompile(`(?m)^(?:import\s+[\w{*][^\n]* from ['"][^'"\n]+['"];?|export (?:const|default) .*)$`)},
	{"directive", inProse, regexp.MustCompile(`(?m)^\s*\.\. [\w:-]+::|^\s*:::+\s*\{?\w*|^\s*!!! \w|^\s*\?\?\?\+? \w|^\s*===[!+]? "|^(?:ifdef|ifndef|endif|ifeval|include|include-code|tag|toc)::|:(?:ref|doc|class|meth|func|mod|attr|exc|obj|term|py:\w+|c:\w+|data|pep|rfc|option|envvar|file|guilabel|kbd|command|program|issue|pr|user|gh|ghissue|source|sub|sup|numref|any|keyword|token|samp|abbr|download|math):` + "`" + `|\{(?:func|meth|class|mod|attr|exc|obj|data|ref|doc|term|pep|rfc|option|envvar|numref)\}(?:` + "`" + `|\w)|^\s*(?:-\s+)?(?:Args|Raises|Returns|Parameters): \w+ \(`)},
	{"template", inProse, regexp.MustCompile(`\{\{[<%]|[%>]\}\}|\{%[-\s]|[-\s]%\}|\{\{ ?(?:site|page)\.[^{}\n]*\}\}|\{\{[^{}\n]*\|[^{}\n]*\}\}|<!--`)},
	{"attribute", inProse, regexp.MustCompile(`(?m)\{:?\s*[.#][\w-]+[^{}\n]*\}|\{(?:spring-\w+|docs-[\w-]+|\w+-(?:version|url|docs|api|guide|javadoc|link)|nbsp|sp|empty|project-version|version|revnumber)\}|^\[(?:source|NOTE|TIP|WARNING|role|id|cols|options|discrete|float|appendix|subs|quote|horizontal|qanda)\b[^\]\n]*\]$`)},
	{"metadata", inProse, regexp.MustCompile(`(?m)^\s*(?:- )?(?:since: v?\d|sidebar_position:|sidebar_label:|layout: \w+$|added: v?\d|changes:$|kapa-|eleventyNavigation|---$)|^\s*(?:title|description|weight|date): .*\n\s*(?:title|description|weight|date): `)},
	{"entity", inProse, regexp.MustCompile(`&(?:nbsp|lt|gt|amp|quot|#\d+|#x[0-9a-fA-F]+|mdash|ndash|hellip|rarr|larr|copy|ldquo|rdquo|rsquo|lsquo|times|lbrace|rbrace|vert|ensp|emsp);`)},
	{"link", inProse, regexp.MustCompile(`\]\((?:https?:|/|\.|#|[\w-]+\.md)|!\[[^\]\n]*\]|link:[^\s\[]+\[|xref:[^\s\[]+\[|\]\[crate::|<<[\w-]+(?:,[^<>]*)?>>|` + "`[^`\n]+ <[^`<>\n]+>`_")},
	{"include", inProse, regexp.MustCompile(`\(not included: |\{\*\s|--8<--|<<< @|@include|\{!\w|\{\*.*\*\}|\[!code|\[!(?i:include)`)},
	{"mark in code", inCode, regexp.MustCompile(`(?m)// ?---cut|// @(?:errors|noErrors|showEmit|module|target|strict|twoslash)\b|\[!code|\[tl! |// ?highlight-(?:next-line|start|end)|# ?highlight-(?:next-line|start|end)|//\s*tag::|#\s*tag::|//\s*end::|<!--\s*(?:tag|end)::|//\s*#(?:end)?(?:doc)?region|(?://|#)\s*(?:--8<--|\[(?:start|end)[: ])|\[\[highlight|// ?\^\?|<[0-9]+>\s*$|^\s*(?:#|//) ?doctest: ?\+`)},
	{"template in code", inCode, regexp.MustCompile(`\{\{[<%] |\{% (?:raw|endraw|include|highlight|code|tab)|\{\{<`)},
	{"empty", inWhole, regexp.MustCompile(`^(?:\s*#{1,6} [^\n]*\s*)*$|^[\s\-–—*#|.:]*$`)},
	{"signature", inWhole, regexp.MustCompile(`^-----BEGIN `)},
	{"label alone", inWhole, regexp.MustCompile("^[^\n]{1,60}:$")},
	{"damaged", inWhole, regexp.MustCompile("\uFFFD|[\x00-\x08\x0b\x0c\x0e-\x1f]")},
	{"title", inTitle, regexp.MustCompile(`</?[A-Za-z]+\s+\w+=[^>]*/?>$|\{[.:%]|\{#[\w-]+\}$|\]\(|^[\W_]*$|&\w+;|:[a-z]+:` + "`")},
}

// A part says which text of a snippet is looked at.
type part int

const (
	inProse part = iota
	inCode
	inTitle
	inWhole
)

// linted are the libraries that are looked at: what presets name, but for those that judge
// other things, and what reads well without one.
var notLinted = set2("django fastapi redux pydantic vitest requests express scikit-learn gin aiohttp cobra fastify sphinx rails laravel-framework")

func set2(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// aboutTemplates are libraries whose documentation shows the tags of template engines.
var aboutTemplates = set2("hugo jekyll jinja twig ansible eslint helm django flask symfony laravel vue dask")

// A tally counts the snippets of a library, and which are odd.
type oddTally struct {
	name            string
	pages, snippets int
	odd             int
	code, bare      int  // blocks of code, and those without a language
	templates       bool // it is about template engines
	by              map[string]int
	examples        map[string][]string
}

var codeSpan = regexp.MustCompile("``[^\n]*?``|`[^`\n]*`")

// look counts what is odd about a snippet.
func (t *oddTally) look(s *docs.Snippet, seen map[string]bool) {
	t.snippets++
	var prose, code strings.Builder
	fence := ""
	for line := range strings.Lines(s.Content) {
		trimmed := strings.TrimSpace(line)
		switch n := len(trimmed) - len(strings.TrimLeft(trimmed, "`")); {
		case fence == "" && n >= 3:
			fence = trimmed[:n]
			t.code++
			if trimmed == fence {
				t.bare++
			}
		case fence != "" && trimmed == fence:
			fence = ""
		case fence != "":
			code.WriteString(line)
		default:
			prose.WriteString(line)
		}
	}
	found := map[string]string{}
	texts := [...]string{inProse: codeSpan.ReplaceAllString(prose.String(), "`…`"), inCode: code.String(), inTitle: codeSpan.ReplaceAllString(s.Title, "code"), inWhole: s.Content}
	for i := range oddities {
		o := &oddities[i]
		if t.templates && strings.HasPrefix(o.name, "template") {
			continue
		}
		if m := o.is.FindString(texts[o.in]); m != "" || o.name == "empty" && o.is.MatchString(s.Content) {
			found[o.name] = m
		}
	}
	if fence != "" {
		found["open fence"] = fence
	}
	if ends := lastPiece(s.Content); strings.HasSuffix(ends, ":") && !strings.Contains(ends, "\n") && len(ends) < 40 && strings.Contains(s.Content, "```") {
		found["label at end"] = ends
	}
	if key := s.Title + "\x00" + s.Content; seen[key] {
		found["duplicate"] = s.Title
	} else {
		seen[key] = true
	}
	if len(found) > 0 {
		t.odd++
	}
	for name, what := range found {
		t.by[name]++
		if len(t.examples[name]) < 400 {
			t.examples[name] = append(t.examples[name], fmt.Sprintf("%s:%d: %q", s.Path, s.Line, clip(what)))
		}
	}
}

func clip(s string) string { return s[:min(len(s), 100)] }

func lastPiece(content string) string {
	content = strings.TrimSpace(content)
	return content[strings.LastIndex(content, "\n\n")+1:]
}

// lint reads the documentation of every preset whose repository is in the folder, and counts
// what is odd about its snippets.
func lint(ctx context.Context, o options, w io.Writer) (err error) {
	f, temp, remove, err := emptyDocs("lint")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	listed, err := f.List(ctx, docs.ListInput{Presets: true})
	if err != nil {
		return err
	}
	if o.others {
		if listed.Presets, err = others(o.dir, listed.Presets); err != nil {
			return err
		}
	}
	all := &oddTally{name: "all", by: map[string]int{}, examples: map[string][]string{}}
	libraries := 0
	for i := range listed.Presets {
		p := &listed.Presets[i]
		if o.sets != "" && !slices.Contains(strings.Split(o.sets, ","), p.Name) || notLinted[p.Name] || keptaside.Check(p.Repo) != nil {
			continue
		}
		dir, err := checkout(ctx, o.dir, temp, strings.TrimPrefix(p.Repo, "https://github.com/"))
		if errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(w, "%-20s not here\n", p.Name)
			continue
		}
		if err != nil {
			fmt.Fprintf(w, "%-20s %v\n", p.Name, err)
			continue
		}
		t, err := lintOne(ctx, f, dir, p, o)
		if o.others && fault.KindOf(err) == fault.NotFound {
			fmt.Fprintf(w, "%-20s has none\n", p.Name)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		t.print(w, o.verbose)
		all.add(t)
		libraries++
		if strings.HasPrefix(dir, temp) {
			os.RemoveAll(dir)
		}
	}
	all.name = fmt.Sprintf("%d libraries", libraries)
	all.print(w, false)
	return nil
}

// others returns the repositories of a folder of mirrors that no preset names: libraries whose
// documentation nobody has looked at, read as a person would without advice.
func others(dir string, presets []docs.Preset) (out []docs.Preset, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		repo := strings.Replace(e.Name(), "+", "/", 1)
		if !e.IsDir() || !strings.Contains(repo, "/") || slices.ContainsFunc(presets, func(p docs.Preset) bool { return strings.HasSuffix(strings.ToLower(p.Repo), "/"+strings.ToLower(repo)) }) {
			continue
		}
		out = append(out, docs.Preset{Name: repo[strings.Index(repo, "/")+1:], Repo: "https://github.com/" + repo})
	}
	return out, nil
}

func lintOne(ctx context.Context, f *docs.Feature, dir string, p *docs.Preset, o options) (*oddTally, error) {
	preset := p.Name
	if o.others {
		preset = ""
	}
	got, err := f.Preview(ctx, docs.PreviewInput{Where: docs.Where{Source: dir, Preset: preset, NoAPI: !o.api}, Limit: 100_000, Quiet: true})
	if err != nil {
		return nil, err
	}
	t := &oddTally{name: p.Name, templates: aboutTemplates[p.Name], pages: got.Library.Pages, by: map[string]int{}, examples: map[string][]string{}}
	seen := map[string]bool{}
	for i := range got.Shown {
		t.look(&got.Shown[i], seen)
	}
	return t, nil
}

func (t *oddTally) add(o *oddTally) {
	t.pages, t.snippets, t.odd, t.code, t.bare = t.pages+o.pages, t.snippets+o.snippets, t.odd+o.odd, t.code+o.code, t.bare+o.bare
	for name, n := range o.by {
		t.by[name] += n
	}
}

func (t *oddTally) print(w io.Writer, examples bool) {
	fmt.Fprintf(w, "%-20s %5d pages %6d snippets  odd %5d %6.2f %%  code without a language %5.1f %%", t.name, t.pages, t.snippets, t.odd, 100*float64(t.odd)/float64(max(t.snippets, 1)), 100*float64(t.bare)/float64(max(t.code, 1)))
	names := slices.SortedFunc(maps.Keys(t.by), func(a, b string) int { return cmp.Or(t.by[b]-t.by[a], cmp.Compare(a, b)) })
	for _, n := range names {
		fmt.Fprintf(w, "  %s %d", n, t.by[n])
	}
	fmt.Fprintln(w)
	if !examples {
		return
	}
	for _, n := range names {
		// From all over the library.
		ex := t.examples[n]
		for i := 0; i < min(5, len(ex)); i++ {
			fmt.Fprintf(w, "    %-16s %s\n", n, ex[i*len(ex)/min(5, len(ex))])
		}
	}
}
