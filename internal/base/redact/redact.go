// Package redact removes secrets from text. The result has as many lines as the input, and redacting it again changes nothing.
package redact

import (
	"bytes"
)

// Text returns s with each secret that it finds replaced by [redacted:KIND], and
// how many there were. Without one it returns s itself; it never changes s.
//
// It knows private keys, the tokens of common services by their shape, JSON web
// tokens, credentials in URLs and in HTTP headers, cookies of sessions, passwords given to
// commands, random-looking values that are assigned to names such as password, secret,
// token or api_key or that a sentence gives away ("the API key is ...", "the PIN is ..."),
// and the text between <private> and
// </private>. It keeps text that only looks random: hashes, identifiers,
// placeholders.
func Text(s []byte) (out []byte, n int) {
	// To take one secret out may lay another bare, by the sign that then precedes
	// it. Each round takes some of s away, so this ends.
	for {
		found := privateRegions(s)
		if found == nil {
			found = find(s)
		}
		if len(found) == 0 {
			return s, n
		}
		n += len(found)
		s = replace(s, found)
	}
}

// A secret is s[start:end] of a text.
type secret struct {
	start, end int
	kind       string
}

const mark = "[redacted:"

func replace(s []byte, found []secret) []byte {
	out := make([]byte, 0, len(s)+len(found)*len(mark))
	at := 0
	for _, f := range found {
		out = append(out, s[at:f.start]...)
		out = append(out, mark...)
		out = append(out, f.kind...)
		out = append(out, ']')
		for range bytes.Count(s[f.start:f.end], []byte("\n")) {
			out = append(out, '\n')
		}
		at = f.end
	}
	return append(out, s[at:]...)
}

// find returns the secrets of s in order.
func find(s []byte) []secret {
	var found []secret
	lineStart := true
	floor := 0 // where the last one ended
	for i := 0; i < len(s); {
		c := s[i]
		var f secret
		switch kind := signs[c]; {
		case kind == boring && !lineStart:
			i++
			continue
		case kind == start && (i == 0 || !word(s[i-1])):
			if f = token(s, i); f.end == 0 {
				f = spoken(s, i)
			}
		case kind == dash:
			if f = privateKey(s, i, floor); f.end == 0 {
				if f = option(s, i); f.end == 0 {
					if f = passwordOption(s, i); f.end == 0 {
						f = secretBefore(s, i, floor)
					}
				}
			}
		case kind == assign:
			if f = secretAfterOperator(s, i); f.end == 0 && c == '=' {
				if f = urlSignature(s, i); f.end == 0 {
					f = exportedSecret(s, i)
				}
			}
		case kind == colon:
			if f = credentials(s, i); f.end == 0 {
				if f = bot(s, i, floor); f.end == 0 {
					if f = inHeader(s, i); f.end == 0 {
						if f = fields(s, i, floor); f.end == 0 {
							f = secretAfterOperator(s, i)
						}
					}
				}
			}
		case kind == tilde:
			f = azure(s, i, floor)
		}
		if f.end == 0 && lineStart {
			f = base64Lines(s, i)
		}
		if f.end > f.start {
			found = append(found, f)
			i, floor = f.end, f.end
			lineStart = false
			continue
		}
		lineStart = c == '\n'
		i++
	}
	return found
}

// The kinds of secrets that a byte may begin.
const (
	boring uint8 = iota
	start        // a token or the noun of a sentence, at the start of a word
	dash         // a private key or an option of a command
	assign       // a value, after it
	colon        // a value or a URL's credentials, after it; in a token of its own
	tilde        // the middle of a token
)

// signs has for each byte the kinds of secrets that it may begin. Most bytes begin none, so that skipping them decides the
// speed.
var signs = func() (of [256]uint8) {
	for c := range of {
		if alnum(byte(c)) {
			of[c] = start
		}
	}
	of['-'], of['='], of['>'], of[':'], of['~'] = dash, assign, assign, colon, tilde
	return of
}()

func word(c byte) bool { return alnum(c) || c == '_' }

func alnum(c byte) bool { return letter(c) || digit(c) }

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func digit(c byte) bool { return '0' <= c && c <= '9' }
