package claims

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/rank"
)

// A Shade says how little documents know of a declaration.
type Shade string

// The shades.
const (
	Orphaned   Shade = "Orphaned"   // no document speaks of anything like it
	Partial    Shade = "Partial"    // documents speak of something like it, only a comment does, or it is not sure to be for others without a comment
	Drifted    Shade = "Drifted"    // a document names it and has it otherwise
	Documented Shade = "Documented" // a document names it
)

// Faint is the similarity below which a declaration is Orphaned that no comment in the
// code documents either. Only what a document names is more than Partial, however alike.
const Faint = 0.3

// Risk returns how much a shade matters.
func (s Shade) Risk() string {
	switch s {
	case Orphaned:
		return "HIGH"
	case Drifted:
		return "MEDIUM"
	case Partial:
		return "LOW"
	}
	return ""
}

// A Shadow is a declaration and what documents know of it.
type Shadow struct {
	Declaration
	Shade      Shade    `json:"class"`
	Risk       string   `json:"risk,omitempty"`
	Similarity float64  `json:"similarity"`
	Doc        *Place   `json:"doc,omitempty"`        // where a document is nearest to it
	Difference string   `json:"difference,omitempty"` // what the document has otherwise
	Dependents []string `json:"dependents"`           // files that name it, at most 20
	Uses       int      `json:"uses"`                 // all of those files
	Doubt      string   `json:"doubt,omitempty"`      // of what nothing describes: why it may be no orphan, and is Partial
	// Unread is how many documents could not be read, where no other names it: one of
	// them may.
	Unread int `json:"unread_documents,omitempty"`
}

const mostDependents = 20

// Shadows returns every exported declaration with what documents know of it, by
// place. Members of a type that no document knows are counted in it.
func (a *Auditor) Shadows(ctx context.Context) ([]Shadow, error) {
	decls, err := a.declarations(ctx)
	if err != nil {
		return nil, err
	}
	names, times := map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for i := range decls {
		d := &decls[i]
		times[d.Name]++
		// The parts of a class, and its constructors, are one thing of that name.
		q := strings.TrimSuffix(d.Qualified(), "."+d.Name)
		if q != d.Name && !strings.HasSuffix(q, "."+d.Name) {
			q = d.Qualified()
		}
		if !seen[q] {
			seen[q] = true
			names[d.Name]++
		}
	}
	m := mentioned(a.Tree.Docs)
	m.overloads, m.times = map[string][]*Declaration{}, times
	for i := range decls {
		if d := &decls[i]; times[d.Name] > 1 {
			m.overloads[d.Qualified()] = append(m.overloads[d.Qualified()], d)
		}
	}
	type scope struct{ dir, name string }
	shadowed := map[scope]int{} // types that nothing names: their place in out
	again := map[string]int{}   // undocumented ones, by name and file: overloads and clauses are one
	var out []Shadow
	// What is around others comes first, so that its members can be counted in it.
	order := make([]int, len(decls))
	for i := range order {
		order[i] = i
	}
	sorting.Stable(order, func(i, j int) int { return cmp.Compare(depth(&decls[i]), depth(&decls[j])) })
	for _, i := range order {
		d := decls[i]
		dir := path.Dir(d.Path)
		if d.Scope != "" {
			if k, ok := shadowed[scope{dir, d.Scope}]; ok && !m.member(&d, names) {
				out[k].Members++
				continue
			}
		}
		s := a.shadow(d, m, names)
		if s.Shade == Orphaned || s.Shade == Partial {
			one := d.Path + "\x00" + d.Qualified()
			if manyfold(&d) {
				one = d.Qualified()
			}
			if k, ok := again[one]; ok {
				if s.Shade == Partial && (out[k].Shade == Orphaned || out[k].Doubt != "") {
					at := out[k].Place
					out[k] = s
					out[k].Place = at
				}
				continue
			}
			again[one] = len(out)
		}
		if s.Shade == Orphaned || s.Doubt != "" || s.Shade == Partial && d.Scope == "" {
			shadowed[scope{dir, d.Qualified()}] = len(out)
		}
		out = append(out, s)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	sorting.Stable(out, func(a, b Shadow) int { return byPlace(a.Place, b.Place) })
	return out, nil
}

func depth(d *Declaration) int {
	if d.Scope == "" {
		return 0
	}
	return 1 + strings.Count(d.Scope, ".")
}

func (a *Auditor) declarations(ctx context.Context) ([]Declaration, error) {
	if a.decls == nil {
		all, err := a.code.Declarations(ctx)
		if err != nil {
			return nil, err
		}
		s := surfaceOf(a.Tree)
		a.decls = []Declaration{}
		// What is around others comes first: what is in a type that stays inside stays there too.
		sorting.Stable(all, func(a, b Declaration) int { return cmp.Compare(depth(&a), depth(&b)) })
		type in struct{ file, name string }
		kept := map[in]bool{}
		told := map[string]bool{} // of the types that are declared in several files: those that a comment documents
		for _, d := range all {
			comment, ok := s.offers(&d)
			if manyfold(&d) {
				told[d.Qualified()] = told[d.Qualified()] || comment
			}
			if !ok || d.Scope != "" && kept[in{d.Path, d.Scope}] {
				kept[in{d.Path, d.Qualified()}] = true
				continue
			}
			d.Comment = comment
			a.decls = append(a.decls, d)
		}
		for i := range a.decls {
			if d := &a.decls[i]; manyfold(d) {
				d.Comment = told[d.Qualified()]
			}
		}
		s.stubs(all, a.decls)
		a.decls = contracts(s.repeated(all, a.decls))
		for i := range a.decls {
			if d := &a.decls[i]; !d.Comment {
				d.doubt = s.doubt(d)
			}
		}
		sorting.Stable(a.decls, func(a, b Declaration) int { return cmp.Or(byPlace(a.Place, b.Place), strings.Compare(a.Name, b.Name)) })
	}
	return a.decls, nil
}

// shadow says what documents know of one declaration.
func (a *Auditor) shadow(d Declaration, m *mentions, names map[string]int) Shadow {
	s := Shadow{Declaration: d, Dependents: []string{}}
	at, named := m.named(&d, names)
	switch {
	case named:
		s.Similarity, s.Doc, s.Shade = 1, &at, Documented
		if p, why := m.differs(&d); why != "" {
			s.Similarity, s.Doc, s.Shade, s.Difference = weigh().otherwise, &p, Drifted, why
		}
	default:
		s.Shade = Orphaned
		if hits := a.says().find(partsOf(&d), 50, Faint/2); len(hits) > 0 {
			here := func(m *Match) float64 { return m.values[rank.ClaimsHere] }
			best := slices.MaxFunc(hits, func(a, b Match) int { return cmp.Compare(here(&a), here(&b)) })
			if s.Similarity = here(&best); s.Similarity >= Faint {
				s.Shade, s.Doc = Partial, &best.Place
			}
		}
		if at, ok := a.Tree.noted[strings.TrimRight(d.Name, "?!=")]; ok && s.Shade == Orphaned {
			s.Shade, s.Doc = Partial, &at
		}
		// A comment in the code is documentation too, though not in the documents.
		if d.Comment {
			s.Shade = Partial
		}
		if s.Shade == Orphaned {
			if s.Doubt = d.doubt; s.Doubt == "" {
				if _, ok := m.code[d.Name]; ok {
					s.Doubt = "a document has its name, though of something else as far as is known"
				}
			}
			if s.Doubt != "" {
				s.Shade = Partial
			}
		}
	}
	if s.Shade == Orphaned || s.Shade == Partial {
		s.Unread = len(a.Tree.UnreadDocs) + a.Tree.shut
	}
	s.Risk = s.Shade.Risk()
	if s.Shade != Documented {
		s.Dependents = a.dependents(&d)
		s.Uses = len(s.Dependents)
		s.Dependents = s.Dependents[:min(len(s.Dependents), mostDependents)]
	}
	return s
}

// partsOf returns the words that a name is made of.
func partsOf(d *Declaration) []term {
	var out []term
	add := func(name string, weight float64) {
		terms := text.Code().Terms(nil, []byte(name))
		if len(terms) > 1 {
			terms = terms[1:]
		}
		for _, t := range terms {
			if w := fold(t); len(w) > 1 {
				out = append(out, term{weight, []alt{{w, 1}}})
			}
		}
	}
	add(d.Name, 1)
	if d.Scope != "" {
		add(d.Scope[strings.LastIndexByte(d.Scope, '.')+1:], weigh().scope)
	}
	return out
}

// dependents returns the files that use a declaration, as far as its name tells:
// those beside it, and those that also name where it is.
func (a *Auditor) dependents(d *Declaration) []string {
	dir, base := path.Dir(d.Path), path.Base(d.Path)
	stem, _, _ := strings.Cut(base, ".")
	homes := [...][]int32{a.writers(path.Base(dir)), a.writers(stem), a.writers(d.Scope)}
	out := []string{}
	for _, f := range a.writers(d.Name) {
		file := a.ev().files[f].Path
		near := func(home []int32) bool { _, ok := slices.BinarySearch(home, f); return ok }
		if file != d.Path && (path.Dir(file) == dir || slices.ContainsFunc(homes[:], near)) {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out
}

// writers returns the files of code that write a name, in order. Many declarations are in one folder, and in a repository of
// many packages most folders are called alike: its list is gone through once.
func (a *Auditor) writers(name string) []int32 {
	got, ok := a.writing[name]
	if !ok {
		for _, p := range a.ev().posts.Of(exact(name)) {
			if f := a.ev().spots[p.Place()].file; len(got) == 0 || got[len(got)-1] != f {
				got = append(got, f)
			}
		}
		if a.writing == nil {
			a.writing = map[string][]int32{}
		}
		a.writing[name] = got
	}
	return got
}

// mentions is the names that documents write, and the signatures they give.
type mentions struct {
	words map[string]Place // as words of any text
	code  map[string]Place // written as code
	pairs map[string]bool  // "Scope.Name" as written
	signs map[string][]signed
	// overloads are the declarations that share a full name.
	overloads map[string][]*Declaration
	under     [7]string      // the headings above the line that is read, by level
	times     map[string]int // how often the code declares a name, overloads and parts included
}

var (
	pair    = lazy.Regexp(`[A-Za-z_]\w*(?:(?:\.|::|#|->)[A-Za-z_]\w*)+[?!]?`)
	callish = lazy.Regexp(`\b([A-Za-z_]\w*[?!]?)\(`)
	dotted  = lazy.Regexp(`[.:#]([A-Za-z_]\w*[?!]?)`)
	nameRE  = lazy.Regexp(`[A-Za-z_]\w*`)
)

// namesIn returns the names that a text has. One of Ruby may end with a sign, which elsewhere is none of it.
func namesIn(text string) (out []string) {
	for _, at := range nameRE.FindAllStringIndex(text, -1) {
		out = append(out, text[at[0]:at[1]])
		if at[1] < len(text) && (text[at[1]] == '?' || text[at[1]] == '!') {
			out = append(out, text[at[0]:at[1]+1])
		}
	}
	return out
}

func mentioned(docs []Source) *mentions {
	m := &mentions{words: map[string]Place{}, code: map[string]Place{}, pairs: map[string]bool{}, signs: map[string][]signed{}}
	put := func(in map[string]Place, name string, at Place) {
		if _, ok := in[name]; !ok {
			in[name] = at
		}
	}
	for i := range docs {
		fenced := false
		m.under = [7]string{}
		lines := strings.Split(string(docs[i].Text), "\n")
		for n, line := range lines {
			at := Place{docs[i].Path, n + 1}
			if isFence(line) {
				fenced = !fenced
				continue
			}
			for _, w := range namesIn(line) {
				put(m.words, w, at)
			}
			titled := !fenced && strings.HasPrefix(line, "#") && m.heading(line, at)
			var code []string
			if fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
				code = []string{line}
			} else {
				for _, s := range spans.FindAllStringSubmatch(strings.ReplaceAll(line, "``", "`"), -1) {
					code = append(code, s[1])
				}
				for _, re := range []*lazy.Pattern{callish, dotted} {
					for _, s := range re.FindAllStringSubmatch(line, -1) {
						put(m.code, s[1], at)
						put(m.code, strings.TrimRight(s[1], "?!"), at)
					}
				}
			}
			for _, c := range code {
				for _, w := range namesIn(c) {
					put(m.code, w, at)
				}
				for _, p := range pair.FindAllString(c, -1) {
					parts := nameRE.FindAllString(p, -1)
					for k := 1; k < len(parts); k++ {
						m.pairs[parts[k-1]+"."+parts[k]] = true
					}
					if last := p[len(p)-1]; last == '?' || last == '!' {
						m.pairs[parts[len(parts)-2]+"."+parts[len(parts)-1]+string(last)] = true
					}
				}
				// What has a body is what a reader writes.
				if block := fenced || !strings.Contains(line, "`"); !titled && !(block && n+1 < len(lines) && bodied(line, lines[n+1])) {
					m.signed(c, at, fenced, false)
				}
			}
		}
	}
	return m
}

// distinct reports whether a name is no word of a language that people speak.
func distinct(name string) bool {
	for i, r := range name {
		if r == '_' || r >= '0' && r <= '9' || i > 0 && r >= 'A' && r <= 'Z' {
			return true
		}
	}
	return false
}

// named returns where a document names a declaration.
func (m *mentions) named(d *Declaration, names map[string]int) (Place, bool) {
	at, ok := m.code[d.Name]
	if !ok && distinct(d.Name) {
		at, ok = m.words[d.Name]
	}
	if !ok {
		return at, false
	}
	// A member that shares its name with others is meant where its type is named.
	if d.Scope != "" && names[d.Name] > 1 {
		return at, m.member(d, names)
	}
	return at, true
}

// member reports whether documents name a member of a type.
func (m *mentions) member(d *Declaration, names map[string]int) bool {
	_, ok := m.code[d.Name]
	if !ok {
		return false
	}
	if names[d.Name] == 1 {
		return true
	}
	owner := d.Scope[strings.LastIndexByte(d.Scope, '.')+1:]
	if m.pairs[owner+"."+d.Name] {
		return true
	}
	_, ok = m.code[owner]
	return ok
}
