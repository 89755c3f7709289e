package lua

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// ParseURL reads a URL as browsers do (url.spec.whatwg.org): what a script wrote plainly is escaped, what it escaped stays as it is.
func ParseURL(raw string) (*url.URL, error) {
	s := strings.Trim(raw, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f ")
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	s, _, _ = strings.Cut(s, "#")
	scheme, rest, ok := strings.Cut(s, "://")
	scheme = strings.ToLower(scheme)
	if !ok || scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss" {
		return nil, fmt.Errorf("%q is not an http or https URL", text.Short(raw, 100))
	}
	rest, query, hasQuery := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(strings.ReplaceAll(rest, `\`, "/"), "/")
	if authority == "" {
		return nil, errors.New("the URL has no host")
	}
	full := scheme + "://" + authority + "/" + escape(dots(path), "\"<>`{}|^")
	if hasQuery {
		full += "?" + escape(query, "\"<>'")
	}
	u, err := url.Parse(full)
	if err != nil {
		var outer *url.Error
		if errors.As(err, &outer) {
			err = outer.Err
		}
		return nil, fmt.Errorf("invalid URL: %w", err)
	}
	return u, nil
}

// escape percent-encodes what may not be in a URL and, besides, the bytes of more. A % that begins no escape is one itself.
func escape(s, more string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		stray := c == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]))
		if c <= ' ' || c >= 0x7f || stray || strings.IndexByte(more, c) >= 0 {
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// dots takes the elements . and .. out of a path without its first slash.
func dots(p string) string {
	if !strings.Contains(p, ".") && !strings.Contains(strings.ToLower(p), "%2e") {
		return p
	}
	var out []string
	parts := strings.Split(p, "/")
	for i, e := range parts {
		last := i == len(parts)-1
		switch strings.ReplaceAll(strings.ToLower(e), "%2e", ".") {
		case ".":
		case "..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		default:
			out = append(out, e)
			continue
		}
		if last {
			out = append(out, "")
		}
	}
	return strings.Join(out, "/")
}
