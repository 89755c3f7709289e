package jvm

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/assay-dev/assay/internal/lang/scan"
)

// argument returns what is known of the expression from token i up to, without,
// token end: a chain, or the type that its form shows, in braces.
func (j *javaReader) argument(i, end int) string {
	if i+1 == end {
		return j.single(i)
	}
	if j.Key(i) == scan.KNew {
		if t := j.created(i + 1); t != "" {
			return t
		}
	}
	if j.Kind(i) == scan.Text && j.Sign(i+1, '.') {
		if rest, after := j.Chain(i + 2); after == end {
			return "{String}." + rest
		}
		return ""
	}
	if chain := j.Value(i, end); chain != "" {
		return chain
	}
	if chain, next := j.reference(j.Chain(i)); next == end && strings.HasPrefix(chain, "&") {
		return chain
	}
	if j.Sign(i, '(') && j.Word(i+1) {
		if typ := j.typeEnd(i + 1); typ == j.Pair(i) && j.Past(i) < end && j.castable(j.Past(i)) {
			return "{" + j.Quote(i+1, typ) + "}"
		}
	}
	return j.operated(i, end)
}

// reference adds to a chain before token i the name of the method of it that a reference means, and
// marks it: "&a.b" is a.b as a value.
func (j *javaReader) reference(chain string, i int) (string, int) {
	if chain == "" || !j.Two(i, ':', ':') || !j.Word(i+1) || strings.HasPrefix(chain, scan.Unknown) {
		return chain, i
	}
	return "&" + chain + "." + j.Str(i+1), i + 2
}

// reflecting are methods that name what they find by their arguments.
var reflecting = map[string]bool{"forName": true, "loadClass": true, "findClass": true, "getMethod": true, "getDeclaredMethod": true, "findStatic": true, "findVirtual": true, "findSpecial": true, "bind": true}

// quoted is argument, and of a text that may be a name the text, in single quotes.
func (j *javaReader) quoted(i, end int) string {
	if b := j.Bytes(i); i+1 == end && j.Kind(i) == scan.Text && len(b) > 2 && b[0] == '"' && named(b[1:len(b)-1]) {
		return "'" + string(b[1:len(b)-1]) + "'"
	}
	return j.argument(i, end)
}

// named reports whether a text is names with dots between them.
func named(b []byte) bool {
	for _, c := range b {
		if c != '.' && c != '_' && c != '$' && !(c >= '0' && c <= '9') && !(c|32 >= 'a' && c|32 <= 'z') {
			return false
		}
	}
	return true
}

// castable reports whether a cast may stand before token i.
func (j *javaReader) castable(i int) bool {
	switch j.Kind(i) {
	case scan.Word, scan.Number, scan.Text:
		return j.Key(i) != scan.KInstanceof
	}
	return j.Sign(i, '(') || j.Sign(i, '!') || j.Sign(i, '~')
}

// single returns what a token alone is.
func (j *javaReader) single(i int) string {
	t := &j.Toks[i]
	switch b := j.Bytes(i); t.Kind {
	case scan.Number:
		return number(b)
	case scan.Text:
		if b[0] == '\'' {
			return "{char}"
		}
		return "{String}"
	case scan.Word:
		switch string(b) {
		case "true", "false":
			return "{boolean}"
		}
		return string(b)
	}
	return ""
}

// number returns the type of a literal.
func number(b []byte) string {
	hex := len(b) > 1 && (b[1] == 'x' || b[1] == 'X')
	switch b[len(b)-1] {
	case 'l', 'L':
		return "{long}"
	case 'f', 'F':
		if !hex {
			return "{float}"
		}
	case 'd', 'D':
		if !hex {
			return "{double}"
		}
	}
	if bytes.IndexByte(b, '.') >= 0 || !hex && bytes.ContainsAny(b, "eE") {
		return "{double}"
	}
	return "{int}"
}

// created returns the type of the array that is made behind new; "" where none is.
func (j *javaReader) created(i int) string {
	k := j.annotations(i)
	name := k
	for j.Word(k) && j.Sign(k+1, '.') {
		k += 2
	}
	k = j.Angle(k + 1)
	if !j.Sign(k, '[') {
		return ""
	}
	from := k
	for j.Sign(k, '[') {
		k = j.Past(k)
	}
	if j.Sign(k, '.') || j.Sign(k-1, ']') && j.Sign(k, '[') {
		return ""
	}
	dims := 0
	for m := from; m < k; m = j.Past(m) {
		dims++
	}
	return "{" + j.Quote(name, from) + strings.Repeat("[]", dims) + "}"
}

// operated returns what the operators of an expression make of it: with a
// comparison a boolean, with text a text, else what the first operand is.
func (j *javaReader) operated(i, end int) string {
	text, first, from := false, "", i
	side := func(k int) {
		if first == "" || first == "{int}" {
			first = cmp.Or(j.operand(from, k), first)
		}
		from = k + 1
	}
	for k := i; k < end; k = j.Past(k) {
		switch t := &j.Toks[k]; t.Kind {
		case scan.Text:
			text = text || j.Src[t.At] == '"'
		case scan.Word:
			if t.Key == scan.KInstanceof {
				return "{boolean}"
			}
			if t.Key == scan.KSwitch {
				return ""
			}
		case scan.Punct:
			switch b := j.Bytes(k); string(b) {
			case "->", "::":
				return ""
			case "?":
				if k+1 < end {
					return j.branches(k+1, end)
				}
			case "==", "!=", "<=", ">=", "&&", "||":
				first = "{boolean}"
			case "<", ">":
				if k > i && !j.Two(k, '<', '<') && !j.Sign(k+1, '>') && !j.Sign(k-1, '>') && !j.Sign(k+1, '<') && !j.Sign(k-1, '<') {
					first = "{boolean}"
				}
			case "!":
				if k == i {
					first = "{boolean}"
				}
			case "+", "-", "*", "/", "%", "&", "|", "^", "~":
				side(k)
			}
		}
	}
	side(end)
	if text && first != "{boolean}" {
		return "{String}"
	}
	return first
}

// operand is argument for one side of an operator.
func (j *javaReader) operand(i, end int) string {
	if i >= end {
		return ""
	}
	if i+1 == end {
		return j.single(i)
	}
	return j.Value(i, end)
}

// branches returns what one of the branches of a ?: is, the second where the first
// is not known.
func (j *javaReader) branches(i, end int) string {
	depth := 0
	for k := i; k < end; k = j.Past(k) {
		switch {
		case j.Sign(k, '?'):
			depth++
		case j.Is(k, ":") && depth > 0:
			depth--
		case j.Is(k, ":"):
			for _, r := range [][2]int{{i, k}, {k + 1, end}} {
				if r[0] < r[1] {
					if one := j.operand(r[0], r[1]); one != "" && one != "null" {
						return one
					}
				}
			}
			return ""
		}
	}
	return ""
}
