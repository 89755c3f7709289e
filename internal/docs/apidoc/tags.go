package apidoc

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
	"github.com/assay-dev/assay/internal/docs/markup/markdown"
)

var (
	tagLine    = lazy.Regexp(`^\s*@(\w+)\b[ \t]*(.*)$`)
	inlineTag  = lazy.Regexp(`\{@(?:link|linkplain|linkcode|see|code|literal|value|[iI]nherit[dD]oc)\s*([^}]*)\}`)
	htmlPre    = lazy.Regexp(`(?is)<pre[^>]*>(.*?)</pre>`)
	htmlMark   = lazy.Regexp(`(?i)</?(?:code|tt)>`)
	htmlPara   = lazy.Regexp(`(?i)\s*</?(?:p|br|ul|ol|dl|table|tr)\s*/?>\s*`)
	htmlItem   = lazy.Regexp(`(?i)\s*<(?:li|dt|dd)>\s*`)
	htmlOther  = lazy.Regexp(`(?i)</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>`)
	yardType   = lazy.Regexp(`^\[([^\]]*)\]\s*`)
	paramName  = lazy.Regexp(`^([&$.*]*[\w.$]+)\s*(?:-\s+)?(.*)$`)
	privateTag = lazy.Regexp(`(?m)^\s*@(?:private|internal|hidden|ignore)\b|^\s*@api\s+private|^\s*:nodoc:`)
)

// tagged reads a comment with @tags: JSDoc, Javadoc, KDoc, PHPDoc, YARD.
func tagged(s, lang string) doc {
	d := doc{private: privateTag.MatchString(s)}
	if lang == "ruby" {
		s = verbatim(s)
	}
	var text []string
	var tag, arg string
	var rest []string
	fence := false
	end := func() {
		if tag != "" {
			body := arg + "\n" + strings.Join(rest, "\n")
			if lang != "ruby" || tag != "example" { // of YARD's, what follows in the line is a title
				body = strings.TrimSpace(body)
			}
			d.tag(tag, body, lang)
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

var rubyItem = lazy.Regexp(`^\s*(?:[-*]|\d+\.|\[[^\]]+\]|\S+::)(?:\s|$)`)

// verbatim puts fences around what RDoc takes for code: paragraphs that are indented and follow an empty line, but not
// those of an item of a list.
func verbatim(s string) string {
	lines := strings.Split(s, "\n")
	indented := func(i int) bool {
		return i < len(lines) && strings.HasPrefix(lines[i], "  ") && strings.TrimSpace(lines[i]) != ""
	}
	var out []string
	list, fence := false, false // the text is that of a list, a tag or a block of code
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		t := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(t, "```"):
			fence = !fence
		case t == "" || fence:
		case !indented(i) || !list && rubyItem.MatchString(l) && !strings.HasPrefix(l, "    "):
			list = rubyItem.MatchString(l) || tagLine.MatchString(l)
		case !list && (i == 0 || strings.TrimSpace(lines[i-1]) == ""):
			from := i
			for i+1 < len(lines) && (indented(i+1) || strings.TrimSpace(lines[i+1]) == "" && indented(i+2)) {
				i++
			}
			out = append(out, "```ruby", dedent(strings.Join(lines[from:i+1], "\n")), "```")
			continue
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

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
	if kind, rest := bracketed(body, '{', '}'); kind != "" && kind[0] != '@' { // "{@code true} if" of Javadoc has no type
		return "`" + kind + "` " + rest
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
	if of, rest := bracketed(body, '{', '}'); of != "" {
		kind, body = of, rest
	} else if m := yardType.FindStringSubmatch(body); m != nil && lang == "ruby" {
		kind, body = m[1], body[len(m[0]):]
	} else if lang == "php" {
		if first, rest, ok := strings.Cut(body, " "); ok && !strings.HasPrefix(first, "$") {
			kind, body = first, strings.TrimSpace(rest)
		}
	}
	body = strings.Join(strings.Fields(body), " ")
	name, text := bracketed(body, '[', ']') // "[options.x=['GET']]": it may be left out, and has a default
	if text = strings.TrimPrefix(text, "- "); name == "" {
		m := paramName.FindStringSubmatch(body)
		if m == nil {
			return item{}, false
		}
		name, text = m[1], m[2]
	}
	if t := yardType.FindStringSubmatch(text); t != nil && lang == "ruby" {
		kind, text = t[1], text[len(t[0]):]
	}
	text = flat(text, lang)
	if kind != "" {
		text = strings.TrimSpace("`" + kind + "` " + text)
	}
	return item{name, text}, true
}

// bracketed splits a text that begins with a bracket: what is between it and the one that closes it, and the text behind. inside is
// "" where there is none.
func bracketed(s string, open, closing byte) (inside, rest string) {
	if s == "" || s[0] != open {
		return "", s
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				return strings.TrimSpace(s[1:i]), strings.TrimLeft(s[i+1:], " \t\n")
			}
		}
	}
	return "", s
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
