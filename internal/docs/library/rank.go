package library

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/rank"
	"github.com/assay-dev/assay/internal/docs/apidoc"
)

// A question is what a query asks for.
type question struct {
	words  []string      // as written
	terms  rank.Terms    // of the words that are not stop words
	stops  rank.Terms    // of those that are
	plain  []string      // the words that are no stop words, in order
	stems  []string      // of each of plain
	begins text.Prefixes // of terms
	coded  bool          // it is made of names alone
	names  []string      // identifiers, as written: "res.sendFile", "useEffect", "--watch"
	ends   string        // of a question that is a name: the mark of Ruby that it ends with, "=" of "Timer#interval="
}

func queries() rank.Reading {
	return rank.Reading{Analyser: text.Prose(), Bytes: maxQuery, Words: 2 * maxTerms}
}

// readQuestion takes a query apart. A full identifier counts 1, and its subwords
// together as much.
func readQuestion(query string) (q question) {
	read := rank.Read(query, queries())
	for _, w := range read.Words {
		q.words = append(q.words, w.Text)
		if w.Stop {
			q.stops.Add(w.Terms[0], 1)
			continue
		}
		q.plain, q.stems = append(q.plain, w.Text), append(q.stems, w.Terms[0])
		for i, t := range w.Terms {
			q.begins.Add(t)
			weight := float32(1)
			if i > 0 {
				weight = 1 / float32(len(w.Terms)-1)
			}
			q.terms.Add(t, weight)
		}
	}
	q.names = read.Names()
	q.coded = read.OnlyNames(q.names)
	if name := strings.TrimSpace(query); len(q.names) == 1 && !strings.ContainsFunc(name, unicode.IsSpace) {
		q.ends = name[len(strings.TrimRight(name, "!=")):]
	}
	return q
}

// A ranked is a candidate, read.
type ranked struct {
	hit
	s      Snippet
	vector []byte
	marks  marks
	near   float64 // the cosine of the question with it
	size   int     // of what is shown of it, about
	whole  bool    // s has its content

	declares bool // it is a declaration, see declares
}

// rerank orders candidates by what is in them.
func (s *search) rerank(x *index.PartReader, stats []stat, all []ranked) ([]ranked, error) {
	if slices.ContainsFunc(stats, func(t stat) bool { return t.skipped }) {
		words := newVocabulary()
		for i := range all {
			all[i].unread(x, stats, words)
		}
	}
	scorer := rank.Docs().Scorer(rank.Variant{Kind: rank.Question, Meaning: s.ranking == Hybrid}, len(all), s.explain)
	m := s.newMeasure(all, stats)
	rows := make([][rank.NumDocs]float64, len(all))
	for i := range all {
		rows[i] = [rank.NumDocs]float64(m.of(&all[i]))
	}
	if m.declared {
		if err := s.explained(all, rows, scorer); err != nil {
			return nil, err
		}
		if s.ranking == Hybrid {
			if err := s.worded(all, rows, stats, scorer); err != nil {
				return nil, err
			}
			if len(s.q.names) == 0 {
				among(all, rows, scorer)
			}
		}
	}
	for i := range all {
		scorer.Add(rows[i][:], m.groups(&all[i]))
	}
	order := scorer.Rank(func(a, b int) int {
		a1, b1 := &all[a].s, &all[b].s
		return cmp.Or(cmp.Compare(a1.Path, b1.Path), cmp.Compare(a1.Line, b1.Line), cmp.Compare(all[a].at, all[b].at))
	})
	for _, r := range order {
		all[r.At].s.Score, all[r.At].s.Breakdown = r.Value, r.Breakdown
	}
	for i := range order { // in place: they are large
		at := order[i].At
		for at < i { // it was moved to make room for the one that is there
			at = order[at].At
		}
		all[i], all[at] = all[at], all[i]
	}
	return all, nil
}

// unread adds what the terms are worth whose postings were not read.
func (c *ranked) unread(x *index.PartReader, stats []stat, words *vocabulary) {
	var begins text.Prefixes
	for _, t := range stats {
		if t.skipped {
			begins.Add(t.Text)
		}
	}
	var counts [maxTerms]byte // by the number of a term
	fields := layout().Fields
	fieldsOf(&c.s, summary(&c.s), func(in string, field int) {
		f := fields[field]
		text.Words(bytesIn(in), func(w []byte) {
			if !begins.May(w) && !text.Compound(w) {
				return
			}
			for _, t := range words.ResultFor(w) {
				for i := range stats {
					if stats[i].skipped && stats[i].Text == t && counts[i]&f.Mask != f.Mask {
						counts[i] += f.Unit
					}
				}
			}
		})
	})
	for i, n := range counts {
		if n != 0 {
			c.hit.score += x.Worth(uint32(c.at), stats[i].worth(), n)
		}
	}
}

// A measure says how strong the evidence for a candidate is.
type measure struct {
	*search
	worth    []worth            // of each term of the question
	total    float64            // of all of them
	ideal    float64            // the most that BM25 gives
	best     float64            // that it gives a candidate
	pages    map[string]float64 // what it gives all candidates of a page, by path
	known    map[place]uint64   // groups
	stems    []uint32           // of the question, as marks
	declared bool               // a candidate is a declaration
	values   [rank.NumDocs]float64
}

// A place is a section of a page by its path and its headings, or the page by its path.
type place struct{ path, crumb string }

// A worth is what a term is worth.
type worth struct {
	mark uint32
	of   float64
}

func (s *search) newMeasure(all []ranked, stats []stat) *measure {
	m := &measure{search: s, pages: make(map[string]float64, len(all)), known: make(map[place]uint64, 2*len(all))}
	for _, t := range stats {
		m.worth = append(m.worth, worth{mark(t.Text), t.worth()})
		m.total += t.worth()
	}
	for _, stem := range s.q.stems {
		m.stems = append(m.stems, mark(stem))
	}
	m.ideal = (m.total + m.absent) * (params().K1 + 1)
	for i := range all {
		m.best = max(m.best, float64(all[i].hit.score))
		m.pages[all[i].s.Path] += float64(all[i].hit.score)
		m.declared = m.declared || all[i].declares
	}
	m.best = cmp.Or(m.best, 1)
	return m
}

// declares reports whether a snippet is a declaration: its page is program text.
func declares(s *Snippet) bool { return apidoc.Described(s.Path) }

// summary returns what a declaration says of itself first, below its signature; "" of one that says nothing, and of
// prose.
func summary(s *Snippet) string {
	if !declares(s) {
		return ""
	}
	_, rest := signed(s)
	first, _, _ := strings.Cut(rest, "\n\n")
	if line, _, _ := strings.Cut(first, "\n"); fenceOf(line) != "" {
		return ""
	}
	return first
}

// signed parts the content of a declaration: its signature, and what is said of it below.
func signed(s *Snippet) (signature, rest string) {
	line, rest, _ := strings.Cut(s.Content, "\n")
	mark := fenceOf(line)
	if mark == "" {
		return "", s.Content
	}
	signature, rest, _ = strings.Cut(rest, "\n"+mark+"\n\n")
	return strings.TrimSuffix(signature, "\n"+mark), rest
}

// called reports whether a declaration is what a name names: the name may say less than the
// title ("get" of "Session.get"), or the module too ("httpx.Client"); a question mark ends questions too.
func called(title, name string) bool {
	title, name = joints.Replace(strings.TrimSuffix(title, "?")), joints.Replace(strings.Trim(name, "@$`"))
	return title == name || strings.HasSuffix(title, "."+name) || strings.HasSuffix(name, "."+title)
}

// joints are what languages join a type and its member with.
var joints = strings.NewReplacer("::", ".", "#", ".", "->", ".")

// groups returns the page and the section of a snippet; a declaration is alone, since a file of program text is about
// many things.
func (m *measure) groups(c *ranked) (g rank.Groups) {
	s := &c.s
	if c.declares {
		n := uint64(len(m.known))
		m.known[place{s.Path, "\x01" + strconv.Itoa(c.at)}] = n
		return rank.Groups{n, n}
	}
	for i, of := range [...]place{{s.Path, "\x00"}, {s.Path, s.Breadcrumb}} {
		n, ok := m.known[of]
		if !ok {
			n = uint64(len(m.known))
			m.known[of] = n
		}
		g[i] = n
	}
	return g
}

// of returns the values of the signals of a candidate, which are good until the next
// call. All but the meaning are parts of what its words are worth.
func (m *measure) of(c *ranked) []float64 {
	m.values = [rank.NumDocs]float64{}
	m.q.named(&c.s, &m.values)
	m.values[rank.DocsTitle] = part(c.marks.title, func(n uint32) bool { return slices.Contains(m.stems, n) })
	if len(m.stems) > 1 {
		m.values[rank.DocsPairsInTitle] = float64(pairsOf(c.marks.title, m.stems))
		m.values[rank.DocsPairsInContent] = float64(pairsOf(c.marks.content, m.stems))
	}
	m.values[rank.DocsPageTitle] = part(c.marks.page, func(n uint32) bool {
		return slices.ContainsFunc(m.worth, func(w worth) bool { return w.mark == n && w.of > 0 })
	})
	in := 0.0
	for _, w := range m.worth {
		if w.of > 0 && marked(c.marks.terms, w.mark) {
			in += w.of
		}
	}
	m.values[rank.DocsPageWords] = in / m.total
	if !c.declares { // a file of program text is about many things
		m.values[rank.DocsSamePage] = math.Log1p((m.pages[c.s.Path] - float64(c.hit.score)) / m.best)
	}
	m.values[rank.DocsWords] = 1
	for i := range m.values {
		m.values[i] *= float64(c.hit.score) / m.ideal
	}
	// What is named is meant however thin its words are.
	if c.declares && strings.HasSuffix(c.s.Title, m.q.ends) && slices.ContainsFunc(m.q.names, func(name string) bool { return called(c.s.Title, name+m.q.ends) }) {
		c.s.Named = true
		m.values[rank.DocsDeclares] = m.best / m.ideal
		if m.q.ends != "" { // words leave marks out, so that "interval" is what they say in full
			m.values[rank.DocsDeclares] *= 2
		}
	}
	if m.ranking == Hybrid {
		c.near = index.Alike(c.vector, m.asked)
		m.values[rank.DocsMeaning] = m.best / m.ideal * c.near
	}
	share := 1.
	switch {
	case IsChangelog(c.s.Path):
		share = rank.Docs().Constant("evidence of a change")
	case apidoc.IsExample(c.s.Path):
		share = rank.Docs().Constant("evidence of an example")
	}
	for i := range m.values {
		m.values[i] *= share
	}
	return m.values[:]
}

// part returns which part of marks are of the question, as of says.
func part(marks string, of func(n uint32) bool) float64 {
	in, n := 0, len(marks)/markBytes
	for ; len(marks) >= markBytes; marks = marks[markBytes:] {
		if of(markAt(marks)) {
			in++
		}
	}
	return float64(in) / float64(max(n, 1))
}

// named counts the names of the question that are in a snippet as they are written. An option in the title counts as one in the
// content too: the words of "--watch" alone say something else.
func (q *question) named(s *Snippet, values *[rank.NumDocs]float64) {
	for _, name := range q.names {
		inTitle, isOption := holds(s.Title, name), strings.HasPrefix(name, "--")
		if inTitle {
			values[rank.DocsNameInTitle]++
		}
		switch {
		case isOption && (inTitle || holds(s.Content, name)):
			values[rank.DocsOption]++
		case inTitle:
		case holds(s.Content, name):
			values[rank.DocsNameInContent]++
		}
	}
}

// holds reports whether s has name in that exact form, and not as part of a longer one.
func holds(s, name string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(name):])
		if !inName(before) && !inName(after) {
			return true
		}
		from = i + 1
	}
}

func inName(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
