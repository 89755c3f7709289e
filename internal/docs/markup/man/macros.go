package man

import (
	"slices"
	"strings"
)

// fonts are the requests of man(7) that show their words.
var fonts = map[string]bool{"B": true, "I": true, "SM": true, "SB": true, "BR": true, "RB": true, "IR": true, "RI": true, "BI": true, "IB": true, "R": true}

// font returns the words of one: with spaces between them, or as one word where they
// alternate between two fonts.
func (r *reader) font(name, rest string) string {
	sep := " "
	if len(name) == 2 && name[0] != 'S' {
		sep = ""
	}
	return r.plain(strings.Join(words(rest), sep))
}

// man reads a request of man(7).
func (r *reader) man(name, rest string) {
	switch name {
	case "TH":
		if w := words(rest); len(w) > 0 {
			r.title(r.plain(w[0]), w[1:])
		}
	case "SH", "SS":
		text := r.plain(strings.Join(words(rest), " "))
		if text == "" && r.at < len(r.lines) && !strings.HasPrefix(r.lines[r.at], ".") {
			text = r.plain(r.next())
		}
		level := 2
		if name == "SS" {
			level = 3
		}
		r.heading(level, text)
	case "PP", "P", "LP", "HP":
		r.literal(false)
		if r.innermost(items) {
			r.shut(len(r.kinds) - 1)
		}
	case "TP", "TQ":
		r.literal(false)
		r.list()
		r.tag = true
	case "IP":
		r.literal(false)
		if w := words(rest); len(w) > 0 && w[0] != "" {
			r.list()
			r.item(r.plain(w[0]))
		}
	case "RS":
		r.open(indent)
	case "RE":
		for i := len(r.kinds) - 1; i >= 0; i-- {
			if r.kinds[i] == indent {
				r.shut(i)
				break
			}
		}
	case "UR", "MT":
		if w := words(rest); len(w) > 0 {
			r.text(r.plain(w[0]))
		}
	case "UE", "ME": // what may follow is a full stop
	case "SY":
		r.paragraph()
		r.text(r.plain(rest))
	case "OP":
		r.text("[" + r.plain(strings.Join(words(rest), " ")) + "]")
	default:
		if fonts[name] {
			if text := r.font(name, rest); text != "" || r.code {
				r.text(text)
			}
		}
	}
}

// list begins the items of man(7), where they are not open.
func (r *reader) list() {
	r.paragraph()
	if !r.innermost(items) {
		r.open(items)
	}
}

func (r *reader) title(name string, rest []string) {
	if name == strings.ToUpper(name) {
		name = strings.ToLower(name)
	}
	if len(rest) > 0 && rest[0] != "" {
		name += "(" + r.plain(rest[0]) + ")"
	}
	r.heading(1, name)
}

// words splits the arguments of a request: by spaces, but for those in quotes.
func words(s string) []string {
	var out []string
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" || strings.HasPrefix(s, `\"`) {
			return out
		}
		var b strings.Builder
		i := 0
		if s[0] == '"' {
			for i = 1; i < len(s); i++ {
				if s[i] == '"' {
					if i+1 < len(s) && s[i+1] == '"' {
						i++
					} else {
						break
					}
				}
				b.WriteByte(s[i])
			}
			i = min(i+1, len(s))
		} else {
			for ; i < len(s) && s[i] != ' ' && s[i] != '\t'; i++ {
				b.WriteByte(s[i])
				if s[i] == '\\' && i+1 < len(s) { // a space that is part of the word
					i++
					b.WriteByte(s[i])
				}
			}
		}
		out = append(out, b.String())
		s = s[i:]
	}
}

// doc reads a request of mdoc(7).
func (r *reader) doc(name, rest string) {
	w := words(rest)
	switch name {
	case "Dd", "Os", "Db", "Bk", "Ek", "Bf", "Ef", "Rs", "Re":
		r.paragraph()
	case "Sm":
		if r.close = len(w) > 0 && w[0] == "off"; r.close && len(r.para) > 0 {
			r.para = append(r.para, " ")
		}
	case "Dt":
		if len(w) > 0 {
			r.title(r.plain(w[0]), w[1:])
		}
	case "Sh", "Ss":
		r.section = r.plain(strings.Join(w, " "))
		if name == "Sh" {
			r.heading(2, r.section)
		} else {
			r.heading(3, r.inline(w))
		}
	case "Pp", "Lp":
		if r.code {
			r.text("")
			return
		}
		r.paragraph()
	case "Bl":
		r.literal(false)
		r.open(list)
	case "El":
		if i := r.lastList(); i >= 0 {
			r.shut(i)
		}
	case "It":
		r.paragraph()
		if r.innermost(list) {
			r.item(r.extended(w))
		}
	case "Bd":
		if strings.Contains(rest, "-literal") || strings.Contains(rest, "-unfilled") {
			r.literal(true)
		} else {
			r.paragraph()
		}
	case "Ed":
		r.literal(false)
	case "Dl", "D1":
		r.literal(true)
		r.text(r.inline(w))
		r.literal(false)
	case "Fo":
		if len(w) > 0 {
			r.text(r.plain(w[0]) + "(")
		}
	case "Fc":
		r.text(")")
	case "Nd":
		r.text("– " + r.inline(w))
	case "Nm", "Fn", "Ft", "In":
		if name == "Nm" && len(w) > 0 && r.name == "" {
			n := r.plain(w[0])
			r.name = n[:min(len(n), maxString)]
		}
		if r.section == "SYNOPSIS" {
			r.paragraph()
		}
		r.text(r.inline(append([]string{name}, w...)))
	default:
		if strings.HasPrefix(name, "%") {
			r.text(r.plain(strings.Join(w, " ")) + ",")
			return
		}
		if s := r.inline(append([]string{name}, w...)); s != "" {
			r.text(s)
		}
	}
}

// lastList returns which is the innermost list that is open, -1 where none is.
func (r *reader) lastList() int {
	i := len(r.kinds) - 1
	for i >= 0 && r.kinds[i] != list {
		i--
	}
	return i
}

// maxExtended is how many lines the words of an item may go on over.
const maxExtended = 50

// extended returns the words of an item, which go on until .Xc where they hold Xo.
func (r *reader) extended(w []string) string {
	parts := []string{r.inline(w)}
	if !slices.Contains(w, "Xo") || slices.Contains(w, "Xc") {
		return parts[0]
	}
	for n := 0; n < maxExtended && r.at < len(r.lines); n++ {
		line := r.next()
		name, rest := "", line
		if strings.HasPrefix(line, ".") {
			name, rest = requestOf(line)
		}
		words := words(rest)
		switch name {
		case "Xc":
			return strings.TrimSpace(strings.Join(append(parts, r.inline(words)), ""))
		case "Sm":
			if r.close = len(words) > 0 && words[0] == "off"; r.close {
				parts = append(parts, " ")
			}
			continue
		case "":
		default:
			words = append([]string{name}, words...)
		}
		if !r.close {
			parts = append(parts, " ")
		}
		parts = append(parts, r.inline(words))
	}
	return strings.TrimSpace(strings.Join(parts, ""))
}

// systems are requests that stand for a name.
var systems = map[string]string{"Ux": "UNIX", "Bx": "BSD", "Ox": "OpenBSD", "Nx": "NetBSD", "Fx": "FreeBSD", "Dx": "DragonFly", "Bsx": "BSD/OS", "At": "AT&T UNIX"}

// around are the requests of mdoc that put signs around the words after them.
var around = map[string][2]string{"Op": {"[", "]"}, "Bq": {"[", "]"}, "Pq": {"(", ")"}, "Aq": {"<", ">"}, "Brq": {"{", "}"}, "Sq": {"‘", "’"}, "Dq": {"“", "”"}, "Qq": {`"`, `"`}, "Ql": {"`", "`"}}

// halves are those that begin and end apart.
var halves = map[string]string{"Oo": "[", "Oc": "]", "Bo": "[", "Bc": "]", "Po": "(", "Pc": ")", "Ao": "<", "Ac": ">", "Bro": "{", "Brc": "}", "So": "‘", "Sc": "’", "Do": "“", "Dc": "”", "Qo": `"`, "Qc": `"`}

// quiet are those of which only the words show.
var quiet = map[string]bool{"Ar": true, "Cm": true, "Ic": true, "Li": true, "Pa": true, "Va": true, "Vt": true, "Ev": true, "Er": true, "Dv": true, "An": true, "Ft": true,
	"Fa": true, "No": true, "Em": true, "Sy": true, "Tn": true, "Lk": true, "Mt": true, "Ad": true, "Cd": true, "Ms": true, "St": true,
	"Xo": true, "Xc": true, "Ta": true, "Lb": true, "Ap": true, "Ns": true}

// inline returns a line of mdoc as it is read: its words, and those of the requests among them.
func (r *reader) inline(w []string) string {
	l := inlined{r: r, tight: true}
	last := len(w) // of the words at the end that are punctuation, which is outside of what is around others
	for last > 0 && punctuation(w[last-1]) {
		last--
	}
	for i := 0; i < len(w); i++ {
		if i == last {
			l.shut()
		}
		i = l.word(w, i)
	}
	l.shut()
	return l.b.String()
}

// An inlined is a line of mdoc while it is put together.
type inlined struct {
	r       *reader
	b       strings.Builder
	tight   bool     // no space before the next word
	flag    bool     // the next word is a flag
	closing []string // what is still to be put behind what is around others
}

func (l *inlined) put(s string) {
	if s == "" {
		return
	}
	if !l.tight && !l.r.close && !(len(s) == 1 && strings.Contains(".,:;)]?!", s)) {
		l.b.WriteByte(' ')
	}
	l.b.WriteString(s)
	l.tight = s == "(" || s == "["
}

func (l *inlined) shut() {
	for _, s := range slices.Backward(l.closing) {
		l.b.WriteString(s)
	}
	l.closing = nil
}

// word puts the word at i, and returns where the last one is that it took.
func (l *inlined) word(w []string, i int) int {
	r, name, rest, flag := l.r, w[i], w[i+1:], l.flag
	l.flag = false
	pair, opens := around[name]
	half, isHalf := halves[name]
	switch {
	case opens:
		l.put(pair[0])
		l.tight, l.closing = true, append(l.closing, pair[1])
	case isHalf:
		closes := strings.HasSuffix(name, "c")
		l.tight = l.tight || closes
		l.put(half)
		l.tight = !closes
	case name == "Ns" || name == "Ap":
		if name == "Ap" {
			l.b.WriteByte('\'')
		}
		l.tight = true
	case name == "Fl":
		if l.flag = len(rest) > 0 && !r.called(rest[0]); !l.flag {
			l.put("-")
		}
	case name == "Nm":
		if len(rest) == 0 || r.called(rest[0]) || punctuation(rest[0]) {
			l.put(r.name)
		}
	case name == "Xr" && len(rest) > 1 && len(rest[1]) < 6 && !punctuation(rest[1]):
		l.put(r.plain(rest[0]) + "(" + r.plain(rest[1]) + ")")
		return i + 2
	case name == "Fn" && len(rest) > 0:
		args := []string{}
		for _, arg := range rest[1:] {
			if punctuation(arg) {
				break
			}
			args = append(args, r.plain(arg))
		}
		l.put(r.plain(rest[0]) + "(" + strings.Join(args, ", ") + ")")
		return i + 1 + len(args)
	case name == "In" && len(rest) > 0:
		l.put("#include <" + r.plain(rest[0]) + ">")
		return i + 1
	case name == "Ar" && (len(rest) == 0 || punctuation(rest[0])):
		l.put("file ...")
		l.flag = flag
	case systems[name] != "":
		l.put(systems[name])
	case quiet[name]:
	default:
		s := r.plain(name)
		if flag && !punctuation(s) {
			s = "-" + s
		}
		l.put(s)
		l.flag = flag
	}
	return i
}

// called reports whether a word in a line of mdoc is a request.
func (r *reader) called(w string) bool {
	_, a := around[w]
	_, h := halves[w]
	return a || h || quiet[w] || systems[w] != "" || w == "Fl" || w == "Nm" || w == "Xr" || w == "Fn"
}

func punctuation(s string) bool { return len(s) == 1 && strings.Contains(".,:;()[]?!|", s) }
