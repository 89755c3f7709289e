package team

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/assay-dev/assay/internal/present/mcp"
)

// An issuer is a provider for tests.
type issuer struct {
	*httptest.Server
	mu    sync.Mutex
	keys  []map[string]string
	calls int
	fails bool
	says  string        // that it is called; empty: what it is
	holds chan struct{} // its answers, until it is closed; nil: none
}

func newIssuer(t *testing.T) *issuer {
	s := &issuer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls++
		if s.holds != nil {
			<-s.holds
		}
		switch {
		case s.fails:
			w.WriteHeader(http.StatusBadGateway)
		case r.URL.Path == "/.well-known/openid-configuration":
			name := s.says
			if name == "" {
				name = s.URL
			}
			fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, name, s.URL+"/keys")
		case r.URL.Path == "/keys":
			_ = json.NewEncoder(w).Encode(map[string]any{"keys": s.keys})
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// publish has the issuer's set hold a key.
func (s *issuer) publish(id string, key crypto.PublicKey) {
	k := map[string]string{"kid": id, "use": "sig"}
	switch key := key.(type) {
	case *rsa.PublicKey:
		k["kty"], k["n"], k["e"] = "RSA", b64(key.N.Bytes()), b64(big.NewInt(int64(key.E)).Bytes())
	case *ecdsa.PublicKey:
		raw, _ := key.Bytes()
		n := (len(raw) - 1) / 2
		k["kty"], k["crv"], k["x"], k["y"] = "EC", key.Curve.Params().Name, b64(raw[1:1+n]), b64(raw[1+n:])
	case ed25519.PublicKey:
		k["kty"], k["crv"], k["x"] = "OKP", "Ed25519", b64(key)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, k)
}

func signed(t *testing.T, method jwt.SigningMethod, id string, key any, claims jwt.MapClaims) string {
	t.Helper()
	tok := jwt.NewWithClaims(method, claims)
	if id != "" {
		tok.Header["kid"] = id
	}
	s, err := tok.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func providerOf(t *testing.T, s *issuer, c *clock) *provider {
	t.Helper()
	cfg := OIDC{Issuer: s.URL, Audience: "assay", Claim: "realm.roles", Grants: []Grant{{Group: "dev", Team: "red"}, {Group: "lead", Team: "red", Role: "administer"}, {Group: "ops", Team: "blue", Role: "write"}}}
	if err := cfg.check(map[string]*Team{"red": {}, "blue": {}}); err != nil {
		t.Fatal(err)
	}
	p, err := openProvider(cfg, c.now, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // a fetch that goes on would log after the test
		p.fetching.Lock()
		defer p.fetching.Unlock()
	})
	return p
}

func claimsOf(s *issuer, c *clock, groups ...any) jwt.MapClaims {
	return jwt.MapClaims{"iss": s.URL, "aud": []string{"other", "assay"}, "sub": "u1", "exp": c.now().Add(time.Hour).Unix(), "realm": map[string]any{"roles": groups}, "preferred_username": "ann"}
}

// critical is a token with a header that has to be understood.
func critical(t *testing.T, key ed25519.PrivateKey, claims jwt.MapClaims) string {
	t.Helper()
	tok := jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims)
	tok.Header["kid"], tok.Header["crit"] = "d", []string{"b64"}
	s, err := tok.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Tokens of every algorithm that is taken admit their users to the teams of their groups, and nothing
// else does.
func TestOIDC(t *testing.T) {
	s, c := newIssuer(t), &clock{at: time.Unix(1e9, 0)}
	rsaKey, _ := rsa.GenerateKey(rand.Reader, 2048)
	small, _ := rsa.GenerateKey(rand.Reader, 1024) //nolint:gosec // one that is to be refused
	ecKey, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	pub, edKey, _ := ed25519.GenerateKey(rand.Reader)
	_, foreign, _ := ed25519.GenerateKey(rand.Reader)
	s.publish("r", rsaKey.Public())
	s.publish("e", ecKey.Public())
	s.publish("d", pub)
	p := providerOf(t, s, c)
	find := func(token, team string) (Holder, bool) { return p.verify(t.Context(), token, team) }
	for id, tok := range map[string]string{"r": signed(t, jwt.SigningMethodRS256, "r", rsaKey, claimsOf(s, c, "dev")), "p": signed(t, jwt.SigningMethodPS384, "r", rsaKey, claimsOf(s, c, "dev")),
		"e": signed(t, jwt.SigningMethodES256, "e", ecKey, claimsOf(s, c, "dev")), "d": signed(t, jwt.SigningMethodEdDSA, "d", edKey, claimsOf(s, c, "dev"))} {
		h, ok := find(tok, "")
		if !ok || !strings.HasPrefix(h.ID, "oidc-") || !isJWT(tok) {
			t.Errorf("%s: %+v, %v", id, h, ok)
		}
		if h.Team != "red" || h.Role != Read || h.Name != "ann" {
			t.Errorf("%s: the holder is %+v", id, h)
		}
	}
	ed := func(change func(jwt.MapClaims), groups ...any) string {
		claims := claimsOf(s, c, groups...)
		if change != nil {
			change(claims)
		}
		return signed(t, jwt.SigningMethodEdDSA, "d", edKey, claims)
	}
	for what, tc := range map[string]struct {
		token, team, want string
		role              Role
	}{
		"the stronger of two":      {ed(nil, "dev", "lead"), "", "red", Administer},
		"the first":                {ed(nil, "ops", "dev"), "", "red", Read},
		"the one named":            {ed(nil, "ops", "dev"), "blue", "blue", Write},
		"not theirs":               {ed(nil, "dev"), "blue", "", 0},
		"no group":                 {ed(nil), "", "", 0},
		"another group":            {ed(nil, "sales"), "", "", 0},
		"a group of numbers":       {ed(nil, 7, nil), "", "", 0},
		"a word":                   {ed(func(m jwt.MapClaims) { m["realm"] = map[string]any{"roles": "ops"} }), "", "blue", Write},
		"a name with a dot":        {ed(func(m jwt.MapClaims) { m["realm.roles"] = []string{"ops"} }), "", "blue", Write},
		"over":                     {ed(func(m jwt.MapClaims) { m["exp"] = c.now().Add(-2 * time.Minute).Unix() }, "dev"), "", "", 0},
		"without an end":           {ed(func(m jwt.MapClaims) { delete(m, "exp") }, "dev"), "", "", 0},
		"not yet":                  {ed(func(m jwt.MapClaims) { m["nbf"] = c.now().Add(time.Hour).Unix() }, "dev"), "", "", 0},
		"for another":              {ed(func(m jwt.MapClaims) { m["aud"] = "other" }, "dev"), "", "", 0},
		"for nobody":               {ed(func(m jwt.MapClaims) { delete(m, "aud") }, "dev"), "", "", 0},
		"of another":               {ed(func(m jwt.MapClaims) { m["iss"] = "https://other" }, "dev"), "", "", 0},
		"of nobody":                {ed(func(m jwt.MapClaims) { delete(m, "sub") }, "dev"), "", "", 0},
		"another's key":            {signed(t, jwt.SigningMethodEdDSA, "d", foreign, claimsOf(s, c, "dev")), "", "", 0},
		"no key of its":            {signed(t, jwt.SigningMethodEdDSA, "x", foreign, claimsOf(s, c, "dev")), "", "", 0},
		"no signature":             {signed(t, jwt.SigningMethodNone, "d", jwt.UnsafeAllowNoneSignatureType, claimsOf(s, c, "dev")), "", "", 0},
		"a public key as a secret": {signed(t, jwt.SigningMethodHS256, "d", []byte(pub), claimsOf(s, c, "dev")), "", "", 0},
		"another algorithm":        {signed(t, jwt.SigningMethodRS256, "d", rsaKey, claimsOf(s, c, "dev")), "", "", 0},
		"a critical header":        {critical(t, edKey, claimsOf(s, c, "dev")), "", "", 0},
		"nothing":                  {"a.b.c", "", "", 0},
	} {
		h, ok := find(tc.token, tc.team)
		if ok != (tc.want != "") || h.Team != tc.want || h.Role != tc.role {
			t.Errorf("%s: %+v, %v", what, h, ok)
		}
	}
	if (jwk{Kind: "RSA", N: b64(small.N.Bytes()), E: "AQAB"}).publicKey() != nil || (jwk{Kind: "EC", Curve: "P-256", X: b64(make([]byte, 32)), Y: b64(make([]byte, 32))}).publicKey() != nil ||
		(jwk{Kind: "oct"}).publicKey() != nil || (jwk{Kind: "RSA", Use: "enc", N: b64(rsaKey.N.Bytes()), E: "AQAB"}).publicKey() != nil {
		t.Error("a key that is none is taken")
	}
}

// A new key counts at once, an invented one makes nobody ask more often, and where the provider is
// gone its keys count for a day.
func TestOIDCKeys(t *testing.T) {
	s, c := newIssuer(t), &clock{at: time.Unix(1e9, 0)}
	pub, one, _ := ed25519.GenerateKey(rand.Reader)
	s.publish("1", pub)
	p := providerOf(t, s, c)
	tok := func(id string, key ed25519.PrivateKey) string {
		claims := claimsOf(s, c, "dev")
		return signed(t, jwt.SigningMethodEdDSA, id, key, claims)
	}
	find := func(token string) bool { _, ok := p.verify(t.Context(), token, ""); return ok }
	if !find(tok("1", one)) || s.calls != 2 {
		t.Fatalf("it took %d calls", s.calls)
	}
	for range 20 {
		if find(tok("invented", one)) {
			t.Fatal("an invented key counts")
		}
	}
	if s.calls != 2 {
		t.Errorf("invented keys made %d calls", s.calls-2)
	}
	pub, two, _ := ed25519.GenerateKey(rand.Reader)
	s.publish("2", pub)
	if c.add(minFetchInterval); !find(tok("2", two)) || s.calls != 4 {
		t.Errorf("a new key does not count, after %d calls", s.calls)
	}
	s.mu.Lock()
	s.fails = true
	s.mu.Unlock()
	if c.add(20 * time.Hour); !find(tok("2", two)) {
		t.Error("without its provider a key does not count for a day")
	}
	if c.add(5 * time.Hour); find(tok("2", two)) {
		t.Error("without its provider a key counts for longer")
	}
	s.mu.Lock()
	s.fails, s.says = false, "https://another"
	s.mu.Unlock()
	if c.add(time.Hour); find(tok("2", two)) {
		t.Error("one that calls itself something else is believed")
	}
}

// Who has a key that counts does not wait for a provider that says nothing.
func TestOIDCAway(t *testing.T) {
	s, c := newIssuer(t), &clock{at: time.Unix(1e9, 0)}
	pub, one, _ := ed25519.GenerateKey(rand.Reader)
	s.publish("1", pub)
	p := providerOf(t, s, c)
	find := func() bool {
		_, ok := p.verify(t.Context(), signed(t, jwt.SigningMethodEdDSA, "1", one, claimsOf(s, c, "dev")), "")
		return ok
	}
	if !find() {
		t.Fatal("a token does not count")
	}
	s.mu.Lock()
	s.holds = make(chan struct{})
	s.mu.Unlock()
	defer close(s.holds)
	c.add(2 * refreshKeysAfter)
	p.timeout = time.Hour // one that waited for the provider would not end
	for range 3 {
		if !find() {
			t.Error("a token does not count while its provider says nothing")
		}
	}
}

// A token of the provider is accepted for the team that the request names, until the token expires.
func TestOIDCDoor(t *testing.T) {
	i := newIssuer(t)
	pub, key, _ := ed25519.GenerateKey(rand.Reader)
	i.publish("1", pub)
	s := start(t, fmt.Sprintf("oidc: {issuer: %q, audience: assay, grants: [{group: dev, team: red}, {group: ops, team: blue, role: write}]}\n", i.URL), mcp.HTTPOptions{})
	claims := jwt.MapClaims{"iss": i.URL, "aud": "assay", "sub": "u1", "exp": s.clock.now().Add(time.Minute).Unix(), "groups": []string{"dev", "ops"}}
	token := signed(t, jwt.SigningMethodEdDSA, "1", key, claims)
	who := func(token, team string) (int, string) {
		return s.do(http.MethodPost, "/mcp", token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who","arguments":{}}}`, func(r *http.Request) {
			if team != "" {
				r.Header.Set(teamHeader, team)
			}
		})
	}
	for team, want := range map[string]string{"": "red", "red": "red", "blue": "blue"} {
		if status, said := who(token, team); status != http.StatusOK || !strings.Contains(said, want) {
			t.Errorf("as one of %q: %d %s, want %s", team, status, said, want)
		}
	}
	for _, team := range []string{"green", "../red"} {
		if status, _ := who(token, team); status != http.StatusUnauthorized {
			t.Errorf("as one of %q: %d", team, status)
		}
	}
	mine, _ := s.token("red", Read)
	if status, said := who(mine, "blue"); status != http.StatusOK || !strings.Contains(said, "red") {
		t.Errorf("a token of the file names another team: %d %s", status, said)
	}
	if status, said := s.do(http.MethodGet, "/.well-known/oauth-protected-resource", "", "", nil); status != http.StatusOK || !strings.Contains(said, i.URL) {
		t.Errorf("where tokens come from: %d %s", status, said)
	}
	if log := s.read("access.jsonl"); !strings.Contains(log, `"token":"oidc-`) || strings.Contains(log, token) {
		t.Errorf("the log is %s", log)
	}
	ended := make(chan int, 1)
	go func() {
		status, _ := s.do(http.MethodPost, "/mcp", token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"block","arguments":{}}}`, nil)
		ended <- status
	}()
	<-s.blocked
	s.clock.add(time.Hour)
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Error("a call goes on after its token has ended")
	}
	if status, _ := who(token, ""); status != http.StatusUnauthorized {
		t.Errorf("a token that has ended: %d", status)
	}
}

// What is wrong with the settings of a provider is said before anything is served.
func TestOIDCConfig(t *testing.T) {
	teams := map[string]*Team{"red": {}}
	grants := []Grant{{Group: "dev", Team: "red"}}
	for what, o := range map[string]OIDC{
		"no issuer":    {Audience: "a", Grants: grants},
		"in the clear": {Issuer: "http://id.example.org", Audience: "a", Grants: grants},
		"a password":   {Issuer: "https://u:p@id.example.org", Audience: "a", Grants: grants},
		"no audience":  {Issuer: "https://id.example.org", Grants: grants},
		"no grants":    {Issuer: "https://id.example.org", Audience: "a"},
		"another team": {Issuer: "https://id.example.org", Audience: "a", Grants: []Grant{{Group: "dev", Team: "blue"}}},
		"no group":     {Issuer: "https://id.example.org", Audience: "a", Grants: []Grant{{Team: "red"}}},
		"no role":      {Issuer: "https://id.example.org", Audience: "a", Grants: []Grant{{Group: "dev", Team: "red", Role: "owner"}}},
	} {
		if o.check(teams) == nil {
			t.Errorf("%s is taken", what)
		}
	}
}
