package markdown

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-dev/assay/internal/docs/markup"
)

// An htmlReader makes blocks of a stretch of HTML that is in a page.
type htmlReader struct {
	w       *walker
	line    int // of the token
	begin   int // of the text
	table   int // of the open table
	row     int // of the open row
	text    strings.Builder
	said    bool // text is more than blanks
	cells   []string
	inCell  bool
	inRow   bool
	heading int // level of an open h1 … h6
	anchor  string
	pre     bool
	lang    string
	skip    string // an element whose content is no text
	inCode  int
}

// html reads a stretch of HTML: text without tags, tables as rows, pre as code.
func (w *walker) html(src string, line int) {
	z := html.NewTokenizer(strings.NewReader(src))
	r := &htmlReader{w: w, line: line, begin: line}
	for {
		t := z.Next()
		if t == html.ErrorToken {
			// What the tokenizer gave up on is text all the same.
			r.write(string(z.Raw()))
			break
		}
		raw := string(z.Raw())
		switch t {
		case html.TextToken:
			r.write(html.UnescapeString(raw))
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(z, raw, t == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			r.end(string(name), raw)
		}
		r.line += strings.Count(raw, "\n")
	}
	if r.inRow || len(r.cells) > 0 {
		r.endRow()
	}
	r.flush()
}

func (r *htmlReader) write(s string) {
	if r.skip != "" || s == "" {
		return
	}
	if !r.said && strings.TrimSpace(s) != "" {
		r.said = true
		r.begin = r.line + strings.Count(s[:len(s)-len(strings.TrimLeft(s, " \t\n"))], "\n")
	}
	r.text.WriteString(s)
}

// taken returns the text so far, and begins another.
func (r *htmlReader) taken() string {
	s := r.text.String()
	r.text.Reset()
	r.said = false
	return s
}

func (r *htmlReader) start(z *html.Tokenizer, raw string, closed bool) {
	b, more := z.TagName()
	name := string(b)
	attrs := map[string]string{}
	for more && len(attrs) < 32 {
		var k, v []byte
		k, v, more = z.TagAttr()
		attrs[string(k)] = string(v)
	}
	if r.skip != "" {
		return
	}
	r.w.attrRefs(attrs, r.line)
	if !htmlTags.Has(name) && !strings.Contains(name, "-") && !closed && (len(attrs) == 0 || r.pre) {
		r.write(raw)
		return
	}
	switch name {
	case "script", "style", "svg", "head", "template":
		if !closed && name != "template" {
			r.skip = name
		}
	case "tr":
		r.endRow()
		r.inRow = true
	case "td", "th":
		r.endCell()
		if len(r.cells) == 0 {
			r.row = r.line
		}
		r.inCell = true
	case "table":
		r.flush()
		r.table = r.line
	case "pre":
		if !r.inCell {
			r.flush()
			r.pre, r.lang = true, langClass(attrs["class"]+" "+attrs["lang"])
		}
	case "code":
		if r.pre {
			r.lang = cmp.Or(langClass(attrs["class"]), r.lang)
			return
		}
		r.inCode++
		r.write("`")
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if !r.inCell {
			r.flush()
			r.heading, r.anchor = int(name[1]-'0'), attrs["id"]
		}
	case "img":
		if !badge.MatchString(attrs["src"]) {
			r.write(attrs["alt"])
		}
	default:
		r.soft(name)
		r.component(name, attrs)
	}
}

// component writes what an element of a tool's own says in its attributes.
func (r *htmlReader) component(name string, attrs map[string]string) {
	if htmlTags.Has(name) {
		return
	}
	for _, k := range proseProps {
		if attrs[k] != "" {
			r.write(attrs[k] + "\n")
		}
	}
}

// soft breaks the text where a tag does.
func (r *htmlReader) soft(name string) {
	switch name {
	case "br":
		r.write("\n")
	case "li":
		r.write("\n- ")
	case "p", "div", "section", "details", "summary", "blockquote", "center", "ul", "ol", "dl", "dt", "figure", "figcaption", "caption":
		if r.inCell {
			r.write("\n")
		} else if name == "ul" || name == "ol" || name == "dl" || name == "dt" {
			r.write("\n")
		} else {
			r.flush()
		}
	case "dd":
		r.write("\n  ")
	}
}

func (r *htmlReader) end(name, raw string) {
	if r.skip != "" {
		if r.skip == name {
			r.skip = ""
		}
		return
	}
	switch name {
	case "tr":
		r.endRow()
	case "td", "th":
		r.endCell()
	case "table":
		r.endRow()
		r.table = 0
		if r.w.depth == 0 {
			r.w.flush()
		}
	case "pre":
		if r.pre {
			code := strings.Trim(r.taken(), "\n")
			r.w.emit(markup.Block{Kind: markup.Code, Text: code, Lang: r.lang, Line: r.begin})
			r.pre = false
		}
	case "code":
		if r.inCode > 0 {
			r.inCode--
			r.write("`")
		}
	case "h1", "h2", "h3", "h4", "h5", "h6":
		r.flush()
	case "li", "br", "dd":
	case "ul", "ol", "dl":
		r.write("\n")
	default:
		if !htmlTags.Has(name) && !strings.Contains(name, "-") && !r.w.mdx {
			r.write(raw)
			return
		}
		r.soft(name)
	}
}

func (r *htmlReader) endCell() {
	if !r.inCell {
		r.flush()
		return
	}
	r.cells = append(r.cells, strings.Join(strings.Fields(r.taken()), " "))
	r.inCell = false
}

func (r *htmlReader) endRow() {
	if r.inCell {
		r.endCell()
	} else {
		r.flush()
	}
	r.inRow = false
	if strings.Join(r.cells, "") != "" {
		if len(r.w.rows) == 0 {
			r.w.flush()
			r.w.settle()
			r.w.rowLine = r.row
			if r.table > 0 {
				r.w.rowLine = r.table
			}
		}
		r.w.rows = append(r.w.rows, strings.Join(r.cells, " | "))
	}
	r.cells = nil
}

// flush ends the text so far: a heading, or paragraphs.
func (r *htmlReader) flush() {
	text := r.taken()
	level := r.heading
	r.heading = 0
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(r.w.rows) > 0 {
		r.w.flush()
	}
	if level > 0 {
		words := strings.Join(strings.Fields(text), " ")
		if r.anchor == "" {
			r.anchor = r.w.slug(words)
		}
		r.w.emit(markup.Block{Kind: markup.Heading, Text: words, Level: level, Anchor: r.anchor, Line: r.begin})
		return
	}
	line := r.begin
	for part := range strings.SplitSeq(text, "\n\n") {
		r.w.prose(tidyLines(part), line)
		line += strings.Count(part, "\n") + 2
		line = min(line, r.line)
	}
}

// tidyLines takes indentation and empty lines away.
func tidyLines(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		if t := strings.TrimSpace(line); t != "" && t != "-" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n")
}

func langClass(class string) string {
	for _, c := range strings.Fields(class) {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-"} {
			if l, ok := strings.CutPrefix(c, prefix); ok {
				return l
			}
		}
	}
	return ""
}
