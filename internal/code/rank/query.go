package rank

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// A Reading is how the queries of a corpus are taken apart. What a term counts is the
// corpus's own affair, in constants of its profile.
type Reading struct {
	Analyser *text.Analyser // cuts words into terms, and says which are stop words
	Bytes    int            // of a query that are read: what is longer repeats itself; 0: all
	Words    int            // of a query that are read; 0: all
	MinTerm  int            // bytes: shorter terms are omitted, and words without any other
	// Languages says that queries are in one of several languages. The stop words are
	// the grammar of that language, but for names.
	Languages bool
}

// A Query is a query taken apart.
type Query struct {
	Text     string // what was read of it, in valid UTF-8
	Words    []Word // in order
	Language int    // as text.Language returns it, where a Reading says Languages
}

// A Word is a word of a query.
type Word struct {
	Text  string   // as written
	Terms []string // the full word, then its subwords
	Stop  bool     // it says nothing of what is asked for
	Name  bool     // in the form of a name: of several parts or, where a Reading says Languages, with a capital inside a sentence
}

// Read takes a query apart: the only parser of queries, so that a corpus cannot differ
// from the others in what it takes for a word, a stop word, a name or a quotation.
func Read(query string, by Reading) Query {
	if by.Bytes > 0 && len(query) > by.Bytes {
		query = query[:by.Bytes]
	}
	q := Query{Text: strings.ToValidUTF8(query, " ")}
	starts := sentences{text: q.Text, start: true}
	text.EachWord(q.Text, func(w []byte) {
		start := by.Languages && starts.at(w)
		terms := by.Analyser.Terms(nil, w)
		if by.MinTerm > 0 {
			terms = slices.DeleteFunc(terms, func(t string) bool { return len(t) < by.MinTerm })
		}
		if len(terms) == 0 || by.Words > 0 && len(q.Words) == by.Words {
			return
		}
		word := Word{Text: string(w), Terms: terms, Stop: by.Analyser.Stop(w)}
		word.Name = text.Compound(w) && len(text.Parts(word.Text)) > 1
		if by.Languages && !start {
			r, _ := utf8.DecodeRune(w)
			word.Name = word.Name || unicode.IsUpper(r)
		}
		q.Words = append(q.Words, word)
	})
	if by.Languages {
		q.grammar()
	}
	return q
}

// sentences says which words of a text begin a sentence. Words come in order, but those
// of scripts without spaces overlap.
type sentences struct {
	text  string
	end   int // where the last word began, and a byte
	start bool
}

func (s *sentences) at(word []byte) bool {
	at := s.end + strings.Index(s.text[s.end:], string(word))
	start := s.start || s.end > 0 && strings.ContainsAny(s.text[min(s.end, at):at], ".!?:\n")
	s.end, s.start = max(s.end, at+1), false
	return start
}

// grammar finds the language, and marks its grammar as stop words.
func (q *Query) grammar() {
	folded := make([]string, len(q.Words))
	for i := range q.Words {
		folded[i] = text.Fold(strings.ReplaceAll(q.Words[i].Text, "_", ""))
	}
	q.Language = text.Language(folded)
	only := true
	for i, f := range folded {
		q.Words[i].Stop = text.Grammar(q.Language, f)
		if f == "i" && q.Words[i].Stop { // the pronoun has a capital everywhere
			q.Words[i].Name = false
		}
		only = only && q.Words[i].Stop
	}
	for i := range q.Words {
		q.Words[i].Stop = q.Words[i].Stop && (only || !q.Words[i].Name)
	}
}

// Content returns the words that say what is asked for: those that are not stop words or,
// of a query of nothing else, all.
func (q *Query) Content() []Word {
	content := slices.DeleteFunc(slices.Clone(q.Words), func(w Word) bool { return w.Stop })
	if len(content) == 0 {
		return q.Words
	}
	return content
}

const (
	maxNames  = 8
	maxQuotes = 8
)

// Names returns the identifiers of a query as they are written: what is in a form that
// only code has, with a dot, an underscore, a colon, a "#" or a capital inside; an option, as
// --watch; and what is between backquotes.
func (q *Query) Names() (names []string) {
	for _, w := range strings.FieldsFunc(q.Text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("`'\"(){}[],;?!<>=|*", r)
	}) {
		name := strings.TrimRight(w, ".:/")
		if len(name) > 2 && len(names) < maxNames && (codeLike(name) || strings.Contains(q.Text, "`"+w+"`")) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// OnlyNames reports whether names are all that a query has beside stop words.
func (q *Query) OnlyNames(names []string) bool {
	in, content := 0, 0
	for _, name := range names {
		text.EachWord(name, func([]byte) { in++ })
	}
	for i := range q.Words {
		if !q.Words[i].Stop {
			content++
		}
	}
	return in > 0 && in >= content
}

func codeLike(name string) bool {
	if strings.HasPrefix(name, "--") || name[0] == '@' || name[0] == '$' {
		return true
	}
	inside := name[1:]
	if strings.ContainsAny(inside, "._") || strings.Contains(inside, "::") {
		return strings.ContainsFunc(name, unicode.IsLetter)
	}
	if of, member, ok := strings.Cut(inside, "#"); ok && member != "" { // "Timer#start" of Ruby, and no "#12"
		last, _ := utf8.DecodeLastRuneInString(name[:1] + of)
		first, _ := utf8.DecodeRuneInString(member)
		return unicode.IsLetter(last) && unicode.IsLetter(first)
	}
	return strings.ContainsFunc(name, unicode.IsLower) && strings.ContainsFunc(inside, unicode.IsUpper)
}

var quotes = lazy.Regexp("\"([^\"]{0,200})\"|“([^”]{0,200})”|„([^“”]{0,200})[“”]|«([^»]{0,200})»|「([^」]{0,200})」|`([^`]{0,200})`")

// Quoted returns what is in quotation marks, folded.
func (q *Query) Quoted() (out []string) {
	for _, m := range quotes.FindAllStringSubmatch(q.Text, maxQuotes) {
		for _, s := range m[1:] {
			// A short one is matched too, lest its end passes for the beginning of another.
			if utf8.RuneCountInString(s) > 1 {
				out = append(out, strings.TrimSpace(text.Fold(s)))
			}
		}
	}
	return out
}

// Terms are distinct terms of a query, each with the largest weight that it was added
// with.
type Terms struct {
	List []corpus.Term
	Max  int // terms at most; 0: any number
	at   map[string]int
}

// Add adds a term, and returns its place in the list: -1 of one for which there is no
// room.
func (t *Terms) Add(term string, weight float32) int {
	if i, ok := t.at[term]; ok {
		t.List[i].Weight = max(t.List[i].Weight, weight)
		return i
	}
	if t.Max > 0 && len(t.List) == t.Max || term == "" {
		return -1
	}
	if t.at == nil {
		t.at = map[string]int{}
	}
	t.at[term] = len(t.List)
	t.List = append(t.List, corpus.Term{Text: term, Weight: weight})
	return len(t.List) - 1
}
