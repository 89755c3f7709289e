package man

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// signs are the special characters that pages use (groff_char(7)).
var signs = map[string]string{
	"aq": "'", "dq": `"`, "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "em": "—", "en": "–", "hy": "-", "mi": "-", "bu": "•", "co": "©", "rg": "®", "tm": "™",
	"rs": `\`, "sl": "/", "ti": "~", "ha": "^", "ga": "`", "aa": "´", "bq": "‚", "Bq": "„", "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "<-": "←", "->": "→", "<=": "≤", ">=": "≥",
	"!=": "≠", "==": "≡", "+-": "±", "mu": "×", "di": "÷", "de": "°", "sc": "§", "dg": "†", "ua": "↑", "da": "↓", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "<",
	"ra": ">", "ba": "|", "br": "|", "or": "|", "at": "@", "sh": "#", "Do": "$", "pl": "+", "eq": "=", "ul": "_", "**": "*", "no": "¬", "if": "∞", "12": "½", "14": "¼",
	"34": "¾", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "/o": "ø", "/O": "Ø", "oA": "Å", "oa": "å", "'e": "é", "'a": "á", "'i": "í", "'o": "ó", "'u": "ú", ":a": "ä", ":o": "ö",
	":u": "ü", ":A": "Ä", ":O": "Ö", ":U": "Ü", "`a": "à", "`e": "è", "^e": "ê", ",c": "ç", "~n": "ñ", "ci": "○", "sq": "□", "OK": "✓", "Eu": "€", "Po": "£", "Ye": "¥", "ct": "¢",
	"*a": "α", "*b": "β", "*m": "μ", "*p": "π", "sp": " ", "lh": "☜", "rh": "☞", "f/": "⁄", "rn": "‾", "md": "⋅", "pc": "·", "bv": "|", "fm": "′",
}

// own are the strings that every page has.
var own = map[string]string{"lq": "“", "rq": "”", "R": "®", "Tm": "™", "Aq": "'", "Lt": "<", "Gt": ">", "Le": "≤", "Ge": "≥", "Ba": "|", "Pm": "±", "Ne": "≠", "q": `"`}

// plain returns text without its escapes.
func (r *reader) plain(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			i++
			continue
		}
		if i+1 == len(s) {
			break
		}
		c := s[i+1]
		i += 2
		switch c {
		case '-':
			b.WriteByte('-')
		case 'e', '\\':
			b.WriteByte('\\')
		case ' ', '~', '0', 't':
			b.WriteByte(' ')
		case '\'', '`', '.', '_':
			b.WriteByte(c)
		case '"', '#':
			return b.String()
		case 'f', 'F', 'm', 'M', 'g', 'k', 'n', 'V', 'Y', 'O':
			_, i = named(s, i)
		case 's':
			i = size(s, i)
		case '*':
			var name string
			name, i = named(s, i)
			if v, ok := r.strings[name]; ok {
				b.WriteString(v)
			} else {
				b.WriteString(own[name])
			}
		case '(', '[':
			var name string
			name, i = named(s, i-1)
			b.WriteString(sign(name))
		case 'C', 'N':
			var arg string
			arg, i = quoted(s, i)
			if c == 'C' {
				b.WriteString(sign(arg))
			} else if n, err := strconv.Atoi(arg); err == nil && ' ' <= n && n < 127 {
				b.WriteByte(byte(n))
			}
		case 'h', 'v', 'w', 'b', 'o', 'l', 'L', 'D', 'R', 'S', 'H', 'x', 'X', 'Z', 'A', 'B':
			_, i = quoted(s, i)
		case 'z', 'u', 'd', 'c', 'p', 'r', 'a', '&', '%', '|', '^', '/', ',', ')', ':', '{', '}', '!', '?':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// named reads the name after an escape: x, (xx or [name].
func named(s string, i int) (name string, next int) {
	switch {
	case i >= len(s):
		return "", i
	case s[i] == '(':
		end := min(i+3, len(s))
		return s[i+1 : end], end
	case s[i] == '[':
		n := strings.IndexByte(s[i:min(len(s), i+100)], ']')
		if n < 0 {
			return "", i + 1
		}
		return s[i+1 : i+n], i + n + 1
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	return s[i : i+n], i + n
}

// quoted reads an argument between two of the same sign.
func quoted(s string, i int) (arg string, next int) {
	if i >= len(s) {
		return "", i
	}
	n := strings.IndexByte(s[i+1:min(len(s), i+200)], s[i])
	if n < 0 {
		return "", i + 1
	}
	return s[i+1 : i+1+n], i + n + 2
}

// size passes over the size of a font: \s0, \s-1, \s+2, \s12, \s'…' and \s[…].
func size(s string, i int) int {
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	switch {
	case i >= len(s):
		return i
	case s[i] == '\'':
		_, i = quoted(s, i)
		return i
	case s[i] == '[' || s[i] == '(':
		_, i = named(s, i)
		return i
	}
	if i+1 < len(s) && '1' <= s[i] && s[i] <= '3' && '0' <= s[i+1] && s[i+1] <= '9' {
		return i + 2
	}
	return i + 1
}

// sign returns a special character by its name, "" where it is none.
func sign(name string) string {
	if s, ok := signs[name]; ok {
		return s
	}
	if hex, ok := strings.CutPrefix(name, "u"); ok && len(hex) >= 4 && len(hex) <= 6 {
		if n, err := strconv.ParseUint(hex, 16, 32); err == nil && utf8.ValidRune(rune(n)) {
			return string(rune(n))
		}
	}
	return ""
}
