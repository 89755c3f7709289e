package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-dev/assay/internal/base/corpus"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		query string
		kind  Kind
		terms string
		wants corpus.Flags
	}{
		{"Mux", Symbol, "mux =Mux", 0},
		{"parseHTTPRequest", Symbol, "parsehttprequest pars http request =parseHTTPRequest", 0},
		{"Sinatra::Helpers", Symbol, "sinatra help =Helpers", 0},
		{"panic recovery", Phrase, "panic recovery panicrecovery", 0},
		{"how are failed requests retried", Question, "fail request retry failedrequests requestsretried", 0},
		{"the and of", Phrase, "the and of theand andof", 0},
		{"tests of the parser", Question, "test pars testsparser", corpus.Test},
		{"windows service example", Phrase, "window servic exampl windowsservice serviceexample", corpus.Platform | corpus.Example},
		{"", Phrase, "", 0},
		{"!!", Symbol, "", 0},
	} {
		p := Parse(tt.query, Hybrid)
		var terms []string
		for _, x := range p.Terms {
			terms = append(terms, x.Text)
		}
		if p.Kind != tt.kind && tt.query != "" || strings.Join(terms, " ") != tt.terms || p.Wants != tt.wants {
			t.Errorf("Parse(%q) = %v %q wants %d, want %v %q wants %d", tt.query, p.Kind, terms, p.Wants, tt.kind, tt.terms, tt.wants)
		}
	}
}

// TestParseNeverFails holds Parse to what package index relies on.
func TestParseNeverFails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Parse(rapid.String().Draw(t, "query"), Hybrid)
		if len(p.Terms) > corpus.MaxTerms {
			t.Fatalf("%d terms", len(p.Terms))
		}
		for i, x := range p.Terms {
			if x.Text == "" || !(x.Weight > 0) {
				t.Fatalf("term %d is %+v", i, x)
			}
			if slices.ContainsFunc(p.Terms[i+1:], func(y corpus.Term) bool { return y.Text == x.Text }) {
				t.Fatalf("%q is asked for twice", x.Text)
			}
		}
	})
}

func TestFocus(t *testing.T) {
	p := Parse("retry delay", Hybrid)
	quote := strings.Repeat("nothing here\n", 20) + "the delay of a retry\n" + strings.Repeat("nothing\n", 5)
	if got := p.Focus([]byte(quote)); got < 15 || got > 20 {
		t.Errorf("Focus = line %d, want one a little before 20", got)
	}
}

func TestNames(t *testing.T) {
	for want, is := range map[string]interface{ String() string }{"symbol": Symbol, "phrase": Phrase, "question": Question, "hybrid": Hybrid, "semantic": Semantic, "lexical": Lexical} {
		if is.String() != want {
			t.Errorf("String() = %s, want %s", is, want)
		}
	}
}

func TestKind(t *testing.T) {
	for query, want := range map[string]Kind{
		"x": Symbol, "a.b::c": Symbol, "one?": Symbol,
		"two words": Phrase, "ends with it?": Question, "ends with it? ": Question,
		"one two three four five six": Phrase, "one two three four five six seven": Question,
		"the parser": Phrase, "tests of parser": Phrase, "tests of parser here": Question, "four words that parse": Question, "alpha beta gamma delta": Phrase,
	} {
		if got := Parse(query, Hybrid).Kind; got != want {
			t.Errorf("Parse(%q) is a %v, want a %v", query, got, want)
		}
	}
	if p := Parse("x", Semantic); p.Mode != Semantic || p.Query != "x" {
		t.Errorf("%+v", p)
	}
}

func TestWants(t *testing.T) {
	for words, want := range map[string]corpus.Flags{
		"test tests testing spec specs fixture fixtures mock mocks tested TESTS":      corpus.Test,
		"example examples demo sample samples benchmark benchmarks":                   corpus.Example,
		"legacy compat compatibility deprecated shim polyfill":                        corpus.Compat,
		"windows win32 win64 winapi plan9 solaris sunos aix illumos zos cygwin haiku": corpus.Platform,
		"vendor vendored": corpus.Vendored, "generated": corpus.Generated,
		"readme docs documentation guide tutorial changelog license": corpus.Prose,
		"parser linux": 0,
	} {
		for _, w := range strings.Fields(words) {
			if got := Parse(w+" of it", Hybrid).Wants; got != want {
				t.Errorf("%q wants %d, want %d", w, got, want)
			}
		}
	}
	if got := Parse("generated tests", Hybrid).Wants; got != corpus.Generated|corpus.Test {
		t.Errorf("two wants are %d", got)
	}
}

// How much each term counts, and which are a full word, only add to others, or are the
// exact form of a name.
func TestTerms(t *testing.T) {
	for query, want := range map[string]string{
		"parseHTTPRequest":           "parsehttprequest:1f pars:0.55e http:0.55e request:0.55e =parseHTTPRequest:0.3ex",
		"Router.handle":              "rout:1f handl:1f =handle:0.3ex",
		"parse parseRequest":         "pars:1f parserequest:1f request:0.55e =parseRequest:0.3ex",
		"request parseRequest":       "request:1f parserequest:1f pars:0.55e =parseRequest:0.3ex",
		"path matching":              "path:1f match:1f pathmatching:0.35e",
		"a path":                     "path:1f",
		"path x matching":            "path:1f x:1f =x:0.3ex match:1f",
		"pathMatching path matching": "pathmatching:1f path:1f match:1f =pathMatching:0.3ex",
	} {
		p := Parse(query, Hybrid)
		var got []string
		for i, x := range p.Terms {
			s := fmt.Sprintf("%s:%v", x.Text, x.Weight)
			for _, m := range []struct {
				mask uint32
				name string
			}{{p.full, "f"}, {p.extra, "e"}, {p.exact, "x"}} {
				if m.mask>>i&1 != 0 {
					s += m.name
				}
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("Parse(%q) = %q, want %s", query, got, want)
		}
	}
	var many []string
	for i := range 2 * corpus.MaxTerms {
		many = append(many, fmt.Sprintf("w%c%c", 'a'+i/8, 'a'+i%8))
	}
	p := Parse(strings.Join(many, " "), Hybrid)
	if len(p.Terms) != corpus.MaxTerms || p.Terms[31].Text == p.Terms[30].Text || p.full != ^uint32(0) || p.extra != 0 {
		t.Errorf("%d terms, full %b, extra %b", len(p.Terms), p.full, p.extra)
	}
}

// What a chunk is called: by the declared name that shares most with the query, else
// the first, with the declaration around it.
func TestSymbol(t *testing.T) {
	symbols := func(names ...string) (out []corpus.Symbol) {
		for _, n := range names {
			out = append(out, corpus.Symbol{Name: n})
		}
		return out
	}
	for _, c := range []struct {
		query, scope string
		names        []string
		want         string
	}{
		{"read file", "", []string{"openFile", "ReadFile", "ReadFileAt"}, "ReadFile"},
		{"open", "", []string{"openFile", "Open"}, "Open"},
		{"file", "T", []string{"open", "ReadFile"}, "T.ReadFile"},
		{"nothing", "T", []string{"open"}, "T"},
		{"nothing", "", []string{"open", "close"}, "open"},
		{"nothing", "T", nil, "T"},
		{"nothing", "", nil, ""},
	} {
		if got := Parse(c.query, Hybrid).Symbol(corpus.Chunk{Scope: c.scope, Symbols: symbols(c.names...)}); got != c.want {
			t.Errorf("%q calls %s%q %q, want %q", c.query, c.scope, c.names, got, c.want)
		}
	}
}

// A window is six lines; of equal ones, the first counts.
func TestFocusWindow(t *testing.T) {
	p := Parse("retry delay", Hybrid)
	for lines, want := range map[string]int{
		"": 0, "x": 0, "retry": 0, "x\nretry": 0, "x x\nx\nx\nx\nx\nx\nretry": 1, "x\nx\nx\nx\nx\nx\nx\nx\nx\nretry\ndelay": 5,
		"retry\nx\nx\nx\nx\nx\nx\nx\nx\nretry": 0, "retry\nx\nx\nx\nx\nx\ndelay": 0, "retry\nx\nx\nx\nx\ndelay": 0, "x\nretry\nx\nx\nx\nx\ndelay": 1,
		"retry\nx\nx\nx\nx\nx\nx\nretry delay": 2,
	} {
		if got := p.Focus([]byte(lines)); got != want {
			t.Errorf("Focus(%q) = %d, want %d", lines, got, want)
		}
	}
	// So does a window that has a little more, of a word that counts little.
	p.Terms = []corpus.Term{{Text: "retry", Weight: 1}, {Text: "delay", Weight: .2}}
	if got := p.Focus([]byte("retry\nx\nx\nx\nx\nx\nx\nretry delay")); got != 2 {
		t.Errorf("Focus = %d, want the window that has both words", got)
	}
}

// A sample has the words of a text that say something, and the plan asks for those with
// the highest IDF.
func TestSample(t *testing.T) {
	s := Take([]byte("the router matches a path; the router keeps x pathMatcher"))
	var got []string
	for _, term := range s.Terms {
		got = append(got, fmt.Sprintf("%s:%.3f", term.Text, term.Weight))
	}
	if want := "keep:1.000 match:1.693 path:1.693 pathmatcher:1.000 rout:1.693"; strings.Join(got, " ") != want {
		t.Fatalf("%q, want %s", got, want)
	}
	p := s.Plan(Stats{Chunks: 100, DF: []int{0, 50, 1, 200, 1}}, "quote")
	got = nil
	for _, term := range p.Terms {
		got = append(got, term.Text)
	}
	if want := "path rout match pathmatcher"; strings.Join(got, " ") != want || p.Query != "quote" || p.Kind != Question || p.Wants != ^corpus.Flags(0) || p.full != 1<<4-1 {
		t.Errorf("%q, want %s: %+v", got, want, p)
	}
	var many Sample
	var st Stats
	st.Chunks = 1000
	for i := range 40 {
		many.Terms = append(many.Terms, corpus.Term{Text: fmt.Sprint(i), Weight: 1})
		st.DF = append(st.DF, 100-i)
	}
	if p := many.Plan(st, ""); len(p.Terms) != corpus.MaxTerms || p.Terms[0].Text != "39" || p.Terms[31].Text != "8" {
		t.Errorf("of 40 terms: %v", p.Terms)
	}
}

// A chunk is called by what it declares of the query, else by the first that it declares, else
// by what is around it.
func TestSymbolOfChunk(t *testing.T) {
	p := Parse("read the config", Hybrid)
	named := func(names ...string) (out []corpus.Symbol) {
		for _, n := range names {
			out = append(out, corpus.Symbol{Name: n})
		}
		return out
	}
	for _, c := range []struct {
		chunk corpus.Chunk
		want  string
	}{
		{corpus.Chunk{}, ""},
		{corpus.Chunk{Scope: "A.b"}, "A.b"},
		{corpus.Chunk{Symbols: named("one")}, "one"},
		{corpus.Chunk{Symbols: named("one", "two")}, "one"},
		{corpus.Chunk{Symbols: named("one", "config")}, "config"},
		{corpus.Chunk{Symbols: named("configPath", "config")}, "config"},
		{corpus.Chunk{Symbols: named("config", "readConfig")}, "readConfig"},
		{corpus.Chunk{Symbols: named("one", "config"), Scope: "A"}, "A.config"},
		{corpus.Chunk{Symbols: named("one"), Scope: "A"}, "A"},
	} {
		if got := p.Symbol(c.chunk); got != c.want {
			t.Errorf("%+v is called %q, want %q", c.chunk, got, c.want)
		}
	}
}

// Where the full names of what a chunk declares are given, it is called by one of those.
func TestQualifiedSymbol(t *testing.T) {
	for _, c := range []struct {
		query, scope string
		names        []string
		want         string
	}{
		{"read the config", "", []string{"A.one", "B.config"}, "B.config"},
		{"nothing", "", []string{"A.one", "B.config"}, "A.one"},
		{"nothing", "A", []string{"A.one"}, "A"},
		{"Cache.evict", "", []string{"Store.evict", "Cache.evict"}, "Cache.evict"},
		{"Store.evict", "", []string{"Store.evict", "Cache.evict"}, "Store.evict"},
		{"evict from the cache", "", []string{"Store.evict", "Cache.evict"}, "Cache.evict"},
		{"openFile", "", []string{"open", "openFile"}, "openFile"},
		{"openFile", "", []string{"openFile", "File.open"}, "File.open"}, // all of it is the one name
	} {
		chunk := corpus.Chunk{Scope: c.scope}
		for _, n := range c.names {
			chunk.Symbols = append(chunk.Symbols, corpus.Symbol{Name: n[strings.LastIndexByte(n, '.')+1:]})
		}
		if got := Parse(c.query, Hybrid).Symbol(chunk, c.names...); got != c.want {
			t.Errorf("%q calls %q %q, want %q", c.query, c.names, got, c.want)
		}
	}
}

// Words of which no term occurs are told, as they were written, once, and no more than asked for.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		query string
		there string // terms that occur
		most  int
		want  string
	}{
		{"where is the Zebra kept", "kept", 9, "Zebra"},
		{"where is the Zebra kept", "kept zebra", 9, ""},
		{"zebra gnu zebra tapir", "", 2, "zebra gnu"},
		{"zebra gnu zebra tapir", "", 9, "zebra gnu tapir"},
		{"feedZebra", "zebra", 9, ""}, // a part of it does
		{"feedZebra", "", 9, "feedZebra"},
		{"the of", "", 9, "the of"},
	} {
		p := Parse(c.query, Lexical)
		df := make([]int, len(p.Terms))
		for i, term := range p.Terms {
			if slices.Contains(strings.Fields(c.there), term.Text) {
				df[i] = 1
			}
		}
		if got := strings.Join(p.Missing(df, c.most), " "); got != c.want {
			t.Errorf("%q with %q, at most %d: %q is missing, want %q", c.query, c.there, c.most, got, c.want)
		}
	}
	// What a long query has no room for was not asked for, and is not missing.
	var long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&long, "word%c%c ", 'a'+i/8, 'a'+i%8)
	}
	p := Parse(long.String(), Lexical)
	if got := p.Missing(make([]int, len(p.Terms)), 99); len(got) == 0 || len(got) > len(p.Terms) {
		t.Errorf("of 60 words, %d of which are asked for, %d are missing", len(p.Terms), len(got))
	}
}

// A text has the share of a query that its terms tell: a rare word more than a common one,
// in whatever form and however often it is there.
func TestShare(t *testing.T) {
	p := Parse("valve pressure", Hybrid)
	stats := func(valve, pressure int) Stats { return Stats{Chunks: 100, DF: []int{valve, pressure, 0}} }
	alike := p.Telling(stats(10, 10))
	for s, want := range map[string]float64{"": 0, "pump": 0, "openValves()": .5, "valve valve": .5, "pressure of the valve": 1} {
		if got := alike.Share(s); math.Abs(got-want) > 1e-6 {
			t.Errorf("%q has %v of the query, want %v", s, got, want)
		}
	}
	rare := p.Telling(stats(1, 60))
	if v, q := rare.Share("valve"), rare.Share("pressure"); v <= q || math.Abs(v+q-1) > 1e-6 || rare.Of(1) != v || rare.Of(2) != q {
		t.Errorf("the rare word has %v, the other %v; by mask %v and %v", v, q, rare.Of(1), rare.Of(2))
	}
}
