package text

import "strings"

// Stem cuts the commonest English endings from a folded word, so that "routes",
// "routed", "router" and "routing" meet, and "validation" meets "validate". It
// goes less far than Porter's stemmer: identifiers carry meaning in their endings,
// and a term that two words share by accident costs more than one they miss.
func Stem(b string) string {
	n := len(b)
	if n < 4 || b[n-1] >= 0x80 || b[0] < 'a' {
		return b
	}
	switch {
	case strings.HasSuffix(b, "ies") && n > 4:
		return b[:n-3] + "y"
	case strings.HasSuffix(b, "sses"), strings.HasSuffix(b, "shes"), strings.HasSuffix(b, "ches"),
		strings.HasSuffix(b, "xes"), strings.HasSuffix(b, "zes"):
		b = b[:n-2]
	case b[n-1] == 's' && b[n-2] != 's' && b[n-2] != 'u' && b[n-2] != 'i':
		b = b[:n-1]
	}
	n = len(b)
	switch {
	case n > 5 && strings.HasSuffix(b, "ing") && vowel(b[:n-3]):
		b = undouble(b[:n-3])
	case n > 4 && strings.HasSuffix(b, "ied"):
		b = b[:n-3] + "y"
	case n > 4 && strings.HasSuffix(b, "ed") && vowel(b[:n-2]) && b[n-3] != 'e':
		b = undouble(b[:n-2])
	}
	b = cutNounEndings(b)
	// "route" and "rout(ing)" meet without their final e.
	if n = len(b); n > 3 && b[n-1] == 'e' {
		b = b[:n-1]
	}
	return b
}

// cutNounEndings cuts the endings that turn verbs into nouns, such as -er and -ing.
func cutNounEndings(b string) string {
	n := len(b)
	for _, r := range [...]struct {
		ending string
		cut    int // bytes
		least  int // of the part before the ending
	}{
		{"ization", 5, 3}, {"isation", 5, 3}, {"ation", 3, 3}, {"ition", 3, 3}, {"ution", 3, 3},
		{"ction", 3, 2}, {"ption", 3, 2}, {"ssion", 3, 2},
	} {
		if n-len(r.ending) >= r.least && strings.HasSuffix(b, r.ending) {
			return b[:n-r.cut]
		}
	}
	if n-2 >= 4 && b[n-1] == 'r' && (b[n-2] == 'e' || b[n-2] == 'o') {
		return undouble(b[:n-2])
	}
	return b
}

func vowel(b string) bool { return strings.ContainsAny(b, "aeiouy") }

// undouble makes "mapp" of "mapping" into "map", but keeps "pass" and "call".
func undouble(b string) string {
	n := len(b)
	if n > 3 && b[n-1] == b[n-2] {
		switch b[n-1] {
		case 'b', 'd', 'g', 'm', 'n', 'p', 'r', 't':
			return b[:n-1]
		}
	}
	return b
}
