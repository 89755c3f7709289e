package named

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A site is a folder of pages that a tool builds, and where else that tool looks for a target.
type site struct {
	*siteTool
	root   string   // the folder of its configuration
	pages  string   // the folder of its pages
	served []string // folders whose files are served from the root
	isLone bool     // the file that tells of the site may be there for something else
}

// A siteTool is a program that builds sites.
type siteTool struct {
	tool    string
	config  *lazy.Pattern // its name
	setting *lazy.Pattern // the content folder in the configuration
	content string        // where it says nothing
	static  []string
	links   bool // it checks the links between its pages by their files; another gives its pages addresses that no file has
	images  bool // it checks the relative addresses of pictures
}

// siteConfigs are the files that say which tool builds a site.
var siteConfigs = []siteTool{
	{"mkdocs", lazy.Regexp(`(^|/)mkdocs[\w.-]*\.ya?ml$`), lazy.Regexp(`(?m)^docs_dir:\s*["']?([\w./-]+)`), "docs", nil, true, true},
	{"docusaurus", lazy.Regexp(`(^|/)docusaurus\.config\.[cm]?[jt]s$`), lazy.Regexp(`\bpath:\s*["']([\w./-]+)["']`), "docs", []string{"static"}, true, true},
	{"docusaurus 1", lazy.Regexp(`(^|/)website/siteConfig\.js$`), nil, "../docs", []string{"static"}, true, true},
	{"vitepress", lazy.Regexp(`(^|/)\.vitepress/config(\.[cm]?[jt]s|/index\.[cm]?[jt]s)$`), lazy.Regexp(`\bsrcDir:\s*["']([\w./-]+)["']`), ".", []string{"public"}, true, true},
	{"vuepress", lazy.Regexp(`(^|/)\.vuepress/config\.[cm]?[jt]s$`), nil, ".", []string{".vuepress/public"}, true, false},
	{"mdbook", lazy.Regexp(`(^|/)book\.toml$`), lazy.Regexp(`(?m)^src\s*=\s*"([\w./-]+)"`), "src", nil, true, true},
	{"jekyll", lazy.Regexp(`(^|/)_config\.yml$`), nil, ".", nil, false, false},
	{"sphinx", lazy.Regexp(`(^|/)conf\.py$`), nil, ".", nil, true, true},
	{"docfx", lazy.Regexp(`(^|/)docfx\.json$`), nil, ".", nil, true, true},
	{"hugo", lazy.Regexp(`(^|/)((?:hugo|config)\.(toml|ya?ml|json)|config/_default/\w+\.(toml|ya?ml))$`), nil, "content", []string{"static", "assets"}, false, false},
	{"astro", lazy.Regexp(`(^|/)astro\.config\.[cm]?[jt]s$`), nil, "src/content", []string{"public"}, false, false},
	{"gitbook", lazy.Regexp(`(^|/)\.gitbook\.yaml$`), lazy.Regexp(`(?m)^root:\s*["']?([\w./-]+)`), ".", nil, true, false},
	{"docsify", lazy.Regexp(`(^|/)(?:\.nojekyll|_sidebar\.md)$`), nil, ".", nil, false, false},
	{"antora", lazy.Regexp(`(^|/)antora\.ya?ml$`), nil, ".", nil, false, false},
	{"mintlify", lazy.Regexp(`(^|/)(mint|docs)\.json$`), nil, ".", nil, true, false},
	{"obsidian", lazy.Regexp(`(^|/)\.obsidian/app\.json$`), nil, ".", nil, true, true},
	{"exdoc", lazy.Regexp(`(^|/)mix\.exs$`), nil, ".", nil, true, false},
	{"eleventy", lazy.Regexp(`(^|/)(\.eleventy|eleventy\.config)\.[cm]?js$`), nil, ".", nil, false, false},
	{"nextra", lazy.Regexp(`(^|/)(theme|next)\.config\.[cm]?[jt]sx?$`), nil, ".", []string{"public"}, true, false},
}

// sitesOf finds the sites of a project, the one of the longest folder first.
func sitesOf(p *Project) (out []site) {
	texts := map[string][]byte{}
	for _, list := range [][]File{p.Code, p.Aside, p.Docs, p.Pages} {
		for i := range list {
			texts[list[i].Path] = list[i].Text
		}
	}
	for _, at := range p.Paths {
		for i := range siteConfigs {
			s := &siteConfigs[i]
			if !s.config.MatchString(at) {
				continue
			}
			root := path.Dir(at)
			if s.tool == "vitepress" || s.tool == "vuepress" || s.tool == "obsidian" {
				root = strings.TrimSuffix(strings.TrimSuffix(root, "/config"), "/."+s.tool)
				root = cmp.Or(strings.TrimSuffix(root, "."+s.tool), ".")
			}
			content := s.content
			if s.setting != nil {
				if m := s.setting.FindSubmatch(texts[at]); m != nil {
					content = string(m[1])
				}
			}
			of := site{siteTool: s, root: root, pages: path.Join(root, content), isLone: isLoneMark(s.tool, at, texts)}
			for _, dir := range s.static {
				of.served = append(of.served, path.Join(root, dir), path.Join(of.pages, dir))
			}
			out = append(out, of)
		}
	}
	sorting.Stable(out, func(a, b site) int { return len(b.pages) - len(a.pages) })
	return out
}

// isLoneMark reports whether a file that is called as one of a tool does not say that it is one.
func isLoneMark(tool, at string, texts map[string][]byte) bool {
	switch {
	case tool == "docsify":
		return !bytes.Contains(texts[path.Join(path.Dir(at), "index.html")], []byte("docsify"))
	case path.Base(at) == "docs.json":
		return !bytes.Contains(texts[at], []byte(`"navigation"`))
	}
	return false
}

// has reports whether a page is one of the site. A lone mark is only for the pages in its folder, and in the folders there.
func (s *site) has(at string) bool {
	dir := path.Dir(at)
	isBelow := s.pages == "." || strings.HasPrefix(at, s.pages+"/")
	return isBelow && (!s.isLone || dir == s.pages || path.Dir(dir) == s.pages)
}

// A siteIndex knows the sites of a project and which page an address of theirs leads to.
type siteIndex struct {
	*files
	sites  []site
	pages  map[string]*page
	served map[string]*servedPages // by the folder of a site
	// Included are pages that others take in, and that no forge shows by themselves.
	included map[string]bool
}

// includes are how tools of sites begin a line that takes in another page, behind what marks up the line itself.
var includes = []string{"--8<--", ".. include::", "include::", "{include}", "@include", "{{#include", "{% include", "[!INCLUDE"}

// noteIncluded notes the pages that a page takes in, by their paths from the page or from the top; those of AsciiDoc, whose paths have
// attributes, by their names too.
func (c *siteIndex) noteIncluded(p *page) {
	if p.past {
		return
	}
	inCode, inBlock := p.codeLines(), false
	for n, line := range p.lines {
		line = strings.TrimLeft(line, " \t>`:<!-")
		if line == "8<--" { // alone it begins and ends a list of pages
			inBlock = !inBlock
			continue
		}
		rest, isInclude := line, inBlock
		for _, sign := range includes {
			if after, ok := strings.CutPrefix(line, strings.TrimLeft(sign, "-")); ok && !inCode[n+1] {
				rest, isInclude = after, true
				if sign == "include::" {
					name, _, _ := strings.Cut(after, "[")
					c.included["*/"+path.Base(name)] = true
				}
			}
		}
		if isInclude {
			c.noteTaken(p, rest)
		}
	}
}

// noteTaken notes the page that stands first behind the sign of an include, maybe with the lines that are taken of it.
func (c *siteIndex) noteTaken(p *page, text string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\"'`<>()[]{}#", r) }) {
		word, _, _ = strings.Cut(strings.TrimRight(word, "-"), ":")
		if path.Ext(word) == "" {
			continue
		}
		for _, at := range []string{path.Join(path.Dir(p.file.Path), word), path.Clean(word)} {
			if c.exists(at) && slices.Contains(proseEndings, path.Ext(at)) {
				c.included[at] = !isOnForge(at)
			}
		}
		return
	}
}

// isIncluded reports whether another page shows a page as a part of it.
func (c *siteIndex) isIncluded(at string) bool {
	return c.included[at] || c.included["*/"+path.Base(at)]
}

// siteOf returns the site that a page is of, or nil: a README is read on a forge too.
func (c *siteIndex) siteOf(at string) *site {
	for i := range c.sites {
		if s := &c.sites[i]; s.has(at) {
			if s.pages == "." && !strings.Contains(at, "/") {
				continue // at the root lie the pages that a forge shows
			}
			return s
		}
	}
	for i := range c.sites {
		if s := &c.sites[i]; s.tool == "docusaurus" && strings.HasPrefix(at, s.root+"/") {
			return s // it has pages beside the folder of its documents too
		}
	}
	if p := c.pages[at]; p != nil && !isOnForge(at) && strings.HasPrefix(p.lineAt(1), "---") {
		top, _, _ := strings.Cut(at, "/")
		return &site{siteTool: &unknownTool, root: ".", pages: top}
	}
	return nil
}

// isOfSite reports whether a page is of a site of which the tool is known.
func (c *siteIndex) isOfSite(at string) bool {
	s := c.siteOf(at)
	return s != nil && s.siteTool != &unknownTool
}

// unknownTool builds the pages that begin with settings, if no configuration of a site is in the tree.
var unknownTool = siteTool{tool: "unknown", links: true, images: true}

// places returns where a target of a page may lie by the rules of its site.
func (s *site) places(from, target string) (out []string) {
	if rest, ok := strings.CutPrefix(target, "@site/"); ok {
		return []string{path.Join(s.root, rest)}
	}
	target = strings.TrimPrefix(target, "~/")
	if !strings.HasPrefix(target, "/") {
		out = append(out, path.Join(path.Dir(from), target))
	}
	if isUp := strings.HasPrefix(target, "../"); isUp {
		// A tool may serve a page from a folder of its name, and leaves HTML as it is.
		out = append(out, path.Join(strings.TrimSuffix(from, path.Ext(from)), target))
	}
	for _, dir := range append([]string{s.pages, s.root}, s.served...) {
		out = append(out, path.Join(dir, target))
	}
	return out
}

// judges reports whether the rules of a site say where a target is: a tool checks its own pages and
// their pictures, and gives the rest addresses that no file has.
func (s *site) judges(target string) bool {
	switch strings.ToLower(path.Ext(target)) {
	case ".md", ".mdx", ".markdown":
		return s.links
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp":
		return s.images && !strings.HasPrefix(target, "/")
	}
	return false
}

// inVault returns the file of a name in the folder of a tool that finds files by their names alone, or "".
func (c *siteIndex) inVault(s *site, file string) string {
	if s == nil || s.tool != "obsidian" && s.tool != "exdoc" {
		return ""
	}
	for _, ending := range []string{"", ".md"} {
		for _, at := range c.base[path.Base(file)+ending] {
			if _, below := cutFolder(at, s.pages); below {
				return at
			}
		}
	}
	return ""
}

// pageEndings are the endings of pages that sites serve without them.
var pageEndings = []string{".md", ".mdx"}

// addressOf returns the address that a site may give to a page, below the folder of its pages: without its ending, the numbers that order
// pages, and the names of pages that stand for their folder.
func addressOf(at string) string {
	at = strings.TrimSuffix(at, path.Ext(at))
	parts := strings.Split(at, "/")
	for i := range parts {
		parts[i] = ordering.ReplaceAllString(parts[i], "")
	}
	if last := strings.ToLower(parts[len(parts)-1]); last == "index" || last == "readme" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, "/")
}

var ordering = lazy.Regexp(`^\d+[-_.]\s*`)

// servedPages are the pages of a folder by their addresses, and the addresses by their last elements.
type servedPages struct {
	at     map[string]string
	byName map[string][]string
}

// addresses returns the pages of a folder by their addresses.
func (c *siteIndex) addresses(pages string) *servedPages {
	if all := c.served[pages]; all != nil {
		return all
	}
	all := &servedPages{map[string]string{}, map[string][]string{}}
	for at := range c.pages {
		if rel, ok := cutFolder(at, pages); ok && slices.Contains(pageEndings, path.Ext(at)) {
			address := addressOf(rel)
			if all.at[address] == "" {
				all.byName[path.Base(address)] = append(all.byName[path.Base(address)], address)
			}
			all.at[address] = min(at, cmp.Or(all.at[address], at))
		}
	}
	c.served[pages] = all
	return all
}

// cutFolder returns a path from a folder that it is in.
func cutFolder(at, dir string) (string, bool) {
	if dir == "." {
		return at, true
	}
	return strings.CutPrefix(at, dir+"/")
}

// pageServed returns the page of a site that an address without an ending leads to, or "".
func (c *siteIndex) pageServed(s *site, from, file string) string {
	if s == nil {
		for _, ending := range pageEndings {
			if at := path.Join(path.Dir(from), file) + ending; path.Ext(file) == "" && c.exists(at) && !isOnForge(from) {
				return at
			}
		}
		return ""
	}
	if path.Ext(file) != "" && path.Ext(file) != ".html" {
		return ""
	}
	all := c.addresses(s.pages).at
	file = strings.TrimSuffix(strings.TrimSuffix(file, ".html"), "/")
	if strings.HasPrefix(file, "/") {
		// A site may be served below a folder, and its pages below one more.
		rest := strings.TrimPrefix(file, "/")
		for range 3 {
			if at := all[rest]; at != "" {
				return at
			}
			_, after, ok := strings.Cut(rest, "/")
			if !ok {
				return ""
			}
			rest = after
		}
		return ""
	}
	rel, ok := cutFolder(from, s.pages)
	if !ok {
		return ""
	}
	here := addressOf(rel)
	for _, dir := range []string{path.Dir(here), here} {
		if at := all[addressOf(path.Join(dir, file)+".md")]; at != "" {
			return at
		}
	}
	return ""
}

// movedPage returns the page that a relative address without an ending probably is, if no page is where it may lead: the only one
// of its name below the same folder of documents. Sites serve a page with its ending taken away, some in a folder of its own.
func (c *siteIndex) movedPage(from, file string) string {
	name := path.Base(file)
	if isOnForge(from) || strings.HasPrefix(file, "/") || path.Ext(file) != "" {
		return ""
	}
	if len(name) < minNear || isGeneric(name) {
		return ""
	}
	stem := strings.TrimSuffix(from, path.Ext(from))
	for _, ending := range pageEndings {
		for _, dir := range []string{path.Dir(from), stem} {
			at := path.Join(dir, file)
			if c.exists(at) || c.exists(at+ending) || c.exists(at+"/index"+ending) || c.exists(at+"/README"+ending) {
				return ""
			}
		}
	}
	top, _, _ := strings.Cut(from, "/")
	all := c.addresses(top)
	if len(all.byName[name]) != 1 || all.at[all.byName[name][0]] == from {
		return "" // there is none, or there are several
	}
	return all.at[all.byName[name][0]]
}
