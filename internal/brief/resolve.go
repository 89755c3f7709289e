package brief

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/paste"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

const mostNamesakes = 200 // files that declare something of a name; of more it is not looked for

// foreign is what paths of libraries and runtimes have in them: what is called so here is
// another.
var foreign = lazy.Regexp(`(^|/)(site-packages|dist-packages|node_modules|vendor|gems|\.cargo|rustc|go/src|go/pkg/mod|lib/python[\d.]+|lib/ruby|internal/modules)/|^(java|javax|jdk|sun|kotlin|kotlinx|scala|node:\w+)/|^node:`)

// resolve finds where a frame is now: in one of the files that its path may mean, or, where
// none of them has its function any more, in the one that has it now. The frame inside of it
// is what it calls.
func (s *session) resolve(p paste.Place, inner string, files []*file) (*file, target) {
	var best *file
	var to target
	for _, f := range files {
		if t := s.present(f, p, inner); best == nil || to.how == gone && t.how != gone {
			best, to = f, t
		}
	}
	if best != nil && to.how != gone {
		return best, to
	}
	if f, t, ok := s.elsewhere(p, inner, best); ok {
		return f, t
	}
	return best, to
}

// elsewhere finds what a frame names in a file that its path does not mean: the only one
// that declares the function, or of several the only one with the file's name, or with the
// type's. A frame without a function is in the only file of that name.
func (s *session) elsewhere(p paste.Place, inner string, was *file) (*file, target, bool) {
	none := func() (*file, target, bool) { return nil, target{}, false }
	if foreign.MatchString(p.Path) {
		return none()
	}
	if p.Name == "" {
		if doc, ok := s.onlyFile(p.Path); ok && was == nil {
			f := s.at(s.p.Docs[doc].Path)
			t := s.present(f, p, inner)
			if t.how == byLine {
				t.how = carried
			}
			return f, t, true
		}
		return none()
	}
	if n, err := s.v.Snap.CountKeyed(facts.Key(facts.Declared, p.Name)); err != nil || n > mostNamesakes || len(p.Name) < leastName {
		return none()
	}
	refs := slices.DeleteFunc(s.p.Lookup(p.Name), func(r facts.Ref) bool {
		d := &s.p.Docs[r.Doc]
		return !sameLanguage(p.Path, d.Path) || was != nil && r.Doc == was.doc || s.p.Decl(r).Traits&corpus.Local != 0
	})
	base := path.Base(p.Path)
	refs, owned := narrowed(refs, func(r facts.Ref) bool { return p.Owner != "" && s.owner(r) == p.Owner })
	refs, based := narrowed(refs, func(r facts.Ref) bool { return path.Base(s.p.Docs[r.Doc].Path) == base })
	refs, _ = narrowed(refs, func(r facts.Ref) bool { return facts.Function(s.p.Docs[r.Doc].Language, s.p.Decl(r)) })
	switch {
	case len(refs) == 0:
		return none()
	case p.Owner != "" && !owned && !based && s.owner(refs[0]) != "": // a method of another type
		return none()
	case was == nil && p.Owner == "" && !based && (p.Name == "main" || p.Name == "init"): // each program has one
		return none()
	case slices.ContainsFunc(refs, func(r facts.Ref) bool { return r.Doc != refs[0].Doc }):
		return none()
	case was != nil && !owned && !based && !s.kin(was, refs[0], p):
		return none()
	}
	f := s.at(s.p.Docs[refs[0].Doc].Path)
	if f == nil {
		return none()
	}
	t := s.present(f, p, inner)
	switch {
	case t.how == gone:
		return none()
	case t.how == byLine && !based && t.decl >= 0: // the line is one of another file
		t.line = s.line(f, s.p.File(f.doc).Decls[t.decl].NameAt)
	}
	if t.how != byQuote {
		t.how = carried
	}
	return f, t, true
}

// kin reports whether the only function of a name may be what a file had: the file mentions
// it, it is in the same folder, or the name is one that nobody else would choose.
func (s *session) kin(was *file, r facts.Ref, p paste.Place) bool {
	return s.mentions(was, p.Name) || path.Dir(s.p.Docs[r.Doc].Path) == path.Dir(was.path) ||
		len(p.Name) >= longName && p.Owner == "" && s.owner(r) == ""
}

const (
	leastName = 3 // bytes of a name that says where something went
	longName  = 8 // of one that says it alone
)

// narrowed keeps what passes, where anything does.
func narrowed[T any](of []T, pass func(T) bool) ([]T, bool) {
	kept := slices.DeleteFunc(slices.Clone(of), func(x T) bool { return !pass(x) })
	if len(kept) == 0 {
		return of, false
	}
	return kept, true
}

// owner is the innermost name around a declaration.
func (s *session) owner(r facts.Ref) string { return scope(s.p.Decl(r)) }

func scope(d *corpus.Decl) string { return d.Scope[strings.LastIndexByte(d.Scope, '.')+1:] }

// onlyFile returns the only document of a file's name.
func (s *session) onlyFile(name string) (doc int, ok bool) {
	base := path.Base(name)
	for i := range s.p.Docs {
		if d := &s.p.Docs[i]; path.Base(d.Path) == base && syntax.Source(d.Language) {
			if ok {
				return 0, false
			}
			doc, ok = i, true
		}
	}
	return doc, ok
}

func (s *session) mentions(f *file, word string) bool {
	if !s.load(f) {
		return true // nothing is concluded from what cannot be read
	}
	for at := 0; ; {
		n := bytes.Index(f.text[at:], []byte(word))
		if n < 0 {
			return false
		}
		from, to := at+n, at+n+len(word)
		if (from == 0 || !letter(f.text[from-1])) && (to == len(f.text) || !letter(f.text[to])) {
			return true
		}
		at = to
	}
}

func letter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

// How the place of a frame was found.
const (
	byLine  = "line"        // it is where it was
	byQuote = "quoted line" // by the line that the trace quotes
	byCall  = "call"        // in its function, where that calls the next one of the trace
	byDecl  = "declaration" // by its function
	carried = "moved"       // to another file
	byFile  = "file"        // only its file is known
	gone    = "gone"        // its file is there, and has nothing of that name any more
)

// present finds where a place of a file is now: at the line that the trace quotes, in the
// declaration that it names, at the call of what the next frame names, or where it was.
func (s *session) present(f *file, p paste.Place, inner string) target {
	t := target{Place: p, decl: -1, line: p.Line, how: byLine}
	if p.Line == 0 && p.Name == "" {
		t.how = byFile
		return t
	}
	decls := s.p.File(f.doc).Decls
	around, named := s.in(f, p.Line), s.named(f, p)
	if line := s.quoted(f, p, named); line > 0 {
		t.line, t.decl = line, s.in(f, line)
		if line != p.Line {
			t.how = byQuote
		}
		return t
	}
	if len(named) == 0 {
		if t.decl = around; p.Name != "" && p.Sort == paste.Traced && s.gone(f, p.Name) {
			t.decl, t.line, t.how = -1, 0, gone
		}
		return t
	}
	near := func(line func(int32) int) int32 {
		return slices.MinFunc(named, func(a, b int32) int { return cmp.Compare(distance(line(a), p.Line), distance(line(b), p.Line)) })
	}
	calls := s.callsIn(f, named, inner, p.Line)
	if len(calls) > 0 {
		named = slices.DeleteFunc(named, func(i int32) bool { return calls[i] == 0 })
		at := near(func(i int32) int { return calls[i] })
		if t.decl, t.line = at, calls[at]; t.line != p.Line {
			t.how = byCall
		}
		if k := s.in(f, t.line); k >= 0 {
			t.decl = k
		}
		return t
	}
	for k := around; k >= 0; k = decls[k].Parent {
		if slices.Contains(named, k) { // it is where it was
			t.decl = around
			return t
		}
	}
	first := func(i int32) int { return s.line(f, decls[i].NameAt) }
	t.decl = near(first)
	t.line, t.how = first(t.decl), byDecl
	return t
}

// in returns the innermost declaration around a line; in a comment nothing runs.
func (s *session) in(f *file, line int) int32 {
	at, ok := s.offset(f, line)
	if !ok {
		return -1
	}
	k := s.innermost(f.doc, at)
	if k >= 0 && s.line(f, s.p.File(f.doc).Decls[k].NameAt) > line {
		return s.p.File(f.doc).Decls[k].Parent
	}
	return k
}

// named returns the declarations of a file that a frame may name: those of its type where
// there are any, and of a type what constructs it.
func (s *session) named(f *file, p paste.Place) (out []int32) {
	if p.Name == "" {
		return nil
	}
	decls := s.p.File(f.doc).Decls
	for i := range decls {
		d := &decls[i]
		made := d.Traits&corpus.Constructor != 0 && p.Owner == p.Name && scope(d) == p.Owner
		if (strings.TrimPrefix(d.Name, "#") == p.Name || made) && d.Kind != corpus.Section {
			out = append(out, int32(i))
		}
	}
	out, ok := narrowed(out, func(i int32) bool { return scope(&decls[i]) == p.Owner })
	if !ok && p.Owner != "" && p.Owner != p.Name && s.lacks(f, p) {
		return nil
	}
	language := s.p.Docs[f.doc].Language
	out, _ = narrowed(out, func(i int32) bool { return facts.Function(language, &decls[i]) })
	return out
}

// gone reports whether a file that does not declare a function has it no more. In languages
// that give names to functions in other ways, a word that is neither missing nor called there
// may still be one.
func (s *session) gone(f *file, name string) bool {
	language := s.p.Docs[f.doc].Language
	return language == "python" || slices.Contains(exact, language) || s.uses(f, name) || !s.mentions(f, name)
}

// exact are the languages whose traces name the type in which a function is declared, not
// that of the object for which it was called.
var exact = []string{"java", "go", "rust", "csharp", "php"}

// lacks reports whether a file has the type that a frame names, and that has no function of
// the frame's name.
func (s *session) lacks(f *file, p paste.Place) bool {
	if p.Owner == "" || !slices.Contains(exact, s.p.Docs[f.doc].Language) {
		return false
	}
	has := false
	decls := s.p.File(f.doc).Decls
	for i := range decls {
		has = has || decls[i].Name == p.Owner || scope(&decls[i]) == p.Owner
		if decls[i].Name == p.Name && scope(&decls[i]) == p.Owner {
			return false
		}
	}
	return has
}

// uses reports whether a file calls something of a name.
func (s *session) uses(f *file, name string) bool {
	return slices.ContainsFunc(s.p.File(f.doc).Calls, func(c corpus.Call) bool { return c.Callee == name })
}

// callsIn returns, of each declaration that calls something of a name, the line of the call
// that is the nearest to another line.
func (s *session) callsIn(f *file, of []int32, name string, line int) map[int32]int {
	if name == "" {
		return nil
	}
	out := map[int32]int{}
	file := s.p.File(f.doc)
	for i := range file.Calls {
		c := &file.Calls[i]
		if c.Callee != name {
			continue
		}
		for in := c.In; in >= 0; in = file.Decls[in].Parent {
			if !slices.Contains(of, in) {
				continue
			}
			if at := s.line(f, c.At); out[in] == 0 || distance(at, line) < distance(out[in], line) {
				out[in] = at
			}
			break
		}
	}
	return out
}

// inside returns the name of what a frame calls: of the next one nearer to what failed.
func inside(places []paste.Place, i int) string {
	for _, k := range []int{i - 1, i + 1} {
		if k >= 0 && k < len(places) && places[k].Sort == paste.Traced && places[k].Deep == places[i].Deep-1 {
			return places[k].Name
		}
	}
	return ""
}

// meant notes in which files, lines and declarations the places of the task are now.
func (s *session) meant(meant []engine.Meant) {
	files := map[paste.Place][]*file{}
	for _, m := range meant {
		if f := s.at(m.File); f != nil {
			files[m.Place] = append(files[m.Place], f)
		}
	}
	for i, p := range s.plan.Places {
		var fr *Frame
		if p.Sort == paste.Traced && len(s.out.Frames) < mostFrames {
			s.out.Frames = append(s.out.Frames, Frame{Was: was(p), How: outside})
			fr = &s.out.Frames[len(s.out.Frames)-1]
		}
		if p.Sort != paste.Traced {
			for _, f := range files[p] {
				f.note(s.present(f, p, ""))
			}
			continue
		}
		f, t := s.resolve(p, inside(s.plan.Places, i), files[p])
		if f == nil {
			continue
		}
		f.note(t)
		if fr != nil {
			s.frame(fr, f, t)
		}
	}
}

func (f *file) note(t target) {
	if !slices.Contains(f.where, t) {
		f.where = append(f.where, t)
	}
}

const outside = "outside" // a frame of no file of the project

// frame says of a frame where it is now.
func (s *session) frame(fr *Frame, f *file, t target) {
	fr.File, fr.Line, fr.How = f.path, t.line, t.how
	if t.decl >= 0 {
		fr.Name = s.p.File(f.doc).Decls[t.decl].Qualified()
	}
	if t.line > 0 && s.load(f) {
		fr.Text = strings.TrimSpace(f.lineText(t.line))
	}
}
