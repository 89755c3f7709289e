//go:build !slim

package check

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/text"
)

// unset is the part of a Cookie that must not be set.
const unset = "unset"

// cookieParts are what checks know of a cookie. expires is "session", "past", or how long it lasts at least.
var cookieParts = []struct {
	name  string
	of    func(c *http.Cookie) string
	valid func(want string) bool
}{
	{"value", func(c *http.Cookie) string { return c.Value }, nil},
	{"path", func(c *http.Cookie) string { return c.Path }, nil},
	{"domain", func(c *http.Cookie) string { return strings.TrimPrefix(strings.ToLower(c.Domain), ".") }, nil},
	{"secure", func(c *http.Cookie) string { return strconv.FormatBool(c.Secure) }, isBool},
	{"http_only", func(c *http.Cookie) string { return strconv.FormatBool(c.HttpOnly) }, isBool},
	{"same_site", func(c *http.Cookie) string {
		return map[http.SameSite]string{http.SameSiteLaxMode: "lax", http.SameSiteStrictMode: "strict", http.SameSiteNoneMode: "none"}[c.SameSite]
	}, func(want string) bool { return slices.Contains([]string{"lax", "strict", "none"}, want) }},
	{"max_age", maxAge, func(want string) bool {
		_, err := strconv.ParseUint(want, 10, 31)
		return err == nil
	}},
	{"expires", nil, func(want string) bool {
		_, err := Duration(want)
		return err == nil || want == "session" || want == "past"
	}},
}

// maxAge returns the seconds of Max-Age, "" where the cookie has none.
func maxAge(c *http.Cookie) string {
	if c.MaxAge == 0 {
		return ""
	}
	return strconv.Itoa(max(c.MaxAge, 0))
}

func isBool(s string) bool { return s == "true" || s == "false" }

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
			if part.valid != nil && !part.valid((*c)[name]) {
				return fmt.Errorf("line %d: cookies: %s cannot be %q", n.Line, name, (*c)[name])
			}
		}
		if !slices.Contains(known, name) {
			return fmt.Errorf("line %d: cookies: a cookie has no %q: is it %q?", n.Line, name, text.Nearest(name, known))
		}
	}
	return nil
}

// cookies compares those that a response sets.
func (r *Runner) cookies(e *Expect, a *answer) (string, error) {
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
				if failed := r.expires(got, wanted); failed != "" {
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

// expires returns why a cookie does not end as it should, or "". Max-Age comes before Expires (RFC 6265, section 5.3).
func (r *Runner) expires(c *http.Cookie, want string) string {
	lasts := c.Expires.Sub(r.Now())
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
