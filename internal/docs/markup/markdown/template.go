package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// A templater takes the tags of template engines off a page: Hugo's {{< shortcodes >}} and
// Liquid's {% tags %}, which stand in the source of a page and never on it. What they say for
// people stays: titles of notes and tabs, captions, terms, and files that they include.
type templater struct {
	opt           markup.Options
	includeBudget *int
	in, out       draft
	at            int
	code          *fence
	depth         int    // of includes
	liquid        bool   // the page has tags of Liquid
	pane          string // the language of tabs whose text is code; "-" where it is text
}

var (
	templateTag = lazy.Regexp(`\{\{([<%])[ \t]*(/?)[ \t]*([\w][\w./-]*)((?:[^"}]|"[^"]*")*?)(/?)[ \t]*[>%]\}\}|\{%-?[ \t]*(\w+)((?:[^%"]|"[^"]*"|%[^}])*?)-?%\}`)
	escapedTag  = lazy.Regexp(`\{\{([<%])/\*[ \t]*(.*?)[ \t]*\*/([>%])\}\}`)
	rawTag      = lazy.Regexp(`\{%-?[ \t]*(?:end)?raw[ \t]*-?%\}`)
	siteValue   = lazy.Regexp(`\{\{[<%][ \t]*(?:param|site-param|psubstr|\w*version[\w-]*)[ \t]+"?([\w.-]+)"?[^{}]*[>%]\}\}`)
	siteWord    = lazy.Regexp(`\{\{[<%][ \t]*([\w-]*version[\w-]*)[ \t]*/?[ \t]*[>%]\}\}`)
	liquidValue = lazy.Regexp(`\{\{-?[ \t]*['"\w][^{}\n]*\}\}`)
	templateArg = lazy.Regexp(`([\w-]+)[ \t]*[=:][ \t]*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|'([^']*)'|([^\s"'=]+)`)
	liquidSite  = lazy.Regexp(`\{\{ ?(?:site|page)\.\w+|\| ?relative_url ?\}\}`)
	// release is a line of metadata below a heading: in which version something came.
	release = lazy.Regexp(`^[ \t]*[-*] (?:since: v?[0-9][\w.]*|langs?:[\w ,-]*|alias-[\w-]+: \S+)[ \t]*$`)
)

// untemplate takes template tags off a draft. Pages without any are returned as they are.
func untemplate(d draft, opt markup.Options, includeBudget *int, depth int) draft {
	src := d.text()
	site := (strings.Contains(src, "{{") && (strings.Contains(src, "site.") || strings.Contains(src, "page.")) || strings.Contains(src, "relative_url")) && liquidSite.MatchString(src)
	if !strings.Contains(src, "{{<") && !strings.Contains(src, "{{%") && !strings.Contains(src, "{%") && !strings.Contains(src, "since: v") && !site {
		return d
	}
	t := &templater{opt: opt, includeBudget: includeBudget, in: d, out: d.room(), depth: depth, pane: "-"}
	t.liquid = strings.Contains(src, "{%") && templateTag.MatchString(src) || site
	for t.at < len(t.in.lines) {
		t.at++
		line, num := t.in.lines[t.at-1], t.in.nums[t.at-1]
		if t.code == nil {
			line = t.whole(line)
		}
		t.line(line, num)
	}
	return t.out
}

// whole returns a line with those that the tag at its end goes on to.
func (t *templater) whole(line string) string {
	at := max(strings.LastIndex(line, "{{<"), strings.LastIndex(line, "{{%"))
	if at < 0 || strings.Contains(line[at:], "}}") {
		return line
	}
	for i := t.at; i < len(t.in.lines) && i < t.at+8; i++ {
		if strings.Contains(t.in.lines[i], "}}") {
			for ; t.at <= i; t.at++ {
				line += " " + strings.TrimSpace(t.in.lines[t.at])
			}
			return line
		}
	}
	return line
}

func (t *templater) line(line string, num int) {
	if t.liquid {
		line = rawTag.ReplaceAllString(line, "")
	}
	if t.code != nil {
		if t.code.closes(line) {
			t.code = nil
		}
		t.out.add(inCode(line), num)
		return
	}
	if f, ok := openFence(line); ok {
		t.code = &f
		t.out.add(line, num)
		return
	}
	if release.MatchString(line) || strings.TrimSpace(line) == "-tab-sep-" {
		return
	}
	if !strings.Contains(line, "{{") && !strings.Contains(line, "{%") {
		t.out.add(line, num)
		return
	}
	trimmed := strings.TrimSpace(line)
	if m := templateTag.FindStringSubmatchIndex(trimmed); m != nil && m[0] == 0 && m[1] == len(trimmed) {
		t.block(line[:strings.Index(line, trimmed)], tagOf(trimmed, m), num)
		return
	}
	t.out.add(t.inline(line), num)
}

// inCode returns a line of code: a value that the site sets is called by its name.
func inCode(line string) string {
	if !strings.Contains(line, "{{<") && !strings.Contains(line, "{{%") {
		return line
	}
	line = siteWord.ReplaceAllString(siteValue.ReplaceAllString(line, "<$1>"), "<$1>")
	return escapedTag.ReplaceAllString(line, "{{$1 $2 $3}}")
}

// A template is one tag.
type template struct {
	name  string
	close bool
	self  bool
	hugo  byte // '<' or '%' of a shortcode
	named map[string]string
	plain []string // arguments without a name
}

func tagOf(s string, m []int) template {
	at := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return s[m[2*i]:m[2*i+1]]
	}
	var t template
	args := at(4)
	if at(6) != "" {
		t.name, args = at(6), at(7)
		if rest, ok := strings.CutPrefix(t.name, "end"); ok && rest != "" {
			t.name, t.close = rest, true
		}
	} else {
		t.name, t.close, t.self, t.hugo = at(3), at(2) != "", at(5) != "", at(1)[0]
	}
	t.name = strings.ToLower(t.name)
	t.named = map[string]string{}
	for _, a := range templateArg.FindAllStringSubmatch(args, 24) {
		if a[1] != "" {
			t.named[strings.ToLower(a[1])] = a[2] + a[3] + a[4]
		} else {
			t.plain = append(t.plain, a[5]+a[6]+a[7])
		}
	}
	return t
}

func (t *template) get(names ...string) string {
	for _, n := range names {
		if v := t.named[n]; v != "" {
			return v
		}
	}
	return ""
}

func (t *template) first() string {
	if len(t.plain) > 0 {
		return t.plain[0]
	}
	return ""
}

var (
	templateNotes = lazy.Words("alert call-out callout admonition notice hint pageinfo message")
	templateTabs  = lazy.Words("tab tabitem tab-item")
	templateCode  = lazy.Words("highlight code codeblock code-block code-toggle command terminal")
	templateFiles = lazy.Words("include include_relative readfile include-file partial")
)

// block writes what a tag says that is a line of its own.
func (t *templater) block(prefix string, tag template, num int) {
	switch {
	case tag.name == "tabpane" || tag.name == "tabs" || tag.name == "tabset":
		t.pane = "-"
		if !tag.close && tag.hugo == '<' && tag.name == "tabpane" && tag.named["text"] != "true" {
			t.pane = tag.get("lang", "langequalsheader")
		}
		t.out.add("", num)
	case tag.close:
		t.out.add("", num)
	case templateCode.Has(tag.name) && !tag.self:
		lang := tag.get("lang", "language", "lexer")
		if lang == "" && tag.name != "code-toggle" && tag.name != "command" {
			lang = strings.TrimPrefix(tag.first(), "lang:")
		}
		t.verbatim(prefix, lang, tag.name, num)
	case templateNotes.Has(tag.name) || noteKinds.Has(tag.name) && !silentKinds.Has(tag.name):
		kind, title := tag.get("type", "kind", "color", "level"), tag.get("title", "heading", "header")
		if kind == "" && len(tag.plain) > 0 && noteKinds.Has(strings.ToLower(tag.first())) {
			kind = tag.first()
			if title == "" && len(tag.plain) > 1 {
				title = tag.plain[1]
			}
		}
		if !noteKinds.Has(kind) {
			kind = tag.name
		}
		if !noteKinds.Has(kind) {
			kind = "note"
		}
		t.out.add(prefix+strings.TrimRight("::: "+kind+" "+title, " "), num)
	case templateTabs.Has(tag.name):
		name := cmp.Or(tag.get("header", "name", "title", "label"), strings.Join(tag.plain, " "))
		t.out.add(prefix+"::: tab "+name, num)
		if t.pane != "-" && !t.fencedAhead(tag.name) {
			t.verbatim(prefix, t.pane, tag.name, num)
		}
	case templateFiles.Has(tag.name) && t.include(tag, num):
	default:
		t.out.add("", num)
		if said := tag.says(); said != "" {
			t.out.add(prefix+said, num)
			t.out.add("", num)
		}
	}
}

// ahead returns how many lines there are until a tag ends, or -1.
func (t *templater) ahead(name string) int {
	for i := t.at; i < len(t.in.lines) && i < t.at+400; i++ {
		line := t.in.lines[i]
		if !strings.Contains(line, name) {
			continue
		}
		if m := templateTag.FindStringSubmatchIndex(line); m != nil {
			if tag := tagOf(line, m); tag.close && tag.name == name {
				return i - t.at
			}
		}
	}
	return -1
}

func (t *templater) fencedAhead(name string) bool {
	return slices.ContainsFunc(t.in.lines[t.at:t.at+max(t.ahead(name), 0)], func(line string) bool {
		_, ok := openFence(line)
		return ok
	})
}

// verbatim fences what a tag holds, which is code.
func (t *templater) verbatim(prefix, lang, name string, num int) {
	n := t.ahead(name)
	if n <= 0 || t.fencedAhead(name) {
		t.out.add("", num)
		return
	}
	body := t.in.lines[t.at : t.at+n]
	mark := longer(body)
	t.out.add(prefix+mark+lang, num)
	for i, line := range body {
		t.out.add(inCode(line), t.in.nums[t.at+i])
	}
	t.out.add(prefix+mark, num)
	t.at += n
}

// include puts the file that a tag names in its place.
func (t *templater) include(tag template, num int) bool {
	name := cmp.Or(tag.get("file", "path"), tag.first())
	name = strings.TrimPrefix(name, "/")
	if name == "" || t.depth > 3 || !strings.Contains(name, ".") {
		return false
	}
	for _, at := range []string{name, "includes/" + name, "content/includes/" + name, "_includes/" + name} {
		text, ok := take(t.opt, t.includeBudget, at)
		if !ok {
			continue
		}
		d := newDraft(clean([]byte(text)))
		d.front()
		for i := range d.nums {
			d.nums[i] = num
		}
		d = untemplate(d, t.opt, t.includeBudget, t.depth+1)
		t.out.add("", num)
		t.out.lines, t.out.nums = append(t.out.lines, d.lines...), append(t.out.nums, d.nums...)
		t.out.add("", num)
		return true
	}
	return false
}

// says returns the words of a tag that people read.
func (t *template) says() string {
	switch {
	case t.close:
		return ""
	case strings.HasSuffix(t.name, "-in") && t.first() != "":
		words := strings.ReplaceAll(t.name, "-", " ")
		return strings.ToUpper(words[:1]) + words[1:] + " " + t.first() + "."
	case t.name == "ref" || t.name == "relref" || t.name == "link" || t.name == "post_link":
		return t.first()
	case strings.HasPrefix(t.name, "glossary"):
		if v := t.get("text"); v != "" {
			return v
		}
		return t.first()
	case t.hugo == 0: // the words of Liquid are conditions and loops
		return ""
	}
	return t.get("text", "title", "caption", "header", "label", "alt", "name")
}

// inline takes tags off a line that has words beside them. In `code` they are what is shown.
func (t *templater) inline(line string) string {
	var b strings.Builder
	for line != "" {
		tick := strings.IndexByte(line, '`')
		part := line
		if tick >= 0 {
			part = line[:tick]
		}
		b.WriteString(t.prose(part))
		if tick < 0 {
			break
		}
		line = line[tick:]
		n := len(line) - len(strings.TrimLeft(line, "`"))
		end := strings.Index(line[n:], line[:n])
		if end < 0 {
			b.WriteString(line)
			break
		}
		b.WriteString(escapedTag.ReplaceAllString(line[:n+end+n], "{{$1 $2 $3}}"))
		line = line[n+end+n:]
	}
	return b.String()
}

func (t *templater) prose(s string) string {
	var b strings.Builder
	for {
		m := templateTag.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		b.WriteString(s[:m[0]])
		tag := tagOf(s, m)
		b.WriteString(tag.says())
		s = s[m[1]:]
	}
	b.WriteString(escapedTag.ReplaceAllString(s, "`{{$1 $2 $3}}`"))
	if t.liquid {
		return liquidValue.ReplaceAllString(b.String(), "")
	}
	return b.String()
}
