package graph

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"

	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A RefsInput asks where something is used.
type RefsInput struct {
	Symbol string   `json:"symbol" arg:"1" help:"a function, a type, a field, a constant or a variable: Name, Scope.Name or path/to/file:Name"`
	Kinds  []string `json:"kind,omitempty" flag:"kind" help:"only these uses: read, write, call, pass, type, implement, embed, import; repeat or separate with commas"`
	Least  string   `json:"min_confidence,omitempty" flag:"min-confidence" enum:"exact|likely|name-only" default:"likely" help:"how sure a use must be: exact, likely (default) or name-only"`
	Build
	Filter
}

func refsFilter(in *RefsInput) *Filter { return &in.Filter }

// A Reference is a place where something is used.
type Reference struct {
	File       string `json:"file"`
	Line       int    `json:"line"`
	Column     int    `json:"column"`   // bytes, from 1
	Function   string `json:"function"` // the declaration around it
	Kind       string `json:"kind"`
	Confidence string `json:"confidence"`
	Of         string `json:"of,omitempty"` // what is used, where several things were asked about

	at int
}

// Refs is where something is used, in order of files and lines.
type Refs struct {
	Symbol      string         `json:"symbol"`
	Definitions []Definition   `json:"definitions"`
	References  []Reference    `json:"references"`
	Kinds       map[string]int `json:"kinds"` // how many of each
	NameOnly    int            `json:"name_only"`
	Summary     Summary        `json:"summary"`
	Page        *Page          `json:"pagination,omitempty"`
	known
}

// useKinds are what --kind may name.
var useKinds = []string{string(facts.UseRead), string(facts.UseWrite), string(facts.UseCall), string(facts.UsePass), string(facts.UseType), string(facts.UseImplement), string(facts.UseEmbed), string(facts.UseImport)}

// Refs says where a declaration or a field is used, and how.
func (f *Feature) Refs(ctx context.Context, in RefsInput) (*Refs, error) {
	in, r, err := resume("refs", in, refsFilter)
	if err != nil {
		return nil, err
	}
	kinds, err := words("--kind", in.Kinds, useKinds)
	if err != nil {
		return nil, err
	}
	out := &Refs{Symbol: in.Symbol, References: []Reference{}, Kinds: map[string]int{}}
	err = f.ask(ctx, r, in.Filter, "", &out.known, &out.Summary.NotCovered, func(s *session) error {
		if err := in.Build.set(s); err != nil {
			return err
		}
		of := s.p.Targets(in.Symbol)
		if len(of) == 0 {
			return s.unknown("declaration", in.Symbol)
		}
		s.narrowed = len(kinds) > 0
		out.Definitions = s.declaredAt(of)
		all, tally := s.p.Uses(of, s.going)
		known := 0
		for _, u := range all {
			if u.Sure >= degree(in.Least) {
				known++
			}
		}
		all = slices.DeleteFunc(all, func(u facts.Use) bool { return !s.filter.doc(&s.p.Docs[u.From.Doc]) })
		all = slices.DeleteFunc(all, func(u facts.Use) bool { return len(kinds) > 0 && !kinds[string(u.Kind)] })
		out.Summary = summary(tally)
		if out.Summary.NotCovered, err = s.notCovered(s.filtered(), everything, syntax.Everything); err != nil {
			return err
		}
		kept := slices.DeleteFunc(slices.Clone(all), func(u facts.Use) bool {
			if u.Sure == facts.NameOnly {
				out.NameOnly++
			}
			return u.Sure < degree(in.Least)
		})
		for _, u := range kept {
			out.Kinds[string(u.Kind)]++
		}
		from, to, p, err := paged(s, len(kept), in, refsFilter)
		if err != nil {
			return err
		}
		out.Page = p
		for _, u := range kept[from:to] {
			x := Reference{File: s.p.Docs[u.From.Doc].Path, Function: s.name(u.From), Kind: string(u.Kind), Confidence: u.Sure.String(), at: u.At}
			if len(of) > 1 {
				x.Of = s.p.Docs[u.To.Doc].Path + ":" + s.placeName(u.To)
			}
			out.References = append(out.References, x)
		}
		lines(s, out.References, func(x *Reference) (string, int, *int) { return x.File, x.at, &x.Line })
		s.columns(out.References)
		s.remarksOnUses(in, out, of, kept, known)
		return nil
	})
	return out, err
}

// columns sets the columns of uses, which are in order of files.
func (s *session) columns(of []Reference) {
	var text []byte
	for i := range of {
		x := &of[i]
		if i == 0 || of[i-1].File != x.File {
			text, _ = s.v.Text(x.File)
		}
		if x.at <= len(text) {
			x.Column = x.at - bytes.LastIndexByte(text[:x.at], '\n')
		}
	}
}

// remarksOnUses says what an answer about uses lacks.
func (s *session) remarksOnUses(in RefsInput, out *Refs, of []facts.Place, kept []facts.Use, known int) {
	if n := out.NameOnly; n > 0 && degree(in.Least) > facts.NameOnly {
		s.note("%s more may mean it: what they are members of is not known; --min-confidence name-only lists them", count(n, "mention"))
	}
	n := 0
	for _, u := range kept {
		if u.How == facts.Variant {
			n++
		}
	}
	if n > 0 {
		s.note("%s not in the build for %s, but in others: likely at most; --goos, --goarch and --tags choose the build", count(n, "use"), s.p.Build())
	}
	if len(kept) == 0 && !s.passed(known, "use", "uses") {
		s.none("no use of it is known%s", s.text(pattern(of[0].Name)))
	}
}

// placeName is the qualified name of what is declared at a place.
func (s *session) placeName(t facts.Place) string {
	if t.Decl >= 0 {
		return s.name(t.Ref)
	}
	if in := s.p.Class(t.Doc, t.At); in >= 0 {
		return s.name(facts.Ref{Doc: t.Doc, Decl: in}) + "." + t.Name
	}
	return t.Name
}

// declaredAt says where the things are declared that a question is about.
func (s *session) declaredAt(of []facts.Place) (out []Definition) {
	for _, t := range of {
		out = append(out, Definition{Name: s.placeName(t), File: s.p.Docs[t.Doc].Path, at: t.At})
	}
	s.severalOf(&out)
	lines(s, out, func(d *Definition) (string, int, *int) { return d.File, d.at, &d.Line })
	return out
}

// WriteText writes the uses as a table.
func (a *Refs) WriteText(w io.Writer, _ bool) error {
	var t table
	for _, d := range a.Definitions {
		t.line("%s  %s:%d", d.Name, d.File, d.Line)
	}
	if len(a.References) > 0 {
		t.row("USE", "IN", "KIND", "CONFIDENCE", "OF")
		for _, x := range a.References {
			t.row(x.File+":"+itoa(x.Line)+":"+itoa(x.Column), x.Function, x.Kind, x.Confidence, x.Of)
		}
		t.flush()
	}
	if len(a.Kinds) > 0 {
		line, total := "", 0
		for _, k := range slices.Sorted(maps.Keys(a.Kinds)) {
			line += ", " + itoa(a.Kinds[k]) + " " + k
			total += a.Kinds[k]
		}
		t.line("# %s: %s", count(total, "use"), line[2:])
	}
	a.sums(&t, "# looked at %s of the name: %d resolved, %d ambiguous, %d unresolved (%d external)", count(a.Summary.Total, "mention"), a.Summary.Resolved,
		a.Summary.Ambiguous, a.Summary.Unresolved, a.Summary.External)
	t.notes(a.Summary.NotCovered, a.Notes, a.Page, len(a.References))
	return t.write(w)
}
