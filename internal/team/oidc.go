package team

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
	"github.com/assay-dev/assay/internal/present/guard"
)

// An OIDC says which provider's tokens count too, and for which team.
type OIDC struct {
	Issuer   string  `yaml:"issuer"`   // as tokens have it: the address below which the provider describes itself
	Audience string  `yaml:"audience"` // what tokens for this server are for
	Claim    string  `yaml:"claim"`    // where the groups are, with a dot between parts; empty: groups
	CA       string  `yaml:"ca"`       // certificates of the provider, where the system does not know them
	Grants   []Grant `yaml:"grants"`
}

// A Grant is what a group may do.
type Grant struct {
	Group string `yaml:"group"`
	Team  string `yaml:"team"`
	Role  string `yaml:"role"` // empty: read

	role Role
}

// check holds the settings of a provider to what they may be.
func (o *OIDC) check(teams map[string]*Team) error {
	u, err := url.Parse(o.Issuer)
	switch {
	case err != nil || !secure(u) || u.RawQuery != "" || u.Fragment != "":
		return errors.New("oidc: issuer is not an address that begins with https://")
	case o.Audience == "":
		return errors.New("oidc: audience is missing, and tokens for others would count")
	case len(o.Grants) == 0:
		return errors.New("oidc: it has no grants, so that no token would count")
	}
	if o.Claim == "" {
		o.Claim = "groups"
	}
	for i := range o.Grants {
		g := &o.Grants[i]
		if g.Role != "" {
			if g.role, err = parseRole(g.Role); err != nil {
				return err
			}
		}
		if g.Group == "" || teams[g.Team] == nil {
			return fmt.Errorf("oidc: a grant of the group %.80q is of the team %.80q, which the file has not", g.Group, g.Team)
		}
	}
	return nil
}

// secure reports whether what is read from an address is what its owner says: by TLS, or on this
// machine.
func secure(u *url.URL) bool {
	return u.Host != "" && u.User == nil && (u.Scheme == "https" || u.Scheme == "http" && guard.Local(u.Hostname()))
}

// teamHeader is where a client names one of several teams that a user is of.
const teamHeader = "X-Assay-Team"

const (
	maxJWT      = 16 << 10
	maxProvider = 1 << 20
	leeway      = time.Minute
	freshKeys   = time.Hour        // after which they are read again
	staleKeys   = 24 * time.Hour   // for which they count where that fails
	askAgain    = 30 * time.Second // between reads, whoever presents what
	askWithin   = 10 * time.Second
	renewWithin = time.Second // that one waits for newer keys who has one
)

// A provider verifies tokens by the keys of the one who issued them. The keys say which algorithms are
// taken, never the token. Without the network those that were read last count for a day.
type provider struct {
	cfg    OIDC
	now    func() time.Time
	tell   func(format string, args ...any)
	client *http.Client
	within time.Duration // that reading the keys may take

	reading sync.Mutex // one read at a time
	mu      sync.Mutex
	keys    map[string]crypto.PublicKey // by ID
	read    time.Time                   // when they were
	asked   time.Time                   // when that was last tried
}

func openProvider(cfg OIDC, now func() time.Time, tell func(string, ...any)) (*provider, error) {
	p := &provider{cfg: cfg, now: now, tell: tell, within: askWithin}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: askWithin}).DialContext, TLSHandshakeTimeout: askWithin, DisableKeepAlives: true}
	if cfg.CA != "" {
		pem, err := safe.ReadNamed(cfg.CA, maxProvider)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s holds no certificate", cfg.CA)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	p.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return p, nil
}

// looksIssued reports whether a token is of the form that providers give theirs.
func looksIssued(token string) bool {
	return !strings.HasPrefix(token, tokenPrefix) && strings.Count(token, ".") == 2 && len(token) <= maxJWT
}

// find returns who presents a token, as one of a team that they may name.
func (p *provider) find(ctx context.Context, token, team string) (Holder, bool) {
	claims := jwt.MapClaims{}
	parser := jwt.NewParser(jwt.WithIssuer(p.cfg.Issuer), jwt.WithAudience(p.cfg.Audience), jwt.WithExpirationRequired(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(p.now),
		jwt.WithValidMethods([]string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"}))
	if _, err := parser.ParseWithClaims(token, claims, func(t *jwt.Token) (any, error) { return p.key(ctx, t) }); err != nil {
		return Holder{}, false
	}
	subject, err := claims.GetSubject()
	until, err2 := claims.GetExpirationTime()
	if err != nil || err2 != nil || subject == "" {
		return Holder{}, false
	}
	grant, ok := p.granted(groupsIn(claims, p.cfg.Claim), team)
	if !ok {
		return Holder{}, false
	}
	sum := sha256.Sum256([]byte(p.cfg.Issuer + "\x00" + subject))
	h := Holder{ID: "oidc-" + hex.EncodeToString(sum[:6]), Team: grant.Team, Role: grant.role, sum: sha256.Sum256([]byte(token)), until: until.Add(leeway)}
	h.Name = h.ID
	for _, claim := range []string{"preferred_username", "email"} {
		if name, _ := claims[claim].(string); teamName.MatchString(name) {
			h.Name = name
			break
		}
	}
	return h, true
}

// groupsIn returns what a claim lists: a word, or several.
func groupsIn(claims map[string]any, path string) map[string]bool {
	var v any = claims
	if whole, ok := claims[path]; ok { // a name may have dots, as those that are addresses do
		v = whole
	} else {
		for part := range strings.SplitSeq(path, ".") {
			var m map[string]any
			switch x := v.(type) {
			case map[string]any:
				m = x
			case jwt.MapClaims:
				m = x
			}
			v = m[part]
		}
	}
	out := map[string]bool{}
	switch v := v.(type) {
	case string:
		out[v] = true
	case []any:
		for _, g := range v {
			if s, ok := g.(string); ok {
				out[s] = true
			}
		}
	}
	return out
}

// granted returns the strongest grant of a team: of the one that is named or else of the first in
// the file that a group of the user has.
func (p *provider) granted(groups map[string]bool, team string) (best Grant, ok bool) {
	for _, g := range p.cfg.Grants {
		if !groups[g.Group] || team != "" && g.Team != team {
			continue
		}
		team = g.Team
		if !ok || g.role > best.role {
			best, ok = g, true
		}
	}
	return best, ok
}

// key returns the key that a token says it is signed with, if that fits its algorithm.
func (p *provider) key(ctx context.Context, t *jwt.Token) (any, error) {
	if t.Header["crit"] != nil { // it has to be understood (RFC 7515, 4.1.11), and nothing is
		return nil, errors.New("it has a critical header")
	}
	id, _ := t.Header["kid"].(string)
	key := p.known(id)
	switch {
	case key == nil:
		p.refresh(ctx)
		key = p.known(id)
	case p.old():
		p.renew(ctx)
		key = p.known(id)
	}
	fits := false
	switch k := key.(type) {
	case *rsa.PublicKey:
		fits = strings.HasPrefix(t.Method.Alg(), "RS") || strings.HasPrefix(t.Method.Alg(), "PS")
	case *ecdsa.PublicKey:
		fits = t.Method.Alg() == map[int]string{256: "ES256", 384: "ES384"}[k.Curve.Params().BitSize]
	case ed25519.PublicKey:
		fits = t.Method.Alg() == "EdDSA"
	}
	if !fits {
		return nil, errors.New("no key of the provider fits it")
	}
	return key, nil
}

func (p *provider) known(id string) crypto.PublicKey {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now().Sub(p.read) > staleKeys {
		return nil
	}
	if id == "" && len(p.keys) == 1 {
		for _, k := range p.keys {
			return k
		}
	}
	return p.keys[id]
}

func (p *provider) old() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now().Sub(p.read) > freshKeys
}

// renew reads keys again that are old and still count: one who comes starts it and waits for a moment, and the others
// do not wait. A provider that is away keeps nobody who has a key of it.
func (p *provider) renew(ctx context.Context) {
	if !p.reading.TryLock() {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer p.reading.Unlock()
		p.reread(ctx)
	}()
	select {
	case <-done:
	case <-time.After(renewWithin):
	}
}

// refresh reads the keys again, and waits for them.
func (p *provider) refresh(ctx context.Context) {
	p.reading.Lock()
	defer p.reading.Unlock()
	p.reread(ctx)
}

// reread reads the keys again, unless that was tried a moment ago: who presents tokens with
// invented keys makes nobody ask the provider more often.
func (p *provider) reread(ctx context.Context) {
	p.mu.Lock()
	soon := p.now().Sub(p.asked) < askAgain
	if !soon {
		p.asked = p.now()
	}
	p.mu.Unlock()
	if soon {
		return
	}
	// It is for all who come, and does not end with who came first.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), p.within)
	defer stop()
	keys, err := p.fetch(ctx)
	if err != nil {
		p.tell("the keys of %s cannot be read; those that were read count for a day: %v", p.cfg.Issuer, err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys, p.read = keys, p.now()
}

// fetch reads how the provider describes itself (OpenID Connect Discovery 1.0, 4), and its keys
// (RFC 7517).
func (p *provider) fetch(ctx context.Context) (map[string]crypto.PublicKey, error) {
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := p.get(ctx, strings.TrimSuffix(p.cfg.Issuer, "/")+"/.well-known/openid-configuration", &about); err != nil {
		return nil, err
	}
	if about.Issuer != p.cfg.Issuer {
		return nil, fmt.Errorf("it calls itself %.200q", about.Issuer)
	}
	u, err := url.Parse(about.Keys)
	if err != nil || !secure(u) {
		return nil, errors.New("its jwks_uri is not an address that begins with https://")
	}
	var set struct{ Keys []jwk }
	if err := p.get(ctx, about.Keys, &set); err != nil {
		return nil, err
	}
	out := map[string]crypto.PublicKey{}
	for _, k := range set.Keys {
		if key := k.public(); key != nil {
			out[k.ID] = key
		}
	}
	if len(out) == 0 {
		return nil, errors.New("it has no key that signatures are checked with here")
	}
	return out, nil
}

func (p *provider) get(ctx context.Context, address string, to any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	res, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, res.Status)
	}
	b, err := file.ReadUpTo(res.Body, maxProvider)
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	return nil
}

// A jwk is a key of a set (RFC 7517, RFC 7518, RFC 8037).
type jwk struct {
	Kind  string `json:"kty"`
	ID    string `json:"kid"`
	Use   string `json:"use"`
	Curve string `json:"crv"`
	N     string `json:"n"`
	E     string `json:"e"`
	X     string `json:"x"`
	Y     string `json:"y"`
}

// public returns the key, or nil for one that is none to check signatures with.
func (k jwk) public() crypto.PublicKey {
	if k.Use != "" && k.Use != "sig" {
		return nil
	}
	part := func(s string) []byte {
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			return nil
		}
		return b
	}
	switch {
	case k.Kind == "RSA":
		n, e := new(big.Int).SetBytes(part(k.N)), new(big.Int).SetBytes(part(k.E))
		if n.BitLen() < 2048 || n.BitLen() > 8192 || !e.IsInt64() || e.Int64() < 3 || e.Int64() > 1<<31-1 {
			return nil
		}
		return &rsa.PublicKey{N: n, E: int(e.Int64())}
	case k.Kind == "EC":
		curve := map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384()}[k.Curve]
		if curve == nil {
			return nil
		}
		size := (curve.Params().BitSize + 7) / 8
		x, y := part(k.X), part(k.Y)
		if len(x) != size || len(y) != size {
			return nil
		}
		key, err := ecdsa.ParseUncompressedPublicKey(curve, append(append([]byte{4}, x...), y...)) // which is on the curve
		if err != nil {
			return nil
		}
		return key
	case k.Kind == "OKP" && k.Curve == "Ed25519":
		if x := part(k.X); len(x) == ed25519.PublicKeySize {
			return ed25519.PublicKey(x)
		}
	}
	return nil
}
