package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	// What a section of such a title has is a wish, a question or a pointer.
	unclaiming = lazy.Regexp(`(?i)^(?:[\d.]+\s+)?(?:(?:open )?questions?|next steps?|to-?do|recommendations?|action items?|follow[- ]?ups?|references|links|see also|further reading|(?:table of )?contents|glossary)\W*$`)
	divider    = lazy.Regexp(`^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$`)
	tag        = lazy.Regexp(`<[^<>]*>`)
	link       = lazy.Regexp(`!?\[([^\[\]]*)\]\([^()]*\)`)
	request    = lazy.Regexp(`(?i)^\W*(?:(?:please|do not|don't|let's|let us|see|consider|ensure|make sure|note that)\b|` +
		`(?:run|use|add|call|open|install|read|check|verify|fix|remove|replace|rename|move|document|write|create|set|update|keep|avoid|try|follow|test|refactor|delete|quote|compare|log)\s+(?:the|an?|this|that|these|those|each|every|all|any|it|them|your|its|whether|to|for|with|in|on|not|no|more)\b|` +
		"(?:run|use|add|call|open|install|read|see|set|try)\\s+`)")
	about   = lazy.Regexp(`(?i)^\W*(?:(?:this|the)\s+(?:document|review|report|section|page|table|list|summary|analysis|audit|chapter|appendix)\b|(?:below|above|here|the following)\b|(?:we|i)\s+(?:recommend|propose|suggest|will|reviewed|plan)\b)`)
	advice  = lazy.Regexp(`(?i)\b(?:should|ought to)\b`)
	abridge = lazy.Regexp(`(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|resp|approx|no|fig|[a-z])\.$`)
)

// least is how many words say something of code.
const least = 4

// statement reports whether a text, without evidence, says something that evidence could
// show: no question, no request, no advice, no lead to what follows, and nothing about
// the document itself. A row says it if one of its cells does.
func statement(text string, row bool) bool {
	prose := link.ReplaceAllString(tag.ReplaceAllString(text, " "), "$1")
	prose = strings.TrimRight(strings.TrimSpace(prose), "*_ ")
	if strings.HasSuffix(prose, "?") || strings.HasSuffix(prose, ":") || aside.MatchString(prose) || request.MatchString(prose) || about.MatchString(prose) || advice.MatchString(outsideCode(prose)) {
		return false
	}
	if !row {
		return telltale(prose) >= least
	}
	for cell := range strings.SplitSeq(prose, "|") {
		if telltale(cell) >= least {
			return true
		}
	}
	return false
}

// telltale returns how many words a text has. What is written without spaces has one
// for every two letters.
func telltale(s string) (n int) {
	for w := range strings.FieldsSeq(s) {
		letters, wide := 0, 0
		for _, r := range w {
			if unicode.IsLetter(r) {
				letters++
				if utf8.RuneLen(r) > 2 {
					wide++
				}
			}
		}
		if letters > 0 {
			n += max(1, wide/2)
		}
	}
	return n
}

// sentences returns where the sentences of a block are. One of hardly any words of its
// own, as evidence behind a full stop is, belongs to the one before.
func sentences(text string, ticks []span) (out [][2]int) {
	from, depth := 0, 0
	add := func(to int) {
		said := text[from:to]
		if n := len(out); n > 0 && telltale(flag.ReplaceAllString(place.ReplaceAllString(outsideCode(said), " "), " ")) < 2 {
			out[n-1][1] = to
		} else {
			out = append(out, [2]int{from, to})
		}
		from = to
	}
	marks := evidence(text)
	for i, k := 0, 0; i < len(text); {
		for k < len(ticks) && ticks[k].end <= i {
			k++
		}
		if k < len(ticks) && i >= ticks[k].start {
			i = ticks[k].end
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch r {
		case '[':
			depth++
		case ']':
			depth = max(depth-1, 0)
			if to, ok := begins(text, i); ok && depth == 0 && marks[i] {
				i = to
				add(i)
			}
		case '。', '！', '？':
			if depth == 0 {
				add(i)
			}
		case '.', '!', '?':
			if depth == 0 && ends(text, i) {
				add(i)
			}
		}
	}
	if strings.TrimSpace(text[from:]) != "" {
		add(len(text))
	}
	return out
}

// evidence returns where the places and the flags of a block end.
func evidence(text string) map[int]bool {
	out := map[int]bool{}
	for _, re := range []*lazy.Pattern{place, flag} {
		for _, m := range re.FindAllStringIndex(text, -1) {
			out[m[1]] = true
		}
	}
	return out
}

// begins reports whether a sentence begins behind evidence that ends at i, and where what closes the
// one before ends: who quotes often writes no full stop, and the quote would bear out what follows too.
func begins(text string, i int) (to int, ok bool) {
	rest := strings.TrimLeft(text[i:], "*_)\"'")
	next := strings.TrimLeft(rest, " \t\n")
	for strings.HasPrefix(next, "<!--") {
		_, after, _ := strings.Cut(next, "-->")
		next = strings.TrimLeft(after, " \t\n")
	}
	gap := rest[:len(rest)-len(next)]
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(next, "*_"))
	return len(text) - len(rest), gap != "" && (unicode.IsUpper(r) || strings.Contains(gap, "\n") && !unicode.IsLower(r))
}

// ends reports whether a stop that ends at i ends a sentence.
func ends(text string, i int) bool {
	rest := strings.TrimLeft(text[i:], "*_)\"'")
	next := strings.TrimLeft(rest, " \t\n")
	if len(next) == len(rest) || next == "" {
		return next == ""
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(next, "*_(\"'"))
	if unicode.IsLower(r) && r < utf8.RuneSelf {
		return false
	}
	return !abridge.MatchString(text[max(0, i-12):i])
}
