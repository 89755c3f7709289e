package claims

import (
	"bytes"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// generic are words that tell nothing of one program: what documents say of all.
var generic = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
		able about above according across additional additionally after again all allow allows almost along already also although always among
		amount another any anything app application applications apply appropriate around available avoid aware away back based basic because
		become before begin behavior behaviour behind being below besides best better between beyond big blazing both box brief bring built
		call called calling can capable care case cases certain change clean clear code com come comes common commonly complete completely
		complex comprehensive concept consider consist consistent contain contains convenient cool correctly could course cover current
		currently custom customizable customize day deal default depend depending design designed desired detail details developer developers
		different difficult direct directly document documentation done each ease easier easily easy effective efficient efficiently effort
		either elegant else enable enables end enough ensure ensures entire equal especially essential etc even every everything exactly example
		examples existing expect experience express extensive extra fact familiar fast faster feature features few final find fine first
		flexible focus follow following follows friendly full fully further general generally get gets give given gives go goes golang good
		great guide hand happen hard have help helpful helps here high highly how however ideal implementation implement implements implemented important
		include included includes including independent information inside instead intended interesting internal involve itself javascript just keep
		kind know known language large later latest least left less let lets level library libraries lightweight like likely limited little
		long look lot low main mainly maintain make makes making many matter maybe mean means meant mention might minimal modern module more
		most much multiple must myself name named natural need needed needs never new next nice node normal note now number of offer offers often
		old once one only optional optionally order other others otherwise out outside over overall own package part particular parts pass perfect perform
		performance perhaps place plain please plus point popular possible powerful practice prefer present pretty previous probably problem
		process production program programs project projects proper properly provide provided provides providing purpose put python quick
		quickly quite rather readable ready real really reason recommended regular related relevant reliable require required requires
		respect respectively rest right robust same say second section see seen self separate several shall short should show shown shows
		similar simple simpler simplest simply since single slow small smart so solution some something sometimes soon special specific
		standard start started still straightforward strong such suit suitable supply support supported supporting supports sure system take taken
		takes task team than thanks that the their them themselves then there therefore these they thing things think third this those though thought
		three through thus time times together too tool tools top total true try two type typical typically under understand
		unique unless until up upon us usage use used useful user users uses using usual usually various very via
		want wants way ways well were what whatever when where whether which while who whole why wide will wish with within without work
		works would write writing written wrong year yes yet you your yourself zero e.g i.e vs eg ie into onto from for and not are was been has had does did doing
		as at by if in is it its on or to we be an a do no our may per plan planned version versions file files
		unified unify modular agnostic dramatically sophisticated architectural replacement superpower ecosystem party third idiomatic compliant
		compliance specification utility utilities community requirement requirements compatibility compatible advanced extensible extensibility pure
		improve improved improves turn act acts conjunction independently programmatically occur occurs recognize decision restart effect treat central
		repository adapter alternative wrapper generic remain remaining rule rules dependency dependencies release releases complexity storage logic component components
		programmer programmers people person someone everyone anyone nothing none effortless effortlessly seamless seamlessly beautiful modernized
		automatic intelligent broken future proof evolution concern concerns minimal framework development preset enhance enhancing improvement improvements concrete sensitive dropin drop
		thou shalt host api apis interface interfaces option options list lists code codes type types
		ability abilities gain gains thousand thousands hundred hundreds million millions official officially correspond corresponds corresponding denote
		denotes trade handful desire appropriate reasonable sensible amazing awesome favorite favourite preferred careful onward practical
		string value values function functions method methods object objects
	`) {
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
	// What a feature is compared with is no part of it.
	simile = lazy.Regexp(`\b(?:[Ll]ike|[Uu]nlike|[Ss]imilar to|[Bb]etter than|[Cc]ompared (?:to|with))\s+(?:in\s+)?[A-Z]\w+`)
	// Arguments in prose are known by the name before them only.
	called = lazy.Regexp(`\b([A-Za-z_][\w.]*[\w])\(([^()]{3,120})\)`)
	paren  = lazy.Regexp(`\(([^()]*)\)`)
	// A span of these is the type of something, or is for another program.
	notName = lazy.Regexp(`^(?i:\W*(?:function|func|fn|string|number|boolean|bool|object|array|map|list|any|void|null|nil|none|undefined|true|false|int\d*|uint\d*|float\d*|double|byte|char|symbol|promise|error|callback|mixed|buffer|regexp?|date|domrect|(?:html)?element|node|event|self|this)(?:\[\]|\?|<[^>]*>)*\W*)$|^:[A-Z]|^E[A-Z]{5,}$|^(?:\$ )?(?:npm|npx|yarn|pnpm|bun|pip3?|pipx|brew|apt|apt-get|cargo|docker|git|make|curl|wget|sudo|cd|export|go (?:get|install|run|build|test|mod))\s`)
	splits  = lazy.Regexp(`\s[—–-]{1,2}\s|:\s`)
)

// idioms are phrases whose words mean something else apart: code that signs has no
// sign-on.
var idioms = []struct {
	pattern *lazy.Pattern
	word    string
}{
	{lazy.Regexp(`(?i)\bsingle[\s-]sign[\s-]?(?:on|in)\b`), "sso"},
	{lazy.Regexp(`(?i)\b(?:sign(?:s|ed|ing)?[\s-](?:in|on)|log[\s-]?ins?)\b`), "login"},
	{lazy.Regexp(`(?i)\bsign(?:s|ed|ing)?[\s-]up\b`), "signup"},
	{lazy.Regexp(`(?i)\b(?:sign(?:s|ed|ing)?|log(?:s|ged|ging)?)[\s-]out\b`), "logout"},
	{lazy.Regexp(`(?i)\b(?:two|2|multi)[\s-]?factor\b`), "mfa"},
	{lazy.Regexp(`(?i)\brole[\s-]based(?:[\s-]access(?:[\s-]control)?)?\b`), "rbac"},
}

// A phrase knows the last two words of a text, to tell its idioms.
type phrase [2]string

// next takes a word and returns the idiom that it ends, or "".
func (p *phrase) next(w []byte) string {
	if len(w) > 8 || bytes.IndexByte(w, '-') >= 0 {
		return "" // the parts of what has a hyphen come alone too
	}
	before, last, word := p[0], p[1], strings.ToLower(string(w))
	p[0], p[1] = last, word
	signs := last == "sign" || last == "signs" || last == "signed" || last == "signing"
	switch word {
	case "in", "on":
		switch {
		case signs && before == "single":
			return "sso"
		case signs:
			return "login"
		}
	case "up":
		if signs {
			return "signup"
		}
	case "out":
		if signs || last == "log" || last == "logs" || last == "logged" || last == "logging" {
			return "logout"
		}
	case "factor":
		if last == "two" || last == "2" || last == "multi" {
			return "mfa"
		}
	case "based":
		if last == "role" {
			return "rbac"
		}
	}
	return ""
}

// exact is the term of a name that was written as code.
func exact(name string) string { return "=" + name }

// fold returns the stem of a word of prose.
func fold(w string) string { return text.Stem(strings.ToLower(w)) }

// contentOf returns the stems of the words of a text that tell it from others.
func contentOf(s string) []string { return termsOf(wordsOf(s)) }

func termsOf(words []word) []string {
	var out []string
	for _, w := range words {
		out = append(out, w.term)
	}
	return out
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
	bare := simile.ReplaceAllString(spans.ReplaceAllString(s, " "), " ")
	bare = called.ReplaceAllString(bare, "$1() ")
	for i := range idioms {
		bare = idioms[i].pattern.ReplaceAllString(bare, idioms[i].word)
	}
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
	head, rest := bare, ""
	if at := splits.FindStringIndex(bare); at != nil && len(contentPlain(bare[:at[0]])) > 0 {
		head, rest = bare[:at[0]], bare[at[1]:]
	}
	// What is in brackets is said by the way.
	for _, m := range paren.FindAllStringSubmatch(head, -1) {
		rest += " " + m[1]
	}
	head = paren.ReplaceAllString(head, " ")
	named := proper(s)
	for i, part := range []string{head, rest} {
		for _, w := range contentPlain(part) {
			weight := float64(1)
			if named[w] {
				weight = by.proper
			}
			if i > 0 {
				weight *= by.aside
			}
			add(word{term: w, weight: weight})
		}
	}
	return out
}

var capital = lazy.Regexp(`\b[A-Z][A-Z0-9]+s?\b|[a-z0-9,)] (?:[A-Z][a-z]+)\b`)

// proper returns the stems of the words that prose writes as names: acronyms, and
// what has a capital inside a sentence.
func proper(s string) map[string]bool {
	out := map[string]bool{"sso": true, "mfa": true, "rbac": true} // as idioms have them
	if strings.ToUpper(s) == s {
		return out
	}
	for _, m := range capital.FindAllString(s, -1) {
		if i := strings.IndexByte(m, ' '); i >= 0 {
			m = m[i+1:]
		}
		out[fold(m)] = true
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
