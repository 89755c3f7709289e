// Package named checks the things that documents name against the tree: links, paths, flags, variables
// of the environment, and names of the code.
//
// Each rule is plain. A finding stands on a line that has the name as it is written there, and the name that was
// probably meant is declared or lies where the finding says.
package named

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/set"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A File is one text of a project.
type File struct {
	Path     string // slash-separated, relative
	Language string
	Flags    corpus.Flags
	Text     []byte
}

// A Project is the texts that are compared. Exists must not be nil.
type Project struct {
	Docs  []File // by path: their names are checked
	Pages []File // further pages, of which only links are checked
	// DocsAlone says that nothing of Pages is checked: links lead to them.
	DocsAlone bool
	Code      []File // texts that define names
	Aside     []File // texts that define nothing; a name that one of them has exists all the same
	Paths     []string
	// Exists reports whether a file or a folder is, or may be, at a path.
	Exists func(path string) bool
	// Repository is the address of the project's own repository, "https://github.com/owner/name", or "".
	Repository string
	// Former are files of an earlier revision by path, where findings since then are asked for.
	Former map[string][]byte
	// Removed returns which of some names commits took out of the code, true if a document had the name then. It may be nil.
	Removed func(names map[string]bool) map[string]bool
}

// A Kind says which rule a finding is of.
type Kind string

// The kinds of finding.
const (
	Link     Kind = "link"
	Image    Kind = "image"
	Anchor   Kind = "anchor"
	Address  Kind = "address"     // of a file in the project's own repository
	Path     Kind = "path"        // in a code span
	Flag     Kind = "flag"        // of a program of the project
	Variable Kind = "environment" // with the project's own prefix
	Name     Kind = "name"        // of the code
	Import   Kind = "import"      // in an example
	Script   Kind = "script"      // of package.json or a Makefile
)

// A Level says how sure a finding is.
type Level string

// The levels.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Unsure  Level = "unsure" // counted, and shown to those who ask
)

// A Place is a line of a file.
type Place struct {
	Path string `json:"path"`
	Line int    `json:"line"` // one-based
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.Path, p.Line) }

// A Finding is a name of a document that nothing in the tree has.
type Finding struct {
	Kind  Kind  `json:"kind"`
	Level Level `json:"level"`
	Place
	Name  string `json:"name"`            // as the document writes it
	Meant string `json:"meant,omitempty"` // the name that the tree has
	At    *Place `json:"at,omitempty"`    // of Meant, where it is declared or lies
	Fix   string `json:"fix,omitempty"`   // to write in place of Name, where it is sure what was meant
	Why   string `json:"why"`
}

// A Report is the findings by place, what became of all things that were looked at, and which were not judged.
type Report struct {
	Findings []Finding
	Counts   Counts
	Skipped  []Skipped
}

// A checker applies the rules. It is used by one goroutine.
type checker struct {
	*Project
	*siteIndex
	cross     *crossChecker
	words     *words
	own       *manifests
	options   *options
	spoken    map[string]bool // languages of which the program has a good part
	documents map[string]bool // the paths of Docs
	out       []Finding
	checked   int // things that were looked at
	skipped   []Skipped
	declared  map[string]*Place // names that were looked for among the declarations
	former    *words            // of the former files; nil where there is none
	nearTries int               // of anchors that were compared with headings
}

// Check applies every rule to every document.
func Check(ctx context.Context, p *Project) (*Report, error) {
	c := &checker{Project: p, siteIndex: &siteIndex{files: newFiles(p), pages: map[string]*page{}, served: map[string]*servedPages{}, included: map[string]bool{}}, declared: map[string]*Place{}}
	c.cross = &crossChecker{checker: c}
	c.documents = set.By(p.Docs, func(f *File) string { return f.Path })
	docs := slices.Concat(p.Docs, p.Pages)
	read := make([]*page, len(docs))
	work.Each(ctx, len(docs)+1, 1, func() func(int) {
		return func(i int) {
			if i == len(docs) {
				c.words = readWords(slices.Concat(p.Code, p.Aside), len(p.Code))
				return
			}
			read[i] = readPage(&docs[i])
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("check names: %w", err)
	}
	for i := range docs {
		c.pages[docs[i].Path] = read[i]
		c.noteIncluded(read[i])
	}
	c.spoken = spokenIn(p.Code)
	c.sites, c.own, c.options = sitesOf(p), readManifests(p), readOptions(c.words, p.Code)
	c.former = formerWords(p.Former)
	if p.DocsAlone {
		read = read[:len(p.Docs)]
	}
	for i := range read {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("check names: %w", err)
		}
		c.links(read[i])
		if why := c.whyNoNames(read[i], i < len(p.Docs)); why != "" {
			c.skipNames(read[i], why)
		} else {
			c.named(read[i])
		}
	}
	c.askHistory()
	findings := c.findings()
	return &Report{findings, c.counts(), c.skipped}, nil
}

// forContributors are pages at the root that speak of the code.
var forContributors = lazy.Regexp(`(?i)^(?:\.github/)?(?:contributing|hacking|develop\w*|architecture|building)(?:\.\w+)?$`)

// spokenIn returns the languages of which the program has at least a fifth as much as of its main one.
func spokenIn(code []File) map[string]bool {
	size, most := map[string]int{}, 0
	for i := range code {
		if f := &code[i]; f.Flags&(corpus.Test|corpus.Example|corpus.Vendored|corpus.Generated) == 0 && syntax.Source(f.Language) && !syntax.Inert(f.Language) {
			language := syntax.Family(f.Language)
			size[language] += len(f.Text)
			most = max(most, size[language])
		}
	}
	out := map[string]bool{}
	for language, n := range size {
		out[language] = 5*n >= most
	}
	return out
}

// askHistory makes warnings of names that the code declared once, until a commit took them away while documents had them.
func (c *checker) askHistory() {
	if c.Removed == nil {
		return
	}
	asked := map[string]bool{}
	for i := range c.out {
		if f := &c.out[i]; f.isOpen() {
			asked[strings.TrimLeft(f.Name, "-")] = true
		}
	}
	if len(asked) == 0 {
		return
	}
	removed := c.Removed(asked)
	for i := range c.out {
		if f := &c.out[i]; f.isOpen() && removed[strings.TrimLeft(f.Name, "-")] {
			f.Level, f.Why = Warning, f.Why+", but it did: a commit took it away"
		}
	}
}

// isOpen reports whether the history may tell if a name was the project's.
func (f *Finding) isOpen() bool {
	ofCode := f.Kind == Name && !strings.Contains(f.Name, "-") || f.Kind == Flag || f.Kind == Variable
	return ofCode && f.Level == Unsure && isCompound(strings.TrimLeft(f.Name, "-"))
}

// rankOf returns the place of a level among the levels, the surest first.
func rankOf(l Level) int { return slices.Index([]Level{Error, Warning, Unsure}, l) }

// findings returns the findings in order, each name once a line.
func (c *checker) findings() []Finding {
	sorting.Stable(c.out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name), cmp.Compare(rankOf(a.Level), rankOf(b.Level)))
	})
	c.doubtCopies()
	c.out = slices.CompactFunc(c.out, func(a, b Finding) bool { return a.Place == b.Place && a.Name == b.Name })
	return c.out
}

// minCopies is how many pages of a folder have the same broken link at least that are shown from another place, and how many broken links
// from the root a page has.
const minCopies = 3

// doubtCopies makes links unsure that several pages of a folder write alike, if no forge shows these: a site copies them. So are links from
// the root of a page that has several, and is no README: it is a part of a site.
func (c *checker) doubtCopies() {
	type link struct{ dir, target string }
	pages := map[link]map[string]bool{}
	key := func(f *Finding) (link, bool) {
		isRooted := f.Level == Error && strings.HasPrefix(f.Name, "/") && !isReadme(f.Path)
		if isRooted {
			return link{f.Path, "/"}, true
		}
		return link{path.Dir(f.Path), f.Name}, f.Level == Warning
	}
	for i := range c.out {
		f := &c.out[i]
		if of, ok := key(f); ok && f.Kind == Link {
			if pages[of] == nil {
				pages[of] = map[string]bool{}
			}
			pages[of][f.Path+f.Name] = true
		}
	}
	for i := range c.out {
		f := &c.out[i]
		if of, ok := key(f); ok && f.Kind == Link && len(pages[of]) >= minCopies {
			f.Level = Unsure
		}
	}
}

// report adds a finding if the name stands on the line that is given or on one of the next few.
func (c *checker) report(p *page, f Finding, from int) {
	f.Path = p.file.Path
	if c.included[f.Path] && (f.Kind == Link || f.Kind == Image || f.Kind == Anchor) {
		f.Level = Unsure // because it leads on from the page that takes this one in
	}
	if f.Line = p.lineWith(f.Name, from); f.Line > 0 {
		c.out = append(c.out, f)
	}
}

// named applies the rules for names.
func (c *checker) named(p *page) {
	p.listing = c.listsOptions(p)
	groups := c.groupsOf(p)
	for i := range p.refs {
		r := &p.refs[i]
		if r.Kind != spanRef {
			continue
		}
		c.checked++
		if p.isPast(r.Line) {
			c.skip(p, Span, r.Target, r.Line, ofPast)
			continue
		}
		c.span(p, r.Target, r.Line, groups[i])
	}
	for i := range p.blocks {
		if b := &p.blocks[i]; b.Kind == codeBlock && !p.isPast(b.Line) {
			c.example(p, b)
		}
	}
}

// span checks a code span: the first rule that knows its form decides.
func (c *checker) span(p *page, text string, line int, among group) {
	text = strings.TrimSpace(text)
	for _, rule := range []func(*page, string, int, group) bool{c.flagSpan, commandChecker{c}.commandSpan, c.fileSpan, c.pathSpan, c.variableSpan, c.nameSpan} {
		if rule(p, text, line, among) {
			return
		}
	}
	c.skip(p, Span, text, line, noForm)
}
