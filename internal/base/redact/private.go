package redact

import "bytes"

// privateRegions returns the regions of s between <private> and </private>, with the tags. A region that is never closed ends with
// s, and one with another region inside ends when both are closed, because it is better to hide too much.
func privateRegions(s []byte) (found []secret) {
	from, inner, depth := 0, 0, 0
	for at := 0; ; {
		n := bytes.IndexByte(s[at:], '<')
		if n < 0 {
			break
		}
		at += n
		size, closing := privateTag(s[at:])
		if size == 0 {
			at++
			continue
		}
		switch {
		case !closing:
			if depth == 0 {
				from, inner = at, at+size
			}
			depth++
		case depth > 0:
			if depth--; depth == 0 && !setting(s[inner:at]) {
				found = append(found, secret{from, at + size, "private"})
			}
		}
		at += size
	}
	if depth > 0 {
		found = append(found, secret{from, len(s), "private"})
	}
	return found
}

// privateTag returns the length of the tag that s starts with, or 0 where it is
// another.
func privateTag(s []byte) (n int, closing bool) {
	n = 1
	if n < len(s) && s[n] == '/' {
		closing = true
		n++
	}
	const name = "private"
	if len(s) < n+len(name)+1 || !bytes.EqualFold(s[n:n+len(name)], []byte(name)) {
		return 0, false
	}
	n += len(name)
	if s[n] != '>' {
		attribute := bytes.TrimLeft(s[n:], " \t\r\n")
		if len(attribute) > 3 && bytes.EqualFold(attribute[:3], []byte("use")) { // so Unicode names characters
			return 0, false
		}
		if len(attribute) == len(s)-n || len(attribute) == 0 || !letter(attribute[0]) && attribute[0] != '>' {
			return 0, false
		}
	}
	for stop := min(len(s), n+256); n < stop && s[n] != '<'; n++ {
		if s[n] == '>' {
			return n + 1, closing
		}
	}
	return 0, false
}

// setting reports whether a region is one of the project files that have an
// element of that name: it holds one of two words.
func setting(inner []byte) bool {
	inner = bytes.TrimSpace(inner)
	return bytes.EqualFold(inner, []byte("true")) || bytes.EqualFold(inner, []byte("false"))
}
