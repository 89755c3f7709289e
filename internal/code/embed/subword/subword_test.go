package subword

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// names are the tokenizers that testdata/make.mjs wrote.
func names() []string {
	return []string{"bert", "potion", "bytes", "qwen", "suffix", "sentence", "words"}
}

// TestReference holds the pieces to those of the reference, which testdata/make.mjs
// asked.
func TestReference(t *testing.T) {
	var all []struct {
		Text string
		IDs  map[string][]uint32
	}
	if err := json.Unmarshal(read(t, "ids.json"), &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range names() {
		tok, err := Read(read(t, name+".json"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, tt := range all {
			if got := tok.IDs(nil, tt.Text); !slices.Equal(got, tt.IDs[name]) {
				t.Errorf("%s: IDs(%q) = %v, want %v", name, tt.Text, got, tt.IDs[name])
			}
		}
	}
	if len(all) < 20 {
		t.Errorf("%d texts", len(all))
	}
}

func tokenizer(model, rest string) string { return `{"model":` + model + rest + `}` }

const small = `{"type":"WordPiece","unk_token":"?","vocab":{"?":0,"a":1,"bcd":2,"##e":3}}`

func TestRead(t *testing.T) {
	tok, err := Read([]byte(tokenizer(small, `,"added_tokens":[{"id":9,"content":"<pad>"}]`)))
	if err != nil {
		t.Fatal(err)
	}
	unknown, ok := tok.Unknown()
	if tok.Size() != 10 || tok.Median() != 3 || unknown != 0 || !ok {
		t.Errorf("size %d, median %d, unknown %d, %v; want 10, 3, 0, true", tok.Size(), tok.Median(), unknown, ok)
	}
	if got := tok.IDs(nil, "<pad>"); !slices.Equal(got, []uint32{9}) {
		t.Errorf("an added token: %v", got)
	}
	for _, tt := range []struct{ name, file, says string }{
		{"nothing", ``, "not a tokenizer.json"},
		{"a list", `[]`, "not a tokenizer.json"},
		{"no model", `{}`, "is not supported"},
		{"a model of another kind", tokenizer(`{"type":"Magic"}`, ""), `"Magic" is not supported; WordPiece`},
		{"no words", tokenizer(`{"type":"WordPiece","vocab":{}}`, ""), "no vocabulary"},
		{"a number below zero", tokenizer(`{"type":"WordPiece","vocab":{"a":-1}}`, ""), "-1"},
		{"a large number", tokenizer(`{"type":"WordPiece","vocab":{"a":16777216}}`, ""), "16777215 is the largest"},
		{"long words", tokenizer(`{"type":"WordPiece","vocab":{"a":1},"max_input_chars_per_word":1000000}`, ""), "too long"},
		{"a score is missing", tokenizer(`{"type":"Unigram","vocab":[["a"]]}`, ""), "not a word and its score"},
		{"an unknown that is none", tokenizer(`{"type":"Unigram","vocab":[["a",0]],"unk_id":1}`, ""), "unk_id is 1"},
		{"a merge of none", tokenizer(`{"type":"BPE","vocab":{"a":0},"merges":["a b"]}`, ""), "not in the vocabulary"},
		{"a merge of three", tokenizer(`{"type":"BPE","vocab":{"a":0},"merges":[["a","a","a"]]}`, ""), "a merge of 3"},
		{"normalizer", tokenizer(small, `,"normalizer":{"type":"Magic"}`), `normalizer: the type "Magic"`},
		{"pre-tokenizer", tokenizer(small, `,"pre_tokenizer":{"type":"Magic"}`), `pre_tokenizer: the type "Magic"`},
		{"behavior", tokenizer(small, `,"pre_tokenizer":{"type":"Split","pattern":{"String":"x"},"behavior":"Magic"}`), `"Magic"`},
		{"pattern", tokenizer(small, `,"pre_tokenizer":{"type":"Split","behavior":"Removed"}`), "a pattern is missing"},
		{"look-behind", tokenizer(small, `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(?<=a)b"},"behavior":"Removed"}`), "is not supported"},
		{"charsmap", tokenizer(small, `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="}`), "cut"},
		{"charsmap of no size", tokenizer(small, `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAAAAA=="}`), "cut"},
	} {
		if _, err := Read([]byte(tt.file)); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: Read: %v, want %q", tt.name, err, tt.says)
		}
	}
}

func TestTruncation(t *testing.T) {
	for direction, want := range map[string][]uint32{"Right": {1, 2}, "Left": {1, 0}} {
		tok, err := Read([]byte(tokenizer(small, `,"pre_tokenizer":{"type":"WhitespaceSplit"},"truncation":{"max_length":2,"direction":"`+direction+`"}`)))
		if err != nil {
			t.Fatal(err)
		}
		if got := tok.IDs([]uint32{7}, "a bcd a x"); !slices.Equal(got, append([]uint32{7}, want...)) {
			t.Errorf("%s: %v, want %v behind what was there", direction, got, want)
		}
	}
}

// A file whose every rule makes the text longer costs no more than others.
func TestGrowth(t *testing.T) {
	grow := `{"type":"Replace","pattern":{"String":"a"},"content":"aaaaaaaaaaaaaaaa"}`
	tok, err := Read([]byte(tokenizer(small, `,"normalizer":{"type":"Sequence","normalizers":[`+strings.Repeat(grow+",", 20)+grow+`]}`)))
	if err != nil {
		t.Fatal(err)
	}
	if got := tok.IDs(nil, "a"); len(got) != 1 {
		t.Errorf("%d pieces", len(got))
	}
}

// An unknown character costs more than any piece.
func TestUnknown(t *testing.T) {
	tok, err := Read([]byte(tokenizer(`{"type":"Unigram","unk_id":0,"vocab":[["?",0],["xa",-8],["b",-1],["ab",-1]]}`, "")))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]uint32{"xab": {1, 2}, "xyzab": {0, 3}, "bx": {2, 0}} {
		if got := tok.IDs(nil, text); !slices.Equal(got, want) {
			t.Errorf("IDs(%q) = %v, want %v", text, got, want)
		}
	}
}

// prefixes against a slow twin.
func TestPrefixes(t *testing.T) {
	words := map[string]uint32{"": 9, "a": 0, "ab": 1, "abc": 2, "b": 3, "\xff": 4, "\xff\xff": 5, "ac": 6, "abcdef": 7}
	tab := newTable(words)
	for _, s := range []string{"", "a", "abcdefg", "abcx", "ad", "b", "\xff\xff\xff", "\xfea", "x"} {
		var want, got []uint32
		for n := 1; n <= len(s); n++ {
			if id, ok := words[s[:n]]; ok {
				want = append(want, id)
			}
		}
		tab.prefixes(s, func(n int, id uint32) {
			if words[s[:n]] != id {
				t.Errorf("prefixes(%q): %d of length %d", s, id, n)
			}
			got = append(got, id)
		})
		if !slices.Equal(got, want) {
			t.Errorf("prefixes(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestForms(t *testing.T) {
	f, err := readForms()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ in, nfd, nfc, nfkd, nfkc string }{
		{"é", "e\u0301", "é", "e\u0301", "é"},
		{"ﬁ", "ﬁ", "ﬁ", "fi", "fi"},
		{"각", "\u1100\u1161\u11a8", "각", "\u1100\u1161\u11a8", "각"},
		{"Å", "A\u030a", "Å", "A\u030a", "Å"},
		{"a\u0308\u0323", "a\u0323\u0308", "ạ\u0308", "a\u0323\u0308", "ạ\u0308"},
		{"\u0958", "\u0915\u093c", "\u0915\u093c", "\u0915\u093c", "\u0915\u093c"}, // is never composed again
		{"ǆ", "ǆ", "ǆ", "dz\u030c", "dž"},
		{"\u0301a", "\u0301a", "\u0301a", "\u0301a", "\u0301a"},
		{"plain", "plain", "plain", "plain", "plain"},
	} {
		got := []string{f.normal(tt.in, false, false), f.normal(tt.in, true, false), f.normal(tt.in, false, true), f.normal(tt.in, true, true)}
		if want := []string{tt.nfd, tt.nfc, tt.nfkd, tt.nfkc}; !slices.Equal(got, want) {
			t.Errorf("the forms of %+q are %+q, want %+q", tt.in, got, want)
		}
	}
	for _, bad := range []string{"E9=", "x=1", "1=x", "E9", "9 1", "300 1-2", "9 2-1", "9 0-FFFFF"} {
		if _, err := parseForms(bad); err == nil {
			t.Errorf("parseForms(%q): no error", bad)
		}
	}
}

// FuzzForms holds that composing and decomposing undo each other.
func FuzzForms(f *testing.F) {
	f.Add("e\u0301 각 a\u0308\u0323 \u0958")
	fs, err := readForms()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		for _, like := range []bool{false, true} {
			d, c := fs.normal(s, false, like), fs.normal(s, true, like)
			if fs.normal(c, false, like) != d || fs.normal(d, true, like) != c || fs.normal(d, false, like) != d {
				t.Errorf("%+q: decomposed %+q, composed %+q", s, d, c)
			}
		}
	})
}

// FuzzRead is the package's promise: whatever the file and the text, there is an
// error or pieces with numbers below Size.
func FuzzRead(f *testing.F) {
	for _, name := range names() {
		f.Add(read(f, name+".json"), "Open the café: don't  re-read\n\n it! 日本")
	}
	f.Add([]byte(tokenizer(small, "")), "a bcde \xff")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if len(data) > 1<<16 || len(text) > 1<<10 {
			return
		}
		tok, err := Read(data)
		if err != nil {
			if !utf8.ValidString(err.Error()) && utf8.Valid(data) {
				t.Errorf("an error that is no text: %q", err)
			}
			return
		}
		got := tok.IDs(nil, text)
		for _, id := range got {
			if int(id) >= tok.Size() {
				t.Fatalf("a piece has the number %d of %d", id, tok.Size())
			}
		}
		if again := tok.IDs(nil, text); !slices.Equal(got, again) {
			t.Fatalf("%v, then %v", got, again)
		}
	})
}
