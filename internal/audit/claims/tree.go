package claims

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/assay-dev/assay/internal/audit/named"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/safe"
	words "github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Source is one text of a project.
type Source = named.File

// Keep leaves of a tree what is at the paths for which has reports true.
func (t *Tree) Keep(has func(path string) bool) {
	for _, list := range []*[]Source{&t.Code, &t.Docs, &t.Aside, &t.Pages} {
		*list = slices.DeleteFunc(*list, func(s Source) bool { return !has(s.Path) })
	}
	for _, list := range []*[]string{&t.Unread, &t.UnreadDocs} {
		*list = slices.DeleteFunc(*list, func(path string) bool { return !has(path) })
	}
}

// A Tree is the texts of a project, read once.
type Tree struct {
	Root string
	Code []Source // by path; what is written by programs or by others is omitted
	Docs []Source // by path
	// Aside is text that is neither: source below the documents, a site, what is generated or
	// vendored. It proves nothing, but a name that it has may be of it.
	Aside []Source
	// NotCovered counts what may be code and is none of Code.
	NotCovered corpus.NotCovered
	// Unread and UnreadDocs are the files that were too large or could not be opened,
	// and may have what Code and Docs lack: source and documents, not images.
	Unread, UnreadDocs []string
	Pages              []Source         // prose for people that is no document: only its links are checked
	Repository         string           // the address that it was cloned from, or ""
	all                []string         // the paths of every file, whatever it is
	absent             []string         // paths that not every checkout has; nil before they are asked for
	licensed, modules  map[string]bool  // folders that have a licence, and those that have a manifest
	noted              map[string]Place // the names of several words that histories and notes for contributors write
	written            map[string]bool  // words with a capital of these, and those in backticks
	chosen             bool             // the documents were named: no other page is judged
	shut               int              // folders that could not be read: they may have both
}

// Unknown returns how many files and folders may have code that was not read.
func (t *Tree) Unknown() int { return len(t.Unread) + t.shut }

// Read reads a project. Docs are patterns as an ignore file has them; without any,
// the documents are READMEs, what is in documentation folders, requirements and
// designs, and the inventory of a grimoire.
func Read(ctx context.Context, root string, docs []string) (*Tree, error) {
	walked, err := discover.Walk(ctx, root, discover.Options{})
	if err != nil {
		return nil, err
	}
	dir, err := safe.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }() // it was only read
	t := &Tree{Root: root, chosen: len(docs) > 0, noted: map[string]Place{}, written: map[string]bool{}, licensed: map[string]bool{}, modules: map[string]bool{}}
	for why, n := range walked.Skipped {
		switch why {
		case "ignored":
			t.NotCovered.Ignored = n
		case "secret", discover.Unreadable:
			t.NotCovered.Add(string(why), n)
			if why == discover.Unreadable {
				t.shut = n
			}
		}
	}
	globs, err := discover.NewGlobs(docs)
	if err != nil {
		return nil, err
	}
	mine := func(s *Source) bool { return len(docs) > 0 && globs.Match(s.Path) || len(docs) == 0 && document(s) }
	paths := t.paths(walked, dir, mine)
	read := make([]*Source, len(paths))
	whys := make([]string, len(paths))
	work.Each(ctx, len(paths), 1, func() func(int) {
		return func(i int) { read[i], whys[i] = source(dir, paths[i]) }
	})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", root, err)
	}
	for i, s := range read {
		if s == nil {
			t.NotCovered.Add(whys[i], 1)
			t.unread(paths[i], whys[i], mine)
			continue
		}
		t.add(s, mine(s))
	}
	if len(docs) == 0 {
		t.Docs = newest(t.Docs)
	}
	return t, nil
}

// paths returns the files of a walk that are to be read, in order, and notes those that
// are too large.
func (t *Tree) paths(walked *discover.Tree, dir *safe.Root, mine func(*Source) bool) []string {
	var paths []string
	for _, d := range walked.Dirs {
		for _, f := range d.Files {
			p := path.Join(d.Path, f.Name)
			t.all = append(t.all, p)
			if isLicence(f.Name) {
				t.licensed[d.Path] = true
			} else if manifests.MatchString(p) {
				t.modules[d.Path] = true
			}
			if f.Size <= discover.MaxFile {
				paths = append(paths, p)
				continue
			}
			if lang := syntax.Language(p, nil); lang == "" || syntax.Source(lang) {
				t.NotCovered.Add(oversize, 1)
			}
			t.unread(p, oversize, mine)
		}
	}
	// A grimoire is often ignored, but it is asked about here.
	for _, p := range grimoire {
		if _, err := dir.Lstat(p); err == nil && !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// add adds what was read: a document, code, or what is neither.
func (t *Tree) add(s *Source, document bool) {
	plain := s.Language == "html" || s.Language == "text" || s.Language == "" || path.Ext(s.Path) == ".cshtml"
	if !document && plain && (documentFolder.MatchString(s.Path) || noDocument.MatchString(path.Base(s.Path))) {
		t.write(s)
	}
	switch {
	case strings.HasPrefix(path.Base(s.Path), ".assay-"):
		// What a project accepts says no more of the code than who accepts it.
	case document:
		t.Docs = append(t.Docs, *s)
	case path.Ext(s.Path) == ".cabal" && s.Flags&corpus.Generated != 0:
		t.Aside = append(t.Aside, *s) // it says what is exposed, whatever wrote it
	case strings.HasPrefix(s.Path, ".git") || strings.HasPrefix(s.Path, ".circleci/"):
		// How a forge is used is no part of the program.
		t.Aside = append(t.Aside, *s)
	case apart.MatchString(s.Path) && !manifests.MatchString(s.Path):
		// Neither are its site and what shells complete its commands by: they are written
		// from the program, or for it, and stay behind as documents do.
		t.Aside = append(t.Aside, *s)
		if s.Language == "markdown" || s.Language == "rst" {
			t.Pages = append(t.Pages, *s)
			t.note(s)
		}
	case (s.Language == "html" || s.Language == "text") && isTemplate(s.Path) && s.Flags&(corpus.Generated|corpus.Vendored|corpus.Minified) == 0:
		t.Code = append(t.Code, *s)
	case !syntax.Prose(s.Language) && s.Flags&(corpus.Prose|corpus.Generated|corpus.Vendored|corpus.Minified|corpus.Lock) == 0:
		t.Code = append(t.Code, *s)
	case s.Language == "markdown" || s.Language == "rst" || s.Language == "asciidoc":
		switch s.Flags & (corpus.Test | corpus.Vendored | corpus.Generated) {
		case 0:
			t.Pages = append(t.Pages, *s)
			t.note(s)
		case corpus.Test:
			t.write(s)
		}
	case syntax.Source(s.Language):
		t.NotCovered.Add(notOurs(s.Flags), 1)
		t.Aside = append(t.Aside, *s)
	}
}

// copies returns the folders below the root that have a licence of their own and no manifest, in a
// project that has one itself: others' code. Where most of the code is, it is the project's.
func (t *Tree) copies() map[string]bool {
	out := map[string]bool{}
	if !t.licensed["."] && !t.licensed[""] {
		return out
	}
	for dir := range t.licensed {
		if dir == "." || dir == "" || t.modules[dir] {
			continue
		}
		n := 0
		for i := range t.Code {
			if strings.HasPrefix(t.Code[i].Path, dir+"/") {
				n++
			}
		}
		out[dir] = 3*n < len(t.Code)
	}
	return out
}

// note takes the names of several words that a text writes which promises nothing: it is no document, but
// who looks for a name finds it there.
func (t *Tree) note(s *Source) {
	line := 1
	for text := range strings.Lines(string(s.Text)) {
		for _, w := range nameRE.FindAllString(text, -1) {
			if _, ok := t.noted[w]; !ok && severalWords.MatchString(w) {
				t.noted[w] = Place{s.Path, line}
			}
		}
		line++
	}
	t.write(s)
}

// write takes the names that any text writes, one beside tests too, as code or with a capital.
func (t *Tree) write(s *Source) {
	for text := range strings.Lines(string(s.Text)) {
		for _, w := range nameRE.FindAllString(text, -1) {
			if w[0] >= 'A' && w[0] <= 'Z' || severalWords.MatchString(w) {
				t.written[w] = true
			}
		}
		for _, m := range dotted.FindAllStringSubmatch(text, -1) {
			t.written[strings.TrimRight(m[1], "?!")] = true
		}
		for _, m := range spans.FindAllStringSubmatch(text, -1) {
			for _, w := range nameRE.FindAllString(m[1], 8) {
				t.written[w] = true
			}
		}
	}
}

const oversize = "oversize"

// unread notes a file that was not read where it may be source or a document: by its
// name, since its content is not known.
func (t *Tree) unread(p, why string, mine func(*Source) bool) {
	if why != oversize && why != string(discover.Unreadable) {
		return
	}
	s := &Source{Path: p, Language: syntax.Language(p, nil)}
	switch {
	case mine(s):
		t.UnreadDocs = append(t.UnreadDocs, p)
	// A large file without an extension is a compiled program; any other may be a script.
	case syntax.Source(s.Language), why != oversize && s.Language == "" && path.Ext(p) == "":
		t.Unread = append(t.Unread, p)
	}
}

// apart are folders and files that go with a program and are none of it.
var apart = lazy.Regexp(`(?i)(^|/)(docs?|documentation|website|www|_site)/|(^|/)(shell-)?(completions?|autocomplete|complete)/[^/]*(\.(bash|zsh|fish|ps1|sh|nu|elv|ts)|/?_?[\w-]+)$|\.(bash-completion|fish)$`)

var grimoire = []string{
	"grimoires/loa/prd.md", "grimoires/loa/sdd.md", "grimoires/loa/legacy/INVENTORY.md",
	"loa-grimoire/prd.md", "loa-grimoire/sdd.md", "loa-grimoire/legacy/INVENTORY.md",
}

// notOurs says why source is not of the project's own.
func notOurs(f corpus.Flags) string {
	switch {
	case f&corpus.Vendored != 0:
		return "vendored"
	case f&corpus.Generated != 0:
		return "generated"
	case f&corpus.Minified != 0:
		return "minified"
	}
	return "data"
}

// source reads a file; nil and the reason where it is no text.
func source(dir *safe.Root, p string) (*Source, string) {
	f, err := dir.Open(p)
	if err != nil {
		return nil, string(discover.Unreadable)
	}
	defer func() { _ = f.Close() }() // it was only read
	raw, err := whole(f)
	if err != nil {
		return nil, string(discover.Unreadable)
	}
	text, _ := words.Decode(raw)
	v := discover.Classify(p, text)
	if !v.Text {
		return nil, v.Why
	}
	return &Source{Path: p, Language: v.Language, Flags: v.Flags, Text: text}, ""
}

// whole reads a file into as much memory as it needs: all of a project's text is kept.
func whole(f *os.File) ([]byte, error) {
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Size() < discover.MaxFile {
		b.Grow(int(info.Size()) + bytes.MinRead) // so that the end is met without growing
	}
	_, err := b.ReadFrom(io.LimitReader(f, discover.MaxFile))
	return b.Bytes(), err
}

// noDocument are names of texts for people that promise nothing of the program.
var noDocument = lazy.Regexp(`(?i)^(change(s|log)|what-?s[-_]?new|backlog|history|news|\d{4}-news|release|licen[cs]e|copying|notice|contribut|(code[-_]of[-_])?conduct|security|authors|maintainers|credits|support|develop|hacking|building|internals|todo|roadmap|drift-report|notes\.md|agents\.md|claude\.md|gemini\.md|third|(project[-_]?)?(charter|governance)|sponsor|expense|adopters|benchmark|migrat|upgrad|faq|troubleshoot|lts|long-term|ecosystem|style-?guide|deprecat|compar|differences|alternatives|bug_report|issue_template|pull_request|versions?[-_]?history|minutes|retrospective|post-?mortem|progress\b|principles|acknowledg|(code|coding)[-_](review|contribution|format|style|standard|guideline)|breaking|removed\b|removals?\b|(from[-_])?v?\d[\d.x]*[-_]to[-_])|(?i)[-_](from[-_]v?\d[\w.]*[-_]to[-_]v?\d|(migrat|upgrad)\w*|breaking|changelog|benchmarks?|faq|history|guidelines)(\b|_)`)

// notOutside are names that speak of the program only where its documentation lies:
// beside its code they are of the work on it.
var notOutside = lazy.Regexp(`(?i)^((\w+[-_])?(reviews?|reports?|audit|findings|issues?|bugs|plan|summary|minutes)|compatib\w*|conventions|triage|privacy|citation|terms)([-_.]|$)`)

// workFolder holds what is written about the work.
var workFolder = lazy.Regexp(`(?i)(^|/)(?:\d+[-_])?(contribut\w*|issues|reviews|minutes|meetings|retrospectives|post-?mortems|_?posts|blogs?|news|releases|release-notes|history|changelogs?|whats-?new|migrating[\w-]*|migration[-_]guides?|(?:upgrad|deprecat)[\w-]*|breaking[\w-]*|internals|community|evaluations?|results|benchmarks?)/|(^|/)(tests?|specs?|testdata|fixtures|__tests__)/(.*/)?readme[^/]*$`)

// ownReport begins what this program wrote of an audit: it speaks of promises and
// makes none.
var ownReport = lazy.Regexp(`(?m)^(?:CONFIRMED GHOST|HIGH AMBIGUITY|NOT GHOST|left out): |^## Drift Score:|^Drift score: `)

// instructive are pages that show how something else is built with the program: what
// they promise is theirs.
var instructive = lazy.Regexp(`(?i)(^|/)(?:\d+[-_])?_?(getting-?_?started|quick-?start|guides|tutorials?|examples?|continuous-integration|ci|integrations?|using-[\w-]+-with-[\w-]+|third-?party|adopters|showcase|recipes?|patterns|deploy\w*|release-notes|testing|cookbook|how-?tos?|blog|case-?studies|walkthroughs?|proposals?|rfcs?|adrs?|decisions)/|(^|/)(?:\d+[-_])?(tutorial|quick-?start|getting[-_]?started|.*[-_]tutorial|using-[\w-]+-with-[\w-]+|[\w-]*integrat\w*|awesome[\w-]*|[\w-]*users|plugin_?-?list|contact|historical[\w-]*|resources|sponsors)[^/]*$`)

var documentFolder = lazy.Regexp(`(?i)(^|/)(docs?|docs?[_-](?:topics|pages|content|site|markdown)|documentation|manual|guides?|book|wiki|handbook|user[-_]?guide|(?:src|site|www)/content)/|(^|/)src/site/`)

// document reports whether a text is one that speaks for the project.
func document(s *Source) bool {
	base := withoutNumber(path.Base(s.Path))
	if !syntax.Prose(s.Language) || s.Language == "html" || noDocument.MatchString(base) || s.Flags&(corpus.Test|corpus.Vendored|corpus.Generated) != 0 {
		return false
	}
	if workFolder.MatchString(s.Path) || !documentFolder.MatchString(s.Path) && notOutside.MatchString(base) || ownReport.Match(s.Text[:min(len(s.Text), 4096)]) {
		return false
	}
	low := strings.ToLower(base)
	switch {
	case s.Language == "text" && !strings.HasPrefix(low, "readme"):
		return false // most programs keep what they print in such files, and lists
	case strings.HasPrefix(low, "readme"), strings.HasPrefix(low, "prd"), strings.HasPrefix(low, "sdd"), low == "inventory.md", low == "architecture.md", low == "design.md", low == "features.md", low == "usage.md", low == "requirements.md":
		return true
	case !strings.Contains(s.Path, "/"):
		return s.Language == "markdown" || s.Language == "rst"
	}
	return documentFolder.MatchString(s.Path)
}

// exists reports whether there is, or may be, a file at a path of the tree.
func (t *Tree) exists(p string) bool {
	if !filepath.IsLocal(filepath.FromSlash(p)) {
		return false
	}
	_, err := os.Stat(filepath.Join(t.Root, filepath.FromSlash(p)))
	return !missing(err)
}

// Has reports whether there is, or may be, a file at a path of the tree.
func (t *Tree) Has(p string) bool { return t.exists(p) }

// gone reports whether a file of code is known not to have what it had: one that was
// not read may have it still.
func (t *Tree) gone(p string) bool {
	if slices.Contains(t.Unread, p) || !filepath.IsLocal(filepath.FromSlash(p)) {
		return false
	}
	_, err := os.Stat(filepath.Join(t.Root, filepath.FromSlash(p)))
	return err == nil || missing(err)
}

// missing reports whether an error says that there is no such file. A folder that may
// not be entered says nothing of what is in it.
func missing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// isLicence reports whether a file is called as one with a licence.
func isLicence(name string) bool {
	stem, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(name), "-", "."), ".")
	return stem == "license" || stem == "licence" || stem == "copying"
}

// isTemplate reports whether a file is in a folder of pages that the program fills in.
func isTemplate(file string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(path.Dir(file)), "/"), func(part string) bool {
		return slices.Contains([]string{"template", "theme", "view", "layout"}, strings.TrimSuffix(part, "s"))
	})
}

// withoutNumber returns a name without the number that puts pages in order.
func withoutNumber(name string) string {
	rest := strings.TrimLeft(name, "0123456789")
	if digits := len(name) - len(rest); digits == 0 || digits > 3 || strings.IndexAny(rest, "-_.") != 0 {
		return name
	}
	return strings.TrimLeft(rest, "-_.")
}
