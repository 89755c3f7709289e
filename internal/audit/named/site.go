package named

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A site is a folder of pages that a tool builds, and where else that tool looks for a target.
type site struct {
	tool    string
	root    string   // the folder of its configuration
	content string   // the folder of its pages
	static  []string // folders whose files are served from the root
}

// siteConfigs are the files that say which tool builds a site.
var siteConfigs = []struct {
	tool    string
	is      *lazy.Pattern
	setting *lazy.Pattern // the content folder in the configuration
	content string        // where it says nothing
	static  []string
}{
	{"mkdocs", lazy.Regexp(`(^|/)mkdocs[\w.-]*\.ya?ml$`), lazy.Regexp(`(?m)^docs_dir:\s*["']?([\w./-]+)`), "docs", nil},
	{"docusaurus", lazy.Regexp(`(^|/)docusaurus\.config\.[cm]?[jt]s$`), lazy.Regexp(`\bpath:\s*["']([\w./-]+)["']`), "docs", []string{"static"}},
	{"vitepress", lazy.Regexp(`(^|/)\.vitepress/config(\.[cm]?[jt]s|/index\.[cm]?[jt]s)$`), lazy.Regexp(`\bsrcDir:\s*["']([\w./-]+)["']`), ".", []string{"public"}},
	{"vuepress", lazy.Regexp(`(^|/)\.vuepress/config\.[cm]?[jt]s$`), nil, ".", []string{".vuepress/public"}},
	{"mdbook", lazy.Regexp(`(^|/)book\.toml$`), lazy.Regexp(`(?m)^src\s*=\s*"([\w./-]+)"`), "src", nil},
	{"jekyll", lazy.Regexp(`(^|/)_config\.yml$`), nil, ".", nil},
	{"sphinx", lazy.Regexp(`(^|/)conf\.py$`), nil, ".", nil},
	{"docfx", lazy.Regexp(`(^|/)docfx\.json$`), nil, ".", nil},
	{"hugo", lazy.Regexp(`(^|/)(hugo\.(toml|ya?ml)|config/_default/\w+\.(toml|ya?ml))$`), nil, "content", []string{"static", "assets"}},
	{"astro", lazy.Regexp(`(^|/)astro\.config\.[cm]?[jt]s$`), nil, "src/content", []string{"public"}},
	{"gitbook", lazy.Regexp(`(^|/)\.gitbook\.yaml$`), lazy.Regexp(`(?m)^root:\s*["']?([\w./-]+)`), ".", nil},
	{"docsify", lazy.Regexp(`(^|/)\.nojekyll$`), nil, ".", nil},
	{"antora", lazy.Regexp(`(^|/)antora\.ya?ml$`), nil, ".", nil},
	{"mintlify", lazy.Regexp(`(^|/)(mint|docs)\.json$`), nil, ".", nil},
	{"eleventy", lazy.Regexp(`(^|/)(\.eleventy|eleventy\.config)\.[cm]?js$`), nil, ".", nil},
	{"nextra", lazy.Regexp(`(^|/)(theme|next)\.config\.[cm]?[jt]sx?$`), nil, ".", []string{"public"}},
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
		for _, s := range siteConfigs {
			if !s.is.MatchString(at) {
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
			of := site{tool: s.tool, root: root, content: path.Join(root, content)}
			for _, dir := range s.static {
				of.static = append(of.static, path.Join(root, dir), path.Join(of.content, dir))
			}
			out = append(out, of)
		}
	}
	sorting.Stable(out, func(a, b site) int { return len(b.content) - len(a.content) })
	return out
}

// siteOf returns the site that a page is of, or nil: a README is read on a forge too.
func (c *checker) siteOf(at string) *site {
	for i := range c.sites {
		if s := &c.sites[i]; s.content == "." || strings.HasPrefix(at, s.content+"/") {
			if s.content == "." && !strings.Contains(at, "/") {
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
	for _, dir := range append([]string{s.content, s.root}, s.static...) {
		out = append(out, path.Join(dir, target))
	}
	return out
}

// judges reports whether the rules of a site say where a target is: a tool checks its own pages and
// their pictures, and gives the rest addresses that no file has.
func (s *site) judges(target string) bool {
	switch ext := strings.ToLower(path.Ext(target)); ext {
	case ".md", ".mdx", ".markdown":
		return s.tool != "hugo" && s.tool != "jekyll" && s.tool != "antora" && s.tool != "astro" && s.tool != "docsify" && s.tool != "eleventy"
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp":
		return !strings.HasPrefix(target, "/") && slices.Contains([]string{"mkdocs", "docusaurus", "vitepress", "mdbook", "docfx", "sphinx"}, s.tool)
	}
	return false
}
