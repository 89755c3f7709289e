package text

import (
	"slices"
	"strings"
	"testing"
)

// The same word as each corpus has it.
func TestAnalysers(t *testing.T) {
	for word, want := range map[string][3]string{ // in code, in prose, as forms
		"routing":     {"rout", "rout", "routing"},
		"Validation":  {"validat", "valid", "validation"},
		"ÜberGröße":   {"übergröße über größ", "ubergroße uber große", "ubergroße uber große"},
		"Dvořák":      {"dvořák", "dvorak", "dvorak"},
		"cafe\u0301s": {"cafe\u0301", "cafe", "cafes"},
		"useEffect_2": {"useeffect2 use effect", "useeffect2 us effect", "useeffect2 use effect"},
		"HTTPServers": {"httpservers http serv", "httpservers http server", "httpservers http servers"},
		"x_é":         {"xé", "xe", "xe"},
		"E\u0301COLE": {"e\u0301col", "ecol", "ecole"},
	} {
		for i, a := range []*Analyser{Code(), Prose(), Forms()} {
			if got := a.Terms(nil, []byte(word)); !slices.Equal(got, strings.Fields(want[i])) {
				t.Errorf("analyser %d has %q of %q, want %q", i, got, word, want[i])
			}
		}
	}
}

func TestFold(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "plain": "plain", "A_b": "a_b", "ÀÉÎÕÜÇ Ñ": "aeiouc n", "Škoda, Łódź": "skoda, lodz", "ß": "ß", "ЖЯ": "жя", "e\u0301\u0327": "e", "a\u0300\u036f": "a", "Åse Ø": "ase o", "ÿ": "y",
	} {
		if got := Fold(s); got != want {
			t.Errorf("Fold(%q) = %q, want %q", s, got, want)
		}
	}
}

// What one kind of question is not about, another is.
func TestStopOf(t *testing.T) {
	for _, c := range []struct {
		of   *Analyser
		word string
		want bool
	}{
		{Code(), "the", true}, {Code(), "The", true}, {Code(), "function", true}, {Code(), "method", false}, {Code(), "methods", false}, {Code(), "example", false}, {Code(), "implementation", true}, {Code(), "implementations", false},
		{Prose(), "THE", true}, {Prose(), "function", false}, {Prose(), "Examples", true}, {Prose(), "", false},
		{Modules(), "function", false}, {Modules(), "files", false}, {Modules(), "implementation", true}, {Modules(), "with", true},
		{Forms(), "the", false},
	} {
		if got := c.of.Stop([]byte(c.word)); got != c.want {
			t.Errorf("%q is a stop word: %v", c.word, got)
		}
	}
	for _, a := range []*Analyser{Code(), Prose(), Modules()} {
		for w := range a.stops.ready().words {
			if !a.Stop([]byte(strings.ToUpper(w))) {
				t.Errorf("%q, in capitals, is no stop word", w)
			}
		}
	}
}

func TestGrammar(t *testing.T) {
	for question, want := range map[string]int{"": 0, "deploy kubernetes": 0, "where is the door": 0, "wo ist der schlussel": German, "ou sont les clefs": 2, "donde estan las llaves": 3,
		"dove sono le chiavi": 4, "onde foi que ele deixou": 5, "waar is de sleutel": 6} {
		if got := Language(strings.Fields(question)); got != want {
			t.Errorf("%q is of language %d, want %d", question, got, want)
		}
	}
	for _, c := range []struct {
		language int
		word     string
		want     bool
	}{{0, "the", true}, {0, "remember", true}, {0, "war", false}, {German, "war", true}, {German, "the", false}, {0, "です", true}, {0, "ひらが", false}, {0, "検索", false}, {0, "", false}} {
		if got := Grammar(c.language, c.word); got != c.want {
			t.Errorf("%q is grammar in language %d: %v", c.word, c.language, got)
		}
	}
}

func TestPrefixes(t *testing.T) {
	var p Prefixes
	for _, term := range []string{"deploi", "x", "go", "größe", "日本"} {
		p.Add(term)
	}
	for word, want := range map[string]bool{"deploy": true, "Deployments": true, "depth": true, "x11": true, "xyz": true, "golang": true, "GROß": true, "été": true, "日本": true,
		"test": false, "do": false, "deal": false, "gamma": false, "a": true} {
		if got := p.May([]byte(word)); got != want {
			t.Errorf("%q may be wanted: %v", word, got)
		}
	}
}

// Of a word of two letters no third is known.
func TestPrefixesOfTwo(t *testing.T) {
	var p Prefixes
	p.Add("deploy")
	for word, want := range map[string]bool{"de": true, "DE": true, "da": false, "d1": true, "de1": true, "dep": true, "des": false, "": true} {
		if got := p.May([]byte(word)); got != want {
			t.Errorf("%q may be wanted: %v", word, got)
		}
	}
	for word, want := range map[string]bool{"reDeploy": true, "redeploy": false, "re_deploy": true, "x2deploy": true, "日deploy": true, "toString": false, "DEPLoyed": true, "ADeploy": true} {
		if got := p.MayPart([]byte(word)); got != want {
			t.Errorf("a part of %q may be wanted: %v", word, got)
		}
	}
}

func TestCompound(t *testing.T) {
	for word, want := range map[string]bool{"word": false, "Word": false, "woRd": true, "WORD": true, "word2": true, "snake_case": true, "größe": true, "W": false, "2": true, "": false} {
		if got := Compound([]byte(word)); got != want {
			t.Errorf("Compound(%q) = %v", word, got)
		}
	}
}

func TestDense(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc é": 0, "中文 ab": 2, "한국어": 3, "カナひら": 4, "ー々": 2, "русский": 0} {
		if got := Dense(s); got != want {
			t.Errorf("Dense(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestVocabulary(t *testing.T) {
	made := 0
	v := NewVocabulary(func(w []byte) string { made++; return string(w) + "!" })
	for range 2 {
		if v.ResultFor([]byte("a")) != "a!" || v.OfString("a") != "a!" || v.OfString("b") != "b!" {
			t.Fatal("another word")
		}
	}
	if made != 2 {
		t.Errorf("two words were made %d times", made)
	}
	for i := range 2 * mostWords {
		v.OfString(string(rune(i)))
	}
	if len(v.known) > mostWords+1 {
		t.Errorf("%d words are remembered", len(v.known))
	}
}

func TestPorter(t *testing.T) {
	// The examples of the paper.
	for in, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "cats": "cat", "feed": "feed", "plastered": "plaster", "bled": "bled",
		"motoring": "motor", "sing": "sing", "conflated": "conflat", "troubled": "troubl", "sized": "size", "hopping": "hop", "tanned": "tan",
		"falling": "fall", "hissing": "hiss", "fizzed": "fizz", "failing": "fail", "filing": "file", "happy": "happi", "sky": "sky",
		"relational": "relat", "conditional": "condit", "rational": "ration", "vietnamization": "vietnam", "operator": "oper", "feudalism": "feudal",
		"decisiveness": "decis", "hopefulness": "hope", "triplicate": "triplic", "formalize": "formal", "electrical": "electr", "goodness": "good",
		"revival": "reviv", "allowance": "allow", "adjustable": "adjust", "replacement": "replac", "adoption": "adopt", "effective": "effect",
		"probate": "probat", "rate": "rate", "cease": "ceas", "roll": "roll", "as": "as", "x86": "x86", "größe": "größe",
	} {
		if got := English(in); got != want {
			t.Errorf("Porter(%q) = %q, want %q", in, got, want)
		}
	}
}
