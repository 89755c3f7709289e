package team

import (
	"cmp"
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

// OIDC holds the settings of an identity provider, and the teams that its users belong to.
type OIDC struct {
	Issuer   string  `yaml:"issuer"`   // the "iss" of its tokens: the URL below which the provider publishes its configuration
	Audience string  `yaml:"audience"` // the "aud" of tokens for this server
	Claim    string  `yaml:"claim"`    // the claim that lists a user's groups, a path with dots; empty: groups
	CA       string  `yaml:"ca"`       // certificates of the provider, if the system does not trust them already
	Grants   []Grant `yaml:"grants"`
}

// A Grant gives the members of a group a role in a team.
type Grant struct {
	Group string `yaml:"group"`
	Team  string `yaml:"team"`
	Role  string `yaml:"role"` // empty: read

	role Role
}

// check validates the settings of a provider and sets the defaults.
func (o *OIDC) check(teams map[string]*Team) error {
	u, err := url.Parse(o.Issuer)
	switch {
	case err != nil || !isTrusted(u) || u.RawQuery != "" || u.Fragment != "":
		return errors.New("oidc: issuer must be a URL that begins with https://")
	case o.Audience == "":
		return errors.New("oidc: audience is missing: without it tokens for other services would be accepted")
	case len(o.Grants) == 0:
		return errors.New("oidc: grants is empty: no token would be accepted")
	}
	o.Claim = cmp.Or(o.Claim, "groups")
	for i := range o.Grants {
		g := &o.Grants[i]
		if g.Role != "" {
			if g.role, err = parseRole(g.Role); err != nil {
				return err
			}
		}
		if g.Group == "" || teams[g.Team] == nil {
			return fmt.Errorf("oidc: the grant of the group %.80q names the team %.80q, which is not defined", g.Group, g.Team)
		}
	}
	return nil
}

// isTrusted reports whether nobody between this server and u can change its answers: it uses TLS, or is on this machine.
func isTrusted(u *url.URL) bool {
	if u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && guard.IsLoopback(u.Hostname())
}

// teamHeader is the header in which a client chooses one of a user's teams.
const teamHeader = "X-Assay-Team"

const (
	maxJWTBytes      = 16 << 10
	maxProviderBytes = 1 << 20
	leeway           = time.Minute
	refreshKeysAfter = time.Hour        // older keys are fetched again
	maxKeyAge        = 24 * time.Hour   // older keys are not used, even if the provider cannot be reached
	minFetchInterval = 30 * time.Second // between two fetches
	fetchTimeout     = 10 * time.Second
	maxRenewWait     = time.Second // how long a request whose key is known waits for newer keys
)

// A provider verifies the tokens of an identity provider with its public keys. The type of a key decides which algorithms
// are accepted, never the token. If the provider cannot be reached, the keys fetched last are used for a day.
type provider struct {
	cfg     OIDC
	now     func() time.Time
	warn    func(format string, args ...any)
	client  *http.Client
	timeout time.Duration // the time limit of a fetch

	fetching  sync.Mutex // only one fetch at a time
	mu        sync.Mutex
	keys      map[string]crypto.PublicKey // by ID
	fetchedAt time.Time                   // when keys were fetched
	triedAt   time.Time                   // when a fetch was last tried
}

func openProvider(cfg OIDC, now func() time.Time, warn func(string, ...any)) (*provider, error) {
	p := &provider{cfg: cfg, now: now, warn: warn, timeout: fetchTimeout}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: fetchTimeout}).DialContext, TLSHandshakeTimeout: fetchTimeout, DisableKeepAlives: true}
	if cfg.CA != "" {
		pem, err := safe.ReadNamed(cfg.CA, maxProviderBytes)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s contains no certificate", cfg.CA)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	p.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return p, nil
}

// isJWT reports whether a token has the form of a JSON Web Token.
func isJWT(token string) bool {
	return !strings.HasPrefix(token, tokenPrefix) && strings.Count(token, ".") == 2 && len(token) <= maxJWTBytes
}

// verify returns the holder of a token as a member of the named team, or of the first granted team if team is empty.
func (p *provider) verify(ctx context.Context, token, team string) (Holder, bool) {
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
	grant, ok := p.findGrant(groupsIn(claims, p.cfg.Claim), team)
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

// groupsIn returns the groups that the claim at path lists: a string or an array of strings.
func groupsIn(claims map[string]any, path string) map[string]bool {
	var v any = claims
	if whole, ok := claims[path]; ok { // the name of a claim may itself contain dots, because it may be a URL
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

// findGrant returns the grant with the highest role in the named team. If no team is named, it is the team of the first
// grant in the file that one of the groups matches.
func (p *provider) findGrant(groups map[string]bool, team string) (best Grant, ok bool) {
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

// key returns the key whose ID a token names, if the key's type fits the token's algorithm.
func (p *provider) key(ctx context.Context, t *jwt.Token) (any, error) {
	if t.Header["crit"] != nil { // such extensions must be understood (RFC 7515, 4.1.11), and none is implemented
		return nil, errors.New("the token has a critical header, which is not supported")
	}
	id, _ := t.Header["kid"].(string)
	key := p.lookUpKey(id)
	switch {
	case key == nil:
		p.waitForKeys(ctx)
		key = p.lookUpKey(id)
	case p.hasOldKeys():
		p.renewKeys(ctx)
		key = p.lookUpKey(id)
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
		return nil, errors.New("the provider has no key for the token's ID and algorithm")
	}
	return key, nil
}

func (p *provider) lookUpKey(id string) crypto.PublicKey {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now().Sub(p.fetchedAt) > maxKeyAge {
		return nil
	}
	if id == "" && len(p.keys) == 1 {
		for _, k := range p.keys {
			return k
		}
	}
	return p.keys[id]
}

func (p *provider) hasOldKeys() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now().Sub(p.fetchedAt) > refreshKeysAfter
}

// renewKeys fetches keys that are old but still valid. Only the first caller starts a fetch and waits for it, a second at
// most, because a provider that is down must not delay tokens whose key is known.
func (p *provider) renewKeys(ctx context.Context) {
	if !p.fetching.TryLock() {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer p.fetching.Unlock()
		p.updateKeys(ctx)
	}()
	select {
	case <-done:
	case <-time.After(maxRenewWait):
	}
}

// waitForKeys fetches the keys and waits for the result.
func (p *provider) waitForKeys(ctx context.Context) {
	p.fetching.Lock()
	defer p.fetching.Unlock()
	p.updateKeys(ctx)
}

// updateKeys fetches the keys unless that was tried less than minFetchInterval ago, because tokens with invented key IDs
// must not make this server flood the provider.
func (p *provider) updateKeys(ctx context.Context) {
	p.mu.Lock()
	soon := p.now().Sub(p.triedAt) < minFetchInterval
	if !soon {
		p.triedAt = p.now()
	}
	p.mu.Unlock()
	if soon {
		return
	}
	// The fetch must not end with the request that started it, because other requests wait for the same keys.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), p.timeout)
	defer stop()
	keys, err := p.fetchKeys(ctx)
	if err != nil {
		p.warn("cannot fetch the keys of %s: %v; those fetched before stay valid for a day", p.cfg.Issuer, err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys, p.fetchedAt = keys, p.now()
}

// fetchKeys fetches the provider's configuration (OpenID Connect Discovery 1.0, 4) and its keys (RFC 7517).
func (p *provider) fetchKeys(ctx context.Context) (map[string]crypto.PublicKey, error) {
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := p.getJSON(ctx, strings.TrimSuffix(p.cfg.Issuer, "/")+"/.well-known/openid-configuration", &about); err != nil {
		return nil, err
	}
	if about.Issuer != p.cfg.Issuer {
		return nil, fmt.Errorf("its configuration names the issuer %.200q", about.Issuer)
	}
	u, err := url.Parse(about.Keys)
	if err != nil || !isTrusted(u) {
		return nil, errors.New("its jwks_uri must be a URL that begins with https://")
	}
	var set struct{ Keys []jwk }
	if err := p.getJSON(ctx, about.Keys, &set); err != nil {
		return nil, err
	}
	out := map[string]crypto.PublicKey{}
	for _, k := range set.Keys {
		if key := k.publicKey(); key != nil {
			out[k.ID] = key
		}
	}
	if len(out) == 0 {
		return nil, errors.New("it publishes no usable key: RSA from 2048 bits, P-256, P-384 or Ed25519 is needed")
	}
	return out, nil
}

func (p *provider) getJSON(ctx context.Context, address string, to any) error {
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
	b, err := file.ReadUpTo(res.Body, maxProviderBytes)
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

// publicKey returns the key, or nil if it is not for signatures, weak or invalid.
func (k jwk) publicKey() crypto.PublicKey {
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
		validModulus := n.BitLen() >= 2048 && n.BitLen() <= 8192
		validExponent := e.IsInt64() && e.Int64() >= 3 && e.Int64() <= 1<<31-1
		if !validModulus || !validExponent {
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
		key, err := ecdsa.ParseUncompressedPublicKey(curve, append(append([]byte{4}, x...), y...)) // fails if the point is not on the curve
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
