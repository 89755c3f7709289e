package text

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

func words(s string) (out []string) {
	Words([]byte(s), func(w []byte) { out = append(out, string(w)) })
	return out
}

func terms(word string) []string { return Code().Terms(nil, []byte(word)) }

func TestWords(t *testing.T) {
	long := strings.Repeat("x", maxWord)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  .,;!-", ""},
		{"foo.bar(baz_qux, 42)", "foo bar baz_qux 42"},
		{"snake_case CamelCase", "snake_case CamelCase"},
		{"__init__ _ __ _x", "__init__ _x"},
		{"a-b c++ C#", "a b c C"},
		{long + " " + long + "x y", long + " y"},
		// Marks belong to the letter before them, wherever they are written.
		{"Straße naïve cafe\u0301", "Straße naïve cafe\u0301"},
		{"\u0301x \u0301 y", "x y"},
		{"हिन्दी", "हिन्दी"},
		// Emoji carry marks that are no words.
		{"❤\ufe0f love 1\ufe0f\u20e3", "love 1"},
		{"한국어 텍스트", "한국어 텍스트"},
		{"日", "日"},
		{"全文検索", "全文 文検 検索"},
		{"コード検索", "コー ード ド検 検索"},
		{"佐々木さん", "佐々 々木 木さ さん"},
		{"ﾃﾞｰﾀ", "ﾃﾞ ﾞｰ ｰﾀ"},
		{"か\u3099く", "か\u3099 \u3099く"},
		{"ひらがな・カタカナ", "ひら らが がな カタ タカ カナ"},
		{"Goで書く_x", "Go で書 書く _x"},
		{"日\xff本 \xc3\x28 a\x80b", "日 本 a b"},
	} {
		if got := words(c.text); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("Words(%q) = %q, want %q", c.text, got, strings.Fields(c.want))
		}
	}
}

func TestTerms(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"", ""},
		{"_", ""},
		{"word", "word"},
		{"WORD", "word"},
		{"queries", "query"},
		{"getURL", "geturl get url"},
		{"HTTPServer", "httpserver http serv"},
		{"parse_file2go", "parsefile2go pars fil go"},
		{"__init__", "init"},
		{"utf8", "utf8 utf"},
		{"x_y", "xy"},
		{"map_maps", "mapmaps map map"},
		{"ÜberGröße", "übergröße über größ"},
		{"12\u0301", "12\u0301"},
		{"ÜBER", "über"},
		{"getÜber", "getüber get über"},
		{"МояФункция", "мояфункция моя функция"},
		{"ab_\u0301cd", "ab\u0301cd ab cd"},
		{"ΣΊΣΥΦΟΣ", "σίσυφοσ"},
		{"検索", "検索"},
		{"全文_x1", "全文x1 全文"},
	} {
		got := terms(c.word)
		// How words are stemmed is TestStem's matter.
		want := strings.Fields(c.want)
		if len(got) != len(want) || len(got) > 0 && got[0] != want[0] && Stem(want[0]) != got[0] {
			t.Errorf("Terms(%q) = %q, want %q", c.word, got, want)
			continue
		}
		for i := range got {
			if i > 0 && got[i] != want[i] && got[i] != Stem(want[i]) {
				t.Errorf("Terms(%q) = %q, want %q", c.word, got, want)
			}
		}
	}
}

// What a question asks in one form meets what a document says in another.
func TestStemMeets(t *testing.T) {
	for _, group := range []string{
		"route routes routed routing",
		"map maps mapped mapping",
		"query queries queried",
		"class classes",
		"process processes processed processing",
		"match matches matched matching",
		"cache caches cached caching",
		"index indexes indexed indexing",
		"test tests tested testing",
		"stop stops stopped stopping",
		"run runs running",
		"call calls called calling",
		"try tries tried",
		"file files",
		"box boxes",
		"status statuses",
		"dependency dependencies",
		"add adds added adding",
		"need needs needed",
	} {
		forms := strings.Fields(group)
		for _, f := range forms {
			if a, b := Stem(forms[0]), Stem(f); a != b {
				t.Errorf("%q stems to %q and %q to %q: they do not meet", forms[0], a, f, b)
			}
		}
	}
}

// The stems themselves: where an ending is cut, and how much has to be left.
func TestStems(t *testing.T) {
	for word, want := range map[string]string{
		"tokenization": "tokeniz", "tokenisation": "tokenis", "ionization": "ioniz", "ionisation": "ionis", "creation": "creat", "ization": "ization", "abization": "abizat", "validation": "validat", "nation": "nation", "ablation": "ablat",
		"addition": "addit", "solution": "solut", "action": "action", "section": "sect", "reaction": "react", "option": "option", "adoption": "adopt", "session": "sess", "mission": "miss",
		"router": "rout", "parser": "pars", "mapper": "map", "editor": "edit", "user": "user", "actor": "actor", "owner": "owner", "filter": "filt", "doer": "doer",
		"string": "string", "being": "being", "going": "going", "using": "using", "coding": "cod", "tied": "tied", "tried": "try", "used": "used", "shoed": "sho", "need": "need", "freed": "freed",
		"ties": "tie", "dies": "die", "lies": "lie", "buses": "bus", "axes": "ax", "pushes": "push", "sizes": "siz", "glasses": "glass", "analysis": "analysis", "bus": "bus", "pass": "pass", "has": "has",
		"adding": "add", "rubbed": "rub", "begged": "beg", "humming": "hum", "stirred": "stir", "fitted": "fit", "calling": "call", "passed": "pass", "egged": "egg", "table": "tabl", "tree": "tre", "use": "use",
	} {
		if got := Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestStemKeepsApart(t *testing.T) {
	for _, pair := range []string{
		"string str", "thing th", "king k", "class clas", "bus bu", "gas ga", "this thi", "status statu",
		"red r", "bed b", "need ne", "feed fe", "id i", "js j", "import port", "pass pas", "hash has",
	} {
		a, b, _ := strings.Cut(pair, " ")
		if x, y := Stem(a), Stem(b); x == y {
			t.Errorf("%q and %q both stem to %q", a, b, x)
		}
	}
	for _, w := range []string{"", "a", "as", "is", "css", "x86", "1s", "größe日", "日本s日"} {
		if got := Stem(w); got != w {
			t.Errorf("Stem(%q) = %q, want it unchanged", w, got)
		}
	}
}

func TestStop(t *testing.T) {
	for _, w := range []string{"the", "how", "where"} {
		if !Stop(w) {
			t.Errorf("Stop(%q) = false", w)
		}
	}
	for _, w := range []string{"", "The", "parser", "token", "error"} {
		if Stop(w) {
			t.Errorf("Stop(%q) = true", w)
		}
	}
}

func TestTokens(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 344: 100, 3440: 1000} {
		if got := Tokens(n); got != want {
			t.Errorf("Tokens(%d) = %d, want %d", n, got, want)
		}
	}
}

// offset returns where in b the slice w of it begins.
func offset(b, w []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(w))) - uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "foo_bar Baz", "コード検索 Goで", "❤\ufe0fx\u0301", "\xff日\xe6\x97", "naïve Straße ไทย", strings.Repeat("ab", 40)} {
		f.Add([]byte(s), []byte("x 検索"))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		last, end := -1, 0
		var alone []string
		Words(a, func(w []byte) {
			at := offset(a, w)
			if at <= last || at < 0 || at+len(w) > len(a) {
				t.Fatalf("Words(%q) yields %q at %d after one at %d", a, w, at, last)
			}
			if first, _ := utf8.DecodeRune(w); at < end && !pairs(first) {
				t.Fatalf("Words(%q) yields %q, which overlaps the word before it", a, w)
			}
			if len(w) > maxWord || !utf8.Valid(w) {
				t.Fatalf("Words(%q) yields %q: too long or not UTF-8", a, w)
			}
			if !bytes.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || pairs(r) }) {
				t.Fatalf("Words(%q) yields %q, in which there is no letter or digit", a, w)
			}
			last, end = at, at+len(w)
			alone = append(alone, string(w))
		})
		// A word depends on nothing beyond the blanks around it.
		both := words(string(a) + " " + string(b))
		if want := append(alone, words(string(b))...); !slices.Equal(both, want) {
			t.Fatalf("Words(%q + blank + %q) = %q, want %q", a, b, both, want)
		}
	})
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "fooBar", "HTTPServer2", "__x__", "İSTANBUL", "日本", "a\xffB", "ies", "sses", "ÀÉ", "ǅ", strings.Repeat("aB1", 30)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, word []byte) {
		before := bytes.Clone(word)
		for _, a := range []*Analyser{Code(), Prose(), Modules(), Forms()} {
			got := a.Terms([]string{"kept"}, word)
			if !bytes.Equal(word, before) || got[0] != "kept" {
				t.Fatalf("Terms(%q) changed what it was given", before)
			}
			if slices.Contains(got, "") {
				t.Fatalf("Terms(%q) has an empty term: %q", word, got[1:])
			}
			a.Stop(word)
		}
		// What a word has no beginning of, its terms have not.
		Words(before, func(w []byte) {
			for _, a := range []*Analyser{Code(), Prose(), Forms()} {
				got := a.Terms(nil, w)
				if len(got) == 0 {
					t.Fatalf("%q has no terms", w)
				}
				for i, term := range got {
					var p Prefixes
					p.Add(term)
					if i == 0 && !p.May(w) || !p.MayPart(w) {
						t.Fatalf("%q is passed over, though %q is wanted", w, term)
					}
				}
			}
		})
	})
}

// An index stores terms, and a question is made of them: a term stands for
// itself, fits the dictionary and is a word again.
func FuzzTermsOfWords(f *testing.F) {
	f.Add("The quickBrown_fox2 jumps; 検索エンジン Straße İX ΣΑΣ a\u0301b ǅ ﬁn K\u212a")
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range words(s) {
			for _, x := range terms(w) {
				if len(x) > 255 || !utf8.ValidString(x) {
					t.Fatalf("Terms(%q) has %q", w, x)
				}
				if len(x) > maxWord {
					continue // some letters grow when they are folded
				}
				if got := words(x); !slices.Equal(got, []string{x}) {
					t.Fatalf("Terms(%q) has %q, which as text is %q", w, x, got)
				}
			}
		}
	})
}

func FuzzStem(f *testing.F) {
	for _, s := range []string{"", "s", "ies", "xies", "ied", "sing", "mappings", "ed", "eed", "ééés"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		word := string(bytes.ToLower(raw))
		got := Stem(word)
		if len(got) > len(word) || len(word) > 0 && len(got) == 0 {
			t.Fatalf("Stem(%q) = %q", word, got)
		}
		if n := len(got) - 1; n > 0 && got[:n] != word[:n] {
			t.Fatalf("Stem(%q) = %q: more than its ending changed", word, got)
		}
	})
}

func TestIdentifier(t *testing.T) {
	for s, want := range map[string]bool{"a": true, "_": true, "aB_9": true, "_1": true, "": false, "1a": false, "a-b": false, "a.b": false, "größe": false, "a b": false} {
		if Identifier(s) != want {
			t.Errorf("Identifier(%q) = %t", s, !want)
		}
	}
}
