package redact

import (
	"bytes"
	"slices"
)

// cookies returns the next value of the cookies of a header that is a secret: at is where
// the header's value begins. A cookie is one if it is called as sessions are, or if its
// value is random. Those before it have been removed already, or are none.
func cookies(s []byte, at int) secret {
	line := run(s[:min(len(s), at+maxValue)], at, func(c byte) bool { return c >= ' ' && c < 0x7f && c != '\'' && c != '"' && c != '`' })
	for at < line {
		for at < line && (s[at] == ' ' || s[at] == ';') {
			at++
		}
		name := run(s[:line], at, func(c byte) bool { return dotted(c) })
		if name == at || name == line || s[name] != '=' {
			if next := bytes.IndexByte(s[at:line], ';'); next >= 0 {
				at += next + 1
				continue
			}
			return secret{}
		}
		from := name + 1
		end := from
		for end < line && s[end] != ';' && s[end] > ' ' {
			end++
		}
		v := s[from:end]
		least := 20
		if sessionName(s[at:name]) {
			least = 12
		}
		if len(v) >= least && !counting(s[at:name]) && !template(v) && !placeholder(v) && !bytes.Contains(v, []byte(mark)) && random(v, false) && token(s, from).end == 0 {
			return secret{from, end, "cookie"}
		}
		at = end
	}
	return secret{}
}

// counting reports whether a cookie is of those that only count visits.
func counting(name []byte) bool {
	return bytes.HasPrefix(name, []byte("_ga")) || bytes.HasPrefix(name, []byte("_gid")) || bytes.HasPrefix(name, []byte("__utm")) || bytes.HasPrefix(name, []byte("_fbp"))
}

func sessionName(name []byte) bool {
	low := bytes.ToLower(name)
	words := []string{"sess", "sid", "auth", "token", "jwt", "remember", "login"}
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(low, []byte(w)) })
}

// inHeader returns the secret in the header of HTTP whose colon is at i.
func inHeader(s []byte, i int) secret {
	at := i + 1
	for at < len(s) && s[at] == ' ' {
		at++
	}
	switch name := named(s, i); {
	case bytes.EqualFold(name, []byte("cookie")), bytes.EqualFold(name, []byte("set-cookie")):
		return cookies(s, at)
	case bytes.EqualFold(name, []byte("authorization")), bytes.EqualFold(name, []byte("proxy-authorization")):
		if at < len(s) && (s[at] == '"' || s[at] == '\'') { // in JSON
			at++
		}
		if end := run(s, at, dashed); end < len(s) && s[end] == ' ' && end-at < 12 { // its scheme
			if header(s, at).end > 0 {
				return secret{} // found in its turn, and known better
			}
			at = end + 1
		}
		end := run(s, at, func(c byte) bool { return padded(c) || c == '.' || c == '~' })
		v := s[at:end]
		if len(v) < 16 || placeholder(v) || !random(v, true) || token(s, at).end > 0 || bytes.Contains(v, []byte(mark)) {
			return secret{}
		}
		return secret{at, end, "authorization"}
	}
	return secret{}
}
