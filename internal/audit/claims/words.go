package claims

import (
	_ "embed" // of lists of words
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/text"
)

//go:embed generic.txt
var genericWords string

// generic are words that tell nothing of one program, because documents of all have them.
var generic = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(genericWords) {
		m[w] = true
		m[text.Stem(w)] = true
	}
	return m
})

// A word is one word of a feature with what may stand for it in code.
type word struct {
	term   string  // as the evidence has it
	weight float64 // before rarity
	code   bool    // it was written as code and must stand there as it is
}

var (
	spans  = lazy.Regexp("`([^`]+)`")
	camel  = lazy.Regexp(`\b([A-Za-z]+[a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|--[a-z][a-z0-9-]+|[A-Za-z_]\w*\(\))`)
	symbol = lazy.Regexp(`[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*`)
	noName = lazy.Regexp(`[\\^$|~"'@]|/|XXX|\b[A-Z]+\d*x{2,}\b|\.\.\.|\.(?:md|go|py|js|ts|rs|txt|json|ya?ml|toml|html?|sh|cfg|ini|conf|png|svg)\b`)
	target = lazy.Regexp(`https?://\S+|\S+/\S+/\S+\.\w{1,5}\b`)
	// A span of these is the type of something, or is for another program.
	notName = lazy.Regexp(`^(?i:\W*(?:function|func|fn|string|number|boolean|bool|object|array|map|list|any|void|null|nil|none|undefined|true|false|int\d*|uint\d*|float\d*|double|byte|char|symbol|promise|error|callback|mixed|buffer|regexp?|date|domrect|(?:html)?element|node|event|self|this)(?:\[\]|\?|<[^>]*>)*\W*)$|^:[A-Z]|^E[A-Z]{5,}$|^(?:\$ )?(?:npm|npx|yarn|pnpm|bun|pip3?|pipx|brew|apt|apt-get|cargo|docker|git|make|curl|wget|sudo|cd|export|go (?:get|install|run|build|test|mod))\s`)
)

// idioms are phrases whose words mean something else apart: code that signs has no sign-on. Each group is of the word of its place.
var (
	idioms     = lazy.Regexp(`(?i)\b(?:(single[\s-]sign[\s-]?(?:on|in))|(sign(?:s|ed|ing)?[\s-](?:in|on)|log[\s-]?ins?)|(sign(?:s|ed|ing)?[\s-]up)|((?:sign(?:s|ed|ing)?|log(?:s|ged|ging)?)[\s-]out)|((?:two|2|multi)[\s-]?factor)|(role[\s-]based(?:[\s-]access(?:[\s-]control)?)?))\b`)
	idiomWords = []string{"sso", "login", "signup", "logout", "mfa", "rbac"}
)

// findIdioms calls found with the word of each idiom of a text, and its place.
func findIdioms(text string, found func(word string, from, to int)) {
	for _, m := range idioms.FindAllStringSubmatchIndex(text, -1) {
		for i, word := range idiomWords {
			if m[2*i+2] >= 0 {
				found(word, m[0], m[1])
			}
		}
	}
}

// exact is the term of a name that was written as code.
func exact(name string) string { return "=" + name }

// fold returns the stem of a word of prose.
func fold(w string) string { return text.Stem(strings.ToLower(w)) }

// contentOf returns the stems of the words of a text that tell it from others.
func contentOf(s string) []string { return termsOf(wordsOf(s)) }

func termsOf(words []word) []string {
	return slice.Map(words, func(w word) string { return w.term })
}

// said returns the words of a feature.
func (f *Feature) said() []word {
	if f.words == nil {
		f.words = wordsOf(f.Text)
	}
	return f.words
}

// wordsOf returns the words of a feature, each once, the weightiest first seen.
func wordsOf(s string) []word {
	s = target.ReplaceAllString(s, " ")
	at := map[string]int{}
	var out []word
	by := weigh()
	add := func(w word) {
		if i, ok := at[w.term]; ok {
			out[i].weight = max(out[i].weight, w.weight)
			return
		}
		at[w.term] = len(out)
		out = append(out, w)
	}
	bare := spans.ReplaceAllString(s, " ")
	var replaced strings.Builder
	done := 0
	findIdioms(bare, func(word string, from, to int) {
		replaced.WriteString(bare[done:from] + word)
		done = to
	})
	bare = replaced.String() + bare[done:]
	names := append(spans.FindAllStringSubmatch(s, -1), camel.FindAllStringSubmatch(bare, -1)...)
	for i, m := range names {
		// A path, a pattern or a word of a shell is no name.
		if len(m[1]) > 80 || noName.MatchString(m[1]) || notName.MatchString(m[1]) {
			continue
		}
		command := strings.Contains(m[1], " ") && !strings.Contains(m[1], "(")
		// Of "pkg.Type.name(arg)" the name is what it is about.
		chain, rest := m[1], ""
		if k := strings.IndexAny(chain, "( ={["); k > 0 {
			chain, rest = chain[:k], chain[k:]
		}
		parts := symbol.FindAllString(chain, -1)
		for k, name := range append(parts, symbol.FindAllString(rest, 6)...) {
			name = strings.Trim(name, "_")
			if len(name) < 2 || text.Stop(name) {
				continue
			}
			w := by.code
			if i == 0 && k == len(parts)-1 && !command {
				w = by.name
			}
			add(word{exact(name), w, true})
		}
	}
	for _, w := range contentPlain(bare) {
		add(word{term: w, weight: 1})
	}
	return out
}

// contentPlain returns the stems of prose that are not generic.
func contentPlain(s string) []string {
	var out []string
	text.Words([]byte(s), func(b []byte) {
		w := strings.ToLower(string(b))
		if len(w) < 2 || strings.HasSuffix(w, "ly") && len(w) > 5 || generic()[w] || text.Stop(w) || w[0] >= '0' && w[0] <= '9' {
			return
		}
		stem := fold(w)
		if !generic()[stem] {
			out = append(out, stem)
		}
	})
	return out
}

//go:embed synonyms.txt
var synonymWords string

// synonyms are words that designs and code use for the same, by their stems.
var synonyms = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, group := range strings.Split(strings.TrimSpace(synonymWords), "\n") {
		words := strings.Fields(group)
		for _, w := range words {
			for _, o := range words {
				if o != w {
					m[fold(w)] = append(m[fold(w)], fold(o))
				}
			}
		}
	}
	return m
})
