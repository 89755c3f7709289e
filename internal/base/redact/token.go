package redact

import (
	"bytes"
	_ "embed" // shapes.txt
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A shape is the form of a service's tokens: a prefix and the characters after it.
type shape struct {
	prefix   string
	kind     string
	set      func(byte) bool
	min, max int // bytes after the prefix
}

const long = 1 << 12 // more than any token has: a hostile text is all prefixes

// shapeLines are the known shapes. If one prefix is the beginning of another, the longer is first. They are those that the
// services document, or the rules of the common scanners: the prefix, the kind, the set of the characters after the prefix, the fewest
// of them, and the most, which is the same where there is none, and unbounded where it is a dash.
//
//go:embed shapes.txt
var shapeLines string

// sets are the sets of characters that shapeLines names.
var sets = map[string]func(byte) bool{
	"address": func(c byte) bool { return dashed(c) || c == '/' || c == '@' },
	"alnum":   alnum, "dashed": dashed, "dotted": dotted, "hex": hex, "padded": padded, "slashed": slashed, "upperDigit": upperDigit, "word": word,
	"dollar":  func(c byte) bool { return alnum(c) || c == '$' },
	"escaped": func(c byte) bool { return padded(c) || c == '%' },
	"path":    func(c byte) bool { return dashed(c) || c == '/' },
	"percent": func(c byte) bool { return alnum(c) || c == '%' },
}

// shapes are the known shapes by their first byte, and a bit for each byte that follows it in one of them: of the words
// of a text few begin as a token does.
type shapes struct {
	of      [128][]shape
	seconds [128][2]uint64
}

var knownShapes = sync.OnceValue(func() *shapes {
	known := new(shapes)
	for line := range strings.Lines(shapeLines) {
		t := shape{max: long}
		var set, most string
		// A line without the most has as many as the fewest.
		n, _ := fmt.Sscan(line, &t.prefix, &t.kind, &set, &t.min, &most)
		if t.set = sets[set]; n == 4 {
			t.max = t.min
		} else if most != "-" {
			t.max, _ = strconv.Atoi(most)
		}
		first, second := t.prefix[0], t.prefix[1]
		known.of[first] = append(known.of[first], t)
		known.seconds[first][second>>6] |= 1 << (second & 63)
	}
	return known
})

func upperDigit(c byte) bool { return 'A' <= c && c <= 'Z' || digit(c) }
func hex(c byte) bool        { return digit(c) || 'a' <= c && c <= 'f' }
func dashed(c byte) bool     { return word(c) || c == '-' }
func dotted(c byte) bool     { return word(c) || c == '-' || c == '.' }
func slashed(c byte) bool    { return alnum(c) || c == '/' }
func padded(c byte) bool     { return dashed(c) || c == '=' || c == '+' || c == '/' }

// token returns the token that starts at i, the start of a word.
func token(s []byte, i int) secret {
	if i >= len(s) || signs[s[i]] != start {
		return secret{}
	}
	switch s[i] {
	case 'e', 'L':
		if f := webToken(s, i); f.end > 0 {
			return f
		}
		if f := encoded(s, i); f.end > 0 {
			return f
		}
	case 'b', 'B':
		if f := header(s, i); f.end > 0 {
			return f
		}
	case 'a':
		if f := terraform(s, i); f.end > 0 {
			return f
		}
	case 'M', 'N', 'O':
		if f := discord(s, i); f.end > 0 {
			return f
		}
	}
	if f := tokenOfShape(s, i); f.end > 0 {
		return f
	}
	return tokenWithTag(s, i)
}

// encoded returns a private key or the logins of registries that stand in base64 at i, as Kubernetes writes them.
func encoded(s []byte, i int) secret {
	const key, logins = "LS0tLS1CRUdJTi", "eyJhdXRocyI6" // -----BEGIN, {"auths":
	kind := "auth"
	if bytes.HasPrefix(s[i:], []byte(key)) {
		if head, err := base64.StdEncoding.DecodeString(string(s[i:min(len(s), i+64)])); err != nil || !bytes.Contains(head, []byte("PRIVATE KEY")) {
			return secret{}
		}
		kind = "private-key"
	} else if !bytes.HasPrefix(s[i:], []byte(logins)) {
		return secret{}
	}
	end := run(s, i, padded)
	if end-i < 32 {
		return secret{}
	}
	return secret{i, end, kind}
}

func tokenOfShape(s []byte, i int) secret {
	if s[i] >= 0x80 || i+1 >= len(s) || s[i+1] >= 0x80 {
		return secret{}
	}
	known := knownShapes()
	if known.seconds[s[i]][s[i+1]>>6]&(1<<(s[i+1]&63)) == 0 {
		return secret{}
	}
	for _, t := range known.of[s[i]] {
		if !bytes.HasPrefix(s[i:], []byte(t.prefix)) {
			continue
		}
		at := i + len(t.prefix)
		end := run(s[:min(len(s), at+t.max+8)], at, t.set)
		for end > at && (s[end-1] == '.' || s[end-1] == '/') { // of the sentence or the path
			end--
		}
		body := s[at:end]
		isCut := end < len(s) && word(s[end])
		if len(body) < t.min || len(body) > t.max || isCut || !isVaried(body) {
			continue
		}
		if t.kind != "aws-key" && bytes.HasSuffix(body, []byte("EXAMPLE")) {
			continue
		}
		if t.prefix[:min(3, len(t.prefix))] == "EAA" && (i > 0 && (s[i-1] == '+' || s[i-1] == '/') || bytes.Contains(body, []byte("AAAA"))) { // zeros in base64
			continue
		}
		if unlikely(t.prefix) && !random(body, true) { // they begin other names, too
			continue
		}
		if t.kind == "aws-key" {
			end = withSecretHalf(s, end)
		}
		return secret{i, end, t.kind}
	}
	return secret{}
}

// withSecretHalf returns where the 40 characters end that are the secret half of the access key which ends at
// end, AKIA…:SECRET as people note the two; else end. Forty hex digits are the sum of a commit.
func withSecretHalf(s []byte, end int) int {
	const size = 40
	if end >= len(s) || bytes.IndexByte([]byte(":/,;| \t"), s[end]) < 0 {
		return end
	}
	stop := run(s, end+1, func(c byte) bool { return slashed(c) || c == '+' })
	if half := s[end+1 : stop]; len(half) != size || run(half, 0, hex) == size || !shuffled(half) {
		return end
	}
	return stop
}

// unlikely reports whether a prefix is one that words begin with.
func unlikely(prefix string) bool {
	switch prefix {
	case "sk-", "pat", "API-", "sdk-", "dp.", "ico-", "oy2", "EAAA", "LTAI", "4b1d", "dnkey-", "1//0":
		return true
	}
	return false
}

// tokenWithTag returns the token at i whose prefix shows that it is a token, as many services write them: "acme_live_", "acme_pat_"
// or "secret_" before random characters.
func tokenWithTag(s []byte, i int) secret {
	if i > 0 && s[i-1] == '-' { // it was looked at from its beginning
		return secret{}
	}
	// Most words are short, so check one position in the middle and one at the minimum length first.
	if i+20 > len(s) || !dashed(s[i+7]) || !dashed(s[i+19]) {
		return secret{}
	}
	end := run(s, i, dashed)
	if end-i < 20 || end-i > 256 || end < len(s) && s[end] == '(' {
		return secret{}
	}
	if end-i == 40 && bytes.HasSuffix(s[:end], []byte("_mmk")) && shuffled(s[i:end]) {
		return secret{i, end, "maxmind-key"}
	}
	at, tag := i, false
	for parts := 0; parts < 4; parts++ {
		n := bytes.IndexAny(s[at:end], "_-")
		if n < 0 || n > 12 {
			break
		}
		switch string(bytes.ToLower(s[at : at+n])) {
		case "pk", "pub", "public":
			return secret{}
		case "pat", "tkn", "token", "api", "secret", "oauth", "pw", "apikey", "sat", "aat", "live":
			tag = true
		case "test", "prod", "sandbox", "key", "sk":
			tag = tag || parts > 0
		default:
			if tag { // the random part may have a sign in it
				parts = 4
				continue
			}
		}
		at += n + 1
	}
	body := s[at:end]
	if !tag {
		return prefixed(s, i, end)
	}
	if len(body) < 16 || !shuffled(body) || placeholder(s[i:end]) {
		return secret{}
	}
	return secret{i, end, "token"}
}

// prefixed returns the token at i of a service that nobody has told of: a few letters, a
// sign, and so many characters of all kinds that no name and no sum is.
func prefixed(s []byte, i, end int) secret {
	sign := bytes.IndexAny(s[i:end], "_-")
	if sign < 2 || sign > 10 || end-i-sign < 32 || i > 0 && bytes.IndexByte([]byte("/+.=@-"), s[i-1]) >= 0 || end < len(s) && bytes.IndexByte([]byte("=+/.@"), s[end]) >= 0 {
		return secret{}
	}
	name, body := s[i:i+sign], s[i+sign+1:end]
	if run(name, 0, func(c byte) bool { return lower(c) || digit(c) }) < sign || !letter(name[0]) || bytes.HasPrefix(name, []byte("sha")) || bytes.HasPrefix(name, []byte("pk")) || bytes.HasPrefix(name, []byte("pub")) {
		return secret{}
	}
	var lowers, uppers, digits, signs int
	for _, c := range body {
		switch {
		case digit(c):
			digits++
		case lower(c):
			lowers++
		case letter(c):
			uppers++
		default:
			signs++
		}
	}
	if lowers < 4 || uppers < 4 || digits < 2 || signs*8 > len(body) || !shuffled(body) || placeholder(s[i:end]) {
		return secret{}
	}
	return secret{i, end, "token"}
}

// terraform returns the token around the "atlasv1" at i: 14 characters, a dot, the word,
// a dot, and 60 to 70 more.
func terraform(s []byte, i int) secret {
	const middle = "atlasv1."
	at := i - 15
	if at < 0 || s[i-1] != '.' || !bytes.HasPrefix(s[i:], []byte(middle)) || at > 0 && word(s[at-1]) || run(s, at, alnum) != i-1 {
		return secret{}
	}
	end := run(s, i+len(middle), padded)
	if n := end - i - len(middle); n < 50 || n > 80 {
		return secret{}
	}
	return secret{at, end, "terraform-token"}
}

// discord returns the token of a bot of Discord's at i: the number of the bot in base64,
// six characters and 27 to 38 more, with dots between them.
func discord(s []byte, i int) secret {
	first := run(s, i, alnum)
	if n := first - i; n < 23 || n > 28 || first+8 > len(s) || s[first] != '.' || s[first+7] != '.' || run(s, first+1, dashed) != first+7 {
		return secret{}
	}
	end := run(s, first+8, dashed)
	if n := end - first - 8; n < 27 || n > 40 {
		return secret{}
	}
	return secret{i, end, "discord-token"}
}

// run returns where the bytes of a set that start at i end.
func run(s []byte, i int, set func(byte) bool) int {
	for stop := min(len(s), i+long); i < stop && set(s[i]); {
		i++
	}
	return i
}

// isVaried reports whether a token is not a placeholder such as xxxx or 0000.
func isVaried(s []byte) bool {
	var seen [256]bool
	n := 0
	for _, c := range s {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n >= 5
}

// webToken returns the JSON web token at i: three texts in base64, the first two
// of them objects.
func webToken(s []byte, i int) secret {
	if !bytes.HasPrefix(s[i:], []byte("eyJ")) {
		return secret{}
	}
	end := run(s, i, dashed)
	if end-i < 10 || !bytes.HasPrefix(s[end:], []byte(".eyJ")) {
		return secret{}
	}
	end = run(s, end+1, dashed)
	if end == len(s) || s[end] != '.' {
		return secret{}
	}
	return secret{i, run(s, end+1, dashed), "jwt"}
}

// header returns the credentials after "Bearer " or "Basic " at i.
func header(s []byte, i int) secret {
	for _, kind := range [...]string{"bearer", "basic"} {
		at := i + len(kind) + 1
		if at > len(s) || s[at-1] != ' ' || !bytes.EqualFold(s[i:at-1], []byte(kind)) {
			continue
		}
		end := run(s, at, func(c byte) bool { return padded(c) || c == '.' || c == '~' })
		for end > at && s[end-1] == '.' {
			end--
		}
		value := s[at:end]
		if kind == "basic" {
			plain, err := base64.StdEncoding.DecodeString(string(value))
			if err == nil && len(plain) > 3 && bytes.IndexByte(plain, ':') > 0 && printable(plain) {
				return secret{at, end, kind}
			}
			continue
		}
		if token(s, at).end > 0 {
			return secret{} // found in its turn, and known better
		}
		if len(value) >= 16 && random(value, true) && !placeholder(value) {
			return secret{at, end, kind}
		}
	}
	return secret{}
}

func printable(s []byte) bool {
	return !slices.ContainsFunc(s, func(c byte) bool { return c < ' ' || c > '~' })
}

// credentials returns the password of the URL whose scheme ends with the colon
// at i.
func credentials(s []byte, i int) secret {
	if i == 0 || !alnum(s[i-1]) {
		return secret{}
	}
	if !bytes.HasPrefix(s[i:], []byte("://")) {
		return source(s, i)
	}
	at := i + len("://")
	// The last @ is the one before the host: people write them into passwords too.
	end, sep := -1, -1
	for n := at; n < len(s) && n-at <= 512; n++ {
		c := s[n]
		if c == '@' {
			end = n
		}
		if c == ':' && sep < 0 {
			sep = n + 1
		}
		if c <= ' ' || c > '~' || bytes.IndexByte([]byte("\"'`<>"), c) >= 0 {
			break
		}
		if bytes.IndexByte([]byte("/(){}[]|\\^,"), c) >= 0 {
			if end < 0 && sep > 0 {
				end = unescaped(s, sep, n)
			}
			break
		}
	}
	if end < 0 {
		return secret{}
	}
	if sep > end { // of the port
		sep = -1
	}
	if sep < 0 { // a token in place of a name
		if end-at >= 20 && random(s[at:end], true) && token(s, at).end == 0 && !isSentryAddress(s, at, end) {
			return secret{at, end, "url"}
		}
		return secret{}
	}
	if pass := s[sep:end]; len(pass) < 3 || template(pass) || standIn(pass) || token(s, sep).end > 0 {
		return secret{}
	}
	return secret{sep, end, "url"}
}

// isSentryAddress reports whether s[at:end] is the address of a Sentry client: a URL of 32 hex digits, a host and the number of a
// project. It is not secret, because every page that reports its errors contains it.
func isSentryAddress(s []byte, at, end int) bool {
	host := run(s, end+1, func(c byte) bool { return dotted(c) || c == ':' })
	if end-at != 32 || run(s[:end], at, hex) != end || host >= len(s) || s[host] != '/' {
		return false
	}
	project := run(s, host+1, digit)
	return project > host+1 && (project == len(s) || !word(s[project]) && s[project] != '/' && s[project] != '-')
}

// unescaped returns where the password from sep ends that has a sign at n which a URL has to escape, and
// people do not; -1 where it may be anything else: a port and a path, a name and a version.
func unescaped(s []byte, sep, n int) int {
	end := run(s, n, func(c byte) bool { return c > ' ' && c <= '~' && c != '@' && bytes.IndexByte([]byte("\"'`<>"), c) < 0 })
	if end >= len(s) || s[end] != '@' || end-sep > 64 {
		return -1
	}
	host := run(s, end+1, dotted)
	if host == end+1 || bytes.HasPrefix(s[end+1:], []byte("sha256")) || host < len(s) && bytes.IndexByte([]byte(" \n\r\t\"'`:/"), s[host]) < 0 {
		return -1
	}
	if n == sep || !hasLetterAndDigit(s[sep:end]) || run(s, sep, digit) == n || end-sep < 6 {
		return -1
	}
	return end
}

// source returns the password before the colon at i and the network in the name of a data source of Go:
// NAME:PASSWORD@tcp(HOST)/DATABASE.
func source(s []byte, i int) secret {
	end := run(s[:min(len(s), i+128)], i+1, func(c byte) bool { return c > ' ' && c <= '~' && c != '(' && c != '"' && c != '\'' && c != '`' })
	at := bytes.LastIndexByte(s[i:end], '@')
	if at < 4 || end >= len(s) || s[end] != '(' {
		return secret{}
	}
	switch pass := s[i+1 : i+at]; string(s[i+at+1 : end]) {
	case "tcp", "tcp4", "tcp6", "unix":
		if !template(pass) && !standIn(pass) && pass[len(pass)-1] != ']' { // of the removed secrets
			return secret{i + 1, i + at, "url"}
		}
	}
	return secret{}
}

// standIn reports whether a password in a URL only shows where one goes.
func standIn(pass []byte) bool {
	switch string(bytes.ToLower(pass)) {
	case "pass", "password", "passwd", "pwd", "secret", "token", "changeme", "xxx", "xxxx", "xxxxx", "***", "****", "your_password", "yourpassword", "your-password", "mypassword", "my_password":
		return true
	}
	return !isVaried(append([]byte("abcd"), pass...)) || len(bytes.Trim(pass, "x*.")) == 0
}
