package redact

import "bytes"

// spoken returns the secret that a sentence gives away whose noun starts at i, the
// start of a word: "the API key for staging is VALUE".
func spoken(s []byte, i int) secret {
	if s[i] == 'd' {
		return defined(s, i)
	}
	kind, end := secretNoun(s, i)
	if kind == "" {
		return secret{}
	}
	switch kind {
	case "pin":
		return pin(s, i, end)
	case "mnemonic":
		return mnemonic(s, end)
	}
	at := purposeEnd(s, end)
	if at < 0 {
		return secret{}
	}
	linked := at < len(s) && s[at] == ':'
	if linked {
		at = emphasised(s, at+1)
	}
	if w := spokenWord(s, at); !linked && isLinkingVerb(w) {
		linked = true
		if at += 1 + len(w); at < len(s) && s[at] == ':' {
			at++
		}
	}
	if at+1 >= len(s) || s[at] != ' ' {
		return secret{}
	}
	by := false // a program's own word for it
	if !linked && kind == "password" {
		by = isPasswordStatement(s, i, end)
		linked = by
	}
	return secretInSentence(s, at+1, kind, linked, by)
}

// isLinkingVerb reports whether a word is a verb between a noun and its value, such as "is".
func isLinkingVerb(w []byte) bool {
	switch string(w) {
	case "is", "was", "ist", "war", "lautet", "lautete":
		return true
	}
	return false
}

// isPasswordStatement reports whether the word s[i:end] is followed by a password without an operator: SQL's PASSWORD 'x', a
// .netrc's "login ann password x", requirepass x.
func isPasswordStatement(s []byte, i, end int) bool {
	switch string(s[i:end]) {
	case "PASSWORD":
		return end+1 < len(s) && s[end+1] == '\''
	case "BY", "by":
		return true
	case "password":
		line := s[max(0, i-maxLine):i]
		line = line[bytes.LastIndexByte(line, '\n')+1:]
		return bytes.HasPrefix(line, []byte("machine ")) && bytes.Contains(line, []byte(" login ")) || i > 7 && bytes.HasPrefix(line, []byte("login "))
	case "requirepass", "masterauth":
		return true
	}
	return false
}

// secretNoun returns the kind of secret that the word at i names, alone or with the word before it, and the end of the word.
func secretNoun(s []byte, i int) (kind string, end int) {
	for _, w := range nouns[s[i]&0x1f] {
		end = i + len(w)
		bold := bytes.HasPrefix(s[min(end, len(s)):], []byte("**:"))
		if end >= len(s) || s[end] != ' ' && s[end] != ':' && !bold || !bytes.EqualFold(s[i:end], []byte(w)) {
			continue
		}
		if bold {
			end += 2
		}
		switch w {
		case "token", "secret":
			return w, end
		case "pin":
			if s[i] == 'p' && s[i+1] != 'i' {
				return "", 0
			}
			return "pin", end
		case "mnemonic":
			return "mnemonic", end
		case "phrase":
			for _, before := range [...]string{"seed", "recovery", "backup", "mnemonic", "secret"} {
				if n := len(before); i > n && s[i-1] == ' ' && bytes.EqualFold(s[i-1-n:i-1], []byte(before)) {
					return "mnemonic", end
				}
			}
			return "", 0
		case "by":
			const before = "identified "
			if n := len(before); i < n || !bytes.EqualFold(s[i-n:i], []byte(before)) || end+1 >= len(s) || s[end+1] != '\'' && s[end+1] != '"' {
				return "", 0
			}
			return "password", end
		case "key":
			at := i - 1
			for at > 0 && letter(s[at-1]) && i-at < 16 {
				at--
			}
			if at < 0 || s[i-1] != ' ' {
				return "", 0
			}
			return secretKindOf(append(bytes.ToLower(s[at:i-1]), "_key"...)), end
		}
		return "password", end
	}
	return "", 0
}

// nouns are by their first letter.
var nouns = [32][]string{'b' & 0x1f: {"by"}, 'k' & 0x1f: {"key", "kennwort"}, 'm' & 0x1f: {"mnemonic", "masterauth"}, 'r' & 0x1f: {"requirepass"}, 'p' & 0x1f: {"password", "passwort", "passphrase", "passcode", "pin", "phrase"}, 's' & 0x1f: {"secret"}, 't' & 0x1f: {"token"}}

// spokenWord returns the word after the blank at i, or nothing.
func spokenWord(s []byte, i int) []byte {
	if i >= len(s) || s[i] != ' ' {
		return nil
	}
	end := i + 1
	for end < len(s) && end-i < 32 && (alnum(s[end]) || s[end] == '-' || s[end] == '_' || s[end] >= 0x80) {
		end++
	}
	return s[i+1 : end]
}

// secretInSentence returns the value at i of a sentence, if it is a secret of that kind. If no verb links it to its noun, the
// value itself must look like a secret.
func secretInSentence(s []byte, i int, kind string, linked, by bool) secret {
	end, quoted := valueEnd(s, i, ' ')
	switch {
	case quoted:
		i++
	case bytes.HasPrefix(s[i:], []byte(`\"`)): // in a string of some language
		i += 2
		end, quoted = run(s, i, func(c byte) bool { return c > ' ' && c != '\\' && c != '"' }), true
	}
	for !quoted && end > i && bytes.IndexByte([]byte(".!?:)*"), s[end-1]) >= 0 {
		end--
	}
	v := s[i:end]
	if len(v) < 6 || len(v) > maxValue || bytes.Contains(v, []byte(mark)) || template(v) || placeholder(v) || token(s, i).end > 0 || bytes.Contains(v, []byte("://")) || bytes.HasPrefix(v, []byte("urn:")) {
		return secret{}
	}
	if kind == "password" && linked {
		if quoted && run(v, 0, lower) == len(v) && !common(v) && !standIn(v) { // a word that somebody set apart
			return secret{i, end, kind}
		}
		if !hasPasswordCharacters(v) || !by && technical(v) || bytes.IndexByte(v, '/') >= 0 {
			return secret{}
		}
		if !quoted {
			end = passwordEnd(s, i, end)
		}
		return secret{i, end, kind}
	}
	least := 12
	if !linked {
		least = 20
	}
	if len(v) < least || !random(v, true) || run(v, 0, dotted) != len(v) && !linked || bytes.IndexByte(v, '.') > 0 && !digit(v[0]) && run(v, 0, dotted) == len(v) {
		return secret{}
	}
	return secret{i, end, kind}
}

// hasPasswordCharacters reports whether a word has the characters that passwords must have: letters and digits, or letters and signs
// that do not occur in words.
func hasPasswordCharacters(v []byte) bool {
	letters, others := 0, 0
	for _, c := range v {
		switch {
		case letter(c):
			letters++
		case c >= 0x80 && c < 0xc2: // the end of the letter before
		case c >= 0xc3:
			letters++
		case c == 0xc2 || digit(c) || bytes.IndexByte([]byte("!#$%&*+=?@^~"), c) >= 0:
			others++
		case c != '-' && c != '_' && c != '.':
			return false
		}
	}
	return letters > 0 && others > 0
}

// technical reports whether a word is one of those that have a digit: sha256,
// base64, utf-8, 32-byte, oauth2, v2.
func technical(v []byte) bool {
	low := bytes.ToLower(v)
	for _, w := range [...]string{"sha", "base", "md5", "utf", "aes", "argon", "pbkdf", "rsa", "oauth", "http", "ipv", "iso", "rfc", "ed25519", "x509", "hmac", "sql", "bcrypt", "scrypt", "v", "step", "issue", "line", "version", "option", "part", "field"} {
		if rest, ok := bytes.CutPrefix(low, []byte(w)); ok && len(rest) > 0 && !letter(rest[0]) {
			return true
		}
	}
	// 32-byte, 8-character, 2nd
	n := run(low, 0, digit)
	return n > 0 && n < 4 && (n == len(low) || low[n] == '-' || letter(low[n]))
}

// exportedSecret returns the value that a shell's export assigns with the operator at i, for any name, if it looks random.
// Hashes and identifiers in one case are not secrets.
func exportedSecret(s []byte, i int) secret {
	at := i
	for at > 0 && word(s[at-1]) && i-at < 64 {
		at--
	}
	if at == i || !bytes.HasSuffix(s[:at], []byte("export ")) || i+1 >= len(s) {
		return secret{}
	}
	at = i + 1
	end, quoted := valueEnd(s, at, '=')
	if quoted {
		at++
	}
	v := s[at:end]
	if len(v) < 20 || len(v) > maxValue || run(v, 0, padded) != len(v) {
		return secret{}
	}
	if v[0] == '/' || !random(v, true) || placeholder(v) || token(s, at).end > 0 {
		return secret{}
	}
	var lowers, uppers, digits bool
	for _, c := range v {
		lowers, uppers, digits = lowers || lower(c), uppers || letter(c) && !lower(c), digits || digit(c)
	}
	if !lowers || !uppers || !digits {
		return secret{}
	}
	return secret{at, end, "exported"}
}

// urlSignature returns the value of the parameter before the sign at i if it is the signature of a signed URL, because that
// gives access without any other secret.
func urlSignature(s []byte, i int) secret {
	const cloud = "X-Amz-Signature"
	at := i
	for at > 0 && dashed(s[at-1]) && i-at <= len(cloud) {
		at--
	}
	name := s[at:i]
	if at == 0 || s[at-1] != '?' && s[at-1] != '&' {
		return secret{}
	}
	if bytes.Equal(name, []byte("secret")) { // of one-time passwords
		end := run(s, i+1, func(c byte) bool { return 'A' <= c && c <= 'Z' || '2' <= c && c <= '7' || c == '=' })
		v, isWhole := s[i+1:end], end == len(s) || !word(s[end])
		if isWhole && len(v) >= 16 && isVaried(v) && bytes.ContainsAny(v, "234567") {
			return secret{i + 1, end, "otp"}
		}
		return secret{}
	}
	code := bytes.Equal(name, []byte("code")) // the key of a function of Azure's
	isSignature := bytes.Equal(name, []byte("sig")) || bytes.EqualFold(name, []byte(cloud)) || bytes.EqualFold(name, []byte("X-Goog-Signature"))
	if !code && !isSignature {
		return secret{}
	}
	end := run(s, i+1, func(c byte) bool { return padded(c) || c == '%' })
	v := s[i+1 : end]
	if len(v) < 20 || !isVaried(v) || !random(v, false) {
		return secret{}
	}
	isPadded := bytes.HasSuffix(v, []byte("==")) || bytes.HasSuffix(v, []byte("%3D%3D"))
	if code && (len(v) < 44 || !isPadded) {
		return secret{}
	}
	return secret{i + 1, end, "url"}
}

// fields returns the secret whose own form has the colon at i in it, or a format that has
// its secrets under names which are none elsewhere.
func fields(s []byte, i, floor int) secret {
	before := s[max(floor, i-64):i]
	switch {
	case bytes.HasPrefix(s[i:], []byte(":APA91b")): // Google's messages
		at := i
		for at > floor && dashed(s[at-1]) && i-at < 12 {
			at--
		}
		if end := run(s, i+1, dashed); end-i > 100 {
			return secret{at, end, "google-key"}
		}
	case bytes.HasSuffix(before, []byte("Private-Lines")): // PuTTY's keys
		from := bytes.IndexByte(s[i:], '\n') + i + 1
		end := from
		for n := 0; n < 64 && end < len(s); n++ {
			stop := len(s)
			if k := bytes.IndexByte(s[end:], '\n'); k >= 0 {
				stop = end + k
			}
			if !base64Line(s[end:stop], 16) {
				break
			}
			end = min(stop+1, len(s))
		}
		if end > from && s[end-1] == '\n' {
			end--
		}
		if from > i && end > from {
			return secret{from, end, "private-key"}
		}
	case bytes.HasSuffix(before, []byte("oracle:thin")):
		stop := run(s[:min(len(s), i+256)], i+1, func(c byte) bool { return c > ' ' && c < 0x7f && c != '@' && c != '"' && c != '\'' })
		if slash := bytes.IndexByte(s[i:stop], '/'); slash > 1 && stop < len(s) && s[stop] == '@' && stop-i-slash > 4 && !standIn(s[i+slash+1:stop]) && !template(s[i+slash+1:stop]) && !bytes.Contains(s[i+slash:stop], []byte(mark)) {
			return secret{i + slash + 1, stop, "url"}
		}
	}
	return secret{}
}

// bot returns the token of a Telegram bot whose colon is at i: 8 to 10 digits, the
// colon, 35 characters of which the first two are A.
func bot(s []byte, i, floor int) secret {
	at := i
	for at > floor && digit(s[at-1]) && i-at <= 10 {
		at--
	}
	// In the address of its service the word "bot" stands before it.
	if i-at < 8 || i-at > 10 || at > 0 && word(s[at-1]) && !bytes.HasSuffix(s[:at], []byte("/bot")) {
		return secret{}
	}
	end := run(s, i+1, dashed)
	if v := s[i+1 : end]; len(v) != 35 || !bytes.HasPrefix(v, []byte("AA")) || !isVaried(v) {
		return secret{}
	}
	return secret{at, end, "telegram-token"}
}

// azure returns the client secret of Microsoft's directory whose tilde is at i:
// three characters, a digit, Q~, 31 to 34 characters.
func azure(s []byte, i, floor int) secret {
	at := i - 5
	if at < floor || s[i-1] != 'Q' || !digit(s[i-2]) {
		return secret{}
	}
	set := func(c byte) bool { return dotted(c) || c == '~' }
	if !set(s[at]) || !set(s[at+1]) || !set(s[at+2]) || at > 0 && word(s[at-1]) {
		return secret{}
	}
	end := run(s, i+1, set)
	for end > i && s[end-1] == '.' {
		end--
	}
	if n := end - i - 1; n < 31 || n > 34 || !isVaried(s[i+1:end]) {
		return secret{}
	}
	return secret{at, end, "azure-secret"}
}
