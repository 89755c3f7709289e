package claims

import (
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// The sorts of name that a document writes. Each is checked exactly: a statement that
// names what the code has no word of is wrong, whatever its other words.
const (
	flagName     = "flag"
	variableName = "environment"
	commandName  = "command"
	keyName      = "key"
	endpointName = "endpoint"
	codeName     = "name" // of a function, a type or a value
	fileName     = "file"
)

// A named is a name as a document writes it.
type named struct {
	name, sort string
	line       int
	text       string // the sentence, the row or the line of code
	of         *block
	defined    bool   // it is what its row, its item or its heading is about
	called     bool   // it is written with brackets, or with a value
	handed     string // the program behind whose subcommand a flag stands
	linked     string // where the link leads that it stands in
	parameter  bool   // its type follows
	beside     bool   // a link to somebody else's place stands beside it
	taken      bool   // an example takes it out of a package of the project
	loose      bool   // an example uses it, and nothing says of whom it is
	member     bool   // of something, in an example
	means      string // the name of the code that it misspells, where that is known
}

var (
	longFlag    = lazy.Regexp(`(?:^|[^\w-])--([a-zA-Z][\w-]*[\w])(?:[^\w\\\[-]|$)`)
	upper       = lazy.Regexp(`(?:^|[^\w./-])(_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:[^\w/*-]|$)`)
	wholeUpper  = lazy.Regexp(`^\$?\{?(_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\}?(?:=.*)?$`)
	route       = lazy.Regexp(`^(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)\s+(/[\w/{}:<>.*-]*)`)
	callName    = lazy.Regexp(`^@?((?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*)[.#]?([A-Za-z_$][\w$]*[!?]?)(?:<\w+>)?\(`)
	genitive    = lazy.Regexp(`\w(?:'s|s')\s+$`)
	leadsTo     = lazy.Regexp(`:(?:\w+:)?(?:ref|doc|term|numref|issue|pr|pull|pep|rfc|user|download|gh|mod|pypi):$`)
	typed       = lazy.Regexp("^\\??\\s*:\\s*\\[?`[\\w.<>\\[\\]| ]+`|^(?:\\([^)]*\\))?`? callback\\b")
	intoLink    = lazy.Regexp(`^\](?:\(|:\s*)([^)\s]+)`)
	ownAnchor   = lazy.Regexp(`\{#[^}]*\}`)
	namedAnchor = lazy.Regexp(`<a\s[^>]*>`)
	manual      = lazy.Regexp(`^[\w.-]+\(\d\)$`) // a page of the manual of the system
	dottedName  = lazy.Regexp(`^[.#@:]?[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*[!?]?$`)
	setting     = lazy.Regexp(`^([a-zA-Z_]\w*)\s?=\s?\S*$`)
	tagged      = lazy.Regexp(`^([a-z][\w-]*):"[^"]*"$`)
	plainKey    = lazy.Regexp(`^["']?([a-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*)["']?:?$`)
	somefile    = lazy.Regexp(`^(?:\./)?([\w@-]+(?:/[\w.@-]+)+)$`)
	// Headers of columns and titles of lists whose first word in backticks is a setting.
	defines = lazy.Regexp(`(?i)^\W*(?:\w+\s)?(option|setting|key|parameter|property|field|attribute|tag|hook|variable|name|flag|command|method|function|config\w*|available \w+|.*\b(options|settings|keys|properties|configuration|variables|tags|hooks|flags))s?\W*$`)
	// Sections whose names are of other programs, or of what is no more.
	notOfNow = lazy.Regexp(`(?i)\b(changelog|history|removals?|migrat\w*|upgrad\w*|release notes|what'?s new|alternatives?|comparison|compared|credits?|acknowledge?ments?|related|see also|contribut\w*|development|develop|building|build from|compil\w+|licen[cs]e|sponsors?|other (?:programs|tools)|third[- ]party|roadmap|deprecat\w*|removed|legacy|obsolete|future|planned|unsupported|limitations|faq|similar|inspir\w*|discontinued|backlog|equivalen\w*|origin of|etymology|for \w+ (?:users|developers)|coming from|packag(?:e manager|ing)|docker(?:file|hub)?|(?:git|pre-commit) hooks?)\b|^\W*(?:on|via|from|with) \w+`)
	// Sentences that name what is not there, or not here.
	notHere = patterns{lazy.Regexp(`(?i)\b(?:(?:is|are|was|were|been) (?:removed (?:in|from|since|as of)|replaced)|has been removed|removed in|deprecated|no longer|not (?:yet |currently )?(?:supported|implemented|available|exist)|unsupported|planned|in the future|renamed|replaced by|used to be|(?:was|were) called|prior to)\b`), lazy.Regexp(`(?i)\b(?:(?:older|earlier|previous) \w+|formerly|previously|unlike|dropped(?:,| in| support| from)|obsolete|coming soon|todo|wishlist|there is no|doesn'?t exist|does not exist|don'?t exist|legacy|instead of|superseded|since (?:version |release )?v?\d[\d.]*|in (?:version |release )?v?\d+\.\d[\d.]*|older versions?|before version|for example|e\.g|such as|similar to)\b`), lazy.Regexp(`(?i)\b(?:equivalent (?:of|to)|standard library|stdlib|imagine|suppose|say you|your own|their own|hypothetical|custom|compared (?:to|with)|example|(?:names?|values?|programs?|tools?|something|anything|ones|things?|strings?|words?|inputs?|flags?|options?|functions?|methods?|class(?:es)?|commands?|variables?|keys?|files?|settings?) (?:like|called|named)|borrowed|etc|external|sysctl|kernel|guaranteed|would have)\b|\(like `)}
)

// namesOf returns the names that a block writes, with their lines.
func namesOf(b *block) []named {
	var out []named
	if b.kind == Fenced || b.under.past || b.kind == Bullet && commitItem.MatchString(b.text) || disclaimed(b) {
		return nil
	}
	absents := map[string]bool{} // of the sentences of the block
	absent := func(text string) bool {
		is, known := absents[text]
		if !known {
			is = notHere.MatchString(spans.ReplaceAllString(text, " "))
			absents[text] = is
		}
		return is
	}
	add := func(line int, text string, got []named) {
		for _, n := range got {
			n.line, n.text, n.of = line, text, b
			out = append(out, n)
		}
	}
	whole := sentences(b.text)
	linked := strings.Contains(strings.Join(b.raw, " "), "](http") || strings.Contains(strings.Join(b.raw, " "), "`_")
	for k, raw := range b.raw {
		line := strings.ReplaceAll(comment.ReplaceAllString(raw, ""), "``", "`")
		first := true
		for _, at := range spans.FindAllStringSubmatchIndex(line, -1) {
			span := strings.TrimSpace(line[at[2]:at[3]])
			if strings.HasSuffix(line[:at[0]], ":") {
				span = strings.TrimLeft(span, "~!") // how a role of reStructuredText is shown
			}
			text := sentenceOf(whole, span)
			before, after := line[max(0, at[0]-nearby):at[0]], line[at[1]:min(len(line), at[1]+nearby)]
			// What links to somebody else's place is somebody else's.
			if strings.HasPrefix(after, "](http") || strings.HasPrefix(after, "_") || leadsTo.MatchString(before) || absent(text) {
				first = false
				continue
			}
			defined := first && k == 0 && b.defines(line[:at[0]])
			got := classify(span, defined)
			for i := range got {
				got[i].defined, got[i].parameter = defined, typed.MatchString(after)
				if m := intoLink.FindStringSubmatch(after); m != nil {
					got[i].linked = m[1]
				}
			}
			// Who is linked to, or named as the owner, has the names of a sentence.
			if owned := genitive.MatchString(before); linked || owned {
				got = slices.DeleteFunc(got, func(n named) bool {
					return owned || n.sort == keyName || n.sort == codeName && !humped(last(chainOf(n.name)))
				})
				for i := range got {
					got[i].beside = got[i].sort == codeName
				}
			}
			add(b.line+k, text, got)
			first = false
		}
		if b.kind == Row && k == 0 && len(b.cells) > 1 && !strings.Contains(b.cells[0], "`") && b.defines("") {
			if m := plainKey.FindStringSubmatch(b.cells[0]); m != nil && (strings.Contains(m[1], "_") || humped(m[1])) {
				got := one(m[1], keyName)
				for i := range got {
					got[i].defined = true
				}
				add(b.line, b.text, got)
			}
		}
		bare := spans.ReplaceAllString(linkEnd.ReplaceAllString(line, "] "), " ")
		bare = namedAnchor.ReplaceAllString(ownAnchor.ReplaceAllString(target.ReplaceAllString(bare, " "), " "), " ")
		for _, m := range longFlag.FindAllStringSubmatch(bare, -1) {
			if text := sentenceOf(whole, "--"+m[1]); !absent(text) {
				add(b.line+k, text, []named{{name: "--" + m[1], sort: flagName}})
			}
		}
		for _, m := range upper.FindAllStringSubmatch(bare, -1) {
			if text := sentenceOf(whole, m[1]); !absent(text) {
				add(b.line+k, text, []named{{name: m[1], sort: variableName}})
			}
		}
		if b.kind == Heading && len(b.section) > 0 && !strings.Contains(line, "`") {
			title := strings.Trim(clean(strings.TrimLeft(line, "# ")), "* ")
			if !strings.Contains(title, " ") && (strings.Contains(title, "_") || strings.HasPrefix(title, ".") || strings.HasSuffix(title, ")")) && !notHere.MatchString(title) && !strings.Contains(line, title+"*") {
				got := classify(title, true)
				for i := range got {
					got[i].defined = true
				}
				add(b.line+k, title, got)
			}
		}
	}
	return out
}

// defines reports whether what a block begins with is defined there: in the first column
// of a table, at the head of an item of a list of settings, or in a heading below one.
func (b *block) defines(before string) bool {
	if strings.Trim(before, " \t|-*+#>1234567890.)[]xX") != "" {
		return false
	}
	switch b.kind {
	case Row:
		return len(b.header) > 0 && defines.MatchString(b.header[0])
	case Bullet, Checklist, Heading:
		return len(b.section) > 0 && defines.MatchString(b.section[len(b.section)-1]) || defines.MatchString(strings.TrimRight(b.lead, ":"))
	}
	return false
}

// sentenceOf returns the sentence that a name is in.
func sentenceOf(all []string, name string) string {
	for _, s := range all {
		if strings.Contains(s, name) {
			return s
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return name
}

// classify says which names a piece that is written as code has. A defined one may be
// a plain word.
func classify(span string, defined bool) []named {
	switch {
	case len(span) < 2 || span[0] == '{' || len(span) > 120 || strings.Contains(span, "…") || strings.Contains(span, "://"):
		return nil
	case strings.Contains(span, "--"):
		var out []named
		for _, m := range longFlag.FindAllStringSubmatch(strings.ReplaceAll(span, " ", "  "), -1) {
			out = append(out, named{name: "--" + m[1], sort: flagName})
		}
		return out
	}
	if m := wholeUpper.FindStringSubmatch(span); m != nil {
		return []named{{name: m[1], sort: variableName}}
	}
	if m := route.FindStringSubmatch(span); m != nil {
		return []named{{name: m[1], sort: endpointName}}
	}
	if manual.MatchString(span) {
		return nil
	}
	if m := callName.FindStringSubmatch(span); m != nil {
		return withValue(one(m[1]+m[2], codeName))
	}
	if m := tagged.FindStringSubmatch(span); m != nil && defined {
		return one(m[1], keyName)
	}
	if m := setting.FindStringSubmatch(span); m != nil && strings.Contains(m[1], "_") {
		return withValue(one(m[1], keyName))
	}
	if m := somefile.FindStringSubmatch(span); m != nil {
		if slices.ContainsFunc(strings.Split(m[1], "/"), shown.MatchString) {
			return nil
		}
		return one(m[1], fileName)
	}
	if noName.MatchString(span) && !strings.HasPrefix(span, "@") && !strings.HasPrefix(span, "'") && !strings.HasPrefix(span, `"`) || notName.MatchString(span) {
		return nil
	}
	if dottedName.MatchString(span) {
		last := span[strings.LastIndexAny(span, ".:#>")+1:]
		if humped(last) || strings.ContainsAny(span[1:], ".:#>") || span[0] == '@' && span[1] >= 'A' && span[1] <= 'Z' {
			return one(span, codeName)
		}
	}
	if m := plainKey.FindStringSubmatch(span); m != nil && defined && len(m[1]) > 2 {
		return one(m[1], keyName)
	}
	return nil
}

func withValue(got []named) []named {
	for i := range got {
		got[i].called = true
	}
	return got
}

func one(name, sort string) []named {
	name = strings.TrimLeft(name, ".#@:")
	if len(name) < 3 || shown.MatchString(name) {
		return nil
	}
	return []named{{name: name, sort: sort}}
}

// humped reports whether a name is made of several words, as no word of prose is.
func humped(name string) bool {
	lower := false
	for i, r := range name {
		switch {
		case r == '_' && i > 0 && i < len(name)-1, lower && r >= 'A' && r <= 'Z':
			return true
		case r >= 'a' && r <= 'z':
			lower = true
		case r >= 'A' && r <= 'Z' && i > 0 && i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z':
			return true
		}
	}
	return false
}

// shown are names that documents give to what is only shown.
var shown = lazy.Regexp(`(?i)^(?:my|your|foo|bar|baz|qux|some|example|sample|test|demo|hello|acme)|(?:foo|bar|baz|qux|example)\b|^(?-i:(?:an?|the|this|that|first|second|another)(?:_|[A-Z]))|^(?:camel|pascal|snake|kebab|lower|upper)_?case|(?-i:[a-z_]My[A-Z]|Xxx|[a-z][NXY]$|[A-Z]{2}n$)|^do_?(?:some|any)?(?:thing|stuff|work)(?-i:_|[A-Z]|$)|\d{4,}|\bv?[XN]\.(?:\d|[XYZN])|^[a-z]\.[a-z]$|^[a-z]{2}_[A-Z]{2}$`)

var (
	prompt   = lazy.Regexp(`^\s*(?:[\w~/@:.()-]*[$%#>❯]\s+)?(?:sudo\s+|env\s+|npx\s+(?:-y\s+)?|time\s+)*((?:[A-Z_][A-Z0-9_]*=\S*\s+)*)([\w./-]+)((?:\s.*)?)$`)
	exported = lazy.Regexp(`^\s*(?:[$>#]\s+)?(?:export|set|setx|ENV)\s+(?:-gx\s+)?([A-Z_][A-Z0-9_]+)(?:[=\s]|$)`)
	assigned = lazy.Regexp(`(_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=`)
	helpFlag = lazy.Regexp(`^\s+(?:-\w,\s+)?--([a-z][\w-]+)`)
	usage    = lazy.Regexp(`(?im)^\s*usage:`)
	yamlKey  = lazy.Regexp(`^\s*(?:- )?([a-z][A-Za-z0-9_-]*)\s*:(?:\s|$)`)
	tomlKey  = lazy.Regexp(`^\s*([a-z][A-Za-z0-9_-]*)\s*=\s*\S`)
	jsonKey  = lazy.Regexp(`^\s*"([a-z][A-Za-z0-9_-]*)"\s*:`)
	usedName = lazy.Regexp(`([A-Za-z_$][\w$]*)?(?:\.|::|->)([A-Za-z_$][\w$]*[!?]?)\s*(?:<\w+>)?\(|@([A-Z][\w.]*|[a-z_]\w*\.[\w.]*)`)
)

// codeNames returns the names that a block of code of a document has: what is called of
// the program itself, the settings of a file of its own, and calls.
func (k *known) codeNames(b *block) []named {
	if b.under.past || notHere.MatchString(b.lead) && strings.Contains(b.lead, "instead") {
		return nil
	}
	var out []named
	lang := fenceOf(b.lang)
	put := func(i int, name, sort string) {
		out = append(out, named{name: name, sort: sort, line: b.line + i, text: strings.TrimSpace(b.raw[i]), of: b, called: true})
	}
	switch lang {
	case "", "sh", "bash", "shell", "console", "zsh", "text", "txt", "shell-session", "fish", "cmd", "terminal", "dosini-session":
		help := usage.MatchString(strings.Join(b.raw, "\n")) && slices.ContainsFunc(b.raw, func(l string) bool { return k.mentionsOwn(l) })
		for i, line := range b.raw {
			before := len(out)
			program := k.lineNames(line, lang, help, func(name, sort string) { put(i, name, sort) })
			for j := range out[before:] {
				if n := &out[before+j]; program != "" && n.sort == flagName {
					n.handed = program
				}
			}
		}
	default:
		switch {
		case configured(b.lang) && k.strangersFile(b.lead):
			return nil
		case configured(b.lang):
			return k.settings(b, lang)
		case k.langs[spoken(lang)]:
			k.callNames(b, lang, put)
		}
	}
	return out
}

// lineNames yields the names of a line of a shell, and returns the program whose subcommand it calls,
// or "": help says that the block is of what a program says of itself.
func (k *known) lineNames(line, lang string, help bool, put func(name, sort string)) string {
	if m := helpFlag.FindStringSubmatch(line); m != nil && help {
		put("--"+m[1], flagName)
		return ""
	}
	if m := exported.FindStringSubmatch(line); m != nil {
		put(m[1], variableName)
		return ""
	}
	m := prompt.FindStringSubmatch(line)
	if m == nil || lang == "" && !strings.ContainsAny(line, "$>-") && !k.own[fold2(path.Base(m[2]))] {
		return ""
	}
	for _, v := range assigned.FindAllStringSubmatch(m[1], -1) {
		put(v[1], variableName)
	}
	program := path.Base(m[2])
	if !k.own[fold2(program)] || program[0] >= 'A' && program[0] <= 'Z' && lang == "" {
		return ""
	}
	rest, _, _ := strings.Cut(m[3], " -- ")
	rest, _, _ = strings.Cut(rest, "|")
	rest, _, _ = strings.Cut(rest, " #")
	rest = inQuotes.ReplaceAllString(rest, "_")
	// What runs another program hands it its flags.
	rest = runs.ReplaceAllString(rest, "")
	if w := strings.Fields(rest); len(w) > 0 && subcommand.MatchString(w[0]) {
		if _, ok := k.word(w[0]); !ok {
			rest = " " + w[0]
		}
	}
	for _, f := range longFlag.FindAllStringSubmatch(strings.ReplaceAll(rest, " ", "  "), -1) {
		put("--"+f[1], flagName)
	}
	if w := strings.Fields(rest); len(w) > 0 && subcommand.MatchString(w[0]) {
		put(program+" "+w[0], commandName)
		return program
	}
	return ""
}

// callNames puts what an example of the project's own language calls of it.
func (k *known) callNames(b *block, lang string, put func(i int, name, sort string)) {
	for i, line := range b.raw {
		if remark.MatchString(line) {
			continue
		}
		for _, m := range ownCalls(inQuotes.ReplaceAllString(line, "_")) {
			// What an example calls on a value of its own may be anybody's.
			of, _, _ := strings.Cut(m[3], ".")
			switch {
			case m[1] != "" && (k.own[fold2(m[1])] && !b.sets(m[1]) || m[1][0] >= 'A' && m[1][0] <= 'Z' && k.declared(m[1])):
				put(i, m[1]+"."+m[2], codeName)
			case m[3] != "" && k.own[fold2(of)]:
				put(i, m[3], codeName)
			case m[1] == "" && humped(m[2]) && k.builds(b, i):
				put(i, m[2], codeName)
			}
		}
	}
}

// ownCalls returns what a line calls, but for what it calls on a member of something else: that
// member may have the name of a type.
func ownCalls(line string) (out [][]string) {
	for _, at := range usedName.FindAllStringSubmatchIndex(line, -1) {
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = line[at[2*i]:at[2*i+1]]
			}
		}
		if m[1] != "" && at[2] > 0 && line[at[2]-1] == '.' {
			continue
		}
		out = append(out, m)
	}
	return out
}

// builds reports whether a line of an example goes on with a call on what the program
// itself made: a chain that begins with one of its types or with its own name.
func (k *known) builds(b *block, at int) bool {
	for i := at; i >= 0 && i > at-12; i-- {
		line := strings.TrimSpace(b.raw[i])
		if i == at && !strings.HasPrefix(line, ".") {
			return false
		}
		if strings.HasPrefix(line, ".") {
			continue
		}
		return slices.ContainsFunc(nameRE.FindAllString(line, -1), func(w string) bool {
			return k.own[fold2(w)] || w[0] >= 'A' && w[0] <= 'Z' && k.declaredHere(w)
		})
	}
	return false
}

var (
	inQuotes   = lazy.Regexp(`"[^"]*"|'[^']*'|` + "`[^`]*`")
	runs       = lazy.Regexp(`\s(?:-x|-X|--exec(?:-batch)?|--command|&&|;|-c\s+_)\s.*$`)
	subcommand = lazy.Regexp(`^[a-z][a-z]+(?:-[a-z]+)*$`)
	remark     = lazy.Regexp(`^\s*(?://|#|\*|/\*|--)`)
)

// fenceOf returns the language that a fence says.
func fenceOf(info string) string {
	lang := strings.ToLower(strings.TrimLeft(info, "{. "))
	if i := strings.IndexAny(lang, " ,{}:"); i >= 0 {
		lang = lang[:i]
	}
	return lang
}

// configured reports whether a fence holds settings.
func configured(info string) bool {
	switch fenceOf(info) {
	case "yaml", "yml", "toml", "json", "jsonc", "json5", "ini":
		return true
	}
	return false
}

// spoken is a language by the name that fences give it.
func spoken(lang string) string {
	switch lang {
	case "js", "jsx", "mjs", "cjs", "ts", "tsx", "typescript", "node":
		return "javascript"
	case "py", "pycon", "python3":
		return "python"
	case "rb":
		return "ruby"
	case "rs":
		return "rust"
	case "cs", "c#":
		return "csharp"
	case "c++", "cc", "cxx", "hpp":
		return "cpp"
	case "objective-c", "objectivec", "obj-c":
		return "objc"
	case "kt", "kts":
		return "kotlin"
	case "ex", "exs":
		return "elixir"
	case "golang":
		return "go"
	}
	return lang
}

// settings returns the keys of a block of configuration that is the program's own: most
// of its other keys are known.
func (k *known) settings(b *block, lang string) []named {
	re := yamlKey
	switch lang {
	case "toml", "ini":
		re = tomlKey
	case "json", "jsonc", "json5":
		re = jsonKey
	}
	var out []named
	there := 0
	depth := -1
	theirs := false
	for i, line := range b.raw {
		if table := strings.TrimSpace(line); lang == "toml" && strings.HasPrefix(table, "[") {
			theirs = strings.Count(table, ".") > 1 // below what its reader has named
		}
		m := re.FindStringSubmatch(line)
		if m == nil || theirs {
			continue
		}
		in := len(line) - len(strings.TrimLeft(line, " \t"))
		if depth < 0 {
			depth = in
		}
		if in > depth {
			continue // what is below a setting may be the user's
		}
		if _, ok := k.has(m[1], keyName); ok && (strings.ContainsAny(m[1], "_-") || k.a.ev.literal(m[1])) {
			there++
		}
		out = append(out, named{name: m[1], sort: keyName, line: b.line + i, text: strings.TrimSpace(line), of: b, called: true})
	}
	if there < 2 || len(out)-there > 1 {
		return nil
	}
	return out
}
