package source

import (
	"net/url"
	"strings"
	"testing"
)

func TestRobots(t *testing.T) {
	for _, c := range []struct{ rules, path, want string }{
		{"", "/a", "yes"},
		{"User-agent: *\nDisallow: /", "/a", "no"},
		{"User-agent: *\nDisallow:", "/a", "yes"},
		{"user-agent: *\ndisallow: /a # not there", "/ab", "no"},
		{"User-agent: *\nDisallow: /a\nAllow: /a", "/a", "yes"},
		{"User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/b/c", "yes"},
		{"User-agent: *\nDisallow: /\n\nUser-agent: Assay\nDisallow: /x", "/a", "yes"},
		{"User-agent: *\nDisallow: /\n\nUser-agent: Assay\nDisallow: /x", "/x", "no"},
		{"User-agent: assay\nUser-agent: other\nDisallow: /x", "/x", "no"},
		{"User-agent: other\nDisallow: /", "/x", "yes"},
		{"User-agent: other\nUser-agent: *\nCrawl-delay: 5\nDisallow: /x", "/x", "no"},
		{"User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", "no"},
		{"User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf.html", "yes"},
		{"User-agent: *\nDisallow: /a*b*c", "/axxbxxcxx", "no"},
		{"User-agent: *\nDisallow: /a*b*c", "/axxcxxb", "yes"},
		{"User-agent: *\nDisallow: /*?print=", "/a?print=1", "no"},
		{"User-agent: *\nDisallow: /a$", "/a", "no"},
		{"User-agent: *\nDisallow: /a$", "/ab", "yes"},
		{"Disallow: /\nnonsense\nUser-agent *", "/a", "yes"},
	} {
		u, err := url.Parse("https://example.org" + c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := readRobots([]byte(c.rules)).allow(u); got != (c.want == "yes") {
			t.Errorf("%q allows %s: %v", c.rules, c.path, got)
		}
	}
}

// FuzzSitemap holds that whatever a site answers is read or refused.
func FuzzSitemap(f *testing.F) {
	f.Add("<urlset><url><loc>https://a/b</loc></url></urlset>", "User-agent: *\nDisallow: /*a*$", "/a")
	f.Add("<sitemapindex><sitemap><loc>x</loc></sitemap></sitemapindex>", "", "")
	f.Fuzz(func(t *testing.T, xml, rules, path string) {
		sitemaps, pages, err := readSitemap(strings.NewReader(xml))
		if err == nil && len(sitemaps)+len(pages) == 0 {
			t.Error("neither an address nor an error")
		}
		_ = readRobots([]byte(rules)).allow(&url.URL{Path: path})
	})
}
