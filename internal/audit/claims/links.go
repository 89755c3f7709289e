package claims

import (
	"cmp"
	"fmt"
	"html"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Link is one of a document's that leads nowhere in its repository.
type Link struct {
	Place
	Target string `json:"target"`
	Why    string `json:"why"`
}

var (
	linksTo  = lazy.Regexp(`\]\(\s*<?([^()\s<>]+(?:\([^()\s<>]*\))?)`)
	defined  = lazy.Regexp(`^ {0,3}\[[^\]^]+\]:\s*<?([^\s<>]+)`)
	scheme   = lazy.Regexp(`^(?:[a-zA-Z][\w+.-]*:|//|/|[@~?{$%<])|[{}*$|…]|<`)
	anchored = lazy.Regexp(`(?i)\b(?:id|name)\s*=\s*["']([^"']+)["']|\{\s*#([\w.:-]+)`)
	// Pages whose headings are not all their own: a generator includes others.
	included = lazy.Regexp(`(?m)^\s*(?:import\s.*\sfrom\s|--8<--|!?\[\[|:::|<!--\s*@?include|\{[%{]|<[A-Z]\w*|.*:begin)`)
	includes = lazy.Regexp(`(?m)^\s*(?:\{%-?\s*include\w*\s+|--8<--\s+|!include\s+|\{!\s*|:?::?include\s+)["']?([\w./-]+\.mdx?)`)
	// A page that its reader copies and fills in.
	patternPage = lazy.Regexp(`(?i)(?:^|[/_.-])template[^/]*$`)
	quoted      = lazy.Regexp(`^\s*(?:[>*+-]\s+|\d+[.)]\s+)*`)
	ending      = lazy.Regexp(`(?i)\.(?:md|mdx|markdown)$`)
)

// Links returns the links of Markdown documents to files and headings of the repository
// that are not there. Sites give pages other addresses than their files have: what may be
// such an address is not judged.
func (a *Auditor) Links() []Link {
	stems := map[string]bool{}
	heads := map[string]map[string]bool{}
	for _, all := range [][]Source{a.Tree.Code, a.Tree.Docs, a.Tree.Aside} {
		for i := range all {
			base := path.Base(all[i].Path)
			stems[strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))] = true
		}
	}
	for i := range a.Tree.Docs {
		if d := &a.Tree.Docs[i]; d.Language == "markdown" && !included.Match(d.Text) {
			heads[d.Path] = anchorsOf(string(d.Text))
		}
	}
	// Nor is a page complete that others include.
	for i := range a.Tree.Docs {
		for _, m := range includes.FindAllSubmatch(a.Tree.Docs[i].Text, -1) {
			for at := range heads {
				if strings.HasSuffix("/"+at, "/"+strings.TrimLeft(string(m[1]), "./")) {
					delete(heads, at)
				}
			}
		}
	}
	out := []Link{}
	for i := range a.Tree.Docs {
		d := &a.Tree.Docs[i]
		if d.Language != "markdown" || patternPage.MatchString(d.Path) {
			continue
		}
		fenced := ""
		for n, line := range strings.Split(string(d.Text), "\n") {
			if m := fence.FindStringSubmatch(line); m != nil {
				switch {
				case fenced == "":
					fenced = m[1]
				case closes(line, fenced):
					fenced = ""
				}
				continue
			}
			if fenced != "" || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
				continue
			}
			line = comment.ReplaceAllString(spans.ReplaceAllString(line, "x"), "")
			found := linksTo.FindAllStringSubmatch(line, -1)
			if m := defined.FindStringSubmatch(line); m != nil {
				found = append(found, m)
			}
			for _, m := range found {
				if why := a.leadsNowhere(d.Path, m[1], heads, stems); why != "" {
					out = append(out, Link{Place{d.Path, n + 1}, m[1], why})
				}
			}
		}
	}
	sorting.Stable(out, func(a, b Link) int { return cmp.Or(byPlace(a.Place, b.Place), cmp.Compare(a.Target, b.Target)) })
	return slices.Compact(out)
}

// leadsNowhere says why a link of a document is broken, or "".
func (a *Auditor) leadsNowhere(from, target string, heads map[string]map[string]bool, stems map[string]bool) string {
	if scheme.MatchString(target) {
		return ""
	}
	file, fragment, _ := strings.Cut(target, "#")
	file, _, _ = strings.Cut(file, "?")
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	at := from
	if file != "" {
		at = path.Join(path.Dir(from), file)
		if strings.HasPrefix(at, "../") {
			return "" // it is beside the repository: a forge's own page
		}
		base := path.Base(at)
		switch {
		case a.Tree.exists(at):
		case !strings.Contains(base, ".") || strings.HasSuffix(base, ".html") || stems[strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))]:
			return "" // a page of a site, or one that another folder has
		case documentFolder.MatchString(from) && (!ending.MatchString(at) || !a.Tree.exists(path.Dir(at))):
			return "" // a site has pictures of its theme, and folders that are generated
		default:
			return fmt.Sprintf("there is no file %s", at)
		}
	}
	has, known := heads[at]
	if fragment == "" || !known || file != "" && !ending.MatchString(at) {
		return ""
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	want := anchorKey(strings.TrimPrefix(fragment, "user-content-"))
	if want == "" || want == "top" || has[want] || has[strings.TrimRight(want, "0123456789")] || strings.HasPrefix(fragment, ":~:") {
		return ""
	}
	return fmt.Sprintf("%s has no heading #%s", at, fragment)
}

// anchorsOf returns what a document can be led into at: its headings, and the marks that
// it sets itself.
func anchorsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range anchored.FindAllStringSubmatch(text, -1) {
		out[anchorKey(m[1]+m[2])] = true
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = quoted.ReplaceAllString(line, "")
		var title string
		if m := atx.FindStringSubmatch(strings.TrimRight(line, "\r")); m != nil {
			title = m[2]
		} else if i+1 < len(lines) && setext.MatchString(strings.TrimRight(lines[i+1], "\r")) {
			title = line
		} else {
			continue
		}
		// Forges take the text of links and of tags away in ways of their own.
		out[anchorKey(title)] = true
		out[anchorKey(html.UnescapeString(title))] = true
		out[anchorKey(link.ReplaceAllString(markup.ReplaceAllString(title, ""), "$1"))] = true
		out[anchorKey(anchor.ReplaceAllString(title, ""))] = true
	}
	return out
}

// anchorKey is what headings and the links to them have in common whatever makes the
// address: letters and digits, in small letters.
func anchorKey(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
