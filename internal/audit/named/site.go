package named

import (
	"path"
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
	{"vitepress", lazy.Regexp(`(^|/)\.vitepress/config(\.[cm]?[jt]s|/index\.[cm]?[jt]s)$`), lazy.Regexp(`\bsrcDir:\s*["']([\w./-]+)["']`), ".", []string{"public"}, true, true},
	{"vuepress", lazy.Regexp(`(^|/)\.vuepress/config\.[cm]?[jt]s$`), nil, ".", []string{".vuepress/public"}, true, false},
	{"mdbook", lazy.Regexp(`(^|/)book\.toml$`), lazy.Regexp(`(?m)^src\s*=\s*"([\w./-]+)"`), "src", nil, true, true},
	{"jekyll", lazy.Regexp(`(^|/)_config\.yml$`), nil, ".", nil, false, false},
	{"sphinx", lazy.Regexp(`(^|/)conf\.py$`), nil, ".", nil, true, true},
	{"docfx", lazy.Regexp(`(^|/)docfx\.json$`), nil, ".", nil, true, true},
	{"hugo", lazy.Regexp(`(^|/)(hugo\.(toml|ya?ml)|config/_default/\w+\.(toml|ya?ml))$`), nil, "content", []string{"static", "assets"}, false, false},
	{"astro", lazy.Regexp(`(^|/)astro\.config\.[cm]?[jt]s$`), nil, "src/content", []string{"public"}, false, false},
	{"gitbook", lazy.Regexp(`(^|/)\.gitbook\.yaml$`), lazy.Regexp(`(?m)^root:\s*["']?([\w./-]+)`), ".", nil, true, false},
	{"docsify", lazy.Regexp(`(^|/)\.nojekyll$`), nil, ".", nil, false, false},
	{"antora", lazy.Regexp(`(^|/)antora\.ya?ml$`), nil, ".", nil, false, false},
	{"mintlify", lazy.Regexp(`(^|/)(mint|docs)\.json$`), nil, ".", nil, true, false},
	{"eleventy", lazy.Regexp(`(^|/)(\.eleventy|eleventy\.config)\.[cm]?js$`), nil, ".", nil, false, false},
	{"nextra", lazy.Regexp(`(^|/)(theme|next)\.config\.[cm]?[jt]sx?$`), nil, ".", []string{"public"}, true, false},
}

// sitesOf finds the sites of a project, the one of the longest folder first.
func sitesOf(p *Project) (out []site) {
	texts := map[string][]byte{}
	for _, list := range [][]File{p.Code, p.Aside} {
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
			if s.tool == "vitepress" || s.tool == "vuepress" {
				root = strings.TrimSuffix(strings.TrimSuffix(root, "/config"), "/."+s.tool)
				root = cmpOr(strings.TrimSuffix(root, "."+s.tool), ".")
			}
			content := s.content
			if s.setting != nil {
				if m := s.setting.FindSubmatch(texts[at]); m != nil {
					content = string(m[1])
				}
			}
			of := site{siteTool: s, root: root, pages: path.Join(root, content)}
			for _, dir := range s.static {
				of.served = append(of.served, path.Join(root, dir), path.Join(of.pages, dir))
			}
			out = append(out, of)
		}
	}
	sorting.Stable(out, func(a, b site) int { return len(b.pages) - len(a.pages) })
	return out
}

// siteOf returns the site that a page is of, or nil: a README is read on a forge too.
func (c *checker) siteOf(at string) *site {
	for i := range c.sites {
		if s := &c.sites[i]; s.pages == "." || strings.HasPrefix(at, s.pages+"/") {
			if s.pages == "." && !strings.Contains(at, "/") {
				continue // at the root lie the pages that a forge shows
			}
			return s
		}
	}
	return nil
}

// places returns where a target of a page may lie by the rules of its site.
func (s *site) places(from, target string) (out []string) {
	if rest, ok := strings.CutPrefix(target, "@site/"); ok {
		return []string{path.Join(s.root, rest)}
	}
	target = strings.TrimPrefix(target, "~/")
	if !strings.HasPrefix(target, "/") {
		out = append(out, path.Join(path.Dir(from), target))
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
