package vault

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"

	"github.com/assay-dev/assay/internal/base/lazy/lazytest"
)

var update = flag.Bool("update", false, "rewrite what is generated")

func counter(t testing.TB) func(string) int {
	enc, err := tokenizer.Get(tokenizer.Cl100kBase)
	if err != nil {
		t.Fatal(err)
	}
	return func(s string) int {
		n, err := enc.Count(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// What the table says is so: of all words and letters of the encoding it has those
// that cost no more than package memory counts for them.
func TestTokenTable(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("it asks for each token of the encoding")
	}
	enc, err := tokenizer.Get(tokenizer.Cl100kBase)
	if err != nil {
		t.Fatal(err)
	}
	count := counter(t)
	shape := regexp.MustCompile(`^ [a-z]{2,}$`)
	var words []string
	var runes []rune
	for id := range uint(100256) {
		s, err := enc.Decode([]uint{id})
		if err != nil {
			continue
		}
		if r, n := utf8.DecodeRuneInString(s); n == len(s) && r >= utf8.RuneSelf && r != utf8.RuneError && unicode.IsLetter(r) {
			runes = append(runes, r)
		}
		if !shape.MatchString(s) {
			continue
		}
		w := s[1:]
		title := strings.ToUpper(w[:1]) + w[1:]
		if max(count(w), count(" "+title)) <= 2 && count(title) <= 3 && count("("+w) <= 3 && count("_"+w) <= 3 && count("/"+title) <= 4 {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	slices.Sort(runes)
	got := strings.Join(words, "\n") + "\n\n" + string(runes) + "\n"
	if *update {
		if err := os.WriteFile("cl100k.txt", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != known() {
		t.Error("cl100k.txt is not what the encoding says: go test ./internal/memory/vault -run TokenTable -update")
	}
	lazytest.Packed(t, "cl100k.txt", "cl100k.pack", known, *update)
}

// Of no text are there more tokens than Tokens says, and of prose not many fewer.
func TestTokens(t *testing.T) {
	count := counter(t)
	check := func(name, s string) (have, most int) {
		have, most = count(strings.ToValidUTF8(s, "\uFFFD")), Tokens(s)
		if most < have {
			t.Errorf("%s: Tokens = %d, the encoding counts %d: %.80q", name, most, have, s)
		}
		return have, most
	}
	var files []string
	for _, p := range []string{"*.go", "../../*.md", "../../eval/*/testdata/notes/*.md", "../../eval/memory/testdata/*", "../../eval/*/*.md"} {
		more, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	all, most := 0, 0
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // a folder
		}
		h, m := check(f, string(b))
		if strings.HasSuffix(f, ".md") {
			all += h
			most += m
		}
		for line := range strings.Lines(string(b)) {
			check(f, line)
		}
	}
	if most > all*3/2 {
		t.Errorf("Tokens says %d of Markdown that has %d", most, all)
	}
	t.Logf("Markdown: %d tokens, at most %d", all, most)
	for _, s := range odd {
		check("odd", s)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		check("random", gibberish(rng))
	}
}

var odd = []string{"", " ", "\n\n\n", "    x", "\t\tx\n", "'S 'LL don't DON'T", "ⅷ²³½ 12345678", "🙂🙃👩‍👩‍👧", "日本語のテキストです。設定を変更した。", "Zürich Straße überprüfen Datenbankverbindungen",
	"<|endoftext|>", "aGVsbG8gd29ybGQgdGhpcyBpcyBiYXNlNjQ=", "getUserNameFromHTTPRequest_v2", "----------------", "| a | b |\n|---|---|", "\xff\xfe", "한국어 문장입니다", "Привет, мир", "สวัสดี", "नमस्ते",
	"  \n  \n\t\n x", "0\x00\x00", "\n \x1600", "\u00a0\u00a0x\u2003y", "ʻŌlelo ﬁ ﷺ", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢"}

// gibberish returns a text of a kind that no language has.
func gibberish(rng *rand.Rand) string {
	alphabets := []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "qxzjvkw", "aeioubcdfg ", "0123456789abcdef", "-_=+.,:;!?#*/\\|<>(){}[]'\"`~ \n\t ",
		"éèüöäßñçàêî abc", "のをはにがとでた設定変更確認日本語開発環境", "абвгдежзийклмн опрст", "🙂🚀✅❌→★ a"}
	a := []rune(alphabets[rng.IntN(len(alphabets))])
	var b strings.Builder
	for range 1 + rng.IntN(120) {
		b.WriteRune(a[rng.IntN(len(a))])
	}
	return b.String()
}

// Signs that are repeated, alone and after what they may be one token with.
func TestTokensOfRuns(t *testing.T) {
	count := counter(t)
	for c := '!'; c <= '~'; c++ {
		for n := range 24 {
			for _, before := range []string{"", " ", "x ", "] ", "."} {
				s := before + strings.Repeat(string(c), n)
				if have, most := count(s), Tokens(s); most < have {
					t.Errorf("Tokens(%q) = %d, the encoding counts %d", s, most, have)
				}
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range odd {
		f.Add(s)
	}
	count := counter(f)
	f.Fuzz(func(t *testing.T, s string) {
		if have, most := count(strings.ToValidUTF8(s, "\uFFFD")), Tokens(s); most < have {
			t.Errorf("Tokens(%q) = %d, the encoding counts %d", s, most, have)
		}
	})
}
