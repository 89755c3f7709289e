package redact

import "bytes"

// maxKey is longer than any private key in text.
const maxKey = 24 << 10

// privateKey returns the private key block at i, or the end of one whose beginning is
// elsewhere: a text may be a piece of another. It starts at floor at the
// earliest.
func privateKey(s []byte, i, floor int) secret {
	if i > 0 && s[i-1] == '-' {
		return secret{}
	}
	if head := armour(s[i:], "-----BEGIN "); head > 0 {
		return block(s, i, i+head)
	}
	tail := armour(s[i:], "-----END ")
	if tail == 0 {
		return secret{}
	}
	from := i
	for from > 0 && s[from-1] == '\n' {
		line := bytes.LastIndexByte(s[:from-1], '\n') + 1
		if line < floor || !base64Line(s[line:from-1], 1) {
			break
		}
		from = line
	}
	if from == i {
		return secret{}
	}
	return secret{from, i + tail, "private-key"}
}

// armour returns the length of the line of dashes that s starts with if it is
// that of a private key.
func armour(s []byte, begin string) int {
	if !bytes.HasPrefix(s, []byte(begin)) {
		return 0
	}
	end := run(s, len(begin), func(c byte) bool { return 'A' <= c && c <= 'Z' || digit(c) || c == ' ' })
	if !bytes.Contains(s[:end], []byte("PRIVATE KEY")) || !bytes.HasPrefix(s[end:], []byte("-----")) {
		return 0
	}
	return end + len("-----")
}

// block returns the key whose first line is s[i:head].
func block(s []byte, i, head int) secret {
	area := s[head:min(len(s), head+maxKey)]
	for at := 0; ; {
		n := bytes.Index(area[at:], []byte("-----END "))
		if n < 0 {
			break
		}
		at += n
		if tail := armour(area[at:], "-----END "); tail > 0 {
			if keyLike(area[:at]) {
				return secret{i, head + at + tail, "private-key"}
			}
			return secret{}
		}
		at++
	}
	// The key is cut off: redact the lines that are there.
	end := head
	for end < len(s) && s[end] == '\n' || bytes.HasPrefix(s[end:], []byte("\r\n")) {
		next := end + 1 + bytes.IndexByte(s[end:], '\n')
		stop := len(s)
		if n := bytes.IndexByte(s[next:], '\n'); n >= 0 {
			stop = next + n
		}
		if line := bytes.TrimSpace(s[next:stop]); !base64Line(line, 1) && !pemHeader(line) && (len(line) > 0 || end == head) {
			break
		}
		end = stop
	}
	if end == head {
		return secret{}
	}
	return secret{i, end, "private-key"}
}

func pemHeader(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Proc-Type:")) || bytes.HasPrefix(line, []byte("DEK-Info:")) || bytes.HasPrefix(line, []byte("Comment:"))
}

// keyLike reports whether the text between the two lines of dashes is a key, verbatim or as a string of a language, and not
// prose or code.
func keyLike(body []byte) bool {
	body = bytes.ReplaceAll(body, []byte(`\n`), []byte("\n"))
	good, bad := 0, 0
	for line := range bytes.Lines(body) {
		line = bytes.Trim(line, " \t\r\n\"'`+,;\\#/*|.")
		switch {
		case len(line) == 0 || pemHeader(line) || bytes.HasPrefix(line, []byte(mark)):
		case base64Line(line, 1):
			good += len(line)
		default:
			bad += len(line)
		}
	}
	return good >= 8 && bad*4 <= good
}

func base64Line(line []byte, least int) bool {
	line = bytes.TrimSuffix(line, []byte("\r"))
	for _, c := range line {
		if !alnum(c) && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return len(line) >= least
}

// base64Lines returns the lines of base64 that start at i, the start of a line,
// if they are enough to be a key whose ends are elsewhere.
func base64Lines(s []byte, i int) secret {
	const enough, width = 6, 60
	end, n := i, 0
	for at := i; at < len(s); {
		stop := len(s)
		if k := bytes.IndexByte(s[at:], '\n'); k >= 0 {
			stop = at + k
		}
		line := s[at:stop]
		if n > 0 {
			if tail := armour(line, "-----END "); tail > 0 {
				return secret{i, at + tail, "private-key"}
			}
		}
		if len(line) > 80 || !base64Line(line, 1) || n == 0 && (len(line) < width || !random(line, true)) {
			break
		}
		n++
		end = stop
		at = stop + 1
	}
	if n < enough {
		return secret{}
	}
	return secret{i, end, "base64"}
}
