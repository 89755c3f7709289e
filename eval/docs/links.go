package main

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/assay-dev/assay/internal/docs/library"
)

// A link is words of a paragraph that lead elsewhere.
type link struct {
	words    string // that it is on; untitled where those are of the section it leads to
	sentence string // in which they stand, as plain text; no other link is in it
	to       string // as written: a path, with its anchor
	label    bool   // to is a label of reStructuredText
}

// A paragraph is plain text in which marks stand around the words of links.
type paragraph struct {
	text  string
	links []link
}

const open, shut = "\x01", "\x02"

// untitled stands for the title of what a link leads to.
const untitled = "\x03"

// add appends a link to the paragraph.
func (p *paragraph) add(words, to string, label bool) string {
	p.links = append(p.links, link{words: oneLine(words), to: to, label: label})
	return open + strconv.Itoa(len(p.links)-1) + ":" + words + shut
}

// linksOf returns the links of a page that stand alone in a sentence.
func linksOf(text []byte, format library.Format) (out []link) {
	var paragraphs []paragraph
	switch format {
	case library.HTML:
		paragraphs = htmlParagraphs(text)
	case library.RST:
		paragraphs = rstParagraphs(string(text))
	case library.AsciiDoc:
		paragraphs = asciidocParagraphs(string(text))
	case library.Markdown, library.MDX:
		paragraphs = markdownParagraphs(string(text))
	}
	for _, p := range paragraphs {
		for _, s := range sentences(oneLine(p.text)) {
			if strings.Count(s, open) != 1 {
				continue
			}
			i := strings.Index(s, open)
			number, rest, _ := strings.Cut(s[i+1:], ":")
			n, err := strconv.Atoi(number)
			if err != nil || n >= len(p.links) {
				continue
			}
			l := p.links[n]
			l.sentence = oneLine(s[:i] + strings.ReplaceAll(rest, shut, ""))
			out = append(out, l)
		}
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

var sentenceEnd = regexp.MustCompile(`[.!?:][)"']?\s+[^a-z]`)

func sentences(text string) (out []string) {
	for text != "" {
		m := sentenceEnd.FindStringIndex(text)
		if m == nil {
			return append(out, text)
		}
		cut := strings.IndexByte(text[m[0]:], ' ') + m[0]
		out = append(out, text[:cut])
		text = text[cut+1:]
	}
	return out
}

var (
	mdLink  = regexp.MustCompile(`\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\(<?([^)\s>]+)>?[^)]*\)`)
	mdPlain = regexp.MustCompile("[`*]+|^[-*+>] |^[0-9]+[.)] |<[^<>]*>")
)

func markdownParagraphs(text string) (out []paragraph) {
	var p paragraph
	end := func() {
		if len(p.links) > 0 {
			out = append(out, p)
		}
		p = paragraph{}
	}
	fenced, front := "", strings.HasPrefix(text, "---\n")
	for n, line := range strings.Split(text, "\n") {
		t := strings.TrimSpace(line)
		switch {
		case front:
			front = n == 0 || t != "---"
			continue
		case fenced != "":
			if strings.HasPrefix(t, fenced) {
				fenced = ""
			}
			continue
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			end()
			fenced = t[:3]
			continue
		case t == "", t[0] == '#', t[0] == '|':
			end()
			continue
		case strings.HasPrefix(t, "- "), strings.HasPrefix(t, "* "), strings.HasPrefix(t, "+ "):
			end()
		}
		t = mdLink.ReplaceAllStringFunc(t, func(m string) string {
			g := mdLink.FindStringSubmatch(m)
			return p.add(mdPlain.ReplaceAllString(g[1], ""), g[2], false)
		})
		p.text += " " + mdPlain.ReplaceAllString(t, "")
	}
	end()
	return out
}

var (
	rstRef   = regexp.MustCompile(":(ref|doc):`([^`]+)`")
	rstRole  = regexp.MustCompile(":[\\w:-]+:`[~!]?([^`<]*?)(?:\\s*<[^`]*>)?`")
	rstPlain = regexp.MustCompile("[`*|]+|`_+")
	rstTo    = regexp.MustCompile(`(?s)^(.*?)\s*<([^<>]+)>$`)
)

func rstParagraphs(text string) (out []paragraph) {
	literal := false
	for _, block := range regexp.MustCompile(`\n[ \t]*\n`).Split(text, -1) {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		first := lines[0]
		indented := strings.HasPrefix(first, "   ")
		if literal && indented {
			continue
		}
		literal = strings.HasSuffix(strings.TrimSpace(block), "::")
		if t := strings.TrimSpace(first); strings.HasPrefix(t, "..") || t != "" && strings.Trim(t, "=-~^\"'*+#") == "" || len(lines) > 1 && ruled(lines[1]) {
			continue
		}
		var p paragraph
		t := rstRef.ReplaceAllStringFunc(strings.Join(lines, " "), func(m string) string {
			g := rstRef.FindStringSubmatch(m)
			words, to := untitled, g[2]
			if m := rstTo.FindStringSubmatch(g[2]); m != nil {
				words, to = m[1], m[2]
			}
			return p.add(words, to, g[1] == "ref")
		})
		if len(p.links) == 0 {
			continue
		}
		p.text = rstPlain.ReplaceAllString(rstRole.ReplaceAllString(t, "$1"), "")
		p.text = strings.TrimLeft(p.text, " -#.")
		out = append(out, p)
	}
	return out
}

func ruled(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && strings.Trim(line, line[:1]) == "" && strings.ContainsAny(line[:1], "=-~^\"'*+#")
}

var (
	adocGit   = regexp.MustCompile(`linkgit:([\w-]+)\[\d*\]`)
	adocRef   = regexp.MustCompile(`<<([\w-]+),([^<>]+)>>`)
	adocPlain = regexp.MustCompile("[`*+_]+")
)

func asciidocParagraphs(text string) (out []paragraph) {
	for _, block := range regexp.MustCompile(`\n(?:[ \t]*|\+)\n|\n-{4,}\n`).Split(text, -1) {
		var p paragraph
		t := adocGit.ReplaceAllStringFunc(block, func(m string) string {
			g := adocGit.FindStringSubmatch(m)
			return p.add(g[1], g[1]+".txt", false)
		})
		t = adocRef.ReplaceAllStringFunc(t, func(m string) string {
			g := adocRef.FindStringSubmatch(m)
			return p.add(g[2], "#"+g[1], false)
		})
		if len(p.links) == 0 || strings.Contains(t, "::\n") {
			continue
		}
		p.text = adocPlain.ReplaceAllString(t, "")
		out = append(out, p)
	}
	return out
}

func htmlParagraphs(text []byte) (out []paragraph) {
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "nav", "header", "footer", "script", "style", "pre":
				return
			case "p":
				var p paragraph
				p.text = p.inner(n)
				if len(p.links) > 0 {
					out = append(out, p)
				}
				return
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return out
}

func (p *paragraph) inner(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(p.inner(c))
	}
	if n.Type == html.ElementNode && n.Data == "a" {
		for _, a := range n.Attr {
			if a.Key == "href" && strings.TrimSpace(b.String()) != "" {
				return p.add(b.String(), a.Val, false)
			}
		}
	}
	return b.String()
}
