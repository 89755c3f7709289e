//go:build team

package team

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/present/mcp"
)

// An issuer is an identity provider on this machine.
type issuer struct {
	*httptest.Server
	asked atomic.Int64 // for its keys
	down  atomic.Bool

	mu   sync.Mutex
	keys map[string]*rsa.PrivateKey // that it publishes
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{keys: map[string]*rsa.PrivateKey{}}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if i.down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != "/keys" {
			_ = json.NewEncoder(w).Encode(map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys", "authorization_endpoint": i.URL + "/a", "token_endpoint": i.URL + "/t",
				"id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"}})
			return
		}
		i.asked.Add(1)
		i.mu.Lock()
		defer i.mu.Unlock()
		var out []map[string]any
		for id, k := range i.keys {
			out = append(out, map[string]any{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": id, "n": b64(k.N.Bytes()), "e": b64(big.NewInt(int64(k.E)).Bytes())})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": out})
	}))
	t.Cleanup(i.Close)
	return i
}

// rotate publishes one key alone.
func (i *issuer) rotate(t *testing.T, id string) *rsa.PrivateKey {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = map[string]*rsa.PrivateKey{id: k}
	return k
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// signed returns a token whose header and signature are as alg says.
func signed(t *testing.T, alg, kid string, k *rsa.PrivateKey, claims map[string]any) string {
	t.Helper()
	head, _ := json.Marshal(map[string]any{"alg": alg, "kid": kid, "typ": "JWT"})
	body, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	text := b64(head) + "." + b64(body)
	sum := sha256.Sum256([]byte(text))
	var sig []byte
	switch alg {
	case "RS256":
		if sig, err = rsa.SignPKCS1v15(rand.Reader, k, crypto.SHA256, sum[:]); err != nil {
			t.Fatal(err)
		}
	case "HS256": // by whoever has the public key
		der, err := x509.MarshalPKIXPublicKey(&k.PublicKey)
		if err != nil {
			t.Fatal(err)
		}
		mac := hmac.New(sha256.New, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
		mac.Write([]byte(text))
		sig = mac.Sum(nil)
	}
	return text + "." + b64(sig)
}

// with returns claims with some of them changed; nil takes one away.
func with(claims map[string]any, change map[string]any) map[string]any {
	out := maps.Clone(claims)
	for k, v := range change {
		if out[k] = v; v == nil {
			delete(out, k)
		}
	}
	return out
}

func startOIDC(t *testing.T, i *issuer, more string) *server {
	t.Helper()
	return start(t, fmt.Sprintf(`oidc: {issuer: %q, audience: assay, skew: 30s, %s map: [{group: boss, team: red, role: administer}, {group: "red", team: red, role: write}, {group: "blue", team: blue, role: read}]}`, i.URL, more), mcp.HTTPOptions{})
}

// A provider's token counts where its signature, issuer, audience, times and groups do, and
// only there.
func TestBearer(t *testing.T) {
	i := newIssuer(t)
	key := i.rotate(t, "k1")
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s := startOIDC(t, i, "")
	now := s.clock.now().Unix()
	good := map[string]any{"iss": i.URL, "aud": "assay", "sub": "ann", "exp": now + 600, "iat": now - 5, "groups": []string{"x", "red"}}
	token := func(change map[string]any) string { return signed(t, "RS256", "k1", key, with(good, change)) }
	for name, c := range map[string]struct {
		token, tool string
		status      int
		has         string
	}{
		"good":              {token(nil), "keep", 200, `"text":"red"`},
		"several audiences": {token(map[string]any{"aud": []string{"other", "assay"}}), "who", 200, `"text":"red"`},
		"one group":         {token(map[string]any{"groups": "blue"}), "who", 200, `"text":"blue"`},
		"reads only":        {token(map[string]any{"groups": "blue"}), "keep", 200, "Tool keep not found"},
		"within the skew":   {token(map[string]any{"exp": now - 20}), "who", 200, `"text":"red"`},
		"soon":              {token(map[string]any{"nbf": now + 20}), "who", 200, `"text":"red"`},
		"expired":           {token(map[string]any{"exp": now - 31}), "who", 401, ""},
		"without an end":    {token(map[string]any{"exp": nil}), "who", 401, ""},
		"not yet":           {token(map[string]any{"nbf": now + 60}), "who", 401, ""},
		"of the future":     {token(map[string]any{"iat": now + 60}), "who", 401, ""},
		"for another":       {token(map[string]any{"aud": "other"}), "who", 401, ""},
		"for nobody":        {token(map[string]any{"aud": nil}), "who", 401, ""},
		"of another issuer": {token(map[string]any{"iss": "https://evil.example.org"}), "who", 401, ""},
		"of no issuer":      {token(map[string]any{"iss": nil}), "who", 401, ""},
		"of nobody":         {token(map[string]any{"sub": nil}), "who", 401, ""},
		"no group":          {token(map[string]any{"groups": nil}), "who", 401, ""},
		"other groups":      {token(map[string]any{"groups": []string{"green", "Red"}}), "who", 401, ""},
		"groups of no form": {token(map[string]any{"groups": map[string]any{"red": true}}), "who", 401, ""},
		"alg none":          {signed(t, "none", "k1", key, good), "who", 401, ""},
		"alg of a secret":   {signed(t, "HS256", "k1", key, good), "who", 401, ""},
		"another's key":     {signed(t, "RS256", "k1", other, good), "who", 401, ""},
		"an unknown key":    {signed(t, "RS256", "k2", other, good), "who", 401, ""},
		"without signature": {strings.Join(strings.Split(token(nil), ".")[:2], ".") + ".", "who", 401, ""},
		"another's body":    {swapped(token(nil), token(map[string]any{"groups": "boss"})), "who", 401, ""},
		"no token":          {"a.b.c", "who", 401, ""},
	} {
		if status, said := s.call(c.token, c.tool); status != c.status || !strings.Contains(said, c.has) {
			t.Errorf("%s: %d %s, want %d %q", name, status, said, c.status, c.has)
		}
	}
	if status, _ := s.do("GET", "/metrics", token(map[string]any{"groups": []string{"red", "boss"}}), "", nil); status != 200 {
		t.Errorf("the first group of the map does not count: %d", status)
	}
	if file, _ := s.token("blue", Read); file != "" {
		if status, said := s.call(file, "who"); status != 200 || !strings.Contains(said, `"text":"blue"`) {
			t.Errorf("a token of the file: %d %s", status, said)
		}
	}
	if log := s.read("access.jsonl"); strings.Contains(log, token(nil)) || !strings.Contains(log, `"holder":"ann"`) {
		t.Errorf("the log has a token, or not its holder: %s", log)
	}
}

// swapped is the signature of one token under the body of another.
func swapped(sig, body string) string {
	a, b := strings.Split(sig, "."), strings.Split(body, ".")
	return b[0] + "." + b[1] + "." + a[2]
}

// Keys may change: a new one counts once the provider publishes it, an old one no more, and
// made-up ones do not make the provider be asked at each request.
func TestBearerRotation(t *testing.T) {
	i := newIssuer(t)
	first := i.rotate(t, "k1")
	s := startOIDC(t, i, `claim: "realm.roles",`)
	claims := func(sub string) map[string]any {
		return map[string]any{"iss": i.URL, "aud": "assay", "sub": sub, "exp": s.clock.now().Unix() + 600, "realm": map[string]any{"roles": []string{"red"}}}
	}
	want := func(status int, kid string, k *rsa.PrivateKey, what string) {
		t.Helper()
		if got, said := s.call(signed(t, "RS256", kid, k, claims("ann")), "who"); got != status {
			t.Errorf("%s: %d %s, want %d", what, got, said, status)
		}
	}
	want(200, "k1", first, "the first key")
	asked := i.asked.Load()
	for n := range 20 {
		want(401, fmt.Sprint("made-up-", n), first, "a made-up key")
	}
	if n := i.asked.Load() - asked; n > 1 {
		t.Errorf("the provider was asked %d times for made-up keys", n)
	}
	second := i.rotate(t, "k2")
	s.clock.add(askAgain)
	want(200, "k2", second, "the second key")
	want(401, "k1", first, "the key that was withdrawn")
	i.down.Store(true)
	s.clock.add(askAgain)
	want(200, "k2", second, "a known key while the provider is down")
}

// A server starts without its provider and asks it again; what runs ends with its token.
func TestBearerLater(t *testing.T) {
	i := newIssuer(t)
	key := i.rotate(t, "k1")
	i.down.Store(true)
	s := startOIDC(t, i, "")
	token := signed(t, "RS256", "k1", key, map[string]any{"iss": i.URL, "aud": "assay", "sub": "ann", "exp": s.clock.now().Unix() + 600, "groups": "red"})
	if status, _ := s.call(token, "who"); status != 401 {
		t.Errorf("without the provider: %d", status)
	}
	if !strings.Contains(s.log.String(), "the identity provider cannot be asked") {
		t.Errorf("nothing says so: %s", s.log)
	}
	i.down.Store(false)
	s.clock.add(askAgain)
	if status, said := s.call(token, "who"); status != 200 {
		t.Errorf("with it: %d %s", status, said)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.call(token, "block")
	}()
	<-s.blocked
	s.clock.add(time.Hour)
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Error("the call goes on after its token ended")
	}
}
