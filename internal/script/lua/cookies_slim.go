//go:build slim

package lua

import "net/http"

// newJar returns a jar of cookies. The list of domains in which anybody can have a name is large: in this
// build a cookie goes back to the host that set it.
func newJar() http.CookieJar { return &hostJar{} }
