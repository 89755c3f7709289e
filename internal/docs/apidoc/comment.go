package apidoc

import (
	"go/doc/comment"
	"html"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
	"github.com/assay-dev/assay/internal/docs/markup/rst"
	"github.com/assay-dev/assay/internal/docs/pydoc"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A doc is what a comment says.
type doc struct {
	text     []markup.Block
	params   []item
	returns  []string
	errors   []item
	examples []markup.Block
	notes    []string // deprecated, since
	private  bool     // it says that it is for nobody else
}

type item struct{ name, text string }

func (d *doc) empty() bool {
	return len(d.text)+len(d.params)+len(d.returns)+len(d.errors)+len(d.examples)+len(d.notes) == 0
}

// add puts what another declaration of the same name says behind what is known: what
// overloads repeat is said once.
func (d *doc) add(o doc) {
	for _, b := range o.text {
		if !slices.ContainsFunc(d.text, func(h markup.Block) bool { return h.Text == b.Text }) && len(d.text) < 200 {
			d.text = append(d.text, b)
		}
	}
	for _, p := range o.params {
		if !slices.ContainsFunc(d.params, func(h item) bool { return h.name == p.name }) {
			d.params = append(d.params, p)
		}
	}
	for _, p := range o.errors {
		if !slices.Contains(d.errors, p) {
			d.errors = append(d.errors, p)
		}
	}
	for _, s := range o.returns {
		if !slices.Contains(d.returns, s) {
			d.returns = append(d.returns, s)
		}
	}
	for _, s := range o.notes {
		if !slices.Contains(d.notes, s) {
			d.notes = append(d.notes, s)
		}
	}
	d.examples = append(d.examples, o.examples...)
}

// blocks writes a doc in the order: what it is, what it takes, gives and fails with,
// examples.
func (d *doc) blocks(lang string, line int) []markup.Block {
	prose := func(s string) markup.Block { return markup.Block{Kind: markup.Prose, Text: s, Line: line} }
	var out []markup.Block
	notes := func() {
		for _, n := range d.notes {
			out = append(out, prose(n))
		}
	}
	for i, b := range d.text {
		if i == 1 {
			notes() // what it is comes first: it is found by that
		}
		b.Line = line
		if b.Kind == markup.Heading {
			b = prose(strings.TrimSuffix(b.Text, ":") + ":")
		}
		if b.Kind == markup.Code && b.Lang == "" {
			b.Lang = lang
		}
		out = append(out, b)
	}
	if len(d.text) < 2 {
		notes()
	}
	list := func(title string, items []item) {
		if len(items) == 0 {
			return
		}
		s := title + ":"
		for _, it := range items {
			s += "\n- `" + it.name + "`"
			if it.text != "" {
				s += ": " + it.text
			}
		}
		out = append(out, prose(s))
	}
	list("Parameters", d.params)
	if len(d.returns) > 0 {
		out = append(out, prose("Returns: "+strings.Join(d.returns, "; ")))
	}
	list("Errors", d.errors)
	for _, b := range d.examples {
		b.Line = line
		if b.Kind == markup.Code && b.Lang == "" {
			b.Lang = lang
		}
		out = append(out, b)
	}
	return out
}

// doc reads the comment of a declaration.
func (r *reader) doc(d *corpus.Decl) doc {
	if form := syntax.Words(r.lang, "comment-form"); len(form) > 0 {
		return r.described(d, form[0])
	}
	raw := r.text[d.Doc.Start:d.Doc.End]
	if raw == "" {
		raw = r.above(d)
	}
	if strings.TrimSpace(raw) == "" {
		return doc{}
	}
	switch r.lang {
	case "python":
		return python(raw)
	case "csharp":
		return xmlDoc(uncomment(raw))
	case "go":
		return goDoc(uncomment(raw))
	case "rust":
		return rustDoc(uncomment(raw))
	case "elixir":
		return elixir(raw)
	case "swift":
		return swift(uncomment(raw))
	case "c", "cpp":
		return tagged(doxygen(uncomment(raw)), r.lang)
	}
	return tagged(uncomment(raw), r.lang)
}

// above returns the lines of comment directly over a declaration: the first one of a body
// is told as part of the head around it.
func (r *reader) above(d *corpus.Decl) string {
	if r.lang == "python" || r.lang == "elixir" || isHeader(r.path) {
		return ""
	}
	at := lineStart(r.text, d.Span.Start)
	if r.lang == "csharp" || r.lang == "rust" { // an empty line does not part what "///" says from what it is of
		for range 2 {
			if from := lineStart(r.text, max(0, at-1)); from < at && strings.TrimSpace(r.text[from:at]) == "" {
				at = from
			}
		}
	}
	end := at
	for at > 0 {
		from := lineStart(r.text, at-1)
		line := strings.TrimSpace(r.text[from : at-1])
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "///") || strings.HasPrefix(line, "#[") || strings.HasPrefix(line, "#!") {
			break
		}
		at = from
	}
	if at == end && r.lang != "csharp" && r.lang != "rust" && r.lang != "ruby" && r.lang != "go" {
		return detached(r.text[:at])
	}
	return r.text[at:end]
}

// detached returns the block of comment for a declaration that a text ends with, an empty line after it: many
// programs of JavaScript are written so.
func detached(before string) string {
	block := strings.TrimRight(before, " \t\r\n")
	if !strings.HasSuffix(block, "*/") || strings.Count(before[len(block):], "\n") != 2 {
		return ""
	}
	from := strings.LastIndex(block, "/**")
	if from < 0 || strings.TrimSpace(block[lineStart(block, from):from]) != "" || strings.Contains(block[from:len(block)-2], "*/") {
		return ""
	}
	return block[from:]
}

// uncomment takes the marks of a comment off its lines.
func uncomment(raw string) string {
	raw = strings.ReplaceAll(raw, "\r\n", "\n")
	block := strings.HasPrefix(strings.TrimSpace(raw), "/*")
	lines := strings.Split(raw, "\n")
	for i, l := range lines {
		t := strings.TrimLeft(l, " \t")
		if block {
			if i == 0 {
				t = strings.TrimLeft(strings.TrimPrefix(t, "/*"), "*!")
			}
			t = strings.TrimSuffix(strings.TrimRight(t, " \t"), "*/")
			if i > 0 && strings.HasPrefix(t, "*") {
				t = t[1:]
			} else if i > 0 {
				t = strings.TrimPrefix(l, "   ")
				t = strings.TrimSuffix(strings.TrimRight(t, " \t"), "*/")
			}
		} else {
			for _, mark := range []string{"///", "//!", "//", "##", "#", "---", "--"} {
				if rest, ok := strings.CutPrefix(t, mark); ok {
					t = rest
					break
				}
			}
		}
		lines[i] = strings.TrimPrefix(strings.TrimRight(t, " \t"), " ")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func goDoc(s string) doc {
	var p comment.Parser
	pr := comment.Printer{DocLinkURL: func(*comment.DocLink) string { return "" }, HeadingID: func(*comment.Heading) string { return "" }}
	parsed := p.Parse(s)
	var d doc
	for _, b := range parsed.Content {
		if c, ok := b.(*comment.Code); ok {
			d.text = append(d.text, markup.Block{Kind: markup.Code, Text: strings.TrimRight(c.Text, "\n")})
			continue
		}
		text := strings.TrimSpace(dedent(strings.Trim(string(pr.Text(&comment.Doc{Content: []comment.Block{b}})), "\n")))
		if text == "" || strings.HasPrefix(text, "go:") || strings.HasPrefix(text, "nolint") {
			continue
		}
		if _, list := b.(*comment.List); !list {
			text = strings.Join(strings.Fields(text), " ")
		}
		d.text = append(d.text, markup.Block{Kind: markup.Prose, Text: text})
	}
	return d
}

func rustDoc(s string) doc {
	s = outsideFences(s, func(t string) string { return rustLink.ReplaceAllString(t, "`$1`$2") })
	d := doc{text: markdown.Parse([]byte(s), markup.Options{}).Blocks}
	for i := range d.text {
		b := &d.text[i]
		if b.Kind != markup.Code {
			continue
		}
		switch b.Lang {
		case "", "rust", "no_run", "ignore", "should_panic", "compile_fail":
			b.Lang = "rust"
			var kept []string
			for l := range strings.SplitSeq(b.Text, "\n") {
				// rustdoc compiles these lines and does not show them.
				if t := strings.TrimLeft(l, " \t"); t == "#" || strings.HasPrefix(t, "# ") {
					continue
				}
				kept = append(kept, l)
			}
			b.Text = strings.Join(kept, "\n")
		}
	}
	return d
}

var (
	underlined  = lazy.Regexp(`(?m)^([A-Z][A-Za-z ]{2,30})\n-{3,}[ \t]*$`)
	googleHead  = lazy.Regexp(`(?m)^(Args|Arguments|Parameters|Returns|Yields|Raises|Examples?|Note|Notes|Attributes):[ \t]*$`)
	numpyParams = lazy.Regexp(`(?m)^(\*{0,2}[A-Za-z_][\w, *]*) : (.+)$`)
)

// python reads a docstring: reStructuredText with the fields of Sphinx, the sections of
// NumPy or those of Google.
func python(raw string) doc {
	s := pydoc.Docstring(raw)
	if strings.HasPrefix(strings.TrimSpace(raw), "#") {
		s = strings.TrimPrefix(uncomment(raw), ": ")
	}
	s = pydoc.Fields(s, strings.Contains(s, "```"))
	s = underlined.ReplaceAllString(s, "**$1:**\n")
	s = googleHead.ReplaceAllString(s, "**$1:**\n")
	s = numpyParams.ReplaceAllString(s, "``$1`` : $2")
	var d doc
	if strings.Contains(s, "```") {
		d.text = markdown.Parse([]byte(s), markup.Options{}).Blocks
	} else {
		d.text = rst.Parse([]byte(s), markup.Options{}).Blocks
	}
	for i := range d.text {
		d.text[i].Text = strings.ReplaceAll(d.text[i].Text, ":**", ":")
		d.text[i].Text = strings.ReplaceAll(d.text[i].Text, "**", "")
	}
	return d
}

// plain turns the inline marks of a comment into Markdown.
func plain(s, lang string) string {
	s = inlineTag.ReplaceAllStringFunc(s, func(m string) string {
		in := strings.TrimSpace(inlineTag.FindStringSubmatch(m)[1])
		if i := strings.IndexAny(outsideParens(in), " |"); i > 0 && !strings.HasPrefix(m, "{@code") && !strings.HasPrefix(m, "{@literal") {
			in = strings.TrimSpace(in[i+1:]) // the words of a link
		}
		if in == "" {
			return ""
		}
		return "`" + strings.ReplaceAll(strings.TrimPrefix(in, "#"), "`", "") + "`"
	})
	if lang == "java" || lang == "kotlin" || lang == "csharp" || lang == "php" {
		s = htmlPre.ReplaceAllStringFunc(s, func(m string) string {
			in := htmlOther.ReplaceAllString(htmlMark.ReplaceAllString(htmlPre.FindStringSubmatch(m)[1], ""), "")
			in = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(in), "{@code"), "}")
			return "\n```" + lang + "\n" + strings.Trim(html.UnescapeString(in), "\n`") + "\n```\n"
		})
		s = htmlMark.ReplaceAllString(s, "`")
		s = htmlItem.ReplaceAllString(s, "\n- ")
		s = htmlPara.ReplaceAllString(s, "\n\n")
		s = outsideFences(s, func(t string) string { return html.UnescapeString(htmlOther.ReplaceAllString(t, "")) })
	}
	if lang == "ruby" {
		s = outsideFences(s, func(t string) string {
			return yardLink.ReplaceAllString(yardTitled.ReplaceAllString(t, "$1"), "`$1`")
		})
	}
	if lang == "kotlin" {
		s = outsideFences(s, func(t string) string { return kotlinLink.ReplaceAllString(t, "`$1`$2") })
	}
	return strings.TrimSpace(s)
}

// yardLink is a link of YARD to a declaration, yardTitled one with words of its own. A hash of Ruby begins with a small letter.
var (
	yardLink   = lazy.Regexp(`\{((?:#|[A-Z])[\w:.#?!]*)\}`)
	yardTitled = lazy.Regexp(`\{(?:#|[A-Z])[\w:.#?!]*[ \t]+([^{}\n]+)\}`)
)

// rustLink is a link of rustdoc to a declaration by its name alone, which nothing in the comment defines.
var rustLink = lazy.Regexp("\\[`?((?:[a-z]+@)?[A-Za-z_][\\w:]+(?:!|\\(\\))?)`?\\]([^\\w(\\[:]|$)")

// kotlinLink is what KDoc takes for a link to a declaration.
var kotlinLink = lazy.Regexp(`\[([A-Za-z_][\w.]*)\]([^\w(\[:]|$)`)

// outsideParens blanks what is between parentheses: the types of the parameters of a link.
func outsideParens(s string) string {
	open, b := 0, []byte(s)
	for i, c := range b {
		switch {
		case c == '(':
			open++
		case c == ')':
			open--
		case open > 0:
			b[i] = '_'
		}
	}
	return string(b)
}

// outsideFences changes the lines that are not of code.
func outsideFences(s string, change func(string) string) string {
	parts := strings.Split(s, "```")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = change(parts[i])
	}
	return strings.Join(parts, "```")
}

func flat(s, lang string) string { return strings.Join(strings.Fields(plain(s, lang)), " ") }

// unindent takes the blanks off the beginnings of lines outside of code, which would make
// them code.
func unindent(s string) string {
	return outsideFences(s, func(t string) string {
		lines := strings.Split(t, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimLeft(l, " \t")
		}
		return strings.Join(lines, "\n")
	})
}
