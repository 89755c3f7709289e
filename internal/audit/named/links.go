package named

import (
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/docs/markup"
)

var (
	scheme     = lazy.Regexp(`^(?:[a-zA-Z][\w+.-]*:|//)`)
	filledIn   = lazy.Regexp(`[{}<>$*|\\^]|…|%7[BbDd]|\.\.\.|^@`)
	copiedPage = lazy.Regexp(`(?i)(^|/)\.github/(?:issue|pull|discussion|workflows/)|(^|[/_.-])templates?([/_.-]|$)|cookiecutter|(^|/)(fixtures?|testdata|__tests__)/`)
	// mailAddress is what Markdown makes a link to mail of, in angle brackets.
	mailAddress = lazy.Regexp(`^[\w.!#$%&'*+=?^{|}~-]+@[\w-]+(?:\.[\w-]+)*$`)
	fileEnding  = lazy.Regexp(`^\.[a-z]+\d?$`)
	// hostForm is an address without its scheme, knownHost one that is surely none of a file.
	hostForm  = lazy.Regexp(`^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev)(?:/|$)`)
	knownHost = lazy.Regexp(`^(?:www\.|github\.com/|gitlab\.com/)`)
	numbered  = lazy.Regexp(`\d+$`)
)

var readme = lazy.Regexp(`(?i)^readme([._-]\w{2,3}([_-]\w+)?)?(\.\w+)?$`)

// isReadme reports whether a page is a README, of some language.
func isReadme(at string) bool { return readme.MatchString(path.Base(at)) }

// links checks the links and images of a page.
func (c *checker) links(p *page) {
	if why := whyNoLinks(p); why != "" {
		c.skipLinks(p, why)
		return
	}
	for i := range p.refs {
		r := &p.refs[i]
		if isInTree(r) {
			c.checked++
			c.link(p, r)
		} else if r.Kind == markup.Link || r.Kind == markup.Image {
			c.address(p, strings.TrimSpace(r.Target), r.Line)
		}
	}
	c.cross.crossRefs(p)
}

func (c *checker) link(p *page, r *markup.Ref) {
	target := strings.TrimSpace(r.Target)
	kind := linkKind(r)
	file, fragment, _ := strings.Cut(target, "#")
	file, _, _ = strings.Cut(file, "?")
	if filledIn.MatchString(strings.TrimPrefix(file, "@site")) {
		c.skip(p, kind, target, r.Line, placeholder)
		return
	}
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	if strings.ContainsAny(file, "<>|\"\x00") || mailAddress.MatchString(target) {
		c.skip(p, kind, target, r.Line, noForm)
		return // no file has these signs everywhere; an address in angle brackets is one of mail
	}
	at := p.file.Path
	if strings.HasPrefix(file, "~") && c.siteOf(at) == nil {
		c.skip(p, kind, target, r.Line, served)
		return // from the root of a site
	}
	if file != "" {
		var broken *Finding
		var why string
		at, broken, why = c.resolve(p, file, kind)
		switch {
		case broken != nil:
			if broken.Name = target; broken.Fix != "" {
				broken.Fix += suffixOf(target)
			}
			c.report(p, *broken, r.Line)
		case why != "":
			c.skip(p, kind, target, r.Line, why)
		}
	}
	if fragment != "" && at != "" && r.Kind == markup.Link {
		c.anchor(p, at, target, fragment, r.Line)
	}
}

// resolve returns the file that a target is, "" where that is not known, and a finding where nothing is there, or why none is made.
func (c *checker) resolve(p *page, file string, kind Kind) (at string, broken *Finding, why string) {
	from, s := p.file.Path, c.siteOf(p.file.Path)
	places := []string{path.Join(path.Dir(from), file)}
	switch {
	case s != nil:
		places = s.places(from, file)
	case strings.HasPrefix(file, "/"):
		places = []string{strings.TrimPrefix(path.Clean(file), "/")}
	}
	if strings.HasPrefix(places[0], "../") || places[0] == ".." {
		if at := c.inVault(s, file); at != "" {
			return at, nil, ""
		}
		return "", c.aboveRoot(from, places[0], kind), outside
	}
	for _, at := range places {
		if at == "." || c.Exists(at) {
			return at, nil, ""
		}
	}
	if at := c.inVault(s, file); at != "" {
		return at, nil, ""
	}
	if at, fixed := places[0]+".md", escapePath(file+".md"); s == nil && c.Exists(at) && p.targets[fixed] {
		f := &Finding{Kind: kind, Level: Warning, Meant: at, At: &Place{at, 1}, Fix: fixed}
		if isOnForge(from) {
			f.Level = Error // a site may serve other pages without their endings
		}
		f.Why = "there is no " + places[0] + ", and the page links to the file elsewhere"
		return "", f, ""
	}
	if page := c.pageServed(s, from, file); page != "" {
		return page, nil, ""
	}
	if page := c.builtFrom(s, places[0]); page != "" {
		return page, nil, ""
	}
	if heading := c.headingOf(p, file); heading != nil {
		return "", &Finding{Kind: kind, Level: Error, Meant: "#" + file, At: heading, Fix: "#" + file, Why: "there is no " + places[0] + ", but a heading of this page"}, ""
	}
	if knownHost.MatchString(file) && hostForm.MatchString(file) {
		return "", &Finding{Kind: kind, Level: Error, Fix: "https://" + escapePath(file), Why: "there is no " + places[0] + "; an address begins with https://"}, ""
	}
	meant := c.nearPath(places[0])
	if meant == "" && isHost(file) {
		return "", &Finding{Kind: kind, Level: Error, Why: "there is no " + places[0] + "; an address begins with https://"}, ""
	}
	if moved := c.movedPage(from, file); moved != "" {
		if p.byName[file] {
			return moved, nil, ""
		}
		level := Warning
		if isUnknown := s == nil || s.siteTool == &unknownTool; isUnknown && !strings.Contains(file, "/") {
			level = Unsure // its tool may find pages by their names
		}
		return "", &Finding{Kind: kind, Level: level, Meant: moved, At: &Place{moved, 1}, Why: "there is no " + places[0]}, ""
	}
	if mayBeServed(s, from, file) {
		return "", nil, served
	}
	if slices.ContainsFunc(places, c.isOfTemplate) {
		return "", nil, templated
	}
	f := &Finding{Kind: kind, Level: Error, Why: "there is no " + places[0]}
	if !isOnForge(from) && !c.documents[from] {
		f.Level = Warning // a page among code may be copied into a site
	}
	if meant != "" {
		f.Meant, f.At = meant, &Place{meant, 1}
		f.Fix = fixedLink(s, from, file, meant)
		return "", f, ""
	}
	if c.isMade(places[0], file, s != nil) {
		f.Level = Unsure
	}
	return "", f, ""
}

// pagesByName returns the targets of the shortcode ref of Hugo, which leads to a page by its name wherever that is.
func pagesByName(text string) map[string]bool {
	out := map[string]bool{}
	for _, quote := range []string{`"`, `'`, "`"} {
		for _, rest := range strings.Split(text, "ref "+quote)[1:] {
			name, _, _ := strings.Cut(rest, quote)
			name, _, _ = strings.Cut(name, "#")
			out[name] = true
		}
	}
	return out
}

// isHost reports whether a target is an address without its scheme, and no outline of Emacs.
func isHost(file string) bool {
	isOutline := path.Ext(file) == ".org" && strings.Count(file, ".") == 1
	return !isOutline && hostForm.MatchString(file)
}

// builtFrom returns the page of a site from which a tool builds a file, or "".
func (c *checker) builtFrom(s *site, at string) string {
	if stem, ok := strings.CutSuffix(at, ".html"); ok && s != nil {
		for _, ending := range proseEndings {
			if c.Exists(stem + ending) {
				return stem + ending
			}
		}
	}
	return ""
}

// suffixOf returns the query and the fragment of a target.
func suffixOf(target string) string {
	if i := strings.IndexAny(target, "?#"); i > 0 {
		return target[i:]
	}
	return ""
}

// fixedLink returns what a page has to write to lead to a file, in the form of the link that does not. It is "" for pages of a site, which
// may be served from elsewhere, if the link does not say the ending of a file.
func fixedLink(s *site, from, file, meant string) string {
	if s != nil && path.Ext(file) == "" {
		return ""
	}
	if strings.HasPrefix(file, "/") && s == nil {
		return "/" + escapePath(meant)
	}
	fixed := relativePath(path.Dir(from), meant)
	if strings.HasPrefix(file, "./") && !strings.HasPrefix(fixed, "../") {
		fixed = "./" + fixed
	}
	return escapePath(fixed)
}

// LinkTo returns what a page has to write to lead to a file.
func LinkTo(page, file string) string { return escapePath(relativePath(path.Dir(page), file)) }

// escapePath writes a path as a link needs it.
func escapePath(at string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "#", "%23", "?", "%3F", "<", "%3C", ">", "%3E").Replace(at)
}

// relativePath returns the path of a file from a folder.
func relativePath(dir, at string) string {
	rel, _ := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(at)) // no error is possible below one root
	return filepath.ToSlash(rel)
}

// aboveRoot reports a link that climbs out of the repository to a file that is at its root. Others lead to pages of the forge.
func (c *checker) aboveRoot(from, at string, kind Kind) *Finding {
	for strings.HasPrefix(at, "../") {
		at = at[len("../"):]
	}
	if !fileEnding.MatchString(path.Ext(at)) || !slices.Contains(c.base[path.Base(at)], at) {
		return nil
	}
	f := &Finding{Kind: kind, Level: Error, Meant: at, At: &Place{at, 1}, Fix: LinkTo(from, at), Why: "it leads out of the repository"}
	if !isOnForge(from) {
		f.Level = Warning // a site may serve the page from a deeper folder
	}
	return f
}

// headingOf returns the place of the heading of a page that a link without its number sign names.
func (c *checker) headingOf(p *page, target string) *Place {
	if len(target) < minNear || strings.ContainsAny(target, "/.") || len(c.base[target]) > 0 {
		return nil
	}
	for i := range p.blocks {
		if b := &p.blocks[i]; b.Kind == markup.Heading && b.Anchor == target {
			return &Place{p.file.Path, b.Line}
		}
	}
	return nil
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
	if at == "" {
		return // of another project
	}
	c.checked++
	if plain, err := url.PathUnescape(at); err == nil {
		at = path.Clean(plain)
	}
	if at == "." || filledIn.MatchString(at) || c.Exists(at) {
		return
	}
	f.Why = "the repository has no " + at
	if meant := c.nearPath(at); meant != "" {
		f.Meant, f.At = meant, &Place{meant, 1}
	}
	c.report(p, f, line)
}
