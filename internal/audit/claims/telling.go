package claims

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// A telling word is one that a statement stands or falls by: the name of a format, a
// protocol, a product or an algorithm. What is said to be done with it is not done where
// no word of the program has it, however many of the other words any program has.

var (
	nounLike = lazy.Regexp(`[A-Za-z][A-Za-z0-9]*(?:[#+]+)?`)
	// Names that statements bring in without promising anything by them: platforms,
	// languages, companies, licences, units, and what all documents say in capitals.
	wellKnown = lazy.Regexp(`(?i)^(?:i|a|we|you|it|macos|osx|os|mac|ios|ipados|tvos|watchos|windows|linux|unix|bsd|freebsd|openbsd|netbsd|posix|ubuntu|debian|fedora|centos|rhel|arch|alpine|gentoo|nixos|nix|android|wsl|cygwin|msys|mingw|solaris|chromebook|raspberry|pi|intel|amd|arm|x86|x64|amd64|aarch64|` +
		`python|pythonic|c\+\+|c#|f#|java|javascript|typescript|ecmascript|es\d+|node|nodejs|js|ts|go|golang|rust|ruby|php|perl|c|cpp|swift|kotlin|scala|haskell|elixir|erlang|lua|bash|zsh|fish|powershell|shell|tcl|ocaml|clojure|dart|zig|nim|julia|fortran|cobol|pascal|lisp|scheme|jvm|jdk|jre|cpython|pypy|jruby|dotnet|net|clr|` +
		`github|gitlab|bitbucket|codeberg|google|apple|microsoft|amazon|facebook|twitter|discord|slack|gitter|stackoverflow|stack|overflow|reddit|youtube|wikipedia|npm|pypi|crates|cargo|rubygems|homebrew|brew|dnf|yum|pacman|spack|apk|zypper|xbps|emerge|portage|scoop|choco|chocolatey|winget|snap|flatpak|macports|conda|mise|asdf|guix|flox|maven|gradle|nuget|packagist|composer|docker|podman|dockerhub|travis|circleci|jenkins|appveyor|codecov|coveralls|dependabot|renovate|` +
		`mit|bsd|apache|gpl|lgpl|agpl|mpl|isc|cc0|readme|todo|faq|api|apis|cli|ui|gui|tui|ide|ides|sdk|url|urls|uri|uris|id|ids|os|ok|pr|prs|lts|eol|rc|ci|cd|qa|vs|vscode|vim|neovim|emacs|sublime|atom|intellij|jetbrains|eclipse|xcode|editor|http|https|html|css|ascii|utf|unicode|posix|iso|rfc|ietf|w3c|whatwg|mdn|ram|cpu|cpus|gpu|io|tty|rom|kb|mb|gb|tb|ms|us|utc|gmt|am|pm|english|latin|european|american|` +
		`ctrl|shift|alt|esc|tab|enter|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|note|warning|tip|caution|important|info|see|this|that|these|those|the|yes|no|true|false|none|null|nil|alice|bob|john|jane|doe|hello|world|lorem|ipsum|dry|kiss|yagni|solid|oop|orm|mvc|crud|gotcha|eg|ie|wip|tbd|feature|features|chapter|section|appendix|figure|table|docs|documentation|guide|manual|tutorial|repository|license|contributing|changelog|v\d+|sig[a-z]{3,}\d*|restful|sloc|loc|dsl|dsls|eol|eoled)$`)
	// What a sentence says that promises nothing: of its reader, of its writers, of others,
	// of a comparison, of an example, of a condition of its own.
	aloof       = patterns{lazy.Regexp(`(?i)^\W*(?:if|when|may|might|useful|matches|this matches|for (?:example|instance|more|details|a)|note|see|e\.g|as (?:an?|with|in|of|you)|like|unlike|thanks|inspired|suppose|assume|imagine|say|let'?s|consider|historically|originally|since|because|while|although|though|however|but|many|most|some|other|another|one of|there (?:is|are)|in (?:python|java|ruby|go|rust|javascript|c|sql|the (?:past|future)|fact|practice|general|contrast)|on (?:mac|macos|linux|windows|unix)|with |to )\b|\?\s*$|[—–-]+ ?[A-Z]\w+ [A-Z]\w+\.?$`), lazy.Regexp(`(?i)\b(?:uses? \w+ (?:to|as|for)|we|i|our|us|my|i'm|we're|let's|you(?:'re|'ll|'d|'ve)?|your|please|might|could|would|should|compared|instead|rather|than|similar|equivalent|alternative|inspired|based on|built (?:on|with|by)|written (?:in|by)|thanks|named after|known as|called|refers?|stands for|same (?:as|way)|such as|e\.g|i\.e|for example|for instance|likes? of|see|read more|documentation|article|blog)\b`), lazy.Regexp(`(?i)\b(?:book|talk|tutorial|specification|standard|proposed|proposal|recommend\w*|popular|famous|community|maintained|wikipedia|version|release|since|package manager|useful|ideal|suitable|inspired-by|borrowed|require[sd]?|install(?:ing|ation)?|download|bug|issue|not|basis|most common|cannot|can't|don't|doesn't|isn't|won't|only if|license\w*|copyright|contribut\w*|example|examples|following|above|below|tested)\b`)}
	conditional = lazy.Regexp(`(?i)^\W*(?:if|when|while|because|since|although)\b`)
	// What a program does, in the words that documents have for it.
	acts = patterns{lazy.Regexp(`(?i)\b(?:is|are|can be|may be|gets?|be|also|even|automatically|optionally)\s+(?:\w+ly\s+)?(?:\w{2,}ed|read|written|sent|shown|kept|made|built|drawn|found|set|run|cut|put|split|held|bound|taken|given|hidden|chosen|understood|spoken|pushed)\b`), lazy.Regexp(`(?i)\b(?:supports?|provides?|allows?|enables?|offers?|handles?|implements?|generates?|exports?|imports?|detects?|validates?|parses?|converts?|stores?|caches?|sends?|returns?|encrypts?|creates?|includes?|exposes?|performs?|writes?|reads?|renders?|speaks?|searches|runs?|uses|looks? up|draws?|records?|falls? back|connects?|serves?|publishes|syncs?|synchroni[sz]es?|streams?|compress(?:es)?|signs?|verif(?:y|ies)|prompts?|shows?|prints?|emits?|collects?|rolls? back)\b`)}
)

// telling returns the words of a statement that it stands or falls by and that no code
// of the project has.
func (a *Auditor) telling(s string) []string {
	k := a.names()
	s = called.ReplaceAllString(spans.ReplaceAllString(target.ReplaceAllString(s, " "), " "), " ")
	all := nounLike.FindAllStringIndex(s, -1)
	upper := 0
	for _, at := range all {
		if c := s[at[0]]; c >= 'A' && c <= 'Z' {
			upper++
		}
	}
	titled := upper*2 > len(all) // then capitals tell nothing
	label := labelOf(s)
	var out []string
	for i, at := range all {
		w := s[at[0]:at[1]]
		if len(w) < 3 && !strings.ContainsAny(w, "0123456789") || wellKnown.MatchString(w) {
			continue
		}
		if at[0] > 0 && strings.ContainsRune("/@._-\\", rune(s[at[0]-1])) || at[1] < len(s)-1 && strings.ContainsRune("/@_\\", rune(s[at[1]])) {
			continue // it is a part of a path or of a compound
		}
		if at[0] > 0 && (s[at[0]-1] >= '0' && s[at[0]-1] <= '9' || s[at[0]-1] == '(' && at[1] < len(s) && s[at[1]] == ')') || strings.HasPrefix(s[at[1]:], "'s") || strings.HasPrefix(s[at[1]:], "’s") {
			continue // a number, the short form of what is before it, or the owner of another thing
		}
		before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s[:at[0]], " "))
		initial := i == 0 || at[0] < label || strings.ContainsRune(".:!?;—–-|(*\"“", before)
		mixed := false
		for _, c := range w[1:] {
			mixed = mixed || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		}
		c := w[0]
		proper := mixed || c >= 'A' && c <= 'Z' && !initial && !titled
		if !proper || k.own[fold2(w)] || k.others[w] || k.others[strings.ToLower(w)] || slices.Contains(out, w) || a.spoken(w) {
			continue
		}
		out = append(out, w)
	}
	return out
}

// labelOf returns where the label of a statement ends that is written as titles are, or 0.
func labelOf(s string) int {
	end := strings.Index(s, ": ")
	if end < 0 || end > 60 {
		return 0
	}
	words := nounLike.FindAllString(s[:end], -1)
	if len(words) < 2 || slices.ContainsFunc(words, func(w string) bool { return len(w) > 3 && (w[0] < 'A' || w[0] > 'Z') }) {
		return 0
	}
	return end
}

// spoken reports whether the code has a word in any form, alone or inside of a name.
func (a *Auditor) spoken(w string) bool {
	heard := a.names().heard
	got, ok := heard[w]
	if !ok {
		got = a.hears(w)
		heard[w] = got
	}
	return got
}

func (a *Auditor) hears(w string) bool {
	k := a.names()
	for _, t := range []string{fold(w), strings.ToLower(w), exact(w)} {
		if a.ev.has(t) > 0 {
			return true
		}
		for _, o := range synonymsOf(t) {
			if a.ev.has(o.term) > 0 {
				return true
			}
		}
	}
	low := strings.TrimSuffix(fold2(w), "s")
	if _, ok := k.fold[low]; ok {
		return true
	}
	return len(low) >= 4 && k.inside(low)
}

// inside reports whether a name of the code has a piece, both without case and separators.
func (k *known) inside(piece string) bool {
	if k.folded == "" {
		k.folded = strings.Join(slices.Collect(maps.Keys(k.fold)), "\n")
	}
	return strings.Contains(k.folded, piece)
}

// acting returns the sentences of a block that say what the program does.
func acting(b *block) (out []string) {
	switch b.kind {
	case Prose, Bullet, Checklist:
	default:
		return nil
	}
	if b.away || b.leads || b.step || b.under.absent || b.under.past || strings.Contains(strings.Join(b.raw, " "), "](http") || aside.MatchString(last(b.section)) {
		return nil
	}
	for _, s := range sentences(b.text) {
		if len(s) <= 300 && !aloof.MatchString(s) && !notHere.MatchString(s) && (b.kind != Prose && b.under.offered || acts.MatchString(s)) {
			out = append(out, s)
		}
	}
	return out
}

// told returns the statements of a block that say what the program does with something
// that it has no word of, of those sentences that say what it does.
func (a *Auditor) told(path string, b *block, acts []string) []Feature {
	var out []Feature
	for _, s := range acts {
		if len(a.telling(s)) == 0 && !a.strange(s, weigh().strange) {
			continue
		}
		line := b.line
		for k, raw := range b.raw {
			if words := strings.Fields(s); strings.Contains(raw, strings.Join(words[:min(3, len(words))], " ")) {
				line += k
				break
			}
		}
		out = append(out, Feature{Kind: b.kind, Text: strings.Trim(emphasis.ReplaceAllString(s, ""), " .;:,"), Section: strings.Join(b.section, " › "), Place: Place{path, line}})
	}
	return out
}

// strange reports whether most of the content words of a text are nowhere in the code:
// at least a part of them, and two.
func (a *Auditor) strange(s string, part float64) bool {
	all := contentPlain(spans.ReplaceAllString(target.ReplaceAllString(s, " "), " "))
	n := 0
	for _, w := range all {
		if !a.spoken(w) && !wellKnown.MatchString(w) && !wellKnown.MatchString(w+"s") {
			n++
		}
	}
	return n > 1 && float64(n) >= part*float64(len(all))
}

func last(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[len(s)-1]
}

// settle corrects a verdict that the words of a statement are no ground for. One that
// stands or falls by a word that is nowhere is not found by its other words; one that
// lacks hardly a word, or is about names that the code has, is found.
func (a *Auditor) settle(v *Verdict, nearest Match, unnamed bool) {
	if tells := a.refuted(&v.Feature); len(tells) > 0 {
		v.Evidence = []Match{}
		for i := range v.Queries {
			v.Queries[i].Results, v.Queries[i].Best = 0, min(v.Queries[i].Best, weigh().never)
		}
		for _, w := range tells {
			if !slices.Contains(v.Missing, w) {
				v.Missing = append(v.Missing, w)
			}
		}
		return
	}
	if len(v.Evidence) > 0 {
		return
	}
	if unnamed {
		if at, named := a.byNames(v.Text); named {
			if at.Path != "" {
				v.found(Match{Place: at, Score: Enough})
			}
			return
		}
	}
	if nearest.Path != "" && a.agrees(&v.Feature) {
		v.found(nearest)
	}
}

// byNames returns where the last name is that a statement writes as code, none where the code lacks one, and whether it
// writes any: they decide it.
func (a *Auditor) byNames(s string) (at Place, named bool) {
	k := a.names()
	for _, m := range spans.FindAllStringSubmatch(s, -1) {
		for _, n := range classify(m[1], false) {
			named = true
			p, ok := k.has(n.name, n.sort)
			if !ok {
				return Place{}, true
			}
			at = p
		}
	}
	return at, named
}

// agrees reports whether the code lacks hardly a word of a statement, which is then where it is nearest.
func (a *Auditor) agrees(f *Feature) bool {
	return f.Kind != Requirement && f.Kind != Story && !a.lacks(f.Text)
}

// refuted returns the words by which a statement falls, whatever else the code has of it.
func (a *Auditor) refuted(f *Feature) []string {
	if f.Kind == Heading {
		return nil
	}
	tells := a.telling(f.Text)
	if len(tells) == 0 || a.begun(f.Text) || aloof.MatchString(f.Text) {
		return nil
	}
	return tells
}

// begun reports whether a statement begins with code that the project has: then it is
// about that, whatever it says of it.
func (a *Auditor) begun(s string) bool {
	if term := chainEnd(s); term != "" && (a.ev.standing(term, declared) >= 0 || a.ev.standing(term, inCode) >= 0) {
		return true
	}
	m := spans.FindStringSubmatchIndex(s)
	return m != nil && m[0] < 4 && slices.ContainsFunc(nameRE.FindAllString(s[m[2]:m[3]], -1), func(w string) bool {
		return len(w) > 2 && a.ev.has(exact(w)) > 0 && !generic()[strings.ToLower(w)]
	})
}

// lacks reports whether half of what a statement says is nowhere in the code, and more
// than two words of it; or all.
func (a *Auditor) lacks(s string) bool {
	n, all := 0, 0
	for _, w := range contentPlain(spans.ReplaceAllString(target.ReplaceAllString(s, " "), " ")) {
		if wellKnown.MatchString(w) || wellKnown.MatchString(w+"s") {
			continue
		}
		all++
		if a.ev.has(w) == 0 {
			n++
		}
	}
	return n > 2 && 2*n >= all || n > 1 && n == all
}

func (v *Verdict) found(h Match) {
	v.Evidence = append(v.Evidence, h)
	v.Queries[0].Results, v.Queries[0].Best = 1, max(v.Queries[0].Best, h.Score)
}

// judgeName looks for the one name that a claim is about: as it is written, and as a
// program may put it together.
func (a *Auditor) judgeName(v *Verdict) {
	k := a.names()
	v.Queries[0].Text, v.Queries[1].Text = v.Name, strings.Join(strings.FieldsFunc(v.Name, func(r rune) bool { return strings.ContainsRune("_-.:#>/", r) }), " ")
	if p, ok := k.has(v.Name, v.Sort); ok {
		h := Match{Place: p, Name: v.Name, Score: 1}
		v.Evidence = append(v.Evidence, h)
		for i := range v.Queries {
			v.Queries[i].Results, v.Queries[i].Best = 1, 1
		}
	} else {
		v.Missing, v.Unread = []string{v.Name}, a.Tree.Unknown()
	}
	v.Mentions = 1 + len(v.Also)
	v.classify()
}

// patterns match where one of them does. A large pattern is cut into them at its alternatives, because regexp matches
// one of more than 500 instructions by its slowest way.
type patterns []*lazy.Pattern

func (p patterns) MatchString(s string) bool {
	for _, one := range p {
		if one.MatchString(s) {
			return true
		}
	}
	return false
}
