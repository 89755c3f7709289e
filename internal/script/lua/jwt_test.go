package lua

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func publicPEM(t *testing.T, key crypto.PublicKey) string {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

func TestJWTVerify(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	edPublic, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().Unix()
	good := jwt.MapClaims{"sub": "me", "iss": "https://issuer", "aud": []string{"api", "web"}, "exp": now + 300, "big": json.Number("9007199254740993")}
	sign := func(m jwt.SigningMethod, key any, claims jwt.MapClaims, kid string) string {
		tok := jwt.NewWithClaims(m, claims)
		if kid != "" {
			tok.Header["kid"] = kid
		}
		s, err := tok.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	with := func(name string, v any) jwt.MapClaims {
		c := jwt.MapClaims{}
		for k, v := range good {
			c[k] = v
		}
		c[name] = v
		return c
	}
	without := func(name string) jwt.MapClaims {
		c := with(name, nil)
		delete(c, name)
		return c
	}
	b64 := func(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
	point, err := ecKey.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	set, err := json.Marshal(map[string]any{"keys": []any{
		map[string]string{"kty": "oct", "k": "AAAA"},
		map[string]string{"kty": "RSA", "kid": "r", "alg": "RS256", "n": b64(rsaKey.N.Bytes()), "e": b64(big.NewInt(int64(rsaKey.E)).Bytes())},
		map[string]string{"kty": "EC", "kid": "e", "crv": "P-256", "x": b64(point[1:33]), "y": b64(point[33:])},
		map[string]string{"kty": "OKP", "kid": "o", "crv": "Ed25519", "x": b64(edPublic)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	rsaPEM, ecPEM, edPEM := publicPEM(t, rsaKey.Public()), publicPEM(t, ecKey.Public()), publicPEM(t, edPublic)
	unsigned := sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, good, "")
	whole := sign(jwt.SigningMethodRS256, rsaKey, good, "")
	extended := jwt.NewWithClaims(jwt.SigningMethodRS256, good)
	extended.Header["crit"] = []string{"b64"}
	critical, err := extended.SignedString(rsaKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ token, key, opts, want string }{
		"RSA":                    {whole, rsaPEM, `{issuer = "https://issuer", audience = "web"}`, "ok"},
		"PSS":                    {sign(jwt.SigningMethodPS384, rsaKey, good, ""), rsaPEM, `nil`, "ok"},
		"EC":                     {sign(jwt.SigningMethodES256, ecKey, good, ""), ecPEM, `{alg = "ES256"}`, "ok"},
		"Ed25519":                {sign(jwt.SigningMethodEdDSA, edKey, good, ""), edPEM, `{}`, "ok"},
		"a secret":               {sign(jwt.SigningMethodHS256, []byte("secret"), good, ""), "secret", `{alg = "HS256"}`, "ok"},
		"a set, RSA":             {sign(jwt.SigningMethodRS256, rsaKey, good, "r"), string(set), `{}`, "ok"},
		"a set, EC":              {sign(jwt.SigningMethodES256, ecKey, good, "e"), string(set), `{}`, "ok"},
		"a set, Ed25519":         {sign(jwt.SigningMethodEdDSA, edKey, good, "o"), string(set), `{}`, "ok"},
		"a set, no id":           {whole, string(set), `{}`, "ok"},
		"a set, another id":      {sign(jwt.SigningMethodRS256, rsaKey, good, "x"), string(set), `{}`, `no key for the algorithm RS256 and the key id "x"`},
		"a set, another alg":     {sign(jwt.SigningMethodRS512, rsaKey, good, "r"), string(set), `{}`, `no key for the algorithm RS512`},
		"nobody signed":          {unsigned, rsaPEM, `{}`, "no key for the algorithm none"},
		"public key as a secret": {sign(jwt.SigningMethodHS256, []byte(rsaPEM), good, ""), rsaPEM, `{}`, "no key for the algorithm HS256"},
		"another algorithm":      {whole, rsaPEM, `{alg = "RS512"}`, "no key for the algorithm RS256"},
		"another key":            {sign(jwt.SigningMethodES256, ecKey, good, ""), rsaPEM, `{}`, "no key for the algorithm ES256"},
		"another signature":      {whole[:len(whole)-8] + "AAAAAAAA", rsaPEM, `{}`, "signature is invalid"},
		"expired":                {sign(jwt.SigningMethodRS256, rsaKey, with("exp", now-120), ""), rsaPEM, `{}`, "token is expired"},
		"critical":               {critical, rsaPEM, `{}`, "critical extensions that are not known: [b64]"},
		"for ever":               {sign(jwt.SigningMethodRS256, rsaKey, without("exp"), ""), rsaPEM, `{}`, "ok"},
		"for ever, required":     {sign(jwt.SigningMethodRS256, rsaKey, without("exp"), ""), rsaPEM, `{require_exp = true}`, "exp claim is required"},
		"with exp, required":     {sign(jwt.SigningMethodRS256, rsaKey, good, ""), rsaPEM, `{require_exp = true}`, "ok"},
		"expired, leeway":        {sign(jwt.SigningMethodRS256, rsaKey, with("exp", now-120), ""), rsaPEM, `{leeway = 600}`, "ok"},
		"not yet":                {sign(jwt.SigningMethodRS256, rsaKey, with("nbf", now+900), ""), rsaPEM, `{}`, "not valid yet"},
		"another issuer":         {whole, rsaPEM, `{issuer = "x"}`, "invalid issuer"},
		"another audience":       {whole, rsaPEM, `{audience = "x"}`, "invalid audience"},
		"no token":               {"abc", rsaPEM, `{}`, "malformed"},
		"no key":                 {whole, "abc", `{}`, "neither PEM of a public key"},
		"a secret without alg":   {sign(jwt.SigningMethodHS256, []byte("secret"), good, ""), "secret", `{}`, `a secret needs alg = "HS256"`},
	} {
		src := fmt.Sprintf(`local claims, why = crypto.jwt_verify(T, K, %s) if not claims then return why end
			assert.eq(claims.sub, "me") assert.eq(claims.big, 9007199254740993) assert.eq(claims.aud[2], "web") return "ok"`, c.opts)
		got, err := eval(t, Options{Globals: map[string]any{"T": c.token, "K": c.key}}, src)
		if says := fmt.Sprint(got, err); !strings.Contains(says, c.want) || (c.want == "ok") != (got == "ok") {
			t.Errorf("%s: %v, %v, want %s", name, got, err, c.want)
		}
	}
}

// A check that is misspelt, or a secret that is none, must not pass for one that was made.
func TestJWTVerifyIsStrict(t *testing.T) {
	const head = `local h, p = base64.encode('{"alg":"HS256"}'):gsub("=", ""), base64.encode('{"aud":"a"}'):gsub("=", "") local token = h .. "." .. p .. ".x" `
	for call, want := range map[string]string{
		`crypto.jwt_verify(token, "", {alg = "HS256"})`:                                                 "the secret is empty",
		`crypto.jwt_verify(token, "secret", {alg = "HS256", audiance = "a"})`:                           "unknown option \"audiance\": did you mean audience?",
		`crypto.jwt_verify(token, "secret", {alg = "HS256", require_exp = 1})`:                          "require_exp must be true or false",
		`crypto.jwt_verify(token, "secret", {alg = "HS256", issuer = ""})`:                              "issuer must be a string that is not empty",
		`crypto.jwt_verify(token, "-----BEGIN PUBLIC KEY-----\nx", {alg = "HS256"})`:                    "wants a secret, and this is a key that others may have",
		`crypto.jwt_verify(token, {keys = {}}, {alg = "HS256"})`:                                        "wants a secret, and this is a key that others may have",
		`crypto.jwt_verify(token, "secret", {alg = "HS256", leeway = -1})`:                              "leeway must be a positive number of seconds",
		`assert.eq(crypto.jwt_verify(token, "secret", {alg = "HS256", leeway = 0}), nil) error("none")`: "none",
	} {
		if _, err := eval(t, Options{}, head+call); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", call, err, want)
		}
	}
}
