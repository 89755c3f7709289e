package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// refs answers, besides the definitions of the page, names of objects that are used as
// labels of links: [`Model`][pydantic.Model], which mkdocstrings resolves, and
// [`Command`][crate::Command] of rustdoc.
type refs struct {
	parser.Context
	names map[string]bool
}

func (r *refs) Reference(label string) (parser.Reference, bool) {
	if ref, ok := r.Context.Reference(label); ok || !r.names[label] {
		return ref, ok
	}
	return parser.NewReference([]byte(label), []byte("#"), nil), true
}

var crossName = lazy.Regexp("\\]\\[`?([\\w][\\w.:()-]*)`?\\]|\\[`?([\\w.()]+)`?\\]\\[\\]")

func crossNames(src []byte) map[string]bool {
	if !bytes.Contains(src, []byte("][")) {
		return nil
	}
	names := map[string]bool{}
	for line := range bytes.Lines(src) {
		if !bytes.Contains(line, []byte("][")) {
			continue
		}
		for _, m := range crossName.FindAllSubmatch(line, -1) {
			label := m[1]
			if len(label) == 0 {
				label = m[2]
				names[util.ToLinkReference([]byte("`"+string(label)+"`"))] = true
			}
			if len(label) > 2 || strings.ContainsAny(string(label), "._:") {
				names[util.ToLinkReference(label)] = true
			}
		}
	}
	return names
}

var (
	attrList    = lazy.Regexp(`^\{:?[ \t]*(?:[.#][\w-]+\??|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+))(?:[ \t]+(?:[.#]?[\w-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+)))*[ \t]*\}`)
	iconAttrs   = lazy.Regexp(`(:[a-z][\w-]*:)\{:?[ \t]*\.[^{}\n]*\}`)
	tagName     = lazy.Regexp(`^</?([A-Za-z][A-Za-z0-9-]*)[\s/>]`)
	imageSource = lazy.Regexp(`(?i)\ssrc=(?:"([^"]*)"|'([^']*)')`)
	altText     = lazy.Regexp(`(?i)\salt=(?:"([^"]*)"|'([^']*)')`)
)

// maxAttrs bounds a list of attributes, in bytes.
const maxAttrs = 300

// inline returns the words of a node.
func (w *walker) inline(n ast.Node) string {
	var b strings.Builder
	w.words(&b, n)
	return b.String()
}

func (w *walker) words(b *strings.Builder, n ast.Node) {
	listed := 0 // where the attributes end that the last link or emphasis has, in several texts where they have a _
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			from := c.Segment
			if from.Start < from.Stop && w.src[from.Start] == '{' && (c.PreviousSibling() == nil || c.PreviousSibling().Kind() != ast.KindText) {
				listed = from.Start + len(attrList.FindString(string(w.src[from.Start:min(len(w.src), from.Start+maxAttrs)])))
			}
			s := plain(w.src[max(from.Start, min(listed, from.Stop)):from.Stop])
			if strings.Contains(s, ":{") {
				s = iconAttrs.ReplaceAllString(s, "$1")
			}
			if next, ok := c.NextSibling().(*ast.CodeSpan); ok && next != nil && strings.HasSuffix(s, "}") {
				s = s[:len(s)-len(roleName.FindString(s))]
			}
			b.WriteString(s)
			if c.HardLineBreak() {
				b.WriteByte('\n')
			} else if c.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.CodeSpan:
			w.codeSpan(b, c)
			w.opening = false
		case *ast.AutoLink:
			w.ref(markup.Link, string(c.URL(w.src)), c.Pos(), false)
			b.Write(c.Label(w.src))
		case *ast.RawHTML:
			for i := range c.Segments.Len() {
				s := c.Segments.At(i)
				if i == 0 {
					b.WriteString(w.tag(c, string(s.Value(w.src))))
				}
			}
		case *east.TaskCheckBox:
			if c.IsChecked {
				b.WriteString("[x] ")
			} else {
				b.WriteString("[ ] ")
			}
		case *east.Strikethrough: // it holds no longer
			b.WriteString("~~")
			w.words(b, c)
			b.WriteString("~~")
		case *ast.Image:
			w.ref(markup.Image, string(c.Destination), c.Pos(), false)
			if !badge.Match(c.Destination) {
				w.words(b, c)
			}
		case *ast.Link:
			if c.Reference == nil {
				w.ref(markup.Link, string(c.Destination), c.Pos(), false)
			}
			w.words(b, c)
		default:
			w.words(b, c)
		}
	}
}

var (
	// roleName is a role of MyST before its text in code: {func}`~attrs.define`.
	roleName = lazy.Regexp(`\{(?:py:|c:|cpp:|std:|external:)?(?:func|meth|class|mod|attr|exc|obj|data|const|type|ref|doc|term|pep|rfc|option|envvar|file|kbd|command|program|any|numref|abbr|download|guilabel|samp)\}$`)
	// badge is where pictures come from that tell of the state of a project, in words that say nothing else.
	badge = lazy.Regexp(`(?i)^https?://(?:img\.shields\.io|shields\.io|badge[\w-]*\.|badgen\.net|codecov\.io|coveralls\.io|travis-ci\.|api\.travis-ci\.|circleci\.com|ci\.appveyor\.com|opencollective\.com|nodei\.co|david-dm\.org|snyk\.io|goreportcard\.com|godoc\.org|pkg\.go\.dev/badge|[\w.]*sonarcloud\.io|api\.codacy\.com|api\.codeclimate\.com|[\w.-]+/(?:[^\s?#]*/)?badges?/|[\w.-]+/[^\s?#]*badge\.(?:svg|png))|^https?://[^\s?#]*/badge\.svg`)
)

// roleOf returns the role that a code span has, or "".
func (w *walker) roleOf(n *ast.CodeSpan) string {
	before, ok := n.PreviousSibling().(*ast.Text)
	if !ok || !bytes.HasSuffix(before.Segment.Value(w.src), []byte{'}'}) {
		return ""
	}
	role := strings.Trim(roleName.FindString(string(before.Segment.Value(w.src))), "{}")
	return role[strings.LastIndexByte(role, ':')+1:]
}

var titled = lazy.Regexp(`^(.+?)\s*<[^<>]+>$`)

// ofRole returns what a role shows of its text.
func ofRole(role, text string) string {
	if m := titled.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	text = strings.TrimLeft(text, "~!")
	switch role {
	case "pep", "rfc":
		return strings.ToUpper(role) + " " + text
	case "ref", "doc", "term", "numref", "abbr", "guilabel":
		return text
	}
	return "`" + text + "`"
}

// nextTo returns the code that a code span stands against, emphasis aside: `f(`*`x`*`)` is one
// piece of code in what is shown.
func (w *walker) nextTo(n ast.Node, step, into func(ast.Node) ast.Node) bool {
	at := step(n)
	self := n
	for at == nil {
		p := n.Parent()
		if p == nil || p.Kind() != ast.KindEmphasis {
			return false
		}
		n, at = p, step(p)
	}
	for at != nil && at.Kind() == ast.KindEmphasis {
		at = into(at)
	}
	return at != nil && at.Kind() == ast.KindCodeSpan && !w.ticked(self) && !w.ticked(at)
}

// ticked reports whether a code span needs more marks than one.
func (w *walker) ticked(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok && bytes.IndexByte(t.Segment.Value(w.src), '`') >= 0 {
			return true
		}
	}
	return false
}

func (w *walker) codeSpan(b *strings.Builder, n *ast.CodeSpan) {
	var s strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			s.Write(c.Segment.Value(w.src))
		case *ast.String:
			s.Write(c.Value)
		}
	}
	code := strings.ReplaceAll(s.String(), "\n", " ")
	w.ref(markup.Span, code, n.Pos(), (w.bullet || w.opening) && strings.Trim(b.String(), "* ") == "")
	if role := w.roleOf(n); role != "" && !strings.Contains(code, "`") {
		b.WriteString(ofRole(role, code))
		return
	}
	mark := "`"
	if strings.Contains(code, "`") {
		mark = "``"
	}
	begin, end := mark, mark
	if w.nextTo(n, ast.Node.PreviousSibling, ast.Node.LastChild) {
		begin = ""
	}
	if w.nextTo(n, ast.Node.NextSibling, ast.Node.FirstChild) {
		end = ""
	}
	b.WriteString(begin + code + end)
}

// tag returns what a tag of HTML within a paragraph leaves: a tag that HTML does not
// have, as in List<T>, stays as it is.
func (w *walker) tag(n *ast.RawHTML, first string) string {
	var all strings.Builder
	for i := range n.Segments.Len() {
		s := n.Segments.At(i)
		all.Write(s.Value(w.src))
	}
	text := all.String()
	if strings.HasPrefix(first, "<!--") || strings.HasPrefix(first, "<?") {
		return ""
	}
	m := tagName.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	name := strings.ToLower(m[1])
	w.tagRefs(text, n.Pos())
	if !htmlTags.Has(name) && !strings.Contains(name, "-") {
		return text
	}
	return tagText(name, text)
}

// tagText is what a tag itself leaves of a line.
func tagText(name, text string) string {
	switch name {
	case "br":
		return "\n"
	case "code", "tt", "kbd", "samp":
		return "`"
	case "s", "del", "strike":
		return "~~"
	case "img":
		if s := imageSource.FindStringSubmatch(text); s != nil && badge.MatchString(s[1]+s[2]) {
			return ""
		}
		if m := altText.FindStringSubmatch(text); m != nil {
			return plain([]byte(m[1] + m[2]))
		}
	}
	return ""
}

// plain resolves escapes and references.
func plain(s []byte) string {
	t := string(s)
	if !strings.ContainsAny(t, "\\&") {
		return t
	}
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(s))))
}

var htmlTags = lazy.Words(`a abbr acronym address applet area article aside audio b base bdi bdo big blockquote body br button canvas
	caption center cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font
	footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map
	mark menu meta meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search
	section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead
	time title tr track tt u ul var video wbr path g circle rect defs line polyline polygon`)
