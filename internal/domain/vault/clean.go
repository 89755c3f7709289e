package vault

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/redact"
)

// Clean returns a text as memory may keep it: valid UTF-8, without what stands
// between <private> and </private>, and without secrets; and how many pieces it
// took out. A <private> that is never closed hides the rest. The text has as many
// lines as before, and cleaning it again changes nothing.
func Clean(text []byte) (out []byte, taken int) {
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	// To take one piece out may lay another bare.
	for range 20 {
		var private, secrets, said int
		text, private = hidePrivate(text)
		text, secrets = redact.Text(text)
		text, said = hideSaid(text)
		if private+secrets+said == 0 {
			break
		}
		taken += private + secrets + said
	}
	return text, taken
}

const (
	hidden = "[private]"
	marked = "[redacted:"
)

// hidePrivate removes what its writer marked as private. A tag that is opened
// within another must be closed too: in doubt it hides more.
func hidePrivate(text []byte) (out []byte, n int) {
	depth, from, kept := 0, 0, 0
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '<')
		if i < 0 {
			break
		}
		at += i
		size, closing := privateTag(text[at:])
		switch {
		case size == 0:
			at++
			continue
		case !closing:
			if depth == 0 {
				from = at
			}
			depth++
		case depth > 0:
			if depth--; depth == 0 {
				out = blank(append(out, text[kept:from]...), text[from:at+size])
				kept = at + size
				n++
			}
		}
		at += size
	}
	if depth > 0 {
		out = blank(append(out, text[kept:from]...), text[from:])
		kept = len(text)
		n++
	}
	if n == 0 {
		return text, 0
	}
	return append(out, text[kept:]...), n
}

// blank appends the mark of what was hidden, and its line ends.
func blank(out, gone []byte) []byte {
	out = append(out, hidden...)
	for range bytes.Count(gone, []byte("\n")) {
		out = append(out, '\n')
	}
	return out
}

// privateTag returns the length of the tag that s begins with, 0 if it is no tag
// of that name. One that is cut off counts.
func privateTag(s []byte) (size int, closing bool) {
	at := 1
	if at < len(s) && s[at] == '/' {
		closing = true
		at++
	}
	const name = "private"
	if len(s) < at+len(name) || !bytes.EqualFold(s[at:at+len(name)], []byte(name)) {
		return 0, false
	}
	at += len(name)
	if at < len(s) && s[at] != '>' && s[at] != ' ' && s[at] != '\t' && s[at] != '\n' && s[at] != '/' {
		return 0, false
	}
	end := bytes.IndexByte(s[at:min(len(s), at+200)], '>')
	switch {
	case end >= 0:
		return at + end + 1, closing
	case closing: // not a whole closing tag: it closes nothing
		return 0, false
	}
	return at, false
}

// Secrets as people tell them: the name, perhaps what it is for, a verb or a
// sign, and the value.
var (
	said = lazy.Regexp(`(?i)(?:(?:api|access|secret|private|auth|signing|encryption|deploy|license|licence|service|master|bearer|webhook)[ _-]{0,2}(?:access[ _-])?(?:key|token|secret|schlüssel|キー)|` +
		`pass(?:word|phrase|code|wd|wort)|kennwort|mot de passe|contraseña|(?:client|shared|app) secret|credentials?|\btoken|\bsecret|パスワード|トークン|シークレット|秘密鍵)s?` +
		`(?: (?:for|of|to|on|in|für|von|の) (?:the |our |my )?[\pL\pN._-]{1,40}(?: [\pL\pN._-]{1,40})?)?` +
		`(?:\s{0,2}(?:[:=]{1,2}|->|=>|→|は|:)\s{0,2}|,? (?:is|was|are|ist|lautet|est|es|are|to|with|now) (?:now |set to )?|\s)` +
		"[\"'`“「]?" + `([!-~]{6,512})`)
	exported = lazy.Regexp(`(?im)\b(?:export|set|setx|setenv|env|declare -x)[ \t]+[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASS|PASSWD|PASSWORD|PWD|CREDENTIALS?|AUTH|DSN)[A-Z0-9_]*[ \t]*[= \t][ \t]*["']?([^\s"'$%<]{4,})`)
)

// hideSaid removes what redact.Text leaves alone because nothing in a program
// would look so: a key told in a sentence, and what a shell exports under a name
// that says what it is.
func hideSaid(text []byte) (out []byte, n int) {
	if !mentions(text) {
		return text, 0
	}
	for _, p := range [...]struct {
		re  *lazy.Pattern
		is  func([]byte) bool
		tag string
	}{{said, told, "secret"}, {exported, func(v []byte) bool { return !bytes.Contains(v, []byte("://")) }, "secret"}} {
		out = nil
		kept := 0
		for _, m := range p.re.FindAllSubmatchIndex(text, -1) {
			from, to := m[2], m[3]
			v := bytes.TrimRight(text[from:to], "\"'`.,;:!?)]}>")
			if bytes.Contains(text[m[0]:to], []byte(marked)) || !p.is(v) {
				continue
			}
			out = append(append(out, text[kept:from]...), marked+p.tag+"]"...)
			kept = from + len(v)
			n++
		}
		if kept > 0 {
			text = append(out, text[kept:]...)
		}
	}
	return text, n
}

// mentions reports whether a text has a word that hideSaid looks for: most have
// none, and are passed over quickly.
func mentions(text []byte) bool {
	for _, w := range [...]string{"key", "Key", "KEY", "oken", "OKEN", "ecret", "ECRET", "ass", "PASS", "PWD", "AUTH", "DSN", "ennwort", "mot de", "ontrase", "redential", "REDENTIAL",
		"パスワード", "トークン", "シークレット", "秘密鍵", "chlüssel", "キー", "export ", "setx ", "setenv "} {
		if bytes.Contains(text, []byte(w)) {
			return true
		}
	}
	return false
}

// told reports whether the word after the name of a secret can be its value: no
// word of a language, nothing that names or shows where it goes.
func told(v []byte) bool {
	if len(v) < 6 || bytes.Contains(v, []byte("://")) || bytes.ContainsAny(v, "(){}<>") || v[0] == '$' || v[0] == '%' || v[0] == '/' || v[0] == '.' || v[0] == '~' || v[0] == '[' {
		return false
	}
	if bytes.ContainsRune(v, '[') || reference(v) {
		return false // os.environ["PASSWORD"], settings.SECRET_KEY
	}
	letters, digits, lower, upper, others := 0, 0, 0, 0, 0
	for _, c := range v {
		switch {
		case unicode.IsDigit(rune(c)):
			digits++
		case c >= 'a' && c <= 'z':
			letters++
			lower++
		case c >= 'A' && c <= 'Z':
			letters++
			upper++
		case c == '-' || c == '_' || c == '.' || c == ',' || c == '/' || c == ':':
		default:
			others++
		}
	}
	switch {
	case digits > 0 && letters > 0:
		return true
	case others > 0 && letters > 3:
		return true
	case digits == len(v): // a PIN, but a year or a port is shorter
		return len(v) >= 6
	}
	// A word has its capitals in front.
	return len(v) >= 12 && lower > 0 && upper > 2
}

// reference reports whether a value is a name of a program's with its parts, such as
// process.env.DB_PASSWORD: it says where the secret is, and is none.
func reference(v []byte) bool {
	parts := bytes.Split(v, []byte("."))
	for _, p := range parts {
		if len(p) < 2 || len(bytes.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")) > 0 {
			return false
		}
	}
	return len(parts) > 1
}
