package redact

import (
	"bytes"
	"encoding/base64"
)

// maxValue is the length of the longest value that is looked at.
const maxValue = 1 << 10

// secretAfterOperator returns the value that the operator at i assigns to a name of a secret.
func secretAfterOperator(s []byte, i int) secret {
	name := named(s, i)
	kind := secretKindOf(name)
	if kind == "" {
		kind = secretKindOf(nameOfValue(s, i, name))
	}
	if kind == "" || string(name) == "PASS" && s[i] == ':' { // the verdict of a test
		return secret{}
	}
	at, tight := i+1, true
	if at < len(s) && s[at] == '=' { // :=
		if s[i] != ':' {
			return secret{}
		}
		at++
	}
	if at < len(s) && s[at] == '>' && s[i] == '=' { // =>
		at++
	}
	at = emphasised(s, at)
	for at < len(s) && (s[at] == ' ' || s[at] == '\t') {
		at++
		tight = s[i] == ':'
	}
	f := secretValueAt(s, at, kind, s[i], tight)
	if f.end == 0 && kind == "password" && tight && run(name, 0, capital) == len(name) {
		f = passwordInSettings(s, at, s[i])
	}
	return f
}

// passwordInSettings returns the unquoted value at at, of letters and digits, that a settings file assigns to a password. In
// source code such a name is a constant, whose value is in quotes.
func passwordInSettings(s []byte, at int, sign byte) secret {
	if at >= len(s) {
		return secret{}
	}
	end, quoted := valueEnd(s, at, sign)
	v := s[at:max(at, end)]
	couldBePassword := len(v) >= 6 && len(v) <= maxValue && run(v, 0, dashed) == len(v) && hasLetterAndDigit(v)
	if quoted || !couldBePassword || isStandIn(v) {
		return secret{}
	}
	if token(s, at).end > 0 {
		return secret{} // the rules of tokens name it better
	}
	return secret{at, end, "password"}
}

// isStandIn reports whether a value stands for one that is put in later.
func isStandIn(v []byte) bool { return template(v) || placeholder(v) || standIn(v) }

// hasLetterAndDigit reports whether a value has a small letter and a digit.
func hasLetterAndDigit(v []byte) bool {
	return bytes.ContainsAny(v, "abcdefghijklmnopqrstuvwxyz") && bytes.ContainsAny(v, "0123456789")
}

// emphasised returns where the text after a name goes on, where emphasis of Markdown
// ends at the given place: **Password:** x.
func emphasised(s []byte, at int) int {
	if at+2 < len(s) && s[at+2] == ' ' && s[at] == s[at+1] && (s[at] == '*' || s[at] == '_') {
		return at + 2
	}
	return at
}

// defined returns the value that PHP's define at i gives to a constant.
func defined(s []byte, i int) secret {
	const call = "define("
	at := i + len(call)
	if !bytes.HasPrefix(s[i:], []byte(call)) || at >= len(s) || s[at] != '\'' && s[at] != '"' {
		return secret{}
	}
	end := run(s, at+1, dotted)
	kind := secretKindOf(s[at+1 : end])
	if kind == "" || end+1 >= len(s) || s[end] != s[at] || s[end+1] != ',' {
		return secret{}
	}
	return secretValueAt(s, run(s, end+2, blank), kind, ',', true)
}

// option returns the value of the option of a command at i: --password VALUE.
func option(s []byte, i int) secret {
	if !bytes.HasPrefix(s[i:], []byte("--")) || i > 0 && s[i-1] > ' ' {
		return secret{}
	}
	end := run(s, i+2, dashed)
	if end == i+2 || end == len(s) || s[end] != ' ' {
		return secret{}
	}
	kind := secretKindOf(s[i+2 : end])
	if kind == "" {
		return secret{}
	}
	return secretValueAt(s, end+1, kind, ' ', true)
}

// secretValueAt returns the value at at, after the operator sign, if it is a secret of that kind. tight says that nothing is
// between it and its name, as outside source code.
func secretValueAt(s []byte, at int, kind string, sign byte, tight bool) secret {
	if at >= len(s) {
		return secret{}
	}
	end, quoted := valueEnd(s, at, sign)
	if quoted {
		at++
	}
	v := s[at:end]
	switch {
	case kind == "auth": // NAME:PASSWORD in base64, of Docker and npm
		if plain, err := base64.StdEncoding.DecodeString(string(v)); err == nil && len(plain) > 3 && bytes.IndexByte(plain, ':') > 0 && printable(plain) {
			return secret{at, end, kind}
		}
		return secret{}
	case kind == "pin":
		if quoted && len(v) >= 4 && len(v) <= 8 && run(v, 0, digit) == len(v) {
			return secret{at, end, kind}
		}
		return secret{}
	case quoted && kind == "password" && len(v) == 0:
		return phrase(s, at-1)
	}
	if len(v) < 6 || len(v) > maxValue || bytes.Contains(v, []byte(mark)) {
		return secret{}
	}
	if template(v) || placeholder(v) {
		return secret{}
	}
	isName := bytes.Contains(v, []byte("://")) || bytes.HasPrefix(v, []byte("urn:"))
	if isName || bytes.HasPrefix(v, []byte("-----BEGIN ")) || token(s, at).end > 0 {
		return secret{} // the rules of keys and tokens find these, and know them better
	}
	switch {
	case kind == "setting":
		if len(v) < 20 || !shuffled(v) {
			return secret{}
		}
		kind = "key"
	case quoted && kind == "password":
		if !isMixed(v) {
			return secret{}
		}
	case quoted:
		if len(v) < 8 || !random(v, false) {
			return secret{}
		}
	case kind == "password" && tight && signed(v):
	case bytes.IndexByte(v, '.') >= 0 && run(v, 0, dotted) == len(v) && !digit(v[0]) && !shuffled(v[bytes.LastIndexByte(v, '.')+1:]):
		return secret{} // a field of something
	default:
		if len(v) < 12 && (kind != "password" || !tight) || !random(v, true) {
			return secret{}
		}
	}
	if kind == "password" && !quoted {
		end = passwordEnd(s, at, end)
	}
	return secret{at, end, kind}
}

// nameOfValue returns the name of the value after the sign at i if the word before the sign only says that a value follows: <add key="Password" value="x"/>, - name: DB_PASSWORD and its value below,
// variable "db_password" { default = "x" }, the numbers of a key in JSON.
func nameOfValue(s []byte, i int, name []byte) []byte {
	switch string(name) {
	case "value":
		from := max(0, i-96)
		before := bytes.TrimRight(s[from:i], " \t")
		before = bytes.TrimRight(bytes.TrimSuffix(bytes.TrimSuffix(before, []byte("\"")), []byte("value")), " \t\r\n\",")
		at := len(before)
		for at > 0 && dotted(before[at-1]) {
			at--
		}
		for _, sign := range [...]string{"key=\"", "name=\"", "name: ", "name: \"", "\"name\": \"", "\"key\": \"", "\"name\":\"", "\"key\":\""} {
			if bytes.HasSuffix(before[:at], []byte(sign)) {
				return before[at:]
			}
		}
		return terraformOutputName(s, i)
	case "default":
		before := s[max(0, i-256):i]
		if at := bytes.LastIndex(before, []byte(variable)); at >= 0 && bytes.IndexByte(before[at:], '}') < 0 {
			at += len(variable)
			return before[at:run(before, at, dotted)]
		}
	case "d", "k", "dp", "dq", "qi":
		if bytes.Contains(s[max(0, i-1024):i], []byte(keyType)) {
			return []byte("private_key")
		}
	}
	return nil
}

// terraformOutputName returns the name of the object with a value at i, in the form of Terraform's outputs:
// "db_password": {"sensitive": true, "value": "x"}.
func terraformOutputName(s []byte, i int) []byte {
	before := s[max(0, i-256):i]
	open := bytes.LastIndexByte(before, '{')
	if open < 0 || bytes.IndexByte(before[open:], '}') >= 0 || bytes.Contains(before[open:], []byte("\n\n")) { // no rule looks across Known's parts
		return nil
	}
	before = bytes.TrimRight(before[:open], " \t")
	before, ok := bytes.CutSuffix(before, []byte(`":`))
	at := len(before)
	for at > 0 && dotted(before[at-1]) {
		at--
	}
	if !ok || at == 0 || before[at-1] != '"' {
		return nil
	}
	return before[at:]
}

// Facts from the lines before a value: that it is of a Terraform variable, or of a key in JSON.
const (
	variable = `variable "`
	keyType  = `"kty"`
)

func capital(c byte) bool { return upperDigit(c) || c == '_' }
func blank(c byte) bool   { return c == ' ' }

// signed reports whether a value that is in no quotes is a password, as those are asked
// for: letters, digits and signs of which programs make no expressions.
func signed(v []byte) bool {
	letters, digits, signs := 0, 0, 0
	for _, c := range v {
		switch {
		case letter(c):
			letters++
		case digit(c):
			digits++
		case c >= 0xc3:
			letters++
		case bytes.IndexByte([]byte("!#$@^~\xc2"), c) >= 0:
			signs++
		case bytes.IndexByte([]byte("|&=+*/?"), c) >= 0:
			return false
		}
	}
	return letters > 0 && digits > 0 && signs > 0 && len(v) >= 8
}

// named returns the name before the sign at i.
func named(s []byte, i int) []byte {
	end := i
	for end > 0 && i-end < 8 && (s[end-1] == ' ' || s[end-1] == '\t') {
		end--
	}
	if end > 0 && s[end-1] == ']' {
		end--
	}
	if end > 4 && s[i] == ':' && s[end-1] == '*' && s[end-2] == '*' {
		end -= 2
	}
	if end > 0 && (s[end-1] == '"' || s[end-1] == '\'') {
		end--
	}
	at := end
	for at > 0 && end-at < 64 && dotted(s[at-1]) {
		at--
	}
	return s[at:end]
}

// secretKindOf returns the kind of secret that a variable of that name has. The last word decides: a token_type is not secret.
func secretKindOf(name []byte) string {
	var room [64]byte
	low := room[:0]
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			if i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
				low = append(low, '_')
			}
			c |= 0x20
		}
		if c == '-' || c == '.' {
			c = '_'
		}
		low = append(low, c)
		if len(low) >= len(room)-1 {
			return ""
		}
	}
	for len(low) > 0 && (digit(low[len(low)-1]) || low[len(low)-1] == '_') {
		low = low[:len(low)-1]
	}
	low = bytes.TrimSuffix(low, []byte("key_base")) // of Rails
	if n := len(low); n > 0 && n < len(name) && low[n-1] == '_' {
		low = append(low, "key"...)
	}
	cut := bytes.LastIndexByte(low, '_')
	last, before := low[cut+1:], low[:max(cut, 0)]
	switch string(last) {
	case "password", "passwd", "pwd", "passphrase", "passcode", "pass", "pw", "psk":
		return "password"
	case "auth":
		return "auth"
	case "pin", "pincode":
		return "pin"
	case "code":
		if string(before) == "pin" {
			return "pin"
		}
	case "pat":
		return "token"
	case "login":
		if bytes.HasSuffix(before, []byte("sonar")) {
			return "token"
		}
	case "data": // of kubectl's settings
		if string(before) == "client_key" {
			return "key"
		}
	case "secret", "clientsecret", "appsecret", "credential", "credentials":
		switch string(before[bytes.LastIndexByte(before, '_')+1:]) {
		case "existing", "pull", "tls": // it names an object of a cluster
			return ""
		}
		return "secret"
	case "token", "authtoken", "accesstoken", "apitoken", "bearertoken":
		return "token"
	case "apikey", "secretkey", "accesskey", "privatekey", "accountkey", "authkey", "masterkey":
		return "key"
	case "key":
		switch string(before[bytes.LastIndexByte(before, '_')+1:]) {
		case "api", "access", "secret", "private", "auth", "account", "encryption", "signing", "master", "service", "shared", "app", "application", "license", "deploy", "storage", "jwt", "hmac", "cookie", "session", "preshared", "webhook":
			return "key"
		case "public", "cache", "primary", "foreign", "sort", "partition", "pub":
		default:
			if run(name, 0, capital) == len(name) {
				return "setting"
			}
		}
	}
	for _, w := range [...]string{"password", "passwd", "passphrase", "passwort", "kennwort"} {
		if bytes.HasSuffix(last, []byte(w)) {
			return "password"
		}
	}
	return ""
}

// valueEnd returns the end of the value at i: its closing quote, or without an opening quote the end of the word. The sign is the
// operator before it.
func valueEnd(s []byte, i int, sign byte) (end int, quoted bool) {
	q := s[i]
	quoted = q == '"' || q == '\'' || q == '`'
	if quoted {
		for end = i + 1; end < len(s) && s[end] != q; end++ {
			if s[end] <= ' ' || end-i > maxValue {
				return i + 1, true
			}
			if s[end] == '\\' && end+1 < len(s) && s[end+1] > ' ' {
				end++
			}
		}
		if end >= len(s) {
			return i + 1, true
		}
		return end, true
	}
	for end = i; end < len(s) && s[end] > ' ' && s[end] != 0x7f && end-i <= maxValue; end++ {
		if s[end] >= 0x80 {
			if !western(s, end) {
				return end, false
			}
			end++
			continue
		}
		switch s[end] {
		case '"', '\'', '`', ';', ',', '<', ')', ']', '}':
			return end, false
		case '&': // of a query
			if sign == '=' {
				return end, false
			}
		case '(', '[', '{':
			return i, false // a call, an index, a literal
		}
	}
	if sign == '>' && (end == len(s) || s[end] != '<') {
		return i, false
	}
	return end, false
}

// western reports whether the two bytes at i are a letter or a sign of a European keyboard,
// which passwords have too: ä, ø, §, but no space and no quotation mark.
func western(s []byte, i int) bool {
	if i+1 >= len(s) || s[i+1]&0xc0 != 0x80 {
		return false
	}
	return s[i] >= 0xc3 && s[i] <= 0xc9 || s[i] == 0xc2 && s[i+1] > 0xa0 && s[i+1] != 0xab && s[i+1] != 0xbb
}

// passwordEnd returns the end of an unquoted password s[at:end] including punctuation that could end a sentence, because that may
// be a part of the password. A bracket that closes an open one is not included.
func passwordEnd(s []byte, at, end int) int {
	line := s[max(0, at-maxLine):at]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	for ; end < len(s); end++ {
		switch c := s[end]; c {
		case '!', '?':
		case '*':
			if bytes.HasPrefix(s[end:], []byte("**")) || bytes.IndexByte(line, '*') >= 0 { // emphasis
				return end
			}
		case ')', ']', '}':
			open := map[byte]byte{')': '(', ']': '[', '}': '{'}[c]
			if bytes.Count(line, []byte{open}) > bytes.Count(line, []byte{c}) {
				return end
			}
		default:
			return end
		}
	}
	return end
}

// template reports whether a value is filled in elsewhere.
func template(v []byte) bool {
	if v[0] == '$' && len(v) > 1 && (letter(v[1]) || v[1] == '{' || v[1] == '(' || v[1] == '_') || v[0] == '%' || v[0] == '<' || v[0] == '@' || v[0] == '&' || v[0] == '\\' {
		return true
	}
	for _, sign := range [...]string{"${", "{{", "#{", "$(", "<%", "%s", "%v", "%(", "process.env", "os.environ", "..."} {
		if bytes.Contains(v, []byte(sign)) {
			return true
		}
	}
	return v[0] == '{' && v[len(v)-1] == '}'
}
