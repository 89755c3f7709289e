package redact

import "bytes"

// phrase returns the password of several words that is in the quotes at i.
func phrase(s []byte, i int) secret {
	q := s[i]
	end := i + 1
	for end < len(s) && s[end] != q && s[end] >= ' ' && end-i < 128 {
		end++
	}
	if end >= len(s) || s[end] != q {
		return secret{}
	}
	v := s[i+1 : end]
	words, digits, letters := bytes.Fields(v), 0, 0
	if len(words) < 2 || v[0] == ' ' || v[len(v)-1] == ' ' || template(v) || placeholder(v) || bytes.Contains(v, []byte(mark)) {
		return secret{}
	}
	plainly := true
	for _, w := range words {
		if common(w) || run(w, 0, func(c byte) bool { return c > ' ' && c < 0x7f }) < len(w) {
			return secret{}
		}
		for _, c := range w {
			if digit(c) {
				digits++
			}
			if letter(c) {
				letters++
			}
			plainly = plainly && lower(c)
		}
	}
	if bytes.ContainsAny(v, "(){}[]<>=\"'`\\/,:") || !(digits > 0 && letters > 0 && len(v) >= 8 || plainly && len(words) >= 4 && len(words) <= 24) {
		return secret{}
	}
	return secret{i + 1, end, "password"}
}

// common reports whether a word is one that labels and sentences have and passwords of
// several words have not: of those people choose nouns.
func common(w []byte) bool {
	switch string(bytes.ToLower(bytes.Trim(w, ".,!?:"))) {
	case "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or", "not", "no", "if", "is", "are", "was", "be", "has", "have", "had", "must", "should", "can",
		"cannot", "may", "will", "your", "you", "my", "this", "that", "it", "its", "as", "than", "least", "most", "please", "enter", "type", "confirm", "repeat", "forgot", "forgotten", "new",
		"old", "current", "reset", "change", "set", "show", "hide", "use", "used", "invalid", "wrong", "incorrect", "required", "optional", "empty", "missing", "password", "passwords",
		"passwort", "passphrase", "character", "characters", "string", "value", "user", "username", "account", "eingeben", "sie", "login", "keep", "expired", "too", "short", "long", "weak":
		return true
	}
	return false
}

// mnemonic returns the words from which a wallet's keys are made, after the noun that
// ends at end.
func mnemonic(s []byte, end int) secret {
	if w := spokenWord(s, end); string(w) == "is" || string(w) == "was" {
		end += 1 + len(w)
	}
	if end < len(s) && (s[end] == ':' || s[end] == '=') {
		end++
	}
	for end < len(s) && (s[end] == ' ' || s[end] == '"' || s[end] == '\'') {
		end++
	}
	at, stop := end, end
	for n := 1; n <= 24; n++ {
		next := run(s, at, lower)
		if len := next - at; len < 3 || len > 8 || common(s[at:next]) {
			break
		}
		if stop = next; n == 24 {
			break
		}
		if next == len(s) || s[next] != ' ' {
			break
		}
		at = next + 1
	}
	if bytes.Count(s[end:stop], []byte(" ")) < 11 {
		return secret{}
	}
	return secret{end, stop, "mnemonic"}
}

// pin returns the number after the word PIN that ends at end: it is 4711.
func pin(s []byte, i, end int) secret {
	for _, w := range [...]string{"code", "number"} {
		if string(spokenWord(s, end)) == w {
			end += 1 + len(w)
		}
	}
	at := purposeEnd(s, end)
	if at < 0 {
		return secret{}
	}
	linked := false
	if w := spokenWord(s, at); isLinkingVerb(w) {
		linked = true
		at += 1 + len(w)
	}
	if at < len(s) && s[at] == ':' && (linked || s[i] == 'P') { // in small letters it is a setting
		linked = true
		at++
	}
	if !linked || at+1 >= len(s) || s[at] != ' ' {
		return secret{}
	}
	from := at + 1
	to := run(s, from, digit)
	if n := to - from; n < 4 || n > 8 || to < len(s) && (word(s[to]) || s[to] == '-') || to+1 < len(s) && s[to] == '.' && digit(s[to+1]) {
		return secret{}
	}
	switch string(spokenWord(s, to)) {
	case "digits", "characters", "and", "pins", "on", "of":
		return secret{}
	}
	return secret{from, to, "pin"}
}

// purposeEnd returns the end of the purpose of a secret, "for the safe", from end on; -1 if it has no end.
func purposeEnd(s []byte, end int) int {
	at := end
	switch string(spokenWord(s, at)) {
	case "for", "of", "to", "on", "in", "at", "für", "von", "vom", "zu", "zum", "zur", "des", "der", "im", "am", "beim":
		// The purpose: a few words up to the verb.
		for n := 0; ; n++ {
			w := spokenWord(s, at)
			if n == 6 || len(w) == 0 {
				return -1
			}
			if at += 1 + len(w); at < len(s) && s[at] == ':' || isLinkingVerb(spokenWord(s, at)) {
				return at
			}
		}
	}
	return at
}
