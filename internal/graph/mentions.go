package graph

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/engine"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/regex"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Mention is a line that has the name that was asked about, and of which it is not known whether it means it.
type Mention struct {
	File   string          `json:"file"`
	Line   int             `json:"line"`
	Column int             `json:"column"` // bytes, from 1
	Kind   syntax.TextKind `json:"kind"`
	In     string          `json:"function,omitempty"` // the declaration around it, of code
	Text   string          `json:"text"`               // before a line that goes on with a chain, the line where that begins; "" of many in one file that are no code
	Of     string          `json:"of,omitempty"`       // its meaning, if that runs in place of the declaration

	Over string `json:"overrides,omitempty"` // the member of a base that Of overrides, as does the declaration that was asked about

	test bool
	bulk bool // its file is no source: a document, data, a translation, a snapshot, generated or minified
}

// An Owner is something else of the same name, and how often it is mentioned.
type Owner struct {
	Owner    string   `json:"owner"`
	Mentions int      `json:"mentions"`
	Files    int      `json:"files"`
	At       []string `json:"at,omitempty"` // FILE:LINE,LINE; absent where the budget has no room for all of them
}

// Mentions accounts for every place with the name of a declaration that is not among its uses: a search of the text for the name
// finds no other.
type Mentions struct {
	Mentions  []Mention      `json:"mentions,omitempty"`
	LeftOut   int            `json:"mentions_left_out,omitempty"` // lines that were over the budget
	OtherUses map[string]int `json:"other_uses,omitempty"`        // of the declaration, by kind: no answer to the question
	Elsewhere []Owner        `json:"elsewhere,omitempty"`         // namesakes

	name    string
	tokens  int    // that would show all
	beyond  bool   // some lines are only counted
	unread  bool   // some files were not looked in
	counted bool   // some files are only counted in the text
	search  string // shows the lines of the namesakes
}

// A spot is an offset of a document.
type spot struct{ doc, at int }

const (
	usualTokens   = 4000 // of the lines of an answer
	leastShare    = 3    // the part of the budget that is kept for mentions
	maxLine       = 160  // bytes of a line that are shown
	maxOwners     = 20
	maxOwnerLines = 100  // of a file whose lines are told
	maxPlainLines = 4    // of one kind in a file that is no code, whose text is shown
	maxRead       = 4000 // files with the name that are read; the lines of the others are counted
	maxTokens     = 200000
)

// The lines that are kept to choose from, of a file and of all: a log may have a name in millions of lines.
const (
	maxFileLines = 5000
	maxLines     = 100000
)

// lineOwners are the owners that are no declarations of the project.
const (
	ownerLocal   = "local variables"
	ownerOutside = "libraries"
)

// A mentionScan looks for the names of some declarations in all texts.
type mentionScan struct {
	*session
	names  *facts.Namesakes
	asked  map[spot]bool
	called map[string]bool // qualified names of asked
	shown  map[int][]int   // by document the offsets of the uses that are shown
	others map[spot]string // further uses, by kind
	out    Mentions
	owners map[string]map[string][]int // lines by owner and file
	read   int
}

// mentionsOf accounts for the places with the name of some declarations: those at which they are used, shown and others, are
// known.
func (s *session) mentionsOf(of []facts.Place, shown []spot, others map[spot]string, tokens int) (Mentions, error) {
	return s.mentionsIn(of, shown, others, tokens, s.going)
}

// mentionsIn is mentionsOf for the documents that look accepts, and all files that are none of the project's.
func (s *session) mentionsIn(
	of []facts.Place, shown []spot, others map[spot]string, tokens int, look func(doc int) bool,
) (Mentions, error) {
	m := &mentionScan{session: s, names: s.p.Namesakes(of), asked: map[spot]bool{}, called: map[string]bool{}, shown: map[int][]int{},
		others: others, owners: map[string]map[string][]int{}}
	var names, quoted []string
	for i, t := range of {
		m.asked[spot{t.Doc, t.At}] = true
		if i < mostDefinitions {
			m.shown[t.Doc] = append(m.shown[t.Doc], t.At) // its line is in the head of the answer
		}
		m.called[s.placeName(t)] = true
		if name := searchedName(t.Name); !slices.Contains(names, name) {
			names, quoted = append(names, name), append(quoted, pattern(name))
		}
	}
	for _, at := range shown {
		m.shown[at.doc] = append(m.shown[at.doc], at.at)
	}
	if err := m.scan(names, quoted, tokens, look); err != nil {
		return Mentions{}, err
	}
	for _, t := range of {
		switch language := s.p.Docs[t.Doc].Language; {
		case syntax.Operator(language, t.Name) != "":
			s.note("the language also calls %s without its name: of such uses those are found whose left operand is known to have it as a member", t.Name)
		case syntax.IsCalledWithoutName(language, t.Name):
			s.note("the language also calls %s without its name, as a protocol: such uses are not looked for", t.Name)
		}
	}
	return m.out, nil
}

// mentionsOfNames finds all lines that have names that nothing declares.
func (s *session) mentionsOfNames(names []string, tokens int) (Mentions, error) {
	m := &mentionScan{session: s}
	err := m.scan(names, slice.Map(names, pattern), tokens, s.going)
	return m.out, err
}

// scan looks for names in all files, and fills m.out.
func (m *mentionScan) scan(names, quoted []string, tokens int, look func(doc int) bool) error {
	s := m.session
	p, err := regex.Compile(strings.Join(quoted, "|"), regex.Options{})
	if err != nil {
		return err
	}
	scan, err := s.v.Match(s.ctx, p, func(d index.DocInfo) bool {
		doc, known := s.doc(d.Path)
		f := &facts.Doc{Path: d.Path, Language: d.Language, Flags: d.Flags}
		if known { // whether its places are in tests is asked place by place
			return look(doc) && s.filter.path(f)
		}
		return s.filter.doc(f)
	}, func(f engine.FileMatch) bool {
		m.addFile(&f)
		return true
	})
	if err != nil {
		return err
	}
	m.out.unread = scan.Binary > 0
	scan.Binary = 0 // no binary file has a use that is worth a line in every answer
	if left := scan.LeftOut(s.v); left != "" {
		s.note("the name was not looked for in: %s", left)
		m.out.unread = true
	}
	if s.v.Tree == nil {
		s.note(unlooked)
	}
	m.out.name = strings.Join(names, ", ")
	m.out.search = strings.TrimPrefix(s.text(strings.Join(quoted, "|")), ". ")
	m.out.Elsewhere = m.listOwners()
	m.out.fit(text.Bytes(cmp.Or(tokens, usualTokens)))
	return nil
}

// searchedName is how code writes a name: the member of a module of Elixir, a property of PHP without its $, a setter of
// Ruby without its =.
func searchedName(name string) string {
	if facts.Signs(name) || syntax.OperatorSign(name) != "" {
		return name
	}
	name = strings.TrimLeft(name[1+strings.LastIndexByte(name, '.'):], "$@#")
	if trimmed := strings.TrimRight(name, "="); trimmed != "" && letter(trimmed[len(trimmed)-1]) {
		return trimmed
	}
	return name
}

// addFile accounts for the places of one file.
func (m *mentionScan) addFile(f *engine.FileMatch) {
	m.read++
	doc, known := m.doc(f.Path)
	language := f.Language
	if known {
		language = m.p.Docs[doc].Language
		m.leaveOutUses(doc, f)
		f.Matches = slices.DeleteFunc(f.Matches, func(x regex.Match) bool { return !m.passes(m.standsIn(doc, x.Start)) })
	}
	if len(f.Matches) == 0 {
		return // most files have nothing else
	}
	read := syntax.Read(f.Path, language, f.Text)
	defer read.Release()
	var stands map[int]facts.Namesake
	if m.names != nil && known && syntax.Source(language) && m.read <= maxRead {
		stands = m.names.In(doc, f.Text, read)
	}
	offsets := slice.Map(f.Matches, func(x regex.Match) int { return x.Start })
	kinds := read.Kinds(offsets)
	bulk := m.isBulk(doc, known, f)
	lines := lineTexts{session: m.session}
	if m.server && len(f.Text) <= discover.MaxFile {
		lines.set(f.Path, f.Text)
	}
	last, before := 0, len(m.out.Mentions)
	for i := range f.Matches {
		x := &f.Matches[i]
		stand := stands[x.Start]
		if stand.Declares && m.isAsked(stand) {
			m.countOther("declaration")
			continue
		}
		if owner := m.ownerOf(stand); owner != "" {
			m.addOwner(owner, f.Path, x.Line)
			continue
		}
		if last == x.Line {
			if n := len(m.out.Mentions); n == before || m.out.Mentions[n-1].Line != x.Line {
				continue // of a line that is counted only
			}
			if one := &m.out.Mentions[len(m.out.Mentions)-1]; kindOrder(kinds[i]) < kindOrder(one.Kind) {
				one.Kind = kinds[i]
			}
			continue
		}
		last = x.Line
		if n := len(m.out.Mentions); n-before >= maxFileLines || n >= maxLines {
			m.out.LeftOut++
			m.out.beyond = true
			continue
		}
		offset := x.Start - x.LineSpan.Start
		one := Mention{File: f.Path, Line: x.Line, Column: offset + 1, Kind: kinds[i], bulk: bulk && kinds[i] != syntax.InCode}
		switch {
		case !m.server:
			one.Text = chainBefore(f.Text, x.LineSpan.Start) + lineAround(f.Text[x.LineSpan.Start:x.LineSpan.End], offset)
		case lines.file != "": // of a larger one the secrets are not looked for
			one.Text = lines.at(f.Path, x.Line, offset)
		}
		if known {
			in := m.standsIn(doc, x.Start)
			one.test = m.p.InTest(in)
			if kinds[i] == syntax.InCode {
				one.In = m.name(in)
			}
		}
		if stand.Related != nil {
			one.Of = m.placeName(*stand.Related)
		}
		if stand.Over != nil {
			one.Over = m.placeName(*stand.Over)
		}
		m.out.Mentions = append(m.out.Mentions, one)
	}
}

// standsIn returns the innermost declaration around a place.
func (s *session) standsIn(doc, at int) facts.Ref {
	return facts.Ref{Doc: doc, Decl: s.p.Around(doc, at)}
}

// isBulk reports whether a file is none that a person writes to be run: a name in it is no use, or one that follows from another.
func (m *mentionScan) isBulk(doc int, known bool, f *engine.FileMatch) bool {
	var flags corpus.Flags
	language := f.Language
	if known {
		flags, language = m.p.Docs[doc].Flags, m.p.Docs[doc].Language
	} else {
		flags = discover.Classify(f.Path, f.Text).Flags
	}
	isText := syntax.Prose(language) && language != "html" // most HTML is templates
	return isText || flags&(corpus.Lock|corpus.Generated|corpus.Minified) != 0 || flags&corpus.Test != 0 && !syntax.Source(language)
}

// leaveOutUses leaves out the places that are uses, or on the lines of uses that are shown.
func (m *mentionScan) leaveOutUses(doc int, f *engine.FileMatch) {
	shown := linesAt(f.Text, m.shown[doc])
	f.Matches = slices.DeleteFunc(f.Matches, func(x regex.Match) bool {
		other := m.others[spot{doc, x.Start}]
		if other != "" {
			m.countOther(other)
		}
		return other != "" || shown[x.Line]
	})
}

// isAsked reports whether a name may stand for something that was asked about.
func (m *mentionScan) isAsked(x facts.Namesake) bool {
	return slices.ContainsFunc(x.Of, func(t facts.Place) bool { return m.asked[spot{t.Doc, t.At}] })
}

// ownerOf returns which other thing a name stands for; "" if that is unknown, or may be the one that was asked about.
func (m *mentionScan) ownerOf(x facts.Namesake) string {
	switch {
	case x.Related != nil || m.isAsked(x):
		return ""
	case x.Local:
		return ownerLocal
	case x.Outside:
		return ownerOutside
	case len(x.Of) == 0 || slices.ContainsFunc(x.Of, func(t facts.Place) bool { return !t.IsKnown() }):
		return ""
	}
	t := x.Of[0]
	if name := m.placeName(t); !m.called[name] {
		return name
	}
	return m.placeName(t) + " in " + m.p.Docs[t.Doc].Path
}

func (m *mentionScan) countOther(kind string) {
	if m.out.OtherUses == nil {
		m.out.OtherUses = map[string]int{}
	}
	m.out.OtherUses[kind]++
}

func (m *mentionScan) addOwner(owner, file string, line int) {
	if m.owners[owner] == nil {
		m.owners[owner] = map[string][]int{}
	}
	m.owners[owner][file] = append(m.owners[owner][file], line)
}

// listOwners returns the owners, those with most mentions first, the last for all that are too many.
func (m *mentionScan) listOwners() (out []Owner) {
	for _, name := range slices.Sorted(maps.Keys(m.owners)) {
		o := Owner{Owner: name, Files: len(m.owners[name])}
		for _, file := range slices.Sorted(maps.Keys(m.owners[name])) {
			lines := m.owners[name][file]
			o.Mentions += len(lines)
			if len(lines) <= maxOwnerLines {
				o.At = append(o.At, file+":"+joinLines(lines))
			}
		}
		if len(o.At) < o.Files {
			o.At = nil
		}
		out = append(out, o)
	}
	sorting.Stable(out, func(a, b Owner) int { return b.Mentions - a.Mentions })
	if len(out) <= maxOwners {
		return out
	}
	rest := Owner{Owner: count(len(out)-maxOwners+1, "other")}
	files := map[string]bool{}
	for _, o := range out[maxOwners-1:] {
		rest.Mentions += o.Mentions
		for f := range m.owners[o.Owner] {
			files[f] = true
		}
	}
	rest.Files = len(files)
	return append(out[:maxOwners-1], rest)
}

// elsewhere is how many mentions the namesakes have.
func (m *Mentions) elsewhere() (n int) {
	for _, o := range m.Elsewhere {
		n += o.Mentions
	}
	return n
}

// joinLines writes the numbers of lines, each once.
func joinLines(lines []int) string {
	var b strings.Builder
	for i, n := range slices.Compact(lines) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(itoa(n))
	}
	return b.String()
}

// kindOrder is the order in which mentions are shown: code first.
func kindOrder(k syntax.TextKind) int {
	return slices.Index([]syntax.TextKind{syntax.InCode, syntax.InString, syntax.InText, syntax.InComment, syntax.InProse}, k)
}

// fit orders the mentions and leaves out those for which a budget of bytes has no room. What the lines leave of it says where the
// others are.
func (m *Mentions) fit(budget int) {
	if !slices.ContainsFunc(m.Mentions, func(x Mention) bool { return !x.bulk }) {
		for i := range m.Mentions { // nothing else has the name, or these files were asked for
			m.Mentions[i].bulk = false
		}
	}
	sorting.Stable(m.Mentions, func(a, b Mention) int {
		if a.bulk && b.bulk {
			return cmp.Or(strings.Compare(path.Ext(a.File), path.Ext(b.File)), strings.Compare(a.File, b.File), a.Line-b.Line)
		}
		return cmp.Or(isLater(a.bulk, b.bulk), kindOrder(a.Kind)-kindOrder(b.Kind), isLater(a.Of == "", b.Of == ""), isLater(a.test, b.test), strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	m.shortenLists()
	size, kept := 0, -1
	kinds := map[string]int{} // files that are no source
	for i := range m.Mentions {
		x, isFirst := &m.Mentions[i], i == 0 || m.Mentions[i-1].File != m.Mentions[i].File
		if x.bulk && isFirst {
			kinds[path.Ext(x.File)]++
		}
		if !x.bulk || kinds[path.Ext(x.File)] <= maxBulkFiles {
			size += x.size(isFirst)
		}
		if size > budget && kept < 0 {
			kept = i
		}
	}
	if kept >= 0 {
		m.LeftOut += len(m.Mentions) - kept
		m.Mentions = m.Mentions[:kept]
	}
	m.tokens = text.Tokens(size)
	left := max(budget-size, budget/leastShare)
	for i := range m.Elsewhere {
		o := &m.Elsewhere[i]
		if left -= len(strings.Join(o.At, "; ")); left < 0 {
			o.At = nil
		}
	}
}

// shortenLists drops the text of lines that are no code, but for the first of a file: a log or a translation may have hundreds.
func (m *Mentions) shortenLists() {
	n := 0
	for i := range m.Mentions {
		x := &m.Mentions[i]
		if i == 0 || m.Mentions[i-1].File != x.File || m.Mentions[i-1].Kind != x.Kind {
			n = 0
		}
		if n++; n > maxPlainLines && x.Kind != syntax.InCode {
			x.Text = ""
		}
	}
}

// isLater orders two things, of which those that are so come last.
func isLater(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// placesOf returns declarations as places.
func (s *session) placesOf(of []facts.Ref) []facts.Place {
	out := make([]facts.Place, len(of))
	for i, r := range of {
		d := s.p.Decl(r)
		out[i] = facts.Place{Ref: r, Name: d.Name, At: d.NameAt, Sure: facts.Exact}
	}
	return out
}

// noneOf says that nothing is known, but where lines of code, strings or templates have the name, only that nothing resolves.
func (s *session) noneOf(m *Mentions, format string, args ...any) {
	n := m.LeftOut
	for i := range m.Mentions {
		if k := m.Mentions[i].Kind; k != syntax.InComment && k != syntax.InProse {
			n++
		}
	}
	if n > 0 {
		s.note("nothing that resolves is an answer; %s with the name may be", count(n, "line"))
		return
	}
	s.none(format, args...)
}

// remarkOnMentions says how to see the lines that were left out.
func (s *session) remarkOnMentions(m *Mentions) {
	if m.LeftOut == 0 {
		return
	}
	advice := "narrow it by path"
	if all := roundUp(m.tokens * leastShare); all <= maxTokens && !m.beyond {
		advice = fmt.Sprintf("tokens %d shows all", all)
	}
	s.note("%s with %s left out: %s", text.Count(m.LeftOut, "line", "lines"), m.name, advice)
}

// roundUp returns a number of tokens as a person would say it.
func roundUp(n int) int { return (n + 999) / 1000 * 1000 }
