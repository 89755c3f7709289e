package named

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/markup"
)

var (
	scheme     = lazy.Regexp(`^(?:[a-zA-Z][\w+.-]*:|//)`)
	filledIn   = lazy.Regexp(`[{}<>$*|\\^]|…|%7[BbDd]|\.\.\.|^@`)
	copiedPage = lazy.Regexp(`(?i)(^|/)\.github/|(^|[/_.-])templates?([/_.-]|$)|cookiecutter|(^|/)(fixtures?|testdata|__tests__)/`)
	fileEnding = lazy.Regexp(`^\.[a-z]+\d?$`)
	numbered   = lazy.Regexp(`\d+$`)
)

func isReadme(at string) bool { return strings.HasPrefix(strings.ToLower(path.Base(at)), "readme") }

// links checks the links and images of a page.
func (c *checker) links(p *page) {
	if p.past || p.file.Flags&(corpus.Test|corpus.Vendored|corpus.Generated) != 0 || copiedPage.MatchString(p.file.Path) && !forContributors.MatchString(p.file.Path) {
		return
	}
	for i := range p.refs {
		if r := &p.refs[i]; r.Kind == markup.Link || r.Kind == markup.Image {
			c.checked++
			c.link(p, r)
		}
	}
}

func (c *checker) link(p *page, r *markup.Ref) {
	target := strings.TrimSpace(r.Target)
	if scheme.MatchString(target) {
		c.address(p, target, r.Line)
		return
	}
	file, fragment, _ := strings.Cut(target, "#")
	file, _, _ = strings.Cut(file, "?")
	if filledIn.MatchString(strings.TrimPrefix(file, "@site")) {
		return
	}
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	at := p.file.Path
	if file != "" {
		kind := Link
		if r.Kind == markup.Image {
			kind = Image
		}
		var broken *Finding
		if at, broken = c.resolve(p, file, kind); broken != nil {
			broken.Name = target
			c.report(p, *broken, r.Line)
		}
	}
	if fragment != "" && at != "" && r.Kind == markup.Link {
		c.anchor(p, at, target, fragment, r.Line)
	}
}

// resolve returns the file that a target is, "" where that is not known, and a finding where nothing is there.
func (c *checker) resolve(p *page, file string, kind Kind) (at string, broken *Finding) {
	from, s := p.file.Path, c.siteOf(p.file.Path)
	places := []string{path.Join(path.Dir(from), file)}
	switch {
	case s != nil:
		places = s.places(from, file)
	case strings.HasPrefix(file, "/"):
		places = []string{strings.TrimPrefix(path.Clean(file), "/")}
	}
	if strings.HasPrefix(places[0], "../") || places[0] == ".." {
		return "", nil // beside the repository: a page of its forge
	}
	for _, at := range places {
		if at == "." || c.Exists(at) {
			return at, nil
		}
	}
	if moved := c.movedPage(from, file); moved != "" {
		return "", &Finding{Kind: kind, Level: Warning, Meant: moved, At: &Place{moved, 1}, Why: "there is no " + places[0]}
	}
	if mayBeServed(s, from, file) {
		return "", nil
	}
	f := &Finding{Kind: kind, Level: Error, Why: "there is no " + places[0]}
	if !isOnForge(from) && !c.documents[from] {
		f.Level = Warning // a page among code may be copied into a site
	}
	if meant := c.nearPath(places[0]); meant != "" {
		f.Meant, f.At = meant, &Place{meant, 1}
		return "", f
	}
	if c.isMade(places[0], file, s != nil) {
		f.Level = Unsure
	}
	return "", f
}

// isOnForge reports whether a page is one that a forge shows, with links by files.
func isOnForge(from string) bool { return isReadme(from) || !strings.Contains(from, "/") }

// mayBeServed reports whether a site may give a target of one of its pages an address that no file has. Without a site, this tree may
// not have the configuration of the one that its pages are of.
func mayBeServed(s *site, from, file string) bool {
	ext := strings.ToLower(path.Ext(file))
	fromRoot := strings.HasPrefix(file, "/") || ext == ".html"
	if s != nil {
		return !s.judges(file) && (fromRoot || !isReadme(from))
	}
	return !isOnForge(from) && (fromRoot || !fileEnding.MatchString(ext))
}

// movedPage returns the page that a relative address without an ending probably is, if no page is where it may lead: the only one
// of its name below the same folder of documents. Sites serve a page with its ending taken away, some in a folder of its own.
func (c *checker) movedPage(from, file string) string {
	name := path.Base(file)
	if isOnForge(from) || strings.HasPrefix(file, "/") || path.Ext(file) != "" {
		return ""
	}
	if len(name) < minNear || isGeneric(name) {
		return ""
	}
	stem := strings.TrimSuffix(from, path.Ext(from))
	var pages []string
	for _, ending := range []string{".md", ".mdx"} {
		for _, dir := range []string{path.Dir(from), stem} {
			at := path.Join(dir, file)
			if c.Exists(at) || c.Exists(at+ending) || c.Exists(at+"/index"+ending) || c.Exists(at+"/README"+ending) {
				return ""
			}
		}
		pages = append(pages, c.base[name+ending]...)
	}
	top, _, _ := strings.Cut(from, "/")
	if len(pages) != 1 || !strings.HasPrefix(pages[0], top+"/") || pages[0] == from {
		return ""
	}
	return pages[0]
}

// isMade reports whether a missing file may be one that a build makes: in a folder that is not there, of a
// site, or one that builds write to.
func (c *checker) isMade(at, file string, site bool) bool {
	dir := path.Dir(at)
	if site && dir != "." && !c.Exists(dir) {
		return true
	}
	for part := range strings.SplitSeq(at, "/") {
		if slices.Contains([]string{"dist", "build", "out", "target", "coverage", "node_modules", "_build", "api", "generated", "public"}, part) {
			return true
		}
	}
	return false
}

// nearPath returns the file that a missing one probably is: the only one of its name, one beside it with nearly its name, or "".
func (c *checker) nearPath(at string) string {
	base := path.Base(at)
	if same := c.base[base]; len(same) == 1 && !isGeneric(base) {
		return same[0]
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	best, meant := 3, ""
	for _, other := range c.Paths {
		if path.Dir(other) != path.Dir(at) {
			continue
		}
		name := path.Base(other)
		d := text.DistanceWithin(strings.ToLower(base), strings.ToLower(name), best)
		if strings.EqualFold(strings.TrimSuffix(name, path.Ext(name)), stem) || strings.EqualFold(base, name) {
			d = 1
		}
		if d < best && len(stem) > 3 && 4*d <= 4+len(stem) && !differsInNumber(base, name) {
			best, meant = d, other
		}
	}
	return meant
}

// genericStems are names that files of any project have: another file of that name is no sign of a move.
var genericStems = strings.Fields(`index readme main app config settings utils util test tests setup package license makefile dockerfile overview
	example examples server client types helpers lib mod common logo image style styles install usage contributing changelog options`)

// isGeneric reports whether files of a name are in many folders.
func isGeneric(base string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(base), ".")
	return len(stem) < 3 || slices.Contains(genericStems, stem)
}

// anchor checks that a page has the heading that a link leads to.
func (c *checker) anchor(p *page, at, target, fragment string, line int) {
	to := c.pages[at]
	if to == nil || !to.whole {
		return
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	fragment = strings.TrimPrefix(fragment, "user-content-")
	want := anchorKey(fragment)
	if isNoHeading(fragment, want) || to.heads[want] || to.heads[numbered.ReplaceAllString(want, "")] {
		return
	}
	meant := ""
	for _, name := range to.names {
		key := anchorKey(name)
		if strings.Contains(name, ":") && strings.HasSuffix(key, want) {
			return // a heading with an emoji by its name
		}
		if isNearAnchor(key, want) {
			meant = cmpOr(meant, name)
		}
	}
	f := Finding{Kind: Anchor, Level: Error, Name: target, Why: at + " has no heading #" + fragment}
	if n := to.headingLine(meant); n > 0 {
		f.Meant, f.At = meant, &Place{at, n}
	} else if c.siteOf(at) != nil {
		f.Level = Warning // a site may add headings
	}
	c.report(p, f, line)
}

// isNoHeading reports whether a part of an address leads to no heading: the forge, the browser or a program gives it a meaning.
func isNoHeading(fragment, key string) bool {
	switch {
	case key == "", key == "top", key == "readme", strings.HasPrefix(key, "fn"):
		return true
	}
	return strings.HasPrefix(fragment, ":~:") || strings.ContainsAny(fragment, "=/{}$")
}

// isNearAnchor reports whether the key of a heading misspells another, or is longer or shorter.
func isNearAnchor(key, want string) bool {
	switch {
	case key == "":
		return false
	case len(want) >= minNear && text.DistanceWithin(key, want, 3) <= 2:
		return true
	case len(want) <= minNear:
		return false
	}
	return strings.HasPrefix(key, want) || strings.HasPrefix(want, key) && 2*len(key) > len(want)
}

// headingLine returns the line of a heading by its words or its anchor, or 0.
func (p *page) headingLine(name string) int {
	for i := range p.blocks {
		if b := &p.blocks[i]; name != "" && b.Kind == markup.Heading && (b.Text == name || b.Anchor == name) {
			return b.Line
		}
	}
	return 0
}

var (
	ownFile  = lazy.Regexp(`(?i)^https?://(?:www\.)?(?:github\.com/([\w.-]+/[\w.-]+)/(?:blob|tree|raw)/(?:main|master|HEAD)|raw\.githubusercontent\.com/([\w.-]+/[\w.-]+)/(?:refs/heads/)?(?:main|master|HEAD))/([^?#\s]+)`)
	ownBuild = lazy.Regexp(`(?i)^https?://github\.com/([\w.-]+/[\w.-]+)/actions/workflows/([\w.-]+\.ya?ml)(?:[/?#]|$)`)
)

// address checks an address of a file in the project's own repository.
func (c *checker) address(p *page, target string, line int) {
	own := func(name string) bool {
		return c.own.repository != "" && strings.EqualFold(c.own.repository, "github.com/"+strings.TrimSuffix(name, ".git"))
	}
	f := Finding{Kind: Address, Level: Error, Name: target}
	at := ""
	if m := ownFile.FindStringSubmatch(target); m != nil && own(m[1]+m[2]) {
		at = m[3]
	} else if m := ownBuild.FindStringSubmatch(target); m != nil && own(m[1]) {
		at = ".github/workflows/" + m[2]
	}
	if plain, err := url.PathUnescape(at); err == nil {
		at = path.Clean(plain)
	}
	if at == "" || at == "." || filledIn.MatchString(at) || c.Exists(at) {
		return
	}
	f.Why = "the repository has no " + at
	if meant := c.nearPath(at); meant != "" {
		f.Meant, f.At = meant, &Place{meant, 1}
	}
	c.report(p, f, line)
}
