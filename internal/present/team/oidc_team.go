//go:build team

package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// algorithms are those of key pairs. With one that has a shared secret, or none, anybody
// could sign who knows the public key.
var algorithms = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA}

const (
	askAgain   = 5 * time.Second // tokens with unknown keys do not make the provider be asked more often
	answerIn   = 10 * time.Second
	maxAnswer  = 1 << 20 // bytes of a document of the provider
	maxSubject = 200     // bytes
)

// A provider verifies tokens by the keys that an identity provider publishes. It asks for
// them when it first needs them, and again when a token has a key that it does not know: a
// provider that is down keeps nobody out whose key is known.
type provider struct {
	*OIDC
	now  func() time.Time
	tell func(string, ...any)
	ask  *http.Client

	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	tried    time.Time
}

// openBearer prepares to verify tokens. A provider that cannot be reached now is asked later.
func openBearer(ctx context.Context, o *OIDC, now func() time.Time, tell func(string, ...any)) (bearer, error) {
	p := &provider{OIDC: o, now: now, tell: tell, ask: &http.Client{Timeout: answerIn, Transport: &bounded{next: http.DefaultTransport, now: now, last: map[string]time.Time{}}}}
	if _, err := p.discovered(ctx); err != nil {
		tell("the identity provider cannot be asked, and will be again: %v", err)
	}
	return p, nil
}

var errLater = errors.New("it was asked a moment ago")

// discovered returns what verifies tokens, once the provider has said where its keys are.
func (p *provider) discovered(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.verifier != nil {
		return p.verifier, nil
	}
	if !p.tried.IsZero() && p.now().Sub(p.tried) < askAgain {
		return nil, errLater
	}
	p.tried = p.now()
	// Whoever asks first may hang up, and others need the answer.
	ctx, cancel := context.WithTimeout(oidc.ClientContext(context.WithoutCancel(ctx), p.ask), answerIn)
	defer cancel()
	from, err := oidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		return nil, err
	}
	// When a token counts is said below: the library allows clocks to differ by what it likes.
	p.verifier = from.Verifier(&oidc.Config{ClientID: p.Audience, SupportedSigningAlgs: algorithms, SkipExpiryCheck: true})
	return p.verifier, nil
}

// find returns who presents a token of the provider.
func (p *provider) find(ctx context.Context, token string) (Holder, bool) {
	if strings.Count(token, ".") != 2 {
		return Holder{}, false
	}
	by, err := p.discovered(ctx)
	if err != nil {
		return Holder{}, false
	}
	t, err := by.Verify(ctx, token)
	if err != nil {
		return Holder{}, false
	}
	var claims map[string]any
	var times struct {
		NotBefore float64 `json:"nbf"`
		Expiry    float64 `json:"exp"`
	}
	if t.Claims(&claims) != nil || t.Claims(&times) != nil {
		return Holder{}, false
	}
	now, skew := p.now(), time.Duration(p.Skew)
	until := t.Expiry.Add(skew)
	if times.Expiry <= 0 || !now.Before(until) || times.NotBefore > float64(now.Add(skew).Unix()) || t.IssuedAt.After(now.Add(skew)) || t.Subject == "" || len(t.Subject) > maxSubject {
		return Holder{}, false
	}
	groups := groupsOf(claims, p.Claim)
	for _, m := range p.Map {
		if slices.Contains(groups, m.Group) {
			role, _ := ParseRole(m.Role) // check has read it
			sum := sha256.Sum256([]byte(t.Issuer + "\x00" + t.Subject))
			return Holder{ID: "oidc-" + hex.EncodeToString(sum[:8]), Team: m.Team, Role: role, Name: t.Subject, until: until}, true
		}
	}
	return Holder{}, false
}

// groupsOf returns the groups in a claim: a word, or several.
func groupsOf(claims map[string]any, name string) []string {
	v, ok := claims[name] // a name may have a dot, as https://example.org/groups
	for at := claims; !ok; {
		head, rest, more := strings.Cut(name, ".")
		if v, ok = at[head]; !more || !ok {
			break
		}
		if at, ok = v.(map[string]any); !ok {
			return nil
		}
		name, ok = rest, false
	}
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// A bounded transport asks for documents of bounded size over TLS, or from this machine, and
// for no address more often than every few seconds.
type bounded struct {
	next http.RoundTripper
	now  func() time.Time

	mu   sync.Mutex
	last map[string]time.Time
}

func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !loopback(r.URL.Hostname()) {
		return nil, fmt.Errorf("%s is not asked without TLS", r.URL.Host)
	}
	at := r.URL.String()
	b.mu.Lock()
	early := !b.last[at].IsZero() && b.now().Sub(b.last[at]) < askAgain
	if !early && len(b.last) < 16 { // the provider's documents are two
		b.last[at] = b.now()
	}
	b.mu.Unlock()
	if early {
		return nil, errLater
	}
	resp, err := b.next.RoundTrip(r)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	}
	return resp, err
}
