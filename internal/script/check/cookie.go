//go:build !slim

package check

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/text"
)

// unset is the part of a Cookie that must not be set.
const unset = "unset"

// cookieParts are what checks know of a cookie, and the pattern of what they may want. expires is how long it lasts at least.
var cookieParts = []struct {
	name, values string
	of           func(c *http.Cookie) string
}{
	{"value", `.*`, func(c *http.Cookie) string { return c.Value }},
	{"path", `.*`, func(c *http.Cookie) string { return c.Path }},
	{"domain", `.*`, func(c *http.Cookie) string { return strings.TrimPrefix(strings.ToLower(c.Domain), ".") }},
	{"secure", `true|false`, func(c *http.Cookie) string { return strconv.FormatBool(c.Secure) }},
	{"http_only", `true|false`, func(c *http.Cookie) string { return strconv.FormatBool(c.HttpOnly) }},
	{"same_site", `lax|strict|none`, func(c *http.Cookie) string {
		return map[http.SameSite]string{http.SameSiteLaxMode: "lax", http.SameSiteStrictMode: "strict", http.SameSiteNoneMode: "none"}[c.SameSite]
	}},
	{"max_age", `\d{1,9}`, maxAge},
	{"expires", `session|past|\d{1,9} ?(ms|s|m)`, nil},
}

// maxAge returns the seconds of Max-Age, "" where the cookie has none.
func maxAge(c *http.Cookie) string {
	if c.MaxAge == 0 {
		return ""
	}
	return strconv.Itoa(max(c.MaxAge, 0))
}

// UnmarshalYAML reads the value of a cookie, false for none, or a map of its parts.
func (c *Cookie) UnmarshalYAML(n *yaml.Node) error {
	*c = Cookie{}
	if n.Kind == yaml.ScalarNode {
		(*c)["value"] = n.Value
		if n.Tag == "!!bool" {
			*c = map[bool]Cookie{true: {}, false: {unset: "true"}}[n.Value == "true"]
		}
		return nil
	}
	if err := n.Decode((*map[string]string)(c)); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(*c)) {
		var known []string
		for _, part := range cookieParts {
			known = append(known, part.name)
			if part.name != name {
				continue
			}
			if name == "same_site" || name == "domain" {
				(*c)[name] = strings.TrimPrefix(strings.ToLower((*c)[name]), ".")
			}
			if ok, _ := regexp.MatchString("^(?s:"+part.values+")$", (*c)[name]); !ok {
				return fmt.Errorf("line %d: cookies: %s cannot be %q: it is %s", n.Line, name, (*c)[name], part.values)
			}
		}
		if !slices.Contains(known, name) {
			return fmt.Errorf("line %d: cookies: a cookie has no %q: is it %q?", n.Line, name, text.Nearest(name, known))
		}
	}
	return nil
}

// cookies compares those that a response sets.
func cookies(r *Runner, e *Expect, a *answer) (string, error) {
	for _, name := range slices.Sorted(maps.Keys(e.Cookies)) {
		want, got := e.Cookies[name], a.cookie(name)
		switch {
		case got == nil && want[unset] != "":
			continue
		case got == nil:
			return fmt.Sprintf("cookie %s is not set", name), nil
		case want[unset] != "":
			return fmt.Sprintf("cookie %s is set", name), nil
		}
		for _, part := range cookieParts {
			wanted, ok := want[part.name]
			if !ok {
				continue
			}
			wanted, err := r.expand(wanted, plain)
			if err != nil {
				return "", err
			}
			switch {
			case part.of == nil:
				if failed := cookieExpires(got, wanted, r.Now()); failed != "" {
					return fmt.Sprintf("cookie %s %s", name, failed), nil
				}
			case part.of(got) != wanted && part.name == "value": // which is not for a report
				return fmt.Sprintf("cookie %s has another value than %q", name, wanted), nil
			case part.of(got) != wanted:
				return fmt.Sprintf("cookie %s: expected %s %q, got %q", name, part.name, wanted, part.of(got)), nil
			}
		}
	}
	return "", nil
}

// cookieExpires returns why a cookie does not end as it should, or "". Max-Age comes before Expires (RFC 6265, section 5.3).
func cookieExpires(c *http.Cookie, want string, now time.Time) string {
	lasts := c.Expires.Sub(now)
	if c.MaxAge != 0 {
		lasts = time.Duration(c.MaxAge) * time.Second
	}
	isSession := c.MaxAge == 0 && c.Expires.IsZero()
	least, _ := Duration(want) // has been read
	switch {
	case want == "session" && !isSession:
		return fmt.Sprintf("is not of the session: it lasts %v", lasts.Round(time.Second))
	case want == "session" || isSession && want != "past":
		return ""
	case want == "past" && (isSession || lasts > 0):
		return "does not end: neither Max-Age nor Expires is in the past"
	case want != "past" && lasts < least:
		return fmt.Sprintf("lasts %v, expected at least %v", max(lasts, 0).Round(time.Second), least)
	}
	return ""
}
