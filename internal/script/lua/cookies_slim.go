//go:build slim

package lua

// suffixes take every host for a domain in which anybody can have a name, because the list
// of those is large: a cookie goes back to the host that set it, and to no other.
var suffixes ownHost

type ownHost struct{}

func (ownHost) PublicSuffix(domain string) string { return domain }
func (ownHost) String() string                    { return "each host" }
