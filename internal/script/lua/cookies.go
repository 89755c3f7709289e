//go:build !slim

package lua

import (
	"net/http"
	"net/http/cookiejar"

	"golang.org/x/net/publicsuffix"
)

// newJar returns a jar of cookies, none of which is for a domain in which anybody can have a name.
func newJar() http.CookieJar {
	jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		return &hostJar{} // New returns no error with these options
	}
	return jar
}
