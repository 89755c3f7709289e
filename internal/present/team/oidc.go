package team

import (
	"context"
	"net"
	"net/url"
	"time"
)

// OIDC says which tokens of an identity provider count.
type OIDC struct {
	Issuer   string   `yaml:"issuer"`   // https://…; its discovery document says where its keys are
	Audience string   `yaml:"audience"` // whom the tokens are for: this server, as the provider knows it
	Claim    string   `yaml:"claim"`    // where the groups of a user are; a.b is b in a; empty: groups
	Skew     Duration `yaml:"skew"`     // by how much clocks may differ; at most maxSkew
	Map      []Mapped `yaml:"map"`      // the first whose group a user is in counts
}

// A Mapped is what a group of users is here.
type Mapped struct {
	Group string `yaml:"group"`
	Team  string `yaml:"team"`
	Role  string `yaml:"role"`
}

const (
	maxSkew    = 5 * time.Minute
	usualClaim = "groups"
)

// A bearer tells who presents a token of an identity provider, until when that counts, and
// whether it counts at all.
type bearer interface {
	find(ctx context.Context, token string) (Holder, bool)
}

// check returns what is wrong with o, "" for nothing.
func (o *OIDC) check(teams map[string]*Team) string {
	u, err := url.Parse(o.Issuer)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return "oidc: issuer has to be an address that begins with https://"
	case o.Audience == "":
		return "oidc: audience is missing: without one a token for any other program would count"
	case time.Duration(o.Skew) > maxSkew:
		return "oidc: skew is more than 5m"
	case len(o.Map) == 0:
		return "oidc: map gives no group a team"
	}
	for _, m := range o.Map {
		if _, err := ParseRole(m.Role); err != nil || m.Group == "" || teams[m.Team] == nil {
			return "oidc: each entry of map has a group, a team of this file and a role: read, write or administer"
		}
	}
	if o.Claim == "" {
		o.Claim = usualClaim
	}
	return ""
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
