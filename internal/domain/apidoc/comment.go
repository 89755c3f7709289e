package apidoc

import (
	"go/doc/comment"
	"html"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/domain/pydoc"
	"github.com/assay-dev/assay/internal/markup"
	"github.com/assay-dev/assay/internal/markup/markdown"
	"github.com/assay-dev/assay/internal/markup/rst"
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
	for _, n := range d.notes {
		out = append(out, prose(n))
	}
	for _, b := range d.text {
		b.Line = line
		if b.Kind == markup.Heading {
			b = prose(strings.TrimSuffix(b.Text, ":") + ":")
		}
		if b.Kind == markup.Code && b.Lang == "" {
			b.Lang = lang
		}
		out = append(out, b)
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
	}
	return tagged(uncomment(raw), r.lang)
}

// above returns the lines of comment directly over a declaration: the first one of a body
// is told as part of the head around it.
func (r *reader) above(d *corpus.Decl) string {
	if r.lang == "python" || r.lang == "elixir" {
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
			for _, mark := range []string{"///", "//!", "//", "##", "#"} {
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
		text := strings.TrimSpace(string(pr.Text(&comment.Doc{Content: []comment.Block{b}})))
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

var (
	tagLine    = lazy.Regexp(`^\s*@(\w+)\b[ \t]*(.*)$`)
	inlineTag  = lazy.Regexp(`\{@(?:link|linkplain|linkcode|code|literal|value|[iI]nherit[dD]oc)\s*([^}]*)\}`)
	htmlPre    = lazy.Regexp(`(?is)<pre[^>]*>(.*?)</pre>`)
	htmlMark   = lazy.Regexp(`(?i)</?(?:code|tt)>`)
	htmlPara   = lazy.Regexp(`(?i)\s*</?(?:p|br|ul|ol|dl|table|tr)\s*/?>\s*`)
	htmlItem   = lazy.Regexp(`(?i)\s*<(?:li|dt|dd)>\s*`)
	htmlOther  = lazy.Regexp(`(?i)</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>`)
	jsType     = lazy.Regexp(`^\{[^}]*\}+\s*`)
	yardType   = lazy.Regexp(`^\[([^\]]*)\]\s*`)
	paramName  = lazy.Regexp(`^(\[[^\]]*\]|[&$.*]*[\w.$]+)\s*(?:-\s+)?(.*)$`)
	privateTag = lazy.Regexp(`(?m)^\s*@(?:private|internal|hidden|ignore)\b|^\s*@api\s+private|^\s*:nodoc:`)
)

// tagged reads a comment with @tags: JSDoc, Javadoc, KDoc, PHPDoc, YARD.
func tagged(s, lang string) doc {
	d := doc{private: privateTag.MatchString(s)}
	var text []string
	var tag, arg string
	var rest []string
	fence := false
	end := func() {
		if tag != "" {
			d.tag(tag, strings.TrimSpace(arg+"\n"+strings.Join(rest, "\n")), lang)
		}
		tag, arg, rest = "", "", nil
	}
	for l := range strings.SplitSeq(s, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			fence = !fence
		}
		if m := tagLine.FindStringSubmatch(l); m != nil && !fence {
			end()
			tag, arg = m[1], m[2]
			continue
		}
		if tag != "" {
			rest = append(rest, l)
		} else {
			text = append(text, l)
		}
	}
	end()
	if body := plain(strings.Join(text, "\n"), lang); body != "" {
		d.text = markdown.Parse([]byte(body), markup.Options{}).Blocks
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
	return strings.TrimSpace(s)
}

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

// tag takes one tag and what follows it.
func (d *doc) tag(tag, body, lang string) {
	switch tag {
	case "param", "arg", "argument", "option", "property", "prop", "typeParam", "template":
		if it, ok := param(body, lang); ok {
			d.params = append(d.params, it)
		}
	case "return", "returns", "yield", "yieldreturn":
		if s := flat(typed(body, lang), lang); s != "" {
			d.returns = append(d.returns, s)
		}
	case "throws", "throw", "exception", "raise", "raises":
		body = typed(body, lang)
		name, text, _ := strings.Cut(strings.TrimSpace(body), " ")
		name = strings.Trim(name, "{}[],`")
		if name != "" {
			d.errors = append(d.errors, item{name, flat(strings.TrimPrefix(strings.TrimSpace(text), "- "), lang)})
		}
	case "example", "examples", "see_example":
		d.example(body, lang)
	case "deprecated":
		d.notes = append(d.notes, strings.TrimSpace("Deprecated. "+flat(body, lang)))
	case "since":
		if s := flat(body, lang); s != "" {
			d.notes = append(d.notes, "Since "+s)
		}
	case "description", "summary", "remarks", "note", "overload", "desc":
		if body = plain(body, lang); body != "" {
			d.text = append(d.text, markdown.Parse([]byte(body), markup.Options{}).Blocks...)
		}
	}
}

// typed puts the type that a tag begins with between ticks.
func typed(body, lang string) string {
	if m := jsType.FindString(body); m != "" {
		return "`" + strings.Trim(strings.TrimSpace(m), "{}") + "` " + body[len(m):]
	}
	if m := yardType.FindStringSubmatch(body); m != nil && lang == "ruby" {
		return m[1] + " " + body[len(m[0]):]
	}
	if lang == "php" {
		first, rest, _ := strings.Cut(body, " ")
		return "`" + first + "` " + rest
	}
	return body
}

func param(body, lang string) (item, bool) {
	kind := ""
	if m := jsType.FindString(body); m != "" {
		kind, body = strings.Trim(strings.TrimSpace(m), "{}"), body[len(m):]
	} else if m := yardType.FindStringSubmatch(body); m != nil && lang == "ruby" {
		kind, body = m[1], body[len(m[0]):]
	} else if lang == "php" {
		if first, rest, ok := strings.Cut(body, " "); ok && !strings.HasPrefix(first, "$") {
			kind, body = first, strings.TrimSpace(rest)
		}
	}
	m := paramName.FindStringSubmatch(strings.Join(strings.Fields(body), " "))
	if m == nil {
		return item{}, false
	}
	text := m[2]
	if t := yardType.FindStringSubmatch(text); t != nil && lang == "ruby" {
		kind, text = t[1], text[len(t[0]):]
	}
	text = flat(text, lang)
	if kind != "" {
		text = strings.TrimSpace("`" + kind + "` " + text)
	}
	return item{strings.Trim(m[1], "[]"), text}, true
}

var caption = lazy.Regexp(`(?is)^\s*<caption>(.*?)</caption>`)

// example takes code, which may be between fences or have prose beside it.
func (d *doc) example(body, lang string) {
	title := ""
	if m := caption.FindStringSubmatch(body); m != nil {
		title, body = m[1], body[len(m[0]):]
	} else if lang == "ruby" {
		if first, rest, ok := strings.Cut(body, "\n"); ok && !strings.HasPrefix(first, " ") {
			title, body = first, rest
		}
	}
	d.examples = append(d.examples, markup.Block{Kind: markup.Prose, Text: strings.TrimSpace("Example: " + strings.TrimSpace(title))})
	if strings.Contains(body, "```") || lang == "java" && strings.Contains(body, "<pre") {
		d.examples = append(d.examples, markdown.Parse([]byte(plain(body, lang)), markup.Options{}).Blocks...)
		return
	}
	if body = strings.Trim(body, "\n"); strings.TrimSpace(body) != "" {
		d.examples = append(d.examples, markup.Block{Kind: markup.Code, Text: dedent(body)})
	}
}

var (
	xmlElement = lazy.Regexp(`(?is)<(summary|remarks|value|returns|example|param|typeparam|exception)\b([^>]*)>(.*?)</(?:summary|remarks|value|returns|example|param|typeparam|exception)>`)
	xmlName    = lazy.Regexp(`(?i)(?:name|cref)\s*=\s*"([^"]*)"`)
	xmlRef     = lazy.Regexp(`(?i)<(?:see|seealso|paramref|typeparamref)\s[^>]*?(?:name|cref|langword|href)\s*=\s*"([^"]*)"\s*(?:/>|>([^<]*)</\w+>)`)
	xmlCode    = lazy.Regexp(`(?is)<code[^>]*>(.*?)</code>`)
	xmlInline  = lazy.Regexp(`(?is)<c>(.*?)</c>`)
	xmlPara    = lazy.Regexp(`(?i)\s*</?(?:para|list|listheader)\b[^>]*>\s*`)
	xmlItem    = lazy.Regexp(`(?i)\s*<item>\s*`)
)

// xmlDoc reads the XML comments of C#.
func xmlDoc(s string) doc {
	var d doc
	s = xmlRef.ReplaceAllStringFunc(s, func(m string) string {
		f := xmlRef.FindStringSubmatch(m)
		name := f[1]
		if len(name) > 2 && name[1] == ':' {
			name = name[2:]
		}
		if f[2] != "" {
			name = f[2]
		}
		return "`" + name + "`"
	})
	body := func(t string) []markup.Block {
		t = xmlCode.ReplaceAllStringFunc(t, func(m string) string {
			code := xmlCode.FindStringSubmatch(m)[1]
			if in, ok := strings.CutPrefix(strings.TrimSpace(code), "<![CDATA["); ok { // what is in it means itself
				code = strings.TrimSuffix(in, "]]>")
			} else {
				code = html.UnescapeString(code)
			}
			return "\n\n```csharp\n" + strings.Trim(dedent(strings.Trim(code, "\n")), "\n") + "\n```\n\n"
		})
		t = outsideFences(t, func(t string) string {
			t = xmlInline.ReplaceAllString(t, "`$1`")
			t = xmlItem.ReplaceAllString(xmlPara.ReplaceAllString(t, "\n\n"), "\n- ")
			return html.UnescapeString(htmlOther.ReplaceAllString(t, ""))
		})
		return markdown.Parse([]byte(unindent(t)), markup.Options{}).Blocks
	}
	line := func(t string) string {
		var parts []string
		for _, b := range body(t) {
			parts = append(parts, strings.Join(strings.Fields(b.Text), " "))
		}
		return strings.Join(parts, " ")
	}
	for _, m := range xmlElement.FindAllStringSubmatch(s, -1) {
		name := ""
		if n := xmlName.FindStringSubmatch(m[2]); n != nil {
			name = n[1]
			if len(name) > 2 && name[1] == ':' {
				name = name[2:]
			}
		}
		switch strings.ToLower(m[1]) {
		case "param", "typeparam":
			d.params = append(d.params, item{name, line(m[3])})
		case "returns":
			d.returns = append(d.returns, line(m[3]))
		case "exception":
			d.errors = append(d.errors, item{name, line(m[3])})
		case "example":
			d.examples = append(d.examples, markup.Block{Kind: markup.Prose, Text: "Example:"})
			d.examples = append(d.examples, body(m[3])...)
		default:
			d.text = append(d.text, body(m[3])...)
		}
	}
	if d.empty() && !strings.Contains(s, "<") {
		d.text = body(s)
	}
	return d
}

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
