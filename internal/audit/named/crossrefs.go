package named

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/docs/markup"
)

// A crossRef is a reference of a page to another page, to a label or to a file, in a form of reStructuredText or AsciiDoc.
type crossRef struct {
	form   *crossForm
	target string
	line   int
}

// A crossForm is a form of reference and the rule by which it is checked.
type crossForm struct {
	language string
	pattern  *lazy.Pattern // its only group is the target
	inCode   bool          // it is also read in blocks of code
	check    func(*crossChecker, *page, crossRef)
}

// crossForms are the forms.
var crossForms = []crossForm{
	{"rst", lazy.Regexp(":doc:`(?:[^`<]*<)?([^`<>:]+)>?`"), false, (*crossChecker).sphinxDoc},
	{"rst", lazy.Regexp(":(?:ref|numref):`(?:[^`<]*<)?([^`<>:{}]+)>?`"), false, (*crossChecker).sphinxLabel},
	{"rst", lazy.Regexp(`^\s*\.\. (?:\|[^|]+\| )?(?:image|figure|literalinclude|include)::\s+([\w./-]+)\s*$`), false, (*crossChecker).directiveFile},
	{"rst", lazy.Regexp("`[^`<]*<([\\w./-]+\\.[a-z]+)>`_"), false, (*crossChecker).relativeFile},
	{"rst", lazy.Regexp(`^\s*\.\. _[^:]+:\s+([\w./-]+\.[a-z]+)\s*$`), false, (*crossChecker).relativeFile},
	{"rst", lazy.Regexp(":(?:func|meth|class|attr|exc|data|obj):`[~.]?([A-Za-z_][\\w.]*)(?:\\(\\))?`"), false, (*crossChecker).sphinxObject},
	{"rst", lazy.Regexp(`^\s*\.\. (?:auto|doxygen)(?:function|class|method|exception|attribute|data|struct|enum|define|typedef)::\s+([A-Za-z_][\w.:]*)\s*$`), false, (*crossChecker).sphinxObject},
	{"asciidoc", lazy.Regexp(`^include::([^\[\]{}:]+)\[[^\]]*\]\s*$`), true, (*crossChecker).includedFile},
	{"asciidoc", lazy.Regexp(`\bimage::?([^\[\]{}:\s]+)\[`), false, (*crossChecker).pageImage},
	{"asciidoc", lazy.Regexp(`\bxref:([^\[\]{}\s]+)\[`), false, (*crossChecker).pageReference},
	{"asciidoc", lazy.Regexp(`<<([^<>{},\s]+)(?:,[^>]*)?>>`), false, (*crossChecker).pageReference},
	{"asciidoc", lazy.Regexp(`\blink:(\.{0,2}[\w./-]+\.(?:adoc|asciidoc|md)(?:#[\w.-]*)?)\[`), false, (*crossChecker).relativeFile},
}

// crossRefsOf returns the references of a page that is no Markdown.
func crossRefsOf(p *page) (out []crossRef) {
	if p.file.Language == "markdown" {
		return nil
	}
	inCode := p.codeLines()
	for i := range crossForms {
		form := &crossForms[i]
		if form.language != p.file.Language {
			continue
		}
		for n, line := range p.lines {
			if inCode[n+1] && !form.inCode || strings.HasPrefix(line, "//") {
				continue
			}
			for _, m := range form.pattern.FindAllStringSubmatch(line, -1) {
				out = append(out, crossRef{form, strings.TrimSpace(m[1]), n + 1})
			}
		}
	}
	return out
}

// codeLines returns the lines of the page that are in blocks of code.
func (p *page) codeLines() map[int]bool {
	out := map[int]bool{}
	for i := range p.blocks {
		if b := &p.blocks[i]; b.Kind == markup.Code {
			for n := range strings.Count(b.Text, "\n") + 2 { // with its fence
				out[b.Line+n] = true
			}
		}
	}
	return out
}

// A crossChecker checks references. What the project has of anchors and labels it reads when it is first asked.
type crossChecker struct {
	*checker
	ids    map[string]string // pages by the anchors of AsciiDoc
	labels *labels           // of Sphinx
}

// crossRefs checks the references of a page.
func (c *crossChecker) crossRefs(p *page) {
	for _, r := range crossRefsOf(p) {
		c.checked++
		r.form.check(c, p, r)
	}
}

// reportFile reports a reference to a file that is not there. Without a near file it may be one that a build makes.
func (c *crossChecker) reportFile(p *page, r crossRef, kind Kind, at string, level Level) {
	if strings.HasPrefix(at, "../") || c.builtFrom(c.siteOf(p.file.Path), at) != "" {
		return
	}
	f := Finding{Kind: kind, Level: level, Name: r.target, Why: "there is no " + at}
	switch meant := c.nearPath(at); {
	case meant != "":
		f.Meant, f.At = meant, &Place{meant, 1}
	case c.isMade(at, r.target, true):
		f.Level = Unsure
	}
	c.report(p, f, r.line)
}

// sphinxDoc checks the page that a role names without its ending.
func (c *crossChecker) sphinxDoc(p *page, r crossRef) {
	s := c.siteOf(p.file.Path)
	if s == nil || s.tool != "sphinx" {
		return
	}
	at := path.Join(path.Dir(p.file.Path), r.target)
	if rest, ok := strings.CutPrefix(r.target, "/"); ok {
		at = path.Join(s.pages, rest)
	}
	for _, ending := range []string{".rst", ".md", ".txt", ".ipynb", ".myst", ""} {
		if c.Exists(at + ending) {
			return
		}
	}
	c.reportFile(p, r, Link, at+path.Ext(p.file.Path), Error)
}

// directiveFile checks the file that a directive shows.
func (c *crossChecker) directiveFile(p *page, r crossRef) {
	at := path.Join(path.Dir(p.file.Path), r.target)
	if rest, ok := strings.CutPrefix(r.target, "/"); ok {
		s := c.siteOf(p.file.Path)
		if s == nil {
			return
		}
		at = path.Join(s.pages, rest)
	}
	kind := Link
	if strings.Contains(p.lineAt(r.line), "include::") {
		if c.isIncluded(p.file.Path) {
			return // a path is from the page that includes this one
		}
	} else {
		kind = Image
	}
	if !c.Exists(at) && path.Ext(r.target) != "" {
		c.reportFile(p, r, kind, at, Error)
	}
}

// relativeFile checks a link to a file by its path from the page.
func (c *crossChecker) relativeFile(p *page, r crossRef) {
	file, _, _ := strings.Cut(r.target, "#")
	from := p.file.Path
	at := path.Join(path.Dir(from), file)
	if rest, ok := strings.CutPrefix(file, "/"); ok {
		at = rest
	}
	if c.Exists(at) || c.isIncluded(from) {
		return
	}
	level := Error
	if !isOnForge(from) && c.nearPath(at) == "" {
		level = Unsure // its site may have the page
	}
	c.reportFile(p, r, Link, at, level)
}

// A module is a folder of Antora, which finds files by their families.
type module struct{ dir, root string }

// moduleOf returns the module of Antora that a page is of.
func moduleOf(at string) (m module, ok bool) {
	parts := strings.Split(at, "/")
	for i := len(parts) - 3; i >= 0; i-- {
		if parts[i] == "modules" {
			return module{strings.Join(parts[:i+2], "/"), strings.Join(parts[:i+1], "/")}, true
		}
	}
	return module{}, false
}

// includedFile checks the file that a page of AsciiDoc includes.
func (c *crossChecker) includedFile(p *page, r crossRef) {
	if strings.Contains(r.target, "$") || strings.Contains(p.lineAt(r.line), "optional") {
		return
	}
	if at := path.Join(path.Dir(p.file.Path), r.target); !c.Exists(at) && path.Ext(at) != "" {
		c.reportFile(p, r, Link, at, Error)
	}
}

// pageImage checks an image, which lies below a folder that an attribute of the page or of its site may name.
func (c *crossChecker) pageImage(p *page, r crossRef) {
	if path.Ext(r.target) == "" || strings.Contains(r.target, "$") || c.endsPath(r.target) || c.Exists(path.Join(path.Dir(p.file.Path), r.target)) {
		return
	}
	level := Warning
	if isOnForge(p.file.Path) && len(c.base[path.Base(r.target)]) == 0 {
		level = Error
	}
	c.reportFile(p, r, Image, path.Join(path.Dir(p.file.Path), r.target), level)
}

// pageReference checks a reference to a page of AsciiDoc or to an anchor.
func (c *crossChecker) pageReference(p *page, r crossRef) {
	file, anchor, _ := strings.Cut(r.target, "#")
	if path.Ext(file) != ".adoc" {
		if file != "" && anchor == "" {
			c.asciidocAnchor(p, r, "", file)
		} else if file == "" {
			c.asciidocAnchor(p, r, "", anchor)
		}
		return
	}
	at := path.Join(path.Dir(p.file.Path), file)
	m, inModule := moduleOf(p.file.Path)
	if inModule && !strings.HasPrefix(file, "./") && !strings.HasPrefix(file, "../") {
		name, rest, other := strings.Cut(file, ":")
		switch {
		case !other:
			at = path.Join(m.dir, "pages", file)
		case name == "" || strings.ContainsAny(rest, ":") || strings.Contains(name, "@"):
			return // a page of another component
		default:
			at = path.Join(m.root, name, "pages", rest)
		}
	} else if strings.Contains(file, ":") {
		return
	}
	switch {
	case !c.Exists(at) && !inModule && c.endsPath(file):
	case !c.Exists(at):
		c.reportFile(p, r, Link, at, Error)
	case anchor != "":
		c.asciidocAnchor(p, r, at, anchor)
	}
}

// asciidocAnchor checks an anchor of a page, or of any page where at is "": pages that are included in one another share theirs.
func (c *crossChecker) asciidocAnchor(p *page, r crossRef, at, anchor string) {
	key := text.Letters(anchor)
	all := c.asciidocAnchors()
	if at != "" && c.pages[at] == nil {
		return // it is made by a program, or was too large
	}
	if key == "" || all[key] != "" || at == "" && !strings.ContainsAny(anchor, "-._") {
		return
	}
	f := Finding{Kind: Anchor, Level: Warning, Name: r.target, Why: "no page has the anchor #" + anchor}
	for other, in := range all {
		if len(key) >= minNear && (at == "" || in == at) && text.DistanceWithin(key, other, 3) <= 2 {
			f.Level = Error
		}
	}
	c.report(p, f, r.line)
}

var asciidocID = lazy.Regexp(`\[\[+([^\],]+)|\[#([\w.-]+)|\banchor:([\w.-]+)\[|\[id=['"]?([\w.-]+)`)

// asciidocAnchors returns the pages of all anchors of AsciiDoc, by their keys.
func (c *crossChecker) asciidocAnchors() map[string]string {
	if c.ids != nil {
		return c.ids
	}
	c.ids = map[string]string{}
	for at, p := range c.pages {
		if p.file.Language != "asciidoc" {
			continue
		}
		for key := range p.anchors.keys {
			c.ids[key] = at
		}
		for _, line := range p.lines {
			for _, m := range asciidocID.FindAllStringSubmatch(line, -1) {
				c.ids[text.Letters(strings.Join(m[1:], ""))] = at
			}
		}
	}
	return c.ids
}

var (
	sphinxTarget = lazy.Regexp(`(?m)\.\. _([^:\n]+):[ \t]*$|^\(([\w.-]+)\)=|:name: ([\w.-]+)`)
	// sphinxAdds are extensions that add labels, or find them in other projects.
	sphinxAdds = lazy.Regexp(`autosectionlabel|sphinx_gallery`)
)

// sphinxLabel checks the label that a role names.
func (c *crossChecker) sphinxLabel(p *page, r crossRef) {
	s := c.siteOf(p.file.Path)
	if s == nil || s.tool != "sphinx" {
		return
	}
	all := c.sphinxLabels()
	label := labelName(r.target)
	if all.addsMore || all.known[label] || slices.Contains([]string{"genindex", "modindex", "py-modindex", "search"}, label) {
		return
	}
	f := Finding{Kind: Anchor, Level: Warning, Name: r.target, Why: "no page has the label " + label}
	if all.foreign {
		f.Level = Unsure // it may be of a project that the site refers to
	}
	for known := range all.known {
		if len(label) >= minNear && text.DistanceWithin(known, label, 3) <= 2 && !differsInNumber(known, label) {
			f.Level, f.Fix = Error, max(f.Fix, known)
		}
	}
	c.report(p, f, r.line)
}

// sphinxObject checks an object of the program that a role or a directive names. One of another package is written with its name.
func (c *crossChecker) sphinxObject(p *page, r crossRef) {
	s := c.siteOf(p.file.Path)
	name := lastPart(r.target)
	isPast := p.past || p.isPast(r.line)
	if s == nil || s.tool != "sphinx" || isPast {
		return
	}
	if len(name) < minNear || c.isKnown(name) {
		return
	}
	if owner, _, ok := strings.Cut(strings.ReplaceAll(r.target, "::", "."), "."); ok && !c.own.packages[owner] && !c.words.has(owner) {
		return
	}
	f := Finding{Kind: Name, Level: Warning, Name: name, Why: "no code has " + name + ", which the page refers to"}
	if c.sphinxLabels().foreign && !isCompound(name) {
		f.Level = Unsure
	}
	if near := c.nearDeclared(p, name, r.line, group{}); near != nil {
		f.Level, f.Meant, f.At = near.level, near.name, near.at
		f.Fix = fixOf(&f)
	}
	c.report(p, f, r.line)
}

func labelName(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.Trim(strings.TrimSpace(s), "`")), " "))
}

// labels are the places that roles of Sphinx may name.
type labels struct {
	known    map[string]bool
	addsMore bool // an extension adds labels that no page has
	foreign  bool // labels may be of other projects
}

// sphinxLabels returns the labels of all pages and of the comments of the code.
func (c *crossChecker) sphinxLabels() *labels {
	if c.labels != nil {
		return c.labels
	}
	c.labels = &labels{known: map[string]bool{}}
	for _, list := range [][]File{c.Docs, c.Pages, c.Code, c.Aside} {
		for i := range list {
			f := &list[i]
			for _, m := range sphinxTarget.FindAllStringSubmatch(string(f.Text), -1) {
				c.labels.known[labelName(strings.Join(m[1:], ""))] = true
			}
			if path.Base(f.Path) == "conf.py" {
				c.labels.addsMore = c.labels.addsMore || sphinxAdds.Match(f.Text)
				c.labels.foreign = c.labels.foreign || strings.Contains(string(f.Text), "intersphinx_mapping")
			}
		}
	}
	return c.labels
}
