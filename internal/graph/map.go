package graph

import (
	"cmp"
	"context"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A MapInput asks for the signatures that matter most.
type MapInput struct {
	Focus     []string `json:"focus,omitempty" flag:"focus" help:"what the map is for: a file, a symbol or the words of a task; repeat for more"`
	Tokens    int      `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" default:"1000" help:"size of the map in tokens (default 1000)"`
	Paths     []string `json:"paths,omitempty" flag:"path" help:"only files below PATH or that match the glob; repeat for more"`
	Languages []string `json:"lang,omitempty" flag:"lang" help:"only these languages"`
	Root      string   `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the working directory)"`
	IndexDir  string   `json:"index_dir,omitempty" flag:"index-dir" out:"folder" help:"folder of the index (default: ROOT/.assay/index)"`
	NoRefresh bool     `json:"no_refresh,omitempty" flag:"no-refresh" help:"answer from the index as it is"`
	SVG       bool     `json:"svg,omitempty" flag:"svg" help:"draw it with its imports as an SVG image, for light and dark themes"`
	workspace.Trees

	tool bool
}

// Across says which repositories are asked. They share the tokens.
func (in *MapInput) Across() workspace.Across {
	in.Tokens = cmp.Or(in.Tokens, usualMap)
	return workspace.Across{Trees: &in.Trees, Root: &in.Root, Limit: &in.Tokens, Least: 50}
}

// usualMap is the size of a map in tokens where a call does not say.
const usualMap = 1000

// A MappedFile is a file of a map with its declarations, in their order.
type MappedFile struct {
	File    string         `json:"file"`
	Symbols []MappedSymbol `json:"symbols"`
}

// A MappedSymbol is one line of a map.
type MappedSymbol struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`
	Line      int     `json:"line"`
	Signature string  `json:"signature"`
	Rank      float64 `json:"rank"` // its share of the walks along calls and imports, in millionths

	at int
}

// A Map is the declarations of a project that matter most, within a size.
type Map struct {
	Focus   []string     `json:"focus,omitempty"`
	Files   []MappedFile `json:"files"`
	Tokens  int          `json:"tokens"`
	Budget  int          `json:"budget"`
	Shown   int          `json:"shown"`
	Total   int          `json:"total_available"`
	Summary Summary      `json:"summary"`
	known

	picture *render.Graph
}

// Drawing reports whether the map is a picture.
func (m *Map) Drawing() bool { return m.picture != nil }

// Verbatim reports whether the answer is data for another program.
func (m *Map) Verbatim(bool) bool { return m.picture != nil }

// Map ranks declarations by PageRank over calls and imports, from everywhere or from
// what the focus names, and shows as many as fit, the files of the first ones first.
func (f *Feature) Map(ctx context.Context, in MapInput) (*Map, error) {
	in.Tokens = cmp.Or(in.Tokens, usualMap)
	out := &Map{Focus: in.Focus, Files: []MappedFile{}, Budget: in.Tokens}
	only := Filter{Paths: in.Paths, Languages: in.Languages, Root: in.Root, IndexDir: in.IndexDir, NoRefresh: in.NoRefresh,
		Trees: in.Trees, tool: in.tool}
	err := f.ask(ctx, resumed{op: "map"}, only, "", &out.known, &out.Summary.NotCovered, func(s *session) error {
		docs := s.filtered()
		w := s.newWeb(docs)
		jumps, missed := w.jumps(in.Focus)
		if len(missed) > 0 && len(missed) == len(in.Focus) {
			return again(fault.New(fault.NotFound, "no file, symbol or word of a name is %s; looked at %s", strings.Join(quotedAll(missed), " or "), count(len(docs), "source file")), "inventory", s.tool, "")
		}
		for _, m := range missed {
			s.note("no file, symbol or word of a name is %q: it is left out of the focus", m)
		}
		if !w.whole {
			s.note("more than %d calls: the rank is by imports alone; --path makes it one of a part", mostLinked)
		}
		var err error
		if out.Summary.NotCovered, err = s.notCovered(docs, everything, syntax.Declarations); err != nil {
			return err
		}
		s.lay(out, w, jumps)
		if s.draws(Picture{SVG: in.SVG}) {
			out.picture = s.picture(out)
		}
		if out.Total == 0 {
			s.none("no declarations; %s", s.nothing())
		}
		return nil
	})
	return out, err
}

func quotedAll(words []string) (out []string) {
	return slice.Map(words, strconv.Quote)
}

// lay fills a map with the first declarations by rank, as many as its budget has room for.
func (s *session) lay(out *Map, w *web, jumps []float64) {
	order, ranked := w.rank(jumps)
	out.Total = len(order)
	ranked = ranked[:min(len(order), out.Budget)] // none is shorter than a token
	symbols := make([]MappedSymbol, 0, len(ranked))
	for _, x := range ranked {
		r := w.nodes[order[x.At]]
		d := s.p.Decl(r)
		symbols = append(symbols, MappedSymbol{d.Qualified(), d.Kind.String(), 0, s.outline(r), math.Round(x.Value*100) / 100, d.NameAt})
	}
	files := func(n int) (list []MappedFile) {
		at := map[int]int{}
		for k := range n {
			doc := w.nodes[order[ranked[k].At]].Doc
			i, ok := at[doc]
			if !ok {
				i = len(list)
				at[doc] = i
				list = append(list, MappedFile{File: s.p.Docs[doc].Path})
			}
			list[i].Symbols = append(list[i].Symbols, symbols[k])
		}
		for i := range list {
			sorting.Stable(list[i].Symbols, func(a, b MappedSymbol) int { return a.at - b.at })
		}
		return list
	}
	// A line number is at most six digits: the size is found before lines are read.
	size := func(n int) int { return text.Tokens(len(draft(files(n), 99999))) }
	out.Shown = sort.Search(len(symbols), func(n int) bool { return size(n+1) > out.Budget })
	out.Files = append(out.Files, files(out.Shown)...)
	for i := range out.Files {
		file := out.Files[i].File
		lines(s, out.Files[i].Symbols, func(x *MappedSymbol) (string, int, *int) { return file, x.at, &x.Line })
	}
	out.Tokens = text.Tokens(len(draft(out.Files, 0)))
}

// extensions is the word that a language has for what adds to a type declared elsewhere.
var extensions = map[string]string{"rust": "impl", "swift": "extension", "haskell": "instance"}

// outline is a declaration as one line.
func (s *session) outline(r facts.Ref) string {
	const most = 160
	d := s.p.Decl(r)
	line := d.Kind.String() + " " + d.Qualified()
	switch d.Kind {
	case corpus.Function, corpus.Method, corpus.Macro, corpus.TestCase:
		f := s.function(r)
		line = f.signature()
	default:
		if word := extensions[s.p.Docs[r.Doc].Language]; word != "" && s.p.Extends(r) {
			line = word + " " + d.Qualified()
		}
		if len(d.Bases) > 0 {
			line += "(" + strings.Join(d.Bases, ", ") + ")"
		}
	}
	return text.Short(text.Line(line), most)
}

// draft writes the files of a map. Where lines are not known yet, each is as long as n.
func draft(files []MappedFile, n int) string {
	var b strings.Builder
	for _, f := range files {
		b.WriteString(f.File + "\n")
		for _, x := range f.Symbols {
			b.WriteString("  " + itoa(max(x.Line, n)) + "  " + x.Signature + "\n")
		}
	}
	return b.String()
}

func (m *Map) WriteText(w io.Writer, _ bool) error {
	if m.picture != nil {
		return fault.Only(io.WriteString(w, m.picture.SVG()))
	}
	var t table
	t.b.WriteString(draft(m.Files, 0))
	m.sums(&t, "%d of %s, %d of %d tokens", m.Shown, count(m.Total, "declaration"), m.Tokens, m.Budget)
	t.notes(m.Summary.NotCovered, m.Notes, nil, m.Shown)
	return t.write(w)
}
