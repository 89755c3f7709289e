package vault

import (
	"bytes"
	"slices"
	"strings"
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
		text = decodeBytes(text)
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

// A secret is a way in which one is told. Its pattern begins with the byte before, which the
// word may have to follow, and is tried only where begins allows it: nothing that is always the
// same begins it, and to try it at every byte took a fifth of the time of indexing a note.
type secret struct {
	pattern *lazy.Pattern
	begins  func(text []byte) bool        // whether it may match here; true in doubt
	is      func(name, value []byte) bool // name is all before the value: the noun, and what links the two
}

// Secrets as people tell them: the name, perhaps what it is for, a verb or a
// sign, and the value; and what a shell exports.
var (
	said = secret{lazy.Regexp(`(?i)\A(?s:.)(?:(?:api|access|secret|private|auth|signing|encryption|deploy|license|licence|service|master|bearer|webhook)[ _-]{0,2}(?:access[ _-])?(?:key|token|secret|schlüssel|キー)|` +
		`pass(?:word|phrase|code|wd|wort)|kennwort|mot de passe|contraseña|(?:client|shared|app) secret|credentials?|\btoken|\bsecret|パスワード|トークン|シークレット|秘密鍵)s?` +
		`(?: (?:for|of|to|on|in|für|von|の) (?:the |our |my )?[\pL\pN._-]{1,40}(?: [\pL\pN._-]{1,40})?)?` +
		`(?:\s{0,2}(?:[:=]{1,2}|->|=>|→|は|:)\s{0,2}|,? (?:is|was|are|ist|lautet|est|es|are|to|with|now) (?:now |set to )?|\s)` +
		"[\"'`“「]?" + `([!-~]{6,512})`), namesSecret, gives}
	exported = secret{lazy.Regexp(`(?i)\A(?s:.)\b(?:export|set|setx|setenv|env|declare -x)[ \t]+(?:` + variable + `[ \t]*=|(?-i:` + variable + `)[ \t])[ \t]*["']?([^\s"'$%<]{4,})`),
		exports, func(_, v []byte) bool { return !bytes.Contains(v, []byte("://")) && !shows(v) }}
)

// variable is a name that says that it is of a secret. Only with capitals it is no word of a
// sentence, as in "set keyboard layout to German".
const variable = `[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH|DSN)[A-Z0-9_]*`

// secretNames are the beginnings of names of secrets, by their first byte.
var secretNames = func() (table [256][]string) {
	for _, name := range []string{"api", "access", "auth", "app secret", "bearer", "contraseña", "client secret", "credential", "deploy", "encryption", "kennwort",
		"licen", "master", "mot de passe", "private", "pass", "secret", "signing", "service", "shared secret", "token", "webhook",
		"パスワード", "トークン", "シークレット", "秘密鍵"} {
		table[name[0]] = append(table[name[0]], name)
	}
	return table
}()

// namesSecret reports whether a text may begin with the name of a secret.
func namesSecret(s []byte) bool {
	first := s[0]
	if first < utf8.RuneSelf {
		first |= 0x20
	}
	return slices.ContainsFunc(secretNames[first], func(w string) bool { return len(s) >= len(w) && bytes.EqualFold(s[:len(w)], []byte(w)) })
}

// exports reports whether a text may begin with a command that sets a variable.
func exports(s []byte) bool {
	switch s[0] | 0x20 {
	case 'd', 'e', 's':
		word := s[:min(len(s), len("declare"))]
		if end := bytes.IndexAny(word, " \t"); end >= 0 {
			word = word[:end]
		}
		switch strings.ToLower(string(word)) {
		case "export", "set", "setx", "setenv", "env", "declare":
			return true
		}
	}
	return false
}

// hideSaid removes what redact.Text leaves alone because nothing in a program
// would look so: a key told in a sentence, and what a shell exports under a name
// that says what it is.
func hideSaid(text []byte) (out []byte, n int) {
	for _, s := range [...]*secret{&said, &exported} {
		out = nil
		kept := 0
		for at := 0; at < len(text); at++ {
			if !s.begins(text[at:]) {
				continue
			}
			m := s.match(text, at)
			if m == nil {
				continue
			}
			from, to := m[2], m[3]
			v := bytes.TrimRight(text[from:to], "\"'`.,;:!?)]}>")
			if !bytes.Contains(text[at:to], []byte(marked)) && s.is(text[at:from], v) {
				out = append(append(out, text[kept:from]...), marked+"secret]"...)
				kept = from + len(v)
				n++
			}
			at = m[1] - 1 // the next one begins where this one ends
		}
		if kept > 0 {
			text = append(out, text[kept:]...)
		}
	}
	return text, n
}

// match returns the places of what the pattern matches at a place of a text, and of its
// value; nil: it does not.
func (s *secret) match(text []byte, at int) []int {
	from := at - 1
	if at == 0 {
		text, from = append([]byte("\n"), text...), 0
	}
	m := s.pattern.FindSubmatchIndex(text[from:])
	for i := range m {
		m[i] += at - 1
	}
	return m
}

// gives reports whether a name and what links it to the word after it give a secret away. A token or a secret
// of which nothing more is said than its name is any: "Token T-4711 is revoked".
func gives(name, v []byte) bool {
	if shows(v) {
		return false
	}
	bare := bytes.ToLower(bytes.TrimRight(name, " \t\n\"'`"))
	switch string(bytes.TrimSuffix(bare, []byte("s"))) {
	case "token", "secret", "credential":
		if len(v) < 16 {
			return false
		}
	}
	return told(v)
}

// shows reports whether a value only shows where one goes, as ghp_xxxxxxxx… does.
func shows(v []byte) bool {
	low := bytes.ToLower(v)
	return bytes.Contains(low, []byte("xxxx")) || bytes.Contains(low, []byte("****")) || bytes.Contains(low, []byte("…"))
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
	case digits > 0 && letters > 0, others > 0 && letters > 3:
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
