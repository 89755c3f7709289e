package claims

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/core/rank"
)

// A Shade says how little documents know of a declaration.
type Shade string

// The shades.
const (
	Orphaned   Shade = "Orphaned"   // no document speaks of anything like it
	Partial    Shade = "Partial"    // documents speak of something like it, or only a comment of it
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
	names := map[string]int{}
	for i := range decls {
		names[decls[i].Name]++
	}
	m := mentioned(a.Tree.Docs)
	type scope struct{ dir, name string }
	shadowed := map[scope]int{} // types that nothing names: their place in out
	var out []Shadow
	// What is around others comes first, so that its members can be counted in it.
	order := make([]int, len(decls))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(depth(&decls[i]), depth(&decls[j])) })
	row := map[string]bool{}
	for _, i := range order {
		d := decls[i]
		if row[d.key()] {
			continue // another clause of it is there
		}
		dir := path.Dir(d.Path)
		if d.Scope != "" {
			if k, ok := shadowed[scope{dir, d.Scope}]; ok && !m.member(&d, names) {
				out[k].Members++
				continue
			}
		}
		s := a.shadow(d, m, names)
		if s.Shade == Orphaned || s.Shade == Partial && d.Scope == "" {
			shadowed[scope{dir, d.Qualified()}] = len(out)
		}
		row[d.key()] = s.Shade == Orphaned || s.Shade == Partial
		out = append(out, s)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b Shadow) int { return byPlace(a.Place, b.Place) })
	return out, nil
}

func depth(d *Declaration) int {
	if d.Scope == "" {
		return 0
	}
	return 1 + strings.Count(d.Scope, ".")
}

func (a *Auditor) declarations(ctx context.Context) ([]Declaration, error) {
	if a.decls != nil {
		return a.decls, nil
	}
	all, err := a.code.Declarations(ctx)
	if err != nil {
		return nil, err
	}
	s, k := surfaceOf(a.Tree), kinshipOf(all)
	a.decls = []Declaration{}
	told := map[string]bool{}
	opened := reopened(all)
	for _, d := range all {
		comment, ok := s.offers(&d)
		if !ok || k.inherits(&d) {
			continue
		}
		if first, ok := opened[d.Qualified()]; ok && d.Language == "ruby" {
			told[first] = told[first] || says(comment, d.Name)
			if first != d.key() {
				continue
			}
		}
		d.Comment = says(comment, d.Name)
		told[d.key()] = told[d.key()] || d.Comment
		a.decls = append(a.decls, d)
	}
	// Clauses and overloads are one to those who use it: what one says is said of all.
	for i := range a.decls {
		a.decls[i].Comment = told[a.decls[i].key()]
	}
	slices.SortStableFunc(a.decls, func(a, b Declaration) int { return cmp.Or(byPlace(a.Place, b.Place), strings.Compare(a.Name, b.Name)) })
	return a.decls, nil
}

// reopened returns of the types of Ruby that several files open the one that stands for
// them: it is in the folder that is nearest to the root.
func reopened(all []Declaration) map[string]string {
	first, several := map[string]*Declaration{}, map[string]string{}
	for i := range all {
		d := &all[i]
		if d.Language != "ruby" || d.Kind != "class" && d.Kind != "module" {
			continue
		}
		q := d.Qualified()
		if was := first[q]; was == nil {
			first[q] = d
		} else if was.Path != d.Path {
			if strings.Count(d.Path, "/") < strings.Count(was.Path, "/") {
				first[q] = d
			}
			several[q] = first[q].key()
		}
	}
	return several
}

// key is what a declaration shares with its clauses and overloads.
func (d *Declaration) key() string { return d.Path + "\x00" + d.Qualified() }

// says reports whether a comment says anything of what it stands at: a word besides its
// name, and no instruction to a tool.
func says(comment, name string) bool {
	for line := range strings.Lines(comment) {
		if directive.MatchString(line) {
			continue
		}
		for _, w := range nameRE.FindAllString(attribute.ReplaceAllString(line, " "), -1) {
			if len(w) > 2 && !strings.EqualFold(w, name) {
				return true
			}
		}
	}
	return false
}

var (
	directive = lazy.Regexp(`(?i)^\W*(?:go:\w|nolint|noqa|eslint|prettier-ignore|@ts-|type:\s*ignore|pylint|pragma|rubocop|swiftlint|clang-format|istanbul|c8 ignore|spell-?checker|todo\b|fixme\b|region\b|endregion\b|@(?:override|overload|staticmethod|classmethod|property|dataclass\w*|spec|impl|dialyzer|typedoc|suppresswarnings|deprecated)\b)`)
	attribute = lazy.Regexp(`^\s*(?:#\[.*\]|\[[A-Z].*\]|@[\w.]+(?:\(.*\))?)\s*$|^\s*template\s*<.*>`)
)

// shadow says what documents know of one declaration.
func (a *Auditor) shadow(d Declaration, m *mentions, names map[string]int) Shadow {
	s := Shadow{Declaration: d, Dependents: []string{}}
	at, named := m.named(&d, names)
	switch {
	case named:
		s.Similarity, s.Doc, s.Shade = 1, &at, Documented
		if p, why := m.differs(&d, names); why != "" {
			s.Similarity, s.Doc, s.Shade, s.Difference = weigh().otherwise, &p, Drifted, why
		}
	default:
		s.Shade = Orphaned
		if at, like := a.likest(partsOf(&d)); at.Path != "" {
			if s.Similarity = like; like >= Faint {
				s.Shade, s.Doc = Partial, &at
			}
		}
		// A comment in the code is documentation too, though not in the documents.
		if d.Comment {
			s.Shade = Partial
		}
	}
	if s.Shade == Orphaned || s.Shade == Partial {
		s.Unread = a.Tree.UnknownDocs()
	}
	s.Risk = s.Shade.Risk()
	if s.Shade != Documented {
		s.Dependents = a.dependents(&d)
		s.Uses = len(s.Dependents)
		s.Dependents = s.Dependents[:min(len(s.Dependents), mostDependents)]
	}
	return s
}

// likest returns the statement of a document that is most like a name, and how much: how
// much of the name it has, and how much of what it says is that. A long paragraph that has
// all the words is less like it than a heading of those words alone.
func (a *Auditor) likest(name []term) (at Place, like float64) {
	for _, h := range a.says.find(name, 50, Faint/2) {
		covered := min(1, h.values[rank.ClaimsHere]/float64(weigh().roles[inString]))
		said := a.says.mass(h.Place)
		if said == 0 {
			continue
		}
		focus := min(1, covered*a.says.weight(name)/said)
		if l := covered * (1 + focus) / 2; l > like {
			at, like = h.Place, l
		}
	}
	return at, like
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
	near := map[string]bool{}
	dir, base := path.Dir(d.Path), path.Base(d.Path)
	stem, _, _ := strings.Cut(base, ".")
	for _, home := range []string{path.Base(dir), stem, d.Scope} {
		for _, p := range a.ev.posts.Of(exact(home)) {
			near[a.ev.files[a.ev.spots[p.Place].file].Path] = true
		}
	}
	out := []string{}
	for _, p := range a.ev.posts.Of(exact(d.Name)) {
		file := a.ev.files[a.ev.spots[p.Place].file].Path
		if file != d.Path && (path.Dir(file) == dir || near[file]) && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out
}

// mentions is the names that documents write, and the signatures they give.
type mentions struct {
	words map[string]Place // as words of any text
	kebab map[string]Place // as words that hyphens join
	code  map[string]Place // written as code
	pairs map[string]bool  // "Scope.Name" as written
	signs map[string][]signed
	under [7]string // the headings above the line that is read, by level
}

var (
	pair    = lazy.Regexp(`[A-Za-z_]\w*(?:(?:\.|::|#|->)[A-Za-z_]\w*)+`)
	callish = lazy.Regexp(`\b([A-Za-z_]\w*)\(`)
	dotted  = lazy.Regexp(`[.:#]([A-Za-z_]\w*)`)
	nameRE  = lazy.Regexp(`[A-Za-z_]\w*`)

	joinedRE = lazy.Regexp(`[a-z]\w*(?:-\w+)+`)
)

func mentioned(docs []Source) *mentions {
	m := &mentions{words: map[string]Place{}, kebab: map[string]Place{}, code: map[string]Place{}, pairs: map[string]bool{}, signs: map[string][]signed{}}
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
			if fence.MatchString(line) {
				fenced = !fenced
				continue
			}
			for _, w := range nameRE.FindAllString(line, -1) {
				put(m.words, w, at)
			}
			for _, w := range joinedRE.FindAllString(line, -1) {
				put(m.kebab, w, at)
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
					}
				}
			}
			for _, c := range code {
				for _, w := range nameRE.FindAllString(c, -1) {
					put(m.code, w, at)
				}
				for _, p := range pair.FindAllString(c, -1) {
					parts := nameRE.FindAllString(p, -1)
					for k := 1; k < len(parts); k++ {
						m.pairs[parts[k-1]+"."+parts[k]] = true
					}
				}
				// What has a body is what a reader writes.
				if block := fenced || !strings.Contains(line, "`"); !titled && !(block && n+1 < len(lines) && bodied(line, lines[n+1])) {
					m.sign(c, at, fenced)
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
	if p, ok := m.property(d); ok {
		return p, true
	}
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

// accessors are the languages whose properties are methods.
var accessors = map[string]bool{"java": true, "kotlin": true, "php": true, "scala": true}

var accessor = lazy.Regexp(`^(?:get|set|is|with)([A-Z])(\w+)$`)

// property returns where a document names the property that an accessor is of: as a field,
// or as settings write it.
func (m *mentions) property(d *Declaration) (Place, bool) {
	part := accessor.FindStringSubmatch(d.Name)
	if part == nil || d.Kind != "method" || !accessors[d.Language] {
		return Place{}, false
	}
	field := strings.ToLower(part[1]) + part[2]
	if !distinct(field) {
		return Place{}, false
	}
	for _, w := range []string{field, strings.Join(subwords(field), "_")} {
		if at, ok := m.words[w]; ok {
			return at, true
		}
	}
	at, ok := m.kebab[strings.Join(subwords(field), "-")]
	return at, ok
}

// member reports whether documents name a member of a type.
func (m *mentions) member(d *Declaration, names map[string]int) bool {
	_, ok := m.code[d.Name]
	if !ok {
		_, ok = m.property(d)
		return ok
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
