package lua

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// cryptoJWTVerify returns the claims of a token that is as its issuer signed it and valid now, or nil and the reason. The key is PEM, a
// set of keys (RFC 7517) as a table or as JSON, or with one of the algorithms HS256, HS384 and HS512 a secret. The key says which
// algorithms are taken, never the token: who has a public key could sign with it else.
func cryptoJWTVerify(c call) int {
	token, opts := c.Str(1), c.options(3)
	text := func(name string) string {
		s, ok := opts.GetField(name).AsString()
		if !opts.GetField(name).IsNil() && (!ok || s == "") {
			c.Fail("crypto.jwt_verify: %s must be a string that is not empty", name)
		}
		return s
	}
	leeway := time.Minute
	if v := opts.GetField("leeway"); !v.IsNil() {
		if f, ok := v.Number(); !ok || f != 0 {
			leeway = c.seconds("crypto.jwt_verify", "leeway", v, leeway)
		} else {
			leeway = 0
		}
	}
	keys, err := c.verifiers(c.Arg(2), text("alg"))
	c.Check("crypto.jwt_verify", err)
	checks := []jwt.ParserOption{jwt.WithLeeway(leeway), jwt.WithJSONNumber()}
	if iss := text("issuer"); iss != "" {
		checks = append(checks, jwt.WithIssuer(iss))
	}
	switch required := opts.GetField("require_exp"); {
	case !required.IsNil() && required.TypeName() != "boolean":
		c.Fail("crypto.jwt_verify: require_exp must be true or false")
	case required.Truth():
		checks = append(checks, jwt.WithExpirationRequired())
	}
	if aud := text("audience"); aud != "" {
		checks = append(checks, jwt.WithAudience(aud))
	}
	c.Step(len(token))
	claims := jwt.MapClaims{}
	_, err = jwt.NewParser(checks...).ParseWithClaims(token, claims, func(t *jwt.Token) (any, error) { return keys.keyOf(t) })
	if err != nil {
		return c.Return(none, c.NewString(err.Error()))
	}
	b, err := json.Marshal(claims)
	var v value
	if err == nil {
		v, err = (&jsonReader{c: c, s: string(b)}).document()
	}
	c.Check("crypto.jwt_verify", err)
	return c.Return(v)
}

// A verifier is a key that signatures are held against.
type verifier struct {
	id   string // "": of every token
	alg  string // "": what goes with the key
	key  any
	algs []string
}

type verifiers []verifier

func (vs verifiers) keyOf(t *jwt.Token) (any, error) {
	// A token with a critical extension must be refused by a verifier that does not know it (RFC 7515,
	// section 4.1.11), and this one knows none.
	if crit, ok := t.Header["crit"]; ok {
		return nil, fmt.Errorf("the token has critical extensions that are not known: %.100v", crit)
	}
	id, _ := t.Header["kid"].(string)
	fits := func(v verifier) bool {
		return (v.id == "" || id == "" || v.id == id) && slices.Contains(v.algs, t.Method.Alg()) && (v.alg == "" || v.alg == t.Method.Alg())
	}
	set := jwt.VerificationKeySet{}
	for _, v := range vs {
		if fits(v) {
			set.Keys = append(set.Keys, v.key)
		}
	}
	if len(set.Keys) == 0 {
		return nil, fmt.Errorf("no key for the algorithm %s and the key id %q", t.Method.Alg(), id)
	}
	return set, nil
}

// verifiers reads the key argument.
func (c call) verifiers(v value, alg string) (verifiers, error) {
	text, ok := v.AsString()
	if v.AsTable() != nil {
		b, err := c.appendJSON(nil, v)
		if err != nil {
			return nil, err
		}
		text, ok = string(b), true
	}
	if !ok {
		return nil, errors.New("the key must be PEM, a set of keys, or a secret")
	}
	if len(text) > maxKey*64 {
		return nil, fmt.Errorf("the keys are longer than %d bytes", maxKey*64)
	}
	hmacs := []string{"HS256", "HS384", "HS512"}
	if slices.Contains(hmacs, alg) {
		switch {
		case text == "":
			return nil, errors.New("the secret is empty")
		case v.AsTable() != nil || strings.Contains(text, "-----BEGIN "):
			return nil, fmt.Errorf("alg = %q wants a secret, and this is a key that others may have", alg)
		}
		return verifiers{{alg: alg, key: []byte(text), algs: hmacs}}, nil
	}
	if set, err := keySet([]byte(text)); err == nil {
		return set, nil
	} else if v.AsTable() != nil {
		return nil, err
	}
	if key, err := jwt.ParseRSAPublicKeyFromPEM([]byte(text)); err == nil {
		return verifiers{newVerifier("", alg, key)}, nil
	}
	if key, err := jwt.ParseECPublicKeyFromPEM([]byte(text)); err == nil {
		return verifiers{newVerifier("", alg, key)}, nil
	}
	if key, err := jwt.ParseEdPublicKeyFromPEM([]byte(text)); err == nil {
		return verifiers{newVerifier("", alg, key)}, nil
	}
	return nil, errors.New("the key is neither PEM of a public key or certificate nor a set of keys; a secret needs alg = \"HS256\"")
}

// newVerifier returns what a public key verifies.
func newVerifier(id, alg string, key crypto.PublicKey) verifier {
	v := verifier{id: id, alg: alg, key: key}
	switch k := key.(type) {
	case *rsa.PublicKey:
		v.algs = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}
	case *ecdsa.PublicKey:
		v.algs = []string{fmt.Sprintf("ES%d", map[int]int{256: 256, 384: 384, 521: 512}[k.Curve.Params().BitSize])}
	case ed25519.PublicKey:
		v.algs = []string{"EdDSA"}
	}
	return v
}

// keySet reads a JSON Web Key Set (RFC 7517, RFC 7518 section 6, RFC 8037). Keys of kinds that verify nothing here are left out.
func keySet(text []byte) (verifiers, error) {
	var doc struct {
		Keys []struct {
			Kty, Kid, Alg, Crv, N, E, X, Y string
		} `json:"keys"`
	}
	if err := json.Unmarshal(text, &doc); err != nil || doc.Keys == nil {
		return nil, errors.New("it is no set of keys: it has no list named keys")
	}
	var out verifiers
	for i, k := range doc.Keys {
		var broken error
		part := func(s string) []byte {
			b, err := base64.RawURLEncoding.DecodeString(s)
			if err != nil || len(b) == 0 || len(b) > maxKey {
				broken = fmt.Errorf("key %d of the set cannot be read", i+1)
			}
			return b
		}
		number := func(s string) *big.Int { return new(big.Int).SetBytes(part(s)) }
		curve := map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521()}[k.Crv]
		switch {
		case k.Kty == "RSA":
			if e := number(k.E); broken == nil && e.IsInt64() && e.Int64() > 1 && e.Int64() < 1<<31 {
				out = append(out, newVerifier(k.Kid, k.Alg, &rsa.PublicKey{N: number(k.N), E: int(e.Int64())}))
			} else if broken == nil {
				broken = fmt.Errorf("key %d of the set cannot be read", i+1)
			}
		case k.Kty == "EC" && curve != nil:
			size := (curve.Params().BitSize + 7) / 8
			x, y := part(k.X), part(k.Y)
			if broken == nil && len(x) <= size && len(y) <= size {
				point := make([]byte, 1+2*size)
				point[0] = 4
				copy(point[1+size-len(x):], x)
				copy(point[1+2*size-len(y):], y)
				key, err := ecdsa.ParseUncompressedPublicKey(curve, point)
				if err != nil {
					return nil, fmt.Errorf("key %d of the set: %w", i+1, err)
				}
				out = append(out, newVerifier(k.Kid, k.Alg, key))
			}
		case k.Kty == "OKP" && k.Crv == "Ed25519":
			if x := part(k.X); len(x) == ed25519.PublicKeySize {
				out = append(out, newVerifier(k.Kid, k.Alg, ed25519.PublicKey(x)))
			}
		}
		if broken != nil {
			return nil, broken
		}
	}
	return out, nil
}
