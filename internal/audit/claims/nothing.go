package claims

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

var (
	// What is said not to be there is not promised.
	negated = lazy.Regexp(`(?i)\b(not (?:yet )?(?:supported|implemented|available|planned|included)|unsupported|no longer|does(?: not|n't)|do(?: not|n't)|is(?: not|n't)|are(?: not|n't)|will not|won't|cannot|can't|out of scope|non-goals?|todo|tbd|coming soon|work in progress|planned|in the future|future work|deprecated|removed|removes|dropp(?:ed|ing)|obsolete|unnecessary|wishlist|superseded|retired|discontinued|withdrawn|replaced by|(?:no|zero|without) (?:\w+ ){0,3}dependenc(?:y|ies))\b|~~`)
	// Sections that speak of something else than what the program does.
	aside  = lazy.Regexp(`(?i)^\W*(installation|installing|install|licen[cs]e|licensing|contribut\w*.*|(text )?editors?( (support|integrations?|plugins?))?|ides?( (support|integrations?|plugins?))?|(browser|platform|os|operating system|environment|browsers?,? .*) support|supported (browsers|platforms|environments|operating systems|node(\.js)? versions)|use cases?|when (not )?to use.*|verif\w+ .*(release|signature|download)s?.*|retired.*|changelog|changes|what's new|history|credits?|acknowledge?ments?|thanks|authors?|contributors?|maintainers?|sponsors?|support|community|help|contact|badges?|table of contents|contents?|see also|references?|links?|resources?|related( projects?| work)?|(an? )?alternatives?( to .*)?|comparison.*|roadmap|to-?do|future.*|planned.*|out of scope|non-?goals?|anti-?goals?|.*\bbenchmarks?\b.*|performance|development|developing|building|build from source|testing|tests|running tests|prerequisites?|requirements to .*|dependencies|faq|frequently asked.*|migrat.*|upgrad\w*.*|releas\w*.*|versioning|version support|security( (concerns|considerations|policy|model))?|code of conduct|motivation|why.*|background|who uses.*|users|used by|status|stability|compatibility|limitations?|known issues|caveats|gotchas|problem.*|glossary|risks?|assumptions?|success metrics|timeline|milestones?|open questions|appendix.*|similar.*|third.party.*|.*ecosystem.*|community.*|.*list of extensions.*|extensions|plugins|(.* )?examples?.*|tutorials?.*|recipes?|donat\w*|quality.*|further reading|articles.*|note|notes|tips.*|tricks.*|best practices|troubleshooting.*|supported go versions?|project status|disclaimer|copyright.*|(long.term support|lts).*|governance|getting help|documentation|learn more|next steps|design (goals|principles|considerations)|philosophy|trade-?offs?|v?\d+\.\d+.*)\W*$`)
	advice = lazy.Regexp(`(?i)^\W*(you (?:must|should|may|will|need)|we |i |please|note|see |if you|for example|e\.g|this is|an example|in order|how to|use |using |consider|avoid|prefer |make sure|ensure (?:that )?(?:you|your|the|it)\b|visit\b|refer to|deploy to|follow|go to|install |tap |click |download the|used by|trusted by|thanks|inspired|based on|built (?:using|with|from|by|on)|automatically built|for (?:testing|supporting|more|further|details|information)|(?:load|add|include|put|copy|import|integrate|link|register|open|set|paste|place|move|edit|modify|run|create) .*\b(?:to|into|in|from|on|using) your |be |remember|pass |try |choose|keep in mind|when you|prevent )|\[!|\b(third.party|recommended|we recommend|pull request|issue tracker|documentation|example can|is a placeholder|à la)\b`)
	// What speaks of a change: of a log, wherever it is kept.
	change = lazy.Regexp(`(?i)^\W*(added|removed?|fixed|fixes|changed|renamed|bumped|dropped)\b|\b(added|removed|replaced|renamed)( (in|by|with|since) \S+)?\W*$|#\d+\W*$`)
	// What a program is like, and nobody can look for.
	quality = lazy.Regexp(`(?i)^\W*(?:(?:an?|the)\s+)?(?:(?:high|highly|blazing\w*|extremely|very|super|ultra|really|incredibly|well|fully|battle|production|developer|user|light|robust|simple|clean|small|low|zero|thoroughly|richly|type)[\s-]+)*(?:perform\w*|friendly|tested|ready|weight|lightweight|quality|overhead|speed|fast|robust\w*|eas(?:y|ily|e)|simpl\w*|small|tiny|modern|mature|stable|reliab\w*|scalab\w*|portab\w*|elegan\w*|clean|flexib\w*|extensib\w*|idiomatic|beautiful|powerful|smooth|consistent|tolerant|better|rich|seamless\w*|side.effect.free|always|cross.(?:browser|platform|device)|mobile|no (?:dependenc|config|additional|extra|need|external|runtime|native|boilerplate|magic)\w*|zero|drop.in|(?:built|written|implemented|made) (?:using|with|on|in|from)|typescript (?:definitions?|types?|typings?|support|ready)|(?:full|complete|first.class|native|built.in) typescript|works (?:in|on|with|great|well|out)|collection of (?:robust|high|small|simple|useful|tools)|productiv\w*|intuitive|expressive|maintain\w*|testab\w*|efficien\w*|secure|safe|free|open.source|the (?:flexibility|ability|power)|\w+[- ]compliant)\b`)
	// The lists that such paragraphs introduce are of what somebody is to do, or of
	// what stands elsewhere.
	leading = lazy.Regexp(`(?i)\b(for example|for instance|such as|e\.g\.?|like this|you (?:need|should|must|have) to|to do (?:so|this|that)|steps?|we(?:'re| are| will|'ll)|consider|recommend\w*|see|read|learn|alternatives?|approaches|examples?|output|instead|ideal|perfect|suited|suitable|great (?:for|when)|useful (?:for|when|if)|designed for|use cases?)\b`)
	program = lazy.Regexp(`(?i)^\W*(?:(?:also|additionally|moreover|further|currently|by default|in addition|out of the box|and|but|so),? )?(?:it|this|they|the (?:\S+ ){0,3}(?:library|package|module|tool|framework|program|plugin|server|client|sdk|command|api|app|application|project|service|crate|engine|parser|system|interface|type|class|function|method)s?)\b`)
	cross   = lazy.Regexp(`❌|✗|✘|✖|❎|⛔|🚧|:x:|:no_entry|:construction:`)
	tick    = lazy.Regexp(`✅|✓|✔|☑|:white_check_mark:|:heavy_check_mark:`)
	none    = lazy.Regexp(`(?i)^\W*(no|none|not yet|n/a|partial(ly)?|planned|missing|wip|todo|unsupported|tbd)\W*$|^\W*(❌|✗|✘|✖|❎)`)
	number  = lazy.Regexp(`^[\W_]*\d[\d.,_ ]*\s*(?:[a-zA-Zµ%]{1,3}(?:/\w+)?)?[\W_]*$`)
	built   = lazy.Regexp("^\\W*`(?:dist/[^`]*|[\\w./-]+\\.(?:min|esm|umd|iife|bundle|cjs))\\.(?:js|mjs|cjs|css)`")
	// What a function takes and gives is part of it.
	parameters = lazy.Regexp(`(?i)^\W*((\w+ )?(parameters?|params?|arguments?|args)|returns?( values?)?|where)\W*$`)
	invites    = lazy.Regexp(`(?i)\b(features?|highlights|capabilit\w+|what it does|functional|requirements?|user stories|acceptance)\b`)
)

// nothing says why a block promises nothing, or "".
func nothing(b *block, text string) string {
	listed := b.kind == Bullet || b.kind == Row || b.kind == Prose
	switch {
	case b.under.elsewhere:
		return "its section speaks of something else"
	case b.kind != Heading && b.kind != Prose && (b.under.params || parameters.MatchString(b.lead)):
		return "it names a parameter"
	case b.under.absent:
		return "its section says that this is not there"
	case b.lead != "" && negated.MatchString(b.lead):
		return "its list says that this is not there"
	case b.lead != "" && leading.MatchString(b.lead) && !b.under.invited:
		return "its list is of examples or of steps"
	case b.leads && !callable(text):
		return "it leads to another page"
	case built.MatchString(text):
		return "it names a file that is built"
	case measured(b):
		return "it measures"
	case listed && change.MatchString(text):
		return "it tells of a change"
	case b.kind == Bullet && quality.MatchString(head(text)):
		return "it says how something is, and not what it does"
	}
	return ""
}

// A sense is what the headings above a block say of it.
type sense struct {
	elsewhere bool // it speaks of something else than what the program does
	absent    bool // of what is not there
	offered   bool // a heading says that the program offers it
	invited   bool // the innermost one says that features are listed
	params    bool // the innermost one says that parameters of something are
	past      bool // one says that names are of other programs, or of what is no more
}

func senseOf(section []string) sense {
	if len(section) == 0 {
		return sense{}
	}
	last := section[len(section)-1]
	return sense{elsewhere(section), negated.MatchString(last), slices.ContainsFunc(section, offers.MatchString), invites.MatchString(last), parameters.MatchString(last), slices.ContainsFunc(section, notOfNow.MatchString)}
}

// elsewhere reports whether the innermost heading that tells says that its section
// is not of what the program does.
func elsewhere(section []string) bool {
	for _, s := range slices.Backward(section) {
		if aside.MatchString(s) {
			return true
		}
		if offers.MatchString(s) {
			return false
		}
	}
	return false
}

// ours reports whether what stands before a promise is about the program, or of code
// that is named.
func ours(subject string, section []string) bool {
	subject = emphasis.ReplaceAllString(subject, "")
	if strings.Contains(subject, "`") || program.MatchString(subject) || camel.MatchString(subject) {
		return true
	}
	if len(section) == 0 {
		return false
	}
	first := contentPlain(subject)
	return len(first) > 0 && slices.Contains(contentPlain(section[0]), first[0])
}

// callable reports whether a text names code: not a title that is set as if it were.
func callable(text string) bool {
	m := codeish.FindStringSubmatch(text)
	return m != nil && (strings.ContainsAny(m[1], "(.=_:-") || distinct(m[1])) && !strings.Contains(m[1], " ")
}

// crossed reports whether a block bears the mark of what is not there.
func crossed(b *block) bool {
	return cross.MatchString(b.text) && !tick.MatchString(b.text) || slices.ContainsFunc(b.cells, none.MatchString)
}

// measured reports whether most of a row is numbers.
func measured(b *block) bool {
	n := 0
	for _, c := range b.cells {
		if number.MatchString(c) {
			n++
		}
	}
	return b.kind == Row && n > 1 && 2*n >= len(b.cells)-1
}

// head returns what stands before the colon or the dash of an item.
func head(text string) string {
	if at := splits.FindStringIndex(text); at != nil {
		return text[:at[0]]
	}
	return text
}
