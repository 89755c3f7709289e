package graph

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/excerpt"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A ShowInput asks for the text of places.
type ShowInput struct {
	Places    []string `json:"places" arg:"rest" help:"Name, Scope.Name, path/to/file:Name, FILE:LINE (the declaration around it), FILE:A-B or FILE; one or many"`
	Around    bool     `json:"around,omitempty" flag:"around" help:"also show the line of each caller and test"`
	Tokens    int      `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" default:"4000" help:"maximum tokens; what is left out is named with its lines (default 4000, and the lines of FILE:A-B)"`
	Root      string   `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the path or the working directory)"`
	IndexDir  string   `json:"index_dir,omitempty" flag:"index-dir" help:"folder of the index (default: ROOT/.assay/index)"`
	NoRefresh bool     `json:"no_refresh,omitempty" flag:"no-refresh" help:"answer from the index as it is"`
	workspace.Trees

	filter Filter
	op     string // the question that asks, where it is another one
	usual  bool   // the caller named no budget
}

// Across says which repositories are asked. They share the tokens.
func (in *ShowInput) Across() workspace.Across {
	in.setUsual()
	return workspace.Across{Trees: &in.Trees, Root: &in.Root, Limit: &in.Tokens, Least: 50}
}

// usualShow is how many tokens of text are shown where a call does not say. The lines that it names by their numbers come on top of
// them, up to mostRanges, because who gives numbers wants those lines.
const (
	usualShow  = 4000
	mostRanges = 16000
)

func (in *ShowInput) setUsual() {
	if in.Tokens == 0 {
		in.Tokens, in.usual = usualShow, true
	}
}

// A Shown is the text of one place.
type Shown struct {
	Place     string    `json:"place"` // as it was asked for
	Name      string    `json:"name,omitempty"`
	Kind      string    `json:"kind,omitempty"`
	File      string    `json:"file"`
	First     int       `json:"line_start"`
	Last      int       `json:"line_end"`
	Signature string    `json:"signature,omitempty"`
	Text      []Segment `json:"text"`
	LeftOut   []Lines   `json:"left_out,omitempty"`
	Callers   []Line    `json:"callers,omitempty"`
	Tests     []Line    `json:"tests,omitempty"`
	More      int       `json:"more_callers,omitempty"` // callers and tests that are not listed

	ref  facts.Ref
	file *excerpt.File
	of   int // the declaration in file, or -1
	kept []corpus.Range

	ranged bool // the place was given by numbers of lines
}

// A Segment is some lines of a file, byte for byte.
type Segment struct {
	First int    `json:"line_start"`
	Last  int    `json:"line_end"`
	Text  string `json:"text"`
}

// Lines are the numbers of lines that are left out.
type Lines struct {
	First int `json:"line_start"`
	Last  int `json:"line_end"`
}

// A Line is one line of a file, and the declaration that it is in.
type Line struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function,omitempty"`
	Text     string `json:"text"`
}

// An Elsewhere is a declaration that a name means too, and that is not shown.
type Elsewhere struct {
	Place string `json:"place"`
	Name  string `json:"name"`
	File  string `json:"file"`
	First int    `json:"line_start"`
	Last  int    `json:"line_end"`
}

// A Missed is a place that there is not.
type Missed struct {
	Place   string `json:"place"`
	Message string `json:"message"`
}

// Texts is the text of places.
type Texts struct {
	Shown      []Shown           `json:"shown"`
	Others     []Elsewhere       `json:"others,omitempty"`
	Missing    []Missed          `json:"missing,omitempty"`
	Budget     int               `json:"budget"`
	NotCovered corpus.NotCovered `json:"-"`
	known
}

// Show shows the text of places.
func (f *Feature) Show(ctx context.Context, in ShowInput) (*Texts, error) {
	places := slices.DeleteFunc(slices.Clone(in.Places), func(p string) bool { return strings.TrimSpace(p) == "" })
	if len(places) == 0 {
		return nil, fault.New(fault.Usage, "no place is given").Or("name some: Name, Scope.Name, FILE:LINE, FILE:A-B or FILE")
	}
	in.setUsual()
	in.op = cmp.Or(in.op, "show")
	in.filter.Root, in.filter.IndexDir, in.filter.NoRefresh, in.filter.Trees = in.Root, in.IndexDir, in.NoRefresh, in.Trees
	out := &Texts{Shown: []Shown{}, Budget: in.Tokens}
	// Files decide the project, as they do for every other question; a name is looked up in it.
	at := ""
	for _, p := range places {
		if l, ok := readPlace(p); ok {
			if _, err := f.trees.Existing(l.file); err == nil {
				at = l.file
				break
			}
		}
	}
	err := f.ask(ctx, resumed{op: in.op}, in.filter, at, &out.known, &out.NotCovered, func(s *session) error {
		var first error
		for _, p := range places {
			if err := s.showPlace(f, out, p); err != nil {
				e, ok := errors.AsType[*fault.Error](err)
				if !ok || e.Kind != fault.NotFound && e.Kind != fault.Usage {
					return err
				}
				first = cmp.Or(first, err)
				out.Missing = append(out.Missing, Missed{p, e.Msg})
			}
		}
		if len(out.Shown) == 0 {
			return first
		}
		out.dropRepeated()
		for i := range out.Shown {
			if in.Around {
				s.showAround(&out.Shown[i])
			}
		}
		ranges := 0
		if in.usual {
			ranges = text.Bytes(mostRanges)
		}
		out.fit(text.Bytes(in.Tokens), ranges)
		return nil
	})
	return out, err
}

// A location is a place in a file: ranges of lines, one line, or all of it.
type location struct {
	file   string
	ranges []corpus.Range
	line   int // of FILE:LINE
}

// readPlace reads FILE, FILE:LINE, FILE:LINE:COLUMN, FILE:A-B and FILE:A-B,C-D. It does not tell a
// FILE from a name.
func readPlace(place string) (l location, ok bool) {
	at := fileRanges.FindStringSubmatch(place)
	if at == nil {
		return location{file: place}, !strings.Contains(place, ":")
	}
	l.file = at[1]
	for part := range strings.SplitSeq(at[2], ",") {
		a, b, ranged := strings.Cut(part, "-")
		r := corpus.Range{First: atoi(a), Last: atoi(a)}
		if ranged {
			r.Last = max(r.First, atoi(b))
		}
		l.ranges = append(l.ranges, r)
		if !ranged && !strings.Contains(at[2], ",") {
			l.line, l.ranges = r.First, nil
		}
	}
	return l, true
}

// showPlace adds the texts of one place.
func (s *session) showPlace(f *Feature, out *Texts, place string) error {
	l, located := readPlace(place)
	if located {
		path, isFile, err := s.fileOf(f, l.file)
		switch {
		case err != nil:
			return err
		case isFile:
			return s.showFile(out, place, path, l)
		case l.line > 0 || l.ranges != nil:
			return s.unknownFile(l.file)
		}
	}
	refs := s.p.Lookup(place)
	if whole := slices.DeleteFunc(slices.Clone(refs), s.p.Extends); len(whole) > 0 {
		refs = whole
	}
	refs = slices.DeleteFunc(refs, func(r facts.Ref) bool { return !s.passes(r) })
	if len(refs) > 0 {
		return s.showNamed(out, place, refs)
	}
	if fields := s.p.Fields(place); len(fields) > 0 {
		return s.showFields(out, place, fields)
	}
	if located && strings.ContainsAny(place, "/.") && s.looksLikePath(place) {
		return s.unknownFile(place)
	}
	return s.unknown("declaration", place)
}

// looksLikePath reports whether a word that means nothing is more likely a file than a name.
func (s *session) looksLikePath(word string) bool {
	return strings.Contains(word, "/") || syntax.Language(word, nil) != "" && filepath.Ext(word) != ""
}

// fileOf returns the path below the root of a file that there is: as it was given, from the root, or
// the one file whose path ends so.
func (s *session) fileOf(f *Feature, given string) (path string, ok bool, err error) {
	if given == "" {
		return "", false, nil
	}
	if t, err := f.trees.Resolve(workspace.Place{Root: s.e.Root()}, []string{given}); err == nil && len(t.Within) == 1 {
		path := t.Within[0]
		// A server may serve a part of a repository, so that only its documents are shown.
		if _, part := s.doc(path); part || !s.server {
			if _, ok := s.v.Text(path); ok {
				return path, true, s.withheld(path)
			}
		}
	} else if err != nil && fault.KindOf(err) == fault.Usage { // it leads out of the project, or is no file
		return "", false, err
	}
	name := strings.TrimPrefix(filepath.ToSlash(given), "./")
	if _, ok := s.doc(name); ok {
		return name, true, nil
	}
	var found []string
	for i := range s.p.Docs {
		if p := s.p.Docs[i].Path; strings.HasSuffix(p, "/"+name) {
			found = append(found, p)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], true, nil
	case len(found) > 1 && strings.Contains(name, "."):
		return "", false, fault.New(fault.NotFound, "%s may be %s: %s", given, text.Count(len(found), "file", "files"), strings.Join(found[:min(len(found), mostNear)], ", ")).
			Or("give more of its path")
	}
	return "", false, nil
}

// withheld is the error of a file that is not shown: one that holds secrets.
func (s *session) withheld(path string) error {
	if why, ok := s.v.Ignored(path); ok && strings.Contains(why, "secret") {
		return fault.New(fault.Usage, "%s is not shown: %s", path, why).Or("open it yourself if you must")
	}
	return nil
}

// unknownFile is the error about a file that is not there, with those whose names are like it.
func (s *session) unknownFile(given string) error {
	paths := slice.Map(s.p.Docs, func(x facts.Doc) string { return x.Path })
	e := fault.New(fault.NotFound, "no file is at %s", given)
	list, _ := near(filepath.ToSlash(given), paths, func(p string) string { return p[strings.LastIndexByte(p, '/')+1:] })
	if len(list) == 0 {
		return again(e, "inventory", s.tool, "")
	}
	e.Msg += "; near it: " + strings.Join(list, ", ")
	return e.Or("ask again with one of these, if it is meant")
}

// open reads a file of the tree for showing.
func (s *session) open(path string) (*excerpt.File, error) {
	src, ok := s.v.Text(path)
	if !ok {
		return nil, fault.New(fault.NotFound, "%s cannot be read as text", path).Or("check that it is a file of text")
	}
	if s.server {
		if clean := withoutSecrets(src); clean != nil {
			src = clean
		}
	}
	language := syntax.Language(path, src)
	if d, ok := s.doc(path); ok {
		language = s.p.Docs[d].Language
	}
	return excerpt.Read(path, language, src), nil
}

// showFile adds the text of a place in a file.
func (s *session) showFile(out *Texts, place, path string, l location) error {
	f, err := s.open(path)
	if err != nil {
		return err
	}
	whole := corpus.Range{First: 1, Last: f.Count()}
	switch {
	case f.Count() == 0:
		return fault.New(fault.NotFound, "%s is empty", path).Or("nothing is in it to show")
	case l.line > whole.Last || l.ranges != nil && l.ranges[0].First > whole.Last:
		return fault.New(fault.Usage, "%s has %s", path, text.Count(whole.Last, "line", "lines")).Or("its lines are counted from 1")
	case l.line > 0:
		out.add(s, f, place, l.line)
	case l.ranges == nil:
		out.addRange(s, f, place, whole)
	}
	for _, r := range l.ranges {
		out.addRange(s, f, place, corpus.Range{First: min(r.First, whole.Last), Last: min(r.Last, whole.Last)})
		out.Shown[len(out.Shown)-1].ranged = true
	}
	return nil
}

// besideLine is how many lines before and after one are shown that is in no declaration.
const besideLine = 10

// add adds what is declared around a line, or the lines around it where nothing is.
func (a *Texts) add(s *session, f *excerpt.File, place string, line int) {
	of := f.Around(line)
	if of < 0 {
		r := corpus.Range{First: max(1, line-besideLine), Last: min(f.Count(), line+besideLine)}
		for i := range f.Decls { // up to the declarations before and after it
			d := f.Lines(f.Decls[i].Span)
			if d.Last < line {
				r.First = max(r.First, d.Last+1)
			} else if d.First > line {
				r.Last = min(r.Last, d.First-1)
			}
		}
		a.addRange(s, f, place, r)
		return
	}
	a.addDecl(s, f, place, of)
}

func (a *Texts) addRange(s *session, f *excerpt.File, place string, r corpus.Range) {
	a.Shown = append(a.Shown, Shown{Place: place, File: f.Path, First: r.First, Last: r.Last, file: f, of: -1, ref: facts.Ref{Doc: -1}})
}

// addDecl adds a declaration of a file.
func (a *Texts) addDecl(s *session, f *excerpt.File, place string, of int) {
	d := &f.Decls[of]
	r := f.Lines(d.Span)
	x := Shown{Place: place, Name: d.Qualified(), Kind: d.Kind.String(), File: f.Path, First: r.First, Last: r.Last, file: f, of: of, ref: facts.Ref{Doc: -1}}
	if doc, ok := s.doc(f.Path); ok {
		for i := range s.p.File(doc).Decls { // the index may be of an older text
			if o := &s.p.File(doc).Decls[i]; o.NameAt == d.NameAt && o.Name == d.Name {
				x.ref = facts.Ref{Doc: doc, Decl: int32(i)}
				x.Signature = s.symbol(x.ref).Signature
			}
		}
	}
	a.Shown = append(a.Shown, x)
}

// maxCandidates is how many declarations of one name are shown whole.
const maxCandidates = 8

// showNamed adds the declarations that a name means: those with a body first, tests and generated
// code last, of either the shortest first.
func (s *session) showNamed(out *Texts, place string, refs []facts.Ref) error {
	files := map[string]*excerpt.File{}
	var found Texts
	for _, r := range refs {
		path := s.p.Docs[r.Doc].Path
		if files[path] == nil {
			f, err := s.open(path)
			if err != nil {
				return err
			}
			files[path] = f
		}
		d := s.p.Decl(r)
		i := slices.IndexFunc(files[path].Decls, func(o corpus.Decl) bool { return o.NameAt == d.NameAt && o.Name == d.Name })
		if i < 0 { // it has moved since
			i = slices.IndexFunc(files[path].Decls, func(o corpus.Decl) bool { return o.Qualified() == d.Qualified() })
		}
		if i >= 0 {
			found.addDecl(s, files[path], place, i)
		}
	}
	if len(found.Shown) == 0 {
		return s.unknown("declaration", place)
	}
	sorting.Stable(found.Shown, func(a, b Shown) int {
		if x, y := s.lastToShow(&a), s.lastToShow(&b); x != y {
			return x - y
		}
		return (a.Last - a.First) - (b.Last - b.First)
	})
	for i, x := range found.Shown {
		repeats := i > 0 && x.file.IsBodiless(&x.file.Decls[x.of])
		if i >= maxCandidates || repeats {
			out.Others = append(out.Others, Elsewhere{place, x.Name, x.File, x.First, x.Last})
			continue
		}
		out.Shown = append(out.Shown, x)
	}
	return nil
}

// lastToShow says how late among the candidates of a name one is shown.
func (s *session) lastToShow(x *Shown) (n int) {
	if d, ok := s.doc(x.File); ok && s.p.Docs[d].Flags&(corpus.Test|corpus.Generated|corpus.Vendored|corpus.Example) != 0 {
		n += 2
	}
	if x.file.IsBodiless(&x.file.Decls[x.of]) {
		n++
	}
	return n
}

// showFields adds the types that fields are of, or the lines around a field of a long one.
func (s *session) showFields(out *Texts, place string, fields []facts.Place) error {
	const short = 40 // lines
	for _, p := range fields[:min(len(fields), maxCandidates)] {
		f, err := s.open(s.p.Docs[p.Doc].Path)
		if err != nil {
			return err
		}
		line := f.LineAt(p.At)
		if of := f.Around(line); of >= 0 && f.Lines(f.Decls[of].Span).Last-f.Lines(f.Decls[of].Span).First < short {
			out.addDecl(s, f, place, of)
			continue
		}
		out.addRange(s, f, place, corpus.Range{First: max(1, line-3), Last: min(f.Count(), line+3)})
	}
	return nil
}

// dropRepeated takes out what another place shows already.
func (a *Texts) dropRepeated() {
	var kept []Shown
	for i := range a.Shown {
		x := &a.Shown[i]
		within := func(y *Shown) bool { return y.File == x.File && y.First <= x.First && x.Last <= y.Last }
		same := func(y *Shown) bool { return y.First == x.First && y.Last == x.Last }
		repeated := slices.ContainsFunc(a.Shown[:i], func(y Shown) bool { return within(&y) }) ||
			slices.ContainsFunc(a.Shown[i+1:], func(y Shown) bool { return within(&y) && !same(&y) })
		if !repeated {
			kept = append(kept, *x)
		}
	}
	a.Shown = kept
}

// placesOf reads the places of one argument: one path with spaces in it, or several places.
func (f *Feature) placesOf(pattern string) []string {
	if l, _ := readPlace(pattern); strings.Contains(pattern, " ") {
		if _, err := f.trees.Existing(l.file); err == nil {
			return []string{pattern}
		}
	}
	return strings.Fields(pattern)
}
