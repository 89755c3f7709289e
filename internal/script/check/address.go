package check

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Address reads a URL as a browser does: what cannot be in one is escaped.
func Address(s string) (*url.URL, error) {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "#")
	s, query, asked := strings.Cut(s, "?")
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		host, path, has := strings.Cut(rest, "/")
		if s = scheme + "://" + host; has {
			s += "/" + escape(path, " \"<>`{}^|\\")
		}
	}
	if asked {
		s += "?" + escape(query, " \"<>'")
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return nil, cause(err)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("not an http or https URL")
	case u.Host == "":
		return nil, errors.New("the URL has no host")
	}
	return u, nil
}

// escape percent-encodes some characters, control characters, what is not ASCII, and each percent sign that encodes nothing.
func escape(s, some string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		lone := c == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]))
		if c <= ' ' || c >= 0x7f || lone || strings.IndexByte(some, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
