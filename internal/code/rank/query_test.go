package rank

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/text"
)

// readings are how the corpora take queries apart.
var readings = map[string]Reading{
	"code":    {Analyser: text.Code()},
	"docs":    {Analyser: text.Prose(), Bytes: 4 << 10, Words: 64},
	"memory":  {Analyser: text.Forms(), Bytes: 8 << 10, Languages: true},
	"modules": {Analyser: text.Modules(), Bytes: 4000, MinTerm: 2},
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ corpus, query, want string }{
		{"code", "Where is getURL_path used", "where- is- getURL_path*=geturlpath,get,url,path used-"},
		{"docs", "How do I use a router", "how- do- i- use- a- router"},
		// What is grammar depends on the language; a name is never grammar.
		{"memory", "Was the son at the door", "was- the- son at- the- door"},
		{"memory", "wie war die Nacht", "wie- war- die- Nacht*"},
		{"memory", "we met Will today. Will it last", "we- met Will* today will- it- last"},
		{"memory", "when may I call Will", "when- may- I- call Will*"},
		{"memory", "what is it", "what- is- it-"},
		{"memory", "what is IT", "what- is- IT-*"}, // but in a query of nothing else
		// A letter alone says nothing in a module.
		{"modules", "a c client", "client"},
		{"modules", "x is", "is-"},
	} {
		q := Read(c.query, readings[c.corpus])
		var got []string
		for _, w := range q.Words {
			s := w.Text
			if w.Stop {
				s += "-"
			}
			if w.Name {
				s += "*"
			}
			if len(w.Terms) > 1 {
				s += "=" + strings.Join(w.Terms, ",")
			}
			got = append(got, s)
		}
		if got := strings.Join(got, " "); !strings.EqualFold(got, c.want) {
			t.Errorf("Read(%q) for %s = %s, want %s", c.query, c.corpus, got, c.want)
		}
	}
}

func TestContent(t *testing.T) {
	for query, want := range map[string]string{"how to use a valve": "valve", "how to": "how to", "": ""} {
		q := Read(query, readings["docs"])
		var got []string
		for _, w := range q.Content() {
			got = append(got, w.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("Content of %q = %q, want %q", query, got, want)
		}
	}
}

func TestReadLimits(t *testing.T) {
	by := Reading{Analyser: text.Prose(), Bytes: 8, Words: 2}
	for query, want := range map[string]int{"aa bb cc": 2, "aaaaaaa bb": 1, strings.Repeat("ä", 100): 1} {
		if q := Read(query, by); len(q.Words) != want || len(q.Text) > 8 || !utf8.ValidString(q.Text) {
			t.Errorf("Read(%q) = %+v, want %d words", query, q, want)
		}
	}
}

func TestQueryNames(t *testing.T) {
	for query, want := range map[string]string{
		"what does res.sendFile do":           "res.sendFile",
		"run with --watch":                    "--watch",
		"std::vector or `go`?":                "std::vector",
		"the `map` type, useEffect()":         "map useEffect",
		"@Component and $scope":               "@Component $scope",
		"version 1.2 of HTTP":                 "",
		"Timer#start, issue #12 of a#1 in C#": "Timer#start",
		"foo.bar foo.bar":                     "foo.bar",
		"Plain words with a Capital":          "",
		"aB aC aD aE aF aG":                   "", // too short for a name
		"aaB aaC aaD aaE aaF aaG aaH aaI":     "aaB aaC aaD aaE aaF aaG aaH aaI",
		"a_1 a_2 a_3 a_4 a_5 a_6 a_7 a_8 a_9": "a_1 a_2 a_3 a_4 a_5 a_6 a_7 a_8",
	} {
		q := Read(query, readings["docs"])
		if got := strings.Join(q.Names(), " "); got != want {
			t.Errorf("Names of %q = %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]bool{"res.sendFile": true, "how do I use --watch": true, "watch files": false, "--watch files": false, "": false} {
		q := Read(query, readings["docs"])
		if got := q.OnlyNames(q.Names()); got != want {
			t.Errorf("OnlyNames of %q = %t", query, got)
		}
	}
}

func TestQuoted(t *testing.T) {
	for query, want := range map[string][]string{
		`the "Exact words" and ` + "`a_name`": {"exact words", "a_name"},
		"„Größe“ «deux mots» 「三つ」 “four”":     {"große", "deux mots", "三つ", "four"},
		`"x" and ""`:                nil,
		strings.Repeat(`"ab" `, 20): slices.Repeat([]string{"ab"}, maxQuotes),
	} {
		q := Read(query, readings["memory"])
		if got := q.Quoted(); !slices.Equal(got, want) {
			t.Errorf("Quoted of %q = %q, want %q", query, got, want)
		}
	}
}

func TestTermSet(t *testing.T) {
	s := Terms{Max: 2}
	for i, c := range []struct {
		term   string
		weight float32
		want   int
	}{{"a", .5, 0}, {"b", 1, 1}, {"a", .75, 0}, {"a", .25, 0}, {"c", 1, -1}, {"", 1, -1}} {
		if got := s.Add(c.term, c.weight); got != c.want {
			t.Errorf("%d: Add(%q) = %d, want %d", i, c.term, got, c.want)
		}
	}
	if want := []corpus.Term{{Text: "a", Weight: .75}, {Text: "b", Weight: 1}}; !slices.Equal(s.List, want) {
		t.Errorf("%v, want %v", s.List, want)
	}
	any := Terms{}
	for i := range 100 {
		any.Add(fmt.Sprint("t", i), 1)
	}
	if len(any.List) != 100 {
		t.Errorf("%d terms", len(any.List))
	}
}

// FuzzRead holds every corpus to what it relies on: words with terms, in the order of the
// query, and content wherever there are words.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"how does getURL work", "認証の設定", "a \xff b", "`--x` “y z”", "Will. Will", "_", "ﾞ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		for name, by := range readings {
			q := Read(query, by)
			if !utf8.ValidString(q.Text) || len(q.Words) > 0 && len(q.Content()) == 0 || by.Words > 0 && len(q.Words) > by.Words {
				t.Fatalf("%s: Read(%q) = %+v", name, query, q)
			}
			for _, w := range q.Words {
				if len(w.Terms) == 0 || slices.Contains(w.Terms, "") || !strings.Contains(q.Text, w.Text) {
					t.Fatalf("%s: Read(%q) has %+v", name, query, w)
				}
			}
			for _, n := range append(q.Names(), q.Quoted()...) {
				if !utf8.ValidString(n) {
					t.Fatalf("%s: %q of %q", name, n, query)
				}
			}
			q.OnlyNames(q.Names())
		}
	})
}
