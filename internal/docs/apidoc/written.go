package apidoc

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

const maxOver = 4 << 10 // bytes above a declaration in which the comment is looked for that describes it

// isHidden reports whether a declaration is for nobody else, in a language that has no word to say so.
func (r *reader) isHidden(d *corpus.Decl) bool {
	switch {
	case syntax.Has(r.lang, "schema"): // a module has resources for itself, and variables for others
		return syntax.Has(r.lang, "variables-only") && d.Kind != corpus.Variable
	case syntax.Has(r.lang, "described-only"):
		return strings.HasPrefix(d.Name, "_")
	}
	return false
}

// hasFunctions reports whether a type has functions between its fields, which have entries of their own.
func (r *reader) hasFunctions(d *corpus.Decl) bool {
	words := syntax.Words(r.lang, "function-word")
	return len(words) > 0 && strings.Contains(r.text[d.Body:d.Span.End], words[0]+" ")
}

// commentOver returns the text that describes a declaration, of a language whose reader does not say which: that between triple
// quotation marks or the comment directly above it.
func (r *reader) commentOver(d *corpus.Decl) string {
	at := lineStart(r.text, d.NameAt)
	before := strings.TrimRight(r.text[:at], " \t\r\n")
	if text, ok := strings.CutSuffix(before, tripleQuote); ok {
		return before[max(0, strings.LastIndex(text, tripleQuote)):]
	}
	return strings.TrimSpace(markLine.ReplaceAllString(r.text[min(d.Span.Start, at):at], ""))
}

const tripleQuote = `"""`

// unquote returns the text of a comment, which may be one between triple quotation marks.
func unquote(raw string) string {
	text, ok := strings.CutPrefix(raw, tripleQuote)
	if !ok {
		return uncomment(raw)
	}
	text = strings.TrimSuffix(text, tripleQuote)
	margin := text[strings.LastIndexByte(text, '\n')+1:] // that of the end counts
	if strings.TrimSpace(margin) == "" {
		text = strings.ReplaceAll(text, "\n"+margin, "\n")
	}
	return strings.Trim(text, "\r\n")
}

// isDocComment reports whether a comment is one that describes a declaration, and no note on its code.
func (r *reader) isDocComment(comment string) bool {
	marks := syntax.Words(r.lang, "doc-marks")
	return len(marks) == 0 || slices.ContainsFunc(marks, func(m string) bool {
		return strings.HasPrefix(strings.ReplaceAll(strings.TrimSpace(comment), " ", ""), m)
	})
}

// closedEnd returns the end of the line, behind a place, at which the brackets of a head are closed.
func (r *reader) closedEnd(start, end int) int {
	open, last := 0, min(len(r.text), start+maxSignature)
	for i := start; i < last; i++ {
		switch r.text[i] {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		case '\n':
			if i >= end && open <= 0 {
				return i
			}
		}
	}
	return end
}

// typeOver returns where the lines begin that say over a function which type it has, -1 for nowhere.
func (r *reader) typeOver(d *corpus.Decl) int {
	if !syntax.Has(r.lang, "types-over-functions") {
		return -1
	}
	over := r.text[max(d.Span.Start, d.NameAt-maxSignature):d.NameAt]
	for _, head := range []string{d.Name + " ", d.Name + "\n", d.Name + ",", "(" + d.Name + ")"} {
		if at := strings.LastIndex("\n"+over, "\n"+head); at >= 0 && strings.Contains(over[at:], "::") {
			return d.NameAt - len(over) + at
		}
	}
	return -1
}

var (
	pragma       = lazy.Regexp(`(?s)\{-#.*?#-\}`)
	lastComment  = lazy.Regexp(`(?:(?m:^)--[^\n]*(?:\n|\z))+\z`)
	lineComment  = lazy.Regexp(`(?m)^--[^\n]*\n|(?s)\n#.*`)
	markLine     = lazy.Regexp(`(?m)^\s*@.*$`)
	testFence    = lazy.Regexp("(?m)^```(?:jl)?doctest[^\n]*$")
	commentLink  = lazy.Regexp(`(^|[^\w\])])\[([A-Za-z_][\w.]*)\]([^\w(\[:]|$)`)
	doubleLink   = lazy.Regexp(`()\[\[([\w.$#]+|https?://[^\[\]\s]+)(?:\([^()\n]*\))?(?: [^\[\]\n]*)?\]\]()`)
	braceCode    = lazy.Regexp(`(?s)\{\{\{\n?(.*?)\n?[ \t]*\}\}\}`)
	templateMark = lazy.Regexp(`(?m)^\s*\{@[^}\n]*\}[ \t]*$`)
	attribute    = lazy.Regexp(`(?ms)^\s*description\s*=\s*(?:"((?:[^"\\\n]|\\.)*)"|<<-?\s*(\w+)\n(.*?)\n\s*(?:\w+)$)`)
)

// described reads a comment in one of the forms that traits.txt names.
func (r *reader) described(d *corpus.Decl, form string) doc {
	raw := r.text[d.Doc.Start:d.Doc.End]
	if at := r.typeOver(d); at >= 0 {
		raw = strings.TrimSpace(pragma.ReplaceAllString(r.text[d.Span.Start:at], ""))
	}
	if raw != "" && !r.isDocComment(raw) { // a note may be between
		raw = lastComment.FindString(strings.TrimRight(r.text[max(0, d.Span.Start-maxOver):d.Span.Start], "\n"))
	}
	if raw == "" && form == "markdown" {
		raw = r.commentOver(d)
	}
	if !r.isDocComment(raw) {
		raw = ""
	}
	s := unquote(raw)
	linked := func(links *lazy.Pattern) {
		s = outsideFences(s, func(t string) string { return links.ReplaceAllString(t, "$1`$2`$3") })
	}
	switch form {
	case "attribute":
		if m := attribute.FindStringSubmatch(r.text[d.Span.Start:d.Span.End]); m != nil {
			s = strings.ReplaceAll(m[1], `\"`, `"`) + unindent(m[3])
		}
	case "ldoc":
		for _, t := range luaTags {
			s = t.from.ReplaceAllString(s, t.to)
		}
		return tagged(s, r.lang)
	case "scaladoc":
		s = braceCode.ReplaceAllString(strings.ReplaceAll(s, "'''", "**"), "\n```\n$1\n```\n")
		linked(doubleLink)
		return tagged(s, r.lang)
	case "haddock":
		return haddock(s)
	default:
		s = testFence.ReplaceAllString(templateMark.ReplaceAllString(s, ""), "```")
		linked(commentLink)
	}
	return doc{text: markdown.Parse([]byte(s), markup.Options{}).Blocks}
}

const maxRootFields = 5000

var rootField = lazy.Regexp(`(?s)(?:"""(.*?)"""|"((?:[^"\\\n]|\\.)*)")?[\s,]*` +
	`\b((\w+)\s*(?:\((?:[^()"]|"""(?:[^"]|"[^"])*"""|"(?:[^"\\\n]|\\.)*")*\))?\s*:\s*[\w\[\]!]+[^\n}]*)`)

// rootFields returns an entry for each operation of a schema: a field of a type where queries begin.
func (r *reader) rootFields(of []int) (out []Entry) {
	for _, i := range of {
		d := &r.facts.Decls[i]
		body := r.text[d.Body:d.Span.End]
		for _, m := range rootField.FindAllStringSubmatchIndex(body, maxRootFields) {
			group := func(n int) string { return body[max(0, m[2*n]):max(0, m[2*n+1])] }
			e := Entry{Title: d.Name + "." + group(4), Line: r.lines(d.Body + m[6])}
			e.Trail = []string{plainPath(r.path), d.Name, e.Title}
			said := doc{text: markdown.Parse([]byte(unindent(group(1)+group(2))), markup.Options{}).Blocks}
			head := cutBalanced(dedent(strings.TrimRight(group(3), " \t\r")), r.lang, maxSignature)
			e.Blocks = append([]markup.Block{{Kind: markup.Code, Lang: r.lang, Text: head, Line: e.Line}}, said.blocks(r.lang, e.Line)...)
			out = append(out, e)
		}
	}
	return out
}

// luaTags write the tags of LDoc and of the language server of Lua as JSDoc has them.
var luaTags = []struct {
	from *lazy.Pattern
	to   string
}{
	{lazy.Regexp(`(?m)^-*\s*@(string|int|bool|number|tab|func|thread|array)\b(?:\[[^\]\n]*\])?`), "@param {$1}"},
	{lazy.Regexp(`(?m)^-*\s*@tparam(?:\[[^\]\n]*\])?[ \t]+(\S+)`), "@param {$1}"},
	{lazy.Regexp(`(?m)^-*\s*@treturn(?:\[[^\]\n]*\])?[ \t]+(\S+)`), "@return {$1}"},
	{lazy.Regexp(`(?m)^-*\s*@ret\b`), "@return"},
	{lazy.Regexp(`(?m)^-*\s*@usage\b`), "@example"},
	{lazy.Regexp(`(?m)^-*\s*@local\b`), "@private"},
	{lazy.Regexp(`@\{(?:[^}|\n]*\|)?([^}|\n]*)\}`), "`$1`"},
}

var (
	haddockCode  = lazy.Regexp(`(?ms)^[ \t]*@[ \t]*\n(.*?)^[ \t]*@[ \t]*$`)
	haddockLines = lazy.Regexp(`(?m)^(?:[ \t]*>>> ?[^\n]*\n?(?:[^\n]*\S[^\n]*\n?)*|(?:> ?[^\n]*(?:\n|\z))+)`)
	haddockHead  = lazy.Regexp(`(?m)^={2,6}\s+(.*)$`)
	haddockName  = lazy.Regexp(`(^|[\s("\[,])'((?:[A-Z]\w*\.)*[\w.<>=|&$*+!]+'*)'`)
	haddockInner = lazy.Regexp(`@([^@\n]+)@`)
	haddockSince = lazy.Regexp(`(?m)^\s*@since\s+(\S+)\s*$`)
)

// haddock reads a comment of Haskell.
func haddock(s string) doc {
	s = strings.TrimLeft(s, "|^ ")
	var d doc
	if m := haddockSince.FindStringSubmatch(s); m != nil {
		d.notes, s = append(d.notes, "Since "+m[1]), haddockSince.ReplaceAllString(s, "")
	}
	s = haddockCode.ReplaceAllString(s, "\n```\n$1```\n")
	s = outsideFences(s, func(t string) string {
		t = haddockLines.ReplaceAllStringFunc(t, func(code string) string {
			return "\n```\n" + strings.TrimRight(quoteMark.ReplaceAllString(code, ""), "\n") + "\n```\n"
		})
		return outsideFences(t, func(t string) string {
			t = haddockHead.ReplaceAllString(haddockInner.ReplaceAllString(t, "`$1`"), "#### $1")
			return haddockName.ReplaceAllString(t, "$1`$2`")
		})
	})
	d.text = markdown.Parse([]byte(s), markup.Options{}).Blocks
	return d
}

var quoteMark = lazy.Regexp(`(?m)^> ?`)
